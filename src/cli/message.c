/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/message.h"

#include "src/base/clean-text.h"
#include "src/base/output.h"
#include "src/store/schema.h"
#include "src/store/side-files.h"

#include <stdio.h>

static void G_GNUC_PRINTF (3, 0)
write_text (FILE *file, const char *prefix, const char *format, va_list *arguments, const char *end)
{
  g_autoptr (GString) text = g_string_new (prefix);

  tt_clean_append_vprintf (text, format, arguments);
  g_string_append (text, end);
  fwrite (text->str, 1, text->len, file);
}

void
tt_message (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  write_text (stderr, "tracetool: ", format, &arguments, "\n");
  va_end (arguments);
}

void
tt_warning (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  write_text (stderr, "tracetool: warning: ", format, &arguments, "\n");
  va_end (arguments);
}

void
tt_message_lines (const char *text)
{
  g_autoptr (GString) clean = g_string_new (NULL);

  tt_clean_append_lines (clean, text);
  fputs (clean->str, stderr);
}

void
tt_message_error (const GError *error, gboolean is_coloured)
{
  g_autoptr (GString) clean = g_string_new (NULL);

  tt_clean_append_lines (clean, error->message);
  fprintf (stderr, "%stracetool: %s%s\n", is_coloured ? "\033[31m" : "", clean->str, is_coloured ? "\033[0m" : "");
}

void
tt_print (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  write_text (stdout, "", format, &arguments, "");
  va_end (arguments);
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
  tt_message ("upgraded '%s' from schema version %" G_GINT64_FORMAT " to %d; older tracetools no longer read it", db_path,
              old_version, TT_SCHEMA_VERSION);
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
