/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/stats.h"

#include "src/cli/tables/stats-folds.h"

/* What the columns know beside their row. */
typedef struct
{
  const TtEventStats *stats;
  const TtEventStats *by_rank; /* of the ranks of each group; NULL without --per */
  tt_int128 all_self_ns;
  gboolean is_count;
} Context;

/* The word of --sort that stands for the columns of the keys. */
#define BY_LABEL "name"

static double
percent_of (tt_int128 part, tt_int128 whole)
{
  return whole == 0 ? 0.0 : 100.0 * (double) part / (double) whole;
}

static gboolean
is_time (const TtReportField *self, const void *context)
{
  return !((const Context *) context)->is_count;
}

static gboolean
is_count (const TtReportField *self, const void *context)
{
  return ((const Context *) context)->is_count;
}

/* -- one row a group: columns -------------------------------------------------------------------- */

typedef enum
{
  SUM_TOTAL,
  SUM_SELF,
  SUM_COUNT,
  SUM_MEDIAN,
  SUM_MIN,
  SUM_MAX,
  SUM_P95,
  SUM_P99,
} Sum;

static const TtTallyRow *
sums_of (const void *row)
{
  return &((const TtEventStatsRow *) row)->sums;
}

static TtReportCell
share (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_real (percent_of (sums_of (row)->self_ns, ((const Context *) context)->all_self_ns));
}

static TtReportCell
self_time (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (sums_of (row)->self_ns);
}

static TtReportCell
sum (const TtReportField *self, const void *row, const void *context)
{
  const TtTallyRow *sums = sums_of (row);

  if (self->id >= SUM_MEDIAN && tt_tally_row_is_bounded (sums))
    return tt_cell_empty ();
  switch ((Sum) self->id)
    {
    case SUM_TOTAL:
      return tt_cell_int (sums->total_ns);
    case SUM_SELF:
      return tt_cell_int (sums->self_ns);
    case SUM_COUNT:
      return tt_cell_int (sums->count);
    case SUM_MEDIAN:
      return tt_cell_int (sums->median_ns);
    case SUM_MIN:
      return tt_cell_int (sums->min_ns);
    case SUM_MAX:
      return tt_cell_int (sums->max_ns);
    case SUM_P95:
      return tt_cell_int (sums->p95_ns);
    case SUM_P99:
      return tt_cell_int (sums->p99_ns);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static TtReportCell
average (const TtReportField *self, const void *row, const void *context)
{
  const TtTallyRow *sums = sums_of (row);

  return tt_cell_real (sums->count == 0 ? 0.0 : (double) sums->sum_ns / (double) sums->count);
}

static TtReportCell
deviation (const TtReportField *self, const void *row, const void *context)
{
  const TtTallyRow *sums = sums_of (row);

  return tt_cell_real (tt_tally_stddev_ns (sums->count, sums->sum_ns, sums->sum_sq));
}

/* Columns that are there where a group is marked. */
static gboolean
has_marks (const TtReportField *self, const void *context)
{
  return ((const Context *) context)->stats->n_marked > 0;
}

static gboolean
has_damage (const TtReportField *self, const void *context)
{
  return ((const Context *) context)->stats->n_damaged > 0;
}

static TtReportCell
marked (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const TtEventStatsRow *) row)->n_marked);
}

static TtReportCell
damaged (const TtReportField *self, const void *row, const void *context)
{
  const TtEventStatsRow *stats = row;

  return tt_cell_text (stats->is_damaged ? "yes" : stats->may_lack ? "lacks" : NULL);
}

/* The share of time comes first: without --sort, rows are in its order. Names need what the columns leave. */
static const TtReportField group_fields[] = {
  { TT_COLUMN_PERCENT, "Time %", "time_percent", share, .word = "time", .order = self_time, .is_shown = is_time },
  { TT_COLUMN_PERCENT, "Self %", "time_percent", share, .is_shown = is_count },
  { TT_COLUMN_TIME, "Total", "total", sum, SUM_TOTAL, .word = "total" },
  { TT_COLUMN_TIME, "Self", "self", sum, SUM_SELF, .word = "self" },
  { TT_COLUMN_COUNT, "Count", "count", sum, SUM_COUNT, .word = "count" },
  { TT_COLUMN_TIME, "Avg", "avg", average, .word = "avg" },
  { TT_COLUMN_TIME, "Med", "med", sum, SUM_MEDIAN, 110, .word = "med" },
  { TT_COLUMN_TIME, "Min", "min", sum, SUM_MIN, 110, .word = "min" },
  { TT_COLUMN_TIME, "Max", "max", sum, SUM_MAX, 96, .word = "max" },
  { TT_COLUMN_TIME, "StdDev", "stddev", deviation, .min_width = 150, .word = "stddev" },
  { TT_COLUMN_TIME, "P95", "p95", sum, SUM_P95, 150, .word = "p95" },
  { TT_COLUMN_TIME, "P99", "p99", sum, SUM_P99, 150, .word = "p99" },
  { TT_COLUMN_COUNT, "Mended", "mended", marked, .is_shown = has_marks },
  { TT_COLUMN_WORD, "Damaged", "damaged", damaged, .is_shown = has_damage },
};

/* -- one row a group over ranks: columns ----------------------------------------------------------- */

typedef enum
{
  FOLD_TOTAL,
  FOLD_RANKS,
  FOLD_ZERO,
  FOLD_MIN,
  FOLD_MAX,
} FoldSum;

static TtReportCell
fold_total (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const TtRankFold *) row)->sum_ns);
}

static TtReportCell
fold_sum (const TtReportField *self, const void *row, const void *context)
{
  const TtRankFold *fold = row;

  switch ((FoldSum) self->id)
    {
    case FOLD_TOTAL:
      return tt_cell_int (fold->sum_ns);
    case FOLD_RANKS:
      return tt_cell_int (fold->n_present);
    case FOLD_ZERO:
      return tt_cell_int (fold->n_zero);
    case FOLD_MIN:
      return tt_cell_int (fold->min_ns);
    case FOLD_MAX:
      return tt_cell_int (fold->max_ns);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static TtReportCell
fold_mean (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_real (((const TtRankFold *) row)->mean_ns);
}

static TtReportCell
fold_imbalance (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_real (((const TtRankFold *) row)->imbalance);
}

/* By the key that was put behind those of the groups. */
static TtReportCell
fold_slowest (const TtReportField *self, const void *row, const void *context)
{
  const TtEventStats *stats = ((const Context *) context)->by_rank;

  return tt_cell_take (tt_event_stats_label (stats, &((const TtRankFold *) row)->row, stats->keys.n - 1));
}

/* A narrow terminal has no room for what Min, Max and Imbalance let one guess. */
static const TtReportField fold_fields[] = {
  { TT_COLUMN_PERCENT, "Time %", "time_percent", share, .word = "time", .order = self_time, .is_shown = is_time },
  { TT_COLUMN_PERCENT, "Self %", "time_percent", share, .is_shown = is_count },
  { TT_COLUMN_TIME, "Total", "total", fold_sum, FOLD_TOTAL, 110, .word = "total" },
  { TT_COLUMN_COUNT, "Ranks", "ranks", fold_sum, FOLD_RANKS, 110, .word = "ranks" },
  { TT_COLUMN_COUNT, "Zero", "zero_ranks", fold_sum, FOLD_ZERO, 90, .word = "zero" },
  { TT_COLUMN_TIME, "Min", "min", fold_sum, FOLD_MIN, .word = "min" },
  { TT_COLUMN_TIME, "Mean", "mean", fold_mean, .min_width = 110, .word = "mean", .order = fold_total },
  { TT_COLUMN_TIME, "Max", "max", fold_sum, FOLD_MAX, .word = "max" },
  { TT_COLUMN_PERCENT, "Imbalance %", "imbalance_percent", fold_imbalance, .word = "imbalance" },
  { TT_COLUMN_WORD, "Slowest", "slowest", fold_slowest },
  { TT_COLUMN_COUNT, "Mended", "mended", marked, .is_shown = has_marks },
  { TT_COLUMN_WORD, "Damaged", "damaged", damaged, .is_shown = has_damage },
};

/* -- columns of the keys ------------------------------------------------------------------------- */

static TtReportCell
label (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_take (tt_event_stats_label (((const Context *) context)->stats, row, self->id));
}

/* "op_long_name" becomes "Op long name". */
static void
declare_labels (TtReport *report, const TtGroupKeys *keys, const TtReportView *view, const Context *context)
{
  for (guint k = 0; k < keys->n; k++)
    {
      const char *word = tt_group_key_text (keys->key[k]);
      g_autofree char *title = g_strdelimit (g_strdup (word), "_", ' ');
      const TtReportField field = { TT_COLUMN_TEXT, title, word, label, k };

      title[0] = g_ascii_toupper (title[0]);
      tt_report_declare (report, &field, 1, view, NULL, context);
    }
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

/* -- order --------------------------------------------------------------------------------------- */

/* NULL: by label. @words of --sort without a word: the first field. */
static gboolean
parse_sort (const char *word, const TtReportField *fields, guint n_fields, const TtReportField **field, GError **error)
{
  *field = &fields[0];
  return word == NULL || tt_report_field_find (fields, n_fields, word, BY_LABEL, field, error);
}

/* @data: the TtReportField to sort by; NULL: by label. */
static int
compare_rows (const TtEventStats *stats, const TtEventStatsRow *a, const TtEventStatsRow *b, gconstpointer data)
{
  const TtReportField *field = data;
  int by_field = field == NULL ? 0 : tt_report_field_compare (field, a, b, NULL);

  return by_field != 0 ? by_field : compare_labels (stats, a, b);
}

typedef struct
{
  const TtEventStats *stats;  /* for labels */
  const TtReportField *field; /* NULL: by label */
} Order;

static int
compare_in_order (gconstpointer a, gconstpointer b, gpointer data)
{
  const Order *order = data;

  return compare_rows (order->stats, a, b, order->field);
}

char *
tt_stats_table_words (gboolean per_rank)
{
  return per_rank ? tt_report_field_words (fold_fields, G_N_ELEMENTS (fold_fields), BY_LABEL)
                  : tt_report_field_words (group_fields, G_N_ELEMENTS (group_fields), BY_LABEL);
}

/* -- tables -------------------------------------------------------------------------------------- */

static guint
n_shown (guint n_rows, const TtReportView *view)
{
  return view->top > 0 ? MIN (n_rows, view->top) : n_rows;
}

static void
add_trust (TtReport *report, const TtEventStats *stats)
{
  char count[TT_TIME_TEXT];

  if (stats->n_marked > 0)
    {
      g_autofree char *footer =
          g_strdup_printf ("%s %s on spans that were mended, bounded or inferred",
                           tt_count_text (count, stats->n_marked), stats->n_marked == 1 ? "row rests" : "rows rest");
      tt_report_footer (report, footer);
    }
  if (stats->n_damaged > 0)
    {
      g_autofree char *footer = g_strdup_printf (
          "%s %s damaged: calls of ranks with damaged records may be missing or\nhave other times, or none of such a "
          "rank is left ('lacks'); see 'info --trust'",
          tt_count_text (count, stats->n_damaged), stats->n_damaged == 1 ? "row is" : "rows are");
      tt_report_footer (report, footer);
    }
}

static void
add_footer (TtReport *report, guint64 n_more, tt_int128 rest_ns, const TtReportView *view, const Context *context)
{
  if (n_more == 0)
    return;
  g_autofree char *part =
      g_strdup_printf ("%.2f %% of %s", percent_of (rest_ns, context->all_self_ns), context->is_count ? "all" : "time");
  g_autofree char *footer = tt_report_more (view, n_more, part);
  tt_report_footer (report, footer);
}

gboolean
tt_stats_table_limit (TtEventStatsRequest *request, const TtReportView *view, const char *sort, GError **error)
{
  const TtReportField *field;

  if (!parse_sort (sort, group_fields, G_N_ELEMENTS (group_fields), &field, error))
    return FALSE;
  request->n_most = view->top;
  request->order = compare_rows;
  request->order_data = field;
  return TRUE;
}

TtReport *
tt_stats_table (const TtEventStats *stats, const TtReportView *view, const char *sort, GError **error)
{
  const Context context = { stats, NULL, stats->self_ns, view->has_counts };
  Order order = { .stats = stats };
  tt_int128 rest_ns = stats->self_ns;

  if (!parse_sort (sort, group_fields, G_N_ELEMENTS (group_fields), &order.field, error))
    return NULL;

  TtReport *report = tt_report_new (view->unit);
  tt_report_declare (report, group_fields, G_N_ELEMENTS (group_fields), view, sort == NULL ? NULL : order.field,
                     &context);
  declare_labels (report, &stats->keys, view, &context);
  g_array_sort_with_data (stats->rows, compare_in_order, &order);
  guint n = n_shown (stats->rows->len, view);
  for (guint i = 0; i < n; i++)
    {
      const TtEventStatsRow *row = &g_array_index (stats->rows, TtEventStatsRow, i);

      rest_ns -= row->sums.self_ns;
      tt_report_row (report, row);
    }
  add_footer (report, stats->n_rows - n, rest_ns, view, &context);
  add_trust (report, stats);
  return report;
}

/* -- over ranks ----------------------------------------------------------------------------------- */

/* What Min and Mean mean where a rank lacks the operation. */
static void
tell_zeros (TtReport *report, guint n_rows)
{
  if (n_rows == 0)
    return;
  g_autofree char *text =
      g_strdup_printf ("%u row%s count%s as 0 ranks that do other work of the category, but not this", n_rows,
                       n_rows == 1 ? "" : "s", n_rows == 1 ? "s" : "");
  tt_report_footer (report, text);
}

TtReport *
tt_stats_table_per_rank (const TtEventStats *stats,
                         const TtGroupKeys *keys,
                         const TtRankPresence *presence,
                         const TtReportView *view,
                         const char *sort,
                         GError **error)
{
  TtEventStats by_keys = { .store = stats->store, .keys = *keys, .paths = stats->paths };
  const Context context = { &by_keys, stats, stats->self_ns, view->has_counts };
  Order order = { .stats = &by_keys };
  tt_int128 rest_ns = stats->self_ns;
  guint n_zero_rows = 0;

  if (!parse_sort (sort, fold_fields, G_N_ELEMENTS (fold_fields), &order.field, error))
    return NULL;
  g_autoptr (GArray) folds = tt_rank_folds (stats, keys, presence);
  g_array_sort_with_data (folds, compare_in_order, &order);
  for (guint i = 0; i < folds->len; i++)
    {
      by_keys.n_marked += g_array_index (folds, TtRankFold, i).row.n_marked > 0;
      by_keys.n_damaged += g_array_index (folds, TtRankFold, i).row.is_damaged != FALSE;
    }

  TtReport *report = tt_report_new (view->unit);
  tt_report_declare (report, fold_fields, G_N_ELEMENTS (fold_fields), view, NULL, &context);
  declare_labels (report, keys, view, &context);
  guint n = n_shown (folds->len, view);
  for (guint i = 0; i < n; i++)
    {
      const TtRankFold *fold = &g_array_index (folds, TtRankFold, i);

      rest_ns -= fold->row.sums.self_ns;
      n_zero_rows += fold->n_zero > 0;
      tt_report_row (report, fold);
    }
  add_footer (report, folds->len - n, rest_ns, view, &context);
  tell_zeros (report, n_zero_rows);
  add_trust (report, &by_keys);
  return report;
}
