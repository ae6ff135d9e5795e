/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "pictures/histogram.h"

#include "pictures/text.h"

#define HEIGHT TT_PX (320)
#define Y_STEPS 8u
/* Pixels that a label of an edge needs. */
#define LABEL TT_PX (64)

void
tt_histogram_init (TtHistogram *self, const char *title)
{
  *self = (TtHistogram){ .x_title = "duration", .y_title = "spans" };
  tt_picture_head_init (&self->head, title);
}

void
tt_histogram_clear (TtHistogram *self)
{
  tt_picture_head_clear (&self->head);
}

void
tt_histogram_add (TtHistogram *self, gint64 value)
{
  self->counts[tt_log_bucket (value)]++;
}

/* -- drawing ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  const TtHistogram *chart;
  TtFrame frame;
  TtAxis axis;
  guint first, n; /* buckets that are shown */
} Drawing;

static gint64
x_of_bucket (const Drawing *self, guint bucket)
{
  return self->frame.left + self->frame.width * (gint64) (bucket - self->first) / self->n;
}

/* Within its bucket by its share. */
static gint64
x_of_value (const Drawing *self, gint64 value)
{
  guint bucket = self->first;

  while (bucket + 1 < self->first + self->n && value >= tt_log_edge (bucket + 1))
    bucket++;
  gint64 begin = x_of_bucket (self, bucket), end = x_of_bucket (self, bucket + 1);
  return begin + tt_scale (value - tt_log_edge (bucket), tt_log_edge (bucket + 1) - tt_log_edge (bucket), end - begin);
}

static void
draw_edges (const Drawing *self)
{
  gint64 bottom = self->frame.top + self->frame.height, used = G_MININT64;
  char text[TT_QUANTITY_TEXT];
  guint decade_width = (guint) (self->frame.width * 10 / self->n);

  for (guint bucket = self->first; bucket <= self->first + self->n; bucket++)
    {
      gint64 x = x_of_bucket (self, bucket);
      guint in_decade = bucket % 10;
      gboolean is_round =
          bucket < 10 || in_decade == 0 || ((in_decade == 3 || in_decade == 7) && decade_width > LABEL * 3);

      if (!is_round)
        continue;
      tt_svg_line (self->frame.out, "edge", x, bottom, x, bottom + TT_PX (4));
      tt_frame_tick (&self->frame, x, &used, tt_log_text (text, self->chart->quantity, tt_log_edge (bucket)));
    }
  tt_svg_line (self->frame.out, "edge", self->frame.left, bottom, self->frame.left + self->frame.width, bottom);
  tt_svg_text (self->frame.out, "axis m", self->frame.left + self->frame.width / 2, bottom + TT_PX (36),
               self->chart->x_title, 0);
}

static void
draw_bucket (const Drawing *self, guint bucket)
{
  gint64 x = x_of_bucket (self, bucket), height = tt_axis_place (&self->axis, self->chart->counts[bucket]);
  char from[TT_QUANTITY_TEXT], to[TT_QUANTITY_TEXT], count[TT_QUANTITY_TEXT];
  g_autofree char *text =
      g_strdup_printf ("%s to below %s: %s", tt_quantity_text (from, self->chart->quantity, tt_log_edge (bucket)),
                       tt_quantity_text (to, self->chart->quantity, tt_log_edge (bucket + 1)),
                       tt_quantity_text (count, TT_QUANTITY_COUNT, self->chart->counts[bucket]));

  /* What is there is seen. */
  height = MAX (height, TT_PX (1));
  tt_svg_open_rect (self->frame.out, "cut c0", x, self->frame.top + self->frame.height - height,
                    x_of_bucket (self, bucket + 1) - x, height);
  tt_svg_data (self->frame.out, "from", tt_log_edge (bucket));
  tt_svg_data (self->frame.out, "to", tt_log_edge (bucket + 1));
  tt_svg_data (self->frame.out, "count", self->chart->counts[bucket]);
  tt_svg_tooltip (self->frame.out, "rect", text);
}

static void
draw_marks (const Drawing *self)
{
  const TtHistogram *chart = self->chart;
  TtOutput *out = self->frame.out;

  for (guint i = 0; i < chart->n_marks; i++)
    {
      gint64 x = x_of_value (self, chart->marks[i].value), y = self->frame.top - TT_PX (8) - TT_PX (14) * i;
      gboolean is_right = x > self->frame.left + self->frame.width / 2;
      char value[TT_QUANTITY_TEXT];

      tt_svg_line (out, "mark", x, y - TT_PX (4), x, self->frame.top + self->frame.height);
      tt_output_printf (out, "<text%s", is_right ? " class=\"r\"" : "");
      tt_svg_attribute (out, "x", is_right ? x - TT_PX (5) : x + TT_PX (5));
      tt_svg_attribute (out, "y", y + TT_PX (4));
      tt_svg_data_text (out, "mark", chart->marks[i].name);
      tt_svg_data (out, "value", chart->marks[i].value);
      tt_output_printf (out, ">%s %s</text>\n", chart->marks[i].name,
                        tt_quantity_text (value, chart->quantity, chart->marks[i].value));
    }
}

void
tt_histogram_write (const TtHistogram *self, TtOutput *out)
{
  Drawing drawing = { .chart = self, .first = 0, .n = 0 };
  guint64 most = 0;
  gint64 above = TT_PX (14) * TT_HISTOGRAM_MARKS;

  for (guint bucket = 0; bucket < TT_HISTOGRAM_BUCKETS; bucket++)
    if (self->counts[bucket] > 0)
      {
        drawing.first = most == 0 ? bucket : drawing.first;
        drawing.n = bucket - drawing.first + 1;
        most = MAX (most, self->counts[bucket]);
      }
  if (most == 0)
    {
      tt_frame_write_empty (out, &self->head);
      return;
    }
  /* One bucket alone is a bar among empty ones. */
  if (drawing.n < 10)
    {
      guint more = MIN ((10 - drawing.n) / 2, drawing.first);

      drawing.first -= more;
      drawing.n = 10;
    }
  tt_axis_init (&drawing.axis, TT_QUANTITY_COUNT, most, Y_STEPS, HEIGHT);
  tt_frame_begin (&drawing.frame, out, &self->head, NULL, 0, tt_frame_axis_left (&drawing.axis), HEIGHT + above,
                  TT_FRAME_AXIS);
  tt_svg_text (out, "axis", TT_PX (16), drawing.frame.top + TT_PX (10), self->y_title, 0);
  drawing.frame.top += above;
  drawing.frame.height = HEIGHT;
  tt_frame_y_axis (&drawing.frame, &drawing.axis, "");
  draw_edges (&drawing);
  for (guint bucket = drawing.first; bucket < MIN (drawing.first + drawing.n, TT_HISTOGRAM_BUCKETS); bucket++)
    if (self->counts[bucket] > 0)
      draw_bucket (&drawing, bucket);
  draw_marks (&drawing);
  tt_frame_end (&drawing.frame);
}

/* -- letters -------------------------------------------------------------------------------------------- */

#define TEXT_LABEL 12u
#define TEXT_COLUMNS 1000u

/* As long as its share of @most, in eighths of letters that are rounded up. */
static void
write_bar (const TtHistogram *self, TtTextChart *chart, guint bucket, guint64 most)
{
  g_autofree gunichar *cells = g_new (gunichar, chart->n_columns);
  char from[TT_QUANTITY_TEXT], count[TT_QUANTITY_TEXT];
  guint n_letters = chart->n_columns > 32 ? chart->n_columns - 16 : chart->n_columns, filled;

  for (guint i = 0; i < chart->n_columns; i++)
    cells[i] = ' ';
  filled = (guint) (((tt_int128) self->counts[bucket] * n_letters + most - 1) / most);
  for (guint i = 0; i < filled; i++)
    cells[i] = tt_text_level (TT_TEXT_LEVELS);
  tt_quantity_text (count, TT_QUANTITY_COUNT, self->counts[bucket]);
  for (guint i = 0; count[i] != '\0' && self->counts[bucket] > 0 && filled + 1 + i < chart->n_columns; i++)
    cells[filled + 1 + i] = (guchar) count[i];
  tt_text_chart_row (chart, tt_quantity_text (from, self->quantity, tt_log_edge (bucket)), cells);
}

void
tt_histogram_write_text (const TtHistogram *self, TtOutput *out, guint width)
{
  guint first = TT_HISTOGRAM_BUCKETS, last = 0;
  char value[TT_QUANTITY_TEXT];
  guint64 most = 0;
  TtTextChart chart;

  for (guint bucket = 0; bucket < TT_HISTOGRAM_BUCKETS; bucket++)
    if (self->counts[bucket] > 0)
      {
        first = MIN (first, bucket);
        last = bucket;
        most = MAX (most, self->counts[bucket]);
      }
  tt_text_chart_begin (&chart, out, &self->head, width, TEXT_LABEL, most == 0 ? 0 : TEXT_COLUMNS);
  for (guint bucket = first; bucket <= last && most > 0; bucket++)
    write_bar (self, &chart, bucket, most);
  for (guint i = 0; i < self->n_marks && most > 0; i++)
    {
      g_autofree char *line = g_strdup_printf ("%s: %s", self->marks[i].name,
                                               tt_quantity_text (value, self->quantity, self->marks[i].value));
      tt_text_chart_line (&chart, line);
    }
  tt_text_chart_end (&chart);
}
