/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/threads-private.h"

#include "analyzers/process-order.h"
#include "analyzers/spans/each-event.h"
#include "analyzers/waits/locks.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/trace/span.h"

TtThreadWaits *
tt_thread_waits_new (TtStore *store)
{
  TtThreadWaits *self = g_new0 (TtThreadWaits, 1);

  self->store = store;
  self->joins = g_array_new (FALSE, FALSE, sizeof (TtWaitSpan));
  self->locks = g_array_new (FALSE, FALSE, sizeof (TtWaitSpan));
  self->barriers = g_array_new (FALSE, FALSE, sizeof (TtWaitSpan));
  self->finalizes = g_array_new (FALSE, FALSE, sizeof (TtWaitSpan));
  tt_critical_pairs_init (&self->criticals);
  self->max_thread = tt_store_max_thread (store);
  self->ends = g_new0 (TtThreadEnd, (gsize) self->max_thread + 1);
  return self;
}

void
tt_thread_waits_free (TtThreadWaits *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->joins);
  g_array_unref (self->locks);
  g_array_unref (self->barriers);
  g_array_unref (self->finalizes);
  tt_critical_pairs_clear (&self->criticals);
  g_free (self->ends);
  g_free (self);
}

/* What waits for a critical section is the part before its block begins. */
static void
take_critical (TtThreadWaits *self, TtCallClass call_class, const TtWaitSpan *span)
{
  const TtCriticalSpan half = { span->event, span->begin_ns, span->end_ns, span->name, span->is_chosen };
  TtCriticalSpan section, block;

  if (!tt_critical_pairs_take (&self->criticals, call_class == TT_CALL_ENTER_CRITICAL, span->thread, &half, &section,
                               &block) ||
      section.begin_ns == block.begin_ns)
    return;
  const TtWaitSpan lock = {
    .event = section.event,
    .begin_ns = section.begin_ns,
    .end_ns = block.begin_ns,
    .thread = span->thread,
    .name = section.name,
    .is_chosen = section.is_chosen,
  };
  g_array_append_val (self->locks, lock);
}

void
tt_thread_waits_take (TtThreadWaits *self, TtCallClass call_class, const TtWaitSpan *span)
{
  GArray *calls = call_class == TT_CALL_JOIN             ? self->joins
                  : call_class == TT_CALL_LOCK           ? self->locks
                  : call_class == TT_CALL_THREAD_BARRIER ? self->barriers
                  : call_class == TT_CALL_FINALIZE       ? self->finalizes
                                                         : NULL;

  if (span->thread > self->max_thread)
    return;
  TtThreadEnd *end = &self->ends[span->thread];
  if (end->event == 0 || span->end_ns >= end->end_ns)
    *end = (TtThreadEnd){ span->event, span->end_ns, span->name };
  if (calls != NULL && span->begin_ns < span->end_ns)
    g_array_append_val (calls, *span);
  if (call_class == TT_CALL_ENTER_CRITICAL || call_class == TT_CALL_CRITICAL_BLOCK)
    take_critical (self, call_class, span);
}

static TtWait
wait_for (const TtWaitSpan *span,
          TtWaitKind kind,
          guint32 from_thread,
          gint64 from_ns,
          guint64 from_event,
          guint32 from_name)
{
  return (TtWait){
    .thread = span->thread,
    .kind = kind,
    .event = span->event,
    .begin_ns = span->begin_ns,
    .end_ns = from_ns,
    .at_ns = from_ns,
    .from_ns = from_ns,
    .left_ns = from_ns,
    .from_event = from_event,
    .from_thread = from_thread,
    .name = span->name,
    .from_name = from_name,
    .is_inferred = TRUE,
  };
}

static void
add_wait (GArray *waits, const TtWaitSpan *span, TtWait wait)
{
  if (span->is_chosen && wait.begin_ns < wait.end_ns && wait.thread != wait.from_thread)
    g_array_append_val (waits, wait);
}

/* -- joins --------------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint32 process, thread;
  gint64 end_ns;
} Ended;

static int
compare_ended (gconstpointer a, gconstpointer b)
{
  const Ended *x = a, *y = b;
  int order = TT_COMPARE (x->process, y->process);

  if (order == 0)
    order = TT_COMPARE (x->end_ns, y->end_ns);
  return order != 0 ? order : TT_COMPARE (x->thread, y->thread);
}

/* A join ends when the thread has: of those of the process that end within it, the last. */
static void
find_joins (TtThreadWaits *self, TtSyncs *syncs, GArray *waits)
{
  g_autoptr (GArray) ended = g_array_new (FALSE, FALSE, sizeof (Ended));

  for (guint32 i = 0; self->joins->len > 0 && i <= self->max_thread; i++)
    {
      const Ended one = { tt_process_of_thread (self->store, i), i, self->ends[i].end_ns };

      if (self->ends[i].event != 0)
        g_array_append_val (ended, one);
    }
  g_array_sort (ended, compare_ended);
  for (guint i = 0; i < self->joins->len; i++)
    {
      const TtWaitSpan *join = &g_array_index (self->joins, TtWaitSpan, i);
      const Ended key = { tt_process_of_thread (self->store, join->thread), G_MAXUINT32, join->end_ns };
      guint low = 0, high = ended->len;

      while (low < high)
        {
          guint middle = low + (high - low) / 2;

          if (compare_ended (&g_array_index (ended, Ended, middle), &key) <= 0)
            low = middle + 1;
          else
            high = middle;
        }
      if (low == 0 || g_array_index (ended, Ended, low - 1).process != key.process)
        continue;
      guint32 thread = g_array_index (ended, Ended, low - 1).thread;
      const TtThreadEnd *end = &self->ends[thread];
      add_wait (waits, join, wait_for (join, TT_WAIT_THREAD, thread, end->end_ns, end->event, end->name));
      if (syncs != NULL)
        tt_syncs_add_pair (syncs, &(TtSyncCall){ join->begin_ns, join->end_ns, join->thread },
                           &(TtSyncCall){ end->end_ns, end->end_ns, thread });
    }
}

/* -- barriers ------------------------------------------------------------------------------------------------------ */

static int
compare_barriers (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtWaitSpan *x = a, *y = b;
  int order = TT_COMPARE (tt_process_of_thread (data, x->thread), tt_process_of_thread (data, y->thread));

  if (order == 0)
    order = TT_COMPARE (x->begin_ns, y->begin_ns);
  /* The outer of two first. */
  if (order == 0)
    order = TT_COMPARE (y->end_ns, x->end_ns);
  return order != 0 ? order : TT_COMPARE (x->thread, y->thread);
}

/* @first to @end - 1: in which no thread left before the last had come, so that each is of another thread. */
static void
end_barrier (const TtWaitSpan *barriers, guint first, guint end, TtSyncs *syncs, GArray *waits)
{
  const TtWaitSpan *last = &barriers[end - 1];
  g_autofree TtSyncCall *calls = syncs == NULL ? NULL : g_new (TtSyncCall, end - first);

  for (guint i = first; i < end && syncs != NULL; i++)
    calls[i - first] = (TtSyncCall){ barriers[i].begin_ns, barriers[i].end_ns, barriers[i].thread };
  if (syncs != NULL && end - first > 1)
    tt_syncs_add_call (syncs, calls, end - first);

  for (guint i = first; i + 1 < end; i++)
    add_wait (waits, &barriers[i],
              wait_for (&barriers[i], TT_WAIT_THREAD_BARRIER, last->thread, last->begin_ns, last->event, last->name));
}

/* Of spans of one thread within each other (the barrier, the wait in it) the outer counts. */
static guint
drop_inner (TtWaitSpan *barriers, guint n, guint32 max_thread)
{
  g_autofree gint64 *end_ns = g_new (gint64, (gsize) max_thread + 1);
  guint kept = 0;

  for (guint32 i = 0; i <= max_thread; i++)
    end_ns[i] = G_MININT64;
  for (guint i = 0; i < n; i++)
    {
      if (barriers[i].end_ns <= end_ns[barriers[i].thread])
        continue;
      end_ns[barriers[i].thread] = barriers[i].end_ns;
      barriers[kept++] = barriers[i];
    }
  return kept;
}

static void
find_barriers (TtThreadWaits *self, TtSyncs *syncs, GArray *waits)
{
  gint64 first_end_ns = G_MAXINT64;
  guint first = 0;

  if (self->barriers->len == 0)
    return;
  g_array_sort_with_data (self->barriers, compare_barriers, self->store);
  TtWaitSpan *barriers = TT_ARRAY (self->barriers, TtWaitSpan);
  guint n = drop_inner (barriers, self->barriers->len, self->max_thread);
  for (guint i = 0; i < n; i++)
    {
      gboolean is_other = i > 0 && tt_process_of_thread (self->store, barriers[i].thread) !=
                                       tt_process_of_thread (self->store, barriers[i - 1].thread);

      if (is_other || barriers[i].begin_ns >= first_end_ns)
        {
          end_barrier (barriers, first, i, syncs, waits);
          first = i;
          first_end_ns = G_MAXINT64;
        }
      first_end_ns = MIN (first_end_ns, barriers[i].end_ns);
    }
  end_barrier (barriers, first, n, syncs, waits);
}

/* -- the end of MPI ------------------------------------------------------------------------------------------------- */

/* Where no rank left before the last had come. */
static void
find_finalizes (TtThreadWaits *self, GArray *waits)
{
  const TtWaitSpan *calls = TT_ARRAY (self->finalizes, TtWaitSpan);
  const TtWaitSpan *last = NULL;
  gint64 first_end_ns = G_MAXINT64;

  for (guint i = 0; i < self->finalizes->len; i++)
    {
      first_end_ns = MIN (first_end_ns, calls[i].end_ns);
      if (last == NULL || calls[i].begin_ns > last->begin_ns)
        last = &calls[i];
    }
  for (guint i = 0; i < self->finalizes->len && last->begin_ns <= first_end_ns; i++)
    add_wait (waits, &calls[i],
              wait_for (&calls[i], TT_WAIT_FINALIZE, last->thread, last->begin_ns, last->event, last->name));
}

/* -- a time window -------------------------------------------------------------------------------------------------- */

#define MAX_WIDENINGS 8

static gboolean
touches (const TtWaitSpan *span, gint64 first_ns, gint64 last_ns)
{
  return span->begin_ns <= last_ns && span->end_ns >= first_ns;
}

static gboolean
any_touches (const GArray *spans, const TtWaitWindow *window)
{
  for (guint i = 0; i < spans->len; i++)
    if (touches (&g_array_index (spans, TtWaitSpan, i), window->first_ns, window->last_ns))
      return TRUE;
  return FALSE;
}

/* Widens @window to the spans that touch it; FALSE: all lie within. */
static gboolean
widen (TtWaitWindow *window, const GArray *spans)
{
  const TtWaitWindow old = *window;

  for (guint i = 0; i < spans->len; i++)
    {
      const TtWaitSpan *span = &g_array_index (spans, TtWaitSpan, i);
      if (!touches (span, old.first_ns, old.last_ns))
        continue;
      window->first_ns = MIN (window->first_ns, span->begin_ns);
      window->last_ns = MAX (window->last_ns, span->end_ns);
    }
  return window->first_ns < old.first_ns || window->last_ns > old.last_ns;
}

typedef struct
{
  TtThreadWaits *self;
  TtCallClasses *classes;
  const TtSelection *selection;
} BarrierReader;

static gboolean
take_barrier (const TtEvent *event, gpointer data, GError **error)
{
  BarrierReader *reader = data;

  if (event->dur_ns == TT_NO_TIME || event->dur_ns <= 0 || (event->flags & TT_FLAG_ASYNC) != 0 ||
      event->thread > reader->self->max_thread ||
      tt_call_classes_get (reader->classes, event->name) != TT_CALL_THREAD_BARRIER)
    return TRUE;
  const TtWaitSpan span = {
    .event = event->id,
    .begin_ns = event->ts_ns,
    .end_ns = tt_span_end (event->ts_ns, event->dur_ns),
    .thread = event->thread,
    .name = event->name,
    .is_chosen = reader->selection == NULL || tt_selection_matches (reader->selection, event),
  };
  g_array_append_val (reader->self->barriers, span);
  return TRUE;
}

/* Where no barrier crosses the begin of the time that is read, those from there on are matched as if all were read. */
gboolean
tt_thread_waits_read_rest (TtThreadWaits *self,
                           const TtWaitWindow *window,
                           TtCallClasses *classes,
                           const TtSelection *selection,
                           gboolean *is_sure,
                           GError **error)
{
  BarrierReader reader = { self, classes, selection };
  TtWaitWindow wide = *window;

  *is_sure = !any_touches (self->joins, window) && !any_touches (self->finalizes, window) &&
             !any_touches (self->locks, window);
  if (*is_sure)
    g_array_set_size (self->locks, 0);
  for (guint i = 0; *is_sure && widen (&wide, self->barriers); i++)
    {
      *is_sure = i < MAX_WIDENINGS;
      g_array_set_size (self->barriers, 0);
      if (*is_sure && !tt_each_event_between (self->store, TT_SCAN_DEFAULT, wide.first_ns, wide.last_ns, take_barrier,
                                              &reader, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
tt_thread_waits_find (TtThreadWaits *self,
                      TtCallClasses *classes,
                      TtSyncs *syncs,
                      GArray *waits,
                      TtWaitCounts *counts,
                      GError **error)
{
  find_joins (self, syncs, waits);
  find_barriers (self, syncs, waits);
  find_finalizes (self, waits);
  return self->locks->len == 0 || tt_lock_waits_find (self->store, self->locks, classes, syncs, waits, counts, error);
}
