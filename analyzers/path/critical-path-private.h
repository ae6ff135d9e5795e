/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What critical-path.c and joint-path.c share.
 */
#pragma once

#include "analyzers/path/critical-path.h"
#include "analyzers/path/piece-times.h"
#include "analyzers/spans/op-table.h"

typedef struct
{
  TtStore *store;
  TtCriticalPath *path;
  TtOpTable *ops;
  GArray *by_op; /* of TtPathOp, names not set */
} TtPathSums;

void tt_path_sums_init (TtPathSums *self, TtStore *store, TtCriticalPath *path);
void tt_path_sums_clear (TtPathSums *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtPathSums, tt_path_sums_clear)

void tt_path_sums_add (TtPathSums *self, guint32 name, guint64 n_spans, gint64 time_ns);
/* Of the events from @first to @last, what lies in the pieces. */
gboolean tt_path_sums_scan (TtPathSums *self, TtPieceTimes *times, guint64 first, guint64 last, GError **error);

TtCriticalPath *tt_critical_path_new_empty (gboolean with_events);
/* Its points are there. */
gboolean tt_critical_path_walk (TtCriticalPath *self, TtStore *store, gint32 step, GError **error);
/* What it sums up to is there. */
void tt_critical_path_end (TtCriticalPath *self, TtPathSums *sums);
