/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtWaitCauses: what made threads wait, and what it costs the others: delay costs after D. Boehme et al., "Identifying the
 * Root Causes of Wait States in Large-Scale Parallel Applications".
 *
 * Of a wait of p for q both are looked at since they last synchronised (syncs.h), or since the begin. What q computed in a
 * call path beyond what p did in the same is a delay. The wait is shared out over these delays and over the waits of
 * q in that time, in proportion; what falls on a wait of q goes on to what that one has as causes: propagated. Where there is
 * neither, the cause is not known, on q.
 *
 * Memory: as TtSyncs and TtTimeline, and 24 bytes a wait.
 */
#pragma once

#include "analyzers/waits/timeline.h"
#include "analyzers/waits/waits.h"

typedef struct
{
  guint32 process;
  guint32 path;                       /* of the timeline; TT_PATH_ROOT: not known */
  guint64 n_waits;                    /* of which it is a direct cause */
  tt_int128 direct_ns, propagated_ns; /* waits of others */
} TtWaitCause;

typedef struct
{
  TtWaits *waits;
  TtTimeline *timeline;
  GArray *causes; /* of TtWaitCause, the dearest first; their costs add up to the waits */
} TtWaitCauses;

/* Three scans. */
TtWaitCauses *tt_wait_causes_new (TtStore *store, GError **error);
void tt_wait_causes_free (TtWaitCauses *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtWaitCauses, tt_wait_causes_free)
