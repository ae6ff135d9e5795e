/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What people read: messages on stderr, each a line ("tracetool: ..."), and lines that are no report on stdout. All of it
 * is cleaned (src/base/clean-text.h), and wrapped on terminals (src/base/report/wrap.h).
 */
#pragma once

#include <glib.h>

void tt_message (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* "tracetool: warning: ..." */
void tt_warning (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Whole lines with names in them, as they are otherwise. */
void tt_message_lines (const char *text);
void tt_message_error (const GError *error, gboolean is_coloured);
/* To standard output, without a line end of its own; what has none yet is shown with the rest of its line. */
void tt_print (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Whole lines with names in them, to standard output. */
gboolean tt_print_lines (const char *text, GError **error);
/* That a command has upgraded the database from this version of the schema. */
void tt_message_upgraded (const char *db_path, gint64 old_version);
/* After a command that writes: whether readers kept it from putting all into the one file. */
void tt_message_log_left (const char *db_path);
