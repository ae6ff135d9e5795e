/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/ranges.h"

#include "analyzers/spans/each-event.h"
#include "src/base/id-table.h"
#include "src/trace/span.h"

/* -- observing ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  TtClockRange range;
  guint32 process;
  gboolean is_any; /* else the range is not set yet */
  guint64 unused;  /* a power of two in all */
} ThreadRange;

typedef struct
{
  TtIdTable threads; /* ThreadRange by thread */
  guint32 max_thread;
} Observation;

G_STATIC_ASSERT (sizeof (ThreadRange) == 32);

gpointer
tt_clock_ranges_prepare (void)
{
  Observation *self = g_new0 (Observation, 1);

  self->threads.row_size = sizeof (ThreadRange);
  return self;
}

void
tt_clock_ranges_release (gpointer prepared)
{
  Observation *self = prepared;

  tt_id_table_clear (&self->threads);
  g_free (self);
}

static void
widen_thread (Observation *self, guint32 thread, const TtClockRange *range)
{
  ThreadRange *row;

  if (range->first_ns > range->last_ns)
    return;
  row = tt_id_table_at (&self->threads, thread);
  if (!row->is_any)
    row->range = TT_CLOCK_RANGE_NONE;
  row->is_any = TRUE;
  tt_clock_range_widen (&row->range, range->first_ns, range->last_ns);
  self->max_thread = MAX (self->max_thread, thread);
}

/* Rows of one thread mostly come together. */
void
tt_clock_ranges_observe (const TtBatch *batch, gpointer prepared)
{
  Observation *self = prepared;
  const TtEventColumns *events = &batch->events;
  const TtCounterColumns *counters = &batch->counters;
  TtClockRange range = TT_CLOCK_RANGE_NONE;

  for (guint i = 0; i < batch->definitions->len; i++)
    {
      const TtDefinition *definition = &g_array_index (batch->definitions, TtDefinition, i);

      if (definition->kind == TT_DEFINE_THREAD)
        ((ThreadRange *) tt_id_table_at (&self->threads, definition->id))->process = definition->parent;
    }
  for (guint i = 0; i < events->n; i++)
    {
      gint64 dur_ns = events->dur_ns[i] == TT_NO_TIME ? 0 : events->dur_ns[i];

      tt_clock_range_widen (&range, events->ts_ns[i], tt_span_end (events->ts_ns[i], dur_ns));
      if (i + 1 < events->n && events->thread[i + 1] == events->thread[i])
        continue;
      widen_thread (self, events->thread[i], &range);
      range = TT_CLOCK_RANGE_NONE;
    }
  for (guint i = 0; i < counters->n; i++)
    {
      tt_clock_range_widen (&range, counters->ts_ns[i], counters->ts_ns[i]);
      if (i + 1 < counters->n && counters->thread[i + 1] == counters->thread[i])
        continue;
      widen_thread (self, counters->thread[i], &range);
      range = TT_CLOCK_RANGE_NONE;
    }
}

static gboolean
use_observed (Observation *self, TtStore *store, TtClockRange *ranges, GError **error)
{
  for (guint32 thread = 1; thread <= self->max_thread; thread++)
    {
      const ThreadRange *row = tt_id_table_at (&self->threads, thread);
      guint32 process = row->is_any ? tt_store_process_of_row (store, row->process) : TT_NO_ID;

      if (process != TT_NO_ID)
        tt_clock_range_widen (&ranges[process], row->range.first_ns, row->range.last_ns);
    }
  return tt_id_table_check (&self->threads, error);
}

/* -- reading ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  TtStore *store;
  TtClockRange *ranges;
} Reader;

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  Reader *self = data;

  tt_clock_range_widen (&self->ranges[tt_store_thread (self->store, event->thread)->process], event->ts_ns,
                        event->dur_ns == TT_NO_TIME ? event->ts_ns : tt_span_end (event->ts_ns, event->dur_ns));
  return TRUE;
}

static gboolean
take_counter (guint32 series,
              guint32 thread,
              gint64 ts_ns,
              gboolean is_real,
              gint64 integer,
              double real,
              gpointer data)
{
  Reader *self = data;

  tt_clock_range_widen (&self->ranges[tt_store_thread (self->store, thread)->process], ts_ns, ts_ns);
  return TRUE;
}

gboolean
tt_clock_ranges_find (TtStore *store, gpointer prepared, TtClockRange *ranges, GError **error)
{
  Reader reader = { store, ranges };

  if (prepared != NULL)
    return use_observed (prepared, store, ranges, error);
  return tt_each_event (store, TT_SCAN_DEFAULT, take_event, &reader, error) &&
         tt_store_each_counter (store, take_counter, &reader, error);
}
