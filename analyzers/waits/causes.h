/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtWaitCauses: what made threads wait, and what it costs the others: delay costs after D. Boehme et al., "Identifying the
 * Root Causes of Wait States in Large-Scale Parallel Applications".
 *
 * Of a wait of p for q both are looked at since they last synchronised (syncs.h), or since the begin. What q computed in a
 * call path beyond what p did in the same is a delay. The wait is shared out over these delays and over the waits of
 * q in that time, in proportion; what falls on a wait of q goes on to what that one has as causes: propagated. Where there is
 * neither, the cause is not known, on q. Threads of one process synchronise by locks, joins and barriers, and were together
 * when the later of them began.
 *
 * Memory: as TtSyncs, then as TtTimeline, and 60 bytes a wait.
 */
#pragma once

#include "analyzers/waits/timeline.h"
#include "analyzers/waits/waits.h"
#include "src/base/crew.h"

typedef struct
{
  guint32 process;
  guint32 path;                       /* of the timeline; TT_PATH_ROOT: not known */
  guint64 n_waits;                    /* of which it is a direct cause */
  tt_int128 direct_ns, propagated_ns; /* waits of others */
} TtWaitCause;

typedef struct
{
  TtTimeline *timeline; /* NULL: paths are names of the store */
  GArray *causes;       /* of TtWaitCause, the dearest first; their costs add up to the chosen waits */
  guint n_waits;        /* that are chosen */
  tt_int128 waits_ns;   /* their sum */
  TtRankWaits of_ranks; /* of these those for other ranks */
  guint64 n_locks;      /* of these those for one of several locks of which it is not known which */
  gboolean is_all;      /* all are chosen */
} TtWaitCauses;

/* @selection: bound; as tt_waits_new() has it. Causes may lie in waits that are not chosen. Three scans, or four if not
 * everything is chosen. */
TtWaitCauses *tt_wait_causes_new (TtStore *store, const TtSelection *selection, GError **error);
/* The same by the ranks of @crew, which rank 0 calls and dismisses: the others make the timeline. They get NULL; without @error they are done. */
TtWaitCauses *
tt_joint_wait_causes_new (TtStore *store, const TtSelection *selection, const TtCrew *crew, GError **error);
/* Of all waits, which were found: two scans fewer. @all: keeps its waits, and without syncs remains. */
TtWaitCauses *tt_wait_causes_of_all (TtStore *store, TtAllWaits *all, GError **error);
/* None yet, of chosen waits that were found otherwise; @is_all: these are all. For who adds causes to it and puts them in
 * order. */
TtWaitCauses *tt_wait_causes_begin (TtStore *store, const TtWaits *chosen, gboolean is_all);
void tt_wait_causes_sort (TtWaitCauses *self);
void tt_wait_causes_free (TtWaitCauses *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtWaitCauses, tt_wait_causes_free)
