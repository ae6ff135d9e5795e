/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/kineto/steps.h"

#include "src/base/tape.h"

#define CALL_MEMORY ((gsize) 1 << 20)
#define CALLS_AT_ONCE 4096u

typedef struct
{
  guint32 process;
  gint32 number;
  gint64 ts_ns, end_ns;
} Step;

typedef struct
{
  guint32 process;
  guint32 name;
  gint64 ts_ns, end_ns;
} OptimizerRun;

/* Ids of the calls that begin in a step. */
typedef struct
{
  guint64 first, last;
  gint32 number;
} Range;

struct _KinetoSteps
{
  TtStepRule rule;
  GArray *steps;      /* of Step; after finish by (process, ts_ns) */
  GArray *optimizers; /* of OptimizerRun */
  GArray *ranges;     /* of Range, by first */
  TtTape *calls;      /* of KinetoCall */
  gint64 last_forward_ns, last_reset_ns;
  guint32 only_process; /* the only one with steps; 0: none or several */
  gboolean has_calls;   /* of the host */
  guint hint;           /* index of the step found last */
};

KinetoSteps *
tt_kineto_steps_new (TtStepRule rule)
{
  KinetoSteps *self = g_new0 (KinetoSteps, 1);

  self->rule = rule;
  self->steps = g_array_new (FALSE, FALSE, sizeof (Step));
  self->optimizers = g_array_new (FALSE, FALSE, sizeof (OptimizerRun));
  self->ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  self->calls = tt_tape_new (CALL_MEMORY);
  self->last_forward_ns = self->last_reset_ns = G_MININT64;
  return self;
}

void
tt_kineto_steps_free (KinetoSteps *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->steps);
  g_array_unref (self->optimizers);
  g_array_unref (self->ranges);
  tt_tape_free (self->calls);
  g_free (self);
}

gboolean
tt_kineto_steps_add (KinetoSteps *self, guint32 process, gint32 number, gint64 ts_ns, gint64 end_ns)
{
  const Step step = { process, number, ts_ns, MAX (ts_ns, end_ns) };

  if (self->steps->len >= TT_KINETO_MAX_STEPS)
    return FALSE;
  g_array_append_val (self->steps, step);
  return TRUE;
}

gboolean
tt_kineto_steps_add_optimizer (KinetoSteps *self, guint32 process, guint32 name, gint64 ts_ns, gint64 end_ns)
{
  const OptimizerRun run = { process, name, ts_ns, MAX (ts_ns, end_ns) };

  if (self->optimizers->len >= TT_KINETO_MAX_STEPS)
    return FALSE;
  g_array_append_val (self->optimizers, run);
  return TRUE;
}

void
tt_kineto_steps_note_forward (KinetoSteps *self, gint64 ts_ns)
{
  self->last_forward_ns = MAX (self->last_forward_ns, ts_ns);
}

void
tt_kineto_steps_note_reset (KinetoSteps *self, gint64 end_ns)
{
  self->last_reset_ns = MAX (self->last_reset_ns, end_ns);
}

void
tt_kineto_steps_add_call (KinetoSteps *self, const KinetoCall *call)
{
  self->has_calls = TRUE;
  tt_tape_append (self->calls, call, sizeof *call);
}

static gboolean
each_call (KinetoSteps *self, void (*func) (const KinetoCall *call, gpointer data), gpointer data, GError **error)
{
  g_autofree KinetoCall *calls = g_new (KinetoCall, CALLS_AT_ONCE);
  guint64 n = tt_tape_size (self->calls) / sizeof *calls;

  for (guint64 i = 0; i < n; i += CALLS_AT_ONCE)
    {
      guint n_now = (guint) MIN (n - i, CALLS_AT_ONCE);

      tt_tape_read (self->calls, i * sizeof *calls, calls, n_now * sizeof *calls);
      if (!tt_tape_check (self->calls, error))
        return FALSE;
      for (guint k = 0; k < n_now; k++)
        func (&calls[k], data);
    }
  return tt_tape_check (self->calls, error);
}

/* -- steps between runs of the optimizer -------------------------------------------------------------- */

static int
compare_runs (gconstpointer a, gconstpointer b)
{
  const OptimizerRun *x = a, *y = b;

  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  return (x->ts_ns > y->ts_ns) - (x->ts_ns < y->ts_ns);
}

/* The runs of one process: where the optimizer that came first runs again, the runs before it end a step. */
static void
infer_steps (KinetoSteps *self, const OptimizerRun *runs, guint n)
{
  Step step = { runs[0].process, 0, G_MININT64, G_MAXINT64 };
  gint64 end_ns = runs[0].end_ns;

  for (guint i = 1; i < n; i++)
    {
      if (runs[i].name == runs[0].name)
        {
          step.end_ns = end_ns;
          g_array_append_val (self->steps, step);
          step = (Step){ step.process, step.number + 1, end_ns, G_MAXINT64 };
        }
      end_ns = MAX (end_ns, runs[i].end_ns);
    }
  if (self->last_forward_ns >= MAX (end_ns, self->last_reset_ns))
    {
      step.end_ns = end_ns;
      g_array_append_val (self->steps, step);
      step = (Step){ step.process, step.number + 1, end_ns, G_MAXINT64 };
    }
  g_array_append_val (self->steps, step);
}

static void
infer_all_steps (KinetoSteps *self)
{
  const OptimizerRun *runs = (const OptimizerRun *) (gpointer) self->optimizers->data;
  guint n = self->optimizers->len;

  g_array_sort (self->optimizers, compare_runs);
  for (guint first = 0, next; first < n; first = next)
    {
      for (next = first + 1; next < n && runs[next].process == runs[first].process;)
        next++;
      infer_steps (self, runs + first, next - first);
    }
}

/* -- finding --------------------------------------------------------------------------------------------- */

static const Step *
step_at (const KinetoSteps *self, guint i)
{
  return &g_array_index (self->steps, Step, i);
}

static int
compare_steps (gconstpointer a, gconstpointer b)
{
  const Step *x = a, *y = b;

  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  if (x->ts_ns != y->ts_ns)
    return x->ts_ns < y->ts_ns ? -1 : 1;
  if (x->end_ns != y->end_ns)
    return x->end_ns > y->end_ns ? -1 : 1;
  return (x->number > y->number) - (x->number < y->number);
}

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const Range *x = a, *y = b;

  return (x->first > y->first) - (x->first < y->first);
}

/* Whether the step at @i is the last that begins no later than (@process, @ts_ns). */
static gboolean
is_last_before (const KinetoSteps *self, guint i, guint32 process, gint64 ts_ns)
{
  const Step *step = step_at (self, i), *next = i + 1 < self->steps->len ? step + 1 : NULL;

  return step->process == process && step->ts_ns <= ts_ns &&
         (next == NULL || next->process != process || next->ts_ns > ts_ns);
}

/* Index of the step in which @process is at @ts_ns, or -1. */
static gint
find_step (KinetoSteps *self, guint32 process, gint64 ts_ns)
{
  guint low = 0, high = self->steps->len;

  if (high == 0)
    return -1;
  if (!is_last_before (self, self->hint, process, ts_ns))
    {
      while (low < high)
        {
          guint middle = low + (high - low) / 2;
          const Step *step = step_at (self, middle);

          if (step->process < process || (step->process == process && step->ts_ns <= ts_ns))
            low = middle + 1;
          else
            high = middle;
        }
      if (low == 0 || step_at (self, low - 1)->process != process)
        return -1;
      self->hint = low - 1;
    }
  const Step *step = step_at (self, self->hint);
  return ts_ns < step->end_ns || ts_ns == step->ts_ns ? (gint) self->hint : -1;
}

static gboolean
has_steps (const KinetoSteps *self, guint32 process)
{
  guint low = 0, high = self->steps->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (step_at (self, middle)->process < process)
        low = middle + 1;
      else
        high = middle;
    }
  return low < self->steps->len && step_at (self, low)->process == process;
}

static gint
find_step_of (KinetoSteps *self, guint32 process, gint64 ts_ns)
{
  if (process != self->only_process && !has_steps (self, process))
    process = self->only_process;
  return find_step (self, process, ts_ns);
}

static void
widen_range (const KinetoCall *call, gpointer data)
{
  KinetoSteps *self = data;
  gint i = find_step_of (self, call->process, call->ts_ns);

  if (i < 0)
    return;
  Range *range = &g_array_index (self->ranges, Range, i);
  range->first = MIN (range->first, call->correlation);
  range->last = MAX (range->last, call->correlation);
}

/* Those without a number get theirs; what lies in another is left out. */
static void
count_steps (KinetoSteps *self)
{
  guint n = 0;

  for (guint i = 0; i < self->steps->len; i++)
    {
      Step *step = &g_array_index (self->steps, Step, i);
      const Step *before = n == 0 ? NULL : step_at (self, n - 1);
      gboolean is_first = before == NULL || before->process != step->process;

      if (step->number == TT_NO_STEP && !is_first && step->ts_ns < before->end_ns)
        continue;
      if (step->number == TT_NO_STEP)
        step->number = is_first ? 0 : before->number + 1;
      g_array_index (self->steps, Step, n++) = *step;
    }
  g_array_set_size (self->steps, n);
}

gboolean
tt_kineto_steps_finish (KinetoSteps *self, GError **error)
{
  if (self->steps->len == 0 && self->rule != TT_STEP_RULE_NONE)
    infer_all_steps (self);
  g_array_sort (self->steps, compare_steps);
  count_steps (self);
  for (guint i = 0; i < self->steps->len; i++)
    {
      const Step *step = step_at (self, i);
      const Range range = { G_MAXUINT64, 0, step->number };

      g_array_append_val (self->ranges, range);
    }
  if (self->steps->len > 0 && step_at (self, 0)->process == step_at (self, self->steps->len - 1)->process)
    self->only_process = step_at (self, 0)->process;
  if (!each_call (self, widen_range, self, error))
    return FALSE;
  g_array_sort (self->ranges, compare_ranges);
  return TRUE;
}

gint32
tt_kineto_steps_at (KinetoSteps *self, guint32 process, gint64 ts_ns)
{
  gint i = find_step_of (self, process, ts_ns);

  return i < 0 ? TT_NO_STEP : step_at (self, (guint) i)->number;
}

gint32
tt_kineto_steps_of_correlation (KinetoSteps *self, guint64 correlation, gboolean *is_known)
{
  guint low = 0, high = self->ranges->len;

  *is_known = self->has_calls && self->only_process != TT_NO_ID;
  if (!*is_known)
    return TT_NO_STEP;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->ranges, Range, middle).first <= correlation)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return TT_NO_STEP;
  const Range *range = &g_array_index (self->ranges, Range, low - 1);
  return correlation <= range->last ? range->number : TT_NO_STEP;
}

guint
tt_kineto_steps_count (const KinetoSteps *self)
{
  return self->steps->len;
}
