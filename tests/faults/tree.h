/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A folder in memory: what a command found, and what it left.
 */
#pragma once

#include <glib.h>

/* Path within @root -> GBytes; NULL: a folder. */
GHashTable *tree_read (const char *root);
/* Makes @root anew with @files, whose times are all one: caches go by it. */
void tree_restore (const char *root, GHashTable *files);
void tree_remove (const char *path);
/* Empty where there is none. */
GBytes *tree_read_file (const char *path);
/* Whether a path has @text in it. */
gboolean tree_has (GHashTable *files, const char *text);
/* Both may be NULL. */
gboolean tree_same_bytes (GBytes *a, GBytes *b);
