/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/compare.h"

#include "src/base/compare.h"

#include <math.h>

/* What the columns know beside their row, a TtComparedPair. */
typedef struct
{
  const TtCompareAnswer *answer;
  gboolean for_people;
} Context;

/* The word of --sort that stands for the columns of the keys. */
#define BY_LABEL "name"

/* -- values ----------------------------------------------------------------------------------------------------- */

typedef enum
{
  COUNT,
  SELF,
  TOTAL,
  MEAN,
} Measure;

static tt_int128
sum_of (const TtComparedPair *pair, Measure measure, gboolean is_baseline)
{
  const TtComparedSums *sums = tt_compared_sums (pair, is_baseline);

  return measure == COUNT ? (tt_int128) sums->count : measure == SELF ? sums->self_ns : sums->total_ns;
}

static double
mean_of (const TtComparedPair *pair, gboolean is_baseline)
{
  return tt_compared_mean (tt_compared_sums (pair, is_baseline));
}

static TtReportCell
before_cell (const TtReportField *self, const void *row, const void *context)
{
  return self->id == MEAN ? tt_cell_real (mean_of (row, TRUE)) : tt_cell_int (sum_of (row, self->id, TRUE));
}

static TtReportCell
after_cell (const TtReportField *self, const void *row, const void *context)
{
  return self->id == MEAN ? tt_cell_real (mean_of (row, FALSE)) : tt_cell_int (sum_of (row, self->id, FALSE));
}

static TtReportCell
change_cell (const TtReportField *self, const void *row, const void *context)
{
  if (self->id == MEAN)
    return tt_cell_real (tt_compared_mean_growth (row));
  return tt_cell_int (sum_of (row, self->id, FALSE) - sum_of (row, self->id, TRUE));
}

static double
percent_of (const TtComparedPair *pair, Measure measure)
{
  if (measure != MEAN)
    return tt_percent_change (sum_of (pair, measure, TRUE), sum_of (pair, measure, FALSE));
  double before = mean_of (pair, TRUE);
  return before > 0 ? 100 * tt_compared_mean_growth (pair) / before : NAN;
}

static TtReportCell
percent_cell (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_real (percent_of (row, self->id));
}

/* A word where a percentage says nothing. */
static TtReportCell
percent_or_word (const TtReportField *self, const void *row, const void *context)
{
  const TtComparedPair *pair = row;

  if (pair->change == TT_CHANGE_NEW || pair->change == TT_CHANGE_GONE)
    return tt_cell_text (pair->change == TT_CHANGE_NEW ? "new" : "gone");
  return percent_cell (self, row, context);
}

static TtReportCell
share_cell (const TtReportField *self, const void *row, const void *context)
{
  const TtComparedPair *pair = row;
  gboolean is_baseline = self->id == 0;
  const TtComparedRun *run =
      tt_comparison_run (((const Context *) context)->answer->comparison, is_baseline ? 0 : pair->run);

  return run->self_ns <= 0 ? tt_cell_empty ()
                           : tt_cell_real (100 * (double) sum_of (pair, SELF, is_baseline) / (double) run->self_ns);
}

static TtReportCell
state_cell (const TtReportField *self, const void *row, const void *context)
{
  static const char *const words[] = { "new", "gone", "changed", "same" };

  return tt_cell_text (words[((const TtComparedPair *) row)->change]);
}

static TtReportCell
run_cell (const TtReportField *self, const void *row, const void *context)
{
  const Context *table = context;
  guint run = ((const TtComparedPair *) row)->run;

  return table->for_people ? tt_cell_take (g_strdup_printf ("%c", tt_compare_letter (run)))
                           : tt_cell_text (table->answer->runs[run]);
}

static TtReportCell
p_cell (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_real (((const TtComparedPair *) row)->p);
}

static TtReportCell
significant_cell (const TtReportField *self, const void *row, const void *context)
{
  double p = ((const TtComparedPair *) row)->p;

  if (isnan (p))
    return tt_cell_text (((const Context *) context)->for_people ? "?" : "unknown");
  return tt_cell_text (p < TT_SIGNIFICANT_P ? "yes" : "no");
}

static TtReportCell
label_cell (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const TtComparedPair *) row)->group->labels[self->id]);
}

/* -- what --sort compares --------------------------------------------------------------------------------------- */

static TtReportCell
size_of_change (const TtReportField *self, const void *row, const void *context)
{
  tt_int128 change = sum_of (row, self->id, FALSE) - sum_of (row, self->id, TRUE);

  return self->id == MEAN ? tt_cell_real (fabs (tt_compared_mean_growth (row)))
                          : tt_cell_int (change < 0 ? -change : change);
}

static TtReportCell
size_of_percent (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_real (fabs (percent_of (row, self->id)));
}

static TtReportCell
certainty (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_real (-((const TtComparedPair *) row)->p);
}

/* -- columns ---------------------------------------------------------------------------------------------------- */

static gboolean
is_one_of_many (const TtReportField *self, const void *context)
{
  const Context *table = context;

  return table->for_people && tt_comparison_n_runs (table->answer->comparison) > 2;
}

static gboolean
is_the_other (const TtReportField *self, const void *context)
{
  return !is_one_of_many (self, context);
}

static gboolean
names_run (const TtReportField *self, const void *context)
{
  return !((const Context *) context)->for_people || is_one_of_many (self, context);
}

#define AFTER(kind, title, key, measure, width)                                         \
  { kind, title " B", key "_b", after_cell, measure, width, .is_shown = is_the_other }, \
  {                                                                                     \
    kind, title, key "_b", after_cell, measure, width, .is_shown = is_one_of_many       \
  }
#define ONLY_PROGRAMS .reader = TT_READER_PROGRAMS

static const TtReportField operation_fields[] = {
  { TT_COLUMN_WORD, "Run", "run", run_cell, .is_shown = names_run },
  { TT_COLUMN_WORD, "State", "state", state_cell, ONLY_PROGRAMS },
  { TT_COLUMN_TIME, "Self A", "self_a", before_cell, SELF },
  AFTER (TT_COLUMN_TIME, "Self", "self", SELF, 0),
  { TT_COLUMN_TIME, "Change", "self_change", change_cell, SELF, .word = "self", .order = size_of_change,
    .has_bar = TRUE },
  { TT_COLUMN_PERCENT, "Change %", "self_change_percent", percent_or_word, SELF, .reader = TT_READER_PEOPLE },
  { TT_COLUMN_PERCENT, "Change %", "self_change_percent", percent_cell, SELF, ONLY_PROGRAMS, .word = "percent",
    .order = size_of_percent },
  { TT_COLUMN_COUNT, "Count A", "count_a", before_cell, COUNT, 110 },
  AFTER (TT_COLUMN_COUNT, "Count", "count", COUNT, 110),
  { TT_COLUMN_COUNT, "Change", "count_change", change_cell, COUNT, ONLY_PROGRAMS, .word = "count",
    .order = size_of_change },
  { TT_COLUMN_PERCENT, "Count %", "count_change_percent", percent_cell, COUNT, ONLY_PROGRAMS },
  { TT_COLUMN_TIME, "Total A", "total_a", before_cell, TOTAL, 160 },
  AFTER (TT_COLUMN_TIME, "Total", "total", TOTAL, 160),
  { TT_COLUMN_TIME, "Change", "total_change", change_cell, TOTAL, ONLY_PROGRAMS, .word = "total",
    .order = size_of_change },
  { TT_COLUMN_PERCENT, "Total %", "total_change_percent", percent_cell, TOTAL, 160 },
  { TT_COLUMN_TIME, "Mean A", "mean_a", before_cell, MEAN, 140 },
  AFTER (TT_COLUMN_TIME, "Mean", "mean", MEAN, 140),
  { TT_COLUMN_TIME, "Change", "mean_change", change_cell, MEAN, ONLY_PROGRAMS, .word = "mean",
    .order = size_of_change },
  { TT_COLUMN_PERCENT, "Mean %", "mean_change_percent", percent_cell, MEAN, 90 },
  { TT_COLUMN_REAL, "p", "p", p_cell, ONLY_PROGRAMS, .word = "p", .order = certainty },
  { TT_COLUMN_WORD, "Sig", "significant", significant_cell },
};

static const TtReportField summary_fields[] = {
  { TT_COLUMN_WORD, "Run", "run", run_cell, .is_shown = names_run },
  { TT_COLUMN_WORD, "State", "state", state_cell, ONLY_PROGRAMS },
  { TT_COLUMN_TIME, "Self A", "self_a", before_cell, SELF },
  { TT_COLUMN_PERCENT, "A %", "self_a_percent", share_cell, 0, 90 },
  AFTER (TT_COLUMN_TIME, "Self", "self", SELF, 0),
  { TT_COLUMN_PERCENT, "B %", "self_b_percent", share_cell, 1, 90, .is_shown = is_the_other },
  { TT_COLUMN_PERCENT, "%", "self_b_percent", share_cell, 1, 90, .is_shown = is_one_of_many },
  { TT_COLUMN_TIME, "Change", "self_change", change_cell, SELF, .order = size_of_change },
  { TT_COLUMN_PERCENT, "Change %", "self_change_percent", percent_or_word, SELF, .reader = TT_READER_PEOPLE },
  { TT_COLUMN_PERCENT, "Change %", "self_change_percent", percent_cell, SELF, ONLY_PROGRAMS },
};

static void
declare_label (TtReport *report, const char *word, guint id, const TtReportView *view, const Context *context)
{
  g_autofree char *title = g_strdelimit (g_strdup (word), "_", ' ');
  const TtReportField field = { TT_COLUMN_TEXT, title, word, label_cell, id };

  title[0] = g_ascii_toupper (title[0]);
  tt_report_declare (report, &field, 1, view, NULL, context);
}

/* -- order ------------------------------------------------------------------------------------------------------ */

static int
compare_pairs (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtComparedPair *x = *(const TtComparedPair *const *) a, *y = *(const TtComparedPair *const *) b;
  const TtReportField *field = data;
  int order = field == NULL ? 0 : tt_report_field_compare (field, x, y, NULL);

  for (guint i = 0; order == 0 && i < x->group->n_labels; i++)
    order = g_strcmp0 (x->group->labels[i], y->group->labels[i]);
  return order != 0 ? order : TT_COMPARE (x->run, y->run);
}

/* @pairs in the order of @field, but that all runs of a group stand together, where the first of them is. */
static GPtrArray *
sort_pairs (const GArray *pairs, const TtReportField *field)
{
  g_autoptr (GPtrArray) by_field = g_ptr_array_sized_new (pairs->len);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  GPtrArray *sorted = g_ptr_array_sized_new (pairs->len);
  const TtComparedPair *first = (const TtComparedPair *) (const void *) pairs->data;
  const TtComparedPair *end = pairs->len == 0 ? first : first + pairs->len;

  for (guint i = 0; i < pairs->len; i++)
    g_ptr_array_add (by_field, &g_array_index (pairs, TtComparedPair, i));
  g_ptr_array_sort_with_data (by_field, compare_pairs, (gpointer) field);
  for (guint i = 0; i < by_field->len; i++)
    {
      const TtComparedPair *pair = g_ptr_array_index (by_field, i);

      if (!g_hash_table_add (seen, (gpointer) pair->group))
        continue;
      while (pair > first && pair[-1].group == pair->group)
        pair--;
      for (const TtComparedGroup *group = pair->group; pair < end && pair->group == group; pair++)
        g_ptr_array_add (sorted, (gpointer) pair);
    }
  return sorted;
}

/* -- rows ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint n_same, n_more; /* groups that are not shown */
} Hidden;

/* The runs of the group that begins at @i. */
static guint
count_runs (const GPtrArray *pairs, guint i, gboolean *differ)
{
  const TtComparedPair *first = g_ptr_array_index (pairs, i);
  guint n = 0;

  *differ = FALSE;
  for (; i + n < pairs->len; n++)
    {
      const TtComparedPair *pair = g_ptr_array_index (pairs, i + n);

      if (pair->group != first->group)
        break;
      *differ |= pair->change != TT_CHANGE_SAME;
    }
  return n;
}

static Hidden
add_rows (TtReport *report, const GPtrArray *pairs, const TtReportView *view)
{
  gboolean for_people = tt_report_view_is_for_people (view), differ;
  guint n_runs, n_shown = 0;
  Hidden hidden = { 0 };

  for (guint i = 0; i < pairs->len; i += n_runs)
    {
      n_runs = count_runs (pairs, i, &differ);
      if (for_people && !differ)
        hidden.n_same++;
      else if (view->top > 0 && n_shown == view->top)
        hidden.n_more++;
      else
        {
          n_shown++;
          for (guint k = 0; k < n_runs; k++)
            tt_report_row (report, g_ptr_array_index (pairs, i + k));
        }
    }
  return hidden;
}

static void
add_footer (TtReport *report, Hidden hidden, TtComparedKind kind, const TtReportView *view)
{
  static const char *const what[TT_N_COMPARED][2] = {
    [TT_COMPARED_OPERATIONS] = { "operation", "operations" },
    [TT_COMPARED_CATEGORIES] = { "category", "categories" },
    [TT_COMPARED_RANKS] = { "rank", "ranks" },
  };
  char count[TT_TIME_TEXT];
  g_autofree char *more = hidden.n_more == 0 ? NULL : tt_report_more (view, hidden.n_more, NULL);
  g_autofree char *same = hidden.n_same == 0
                              ? NULL
                              : g_strdup_printf ("%s %s not shown: nothing differs",
                                                 tt_count_text (count, hidden.n_same), what[kind][hidden.n_same != 1]);

  if (more != NULL)
    tt_report_footer (report, more);
  if (same != NULL)
    tt_report_footer (report, same);
}

/* -- tables ----------------------------------------------------------------------------------------------------- */

char *
tt_compare_sort_words (void)
{
  return tt_report_field_words (operation_fields, G_N_ELEMENTS (operation_fields), BY_LABEL);
}

TtReport *
tt_compare_operations (const TtCompareAnswer *self, const TtReportView *view, const char *sort, GError **error)
{
  const Context context = { self, tt_report_view_is_for_people (view) };
  const TtReportField *field;

  if (!tt_report_field_find (operation_fields, G_N_ELEMENTS (operation_fields), sort == NULL ? "self" : sort, BY_LABEL,
                             &field, error))
    return NULL;
  TtReport *report = tt_report_new (view->unit);
  tt_report_declare (report, operation_fields, G_N_ELEMENTS (operation_fields), view, NULL, &context);
  if (self->per_rank)
    declare_label (report, "rank", self->keys.n, view, &context);
  for (guint k = 0; k < self->keys.n; k++)
    declare_label (report, tt_group_key_text (self->keys.key[k]), k, view, &context);
  g_autoptr (GPtrArray) sorted = sort_pairs (tt_comparison_pairs (self->comparison, TT_COMPARED_OPERATIONS), field);
  add_footer (report, add_rows (report, sorted, view), TT_COMPARED_OPERATIONS, view);
  return report;
}

TtReport *
tt_compare_summary (const TtCompareAnswer *self, TtComparedKind kind, const TtReportView *view)
{
  const Context context = { self, tt_report_view_is_for_people (view) };
  const TtReportField by_change = { .value = size_of_change, .id = SELF };
  TtReport *report = tt_report_new (view->unit);

  tt_report_declare (report, summary_fields, G_N_ELEMENTS (summary_fields), view, NULL, &context);
  declare_label (report, kind == TT_COMPARED_RANKS ? "rank" : "op_cat", 0, view, &context);
  g_autoptr (GPtrArray) sorted = sort_pairs (tt_comparison_pairs (self->comparison, kind), &by_change);
  add_footer (report, add_rows (report, sorted, view), kind, view);
  return report;
}
