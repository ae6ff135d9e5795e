/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/joint-path.h"

#include "analyzers/path/job-path.h"
#include "analyzers/path/joint-path-private.h"

#include <string.h>

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

static GArray *
new_elements (guint size)
{
  return g_array_new (FALSE, FALSE, size);
}

/* -- pieces and sums --------------------------------------------------------------------------------------------------- */

/* Of the path, for each rank those on its threads. */
static void
deal_pieces (const TtJointPath *self, TtDealt *dealt)
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
scan_pieces (TtJointPath *self, TtPathSums *sums, const GArray *pieces, GError **error)
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
help (TtJointPath *self, TtPathSums *sums, GError **error)
{
  g_autoptr (GByteArray) points = g_byte_array_new (), said = g_byte_array_new ();
  g_autoptr (GArray) pieces = new_elements (sizeof (Piece));

  tt_joint_points_pack (self, points);
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
tell_pieces (const TtJointPath *self, GArray *own, GError **error)
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
lead (TtJointPath *self, TtPathSums *sums, GError **error)
{
  g_autoptr (GArray) pieces = new_elements (sizeof (Piece));

  for (guint rank = 1; rank < self->crew->n; rank++)
    {
      g_autoptr (GByteArray) bytes = self->crew->take (rank, error);
      if (bytes == NULL)
        return FALSE;
      if (!tt_joint_points_unpack (self, bytes))
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
  TtJointPath self = { .store = store, .crew = crew, .path = path, .step = step };

  tt_path_sums_init (&sums, store, path);
  gboolean is_done = tt_joint_points_find (&self, is_alone, error) && !*is_alone &&
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
