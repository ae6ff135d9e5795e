/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prose for a terminal: lines broken at blanks, so that none is wider than it.
 */
#pragma once

#include <glib.h>

/* Where prose on a descriptor wraps: the width of a terminal, else $COLUMNS where somebody exports it; 0: nowhere, for
 * what reads a pipe looks for whole lines. */
guint tt_prose_width (int fd);

/* Appends @line, which has no line end: what does not fit goes on further lines, after @indent blanks. Words wider than
 * that stay whole, and so does what is quoted, a command perhaps, where a line has room for it. @width 0: no limit. */
void tt_wrap_append_line (GString *out, const char *line, guint width, guint indent);
/* Lines, each by its own shape: "word     text" goes on below the text, what is set in below itself, others after
 * @indent blanks. */
void tt_wrap_append (GString *out, const char *text, guint width, guint indent);

/* Where the text of "  word     text" begins; 0: the line has no such shape. */
guint tt_wrap_text_column (const char *line);
