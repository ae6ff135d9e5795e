/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPieceTimes: how much of the self time of spans lies in chosen pieces of their threads.
 *
 * Memory: 24 bytes a piece, and the spans that are open.
 */
#pragma once

#include "analyzers/devices/roles.h"
#include "src/store/scan.h"

typedef struct _TtPieceTimes TtPieceTimes;

TtPieceTimes *tt_piece_times_new (guint32 n_threads);
void tt_piece_times_free (TtPieceTimes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPieceTimes, tt_piece_times_free)

/* Those of one thread in time order; they do not overlap. */
void tt_piece_times_add (TtPieceTimes *self, guint32 thread, gint64 begin_ns, gint64 end_ns);

/* @own_ns: of its self time in the pieces, more than 0. */
typedef void (*TtPieceSpanFunc) (const TtEvent *event, gint64 own_ns, gpointer data);

typedef struct
{
  guint64 n_crossing;    /* spans that cross others on their thread: time in both counts for both */
  guint64 n_overlapping; /* spans whose children last longer than they */
  gint64 outside_ns;     /* of the pieces in no span */
} TtPieceCounts;

/* One scan, backwards. Marks of profilers (@roles) are no spans. */
gboolean tt_piece_times_scan (TtPieceTimes *self,
                              TtStore *store,
                              const TtDeviceRoles *roles,
                              TtPieceSpanFunc func,
                              gpointer data,
                              TtPieceCounts *counts,
                              GError **error);
/* The same of the events from @first to @last. */
gboolean tt_piece_times_scan_of (TtPieceTimes *self,
                                 TtStore *store,
                                 guint64 first,
                                 guint64 last,
                                 const TtDeviceRoles *roles,
                                 TtPieceSpanFunc func,
                                 gpointer data,
                                 TtPieceCounts *counts,
                                 GError **error);
