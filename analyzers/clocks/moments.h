/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ends of calls that all leave at one moment: the moments of these meetings, and by how much each clock is off from them.
 */
#pragma once

#include "analyzers/clocks/ties.h"
#include "src/trace/span.h"

/* Ends differ by as much anyhow. */
#define TT_CLOCK_NEAR_NS 500.0

/* One rank's end of a meeting. */
typedef struct
{
  guint32 clock, meeting;
  gint64 ns; /* by the clock as it is mapped */
} TtClockEnd;

typedef struct
{
  guint first, n; /* of ends */
  guint32 cause;  /* clock of who came last, or the root */
  gint64 cause_ns, moment_ns;
} TtClockMeeting;

typedef struct
{
  const TtClockTies *ties;
  GArray *const *pieces; /* by clock */
  GArray *ends;          /* of TtClockEnd, by meeting */
  GArray *meetings;      /* of TtClockMeeting */
  guint *by_clock;       /* ends, by clock */
  guint *first_of;       /* by clock, and one more: where its ends begin in by_clock */
  guint *near;           /* by clock, as in clock-map.h */
  gint64 *moved_ns;      /* by clock: what its ends are before their moments */
  gint64 *values_ns;     /* room for one of each end */
  guint32 *groups;       /* by clock: the lowest of those that meet each other */
} TtClockMoments;

/* Lists the meetings, with the maps of @pieces, which stay where they are. */
void tt_clock_moments_init (TtClockMoments *self, const TtClockTies *ties, GArray *const *pieces);
void tt_clock_moments_clear (TtClockMoments *self);

/* Finds groups, moments and moved_ns; the lowest clock of a group keeps its time. */
void tt_clock_moments_settle (TtClockMoments *self);
gint64 tt_clock_moments_time (const TtClockMoments *self, guint32 clock, gint64 ns);
/* By how much the clock's ends are before their moments, to values_ns. Returns of how many. */
guint tt_clock_moments_list (const TtClockMoments *self, guint32 clock);

static inline const TtClockEnd *
tt_clock_moments_end (const TtClockMoments *self, guint32 clock, guint nth)
{
  return &g_array_index (self->ends, TtClockEnd, self->by_clock[self->first_of[clock] + nth]);
}

static inline gint64
tt_clock_distance (gint64 a_ns, gint64 b_ns)
{
  gint64 ns = tt_time_since (a_ns, b_ns);

  return ns < 0 ? -MAX (ns, -G_MAXINT64) : ns;
}
