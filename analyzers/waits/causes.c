/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/causes.h"

#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/map64.h"

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
  TtWaitCauses *result;
  TtSyncs *syncs;
  const TtWait *waits; /* all, by (thread, begin) */
  guint n;
  gint64 *inherited_ns;   /* by wait */
  TtMap64 number_of;      /* cause by (process, path) */
  GArray *parts;          /* of Part */
  GArray *own, *of_other; /* of TtPathTime */
  guint32 other;          /* whose times since and until these of_other are */
  gint64 other_since_ns, other_until_ns;
} Finder;

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

/* What @other computed beyond the waiting thread. */
static void
add_delays (Finder *self)
{
  guint k = 0;

  for (guint i = 0; i < self->of_other->len; i++)
    {
      const TtPathTime *time = &g_array_index (self->of_other, TtPathTime, i);
      gint64 ns = time->ns;

      while (k < self->own->len && g_array_index (self->own, TtPathTime, k).path < time->path)
        k++;
      if (k < self->own->len && g_array_index (self->own, TtPathTime, k).path == time->path)
        ns -= g_array_index (self->own, TtPathTime, k).ns;
      const Part part = { ns, time->path, NO_WAIT };
      if (ns > 0)
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
      const TtWait *wait = &self->waits[middle];

      if (wait->thread < thread || (wait->thread == thread && wait->begin_ns < ns))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Threads of a process that had not met yet were together when the later one began. */
static gint64
begin_of_both (const Finder *self, const TtWait *wait)
{
  const TtTimeline *timeline = self->result->timeline;

  return wait->kind == TT_WAIT_THREAD || wait->kind == TT_WAIT_LOCK || wait->kind == TT_WAIT_THREAD_BARRIER
             ? MAX (tt_timeline_begin (timeline, wait->thread), tt_timeline_begin (timeline, wait->from_thread))
             : G_MININT64;
}

static void
find_parts (Finder *self, const TtWait *wait)
{
  gint64 since_ns, other_since_ns;

  if (!tt_syncs_find (self->syncs, wait->thread, wait->begin_ns, wait->from_thread, wait->from_ns, &since_ns,
                      &other_since_ns))
    since_ns = other_since_ns = begin_of_both (self, wait);
  tt_timeline_between (self->result->timeline, wait->thread, since_ns, wait->begin_ns, self->own);
  /* Waits of one call have one cause. */
  if (self->other != wait->from_thread || self->other_since_ns != other_since_ns ||
      self->other_until_ns != wait->from_ns)
    tt_timeline_between (self->result->timeline, wait->from_thread, other_since_ns, wait->from_ns, self->of_other);
  self->other = wait->from_thread;
  self->other_since_ns = other_since_ns;
  self->other_until_ns = wait->from_ns;
  g_array_set_size (self->parts, 0);
  add_delays (self);
  for (guint i = first_wait (self, wait->from_thread, other_since_ns);
       i < self->n && self->waits[i].thread == wait->from_thread && self->waits[i].begin_ns < wait->from_ns; i++)
    {
      const Part part = { self->waits[i].end_ns - self->waits[i].begin_ns, TT_PATH_ROOT, i };

      if (self->waits[i].end_ns < wait->end_ns)
        g_array_append_val (self->parts, part);
    }
}

static void
add_cost (Finder *self, const TtWait *wait, const Part *part, gint64 ns, gboolean is_direct)
{
  if (part != NULL && part->wait != NO_WAIT)
    {
      self->inherited_ns[part->wait] += ns;
      return;
    }
  TtWaitCause *cause = cause_of (self, wait->from_thread, part == NULL ? TT_PATH_ROOT : part->path);
  cause->n_waits += is_direct;
  *(is_direct ? &cause->direct_ns : &cause->propagated_ns) += ns;
}

/* Whole numbers in proportion to the parts, which sum to @ns. */
static void
share_out (Finder *self, const TtWait *wait, gint64 ns, gboolean is_direct)
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

/* The last to end first: what a wait inherits comes from later ones. */
static int
compare_ends (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtWait *waits = data;
  guint32 i = *(const guint32 *) a, k = *(const guint32 *) b;
  int order = -TT_COMPARE (waits[i].end_ns, waits[k].end_ns);

  return order != 0 ? order : TT_COMPARE (i, k);
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

/* The wait that @chosen is a part of; itself, where others cut it off there. */
static const TtWait *
whole_of (const Finder *self, const TtWait *chosen)
{
  guint next = first_wait (self, chosen->thread, chosen->begin_ns == G_MAXINT64 ? G_MAXINT64 : chosen->begin_ns + 1);
  const TtWait *wait = next == 0 ? NULL : &self->waits[next - 1];

  return wait != NULL && wait->thread == chosen->thread && wait->end_ns >= chosen->end_ns &&
                 wait->event == chosen->event && wait->kind == chosen->kind && wait->from_event == chosen->from_event
             ? wait
             : chosen;
}

static void
find_causes (Finder *self)
{
  const GArray *chosen = self->result->waits->waits;
  g_autofree guint32 *order = g_new (guint32, (gsize) self->n + 1);

  for (guint i = 0; i < chosen->len; i++)
    {
      const TtWait *wait = &g_array_index (chosen, TtWait, i);

      find_parts (self, whole_of (self, wait));
      share_out (self, wait, wait->end_ns - wait->begin_ns, TRUE);
    }
  for (guint32 i = 0; i < self->n; i++)
    order[i] = i;
  g_qsort_with_data (order, (gint) self->n, sizeof *order, compare_ends, (gpointer) self->waits);
  for (guint i = 0; i < self->n; i++)
    if (self->inherited_ns[order[i]] > 0)
      {
        find_parts (self, &self->waits[order[i]]);
        share_out (self, &self->waits[order[i]], self->inherited_ns[order[i]], FALSE);
      }
  g_array_sort (self->result->causes, compare_causes);
}

/* All waits, in which those that are chosen may have causes, and when threads synchronised. */
static const TtWaits *
find_waits (TtWaitCauses *self, TtStore *store, const TtSelection *selection, TtSyncs *syncs, GError **error)
{
  TtWaits **all = tt_selection_is_everything (selection) ? &self->waits : &self->others;

  *all = tt_waits_find (store, NULL, syncs, NULL, error);
  if (*all != NULL && self->waits == NULL)
    self->waits = tt_waits_new (store, selection, error);
  return self->waits == NULL ? NULL : *all;
}

TtWaitCauses *
tt_wait_causes_new (TtStore *store, const TtSelection *selection, GError **error)
{
  g_autoptr (TtWaitCauses) self = g_new0 (TtWaitCauses, 1);
  g_autoptr (TtSyncs) syncs = tt_syncs_new ();

  self->causes = g_array_new (FALSE, FALSE, sizeof (TtWaitCause));
  const TtWaits *all = find_waits (self, store, selection, syncs, error);
  self->timeline = all == NULL ? NULL : tt_timeline_new (store, error);
  if (self->timeline == NULL)
    return NULL;
  tt_syncs_finish (syncs);
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (Part));
  g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (TtPathTime));
  g_autoptr (GArray) of_other = g_array_new (FALSE, FALSE, sizeof (TtPathTime));
  g_autofree gint64 *inherited_ns = g_new0 (gint64, (gsize) all->waits->len + 1);
  Finder finder = {
    .store = store,
    .result = self,
    .syncs = syncs,
    .waits = TT_ARRAY (all->waits, TtWait),
    .n = all->waits->len,
    .inherited_ns = inherited_ns,
    .parts = parts,
    .own = own,
    .of_other = of_other,
    .other = TT_NO_ID,
  };
  find_causes (&finder);
  tt_map64_clear (&finder.number_of);
  return g_steal_pointer (&self);
}

void
tt_wait_causes_free (TtWaitCauses *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->waits, tt_waits_free);
  g_clear_pointer (&self->others, tt_waits_free);
  g_clear_pointer (&self->timeline, tt_timeline_free);
  g_clear_pointer (&self->causes, g_array_unref);
  g_free (self);
}
