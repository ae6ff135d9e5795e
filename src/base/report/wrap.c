/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/report/wrap.h"

#include <string.h>
#include <unistd.h>

#include "src/base/report/cut.h"
#include "src/base/report/report.h"

/* Text further to the right is no column of its own. */
#define MAX_TEXT_COLUMN 32
/* What further lines have room for, however far in they should begin. */
#define MIN_ROOM 24

guint
tt_prose_width (int fd)
{
  guint width = tt_terminal_width_of (fd);
  const char *columns = g_getenv ("COLUMNS");
  guint64 wanted = 0;

  if (width == 0 && columns != NULL && g_ascii_string_to_unsigned (columns, 10, 1, 10000, &wanted, NULL))
    width = (guint) wanted;
  return width;
}

static guint
count_blanks (const char *text)
{
  return (guint) strspn (text, " ");
}

guint
tt_wrap_text_column (const char *line)
{
  const char *gap = strstr (line + count_blanks (line), "  ");
  gsize column = gap == NULL ? 0 : (gsize) (gap - line) + count_blanks (gap);

  return gap == NULL || line[column] == '\0' || column > MAX_TEXT_COLUMN ? 0 : (guint) column;
}

static gboolean
ends_quote (char after)
{
  return after == '\0' || strchr (" .,;:?!)", after) != NULL;
}

/* A word, and a percent sign that follows it. */
static const char *
find_word_end (const char *text)
{
  const char *end = text + strcspn (text, " ");

  return g_str_has_prefix (end, " %") ? end + 2 + strcspn (end + 2, " ") : end;
}

/* The end of a piece of @text that stays on one line: a word, or what is quoted with the word around it. */
static const char *
find_piece_end (const char *text, guint room)
{
  const char *end = find_word_end (text);
  const char *quote = text + strspn (text, "(");

  if (*quote != '\'')
    return end;
  for (const char *close = strchr (quote + 1, '\''); close != NULL; close = strchr (close + 1, '\''))
    if (ends_quote (close[1]))
      {
        const char *quoted_end = close + strcspn (close, " ");
        g_autofree char *quoted = g_strndup (text, (gsize) (quoted_end - text));

        return quoted_end > end && tt_text_width (quoted) <= room ? quoted_end : end;
      }
  return end;
}

void
tt_wrap_append_line (GString *out, const char *line, guint width, guint indent)
{
  guint column = 0;
  gboolean has_word = FALSE;

  if (width == 0 || tt_text_width (line) <= width)
    {
      g_string_append (out, line);
      return;
    }
  indent = width > MIN_ROOM ? MIN (indent, width - MIN_ROOM) : 0;
  for (const char *at = line; *at != '\0';)
    {
      guint blanks = count_blanks (at);
      const char *end = find_piece_end (at + blanks, width - indent);
      g_autofree char *piece = g_strndup (at + blanks, (gsize) (end - at) - blanks);
      guint piece_width = tt_text_width (piece);

      if (*piece == '\0')
        break;
      if (has_word && column + blanks + piece_width > width)
        {
          g_string_append_c (out, '\n');
          column = blanks = indent;
        }
      else
        column += blanks;
      g_string_append_printf (out, "%*s%s", (int) blanks, "", piece);
      column += piece_width;
      has_word = TRUE;
      at = end;
    }
}

void
tt_wrap_append (GString *out, const char *text, guint width, guint indent)
{
  while (*text != '\0')
    {
      gsize len = strcspn (text, "\n");
      g_autofree char *line = g_strndup (text, len);
      guint column = tt_wrap_text_column (line), blanks = count_blanks (line);

      tt_wrap_append_line (out, line, width, column > 0 ? column : blanks > 0 ? blanks : indent);
      text += len;
      if (*text == '\n')
        {
          g_string_append_c (out, '\n');
          text++;
        }
    }
}
