/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/bulk-row.h"

#include <math.h>
#include <string.h>

const guint8 tt_bulk_sizes[10] = { 0, 1, 2, 3, 4, 6, 8, 8, 0, 0 };
const guint8 tt_bulk_shifts[10] = { 0, 56, 48, 40, 32, 16, 0, 0, 0, 0 };

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
G_STATIC_ASSERT (1 + TT_ROW_MAX_TEXTS * TYPE_MAX_BYTES + (TT_ROW_MAX_COLUMNS - TT_ROW_MAX_TEXTS) < 128);

/* -- rows ------------------------------------------------------------------------------------------------------------ */

static inline guint64
type_of (const TtRowValue *value)
{
  switch (value->type)
    {
    case TT_ROW_INT:
      return tt_bulk_type_of_integer (value->integer);
    case TT_ROW_REAL:
      return isnan (value->real) ? TT_BULK_NULL : TT_BULK_REAL;
    case TT_ROW_TEXT:
      return TT_BULK_TEXT + 2 * (guint64) value->n_bytes;
    default:
      return TT_BULK_NULL;
    }
}

void
tt_bulk_row_measure (TtBulkRow *self, const TtRowValue *values, guint n_columns)
{
  guint header_bytes = 2; /* its own length, and the id */
  guint64 n_bytes = 0;

  self->n_columns = n_columns;
  self->types[0] = TT_BULK_NULL;
  for (guint i = 1; i < n_columns; i++)
    {
      guint64 type = self->types[i] = type_of (&values[i]);

      header_bytes += type < 128 ? 1 : tt_varint_size (type);
      n_bytes += type < G_N_ELEMENTS (tt_bulk_sizes) ? tt_bulk_sizes[type] : values[i].n_bytes;
    }
  self->header_bytes = header_bytes;
  self->n_bytes = n_bytes + header_bytes;
}

guint
tt_bulk_row_short (const TtRowValue *values, guint n_columns, guint8 bytes[TT_BULK_ROW_SHORT_BYTES])
{
  guint8 *body = bytes + n_columns + 1;

  bytes[0] = (guint8) (n_columns + 1);
  bytes[1] = TT_BULK_NULL;
  for (guint i = 1; i < n_columns; i++)
    {
      guint type = TT_BULK_NULL;
      guint64 word;

      if (G_LIKELY (values[i].type == TT_ROW_INT))
        type = tt_bulk_type_of_integer (values[i].integer);
      else if (values[i].type == TT_ROW_TEXT)
        return 0;
      else if (values[i].type == TT_ROW_REAL && !isnan (values[i].real))
        type = TT_BULK_REAL;
      bytes[1 + i] = (guint8) type;
      memcpy (&word, &values[i].integer, sizeof word);
      body = tt_bulk_put_word (body, word, type);
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

  if (type >= G_N_ELEMENTS (tt_bulk_sizes))
    {
      memcpy (bytes, value->text, value->n_bytes);
      return bytes + value->n_bytes;
    }
  if (tt_bulk_sizes[type] == 0)
    return bytes;
  memcpy (&word, &value->integer, sizeof word);
  return put_word (bytes, word, tt_bulk_sizes[type]);
}

void
tt_bulk_row_write (const TtBulkRow *self, const TtRowValue *values, guint8 *bytes)
{
  guint8 *at = bytes, *body = bytes + self->header_bytes;

  *at++ = (guint8) self->header_bytes;
  *at++ = TT_BULK_NULL;
  for (guint i = 1; i < self->n_columns; i++)
    {
      at = tt_put_varint (at, self->types[i]);
      body = put_value (body, &values[i], self->types[i]);
    }
}

guint64
tt_bulk_row_text_bytes (guint32 n_bytes)
{
  return 2 + tt_varint_size (TT_BULK_TEXT + 2 * (guint64) n_bytes) + (guint64) n_bytes;
}

void
tt_bulk_row_write_text (const TtRowValue *text, guint8 *bytes)
{
  const guint64 type = TT_BULK_TEXT + 2 * (guint64) text->n_bytes;

  bytes[0] = (guint8) (2 + tt_varint_size (type));
  bytes[1] = TT_BULK_NULL;
  memcpy (tt_put_varint (bytes + 2, type), text->text, text->n_bytes);
}
