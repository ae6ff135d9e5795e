/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/op-order.h"

#include <string.h>

#include "src/base/progress.h"
#include "src/base/sorter.h"

#define SORT_MEMORY ((gsize) 24 << 20)
#define TALLY_MEMORY ((gsize) 16 << 20)
#define ROWS_PER_CHECK 65536
#define NOT_SELECTED G_MAXUINT32

typedef struct
{
  guint64 ts_key;
  guint64 name_process; /* ranks of the name's text and of the pid */
  gint64 dur_ns;
  guint32 group; /* or NOT_SELECTED */
  gint32 step;
} SpanRecord;

/* What a span that was joined of pieces lasts in these tables: the original's analyzer counts the gaps between them. */
typedef struct
{
  guint64 event;
  gint64 hull_ns;
} Hull;

typedef struct
{
  guint64 id;
  guint64 step_key;
  guint64 index;
} PlaceRecord;

struct _TtOpOrder
{
  TtStore *store;
  TtSelection *selection;
  TtGrouping *grouping;
  guint32 *name_rank; /* by id; 0: not counted */
  guint32 *pid_rank;  /* by thread */
  TtSorter *spans, *places;
  TtTally *tally;
  GArray *groups; /* guint32, by id */
  GArray *hulls;  /* of Hull, by event */
  guint next_hull;
  guint32 next_id;
  gint32 max_step;
};

/* -- order of names ------------------------------------------------------------------------------ */

static int
compare_names (gconstpointer a, gconstpointer b, gpointer store)
{
  const TtStoredName *name_a = tt_store_name (store, *(const guint32 *) a);
  const TtStoredName *name_b = tt_store_name (store, *(const guint32 *) b);

  return strcmp (name_a->text, name_b->text);
}

/* Equal texts get equal ranks. */
static void
rank_names (TtOpOrder *self)
{
  guint32 max = tt_store_max_name (self->store), rank = 0;
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  self->name_rank = g_new0 (guint32, (gsize) max + 1);
  for (guint32 id = 1; id <= max && id != 0; id++)
    {
      const TtStoredName *name = tt_store_name (self->store, id);
      if (name != NULL && g_strcmp0 (name->group, "debug") != 0)
        g_array_append_val (ids, id);
    }
  g_array_sort_with_data (ids, compare_names, self->store);
  for (guint i = 0; i < ids->len; i++)
    {
      const guint32 *id = &g_array_index (ids, guint32, i);
      if (i == 0 || compare_names (id - 1, id, self->store) != 0)
        rank++;
      self->name_rank[*id] = rank;
    }
}

static int
compare_pids (gconstpointer a, gconstpointer b)
{
  return strcmp ((*(const TtProcess *const *) a)->pid, (*(const TtProcess *const *) b)->pid);
}

static void
rank_pids (TtOpOrder *self)
{
  guint n, n_threads;
  const TtProcess *processes = tt_store_processes (self->store, &n);
  const TtThread *threads = tt_store_threads (self->store, &n_threads);
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  g_autofree guint32 *ranks = g_new0 (guint32, (gsize) tt_store_max_process (self->store) + 1);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (sorted, (gpointer) &processes[i]);
  g_ptr_array_sort (sorted, compare_pids);
  for (guint i = 0; i < sorted->len; i++)
    ranks[((const TtProcess *) sorted->pdata[i])->id] = i;
  self->pid_rank = g_new0 (guint32, (gsize) tt_store_max_thread (self->store) + 1);
  for (guint i = 0; i < n_threads; i++)
    self->pid_rank[threads[i].id] = ranks[threads[i].process];
}

/* -- joined spans -------------------------------------------------------------------------------- */

static gboolean
take_hull (guint64 event, guint32 series, gint64 inclusive, gint64 exclusive, gpointer data)
{
  TtOpOrder *self = data;
  const Hull hull = { event, inclusive };

  (void) exclusive;
  if (g_str_equal (tt_store_one_series (self->store, series)->name, TT_METRIC_HULL))
    g_array_append_val (self->hulls, hull);
  return TRUE;
}

static gboolean
read_hulls (TtOpOrder *self, GError **error)
{
  guint n;
  const TtSeries *series = tt_store_series (self->store, &n);
  gboolean has_hulls = FALSE;

  /* Each run has a series of its own. */
  for (guint i = 0; i < n; i++)
    has_hulls |= g_str_equal (series[i].name, TT_METRIC_HULL);
  return !has_hulls || tt_store_each_metric (self->store, take_hull, self, error);
}

/* Events are asked for in order. */
static gint64
duration_of (TtOpOrder *self, const TtEvent *event)
{
  while (self->next_hull < self->hulls->len && g_array_index (self->hulls, Hull, self->next_hull).event < event->id)
    self->next_hull++;
  if (self->next_hull == self->hulls->len)
    return event->dur_ns;

  const Hull *hull = &g_array_index (self->hulls, Hull, self->next_hull);
  return hull->event == event->id && hull->hull_ns >= event->dur_ns ? hull->hull_ns : event->dur_ns;
}

/* -- collecting ---------------------------------------------------------------------------------- */

static void
add_span (TtOpOrder *self, const TtEvent *event)
{
  guint32 rank = self->name_rank[event->name];
  gboolean is_selected = self->selection == NULL || tt_selection_matches (self->selection, event);

  if (rank == 0)
    return;
  SpanRecord *record = tt_sorter_add (self->spans);
  record->ts_key = tt_sort_key (event->ts_ns);
  record->name_process = (guint64) rank << 32 | self->pid_rank[event->thread];
  record->dur_ns = duration_of (self, event);
  record->group =
      is_selected ? tt_grouping_group (self->grouping, event->thread, event->name, TT_NO_STEP) : NOT_SELECTED;
  record->step = event->step;
  self->max_step = MAX (self->max_step, event->step);
}

static gboolean
collect_spans (TtOpOrder *self, GError **error)
{
  TtEventScan *scan = tt_event_scan_new (self->store, TT_SCAN_DEFAULT, error);
  g_autoptr (TtProgress) progress = tt_progress_new ("reading", tt_store_n_events (self->store), "events");
  TtEvent event;
  guint64 n = 0;
  gboolean is_cancelled = FALSE;

  if (scan == NULL)
    return FALSE;
  while (!is_cancelled && tt_event_scan_next (scan, &event))
    {
      if (event.dur_ns != TT_NO_TIME && (event.flags & TT_FLAG_WINDOW) == 0)
        add_span (self, &event);
      if (++n % ROWS_PER_CHECK == 0)
        {
          tt_progress_add (progress, ROWS_PER_CHECK);
          is_cancelled = tt_cancelled (error);
        }
    }
  return tt_event_scan_finish (scan, is_cancelled ? NULL : error) && !is_cancelled &&
         tt_sorter_finish (self->spans, error);
}

/* Numbers the spans and, at their first span, the operations. */
static gboolean
number_spans (TtOpOrder *self, GError **error)
{
  g_autofree guint32 *id_plus_1 = g_new0 (guint32, (gsize) tt_grouping_count (self->grouping) + 1);
  const SpanRecord *span;
  GError *failure = NULL;

  for (guint64 index = 0; (span = tt_sorter_next (self->spans, &failure)) != NULL; index++)
    {
      if (span->group == NOT_SELECTED)
        continue;
      if (id_plus_1[span->group] == 0)
        {
          g_array_append_val (self->groups, span->group);
          id_plus_1[span->group] = self->groups->len;
        }

      guint32 id = id_plus_1[span->group] - 1;
      tt_tally_add (self->tally, id, span->dur_ns, 0, 0);
      if (self->places != NULL && (self->max_step == TT_NO_STEP || span->step != TT_NO_STEP))
        *(PlaceRecord *) tt_sorter_add (self->places) = (PlaceRecord){ id, tt_sort_key (span->step), index };
    }
  g_clear_pointer (&self->spans, tt_sorter_free);
  if (failure == NULL)
    return tt_tally_finish (self->tally, error) && (self->places == NULL || tt_sorter_finish (self->places, error));
  g_propagate_error (error, failure);
  return FALSE;
}

TtOpOrder *
tt_op_order_new (TtStore *store, TtSelection *selection, gboolean with_places, GError **error)
{
  const TtGroupKeys keys = { .n = 1, .key = { TT_KEY_OP_LONG_NAME } };
  g_autoptr (TtOpOrder) self = g_new0 (TtOpOrder, 1);

  self->store = store;
  self->selection = selection;
  self->grouping = tt_grouping_new (store, &keys);
  self->spans = tt_sorter_new (sizeof (SpanRecord), SORT_MEMORY);
  self->places = with_places ? tt_sorter_new (sizeof (PlaceRecord), SORT_MEMORY) : NULL;
  self->tally = tt_tally_new (TALLY_MEMORY);
  self->groups = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->hulls = g_array_new (FALSE, FALSE, sizeof (Hull));
  self->max_step = TT_NO_STEP;
  rank_names (self);
  rank_pids (self);
  if (!read_hulls (self, error) || !collect_spans (self, error) || !number_spans (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_op_order_free (TtOpOrder *self)
{
  if (self == NULL)
    return;
  tt_grouping_free (self->grouping);
  g_free (self->name_rank);
  g_free (self->pid_rank);
  g_clear_pointer (&self->spans, tt_sorter_free);
  g_clear_pointer (&self->places, tt_sorter_free);
  tt_tally_free (self->tally);
  g_array_unref (self->groups);
  g_array_unref (self->hulls);
  g_free (self);
}

/* -- asking -------------------------------------------------------------------------------------- */

gint32
tt_op_order_max_step (const TtOpOrder *self)
{
  return self->max_step;
}

guint
tt_op_order_count (const TtOpOrder *self)
{
  return self->groups->len;
}

gboolean
tt_op_order_next (TtOpOrder *self, TtOpOrderRow *row, GError **error)
{
  if (!tt_tally_next (self->tally, &row->sums, error))
    return FALSE;
  row->id = row->sums.group;
  row->member = tt_grouping_member (self->grouping, g_array_index (self->groups, guint32, row->id));
  return TRUE;
}

char *
tt_op_order_long_name (const TtOpOrder *self, const TtOpOrderRow *row)
{
  return tt_group_key_label (self->store, TT_KEY_OP_LONG_NAME, TT_NO_ID, row->member,
                             tt_store_name (self->store, row->member.name));
}

gboolean
tt_op_order_next_place (TtOpOrder *self, TtOpPlace *place, GError **error)
{
  const PlaceRecord *record = tt_sorter_next (self->places, error);

  if (record == NULL)
    return FALSE;
  *place = (TtOpPlace){ (guint32) record->id, (gint32) tt_sort_value (record->step_key), record->index };
  return TRUE;
}
