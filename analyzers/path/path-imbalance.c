/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/path-imbalance-private.h"

#include "analyzers/path/piece-times.h"
#include "src/base/array.h"
#include "src/base/compare.h"

#include <string.h>

void
tt_impact_finder_init (TtImpactFinder *self, TtStore *store, const TtCriticalPath *path, const TtDeviceRoles *roles)
{
  *self = (TtImpactFinder){ .store = store, .path = path, .roles = roles };
  self->ops = tt_op_table_new (store, TRUE);
  self->by_op = g_array_new (FALSE, TRUE, sizeof (TtOpImpact));
  self->times = g_array_new (FALSE, FALSE, sizeof (TtPlaceTime));
  self->place_of = g_new (guint32, (gsize) path->points.n_threads + 1);
  for (guint32 i = 0; i < path->points.n_threads; i++)
    self->place_of[i] = i;
}

void
tt_impact_finder_clear (TtImpactFinder *self)
{
  g_clear_pointer (&self->ops, tt_op_table_free);
  g_clear_pointer (&self->by_op, g_array_unref);
  g_clear_pointer (&self->times, g_array_unref);
  g_clear_pointer (&self->place_of, g_free);
  tt_map64_clear (&self->number_of);
}

/* -- places ---------------------------------------------------------------------------------------------------- */

static gboolean
has_spans (const TtPathPoints *points, guint32 thread)
{
  return points->threads[thread].first_ns <= points->threads[thread].last_ns;
}

static guint
number_ranks (TtImpactFinder *self)
{
  const TtPathPoints *points = &self->path->points;
  g_autofree guint32 *number_of = g_new0 (guint32, (gsize) tt_store_max_process (self->store) + 1);
  guint n = 0;

  for (guint32 i = 0; i < points->n_threads; i++)
    {
      const TtProcess *process =
          has_spans (points, i) ? tt_store_process (self->store, points->threads[i].process) : NULL;

      if (process == NULL)
        continue;
      if (number_of[process->owner] == 0)
        number_of[process->owner] = ++n;
      self->place_of[i] = number_of[process->owner] - 1;
    }
  return n;
}

void
tt_impact_finder_number_places (TtImpactFinder *self, TtPathImbalance *result)
{
  const TtPathPoints *points = &self->path->points;

  for (guint32 i = 0; i < points->n_threads; i++)
    self->place_of[i] = TT_NO_PLACE;
  result->n_places = number_ranks (self);
  if (result->n_places > 1)
    return;
  result->is_over_threads = TRUE;
  result->n_places = 0;
  for (guint32 i = 0; i < points->n_threads; i++)
    self->place_of[i] = has_spans (points, i) ? result->n_places++ : TT_NO_PLACE;
}

/* -- times ------------------------------------------------------------------------------------------------------ */

static TtOpImpact *
op_of (TtImpactFinder *self, guint32 name, guint32 *number)
{
  guint32 op = tt_op_table_find (self->ops, TT_NO_ID, name);

  if (op >= self->by_op->len)
    g_array_set_size (self->by_op, op + 1);
  *number = op;
  return &g_array_index (self->by_op, TtOpImpact, op);
}

void
tt_impact_add_on_path (TtImpactFinder *self, guint32 name, gint64 ns)
{
  guint32 number;

  op_of (self, name, &number)->on_path_ns += ns;
}

void
tt_impact_add_time (TtImpactFinder *self, guint32 thread, guint32 name, gint64 ns)
{
  TtPlaceTime time = { .place = self->place_of[thread] };

  if (time.place == TT_NO_PLACE)
    return;
  op_of (self, name, &time.op)->total_ns += ns;
  guint64 key = (guint64) time.place << 32 | time.op;
  guint32 number = tt_map64_get (&self->number_of, key);
  if (number == TT_MAP64_NONE)
    {
      number = self->times->len;
      tt_map64_set (&self->number_of, key, number);
      g_array_append_val (self->times, time);
    }
  g_array_index (self->times, TtPlaceTime, number).ns += ns;
}

static void
on_path_span (const TtEvent *event, gint64 own_ns, gpointer data)
{
  tt_impact_add_on_path (data, event->name, own_ns);
}

static void
on_place_span (const TtEvent *event, gint64 own_ns, gpointer data)
{
  tt_impact_add_time (data, event->thread, event->name, own_ns);
}

GArray *
tt_impact_pieces (const TtCriticalPath *path)
{
  GArray *pieces = g_array_sized_new (FALSE, FALSE, sizeof (TtPathPiece), path->segments->len);
  gint64 until_ns = path->points.first_ns;

  for (guint i = 0; i < path->segments->len; i++)
    {
      const TtPathSegment *segment = &g_array_index (path->segments, TtPathSegment, i);
      const TtPathPiece piece = { MIN (until_ns, segment->begin_ns), segment->end_ns, segment->thread };

      g_array_append_val (pieces, piece);
      until_ns = segment->end_ns;
    }
  return pieces;
}

gboolean
tt_impact_scan_path (TtImpactFinder *self, const GArray *pieces, guint64 first, guint64 last, GError **error)
{
  g_autoptr (TtPieceTimes) times = tt_piece_times_new (self->path->points.n_threads);
  TtPieceCounts counts;

  for (guint i = 0; i < pieces->len; i++)
    {
      const TtPathPiece *piece = &g_array_index (pieces, TtPathPiece, i);
      tt_piece_times_add (times, piece->thread, piece->begin_ns, piece->end_ns);
    }
  return tt_piece_times_scan_of (times, self->store, first, last, self->roles, on_path_span, self, &counts, error);
}

gboolean
tt_impact_scan_places (TtImpactFinder *self, const TtWaits *waits, guint64 first, guint64 last, GError **error)
{
  const TtPathPoints *points = &self->path->points;
  g_autoptr (TtPieceTimes) times = tt_piece_times_new (points->n_threads);
  const TtWait *all = TT_ARRAY (waits->waits, TtWait);
  TtPieceCounts counts;
  guint next = 0;

  for (guint32 i = 0; i < points->n_threads; i++)
    {
      gint64 from_ns = MAX (points->threads[i].first_ns, points->first_ns);
      gint64 to_ns = MIN (points->threads[i].last_ns, points->last_ns);

      while (next < waits->waits->len && all[next].thread < i)
        next++;
      for (; next < waits->waits->len && all[next].thread == i; next++)
        {
          tt_piece_times_add (times, i, from_ns, MIN (all[next].begin_ns, to_ns));
          from_ns = MAX (from_ns, all[next].end_ns);
        }
      tt_piece_times_add (times, i, from_ns, to_ns);
    }
  return tt_piece_times_scan_of (times, self->store, first, last, self->roles, on_place_span, self, &counts, error);
}

/* -- impact ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  TtOpImpact *ops;
  guint n_ops;
  const guint32 *on_path; /* numbers of the operations that are on it */
  guint n_on_path;
  gint64 *own_ns; /* by operation, of one place; 0 between places */
  tt_int128 path_ns;
} Impact;

/* @ns is shared out over the parts that weight_of() gives, in whole numbers that sum to it. */
typedef gint64 (*Weight) (const Impact *self, guint32 op);

static gint64
excess_of (const Impact *self, guint32 op)
{
  return MAX (self->ops[op].on_path_ns - self->own_ns[op], 0);
}

static gint64
headroom_of (const Impact *self, guint32 op)
{
  return self->own_ns[op] > 0 ? 0 : self->ops[op].on_path_ns;
}

static void
share_out (const Impact *self, tt_int128 ns, Weight weight_of, gsize member)
{
  tt_int128 total = 0, before = 0, given = 0;

  for (guint i = 0; i < self->n_on_path; i++)
    total += weight_of (self, self->on_path[i]);
  if (ns <= 0 || total == 0)
    return;
  for (guint i = 0; i < self->n_on_path; i++)
    {
      tt_int128 *sum = (tt_int128 *) ((char *) &self->ops[self->on_path[i]] + member);

      before += weight_of (self, self->on_path[i]);
      tt_int128 share = ns * before / total - given;
      given += share;
      *sum += share;
    }
}

/* @times: of one place. */
static void
add_place (const Impact *self, const TtPlaceTime *times, guint n)
{
  tt_int128 own_ns = 0, done_ns = 0;

  for (guint i = 0; i < n; i++)
    {
      TtOpImpact *op = &self->ops[times[i].op];

      self->own_ns[times[i].op] = times[i].ns;
      own_ns += times[i].ns;
      done_ns += MAX (times[i].ns, op->on_path_ns);
      op->activity_ns += MIN (times[i].ns, op->on_path_ns);
      op->other_ns += MAX (times[i].ns - op->on_path_ns, 0);
    }
  share_out (self, self->path_ns - own_ns, excess_of, G_STRUCT_OFFSET (TtOpImpact, cost_ns));
  share_out (self, self->path_ns - done_ns, headroom_of, G_STRUCT_OFFSET (TtOpImpact, inter_ns));
  for (guint i = 0; i < n; i++)
    self->own_ns[times[i].op] = 0;
}

/* Shares are rounded in this order, which is that of no files. */
static int
compare_labels (gconstpointer a, gconstpointer b, gpointer ops)
{
  return strcmp (tt_op_table_op (ops, *(const guint32 *) a)->label, tt_op_table_op (ops, *(const guint32 *) b)->label);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const TtPlaceTime *x = a, *y = b;

  return x->place != y->place ? TT_COMPARE (x->place, y->place) : TT_COMPARE (x->op, y->op);
}

static void
find_impact (TtImpactFinder *self, guint n_places)
{
  g_autofree guint32 *on_path = g_new (guint32, (gsize) self->by_op->len + 1);
  g_autofree gint64 *own_ns = g_new0 (gint64, (gsize) self->by_op->len + 1);
  Impact impact = {
    .ops = TT_ARRAY (self->by_op, TtOpImpact), .n_ops = self->by_op->len, .on_path = on_path, .own_ns = own_ns
  };
  const TtPlaceTime *times = TT_ARRAY (self->times, TtPlaceTime);
  guint first = 0;

  for (guint32 op = 0; op < impact.n_ops; op++)
    if (impact.ops[op].on_path_ns > 0)
      {
        on_path[impact.n_on_path++] = op;
        impact.path_ns += impact.ops[op].on_path_ns;
      }
  g_qsort_with_data (on_path, (int) impact.n_on_path, sizeof *on_path, compare_labels, self->ops);
  g_array_sort (self->times, compare_times);
  for (guint32 place = 0; place < n_places; place++)
    {
      guint end = first;

      while (end < self->times->len && times[end].place == place)
        end++;
      add_place (&impact, times == NULL ? NULL : times + first, end - first);
      first = end;
    }
}

/* -- the result -------------------------------------------------------------------------------------------------- */

static int
compare_ops (gconstpointer a, gconstpointer b)
{
  const TtOpImpact *x = a, *y = b;

  if (x->imbalance_ns != y->imbalance_ns)
    return x->imbalance_ns < y->imbalance_ns ? 1 : -1;
  if (x->on_path_ns != y->on_path_ns)
    return x->on_path_ns < y->on_path_ns ? 1 : -1;
  return strcmp (x->name, y->name);
}

static void
collect_ops (TtImpactFinder *self, TtPathImbalance *result)
{
  for (guint32 i = 0; i < self->by_op->len; i++)
    {
      TtOpImpact op = g_array_index (self->by_op, TtOpImpact, i);

      if (op.on_path_ns == 0 && op.total_ns == 0)
        continue;
      op.imbalance_ns = ((tt_int128) op.on_path_ns * result->n_places - op.total_ns) / MAX (result->n_places, 1);
      op.imbalance_ns = MAX (op.imbalance_ns, 0);
      result->sum.on_path_ns += op.on_path_ns;
      result->sum.total_ns += op.total_ns;
      result->sum.imbalance_ns += op.imbalance_ns;
      result->sum.activity_ns += op.activity_ns;
      result->sum.cost_ns += op.cost_ns;
      result->sum.inter_ns += op.inter_ns;
      result->sum.other_ns += op.other_ns;
      op.name = g_strdup (tt_op_table_op (self->ops, i)->label);
      g_array_append_val (result->ops, op);
    }
  g_array_sort (result->ops, compare_ops);
}

static void
clear_op (gpointer op)
{
  g_free (((TtOpImpact *) op)->name);
}

TtPathImbalance *
tt_path_imbalance_new_empty (void)
{
  TtPathImbalance *self = g_new0 (TtPathImbalance, 1);

  self->ops = g_array_new (FALSE, FALSE, sizeof (TtOpImpact));
  g_array_set_clear_func (self->ops, clear_op);
  return self;
}

void
tt_impact_finish (TtImpactFinder *self, TtPathImbalance *result)
{
  find_impact (self, result->n_places);
  collect_ops (self, result);
}

TtPathImbalance *
tt_path_imbalance_new (TtStore *store, const TtCriticalPath *path, GError **error)
{
  g_autoptr (TtPathImbalance) self = tt_path_imbalance_new_empty ();
  g_auto (TtImpactFinder) finder = { NULL };
  g_auto (TtDeviceRoles) all = { NULL };
  g_autoptr (GArray) pieces = tt_impact_pieces (path);
  const gboolean is_part = path->points.devices.roles.is_part;

  if (is_part && !tt_device_roles_load (&all, store, NULL, NULL, error))
    return NULL;
  tt_impact_finder_init (&finder, store, path, is_part ? &all : &path->points.devices.roles);
  tt_impact_finder_number_places (&finder, self);
  if (!tt_impact_scan_path (&finder, pieces, 0, G_MAXUINT64, error))
    return NULL;
  g_autoptr (TtWaits) waits = tt_waits_new (store, NULL, error);
  if (waits == NULL || !tt_impact_scan_places (&finder, waits, 0, G_MAXUINT64, error))
    return NULL;
  tt_impact_finish (&finder, self);
  return g_steal_pointer (&self);
}

void
tt_path_imbalance_free (TtPathImbalance *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->ops);
  g_free (self);
}
