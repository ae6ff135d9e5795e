/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/steps/steps.h"

#include <math.h>
#include <string.h>

#include "analyzers/process-order.h"
#include "analyzers/spans/each-event.h"
#include "analyzers/steps/iteration.h"
#include "analyzers/steps/step-times.h"
#include "src/base/sorter.h"
#include "src/base/tape.h"
#include "src/trace/span.h"

#define SORT_BYTES ((gsize) 32 << 20)
#define TAPE_BYTES ((gsize) 8 << 20)

/* By place of the rank and step, the step's own spans before all others, then start; of equals the outer span of a thread
 * comes first. */
typedef struct
{
  guint64 order; /* place << 32 | step << 1 | 1 but for the step's own */
  guint64 ts_key;
  gint64 dur_ns;
  guint32 name, thread;
} Span;

typedef struct
{
  guint32 place;        /* of its rank, in order of ranks */
  gboolean has_classes; /* FW, BW, UPDATE_ or OUTPUT in a step */
  /* Of one that leads a rank: */
  gboolean rank_has_classes; /* one of its processes */
  gboolean is_annotated;     /* it has steps with a span of their own */
} ProcessFacts;

/* A rank whose rows are written. */
typedef struct
{
  guint64 end_row;
  gint32 last_step; /* that has an iteration */
  gboolean is_last_counted, is_annotated;
} RankEnd;

struct _TtSteps
{
  TtStore *store;
  TtStepMeasure measure;
  guint8 *work_of_name;
  guint32 *process_of_thread;
  ProcessFacts *facts; /* by process */
  GArray *ids;         /* guint32: processes that lead ranks, by place */
  gboolean has_classes;
  TtSorter *spans;
  guint64 n_outside;

  TtTape *rows; /* of TtStepRow */
  guint64 n_rows;
  gboolean has[TT_N_STEP_TIMES];
  GArray *ranks; /* of TtStepRank */
  GArray *ends;  /* of RankEnd, likewise */
  guint last_end;    /* of the row asked for last */
  TtStepIteration iteration;
};

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

  self->facts = g_new0 (ProcessFacts, (gsize) tt_store_max_process (self->store) + 1);
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

static ProcessFacts *
facts_of_rank (const TtSteps *self, const ProcessFacts *facts)
{
  return &self->facts[g_array_index (self->ids, guint32, facts->place)];
}

static void
collect_span (TtSteps *self, const TtEvent *event)
{
  TtStepWork work = self->work_of_name[event->name];
  ProcessFacts *facts = &self->facts[self->process_of_thread[event->thread]];
  gboolean is_step =
      (event->flags & TT_FLAG_STEP) != 0 && event->step >= 0 && self->measure == TT_STEP_BY_ANNOTATION;

  if (!is_step && (work == TT_STEP_WORK_NONE || (event->flags & TT_FLAG_WINDOW) != 0))
    return;
  if (event->step < 0)
    {
      self->n_outside++;
      return;
    }
  if (is_step)
    facts_of_rank (self, facts)->is_annotated = TRUE;
  else if (tt_step_work_is_operator (work))
    facts->has_classes = facts_of_rank (self, facts)->rank_has_classes = TRUE;
  Span *span = tt_sorter_add (self->spans);
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

static gboolean
collect_spans (TtSteps *self, const TtSelection *selection, GError **error)
{
  Collector collector = { self, selection };
  gint64 begin_ns = G_MININT64, end_ns = G_MAXINT64;

  if (selection != NULL)
    tt_selection_window (selection, &begin_ns, &end_ns);

  /* In reverse, so that a span comes before those inside it, even if they start together. */
  return tt_each_event_between (self->store, TT_SCAN_REVERSE, begin_ns, end_ns, take_event, &collector, error) &&
         tt_sorter_finish (self->spans, error);
}

/* -- one rank ---------------------------------------------------------------------------------- */

typedef struct
{
  TtSteps *steps;
  TtStepTimes *times;
  TtIterationTally *iterations;
  TtStepRow row;
  const ProcessFacts *rank; /* of the row */

  TtStepRank sums;
  tt_int128 all_ns[TT_N_STEP_TIMES]; /* over all its steps, counted or not */
  TtStepRow last; /* its last step with an iteration: whether it counts is not yet known */
  gboolean has_last, last_has_bw, last_has_spans, has_fw;
  double sum, sum_sq; /* of its iterations, from the first on */
  tt_int128 first_iteration_ns;
} Reader;

static void
begin_rank (Reader *self, guint32 process)
{
  self->sums = (TtStepRank){ .process = process };
  memset (self->all_ns, 0, sizeof self->all_ns);
  self->rank = &self->steps->facts[process];
  self->has_last = self->has_fw = FALSE;
  self->sum = self->sum_sq = 0;
}

/* Whether its steps are those of the run's iteration. */
static gboolean
is_typical_rank (const Reader *self)
{
  return self->rank->is_annotated || self->rank->rank_has_classes == self->steps->has_classes;
}

static void
count_step (Reader *self, const TtStepRow *row)
{
  TtStepRank *sums = &self->sums;
  tt_int128 iteration = row->ns[TT_STEP_TIME_ITERATION];

  sums->min_ns = sums->n_counted == 0 ? iteration : MIN (sums->min_ns, iteration);
  sums->max_ns = sums->n_counted == 0 ? iteration : MAX (sums->max_ns, iteration);
  if (sums->n_counted++ == 0)
    self->first_iteration_ns = iteration;
  for (guint time = 0; time < TT_N_STEP_TIMES; time++)
    sums->sum_ns[time] += row->ns[time];

  double offset = (double) (iteration - self->first_iteration_ns);
  self->sum += offset;
  self->sum_sq += offset * offset;
  if (is_typical_rank (self))
    tt_iteration_tally_add (self->iterations, row->step, iteration);
}

/* A recording may end in the middle of a step. */
static gboolean
is_last_whole (const Reader *self)
{
  if (self->rank->is_annotated)
    return self->last_has_spans;
  return !self->rank->rank_has_classes || (self->has_fw && self->last_has_bw);
}

static void
end_rank (Reader *self)
{
  TtSteps *steps = self->steps;
  TtStepRank *sums = &self->sums;
  RankEnd end = { .end_row = steps->n_rows, .last_step = self->has_last ? self->last.step : TT_NO_STEP };

  if (sums->n_steps == 0)
    return;
  end.is_annotated = self->rank->is_annotated;
  end.is_last_counted = self->has_last && (sums->n_counted == 0 || is_last_whole (self));
  if (end.is_last_counted)
    count_step (self, &self->last);
  if (sums->n_counted == 0)
    memcpy (sums->sum_ns, self->all_ns, sizeof self->all_ns);
  else
    {
      double n = (double) sums->n_counted, mean = self->sum / n;
      sums->stddev_ns = sqrt (MAX (self->sum_sq / n - mean * mean, 0));
      steps->iteration.n_ranks += is_typical_rank (self);
      steps->iteration.is_annotated |= end.is_annotated;
    }
  g_array_append_val (steps->ranks, *sums);
  g_array_append_val (steps->ends, end);
}

static void
end_row (Reader *self)
{
  TtSteps *steps = self->steps;

  tt_step_times_finish (self->times, &self->row);
  for (guint time = 0; time < TT_N_STEP_TIMES; time++)
    {
      self->all_ns[time] += self->row.ns[time];
      steps->has[time] |= self->row.ns[time] > 0;
    }
  self->has_fw |= tt_step_times_has (self->times, TT_STEP_WORK_FW);
  tt_tape_append (steps->rows, &self->row, sizeof self->row);
  steps->n_rows++;
  self->sums.n_steps++;
  if (!self->row.has_iteration || (self->rank->is_annotated && !self->row.is_annotated))
    return;
  if (self->has_last)
    count_step (self, &self->last);
  self->last = self->row;
  self->last_has_bw = tt_step_times_has (self->times, TT_STEP_WORK_BW);
  self->last_has_spans = tt_step_times_has_spans (self->times);
  self->has_last = TRUE;
}

static void
begin_row (Reader *self, guint32 process, gint32 step)
{
  memset (&self->row, 0, sizeof self->row); /* with its padding: rows go to a file */
  self->row.process = process;
  self->row.step = step;
  tt_step_times_begin (self->times);
}

static void
add_span (Reader *self, const Span *span)
{
  const TtSteps *steps = self->steps;
  gint64 ts_ns = tt_sort_value (span->ts_key);
  TtStepSpan added = {
    .ts_ns = ts_ns,
    .end_ns = tt_span_end (ts_ns, span->dur_ns),
    .name = span->name,
    .thread = span->thread,
    .work = steps->work_of_name[span->name],
  };

  if ((span->order & 1) == 0)
    {
      tt_step_times_annotate (self->times, ts_ns, added.end_ns);
      return;
    }
  added.is_operator =
      tt_step_work_is_operator (added.work) ||
      (added.work == TT_STEP_WORK_COMP && !steps->facts[steps->process_of_thread[span->thread]].has_classes);
  tt_step_times_add (self->times, &added);
}

static gboolean
read_spans (Reader *self, GError **error)
{
  TtSteps *steps = self->steps;
  guint64 row = G_MAXUINT64; /* place << 31 | step */
  GError *failure = NULL;
  const Span *span;

  while ((span = tt_sorter_next (steps->spans, &failure)) != NULL)
    {
      if (span->order >> 1 != row)
        {
          guint32 process = g_array_index (steps->ids, guint32, span->order >> 32);

          if (row != G_MAXUINT64)
            end_row (self);
          if (row == G_MAXUINT64 || row >> 31 != span->order >> 32)
            {
              end_rank (self);
              begin_rank (self, process);
            }
          row = span->order >> 1;
          begin_row (self, process, (gint32) (row & G_MAXINT32));
        }
      add_span (self, span);
    }
  if (row != G_MAXUINT64)
    end_row (self);
  end_rank (self);
  if (failure == NULL)
    return tt_tape_check (steps->rows, error);
  g_propagate_error (error, failure);
  return FALSE;
}

/* -- all ---------------------------------------------------------------------------------------- */

static gboolean
find_steps (TtSteps *self, const TtSelection *selection, GError **error)
{
  g_autoptr (TtIterationTally) iterations = tt_iteration_tally_new ();
  Reader reader = { .steps = self, .iterations = iterations };

  if (!look_up_definitions (self, error) || !collect_spans (self, selection, error))
    return FALSE;
  for (guint i = 0; i < self->ids->len; i++)
    self->has_classes |= self->facts[g_array_index (self->ids, guint32, i)].rank_has_classes;
  g_autoptr (TtStepTimes) times = tt_step_times_new (self->store);
  reader.times = times;
  return read_spans (&reader, error) && tt_iteration_tally_finish (iterations, &self->iteration, error);
}

TtSteps *
tt_steps_new (TtStore *store, const TtSelection *selection, TtStepMeasure measure, GError **error)
{
  g_autoptr (TtSteps) self = g_new0 (TtSteps, 1);

  self->store = store;
  self->measure = measure;
  self->ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->spans = tt_sorter_new (sizeof (Span), SORT_BYTES);
  self->rows = tt_tape_new (TAPE_BYTES);
  self->ranks = g_array_new (FALSE, FALSE, sizeof (TtStepRank));
  self->ends = g_array_new (FALSE, FALSE, sizeof (RankEnd));
  if (!find_steps (self, selection, error))
    return NULL;
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
  if (self->last_end > 0 && i < g_array_index (self->ends, RankEnd, self->last_end - 1).end_row)
    self->last_end = 0;
  while (i >= g_array_index (self->ends, RankEnd, self->last_end).end_row)
    self->last_end++;

  const RankEnd *end = &g_array_index (self->ends, RankEnd, self->last_end);
  row->is_counted = row->has_iteration && (row->step != end->last_step || end->is_last_counted) &&
                    (row->is_annotated || !end->is_annotated);
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
