/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCommGroups: collectives, sends and receives of process groups, where the source tells of them in arguments.
 *
 * A call is what the ranks of a group do together: the k-th of a function in a group by each rank, or those with one
 * sequence number. Sends and receives are a call each. Of the spans that tell of one call on one rank (the record on the
 * host, the kernel) one counts.
 *
 * Bandwidths are those of nccl-tests (doc/PERFORMANCE.md there): algorithm bandwidth is size / time, bus bandwidth that
 * times a factor of the function and the n ranks of the group. The size of a call is the whole tensor: what a rank gives
 * or gets, whichever is more, so not known of a gathering of which only what a rank gives is. The time of a call is that of the rank whose span is the shortest, for it waited least.
 */
#pragma once

#include "analyzers/communication/comm-kernels.h"
#include "src/select/selection.h"
#include "src/trace/collective-facts.h"

typedef struct
{
  char *group, *description, *function, *members_text; /* empty: not said */
  guint64 members;
  guint32 size;                           /* ranks of the group; 0: not said */
  guint32 n_ranks;                        /* that are in the run */
  guint64 n_calls, n_partial;             /* partial: not by all these ranks */
  guint64 n_spans, n_in, n_out;           /* in, out: spans whose bytes are known */
  tt_int128 bytes_in, bytes_out, time_ns; /* over all spans */
  tt_int128 timed_bytes, timed_ns;        /* size and time of the calls that have both */
} TtCommGroup;

/* Rows beyond so many, of groups and functions, are left out. */
#define TT_COMM_MAX_GROUPS 4096u

typedef struct
{
  GArray *rows;           /* of TtCommGroup, by group and function */
  TtCommKernels *kernels; /* the same calls by the kernels that did them */
  guint64 n_left_out;     /* spans */
} TtCommGroups;

/* @selection: bound, or NULL. */
TtCommGroups *
tt_comm_groups_new (TtStore *store, const TtSelection *selection, TtCollectiveReader reader, GError **error);
/* @bytes: -1: not known. @shortest_ns: of the rank whose span is the shortest. */
typedef void (*TtCommCallFunc) (const char *function, gint64 bytes, gint64 shortest_ns, gpointer data);
/* The calls of these groups that a device does, or a backend without devices, one by one. */
gboolean tt_comm_each_call (TtStore *store,
                            const TtSelection *selection,
                            TtCollectiveReader reader,
                            TtCommCallFunc func,
                            gpointer data,
                            GError **error);
/* Without looking at the store. */
TtCommGroups *tt_comm_groups_new_empty (void);
void tt_comm_groups_free (TtCommGroups *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtCommGroups, tt_comm_groups_free)

/* GB/s; FALSE: not known. */
gboolean tt_comm_group_algorithm_bandwidth (const TtCommGroup *self, double *gb_per_s);
gboolean tt_comm_group_bus_bandwidth (const TtCommGroup *self, double *gb_per_s);
