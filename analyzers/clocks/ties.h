/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ties the clocks of a run's processes to each other: effects that cannot come before their causes.
 *
 * A message is received after it was sent. Of a collective in which all give and all get (barrier, allreduce,
 * allgather, alltoall, reduce_scatter) nobody leaves before the last has come; the root of a gather is as one who
 * receives from each of the others (roots.h). Processes of one rank share a clock.
 *
 * Memory: 24 bytes a message and a call of a rank.
 */
#pragma once

#include "analyzers/clocks/ranges.h"

/* Clocks are numbered from 0; one for each rank. */
typedef struct
{
  guint32 from, to;
  gint64 cause_ns, effect_ns; /* by the clocks of from and to */
} TtClockTie;

typedef struct
{
  guint32 clock;
  gint64 begin_ns, end_ns; /* by it */
} TtClockMember;

/* members[first ... first + n - 1] of one call. */
typedef struct
{
  guint first, n;
} TtClockCall;

typedef struct
{
  guint n_clocks;
  guint32 *clock_of; /* by process */
  GArray *messages;  /* of TtClockTie, between different clocks */
  GArray *members;   /* of TtClockMember */
  GArray *calls;     /* of TtClockCall; one clock is in a call once */
  guint n_named;     /* calls[0 ... n_named - 1]: the source says who takes part; of the others it is supposed that all
                        ranks do */
  TtClockRange *message_ranges; /* by process: its sends and receives */
} TtClockTies;

/* Times are those of the processes' own clocks: the store must not correct them. Processes that count ticks have no
 * ties. NULL with @error. */
TtClockTies *tt_clock_ties_new (TtStore *store, GError **error);
void tt_clock_ties_free (TtClockTies *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtClockTies, tt_clock_ties_free)
