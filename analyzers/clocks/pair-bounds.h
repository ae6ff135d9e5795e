/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of how the clocks of two ranks differ: the strongest bounds of each of so many stretches of time.
 *
 * The difference d of a pair is what must be added to a time of the second clock less what must be added to one of the
 * first, as a function of the first clock's time. An effect on the second rank of a cause on the first says that d is at
 * least cause - effect; one the other way round that it is at most effect - cause. Ends of the calls of one collective
 * lie close together and say nearly how much it is, but for what it takes to leave the call: as long as it was for who
 * came last.
 */
#pragma once

#include <glib.h>

#define TT_CLOCK_BUCKETS 64u

/* The strongest of a stretch of time; times by the first clock. */
typedef struct
{
  gint64 lower_at_ns, lower_ns;
  gint64 upper_at_ns, upper_ns;
  gint64 near_at_ns, near_ns, near_width_ns; /* ends of the call that was the shortest: its length for both */
  gint64 near_least_ns;                      /* its length for who came last */
  gboolean has_lower, has_upper, has_near;
} TtClockBucket;

/* Most pairs have few bounds: only buckets with any take room. */
typedef struct
{
  gint64 first_ns, last_ns; /* of the first clock */
  guint8 n_buckets, n_allocated;
  guint8 slots[TT_CLOCK_BUCKETS]; /* of the bucket + 1; 0: nothing is there */
  TtClockBucket *buckets;
} TtClockPair;

/* First with the time of each bound, then the bounds. */
void tt_clock_pair_init (TtClockPair *self);
void tt_clock_pair_clear (TtClockPair *self);
void tt_clock_pair_widen (TtClockPair *self, gint64 at_ns);
void tt_clock_pair_add_lower (TtClockPair *self, gint64 at_ns, gint64 ns);
void tt_clock_pair_add_upper (TtClockPair *self, gint64 at_ns, gint64 ns);
void tt_clock_pair_add_near (TtClockPair *self, gint64 at_ns, gint64 ns, gint64 width_ns, gint64 least_ns);
