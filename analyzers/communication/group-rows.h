/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCommGroups: a table of what process groups did together, a row for each function in each group. Who fills it:
 * groups.h.
 *
 * Bandwidths are those of nccl-tests (doc/PERFORMANCE.md there): algorithm bandwidth is size / time, bus bandwidth that
 * times a factor of the function and the n ranks of the group. The size of a call is the whole tensor: what a rank gives
 * or gets, whichever is more, so not known of a gathering of which only what a rank gives is. The time of a call is that
 * of the rank whose span is the shortest, for it waited least.
 */
#pragma once

#include "analyzers/communication/comm-kernels.h"

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

/* Without rows. */
TtCommGroups *tt_comm_groups_new_empty (void);
/* Once all is counted: drops the rows without calls and sorts the others. */
void tt_comm_groups_finish (TtCommGroups *self);
void tt_comm_groups_free (TtCommGroups *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtCommGroups, tt_comm_groups_free)

/* GB/s; FALSE: not known. */
gboolean tt_comm_group_algorithm_bandwidth (const TtCommGroup *self, double *gb_per_s);
gboolean tt_comm_group_bus_bandwidth (const TtCommGroup *self, double *gb_per_s);
