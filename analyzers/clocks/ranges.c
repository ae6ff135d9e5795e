/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/ranges.h"

#include <string.h>

#include "analyzers/spans/each-event.h"
#include "src/base/id-table.h"
#include "src/trace/span.h"

/* Names of one call: a name more for each call path to it. */
typedef struct
{
  guint32 names[8];
  guint n;
} Names;

typedef struct
{
  Names starts, finals; /* MPI_Init, MPI_Finalize */
} Ends;

static void
add_name (Names *self, guint32 name)
{
  if (self->n < G_N_ELEMENTS (self->names))
    self->names[self->n++] = name;
}

static void
take_op_name (Ends *self, guint32 name, const char *op_name)
{
  if (op_name == NULL)
    return;
  if (strcmp (op_name, "MPI_Init") == 0 || strcmp (op_name, "MPI_Init_thread") == 0)
    add_name (&self->starts, name);
  else if (strcmp (op_name, "MPI_Finalize") == 0)
    add_name (&self->finals, name);
}

static inline gboolean
has_name (const Names *self, guint32 name)
{
  for (guint i = 0; i < self->n; i++)
    if (self->names[i] == name)
      return TRUE;
  return FALSE;
}

/* -- observing ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  TtClockRange range;
  guint32 process;
  gboolean is_any; /* else the range is not set yet */
  gint64 unused;
} ThreadRange;

typedef struct
{
  gint64 start_ns;    /* 0: none */
  TtClockRange final; /* all 0: none */
  gint64 unused;
} ThreadMpi;

typedef struct
{
  TtIdTable threads; /* ThreadRange by thread */
  TtIdTable callers; /* ThreadMpi by thread, up to the last that begins or ends MPI */
  guint32 max_thread, max_caller;
  Ends ends;
} Observation;

/* Powers of two, as TtIdTable wants them. */
G_STATIC_ASSERT (sizeof (ThreadRange) == 32 && sizeof (ThreadMpi) == 32);

gpointer
tt_clock_ranges_prepare (void)
{
  Observation *self = g_new0 (Observation, 1);

  self->threads.row_size = sizeof (ThreadRange);
  self->callers.row_size = sizeof (ThreadMpi);
  return self;
}

void
tt_clock_ranges_release (gpointer prepared)
{
  Observation *self = prepared;

  tt_id_table_clear (&self->threads);
  tt_id_table_clear (&self->callers);
  g_free (self);
}

static inline void
widen_thread (Observation *self, guint32 thread, gint64 first_ns, gint64 last_ns)
{
  ThreadRange *row = tt_id_table_at (&self->threads, thread);

  if (!row->is_any)
    row->range = TT_CLOCK_RANGE_NONE;
  row->is_any = TRUE;
  row->range.first_ns = MIN (row->range.first_ns, first_ns);
  row->range.last_ns = MAX (row->range.last_ns, last_ns);
  self->max_thread = MAX (self->max_thread, thread);
}

static void
observe_definition (Observation *self, const TtDefinition *definition, const TtBatch *batch)
{
  if (definition->kind == TT_DEFINE_THREAD)
    ((ThreadRange *) tt_id_table_at (&self->threads, definition->id))->process = definition->parent;
  else if (definition->kind == TT_DEFINE_NAME)
    take_op_name (&self->ends, definition->id, tt_batch_text (batch, definition->text[TT_NAME_OP_NAME]));
}

static ThreadMpi *
caller_at (Observation *self, guint32 thread)
{
  self->max_caller = MAX (self->max_caller, thread);
  return tt_id_table_at (&self->callers, thread);
}

static inline gint64
end_of (const TtEventColumns *events, guint i)
{
  return tt_span_end (events->ts_ns[i], events->dur_ns[i] == TT_NO_TIME ? 0 : events->dur_ns[i]);
}

static void
observe_times (Observation *self, const TtEventColumns *events)
{
  for (guint i = 0; i < events->n; i++)
    widen_thread (self, events->thread[i], events->ts_ns[i], end_of (events, i));
}

static void
observe_calls (Observation *self, const TtEventColumns *events)
{
  if (self->ends.starts.n == 0 && self->ends.finals.n == 0)
    return;
  for (guint i = 0; i < events->n; i++)
    if (has_name (&self->ends.starts, events->name[i]))
      caller_at (self, events->thread[i])->start_ns = end_of (events, i);
    else if (has_name (&self->ends.finals, events->name[i]))
      caller_at (self, events->thread[i])->final = (TtClockRange){ events->ts_ns[i], end_of (events, i) };
}

void
tt_clock_ranges_observe (const TtBatch *batch, gpointer prepared)
{
  Observation *self = prepared;
  const TtCounterColumns *counters = &batch->counters;

  for (guint i = 0; i < batch->definitions->len; i++)
    observe_definition (self, &g_array_index (batch->definitions, TtDefinition, i), batch);
  observe_times (self, &batch->events);
  observe_calls (self, &batch->events);
  for (guint i = 0; i < counters->n; i++)
    widen_thread (self, counters->thread[i], counters->ts_ns[i], counters->ts_ns[i]);
}

static gboolean
use_observed (Observation *self, TtStore *store, TtClockRange *ranges, TtClockMpi *mpi, GError **error)
{
  for (guint32 thread = 1; thread <= self->max_thread; thread++)
    {
      const ThreadRange *row = tt_id_table_at (&self->threads, thread);
      guint32 process = row->is_any ? tt_store_process_of_row (store, row->process) : TT_NO_ID;

      if (process == TT_NO_ID)
        continue;
      tt_clock_range_widen (&ranges[process], row->range.first_ns, row->range.last_ns);
      if (thread > self->max_caller)
        continue;
      const ThreadMpi *caller = tt_id_table_at (&self->callers, thread);
      if (caller->start_ns != 0)
        mpi[process].start_ns = caller->start_ns;
      if (caller->final.last_ns != 0)
        mpi[process].final = caller->final;
    }
  return tt_id_table_check (&self->threads, error) && tt_id_table_check (&self->callers, error);
}

/* -- reading ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  TtStore *store;
  TtClockRange *ranges;
  TtClockMpi *mpi;
  Ends ends;
} Reader;

static gboolean
take_name (const TtStoredName *name, gpointer data)
{
  Reader *self = data;

  take_op_name (&self->ends, name->id, name->op_name);
  return TRUE;
}

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  Reader *self = data;
  guint32 process = tt_store_thread (self->store, event->thread)->process;
  gint64 end_ns = event->dur_ns == TT_NO_TIME ? event->ts_ns : tt_span_end (event->ts_ns, event->dur_ns);

  tt_clock_range_widen (&self->ranges[process], event->ts_ns, end_ns);
  if (has_name (&self->ends.starts, event->name))
    self->mpi[process].start_ns = end_ns;
  else if (has_name (&self->ends.finals, event->name))
    self->mpi[process].final = (TtClockRange){ event->ts_ns, end_ns };
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
tt_clock_ranges_find (TtStore *store, gpointer prepared, TtClockRange *ranges, TtClockMpi *mpi, GError **error)
{
  Reader reader = { .store = store, .ranges = ranges, .mpi = mpi };

  if (prepared != NULL)
    return use_observed (prepared, store, ranges, mpi, error);
  return tt_store_each_name (store, take_name, &reader, error) &&
         tt_each_event (store, TT_SCAN_DEFAULT, take_event, &reader, error) &&
         tt_store_each_counter (store, take_counter, &reader, error);
}
