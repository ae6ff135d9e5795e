/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/joint-path.h"

#include "analyzers/path/job-path.h"
#include "analyzers/path/joint-path-private.h"

#include <string.h>

/* When the run, or the step, was. */
typedef struct
{
  gint64 first_ns, last_ns;
} Range;

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

static GArray *
new_elements (guint size)
{
  return g_array_new (FALSE, FALSE, size);
}

/* -- pieces and sums --------------------------------------------------------------------------------------------------- */

/* Of the path itself, and with the messages that it goes along. */
static GArray *
new_pieces (const TtJointPath *self)
{
  GArray *pieces = new_elements (sizeof (TtPathPiece));
  const GArray *segments = self->path->segments;

  for (guint i = 0; i < segments->len; i++)
    {
      const TtPathSegment *segment = &g_array_index (segments, TtPathSegment, i);
      const TtPathPiece piece = { segment->begin_ns, segment->end_ns, segment->thread };
      g_array_append_val (pieces, piece);
    }
  return pieces;
}

/* For each rank those on its threads. */
static void
deal_pieces (const TtJointPath *self, const GArray *pieces, TtDealt *dealt)
{
  for (guint i = 0; i < pieces->len; i++)
    {
      const TtPathPiece *piece = &g_array_index (pieces, TtPathPiece, i);
      g_array_append_vals (dealt->of[tt_wait_deal_of_thread (&self->part.deal, piece->thread)], piece, 1);
    }
}

static gboolean
scan_pieces (TtJointPath *self, TtPathSums *sums, const GArray *pieces, GError **error)
{
  const TtPathPoints *points = &self->path->points;
  g_autoptr (TtPieceTimes) times = tt_piece_times_new (points->n_threads);
  guint64 first, last;

  for (guint i = 0; i < pieces->len; i++)
    {
      const TtPathPiece *piece = &g_array_index (pieces, TtPathPiece, i);
      tt_piece_times_add (times, piece->thread, piece->begin_ns, piece->end_ns);
    }
  tt_event_share (self->store, self->crew->n, self->crew->rank, &first, &last);
  return tt_path_sums_scan (sums, times, first, last, error);
}

static void
pack_sums (const TtJointPath *self, const TtPathSums *sums, GByteArray *bytes)
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
unpack_sums (TtJointPath *self, TtPathSums *sums, const GByteArray *bytes)
{
  TtUnpack from = tt_unpack_all (bytes);
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
  return self->impact == NULL || tt_joint_impact_unpack (self, &from);
}

/* -- the ranks ---------------------------------------------------------------------------------------------------------- */

/* FALSE: it cannot be right. */
static gboolean
take_pieces (const TtJointPath *self, TtUnpack *from, GArray *pieces)
{
  if (!tt_dealt_take (from, pieces))
    return FALSE;
  for (guint i = 0; i < pieces->len; i++)
    if (g_array_index (pieces, TtPathPiece, i).thread >= self->path->points.n_threads)
      return FALSE;
  return TRUE;
}

/* What rank 0 tells of the path. @with_messages: of those who are asked what operations take. */
static gboolean
take_path (TtJointPath *self, const GByteArray *told, GArray *pieces, GArray *with_messages, GError **error)
{
  TtUnpack from = tt_unpack_all (told);
  g_autoptr (GArray) ranges = new_elements (sizeof (Range));

  if (!take_pieces (self, &from, pieces))
    return tt_dealt_refuse (error);
  if (self->impact == NULL)
    return TRUE;
  if (!take_pieces (self, &from, with_messages) || !tt_dealt_take (&from, ranges) || ranges->len != 1)
    return tt_dealt_refuse (error);
  self->path->points.first_ns = g_array_index (ranges, Range, 0).first_ns;
  self->path->points.last_ns = g_array_index (ranges, Range, 0).last_ns;
  return TRUE;
}

/* FALSE: @error, or it is over. */
static gboolean
help (TtJointPath *self, TtPathSums *sums, GError **error)
{
  g_autoptr (GByteArray) points = g_byte_array_new (), said = g_byte_array_new ();
  g_autoptr (GArray) pieces = new_elements (sizeof (TtPathPiece)), with_messages = new_elements (sizeof (TtPathPiece));

  tt_joint_points_pack (self, points);
  self->crew->give (points);
  g_byte_array_set_size (points, 0);
  g_autoptr (GByteArray) told = self->crew->hear ();
  if (told == NULL || !take_path (self, told, pieces, with_messages, error) ||
      !scan_pieces (self, sums, pieces, error) ||
      (self->impact != NULL && !tt_joint_impact_find (self, with_messages, error)))
    return FALSE;
  pack_sums (self, sums, said);
  if (self->impact != NULL)
    tt_joint_impact_pack (self, said);
  self->crew->give (said);
  g_autoptr (GByteArray) nothing = self->crew->hear ();
  return FALSE;
}

/* Of @pieces own ones are left. */
static void
keep_own (GArray *pieces, const TtDealt *dealt)
{
  g_array_set_size (pieces, 0);
  if (dealt->of[0]->len > 0)
    g_array_append_vals (pieces, dealt->of[0]->data, dealt->of[0]->len);
}

/* Of both own ones are left. */
static gboolean
tell_path (const TtJointPath *self, GArray *pieces, GArray *with_messages, GError **error)
{
  const TtPathPoints *points = &self->path->points;
  const Range range = { points->first_ns, points->last_ns };
  g_autoptr (GArray) ranges = new_elements (sizeof range);
  g_auto (TtDealt) dealt = { NULL }, with = { NULL };

  g_array_append_val (ranges, range);
  tt_dealt_init (&dealt, self->crew->n, sizeof (TtPathPiece));
  tt_dealt_init (&with, self->crew->n, sizeof (TtPathPiece));
  deal_pieces (self, pieces, &dealt);
  if (with_messages != NULL)
    deal_pieces (self, with_messages, &with);
  for (guint rank = 1; rank < self->crew->n; rank++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      tt_dealt_pack (dealt.of[rank], bytes);
      if (with_messages != NULL)
        {
          tt_dealt_pack (with.of[rank], bytes);
          tt_dealt_pack (ranges, bytes);
        }
      if (!self->crew->tell (rank, bytes, error))
        return FALSE;
    }
  keep_own (pieces, &dealt);
  if (with_messages != NULL)
    keep_own (with_messages, &with);
  return TRUE;
}

static gboolean
take_points (TtJointPath *self, GError **error)
{
  for (guint rank = 1; rank < self->crew->n; rank++)
    {
      g_autoptr (GByteArray) bytes = self->crew->take (rank, error);
      if (bytes == NULL)
        return FALSE;
      if (!tt_joint_points_unpack (self, bytes))
        return tt_dealt_refuse (error);
    }
  return TRUE;
}

static gboolean
take_sums (TtJointPath *self, TtPathSums *sums, GError **error)
{
  for (guint rank = 1; rank < self->crew->n; rank++)
    {
      g_autoptr (GByteArray) bytes = self->crew->take (rank, error);
      if (bytes == NULL)
        return FALSE;
      if (!unpack_sums (self, sums, bytes))
        return tt_dealt_refuse (error);
    }
  tt_critical_path_end (self->path, sums);
  if (self->impact != NULL)
    tt_impact_finish (self->impact, self->imbalance);
  return TRUE;
}

static gboolean
lead (TtJointPath *self, TtPathSums *sums, GError **error)
{
  g_autoptr (GArray) pieces = NULL, with_messages = NULL;

  if (!take_points (self, error) || !tt_path_points_set_range (&self->path->points, self->store, error) ||
      !tt_critical_path_walk (self->path, self->store, self->step, error))
    return FALSE;
  pieces = new_pieces (self);
  if (self->impact != NULL)
    {
      with_messages = tt_impact_pieces (self->path);
      tt_impact_finder_number_places (self->impact, self->imbalance);
    }
  return tell_path (self, pieces, with_messages, error) && scan_pieces (self, sums, pieces, error) &&
         (self->impact == NULL || tt_joint_impact_find (self, with_messages, error)) && take_sums (self, sums, error);
}

/* *@is_alone: it has to be done otherwise. @imbalance: NULL, or to be filled; what stays NULL has to be found otherwise. */
static TtCriticalPath *
find_by (TtStore *store,
         TtCriticalPath *of,
         gint32 step,
         const TtCrew *crew,
         TtPathImbalance **imbalance,
         gboolean *is_alone,
         GError **error)
{
  g_autoptr (TtCriticalPath) path = of;
  g_autoptr (TtPathImbalance) empty = tt_path_imbalance_new_empty ();
  g_auto (TtPathSums) sums = { NULL };
  g_auto (TtImpactFinder) impact = { NULL };
  TtJointPath self = { .store = store, .crew = crew, .path = path, .step = step, .imbalance = empty };

  tt_path_sums_init (&sums, store, path);
  tt_impact_finder_init (&impact, store, path, &path->points.devices.roles);
  self.impact = imbalance == NULL ? NULL : &impact;
  gboolean is_done = tt_joint_points_find (&self, is_alone, error) && !*is_alone &&
                     (crew->rank > 0 ? help (&self, &sums, error) : lead (&self, &sums, error));
  tt_wait_part_clear (&self.part);
  tt_call_waits_free (self.calls);
  if (is_done && self.impact != NULL)
    *imbalance = g_steal_pointer (&empty);
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
tt_joint_critical_path_new (TtStore *store,
                            gint32 step,
                            gboolean with_events,
                            const TtCrew *crew,
                            TtPathImbalance **imbalance,
                            GError **error)
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
    return find_by (store, g_steal_pointer (&empty), step, crew, imbalance, &is_alone, error);
  crew->call (crew->id);
  g_autoptr (TtCriticalPath) path = find_by (store, g_steal_pointer (&empty), step, crew, imbalance, &is_alone, &own);
  if (!tt_crew_end (crew, path != NULL || is_alone, own, error))
    return NULL;
  return is_alone ? tt_critical_path_new (store, step, with_events, error) : g_steal_pointer (&path);
}
