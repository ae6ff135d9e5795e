/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removing runs from a database, with everything that belongs to them and to nothing else.
 */
#pragma once

#include "src/store/handle.h"

typedef struct
{
  const char *table;
  guint64 n_rows;
} TtRunRows;

/* Rows of the run in each table that has any. FALSE ends it. */
typedef gboolean (*TtRunRowsFunc) (const TtRunRows *rows, gpointer data);
gboolean tt_store_count_run (TtStore *self, guint32 run, TtRunRowsFunc func, gpointer data, GError **error);

/* All of @runs (of guint32) or none. Other runs keep their ids, and ids are not used again. An older database is
 * upgraded. */
gboolean tt_store_remove_runs (const char *path, const GArray *runs, GError **error);
/* Gives the free space of the file back: writes what is left anew, which takes as much space once more meanwhile. */
gboolean tt_store_compact (const char *path, GError **error);
