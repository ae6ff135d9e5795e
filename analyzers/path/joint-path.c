/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/joint-path.h"

#include "analyzers/path/critical-path-private.h"
#include "analyzers/path/equal-calls.h"
#include "analyzers/path/job-path.h"
#include "analyzers/path/points-private.h"
#include "analyzers/waits/joint-waits.h"

#include <string.h>

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

typedef struct
{
  gint64 begin_ns, end_ns;
  guint32 thread;
} Piece;

typedef struct
{
  guint64 n_spans;
  gint64 time_ns;
  guint32 name;
} OneSum;

typedef struct
{
  guint64 n_crossing, n_overlapping;
  gint64 outside_ns;
  gint64 kind_ns[TT_N_PATH_KINDS]; /* of spans */
} Outside;

typedef struct
{
  TtStore *store;
  const TtCrew *crew;
  TtCriticalPath *path; /* on others than rank 0 its points and sums are those of a part */
  gint32 step;
  TtCallWaits *calls;
  TtWaitPart part;
} Joint;

static GArray *
new_elements (guint size)
{
  return g_array_new (FALSE, FALSE, size);
}

/* -- points --------------------------------------------------------------------------------------------------------- */

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  Joint *self = data;

  if (tt_path_points_has (&self->path->points, event))
    tt_path_points_take (&self->path->points, self->calls, event);
  return TRUE;
}

/* Of this rank's files, what is known before waits are looked for. */
static gboolean
read_work (Joint *self, const TtDevicePart *part, guint8 *claimed, GError **error)
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

/* Of this rank's threads. */
static gboolean
find_points (Joint *self, gboolean *is_alone, GError **error)
{
  const TtWaitWindow all = TT_WAIT_WINDOW_ALL;
  TtPathPoints *points = &self->path->points;
  g_autoptr (GArray) dropped = g_array_new (FALSE, FALSE, sizeof (guint64));
  TtPathCollector collector = { .points = points, .dropped = dropped };
  g_autofree guint8 *claimed = g_new0 (guint8, (gsize) points->n_threads + 1);
  TtDevicePart part = { .crew = self->crew };
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
  if (!tt_equal_calls_find (&calls, self->store, &self->part.deal, points->n_threads, dropped, error))
    return FALSE;
  *is_alone = calls.has_host_collectives;
  points->n_collectives = calls.n_collectives;
  points->n_dropped = calls.n_dropped;
  const GArray *waits = self->part.waits->waits;
  for (guint i = 0; i < waits->len && !*is_alone; i++)
    tt_path_points_add_wait (&collector, &g_array_index (waits, TtWait, i));
  const TtWaitCounts *counts = &self->part.waits->counts;
  points->n_halves = counts->n_halves;
  points->n_backward = counts->n_backward;
  points->n_early = counts->n_early;
  g_clear_pointer (&self->part.waits, tt_waits_free);
  tt_path_points_add_devices (points);
  return TRUE;
}

static void
pack_points (Joint *self, GByteArray *bytes)
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

static gboolean
unpack_points (Joint *self, const GByteArray *bytes)
{
  TtUnpack from = { .at = bytes->data, .end = bytes->data + bytes->len };
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

/* -- pieces and sums --------------------------------------------------------------------------------------------------- */

/* Of the path, for each rank those on its threads. */
static void
deal_pieces (const Joint *self, TtDealt *dealt)
{
  const GArray *segments = self->path->segments;

  for (guint i = 0; i < segments->len; i++)
    {
      const TtPathSegment *segment = &g_array_index (segments, TtPathSegment, i);
      const Piece piece = { segment->begin_ns, segment->end_ns, segment->thread };

      g_array_append_val (dealt->of[tt_wait_deal_of_thread (&self->part.deal, piece.thread)], piece);
    }
}

static gboolean
scan_pieces (Joint *self, TtPathSums *sums, const GArray *pieces, GError **error)
{
  const TtPathPoints *points = &self->path->points;
  g_autoptr (TtPieceTimes) times = tt_piece_times_new (points->n_threads);
  guint64 first, last;

  for (guint i = 0; i < pieces->len; i++)
    {
      const Piece *piece = &g_array_index (pieces, Piece, i);
      if (piece->thread >= points->n_threads)
        return tt_dealt_refuse (error);
      tt_piece_times_add (times, piece->thread, piece->begin_ns, piece->end_ns);
    }
  tt_event_share (self->store, self->crew->n, self->crew->rank, &first, &last);
  return tt_path_sums_scan (sums, times, first, last, error);
}

static void
pack_sums (const Joint *self, const TtPathSums *sums, GByteArray *bytes)
{
  g_autoptr (GArray) outside = new_elements (sizeof (Outside)), all = new_elements (sizeof (OneSum));
  Outside own = { self->path->n_crossing, self->path->n_overlapping, self->path->outside_ns, { 0 } };

  memcpy (own.kind_ns, self->path->kind_ns, sizeof own.kind_ns);
  g_array_append_val (outside, own);
  for (guint i = 0; i < sums->by_op->len; i++)
    {
      const TtPathOp *op = &g_array_index (sums->by_op, TtPathOp, i);
      const OneSum one = { op->n_spans, op->time_ns, tt_op_table_op (sums->ops, i)->name };
      g_array_append_val (all, one);
    }
  tt_dealt_pack (outside, bytes);
  tt_dealt_pack (all, bytes);
  if (self->path->events != NULL)
    tt_dealt_pack (self->path->events, bytes);
}

static gboolean
unpack_sums (Joint *self, TtPathSums *sums, const GByteArray *bytes)
{
  TtUnpack from = { .at = bytes->data, .end = bytes->data + bytes->len };
  TtCriticalPath *path = self->path;
  g_autoptr (GArray) outside = new_elements (sizeof (Outside)), all = new_elements (sizeof (OneSum));

  if (!tt_dealt_take (&from, outside) || !tt_dealt_take (&from, all) || outside->len != 1 ||
      (path->events != NULL && !tt_dealt_take (&from, path->events)))
    return FALSE;
  const Outside *one = &g_array_index (outside, Outside, 0);
  path->n_crossing += one->n_crossing;
  path->n_overlapping += one->n_overlapping;
  path->outside_ns += one->outside_ns;
  for (TtPathKind kind = 0; kind < TT_N_PATH_KINDS; kind++)
    path->kind_ns[kind] += one->kind_ns[kind];
  for (guint i = 0; i < all->len; i++)
    {
      const OneSum *sum = &g_array_index (all, OneSum, i);
      if (sum->name > tt_store_max_name (self->store))
        return FALSE;
      tt_path_sums_add (sums, sum->name, sum->n_spans, sum->time_ns);
    }
  return TRUE;
}

/* -- the ranks ---------------------------------------------------------------------------------------------------------- */

/* FALSE: @error, or it is over. */
static gboolean
help (Joint *self, TtPathSums *sums, GError **error)
{
  g_autoptr (GByteArray) points = g_byte_array_new (), said = g_byte_array_new ();
  g_autoptr (GArray) pieces = new_elements (sizeof (Piece));

  pack_points (self, points);
  self->crew->give (points);
  g_byte_array_set_size (points, 0);
  g_autoptr (GByteArray) told = self->crew->hear ();
  if (told == NULL)
    return FALSE;
  TtUnpack from = { .at = told->data, .end = told->data + told->len };
  if (!tt_dealt_take (&from, pieces))
    return tt_dealt_refuse (error);
  if (!scan_pieces (self, sums, pieces, error))
    return FALSE;
  pack_sums (self, sums, said);
  self->crew->give (said);
  g_autoptr (GByteArray) nothing = self->crew->hear ();
  return FALSE;
}

/* Own pieces go to @own. */
static gboolean
tell_pieces (const Joint *self, GArray *own, GError **error)
{
  g_auto (TtDealt) dealt = { NULL };

  tt_dealt_init (&dealt, self->crew->n, sizeof (Piece));
  deal_pieces (self, &dealt);
  for (guint rank = 1; rank < self->crew->n; rank++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      tt_dealt_pack (dealt.of[rank], bytes);
      if (!self->crew->tell (rank, bytes, error))
        return FALSE;
    }
  if (dealt.of[0]->len > 0)
    g_array_append_vals (own, dealt.of[0]->data, dealt.of[0]->len);
  return TRUE;
}

static gboolean
lead (Joint *self, TtPathSums *sums, GError **error)
{
  g_autoptr (GArray) pieces = new_elements (sizeof (Piece));

  for (guint rank = 1; rank < self->crew->n; rank++)
    {
      g_autoptr (GByteArray) bytes = self->crew->take (rank, error);
      if (bytes == NULL)
        return FALSE;
      if (!unpack_points (self, bytes))
        return tt_dealt_refuse (error);
    }
  if (!tt_path_points_set_range (&self->path->points, self->store, error) ||
      !tt_critical_path_walk (self->path, self->store, self->step, error) || !tell_pieces (self, pieces, error) ||
      !scan_pieces (self, sums, pieces, error))
    return FALSE;
  for (guint rank = 1; rank < self->crew->n; rank++)
    {
      g_autoptr (GByteArray) bytes = self->crew->take (rank, error);
      if (bytes == NULL)
        return FALSE;
      if (!unpack_sums (self, sums, bytes))
        return tt_dealt_refuse (error);
    }
  tt_critical_path_end (self->path, sums);
  return TRUE;
}

/* *@is_alone: it has to be done otherwise. */
static TtCriticalPath *
find_by (TtStore *store, TtCriticalPath *of, gint32 step, const TtCrew *crew, gboolean *is_alone, GError **error)
{
  g_autoptr (TtCriticalPath) path = of;
  g_auto (TtPathSums) sums = { NULL };
  Joint self = { .store = store, .crew = crew, .path = path, .step = step };

  tt_path_sums_init (&sums, store, path);
  gboolean is_done = find_points (&self, is_alone, error) && !*is_alone &&
                     (crew->rank > 0 ? help (&self, &sums, error) : lead (&self, &sums, error));
  tt_wait_part_clear (&self.part);
  tt_call_waits_free (self.calls);
  return is_done ? g_steal_pointer (&path) : NULL;
}

/* Of training jobs spans wait for spans, whatever their threads. */
static gboolean
can_share (TtStore *store, const TtCrew *crew, gboolean *can, GError **error)
{
  const TtWaitWindow all = TT_WAIT_WINDOW_ALL;
  gboolean is_job;

  *can = FALSE;
  if (!tt_path_points_check_clocks (store, error) || !tt_job_path_is_there (store, &is_job, error))
    return FALSE;
  return is_job || tt_wait_part_can (store, &all, crew, can, error);
}

TtCriticalPath *
tt_joint_critical_path_new (TtStore *store, gint32 step, gboolean with_events, const TtCrew *crew, GError **error)
{
  gboolean can = TRUE, is_alone = FALSE;
  GError *own = NULL;

  if (crew->rank == 0 && !can_share (store, crew, &can, error))
    return NULL;
  if (!can)
    return tt_critical_path_new (store, step, with_events, error);
  g_autoptr (TtCriticalPath) empty = tt_critical_path_new_empty (with_events);
  tt_path_points_init (&empty->points, store, step);
  if (crew->rank > 0)
    return find_by (store, g_steal_pointer (&empty), step, crew, &is_alone, error);
  crew->call (crew->id);
  g_autoptr (TtCriticalPath) path = find_by (store, g_steal_pointer (&empty), step, crew, &is_alone, &own);
  if (!tt_crew_end (crew, path != NULL || is_alone, own, error))
    return NULL;
  return is_alone ? tt_critical_path_new (store, step, with_events, error) : g_steal_pointer (&path);
}
