/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/event-stats.h"

#include "analyzers/spans/shares.h"
#include "analyzers/statistics/joint-help.h"
#include "analyzers/statistics/metric-tally.h"
#include "analyzers/statistics/rows.h"
#include "analyzers/statistics/span-scan.h"

#define SORT_MEMORY ((gsize) 64 << 20)

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

typedef struct
{
  TtEventStats *stats;
  const TtEventStatsRequest *request;
  const TtGrouping *grouping;
  gboolean is_over_damaged;
} RowMaker;

static RowMaker
row_maker (TtEventStats *stats, const TtEventStatsRequest *request, const TtGrouping *grouping)
{
  return (RowMaker){ .stats = stats,
                     .request = request,
                     .grouping = grouping,
                     .is_over_damaged = is_over_processes (&request->keys) && request->damaged != NULL &&
                                        g_hash_table_size (request->damaged) > 0 };
}

/* @mark: of TtSpanScan. */
static void
make_row (const TtTallyRow *sums, guint64 mark, gpointer data)
{
  RowMaker *self = data;
  TtEventStats *stats = self->stats;
  TtEventStatsRow row = { .sums = *sums, .member = tt_grouping_member (self->grouping, sums->group) };
  const TtThread *thread = tt_store_thread (stats->store, row.member.thread);

  row.process = thread == NULL ? TT_NO_ID : thread->process;
  row.n_marked = mark & ~TT_SPAN_SCAN_IS_DAMAGED;
  row.is_damaged = (mark & TT_SPAN_SCAN_IS_DAMAGED) != 0;
  stats->n_marked += row.n_marked > 0;
  row.may_lack = self->is_over_damaged && !row.is_damaged;
  stats->n_damaged += row.is_damaged || row.may_lack;
  add_row (stats, self->request, &row);
}

/* @tally: has been finished. @marks: NULL, or of TtSpanScan. */
static gboolean
collect_rows (RowMaker *maker, TtTally *tally, GHashTable *marks, GError **error)
{
  GError *failure = NULL;
  TtTallyRow sums;

  while (tt_tally_next (tally, &sums, &failure))
    {
      const guint64 *mark = marks == NULL ? NULL : g_hash_table_lookup (marks, GUINT_TO_POINTER (sums.group));
      make_row (&sums, mark == NULL ? 0 : *mark, maker);
    }
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

/* -- one scan ------------------------------------------------------------------------------------ */

/* Rows of equal value are told apart by their labels, for which paths have to be there. */
static TtGrouping *
keep_paths (TtEventStats *stats, const TtEventStatsRequest *request, TtSpanScan *scan)
{
  if (!tt_group_keys_has (&request->keys, TT_KEY_PATH))
    return scan->grouping;
  stats->paths = g_steal_pointer (&scan->grouping);
  return stats->paths;
}

/* What ranks scan. Sources are cut only where each rank can tell what is around its spans; in a time window, which takes from spans what those inside of
 * them have, it cannot. */
typedef struct
{
  gboolean is_shared, is_cut;
} Sharing;

static Sharing
plan_sharing (TtStore *store, const TtEventStatsRequest *request)
{
  const gboolean has_window = request->selection != NULL && tt_selection_has_window (request->selection);
  Sharing sharing = { 0 };

  if (request->crew == NULL)
    return sharing;
  sharing.is_cut = !has_window && tt_event_shares_are_uneven (store, request->crew->n);
  sharing.is_shared = sharing.is_cut || tt_event_shares_count (store, request->crew->n) > 1;
  return sharing;
}

static gboolean
scan_cut_share (TtSpanScan *scan, TtStore *store, const TtEventStatsRequest *request, GError **error)
{
  g_autoptr (GArray) around = NULL;
  TtEventCut cut;

  tt_event_share_cut (store, request->crew->n, request->crew->rank, &cut);
  if (cut.last < cut.source_last)
    {
      around = tt_store_events_around (store, MAX (cut.first, cut.source_first), cut.last + 1, cut.source_last, error);
      if (around == NULL)
        return FALSE;
    }
  return tt_span_scan_run (scan, store, request, cut.first, cut.last, around, error);
}

static gboolean
scan_share (TtSpanScan *scan, TtStore *store, const TtEventStatsRequest *request, Sharing sharing, GError **error)
{
  guint64 first, last;

  if (sharing.is_cut)
    return scan_cut_share (scan, store, request, error);
  tt_event_share (store, request->crew->n, request->crew->rank, &first, &last);
  return tt_span_scan_run (scan, store, request, first, last, NULL, error);
}

/* As another rank than 0. */
static gboolean
help_scan (TtStore *store, const TtEventStatsRequest *request, Sharing sharing, GError **error)
{
  g_auto (TtSpanScan) scan = { 0 };

  if (!scan_share (&scan, store, request, sharing, error))
    return FALSE;
  const TtJointPart part = { store, scan.grouping, scan.tally, scan.marks, sharing.is_cut && !scan.is_plain };
  return tt_joint_stats_give (request->crew, &part, error);
}

/* As rank 0. An error of its own counts more than what others say of it. *@is_odd: it has to count all. */
static gboolean
share_scan (TtEventStats *stats, const TtEventStatsRequest *request, Sharing sharing, gboolean *is_odd, GError **error)
{
  g_auto (TtSpanScan) scan = { 0 };
  GError *own = NULL;

  if (!request->is_one_of_many)
    request->crew->call (request->crew->id);
  gboolean done = scan_share (&scan, stats->store, request, sharing, &own);
  if (done)
    {
      TtJointPart part = { stats->store, keep_paths (stats, request, &scan), scan.tally, scan.marks,
                           sharing.is_cut && !scan.is_plain };
      RowMaker maker = row_maker (stats, request, part.grouping);
      done = tt_joint_stats_take (request->crew, &part, make_row, &maker, &own);
      *is_odd = done && part.is_odd;
    }
  if (!request->is_one_of_many)
    return tt_crew_end (request->crew, done, own, error);
  if (own != NULL)
    g_propagate_error (error, own);
  return done && request->crew->rest (error);
}

static gboolean
scan_times (TtEventStats *stats, const TtEventStatsRequest *request, GError **error)
{
  const Sharing sharing = plan_sharing (stats->store, request);
  g_auto (TtSpanScan) scan = { 0 };
  gboolean is_odd = FALSE;

  if (request->crew != NULL && request->crew->rank > 0)
    return !sharing.is_shared || help_scan (stats->store, request, sharing, error);
  if (sharing.is_shared)
    {
      const gboolean done = share_scan (stats, request, sharing, &is_odd, error);
      if (!done || !is_odd)
        return done;
      g_debug ("spans are not plainly nested: one rank counts all");
      g_clear_pointer (&stats->paths, tt_grouping_free);
    }
  if (!tt_span_scan_run (&scan, stats->store, request, 0, G_MAXUINT64, NULL, error))
    return FALSE;
  RowMaker maker = row_maker (stats, request, keep_paths (stats, request, &scan));
  return collect_rows (&maker, scan.tally, scan.marks, error);
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
  RowMaker maker = row_maker (self, request, grouping);
  return tt_metric_tally (self->store, request, grouping, tally, error) && tt_tally_finish (tally, error) &&
         collect_rows (&maker, tally, NULL, error);
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
