/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables node and edge: the dependency graph that a command has made, for queries.
 */
#pragma once

#include <glib.h>

typedef struct
{
  const char *op_long_name;
  double avg_us;
  gint64 cnt;
  const char *gaps; /* JSON */
} TtNodeRow;

typedef struct
{
  const char *src, *dst, *kind;
  gint64 cnt;
  double weight_us;
} TtEdgeRow;

typedef struct
{
  const TtNodeRow *nodes;
  gsize n_nodes;
  const TtEdgeRow *edges;
  gsize n_edges;
} TtGraphRows;

/* Replaces the tables node and edge of run @run in the database at @path, in one transaction. */
gboolean tt_store_save_graph (const char *path, guint32 run, const TtGraphRows *rows, GError **error);
