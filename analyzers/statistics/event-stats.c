/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/event-stats.h"

#include "analyzers/spans/each-event.h"
#include "analyzers/spans/parents.h"
#include "analyzers/statistics/metric-tally.h"
#include "analyzers/statistics/open-groups.h"
#include "analyzers/statistics/rows.h"
#include "analyzers/statistics/span-feed.h"
#include "src/base/error.h"
#include "src/trace/trust.h"

#define SORT_MEMORY ((gsize) 64 << 20)

/* A span that others may be inside of. Where the window cuts it, its self time is known when its children have passed. */
typedef struct
{
  gboolean is_cut;
  guint32 group, flags;
  gint64 dur_ns, self_ns, total_ns;
  gint64 covered_from_ns; /* begin of the first child so far */
  guint32 path;
} OpenSpan;

typedef struct
{
  TtStore *store;
  const TtEventStatsRequest *request;
  TtGrouping *grouping;
  TtOpenGroups *open;
  TtSpanFeed *feed;
  gboolean has_window, by_path;
  gboolean takes_windows;   /* spans that only name a stretch of time */
  GHashTable *marks;        /* by group: marks of its spans, of guint64 */
  const guint8 *is_damaged; /* by thread; NULL: none is */
  TtSpanParents *parents;   /* of OpenSpan; only with a window or by path */
  guint32 max_thread;
  gboolean
      by_name; /* of all spans: as the tables count, a span is inside another of its name where the trace says so */
} Scan;

/* -- the time window ----------------------------------------------------------------------------- */

static void
flush_cut_span (gpointer payload, gpointer data)
{
  const OpenSpan *span = payload;
  Scan *self = data;

  if (span->is_cut)
    tt_span_feed_add (self->feed, span->group, span->flags, span->dur_ns, MAX (span->self_ns, 0), span->total_ns);
}

/* Children come with falling ends: of one that crosses another only what lies before the others counts. */
static void
leave_to_child (OpenSpan *parent, const TtSelection *selection, const TtEvent *event)
{
  gint64 dur_ns = event->dur_ns, before_ns;

  if (!parent->is_cut)
    return;
  if ((event->flags & TT_FLAG_OVERLAP) != 0 &&
      !__builtin_sub_overflow (parent->covered_from_ns, event->ts_ns, &before_ns))
    dur_ns = CLAMP (before_ns, 0, dur_ns);
  parent->self_ns -= tt_selection_clip (selection, event->ts_ns, dur_ns);
  parent->covered_from_ns = MIN (parent->covered_from_ns, event->ts_ns);
}

/* -- marks --------------------------------------------------------------------------------------- */

#define IS_DAMAGED ((guint64) 1 << 63)

/* Few groups have any. */
static void
mark_group (GHashTable *marks, guint32 group, guint64 n, gboolean is_damaged)
{
  guint64 *mark = g_hash_table_lookup (marks, GUINT_TO_POINTER (group));

  if (mark == NULL)
    {
      mark = g_new0 (guint64, 1);
      g_hash_table_insert (marks, GUINT_TO_POINTER (group), mark);
    }
  *mark = (*mark + n) | (is_damaged ? IS_DAMAGED : 0);
}

/* By thread: whether it is of one of @processes. NULL: there are none. Free it. */
static guint8 *
find_damaged_threads (TtStore *store, GHashTable *processes)
{
  guint n;
  const TtThread *threads = tt_store_threads (store, &n);

  if (processes == NULL || g_hash_table_size (processes) == 0)
    return NULL;
  guint8 *is_damaged = g_malloc0 ((gsize) tt_store_max_thread (store) + 1);
  for (guint i = 0; i < n; i++)
    is_damaged[threads[i].id] = g_hash_table_contains (processes, GUINT_TO_POINTER (threads[i].process));
  return is_damaged;
}

/* -- one scan ------------------------------------------------------------------------------------ */

static gboolean
is_wanted (const Scan *self, const TtEvent *event)
{
  const TtSelection *selection = self->request->selection;

  return (self->takes_windows || (event->flags & TT_FLAG_WINDOW) == 0) &&
         !(self->request->only_measured && tt_flags_are_bounded (event->flags)) &&
         (selection == NULL || tt_selection_matches (selection, event));
}

/* Puts the span among those that may be around others. *@path: its path, where groups are by path. */
static OpenSpan *
open_span (Scan *self, const TtEvent *event, guint32 *path, GError **error)
{
  gpointer payload;
  OpenSpan *span = tt_span_parents_add (self->parents, event, &payload, error), *parent = payload;

  *path = 0;
  if (span == NULL)
    return NULL;
  if (parent != NULL && self->has_window)
    leave_to_child (parent, self->request->selection, event);
  if (!self->by_path)
    return span;
  *path = parent == NULL ? 0 : parent->path;
  if ((event->flags & TT_FLAG_WINDOW) == 0)
    *path = tt_grouping_path (self->grouping, *path, event->name);
  span->path = *path;
  if (*path != 0 || (event->flags & TT_FLAG_WINDOW) != 0)
    return span;
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
               "more than %u call paths; choose a part with --time-window, or see 'tree'", TT_MAX_PATHS);
  return NULL;
}

static gboolean
take_span (Scan *self, const TtEvent *event, GError **error)
{
  const TtSelection *selection = self->request->selection;
  gint64 clipped_ns = self->has_window ? tt_selection_clip (selection, event->ts_ns, event->dur_ns) : event->dur_ns;
  OpenSpan *span = NULL;
  guint32 path = 0;

  if (self->parents != NULL && (span = open_span (self, event, &path, error)) == NULL)
    return FALSE;
  if (!is_wanted (self, event))
    {
      tt_open_groups_put (self->open, event, TT_NO_GROUP);
      return TRUE;
    }

  guint32 group = tt_grouping_group_on (self->grouping, event->thread, path, event->name, event->step);
  gboolean is_nested =
      tt_open_groups_put (self->open, event, group) || (self->by_name && (event->flags & TT_FLAG_RECURSIVE) != 0);
  gboolean is_damaged = self->is_damaged != NULL && self->is_damaged[event->thread];
  if (G_UNLIKELY ((event->flags & TT_TRUST_FLAGS) != 0 || is_damaged))
    mark_group (self->marks, group, (event->flags & TT_TRUST_FLAGS) != 0, is_damaged);
  gint64 total_ns = is_nested ? 0 : clipped_ns;
  if (clipped_ns == event->dur_ns)
    tt_span_feed_add (self->feed, group, event->flags, event->own_ns, event->self_ns, is_nested ? 0 : event->own_ns);
  else
    *span = (OpenSpan){ .is_cut = TRUE,
                        .group = group,
                        .flags = event->flags,
                        .dur_ns = event->own_ns,
                        .self_ns = (event->flags & TT_FLAG_WINDOW) != 0 ? 0 : clipped_ns,
                        .total_ns = total_ns,
                        .covered_from_ns = G_MAXINT64,
                        .path = path };
  return TRUE;
}

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  return event->dur_ns == TT_NO_TIME || take_span (data, event, error);
}

static gboolean
scan_spans (Scan *self, GError **error)
{
  gint64 begin_ns = G_MININT64, end_ns = G_MAXINT64;

  if (self->request->selection != NULL)
    tt_selection_window (self->request->selection, &begin_ns, &end_ns);
  gboolean is_ok = tt_each_event_between (self->store, TT_SCAN_REVERSE, begin_ns, end_ns, take_event, self, error);
  if (self->parents != NULL)
    tt_span_parents_finish (self->parents);
  return is_ok;
}

/* -- rows ---------------------------------------------------------------------------------------- */

static inline gboolean
is_behind (const TtEventStats *self,
           const TtEventStatsRequest *request,
           const TtEventStatsRow *a,
           const TtEventStatsRow *b)
{
  return request->order (self, a, b, request->order_data) > 0;
}

/* With a limit the rows are a heap, the last of them at its top: @row goes to @i or above. */
static void
sift_up (TtEventStats *self, const TtEventStatsRequest *request, const TtEventStatsRow *row, guint i)
{
  TtEventStatsRow *rows = (TtEventStatsRow *) (void *) self->rows->data;

  while (i > 0 && is_behind (self, request, row, &rows[(i - 1) / 2]))
    {
      rows[i] = rows[(i - 1) / 2];
      i = (i - 1) / 2;
    }
  rows[i] = *row;
}

/* Replaces the top. */
static void
sift_down (TtEventStats *self, const TtEventStatsRequest *request, const TtEventStatsRow *row)
{
  TtEventStatsRow *rows = (TtEventStatsRow *) (void *) self->rows->data;
  guint64 i = 0, child, n = self->rows->len;

  while ((child = 2 * i + 1) < n)
    {
      if (child + 1 < n && is_behind (self, request, &rows[child + 1], &rows[child]))
        child++;
      if (!is_behind (self, request, &rows[child], row))
        break;
      rows[i] = rows[child];
      i = child;
    }
  rows[i] = *row;
}

static void
add_row (TtEventStats *self, const TtEventStatsRequest *request, const TtEventStatsRow *row)
{
  self->n_rows++;
  self->self_ns += row->sums.self_ns;
  if (request->n_most == 0 || self->rows->len < request->n_most)
    {
      g_array_append_vals (self->rows, row, 1);
      if (request->n_most > 0)
        sift_up (self, request, row, self->rows->len - 1);
    }
  else if (is_behind (self, request, &g_array_index (self->rows, TtEventStatsRow, 0), row))
    sift_down (self, request, row);
}

static gboolean
is_over_processes (const TtGroupKeys *keys)
{
  return !tt_group_keys_has (keys, TT_KEY_PID) && !tt_group_keys_has (keys, TT_KEY_RANK) &&
         !tt_group_keys_has (keys, TT_KEY_OP_LONG_NAME);
}

static gboolean
collect_rows (TtEventStats *self,
              const TtEventStatsRequest *request,
              TtTally *tally,
              const TtGrouping *grouping,
              GHashTable *marks,
              GError **error)
{
  const gboolean is_over_damaged =
      is_over_processes (&request->keys) && request->damaged != NULL && g_hash_table_size (request->damaged) > 0;
  GError *failure = NULL;
  TtTallyRow sums;

  if (!tt_tally_finish (tally, error))
    return FALSE;
  while (tt_tally_next (tally, &sums, &failure))
    {
      TtEventStatsRow row = { .sums = sums, .member = tt_grouping_member (grouping, sums.group) };
      const TtThread *thread = tt_store_thread (self->store, row.member.thread);

      row.process = thread == NULL ? TT_NO_ID : thread->process;
      const guint64 *mark = g_hash_table_lookup (marks, GUINT_TO_POINTER (sums.group));
      row.n_marked = mark == NULL ? 0 : *mark & ~IS_DAMAGED;
      row.is_damaged = mark != NULL && (*mark & IS_DAMAGED) != 0;
      self->n_marked += row.n_marked > 0;
      row.may_lack = is_over_damaged && !row.is_damaged;
      self->n_damaged += row.is_damaged || row.may_lack;
      add_row (self, request, &row);
    }
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

static gboolean
is_by_name (const TtEventStatsRequest *request)
{
  const TtGroupKeys *keys = &request->keys;

  return request->selection == NULL && keys->n == 1 &&
         (keys->key[0] == TT_KEY_NAME || keys->key[0] == TT_KEY_OP_LONG_NAME);
}

static gboolean
scan_times (TtEventStats *stats, const TtEventStatsRequest *request, GError **error)
{
  g_autoptr (TtGrouping) grouping = tt_grouping_new (stats->store, &request->keys);
  g_autoptr (TtOpenGroups) open = tt_open_groups_new (tt_store_max_thread (stats->store));
  g_autoptr (TtTally) tally = tt_tally_new (SORT_MEMORY);
  g_autoptr (GHashTable) marks = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autofree guint8 *is_damaged = find_damaged_threads (stats->store, request->damaged);
  Scan scan = {
    .store = stats->store,
    .request = request,
    .grouping = grouping,
    .open = open,
    .marks = marks,
    .is_damaged = is_damaged,
    .takes_windows = tt_group_keys_take_windows (&request->keys),
    .has_window = request->selection != NULL && tt_selection_has_window (request->selection),
    .by_path = tt_group_keys_has (&request->keys, TT_KEY_PATH),
    .max_thread = tt_store_max_thread (stats->store),
    .by_name = is_by_name (request),
  };

  if (scan.has_window || scan.by_path)
    scan.parents = tt_span_parents_new (scan.max_thread, sizeof (OpenSpan), flush_cut_span, &scan);
  scan.feed = tt_span_feed_new (tally);
  gboolean is_ok = scan_spans (&scan, error);
  tt_span_feed_finish (scan.feed);
  tt_span_parents_free (scan.parents);
  /* Rows of equal value are told apart by their labels. */
  TtGrouping *groups = grouping;
  if (scan.by_path)
    stats->paths = g_steal_pointer (&grouping);
  return is_ok && collect_rows (stats, request, tally, groups, marks, error);
}

/* -- the tables ---------------------------------------------------------------------------------- */

typedef struct
{
  TtEventStats *stats;
  const TtEventStatsRequest *request;
} TableRead;

static gboolean
take_statistic (const TtStatistic *statistic, gpointer data)
{
  const TableRead *read = data;
  TtEventStatsRow row = {
    .sums = tt_statistic_sums (statistic),
    .member = { .name = statistic->name, .thread = TT_NO_ID, .step = TT_NO_STEP },
    .process = statistic->process,
  };

  row.sums.group = (guint32) read->stats->n_rows;
  add_row (read->stats, read->request, &row);
  return TRUE;
}

/* Medians of two runs cannot be put together, so only one run is answered by its table. */
static gboolean
find_table (TtStore *store, const TtEventStatsRequest *request, TtStatisticTable *table)
{
  const TtGroupKeys *keys = &request->keys;
  guint n_runs;

  tt_store_runs (store, &n_runs);
  if (n_runs != 1 || request->is_counted || request->only_measured || request->metric != TT_NO_ID ||
      (request->selection != NULL && !tt_selection_is_everything (request->selection)))
    return FALSE;
  *table = tt_group_keys_is (keys, TT_KEY_NAME) ? TT_STATISTIC_BY_NAME : TT_STATISTIC_BY_LONG_NAME;
  return tt_group_keys_is (keys, TT_KEY_NAME) || tt_group_keys_is (keys, TT_KEY_OP_LONG_NAME) ||
         (keys->n == 2 && tt_group_keys_has (keys, TT_KEY_NAME) && tt_group_keys_has (keys, TT_KEY_PID));
}

/* The tables keep suffixes apart: they do not answer for names with several of them. */
static gboolean
read_table (TtEventStats *self,
            const TtEventStatsRequest *request,
            TtStatisticTable table,
            gboolean *is_answered,
            GError **error)
{
  TableRead read = { .stats = self, .request = request };
  gboolean has_suffixes = FALSE;

  if (!tt_group_keys_has (&self->keys, TT_KEY_OP_LONG_NAME) &&
      !tt_store_has_suffixes (self->store, &has_suffixes, error))
    return FALSE;
  *is_answered = !has_suffixes;
  return has_suffixes || tt_store_each_statistic (self->store, table, take_statistic, &read, error);
}

/* -- public -------------------------------------------------------------------------------------- */

static gboolean
fill_rows (TtEventStats *self, const TtEventStatsRequest *request, GError **error)
{
  TtStatisticTable table;
  gboolean is_answered = FALSE;

  if (find_table (self->store, request, &table) && !read_table (self, request, table, &is_answered, error))
    return FALSE;
  if (is_answered)
    return TRUE;
  if (request->metric == TT_NO_ID)
    return scan_times (self, request, error);

  g_autoptr (TtGrouping) grouping = tt_grouping_new (self->store, &request->keys);
  g_autoptr (TtTally) tally = tt_tally_new (SORT_MEMORY);
  g_autoptr (GHashTable) marks = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return tt_metric_tally (self->store, request, grouping, tally, error) &&
         collect_rows (self, request, tally, grouping, marks, error);
}

TtEventStats *
tt_event_stats_new (TtStore *store, const TtEventStatsRequest *request, GError **error)
{
  g_autoptr (TtEventStats) self = g_new0 (TtEventStats, 1);

  self->store = store;
  self->keys = request->keys;
  self->is_limited = request->n_most > 0;
  self->rows = g_array_new (FALSE, FALSE, sizeof (TtEventStatsRow));
  if (!fill_rows (self, request, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_event_stats_free (TtEventStats *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->rows);
  tt_grouping_free (self->paths);
  g_free (self);
}

char *
tt_event_stats_label (const TtEventStats *self, const TtEventStatsRow *row, guint k)
{
  if (self->keys.key[k] == TT_KEY_PATH)
    return tt_grouping_path_text (self->paths, row->member.path);

  const TtStoredName *name = self->is_limited ? tt_store_peek_name (self->store, row->member.name)
                                              : tt_store_name (self->store, row->member.name);

  return tt_group_key_label (self->store, self->keys.key[k], row->process, row->member, name);
}
