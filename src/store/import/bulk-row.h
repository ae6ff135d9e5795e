/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A row as SQLite keeps it: a header with the type of each column, then their values. Used by bulk-table.c, and by who knows that a
 * row has no text.
 *
 * Source of the layout: https://www.sqlite.org/fileformat2.html, 2.1.
 */
#pragma once

#include "src/store/import/row-value.h"

#include <string.h>

#define TT_VARINT_MAX_BYTES 9u

typedef struct
{
  guint64 types[TT_ROW_MAX_COLUMNS];
  guint n_columns;
  guint header_bytes;
  guint64 n_bytes; /* header and values */
} TtBulkRow;

/* Room for any row without a text, and then some: whole words are written. */
#define TT_BULK_ROW_SHORT_BYTES (1u + 9u * TT_ROW_MAX_COLUMNS + 8u)

/* The row of @values if they have no text: quicker than to measure and then to write. Returns its length; 0: there is a
 * text. */
guint tt_bulk_row_short (const TtRowValue *values, guint n_columns, guint8 bytes[TT_BULK_ROW_SHORT_BYTES]);

/* What @values take; the first is the id, which stands elsewhere. */
void tt_bulk_row_measure (TtBulkRow *self, const TtRowValue *values, guint n_columns);
/* Writes self->n_bytes bytes. */
void tt_bulk_row_write (const TtBulkRow *self, const TtRowValue *values, guint8 *bytes);

/* Of one text: what self->n_bytes will be, and its bytes. */
guint64 tt_bulk_row_text_bytes (guint32 n_bytes);
void tt_bulk_row_write_text (const TtRowValue *text, guint8 *bytes);

/* The fewest bytes that hold a value. */
typedef enum
{
  TT_BULK_NULL = 0,
  TT_BULK_REAL = 7,
  TT_BULK_ZERO = 8,
  TT_BULK_ONE = 9,
  TT_BULK_TEXT = 13, /* and twice its length more */
} TtBulkType;

extern const guint8 tt_bulk_sizes[10];
/* Of a word that is written whole: to where it has those bytes first. */
extern const guint8 tt_bulk_shifts[10];

static inline guint
tt_bulk_type_of_integer (gint64 value)
{
  static const guint8 types[] = { 1, 2, 3, 4, 5, 5, 6, 6 };
  const guint64 magnitude = (guint64) (value ^ value >> 63);

  if ((guint64) value <= 1)
    return TT_BULK_ZERO + (guint) value;
  return types[(64 - (guint) __builtin_clzll (magnitude | 1)) / 8];
}

/* Returns what follows. A whole word is written: what a value does not need of it the next one writes over. */
static inline guint8 *
tt_bulk_put_word (guint8 *body, guint64 word, guint type)
{
  word = GUINT64_TO_BE (word << tt_bulk_shifts[type]);
  memcpy (body, &word, sizeof word);
  return body + tt_bulk_sizes[type];
}

/* Of a row of fixed columns: the type to @type, the value to @body, of which it returns what follows. */
static inline guint8 *
tt_bulk_put_integer (guint8 *body, guint8 *type, gint64 value)
{
  *type = (guint8) tt_bulk_type_of_integer (value);
  return tt_bulk_put_word (body, (guint64) value, *type);
}

/* The same, NULL where @value is @none. */
static inline guint8 *
tt_bulk_put_integer_or_null (guint8 *body, guint8 *type, gint64 value, gint64 none)
{
  *type = TT_BULK_NULL;
  return value == none ? body : tt_bulk_put_integer (body, type, value);
}

/* Varints: seven bits a byte, the highest first; a ninth byte has eight. */
static inline guint
tt_varint_size (guint64 value)
{
  const guint n_bits = 64 - (guint) __builtin_clzll (value | 1);

  return n_bits > 56 ? TT_VARINT_MAX_BYTES : (n_bits * 37 + 222) >> 8;
}

guint8 *tt_put_long_varint (guint8 *bytes, guint64 value);

/* Returns the end. */
static inline guint8 *
tt_put_varint (guint8 *bytes, guint64 value)
{
  if (G_LIKELY (value < 0x80))
    {
      *bytes = (guint8) value;
      return bytes + 1;
    }
  if (value >= 1u << 28)
    return tt_put_long_varint (bytes, value);
  if (value >= 1u << 21)
    *bytes++ = (guint8) (value >> 21 | 0x80);
  if (value >= 1u << 14)
    *bytes++ = (guint8) (value >> 14 | 0x80);
  *bytes++ = (guint8) (value >> 7 | 0x80);
  *bytes++ = (guint8) (value & 0x7f);
  return bytes;
}
