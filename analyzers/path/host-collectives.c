/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/host-collectives.h"

#include "analyzers/spans/each-event.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/trace/span.h"

/* A span that no other of its thread contains but those that only name a stretch of time. */
typedef struct
{
  gint64 begin_ns, end_ns;
} Outer;

typedef struct
{
  const TtThreadRange *threads;
  guint32 n_threads;
  GArray *transfers;   /* of TtHostCall: what the backends do; borrowed */
  GArray *callers;     /* of TtHostCall: calls of communication on other threads */
  GArray *arrivals;    /* of TtHostCall: when the last rank came to a transfer that begins then, as its end */
  GHashTable *backend; /* of threads: only backends */
  GHashTable *parted;  /* of processes: that have backends */
  GHashTable *outer;   /* thread -> GArray of Outer, the last first, later the first first */
} Finder;

static void
finder_clear (Finder *self)
{
  g_clear_pointer (&self->callers, g_array_unref);
  g_clear_pointer (&self->arrivals, g_array_unref);
  g_clear_pointer (&self->backend, g_hash_table_unref);
  g_clear_pointer (&self->parted, g_hash_table_unref);
  g_clear_pointer (&self->outer, g_hash_table_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Finder, finder_clear)

static gboolean
is_of_backend (const char *function)
{
  return function != NULL && (g_str_has_prefix (function, "gloo:") || g_str_has_prefix (function, "mpi:") ||
                              g_str_has_prefix (function, "ucc:"));
}

gboolean
tt_host_call_of (const TtCollective *collective, guint32 n_threads, TtHostCall *call)
{
  if (!is_of_backend (collective->function) || collective->thread >= n_threads)
    return FALSE;
  *call = (TtHostCall){ collective->process, collective->thread, collective->ts_ns,
                        collective->dur_ns == TT_NO_TIME ? collective->ts_ns
                                                         : tt_span_end (collective->ts_ns, collective->dur_ns) };
  return TRUE;
}

typedef struct
{
  GArray *transfers;
  guint32 n_threads;
} Reader;

static gboolean
on_collective (const TtCollective *collective, gpointer data)
{
  Reader *self = data;
  TtHostCall call;

  if (tt_host_call_of (collective, self->n_threads, &call))
    g_array_append_val (self->transfers, call);
  return TRUE;
}

typedef struct
{
  Finder *finder;
  TtStore *store;
} Scan;

/* -- the threads that call --------------------------------------------------------------------------------- */

static gboolean
is_communication (TtStore *store, guint32 id)
{
  const TtStoredName *name = tt_store_name (store, id);

  return name != NULL && (g_strcmp0 (name->op_cat, "Comm") == 0 || g_strcmp0 (name->op_cat, "SYNC") == 0);
}

/* Spans come from the last end to the first. */
static void
add_span (Finder *self, TtStore *store, const TtEvent *event)
{
  gint64 end_ns = tt_span_end (event->ts_ns, event->dur_ns);
  guint32 process = self->threads[event->thread].process;
  const Outer outer = { event->ts_ns, end_ns };
  GArray *all = g_hash_table_lookup (self->outer, GUINT_TO_POINTER (event->thread));

  if (is_communication (store, event->name))
    {
      const TtHostCall call = { process, event->thread, event->ts_ns, end_ns };
      g_array_append_val (self->callers, call);
    }
  if (all == NULL)
    {
      all = g_array_new (FALSE, FALSE, sizeof (Outer));
      g_hash_table_insert (self->outer, GUINT_TO_POINTER (event->thread), all);
    }
  if (all->len == 0 || end_ns <= g_array_index (all, Outer, all->len - 1).begin_ns)
    g_array_append_val (all, outer);
}

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  Scan *scan = data;
  Finder *self = scan->finder;

  if (event->dur_ns != TT_NO_TIME && event->thread < self->n_threads &&
      (event->flags & (TT_FLAG_WINDOW | TT_FLAG_ASYNC)) == 0 &&
      !g_hash_table_contains (self->backend, GUINT_TO_POINTER (event->thread)) &&
      g_hash_table_contains (self->parted, GUINT_TO_POINTER (self->threads[event->thread].process)))
    add_span (self, scan->store, event);
  return TRUE;
}

static int
compare_calls (gconstpointer a, gconstpointer b)
{
  const TtHostCall *x = a, *y = b;
  int order = TT_COMPARE (x->process, y->process);

  order = order != 0 ? order : TT_COMPARE (x->begin_ns, y->begin_ns);
  order = order != 0 ? order : TT_COMPARE (x->thread, y->thread);
  return order != 0 ? order : TT_COMPARE (x->end_ns, y->end_ns);
}

/* The last call of the process to begin by then; NULL: none. */
static const TtHostCall *
find_caller (const Finder *self, const TtHostCall *transfer)
{
  const TtHostCall *calls = TT_ARRAY (self->callers, const TtHostCall);
  const TtHostCall key = { transfer->process, G_MAXUINT32, transfer->begin_ns, G_MAXINT64 };
  guint low = 0, high = self->callers->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (compare_calls (&calls[middle], &key) <= 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 && calls[low - 1].process == transfer->process ? &calls[low - 1] : NULL;
}

static int
compare_threads (gconstpointer a, gconstpointer b)
{
  const TtHostCall *x = a, *y = b;
  int order = TT_COMPARE (x->thread, y->thread);

  order = order != 0 ? order : TT_COMPARE (x->begin_ns, y->begin_ns);
  return order != 0 ? order : TT_COMPARE (x->end_ns, y->end_ns);
}

/* -- points ------------------------------------------------------------------------------------------------ */

static void
add_launch (const TtHostCall *transfer, const TtHostCall *caller, gint64 before_ns, GArray *points)
{
  TtSyncPoint point = {
    .thread = transfer->thread,
    .from_thread = caller->thread,
    .at_ns = transfer->begin_ns,
    .from_ns = MIN (caller->end_ns, transfer->begin_ns),
    .hop = TT_HOP_LAUNCH,
    .is_inferred = TRUE,
  };

  point.wait_ns = before_ns == TT_NO_TIME ? point.from_ns : before_ns;
  if (before_ns == TT_NO_TIME || point.from_ns >= before_ns)
    g_array_append_val (points, point);
}

/* The last of the outer spans, from the last to the first, to begin by then: its place; the number of all: none. */
static guint
last_begun (const GArray *all, gint64 ns)
{
  guint low = 0, high = all->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (g_array_index (all, Outer, middle).begin_ns > ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* When the last rank came to the transfer, if that is not this one; TT_NO_TIME: it is. */
static gint64
last_to_come (const Finder *self, const TtHostCall *transfer)
{
  const TtHostCall *arrivals = TT_ARRAY (self->arrivals, const TtHostCall);
  const TtHostCall key = { 0, transfer->thread, transfer->begin_ns, G_MININT64 };
  guint low = 0, high = self->arrivals->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (compare_threads (&arrivals[middle], &key) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low < self->arrivals->len && arrivals[low].thread == transfer->thread &&
                 arrivals[low].begin_ns == transfer->begin_ns
             ? arrivals[low].end_ns
             : TT_NO_TIME;
}

/* Whether the thread does nothing at @ns: since when, and when it goes on; TT_NO_TIME: never. */
static gboolean
is_idle (const GArray *all, gint64 ns, gint64 *since_ns, gint64 *until_ns)
{
  guint at = last_begun (all, ns);

  if (at == all->len || g_array_index (all, Outer, at).end_ns >= ns)
    return FALSE;
  *since_ns = g_array_index (all, Outer, at).end_ns;
  *until_ns = at == 0 ? TT_NO_TIME : g_array_index (all, Outer, at - 1).begin_ns;
  return TRUE;
}

/* The moment at which the thread went on after the transfer, and since when it had done nothing. */
static gboolean
find_gap (const Finder *self, const GArray *all, const TtHostCall *transfer, gint64 *at_ns, gint64 *since_ns)
{
  gint64 last_ns = last_to_come (self, transfer), until_ns;

  *at_ns = transfer->end_ns;
  if (last_ns == TT_NO_TIME || !is_idle (all, last_ns, since_ns, &until_ns))
    return is_idle (all, transfer->end_ns, since_ns, &until_ns);
  if (until_ns != TT_NO_TIME)
    *at_ns = MIN (until_ns, transfer->end_ns);
  return TRUE;
}

static void
add_wait (const Finder *self, const TtHostCall *transfer, guint32 thread, GArray *points)
{
  const GArray *all = g_hash_table_lookup (self->outer, GUINT_TO_POINTER (thread));
  TtSyncPoint point = {
    .thread = thread,
    .from_thread = transfer->thread,
    .hop = TT_HOP_SYNCHRONIZE,
    .is_inferred = TRUE,
  };

  if (all == NULL || !find_gap (self, all, transfer, &point.at_ns, &point.wait_ns))
    return;
  point.from_ns = point.at_ns;
  g_array_append_val (points, point);
}

/* From what is known of collectives so far. */
static void
find_arrivals (Finder *self, const GArray *points)
{
  for (guint i = 0; i < points->len; i++)
    {
      const TtSyncPoint *point = &g_array_index (points, TtSyncPoint, i);
      const TtHostCall arrival = { 0, point->thread, point->wait_ns, point->at_ns };
      if (point->hop == TT_HOP_COLLECTIVE && g_hash_table_contains (self->backend, GUINT_TO_POINTER (point->thread)))
        g_array_append_val (self->arrivals, arrival);
    }
  g_array_sort (self->arrivals, compare_threads);
}

static void
add_points (Finder *self, GArray *points)
{
  const TtHostCall *transfers = TT_ARRAY (self->transfers, const TtHostCall);

  find_arrivals (self, points);
  g_array_sort (self->transfers, compare_threads);
  g_array_sort (self->callers, compare_calls);
  for (guint i = 0; i < self->transfers->len; i++)
    {
      const TtHostCall *caller = find_caller (self, &transfers[i]);
      gboolean is_first = i == 0 || transfers[i - 1].thread != transfers[i].thread;

      if (caller == NULL)
        continue;
      add_launch (&transfers[i], caller, is_first ? TT_NO_TIME : transfers[i - 1].end_ns, points);
      add_wait (self, &transfers[i], caller->thread, points);
    }
}

gboolean
tt_host_collectives_points_of (TtStore *store,
                               guint64 first,
                               guint64 last,
                               GArray *transfers,
                               const TtThreadRange *threads,
                               guint32 n_threads,
                               GArray *points,
                               GError **error)
{
  g_auto (Finder) self = { .threads = threads, .n_threads = n_threads, .transfers = transfers };
  Scan scan = { &self, store };
  TtEventPart part = TT_EVENT_PART_ALL;

  if (transfers->len == 0)
    return TRUE;
  self.callers = g_array_new (FALSE, FALSE, sizeof (TtHostCall));
  self.arrivals = g_array_new (FALSE, FALSE, sizeof (TtHostCall));
  self.backend = g_hash_table_new (NULL, NULL);
  self.parted = g_hash_table_new (NULL, NULL);
  self.outer = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  for (guint i = 0; i < transfers->len; i++)
    {
      g_hash_table_add (self.backend, GUINT_TO_POINTER (g_array_index (transfers, TtHostCall, i).thread));
      g_hash_table_add (self.parted, GUINT_TO_POINTER (g_array_index (transfers, TtHostCall, i).process));
    }
  part.flags = TT_SCAN_REVERSE;
  part.first = first;
  part.last = last;
  if (first <= last && !tt_each_event_of (store, &part, take_event, &scan, error))
    return FALSE;
  add_points (&self, points);
  return TRUE;
}

gboolean
tt_host_collectives_points (TtStore *store,
                            const TtThreadRange *threads,
                            guint32 n_threads,
                            GArray *points,
                            GError **error)
{
  g_autoptr (GArray) transfers = g_array_new (FALSE, FALSE, sizeof (TtHostCall));
  Reader reader = { transfers, n_threads };

  return tt_store_each_collective (store, on_collective, &reader, error) &&
         tt_host_collectives_points_of (store, 0, G_MAXUINT64, transfers, threads, n_threads, points, error);
}
