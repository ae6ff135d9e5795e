/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "pictures/page-map.h"

#include "pictures/shades.h"
#include "pictures/text.h"

#define HEIGHT TT_PX (480)
#define MAX_LABEL 26u
#define AXIS_STEPS 10u

void
tt_page_map_init (TtPageMap *self, const char *title, guint n_pages, gint64 first, gint64 last)
{
  *self = (TtPageMap){ .n_pages = n_pages, .x_title = "time", .begin = first, .length = (tt_int128) last - first + 1 };
  tt_picture_head_init (&self->head, title);
  self->fold = MAX ((n_pages + TT_PAGE_MAP_ROWS - 1) / TT_PAGE_MAP_ROWS, 1);
  self->n_rows = (n_pages + self->fold - 1) / self->fold;
  self->n_columns = (guint) CLAMP (self->length, 1, TT_PAGE_MAP_COLUMNS);
  self->counts = g_new0 (guint64, (gsize) self->n_rows * self->n_columns + 1);
  self->has_gap = g_new0 (gboolean, (gsize) self->n_rows + 1);
  self->labels = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_set_size (self->labels, (gint) self->n_rows);
}

void
tt_page_map_clear (TtPageMap *self)
{
  tt_picture_head_clear (&self->head);
  g_clear_pointer (&self->labels, g_ptr_array_unref);
  g_clear_pointer (&self->counts, g_free);
  g_clear_pointer (&self->has_gap, g_free);
}

void
tt_page_map_label (TtPageMap *self, guint page, const char *label, gboolean has_gap)
{
  guint row = page / self->fold;

  self->has_gap[row] |= has_gap;
  if (self->labels->pdata[row] == NULL)
    self->labels->pdata[row] = g_strdup (label);
}

void
tt_page_map_add (TtPageMap *self, guint page, gint64 time)
{
  guint column = (guint) (((tt_int128) time - self->begin) * self->n_columns / self->length);

  self->counts[(gsize) (page / self->fold) * self->n_columns + column]++;
}

/* -- drawing ----------------------------------------------------------------------------------------------------- */

static guint64
count_at (const TtPageMap *self, guint row, guint column)
{
  return self->counts[(gsize) row * self->n_columns + column];
}

/* The first moment of a column, from the begin of the picture. */
static tt_int128
begin_of (const TtPageMap *self, guint column)
{
  return (self->length * column + self->n_columns - 1) / self->n_columns;
}

static void
find_shades (TtShades *shades, const TtPageMap *self)
{
  guint64 least = 0, most = 0;

  for (gsize i = 0; i < (gsize) self->n_rows * self->n_columns; i++)
    if (self->counts[i] > 0)
      {
        least = least == 0 ? self->counts[i] : MIN (least, self->counts[i]);
        most = MAX (most, self->counts[i]);
      }
  tt_shades_init (shades, TT_QUANTITY_COUNT, least, most);
}

static gint64
x_of (const TtPageMap *self, const TtFrame *frame, guint column)
{
  return frame->left + frame->width * (gint64) column / self->n_columns;
}

static void
draw_cell (const TtPageMap *self,
           const TtFrame *frame,
           const TtShades *shades,
           guint row,
           guint column,
           gint64 y,
           gint64 size)
{
  guint64 count = count_at (self, row, column);
  gint64 x = x_of (self, frame, column);
  char times[TT_QUANTITY_TEXT], time[TT_QUANTITY_TEXT];
  guint last = MIN ((row + 1) * self->fold, self->n_pages) - 1;
  g_autofree char *pages = last == row * self->fold ? g_strdup_printf ("page %u", last)
                                                    : g_strdup_printf ("pages %u to %u", row * self->fold, last);
  g_autofree char *text = g_strdup_printf ("%s from %s on: %s accesses", pages,
                                           tt_quantity_text (time, self->quantity, begin_of (self, column)),
                                           tt_quantity_text (times, TT_QUANTITY_COUNT, count));

  tt_svg_open_rect (frame->out, tt_shades_class_of (shades, count), x, y, x_of (self, frame, column + 1) - x, size);
  tt_svg_data (frame->out, "page", row * self->fold);
  tt_svg_data (frame->out, "time", begin_of (self, column));
  tt_svg_data (frame->out, "count", count);
  tt_svg_tooltip (frame->out, "rect", text);
}

static void
draw_rows (const TtPageMap *self, const TtFrame *frame, const TtShades *shades, gint64 size)
{
  gint64 bottom = frame->top + size * self->n_rows, used = bottom + TT_PX (20);

  for (guint row = 0; row < self->n_rows; row++)
    {
      gint64 y = bottom - size * (row + 1);

      for (guint column = 0; column < self->n_columns; column++)
        if (count_at (self, row, column) > 0)
          draw_cell (self, frame, shades, row, column, y, size);
      if (self->has_gap[row] && row > 0)
        tt_svg_line (frame->out, "edge", frame->left, y + size, frame->left + frame->width, y + size);
      if (self->labels->pdata[row] == NULL || used - y - size < TT_PX (12))
        continue;
      used = y + size;
      tt_svg_text (frame->out, "r", frame->left - TT_PX (6), y + size - TT_PX (1), self->labels->pdata[row], MAX_LABEL);
    }
}

static void
note_fold (TtPageMap *self)
{
  if (self->fold > 1)
    tt_picture_head_note (&self->head, "%u pages were used: a row is the sum of %u neighbours.", self->n_pages,
                          self->fold);
}

void
tt_page_map_write (TtPageMap *self, TtOutput *out)
{
  g_autoptr (GArray) legend = g_array_new (FALSE, FALSE, sizeof (TtLegendEntry));
  guint n_label = 6;
  TtShades shades;
  TtFrame frame;
  TtAxis axis;

  if (self->n_rows == 0)
    {
      tt_frame_write_empty (out, &self->head);
      return;
    }
  note_fold (self);
  find_shades (&shades, self);
  tt_shades_add_legend (&shades, legend);
  for (guint row = 0; row < self->n_rows; row++)
    if (self->labels->pdata[row] != NULL)
      n_label = MAX (n_label, tt_svg_chars (tt_svg_width (self->labels->pdata[row])));
  gint64 size = CLAMP (HEIGHT / self->n_rows, TT_PX (5), TT_PX (18));
  tt_frame_begin (&frame, out, &self->head, (const TtLegendEntry *) (const void *) legend->data, legend->len,
                  tt_frame_left (MIN (n_label, MAX_LABEL)), size * self->n_rows + TT_PX (14), TT_FRAME_AXIS);
  frame.top += TT_PX (14);
  frame.height -= TT_PX (14);
  tt_svg_text (out, "axis", TT_PX (16), frame.top - TT_PX (6), "pages of memory", 0);
  tt_svg_open_rect (out, "none", frame.left, frame.top, frame.width, frame.height);
  tt_output_literal (out, "/>\n");
  tt_axis_init (&axis, self->quantity, self->length, AXIS_STEPS, frame.width);
  axis.length = (gint64) MIN ((tt_int128) frame.width * axis.end / self->length, G_MAXINT32);
  tt_frame_x_axis (&frame, &axis, self->x_title);
  draw_rows (self, &frame, &shades, size);
  tt_frame_end (&frame);
}

/* -- with letters ------------------------------------------------------------------------------------------------ */

/* Sums of cells that share a letter: @n_lines of @n_columns; the greatest and the least above 0. */
static guint64 *
sum_cells (const TtPageMap *self, guint n_lines, guint n_columns, guint64 *least, guint64 *most)
{
  guint64 *sums = g_new0 (guint64, (gsize) n_lines * n_columns + 1);

  *least = *most = 0;
  for (guint row = 0; row < self->n_rows; row++)
    for (guint column = 0; column < self->n_columns; column++)
      sums[(gsize) (row * n_lines / self->n_rows) * n_columns + column * n_columns / self->n_columns] +=
          count_at (self, row, column);
  for (gsize i = 0; i < (gsize) n_lines * n_columns; i++)
    if (sums[i] > 0)
      {
        *least = *least == 0 ? sums[i] : MIN (*least, sums[i]);
        *most = MAX (*most, sums[i]);
      }
  return sums;
}

/* The label of the lowest row of a line that has one; NULL: none. */
static const char *
label_of_line (const TtPageMap *self, guint line, guint n_lines)
{
  for (guint row = 0; row < self->n_rows; row++)
    if (row * n_lines / self->n_rows == line && self->labels->pdata[row] != NULL)
      return self->labels->pdata[row];
  return NULL;
}

static void
write_lines (const TtPageMap *self, TtTextChart *chart, guint n_lines)
{
  g_autofree gunichar *cells = g_new (gunichar, (gsize) chart->n_columns + 1);
  guint64 least, most;
  g_autofree guint64 *sums = sum_cells (self, n_lines, chart->n_columns, &least, &most);
  TtShades shades;
  TtAxis axis;

  tt_shades_init (&shades, TT_QUANTITY_COUNT, least, most);
  for (guint line = n_lines; line > 0; line--)
    {
      for (guint column = 0; column < chart->n_columns; column++)
        {
          guint64 sum = sums[(gsize) (line - 1) * chart->n_columns + column];
          cells[column] = tt_text_level (sum == 0 ? 0 : tt_shades_level_of (&shades, sum));
        }
      tt_text_chart_row (chart, label_of_line (self, line - 1, n_lines), cells);
    }
  tt_axis_init (&axis, self->quantity, self->length, AXIS_STEPS / 2, 0);
  tt_text_chart_axis (chart, &axis, self->length, self->x_title);
  g_autofree char *levels = tt_shades_text_legend (&shades);
  g_autofree char *legend = g_strconcat ("accesses: ", levels, NULL);
  tt_text_chart_line (chart, legend);
}

void
tt_page_map_write_text (TtPageMap *self, TtOutput *out, guint width)
{
  guint n_label = 6, n_lines = MIN (self->n_rows, TT_PAGE_MAP_LINES);
  TtTextChart chart;

  for (guint row = 0; row < self->n_rows; row++)
    if (self->labels->pdata[row] != NULL)
      n_label = MAX (n_label, tt_svg_chars (tt_svg_width (self->labels->pdata[row])));
  note_fold (self);
  if (n_lines < self->n_rows)
    tt_picture_head_note (&self->head, "%u rows: a line is of neighbours.", self->n_rows);
  tt_text_chart_begin (&chart, out, &self->head, width, n_label, self->n_rows == 0 ? 0 : self->n_columns);
  if (n_lines > 0)
    write_lines (self, &chart, n_lines);
  tt_text_chart_end (&chart);
}
