/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/recount.h"

#include <string.h>

#include "analyzers/statistics/event-stats.h"
#include "analyzers/statistics/rows.h"

/* Several processes may have the same pid, and names only differ in their suffix: medians of such rows cannot be put
 * together. */
typedef struct
{
  guint64 key;
  TtTallyRow sums;
  guint n_parts;
  gboolean has_bounded; /* a part whose extremes are not known */
} Row;

typedef struct
{
  TtStore *store;
  TtStatisticTable table;
  guint32 *first_names;
  GHashTable *pids;      /* text -> first process with it */
  GHashTable *rows;      /* guint64 -> Row: what the spans sum up to */
  GHashTable *kept_rows; /* likewise: what the table says */
  TtRecount *recount;
} Recount;

static void
recount_clear (Recount *self)
{
  g_free (self->first_names);
  g_clear_pointer (&self->pids, g_hash_table_unref);
  g_clear_pointer (&self->rows, g_hash_table_unref);
  g_clear_pointer (&self->kept_rows, g_hash_table_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Recount, recount_clear)

/* -- rows ------------------------------------------------------------------------------------------------------ */

static guint64
key_of (const Recount *self, guint32 process, guint32 name)
{
  const TtProcess *p = tt_store_process (self->store, process);
  guint32 first = p == NULL || self->table == TT_STATISTIC_BY_NAME
                      ? 0
                      : GPOINTER_TO_UINT (g_hash_table_lookup (self->pids, p->pid));

  return (guint64) first << 32 | self->first_names[name];
}

static void
add_row (GHashTable *rows, guint64 key, const TtTallyRow *sums)
{
  Row *row = g_hash_table_lookup (rows, &key);

  if (row == NULL)
    {
      row = g_new (Row, 1);
      *row = (Row){ key, *sums, 1, tt_tally_row_is_bounded (sums) };
      g_hash_table_insert (rows, &row->key, row);
      return;
    }
  row->n_parts++;
  row->has_bounded |= tt_tally_row_is_bounded (sums);
  row->sums.count += sums->count;
  row->sums.total_ns += sums->total_ns;
  row->sums.self_ns += sums->self_ns;
  row->sums.sum_ns += sums->sum_ns;
  row->sums.sum_sq = ~(tt_uint128) 0;
  row->sums.min_ns = MIN (row->sums.min_ns, sums->min_ns);
  row->sums.max_ns = MAX (row->sums.max_ns, sums->max_ns);
}

static gboolean
is_same (const Row *a, const Row *b)
{
  const TtTallyRow *x = &a->sums, *y = &b->sums;

  if (x->count != y->count || x->total_ns != y->total_ns || x->self_ns != y->self_ns || x->sum_ns != y->sum_ns)
    return FALSE;
  if (a->has_bounded || b->has_bounded)
    return TRUE;
  if (x->min_ns != y->min_ns || x->max_ns != y->max_ns)
    return FALSE;
  return a->n_parts > 1 || b->n_parts > 1 ||
         (x->sum_sq == y->sum_sq && x->median_ns == y->median_ns && x->p95_ns == y->p95_ns && x->p99_ns == y->p99_ns);
}

/* -- both sides -------------------------------------------------------------------------------------------------- */

static gboolean
keep_statistic (const TtStatistic *statistic, gpointer data)
{
  Recount *self = data;
  const TtTallyRow sums = tt_statistic_sums (statistic);

  add_row (self->kept_rows, key_of (self, statistic->process, statistic->name), &sums);
  return TRUE;
}

static TtEventStats *
count_spans (TtStore *store, TtGroupKey key, GError **error)
{
  const TtEventStatsRequest request = { .keys = { 1, { key } }, .metric = TT_NO_ID, .is_counted = TRUE };

  return tt_event_stats_new (store, &request, error);
}

static gboolean
add_both (Recount *self, const TtEventStats *stats, GError **error)
{
  guint n;
  const TtProcess *processes = tt_store_processes (self->store, &n);

  self->first_names = tt_store_first_names (self->store, error);
  self->pids = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = n; i > 0; i--)
    g_hash_table_insert (self->pids, (gpointer) processes[i - 1].pid, GUINT_TO_POINTER (processes[i - 1].id));
  self->rows = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  self->kept_rows = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  for (guint i = 0; self->first_names != NULL && i < stats->rows->len; i++)
    {
      const TtEventStatsRow *row = &g_array_index (stats->rows, TtEventStatsRow, i);

      add_row (self->rows, key_of (self, row->process, row->member.name), &row->sums);
    }
  return self->first_names != NULL && tt_store_each_statistic (self->store, self->table, keep_statistic, self, error);
}

/* -- the comparison ---------------------------------------------------------------------------------------------- */

static void G_GNUC_PRINTF (3, 4) tell (Recount *self, guint64 key, const char *format, ...)
{
  va_list arguments;

  self->recount->n_wrong++;
  if (self->recount->first != NULL)
    return;
  va_start (arguments, format);
  g_autofree char *what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_autofree char *name = tt_store_long_name (self->store, (guint32) (key >> 32), (guint32) key);
  self->recount->first =
      g_strdup_printf ("'%s': %s", self->table == TT_STATISTIC_BY_NAME ? name + strlen ("->") : name, what);
}

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;

  return (x > y) - (x < y);
}

static void
compare (Recount *self)
{
  g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (self->rows), compare_keys);

  for (const GList *at = keys; at != NULL; at = at->next)
    {
      const Row *row = g_hash_table_lookup (self->rows, at->data),
                *kept = g_hash_table_lookup (self->kept_rows, at->data);

      self->recount->n++;
      if (kept == NULL)
        tell (self, row->key, "no statistics of its %" G_GUINT64_FORMAT " spans", row->sums.count);
      else if (kept->sums.count != row->sums.count)
        tell (self, row->key, "statistics of %" G_GUINT64_FORMAT " spans, there are %" G_GUINT64_FORMAT,
              kept->sums.count, row->sums.count);
      else if (!is_same (row, kept))
        tell (self, row->key, "statistics of its %" G_GUINT64_FORMAT " spans that are not theirs", row->sums.count);
    }
  guint n_rows = g_hash_table_size (self->rows), n_kept = g_hash_table_size (self->kept_rows);
  if (n_kept > n_rows && self->recount->n_wrong == 0)
    {
      self->recount->n_wrong = n_kept - n_rows;
      self->recount->first = g_strdup_printf ("%u rows of statistics of names without a span", n_kept - n_rows);
    }
}

static gboolean
recount_table (TtStore *store, TtStatisticTable table, const TtEventStats *stats, TtRecount *recount, GError **error)
{
  g_auto (Recount) self = { .store = store, .table = table, .recount = recount };

  if (stats == NULL || !add_both (&self, stats, error))
    return FALSE;
  compare (&self);
  return TRUE;
}

gboolean
tt_statistics_recount (TtStore *store, TtRecount *recount, GError **error)
{
  gboolean has_suffixes;

  if (!tt_store_has_suffixes (store, &has_suffixes, error))
    return FALSE;
  g_autoptr (TtEventStats) by_long_name = count_spans (store, TT_KEY_OP_LONG_NAME, error);
  if (!recount_table (store, TT_STATISTIC_BY_LONG_NAME, by_long_name, recount, error))
    return FALSE;
  /* Long names tell suffixes apart, which names do not. */
  g_autoptr (TtEventStats) by_name = has_suffixes ? NULL : count_spans (store, TT_KEY_NAME, error);
  return recount_table (store, TT_STATISTIC_BY_NAME, has_suffixes ? by_long_name : by_name, recount, error);
}
