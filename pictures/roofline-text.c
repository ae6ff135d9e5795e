/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "pictures/roofline-private.h"
#include "pictures/text.h"

#define TEXT_LINES 20u

typedef struct
{
  TtRooflineDrawing drawing;
  guint n_columns;
  gunichar *cells; /* lines of columns, from the top */
} Letters;

static void
set_letter (Letters *self, gint64 x, gint64 y, gunichar letter)
{
  guint column = (guint) CLAMP ((x + TT_PX (1) / 2) / TT_PX (1), 0, self->n_columns - 1);
  guint line = (guint) CLAMP ((y + TT_PX (1) / 2) / TT_PX (1), 0, TEXT_LINES - 1);

  self->cells[(gsize) line * self->n_columns + column] = letter;
}

static gunichar
letter_of (guint series, guint64 count)
{
  gunichar letter = 'a' + MIN (series, TT_ROOFLINE_MAX_NAMES);

  return count >= 10 ? g_unichar_toupper (letter) : letter;
}

static void
set_roof (Letters *self, guint series)
{
  const TtRooflineDrawing *drawing = &self->drawing;
  const TtRoof *roof = tt_roofline_roof (drawing->chart, series);
  tt_int128 begin = tt_log_axis_tick (&drawing->x, 0), lowest = tt_log_axis_tick (&drawing->y, 0);
  tt_int128 from = MAX (begin, lowest * roof->latency_ns / TT_NS_PER_S);
  gint64 top = tt_roofline_y (drawing, tt_roofline_bandwidth (roof->peak_bytes, roof->peak_ns));
  gint64 x1 = tt_roofline_x (drawing, from),
         y1 = tt_roofline_y (drawing, tt_roofline_bandwidth (from, roof->latency_ns));
  gint64 x2 = MAX (tt_roofline_x (drawing, tt_roofline_knee (roof)), x1), y2 = top;

  for (gint64 x = x1; x < x2; x += TT_PX (1))
    set_letter (self, x, y1 + (y2 - y1) * (x - x1) / (x2 - x1), '/');
  for (gint64 x = x2; x <= (gint64) (self->n_columns - 1) * TT_PX (1); x += TT_PX (1))
    set_letter (self, x, top, '-');
}

static void
set_points (Letters *self)
{
  g_autoptr (GPtrArray) cells = tt_roofline_list_cells (self->drawing.chart);

  for (guint i = cells->len; i > 0; i--)
    {
      const TtRooflineCell *cell = cells->pdata[i - 1];

      set_letter (self, tt_roofline_x (&self->drawing, cell->bytes / cell->count),
                  tt_roofline_y (&self->drawing, tt_roofline_bandwidth (cell->bytes, cell->ns)),
                  letter_of ((guint) (cell->key >> 16), cell->count));
    }
}

static void
write_letters (const Letters *self, TtTextChart *chart)
{
  g_auto (GStrv) texts = g_new0 (char *, (gsize) self->n_columns + 1);
  g_autofree char **places = g_new0 (char *, (gsize) self->n_columns + 1);
  char buffer[TT_QUANTITY_TEXT];

  for (guint line = 0; line < TEXT_LINES; line++)
    {
      const char *label = line == 0 ? "bandwidth" : NULL;

      for (guint tick = 0; tick <= self->drawing.y.n; tick++)
        if ((tt_roofline_y (&self->drawing, tt_log_axis_tick (&self->drawing.y, tick)) + TT_PX (1) / 2) / TT_PX (1) ==
            line)
          {
            label = tt_log_text (buffer, TT_QUANTITY_BYTES, tt_log_axis_tick (&self->drawing.y, tick));
            g_strlcat (buffer, "/s", sizeof buffer);
          }
      tt_text_chart_row (chart, label, self->cells + (gsize) line * self->n_columns);
    }
  for (guint tick = 0; tick <= self->drawing.x.n; tick++)
    {
      gint64 column =
          (tt_roofline_x (&self->drawing, tt_log_axis_tick (&self->drawing.x, tick)) + TT_PX (1) / 2) / TT_PX (1);

      texts[MIN (tick, self->n_columns - 1)] =
          g_strdup (tt_log_text (buffer, TT_QUANTITY_BYTES, tt_log_axis_tick (&self->drawing.x, tick)));
      places[CLAMP (column, 0, self->n_columns - 1)] = texts[MIN (tick, self->n_columns - 1)];
    }
  tt_text_chart_ticks (chart, places);
  tt_text_chart_line (chart, "bandwidth over the size of a transfer");
}

static void
write_chart (TtRoofline *self, TtTextChart *chart)
{
  g_autofree gunichar *cells = g_new (gunichar, (gsize) TEXT_LINES * chart->n_columns);
  g_autoptr (GArray) legend = g_array_new (FALSE, FALSE, sizeof (TtLegendEntry));
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  Letters letters = { .drawing.chart = self, .n_columns = chart->n_columns, .cells = cells };

  for (gsize i = 0; i < (gsize) TEXT_LINES * chart->n_columns; i++)
    cells[i] = ' ';
  letters.drawing.frame.width = TT_PX (chart->n_columns - 1);
  letters.drawing.frame.height = TT_PX (TEXT_LINES - 1);
  tt_roofline_find_axes (&letters.drawing);
  for (guint i = 0; i < self->series->len; i++)
    if (tt_roofline_roof (self, i)->peak_ns > 0)
      set_roof (&letters, i);
  set_points (&letters);
  write_letters (&letters, chart);
  tt_roofline_add_legend (self, legend, texts);
  for (guint i = 0; i < texts->len; i++)
    {
      g_autofree char *line = g_strdup_printf ("  %c  %s", (char) letter_of (i, 1), (const char *) texts->pdata[i]);
      tt_text_chart_line (chart, line);
    }
}

void
tt_roofline_write_text (TtRoofline *self, TtOutput *out, guint width)
{
  TtTextChart chart;

  if (self->n_empty > 0)
    tt_picture_head_note (&self->head, "%" G_GUINT64_FORMAT " transfers of 0 bytes are no points.", self->n_empty);
  if (self->series->len > 0)
    tt_picture_head_note (&self->head, "A capital stands for ten transfers or more.");
  tt_text_chart_begin (&chart, out, &self->head, width, 10, G_MAXUINT);
  if (self->series->len > 0)
    write_chart (self, &chart);
  tt_text_chart_end (&chart);
}
