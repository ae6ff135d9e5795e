#include "config.h"

#include "src/cli/tables/stats.h"

#include "src/base/error.h"
#include "src/base/suggest.h"

#include <math.h>
#include <string.h>

typedef enum
{
  COLUMN_TIME,
  COLUMN_TOTAL,
  COLUMN_SELF,
  COLUMN_COUNT,
  COLUMN_AVG,
  COLUMN_MED,
  COLUMN_MIN,
  COLUMN_MAX,
  COLUMN_STDDEV,
  COLUMN_P95,
  COLUMN_P99,
  N_COLUMNS,
} Column;

/* @width: of the terminal from which on the column is shown; names need what is left. */
static const struct
{
  const char *word, *title, *key;
  guint width;
} columns[N_COLUMNS] = {
  [COLUMN_TIME] = { "time", "Time %", "time_percent", 0 },
  [COLUMN_TOTAL] = { "total", "Total", "total", 0 },
  [COLUMN_SELF] = { "self", "Self", "self", 0 },
  [COLUMN_COUNT] = { "count", "Count", "count", 0 },
  [COLUMN_AVG] = { "avg", "Avg", "avg", 0 },
  [COLUMN_MED] = { "med", "Med", "med", 110 },
  [COLUMN_MIN] = { "min", "Min", "min", 110 },
  [COLUMN_MAX] = { "max", "Max", "max", 96 },
  [COLUMN_STDDEV] = { "stddev", "StdDev", "stddev", 150 },
  [COLUMN_P95] = { "p95", "P95", "p95", 150 },
  [COLUMN_P99] = { "p99", "P99", "p99", 150 },
};

/* -- order --------------------------------------------------------------------------------------- */

static int
compare_int128 (tt_int128 a, tt_int128 b)
{
  return (a > b) - (a < b);
}

/* What is not a number is below all numbers. */
static int
compare_real (double a, double b)
{
  if (isnan (a) || isnan (b))
    return (isnan (a) == 0) - (isnan (b) == 0);
  return (a > b) - (a < b);
}

static double
avg_of (const TtTallyRow *sums)
{
  return sums->count == 0 ? 0.0 : (double) sums->sum_ns / (double) sums->count;
}

static int
compare_column (Column column, const TtTallyRow *a, const TtTallyRow *b)
{
  switch (column)
    {
    case COLUMN_TIME:
    case COLUMN_SELF:
      return compare_int128 (a->self_ns, b->self_ns);
    case COLUMN_TOTAL:
      return compare_int128 (a->total_ns, b->total_ns);
    case COLUMN_COUNT:
      return compare_int128 (a->count, b->count);
    case COLUMN_AVG:
      return compare_real (avg_of (a), avg_of (b));
    case COLUMN_MED:
      return compare_int128 (a->median_ns, b->median_ns);
    case COLUMN_MIN:
      return compare_int128 (a->min_ns, b->min_ns);
    case COLUMN_MAX:
      return compare_int128 (a->max_ns, b->max_ns);
    case COLUMN_STDDEV:
      return compare_real (tt_tally_stddev_ns (a->count, a->sum_ns, a->sum_sq),
                           tt_tally_stddev_ns (b->count, b->sum_ns, b->sum_sq));
    case COLUMN_P95:
      return compare_int128 (a->p95_ns, b->p95_ns);
    case COLUMN_P99:
      return compare_int128 (a->p99_ns, b->p99_ns);
    case N_COLUMNS:
      break;
    }
  g_return_val_if_reached (0);
}

/* Steps sort as numbers, everything else as text. */
static int
compare_labels (const TtEventStats *stats, const TtEventStatsRow *a, const TtEventStatsRow *b)
{
  for (guint k = 0; k < stats->keys.n; k++)
    {
      int order;

      if (stats->keys.key[k] == TT_KEY_STEP)
        order = (a->member.step > b->member.step) - (a->member.step < b->member.step);
      else
        {
          g_autofree char *label_a = tt_event_stats_label (stats, a, k);
          g_autofree char *label_b = tt_event_stats_label (stats, b, k);
          order = g_strcmp0 (label_a, label_b);
        }
      if (order != 0)
        return order;
    }
  return (a->sums.group > b->sums.group) - (a->sums.group < b->sums.group);
}

/* @data: a Column; N_COLUMNS: by label. */
static int
compare_rows (const TtEventStats *stats, const TtEventStatsRow *a, const TtEventStatsRow *b, gconstpointer data)
{
  Column column = (Column) GPOINTER_TO_UINT (data);
  int by_column = column == N_COLUMNS ? 0 : compare_column (column, &b->sums, &a->sums);

  return by_column != 0 ? by_column : compare_labels (stats, a, b);
}

typedef struct
{
  const TtEventStats *stats;
  Column sort; /* N_COLUMNS: by label */
} Order;

static int
compare_in_order (gconstpointer a, gconstpointer b, gpointer data)
{
  const Order *order = data;

  return compare_rows (order->stats, a, b, GUINT_TO_POINTER (order->sort));
}

static gboolean
parse_sort (const char *word, const char *const *words, guint *column, GError **error)
{
  *column = 0;
  for (guint i = 0; word != NULL && words[i] != NULL; i++)
    if (g_str_equal (words[i], word))
      {
        *column = i;
        return TRUE;
      }
  if (word == NULL)
    return TRUE;

  const char *near = tt_suggest (word, words);
  g_autofree char *all = g_strjoinv (", ", (char **) words);
  if (near != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "cannot sort by '%s'; did you mean '%s'?", word, near);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "cannot sort by '%s'; possible are %s", word, all);
  return FALSE;
}

static guint
n_shown (guint n_rows, const TtStatsTableOptions *options)
{
  return options->top > 0 ? MIN (n_rows, (guint) options->top) : n_rows;
}

static double
percent (tt_int128 part, tt_int128 whole)
{
  return whole == 0 ? 0.0 : 100.0 * (double) part / (double) whole;
}

static void
add_footer (TtReport *report, guint64 n_more, tt_int128 rest, tt_int128 whole, gboolean is_count)
{
  char count[TT_TIME_TEXT];

  if (n_more == 0)
    return;
  g_autofree char *footer = g_strdup_printf ("and %s more (%.2f %% of %s)", tt_count_text (count, n_more),
                                             percent (rest, whole), is_count ? "all" : "time");
  tt_report_footer (report, footer);
}

static void
add_label_columns (TtReport *report, const TtGroupKeys *keys)
{
  for (guint k = 0; k < keys->n; k++)
    {
      const char *word = tt_group_key_text (keys->key[k]);
      g_autofree char *title = g_strdup (word);

      title[0] = g_ascii_toupper (title[0]);
      for (char *p = title; *p != '\0'; p++)
        if (*p == '_')
          *p = ' ';
      tt_report_column (report, TT_COLUMN_TEXT, title, word);
    }
}

/* -- one row a group ----------------------------------------------------------------------------- */

static void
declare_columns (TtReport *report, const TtStatsTableOptions *options, const gboolean *is_shown)
{
  for (guint column = 0; column < N_COLUMNS; column++)
    {
      gboolean is_real = column == COLUMN_AVG || column == COLUMN_STDDEV;
      TtColumnKind kind = !options->is_count ? TT_COLUMN_TIME : is_real ? TT_COLUMN_REAL : TT_COLUMN_COUNT;

      if (!is_shown[column])
        continue;
      if (column == COLUMN_TIME || column == COLUMN_COUNT)
        kind = column == COLUMN_TIME ? TT_COLUMN_PERCENT : TT_COLUMN_COUNT;
      tt_report_column (report, kind, options->is_count && column == COLUMN_TIME ? "Self %" : columns[column].title,
                        columns[column].key);
    }
}

static void
add_cell (TtReport *report, Column column, const TtTallyRow *sums, tt_int128 all_self)
{
  switch (column)
    {
    case COLUMN_TIME:
      tt_report_real (report, percent (sums->self_ns, all_self));
      break;
    case COLUMN_TOTAL:
      tt_report_int128 (report, sums->total_ns);
      break;
    case COLUMN_SELF:
      tt_report_int128 (report, sums->self_ns);
      break;
    case COLUMN_COUNT:
      tt_report_int (report, (gint64) sums->count);
      break;
    case COLUMN_AVG:
      tt_report_real (report, avg_of (sums));
      break;
    case COLUMN_MED:
      tt_report_int (report, sums->median_ns);
      break;
    case COLUMN_MIN:
      tt_report_int (report, sums->min_ns);
      break;
    case COLUMN_MAX:
      tt_report_int (report, sums->max_ns);
      break;
    case COLUMN_STDDEV:
      tt_report_real (report, tt_tally_stddev_ns (sums->count, sums->sum_ns, sums->sum_sq));
      break;
    case COLUMN_P95:
      tt_report_int (report, sums->p95_ns);
      break;
    case COLUMN_P99:
      tt_report_int (report, sums->p99_ns);
      break;
    case N_COLUMNS:
      break;
    }
}

static gboolean
parse_column (const char *sort, Column *column, GError **error)
{
  const char *words[N_COLUMNS + 2] = { NULL };
  guint index;

  for (guint i = 0; i < N_COLUMNS; i++)
    words[i] = columns[i].word;
  words[N_COLUMNS] = "name";
  gboolean is_known = parse_sort (sort, words, &index, error);
  *column = (Column) index;
  return is_known;
}

gboolean
tt_stats_table_limit (TtEventStatsRequest *request, const TtStatsTableOptions *options, GError **error)
{
  Column column;

  if (!parse_column (options->sort, &column, error))
    return FALSE;
  request->n_most = (guint) MAX (options->top, 0);
  request->order = compare_rows;
  request->order_data = GUINT_TO_POINTER (column);
  return TRUE;
}

TtReport *
tt_stats_table (const TtEventStats *stats, const TtStatsTableOptions *options, GError **error)
{
  Order order = { .stats = stats };
  gboolean is_shown[N_COLUMNS];
  tt_int128 rest = stats->self_ns;

  if (!parse_column (options->sort, &order.sort, error))
    return NULL;
  for (guint column = 0; column < N_COLUMNS; column++)
    is_shown[column] = options->width == 0 || options->width >= columns[column].width ||
                       (options->sort != NULL && order.sort == column);

  TtReport *report = tt_report_new (options->unit);
  declare_columns (report, options, is_shown);
  add_label_columns (report, &stats->keys);
  g_array_sort_with_data (stats->rows, compare_in_order, &order);
  guint n = n_shown (stats->rows->len, options);
  for (guint i = 0; i < n; i++)
    {
      const TtEventStatsRow *row = &g_array_index (stats->rows, TtEventStatsRow, i);

      rest -= row->sums.self_ns;
      for (guint column = 0; column < N_COLUMNS; column++)
        if (is_shown[column])
          add_cell (report, (Column) column, &row->sums, stats->self_ns);
      for (guint k = 0; k < stats->keys.n; k++)
        {
          g_autofree char *label = tt_event_stats_label (stats, row, k);
          tt_report_text (report, label);
        }
    }
  add_footer (report, stats->n_rows - n, rest, stats->self_ns, options->is_count);
  return report;
}

/* -- one row a group, over processes ------------------------------------------------------------- */

typedef struct
{
  TtEventStatsRow row; /* of the slowest process; sums.self_ns and .count of all of them */
  guint n_present;
  tt_int128 min_ns, max_ns, sum_ns;
  double mean_ns, imbalance;
} Fold;

static const char *const fold_words[] = { "time", "ranks", "min", "mean", "max", "imbalance", "total", "name", NULL };

static void
add_to_fold (Fold *fold, const TtEventStatsRow *row)
{
  tt_int128 total = row->sums.total_ns;
  tt_int128 self = fold->row.sums.self_ns;

  if (fold->n_present == 0 || total > fold->max_ns || (total == fold->max_ns && row->process < fold->row.process))
    {
      fold->row = *row;
      fold->max_ns = total;
    }
  fold->row.sums.self_ns = self + row->sums.self_ns;
  fold->min_ns = fold->n_present == 0 ? total : MIN (fold->min_ns, total);
  fold->sum_ns += total;
  fold->n_present++;
}

static GArray *
fold_rows (const TtEventStats *stats, const TtGroupKeys *keys, guint n_processes)
{
  g_autoptr (TtGrouping) grouping = tt_grouping_new (stats->store, keys);
  GArray *folds = g_array_new (FALSE, TRUE, sizeof (Fold));

  for (guint i = 0; i < stats->rows->len; i++)
    {
      const TtEventStatsRow *row = &g_array_index (stats->rows, TtEventStatsRow, i);
      guint32 group = tt_grouping_group (grouping, row->member.thread, row->member.name, row->member.step);

      if (group >= folds->len)
        g_array_set_size (folds, group + 1);
      add_to_fold (&g_array_index (folds, Fold, group), row);
    }
  for (guint i = 0; i < folds->len; i++)
    {
      Fold *fold = &g_array_index (folds, Fold, i);
      guint n = MAX (n_processes, fold->n_present);

      if (n > fold->n_present)
        fold->min_ns = MIN (fold->min_ns, 0);
      fold->row.sums.group = i;
      fold->mean_ns = (double) fold->sum_ns / (double) n;
      fold->imbalance = fold->sum_ns == 0 ? 0.0 : ((double) fold->max_ns / fold->mean_ns - 1.0) * 100.0;
    }
  return folds;
}

typedef struct
{
  const TtEventStats *stats; /* grouped by the keys alone, for labels */
  guint column;
} FoldOrder;

static int
compare_folds (gconstpointer a, gconstpointer b, gpointer data)
{
  const FoldOrder *order = data;
  const Fold *fold_a = a, *fold_b = b;
  const char *word = fold_words[order->column];
  int by_column = 0;

  if (g_str_equal (word, "time"))
    by_column = compare_int128 (fold_b->row.sums.self_ns, fold_a->row.sums.self_ns);
  else if (g_str_equal (word, "ranks"))
    by_column = compare_int128 (fold_b->n_present, fold_a->n_present);
  else if (g_str_equal (word, "min"))
    by_column = compare_int128 (fold_b->min_ns, fold_a->min_ns);
  else if (g_str_equal (word, "mean") || g_str_equal (word, "total"))
    by_column = compare_int128 (fold_b->sum_ns, fold_a->sum_ns);
  else if (g_str_equal (word, "max"))
    by_column = compare_int128 (fold_b->max_ns, fold_a->max_ns);
  else if (g_str_equal (word, "imbalance"))
    by_column = compare_real (fold_b->imbalance, fold_a->imbalance);
  return by_column != 0 ? by_column : compare_labels (order->stats, &fold_a->row, &fold_b->row);
}

/* On a narrow terminal names need the room of what Min, Max and Imbalance say between the lines. */
static gboolean
has_room_for_sums (const TtStatsTableOptions *options)
{
  return options->width == 0 || options->width >= 110;
}

static void
add_fold (TtReport *report,
          const TtEventStats *by_keys,
          const Fold *fold,
          tt_int128 all_self,
          const TtStatsTableOptions *options)
{
  const TtProcess *slowest = tt_store_process (by_keys->store, fold->row.process);

  tt_report_real (report, percent (fold->row.sums.self_ns, all_self));
  if (has_room_for_sums (options))
    {
      tt_report_int128 (report, fold->sum_ns);
      tt_report_int (report, fold->n_present);
    }
  tt_report_int128 (report, fold->min_ns);
  if (has_room_for_sums (options))
    tt_report_real (report, fold->mean_ns);
  tt_report_int128 (report, fold->max_ns);
  tt_report_real (report, fold->imbalance);
  tt_report_text (report, slowest == NULL ? NULL : slowest->pid);
  for (guint k = 0; k < by_keys->keys.n; k++)
    {
      g_autofree char *label = tt_event_stats_label (by_keys, &fold->row, k);
      tt_report_text (report, label);
    }
}

TtReport *
tt_stats_table_per_process (const TtEventStats *stats,
                            const TtGroupKeys *keys,
                            guint n_processes,
                            const TtStatsTableOptions *options,
                            GError **error)
{
  TtEventStats by_keys = { .store = stats->store, .keys = *keys };
  FoldOrder order = { .stats = &by_keys };
  TtColumnKind kind = options->is_count ? TT_COLUMN_COUNT : TT_COLUMN_TIME;
  tt_int128 rest = stats->self_ns;

  if (!parse_sort (options->sort, fold_words, &order.column, error))
    return NULL;
  g_autoptr (GArray) folds = fold_rows (stats, keys, n_processes);
  g_array_sort_with_data (folds, compare_folds, &order);

  TtReport *report = tt_report_new (options->unit);
  tt_report_column (report, TT_COLUMN_PERCENT, options->is_count ? "Self %" : "Time %", "time_percent");
  if (has_room_for_sums (options))
    {
      tt_report_column (report, kind, "Total", "total");
      tt_report_column (report, TT_COLUMN_COUNT, "Ranks", "ranks");
    }
  tt_report_column (report, kind, "Min", "min");
  if (has_room_for_sums (options))
    tt_report_column (report, options->is_count ? TT_COLUMN_REAL : TT_COLUMN_TIME, "Mean", "mean");
  tt_report_column (report, kind, "Max", "max");
  tt_report_column (report, TT_COLUMN_PERCENT, "Imbalance %", "imbalance_percent");
  tt_report_column (report, TT_COLUMN_WORD, "Slowest", "slowest");
  add_label_columns (report, keys);
  guint n = n_shown (folds->len, options);
  for (guint i = 0; i < n; i++)
    {
      const Fold *fold = &g_array_index (folds, Fold, i);
      rest -= fold->row.sums.self_ns;
      add_fold (report, &by_keys, fold, stats->self_ns, options);
    }
  add_footer (report, folds->len - n, rest, stats->self_ns, options->is_count);
  return report;
}
