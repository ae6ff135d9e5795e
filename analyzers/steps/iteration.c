/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/steps/iteration.h"

#include <math.h>

#include "src/base/sorter.h"
#include "src/base/tape.h"

#define SORT_BYTES ((gsize) 8 << 20)
#define TAPE_BYTES ((gsize) 4 << 20)
/* Products of sums and counts stay within 128 bits. */
#define MAX_ITERATION_NS ((tt_int128) 1 << 62)
#define MAX_SPREAD 0.1

typedef struct
{
  guint64 step_key;
  guint64 unused;
  gint64 ns;
} Iteration;

/* All processes of one step. */
typedef struct
{
  tt_int128 sum_ns;
  guint64 n;
  gint32 step;
} StepSum;

typedef struct
{
  guint64 high, low;
} SumKey;

struct _TtIterationTally
{
  TtSorter *iterations;
  TtTape *sums;         /* of StepSum, in order of steps */
  guint64 n_sums;
  guint64 max_processes; /* of one step */
};

TtIterationTally *
tt_iteration_tally_new (void)
{
  TtIterationTally *self = g_new0 (TtIterationTally, 1);

  self->iterations = tt_sorter_new (sizeof (Iteration), SORT_BYTES);
  self->sums = tt_tape_new (TAPE_BYTES);
  return self;
}

void
tt_iteration_tally_free (TtIterationTally *self)
{
  if (self == NULL)
    return;
  tt_sorter_free (self->iterations);
  tt_tape_free (self->sums);
  g_free (self);
}

void
tt_iteration_tally_add (TtIterationTally *self, gint32 step, tt_int128 iteration_ns)
{
  Iteration *iteration = tt_sorter_add (self->iterations);

  iteration->step_key = tt_sort_key (step);
  iteration->unused = 0;
  iteration->ns = (gint64) CLAMP (iteration_ns, -MAX_ITERATION_NS, MAX_ITERATION_NS);
}

/* -- sums per step ----------------------------------------------------------------------------- */

static void
add_step_sum (TtIterationTally *self, StepSum *sum)
{
  if (sum->n == 0)
    return;
  tt_tape_append (self->sums, sum, sizeof *sum);
  self->n_sums++;
  self->max_processes = MAX (self->max_processes, sum->n);
  *sum = (StepSum){ 0 };
}

static gboolean
sum_steps (TtIterationTally *self, GError **error)
{
  StepSum sum = { 0 };
  const Iteration *iteration;
  GError *failure = NULL;

  if (!tt_sorter_finish (self->iterations, error))
    return FALSE;
  while ((iteration = tt_sorter_next (self->iterations, &failure)) != NULL)
    {
      gint32 step = (gint32) tt_sort_value (iteration->step_key);

      if (step != sum.step)
        add_step_sum (self, &sum);
      sum.step = step;
      sum.sum_ns += iteration->ns;
      sum.n++;
    }
  add_step_sum (self, &sum);
  if (failure == NULL)
    return tt_tape_check (self->sums, error);
  g_propagate_error (error, failure);
  return FALSE;
}

/* The next sum from *i on of a step that the largest number of processes have. */
static gboolean
next_sum (TtIterationTally *self, guint64 *i, StepSum *sum)
{
  while (*i < self->n_sums)
    {
      tt_tape_read (self->sums, (*i)++ * sizeof *sum, sum, sizeof *sum);
      if (sum->n == self->max_processes)
        return TRUE;
    }
  return FALSE;
}

/* -- mean, spread, median ---------------------------------------------------------------------- */

static void
find_mean (TtIterationTally *self, TtStepIteration *result, tt_int128 *total)
{
  double variance = 0;
  StepSum sum;

  *total = 0;
  result->n_steps = 0;
  for (guint64 i = 0; next_sum (self, &i, &sum);)
    {
      *total += sum.sum_ns;
      result->n_steps++;
    }
  result->mean_ns = (double) *total / (double) result->n_steps / (double) self->max_processes;
  for (guint64 i = 0; next_sum (self, &i, &sum);)
    variance += pow ((double) sum.sum_ns / (double) self->max_processes - result->mean_ns, 2);
  result->stddev_ns = sqrt (variance / (double) result->n_steps);
}

/* *twice: two times the median sum. */
static gboolean
find_median (TtIterationTally *self, guint64 n, tt_int128 *twice, GError **error)
{
  g_autoptr (TtSorter) sorter = tt_sorter_new (sizeof (SumKey), SORT_BYTES);
  GError *failure = NULL;
  StepSum sum;
  const SumKey *key;

  for (guint64 i = 0; next_sum (self, &i, &sum);)
    *(SumKey *) tt_sorter_add (sorter) = (SumKey){ tt_sort_key ((gint64) (sum.sum_ns >> 64)), (guint64) sum.sum_ns };
  if (!tt_sorter_finish (sorter, error))
    return FALSE;
  *twice = 0;
  for (guint64 i = 0; (key = tt_sorter_next (sorter, &failure)) != NULL && i <= n / 2; i++)
    {
      tt_int128 value = (tt_int128) ((tt_uint128) (guint64) tt_sort_value (key->high) << 64 | key->low);

      *twice += (i == (n - 1) / 2) * value + (i == n / 2) * value;
    }
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

/* The step whose sum times @factor is nearest to @target. */
static void
find_typical (TtIterationTally *self, tt_int128 factor, tt_int128 target, TtStepIteration *result)
{
  tt_int128 nearest = -1;
  StepSum sum;

  for (guint64 i = 0; next_sum (self, &i, &sum);)
    {
      tt_int128 distance = sum.sum_ns * factor - target;

      distance = distance < 0 ? -distance : distance;
      if (nearest >= 0 && distance >= nearest)
        continue;
      nearest = distance;
      result->typical_step = sum.step;
      result->typical_ns = (double) sum.sum_ns / (double) self->max_processes;
    }
}

gboolean
tt_iteration_tally_finish (TtIterationTally *self, TtStepIteration *result, GError **error)
{
  tt_int128 total, twice;

  result->n_steps = 0;
  result->typical_step = TT_NO_STEP;
  if (!sum_steps (self, error))
    return FALSE;
  if (self->n_sums == 0)
    return TRUE;
  find_mean (self, result, &total);
  result->is_median = result->stddev_ns > MAX_SPREAD * result->mean_ns;
  if (!result->is_median)
    {
      result->iter_ns = result->mean_ns;
      find_typical (self, (tt_int128) result->n_steps, total, result);
      return tt_tape_check (self->sums, error);
    }
  if (!find_median (self, result->n_steps, &twice, error))
    return FALSE;
  result->iter_ns = (double) twice / 2 / (double) self->max_processes;
  find_typical (self, 2, twice, result);
  return tt_tape_check (self->sums, error);
}
