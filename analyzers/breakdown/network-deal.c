/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/breakdown/ideal-network-private.h"

#include "src/base/array-sort.h"
#include "src/base/array.h"

typedef struct
{
  gint64 at_ns;
  guint32 gathering, thread_kind;
  guint32 waiter; /* of a wait: the thread */
  guint32 unused;
} DealtPoint;

guint
tt_ideal_network_n_gatherings (const TtIdealNetwork *self)
{
  return self->n_missing->len;
}

static guint32
waiter_of (const TtIdealNetwork *self, guint32 gathering)
{
  return g_array_index (self->waiters, guint32, gathering - (self->n_missing->len - self->waiters->len));
}

static void
deal_heard (TtIdealNetwork *self, HeardOf of, guint base, const TtWaitDeal *deal, GByteArray **bytes)
{
  const Heard *heard = TT_ARRAY (self->heard[of], Heard);
  GArray *own = g_array_new (FALSE, FALSE, sizeof (DealtPoint));
  g_auto (TtDealt) dealt = { NULL };

  tt_dealt_init (&dealt, deal->crew->n, sizeof (DealtPoint));
  for (guint i = 0; i < self->heard[of]->len; i++)
    {
      const DealtPoint point = {
        .at_ns = heard[i].at_ns,
        .gathering = heard[i].gathering + base,
        .thread_kind = heard[i].thread_kind,
        .waiter = of == OF_WAITS ? waiter_of (self, heard[i].gathering) : 0,
      };
      const guint rank = tt_wait_deal_of_thread (deal, point.thread_kind >> KIND_BITS);
      g_array_append_vals (rank == deal->crew->rank ? own : dealt.of[rank], &point, 1);
    }
  tt_dealt_give (&dealt, deal->crew->rank, bytes, own);
  g_array_unref (self->heard[of]);
  self->heard[of] = own;
}

void
tt_ideal_network_deal (TtIdealNetwork *self, guint base, const TtWaitDeal *deal, GByteArray **bytes)
{
  for (guint of = 0; of < N_HEARD; of++)
    deal_heard (self, (HeardOf) of, base, deal, bytes);
}

static TtArrayKey
key_of_waiter (gconstpointer element)
{
  return (TtArrayKey){ ((const DealtPoint *) element)->waiter, 0 };
}

static gboolean
append_heard (TtIdealNetwork *self, const GArray *points, GArray *heard)
{
  for (guint i = 0; i < points->len; i++)
    {
      const DealtPoint *point = &g_array_index (points, DealtPoint, i);
      const Heard one = { point->at_ns, point->gathering, point->thread_kind };

      if (point->thread_kind >> KIND_BITS > self->max_thread)
        return FALSE;
      g_array_append_val (heard, one);
    }
  return TRUE;
}

/* As one process has heard of them: rows in their order, waits by thread. */
static gboolean
take_heard (TtIdealNetwork *self, HeardOf of, const TtWaitDeal *deal, TtUnpack *from)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (DealtPoint));
  g_autoptr (GArray) own = self->heard[of];
  GArray *heard = self->heard[of] = g_array_new (FALSE, FALSE, sizeof (Heard));

  for (guint rank = 0; rank < deal->crew->n; rank++)
    {
      const gboolean is_own = rank == deal->crew->rank;

      if (!is_own && !tt_dealt_take (&from[rank], points))
        return FALSE;
      if (is_own && of == OF_WAITS && own->len > 0)
        g_array_append_vals (points, own->data, own->len);
      if (of == OF_WAITS)
        continue;
      if (!append_heard (self, is_own ? own : points, heard))
        return FALSE;
      g_array_set_size (points, 0);
    }
  tt_array_sort_by_key (points, key_of_waiter, NULL);
  return append_heard (self, points, heard);
}

gboolean
tt_ideal_network_take_dealt (TtIdealNetwork *self, const TtWaitDeal *deal, GByteArray **bytes)
{
  g_autofree TtUnpack *from = g_new (TtUnpack, deal->crew->n);
  gboolean is_ok = TRUE;

  for (guint rank = 0; rank < deal->crew->n; rank++)
    from[rank] = tt_unpack_all (bytes[rank]);
  for (guint of = 0; of < N_HEARD && is_ok; of++)
    is_ok = take_heard (self, (HeardOf) of, deal, from);
  for (guint rank = 0; rank < deal->crew->n; rank++)
    g_byte_array_set_size (bytes[rank], 0);
  return is_ok;
}

/* -- for the replay -------------------------------------------------------------------------------------------------- */

typedef struct
{
  gint64 work_ns;
  guint32 thread, n; /* points */
} OneThread;

void
tt_ideal_network_pack (TtIdealNetwork *self, GByteArray *bytes)
{
  g_autoptr (GArray) threads = g_array_new (FALSE, FALSE, sizeof (OneThread));
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (Point));
  g_autoptr (GArray) work = g_array_new (FALSE, FALSE, sizeof (gint64));

  tt_ideal_network_measure_rest (self);
  for (guint32 i = 0; i <= self->max_thread; i++)
    {
      const Actor *actor = &self->actors[i];
      const OneThread one = { actor->work_ns, i, actor->end - actor->next };

      if (one.n > 0 || one.work_ns > 0)
        g_array_append_val (threads, one);
    }
  /* Those of the threads lie one after another. */
  if (self->n_points > 0)
    {
      g_array_append_vals (points, self->points, self->n_points);
      g_array_append_vals (work, self->work_ns, self->n_points);
    }
  tt_dealt_pack (threads, bytes);
  tt_dealt_pack (points, bytes);
  tt_dealt_pack (work, bytes);
  tt_dealt_pack (self->n_missing, bytes);
}

static gboolean
add_threads (TtIdealNetwork *self, const GArray *threads, guint n_points)
{
  guint at = self->n_points;

  for (guint i = 0; i < threads->len; i++)
    {
      const OneThread *one = &g_array_index (threads, OneThread, i);

      if (one->thread > self->max_thread || one->n > n_points)
        return FALSE;
      Actor *actor = &self->actors[one->thread];
      if (actor->end > actor->next)
        return FALSE;
      actor->work_ns = one->work_ns;
      actor->next = actor->unmeasured = at;
      actor->end = at + one->n;
      at += one->n;
      n_points -= one->n;
    }
  return n_points == 0;
}

gboolean
tt_ideal_network_take (TtIdealNetwork *self, TtUnpack *from)
{
  g_autoptr (GArray) threads = g_array_new (FALSE, FALSE, sizeof (OneThread));
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (Point));
  g_autoptr (GArray) work = g_array_new (FALSE, FALSE, sizeof (gint64));
  const guint n = self->n_points;

  tt_ideal_network_measure_rest (self);
  if (!tt_dealt_take (from, threads) || !tt_dealt_take (from, points) || !tt_dealt_take (from, work) ||
      !tt_dealt_take (from, self->n_missing) || points->len != work->len || points->len > G_MAXUINT - n ||
      !add_threads (self, threads, points->len))
    return FALSE;
  self->n_points = n + points->len;
  self->points = g_renew (Point, self->points, (gsize) self->n_points + 1);
  self->work_ns = g_renew (gint64, self->work_ns, (gsize) self->n_points + 1);
  for (guint i = 0; i < points->len; i++)
    {
      self->points[n + i] = g_array_index (points, Point, i);
      self->work_ns[n + i] = g_array_index (work, gint64, i);
    }
  return TRUE;
}

gboolean
tt_ideal_network_is_whole (const TtIdealNetwork *self)
{
  for (guint i = 0; i < self->n_points; i++)
    if (self->points[i].gathering >= self->n_missing->len)
      return FALSE;
  return TRUE;
}
