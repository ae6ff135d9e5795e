/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/imbalance/step-cover.h"

#include "src/base/sorter.h"

#define SORT_BYTES ((gsize) 16 << 20)

typedef struct
{
  guint64 order; /* step << 33 | process << 1 | 1 but for the step's own */
  guint64 begin_key;
  gint64 end_ns;
} Interval;

struct _TtStepCover
{
  TtSorter *intervals;
  Interval ahead; /* the first of the next step of a rank */
  gboolean has_ahead;
};

TtStepCover *
tt_step_cover_new (void)
{
  TtStepCover *self = g_new0 (TtStepCover, 1);

  self->intervals = tt_sorter_new (sizeof (Interval), SORT_BYTES);
  return self;
}

void
tt_step_cover_free (TtStepCover *self)
{
  if (self == NULL)
    return;
  tt_sorter_free (self->intervals);
  g_free (self);
}

void
tt_step_cover_add (TtStepCover *self, gint32 step, guint32 process, gint64 begin_ns, gint64 end_ns, gboolean is_step)
{
  guint64 order = (guint64) (guint32) step << 33 | (guint64) process << 1 | !is_step;

  *(Interval *) tt_sorter_add (self->intervals) = (Interval){ order, tt_sort_key (begin_ns), end_ns };
}

static gboolean
read_ahead (TtStepCover *self, GError **error)
{
  g_autoptr (GError) failure = NULL;
  const Interval *interval = tt_sorter_next (self->intervals, &failure);

  self->has_ahead = interval != NULL;
  if (interval != NULL)
    self->ahead = *interval;
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

gboolean
tt_step_cover_finish (TtStepCover *self, GError **error)
{
  return tt_sorter_finish (self->intervals, error) && read_ahead (self, error);
}

/* From the first begin to the last end of the step's own spans, which come before the others. */
static gboolean
read_step (TtStepCover *self, guint64 order, gint64 *begin_ns, gint64 *end_ns, GError **error)
{
  *begin_ns = tt_sort_value (self->ahead.begin_key);
  *end_ns = self->ahead.end_ns;
  while (self->has_ahead && self->ahead.order == order)
    {
      *end_ns = MAX (*end_ns, self->ahead.end_ns);
      if (!read_ahead (self, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
tt_step_cover_next (TtStepCover *self, TtUncoveredStep *uncovered, GError **error)
{
  guint64 order = self->ahead.order;
  gboolean has_step = (order & 1) == 0;
  gint64 step_begin_ns = G_MININT64, step_end_ns = G_MAXINT64;

  if (!self->has_ahead)
    return FALSE;
  *uncovered = (TtUncoveredStep){ (gint32) (order >> 33), (guint32) (order >> 1), 0, 0 };
  if (has_step && !read_step (self, order, &step_begin_ns, &step_end_ns, error))
    return FALSE;

  if (has_step)
    uncovered->length_ns = step_end_ns - step_begin_ns;
  gint64 reached_ns = has_step ? step_begin_ns : tt_sort_value (self->ahead.begin_key);
  while (self->has_ahead && self->ahead.order == (order | 1))
    {
      gint64 begin_ns = MIN (tt_sort_value (self->ahead.begin_key), step_end_ns);

      if (begin_ns > reached_ns)
        uncovered->uncovered_ns += begin_ns - reached_ns;
      reached_ns = MAX (reached_ns, MIN (self->ahead.end_ns, step_end_ns));
      if (!read_ahead (self, error))
        return FALSE;
    }
  if (has_step && reached_ns < step_end_ns)
    uncovered->uncovered_ns += step_end_ns - reached_ns;
  return TRUE;
}
