/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/xprof/steps.h"

#include "src/trace/event.h"

typedef struct
{
  gint64 from_ns, to_ns;
  guint32 process;
  gint32 number;
} Step;

struct _TtXprofSteps
{
  GArray *steps;
  gboolean is_sorted;
};

TtXprofSteps *
tt_xprof_steps_new (void)
{
  TtXprofSteps *self = g_new0 (TtXprofSteps, 1);

  self->steps = g_array_new (FALSE, FALSE, sizeof (Step));
  return self;
}

void
tt_xprof_steps_free (TtXprofSteps *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->steps);
  g_free (self);
}

gboolean
tt_xprof_steps_add (TtXprofSteps *self, guint32 process, gint32 number, gint64 from_ns, gint64 to_ns)
{
  const Step step = { from_ns, to_ns, process, number };

  if (self->steps->len == TT_XPROF_MOST_STEPS)
    return FALSE;
  g_array_append_val (self->steps, step);
  self->is_sorted = FALSE;
  return TRUE;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const Step *x = a, *y = b;

  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  if (x->from_ns != y->from_ns)
    return x->from_ns < y->from_ns ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

gint32
tt_xprof_steps_at (TtXprofSteps *self, guint32 process, gint64 ts_ns)
{
  guint low = 0, high = self->steps->len;

  if (!self->is_sorted)
    g_array_sort (self->steps, compare);
  self->is_sorted = TRUE;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const Step *step = &g_array_index (self->steps, Step, middle);

      if (step->process < process || (step->process == process && step->from_ns <= ts_ns))
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return TT_NO_STEP;
  const Step *last = &g_array_index (self->steps, Step, low - 1);
  return last->process == process && ts_ns < last->to_ns ? last->number : TT_NO_STEP;
}
