/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ArrangeSpikes: records out of the order of their source, which would make the run many times as long: see spikes.c.
 *
 * For importers that bring their records to nest themselves, too. Zeroed spikes and windows are empty ones; they own
 * nothing.
 */
#pragma once

#include "src/trace/time-spread.h"

#define ARRANGE_WINDOW 3u

typedef struct
{
  gint64 ts_ns, end_ns;
  gboolean is_moment;
} ArrangeSeen;

/* The latest records of a thread in the order of the source. */
typedef struct
{
  guint8 n, oldest; /* how many there are, and where the oldest is */
  guint8 is_moment[ARRANGE_WINDOW];
  gint64 ts_ns[ARRANGE_WINDOW], end_ns[ARRANGE_WINDOW];
  guint8 has_first; /* it has been judged */
} ArrangeWindow;

typedef struct
{
  ArrangeSeen seen;
  gint64 distance_ns;
  gboolean is_begin; /* begin and end are out of order, not the end alone */
  gboolean is_edge;  /* the first or last of its thread */
} ArrangeSpike;

/* Zeroed there are none. */
typedef struct
{
  gint64 first_ns, last_ns; /* where all others lie */
  guint64 n_calm;           /* how many these are */
  ArrangeSpike spike[TT_FEW_TIMES];
  guint n;
} ArrangeSpikes;

/* A record that is no spike. */
static inline void
arrange_spikes_widen (ArrangeSpikes *self, gint64 ts_ns, gint64 end_ns)
{
  if (G_UNLIKELY (self->n_calm == 0))
    {
      self->first_ns = ts_ns;
      self->last_ns = end_ns;
    }
  self->first_ns = MIN (self->first_ns, ts_ns);
  self->last_ns = MAX (self->last_ns, end_ns);
  self->n_calm++;
}

/* The next record of the thread of @window. */
void arrange_spikes_add (ArrangeSpikes *self, ArrangeWindow *window, const ArrangeSeen *seen);
/* A span that begins at @ts_ns, after its end: one of them is wrong. */
void arrange_spikes_suspect (ArrangeSpikes *self, gint64 ts_ns, gint64 end_ns);
void arrange_spikes_end_thread (ArrangeSpikes *self, ArrangeWindow *window);
/* Adds what was seen of other threads. */
void arrange_spikes_join (ArrangeSpikes *self, const ArrangeSpikes *other);
/* After all threads. TRUE: a few records are farther from all others than these reach: without them the run is less than half
 * as long. */
gboolean arrange_spikes_finish (ArrangeSpikes *self);
/* Whether that is a begin of such a record, or an end; @is_crossing: of a span that crosses the one it is in. */
gboolean arrange_spikes_has_begin (const ArrangeSpikes *self, gint64 ts_ns);
gboolean arrange_spikes_has_end (const ArrangeSpikes *self, gint64 end_ns, gboolean is_crossing);
