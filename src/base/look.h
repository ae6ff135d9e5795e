/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looking at files to find out what they are: stat(), g_file_test(), GDir, GMappedFile and g_file_get_contents() for those to whom
 * "it is not there" is an answer.
 *
 * What says nothing about the file (a failing disk, no memory, too many open files) is no such answer. It is left with
 * tt_failure_leave(), so that an input is not taken for another one, or for none, because it could not be looked at.
 */
#pragma once

#include <glib.h>
#include <sys/stat.h>

/* Leaves "cannot look at 'PATH': ..." if @number, an errno, says nothing about the file. */
void tt_look_failed (const char *path, int number);

/* As stat(), lstat() and g_file_test(). */
int tt_look_stat (const char *path, struct stat *facts);
int tt_look_lstat (const char *path, struct stat *facts);
gboolean tt_look_test (const char *path, GFileTest test);

/* As access() of @mode is 0. */
gboolean tt_look_access (const char *path, int mode);

/* As g_dir_open() and g_dir_read_name(); @path: of the folder. */
GDir *tt_look_folder (const char *path, GError **error);
const char *tt_look_next (GDir *folder, const char *path);

/* As g_mapped_file_new() for reading. */
GMappedFile *tt_look_map (const char *path, GError **error);
/* As g_file_get_contents(). */
gboolean tt_look_contents (const char *path, char **text, gsize *len, GError **error);
