/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "pictures/text.h"

#include "src/base/clean-text.h"
#include "src/base/report/cut.h"
#include "src/base/report/wrap.h"

#include <string.h>

#define MIN_COLUMNS 20u
/* The block of one eighth is 0x2581. */
#define NO_BLOCK 0x2580u

gunichar
tt_text_level (guint level)
{
  static const char ascii[] = " .:-=+*#@";
  const char *charset;

  level = MIN (level, TT_TEXT_LEVELS);
  return level == 0 || !g_get_charset (&charset) ? (gunichar) ascii[level] : NO_BLOCK + level;
}

void
tt_text_chart_line (TtTextChart *self, const char *text)
{
  g_autoptr (GString) clean = g_string_new (NULL), line = g_string_new (NULL);

  tt_clean_append (clean, text);
  tt_wrap_append_line (line, clean->str, self->width, 2);
  tt_output_bytes (self->out, line->str, line->len);
  tt_output_literal (self->out, "\n");
}

void
tt_text_chart_begin (TtTextChart *self,
                     TtOutput *out,
                     const TtPictureHead *head,
                     guint width,
                     guint n_label,
                     guint n_columns)
{
  *self = (TtTextChart){ .out = out, .head = head, .width = width, .n_label = MIN (n_label, width / 3) };
  self->n_columns = MAX (MIN (n_columns, width - MIN (width, self->n_label + 2)), n_columns == 0 ? MIN_COLUMNS : 1);
  tt_text_chart_line (self, head->title);
  tt_text_chart_line (self, head->run);
  tt_output_literal (out, "\n");
}

/* Cut to the room for labels, at its right end. */
static void
append_label (const TtTextChart *self, GString *line, const char *label)
{
  g_autoptr (GString) clean = g_string_new (NULL);
  g_autoptr (TtCuts) cuts = tt_cuts_new (MAX (self->n_label, 1));

  tt_clean_append (clean, label == NULL ? "" : label);
  tt_cuts_add (cuts, clean->str);
  tt_cuts_settle (cuts);
  const char *shown = tt_cuts_get (cuts, clean->str);
  for (guint i = tt_text_width (shown); i < self->n_label; i++)
    g_string_append_c (line, ' ');
  g_string_append (line, shown);
}

/* Without blanks at its end. */
static void
write_line (const TtTextChart *self, GString *line)
{
  while (line->len > 0 && line->str[line->len - 1] == ' ')
    g_string_truncate (line, line->len - 1);
  g_string_append_c (line, '\n');
  tt_output_bytes (self->out, line->str, line->len);
}

void
tt_text_chart_row (TtTextChart *self, const char *label, const gunichar *cells)
{
  g_autoptr (GString) line = g_string_new (NULL);

  append_label (self, line, label);
  g_string_append (line, " |");
  for (guint i = 0; i < self->n_columns; i++)
    g_string_append_unichar (line, cells[i]);
  write_line (self, line);
}

void
tt_text_chart_ticks (TtTextChart *self, char *const *texts)
{
  g_autoptr (GString) edge = g_string_new (NULL), line = g_string_new (NULL);
  gsize left = (gsize) self->n_label + 2;

  append_label (self, edge, NULL);
  g_string_append (edge, " ");
  for (guint i = 0; i <= self->n_columns; i++)
    g_string_append_c (edge, i == 0 || (i > 1 && texts[i - 1] != NULL) ? '+' : '-');
  write_line (self, edge);
  for (guint i = 0; i < self->n_columns; i++)
    {
      gsize len = texts[i] == NULL ? 0 : strlen (texts[i]);
      gsize at = left + i > len / 2 ? left + i - len / 2 : 0;

      if (len == 0 || (line->len > 0 && at < line->len + 1) || at + len > self->width)
        continue;
      while (line->len < at)
        g_string_append_c (line, ' ');
      g_string_append (line, texts[i]);
    }
  write_line (self, line);
}

void
tt_text_chart_axis (TtTextChart *self, const TtAxis *axis, tt_int128 length, const char *title)
{
  g_auto (GStrv) texts = g_new0 (char *, (gsize) self->n_columns + 1);
  g_autofree char **places = g_new0 (char *, (gsize) self->n_columns + 1);
  g_autofree char *line = NULL;
  const char *unit = tt_axis_unit (axis);
  char buffer[TT_QUANTITY_TEXT];

  for (guint tick = 0, n = 0; tick <= axis->n_steps; tick++)
    {
      tt_int128 at = (axis->start + axis->step * tick) * self->n_columns / MAX (length, 1);

      if (at >= self->n_columns || places[(guint) at] != NULL)
        continue;
      texts[n] = g_strdup (tt_axis_tick_text (buffer, axis, tick));
      places[(guint) at] = texts[n++];
    }
  tt_text_chart_ticks (self, places);
  line = *unit == '\0' ? g_strdup (title) : g_strdup_printf ("%s (%s)", title, unit);
  tt_text_chart_line (self, line);
}

void
tt_text_chart_end (TtTextChart *self)
{
  if (self->head->notes->len > 0)
    tt_output_literal (self->out, "\n");
  for (guint i = 0; i < self->head->notes->len; i++)
    tt_text_chart_line (self, self->head->notes->pdata[i]);
}
