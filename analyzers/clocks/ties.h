/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ties the clocks of a run's processes to each other: effects that cannot come before their causes.
 *
 * A message is received after it was sent. Of a collective in which all give and all get (barrier, allreduce,
 * allgather, alltoall, reduce_scatter) nobody leaves before the last has come, likewise of every call in which TAU has
 * a barrier of its own; one that returned at once nobody completes before (call-spans.h). The root of a gather is as one
 * who receives from each of the others (roots.h). MPI_Ssend and the MPI_Recv of its message are like a call of two
 * ranks. Processes of one rank share a clock.
 *
 * Memory: 24 bytes a message and a call of a rank, 24 more where it has a root, and what call-spans.h says.
 */
#pragma once

#include "analyzers/clocks/ranges.h"
#include "src/trace/span.h"

#define TT_CLOCK_MET_NS 3000

/* Clocks are numbered from 0; one for each rank. */
typedef struct
{
  guint32 from, to;
  gint64 cause_ns, effect_ns; /* by the clocks of from and to */
} TtClockTie;

typedef struct
{
  guint32 clock;
  gboolean is_late;        /* it came when it was over: its end says nothing of the others' */
  gint64 begin_ns, end_ns; /* by it */
} TtClockMember;

/* members[first ... first + n - 1] of one call. */
typedef struct
{
  guint first, n;
  gboolean is_loose;    /* ends may be much later than they could be: they are not of one moment */
  gboolean is_inferred; /* who takes part */
} TtClockCall;

/* Whether a call took so long that it waited for the end of what it completed, for it takes less to see that this is over. */
static inline gboolean
tt_clock_has_met (gint64 begin_ns, gint64 end_ns)
{
  return end_ns - begin_ns > TT_CLOCK_MET_NS;
}

typedef struct
{
  guint n_clocks;
  guint32 *clock_of; /* by process */
  TtClock kind;      /* of most sources */
  gboolean is_mixed; /* there are others: times of two kinds tie nothing, those of one do among themselves */
  GArray *messages;  /* of TtClockTie, between different clocks */
  GArray *members;   /* of TtClockMember */
  GArray *calls;     /* of TtClockCall; one clock is in a call once */
  guint n_named;     /* calls[0 ... n_named - 1]: the source says who takes part; of the others it is supposed that all
                        ranks do */
  guint n_fences; /* the last of calls: fences of one-sided communication, in which ranks wait only unless the program
                     promises what makes it needless */
  /* TtClockCall, of these members, of which only ends are looked at; several may be of one clock. Of a loose one the first is its root,
   * and all others came before it; else all need all. */
  GArray *returns, *meetings;
  guint n_processes;
  TtClockRange *message_ranges; /* by process: its sends and receives; NULL: there are none */
} TtClockTies;

static inline gboolean
tt_clock_is_main_kind (const TtClockTies *self, gint64 ns)
{
  return !self->is_mixed || tt_time_is_epoch (ns) == (self->kind == TT_CLOCK_EPOCH);
}

/* Times are those of the processes' own clocks: the store must not correct them. Processes that count ticks have no
 * ties. @prepared: of call-spans.h, or NULL. NULL with @error. */
TtClockTies *tt_clock_ties_new (TtStore *store, gpointer prepared, GError **error);
void tt_clock_ties_free (TtClockTies *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtClockTies, tt_clock_ties_free)
