/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files that SQLite keeps beside a database while it is changed: PATH-wal, PATH-shm, PATH-journal.
 *
 * SQLite applies them to whatever database it finds under their name: those of a database that is gone change the next
 * one. A link is followed, as SQLite does.
 */
#pragma once

#include <glib.h>

/* Before there is a database @path: whether none of another is left. Empty ones go. */
gboolean tt_side_files_check_new (const char *path, GError **error);
/* Of the database @path: whether no log of another lies beside it. */
gboolean tt_side_files_check_own (const char *path, GError **error);
/* Whether the head of the database @path says that a write-ahead log goes with it: readers then make one. */
gboolean tt_side_files_are_marked (const char *path);
/* The one that may hold a part of the database @path; NULL: all is in its one file. Free it. */
char *tt_side_files_find_left (const char *path);
/* With the database @path, which is gone or about to go. */
void tt_side_files_remove (const char *path);
