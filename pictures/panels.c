/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "pictures/panels.h"

#define HEIGHT TT_PX (220) /* of a row, without its axis */
#define ROOM TT_PX (14)    /* above the plot */
#define Y_STEPS 6u
#define ROW_POINTS 14u
#define MIN_POINTS 7u   /* a row is divided for so many */
#define SIDE TT_PX (24) /* within a panel */
#define N_COLOURS TT_PICTURE_GREY

typedef struct
{
  char *title;
  GArray *points; /* of TtPanelPoint */
} TtPanel;

static void
clear_point (gpointer data)
{
  g_free (((TtPanelPoint *) data)->text);
}

static void
free_panel (gpointer data)
{
  TtPanel *self = data;

  g_free (self->title);
  g_array_unref (self->points);
  g_free (self);
}

void
tt_panel_chart_init (TtPanelChart *self, const char *title)
{
  *self = (TtPanelChart){ .y_title = "time" };
  tt_picture_head_init (&self->head, title);
  self->panels = g_ptr_array_new_with_free_func (free_panel);
}

void
tt_panel_chart_clear (TtPanelChart *self)
{
  tt_picture_head_clear (&self->head);
  g_clear_pointer (&self->panels, g_ptr_array_unref);
}

void
tt_panel_chart_add_panel (TtPanelChart *self, const char *title)
{
  TtPanel *panel = g_new0 (TtPanel, 1);

  panel->title = g_strdup (title);
  panel->points = g_array_new (FALSE, FALSE, sizeof (TtPanelPoint));
  g_array_set_clear_func (panel->points, clear_point);
  g_ptr_array_add (self->panels, panel);
}

void
tt_panel_chart_add (TtPanelChart *self, const char *text, tt_int128 value, tt_int128 low, tt_int128 high)
{
  const TtPanelPoint point = { g_strdup (text), value, low, high };
  TtPanel *panel = self->panels->pdata[self->panels->len - 1];

  g_array_append_val (panel->points, point);
}

/* -- drawing ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  const TtPanelChart *chart;
  TtFrame frame; /* of a row: top and height are its */
  TtAxis axis;
} Drawing;

/* A panel in its row. */
typedef struct
{
  const TtPanel *panel;
  guint number;
  gint64 left, width;
} Place;

static const TtPanelPoint *
point_at (const TtPanel *self, guint i)
{
  return &g_array_index (self->points, TtPanelPoint, i);
}

static gint64
x_of (const Place *self, guint i)
{
  gint64 inside = self->width - 2 * SIDE;
  guint n = self->panel->points->len;

  return self->left + SIDE + (n <= 1 ? inside / 2 : inside * i / (n - 1));
}

static gint64
y_of (const Drawing *self, tt_int128 value)
{
  return self->frame.top + self->frame.height - tt_axis_place (&self->axis, value);
}

static void
add_corner (TtOutput *out, gboolean is_first, gint64 x, gint64 y)
{
  tt_output_text (out, is_first ? "M" : "L");
  tt_svg_length (out, x);
  tt_output_literal (out, " ");
  tt_svg_length (out, y);
}

static void
draw_lines (const Drawing *self, const Place *place)
{
  TtOutput *out = self->frame.out;
  const TtPanel *panel = place->panel;
  guint colour = place->number % N_COLOURS;

  tt_output_printf (out, "<path class=\"band c%u\" d=\"", colour);
  for (guint i = 0; i < panel->points->len; i++)
    add_corner (out, i == 0, x_of (place, i), y_of (self, point_at (panel, i)->high));
  for (guint i = panel->points->len; i > 0; i--)
    add_corner (out, FALSE, x_of (place, i - 1), y_of (self, point_at (panel, i - 1)->low));
  tt_output_printf (out, "Z\"/>\n<path class=\"line l%u\" d=\"", colour);
  for (guint i = 0; i < panel->points->len; i++)
    add_corner (out, i == 0, x_of (place, i), y_of (self, point_at (panel, i)->value));
  tt_output_literal (out, "\"/>\n");
}

static void
draw_point (const Drawing *self, const Place *place, guint i)
{
  TtOutput *out = self->frame.out;
  const TtPanelPoint *point = point_at (place->panel, i);
  TtQuantity quantity = self->chart->quantity;
  char value[TT_QUANTITY_TEXT], low[TT_QUANTITY_TEXT], high[TT_QUANTITY_TEXT];
  g_autofree char *text =
      g_strdup_printf ("%s %s: %s, between %s and %s", place->panel->title, point->text,
                       tt_quantity_text (value, quantity, point->value), tt_quantity_text (low, quantity, point->low),
                       tt_quantity_text (high, quantity, point->high));

  tt_output_printf (out, "<circle class=\"c%u\"", place->number % N_COLOURS);
  tt_svg_attribute (out, "cx", x_of (place, i));
  tt_svg_attribute (out, "cy", y_of (self, point->value));
  tt_svg_attribute (out, "r", TT_PX (3));
  tt_svg_data_text (out, "series", place->panel->title);
  tt_svg_data_text (out, "setting", point->text);
  tt_svg_data (out, "value", point->value);
  tt_svg_data (out, "low", point->low);
  tt_svg_data (out, "high", point->high);
  tt_svg_tooltip (out, "circle", text);
}

static void
draw_x_axis (const Drawing *self, const Place *place)
{
  const TtPanel *panel = place->panel;
  gint64 bottom = self->frame.top + self->frame.height, used = G_MININT64 / 2;

  for (guint i = 0; i < panel->points->len; i++)
    {
      gint64 half = tt_svg_width (point_at (panel, i)->text) / 2;
      if (x_of (place, i) - half < used)
        continue;
      tt_svg_text (self->frame.out, "m", x_of (place, i), bottom + TT_PX (16), point_at (panel, i)->text, 24);
      used = x_of (place, i) + half + TT_PX (6);
    }
  tt_svg_text (self->frame.out, "axis m", place->left + place->width / 2, bottom + TT_PX (36), panel->title,
               tt_svg_chars (place->width));
  tt_svg_line (self->frame.out, "edge", place->left, self->frame.top, place->left, bottom);
}

static void
draw_panel (const Drawing *self, const Place *place)
{
  draw_x_axis (self, place);
  draw_lines (self, place);
  for (guint i = 0; i < place->panel->points->len; i++)
    draw_point (self, place, i);
}

static void
draw_mark (const Drawing *self, gboolean is_named)
{
  const TtPanelChart *chart = self->chart;
  char value[TT_QUANTITY_TEXT];
  g_autofree char *text =
      g_strdup_printf ("%s %s", chart->mark_name, tt_quantity_text (value, chart->quantity, chart->mark));

  tt_frame_mark (&self->frame, y_of (self, chart->mark), chart->mark, is_named ? text : NULL);
}

/* How many panels from @first on share a row, and the points that these have. */
static guint
count_row (const TtPanelChart *self, guint first, guint *n_points)
{
  guint n = 0;

  *n_points = 0;
  while (first + n < self->panels->len)
    {
      const TtPanel *panel = self->panels->pdata[first + n];
      if (n > 0 && *n_points + panel->points->len > ROW_POINTS)
        break;
      *n_points += panel->points->len;
      n++;
    }
  return n;
}

static void
draw_row (const Drawing *self, guint first, guint n, guint n_points)
{
  guint n_all = MAX (n_points, MIN_POINTS);
  gint64 left = self->frame.left, right = left + self->frame.width, bottom = self->frame.top + self->frame.height;
  guint seen = 0;

  tt_frame_y_axis (&self->frame, &self->axis, self->chart->y_title);
  tt_svg_line (self->frame.out, "edge", left, bottom, right, bottom);
  if (self->chart->has_mark)
    draw_mark (self, first == 0);
  for (guint i = first; i < first + n; i++)
    {
      const TtPanel *panel = self->chart->panels->pdata[i];
      Place place = { panel, i, left + self->frame.width * seen / n_all, 0 };
      seen += panel->points->len;
      place.width = left + self->frame.width * seen / n_all - place.left;
      draw_panel (self, &place);
    }
}

static void
find_range (const TtPanelChart *self, tt_int128 *least, tt_int128 *most)
{
  gboolean is_first = !self->has_mark;

  *least = *most = self->has_mark ? self->mark : 0;
  for (guint i = 0; i < self->panels->len; i++)
    {
      const TtPanel *panel = self->panels->pdata[i];
      for (guint k = 0; k < panel->points->len; k++)
        {
          *least = is_first ? point_at (panel, k)->low : MIN (*least, point_at (panel, k)->low);
          *most = MAX (*most, point_at (panel, k)->high);
          is_first = FALSE;
        }
    }
}

void
tt_panel_chart_write (TtPanelChart *self, TtOutput *out)
{
  Drawing drawing = { .chart = self };
  char start[TT_QUANTITY_TEXT];
  tt_int128 least, most;
  guint n_rows = 0, n_points;

  if (self->panels->len == 0)
    {
      tt_frame_write_empty (out, &self->head);
      return;
    }
  for (guint first = 0; first < self->panels->len; first += count_row (self, first, &n_points))
    n_rows++;
  find_range (self, &least, &most);
  tt_axis_init_near (&drawing.axis, self->quantity, least, most, Y_STEPS, HEIGHT - ROOM);
  if (drawing.axis.start > 0)
    tt_picture_head_note (&self->head, "The axis begins at %s, not at 0.",
                          tt_quantity_text (start, self->quantity, drawing.axis.start));
  gint64 pitch = HEIGHT + TT_FRAME_AXIS + ROOM;
  tt_frame_begin (&drawing.frame, out, &self->head, NULL, 0, tt_frame_axis_left (&drawing.axis),
                  n_rows * pitch - TT_FRAME_AXIS - ROOM, TT_FRAME_AXIS);
  drawing.frame.top += ROOM;
  drawing.frame.height = HEIGHT - ROOM;
  for (guint first = 0; first < self->panels->len;)
    {
      guint n = count_row (self, first, &n_points);
      draw_row (&drawing, first, n, n_points);
      drawing.frame.top += pitch;
      first += n;
    }
  tt_frame_end (&drawing.frame);
}
