/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the launches of an event.log, and the calls of a tensor.trace, to rows.
 *
 * A launch is a span from its time to the end of its epilogue, with the prologue, the kernel and the epilogue inside.
 * The log does not say which thread launched: launches at the same time stand on lanes. One without times is an
 * instant.
 */
#pragma once

#include "formats/format.h"
#include "formats/neutrino-trace/log.h"

/* When its kernel began; TT_NO_TIME: not known. */
gint64 tt_neutrino_kernel_time (const TtNeutrinoLaunch *launch);

/* Within a source. @log is in order. */
gboolean tt_neutrino_put_launches (const TtNeutrinoLog *log,
                                   const TtImportOptions *options,
                                   TtSink *sink,
                                   guint32 process,
                                   GError **error);

/* Whether @head begins like a tensor.trace. */
gboolean tt_neutrino_tensors_probe (const guint8 *head, gsize len);
/* Within a source: lines of `[call]`, ns, shape, bytes, address, variable, function, file:line, two blanks between. */
gboolean
tt_neutrino_put_tensors (TtInput *input, const TtImportOptions *options, TtSink *sink, guint32 process, GError **error);
