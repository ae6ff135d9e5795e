/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/joint-path-private.h"

#include "analyzers/path/equal-calls.h"
#include "analyzers/path/host-collectives.h"

/* Of a TtSyncPoint what the way back needs. */
typedef struct
{
  gint64 at_ns, from_ns, wait_ns;
  guint32 thread, from_thread;
  guint8 hop, is_inferred;
} Point;

/* When a thread was there. */
typedef struct
{
  gint64 first_ns, last_ns;
  guint32 thread;
} OneRange;

/* What a rank found besides. */
typedef struct
{
  guint64 n_halves, n_backward, n_early;
  guint64 n_device_spans;
  TtDeviceWaitCounts devices;
  gint64 first_ns, last_ns; /* of the step */
  guint32 last_thread;
} Facts;

static GArray *
new_elements (guint size)
{
  return g_array_new (FALSE, FALSE, size);
}

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  TtJointPath *self = data;

  if (tt_path_points_has (&self->path->points, event))
    tt_path_points_take (&self->path->points, self->calls, event);
  return TRUE;
}

/* Of this rank's files, what is known before waits are looked for. */
static gboolean
read_work (TtJointPath *self, const TtDevicePart *part, guint8 *claimed, GError **error)
{
  TtDeviceWork *devices = &self->path->points.devices;

  if (!tt_device_work_collect_of (devices, self->store, part, error))
    return FALSE;
  self->calls = tt_call_waits_new (self->store, part, error);
  if (self->calls == NULL)
    return FALSE;
  tt_device_work_claim (devices, claimed, self->path->points.n_threads - 1);
  self->part.claimed = claimed;
  self->part.is_entangled = tt_call_waits_are_entangled (self->calls);
  return TRUE;
}

static gboolean
add_whether (guint rank, const GByteArray *said, gpointer data, GError **error)
{
  GByteArray *told = data;
  const guint8 is_alone = said->len > 0 && said->data[0] != 0;

  if (told->len == 0)
    g_byte_array_append (told, &is_alone, 1);
  told->data[0] |= is_alone;
  return TRUE;
}

/* *@is_alone: threads of a process that does collectives by itself are in files of several ranks. */
static gboolean
agree_on_hosts (const TtJointPath *self, const GArray *transfers, gboolean *is_alone, GError **error)
{
  const TtPathPoints *points = &self->path->points;
  const TtWaitDeal *deal = &self->part.deal;
  g_autoptr (GHashTable) processes = g_hash_table_new (NULL, NULL);
  g_autoptr (GByteArray) own = g_byte_array_new (), told = g_byte_array_new ();
  guint8 is_split = FALSE;

  for (guint i = 0; i < transfers->len; i++)
    g_hash_table_add (processes, GUINT_TO_POINTER (g_array_index (transfers, TtHostCall, i).process));
  for (guint32 i = 0; i < points->n_threads; i++)
    if (deal->rank_of_thread[i] != 0 && deal->rank_of_thread[i] != self->crew->rank + 1 &&
        g_hash_table_contains (processes, GUINT_TO_POINTER (points->threads[i].process)))
      is_split = TRUE;
  g_byte_array_append (own, &is_split, 1);
  if (!tt_crew_meet (self->crew, own, add_whether, told, told, error))
    return FALSE;
  *is_alone = told->len > 0 && told->data[0] != 0;
  return TRUE;
}

/* Of this rank's threads. */
gboolean
tt_joint_points_find (TtJointPath *self, gboolean *is_alone, GError **error)
{
  const TtWaitWindow all = TT_WAIT_WINDOW_ALL;
  TtPathPoints *points = &self->path->points;
  g_autoptr (GArray) dropped = g_array_new (FALSE, FALSE, sizeof (guint64));
  TtPathCollector collector = { .points = points, .dropped = dropped };
  g_autofree guint8 *claimed = g_new0 (guint8, (gsize) points->n_threads + 1);
  TtDevicePart part = { .crew = self->crew };
  g_autoptr (GArray) transfers = new_elements (sizeof (TtHostCall));
  TtEqualCalls calls;

  tt_event_share (self->store, self->crew->n, self->crew->rank, &part.first, &part.last);
  if (!read_work (self, &part, claimed, error))
    return FALSE;
  *is_alone = points->devices.roles.is_entangled;
  if (*is_alone)
    return TRUE;
  self->part.also = take_event;
  self->part.data = self;
  self->part.is_raw = TRUE;
  if (!tt_wait_part_find (&self->part, self->store, NULL, &all, self->crew, NULL, is_alone, error))
    return FALSE;
  if (*is_alone)
    return TRUE;
  if (!tt_equal_calls_find (&calls, self->store, &self->part.deal, points->n_threads, dropped, transfers, error))
    return FALSE;
  if (calls.has_host_collectives && !agree_on_hosts (self, transfers, is_alone, error))
    return FALSE;
  if (*is_alone)
    return TRUE;
  points->n_collectives = calls.n_collectives;
  points->n_dropped = calls.n_dropped;
  const GArray *waits = self->part.waits->waits;
  for (guint i = 0; i < waits->len; i++)
    tt_path_points_add_wait (&collector, &g_array_index (waits, TtWait, i));
  const TtWaitCounts *counts = &self->part.waits->counts;
  points->n_halves = counts->n_halves;
  points->n_backward = counts->n_backward;
  points->n_early = counts->n_early;
  g_clear_pointer (&self->part.waits, tt_waits_free);
  if (!tt_host_collectives_points_of (self->store, part.first, part.last, transfers, points->threads, points->n_threads,
                                      points->points, error))
    return FALSE;
  tt_path_points_add_devices (points);
  return TRUE;
}

void
tt_joint_points_pack (TtJointPath *self, GByteArray *bytes)
{
  TtPathPoints *points = &self->path->points;
  g_autoptr (GArray) facts = new_elements (sizeof (Facts)), ranges = new_elements (sizeof (OneRange));
  g_autoptr (GArray) all = new_elements (sizeof (Point));
  const Facts own = {
    .n_halves = points->n_halves,
    .n_backward = points->n_backward,
    .n_early = points->n_early,
    .n_device_spans = points->n_device_spans,
    .devices = points->device_counts,
    .first_ns = points->first_ns,
    .last_ns = points->last_ns,
    .last_thread = points->last_thread,
  };

  g_array_append_val (facts, own);
  for (guint32 i = 0; i < points->n_threads; i++)
    {
      const OneRange one = { points->threads[i].first_ns, points->threads[i].last_ns, i };
      if (one.first_ns <= one.last_ns)
        g_array_append_val (ranges, one);
    }
  for (guint i = 0; i < points->points->len; i++)
    {
      const TtSyncPoint *of = &g_array_index (points->points, TtSyncPoint, i);
      const Point point = { of->at_ns,       of->from_ns,      of->wait_ns,         of->thread,
                            of->from_thread, (guint8) of->hop, of->is_inferred != 0 };
      g_array_append_val (all, point);
    }
  g_array_set_size (points->points, 0);
  tt_dealt_pack (facts, bytes);
  tt_dealt_pack (ranges, bytes);
  tt_dealt_pack (all, bytes);
}

static void
add_facts (TtPathPoints *points, const Facts *facts)
{
  points->n_halves += facts->n_halves;
  points->n_backward += facts->n_backward;
  points->n_early += facts->n_early;
  points->n_device_spans += facts->n_device_spans;
  points->device_counts.n_syncs += facts->devices.n_syncs;
  points->device_counts.n_released += facts->devices.n_released;
  points->device_counts.n_unlaunched += facts->devices.n_unlaunched;
  points->device_counts.n_unexplained += facts->devices.n_unexplained;
  points->device_counts.n_backward += facts->devices.n_backward;
  if (facts->last_thread == TT_NO_ID)
    return;
  const gboolean is_first = points->last_thread == TT_NO_ID;
  if (is_first || facts->first_ns < points->first_ns)
    points->first_ns = facts->first_ns;
  if (is_first || facts->last_ns > points->last_ns ||
      (facts->last_ns == points->last_ns && facts->last_thread < points->last_thread))
    {
      points->last_ns = facts->last_ns;
      points->last_thread = facts->last_thread;
    }
}

static gboolean
add_ranges (TtPathPoints *points, const GArray *ranges)
{
  for (guint i = 0; i < ranges->len; i++)
    {
      const OneRange *one = &g_array_index (ranges, OneRange, i);
      if (one->thread >= points->n_threads)
        return FALSE;
      TtThreadRange *range = &points->threads[one->thread];
      range->first_ns = MIN (range->first_ns, one->first_ns);
      range->last_ns = MAX (range->last_ns, one->last_ns);
    }
  return TRUE;
}

static gboolean
add_points (TtPathPoints *points, const GArray *all)
{
  for (guint i = 0; i < all->len; i++)
    {
      const Point *of = &g_array_index (all, Point, i);
      const TtSyncPoint point = {
        .thread = of->thread,
        .from_thread = of->from_thread,
        .at_ns = of->at_ns,
        .from_ns = of->from_ns,
        .wait_ns = of->wait_ns,
        .hop = of->hop,
        .is_inferred = of->is_inferred,
      };
      if (of->thread >= points->n_threads || of->from_thread >= points->n_threads || of->hop >= TT_N_HOPS)
        return FALSE;
      g_array_append_val (points->points, point);
    }
  return TRUE;
}

gboolean
tt_joint_points_unpack (TtJointPath *self, const GByteArray *bytes)
{
  TtUnpack from = tt_unpack_all (bytes);
  TtPathPoints *points = &self->path->points;
  g_autoptr (GArray) facts = new_elements (sizeof (Facts)), ranges = new_elements (sizeof (OneRange));
  g_autoptr (GArray) all = new_elements (sizeof (Point));

  if (!tt_dealt_take (&from, facts) || !tt_dealt_take (&from, ranges) || !tt_dealt_take (&from, all) || facts->len != 1)
    return FALSE;
  const Facts *one = &g_array_index (facts, Facts, 0);
  if (one->last_thread >= points->n_threads)
    return FALSE;
  add_facts (points, one);
  return add_ranges (points, ranges) && add_points (points, all);
}
