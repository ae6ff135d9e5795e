/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "pictures/frame.h"

#include <string.h>

#define MARGIN TT_PX (16)
#define LEGEND_ROW TT_PX (20)
#define NOTE_ROW TT_PX (16)
#define NOTE_CHARS 150u
#define LEGEND_CHARS 40u
#define TITLE_CHARS 76u
#define RUN_CHARS 126u
#define TICK_ROOM TT_PX (6)

/* -- the head ---------------------------------------------------------------------------------------------------- */

void
tt_picture_head_init (TtPictureHead *self, const char *title)
{
  *self = (TtPictureHead){ g_strdup (title), NULL, g_ptr_array_new_with_free_func (g_free) };
}

void
tt_picture_head_clear (TtPictureHead *self)
{
  g_free (self->title);
  g_free (self->run);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
}

void
tt_picture_head_note (TtPictureHead *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (self->notes, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

/* -- around the plot --------------------------------------------------------------------------------------------- */

/* Breaks at blanks; a word that is too long stays whole, and is cut when it is written. */
static void
wrap_note (GPtrArray *lines, const char *note)
{
  g_auto (GStrv) words = g_strsplit (note, " ", -1);
  GString *line = g_string_new (NULL);
  gsize n = 0;

  for (char **word = words; *word != NULL; word++)
    {
      gsize len = (gsize) g_utf8_strlen (*word, -1);

      if (n > 0 && n + 1 + len > NOTE_CHARS)
        {
          g_ptr_array_add (lines, g_string_free (line, FALSE));
          line = g_string_new ("   ");
          n = 3;
        }
      g_string_append_printf (line, "%s%s", n > 0 ? " " : "", *word);
      n += len + 1;
    }
  g_ptr_array_add (lines, g_string_free (line, FALSE));
}

static gint64
legend_width (const TtLegendEntry *entry)
{
  gint64 width = tt_svg_width (entry->name);

  return MIN (width, (gint64) LEGEND_CHARS * TT_PICTURE_CHAR * 10) + TT_PX (34);
}

/* Writes it where @out is not NULL. Returns its height. */
static gint64
lay_legend (TtOutput *out, const TtLegendEntry *legend, guint n, gint64 y)
{
  gint64 x = MARGIN, top = y;

  for (guint i = 0; i < n; i++)
    {
      gint64 width = legend_width (&legend[i]);

      if (x > MARGIN && x + width > TT_PICTURE_WIDTH - MARGIN)
        {
          x = MARGIN;
          y += LEGEND_ROW;
        }
      if (out != NULL)
        {
          tt_svg_open_rect (out, legend[i].css_class, x, y, TT_PX (12), TT_PX (12));
          tt_output_literal (out, "/>");
          tt_svg_text (out, NULL, x + TT_PX (17), y + TT_PX (10), legend[i].name, LEGEND_CHARS);
        }
      x += width;
    }
  return n == 0 ? 0 : y - top + LEGEND_ROW;
}

void
tt_frame_begin (TtFrame *self,
                TtOutput *out,
                const TtPictureHead *head,
                const TtLegendEntry *legend,
                guint n_legend,
                gint64 left,
                gint64 height,
                gint64 below)
{
  gint64 legend_top = TT_PX (64);

  *self = (TtFrame){ .out = out, .head = head, .left = left, .height = height };
  self->lines = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < head->notes->len; i++)
    wrap_note (self->lines, head->notes->pdata[i]);
  self->width = TT_PICTURE_WIDTH - left - TT_PX (24);
  self->top = legend_top + lay_legend (NULL, legend, n_legend, 0) + TT_PX (10);
  self->picture_height = self->top + height + below + TT_PX (12) + NOTE_ROW * self->lines->len + TT_PX (6);

  tt_svg_begin (out, TT_PICTURE_WIDTH, self->picture_height, head->title, head->run);
  tt_svg_text (out, "title", MARGIN, TT_PX (30), head->title, TITLE_CHARS);
  tt_svg_text (out, "run", MARGIN, TT_PX (50), head->run, RUN_CHARS);
  lay_legend (out, legend, n_legend, legend_top);
}

void
tt_frame_end (TtFrame *self)
{
  gint64 y = self->picture_height - NOTE_ROW * self->lines->len;

  for (guint i = 0; i < self->lines->len; i++)
    tt_svg_text (self->out, "note", MARGIN, y + NOTE_ROW * i, self->lines->pdata[i], NOTE_CHARS + 10);
  tt_svg_end (self->out);
  g_clear_pointer (&self->lines, g_ptr_array_unref);
}

void
tt_frame_write_empty (TtOutput *out, const TtPictureHead *head)
{
  TtFrame frame;

  tt_frame_begin (&frame, out, head, NULL, 0, 0, 0, 0);
  tt_frame_end (&frame);
}

/* -- axes -------------------------------------------------------------------------------------------------------- */

gint64
tt_frame_left (guint n_chars)
{
  return MARGIN + (gint64) n_chars * TT_PICTURE_CHAR * 10 + TT_PX (10);
}

gint64
tt_frame_axis_left (const TtAxis *axis)
{
  char buffer[TT_QUANTITY_TEXT];
  guint n_chars = 8;

  for (guint tick = 0; tick <= axis->n_steps; tick++)
    n_chars = MAX (n_chars, (guint) strlen (tt_axis_tick_text (buffer, axis, tick)));
  return tt_frame_left (n_chars);
}

void
tt_frame_tick (const TtFrame *self, gint64 x, gint64 *used, const char *text)
{
  gint64 y = self->top + self->height + TT_PX (16), half = tt_svg_width (text) / 2;
  gint64 least = MARGIN / 4 + half, most = TT_PICTURE_WIDTH - MARGIN / 4 - half;

  x = MAX (MIN (x, most), least);
  if (x - half < *used)
    return;
  tt_svg_text (self->out, "m", x, y, text, 0);
  *used = x + half + TICK_ROOM;
}

/* "time (ms)". Free it. */
static char *
axis_title (const TtAxis *axis, const char *title)
{
  const char *unit = tt_axis_unit (axis);

  return *unit == '\0' ? g_strdup (title) : g_strdup_printf ("%s (%s)", title, unit);
}

void
tt_frame_x_axis (const TtFrame *self, const TtAxis *axis, const char *title)
{
  g_autofree char *text = axis_title (axis, title);
  gint64 bottom = self->top + self->height, used = G_MININT64;
  char buffer[TT_QUANTITY_TEXT];

  for (guint tick = 0; tick <= axis->n_steps; tick++)
    {
      gint64 x = self->left + tt_axis_place (axis, axis->start + axis->step * tick);

      if (x > self->left + self->width)
        break;
      tt_svg_line (self->out, "grid", x, self->top, x, bottom);
      tt_frame_tick (self, x, &used, tt_axis_tick_text (buffer, axis, tick));
    }
  tt_svg_line (self->out, "edge", self->left, bottom, self->left + self->width, bottom);
  tt_svg_text (self->out, "axis m", self->left + self->width / 2, bottom + TT_PX (36), text, 0);
}

void
tt_frame_y_axis (const TtFrame *self, const TtAxis *axis, const char *title)
{
  g_autofree char *text = axis_title (axis, title);
  gint64 bottom = self->top + self->height;
  char buffer[TT_QUANTITY_TEXT];

  for (guint tick = 0; tick <= axis->n_steps; tick++)
    {
      gint64 y = bottom - tt_axis_place (axis, axis->start + axis->step * tick);

      tt_svg_line (self->out, "grid", self->left, y, self->left + self->width, y);
      tt_svg_text (self->out, "r", self->left - TT_PX (6), y + TT_PX (4), tt_axis_tick_text (buffer, axis, tick), 0);
    }
  tt_svg_line (self->out, "edge", self->left, self->top, self->left, bottom);
  tt_svg_text (self->out, "axis", MARGIN, self->top - TT_PX (8), text, 0);
}

void
tt_frame_mark (const TtFrame *self, gint64 y, tt_int128 value, const char *text)
{
  TtOutput *out = self->out;
  gint64 right = self->left + self->width;

  tt_svg_line (out, "mark", self->left, y, right, y);
  if (text == NULL)
    return;
  tt_output_literal (out, "<text class=\"r\"");
  tt_svg_attribute (out, "x", right - TT_PX (4));
  tt_svg_attribute (out, "y", self->top - TT_PX (8));
  tt_svg_data (out, "mark", value);
  tt_output_literal (out, ">- - ");
  tt_svg_escape (out, text, 0);
  tt_output_literal (out, "</text>\n");
}
