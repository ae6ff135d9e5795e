/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers as text, in line: for what is written millions of times. Nothing ends with a NUL.
 */
#pragma once

#include "src/base/append.h"

/* That any of these writes at most. */
#define TT_MOST_DIGITS 24u

static inline guint
tt_count_decimals (guint64 value)
{
  guint n = 1;

  for (;; value /= 10000, n += 4)
    {
      if (value < 10)
        return n;
      if (value < 100)
        return n + 1;
      if (value < 1000)
        return n + 2;
      if (value < 10000)
        return n + 3;
    }
}

/* Returns the place after the last digit. */
static inline char *
tt_put_decimal (char *at, guint64 value)
{
  static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                              "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                              "8081828384858687888990919293949596979899";
  char *end = at + tt_count_decimals (value), *to = end;

  for (; value >= 100; value /= 100)
    {
      to -= 2;
      memcpy (to, pairs + value % 100 * 2, 2);
    }
  if (value >= 10)
    memcpy (to - 2, pairs + value * 2, 2);
  else
    to[-1] = (char) ('0' + value);
  return end;
}

/* The digits of @value, less than 10^8, the first in the lowest byte. */
static inline guint64
tt_eight_digits (guint32 value)
{
  const guint64 fours = value / 10000 | (guint64) (value % 10000) << 32;
  const guint64 hundreds = (fours * 10486 >> 20) & G_GUINT64_CONSTANT (0x0000007f0000007f);
  const guint64 twos = hundreds | (fours - 100 * hundreds) << 16;
  const guint64 tens = (twos * 103 >> 10) & G_GUINT64_CONSTANT (0x000f000f000f000f);

  return tens | (twos - 10 * tens) << 8;
}

#define TT_EIGHT_ZEROS G_GUINT64_CONSTANT (0x3030303030303030)

/* As tt_put_decimal(), without a branch for each length: up to 8 bytes are written behind the last digit. */
static inline char *
tt_put_decimal_padded (char *at, guint64 value)
{
  const guint64 limit = 100000000;

  if (G_UNLIKELY (value >= limit))
    {
      guint64 last = GUINT64_TO_LE (tt_eight_digits ((guint32) (value % limit)) | TT_EIGHT_ZEROS);

      at = tt_put_decimal (at, value / limit);
      memcpy (at, &last, sizeof last);
      return at + sizeof last;
    }
  const guint64 digits = tt_eight_digits ((guint32) value);
  const guint n_zeros = (guint) __builtin_ctzll (digits | (guint64) 1 << 56) / 8;
  const guint64 text = GUINT64_TO_LE ((digits | TT_EIGHT_ZEROS) >> 8 * n_zeros);

  memcpy (at, &text, sizeof text);
  return at + sizeof text - n_zeros;
}

static inline char *
tt_put_signed (char *at, gint64 value)
{
  if (value < 0)
    *at++ = '-';
  return tt_put_decimal (at, value < 0 ? 0 - (guint64) value : (guint64) value);
}

/* What is less than 1: ".25" of 250 where @tenth is 100. Nothing for 0. */
static inline char *
tt_put_fraction (char *at, guint fraction, guint tenth)
{
  if (fraction == 0)
    return at;
  *at++ = '.';
  for (; fraction > 0; fraction %= tenth, tenth /= 10)
    *at++ = (char) ('0' + fraction / tenth);
  return at;
}

/* Nanoseconds as microseconds with the shortest exact fraction: "1.5" of 1500. */
static inline char *
tt_put_us (char *at, gint64 ns)
{
  guint64 size = ns < 0 ? -(guint64) ns : (guint64) ns;

  if (ns < 0)
    *at++ = '-';
  at = tt_put_decimal (at, size / 1000);
  return tt_put_fraction (at, (guint) (size % 1000), 100);
}

/* The same; up to 8 bytes are written behind. */
static inline char *
tt_put_us_padded (char *at, gint64 ns)
{
  if (G_UNLIKELY (ns < 0))
    return tt_put_us (at, ns);
  at = tt_put_decimal_padded (at, (guint64) ns / 1000);
  return tt_put_fraction (at, (guint) ((guint64) ns % 1000), 100);
}

/* How many digits it has. */
static inline guint
tt_count_hex (guint64 value)
{
  return 16 - (guint) __builtin_clzll (value | 1) / 4;
}

static inline char *
tt_put_hex_digits (char *at, guint64 value)
{
  guint n = tt_count_hex (value);

  for (guint i = n; i-- > 0; value >>= 4)
    at[i] = "0123456789abcdef"[value & 15];
  return at + n;
}

/* "0x4010bd", without the quotes. */
static inline char *
tt_put_hex (char *at, guint64 value)
{
  *at++ = '0';
  *at++ = 'x';
  return tt_put_hex_digits (at, value);
}

static inline void
tt_append_decimal (GString *to, guint64 value)
{
  char digits[TT_MOST_DIGITS];

  tt_append (to, digits, (gsize) (tt_put_decimal (digits, value) - digits));
}

static inline void
tt_append_signed (GString *to, gint64 value)
{
  char digits[TT_MOST_DIGITS];

  tt_append (to, digits, (gsize) (tt_put_signed (digits, value) - digits));
}
