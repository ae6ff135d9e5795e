/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/breakdown/breakdown-private.h"
#include "analyzers/breakdown/breakdown-rows.h"

#include <string.h>

#include "analyzers/spans/each-event.h"
#include "analyzers/waits/waits.h"
#include "src/base/sorter.h"
#include "src/store/rows.h"
#include "src/trace/span.h"

#define SORT_BYTES ((gsize) 64 << 20)

/* -- which threads count, for which row ------------------------------------------------------------------- */

static gboolean
is_of_openmp (const TtStoredName *name)
{
  static const char *const prefixes[] = { "OpenMP_", "omp_", "GOMP_", "__kmpc_" };
  g_autofree char *group = name->group == NULL ? NULL : g_ascii_strdown (name->group, -1);

  if (group != NULL && strstr (group, "openmp") != NULL)
    return TRUE;
  for (guint i = 0; name->op_name != NULL && i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (name->op_name, prefixes[i]))
      return TRUE;
  return FALSE;
}

static gboolean
classify_name (const TtStoredName *name, gpointer data)
{
  TtBreakdown *self = data;

  self->work_of_name[name->id] = (guint8) tt_work_class (name->op_cat);
  self->host_work_of_name[name->id] = (guint8) tt_work_class_of_host (name->op_cat, name->op_name);
  self->is_openmp[name->id] = is_of_openmp (name);
  self->has_openmp |= self->is_openmp[name->id];
  /* TAU's name for what a thread began with, where it finds none: threads of MPI that sleep all the time, too. */
  self->is_unknown[name->id] = g_strcmp0 (name->op_name, "[PTHREAD] __UNKNOWN__") == 0;
  return TRUE;
}

gboolean
tt_breakdown_look_up (TtBreakdown *self, gboolean is_sorted, GError **error)
{
  gsize n_threads = (gsize) tt_store_max_thread (self->store) + 1;

  self->work_of_name = g_new0 (guint8, (gsize) tt_store_max_name (self->store) + 1);
  self->host_work_of_name = g_new0 (guint8, (gsize) tt_store_max_name (self->store) + 1);
  self->is_openmp = g_new0 (guint8, (gsize) tt_store_max_name (self->store) + 1);
  self->is_unknown = g_new0 (guint8, (gsize) tt_store_max_name (self->store) + 1);
  if (!tt_launches_load (self->launches, &self->roles, self->store, self->part, error) ||
      !tt_store_each_name (self->store, classify_name, self, error))
    return FALSE;
  self->place_of_thread = g_new0 (guint32, n_threads);
  self->is_device = g_new0 (guint8, n_threads);
  const TtThreadPlaces found = { self->place_of_thread, self->is_device };
  tt_row_places_find (self->store, &self->roles, self->rows_are, self->where, &found, self->places);
  if (!is_sorted && self->rows_are != TT_BREAKDOWN_STEP)
    self->alone = g_new0 (TtThreadTimes, (gsize) self->places->len + 1);
  return TRUE;
}

/* -- collecting ------------------------------------------------------------------------------------------------ */

static void
add_record (TtBreakdown *self, guint64 lane, const TtWorkInterval *interval, guint32 launch)
{
  const TtBreakdownRecord record = { lane,   tt_sort_key (interval->begin_ns), interval->end_ns,
                                     launch, (guint16) interval->work,         interval->is_left_out != 0 };
  const guint place = (guint) (lane >> 33);
  const guint32 process = g_array_index (self->places, TtRowPlace, place).process;
  const guint rank = self->deal == NULL ? 0 : tt_wait_deal_of_process (self->deal, process);

  if (self->has_records != NULL)
    self->has_records[place] = 1;
  if (self->deal == NULL || rank == self->deal->crew->rank)
    *(TtBreakdownRecord *) tt_sorter_add (self->records) = record;
  else
    g_array_append_val (self->of_others.of[rank], record);
}

static guint64
lane_of (guint32 place, gint32 step, gboolean is_step)
{
  return (guint64) (place - 1) << 33 | (guint64) ((guint32) step + 1) << 1 | !is_step;
}

static void
add_interval (TtBreakdown *self, guint32 thread, gint32 step, TtWorkInterval interval, guint32 launch)
{
  guint32 place = self->place_of_thread[thread];

  interval.begin_ns = MAX (interval.begin_ns, self->begin_ns);
  interval.end_ns = MIN (interval.end_ns, self->end_ns);
  if (place == 0 || interval.begin_ns > interval.end_ns)
    return;
  const TtRowPlace *at = &g_array_index (self->places, TtRowPlace, place - 1);
  if (self->alone != NULL && at->n_threads == 1 && !at->is_device)
    {
      self->overlaps |= !tt_thread_times_add (&self->alone[place - 1], &interval);
      return;
    }
  add_record (self, lane_of (place, TT_NO_STEP, FALSE), &interval, launch);
  if (self->rows_are == TT_BREAKDOWN_STEP && step >= 0)
    add_record (self, lane_of (place, step, FALSE), &interval, launch);
}

static void
on_piece (const TtSegment *piece, gpointer data)
{
  TtBreakdown *self = data;
  TtSegment inside = *piece;

  add_interval (self, piece->thread, piece->step,
                (TtWorkInterval){ piece->begin_ns, piece->end_ns, TT_NO_TIME, piece->work, piece->is_left_out }, 0);
  inside.begin_ns = MAX (piece->begin_ns, self->begin_ns);
  inside.end_ns = MIN (piece->end_ns, self->end_ns);
  if (self->times != NULL && inside.begin_ns < inside.end_ns)
    tt_efficiency_times_take (self->times, &inside);
}

static void
on_segment (const TtSegment *segment, gpointer data)
{
  TtBreakdown *self = data;

  if (self->cuts == NULL)
    on_piece (segment, self);
  else
    tt_wait_cuts_take (self->cuts, segment, on_piece, self);
}

/* A span that is a step, of the rank's host: of the rank's place, whose threads may be a device's. */
static void
add_step (TtBreakdown *self, const TtEvent *event)
{
  const TtThread *thread = tt_store_thread (self->store, event->thread);
  guint32 owner = tt_store_process (self->store, thread->process)->owner;
  TtWorkInterval interval = { MAX (event->ts_ns, self->begin_ns),
                              MIN (tt_span_end (event->ts_ns, event->dur_ns), self->end_ns), TT_NO_TIME, TT_WORK_NONE,
                              FALSE };

  for (guint i = 0; i < self->places->len; i++)
    if (g_array_index (self->places, TtRowPlace, i).process == owner && interval.begin_ns < interval.end_ns)
      add_record (self, lane_of (i + 1, event->step, TRUE), &interval, 0);
}

static gboolean
take_span (TtBreakdown *self, const TtEvent *event, guint32 launch, GError **error)
{
  TtActivityRole role = tt_device_roles_of_event (&self->roles, event);
  gboolean is_there = self->selection == NULL || tt_selection_has_time_of (self->selection, event);
  gboolean is_left_out = self->selection != NULL && !tt_selection_matches (self->selection, event);
  TtWorkClass work = (TtWorkClass) self->work_of_name[event->name];

  if (self->rows_are == TT_BREAKDOWN_STEP && (event->flags & TT_FLAG_STEP) != 0 && event->step >= 0)
    add_step (self, event);
  if ((event->flags & TT_FLAG_ASYNC) != 0 || self->place_of_thread[event->thread] == 0)
    return TRUE;
  if (!self->is_device[event->thread])
    {
      work = (TtWorkClass) self->host_work_of_name[event->name];
      if (self->times != NULL && self->is_openmp[event->name])
        tt_efficiency_times_name_openmp (self->times, event->thread);
      gboolean counts =
          is_there && role != TT_ACTIVITY_TRACER && !tt_activity_is_mark (role) && (event->flags & TT_FLAG_WINDOW) == 0;
      return counts && self->is_unknown[event->name]
                 ? tt_segments_add_unknown (self->segments, event, error)
                 : tt_segments_add (self->segments, event, counts ? work : TT_WORK_NONE, is_left_out, error);
    }
  if (is_there && tt_activity_is_work (role) && work != TT_WORK_NONE)
    add_interval (
        self, event->thread, event->step,
        (TtWorkInterval){ event->ts_ns, tt_span_end (event->ts_ns, event->dur_ns), TT_NO_TIME, work, is_left_out },
        launch);
  return TRUE;
}

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  TtBreakdown *self = data;
  TtLaunch *call;
  guint32 launch = tt_launches_see (self->launches, event, &call);

  return event->dur_ns == TT_NO_TIME || take_span (self, event, launch, error);
}

gboolean
tt_breakdown_has_messages (TtBreakdown *self, gboolean *has, GError **error)
{
  TtStoreCounts counts;
  gboolean has_host = FALSE;

  for (guint i = 0; i < self->places->len; i++)
    has_host |= !g_array_index (self->places, TtRowPlace, i).is_device;
  *has = FALSE;
  if (!has_host)
    return TRUE;
  if (!tt_store_counts (self->store, &counts, error))
    return FALSE;
  *has = counts.n_matched > 0 || counts.n_collectives > 0;
  return TRUE;
}

gboolean
tt_breakdown_begin_times (TtBreakdown *self, TtWaitHearer *hearer)
{
  gboolean is_of_ranks = self->rows_are == TT_BREAKDOWN_RANK;

  for (guint i = 0; i < self->places->len; i++)
    is_of_ranks &= !g_array_index (self->places, TtRowPlace, i).is_device;
  if (!is_of_ranks)
    return FALSE;
  self->times = tt_efficiency_times_new (self->store, self->begin_ns, self->end_ns, self->has_openmp);
  *hearer = tt_efficiency_times_hearer (self->times);
  return TRUE;
}

static gboolean
look_up_waits (TtBreakdown *self, GError **error)
{
  gboolean has;
  TtWaitHearer hearer;

  if (!tt_breakdown_has_messages (self, &has, error))
    return FALSE;
  if (!has)
    return TRUE;
  const gboolean is_of_ranks = tt_breakdown_begin_times (self, &hearer);
  const TtWaitHearer *heard = is_of_ranks ? &hearer : NULL;
  g_autoptr (TtWaits) own =
      self->all_waits == NULL ? tt_waits_between (self->store, self->begin_ns, self->end_ns, heard, error) : NULL;
  if (own == NULL && (self->all_waits == NULL || !tt_all_waits_find (self->all_waits, self->store, heard, error)))
    return FALSE;
  const TtWaits *waits = own != NULL ? own : self->all_waits->waits;
  self->cuts = tt_wait_cuts_new (self->store, waits->waits);
  if (is_of_ranks)
    tt_efficiency_times_add_waits (self->times, waits->waits);
  g_clear_pointer (&own, tt_waits_free);
  if (is_of_ranks)
    tt_efficiency_times_begin (self->times);
  return TRUE;
}

gboolean
tt_breakdown_collect (TtBreakdown *self, GError **error)
{
  gint64 begin_ns = self->begin_ns, end_ns = self->end_ns;

  TtEventPart part = TT_EVENT_PART_ALL;

  if (!tt_launches_widen (self->launches, self->store, self->part, &begin_ns, &end_ns, error))
    return FALSE;
  part.flags = TT_SCAN_REVERSE;
  if (self->part != NULL)
    {
      part.first = self->part->first;
      part.last = self->part->last;
    }
  part.begin_ns = begin_ns;
  part.end_ns = end_ns;
  if (part.first <= part.last && !tt_each_event_of (self->store, &part, take_event, self, error))
    return FALSE;
  tt_segments_finish (self->segments);
  return TRUE;
}

void
tt_breakdown_judge (TtBreakdown *self)
{
  self->has_efficiency =
      self->times != NULL && !self->is_filtered && tt_efficiency_times_judge (self->times, &self->efficiency);
}

/* -- all ----------------------------------------------------------------------------------------------------------- */

TtBreakdown *
tt_breakdown_begin (TtStore *store, const TtSelection *selection, TtBreakdownRows rows, TtBreakdownPlace place)
{
  g_autoptr (TtBreakdown) self = g_new0 (TtBreakdown, 1);

  self->store = store;
  self->selection = selection;
  self->rows_are = rows;
  self->where = place;
  self->begin_ns = G_MININT64;
  self->end_ns = G_MAXINT64;
  if (selection != NULL)
    tt_selection_window (selection, &self->begin_ns, &self->end_ns);
  self->is_filtered = selection != NULL && tt_selection_has_filters (selection);
  self->launches = tt_launches_new ();
  self->places = g_array_new (FALSE, FALSE, sizeof (TtRowPlace));
  self->segments = tt_segments_new (tt_store_max_thread (store), on_segment, self);
  self->records = tt_sorter_new (sizeof (TtBreakdownRecord), SORT_BYTES);
  self->busy = tt_busy_time_new ();
  self->rows = g_array_new (FALSE, FALSE, sizeof (TtBreakdownRow));
  return g_steal_pointer (&self);
}

void
tt_breakdown_end (TtBreakdown *self)
{
  g_clear_pointer (&self->records, tt_sorter_free);
  g_clear_pointer (&self->launches, tt_launches_free);
}

/* NULL without @error: threads overlap that were not to be sorted. */
static TtBreakdown *
build (TtStore *store,
       const TtSelection *selection,
       TtBreakdownRows rows,
       TtBreakdownPlace place,
       gboolean is_sorted,
       TtAllWaits *waits,
       GError **error)
{
  g_autoptr (TtBreakdown) self = tt_breakdown_begin (store, selection, rows, place);

  if (!tt_breakdown_look_up (self, is_sorted, error))
    return NULL;
  self->all_waits = waits;
  if (!look_up_waits (self, error) || !tt_breakdown_collect (self, error))
    return NULL;
  tt_breakdown_judge (self);
  if (self->overlaps || !tt_breakdown_make_rows (self, error))
    return NULL;
  tt_breakdown_end (self);
  return g_steal_pointer (&self);
}

static TtBreakdown *
build_any (TtStore *store,
           const TtSelection *selection,
           TtBreakdownRows rows,
           TtBreakdownPlace place,
           TtAllWaits *waits,
           GError **error)
{
  g_autoptr (GError) failed = NULL;
  TtBreakdown *self = build (store, selection, rows, place, FALSE, waits, &failed);

  if (self == NULL && failed == NULL)
    return build (store, selection, rows, place, TRUE, waits, error);
  if (failed != NULL)
    g_propagate_error (error, g_steal_pointer (&failed));
  return self;
}

TtBreakdown *
tt_breakdown_new (TtStore *store,
                  const TtSelection *selection,
                  TtBreakdownRows rows,
                  TtBreakdownPlace place,
                  GError **error)
{
  return build_any (store, selection, rows, place, NULL, error);
}

TtBreakdown *
tt_breakdown_new_with_waits (TtStore *store, const TtSelection *selection, TtAllWaits *waits, GError **error)
{
  gboolean is_everything = selection == NULL || tt_selection_is_everything (selection);

  return build_any (store, selection, TT_BREAKDOWN_RANK, TT_BREAKDOWN_AUTO, is_everything ? waits : NULL, error);
}

void
tt_breakdown_free (TtBreakdown *self)
{
  if (self == NULL)
    return;
  g_free (self->work_of_name);
  g_free (self->host_work_of_name);
  g_free (self->is_openmp);
  g_free (self->is_unknown);
  tt_device_roles_clear (&self->roles);
  tt_launches_free (self->launches);
  g_array_unref (self->places);
  g_free (self->place_of_thread);
  g_free (self->is_device);
  tt_segments_free (self->segments);
  tt_wait_cuts_free (self->cuts);
  tt_efficiency_times_free (self->times);
  tt_sorter_free (self->records);
  g_free (self->alone);
  tt_busy_time_free (self->busy);
  tt_dealt_clear (&self->of_others);
  g_free (self->has_records);
  g_clear_pointer (&self->heard, g_array_unref);
  g_array_unref (self->rows);
  g_free (self);
}

gboolean
tt_breakdown_is_filtered (const TtBreakdown *self)
{
  return self->is_filtered;
}

const GArray *
tt_breakdown_rows (const TtBreakdown *self)
{
  return self->rows;
}

const TtEfficiency *
tt_breakdown_efficiency (const TtBreakdown *self)
{
  return self->has_efficiency ? &self->efficiency : NULL;
}
