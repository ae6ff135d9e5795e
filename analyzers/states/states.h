/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtStates: what the threads of programs did while they were in each operation, as a kernel trace of the same host tells:
 * they ran, were preempted, were woken and not yet on a processor, or waited, and in which call of the system.
 *
 * Every moment of a thread is that of its innermost span, so that rows add up; total_ns is of whole spans, of those of one name
 * inside each other only of the outermost. Where no program was traced, the calls of the system are the operations.
 * Times are by the clock of the host, as kernel and program have it, whatever the run's own clock makes of it.
 */
#pragma once

#include "analyzers/states/state-sweep.h"
#include "src/base/int128.h"
#include "src/select/selection.h"

typedef enum
{
  TT_STATES_OPERATIONS,
  TT_STATES_RANKS,
  TT_STATES_THREADS,
} TtStatesRows;

typedef struct
{
  guint32 id; /* of a name, a process that leads a rank, or a thread */
  guint64 n_spans;
  tt_int128 self_ns[TT_N_THREAD_STATES], total_ns[TT_N_THREAD_STATES];
  guint32 call; /* the name of the call of the system in which it waited most; TT_NO_ID: in none */
  tt_int128 call_ns;
} TtStatesRow;

typedef struct
{
  guint n_lanes;                         /* of states; 0: there is no kernel trace */
  guint n_threads, n_without;            /* with spans; of them without a lane, which are in no row */
  guint32 first_without;                 /* TT_NO_ID: none */
  tt_int128 without_ns;                  /* self time of these */
  tt_int128 self_ns[TT_N_THREAD_STATES]; /* of all rows */
} TtStatesFacts;

typedef struct _TtStates TtStates;

/* @store: reads times as they were recorded from then on. @selection: bound after that. One scan; memory is bounded but for
 * rows, and their calls of the system. */
TtStates *tt_states_new (TtStore *store, const TtSelection *selection, TtStatesRows rows, GError **error);
void tt_states_free (TtStates *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtStates, tt_states_free)

/* Of TtStatesRow, those that lost most to anything but running first. */
const GArray *tt_states_rows (const TtStates *self);
const TtStatesFacts *tt_states_facts (const TtStates *self);
/* The sum of an array by TtThreadState; without TT_STATE_RUNNING and TT_STATE_UNKNOWN. */
tt_int128 tt_states_sum (const tt_int128 *ns);
tt_int128 tt_states_lost (const tt_int128 *ns);
