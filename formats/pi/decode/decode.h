/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The decoders: each reads the next call of its generation at the reader's window. A new generation is a decoder and
 * one line in reader.c.
 */
#pragma once

#include "formats/pi/reader-state.h"

TtPiOutcome tt_pi_decode_raw (TtPiReader *self, TtPiCall *call, GError **error);
TtPiOutcome tt_pi_decode_protobuf (TtPiReader *self, TtPiCall *call, GError **error);
/* Whether the calls begin in the order of the file, up to its end or first damage; reads only their times, which @func
 * gets. Moves the reader's window. */
typedef void (*TtPiTimesFunc) (guint64 start_ns, guint64 end_ns, gpointer data);
gboolean tt_pi_protobuf_in_order (TtPiReader *self, TtPiTimesFunc func, gpointer data);
TtPiOutcome tt_pi_decode_native (TtPiReader *self, TtPiCall *call, GError **error);
