/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/finder-private.h"

#include "analyzers/waits/window-locks.h"
#include "src/trace/span.h"

static void
look_ahead (TtWaitFinder *self)
{
  self->next = MIN (tt_message_waits_next (self->messages), tt_collective_waits_next (self->collectives));
  if (self->devices != NULL)
    self->next = MIN (self->next, tt_device_waits_next (self->devices));
  if (tt_polls_are_any (self->polls))
    self->next = 0;
}

void
tt_wait_finder_begin (TtWaitFinder *self)
{
  if (self->has_begun)
    return;
  self->has_begun = TRUE;
  tt_message_waits_begin (self->messages);
  tt_collective_waits_begin (self->collectives);
  if (self->devices != NULL)
    tt_device_waits_begin (self->devices);
  look_ahead (self);
}

TtWaitFinder *
tt_wait_finder_new (TtStore *store,
                    const TtSelection *selection,
                    const TtWaitWindow *window,
                    TtWaitsOf of,
                    TtSyncs *syncs,
                    const TtWaitHearer *hearer,
                    GError **error)
{
  const TtWaitRows all = { TT_ROWS_ALL, TT_ROWS_ALL, NULL };

  return tt_wait_finder_new_of (store, &all, selection, window, of, syncs, hearer, error);
}

TtWaitFinder *
tt_wait_finder_new_of (TtStore *store,
                       const TtWaitRows *rows,
                       const TtSelection *selection,
                       const TtWaitWindow *window,
                       TtWaitsOf of,
                       TtSyncs *syncs,
                       const TtWaitHearer *hearer,
                       GError **error)
{
  g_autoptr (TtWaitFinder) self = g_new0 (TtWaitFinder, 1);
  const TtWaitWindow all = TT_WAIT_WINDOW_ALL;

  window = window == NULL ? &all : window;
  self->store = store;
  self->window = *window;
  self->selection = selection;
  self->syncs = syncs;
  tt_call_classes_init (&self->classes, store);
  self->polls = tt_polls_new (tt_store_max_thread (store));
  self->threads = tt_thread_waits_new (store);
  self->messages = tt_message_waits_new (store, &rows->messages, window, &self->counts, hearer, error);
  if (self->messages == NULL)
    return NULL;
  self->collectives = tt_collective_waits_new (store, &rows->collectives, window, &self->counts, syncs, hearer, error);
  if (self->collectives == NULL)
    return NULL;
  if (of == TT_WAITS_ALL && (self->devices = tt_device_waits_new (store, rows->devices, window, error)) == NULL)
    return NULL;
  return g_steal_pointer (&self);
}

gboolean
tt_wait_finder_narrow (TtWaitFinder *self, gboolean *can, GError **error)
{
  gboolean has_polls;

  *can = self->syncs == NULL && tt_collective_waits_can_narrow (self->collectives);
  if (!*can)
    return TRUE;
  if (!tt_call_has_polls (self->store, &has_polls, error))
    return FALSE;
  if (has_polls)
    self->has_begun_span = g_new0 (guint8, (gsize) tt_store_max_thread (self->store) + 1);
  TtEventScan *scan =
      tt_event_scan_new_between (self->store, TT_SCAN_DEFAULT, self->window.first_ns, self->window.last_ns, error);
  if (scan == NULL)
    return FALSE;
  tt_message_waits_narrow (self->messages, scan);
  self->is_narrow = TRUE;
  return tt_event_scan_finish (scan, error);
}

/* Whether a thread begins nothing in the window, which then may lie between two polls of one wait. */
static gboolean
may_lie_between_polls (const TtWaitFinder *self)
{
  guint n;
  const TtThread *threads = tt_store_threads (self->store, &n);

  for (guint i = 0; self->has_begun_span != NULL && i < n; i++)
    if (!self->has_begun_span[threads[i].id])
      return TRUE;
  return FALSE;
}

gboolean
tt_wait_finder_read_rest (TtWaitFinder *self, gboolean *is_sure, GError **error)
{
  tt_wait_finder_begin (self);
  *is_sure = !self->has_polls && !may_lie_between_polls (self) &&
             tt_collective_waits_read_rest (self->collectives, self->store, self->selection == NULL) &&
             (self->devices == NULL || tt_device_waits_read_rest (self->devices, self->store, self->selection == NULL));
  return !*is_sure || (tt_message_waits_read_rest (self->messages, &self->classes, is_sure, error) &&
                       (!*is_sure || tt_thread_waits_read_rest (self->threads, &self->window, &self->classes,
                                                                self->selection, is_sure, error)));
}

void
tt_wait_finder_free (TtWaitFinder *self)
{
  if (self == NULL)
    return;
  tt_call_classes_clear (&self->classes);
  g_free (self->has_begun_span);
  tt_polls_free (self->polls);
  tt_message_waits_free (self->messages);
  tt_collective_waits_free (self->collectives);
  tt_thread_waits_free (self->threads);
  tt_device_waits_free (self->devices);
  g_free (self);
}

/* A poll touches the window where the wait does that it ends. */
static gboolean
is_chosen (const TtWaitFinder *self, const TtEvent *event, TtCallClass call_class)
{
  TtEvent whole = *event;

  if (self->selection == NULL)
    return TRUE;
  whole.ts_ns = tt_polls_since (self->polls, event->thread, call_class, event->ts_ns);
  if (whole.ts_ns != event->ts_ns &&
      __builtin_sub_overflow (tt_span_end (event->ts_ns, event->dur_ns), whole.ts_ns, &whole.dur_ns))
    whole.dur_ns = G_MAXINT64;
  return tt_selection_matches (self->selection, &whole);
}

void
tt_wait_finder_take (TtWaitFinder *self, const TtEvent *event)
{
  if (event->dur_ns == TT_NO_TIME || (event->flags & TT_FLAG_ASYNC) != 0)
    return;
  if (G_UNLIKELY (!self->has_begun))
    tt_wait_finder_begin (self);
  if (G_UNLIKELY (self->has_begun_span != NULL) && event->ts_ns >= self->window.first_ns &&
      event->ts_ns <= self->window.last_ns && event->thread <= tt_store_max_thread (self->store))
    self->has_begun_span[event->thread] = TRUE;

  TtCallClass call_class = tt_call_classes_get (&self->classes, event->name);
  TtWaitSpan span = {
    .event = event->id,
    .begin_ns = event->ts_ns,
    .end_ns = tt_span_end (event->ts_ns, event->dur_ns),
    .thread = event->thread,
    .name = event->name,
  };

  if (G_LIKELY (call_class == TT_CALL_OTHER && event->id < self->next))
    {
      tt_thread_waits_take (self->threads, call_class, &span);
      return;
    }
  self->has_polls |= (call_class == TT_CALL_PROBE || call_class == TT_CALL_POLL) &&
                     span.begin_ns <= self->window.last_ns && span.end_ns >= self->window.first_ns;
  span.is_chosen = is_chosen (self, event, call_class);

  tt_polls_take (self->polls, call_class, event->ts_ns, &span);
  gboolean receives = tt_message_waits_take (self->messages, self->polls, call_class, event, &span);
  gboolean completes = tt_collective_waits_take (self->collectives, call_class, event, &span, receives);
  if (receives || completes)
    tt_polls_end_stretch (self->polls, event->thread);
  tt_thread_waits_take (self->threads, call_class, &span);
  if (self->devices != NULL)
    tt_device_waits_take (self->devices, &span);
  look_ahead (self);
}

gboolean
tt_wait_finder_finish (TtWaitFinder *self, GArray *waits, TtWaitCounts *counts, GError **error)
{
  tt_wait_finder_begin (self);
  tt_message_waits_find (self->messages, self->syncs, waits);
  g_clear_pointer (&self->messages, tt_message_waits_free);
  tt_collective_waits_find (self->collectives, waits);
  g_clear_pointer (&self->collectives, tt_collective_waits_free);
  if (self->devices != NULL)
    tt_device_waits_find (self->devices, waits);
  *counts = self->counts;
  return tt_window_lock_waits_find (self->store, self->selection, self->syncs, waits, error) &&
         tt_thread_waits_find (self->threads, &self->classes, self->syncs, waits, counts, error);
}
