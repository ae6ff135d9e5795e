/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "pictures/log-scale.h"

/* Bits behind the point of a logarithm. */
#define FRACTION 20u
#define MAX_DECADE 36u

static tt_int128
power_of_ten (guint exponent)
{
  tt_int128 power = 1;

  for (guint i = 0; i < MIN (exponent, MAX_DECADE); i++)
    power *= 10;
  return power;
}

tt_int128
tt_log_edge (guint bucket)
{
  static const int series[] = { 10, 13, 16, 20, 25, 32, 40, 50, 63, 79 };

  return bucket < 10 ? (tt_int128) bucket : power_of_ten (bucket / 10 - 1) * series[bucket % 10];
}

guint
tt_log_bucket (tt_int128 value)
{
  guint low = 0, high = TT_LOG_BUCKETS;

  while (high - low > 1)
    {
      guint middle = (low + high) / 2;

      if (value >= tt_log_edge (middle))
        low = middle;
      else
        high = middle;
    }
  return low;
}

char *
tt_log_text (char buffer[TT_QUANTITY_TEXT], TtQuantity quantity, tt_int128 value)
{
  TtAxis axis;

  tt_axis_init (&axis, quantity, value, 1, 0);
  axis.step = axis.end = MAX (value, 1);
  tt_axis_tick_text (buffer, &axis, value > 0);
  const char *unit = tt_axis_unit (&axis);
  g_strlcat (buffer, *unit == '\0' ? "" : " ", TT_QUANTITY_TEXT);
  g_strlcat (buffer, unit, TT_QUANTITY_TEXT);
  return buffer;
}

/* -- the axis ---------------------------------------------------------------------------------------------------- */

/* The logarithm to base 2 of @value >= 1: squaring shows it bit by bit. */
static gint64
logarithm (tt_int128 value)
{
  guint whole = 0;

  while (whole < 126 && value >> (whole + 1) > 0)
    whole++;
  guint64 mantissa = (guint64) (whole >= 31 ? value >> (whole - 31) : value << (31 - whole));
  gint64 result = whole;
  for (guint i = 0; i < FRACTION; i++)
    {
      guint64 square = mantissa * mantissa >> 31;
      guint bit = square >> 32 != 0;

      mantissa = square >> bit;
      result = result << 1 | bit;
    }
  return result;
}

void
tt_log_axis_init (TtLogAxis *self, tt_int128 least, tt_int128 most, gint64 length)
{
  guint first = 0, last = 1;

  while (first + 1 < MAX_DECADE && power_of_ten (first + 1) <= least)
    first++;
  last = first + 1;
  while (last < MAX_DECADE && power_of_ten (last) < most)
    last++;
  *self = (TtLogAxis){ first, last - first, length };
}

gint64
tt_log_axis_place (const TtLogAxis *self, tt_int128 value)
{
  tt_int128 begin = power_of_ten (self->first), end = power_of_ten (self->first + self->n);
  gint64 from = logarithm (begin), to = logarithm (end);

  return tt_scale (logarithm (CLAMP (value, begin, end)) - from, to - from, self->length);
}

tt_int128
tt_log_axis_tick (const TtLogAxis *self, guint tick)
{
  return power_of_ten (self->first + tick);
}
