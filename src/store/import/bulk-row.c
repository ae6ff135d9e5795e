/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/bulk-row.h"

#include <math.h>
#include <string.h>

enum
{
  TYPE_NULL = 0,
  TYPE_REAL = 7,
  TYPE_ZERO = 8,
  TYPE_ONE = 9,
  TYPE_TEXT = 13,
};

static const guint8 sizes_of_types[] = { 0, 1, 2, 3, 4, 6, 8, 8, 0, 0 };
/* To where a word that is written whole has them; 0 where there are none. */
static const guint8 shifts_of_types[] = { 0, 56, 48, 40, 32, 16, 0, 0, 0, 0 };

guint8 *
tt_put_long_varint (guint8 *bytes, guint64 value)
{
  guint n = tt_varint_size (value), last = n - 1;

  if (n == TT_VARINT_MAX_BYTES)
    {
      bytes[last--] = (guint8) value;
      value >>= 8;
      bytes[last] = (guint8) (value | 0x80);
    }
  else
    bytes[last] = (guint8) (value & 0x7f);
  for (value >>= 7; last-- > 0; value >>= 7)
    bytes[last] = (guint8) (value | 0x80);
  return bytes + n;
}

/* The length of a header is one byte: a type takes up to five, as a text has less than 2^32 bytes. */
#define TYPE_MAX_BYTES 5u
G_STATIC_ASSERT (1 + TT_ROW_MAX_COLUMNS * TYPE_MAX_BYTES < 128);

/* -- rows ------------------------------------------------------------------------------------------------------------ */

/* The fewest bytes that hold it. */
static inline guint
type_of_integer (gint64 value)
{
  static const guint8 types[] = { 1, 2, 3, 4, 5, 5, 6, 6 };
  const guint64 magnitude = (guint64) (value ^ value >> 63);

  if ((guint64) value <= 1)
    return TYPE_ZERO + (guint) value;
  return types[(64 - (guint) __builtin_clzll (magnitude | 1)) / 8];
}

static inline guint64
type_of (const TtRowValue *value)
{
  switch (value->type)
    {
    case TT_ROW_INT:
      return type_of_integer (value->integer);
    case TT_ROW_REAL:
      return isnan (value->real) ? TYPE_NULL : TYPE_REAL;
    case TT_ROW_TEXT:
      return TYPE_TEXT + 2 * (guint64) value->n_bytes;
    default:
      return TYPE_NULL;
    }
}

void
tt_bulk_row_measure (TtBulkRow *self, const TtRowValue *values, guint n_columns)
{
  guint header_bytes = 2; /* its own length, and the id */
  guint64 n_bytes = 0;

  self->n_columns = n_columns;
  self->types[0] = TYPE_NULL;
  for (guint i = 1; i < n_columns; i++)
    {
      guint64 type = self->types[i] = type_of (&values[i]);

      header_bytes += type < 128 ? 1 : tt_varint_size (type);
      n_bytes += type < G_N_ELEMENTS (sizes_of_types) ? sizes_of_types[type] : values[i].n_bytes;
    }
  self->header_bytes = header_bytes;
  self->n_bytes = n_bytes + header_bytes;
}

guint
tt_bulk_row_short (const TtRowValue *values, guint n_columns, guint8 bytes[TT_BULK_ROW_SHORT_BYTES])
{
  guint8 *body = bytes + n_columns + 1;

  bytes[0] = (guint8) (n_columns + 1);
  bytes[1] = TYPE_NULL;
  for (guint i = 1; i < n_columns; i++)
    {
      guint type = TYPE_NULL;
      guint64 word;

      if (G_LIKELY (values[i].type == TT_ROW_INT))
        type = type_of_integer (values[i].integer);
      else if (values[i].type == TT_ROW_TEXT)
        return 0;
      else if (values[i].type == TT_ROW_REAL && !isnan (values[i].real))
        type = TYPE_REAL;
      bytes[1 + i] = (guint8) type;
      /* What a value without bytes writes is written over by the next one. */
      memcpy (&word, &values[i].integer, sizeof word);
      word = GUINT64_TO_BE (word << shifts_of_types[type]);
      memcpy (body, &word, sizeof word);
      body += sizes_of_types[type];
    }
  return (guint) (body - bytes);
}

static inline guint8 *
put_word (guint8 *bytes, guint64 word, guint n)
{
  word = GUINT64_TO_BE (word << (64 - 8 * n));
  memcpy (bytes, &word, n);
  return bytes + n;
}

static inline guint8 *
put_value (guint8 *bytes, const TtRowValue *value, guint64 type)
{
  guint64 word;

  if (type >= G_N_ELEMENTS (sizes_of_types))
    {
      memcpy (bytes, value->text, value->n_bytes);
      return bytes + value->n_bytes;
    }
  if (sizes_of_types[type] == 0)
    return bytes;
  memcpy (&word, &value->integer, sizeof word);
  return put_word (bytes, word, sizes_of_types[type]);
}

void
tt_bulk_row_write (const TtBulkRow *self, const TtRowValue *values, guint8 *bytes)
{
  guint8 *at = bytes, *body = bytes + self->header_bytes;

  *at++ = (guint8) self->header_bytes;
  *at++ = TYPE_NULL;
  for (guint i = 1; i < self->n_columns; i++)
    {
      at = tt_put_varint (at, self->types[i]);
      body = put_value (body, &values[i], self->types[i]);
    }
}

guint64
tt_bulk_row_text_bytes (guint32 n_bytes)
{
  return 2 + tt_varint_size (TYPE_TEXT + 2 * (guint64) n_bytes) + (guint64) n_bytes;
}

void
tt_bulk_row_write_text (const TtRowValue *text, guint8 *bytes)
{
  const guint64 type = TYPE_TEXT + 2 * (guint64) text->n_bytes;

  bytes[0] = (guint8) (2 + tt_varint_size (type));
  bytes[1] = TYPE_NULL;
  memcpy (tt_put_varint (bytes + 2, type), text->text, text->n_bytes);
}
