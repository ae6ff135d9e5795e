/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "pictures/heat.h"

#include "pictures/shades.h"

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

/* The least amount above 0, and the greatest. */
static void
find_shades (TtShades *self, const TtHeatMap *map)
{
  tt_int128 least = 0, most = 0;

  for (gsize i = 0; i < (gsize) map->n * map->n; i++)
    {
      tt_int128 value = map->cells[i].value;

      if (value > 0)
        least = least == 0 ? value : MIN (least, value);
      most = MAX (most, value);
    }
  tt_shades_init (self, map->quantity, least, most);
}

/* -- drawing ------------------------------------------------------------------------------------------------------ */

static void
draw_cell (const TtHeatMap *self, const TtFrame *frame, const TtShades *shades, guint row, guint column, gint64 size)
{
  const TtHeatCell *cell = cell_at (self, row, column);
  gint64 x = frame->left + size * column, y = frame->top + size * row;
  const char *from = self->labels->pdata[row], *to = self->labels->pdata[column];
  char value[TT_QUANTITY_TEXT], count[TT_QUANTITY_TEXT];
  TtOutput *out = frame->out;
  g_autofree char *css_class =
      g_strconcat ("cut ", cell->value > 0 ? tt_shades_class_of (shades, cell->value) : "none", NULL);

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
draw_square (const TtHeatMap *self, TtFrame *frame, const TtShades *shades, gint64 size)
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
  TtShades shades;
  guint n_label = 4;
  TtFrame frame;

  if (self->fold > 1)
    tt_picture_head_note (&self->head, "%u processes: a row or column is the sum of %u neighbours.", self->n_members,
                          self->fold);
  if (self->n == 0)
    {
      tt_frame_write_empty (out, &self->head);
      return;
    }
  find_shades (&shades, self);
  tt_shades_add_legend (&shades, legend);
  for (guint row = 0; row < self->n; row++)
    n_label = MAX (n_label, tt_svg_chars (tt_svg_width (self->labels->pdata[row])));
  n_label = MIN (n_label, MAX_LABEL);

  gint64 size = CLAMP (SIDE / self->n, TT_PX (11), TT_PX (72));
  gint64 above = (gint64) n_label * TT_PICTURE_CHAR * 10 + TT_PX (10);
  tt_frame_begin (&frame, out, &self->head, (const TtLegendEntry *) (const void *) legend->data, legend->len,
                  MAX (tt_frame_left (n_label), TT_PX (80)), size * self->n + above, TT_PX (24));
  frame.top += above;
  tt_svg_open_rect (out, "none", frame.left, frame.top, size * self->n, size * self->n);
  tt_output_literal (out, "/>\n");
  draw_square (self, &frame, &shades, size);
  tt_frame_end (&frame);
}
