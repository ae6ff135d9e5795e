/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/message.h"

#include "src/base/clean-text.h"
#include "src/base/output.h"
#include "src/base/report/wrap.h"
#include "src/base/unpacked.h"
#include "src/store/schema.h"
#include "src/store/side-files.h"

#include <stdio.h>
#include <unistd.h>

/* Of what goes on on a further line. */
#define INDENT 2

/* A line of which only the begin is printed waits for its end. */
static GString *unfinished;

static void
write_wrapped (FILE *file, const char *text)
{
  g_autoptr (GString) lines = g_string_new (NULL);

  g_autofree char *shown = tt_unpacked_show (text);

  tt_wrap_append (lines, shown != NULL ? shown : text, tt_prose_width (fileno (file)), INDENT);
  fwrite (lines->str, 1, lines->len, file);
}

static void G_GNUC_PRINTF (2, 0) write_message (const char *prefix, const char *format, va_list *arguments)
{
  g_autoptr (GString) text = g_string_new (prefix);

  tt_clean_append_vprintf (text, format, arguments);
  g_string_append_c (text, '\n');
  write_wrapped (stderr, text->str);
}

void
tt_message (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  write_message ("tracetool: ", format, &arguments);
  va_end (arguments);
}

void
tt_warning (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  write_message ("tracetool: warning: ", format, &arguments);
  va_end (arguments);
}

void
tt_message_lines (const char *text)
{
  g_autoptr (GString) clean = g_string_new (NULL);

  tt_clean_append_lines (clean, text);
  write_wrapped (stderr, clean->str);
}

void
tt_message_error (const GError *error, gboolean is_coloured)
{
  g_autoptr (GString) clean = g_string_new ("tracetool: "), lines = g_string_new (NULL);

  g_autofree char *shown = tt_unpacked_show (error->message);

  tt_clean_append_lines (clean, shown != NULL ? shown : error->message);
  tt_wrap_append (lines, clean->str, tt_prose_width (STDERR_FILENO), INDENT);
  fprintf (stderr, "%s%s%s\n", is_coloured ? "\033[31m" : "", lines->str, is_coloured ? "\033[0m" : "");
}

void
tt_print (const char *format, ...)
{
  va_list arguments;

  if (unfinished == NULL)
    unfinished = g_string_new (NULL);
  va_start (arguments, format);
  tt_clean_append_vprintf (unfinished, format, &arguments);
  va_end (arguments);
  if (unfinished->len == 0 || unfinished->str[unfinished->len - 1] != '\n')
    return;
  write_wrapped (stdout, unfinished->str);
  g_string_truncate (unfinished, 0);
}

gboolean
tt_print_lines (const char *text, GError **error)
{
  g_autoptr (GString) clean = g_string_new (NULL);

  tt_clean_append_lines (clean, text);
  return tt_output_print ("-", clean->str, (gssize) clean->len, error);
}

void
tt_message_upgraded (const char *db_path, gint64 old_version)
{
  tt_message ("upgraded '%s' from schema version %" G_GINT64_FORMAT " to %d; older tracetools no longer read it",
              db_path, old_version, TT_SCHEMA_VERSION);
}

void
tt_message_log_left (const char *db_path)
{
  g_autofree char *left = tt_side_files_find_left (db_path);

  if (left != NULL)
    tt_message ("another program is reading '%s', so a part of it is still in '%s': copy both files, or wait until that"
                " program has finished and run 'tracetool info'",
                db_path, left);
}
