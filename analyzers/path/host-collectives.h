/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collectives that a host does by itself, beside the thread that asked for them, as sync points for the measured path:
 * gloo's, MPI's and UCC's of PyTorch, which have spans (gloo:all_reduce) on threads of the backend. The trace does not
 * tell who called them, nor when somebody waited for them, so that both are inferred:
 *
 *   launch       It was called by the last call of communication (c10d::allreduce_) of its process to begin before it.
 *   synchronize  The thread that called waits for it where it does nothing when the last rank comes: until it goes on, or
 *                the collective ends, for backends close their spans late. Where it is the last, or is busy then, it waits
 *                if it does nothing at the end.
 *
 * Nothing is read where there are none. Memory grows with the spans of processes that have some: 16 bytes for each that
 * no other contains.
 */
#pragma once

#include "analyzers/path/measured-path.h"
#include "src/store/store.h"

typedef struct
{
  guint32 process, thread;
  gint64 begin_ns, end_ns;
} TtHostCall;

/* Whether a part of a call is what a backend does, and of a thread that there is. */
gboolean tt_host_call_of (const TtCollective *collective, guint32 n_threads, TtHostCall *call);
/* Appends to @points, of TtSyncPoint; those of collectives are there. @threads: by id. */
gboolean tt_host_collectives_points (TtStore *store,
                                     const TtThreadRange *threads,
                                     guint32 n_threads,
                                     GArray *points,
                                     GError **error);
/* The same of events from @first to @last, by @transfers, of TtHostCall, which are put in order. What matters is of one process each: its spans,
 * transfers and points. */
gboolean tt_host_collectives_points_of (TtStore *store,
                                        guint64 first,
                                        guint64 last,
                                        GArray *transfers,
                                        const TtThreadRange *threads,
                                        guint32 n_threads,
                                        GArray *points,
                                        GError **error);
