/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small facts about the paths of a command line.
 */
#pragma once

#include <glib.h>

/* TRUE for a SQLite file, by its first bytes. */
gboolean tt_path_is_database (const char *path);
/* Whether it is one that does not say whose it is, as ours do: perhaps a trace. */
gboolean tt_path_is_unsigned_database (const char *path);

/* Whether @path ends in @suffix, packed (.gz, .zst) or not: "run.trc.gz" in ".trc". */
gboolean tt_path_has_suffix (const char *path, const char *suffix);
/* Cuts @suffix off @path, which is more than that. */
void tt_path_cut_suffix (char *path, const char *suffix);
/* Cuts .gz and .zst off. */
void tt_path_cut_packing (char *path);
/* The file @path, else the packed one, that is there and not @except. Free it; NULL: none. */
char *tt_path_find_packed (const char *path, const char *except);

/* @path as typed in a shell: quoted only when it must be. Free it. */
char *tt_shell_word (const char *path);
/* All of them, separated by blanks. Free it. */
char *tt_shell_words (char **paths);
