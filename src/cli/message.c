/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/message.h"

#include "src/store/schema.h"
#include "src/store/side-files.h"

#include <stdio.h>

static void G_GNUC_PRINTF (2, 0) write_line (const char *prefix, const char *format, va_list arguments)
{
  g_autofree char *text = g_strdup_vprintf (format, arguments);

  fprintf (stderr, "tracetool: %s%s\n", prefix, text);
}

void
tt_message (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  write_line ("", format, arguments);
  va_end (arguments);
}

void
tt_warning (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  write_line ("warning: ", format, arguments);
  va_end (arguments);
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
