/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The layout of a TAU stream, by its definitions; record.h has the records themselves.
 */
#pragma once

#include "formats/tau/detect.h"
#include "formats/tau/edf.h"

/* Whether the first record has the magic parameter in some layout. */
gboolean tt_tau_layout_probe (const guint8 *head, gsize len);

/* tt_tau_detect() by the ids of @edf. */
gboolean tt_tau_layout_detect (const guint8 *head,
                               gsize len,
                               guint64 size,
                               TtTauEdf *edf,
                               TtTauLayout *layout,
                               gboolean *has_magic);
