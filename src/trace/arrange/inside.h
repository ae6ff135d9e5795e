/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a TtArrange is inside: arrange.c takes records in, finish.c joins begins to ends and hands all on.
 */
#pragma once

#include "src/trace/arrange/private.h"

/* Shares of the memory for sorting, in 16ths: of all that goes to nest, of begins and ends, of asynchronous ones
 * and of their spans. */
#define SHARE_MAIN 8
#define SHARE_EVENTS 4
#define SHARE_ASYNC 2

/* What the calls so far say of a thread. */
typedef struct
{
  gint64 last_ns;                    /* where it is seen */
  guint64 first_number, last_number; /* of its calls */
  guint32 process;
  guint16 is_seen;
  guint16 feed; /* of a trusted thread: its number in `feeds` + 1; 0: none */
} ArrangeThread;

struct _TtArrange
{
  TtSink *sink;
  ArrangeHooks hooks;
  TtIdTable threads; /* of ArrangeThread */
  GPtrArray *feeds;  /* of the trusted threads */
  GArray *trusted;   /* guint32: their ids */
  guint64 n_calls;
  gsize memory;
  TtSorter *main;   /* of ArrangeRecord: spans, instants and flow points of threads */
  TtSorter *events; /* of ArrangeAsync: their begins and ends */
  TtSorter *async;  /* of ArrangeAsync: asynchronous begins and ends by key */
  TtSorter *spans;  /* of ArrangeAsync: the spans of these, by number of the key */
  guint32 n_keys;
  gboolean is_by_end;
  TtTimeSpread spread;
  TtIdTable windows; /* of ArrangeWindow, by thread */
  guint32 n_windows; /* the highest thread + 1 */
  ArrangeSpikes spikes;
  ArrangeLone lone; /* has_lone: some records are */
  gboolean has_lone;
  ArrangeCounters *counters; /* NULL: there are none */
  TtNest *nest;
};

static inline ArrangeThread *
arrange_thread (TtArrange *self, guint32 id)
{
  return tt_id_table_at (&self->threads, id);
}

/* NULL: the thread is not trusted. */
static inline ArrangeFeed *
arrange_feed_of (const TtArrange *self, const ArrangeThread *thread)
{
  return thread->feed == 0 ? NULL : self->feeds->pdata[thread->feed - 1];
}

static inline void *
arrange_add (TtArrange *self, TtSorter **sorter, gsize record_size, guint share)
{
  if (G_UNLIKELY (*sorter == NULL))
    *sorter = tt_sorter_new (record_size, self->memory / 16 * share);
  return tt_sorter_add (*sorter);
}
