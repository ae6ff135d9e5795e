/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that is read as a whole, up to a limit that says what is too long.
 */
#pragma once

#include <glib.h>

/* "-": standard input. Longer than @most: a few bytes more than that, so that who takes them can say so. */
GByteArray *tt_whole_file_read (const char *path, gsize most, GError **error);
