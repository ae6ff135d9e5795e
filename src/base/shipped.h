/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the files are that come with the program: tables of facts, libraries that other programs load.
 *
 * They are found relative to the executable, so that an installation can be moved as a whole and nothing of the tree
 * that it was built in is asked for. An executable that is not installed has a file TT_BUILD_TREE beside it, which
 * configure writes; its one line names the source tree, relative to that file.
 */
#pragma once

#include <glib.h>

#define TT_BUILD_TREE "build-tree"

/* Path of the data @name, "name-rules.ini": in $TRACETOOL_DATA if that is set, in the source tree of an executable that
 * is not installed, else where the data is installed. Nobody checked that it is there. Free it. */
char *tt_shipped_data (const char *name);

/* Path of our library @name, "libtracetool-pi-record.so"; NULL with @error: it is in none of the places where it may be.
 * Free it. */
char *tt_shipped_library (const char *name, GError **error);

/* As these two, of an executable in @own_folder, NULL: not known; $TRACETOOL_DATA is not asked. For tests. */
char *tt_shipped_data_of (const char *own_folder, const char *name);
char *tt_shipped_library_of (const char *own_folder, const char *name, GError **error);
