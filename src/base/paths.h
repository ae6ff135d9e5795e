/*
 * Small facts about the paths of a command line.
 */
#pragma once

#include <glib.h>

/* TRUE for a SQLite file, told by its first bytes. */
gboolean tt_path_is_database (const char *path);

/* @path as typed in a shell: quoted only when it must be. Free it. */
char *tt_shell_word (const char *path);
/* All of them, separated by blanks. Free it. */
char *tt_shell_words (char **paths);
