/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/breakdown/ideal-network.h"

#include "analyzers/imbalance/calls.h"
#include "analyzers/process-order.h"
#include "analyzers/waits/waits.h"
#include "src/base/array.h"
#include "src/base/array-sort.h"
#include "src/base/sorter.h"

/* What threads do at one moment of a thread: give something to a gathering, or go on when it is complete. At one moment
 * what ends comes before what begins, but for that which has no length. */
typedef enum
{
  LEAVE,
  ENTER,
  LEAVE_AT_ONCE,
} PointKind;

typedef struct
{
  gint64 at_ns;
  gint64 work_ns; /* of the thread after it */
  guint32 thread, gathering, kind;
} Point;

/* Complete when as many have entered as there are to enter. */
typedef struct
{
  gint64 ideal_ns; /* of the last so far */
  guint32 n_missing;
  guint32 sleeper; /* thread + 1 that waits for it; 0: none */
} Gathering;

typedef struct
{
  guint next, end;  /* points that are not done */
  guint unmeasured; /* end of the points whose work_ns is not known */
  gint64 work_ns;   /* after the last point that is done, or so far */
  gint64 ideal_ns;  /* of that point */
  guint32 sleeper;  /* next that waits for the same; thread + 1 */
  gboolean is_asleep;
} Actor;

struct _TtIdealNetwork
{
  TtStore *store;
  gint64 begin_ns, end_ns;
  GArray *points, *gatherings;
  Actor *actors; /* by thread */
  guint32 max_thread;
  GArray *runnable; /* of guint32: threads */
};

/* -- who needs whom ------------------------------------------------------------------------------------------ */

static guint32
add_gathering (TtIdealNetwork *self, guint32 n)
{
  const Gathering gathering = { 0, n, 0 };

  g_array_append_val (self->gatherings, gathering);
  return self->gatherings->len - 1;
}

static void
add_point (TtIdealNetwork *self, guint32 thread, gint64 at_ns, guint32 gathering, PointKind kind)
{
  const Point point = { at_ns, 0, thread, gathering, kind };

  g_array_append_val (self->points, point);
}

/* @thread goes on at @at_ns because of what @from_thread did at @from_ns. */
static void
add_need (TtIdealNetwork *self, guint32 from_thread, gint64 from_ns, guint32 thread, gint64 at_ns)
{
  if (from_thread > self->max_thread || thread > self->max_thread || from_thread == thread || from_ns > at_ns ||
      from_ns < self->begin_ns || at_ns > self->end_ns)
    return;
  guint32 gathering = add_gathering (self, 1);
  add_point (self, from_thread, from_ns, gathering, ENTER);
  add_point (self, thread, at_ns, gathering, LEAVE);
}

static gboolean
on_message (const TtMessage *message, gpointer data)
{
  if (message->send_ns != TT_NO_TIME && message->recv_ns != TT_NO_TIME)
    add_need (data, message->src_thread, message->send_ns, message->dst_thread, message->recv_ns);
  return TRUE;
}

static void
add_leave (TtIdealNetwork *self, const TtArrival *rank, gint64 since_ns, guint32 gathering)
{
  if (rank->end_ns >= since_ns)
    add_point (self, rank->thread, rank->end_ns, gathering, rank->end_ns > rank->begin_ns ? LEAVE : LEAVE_AT_ONCE);
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
      add_point (self, call->ranks[call->root].thread, call->ranks[call->root].begin_ns, gathering, ENTER);
      for (guint i = 0; i < call->n; i++)
        if (i != call->root)
          add_leave (self, &call->ranks[i], call->ranks[call->root].begin_ns, gathering);
      return TRUE;
    }
  if (call->shape == TT_COLLECTIVE_TO && !has_root)
    return TRUE;
  guint32 gathering = add_gathering (self, call->n);
  for (guint i = 0; i < call->n; i++)
    add_point (self, call->ranks[i].thread, call->ranks[i].begin_ns, gathering, ENTER);
  for (guint i = 0; i < call->n; i++)
    if (call->shape != TT_COLLECTIVE_TO || i == call->root)
      add_leave (self, &call->ranks[i], call->last_ns, gathering);
  return TRUE;
}

/* Thread, time, kind; those of one gathering were added one after the other. */
static TtArrayKey
key_of_point (gconstpointer element)
{
  const Point *point = element;
  guint64 at = tt_sort_key (point->at_ns);

  return (TtArrayKey){ (guint64) point->thread << 32 | at >> 32, at << 32 | point->kind };
}

static void
index_points (TtIdealNetwork *self)
{
  const Point *points;

  tt_array_sort_by_key (self->points, key_of_point, NULL);
  points = TT_ARRAY (self->points, Point);
  for (guint i = 0; i < self->points->len; i++)
    {
      Actor *actor = &self->actors[points[i].thread];

      if (actor->end == 0)
        actor->next = i;
      actor->end = actor->unmeasured = i + 1;
    }
}

/* A wait that is cut short says nothing of what ended it. */
void
tt_ideal_network_add_waits (TtIdealNetwork *self, const GArray *waits)
{
  const TtWait *all = TT_ARRAY (waits, TtWait);

  for (guint i = 0; i < waits->len; i++)
    if (all[i].end_ns == all[i].from_ns &&
        tt_rank_of_thread (self->store, all[i].thread) != tt_rank_of_thread (self->store, all[i].from_thread))
      add_need (self, all[i].from_thread, all[i].from_ns, all[i].thread, all[i].end_ns);
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
  self->max_thread = tt_store_max_thread (store);
  self->points = g_array_new (FALSE, FALSE, sizeof (Point));
  self->gatherings = g_array_new (FALSE, FALSE, sizeof (Gathering));
  self->runnable = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->actors = g_new0 (Actor, (gsize) self->max_thread + 1);
  return self;
}

void
tt_ideal_network_free (TtIdealNetwork *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->points);
  g_array_unref (self->gatherings);
  g_array_unref (self->runnable);
  g_free (self->actors);
  g_free (self);
}

void
tt_ideal_network_work (TtIdealNetwork *self, guint32 thread, gint64 begin_ns, gint64 end_ns)
{
  Actor *actor = &self->actors[thread];
  Point *points = TT_ARRAY (self->points, Point);

  for (; actor->unmeasured > actor->next && points[actor->unmeasured - 1].at_ns > begin_ns; actor->unmeasured--)
    points[actor->unmeasured - 1].work_ns = actor->work_ns + MAX (end_ns - points[actor->unmeasured - 1].at_ns, 0);
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
go_to (Actor *actor, const Point *point, gint64 not_before_ns)
{
  actor->ideal_ns = MAX (actor->ideal_ns + (actor->work_ns - point->work_ns), not_before_ns);
  actor->work_ns = point->work_ns;
  actor->next++;
}

/* Goes on until it needs what has not come. */
static void
run_thread (TtIdealNetwork *self, guint32 thread)
{
  Actor *actor = &self->actors[thread];
  const Point *points = TT_ARRAY (self->points, Point);

  while (actor->next < actor->end)
    {
      const Point *point = &points[actor->next];
      Gathering *gathering = &g_array_index (self->gatherings, Gathering, point->gathering);

      if (point->kind == ENTER)
        {
          go_to (actor, point, 0);
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
      go_to (actor, point, gathering->ideal_ns);
    }
}

/* Threads wait for each other in a circle, which only moments that are the same can make: one goes on. */
static gboolean
break_circle (TtIdealNetwork *self)
{
  const Point *points = TT_ARRAY (self->points, Point);
  guint32 first = TT_NO_ID;

  for (guint32 thread = 0; thread <= self->max_thread; thread++)
    if (self->actors[thread].is_asleep &&
        (first == TT_NO_ID || points[self->actors[thread].next].at_ns < points[self->actors[first].next].at_ns))
      first = thread;
  if (first == TT_NO_ID)
    return FALSE;

  Actor *actor = &self->actors[first];
  const Point *point = &points[actor->next];
  guint32 *link = &g_array_index (self->gatherings, Gathering, point->gathering).sleeper;
  while (*link != first + 1)
    link = &self->actors[*link - 1].sleeper;
  *link = actor->sleeper;
  actor->sleeper = 0;
  actor->is_asleep = FALSE;
  go_to (actor, point, 0);
  g_array_append_val (self->runnable, first);
  return TRUE;
}

/* The rest of the work. */
static void
begin_threads (TtIdealNetwork *self)
{
  Point *points = TT_ARRAY (self->points, Point);

  for (guint32 thread = 0; thread <= self->max_thread; thread++)
    {
      Actor *actor = &self->actors[thread];

      for (; actor->unmeasured > actor->next; actor->unmeasured--)
        points[actor->unmeasured - 1].work_ns = actor->work_ns;
      g_array_append_val (self->runnable, thread);
    }
}

gint64
tt_ideal_network_replay (TtIdealNetwork *self, const guint8 *counts)
{
  gint64 length_ns = 0;

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
