/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/breakdown/wait-cuts.h"

#include "analyzers/process-order.h"
#include "analyzers/waits/waits.h"
#include "src/base/array.h"

typedef struct
{
  gint64 begin_ns, end_ns;
} Cut;

/* Cuts first to end - 1 are those of the thread that may still touch a segment. */
typedef struct
{
  guint first, end;
} Range;

struct _TtWaitCuts
{
  GArray *cuts;  /* of Cut, in the order of the waits */
  Range *ranges; /* by thread */
};

/* The end of MPI is no part of the work. */
static gboolean
is_cut (TtStore *store, const TtWait *wait)
{
  return wait->kind != TT_WAIT_FINALIZE &&
         tt_rank_of_thread (store, wait->from_thread) != tt_rank_of_thread (store, wait->thread);
}

TtWaitCuts *
tt_wait_cuts_new (TtStore *store, const GArray *waits)
{
  TtWaitCuts *self = g_new0 (TtWaitCuts, 1);
  const TtWait *all = TT_ARRAY (waits, TtWait);
  guint32 max_thread = tt_store_max_thread (store);

  self->cuts = g_array_new (FALSE, FALSE, sizeof (Cut));
  self->ranges = g_new0 (Range, (gsize) max_thread + 1);
  for (guint i = 0; i < waits->len; i++)
    {
      const Cut cut = { all[i].begin_ns, all[i].end_ns };

      if (all[i].thread > max_thread || !is_cut (store, &all[i]))
        continue;
      Range *range = &self->ranges[all[i].thread];
      if (range->end == 0)
        range->first = self->cuts->len;
      g_array_append_val (self->cuts, cut);
      range->end = self->cuts->len;
    }
  return self;
}

void
tt_wait_cuts_free (TtWaitCuts *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->cuts);
  g_free (self->ranges);
  g_free (self);
}

static void
give (const TtSegment *of, gint64 begin_ns, gint64 end_ns, TtWorkClass work, TtSegmentFunc func, gpointer data)
{
  TtSegment piece = *of;

  piece.begin_ns = begin_ns;
  piece.end_ns = end_ns;
  piece.work = work;
  if (begin_ns < end_ns)
    func (&piece, data);
}

void
tt_wait_cuts_take (TtWaitCuts *self, const TtSegment *segment, TtSegmentFunc func, gpointer data)
{
  const Cut *cuts = TT_ARRAY (self->cuts, Cut);
  Range *range = &self->ranges[segment->thread];
  gint64 end_ns = segment->end_ns;
  gboolean may_wait = tt_work_is_waiting (segment->work) || segment->work == TT_WORK_RUNTIME;

  while (range->end > range->first && cuts[range->end - 1].begin_ns >= segment->end_ns)
    range->end--;
  for (guint i = range->end; may_wait && i > range->first && cuts[i - 1].end_ns > segment->begin_ns; i--)
    {
      gint64 from_ns = MAX (cuts[i - 1].begin_ns, segment->begin_ns), to_ns = MIN (cuts[i - 1].end_ns, end_ns);

      if (from_ns >= to_ns)
        continue;
      give (segment, to_ns, end_ns, segment->work, func, data);
      give (segment, from_ns, to_ns, TT_WORK_WAIT, func, data);
      end_ns = from_ns;
    }
  give (segment, segment->begin_ns, end_ns, segment->work, func, data);
}
