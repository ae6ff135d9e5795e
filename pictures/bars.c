/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "pictures/bars.h"

#include "pictures/text.h"

#define MAX_LABEL 24u
#define AXIS_STEPS 10u

void
tt_bar_chart_init (TtBarChart *self, const char *title)
{
  *self = (TtBarChart){ .axis_title = "time", .row_word = "rank" };
  tt_picture_head_init (&self->head, title);
  self->parts = g_array_new (FALSE, FALSE, sizeof (TtLegendEntry));
  self->labels = g_ptr_array_new_with_free_func (g_free);
  self->values = g_array_new (FALSE, TRUE, sizeof (tt_int128));
}

void
tt_bar_chart_clear (TtBarChart *self)
{
  tt_picture_head_clear (&self->head);
  g_clear_pointer (&self->parts, g_array_unref);
  g_clear_pointer (&self->labels, g_ptr_array_unref);
  g_clear_pointer (&self->values, g_array_unref);
}

void
tt_bar_chart_add_part (TtBarChart *self, const char *name, const char *css_class)
{
  const TtLegendEntry part = { name, css_class };

  g_array_append_val (self->parts, part);
}

static tt_int128 *
row_at (const TtBarChart *self, guint row)
{
  return &g_array_index (self->values, tt_int128, row * self->parts->len);
}

tt_int128 *
tt_bar_chart_add_row (TtBarChart *self, const char *label)
{
  g_ptr_array_add (self->labels, g_strdup (label == NULL ? "?" : label));
  g_array_set_size (self->values, self->labels->len * self->parts->len);
  return row_at (self, self->labels->len - 1);
}

tt_int128 *
tt_bar_chart_row (TtBarChart *self, guint row)
{
  return row_at (self, row);
}

char *
tt_percent_text (char buffer[TT_PERCENT_TEXT], tt_int128 part, tt_int128 whole)
{
  gint64 permille = tt_scale (part, whole, 1000);

  g_snprintf (buffer, TT_PERCENT_TEXT, "%d.%d %%", (int) (permille / 10), (int) (permille % 10));
  return buffer;
}

/* -- folding ----------------------------------------------------------------------------------------------------- */

/* Adds up neighbours, @size at a time. */
static void
fold_rows (TtBarChart *self, guint size)
{
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  guint n_parts = self->parts->len, n = self->labels->len;

  for (guint first = 0; first < n; first += size)
    {
      guint last = MIN (first + size, n) - 1;
      tt_int128 *sum = row_at (self, labels->len);

      for (guint part = 0; part < n_parts; part++)
        {
          tt_int128 value = 0;

          for (guint row = first; row <= last; row++)
            value += row_at (self, row)[part];
          sum[part] = value;
        }
      g_ptr_array_add (labels, first == last ? g_strdup (self->labels->pdata[first])
                                             : g_strdup_printf ("%s .. %s", (const char *) self->labels->pdata[first],
                                                                (const char *) self->labels->pdata[last]));
    }
  tt_picture_head_note (&self->head, "%u %ss: a bar is the sum of %u neighbours.", n, self->row_word, size);
  g_ptr_array_set_size (self->labels, 0);
  for (guint i = 0; i < labels->len; i++)
    g_ptr_array_add (self->labels, g_strdup (labels->pdata[i]));
}

static gboolean
has_part (const TtBarChart *self, guint part)
{
  for (guint row = 0; row < self->labels->len; row++)
    if (row_at (self, row)[part] > 0)
      return TRUE;
  return FALSE;
}

/* -- drawing ----------------------------------------------------------------------------------------------------- */

static tt_int128
row_sum (const TtBarChart *self, guint row)
{
  tt_int128 sum = 0;

  for (guint part = 0; part < self->parts->len; part++)
    sum += row_at (self, row)[part];
  return sum;
}

static void
draw_part (const TtBarChart *self, const TtFrame *frame, guint row, guint part, gint64 x, gint64 y, gint64 w, gint64 h)
{
  const TtLegendEntry *entry = &g_array_index (self->parts, TtLegendEntry, part);
  const char *label = self->labels->pdata[row];
  g_autofree char *css_class = g_strconcat ("cut ", entry->css_class, NULL);
  char text[TT_QUANTITY_TEXT], percent[TT_PERCENT_TEXT];
  tt_int128 value = row_at (self, row)[part];
  g_autofree char *tooltip = g_strdup_printf ("%s %s, %s: %s (%s)", self->row_word, label, entry->name,
                                              tt_quantity_text (text, self->quantity, value),
                                              tt_percent_text (percent, value, row_sum (self, row)));

  tt_svg_open_rect (frame->out, css_class, x, y, w, h);
  tt_svg_data_text (frame->out, "row", label);
  tt_svg_data_text (frame->out, "part", entry->name);
  tt_svg_data (frame->out, "value", value);
  tt_svg_tooltip (frame->out, "rect", tooltip);
}

static void
draw_row (const TtBarChart *self, const TtFrame *frame, const TtAxis *axis, guint row, gint64 pitch, guint n_label)
{
  gint64 y = frame->top + pitch * row + pitch / 8, height = pitch * 3 / 4;
  tt_int128 before = 0;

  tt_svg_text (frame->out, "r", frame->left - TT_PX (8), y + height / 2 + TT_PX (4), self->labels->pdata[row], n_label);
  for (guint part = 0; part < self->parts->len; part++)
    {
      tt_int128 value = row_at (self, row)[part];
      gint64 x = tt_axis_place (axis, before), end = tt_axis_place (axis, before + value);

      before += value;
      if (value > 0)
        draw_part (self, frame, row, part, frame->left + x, y, end - x, height);
    }
}

/* As many as a picture has, their longest label and bar. */
static void
prepare_rows (TtBarChart *self, guint *n_label, tt_int128 *longest)
{
  if (self->labels->len > TT_BARS_MAX_ROWS)
    fold_rows (self, (self->labels->len + TT_BARS_MAX_ROWS - 1) / TT_BARS_MAX_ROWS);
  for (guint row = 0; row < self->labels->len; row++)
    {
      *n_label = MAX (*n_label, tt_svg_chars (tt_svg_width (self->labels->pdata[row])));
      *longest = MAX (*longest, row_sum (self, row));
    }
}

void
tt_bar_chart_write (TtBarChart *self, TtOutput *out)
{
  g_autoptr (GArray) legend = g_array_new (FALSE, FALSE, sizeof (TtLegendEntry));
  guint n_label = 4;
  tt_int128 longest = 0;
  TtFrame frame;
  TtAxis axis;

  if (self->labels->len == 0)
    {
      tt_frame_write_empty (out, &self->head);
      return;
    }
  prepare_rows (self, &n_label, &longest);
  n_label = MIN (n_label, MAX_LABEL);
  for (guint part = 0; part < self->parts->len; part++)
    if (has_part (self, part))
      g_array_append_val (legend, g_array_index (self->parts, TtLegendEntry, part));

  gint64 pitch = self->labels->len > 24 ? TT_PX (16) : TT_PX (26);
  tt_frame_begin (&frame, out, &self->head, (const TtLegendEntry *) (const void *) legend->data, legend->len,
                  tt_frame_left (n_label), pitch * self->labels->len, TT_FRAME_AXIS);
  tt_axis_init (&axis, self->quantity, longest, AXIS_STEPS, frame.width);
  tt_frame_x_axis (&frame, &axis, self->axis_title);
  for (guint row = 0; row < self->labels->len; row++)
    draw_row (self, &frame, &axis, row, pitch, n_label);
  tt_svg_line (out, "edge", frame.left, frame.top, frame.left, frame.top + frame.height);
  tt_frame_end (&frame);
}

/* -- with letters ------------------------------------------------------------------------------------------------ */

#define TEXT_COLUMNS 1000u
#define SUM_ROOM 16u

static const char part_letters[] = "#o=+x*~-.";

static gunichar
letter_of (guint part)
{
  return (guchar) part_letters[part % (sizeof part_letters - 1)];
}

/* Ends of parts are rounded up, so that what is there is seen. */
static void
write_text_row (const TtBarChart *self, TtTextChart *chart, guint row, tt_int128 longest)
{
  g_autofree gunichar *cells = g_new (gunichar, chart->n_columns);
  guint room = chart->n_columns > 2 * SUM_ROOM ? chart->n_columns - SUM_ROOM : chart->n_columns, filled = 0;
  char sum[TT_QUANTITY_TEXT];
  tt_int128 before = 0;

  for (guint i = 0; i < chart->n_columns; i++)
    cells[i] = ' ';
  for (guint part = 0; part < self->parts->len; part++)
    {
      before += row_at (self, row)[part];
      for (guint end = (guint) ((before * room + longest - 1) / longest); filled < end; filled++)
        cells[filled] = letter_of (part);
    }
  tt_quantity_text (sum, self->quantity, before);
  for (guint i = 0; sum[i] != '\0' && filled + 1 + i < chart->n_columns; i++)
    cells[filled + 1 + i] = (guchar) sum[i];
  tt_text_chart_row (chart, self->labels->pdata[row], cells);
}

void
tt_bar_chart_write_text (TtBarChart *self, TtOutput *out, guint width)
{
  g_autoptr (GString) legend = g_string_new (self->axis_title);
  gboolean is_first = TRUE;
  tt_int128 longest = 0;
  guint n_label = 4;
  TtTextChart chart;

  prepare_rows (self, &n_label, &longest);
  tt_text_chart_begin (&chart, out, &self->head, width, MIN (n_label, MAX_LABEL), longest == 0 ? 0 : TEXT_COLUMNS);
  for (guint row = 0; row < self->labels->len && longest > 0; row++)
    write_text_row (self, &chart, row, longest);
  for (guint part = 0; part < self->parts->len && self->parts->len > 1; part++)
    if (has_part (self, part))
      {
        g_string_append_printf (legend, "%s%c %s", is_first ? ": " : ", ", (char) letter_of (part),
                                g_array_index (self->parts, TtLegendEntry, part).name);
        is_first = FALSE;
      }
  g_autofree char *line = g_strdup_printf ("by %s; %s", self->row_word, legend->str);
  if (longest > 0)
    tt_text_chart_line (&chart, line);
  tt_text_chart_end (&chart);
}
