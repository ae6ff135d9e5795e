/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The store that a command reads: the database of the context, one named on the command line, or a cache of traces.
 */
#pragma once

#include "src/cli/command.h"
#include "src/select/selection.h"
#include "src/store/gaps.h"

/* Opens the database, or, when @paths has trace files, imports them into a cache database beside the
 * first (said on stderr; reused while the files are unchanged) and opens that. */
TtStore *tt_command_open_store (const TtContext *context, char **paths, GError **error);

/* The same, but a database without runs will do, unless --run asks for one. */
TtStore *tt_command_open_any_store (const TtContext *context, char **paths, GError **error);

/* The database at @path, or the one that is made of the directory of shards at @path. Free it. */
char *tt_command_database (const char *path, GError **error);

/* Where caches are whose traces lie where nobody may write. Free it. */
char *tt_command_cache_folder (void);

/* Says on stderr if the store lacks it, because an older tracetool imported the runs. */
gboolean tt_command_tell_gap (TtStore *store, TtGap gap, GError **error);

/* FALSE with @error if several runs are selected, whose ranks and times mean nothing together. */
gboolean tt_command_check_one_run (TtStore *store, GError **error);

/* Says on stderr that no @what ("span", "event") matches, with the nearest word that the runs have. NULL: none. */
void tt_command_nothing_matches (const char *what, const TtSelection *selection, TtStore *store);
