/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/breakdown/ideal-network-private.h"

#include <string.h>

#include "analyzers/imbalance/calls.h"
#include "analyzers/process-order.h"
#include "analyzers/waits/waits.h"
#include "src/base/array-sort.h"
#include "src/base/array.h"
#include "src/base/sorter.h"

/* -- who needs whom ------------------------------------------------------------------------------------------ */

static guint32
add_gathering (TtIdealNetwork *self, guint32 n)
{
  g_array_append_val (self->n_missing, n);
  return self->n_missing->len - 1;
}

static void
add_point (TtIdealNetwork *self, HeardOf of, guint32 thread, gint64 at_ns, guint32 gathering, PointKind kind)
{
  const Heard heard = { at_ns, gathering, thread << KIND_BITS | kind };

  g_array_append_val (self->heard[of], heard);
}

/* @thread goes on at @at_ns because of what @from_thread did at @from_ns. */
static void
add_need (TtIdealNetwork *self, HeardOf of, guint32 from_thread, gint64 from_ns, guint32 thread, gint64 at_ns)
{
  if (from_thread > self->max_thread || thread > self->max_thread || from_thread == thread || from_ns > at_ns ||
      from_ns < self->begin_ns || at_ns > self->end_ns)
    return;
  guint32 gathering = add_gathering (self, 1);
  add_point (self, of, from_thread, from_ns, gathering, ENTER);
  add_point (self, of, thread, at_ns, gathering, LEAVE);
}

static gboolean
on_message (const TtMessage *message, gpointer data)
{
  if (message->send_ns != TT_NO_TIME && message->recv_ns != TT_NO_TIME)
    add_need (data, OF_MESSAGES, message->src_thread, message->send_ns, message->dst_thread, message->recv_ns);
  return TRUE;
}

static void
add_leave (TtIdealNetwork *self, const TtArrival *rank, gint64 since_ns, guint32 gathering)
{
  if (rank->end_ns >= since_ns)
    add_point (self, OF_CALLS, rank->thread, rank->end_ns, gathering,
               rank->end_ns > rank->begin_ns ? LEAVE : LEAVE_AT_ONCE);
}

static gboolean
is_inside (const TtIdealNetwork *self, const TtCall *call)
{
  for (guint i = 0; i < call->n; i++)
    if (call->ranks[i].thread > self->max_thread || call->ranks[i].begin_ns < self->begin_ns ||
        call->ranks[i].end_ns > self->end_ns)
      return FALSE;
  return TRUE;
}

static gboolean
on_call (const TtCall *call, gpointer data)
{
  TtIdealNetwork *self = data;
  gboolean has_root = call->root < call->n;

  if (call->shape == TT_COLLECTIVE_OTHER || !is_inside (self, call))
    return TRUE;
  if (call->shape == TT_COLLECTIVE_FROM)
    {
      if (!has_root)
        return TRUE;
      guint32 gathering = add_gathering (self, 1);
      add_point (self, OF_CALLS, call->ranks[call->root].thread, call->ranks[call->root].begin_ns, gathering, ENTER);
      for (guint i = 0; i < call->n; i++)
        if (i != call->root)
          add_leave (self, &call->ranks[i], call->ranks[call->root].begin_ns, gathering);
      return TRUE;
    }
  if (call->shape == TT_COLLECTIVE_TO && !has_root)
    return TRUE;
  guint32 gathering = add_gathering (self, call->n);
  for (guint i = 0; i < call->n; i++)
    add_point (self, OF_CALLS, call->ranks[i].thread, call->ranks[i].begin_ns, gathering, ENTER);
  for (guint i = 0; i < call->n; i++)
    if (call->shape != TT_COLLECTIVE_TO || i == call->root)
      add_leave (self, &call->ranks[i], call->last_ns, gathering);
  return TRUE;
}

/* Those of one gathering were added one after the other. */
static TtArrayKey
key_of_point (gconstpointer element)
{
  const Point *point = element;

  return (TtArrayKey){ tt_sort_key (point->at_ns), point->kind };
}

static void
sort_points (TtIdealNetwork *self)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (Point));

  for (guint32 thread = 0; thread <= self->max_thread; thread++)
    {
      const Actor *actor = &self->actors[thread];

      g_array_set_size (points, 0);
      g_array_append_vals (points, self->points + actor->next, actor->end - actor->next);
      tt_array_sort_by_key (points, key_of_point, NULL);
      if (points->len > 0)
        memcpy (self->points + actor->next, points->data, points->len * sizeof (Point));
    }
}

/* Of each thread by itself: sorting all would take twice their room. */
static void
index_points (TtIdealNetwork *self)
{
  guint end = 0;

  for (guint of = 0; of < N_HEARD; of++)
    for (guint i = 0; i < self->heard[of]->len; i++)
      self->actors[g_array_index (self->heard[of], Heard, i).thread_kind >> KIND_BITS].end++;
  for (guint32 thread = 0; thread <= self->max_thread; thread++)
    {
      Actor *actor = &self->actors[thread];

      actor->next = end;
      end += actor->end;
      actor->end = actor->next;
    }
  self->n_points = end;
  self->points = g_new (Point, (gsize) end + 1);
  for (guint of = 0; of < N_HEARD; of++)
    {
      const Heard *heard = TT_ARRAY (self->heard[of], Heard);

      for (guint i = 0; i < self->heard[of]->len; i++)
        self->points[self->actors[heard[i].thread_kind >> KIND_BITS].end++] =
            (Point){ heard[i].at_ns, heard[i].gathering, heard[i].thread_kind & ((1u << KIND_BITS) - 1) };
      g_clear_pointer (&self->heard[of], g_array_unref);
    }
  for (guint32 thread = 0; thread <= self->max_thread; thread++)
    self->actors[thread].unmeasured = self->actors[thread].end;
  sort_points (self);
  self->work_ns = g_new0 (gint64, (gsize) end + 1);
}

/* A wait that is cut short says nothing of what ended it. */
void
tt_ideal_network_add_waits (TtIdealNetwork *self, const GArray *waits)
{
  const TtWait *all = TT_ARRAY (waits, TtWait);

  for (guint i = 0; i < waits->len; i++)
    {
      const guint n_gatherings = self->n_missing->len;

      if (all[i].end_ns == all[i].from_ns &&
          tt_rank_of_thread (self->store, all[i].thread) != tt_rank_of_thread (self->store, all[i].from_thread))
        add_need (self, OF_WAITS, all[i].from_thread, all[i].from_ns, all[i].thread, all[i].end_ns);
      if (self->n_missing->len > n_gatherings)
        g_array_append_val (self->waiters, all[i].thread);
    }
}

void
tt_ideal_network_begin (TtIdealNetwork *self)
{
  index_points (self);
}

TtWaitHearer
tt_ideal_network_hearer (TtIdealNetwork *self)
{
  return (TtWaitHearer){ on_message, on_call, self };
}

TtIdealNetwork *
tt_ideal_network_new (TtStore *store, gint64 begin_ns, gint64 end_ns)
{
  TtIdealNetwork *self = g_new0 (TtIdealNetwork, 1);

  self->store = store;
  self->begin_ns = begin_ns;
  self->end_ns = end_ns;
  self->max_thread = MIN (tt_store_max_thread (store), MAX_THREAD);
  for (guint of = 0; of < N_HEARD; of++)
    self->heard[of] = g_array_new (FALSE, FALSE, sizeof (Heard));
  self->n_missing = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->waiters = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->runnable = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->actors = g_new0 (Actor, (gsize) self->max_thread + 1);
  return self;
}

void
tt_ideal_network_free (TtIdealNetwork *self)
{
  if (self == NULL)
    return;
  for (guint of = 0; of < N_HEARD; of++)
    g_clear_pointer (&self->heard[of], g_array_unref);
  g_clear_pointer (&self->n_missing, g_array_unref);
  g_array_unref (self->waiters);
  g_array_unref (self->runnable);
  g_free (self->points);
  g_free (self->work_ns);
  g_free (self->gatherings);
  g_free (self->actors);
  g_free (self);
}

void
tt_ideal_network_work (TtIdealNetwork *self, guint32 thread, gint64 begin_ns, gint64 end_ns)
{
  g_return_if_fail (thread <= self->max_thread);

  Actor *actor = &self->actors[thread];
  const Point *points = self->points;

  for (; actor->unmeasured > actor->next && points[actor->unmeasured - 1].at_ns > begin_ns; actor->unmeasured--)
    self->work_ns[actor->unmeasured - 1] = actor->work_ns + MAX (end_ns - points[actor->unmeasured - 1].at_ns, 0);
  actor->work_ns += end_ns - begin_ns;
}

/* -- replay ---------------------------------------------------------------------------------------------------- */

static void
wake (TtIdealNetwork *self, Gathering *gathering)
{
  while (gathering->sleeper != 0)
    {
      guint32 thread = gathering->sleeper - 1;
      Actor *actor = &self->actors[thread];

      gathering->sleeper = actor->sleeper;
      actor->sleeper = 0;
      actor->is_asleep = FALSE;
      g_array_append_val (self->runnable, thread);
    }
}

static void
go_on (const TtIdealNetwork *self, Actor *actor, gint64 not_before_ns)
{
  gint64 work_ns = self->work_ns[actor->next];

  actor->ideal_ns = MAX (actor->ideal_ns + (actor->work_ns - work_ns), not_before_ns);
  actor->work_ns = work_ns;
  actor->next++;
}

/* Goes on until it needs what has not come. */
static void
run_thread (TtIdealNetwork *self, guint32 thread)
{
  Actor *actor = &self->actors[thread];
  const Point *points = self->points;

  while (actor->next < actor->end)
    {
      const Point *point = &points[actor->next];
      Gathering *gathering = &self->gatherings[point->gathering];

      if (point->kind == ENTER)
        {
          go_on (self, actor, 0);
          gathering->ideal_ns = MAX (gathering->ideal_ns, actor->ideal_ns);
          if (--gathering->n_missing == 0)
            wake (self, gathering);
          continue;
        }
      if (gathering->n_missing > 0)
        {
          actor->sleeper = gathering->sleeper;
          gathering->sleeper = thread + 1;
          actor->is_asleep = TRUE;
          return;
        }
      go_on (self, actor, gathering->ideal_ns);
    }
}

/* Threads wait for each other in a circle, which only moments that are the same can make: one goes on. */
static gboolean
break_circle (TtIdealNetwork *self)
{
  const Point *points = self->points;
  guint32 first = TT_NO_ID;

  for (guint32 thread = 0; thread <= self->max_thread; thread++)
    if (self->actors[thread].is_asleep &&
        (first == TT_NO_ID || points[self->actors[thread].next].at_ns < points[self->actors[first].next].at_ns))
      first = thread;
  if (first == TT_NO_ID)
    return FALSE;

  Actor *actor = &self->actors[first];
  guint32 *link = &self->gatherings[points[actor->next].gathering].sleeper;
  while (*link != first + 1)
    link = &self->actors[*link - 1].sleeper;
  *link = actor->sleeper;
  actor->sleeper = 0;
  actor->is_asleep = FALSE;
  go_on (self, actor, 0);
  g_array_append_val (self->runnable, first);
  return TRUE;
}

static void
begin_gatherings (TtIdealNetwork *self)
{
  const guint32 *n_missing = TT_ARRAY (self->n_missing, guint32);

  self->gatherings = g_new (Gathering, (gsize) self->n_missing->len + 1);
  for (guint i = 0; i < self->n_missing->len; i++)
    self->gatherings[i] = (Gathering){ 0, n_missing[i], 0 };
  g_clear_pointer (&self->n_missing, g_array_unref);
}

void
tt_ideal_network_measure_rest (TtIdealNetwork *self)
{
  for (guint32 thread = 0; thread <= self->max_thread; thread++)
    {
      Actor *actor = &self->actors[thread];

      for (; actor->unmeasured > actor->next; actor->unmeasured--)
        self->work_ns[actor->unmeasured - 1] = actor->work_ns;
    }
}

static void
begin_threads (TtIdealNetwork *self)
{
  tt_ideal_network_measure_rest (self);
  for (guint32 thread = 0; thread <= self->max_thread; thread++)
    g_array_append_val (self->runnable, thread);
}

gint64
tt_ideal_network_replay (TtIdealNetwork *self, const guint8 *counts)
{
  gint64 length_ns = 0;

  begin_gatherings (self);
  begin_threads (self);
  do
    while (self->runnable->len > 0)
      {
        guint32 thread = g_array_index (self->runnable, guint32, self->runnable->len - 1);

        g_array_set_size (self->runnable, self->runnable->len - 1);
        run_thread (self, thread);
      }
  while (break_circle (self));
  for (guint32 thread = 0; thread <= self->max_thread; thread++)
    if (counts[thread])
      length_ns = MAX (length_ns, self->actors[thread].ideal_ns + self->actors[thread].work_ns);
  return length_ns;
}
