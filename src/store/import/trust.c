/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/trust.h"

#include <string.h>

#include "src/base/id-table.h"
#include "src/base/sorter.h"
#include "src/trace/trust.h"

#define SORT_BYTES ((gsize) 2 << 20)

/* Of one thread in the current source. */
typedef struct
{
  guint64 n_spans, n_instants, n_counters, n_halves;
  guint64 n_mended, n_bounded, n_inferred;
  guint32 process;
  guint32 is_listed;
} ThreadCounts;

typedef struct
{
  guint64 seen[TT_N_TRUST_KINDS];
  guint64 fate[TT_N_TRUST_KINDS][TT_N_TRUST_FATES];
} Counts;

struct _TtTrustTally
{
  TtIdTable threads; /* of ThreadCounts */
  GArray *listed;    /* of guint32: threads with rows of the current source */
};

TtTrustTally *
tt_trust_tally_new (void)
{
  TtTrustTally *self = g_new0 (TtTrustTally, 1);

  G_STATIC_ASSERT (sizeof (ThreadCounts) == 64);
  self->threads.row_size = sizeof (ThreadCounts);
  self->listed = g_array_new (FALSE, FALSE, sizeof (guint32));
  return self;
}

void
tt_trust_tally_free (TtTrustTally *self)
{
  if (self == NULL)
    return;
  tt_id_table_clear (&self->threads);
  g_array_unref (self->listed);
  g_free (self);
}

void
tt_trust_tally_thread (TtTrustTally *self, guint32 thread, guint32 process)
{
  ((ThreadCounts *) tt_id_table_at (&self->threads, thread))->process = process;
}

/* -- counting ------------------------------------------------------------------------------------------------- */

static ThreadCounts *
find_thread (TtTrustTally *self, guint32 thread)
{
  ThreadCounts *counts = tt_id_table_at (&self->threads, thread);

  if (counts->is_listed == 0)
    {
      counts->is_listed = 1;
      g_array_append_val (self->listed, thread);
    }
  return counts;
}

static void
add_marked (ThreadCounts *counts, guint32 flags)
{
  switch (tt_trust_of_flags (flags))
    {
    case TT_TRUST_INFERRED:
      counts->n_inferred++;
      break;
    case TT_TRUST_BOUNDED:
      counts->n_bounded++;
      break;
    default:
      counts->n_mended++;
    }
}

static void
add_events (TtTrustTally *self, const TtEventColumns *events)
{
  guint i = 0;

  while (i < events->n)
    {
      const guint32 thread = events->thread[i];
      ThreadCounts *counts = find_thread (self, thread);
      guint first = i, n_instants = 0;

      for (; i < events->n && events->thread[i] == thread; i++)
        {
          n_instants += events->dur_ns[i] == TT_NO_TIME;
          if (G_UNLIKELY ((events->flags[i] & TT_TRUST_FLAGS) != 0))
            add_marked (counts, events->flags[i]);
        }
      counts->n_instants += n_instants;
      counts->n_spans += i - first - n_instants;
    }
}

void
tt_trust_tally_add (TtTrustTally *self, const TtBatch *batch)
{
  add_events (self, &batch->events);
  for (guint i = 0; i < batch->counters.n; i++)
    find_thread (self, batch->counters.thread[i])->n_counters++;
  for (guint i = 0; i < batch->halves.n; i++)
    find_thread (self, batch->halves.thread[i])->n_halves++;
}

/* -- writing -------------------------------------------------------------------------------------------------- */

/* Rows of one process after the other: a source may have millions. */
typedef struct
{
  TtConnection *connection;
  sqlite3_stmt *insert;
  guint32 process; /* TT_NO_ID: of none, or any */
  Counts counts;
} Rows;

/* A listed thread, to be sorted by its process. */
typedef struct
{
  guint64 process, thread;
} Listed;

static void
add_thread (Counts *counts, const ThreadCounts *thread)
{
  counts->seen[TT_TRUST_SPAN] += thread->n_spans;
  counts->seen[TT_TRUST_INSTANT] += thread->n_instants;
  counts->seen[TT_TRUST_COUNTER] += thread->n_counters;
  counts->seen[TT_TRUST_MESSAGE] += thread->n_halves;
  counts->fate[TT_TRUST_SPAN][TT_TRUST_MENDED] += thread->n_mended;
  counts->fate[TT_TRUST_SPAN][TT_TRUST_BOUNDED] += thread->n_bounded;
  counts->fate[TT_TRUST_SPAN][TT_TRUST_INFERRED] += thread->n_inferred;
}

/* What is left of @repairs without those whose process is known. */
static TtRepairs
without_known (const TtRepairs *repairs, const GArray *repaired)
{
  TtRepairs rest = *repairs;

  for (guint i = 0; i < repaired->len; i++)
    {
      const TtProcessRepairs *known = &g_array_index (repaired, TtProcessRepairs, i);
      rest.count[known->kind] -= MIN (known->count, rest.count[known->kind]);
    }
  return rest;
}

static void
add_repairs (Counts *counts, const TtRepairs *repairs)
{
  gboolean is_cut = FALSE;

  for (int i = 0; i < TT_N_REPAIRS; i++)
    {
      TtTrustKind kind;
      TtTrustFate fate;

      if (repairs->count[i] == 0 || !tt_trust_of_repair ((TtRepairKind) i, &kind, &fate))
        continue;
      /* A source is one file, however many of its repairs say that it is cut. */
      if (kind != TT_TRUST_FILE || i == TT_REPAIR_GONE_FILE)
        counts->fate[kind][fate] += repairs->count[i];
      else if (!is_cut)
        counts->fate[kind][fate]++;
      is_cut |= kind == TT_TRUST_FILE && i != TT_REPAIR_GONE_FILE;
    }
}

static gboolean
is_empty (const Counts *counts, guint kind)
{
  guint64 n = counts->seen[kind];

  for (guint fate = 0; fate < TT_N_TRUST_FATES; fate++)
    n |= counts->fate[kind][fate];
  return n == 0;
}

/* And begins those of @next. */
static void
write_rows (Rows *self, guint32 next, GError **error)
{
  GError *failure = NULL;

  for (guint kind = 0; kind < TT_N_TRUST_KINDS && failure == NULL; kind++)
    {
      if (is_empty (&self->counts, kind))
        continue;
      if (self->process == TT_NO_ID)
        sqlite3_bind_null (self->insert, 3);
      else
        sqlite3_bind_int64 (self->insert, 3, self->process);
      tt_store_bind_text (self->insert, 4, tt_trust_kind_text ((TtTrustKind) kind));
      sqlite3_bind_int64 (self->insert, 5, (gint64) self->counts.seen[kind]);
      for (int fate = 0; fate < TT_N_TRUST_FATES; fate++)
        sqlite3_bind_int64 (self->insert, 6 + fate, (gint64) self->counts.fate[kind][fate]);
      tt_connection_step (self->connection, self->insert, &failure);
      sqlite3_reset (self->insert);
    }
  if (failure != NULL)
    g_propagate_error (error, failure);
  memset (&self->counts, 0, sizeof self->counts);
  self->process = next;
}

/* The rows of @self, whose process is known, have their repairs, too; those before are of processes without a thread here. */
static void
add_known (Rows *self, const GArray *repaired, guint *at, guint32 process)
{
  TtRepairs repairs = { .count = { 0 } };

  for (; *at < repaired->len && g_array_index (repaired, TtProcessRepairs, *at).process == process; ++*at)
    {
      const TtProcessRepairs *known = &g_array_index (repaired, TtProcessRepairs, *at);
      repairs.count[known->kind] = known->count;
    }
  add_repairs (&self->counts, &repairs);
}

static void
write_known_before (Rows *self, const GArray *repaired, guint *at, guint32 process, GError **error)
{
  GError *failure = NULL;

  while (failure == NULL && *at < repaired->len && g_array_index (repaired, TtProcessRepairs, *at).process < process)
    {
      self->process = g_array_index (repaired, TtProcessRepairs, *at).process;
      add_known (self, repaired, at, self->process);
      write_rows (self, process, &failure);
    }
  if (failure != NULL)
    g_propagate_error (error, failure);
}

/* *only: the process that all threads are of; TT_NO_ID: there are several, or none. */
static gboolean
sort_threads (TtTrustTally *self, TtSorter *sorter, guint32 *only, GError **error)
{
  *only = TT_NO_ID;
  for (guint i = 0; i < self->listed->len; i++)
    {
      const guint32 thread = g_array_index (self->listed, guint32, i);
      const guint32 process = ((const ThreadCounts *) tt_id_table_at (&self->threads, thread))->process;

      *(Listed *) tt_sorter_add (sorter) = (Listed){ process, thread };
      if (i == 0)
        *only = process;
      else if (process != *only)
        *only = TT_NO_ID;
    }
  g_array_set_size (self->listed, 0);
  return tt_sorter_finish (sorter, error);
}

gboolean
tt_trust_tally_write (TtTrustTally *self,
                      TtConnection *connection,
                      guint32 run,
                      guint32 source,
                      const TtRepairs *repairs,
                      const GArray *repaired,
                      GError **error)
{
  const TtRepairs rest = without_known (repairs, repaired);
  guint at = 0;
  g_autoptr (sqlite3_stmt) insert = tt_connection_prepare (
      connection,
      "INSERT INTO trust_row (run, source, process, kind, seen, mended, skipped, bounded, inferred, lost, doubtful)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
      error);
  g_autoptr (TtSorter) sorter = tt_sorter_new (sizeof (Listed), SORT_BYTES);
  Rows rows = { .connection = connection, .insert = insert, .process = TT_NO_ID };
  GError *failure = NULL;
  const Listed *listed;
  guint32 only;

  if (insert == NULL || !sort_threads (self, sorter, &only, error))
    return FALSE;
  sqlite3_bind_int64 (insert, 1, run);
  sqlite3_bind_int64 (insert, 2, source);
  if (only == TT_NO_ID)
    add_repairs (&rows.counts, &rest);
  while (failure == NULL && (listed = tt_sorter_next (sorter, &failure)) != NULL)
    {
      ThreadCounts *thread = tt_id_table_at (&self->threads, (guint32) listed->thread);

      if (listed->process != rows.process)
        {
          write_rows (&rows, (guint32) listed->process, &failure);
          if (failure == NULL)
            write_known_before (&rows, repaired, &at, (guint32) listed->process, &failure);
          rows.process = (guint32) listed->process;
          if (rows.process == only)
            add_repairs (&rows.counts, &rest);
          add_known (&rows, repaired, &at, rows.process);
        }
      add_thread (&rows.counts, thread);
      *thread = (ThreadCounts){ .process = thread->process };
    }
  if (failure == NULL)
    write_rows (&rows, TT_NO_ID, &failure);
  if (failure == NULL)
    write_known_before (&rows, repaired, &at, G_MAXUINT32, &failure);
  return tt_store_finish (failure, error) && tt_id_table_check (&self->threads, error);
}
