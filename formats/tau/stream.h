/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTauStream: the records of one TAU trace file, on their way to nest and sink.
 *
 * Streams within are distinguished by the node and thread in each record, never by file name; file order is kept.
 */
#pragma once

#include "formats/tau/damage.h"
#include "formats/tau/ids.h"
#include "formats/tau/layout.h"
#include "src/trace/nest/nest.h"

typedef struct _TtTauStream TtTauStream;

/* Borrows @ids and @sink. @path: for messages. @last_node: the highest one that is known to be a rank, or -1. */
TtTauStream *tt_tau_stream_new (TtTauIds *ids,
                                TtSink *sink,
                                const char *path,
                                TtTauLayout layout,
                                gint64 last_node,
                                gboolean is_strict);
void tt_tau_stream_free (TtTauStream *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTauStream, tt_tau_stream_free)

/* Takes records from the begin of @bytes and returns how many bytes it took; those that it leaves, at most
 * TT_TAU_AHEAD and a record, are the first of the next call. @is_end: no bytes come after these; all are taken. -1 with
 * @error. */
gssize tt_tau_stream_feed (TtTauStream *self, const guint8 *bytes, gsize len, gboolean is_end, GError **error);
/* Closes what is open. */
gboolean tt_tau_stream_end (TtTauStream *self, GError **error);

/* Whether so many undefined ids of @n records are no damage, but those of other definitions: more than 5 in 100. */
gboolean tt_tau_are_foreign (guint64 n_undefined, guint64 n);
void tt_tau_fail_foreign (const char *path, const char *edf, guint64 n_undefined, guint64 n, GError **error);

/* With --strict: FALSE with the first repair as an error. */
gboolean tt_tau_check_strict (const TtRepairs *repairs, const char *path, guint record_size, GError **error);
