/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text for a terminal: names, labels and paths come from traces, and must neither steer the terminal nor pass for lines
 * of ours.
 *
 * Control characters (C0, DEL, C1), characters that change the direction or are invisible (Unicode's format
 * characters), line separators and bytes that are not UTF-8 are written as escapes: \n, \r, \t, \x1b, \u202e. All else
 * stays, a backslash too.
 */
#pragma once

#include <glib.h>

/* One line: a line end is written as \n. */
void tt_clean_append (GString *out, const char *text);
/* Lines of ours with names in them: line ends stay. */
void tt_clean_append_lines (GString *out, const char *text);
/* A piece of a stream that is not ours, for a terminal: line ends and tabs stay. The number of bytes that were taken:
 * less than @len where the piece ends within a character, unless it @is_last. */
gsize tt_clean_append_piece (GString *out, const char *bytes, gsize len, gboolean is_last);
/* As g_string_append_vprintf(), with each %s cleaned. Conversions: d i u x c f g s %, with l, ll, z. */
void tt_clean_append_vprintf (GString *out, const char *format, va_list *arguments);
