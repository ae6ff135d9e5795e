/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "pictures/shades.h"

#include "pictures/text.h"

/* Round numbers from @least on, one of @every of 1, 2, 5, 10 ...; as many as it takes for @most. */
static guint
count_round (TtShades *self, tt_int128 least, tt_int128 most, guint every)
{
  static const int round_numbers[] = { 1, 2, 5 };
  tt_int128 power = 1;
  guint n = 0;

  for (guint i = 0; n < 200; i++)
    {
      tt_int128 value = power * round_numbers[i % 3];

      if (i % 3 == 2)
        power *= 10;
      if (value < least || i % every != 0)
        continue;
      if (n < TT_PICTURE_SHADES)
        self->upper[n] = value;
      n++;
      if (value >= most)
        break;
    }
  return n;
}

void
tt_shades_init (TtShades *self, TtQuantity quantity, tt_int128 least, tt_int128 most)
{
  guint every = 1;
  TtAxis axis;
  char text[TT_QUANTITY_TEXT];

  *self = (TtShades){ 0 };
  least = MIN (least, (tt_int128) 1 << 100);
  most = MIN (most, (tt_int128) 1 << 100);
  if (most <= least * 100)
    {
      tt_axis_init (&axis, quantity, most, TT_PICTURE_SHADES, 0);
      self->n = axis.n_steps;
      for (guint i = 0; i < self->n; i++)
        self->upper[i] = axis.step * (i + 1);
    }
  else
    while ((self->n = count_round (self, least, most, every)) > TT_PICTURE_SHADES)
      every = every == 1 ? 3 : every + 3;
  for (guint i = 0; i < self->n; i++)
    g_snprintf (self->names[i], sizeof self->names[i], "to %s", tt_quantity_text (text, quantity, self->upper[i]));
}

static const char *
shade_class (const TtShades *self, guint i)
{
  static const char *const classes[] = { "h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7" };

  return classes[self->n <= 1 ? TT_PICTURE_SHADES - 1 : i * (TT_PICTURE_SHADES - 1) / (self->n - 1)];
}

static guint
index_of (const TtShades *self, tt_int128 value)
{
  guint i = 0;

  while (i + 1 < self->n && value > self->upper[i])
    i++;
  return i;
}

const char *
tt_shades_class_of (const TtShades *self, tt_int128 value)
{
  return shade_class (self, index_of (self, value));
}

static guint
level_at (const TtShades *self, guint i)
{
  return self->n <= 1 ? TT_TEXT_LEVELS : 1 + i * (TT_TEXT_LEVELS - 1) / (self->n - 1);
}

guint
tt_shades_level_of (const TtShades *self, tt_int128 value)
{
  return level_at (self, index_of (self, value));
}

char *
tt_shades_text_legend (const TtShades *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->n; i++)
    {
      g_string_append (text, i > 0 ? "   " : "");
      g_string_append_unichar (text, tt_text_level (level_at (self, i)));
      g_string_append_printf (text, " %s", self->names[i]);
    }
  return g_string_free (text, FALSE);
}

void
tt_shades_add_legend (const TtShades *self, GArray *legend)
{
  for (guint i = 0; i < self->n; i++)
    {
      const TtLegendEntry entry = { self->names[i], shade_class (self, i) };
      g_array_append_val (legend, entry);
    }
}
