/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "pictures/roofline.h"

#include "pictures/log-scale.h"
#include "pictures/text.h"
#include "src/base/compare.h"

#define HEIGHT TT_PX (440)
#define NS_PER_S 1000000000
#define LABEL_ROOM TT_PX (13)
#define TEXT_LINES 20u
/* Series with a colour of their own; the rest has the last. */
#define MAX_SERIES TT_PICTURE_GREY
/* More series than these are one. */
#define MAX_NAMES 24u

typedef struct
{
  guint64 key; /* series, bucket of the size, bucket of the bandwidth */
  guint64 count;
  tt_int128 bytes, ns;
} Cell;

typedef struct
{
  guint64 count;
  tt_int128 bytes;            /* of all */
  gint64 peak_bytes, peak_ns; /* of the fastest */
  gint64 latency_ns;          /* the shortest time */
  gint64 least, most;         /* size, of those that have any */
} Roof;

void
tt_roofline_init (TtRoofline *self, const char *title)
{
  *self = (TtRoofline){ .series = g_ptr_array_new_with_free_func (g_free) };
  tt_picture_head_init (&self->head, title);
  self->cells = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  self->roofs = g_array_new (FALSE, TRUE, sizeof (Roof));
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
  if (i >= MAX_NAMES - 1 && i == self->series->len && g_strcmp0 (series, "others") != 0)
    return number_of (self, "others");
  if (i == self->series->len)
    {
      const Roof roof = { .least = G_MAXINT64, .latency_ns = G_MAXINT64 };
      g_ptr_array_add (self->series, g_strdup (series));
      g_array_append_val (self->roofs, roof);
    }
  return i;
}

static tt_int128
bandwidth (tt_int128 bytes, tt_int128 ns)
{
  return ns <= 0 ? 0 : bytes * NS_PER_S / ns;
}

void
tt_roofline_add (TtRoofline *self, const char *series, gint64 bytes, gint64 ns)
{
  guint number = number_of (self, series);
  Roof *roof = &g_array_index (self->roofs, Roof, number);
  guint64 key = (guint64) number << 16 | tt_log_bucket (bytes) << 8 | tt_log_bucket (bandwidth (bytes, ns));

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
  Cell *cell = g_hash_table_lookup (self->cells, &key);
  if (cell == NULL)
    {
      cell = g_new0 (Cell, 1);
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

typedef struct
{
  const TtRoofline *chart;
  TtFrame frame;
  TtLogAxis x, y;
  guint64 most; /* transfers of a point */
} Drawing;

static const Roof *
roof_at (const TtRoofline *self, guint series)
{
  return &g_array_index (self->roofs, Roof, series);
}

static guint
colour_of (guint series)
{
  return MIN (series, MAX_SERIES);
}

static gint64
x_of (const Drawing *self, tt_int128 bytes)
{
  return self->frame.left + tt_log_axis_place (&self->x, bytes);
}

static gint64
y_of (const Drawing *self, tt_int128 bytes_per_s)
{
  return self->frame.top + self->frame.height - tt_log_axis_place (&self->y, bytes_per_s);
}

static char *
bandwidth_text (char buffer[TT_QUANTITY_TEXT], tt_int128 bytes, tt_int128 ns)
{
  tt_quantity_text (buffer, TT_QUANTITY_BYTES, bandwidth (bytes, ns));
  g_strlcat (buffer, "/s", TT_QUANTITY_TEXT);
  return buffer;
}

static void
draw_axes (const Drawing *self)
{
  const TtFrame *frame = &self->frame;
  gint64 bottom = frame->top + frame->height, right = frame->left + frame->width, used = G_MININT64;
  char text[TT_QUANTITY_TEXT];

  for (guint tick = 0; tick <= self->x.n; tick++)
    {
      gint64 x = x_of (self, tt_log_axis_tick (&self->x, tick));
      tt_svg_line (frame->out, "grid", x, frame->top, x, bottom);
      tt_frame_tick (frame, x, &used, tt_log_text (text, TT_QUANTITY_BYTES, tt_log_axis_tick (&self->x, tick)));
    }
  for (guint tick = 0; tick <= self->y.n; tick++)
    {
      gint64 y = y_of (self, tt_log_axis_tick (&self->y, tick));
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
draw_point (const Drawing *self, const Cell *cell)
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
  tt_svg_attribute (out, "cx", x_of (self, cell->bytes / cell->count));
  tt_svg_attribute (out, "cy", y_of (self, bandwidth (cell->bytes, cell->ns)));
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

/* The size above which the bandwidth bounds a transfer, below which the latency does. */
static tt_int128
knee_of (const Roof *roof)
{
  return (tt_int128) roof->peak_bytes * roof->latency_ns / roof->peak_ns;
}

static void
draw_roof (const Drawing *self, guint series)
{
  TtOutput *out = self->frame.out;
  const Roof *roof = roof_at (self->chart, series);
  tt_int128 begin = tt_log_axis_tick (&self->x, 0), end = tt_log_axis_tick (&self->x, self->x.n);
  tt_int128 peak = bandwidth (roof->peak_bytes, roof->peak_ns), lowest = tt_log_axis_tick (&self->y, 0);
  /* Where the slope comes up from below the axis. */
  tt_int128 from = MAX (begin, lowest * roof->latency_ns / NS_PER_S);
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
  add_corner (out, "M", x_of (self, from), y_of (self, bandwidth (from, roof->latency_ns)));
  if (knee_of (roof) > from)
    add_corner (out, "L", x_of (self, knee_of (roof)), y_of (self, peak));
  add_corner (out, "L", x_of (self, end), y_of (self, peak));
  tt_output_literal (out, "\"");
  tt_svg_tooltip (out, "path", text);
}

/* What the flat parts stand for, at their right ends, from the top down; one without room is in the legend only. */
static void
draw_labels (const Drawing *self, const guint *order, guint n)
{
  gint64 right = self->frame.left + self->frame.width - TT_PX (4), used = G_MININT64 / 2;
  char speed[TT_QUANTITY_TEXT];

  for (guint i = 0; i < n; i++)
    {
      const Roof *roof = roof_at (self->chart, order[i]);
      gint64 y = y_of (self, bandwidth (roof->peak_bytes, roof->peak_ns)) - TT_PX (4);

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
  const Roof *first = roof_at (data, x), *second = roof_at (data, y);
  tt_int128 one = (tt_int128) first->peak_bytes * second->peak_ns;
  tt_int128 other = (tt_int128) second->peak_bytes * first->peak_ns;

  return one != other ? TT_COMPARE (other, one) : TT_COMPARE (x, y);
}

static int
compare_cells (gconstpointer a, gconstpointer b)
{
  const Cell *x = *(const Cell *const *) a, *y = *(const Cell *const *) b;

  /* Large ones below. */
  return x->count != y->count ? TT_COMPARE (y->count, x->count) : TT_COMPARE (x->key, y->key);
}

static void
draw_points (const Drawing *self)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer cell;

  g_hash_table_iter_init (&iter, self->chart->cells);
  while (g_hash_table_iter_next (&iter, NULL, &cell))
    g_ptr_array_add (cells, cell);
  g_ptr_array_sort (cells, compare_cells);
  for (guint i = 0; i < cells->len; i++)
    draw_point (self, cells->pdata[i]);
}

static void
find_axes (Drawing *self)
{
  const TtRoofline *chart = self->chart;
  tt_int128 least = G_MAXINT64, most = 1, slowest = 0, fastest = 1;
  GHashTableIter iter;
  gpointer value;

  for (guint i = 0; i < chart->roofs->len; i++)
    if (roof_at (chart, i)->peak_ns > 0)
      {
        least = MIN (least, roof_at (chart, i)->least);
        most = MAX (most, roof_at (chart, i)->most);
      }
  g_hash_table_iter_init (&iter, chart->cells);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Cell *cell = value;
      tt_int128 speed = MAX (bandwidth (cell->bytes, cell->ns), 1);
      slowest = slowest == 0 ? speed : MIN (slowest, speed);
    }
  for (guint i = 0; i < chart->roofs->len; i++)
    fastest = MAX (fastest, bandwidth (roof_at (chart, i)->peak_bytes, roof_at (chart, i)->peak_ns));
  tt_log_axis_init (&self->x, MIN (least, most), most, self->frame.width);
  tt_log_axis_init (&self->y, MAX (slowest, 1), fastest, self->frame.height);
}

/* "H2D: to 12.3 GB/s, from 2.4 us" */
static void
add_legend (const TtRoofline *self, GArray *legend, GPtrArray *texts)
{
  static const char *const classes[] = { "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8" };

  for (guint i = 0; i < self->series->len; i++)
    {
      const Roof *roof = roof_at (self, i);
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
  Drawing drawing = { .chart = self };

  if (self->n_empty > 0)
    tt_picture_head_note (&self->head, "%" G_GUINT64_FORMAT " transfers of 0 bytes are no points.", self->n_empty);
  add_legend (self, legend, texts);
  tt_frame_begin (&drawing.frame, out, &self->head, (const TtLegendEntry *) (const void *) legend->data, legend->len,
                  tt_frame_left (10), HEIGHT + TT_PX (24), TT_FRAME_AXIS);
  drawing.frame.top += TT_PX (24);
  drawing.frame.height = HEIGHT;
  drawing.frame.width -= TT_PX (16);
  find_axes (&drawing);
  draw_axes (&drawing);
  for (guint i = 0; i < self->series->len; i++)
    if (roof_at (self, i)->peak_ns > 0)
      {
        draw_roof (&drawing, i);
        g_array_append_val (order, i);
      }
  draw_points (&drawing);
  g_array_sort_with_data (order, compare_peaks, self);
  draw_labels (&drawing, (const guint *) (const void *) order->data, order->len);
  tt_frame_end (&drawing.frame);
}

/* -- with letters ------------------------------------------------------------------------------------------------ */

typedef struct
{
  Drawing drawing; /* a letter is a pixel wide and high */
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
  gunichar letter = 'a' + MIN (series, MAX_NAMES);

  return count >= 10 ? g_unichar_toupper (letter) : letter;
}

static void
set_roof (Letters *self, guint series)
{
  const Drawing *drawing = &self->drawing;
  const Roof *roof = roof_at (drawing->chart, series);
  tt_int128 begin = tt_log_axis_tick (&drawing->x, 0), lowest = tt_log_axis_tick (&drawing->y, 0);
  tt_int128 from = MAX (begin, lowest * roof->latency_ns / NS_PER_S);
  gint64 top = y_of (drawing, bandwidth (roof->peak_bytes, roof->peak_ns));
  gint64 x1 = x_of (drawing, from), y1 = y_of (drawing, bandwidth (from, roof->latency_ns));
  gint64 x2 = MAX (x_of (drawing, knee_of (roof)), x1), y2 = top;

  for (gint64 x = x1; x < x2; x += TT_PX (1))
    set_letter (self, x, y1 + (y2 - y1) * (x - x1) / (x2 - x1), '/');
  for (gint64 x = x2; x <= (gint64) (self->n_columns - 1) * TT_PX (1); x += TT_PX (1))
    set_letter (self, x, top, '-');
}

static void
set_points (Letters *self)
{
  const TtRoofline *chart = self->drawing.chart;
  g_autoptr (GPtrArray) cells = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, chart->cells);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    g_ptr_array_add (cells, value);
  g_ptr_array_sort (cells, compare_cells);
  for (guint i = cells->len; i > 0; i--)
    {
      const Cell *cell = cells->pdata[i - 1];

      set_letter (self, x_of (&self->drawing, cell->bytes / cell->count),
                  y_of (&self->drawing, bandwidth (cell->bytes, cell->ns)),
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
        if ((y_of (&self->drawing, tt_log_axis_tick (&self->drawing.y, tick)) + TT_PX (1) / 2) / TT_PX (1) == line)
          {
            label = tt_log_text (buffer, TT_QUANTITY_BYTES, tt_log_axis_tick (&self->drawing.y, tick));
            g_strlcat (buffer, "/s", sizeof buffer);
          }
      tt_text_chart_row (chart, label, self->cells + (gsize) line * self->n_columns);
    }
  for (guint tick = 0; tick <= self->drawing.x.n; tick++)
    {
      gint64 column = (x_of (&self->drawing, tt_log_axis_tick (&self->drawing.x, tick)) + TT_PX (1) / 2) / TT_PX (1);

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
  find_axes (&letters.drawing);
  for (guint i = 0; i < self->series->len; i++)
    if (roof_at (self, i)->peak_ns > 0)
      set_roof (&letters, i);
  set_points (&letters);
  write_letters (&letters, chart);
  add_legend (self, legend, texts);
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
