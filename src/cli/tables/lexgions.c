/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/lexgions.h"

#include "src/base/symbols.h"
#include "src/cli/command.h"

#include <math.h>
#include <string.h>

/* From this width on the terminal has room for all columns. */
#define WIDE 150u

static const TtLexgionRow *
row_at (const GArray *rows, guint i)
{
  return &g_array_index (rows, TtLexgionRow, i);
}

/* A code pointer is a return address: the call lies before it. Instrumented functions give their own start instead. */
static GArray *
find_symbols (TtStore *store, const GArray *rows, guint n, const char *exe, GError **error)
{
  g_autofree guint64 *addresses = g_new0 (guint64, n + 1);
  guint n_known = 0;

  for (guint i = 0; i < n; i++)
    {
      const TtStoredName *name = tt_store_name (store, row_at (rows, i)->name);
      gboolean is_function =
          name != NULL && name->group != NULL && g_str_has_prefix (name->group, "lttng_ust_cyg_profile");
      addresses[i] = row_at (rows, i)->codeptr - !is_function;
    }
  GArray *symbols = tt_symbols_find (exe, addresses, n, error);
  for (guint i = 0; symbols != NULL && i < n; i++)
    n_known += g_array_index (symbols, TtSymbol, i).function != NULL;
  if (symbols != NULL && n_known == 0 && n > 0)
    tt_warning (
        "no code pointer lies in '%s': another program, or one that was loaded to another place (only programs linked "
        "with -no-pie keep their addresses)",
        exe);
  return symbols;
}

/* -- columns ----------------------------------------------------------------------------------------- */

typedef struct
{
  TtStore *store;
  tt_int128 all_self_ns;
  gboolean has_symbols, has_samples, has_late;
} Context;

/* A lexgion and what the program's symbols say of its code pointer; NULL: they were not asked. */
typedef struct
{
  const TtLexgionRow *lexgion;
  const TtSymbol *symbol;
} Row;

typedef enum
{
  SUM_TOTAL,
  SUM_SELF,
  SUM_COUNT,
  SUM_THREADS,
  SUM_MIN,
  SUM_MAX,
  SUM_LATE,
} Sum;

static const TtLexgionRow *
lexgion_of (const void *row)
{
  return ((const Row *) row)->lexgion;
}

static TtReportCell
share (const TtReportField *self, const void *row, const void *context)
{
  tt_int128 all_ns = ((const Context *) context)->all_self_ns;

  return tt_cell_real (all_ns == 0 ? 0.0 : 100.0 * (double) lexgion_of (row)->self_ns / (double) all_ns);
}

static TtReportCell
sum (const TtReportField *self, const void *row, const void *context)
{
  const TtLexgionRow *lexgion = lexgion_of (row);

  switch ((Sum) self->id)
    {
    case SUM_TOTAL:
      return tt_cell_int (lexgion->total_ns);
    case SUM_SELF:
      return tt_cell_int (lexgion->self_ns);
    case SUM_COUNT:
      return tt_cell_int (lexgion->count);
    case SUM_THREADS:
      return tt_cell_int (lexgion->n_threads);
    case SUM_MIN:
      return tt_cell_int (lexgion->thread_min_ns);
    case SUM_MAX:
      return tt_cell_int (lexgion->thread_max_ns);
    case SUM_LATE:
      return tt_cell_int (lexgion->n_late);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static TtReportCell
mean (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_real (tt_lexgion_mean_ns (lexgion_of (row)));
}

static TtReportCell
imbalance (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_real (tt_lexgion_imbalance (lexgion_of (row)));
}

static TtReportCell
barrier (const TtReportField *self, const void *row, const void *context)
{
  const TtLexgionRow *lexgion = lexgion_of (row);

  return lexgion->is_region ? tt_cell_real (100.0 * (double) lexgion->waits_ns / (double) lexgion->task_ns)
                            : tt_cell_empty ();
}

static TtReportCell
address (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_take (g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", lexgion_of (row)->codeptr));
}

static TtReportCell
function (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const Row *) row)->symbol->function);
}

static TtReportCell
place (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const Row *) row)->symbol->place);
}

static TtReportCell
name (const TtReportField *self, const void *row, const void *context)
{
  const TtStoredName *stored = tt_store_name (((const Context *) context)->store, lexgion_of (row)->name);

  return tt_cell_text (stored == NULL ? NULL : stored->text);
}

/* -- of all invocations, recorded or not -- */

typedef enum
{
  WHOLE_RECORDED,
  WHOLE_INVOCATIONS,
  WHOLE_COUNT,
  WHOLE_COUNT_ERROR,
  WHOLE_TOTAL,
  WHOLE_TOTAL_ERROR,
  WHOLE_TOTAL_MOST,
} Whole;

static TtReportCell
round_cell (double value)
{
  /* A single invocation tells no spread; what no sum of times can be is not told either. */
  return isnan (value) || fabs (value) > 9e18 ? tt_cell_empty () : tt_cell_int (llround (value));
}

static TtReportCell
whole (const TtReportField *self, const void *row, const void *context)
{
  const TtSampledEstimate *estimate = &lexgion_of (row)->sampled;

  if (!estimate->is_sampled)
    return tt_cell_empty ();
  switch ((Whole) self->id)
    {
    case WHOLE_RECORDED:
      return tt_cell_int (estimate->n_recorded);
    case WHOLE_INVOCATIONS:
      return round_cell (estimate->n_invocations);
    case WHOLE_COUNT:
      return round_cell (estimate->count);
    case WHOLE_COUNT_ERROR:
      return round_cell (estimate->count_error);
    case WHOLE_TOTAL:
      return round_cell (estimate->total_ns);
    case WHOLE_TOTAL_ERROR:
      return round_cell (estimate->total_error_ns);
    case WHOLE_TOTAL_MOST:
      return round_cell (estimate->total_most_ns);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static TtReportCell
sampled_to (const TtReportField *self, const void *row, const void *context)
{
  static const char *const words[] = {
    [TT_SAMPLED_NOT_KNOWN] = "end?", [TT_SAMPLED_TO_END] = "end", [TT_SAMPLED_TO_LIMIT] = "last"
  };
  const TtSampledEstimate *estimate = &lexgion_of (row)->sampled;

  return estimate->is_sampled ? tt_cell_text (words[estimate->end]) : tt_cell_empty ();
}

static gboolean
has_samples (const TtReportField *self, const void *context)
{
  return ((const Context *) context)->has_samples;
}

static gboolean
has_late (const TtReportField *self, const void *context)
{
  return ((const Context *) context)->has_late;
}

static gboolean
has_symbols (const TtReportField *self, const void *context)
{
  return ((const Context *) context)->has_symbols;
}

static const TtReportField fields[] = {
  { TT_COLUMN_PERCENT, "Time %", "time_percent", share, 0 },
  { TT_COLUMN_TIME, "Total", "total", sum, SUM_TOTAL },
  { TT_COLUMN_TIME, "Self", "self", sum, SUM_SELF, WIDE },
  { TT_COLUMN_COUNT, "Count", "count", sum, SUM_COUNT },
  { TT_COLUMN_COUNT, "Threads", "threads", sum, SUM_THREADS },
  { TT_COLUMN_TIME, "Min", "thread_min", sum, SUM_MIN, WIDE },
  { TT_COLUMN_TIME, "Mean", "thread_mean", mean, 0, WIDE },
  { TT_COLUMN_TIME, "Max", "thread_max", sum, SUM_MAX, WIDE },
  { TT_COLUMN_PERCENT, "Imbalance %", "imbalance_percent", imbalance },
  { TT_COLUMN_PERCENT, "Barrier %", "barrier_percent", barrier },
  { TT_COLUMN_COUNT, "No end", "without_end", sum, SUM_LATE, .is_shown = has_late },
  { TT_COLUMN_COUNT, "Sampled", "sampled_invocations", whole, WHOLE_RECORDED, .is_shown = has_samples },
  { TT_COLUMN_COUNT, "of ~", "extrapolated_invocations", whole, WHOLE_INVOCATIONS, .is_shown = has_samples },
  { TT_COLUMN_COUNT, "~ Count", "extrapolated_count", whole, WHOLE_COUNT, WIDE, .is_shown = has_samples },
  { TT_COLUMN_COUNT, "+-", "extrapolated_count_error", whole, WHOLE_COUNT_ERROR, WIDE, .is_shown = has_samples },
  { TT_COLUMN_TIME, "~ Total", "extrapolated_total", whole, WHOLE_TOTAL, .is_shown = has_samples },
  { TT_COLUMN_TIME, "+-", "extrapolated_total_error", whole, WHOLE_TOTAL_ERROR, .is_shown = has_samples },
  { TT_COLUMN_TIME, "At most", "extrapolated_total_most", whole, WHOLE_TOTAL_MOST, .is_shown = has_samples },
  { TT_COLUMN_WORD, "To", "extrapolated_to", sampled_to, 0, .is_shown = has_samples },
  { TT_COLUMN_WORD, "Lexgion", "lexgion", address },
  { TT_COLUMN_TEXT, "Function", "function", function, .is_shown = has_symbols },
  { TT_COLUMN_TEXT, "Place", "place", place, .is_shown = has_symbols },
  { TT_COLUMN_TEXT, "Name", "name", name },
};

TtReport *
tt_lexgion_table (TtStore *store, const GArray *rows, const char *exe, const TtReportView *view, GError **error)
{
  guint n = view->top > 0 ? MIN (rows->len, view->top) : rows->len;
  g_autoptr (GArray) symbols = exe == NULL ? NULL : find_symbols (store, rows, n, exe, error);
  Context context = { .store = store, .has_symbols = symbols != NULL };

  if (exe != NULL && symbols == NULL)
    return NULL;
  for (guint i = 0; i < rows->len; i++)
    {
      context.all_self_ns += row_at (rows, i)->self_ns;
      context.has_late |= row_at (rows, i)->n_late > 0;
      context.has_samples |= row_at (rows, i)->sampled.is_sampled;
    }

  TtReport *report = tt_report_of_fields (fields, G_N_ELEMENTS (fields), view, &context);
  for (guint i = 0; i < n; i++)
    {
      const Row row = { row_at (rows, i), symbols == NULL ? NULL : &g_array_index (symbols, TtSymbol, i) };

      tt_report_row (report, &row);
    }
  if (context.has_late)
    tt_report_legend (report,
                      "No end: spans of Count whose end is not in the trace, shown up to what their thread did next.\n"
                      "Where that is not theirs, as after nowait, they ended earlier, and Total is at most that. A\n"
                      "section [Lexgion(ADDRESS)] of their own in PInsight's configuration makes it record the ends.");
  if (context.has_samples)
    tt_report_legend (report,
                      "~: extrapolated to all invocations, of which Sampled were recorded; +- at 95 % confidence\n"
                      "if those are like the others. At most: with what slow ones among the others may have taken of\n"
                      "the time between those recorded, as the first ones often are, which a rate never records.\n"
                      "To: the end of the run (end?: unless max_num_traces ended sampling; '--config' tells), or\n"
                      "the last that was recorded. All else, and rows without ~, is as recorded.");
  if (rows->len > n)
    {
      g_autofree char *footer = tt_report_more (view, rows->len - n, NULL);
      tt_report_footer (report, footer);
    }
  return report;
}
