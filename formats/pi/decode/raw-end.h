/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a file of packed records ends before its last one does: damage, or the end of a process.
 */
#pragma once

#include "formats/pi/decode/raw-header.h"

/* A text in the place of a pointer, where its length was not counted. */
#define TT_PI_RAW_MAX_TEXT ((gsize) 64 << 10)

/* Whether nothing that is there speaks against a call. */
gboolean tt_pi_raw_is_plausible (const TtPiReader *self, const TtPiRawHeader *header);

/* The file ends in the record @header of @what, @wanted bytes of it. */
TtPiOutcome tt_pi_raw_end_early (TtPiReader *self,
                                 const TtPiRawHeader *header,
                                 const char *what,
                                 guint64 wanted,
                                 guint64 left,
                                 GError **error);
/* Fewer bytes than a header: a call that was going on when the process died, or a record that was being written. */
TtPiOutcome tt_pi_raw_end_in_header (TtPiReader *self, guint64 left, TtPiCall *call, GError **error);
