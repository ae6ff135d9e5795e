/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRowValue: a value on its way into a column. Used by src/store/import only.
 */
#pragma once

#include <glib.h>

#define TT_ROW_MAX_COLUMNS 32u
#define TT_ROW_MAX_TEXTS 18u /* among them */

typedef enum
{
  TT_ROW_NULL,
  TT_ROW_INT,
  TT_ROW_REAL,
  TT_ROW_TEXT, /* UTF-8, without a zero at its end; not copied */
} TtRowType;

typedef struct
{
  TtRowType type;
  guint32 n_bytes; /* of a text */
  union
  {
    gint64 integer;
    double real;
    const char *text;
  };
} TtRowValue;

static inline TtRowValue
tt_row_int (gint64 integer)
{
  return (TtRowValue){ .type = TT_ROW_INT, .integer = integer };
}

static inline TtRowValue
tt_row_real (double real)
{
  return (TtRowValue){ .type = TT_ROW_REAL, .real = real };
}

/* NULL where @integer is @none. */
static inline TtRowValue
tt_row_int_or_null (gint64 integer, gint64 none)
{
  return (TtRowValue){ .type = integer == none ? TT_ROW_NULL : TT_ROW_INT, .integer = integer };
}
