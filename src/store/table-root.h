/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a table begins in the file of a database, and whether its pages can be read past SQLite at all: what
 * table-pages.h asks of the file, the connection and the table's definition.
 */
#pragma once

#include "src/store/private.h"

typedef struct
{
  sqlite3_file *file; /* the connection's */
  guint32 page_bytes;
  guint32 number; /* of the page of the table's root, from 2 */
} TtTableRoot;

/* In a snapshot. FALSE: only statements can read the table. */
gboolean tt_table_root_find (TtStore *store, const char *table, TtTableRoot *root);
