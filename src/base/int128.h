/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 128-bit integers for exact sums; a compiler extension that gcc and clang share.
 */
#pragma once

#include <glib.h>

__extension__ typedef __int128 tt_int128;
__extension__ typedef unsigned __int128 tt_uint128;

/* Enough for sign, 39 digits and NUL. */
#define TT_INT128_TEXT 48

/* Decimal text into @buffer; returns its start within it. */
static inline char *
tt_int128_text (char buffer[TT_INT128_TEXT], tt_int128 value)
{
  tt_uint128 rest = value < 0 ? -(tt_uint128) value : (tt_uint128) value;
  char *p = buffer + TT_INT128_TEXT - 1;

  *p = '\0';
  do
    *--p = (char) ('0' + (int) (rest % 10));
  while ((rest /= 10) != 0);
  if (value < 0)
    *--p = '-';
  return p;
}
