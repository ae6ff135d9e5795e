/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fixed part of a packed record. Inline, for there is one a call.
 */
#pragma once

#include <string.h>

#include "formats/pi/reader-state.h"

typedef struct
{
  guint64 at; /* of the header in the contents */
  guint32 id;
  guint8 backend;
  guint64 start, end, n_inputs, n_outputs, args_size;
  gsize header; /* its length */
} TtPiRawHeader;

static inline guint64
tt_pi_get_u64 (const guint8 *bytes)
{
  guint64 value;

  memcpy (&value, bytes, sizeof value);
  return GUINT64_FROM_LE (value);
}

static inline guint32
tt_pi_get_u32 (const guint8 *bytes)
{
  guint32 value;

  memcpy (&value, bytes, sizeof value);
  return GUINT32_FROM_LE (value);
}

static inline gsize
tt_pi_raw_header_size (const TtPiRawLayout *layout)
{
  return 4 + (layout->has_backend ? 1 : 0) + (layout->has_times ? 16 + 8 : 0) + 8 + 8;
}

/* What is written when a call begins. */
static inline gsize
tt_pi_raw_stub_size (const TtPiRawLayout *layout)
{
  return 4 + (layout->has_backend ? 1 : 0) + 8;
}

/* Reads that. */
static inline void
tt_pi_raw_header_begin (const TtPiRawLayout *layout, const guint8 *bytes, TtPiRawHeader *header)
{
  *header = (TtPiRawHeader){ .id = tt_pi_get_u32 (bytes) };
  bytes += 4;
  if (layout->has_backend)
    header->backend = *bytes++;
  if (layout->has_times)
    header->start = header->end = tt_pi_get_u64 (bytes);
}

/* Reads all but `at`. */
static inline void
tt_pi_raw_header_read (const TtPiRawLayout *layout, const guint8 *bytes, TtPiRawHeader *header)
{
  tt_pi_raw_header_begin (layout, bytes, header);
  header->header = tt_pi_raw_header_size (layout);
  bytes += 4 + (layout->has_backend ? 1 : 0);
  if (layout->has_times)
    {
      header->end = tt_pi_get_u64 (bytes + 8);
      header->n_inputs = tt_pi_get_u64 (bytes + 16);
      bytes += 24;
    }
  header->n_outputs = tt_pi_get_u64 (bytes);
  header->args_size = tt_pi_get_u64 (bytes + 8);
}
