/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "pictures/axis.h"

#include <string.h>

#include "src/base/units.h"

typedef struct
{
  const char *name;
  gint64 size;
} Unit;

static const Unit time_units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };
static const Unit byte_units[] = {
  { "B", 1 },
  { "kB", 1000 },
  { "MB", 1000000 },
  { "GB", 1000000000 },
  { "TB", G_GINT64_CONSTANT (1000000000000) },
  { "PB", G_GINT64_CONSTANT (1000000000000000) },
};
static const Unit one[] = { { "", 1 } };
static const Unit tick_units[] = { { "ticks", 1 } };

static Unit
unit_of (const TtAxis *self)
{
  const Unit *units = one;
  guint n = 1, i = 0;

  if (self->quantity == TT_QUANTITY_TIME)
    units = time_units, n = G_N_ELEMENTS (time_units);
  else if (self->quantity == TT_QUANTITY_BYTES)
    units = byte_units, n = G_N_ELEMENTS (byte_units);
  else if (self->quantity == TT_QUANTITY_TICKS)
    units = tick_units;
  while (i + 1 < n && self->end >= units[i + 1].size)
    i++;
  return units[i];
}

gint64
tt_scale (tt_int128 value, tt_int128 whole, gint64 length)
{
  while (whole >= (tt_int128) 1 << 80)
    {
      whole >>= 1;
      value >>= 1;
    }
  if (whole <= 0 || value <= 0)
    return 0;
  return (gint64) ((MIN (value, whole) * length + whole / 2) / whole);
}

void
tt_axis_init (TtAxis *self, TtQuantity quantity, tt_int128 largest, guint max_steps, gint64 length)
{
  static const int round_numbers[] = { 1, 2, 5 };
  tt_int128 least, power = 1;
  guint i = 0;

  largest = CLAMP (largest, 1, (tt_int128) 1 << 120);
  least = (largest + max_steps - 1) / max_steps;
  while (power * round_numbers[i] < least)
    if (++i == G_N_ELEMENTS (round_numbers))
      {
        i = 0;
        power *= 10;
      }
  self->quantity = quantity;
  self->start = 0;
  self->step = power * round_numbers[i];
  self->n_steps = (guint) ((largest + self->step - 1) / self->step);
  self->end = self->step * self->n_steps;
  self->length = length;
}

void
tt_axis_init_near (TtAxis *self,
                   TtQuantity quantity,
                   tt_int128 least,
                   tt_int128 largest,
                   guint max_steps,
                   gint64 length)
{
  tt_int128 most = (tt_int128) 1 << 120;

  if (least <= 0 || largest > most || least < largest / 3 * 2)
    {
      tt_axis_init (self, quantity, largest, max_steps, length);
      return;
    }
  /* What differs by little looks so: a twentieth is seen at least. */
  least = MIN (least, largest - largest / 20);
  /* One more, for the round number may lie a step below. */
  tt_axis_init (self, quantity, largest - least, max_steps - 1, length);
  self->start = least / self->step * self->step;
  self->n_steps = (guint) ((largest - self->start + self->step - 1) / self->step);
  self->n_steps = MAX (self->n_steps, 1);
  self->end = self->start + self->step * self->n_steps;
}

gint64
tt_axis_place (const TtAxis *self, tt_int128 value)
{
  return tt_scale (value - self->start, self->end - self->start, self->length);
}

const char *
tt_axis_unit (const TtAxis *self)
{
  return unit_of (self).name;
}

/* Digits of a whole number in threes. */
static void
group_digits (char buffer[TT_QUANTITY_TEXT], tt_int128 value)
{
  char digits[TT_INT128_TEXT];
  const char *from = tt_int128_text (digits, value);
  gsize n = strlen (from), at = 0;

  for (gsize i = 0; i < n; i++)
    {
      if (i > 0 && (n - i) % 3 == 0 && from[i - 1] != '-')
        buffer[at++] = ',';
      buffer[at++] = from[i];
    }
  buffer[at] = '\0';
}

char *
tt_axis_tick_text (char buffer[TT_QUANTITY_TEXT], const TtAxis *self, guint tick)
{
  gint64 size = unit_of (self).size;
  tt_int128 value = self->start + self->step * tick;
  gint64 rest = (gint64) (value % size);

  group_digits (buffer, value / size);
  if (rest == 0)
    return buffer;
  char *at = buffer + strlen (buffer);
  *at++ = '.';
  for (gint64 digit = size / 10; rest != 0; digit /= 10)
    {
      *at++ = (char) ('0' + rest / digit);
      rest %= digit;
    }
  *at = '\0';
  return buffer;
}

char *
tt_quantity_text (char buffer[TT_QUANTITY_TEXT], TtQuantity quantity, tt_int128 value)
{
  G_STATIC_ASSERT (TT_QUANTITY_TEXT >= TT_TIME_TEXT);

  if (quantity == TT_QUANTITY_TIME)
    return tt_time_shown (buffer, value);
  if (quantity == TT_QUANTITY_BYTES && value >= 0 && value <= G_MAXINT64)
    return tt_bytes_auto (buffer, (guint64) value);
  group_digits (buffer, value);
  if (quantity == TT_QUANTITY_TICKS)
    strcat (buffer, " ticks");
  else if (quantity == TT_QUANTITY_BYTES)
    strcat (buffer, " B");
  return buffer;
}
