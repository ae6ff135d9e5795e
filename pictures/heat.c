/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "pictures/heat.h"

#define MAX_LABEL 20u
/* Of a label in a cell, of which there are many. */
#define MAX_CELL_LABEL 32u
#define SIDE TT_PX (600)

void
tt_heat_map_init (TtHeatMap *self, const char *title, const char *const *labels, guint n_members)
{
  *self = (TtHeatMap){ .n_members = n_members };
  tt_picture_head_init (&self->head, title);
  self->fold = MAX ((n_members + TT_HEAT_MAX - 1) / TT_HEAT_MAX, 1);
  self->n = (n_members + self->fold - 1) / self->fold;
  self->cells = g_new0 (TtHeatCell, (gsize) self->n * self->n + 1);
  self->labels = g_ptr_array_new_with_free_func (g_free);
  for (guint first = 0; first < n_members; first += self->fold)
    {
      guint last = MIN (first + self->fold, n_members) - 1;
      const char *from = labels[first] == NULL ? "?" : labels[first], *to = labels[last] == NULL ? "?" : labels[last];

      g_ptr_array_add (self->labels, first == last ? g_strdup (from) : g_strdup_printf ("%s .. %s", from, to));
    }
}

void
tt_heat_map_clear (TtHeatMap *self)
{
  tt_picture_head_clear (&self->head);
  g_clear_pointer (&self->labels, g_ptr_array_unref);
  g_clear_pointer (&self->cells, g_free);
}

static TtHeatCell *
cell_at (const TtHeatMap *self, guint row, guint column)
{
  return &self->cells[(gsize) row * self->n + column];
}

void
tt_heat_map_add (TtHeatMap *self, guint from, guint to, tt_int128 value, guint64 count)
{
  TtHeatCell *cell = cell_at (self, from / self->fold, to / self->fold);

  cell->value += value;
  cell->count += count;
}

/* -- shades ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint n;
  tt_int128 upper[TT_PICTURE_SHADES]; /* the greatest value of each shade */
  char names[TT_PICTURE_SHADES][TT_QUANTITY_TEXT + 8];
} Shades;

/* Round numbers from @least on, one of @every of 1, 2, 5, 10 ...; as many as it takes for @most. */
static guint
count_round (Shades *self, tt_int128 least, tt_int128 most, guint every)
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

/* Equal steps, or where amounts differ by more than a hundredfold equal factors. */
static void
find_shades (Shades *self, const TtHeatMap *map)
{
  tt_int128 least = 0, most = 0;
  guint every = 1;
  TtAxis axis;
  char text[TT_QUANTITY_TEXT];

  for (gsize i = 0; i < (gsize) map->n * map->n; i++)
    {
      tt_int128 value = MIN (map->cells[i].value, (tt_int128) 1 << 100);

      if (value > 0)
        least = least == 0 ? value : MIN (least, value);
      most = MAX (most, value);
    }
  if (most <= least * 100)
    {
      tt_axis_init (&axis, map->quantity, most, TT_PICTURE_SHADES, 0);
      self->n = axis.n_steps;
      for (guint i = 0; i < self->n; i++)
        self->upper[i] = axis.step * (i + 1);
    }
  else
    while ((self->n = count_round (self, least, most, every)) > TT_PICTURE_SHADES)
      every = every == 1 ? 3 : every + 3;
  for (guint i = 0; i < self->n; i++)
    g_snprintf (self->names[i], sizeof self->names[i], "to %s", tt_quantity_text (text, map->quantity, self->upper[i]));
}

static const char *
shade_class (const Shades *self, guint i)
{
  static const char *const classes[] = { "h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7" };

  return classes[self->n <= 1 ? TT_PICTURE_SHADES - 1 : i * (TT_PICTURE_SHADES - 1) / (self->n - 1)];
}

static const char *
class_of (const Shades *self, tt_int128 value)
{
  guint i = 0;

  while (i + 1 < self->n && value > self->upper[i])
    i++;
  return shade_class (self, i);
}

/* -- drawing ------------------------------------------------------------------------------------------------------ */

static void
draw_cell (const TtHeatMap *self, const TtFrame *frame, const Shades *shades, guint row, guint column, gint64 size)
{
  const TtHeatCell *cell = cell_at (self, row, column);
  gint64 x = frame->left + size * column, y = frame->top + size * row;
  const char *from = self->labels->pdata[row], *to = self->labels->pdata[column];
  char value[TT_QUANTITY_TEXT], count[TT_QUANTITY_TEXT];
  TtOutput *out = frame->out;
  g_autofree char *css_class = g_strconcat ("cut ", cell->value > 0 ? class_of (shades, cell->value) : "none", NULL);

  tt_svg_open_rect (out, css_class, x, y, size, size);
  tt_output_literal (out, " data-src=\"");
  tt_svg_escape (out, from, MAX_CELL_LABEL);
  tt_output_literal (out, "\" data-dst=\"");
  tt_svg_escape (out, to, MAX_CELL_LABEL);
  tt_output_literal (out, "\"");
  tt_svg_data (out, "value", cell->value);
  tt_svg_data (out, "count", cell->count);
  tt_output_literal (out, "><title>");
  tt_svg_escape (out, from, MAX_CELL_LABEL);
  tt_output_literal (out, " to ");
  tt_svg_escape (out, to, MAX_CELL_LABEL);
  tt_output_printf (out, ": %s in %s %s</title></rect>\n", tt_quantity_text (value, self->quantity, cell->value),
                    tt_quantity_text (count, TT_QUANTITY_COUNT, cell->count), self->count_word);
}

/* Destinations, upwards above the square. */
static void
draw_column_label (const TtHeatMap *self, const TtFrame *frame, guint column, gint64 size)
{
  gint64 x = frame->left + size * column + size / 2 + TT_PX (4), y = frame->top - TT_PX (6);
  TtOutput *out = frame->out;

  tt_output_literal (out, "<text transform=\"rotate(-90 ");
  tt_svg_length (out, x);
  tt_output_literal (out, " ");
  tt_svg_length (out, y);
  tt_output_literal (out, ")\"");
  tt_svg_attribute (out, "x", x);
  tt_svg_attribute (out, "y", y);
  tt_output_literal (out, ">");
  tt_svg_escape (out, self->labels->pdata[column], MAX_LABEL);
  tt_output_literal (out, "</text>\n");
}

static void
draw_square (const TtHeatMap *self, TtFrame *frame, const Shades *shades, gint64 size)
{
  for (guint row = 0; row < self->n; row++)
    {
      tt_svg_text (frame->out, "r", frame->left - TT_PX (6), frame->top + size * row + size / 2 + TT_PX (4),
                   self->labels->pdata[row], MAX_LABEL);
      draw_column_label (self, frame, row, size);
      for (guint column = 0; column < self->n; column++)
        if (cell_at (self, row, column)->count > 0)
          draw_cell (self, frame, shades, row, column, size);
    }
  tt_svg_text (frame->out, "axis", frame->left + size * self->n + TT_PX (12), frame->top - TT_PX (6), "destinations",
               0);
  tt_svg_text (frame->out, "axis r", frame->left - TT_PX (6), frame->top + size * self->n + TT_PX (16), "sources", 0);
}

void
tt_heat_map_write (TtHeatMap *self, TtOutput *out)
{
  g_autoptr (GArray) legend = g_array_new (FALSE, FALSE, sizeof (TtLegendEntry));
  Shades shades = { 0 };
  guint n_label = 4;
  TtFrame frame;

  if (self->fold > 1)
    tt_picture_head_note (&self->head, "%u processes: a row or column is the sum of %u neighbours.", self->n_members,
                          self->fold);
  find_shades (&shades, self);
  for (guint i = 0; i < shades.n && self->n > 0; i++)
    {
      const TtLegendEntry entry = { shades.names[i], shade_class (&shades, i) };
      g_array_append_val (legend, entry);
    }
  for (guint row = 0; row < self->n; row++)
    n_label = MAX (n_label, tt_svg_chars (tt_svg_width (self->labels->pdata[row])));
  n_label = MIN (n_label, MAX_LABEL);

  gint64 size = CLAMP (SIDE / MAX (self->n, 1), TT_PX (11), TT_PX (72));
  gint64 above = (gint64) n_label * TT_PICTURE_CHAR * 10 + TT_PX (10);
  tt_frame_begin (&frame, out, &self->head, (const TtLegendEntry *) (const void *) legend->data, legend->len,
                  MAX (tt_frame_left (n_label), TT_PX (80)), size * self->n + above, TT_PX (24));
  frame.top += above;
  tt_svg_open_rect (out, "none", frame.left, frame.top, size * self->n, size * self->n);
  tt_output_literal (out, "/>\n");
  draw_square (self, &frame, &shades, size);
  tt_frame_end (&frame);
}
