/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One statement in SQL, read-only, with the functions median(), percentile() and stddev(), which SQLite lacks.
 */
#pragma once

#include "src/store/handle.h"

typedef enum
{
  TT_CELL_NULL,
  TT_CELL_INT,
  TT_CELL_REAL,
  TT_CELL_TEXT,
} TtCellKind;

typedef struct
{
  TtCellKind kind;
  gint64 integer;
  double real;
  const char *text; /* also for blobs: hex */
} TtCell;

/* Runs one read-only SELECT. @columns is called once with the names, @row per row; either returning
 * FALSE ends it. Anything that would write is refused. Ctrl-C interrupts. */
typedef gboolean (*TtQueryColumnsFunc) (const char *const *names, guint n, gpointer data);
typedef gboolean (*TtQueryRowFunc) (const TtCell *cells, guint n, gpointer data);
gboolean tt_store_query (TtStore *self,
                         const char *sql,
                         TtQueryColumnsFunc columns,
                         TtQueryRowFunc row,
                         gpointer data,
                         GError **error);
