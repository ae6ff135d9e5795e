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
/* The fixed part of a raw record. */
typedef struct
{
  guint64 at; /* of the header in the contents */
  guint32 id;
  guint8 backend;
  guint64 start, end, n_inputs, n_outputs, args_size;
  gsize header; /* its length */
} TtPiRawHeader;

gsize tt_pi_raw_header_size (const TtPiRawLayout *layout);
void tt_pi_raw_header_read (const TtPiRawLayout *layout, const guint8 *bytes, TtPiRawHeader *header);
