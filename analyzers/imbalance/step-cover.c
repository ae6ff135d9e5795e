/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/imbalance/step-cover.h"

#include "src/base/sorter.h"

#define SORT_BYTES ((gsize) 8 << 20)
#define LEAST_PRUNED 64u

/* What covers, of the host or not. */
typedef struct
{
  guint64 process;
  guint64 begin_key;
  gint64 end_ns;
} Interval;

/* From where to where a step is, or a part of it. */
typedef struct
{
  guint64 order;                   /* process << 32 | step; by begin: process */
  guint64 is_content_or_begin_key; /* 0 of the step's own spans, which come first; by begin: of the step */
  gint64 begin_ns, end_ns;
  gint32 step;
  gboolean is_content;
} Extent;

/* A step at which the sweep is. */
typedef struct
{
  TtUncoveredStep step;
  gint64 end_ns, reached_ns;
} OpenStep;

struct _TtStepCover
{
  TtSorter *intervals[2];  /* by TtCoverKind */
  TtSorter *parts, *steps; /* of Extent */
  Extent part;             /* that may go on */
  gboolean has_part;

  /* The sweep: what comes next of each, NULL at the end, and what is open. */
  const Interval *next[2];
  const Extent *next_step;
  guint64 process; /* of what is open */
  GArray *open;    /* of OpenStep */
  GArray *hosts;   /* of gint64: ends of the host's spans that began, also of some that are over */
  guint n_pruned;  /* how many of hosts were left when those that are over were taken out */
  gint64 work_end_ns;
  GError *failure;
  TtStepCovered on_step;
  gpointer data;
};

TtStepCover *
tt_step_cover_new (void)
{
  TtStepCover *self = g_new0 (TtStepCover, 1);

  for (guint i = 0; i < 2; i++)
    self->intervals[i] = tt_sorter_new (sizeof (Interval), SORT_BYTES);
  self->parts = tt_sorter_new (sizeof (Extent), SORT_BYTES);
  self->steps = tt_sorter_new (sizeof (Extent), SORT_BYTES);
  self->open = g_array_new (FALSE, FALSE, sizeof (OpenStep));
  self->hosts = g_array_new (FALSE, FALSE, sizeof (gint64));
  return self;
}

void
tt_step_cover_free (TtStepCover *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < 2; i++)
    tt_sorter_free (self->intervals[i]);
  tt_sorter_free (self->parts);
  tt_sorter_free (self->steps);
  g_array_unref (self->open);
  g_array_unref (self->hosts);
  g_clear_error (&self->failure);
  g_free (self);
}

/* -- where steps are --------------------------------------------------------------------------------------------------- */

static void
extend (Extent *extent, const Extent *other)
{
  extent->begin_ns = MIN (extent->begin_ns, other->begin_ns);
  extent->end_ns = MAX (extent->end_ns, other->end_ns);
}

void
tt_step_cover_add (TtStepCover *self, const TtCoverSpan *span)
{
  gboolean is_content = span->kind != TT_COVER_STEP;
  const Extent part = { (guint64) span->process << 32 | (guint32) span->step,
                        (guint64) is_content,
                        span->begin_ns,
                        span->end_ns,
                        span->step,
                        is_content };

  if (is_content)
    *(Interval *) tt_sorter_add (self->intervals[span->kind]) =
        (Interval){ span->process, tt_sort_key (span->begin_ns), span->end_ns };
  if (self->has_part && self->part.order == part.order && self->part.is_content == part.is_content)
    {
      extend (&self->part, &part);
      return;
    }
  if (self->has_part)
    *(Extent *) tt_sorter_add (self->parts) = self->part;
  self->part = part;
  self->has_part = TRUE;
}

static void
add_step (TtStepCover *self, Extent *extent)
{
  extent->order >>= 32;
  extent->is_content_or_begin_key = tt_sort_key (extent->begin_ns);
  *(Extent *) tt_sorter_add (self->steps) = *extent;
}

/* A step is where its own spans are, which come before what is in it. */
static gboolean
join_parts (TtStepCover *self, GError **error)
{
  const Extent *part;
  Extent step = { 0 };
  gboolean has_step = FALSE;

  if (self->has_part)
    *(Extent *) tt_sorter_add (self->parts) = self->part;
  if (!tt_sorter_finish (self->parts, error))
    return FALSE;
  while ((part = tt_sorter_next (self->parts, &self->failure)) != NULL)
    if (has_step && step.order == part->order)
      {
        if (step.is_content == part->is_content)
          extend (&step, part);
      }
    else
      {
        if (has_step)
          add_step (self, &step);
        step = *part;
        has_step = TRUE;
      }
  if (has_step)
    add_step (self, &step);
  return self->failure == NULL;
}

/* -- what covers them -------------------------------------------------------------------------------------------------- */

static void
read_interval (TtStepCover *self, TtCoverKind kind)
{
  self->next[kind] = self->failure == NULL ? tt_sorter_next (self->intervals[kind], &self->failure) : NULL;
}

static void
end_step (TtStepCover *self, guint i)
{
  OpenStep *open = &g_array_index (self->open, OpenStep, i);

  if (open->reached_ns < open->end_ns)
    open->step.uncovered_ns += open->end_ns - open->reached_ns;
  self->on_step (&open->step, self->data);
  g_array_remove_index_fast (self->open, i);
}

/* Steps that ended before anything else begins. */
static void
end_steps (TtStepCover *self, gint64 now_ns)
{
  for (guint i = self->open->len; i-- > 0;)
    if (g_array_index (self->open, OpenStep, i).end_ns <= now_ns)
      end_step (self, i);
}

static void
prune_hosts (TtStepCover *self, gint64 now_ns)
{
  guint n = 0;

  for (guint i = 0; i < self->hosts->len; i++)
    {
      gint64 end_ns = g_array_index (self->hosts, gint64, i);

      if (end_ns > now_ns)
        g_array_index (self->hosts, gint64, n++) = end_ns;
    }
  g_array_set_size (self->hosts, n);
  self->n_pruned = n;
}

/* What began before may reach into it. */
static void
begin_step (TtStepCover *self)
{
  const Extent *extent = self->next_step;
  OpenStep open = { .step = { extent->step, (guint32) extent->order, 0, 0 }, .end_ns = extent->end_ns };

  if (!extent->is_content)
    open.step.length_ns = extent->end_ns - extent->begin_ns;
  open.reached_ns = MAX (extent->begin_ns, self->work_end_ns);
  prune_hosts (self, extent->begin_ns);
  for (guint i = 0; i < self->hosts->len; i++)
    {
      gint64 end_ns = g_array_index (self->hosts, gint64, i);

      if (end_ns < extent->end_ns)
        open.reached_ns = MAX (open.reached_ns, end_ns);
    }
  g_array_append_val (self->open, open);
  self->next_step = tt_sorter_next (self->steps, &self->failure);
}

static void
cover (TtStepCover *self, TtCoverKind kind)
{
  gint64 begin_ns = tt_sort_value (self->next[kind]->begin_key), end_ns = self->next[kind]->end_ns;

  end_steps (self, begin_ns);
  for (guint i = 0; i < self->open->len; i++)
    {
      OpenStep *open = &g_array_index (self->open, OpenStep, i);

      if (begin_ns > open->reached_ns)
        open->step.uncovered_ns += begin_ns - open->reached_ns;
      open->reached_ns = MAX (open->reached_ns, end_ns);
    }
  if (kind == TT_COVER_WORK)
    self->work_end_ns = MAX (self->work_end_ns, end_ns);
  else
    {
      if (self->hosts->len >= 2 * MAX (self->n_pruned, LEAST_PRUNED))
        prune_hosts (self, begin_ns);
      g_array_append_val (self->hosts, end_ns);
    }
  read_interval (self, kind);
}

static void
begin_rank (TtStepCover *self, guint64 process)
{
  end_steps (self, G_MAXINT64);
  g_array_set_size (self->hosts, 0);
  self->n_pruned = 0;
  self->work_end_ns = G_MININT64;
  self->process = process;
}

static gboolean
is_before (const Interval *a, const Interval *b)
{
  return b == NULL || a->process < b->process || (a->process == b->process && a->begin_key < b->begin_key);
}

static gboolean
sweep (TtStepCover *self, GError **error)
{
  read_interval (self, TT_COVER_HOST);
  read_interval (self, TT_COVER_WORK);
  if (self->failure == NULL)
    self->next_step = tt_sorter_next (self->steps, &self->failure);
  begin_rank (self, G_MAXUINT64);
  while (self->failure == NULL && (self->next_step != NULL || self->open->len > 0))
    {
      const Extent *step = self->next_step;
      TtCoverKind kind =
          self->next[TT_COVER_HOST] != NULL && is_before (self->next[TT_COVER_HOST], self->next[TT_COVER_WORK])
              ? TT_COVER_HOST
              : TT_COVER_WORK;
      const Interval *interval = self->next[kind];
      gboolean is_step =
          step != NULL && (interval == NULL || step->order < interval->process ||
                           (step->order == interval->process && step->is_content_or_begin_key <= interval->begin_key));

      if (!is_step && interval == NULL)
        break;
      if ((is_step ? step->order : interval->process) != self->process)
        begin_rank (self, is_step ? step->order : interval->process);
      if (is_step)
        begin_step (self);
      else
        cover (self, kind);
    }
  end_steps (self, G_MAXINT64);
  if (self->failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->failure));
  return FALSE;
}

gboolean
tt_step_cover_each (TtStepCover *self, TtStepCovered on_step, gpointer data, GError **error)
{
  self->on_step = on_step;
  self->data = data;
  if (!join_parts (self, error))
    {
      if (self->failure != NULL)
        g_propagate_error (error, g_steal_pointer (&self->failure));
      return FALSE;
    }
  for (guint i = 0; i < 2; i++)
    if (!tt_sorter_finish (self->intervals[i], error))
      return FALSE;
  return tt_sorter_finish (self->steps, error) && sweep (self, error);
}
