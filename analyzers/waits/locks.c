/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/locks.h"

#include "analyzers/process-order.h"
#include "analyzers/spans/each-event.h"
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
} Finder;

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
  guint8 kind = release->is_unlock ? self->kinds[release->name] : 0, wanted = self->kinds[lock->name];

  return lock->thread != release->thread && lock->end_ns >= release->ns && (kind == 0 || wanted == 0 || kind == wanted);
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
    .is_unlock = call_class == TT_CALL_UNLOCK || call_class == TT_CALL_HOLD,
  };
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

static void
add_wait (const TtWaitSpan *lock, const Release *release, GArray *waits)
{
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
    .is_inferred = TRUE,
  };

  if (release->event != 0 && lock->is_chosen && wait.begin_ns < wait.end_ns)
    g_array_append_val (waits, wait);
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

gboolean
tt_lock_waits_find (TtStore *store,
                    GArray *locks,
                    TtCallClasses *classes,
                    TtSyncs *syncs,
                    GArray *waits,
                    GError **error)
{
  guint n = locks->len;
  g_autofree gint64 *last_end_ns = g_new (gint64, (gsize) n + 1);
  g_autofree Release *releases = g_new0 (Release, (gsize) n + 1);

  g_array_sort_with_data (locks, compare_locks, store);
  const TtWaitSpan *all = TT_ARRAY (locks, TtWaitSpan);
  for (guint i = 0; i < n; i++)
    {
      gboolean is_first =
          i == 0 || tt_process_of_thread (store, all[i].thread) != tt_process_of_thread (store, all[i - 1].thread);

      last_end_ns[i] = is_first ? all[i].end_ns : MAX (all[i].end_ns, last_end_ns[i - 1]);
    }
  g_autofree guint8 *kinds = tt_lock_kinds_new (store);
  Finder self = { store, classes, all, last_end_ns, releases, n, kinds };
  if (n > 0 && !tt_each_event (store, TT_SCAN_DEFAULT, take_span, &self, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      add_wait (&all[i], &releases[i], waits);
      if (syncs != NULL)
        add_sync (&all[i], &releases[i], syncs);
    }
  return TRUE;
}
