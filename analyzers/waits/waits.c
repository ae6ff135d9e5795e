/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/waits.h"

#include "analyzers/spans/each-event.h"
#include "analyzers/waits/finder.h"
#include "analyzers/waits/waits-private.h"
#include "src/base/array-sort.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/sorter.h"
#include "src/trace/span.h"

const char *
tt_wait_kind_text (TtWaitKind kind)
{
  static const char *const words[TT_N_WAIT_KINDS] = {
    [TT_WAIT_LATE_SENDER] = "late sender",
    [TT_WAIT_WRONG_ORDER] = "wrong order",
    [TT_WAIT_LATE_RECEIVER] = "late receiver",
    [TT_WAIT_BARRIER] = "wait at barrier",
    [TT_WAIT_NXN] = "wait at NxN",
    [TT_WAIT_EARLY_REDUCE] = "early reduce",
    [TT_WAIT_LATE_BROADCAST] = "late broadcast",
    [TT_WAIT_SYNC_REGION] = "wait in sync",
    [TT_WAIT_FINALIZE] = "wait at finalize",
    [TT_WAIT_THREAD] = "wait for thread",
    [TT_WAIT_LOCK] = "wait for lock",
    [TT_WAIT_THREAD_BARRIER] = "wait at thread barrier",
    [TT_WAIT_HOST_FOR_DEVICE] = "host waits for device",
    [TT_WAIT_DEVICE_FOR_HOST] = "device waits for host",
    [TT_WAIT_DEVICE_FOR_DEVICE] = "device waits for device",
  };

  g_return_val_if_fail (kind < TT_N_WAIT_KINDS, NULL);

  return words[kind];
}

gboolean
tt_wait_reader_take (const TtEvent *event, gpointer data, GError **error)
{
  TtWaitReader *self = data;

  if (self->finder != NULL)
    tt_wait_finder_take (self->finder, event);
  if (event->dur_ns == TT_NO_TIME || (event->flags & TT_FLAG_ASYNC) != 0 || event->thread > self->max_thread)
    return TRUE;
  TtWaitRange *range = &self->ranges[event->thread];
  range->begin_ns = MIN (range->begin_ns, event->ts_ns);
  range->end_ns = MAX (range->end_ns, tt_span_end (event->ts_ns, event->dur_ns));
  return TRUE;
}

static int
compare_waits (gconstpointer a, gconstpointer b)
{
  const TtWait *x = a, *y = b;
  int order = TT_COMPARE (x->thread, y->thread);

  if (order == 0)
    order = TT_COMPARE (x->begin_ns, y->begin_ns);
  if (order == 0)
    order = TT_COMPARE (x->end_ns, y->end_ns);
  if (order == 0)
    order = -TT_COMPARE (x->kind, y->kind);
  return order != 0 ? order : TT_COMPARE (x->from_event, y->from_event);
}

static TtArrayKey
key_of_wait (gconstpointer element)
{
  const TtWait *wait = element;
  guint64 begin = tt_sort_key (wait->begin_ns);

  return (TtArrayKey){ (guint64) wait->thread << 32 | begin >> 32, begin << 32 };
}

void
tt_wait_reader_sort (GArray *waits)
{
  tt_array_sort_by_key (waits, key_of_wait, compare_waits);
}

/* What overlaps counts once, for the last to end: of @self as much as is before @next. */
static void
end_before (TtWait *self, const TtWait *next)
{
  if (self->thread == next->thread && self->end_ns > next->begin_ns)
    self->end_ns = next->begin_ns;
}

/* Of those of one thread that overlap; of two that end together the one that begins later is cut. */
static void
join_overlaps (GArray *waits)
{
  guint n = 0;

  tt_wait_reader_sort (waits);
  TtWait *all = TT_ARRAY (waits, TtWait);
  for (guint i = 0; i < waits->len; i++)
    {
      if (all[i].begin_ns >= all[i].end_ns)
        continue;
      if (n > 0 && all[n - 1].thread == all[i].thread && all[i].end_ns < all[n - 1].end_ns)
        continue;
      if (n > 0)
        end_before (&all[n - 1], &all[i]);
      n -= n > 0 && all[n - 1].end_ns <= all[n - 1].begin_ns;
      all[n++] = all[i];
    }
  g_array_set_size (waits, n);
}

static void
clip (TtWaits *self, const TtWaitWindow *window)
{
  TtWait *all = TT_ARRAY (self->waits, TtWait);
  guint n = 0;

  for (guint i = 0; i < self->waits->len; i++)
    {
      TtWait wait = all[i];

      wait.begin_ns = MAX (wait.begin_ns, window->first_ns);
      wait.end_ns = MIN (wait.end_ns, window->last_ns);
      if (wait.begin_ns >= wait.end_ns)
        continue;
      self->waits_ns += wait.end_ns - wait.begin_ns;
      all[n++] = wait;
    }
  g_array_set_size (self->waits, n);
}

void
tt_wait_reader_add_times (TtWaits *self, TtStore *store, const TtWaitReader *reader)
{
  g_autofree guint8 *is_seen = g_new0 (guint8, (gsize) tt_store_max_process (store) + 1);
  const TtWaitWindow *window = &reader->window;

  for (guint32 i = 0; i <= reader->max_thread; i++)
    {
      const TtThread *thread = tt_store_thread (store, i);
      const TtProcess *process = thread == NULL ? NULL : tt_store_process (store, thread->process);
      gint64 begin_ns = MAX (reader->ranges[i].begin_ns, window->first_ns);
      gint64 end_ns = MIN (reader->ranges[i].end_ns, window->last_ns);

      if (process == NULL || begin_ns >= end_ns ||
          (reader->selection != NULL && !tt_selection_matches_point (reader->selection, i, begin_ns)))
        continue;
      self->time_ns += (tt_int128) end_ns - begin_ns;
      self->n_ranks += !is_seen[process->owner];
      is_seen[process->owner] = TRUE;
    }
}

void
tt_wait_reader_init (TtWaitReader *self, TtStore *store, const TtSelection *selection)
{
  *self =
      (TtWaitReader){ .selection = selection, .window = TT_WAIT_WINDOW_ALL, .max_thread = tt_store_max_thread (store) };
  if (selection != NULL)
    tt_selection_window (selection, &self->window.first_ns, &self->window.last_ns);
  self->ranges = g_new (TtWaitRange, (gsize) self->max_thread + 1);
  for (guint32 i = 0; i <= self->max_thread; i++)
    self->ranges[i] = (TtWaitRange){ G_MAXINT64, G_MININT64 };
}

void
tt_wait_reader_clear (TtWaitReader *self)
{
  g_clear_pointer (&self->finder, tt_wait_finder_free);
  g_clear_pointer (&self->ranges, g_free);
}
void
tt_wait_reader_join (TtWaits *self, const TtWaitReader *reader)
{
  join_overlaps (self->waits);
  clip (self, &reader->window);
}

static void
add_up (TtWaits *self, TtStore *store, const TtWaitReader *reader)
{
  tt_wait_reader_join (self, reader);
  tt_wait_reader_add_times (self, store, reader);
}

/* -- a time window -------------------------------------------------------------------------------------------------- */

/* Whether it is known of every thread that it began before the window and ended after it, as far as it did. */
static gboolean
is_begun (const TtWaitReader *self, guint32 thread)
{
  return self->ranges[thread].begin_ns <= self->window.first_ns;
}

static gboolean
has_ended (const TtWaitReader *self, guint32 thread)
{
  return self->ranges[thread].end_ns >= self->window.last_ns;
}

static gboolean
are_all (const TtWaitReader *self, TtStore *store, gboolean (*is_known) (const TtWaitReader *self, guint32 thread))
{
  for (guint32 i = 0; i <= self->max_thread; i++)
    if (tt_store_thread (store, i) != NULL && !is_known (self, i))
      return FALSE;
  return TRUE;
}

static gint64
twice (gint64 ns)
{
  return ns > G_MAXINT64 / 2 ? G_MAXINT64 : 2 * ns;
}

/* Reads on both sides of the window, ever more, until it is known of all threads whether they began before it and went on
 * after it. */
static gboolean
read_ranges (TtWaitReader *self, TtStore *store, GError **error)
{
  gint64 first_ns, last_ns;
  GError *failure = NULL;

  if (!tt_store_time_range (store, &first_ns, &last_ns, &failure))
    {
      if (failure != NULL)
        g_propagate_error (error, failure);
      return failure == NULL;
    }
  gint64 from_ns = CLAMP (self->window.first_ns, first_ns, last_ns);
  gint64 to_ns = CLAMP (self->window.last_ns, first_ns, last_ns);
  for (gint64 step_ns = MAX (to_ns - from_ns, 1); from_ns > first_ns && !are_all (self, store, is_begun);
       step_ns = twice (step_ns))
    {
      gint64 at_ns = from_ns;

      from_ns = at_ns - first_ns > step_ns ? at_ns - step_ns : first_ns;
      if (!tt_each_event_between (store, TT_SCAN_DEFAULT, from_ns, at_ns, tt_wait_reader_take, self, error))
        return FALSE;
    }
  for (gint64 step_ns = MAX (to_ns - from_ns, 1); to_ns < last_ns && !are_all (self, store, has_ended);
       step_ns = twice (step_ns))
    {
      gint64 at_ns = to_ns;

      to_ns = last_ns - at_ns > step_ns ? at_ns + step_ns : last_ns;
      if (!tt_each_event_between (store, TT_SCAN_DEFAULT, at_ns, to_ns, tt_wait_reader_take, self, error))
        return FALSE;
    }
  return TRUE;
}

/* -- reading ------------------------------------------------------------------------------------------------------- */

static gboolean
read_all (TtStore *store, TtWaitReader *reader, TtWaits *waits, GError **error)
{
  return tt_each_event (store, TT_SCAN_DEFAULT, tt_wait_reader_take, reader, error) &&
         tt_wait_finder_finish (reader->finder, waits->waits, &waits->counts, error);
}

/* Only what touches the window, and what that needs. *@is_done FALSE: this is not enough. */
static gboolean
read_window (TtStore *store, TtWaitReader *reader, TtWaits *waits, gboolean *is_done, GError **error)
{
  const TtWaitWindow *window = &reader->window;

  *is_done = FALSE;
  if (window->first_ns == G_MININT64 && window->last_ns == G_MAXINT64)
    return TRUE;
  if (!tt_wait_finder_narrow (reader->finder, is_done, error))
    return FALSE;
  if (!*is_done)
    return TRUE;
  if (!tt_each_event_between (store, TT_SCAN_DEFAULT, window->first_ns, window->last_ns, tt_wait_reader_take, reader,
                              error) ||
      !tt_wait_finder_read_rest (reader->finder, is_done, error))
    return FALSE;
  if (*is_done && !tt_wait_finder_finish (reader->finder, waits->waits, &waits->counts, error))
    return FALSE;
  g_clear_pointer (&reader->finder, tt_wait_finder_free);
  return !*is_done || reader->without_times || read_ranges (reader, store, error);
}

static TtWaits *
find (TtStore *store, TtWaitReader *reader, TtSyncs *syncs, const TtWaitHearer *hearer, GError **error)
{
  g_autoptr (TtWaits) self = g_new0 (TtWaits, 1);
  gboolean is_done;

  self->waits = g_array_new (FALSE, FALSE, sizeof (TtWait));
  reader->finder = tt_wait_finder_new (store, reader->selection, &reader->window, TT_WAITS_ALL, syncs, hearer, error);
  if (reader->finder == NULL || !read_window (store, reader, self, &is_done, error))
    return NULL;
  if (!is_done && reader->finder == NULL)
    reader->finder = tt_wait_finder_new (store, reader->selection, &reader->window, TT_WAITS_ALL, syncs, NULL, error);
  if (!is_done && (reader->finder == NULL || !read_all (store, reader, self, error)))
    return NULL;
  add_up (self, store, reader);
  return g_steal_pointer (&self);
}

TtWaits *
tt_waits_find (TtStore *store, const TtSelection *selection, TtSyncs *syncs, const TtWaitHearer *hearer, GError **error)
{
  g_auto (TtWaitReader) reader = { NULL };

  tt_wait_reader_init (&reader, store, selection);
  return find (store, &reader, syncs, hearer, error);
}

gboolean
tt_all_waits_find (TtAllWaits *self, TtStore *store, const TtWaitHearer *hearer, GError **error)
{
  tt_all_waits_clear (self);
  self->syncs = tt_syncs_new ();
  self->waits = tt_waits_find (store, NULL, self->syncs, hearer, error);
  return self->waits != NULL;
}

void
tt_all_waits_clear (TtAllWaits *self)
{
  g_clear_pointer (&self->waits, tt_waits_free);
  g_clear_pointer (&self->syncs, tt_syncs_free);
}

TtWaits *
tt_waits_between (TtStore *store, gint64 first_ns, gint64 last_ns, const TtWaitHearer *hearer, GError **error)
{
  g_auto (TtWaitReader) reader = { NULL };

  tt_wait_reader_init (&reader, store, NULL);
  reader.window = (TtWaitWindow){ first_ns, last_ns };
  reader.without_times = TRUE;
  return find (store, &reader, NULL, hearer, error);
}

TtWaits *
tt_waits_of (TtStore *store, const TtSelection *selection, GArray *waits, GError **error)
{
  g_autoptr (TtWaits) self = g_new0 (TtWaits, 1);
  g_auto (TtWaitReader) reader = { NULL };

  self->waits = waits;
  tt_wait_reader_init (&reader, store, selection);
  if (!tt_each_event (store, TT_SCAN_DEFAULT, tt_wait_reader_take, &reader, error))
    return NULL;
  add_up (self, store, &reader);
  return g_steal_pointer (&self);
}

TtWaits *
tt_waits_new (TtStore *store, const TtSelection *selection, GError **error)
{
  return tt_waits_find (store, selection, NULL, NULL, error);
}

static guint32
rank_of (TtStore *store, guint32 thread)
{
  const TtThread *of = tt_store_thread (store, thread);
  const TtProcess *process = of == NULL ? NULL : tt_store_process (store, of->process);

  return process == NULL ? TT_NO_ID : process->owner;
}

TtRankWaits
tt_waits_of_ranks (TtStore *store, const TtWaits *waits)
{
  TtRankWaits of_ranks = { 0 };

  for (guint i = 0; i < waits->waits->len; i++)
    {
      const TtWait *wait = &g_array_index (waits->waits, TtWait, i);
      guint32 rank = rank_of (store, wait->thread), from = rank_of (store, wait->from_thread);

      if (rank == from || rank == TT_NO_ID || from == TT_NO_ID)
        continue;
      of_ranks.n++;
      of_ranks.ns += (double) (wait->end_ns - wait->begin_ns);
    }
  return of_ranks;
}

void
tt_waits_free (TtWaits *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->waits);
  g_free (self);
}
