/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/causes.h"

#include "analyzers/waits/joint-timeline.h"
#include "src/base/array-sort.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/map64.h"
#include "src/base/sorter.h"

#include <string.h>

/* So many waits are given back at once. */
#define RELEASE_EACH 65536u

/* Of threads of one process that had not met yet: since when is known when it is known what they did. */
#define SINCE_BOTH_BEGAN G_MAXINT64

/* What is kept of a wait. */
typedef struct
{
  gint64 begin_ns, end_ns, from_ns;
  gint64 since_ns, other_since_ns; /* when both sides last synchronised */
  gint64 inherited_ns;             /* of waits that it made */
  guint32 thread, from_thread;
} Caused;

/* A wait that is paid for. */
typedef struct
{
  guint32 wait; /* number of it */
  gint64 ns;
} Paid;

/* A part of a wait: a delay on the other side, or a wait there. */
typedef struct
{
  gint64 ns;
  guint32 path;
  guint32 wait; /* number of it; NO_WAIT: a delay */
} Part;

#define NO_WAIT G_MAXUINT32

typedef struct
{
  TtStore *store;
  const TtCrew *crew; /* NULL: this process makes the timeline, too */
  TtWaitCauses *result;
  Caused *waits;        /* all, by (thread, begin), and then the chosen ones that are none of these */
  guint n;              /* all */
  guint32 *by_end;      /* numbers of all, the last to end first */
  GArray *paid;         /* of Paid: the chosen ones; NULL: all */
  TtMap64 number_of;    /* cause by (process, path) */
  GArray *parts;        /* of Part */
  TtPathTimes of_other; /* and what the waiting thread did of the same */
  guint32 other;        /* whose times since and until these of_other are */
  gint64 other_since_ns, other_until_ns;
} Finder;

static void
finder_clear (Finder *self)
{
  g_free (self->waits);
  g_free (self->by_end);
  g_clear_pointer (&self->paid, g_array_unref);
  tt_map64_clear (&self->number_of);
  g_clear_pointer (&self->parts, g_array_unref);
  tt_path_times_clear (&self->of_other);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Finder, finder_clear)

/* -- what is kept ------------------------------------------------------------------------------------------------ */

static Caused
keep (const TtWait *wait, const TtSyncs *syncs)
{
  gboolean is_of_threads =
      wait->kind == TT_WAIT_THREAD || wait->kind == TT_WAIT_LOCK || wait->kind == TT_WAIT_THREAD_BARRIER;
  Caused caused = {
    .begin_ns = wait->begin_ns,
    .end_ns = wait->end_ns,
    .from_ns = wait->from_ns,
    .thread = wait->thread,
    .from_thread = wait->from_thread,
  };

  if (!tt_syncs_find (syncs, wait->thread, wait->begin_ns, wait->from_thread, wait->from_ns, &caused.since_ns,
                      &caused.other_since_ns))
    caused.since_ns = caused.other_since_ns = is_of_threads ? SINCE_BOTH_BEGAN : G_MININT64;
  return caused;
}

/* The wait of @all that @chosen is a part of; NO_WAIT, where others cut it off there. */
static guint32
whole_of (const GArray *all, const TtWait *chosen)
{
  const TtWait *waits = TT_ARRAY (all, TtWait);
  guint low = 0, high = all->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (waits[middle].thread < chosen->thread ||
          (waits[middle].thread == chosen->thread && waits[middle].begin_ns <= chosen->begin_ns))
        low = middle + 1;
      else
        high = middle;
    }
  const TtWait *wait = low == 0 ? NULL : &waits[low - 1];

  return wait != NULL && wait->thread == chosen->thread && wait->end_ns >= chosen->end_ns &&
                 wait->event == chosen->event && wait->kind == chosen->kind && wait->from_event == chosen->from_event
             ? low - 1
             : NO_WAIT;
}

/* @more: gets those that are part of none. */
static GArray *
list_paid (const TtWaits *chosen, const TtWaits *all, const TtSyncs *syncs, GArray *more)
{
  GArray *list = g_array_sized_new (FALSE, FALSE, sizeof (Paid), chosen->waits->len);

  for (guint i = 0; i < chosen->waits->len; i++)
    {
      const TtWait *wait = &g_array_index (chosen->waits, TtWait, i);
      Paid paid = { whole_of (all->waits, wait), wait->end_ns - wait->begin_ns };

      if (paid.wait == NO_WAIT)
        {
          const Caused own = keep (wait, syncs);

          paid.wait = all->waits->len + more->len;
          g_array_append_val (more, own);
        }
      g_array_append_val (list, paid);
    }
  return list;
}

/* Of all, which stay. */
static void
copy_all (Finder *self, const TtWaits *all, const TtSyncs *syncs)
{
  self->n = all->waits->len;
  self->waits = g_new (Caused, (gsize) self->n + 1);
  for (guint i = 0; i < self->n; i++)
    self->waits[i] = keep (&g_array_index (all->waits, TtWait, i), syncs);
}

/* Of all, which go as they are kept: both are not there at once. */
static void
keep_all (Finder *self, TtWaits *all, const TtSyncs *syncs, const GArray *more)
{
  gsize n;
  TtWait *waits = (TtWait *) g_array_steal (all->waits, &n);

  self->n = (guint) n;
  self->waits = g_new (Caused, n + more->len + 1);
  for (guint i = self->n; i-- > 0;)
    {
      self->waits[i] = keep (&waits[i], syncs);
      if (i % RELEASE_EACH == 0)
        waits = g_renew (TtWait, waits, i + 1);
    }
  g_free (waits);
  if (more->len > 0)
    memcpy (&self->waits[n], more->data, more->len * sizeof (Caused));
}

static TtArrayKey
key_of_end (gconstpointer element)
{
  return (TtArrayKey){ ~tt_sort_key (((const Caused *) element)->end_ns), 0 };
}

/* Threads of a process that had not met yet were together when the later one began. */
static void
find_begins (Finder *self, guint n)
{
  const TtTimeline *timeline = self->result->timeline;

  for (guint i = 0; i < n; i++)
    {
      Caused *wait = &self->waits[i];

      if (wait->since_ns == SINCE_BOTH_BEGAN)
        wait->since_ns = wait->other_since_ns =
            MAX (tt_timeline_begin (timeline, wait->thread), tt_timeline_begin (timeline, wait->from_thread));
    }
}

/* -- parts of a wait ---------------------------------------------------------------------------------------------- */

static TtWaitCause *
cause_of (Finder *self, guint32 thread, guint32 path)
{
  const TtThread *of = tt_store_thread (self->store, thread);
  const TtWaitCause fresh = { .process = of == NULL ? TT_NO_ID : of->process, .path = path };
  guint64 key = (guint64) fresh.process << 32 | path;
  guint32 number = tt_map64_get (&self->number_of, key);
  GArray *causes = self->result->causes;

  if (number == TT_MAP64_NONE)
    {
      number = causes->len;
      tt_map64_set (&self->number_of, key, number);
      g_array_append_val (causes, fresh);
    }
  return &g_array_index (causes, TtWaitCause, number);
}

/* What the other computed beyond the waiting thread. */
static void
add_delays (Finder *self, const Caused *wait)
{
  const TtTimeline *timeline = self->result->timeline;

  /* Waits of one call have one cause. */
  if (self->other != wait->from_thread || self->other_since_ns != wait->other_since_ns ||
      self->other_until_ns != wait->from_ns)
    {
      tt_path_times_reset (&self->of_other);
      tt_timeline_add (timeline, wait->from_thread, wait->other_since_ns, wait->from_ns, &self->of_other);
      tt_path_times_sort (&self->of_other);
    }
  self->other = wait->from_thread;
  self->other_since_ns = wait->other_since_ns;
  self->other_until_ns = wait->from_ns;
  tt_path_times_reset_other (&self->of_other);
  tt_timeline_add_other (timeline, wait->thread, wait->since_ns, wait->begin_ns, &self->of_other);
  for (guint i = 0; i < self->of_other.times->len; i++)
    {
      const TtPathTime *time = &g_array_index (self->of_other.times, TtPathTime, i);
      const Part part = { time->ns - time->other_ns, time->path, NO_WAIT };

      if (part.ns > 0)
        g_array_append_val (self->parts, part);
    }
}

/* The first wait of @thread that begins at @ns or later. */
static guint
first_wait (const Finder *self, guint32 thread, gint64 ns)
{
  guint low = 0, high = self->n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const Caused *wait = &self->waits[middle];

      if (wait->thread < thread || (wait->thread == thread && wait->begin_ns < ns))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
find_parts (Finder *self, const Caused *wait)
{
  g_array_set_size (self->parts, 0);
  add_delays (self, wait);
  for (guint i = first_wait (self, wait->from_thread, wait->other_since_ns);
       i < self->n && self->waits[i].thread == wait->from_thread && self->waits[i].begin_ns < wait->from_ns; i++)
    {
      const Part part = { self->waits[i].end_ns - self->waits[i].begin_ns, TT_PATH_ROOT, i };

      if (self->waits[i].end_ns < wait->end_ns)
        g_array_append_val (self->parts, part);
    }
}

static void
add_cost (Finder *self, const Caused *wait, const Part *part, gint64 ns, gboolean is_direct)
{
  if (part != NULL && part->wait != NO_WAIT)
    {
      self->waits[part->wait].inherited_ns += ns;
      return;
    }
  TtWaitCause *cause = cause_of (self, wait->from_thread, part == NULL ? TT_PATH_ROOT : part->path);
  cause->n_waits += is_direct;
  *(is_direct ? &cause->direct_ns : &cause->propagated_ns) += ns;
}

/* Whole numbers in proportion to the parts, which sum to @ns. */
static void
share_out (Finder *self, const Caused *wait, gint64 ns, gboolean is_direct)
{
  const Part *parts = TT_ARRAY (self->parts, Part);
  tt_int128 total = 0, before = 0, given = 0;

  if (self->parts->len == 0)
    add_cost (self, wait, NULL, ns, is_direct);
  for (guint i = 0; i < self->parts->len; i++)
    total += parts[i].ns;
  for (guint i = 0; i < self->parts->len; i++)
    {
      before += parts[i].ns;
      gint64 share = (gint64) (ns * before / total - given);
      given += share;
      add_cost (self, wait, &parts[i], share, is_direct);
    }
}

static int
compare_causes (gconstpointer a, gconstpointer b)
{
  const TtWaitCause *x = a, *y = b;
  tt_int128 x_ns = x->direct_ns + x->propagated_ns, y_ns = y->direct_ns + y->propagated_ns;

  if (x_ns != y_ns)
    return x_ns < y_ns ? 1 : -1;
  return x->process != y->process ? TT_COMPARE (x->process, y->process) : TT_COMPARE (x->path, y->path);
}

void
tt_wait_causes_sort (TtWaitCauses *self)
{
  g_array_sort (self->causes, compare_causes);
}

/* What a wait inherits comes from those that end later. */
static void
find_causes (Finder *self)
{
  for (guint i = 0; self->paid != NULL && i < self->paid->len; i++)
    {
      const Paid *paid = &g_array_index (self->paid, Paid, i);

      find_parts (self, &self->waits[paid->wait]);
      share_out (self, &self->waits[paid->wait], paid->ns, TRUE);
    }
  for (guint i = 0; i < self->n; i++)
    {
      const Caused *wait = &self->waits[self->by_end[i]];

      if (self->paid != NULL && wait->inherited_ns == 0)
        continue;
      find_parts (self, wait);
      if (self->paid == NULL)
        share_out (self, wait, wait->end_ns - wait->begin_ns, TRUE);
      if (wait->inherited_ns > 0)
        share_out (self, wait, wait->inherited_ns, FALSE);
    }
  tt_wait_causes_sort (self->result);
}

/* -- all --------------------------------------------------------------------------------------------------------- */

TtWaitCauses *
tt_wait_causes_begin (TtStore *store, const TtWaits *chosen, gboolean is_all)
{
  TtWaitCauses *self = g_new0 (TtWaitCauses, 1);

  self->causes = g_array_new (FALSE, FALSE, sizeof (TtWaitCause));
  self->n_waits = chosen->waits->len;
  self->waits_ns = chosen->waits_ns;
  self->of_ranks = tt_waits_of_ranks (store, chosen);
  self->n_locks = chosen->counts.n_locks;
  self->is_all = is_all;
  return self;
}

/* Takes the result over. @n_waits: that are kept. */
static TtWaitCauses *
finish_causes (Finder *finder, TtWaitCauses *result, guint n_waits, GError **error)
{
  g_autoptr (TtWaitCauses) self = result;

  finder->by_end = tt_order_by_key (finder->waits, finder->n, sizeof (Caused), key_of_end);
  self->timeline = finder->crew != NULL ? tt_joint_timeline_take (finder->store, finder->crew, error)
                                        : tt_timeline_new (finder->store, error);
  if (self->timeline == NULL)
    return NULL;
  find_begins (finder, n_waits);
  finder->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  tt_path_times_init (&finder->of_other, tt_timeline_n_paths (self->timeline));
  find_causes (finder);
  return g_steal_pointer (&self);
}

TtWaitCauses *
tt_wait_causes_of_all (TtStore *store, TtAllWaits *all, GError **error)
{
  TtWaitCauses *self = tt_wait_causes_begin (store, all->waits, TRUE);
  g_auto (Finder) finder = { .store = store, .result = self, .other = TT_NO_ID };

  tt_syncs_finish (all->syncs);
  copy_all (&finder, all->waits, all->syncs);
  g_clear_pointer (&all->syncs, tt_syncs_free);
  return finish_causes (&finder, self, finder.n, error);
}

/* Takes @chosen, @all and @syncs over. @chosen: NULL: all. */
static TtWaitCauses *
causes_of (TtStore *store, TtWaits *chosen, TtWaits *all, TtSyncs *syncs, const TtCrew *crew, GError **error)
{
  TtWaitCauses *self = tt_wait_causes_begin (store, chosen == NULL ? all : chosen, chosen == NULL);
  g_autoptr (GArray) more = g_array_new (FALSE, FALSE, sizeof (Caused));
  g_auto (Finder) finder = { .store = store, .crew = crew, .result = self, .other = TT_NO_ID };

  tt_syncs_finish (syncs);
  if (chosen != NULL)
    finder.paid = list_paid (chosen, all, syncs, more);
  g_clear_pointer (&chosen, tt_waits_free);
  keep_all (&finder, all, syncs, more);
  tt_waits_free (all);
  tt_syncs_free (syncs);
  return finish_causes (&finder, self, finder.n + more->len, error);
}

static TtWaitCauses *
find_by (TtStore *store, const TtSelection *selection, const TtCrew *crew, GError **error)
{
  g_autoptr (TtSyncs) syncs = tt_syncs_new ();
  g_autoptr (TtWaits) chosen = NULL;

  if (!tt_selection_is_everything (selection) && (chosen = tt_waits_new (store, selection, error)) == NULL)
    return NULL;
  /* Causes may lie in waits that are not chosen. */
  TtWaits *all = tt_waits_find (store, NULL, syncs, NULL, error);
  return all == NULL ? NULL : causes_of (store, g_steal_pointer (&chosen), all, g_steal_pointer (&syncs), crew, error);
}

TtWaitCauses *
tt_wait_causes_new (TtStore *store, const TtSelection *selection, GError **error)
{
  return find_by (store, selection, NULL, error);
}

TtWaitCauses *
tt_joint_wait_causes_new (TtStore *store, const TtSelection *selection, const TtCrew *crew, GError **error)
{
  GError *own = NULL;

  if (crew->rank > 0)
    {
      tt_joint_timeline_give (store, crew, error);
      return NULL;
    }
  crew->call (crew->id);
  g_autoptr (TtWaitCauses) self = find_by (store, selection, crew, &own);
  return tt_crew_end (crew, self != NULL, own, error) ? g_steal_pointer (&self) : NULL;
}

void
tt_wait_causes_free (TtWaitCauses *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->timeline, tt_timeline_free);
  g_clear_pointer (&self->causes, g_array_unref);
  g_free (self);
}
