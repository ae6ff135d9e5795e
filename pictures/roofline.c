/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "pictures/roofline.h"

#include "pictures/roofline-private.h"
#include "src/base/compare.h"

#define HEIGHT TT_PX (440)
#define LABEL_ROOM TT_PX (13)
/* Series with a colour of their own; the rest has the last. */
#define MAX_SERIES TT_PICTURE_GREY

void
tt_roofline_init (TtRoofline *self, const char *title)
{
  *self = (TtRoofline){ .series = g_ptr_array_new_with_free_func (g_free) };
  tt_picture_head_init (&self->head, title);
  self->cells = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  self->roofs = g_array_new (FALSE, TRUE, sizeof (TtRoof));
}

void
tt_roofline_clear (TtRoofline *self)
{
  tt_picture_head_clear (&self->head);
  g_clear_pointer (&self->series, g_ptr_array_unref);
  g_clear_pointer (&self->cells, g_hash_table_unref);
  g_clear_pointer (&self->roofs, g_array_unref);
}

static guint
number_of (TtRoofline *self, const char *series)
{
  guint i = 0;

  while (i < self->series->len && g_strcmp0 (self->series->pdata[i], series) != 0)
    i++;
  if (i >= TT_ROOFLINE_MAX_NAMES - 1 && i == self->series->len && g_strcmp0 (series, "others") != 0)
    return number_of (self, "others");
  if (i == self->series->len)
    {
      const TtRoof roof = { .least = G_MAXINT64, .latency_ns = G_MAXINT64 };
      g_ptr_array_add (self->series, g_strdup (series));
      g_array_append_val (self->roofs, roof);
    }
  return i;
}

tt_int128
tt_roofline_bandwidth (tt_int128 bytes, tt_int128 ns)
{
  return ns <= 0 ? 0 : bytes * TT_NS_PER_S / ns;
}

void
tt_roofline_add (TtRoofline *self, const char *series, gint64 bytes, gint64 ns)
{
  guint number = number_of (self, series);
  TtRoof *roof = &g_array_index (self->roofs, TtRoof, number);
  guint64 key = (guint64) number << 16 | tt_log_bucket (bytes) << 8 | tt_log_bucket (tt_roofline_bandwidth (bytes, ns));

  roof->count++;
  roof->latency_ns = MIN (roof->latency_ns, ns);
  if (bytes <= 0)
    {
      self->n_empty++;
      return;
    }
  roof->bytes += bytes;
  roof->least = MIN (roof->least, bytes);
  roof->most = MAX (roof->most, bytes);
  if (roof->peak_ns == 0 || (tt_int128) bytes * roof->peak_ns > (tt_int128) roof->peak_bytes * ns)
    {
      roof->peak_bytes = bytes;
      roof->peak_ns = ns;
    }
  TtRooflineCell *cell = g_hash_table_lookup (self->cells, &key);
  if (cell == NULL)
    {
      cell = g_new0 (TtRooflineCell, 1);
      cell->key = key;
      g_hash_table_insert (self->cells, &cell->key, cell);
    }
  cell->count++;
  cell->bytes += bytes;
  cell->ns += ns;
}

gboolean
tt_roofline_has (const TtRoofline *self, const char *prefix)
{
  for (guint i = 0; i < self->series->len; i++)
    if (g_str_has_prefix (self->series->pdata[i], prefix))
      return TRUE;
  return FALSE;
}

/* -- drawing ----------------------------------------------------------------------------------------------------- */

const TtRoof *
tt_roofline_roof (const TtRoofline *self, guint series)
{
  return &g_array_index (self->roofs, TtRoof, series);
}

static guint
colour_of (guint series)
{
  return MIN (series, MAX_SERIES);
}

gint64
tt_roofline_x (const TtRooflineDrawing *self, tt_int128 bytes)
{
  return self->frame.left + tt_log_axis_place (&self->x, bytes);
}

gint64
tt_roofline_y (const TtRooflineDrawing *self, tt_int128 bytes_per_s)
{
  return self->frame.top + self->frame.height - tt_log_axis_place (&self->y, bytes_per_s);
}

static char *
bandwidth_text (char buffer[TT_QUANTITY_TEXT], tt_int128 bytes, tt_int128 ns)
{
  tt_quantity_text (buffer, TT_QUANTITY_BYTES, tt_roofline_bandwidth (bytes, ns));
  g_strlcat (buffer, "/s", TT_QUANTITY_TEXT);
  return buffer;
}

static void
draw_axes (const TtRooflineDrawing *self)
{
  const TtFrame *frame = &self->frame;
  gint64 bottom = frame->top + frame->height, right = frame->left + frame->width, used = G_MININT64;
  char text[TT_QUANTITY_TEXT];

  for (guint tick = 0; tick <= self->x.n; tick++)
    {
      gint64 x = tt_roofline_x (self, tt_log_axis_tick (&self->x, tick));
      tt_svg_line (frame->out, "grid", x, frame->top, x, bottom);
      tt_frame_tick (frame, x, &used, tt_log_text (text, TT_QUANTITY_BYTES, tt_log_axis_tick (&self->x, tick)));
    }
  for (guint tick = 0; tick <= self->y.n; tick++)
    {
      gint64 y = tt_roofline_y (self, tt_log_axis_tick (&self->y, tick));
      tt_svg_line (frame->out, "grid", frame->left, y, right, y);
      tt_log_text (text, TT_QUANTITY_BYTES, tt_log_axis_tick (&self->y, tick));
      g_strlcat (text, "/s", sizeof text);
      tt_svg_text (frame->out, "r", frame->left - TT_PX (6), y + TT_PX (4), text, 0);
    }
  tt_svg_line (frame->out, "edge", frame->left, bottom, right, bottom);
  tt_svg_line (frame->out, "edge", frame->left, frame->top, frame->left, bottom);
  tt_svg_text (frame->out, "axis m", frame->left + frame->width / 2, bottom + TT_PX (36), "size of a transfer", 0);
  tt_svg_text (frame->out, "axis", TT_PX (16), frame->top - TT_PX (18), "bandwidth", 0);
}

/* Radius by the number of transfers: a tenfold adds two pixels. */
static gint64
radius_of (guint64 count)
{
  gint64 radius = TT_PX (3);

  for (; count >= 10 && radius < TT_PX (11); count /= 10)
    radius += TT_PX (2);
  return radius;
}

static void
draw_point (const TtRooflineDrawing *self, const TtRooflineCell *cell)
{
  TtOutput *out = self->frame.out;
  guint series = (guint) (cell->key >> 16);
  const char *name = self->chart->series->pdata[series];
  char size[TT_QUANTITY_TEXT], speed[TT_QUANTITY_TEXT], time[TT_QUANTITY_TEXT], count[TT_QUANTITY_TEXT];
  g_autofree char *text = g_strdup_printf (
      "%s: %s of %s in %s each, %s", name, tt_quantity_text (count, TT_QUANTITY_COUNT, cell->count),
      tt_quantity_text (size, TT_QUANTITY_BYTES, cell->bytes / cell->count),
      tt_quantity_text (time, TT_QUANTITY_TIME, cell->ns / cell->count), bandwidth_text (speed, cell->bytes, cell->ns));

  tt_output_printf (out, "<circle class=\"c%u dot\"", colour_of (series));
  tt_svg_attribute (out, "cx", tt_roofline_x (self, cell->bytes / cell->count));
  tt_svg_attribute (out, "cy", tt_roofline_y (self, tt_roofline_bandwidth (cell->bytes, cell->ns)));
  tt_svg_attribute (out, "r", radius_of (cell->count));
  tt_svg_data_text (out, "series", name);
  tt_svg_data (out, "count", cell->count);
  tt_svg_data (out, "bytes", cell->bytes);
  tt_svg_data (out, "ns", cell->ns);
  tt_svg_tooltip (out, "circle", text);
}

static void
add_corner (TtOutput *out, const char *letter, gint64 x, gint64 y)
{
  tt_output_text (out, letter);
  tt_svg_length (out, x);
  tt_output_literal (out, " ");
  tt_svg_length (out, y);
}

tt_int128
tt_roofline_knee (const TtRoof *roof)
{
  return (tt_int128) roof->peak_bytes * roof->latency_ns / roof->peak_ns;
}

static void
draw_roof (const TtRooflineDrawing *self, guint series)
{
  TtOutput *out = self->frame.out;
  const TtRoof *roof = tt_roofline_roof (self->chart, series);
  tt_int128 begin = tt_log_axis_tick (&self->x, 0), end = tt_log_axis_tick (&self->x, self->x.n);
  tt_int128 peak = tt_roofline_bandwidth (roof->peak_bytes, roof->peak_ns), lowest = tt_log_axis_tick (&self->y, 0);
  /* Where the slope comes up from below the axis. */
  tt_int128 from = MAX (begin, lowest * roof->latency_ns / TT_NS_PER_S);
  char speed[TT_QUANTITY_TEXT], time[TT_QUANTITY_TEXT];
  g_autofree char *text =
      g_strdup_printf ("%s: at most %s, at least %s", (const char *) self->chart->series->pdata[series],
                       bandwidth_text (speed, roof->peak_bytes, roof->peak_ns),
                       tt_quantity_text (time, TT_QUANTITY_TIME, roof->latency_ns));

  tt_output_printf (out, "<path class=\"line l%u\"", colour_of (series));
  tt_svg_data_text (out, "series", self->chart->series->pdata[series]);
  tt_svg_data (out, "count", roof->count);
  tt_svg_data (out, "peakbytes", roof->peak_bytes);
  tt_svg_data (out, "peakns", roof->peak_ns);
  tt_svg_data (out, "latency", roof->latency_ns);
  tt_output_literal (out, " d=\"");
  add_corner (out, "M", tt_roofline_x (self, from),
              tt_roofline_y (self, tt_roofline_bandwidth (from, roof->latency_ns)));
  if (tt_roofline_knee (roof) > from)
    add_corner (out, "L", tt_roofline_x (self, tt_roofline_knee (roof)), tt_roofline_y (self, peak));
  add_corner (out, "L", tt_roofline_x (self, end), tt_roofline_y (self, peak));
  tt_output_literal (out, "\"");
  tt_svg_tooltip (out, "path", text);
}

/* What the flat parts stand for, at their right ends, from the top down; one without room is in the legend only. */
static void
draw_labels (const TtRooflineDrawing *self, const guint *order, guint n)
{
  gint64 right = self->frame.left + self->frame.width - TT_PX (4), used = G_MININT64 / 2;
  char speed[TT_QUANTITY_TEXT];

  for (guint i = 0; i < n; i++)
    {
      const TtRoof *roof = tt_roofline_roof (self->chart, order[i]);
      gint64 y = tt_roofline_y (self, tt_roofline_bandwidth (roof->peak_bytes, roof->peak_ns)) - TT_PX (4);

      if (y - used < LABEL_ROOM)
        continue;
      g_autofree char *text = g_strdup_printf ("%s %s", (const char *) self->chart->series->pdata[order[i]],
                                               bandwidth_text (speed, roof->peak_bytes, roof->peak_ns));
      tt_svg_text (self->frame.out, "r", right, y, text, 40);
      used = y;
    }
}

static int
compare_peaks (gconstpointer a, gconstpointer b, gpointer data)
{
  const guint x = *(const guint *) a, y = *(const guint *) b;
  const TtRoof *first = tt_roofline_roof (data, x), *second = tt_roofline_roof (data, y);
  tt_int128 one = (tt_int128) first->peak_bytes * second->peak_ns;
  tt_int128 other = (tt_int128) second->peak_bytes * first->peak_ns;

  return one != other ? TT_COMPARE (other, one) : TT_COMPARE (x, y);
}

static int
compare_cells (gconstpointer a, gconstpointer b)
{
  const TtRooflineCell *x = *(const TtRooflineCell *const *) a, *y = *(const TtRooflineCell *const *) b;

  /* Large ones below. */
  return x->count != y->count ? TT_COMPARE (y->count, x->count) : TT_COMPARE (x->key, y->key);
}

GPtrArray *
tt_roofline_list_cells (const TtRoofline *self)
{
  GPtrArray *cells = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer cell;

  g_hash_table_iter_init (&iter, self->cells);
  while (g_hash_table_iter_next (&iter, NULL, &cell))
    g_ptr_array_add (cells, cell);
  g_ptr_array_sort (cells, compare_cells);
  return cells;
}

static void
draw_points (const TtRooflineDrawing *self)
{
  g_autoptr (GPtrArray) cells = tt_roofline_list_cells (self->chart);

  for (guint i = 0; i < cells->len; i++)
    draw_point (self, cells->pdata[i]);
}

void
tt_roofline_find_axes (TtRooflineDrawing *self)
{
  const TtRoofline *chart = self->chart;
  tt_int128 least = G_MAXINT64, most = 1, slowest = 0, fastest = 1;
  GHashTableIter iter;
  gpointer value;

  for (guint i = 0; i < chart->roofs->len; i++)
    if (tt_roofline_roof (chart, i)->peak_ns > 0)
      {
        least = MIN (least, tt_roofline_roof (chart, i)->least);
        most = MAX (most, tt_roofline_roof (chart, i)->most);
      }
  g_hash_table_iter_init (&iter, chart->cells);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const TtRooflineCell *cell = value;
      tt_int128 speed = MAX (tt_roofline_bandwidth (cell->bytes, cell->ns), 1);
      slowest = slowest == 0 ? speed : MIN (slowest, speed);
    }
  for (guint i = 0; i < chart->roofs->len; i++)
    fastest = MAX (
        fastest, tt_roofline_bandwidth (tt_roofline_roof (chart, i)->peak_bytes, tt_roofline_roof (chart, i)->peak_ns));
  tt_log_axis_init (&self->x, MIN (least, most), most, self->frame.width);
  tt_log_axis_init (&self->y, MAX (slowest, 1), fastest, self->frame.height);
}

void
tt_roofline_add_legend (const TtRoofline *self, GArray *legend, GPtrArray *texts)
{
  static const char *const classes[] = { "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8" };

  for (guint i = 0; i < self->series->len; i++)
    {
      const TtRoof *roof = tt_roofline_roof (self, i);
      char speed[TT_QUANTITY_TEXT], time[TT_QUANTITY_TEXT];

      g_ptr_array_add (texts, g_strdup_printf ("%s: to %s, from %s", (const char *) self->series->pdata[i],
                                               bandwidth_text (speed, roof->peak_bytes, roof->peak_ns),
                                               tt_quantity_text (time, TT_QUANTITY_TIME, roof->latency_ns)));
      const TtLegendEntry entry = { texts->pdata[texts->len - 1], classes[colour_of (i)] };
      g_array_append_val (legend, entry);
    }
}

void
tt_roofline_write (TtRoofline *self, TtOutput *out)
{
  g_autoptr (GArray) legend = g_array_new (FALSE, FALSE, sizeof (TtLegendEntry));
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  TtRooflineDrawing drawing = { .chart = self };

  if (self->n_empty > 0)
    tt_picture_head_note (&self->head, "%" G_GUINT64_FORMAT " transfers of 0 bytes are no points.", self->n_empty);
  if (self->series->len == 0)
    {
      tt_frame_write_empty (out, &self->head);
      return;
    }
  tt_roofline_add_legend (self, legend, texts);
  tt_frame_begin (&drawing.frame, out, &self->head, (const TtLegendEntry *) (const void *) legend->data, legend->len,
                  tt_frame_left (10), HEIGHT + TT_PX (24), TT_FRAME_AXIS);
  drawing.frame.top += TT_PX (24);
  drawing.frame.height = HEIGHT;
  drawing.frame.width -= TT_PX (16);
  tt_roofline_find_axes (&drawing);
  draw_axes (&drawing);
  for (guint i = 0; i < self->series->len; i++)
    if (tt_roofline_roof (self, i)->peak_ns > 0)
      {
        draw_roof (&drawing, i);
        g_array_append_val (order, i);
      }
  draw_points (&drawing);
  g_array_sort_with_data (order, compare_peaks, self);
  draw_labels (&drawing, (const guint *) (const void *) order->data, order->len);
  tt_frame_end (&drawing.frame);
}
