/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/locks.h"

#include "analyzers/process-order.h"
#include "analyzers/spans/each-event.h"
#include "analyzers/waits/held-locks.h"
#include "analyzers/waits/lock-ids.h"
#include "analyzers/waits/lock-kinds.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/trace/span.h"

/* Locks that are looked at for one end, where more threads wait. */
#define MAX_LOOKS 256u

/* What ended last before the lock was had. */
typedef struct
{
  guint64 event; /* 0: nothing */
  gint64 ns;
  guint32 thread, name;
  guint32 lock; /* 0: not told */
  gboolean is_unlock;
} Release;

typedef struct
{
  TtStore *store;
  TtCallClasses *classes;
  const TtWaitSpan *locks; /* by (process, begin) */
  gint64 *last_end_ns;     /* by lock: the latest end of it and those of its process before it */
  Release *releases;       /* by lock */
  guint n;
  const guint8 *kinds; /* by name, of lock-kinds.h */
  TtLockIds ids;
  GArray *points; /* of TtLockPoint: calls that do not tell their lock */
} Finder;

static void
finder_clear (Finder *self)
{
  g_free (self->last_end_ns);
  g_free (self->releases);
  g_free ((gpointer) self->kinds);
  tt_lock_ids_clear (&self->ids);
  g_clear_pointer (&self->points, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Finder, finder_clear)

static int
compare_locks (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtWaitSpan *x = a, *y = b;
  int order = TT_COMPARE (tt_process_of_thread (data, x->thread), tt_process_of_thread (data, y->thread));

  if (order == 0)
    order = TT_COMPARE (x->begin_ns, y->begin_ns);
  return order != 0 ? order : TT_COMPARE (x->event, y->event);
}

/* The number of locks of @process and of those before it that begin before @ns. */
static guint
locks_before (const Finder *self, guint32 process, gint64 ns)
{
  guint low = 0, high = self->n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      guint32 of = tt_process_of_thread (self->store, self->locks[middle].thread);

      if (of < process || (of == process && self->locks[middle].begin_ns < ns))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
is_later (const Release *a, const Release *b)
{
  if (a->is_unlock != b->is_unlock)
    return a->is_unlock;
  return a->ns > b->ns || (a->ns == b->ns && a->event > b->event);
}

/* Whether what ended may be why @lock was had. */
static gboolean
may_free (const Finder *self, const Release *release, const TtWaitSpan *lock)
{
  guint8 kind = release->is_unlock ? self->kinds[release->name] & TT_LOCK_KIND : 0;
  guint8 wanted = self->kinds[lock->name] & TT_LOCK_KIND;
  guint32 wanted_lock = tt_lock_ids_get (&self->ids, lock->event);

  if (lock->thread == release->thread || lock->end_ns < release->ns)
    return FALSE;
  if (wanted_lock != 0 && (release->lock != 0 || self->ids.unlocks))
    return release->lock == wanted_lock;
  return kind == 0 || wanted == 0 || kind == wanted;
}

static void
add_point (Finder *self, const TtEvent *event, gint64 ns, gboolean is_end)
{
  const TtLockPoint point = {
    .ns = ns,
    .process = tt_process_of_thread (self->store, event->thread),
    .thread = event->thread,
    .kind = self->kinds[event->name] & TT_LOCK_KIND,
    .is_end = is_end,
  };

  g_array_append_val (self->points, point);
}

/* When it held a lock that is not told. */
static void
add_points (Finder *self, TtCallClass call_class, const TtEvent *event)
{
  guint8 kind = event->name > tt_store_max_name (self->store) ? 0 : self->kinds[event->name];
  gint64 end_ns = tt_span_end (event->ts_ns, event->dur_ns);

  if ((kind & TT_LOCK_KIND) == 0 || (kind & (TT_LOCK_SHARED | TT_LOCK_MAY_FAIL)) != 0 ||
      tt_lock_ids_get (&self->ids, event->id) != 0)
    return;
  if (call_class == TT_CALL_UNLOCK || (kind & TT_LOCK_CONDITION) != 0)
    add_point (self, event, event->ts_ns, TRUE);
  if (call_class == TT_CALL_LOCK || (kind & TT_LOCK_CONDITION) != 0)
    add_point (self, event, end_ns, FALSE);
  if (call_class == TT_CALL_CRITICAL_BLOCK)
    {
      add_point (self, event, event->ts_ns, FALSE);
      add_point (self, event, end_ns, TRUE);
    }
}

static gboolean
take_span (const TtEvent *event, gpointer data, GError **error)
{
  Finder *self = data;
  TtCallClass call_class = tt_call_classes_get (self->classes, event->name);

  if (event->dur_ns == TT_NO_TIME || (event->flags & TT_FLAG_ASYNC) != 0)
    return TRUE;
  const Release release = {
    .event = event->id,
    .ns = call_class == TT_CALL_UNLOCK ? event->ts_ns : tt_span_end (event->ts_ns, event->dur_ns),
    .thread = event->thread,
    .name = event->name,
    .lock = tt_lock_ids_get (&self->ids, event->id),
    .is_unlock = call_class == TT_CALL_UNLOCK || call_class == TT_CALL_HOLD || call_class == TT_CALL_CRITICAL_BLOCK,
  };
  add_points (self, call_class, event);
  guint32 process = tt_process_of_thread (self->store, event->thread);
  guint number = locks_before (self, process, release.ns);

  for (guint looks = 0; number > 0 && looks < MAX_LOOKS; number--, looks++)
    {
      const TtWaitSpan *lock = &self->locks[number - 1];

      if (tt_process_of_thread (self->store, lock->thread) != process || self->last_end_ns[number - 1] < release.ns)
        break;
      if (may_free (self, &release, lock) &&
          (self->releases[number - 1].event == 0 || is_later (&release, &self->releases[number - 1])))
        self->releases[number - 1] = release;
    }
  return TRUE;
}

/* @held: as tt_held_locks_find() has it. */
static void
add_wait (const Finder *self, guint i, GHashTable *held, GArray *waits, TtWaitCounts *counts)
{
  const TtWaitSpan *lock = &self->locks[i];
  const Release *release = &self->releases[i];
  guint32 id = tt_lock_ids_get (&self->ids, lock->event);
  gint64 key =
      tt_held_lock_key (tt_process_of_thread (self->store, lock->thread), self->kinds[lock->name] & TT_LOCK_KIND);
  const TtWait wait = {
    .thread = lock->thread,
    .kind = TT_WAIT_LOCK,
    .event = lock->event,
    .begin_ns = lock->begin_ns,
    .end_ns = release->ns,
    .at_ns = release->ns,
    .from_ns = release->ns,
    .left_ns = release->ns,
    .from_event = release->event,
    .from_thread = release->thread,
    .name = lock->name,
    .from_name = release->name,
    .is_inferred = id == 0 || release->lock != id,
  };

  if (release->event == 0 || !lock->is_chosen || wait.begin_ns >= wait.end_ns)
    return;
  g_array_append_val (waits, wait);
  counts->n_locks += id == 0 && g_hash_table_contains (held, &key);
}

/* Who waited gets the lock from who had it: what they did before made none of their later waits. */
static void
add_sync (const TtWaitSpan *lock, const Release *release, TtSyncs *syncs)
{
  const TtSyncCall had = { release->ns, release->ns, release->thread };
  const TtSyncCall gets = { lock->begin_ns, lock->end_ns, lock->thread };

  if (release->event != 0 && lock->begin_ns < release->ns)
    tt_syncs_add_pair (syncs, &had, &gets);
}

static void
set_last_ends (Finder *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      const TtWaitSpan *lock = &self->locks[i];
      gboolean is_first = i == 0 || tt_process_of_thread (self->store, lock->thread) !=
                                        tt_process_of_thread (self->store, self->locks[i - 1].thread);

      self->last_end_ns[i] = is_first ? lock->end_ns : MAX (lock->end_ns, self->last_end_ns[i - 1]);
    }
}

gboolean
tt_lock_waits_find (TtStore *store,
                    GArray *locks,
                    TtCallClasses *classes,
                    TtSyncs *syncs,
                    GArray *waits,
                    TtWaitCounts *counts,
                    GError **error)
{
  g_auto (Finder) self = { .store = store, .classes = classes, .n = locks->len };

  if (locks->len == 0)
    return TRUE;
  g_array_sort_with_data (locks, compare_locks, store);
  self.locks = TT_ARRAY (locks, TtWaitSpan);
  self.last_end_ns = g_new (gint64, self.n);
  self.releases = g_new0 (Release, self.n);
  self.kinds = tt_lock_kinds_new (store);
  self.points = g_array_new (FALSE, FALSE, sizeof (TtLockPoint));
  set_last_ends (&self);
  if (!tt_lock_ids_read (&self.ids, store, classes, error) ||
      !tt_each_event (store, TT_SCAN_DEFAULT, take_span, &self, error))
    return FALSE;
  g_autoptr (GHashTable) held = tt_held_locks_find (self.points);
  for (guint i = 0; i < self.n; i++)
    {
      add_wait (&self, i, held, waits, counts);
      if (syncs != NULL)
        add_sync (&self.locks[i], &self.releases[i], syncs);
    }
  return TRUE;
}
