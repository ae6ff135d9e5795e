/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/steps/steps-private.h"

#include "analyzers/process-order.h"
#include "analyzers/spans/shared-scan.h"
#include "analyzers/steps/joint-steps.h"
#include "analyzers/steps/step-times.h"

#define SORT_BYTES ((gsize) 32 << 20)

/* -- collecting -------------------------------------------------------------------------------- */

static gboolean
classify_name (const TtStoredName *name, gpointer data)
{
  TtSteps *self = data;

  TtStepWork work = tt_step_work (name->op_cat);

  /* An annotation is no operator, but may be all that there is of communication (gloo:all_reduce) and of loading. */
  if (name->group != NULL && g_str_has_suffix (name->group, "user_annotation") && work != TT_STEP_WORK_COMM &&
      work != TT_STEP_WORK_IO)
    return TRUE;
  self->work_of_name[name->id] = (guint8) work;
  return TRUE;
}

static int
compare_ids (gconstpointer a, gconstpointer b, gpointer store)
{
  return tt_process_order (store, *(const guint32 *) a, *(const guint32 *) b);
}

static gboolean
look_up_definitions (TtSteps *self, GError **error)
{
  guint n;
  const TtProcess *processes = tt_store_processes (self->store, &n);

  self->facts = g_new0 (TtStepFacts, (gsize) tt_store_max_process (self->store) + 1);
  for (guint i = 0; i < n; i++)
    if (processes[i].owner == processes[i].id)
      g_array_append_val (self->ids, processes[i].id);
  g_array_sort_with_data (self->ids, compare_ids, self->store);
  for (guint i = 0; i < self->ids->len; i++)
    self->facts[g_array_index (self->ids, guint32, i)].place = i;
  for (guint i = 0; i < n; i++)
    self->facts[processes[i].id].place = self->facts[processes[i].owner].place;

  const TtThread *threads = tt_store_threads (self->store, &n);
  self->process_of_thread = g_new0 (guint32, (gsize) tt_store_max_thread (self->store) + 1);
  for (guint i = 0; i < n; i++)
    self->process_of_thread[threads[i].id] = threads[i].process;

  self->work_of_name = g_new0 (guint8, (gsize) tt_store_max_name (self->store) + 1);
  return tt_store_each_name (self->store, classify_name, self, error);
}

static void
collect_span (TtSteps *self, const TtEvent *event)
{
  TtStepWork work = self->work_of_name[event->name];
  TtStepFacts *facts = &self->facts[self->process_of_thread[event->thread]];
  gboolean is_step = (event->flags & TT_FLAG_STEP) != 0 && event->step >= 0 && self->measure == TT_STEP_BY_ANNOTATION;

  if (!is_step && (work == TT_STEP_WORK_NONE || (event->flags & TT_FLAG_WINDOW) != 0))
    return;
  if (event->step < 0)
    {
      self->n_outside++;
      return;
    }
  if (is_step)
    tt_steps_facts_of_rank (self, facts)->is_annotated = TRUE;
  else if (tt_step_work_is_operator (work))
    facts->has_classes = tt_steps_facts_of_rank (self, facts)->rank_has_classes = TRUE;
  tt_steps_facts_of_rank (self, facts)->is_seen = TRUE;
  TtStepped *span = tt_sorter_add (self->spans);
  span->order = (guint64) facts->place << 32 | (guint64) (guint32) event->step << 1 | !is_step;
  span->ts_key = tt_sort_key (event->ts_ns);
  span->dur_ns = event->dur_ns;
  span->name = event->name;
  span->thread = event->thread;
}

typedef struct
{
  TtSteps *steps;
  const TtSelection *selection;
} Collector;

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  const Collector *self = data;

  if (event->dur_ns != TT_NO_TIME && (self->selection == NULL || tt_selection_matches (self->selection, event)))
    collect_span (self->steps, event);
  return TRUE;
}

/* All of them, or those of this rank's part. */
static gboolean
collect_spans (TtSteps *self, const TtSelection *selection, TtSharedScan *shared, GError **error)
{
  Collector collector = { self, selection };
  gint64 begin_ns = G_MININT64, end_ns = G_MAXINT64;
  gboolean is_ok;

  if (selection != NULL)
    tt_selection_window (selection, &begin_ns, &end_ns);

  /* In reverse, so that a span comes before those inside it, even if they start together. */
  is_ok = shared->is_shared
              ? tt_shared_scan_run (shared, begin_ns, end_ns, take_event, &collector, error)
              : tt_each_event_between (self->store, TT_SCAN_REVERSE, begin_ns, end_ns, take_event, &collector, error);
  return is_ok && tt_sorter_finish (self->spans, error);
}

/* -- all ---------------------------------------------------------------------------------------- */

static gboolean
find_steps (TtSteps *self, const TtSelection *selection, TtSharedScan *shared, gboolean *is_alone, GError **error)
{
  g_autoptr (TtIterationTally) iterations = tt_iteration_tally_new ();

  *is_alone = FALSE;
  if (!look_up_definitions (self, error) || !collect_spans (self, selection, shared, error))
    return FALSE;
  for (guint i = 0; i < self->ids->len; i++)
    self->has_classes |= self->facts[g_array_index (self->ids, guint32, i)].rank_has_classes;
  g_autofree guint32 *owners = g_new0 (guint32, (gsize) self->ids->len + 1);
  if (shared->is_shared && !tt_joint_steps_agree (self, shared->crew, owners, is_alone, error))
    return FALSE;
  if (*is_alone)
    return shared->crew->rank == 0;
  return tt_steps_read_spans (self, iterations, error) &&
         (!shared->is_shared || tt_joint_steps_join (self, shared->crew, owners, iterations, error)) &&
         tt_iteration_tally_finish (iterations, &self->iteration, error);
}

/* As one rank of several, which rank 0 calls. */
static gboolean
find_by (TtSteps *self, const TtSelection *selection, TtSharedScan *shared, gboolean *is_alone, GError **error)
{
  GError *own = NULL;

  if (shared->crew == NULL || shared->crew->rank > 0 || !shared->is_shared)
    return find_steps (self, selection, shared, is_alone, error);
  shared->crew->call (shared->crew->id);
  const gboolean is_done = find_steps (self, selection, shared, is_alone, &own);
  return tt_crew_end (shared->crew, is_done, own, error);
}

static TtSteps *
new_empty (TtStore *store, TtStepMeasure measure)
{
  TtSteps *self = g_new0 (TtSteps, 1);

  self->store = store;
  self->measure = measure;
  self->ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->spans = tt_sorter_new (sizeof (TtStepped), SORT_BYTES);
  self->rows = tt_tape_new (TT_STEPS_TAPE_BYTES);
  self->ranks = g_array_new (FALSE, FALSE, sizeof (TtStepRank));
  self->ends = g_array_new (FALSE, FALSE, sizeof (TtStepRankEnd));
  return self;
}

TtSteps *
tt_steps_new (TtStore *store, const TtSelection *selection, TtStepMeasure measure, const TtCrew *crew, GError **error)
{
  g_auto (TtSharedScan) shared = { NULL };
  gboolean is_alone;

  tt_shared_scan_init (&shared, store, crew, FALSE);
  if (!shared.is_shared && crew != NULL && crew->rank > 0)
    return NULL;
  g_autoptr (TtSteps) self = new_empty (store, measure);
  if (!find_by (self, selection, &shared, &is_alone, error))
    return NULL;
  if (is_alone)
    return tt_steps_new (store, selection, measure, NULL, error);
  g_clear_pointer (&self->spans, tt_sorter_free);
  return g_steal_pointer (&self);
}

void
tt_steps_free (TtSteps *self)
{
  if (self == NULL)
    return;
  g_free (self->work_of_name);
  g_free (self->process_of_thread);
  g_free (self->facts);
  g_array_unref (self->ids);
  g_clear_pointer (&self->spans, tt_sorter_free);
  tt_tape_free (self->rows);
  g_array_unref (self->ranks);
  g_array_unref (self->ends);
  g_free (self);
}

guint64
tt_steps_n_rows (const TtSteps *self)
{
  return self->n_rows;
}

void
tt_steps_row (TtSteps *self, guint64 i, TtStepRow *row)
{
  tt_tape_read (self->rows, i * sizeof *row, row, sizeof *row);
  if (self->last_end > 0 && i < g_array_index (self->ends, TtStepRankEnd, self->last_end - 1).end_row)
    self->last_end = 0;
  while (i >= g_array_index (self->ends, TtStepRankEnd, self->last_end).end_row)
    self->last_end++;

  const TtStepRankEnd *end = &g_array_index (self->ends, TtStepRankEnd, self->last_end);
  row->is_counted = tt_step_row_is_counted (row, end);
}

gboolean
tt_steps_has (const TtSteps *self, TtStepTime time)
{
  return self->has[time];
}

const GArray *
tt_steps_ranks (const TtSteps *self)
{
  return self->ranks;
}

const TtStepIteration *
tt_steps_iteration (const TtSteps *self)
{
  return &self->iteration;
}

guint64
tt_steps_n_outside (const TtSteps *self)
{
  return self->n_outside;
}

gboolean
tt_steps_check (const TtSteps *self, GError **error)
{
  return tt_tape_check (self->rows, error);
}
