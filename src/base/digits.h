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

/* The digits of all that is less than 10^4: of what is in order or mostly small few lines are needed, which stay in a
 * processor's cache. */
extern const char tt_fours[10000][4];

/* They, the first in the lowest byte. */
static inline guint32
tt_four_digits (guint32 value)
{
  guint32 digits;

  memcpy (&digits, tt_fours[value], sizeof digits);
  return GUINT32_FROM_LE (digits);
}

/* @value: less than 10^4. 4 bytes are written. */
static inline char *
tt_put_short (char *at, guint32 value)
{
  const guint32 digits = tt_four_digits (value);
  /* A zero is 0x30; the last digit stays. */
  const guint n_zeros = (guint) __builtin_ctz ((digits & 0x000f0f0f) | 1u << 24) / 8;
  const guint32 text = GUINT32_TO_LE (digits >> 8 * n_zeros);

  memcpy (at, &text, sizeof text);
  return at + sizeof text - n_zeros;
}

/* As tt_put_decimal(), without a branch for each length: up to 8 bytes are written behind the last digit. */
static inline char *
tt_put_decimal_padded (char *at, guint64 value)
{
  const guint32 limit = 100000000;

  if (G_UNLIKELY (value >= limit))
    {
      const guint32 last = (guint32) (value % limit);

      at = tt_put_decimal (at, value / limit);
      memcpy (at, tt_fours[last / 10000], sizeof *tt_fours);
      memcpy (at + 4, tt_fours[last % 10000], sizeof *tt_fours);
      return at + 8;
    }
  const guint32 high = (guint32) value / 10000, low = (guint32) value % 10000;
  const guint64 digits = tt_four_digits (high) | (guint64) tt_four_digits (low) << 32;
  const guint64 others = digits & G_GUINT64_CONSTANT (0x000f0f0f0f0f0f0f);
  const guint n_zeros = (guint) __builtin_ctzll (others | (guint64) 1 << 56) / 8;
  const guint64 text = GUINT64_TO_LE (digits >> 8 * n_zeros);

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

/* tt_put_fraction() of thousandths; 4 bytes are written. */
static inline char *
tt_put_thousandths (char *at, guint32 fraction)
{
  /* Three digits, with a point for the zero before them. */
  const guint32 digits = tt_four_digits (fraction), text = GUINT32_TO_LE (digits - ('0' - '.'));
  const guint64 others = digits & 0x0f0f0f00;

  memcpy (at, &text, sizeof text);
  return at + (70 - (guint) __builtin_clzll (others << 1 | 1)) / 8;
}

/* Of less than 10^7 nanoseconds. */
static inline char *
tt_put_short_us (char *at, guint32 ns)
{
  const guint32 us = ns / 1000, left_ns = ns % 1000;

  at = tt_put_short (at, us);
  return left_ns == 0 ? at : tt_put_thousandths (at, left_ns);
}

#define TT_SHORT_NS 10000000u

/* As tt_put_us(); up to 8 bytes are written behind. */
static inline char *
tt_put_us_padded (char *at, gint64 ns)
{
  if (G_LIKELY ((guint64) ns < TT_SHORT_NS))
    return tt_put_short_us (at, (guint32) ns);
  if (G_UNLIKELY (ns < 0))
    return tt_put_us (at, ns);
  at = tt_put_decimal_padded (at, (guint64) ns / 1000);
  return tt_put_thousandths (at, (guint) ((guint64) ns % 1000));
}

/* What the last of many times began with. Where they come in order it stays for long, and only four digits are to be found
 * for each. Zeroed: there was none. */
typedef struct
{
  guint64 from_ns;
  guint32 n_ns; /* that begin so */
  guint32 len;
  char text[16];
} TtNearTime;

/* To the one of @ns, which is not less than TT_SHORT_NS. */
void tt_near_time_move (TtNearTime *self, guint64 ns);

/* As tt_put_us(); up to 16 bytes are written behind. @last: of the time before. */
static inline char *
tt_put_near_us (char *at, TtNearTime *last, gint64 ns)
{
  if (G_UNLIKELY ((guint64) ns - last->from_ns >= last->n_ns))
    {
      if (ns < (gint64) TT_SHORT_NS)
        return tt_put_us_padded (at, ns);
      tt_near_time_move (last, (guint64) ns);
    }
  const guint32 short_ns = (guint32) ((guint64) ns - last->from_ns), us = short_ns / 1000, left_ns = short_ns % 1000;

  memcpy (at, last->text, sizeof last->text);
  at += last->len;
  memcpy (at, tt_fours[us], sizeof *tt_fours);
  at += sizeof *tt_fours;
  return left_ns == 0 ? at : tt_put_thousandths (at, left_ns);
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
