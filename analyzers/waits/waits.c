/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/waits.h"

#include "analyzers/spans/each-event.h"
#include "analyzers/waits/collectives.h"
#include "analyzers/waits/messages.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/trace/span.h"

typedef struct
{
  gint64 begin_ns, end_ns; /* begin > end: no spans */
} Range;

typedef struct
{
  TtStore *store;
  const TtSelection *selection;
  TtWaits *result;
  TtMessageWaits *messages;
  Range *ranges; /* by thread */
  guint32 max_thread;
  TtWait *waits;
  guint32 *by_event, *by_cause; /* numbers of waits, in the order of ids */
  guint8 *is_left_out;          /* by number of a wait */
  guint next_event, next_cause; /* of the scan */
} Finder;

const char *
tt_wait_kind_text (TtWaitKind kind)
{
  static const char *const words[TT_N_WAIT_KINDS] = {
    [TT_WAIT_LATE_SENDER] = "late sender",       [TT_WAIT_WRONG_ORDER] = "wrong order",
    [TT_WAIT_LATE_RECEIVER] = "late receiver",   [TT_WAIT_BARRIER] = "wait at barrier",
    [TT_WAIT_NXN] = "wait at NxN",               [TT_WAIT_EARLY_REDUCE] = "early reduce",
    [TT_WAIT_LATE_BROADCAST] = "late broadcast",
  };

  g_return_val_if_fail (kind < TT_N_WAIT_KINDS, NULL);

  return words[kind];
}

static gboolean
take_span (const TtEvent *event, gpointer data, GError **error)
{
  Finder *self = data;

  if (event->dur_ns == TT_NO_TIME || (event->flags & TT_FLAG_ASYNC) != 0 || event->thread > self->max_thread)
    return TRUE;
  Range *range = &self->ranges[event->thread];
  range->begin_ns = MIN (range->begin_ns, event->ts_ns);
  range->end_ns = MAX (range->end_ns, tt_span_end (event->ts_ns, event->dur_ns));
  tt_message_waits_take (self->messages, event);
  return TRUE;
}

/* The second scan: whose the spans of the waits are, and which are selected. */
static gboolean
describe_span (const TtEvent *event, gpointer data, GError **error)
{
  Finder *self = data;
  guint n = self->result->waits->len;

  for (; self->next_event < n && self->waits[self->by_event[self->next_event]].event <= event->id; self->next_event++)
    {
      guint32 i = self->by_event[self->next_event];

      if (self->waits[i].event != event->id)
        continue;
      self->waits[i].thread = event->thread;
      self->waits[i].name = event->name;
      self->is_left_out[i] = self->selection != NULL && !tt_selection_matches (self->selection, event);
    }
  for (; self->next_cause < n && self->waits[self->by_cause[self->next_cause]].from_event <= event->id; self->next_cause++)
    if (self->waits[self->by_cause[self->next_cause]].from_event == event->id)
      self->waits[self->by_cause[self->next_cause]].from_thread = event->thread;
  return TRUE;
}

static int
compare_events (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtWait *waits = data;
  guint32 i = *(const guint32 *) a, k = *(const guint32 *) b;

  return TT_COMPARE (waits[i].event, waits[k].event);
}

static int
compare_causes (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtWait *waits = data;
  guint32 i = *(const guint32 *) a, k = *(const guint32 *) b;

  return TT_COMPARE (waits[i].from_event, waits[k].from_event);
}

static gboolean
describe_waits (Finder *self, GError **error)
{
  guint n = self->result->waits->len;
  g_autofree guint32 *by_event = g_new (guint32, (gsize) n + 1);
  g_autofree guint32 *by_cause = g_new (guint32, (gsize) n + 1);

  self->waits = TT_ARRAY (self->result->waits, TtWait);
  for (guint32 i = 0; i < n; i++)
    by_event[i] = by_cause[i] = i;
  g_qsort_with_data (by_event, (gint) n, sizeof *by_event, compare_events, self->waits);
  g_qsort_with_data (by_cause, (gint) n, sizeof *by_cause, compare_causes, self->waits);
  self->by_event = by_event;
  self->by_cause = by_cause;
  return n == 0 || tt_each_event (self->store, TT_SCAN_DEFAULT, describe_span, self, error);
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

/* What overlaps counts once, for the last to end: of @self as much as is before @next. */
static void
end_before (TtWait *self, const TtWait *next)
{
  if (self->thread == next->thread && self->end_ns > next->begin_ns)
    self->end_ns = next->begin_ns;
}

static void
keep_selected (Finder *self)
{
  guint n = 0;

  for (guint i = 0; i < self->result->waits->len; i++)
    if (!self->is_left_out[i] && self->waits[i].name != TT_NO_ID)
      self->waits[n++] = self->waits[i];
  g_array_set_size (self->result->waits, n);
}

static void
join_overlaps (Finder *self)
{
  GArray *waits = self->result->waits;
  gint64 first_ns = G_MININT64, last_ns = G_MAXINT64;
  guint n = 0;

  g_array_sort (waits, compare_waits);
  TtWait *all = TT_ARRAY (waits, TtWait);
  for (guint i = 0; i < waits->len; i++)
    {
      if (n > 0 && all[n - 1].thread == all[i].thread && all[i].end_ns < all[n - 1].end_ns)
        continue;
      if (n > 0)
        end_before (&all[n - 1], &all[i]);
      n -= n > 0 && all[n - 1].end_ns <= all[n - 1].begin_ns;
      all[n++] = all[i];
    }
  g_array_set_size (waits, n);
  if (self->selection != NULL)
    tt_selection_window (self->selection, &first_ns, &last_ns);
  n = 0;
  for (guint i = 0; i < waits->len; i++)
    {
      TtWait wait = all[i];

      wait.begin_ns = MAX (wait.begin_ns, first_ns);
      wait.end_ns = MIN (wait.end_ns, last_ns);
      if (wait.begin_ns >= wait.end_ns)
        continue;
      self->result->waits_ns += wait.end_ns - wait.begin_ns;
      all[n++] = wait;
    }
  g_array_set_size (waits, n);
}

static void
add_times (Finder *self)
{
  g_autofree guint8 *is_seen = g_new0 (guint8, (gsize) tt_store_max_process (self->store) + 1);
  gint64 first_ns = G_MININT64, last_ns = G_MAXINT64;

  if (self->selection != NULL)
    tt_selection_window (self->selection, &first_ns, &last_ns);
  for (guint32 i = 0; i <= self->max_thread; i++)
    {
      const TtThread *thread = tt_store_thread (self->store, i);
      const TtProcess *process = thread == NULL ? NULL : tt_store_process (self->store, thread->process);
      gint64 begin_ns = MAX (self->ranges[i].begin_ns, first_ns), end_ns = MIN (self->ranges[i].end_ns, last_ns);

      if (process == NULL || begin_ns >= end_ns ||
          (self->selection != NULL && !tt_selection_matches_point (self->selection, i, begin_ns)))
        continue;
      self->result->time_ns += (tt_int128) end_ns - begin_ns;
      self->result->n_ranks += !is_seen[process->owner];
      is_seen[process->owner] = TRUE;
    }
}

TtWaits *
tt_waits_new (TtStore *store, const TtSelection *selection, GError **error)
{
  g_autoptr (TtWaits) result = g_new0 (TtWaits, 1);
  g_autofree Range *ranges = g_new (Range, (gsize) tt_store_max_thread (store) + 1);
  Finder self = { store, selection, result, NULL, ranges, tt_store_max_thread (store), NULL, NULL, NULL, NULL, 0, 0 };
  g_autoptr (TtMessageWaits) messages = NULL;

  result->waits = g_array_new (FALSE, FALSE, sizeof (TtWait));
  for (guint32 i = 0; i <= self.max_thread; i++)
    ranges[i] = (Range){ G_MAXINT64, G_MININT64 };
  self.messages = messages = tt_message_waits_new (store, &result->counts, error);
  if (messages == NULL || !tt_each_event (store, TT_SCAN_DEFAULT, take_span, &self, error))
    return NULL;
  tt_message_waits_find (messages, result->waits);
  g_clear_pointer (&messages, tt_message_waits_free);
  if (!tt_collective_waits_find (store, result->waits, &result->counts, error))
    return NULL;
  g_autofree guint8 *is_left_out = self.is_left_out = g_new0 (guint8, (gsize) result->waits->len + 1);
  if (!describe_waits (&self, error))
    return NULL;
  keep_selected (&self);
  join_overlaps (&self);
  add_times (&self);
  return g_steal_pointer (&result);
}

void
tt_waits_free (TtWaits *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->waits);
  g_free (self);
}
