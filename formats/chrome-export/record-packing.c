/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/record-packing.h"

#include "formats/chrome-export/records.h"

#include <string.h>

/*
 * First a byte for each record, with the lengths of its fields; then the fields: the time since the record before, the
 * value, the name, depth and thread, the bits where they are not those of the record before. Without a branch for a
 * length, as lengths follow one another in no order.
 */

#define TIME_SHIFT 0
#define VALUE_SHIFT 2
#define NAME_SHIFT 4
#define HAS_WIDE_ORDER_SHIFT 6
#define HAS_BITS_SHIFT 7

#define MOST_BYTES (1 + 8 + 8 + 4 + 8 + 4 + 8)

static const guint8 value_lens[4] = { 2, 3, 4, 8 };

static inline guint8 *
put (guint8 *to, guint64 value, guint len)
{
  const guint64 bytes = GUINT64_TO_LE (value);

  memcpy (to, &bytes, sizeof bytes);
  return to + len;
}

/* Moves on @from. @len: not 0. */
static inline guint64
get (const guint8 **from, guint len)
{
  guint64 bytes;

  memcpy (&bytes, *from, sizeof bytes);
  *from += len;
  return GUINT64_FROM_LE (bytes) & G_MAXUINT64 >> (64 - 8 * len);
}

static guint8 *
pack (const void *block, gsize n, guint8 *to)
{
  const ChromeRecord *records = block;
  guint8 *lens = to;
  guint64 last_ts = 0;
  guint32 last_bits = 0;

  to += n;
  for (gsize i = 0; i < n; i++)
    {
      const ChromeRecord *record = &records[i];
      const guint64 time = record->ts - last_ts, value = (guint64) record->value, order = record->order;
      const guint32 name = record->name, bits = record->bits;
      const guint time_code = (guint) (time > 0xff) + (time > 0xffff) + (time > 0xffffffff);
      const guint value_code = (guint) (value > 0xffff) + (value > 0xffffff) + (value > 0xffffffff);
      const guint name_code = (guint) (name > 0xff) + (name > 0xffff);
      const gboolean is_wide = (order & G_GUINT64_CONSTANT (0xffffff00ffff0000)) != 0, has_bits = bits != last_bits;

      to = put (to, time, 1u << time_code);
      to = put (to, value, value_lens[value_code]);
      to = put (to, name, 1u << name_code);
      to = put (to, is_wide ? order : order >> 16 | order, is_wide ? 8 : 3);
      to = put (to, bits, 4u * (guint) has_bits);
      lens[i] = (guint8) (time_code << TIME_SHIFT | value_code << VALUE_SHIFT | name_code << NAME_SHIFT |
                          (guint) is_wide << HAS_WIDE_ORDER_SHIFT | (guint) has_bits << HAS_BITS_SHIFT);
      last_ts = record->ts;
      last_bits = bits;
    }
  return to;
}

static void
unpack (const guint8 *from, gsize n, void *block)
{
  ChromeRecord *records = block;
  const guint8 *lens = from;
  guint64 last_ts = 0;
  guint32 last_bits = 0;

  from += n;
  for (gsize i = 0; i < n; i++)
    {
      const guint len = lens[i];
      const gboolean is_wide = (len >> HAS_WIDE_ORDER_SHIFT & 1) != 0, has_bits = (len >> HAS_BITS_SHIFT) != 0;
      ChromeRecord *record = &records[i];

      record->ts = last_ts += get (&from, 1u << (len >> TIME_SHIFT & 3));
      record->value = (gint64) get (&from, value_lens[len >> VALUE_SHIFT & 3]);
      record->name = (guint32) get (&from, 1u << (len >> NAME_SHIFT & 3));
      const guint64 order = get (&from, is_wide ? 8 : 3);
      record->order = is_wide ? order : (order & 0xff0000) << 16 | (order & 0xffff);
      guint32 bits;
      memcpy (&bits, from, sizeof bits);
      record->bits = last_bits = has_bits ? GUINT32_FROM_LE (bits) : last_bits;
      from += 4 * has_bits;
    }
}

const TtSortPacking tt_chrome_record_packing = {
  .most_bytes = MOST_BYTES,
  .pack = pack,
  .unpack = unpack,
};
