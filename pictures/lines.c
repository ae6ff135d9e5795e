/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "pictures/lines.h"

#define HEIGHT TT_PX (320)
#define Y_STEPS 8u
#define X_LABELS 10

void
tt_line_chart_init (TtLineChart *self, const char *title, gint64 first_step, gint64 last_step)
{
  gint64 n = last_step - first_step + 1;

  *self = (TtLineChart){ .first_step = first_step, .x_title = "step", .y_title = "time" };
  tt_picture_head_init (&self->head, title);
  self->steps_per_column = MAX ((n + TT_LINES_MAX_COLUMNS - 1) / TT_LINES_MAX_COLUMNS, 1);
  self->n_columns = (guint) ((n + self->steps_per_column - 1) / self->steps_per_column);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->points = g_array_new (FALSE, TRUE, sizeof (TtLinePoint));
}

void
tt_line_chart_clear (TtLineChart *self)
{
  tt_picture_head_clear (&self->head);
  g_clear_pointer (&self->names, g_ptr_array_unref);
  g_clear_pointer (&self->points, g_array_unref);
}

static TtLinePoint *
point_at (const TtLineChart *self, guint series, guint column)
{
  return &g_array_index (self->points, TtLinePoint, series * self->n_columns + column);
}

guint
tt_line_chart_add_series (TtLineChart *self, const char *name)
{
  g_ptr_array_add (self->names, g_strdup (name == NULL ? "?" : name));
  g_array_set_size (self->points, self->names->len * self->n_columns);
  return self->names->len - 1;
}

void
tt_line_chart_add (TtLineChart *self, guint series, gint64 step, tt_int128 value)
{
  TtLinePoint *point = point_at (self, series, (guint) ((step - self->first_step) / self->steps_per_column));

  point->min = point->n == 0 ? value : MIN (point->min, value);
  point->max = point->n == 0 ? value : MAX (point->max, value);
  point->n++;
}

/* -- drawing ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  const TtLineChart *chart;
  TtFrame frame;
  TtAxis axis;
} Drawing;

static gint64
x_of (const Drawing *self, guint column)
{
  gint64 inside = self->frame.width - TT_PX (20);
  guint n = self->chart->n_columns;

  return self->frame.left + TT_PX (10) + (n <= 1 ? inside / 2 : inside * column / (n - 1));
}

static gint64
y_of (const Drawing *self, tt_int128 value)
{
  return self->frame.top + self->frame.height - tt_axis_place (&self->axis, value);
}

static void
draw_x_axis (const Drawing *self)
{
  const TtLineChart *chart = self->chart;
  gint64 bottom = self->frame.top + self->frame.height, used = G_MININT64;
  guint pitch = (chart->n_columns + X_LABELS - 1) / X_LABELS;

  for (guint column = 0; column < chart->n_columns; column += MAX (pitch, 1))
    {
      g_autofree char *text =
          g_strdup_printf ("%" G_GINT64_FORMAT, chart->first_step + column * chart->steps_per_column);

      tt_frame_tick (&self->frame, x_of (self, column), &used, text);
    }
  tt_svg_line (self->frame.out, "edge", self->frame.left, bottom, self->frame.left + self->frame.width, bottom);
  tt_svg_text (self->frame.out, "axis m", self->frame.left + self->frame.width / 2, bottom + TT_PX (36), chart->x_title,
               0);
}

static void
add_corner (TtOutput *out, gboolean is_first, gint64 x, gint64 y)
{
  tt_output_text (out, is_first ? "M" : "L");
  tt_svg_length (out, x);
  tt_output_literal (out, " ");
  tt_svg_length (out, y);
}

/* Between the least and the greatest of each column. */
static void
draw_band (const Drawing *self, guint series)
{
  const TtLineChart *chart = self->chart;
  TtOutput *out = self->frame.out;
  gboolean is_first = TRUE;

  tt_output_printf (out, "<path class=\"band c%u\" d=\"", series);
  for (guint column = 0; column < chart->n_columns; column++)
    if (point_at (chart, series, column)->n > 0)
      {
        add_corner (out, is_first, x_of (self, column), y_of (self, point_at (chart, series, column)->max));
        is_first = FALSE;
      }
  for (guint column = chart->n_columns; column > 0; column--)
    if (point_at (chart, series, column - 1)->n > 0)
      add_corner (out, FALSE, x_of (self, column - 1), y_of (self, point_at (chart, series, column - 1)->min));
  tt_output_literal (out, "Z\"/>\n");
}

static gboolean
has_ranges (const TtLineChart *self, guint series)
{
  for (guint column = 0; column < self->n_columns; column++)
    if (point_at (self, series, column)->min != point_at (self, series, column)->max)
      return TRUE;
  return FALSE;
}

static void
draw_line (const Drawing *self, guint series)
{
  const TtLineChart *chart = self->chart;
  TtOutput *out = self->frame.out;
  gboolean is_first = TRUE;

  tt_output_printf (out, "<path class=\"line l%u\" d=\"", series);
  for (guint column = 0; column < chart->n_columns; column++)
    if (point_at (chart, series, column)->n > 0)
      {
        add_corner (out, is_first, x_of (self, column), y_of (self, point_at (chart, series, column)->max));
        is_first = FALSE;
      }
  tt_output_literal (out, "\"/>\n");
}

static void
draw_point (const Drawing *self, guint series, guint column)
{
  const TtLineChart *chart = self->chart;
  const TtLinePoint *point = point_at (chart, series, column);
  TtOutput *out = self->frame.out;
  gint64 step = chart->first_step + column * chart->steps_per_column;
  char min[TT_QUANTITY_TEXT], max[TT_QUANTITY_TEXT];
  g_autoptr (GString) text = g_string_new (chart->names->pdata[series]);

  tt_quantity_text (min, chart->quantity, point->min);
  tt_quantity_text (max, chart->quantity, point->max);
  g_string_append_printf (text, ", %s %" G_GINT64_FORMAT, chart->x_title, step);
  if (chart->steps_per_column > 1)
    g_string_append_printf (text, " to %" G_GINT64_FORMAT, step + chart->steps_per_column - 1);
  g_string_append_printf (text, ": %s", max);
  if (point->min != point->max)
    g_string_append_printf (text, ", at least %s", min);

  tt_output_printf (out, "<circle class=\"c%u\"", series);
  tt_svg_attribute (out, "cx", x_of (self, column));
  tt_svg_attribute (out, "cy", y_of (self, point->max));
  tt_svg_attribute (out, "r", chart->n_columns > 60 ? TT_PX (2) : TT_PX (3));
  tt_svg_data_text (out, "series", chart->names->pdata[series]);
  tt_svg_data (out, "step", step);
  tt_svg_data (out, "n", point->n);
  tt_svg_data (out, "min", point->min);
  tt_svg_data (out, "max", point->max);
  tt_svg_tooltip (out, "circle", text->str);
}

static void
draw_mark (const Drawing *self)
{
  const TtLineChart *chart = self->chart;
  char value[TT_QUANTITY_TEXT];
  g_autofree char *text =
      g_strdup_printf ("%s %s", chart->mark_name, tt_quantity_text (value, chart->quantity, chart->mark));

  tt_frame_mark (&self->frame, y_of (self, chart->mark), chart->mark, text);
}

static void
find_range (const TtLineChart *self, tt_int128 *least, tt_int128 *most)
{
  gboolean is_first = TRUE;

  *least = *most = 0;
  for (guint i = 0; i < self->points->len; i++)
    {
      const TtLinePoint *point = &g_array_index (self->points, TtLinePoint, i);

      if (point->n == 0)
        continue;
      *least = is_first ? point->min : MIN (*least, point->min);
      *most = MAX (*most, point->max);
      is_first = FALSE;
    }
}

static gboolean
has_points (const TtLineChart *self)
{
  for (guint series = 0; series < self->names->len; series++)
    for (guint column = 0; column < self->n_columns; column++)
      if (point_at (self, series, column)->n > 0)
        return TRUE;
  return FALSE;
}

void
tt_line_chart_write (TtLineChart *self, TtOutput *out)
{
  static const char *const classes[] = { "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7" };
  g_autoptr (GArray) legend = g_array_new (FALSE, FALSE, sizeof (TtLegendEntry));
  Drawing drawing = { .chart = self };
  char start[TT_QUANTITY_TEXT];
  tt_int128 least, most;

  if (!has_points (self))
    {
      tt_frame_write_empty (out, &self->head);
      return;
    }
  for (guint series = 0; series < self->names->len; series++)
    {
      const TtLegendEntry entry = { self->names->pdata[series], classes[series % G_N_ELEMENTS (classes)] };
      g_array_append_val (legend, entry);
    }
  find_range (self, &least, &most);
  tt_axis_init_near (&drawing.axis, self->quantity, least, most, Y_STEPS, HEIGHT - TT_PX (14));
  if (drawing.axis.start > 0)
    tt_picture_head_note (&self->head, "The axis begins at %s, not at 0.",
                          tt_quantity_text (start, self->quantity, drawing.axis.start));
  tt_frame_begin (&drawing.frame, out, &self->head, (const TtLegendEntry *) (const void *) legend->data, legend->len,
                  tt_frame_axis_left (&drawing.axis), HEIGHT, TT_FRAME_AXIS);
  drawing.frame.top += TT_PX (14);
  drawing.frame.height -= TT_PX (14);
  tt_frame_y_axis (&drawing.frame, &drawing.axis, self->y_title);
  draw_x_axis (&drawing);
  for (guint series = 0; series < self->names->len; series++)
    if (has_ranges (self, series))
      draw_band (&drawing, series);
  for (guint series = 0; series < self->names->len; series++)
    draw_line (&drawing, series);
  if (self->has_mark)
    draw_mark (&drawing);
  for (guint series = 0; series < self->names->len; series++)
    for (guint column = 0; column < self->n_columns; column++)
      if (point_at (self, series, column)->n > 0)
        draw_point (&drawing, series, column);
  tt_frame_end (&drawing.frame);
}
