/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/help-page.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/base/output.h"
#include "src/base/report/report.h"
#include "src/base/report/wrap.h"

#define PAGE_WIDTH 80
/* Options with longer arguments stand on a line of their own. */
#define MAX_OPTION_WIDTH 28
/* A line of details that ends a sentence, and on which this much more would have had no room, goes on below. */
#define FULL_LINE 96

/* -- options ------------------------------------------------------------------------------------------------------- */

static char *
option_words (const GOptionEntry *entry)
{
  GString *words = g_string_new ("  ");

  if (entry->short_name != 0)
    g_string_append_printf (words, "-%c, ", entry->short_name);
  g_string_append_printf (words, "--%s", entry->long_name);
  if (entry->arg_description != NULL)
    g_string_append_printf (words, "=%s", entry->arg_description);
  return g_string_free (words, FALSE);
}

static void
append_options (GString *page, const GOptionEntry *entries)
{
  gsize width = 0;

  for (const GOptionEntry *entry = entries; entry->long_name != NULL; entry++)
    {
      g_autofree char *words = option_words (entry);
      gsize len = strlen (words);
      if ((entry->flags & G_OPTION_FLAG_HIDDEN) == 0 && len <= MAX_OPTION_WIDTH)
        width = MAX (width, len);
    }
  for (const GOptionEntry *entry = entries; entry->long_name != NULL; entry++)
    {
      g_autofree char *words = option_words (entry);
      if ((entry->flags & G_OPTION_FLAG_HIDDEN) != 0)
        continue;
      if (strlen (words) <= width)
        g_string_append_printf (page, "%-*s  %s\n", (int) width, words, entry->description);
      else
        g_string_append_printf (page, "%s\n%*s%s\n", words, (int) width + 2, "", entry->description);
    }
}

/* -- details ------------------------------------------------------------------------------------------------------- */

static guint
margin_of (const char *line)
{
  return (guint) strspn (line, " ");
}

/* "  word   text": a line of its own. */
static gboolean
is_item (const char *line, guint margin)
{
  return strstr (line + margin, "  ") != NULL;
}

/* Whether @next, of which the first word is at @margin, goes on with the sentence or paragraph of @line. What an option
 * does begins a line. */
static gboolean
goes_on (const char *line, const char *next, guint margin)
{
  gsize len = strlen (line);

  if (len == 0 || next == NULL || *next == '\0' || margin_of (next) != margin || is_item (next, margin))
    return FALSE;
  return strchr (".:", line[len - 1]) == NULL ||
         (!g_str_has_prefix (next + margin, "'-") && len + 1 + strcspn (next + margin, " ") > FULL_LINE);
}

/* Sources break lines where they have no more room: the paragraphs without these breaks. */
static void
append_details (GString *page, const char *details)
{
  g_auto (GStrv) lines = g_strsplit (details, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    {
      guint column = tt_wrap_text_column (*line), margin = column > 0 ? column : margin_of (*line);

      g_string_append (page, *line);
      if (column == 0 && is_item (*line, margin))
        margin = G_MAXUINT;
      for (; goes_on (*line, line[1], margin); line++)
        g_string_append_printf (page, " %s", line[1] + margin);
      g_string_append_c (page, '\n');
    }
}

/* -- pages --------------------------------------------------------------------------------------------------------- */

static void
append_example (GString *page, const TtCommand *command)
{
  g_auto (GStrv) lines = g_strsplit (command->example, "\n", -1);

  g_string_append (page, g_strv_length (lines) > 1 ? "\nExamples:\n" : "\nExample:\n");
  for (char **line = lines; *line != NULL; line++)
    if (**line != '\0')
      g_string_append_printf (page, "  %s\n", *line);
}

char *
tt_help_page (const TtCommand *command, const GOptionEntry *entries)
{
  GString *page = g_string_new (NULL);

  g_string_append_printf (page, "Usage:\n  tracetool %s [OPTION]...%s%s\n\n%s\n\nOptions:\n", command->name,
                          command->usage == NULL ? "" : " ", command->usage == NULL ? "" : command->usage,
                          command->summary);
  append_options (page, entries);
  if (command->details != NULL)
    {
      g_string_append_c (page, '\n');
      append_details (page, command->details);
    }
  if (command->example != NULL)
    append_example (page, command);
  return g_string_free (page, FALSE);
}

static GString *
wrap_page (const char *page, guint terminal)
{
  guint width = terminal == 0 ? PAGE_WIDTH : MIN (terminal, PAGE_WIDTH);
  GString *text = g_string_new (NULL);
  g_auto (GStrv) lines = g_strsplit (page, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    {
      tt_wrap_append (text, *line, g_str_has_prefix (*line, "  tracetool ") ? 0 : width, 0);
      if (line[1] != NULL)
        g_string_append_c (text, '\n');
    }
  return text;
}

gboolean
tt_help_print (const char *page, GError **error)
{
  g_autoptr (GString) text = wrap_page (page, tt_terminal_width ());

  return tt_output_print ("-", text->str, (gssize) text->len, error);
}

void
tt_help_show_mistaken (const char *page)
{
  g_autoptr (GString) text = wrap_page (page, tt_terminal_width_of (STDERR_FILENO));

  fputs (text->str, stderr);
}
