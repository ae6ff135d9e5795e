/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "pictures/lanes.h"

#include "pictures/text.h"

#define MAX_COLUMNS 880
#define MIN_LABEL 4u
#define MAX_LABEL 20u
#define AXIS_STEPS 10u
#define LEVELS 4

void
tt_lane_chart_init (TtLaneChart *self,
                    const char *title,
                    gint64 begin,
                    gint64 end,
                    guint n_lanes,
                    const TtLegendEntry *parts,
                    guint n_parts)
{
  *self = (TtLaneChart){ .begin = begin, .end = end, .n_lanes = n_lanes, .parts = parts, .n_parts = n_parts };
  self->x_title = "time since the start of the run or window";
  tt_picture_head_init (&self->head, title);
  self->n_columns = (guint) MIN ((tt_int128) end - begin, MAX_COLUMNS);
  self->labels = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_set_size (self->labels, (gint) n_lanes);
  self->n_members = g_new0 (guint, (gsize) n_lanes + 1);
  self->spent = g_new0 (gint64, (gsize) n_lanes * self->n_columns * n_parts + 1);
  self->sums = g_new0 (tt_int128, (gsize) n_lanes * n_parts + 1);
}

void
tt_lane_chart_clear (TtLaneChart *self)
{
  tt_picture_head_clear (&self->head);
  g_clear_pointer (&self->labels, g_ptr_array_unref);
  g_clear_pointer (&self->n_members, g_free);
  g_clear_pointer (&self->spent, g_free);
  g_clear_pointer (&self->sums, g_free);
}

void
tt_lane_chart_add_member (TtLaneChart *self, guint lane, const char *label)
{
  char *before = self->labels->pdata[lane];
  const char *name = label == NULL ? "?" : label;

  if (self->n_members[lane]++ == 0)
    self->labels->pdata[lane] = g_strdup (name);
  else
    {
      const char *dots = g_strstr_len (before, -1, "\x1f");
      g_autofree char *first = dots == NULL ? g_strdup (before) : g_strndup (before, (gsize) (dots - before));

      self->labels->pdata[lane] =
          g_strcmp0 (first, name) == 0 ? g_strdup (first) : g_strconcat (first, "\x1f", name, NULL);
      g_free (before);
    }
}

/* -- columns ------------------------------------------------------------------------------------------------------ */

static guint
column_of (const TtLaneChart *self, gint64 at)
{
  return (guint) (((tt_int128) at - self->begin) * self->n_columns / ((tt_int128) self->end - self->begin));
}

/* The first moment of a column. */
static gint64
begin_of (const TtLaneChart *self, guint column)
{
  tt_int128 length = (tt_int128) self->end - self->begin;

  return (gint64) (self->begin + (length * column + self->n_columns - 1) / self->n_columns);
}

static gint64 *
spent_at (const TtLaneChart *self, guint lane, guint column)
{
  return &self->spent[((gsize) lane * self->n_columns + column) * self->n_parts];
}

void
tt_lane_chart_add (TtLaneChart *self, guint lane, guint part, gint64 begin, gint64 end)
{
  begin = MAX (begin, self->begin);
  end = MIN (end, self->end);
  if (begin >= end)
    return;
  self->sums[(gsize) lane * self->n_parts + part] += end - begin;
  for (guint column = column_of (self, begin); begin < end; column++)
    {
      gint64 until = column + 1 < self->n_columns ? MIN (begin_of (self, column + 1), end) : end;

      spent_at (self, lane, column)[part] += until - begin;
      begin = until;
    }
}

/* -- drawing ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  guint part;  /* n_parts: nothing */
  guint level; /* quarters */
} Look;

static Look
look_of (const TtLaneChart *self, guint lane, guint column)
{
  const gint64 *spent = spent_at (self, lane, column);
  gint64 next = column + 1 < self->n_columns ? begin_of (self, column + 1) : self->end;
  tt_int128 room = ((tt_int128) next - begin_of (self, column)) * MAX (self->n_members[lane], 1), busy = 0;
  Look look = { self->n_parts, 0 };

  for (guint part = 0; part < self->n_parts; part++)
    {
      busy += spent[part];
      if (spent[part] > 0 && (look.part == self->n_parts || spent[part] > spent[look.part]))
        look.part = part;
    }
  if (busy > 0)
    look.level = (guint) CLAMP ((busy * LEVELS + room - 1) / room, 1, LEVELS);
  return look;
}

static gint64
x_of (const TtLaneChart *self, const TtFrame *frame, guint column)
{
  return frame->left + frame->width * (gint64) column / self->n_columns;
}

/* Columns that look alike, side by side, are one rectangle. */
static void
draw_columns (const TtLaneChart *self,
              const TtFrame *frame,
              guint lane,
              guint part,
              const Look *looks,
              gint64 y,
              gint64 height)
{
  TtOutput *out = frame->out;
  guint first = 0;

  for (guint column = 0; column < self->n_columns; column = first)
    {
      first = column + 1;
      if (looks[column].part != part)
        continue;
      while (first < self->n_columns && looks[first].part == part && looks[first].level == looks[column].level)
        first++;
      gint64 x = x_of (self, frame, column), width = x_of (self, frame, first) - x;
      gint64 high = height * looks[column].level / LEVELS;

      tt_output_literal (out, "M");
      tt_svg_length (out, x);
      tt_output_literal (out, " ");
      tt_svg_length (out, y + height - high);
      tt_output_literal (out, "h");
      tt_svg_length (out, width);
      tt_output_literal (out, "v");
      tt_svg_length (out, high);
      tt_output_literal (out, "h");
      tt_svg_length (out, -width);
      tt_output_literal (out, "z");
    }
}

static tt_int128
sum_of (const TtLaneChart *self, guint lane, guint part)
{
  return self->sums[(gsize) lane * self->n_parts + part];
}

static void
draw_part (const TtLaneChart *self,
           const TtFrame *frame,
           guint lane,
           guint part,
           const Look *looks,
           gint64 y,
           gint64 height)
{
  TtOutput *out = frame->out;
  char value[TT_QUANTITY_TEXT];

  tt_output_printf (out, "<path class=\"%s\"", self->parts[part].css_class);
  tt_svg_data_text (out, "lane", self->labels->pdata[lane]);
  tt_svg_data_text (out, "part", self->parts[part].name);
  tt_svg_data (out, "value", sum_of (self, lane, part));
  tt_output_literal (out, " d=\"");
  draw_columns (self, frame, lane, part, looks, y, height);
  tt_output_literal (out, "\"><title>");
  tt_svg_escape (out, self->labels->pdata[lane], TT_PICTURE_TOOLTIP);
  tt_output_printf (out, ", %s: %s in all</title></path>\n", self->parts[part].name,
                    tt_quantity_text (value, self->quantity, sum_of (self, lane, part)));
}

static void
draw_lane (const TtLaneChart *self, const TtFrame *frame, guint lane, guint row, gint64 pitch, guint n_label)
{
  g_autofree Look *looks = g_new (Look, (gsize) self->n_columns + 1);
  gint64 y = frame->top + pitch * row + TT_PX (1), height = pitch - TT_PX (3);

  for (guint column = 0; column < self->n_columns; column++)
    looks[column] = look_of (self, lane, column);
  tt_svg_text (frame->out, "r", frame->left - TT_PX (8), y + height / 2 + TT_PX (4), self->labels->pdata[lane],
               n_label);
  tt_svg_open_rect (frame->out, "none", frame->left, y, frame->width, height);
  tt_output_literal (frame->out, "/>\n");
  for (guint part = 0; part < self->n_parts; part++)
    if (sum_of (self, lane, part) > 0)
      draw_part (self, frame, lane, part, looks, y, height);
}

static gboolean
has_lane (const TtLaneChart *self, guint lane)
{
  for (guint part = 0; part < self->n_parts; part++)
    if (sum_of (self, lane, part) > 0)
      return TRUE;
  return FALSE;
}

gboolean
tt_lane_chart_is_empty (const TtLaneChart *self)
{
  for (guint lane = 0; lane < self->n_lanes; lane++)
    if (has_lane (self, lane))
      return FALSE;
  return TRUE;
}

static gboolean
has_part (const TtLaneChart *self, guint part)
{
  for (guint lane = 0; lane < self->n_lanes; lane++)
    if (sum_of (self, lane, part) > 0)
      return TRUE;
  return FALSE;
}

/* "first .. last". */
static void
settle_label (TtLaneChart *self, guint lane)
{
  char *label = self->labels->pdata[lane];
  g_auto (GStrv) ends = g_strsplit (label == NULL ? "?" : label, "\x1f", 2);

  self->labels->pdata[lane] = g_strjoinv (" .. ", ends);
  g_free (label);
}

static void
draw_mark (const TtLaneChart *self, const TtFrame *frame)
{
  tt_int128 since = (tt_int128) self->mark - self->begin;
  gint64 x = frame->left + tt_scale (since, (tt_int128) self->end - self->begin, frame->width);
  gboolean is_right = x > frame->left + frame->width / 2;
  TtOutput *out = frame->out;
  char value[TT_QUANTITY_TEXT];

  tt_svg_line (out, "mark", x, frame->top - TT_PX (10), x, frame->top + frame->height);
  tt_output_printf (out, "<text%s", is_right ? " class=\"r\"" : "");
  tt_svg_attribute (out, "x", is_right ? x - TT_PX (5) : x + TT_PX (5));
  tt_svg_attribute (out, "y", frame->top - TT_PX (3));
  tt_svg_data (out, "mark", since);
  tt_output_printf (out, ">%s %s</text>\n", self->mark_name, tt_quantity_text (value, self->quantity, since));
}

/* Lanes that are drawn; @n_label: letters that the longest of their names takes, at most. */
static guint
settle_labels (TtLaneChart *self, guint *n_label)
{
  guint n_rows = 0;

  *n_label = MIN_LABEL;
  for (guint lane = 0; lane < self->n_lanes; lane++)
    if (has_lane (self, lane))
      {
        settle_label (self, lane);
        n_rows++;
        *n_label = MAX (*n_label, tt_svg_chars (tt_svg_width (self->labels->pdata[lane])));
      }
  *n_label = MIN (*n_label, MAX_LABEL);
  return n_rows;
}

void
tt_lane_chart_write (TtLaneChart *self, TtOutput *out)
{
  g_autoptr (GArray) legend = g_array_new (FALSE, FALSE, sizeof (TtLegendEntry));
  guint n_label;
  TtFrame frame;
  TtAxis axis;

  const guint n_rows = settle_labels (self, &n_label);
  if (tt_lane_chart_is_empty (self))
    {
      tt_frame_write_empty (out, &self->head);
      return;
    }
  for (guint part = 0; part < self->n_parts; part++)
    if (has_part (self, part))
      g_array_append_val (legend, self->parts[part]);

  gint64 pitch = n_rows > 24 ? TT_PX (14) : TT_PX (24), above = self->has_mark ? TT_PX (14) : 0;
  tt_frame_begin (&frame, out, &self->head, (const TtLegendEntry *) (const void *) legend->data, legend->len,
                  tt_frame_left (n_label), pitch * n_rows + above, TT_FRAME_AXIS);
  frame.top += above;
  frame.height -= above;
  tt_axis_init (&axis, self->quantity, (tt_int128) self->end - self->begin, AXIS_STEPS, frame.width);
  axis.length = (gint64) MIN ((tt_int128) frame.width * axis.end / ((tt_int128) self->end - self->begin), G_MAXINT32);
  tt_frame_x_axis (&frame, &axis, self->x_title);
  for (guint lane = 0, row = 0; lane < self->n_lanes; lane++)
    if (has_lane (self, lane))
      draw_lane (self, &frame, lane, row++, pitch, n_label);
  if (self->has_mark)
    draw_mark (self, &frame);
  tt_frame_end (&frame);
}

/* -- with letters ------------------------------------------------------------------------------------------------ */

/* How much of a letter, which stands for columns @from to before @to, is busy. */
static guint
level_of (const TtLaneChart *self, guint lane, guint from, guint to)
{
  gint64 until = to < self->n_columns ? begin_of (self, to) : self->end;
  tt_int128 room = ((tt_int128) until - begin_of (self, from)) * MAX (self->n_members[lane], 1), busy = 0;

  for (guint column = from; column < to; column++)
    for (guint part = 0; part < self->n_parts; part++)
      busy += spent_at (self, lane, column)[part];
  return busy <= 0 || room <= 0 ? 0 : (guint) CLAMP ((busy * TT_TEXT_LEVELS + room - 1) / room, 1, TT_TEXT_LEVELS);
}

static void
write_lane (const TtLaneChart *self, TtTextChart *chart, guint lane)
{
  g_autofree gunichar *cells = g_new (gunichar, (gsize) chart->n_columns + 1);

  for (guint i = 0; i < chart->n_columns; i++)
    cells[i] = tt_text_level (
        level_of (self, lane, i * self->n_columns / chart->n_columns, (i + 1) * self->n_columns / chart->n_columns));
  tt_text_chart_row (chart, self->labels->pdata[lane], cells);
}

/* A row with a letter where the mark is. */
static void
write_mark (const TtLaneChart *self, TtTextChart *chart)
{
  g_autofree gunichar *cells = g_new (gunichar, (gsize) chart->n_columns + 1);
  tt_int128 since = (tt_int128) self->mark - self->begin, length = (tt_int128) self->end - self->begin;
  guint at = (guint) CLAMP (since * chart->n_columns / length, 0, chart->n_columns - 1);

  for (guint i = 0; i < chart->n_columns; i++)
    cells[i] = i == at ? 'v' : ' ';
  tt_text_chart_row (chart, self->mark_name, cells);
}

void
tt_lane_chart_write_text (TtLaneChart *self, TtOutput *out, guint width)
{
  guint n_label;
  TtTextChart chart;
  TtAxis axis;

  const guint n_rows = settle_labels (self, &n_label);
  tt_text_chart_begin (&chart, out, &self->head, width, n_label, n_rows == 0 ? 0 : self->n_columns);
  if (n_rows > 0)
    {
      if (self->has_mark)
        write_mark (self, &chart);
      for (guint lane = 0; lane < self->n_lanes; lane++)
        if (has_lane (self, lane))
          write_lane (self, &chart, lane);
      tt_axis_init (&axis, self->quantity, (tt_int128) self->end - self->begin, AXIS_STEPS / 2, 0);
      tt_text_chart_axis (&chart, &axis, (tt_int128) self->end - self->begin, self->x_title);
      tt_picture_head_note (&self->head, "A letter is the higher, or darker, the more of its time was busy.");
    }
  tt_text_chart_end (&chart);
}
