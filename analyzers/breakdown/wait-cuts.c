/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/breakdown/wait-cuts.h"

#include "analyzers/process-order.h"
#include "analyzers/waits/waits.h"
#include "src/base/array.h"

/* Waits first to end - 1 are those of the thread that may still touch a segment. */
typedef struct
{
  guint first, end;
} Range;

struct _TtWaitCuts
{
  TtStore *store;
  GArray *waits;
  Range *ranges; /* by thread */
  guint32 max_thread;
};

TtWaitCuts *
tt_wait_cuts_new (TtStore *store, GArray *waits)
{
  TtWaitCuts *self = g_new0 (TtWaitCuts, 1);
  const TtWait *all = TT_ARRAY (waits, TtWait);

  self->store = store;
  self->waits = g_array_ref (waits);
  self->max_thread = tt_store_max_thread (store);
  self->ranges = g_new0 (Range, (gsize) self->max_thread + 1);
  for (guint i = 0; i < waits->len; i++)
    {
      if (all[i].thread > self->max_thread)
        continue;
      Range *range = &self->ranges[all[i].thread];
      if (range->end == 0)
        range->first = i;
      range->end = i + 1;
    }
  return self;
}

void
tt_wait_cuts_free (TtWaitCuts *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->waits);
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
  const TtWait *waits = TT_ARRAY (self->waits, TtWait);
  Range *range = &self->ranges[segment->thread];
  gint64 end_ns = segment->end_ns;
  gboolean is_cut = tt_work_is_waiting (segment->work) || segment->work == TT_WORK_RUNTIME;

  while (range->end > range->first && waits[range->end - 1].begin_ns >= segment->end_ns)
    range->end--;
  for (guint i = range->end; is_cut && i > range->first && waits[i - 1].end_ns > segment->begin_ns; i--)
    {
      const TtWait *wait = &waits[i - 1];
      gint64 from_ns = MAX (wait->begin_ns, segment->begin_ns), to_ns = MIN (wait->end_ns, end_ns);

      /* The end of MPI is no part of the work. */
      if (from_ns >= to_ns || wait->kind == TT_WAIT_FINALIZE ||
          tt_rank_of_thread (self->store, wait->from_thread) == tt_rank_of_thread (self->store, wait->thread))
        continue;
      give (segment, to_ns, end_ns, segment->work, func, data);
      give (segment, from_ns, to_ns, TT_WORK_WAIT, func, data);
      end_ns = from_ns;
    }
  give (segment, segment->begin_ns, end_ns, segment->work, func, data);
}
