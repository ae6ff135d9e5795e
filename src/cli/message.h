/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages for people on stderr, each a line: "tracetool: ...".
 */
#pragma once

#include <glib.h>

void tt_message (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* "tracetool: warning: ..." */
void tt_warning (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* That a command has upgraded the database from this version of the schema. */
void tt_message_upgraded (const char *db_path, gint64 old_version);
/* After a command that writes: whether readers kept it from putting all into the one file. */
void tt_message_log_left (const char *db_path);
