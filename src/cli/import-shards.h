/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An import into a directory of shards, and the one database that commands read of it.
 */
#pragma once

#include "src/cli/import-run.h"

/* Like tt_import_paths(), request->db_path being the directory. @is_resumed: shards that are there already stay. */
gboolean tt_import_shards (const TtImportRequest *request, char **paths, gboolean is_resumed, GError **error);

/* Whether @path is such a directory. */
gboolean tt_import_shards_are (const char *path);
/* The database of the directory @path: made of its shards the first time. Free it. */
char *tt_import_joined (const char *path, GError **error);
