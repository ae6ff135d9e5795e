/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/steps/steps-private.h"

#include <math.h>
#include <string.h>

#include "analyzers/steps/step-times.h"
#include "src/trace/span.h"

typedef struct
{
  TtSteps *steps;
  TtStepTimes *times;
  TtIterationTally *iterations;
  TtStepRow row;
  const TtStepFacts *rank; /* of the row */

  TtStepRank sums;
  tt_int128 all_ns[TT_N_STEP_TIMES]; /* over all its steps, counted or not */
  TtStepRow last;                    /* its last step with an iteration: whether it counts is not yet known */
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
  if (tt_steps_is_typical (self->steps, self->rank))
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
  TtStepRankEnd end = { .end_row = steps->n_rows, .last_step = self->has_last ? self->last.step : TT_NO_STEP };

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
      steps->iteration.n_ranks += tt_steps_is_typical (self->steps, self->rank);
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
add_span (Reader *self, const TtStepped *span)
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
  const TtStepped *span;

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

gboolean
tt_steps_read_spans (TtSteps *self, TtIterationTally *iterations, GError **error)
{
  g_autoptr (TtStepTimes) times = tt_step_times_new (self->store);
  Reader reader = { .steps = self, .times = times, .iterations = iterations };

  return read_spans (&reader, error);
}
