#include "config.h"

#include "src/cli/tables/lexgions.h"

#include "src/cli/command.h"
#include "src/base/symbols.h"

#include <string.h>

/* From this width on the terminal has room for all columns. */
#define WIDE 150u

static const TtLexgionRow *
row_at (const GArray *rows, guint i)
{
  return &g_array_index (rows, TtLexgionRow, i);
}

/* A code pointer is where a call returns to: the call lies before it. Only instrumented functions tell their own begin. */
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

static void
declare_columns (TtReport *report, gboolean is_wide, gboolean has_symbols)
{
  tt_report_column (report, TT_COLUMN_PERCENT, "Time %", "time_percent");
  tt_report_column (report, TT_COLUMN_TIME, "Total", "total");
  if (is_wide)
    tt_report_column (report, TT_COLUMN_TIME, "Self", "self");
  tt_report_column (report, TT_COLUMN_COUNT, "Count", "count");
  tt_report_column (report, TT_COLUMN_COUNT, "Threads", "threads");
  if (is_wide)
    {
      tt_report_column (report, TT_COLUMN_TIME, "Min", "thread_min");
      tt_report_column (report, TT_COLUMN_TIME, "Mean", "thread_mean");
      tt_report_column (report, TT_COLUMN_TIME, "Max", "thread_max");
    }
  tt_report_column (report, TT_COLUMN_PERCENT, "Imbalance %", "imbalance_percent");
  tt_report_column (report, TT_COLUMN_PERCENT, "Barrier %", "barrier_percent");
  tt_report_column (report, TT_COLUMN_WORD, "Lexgion", "lexgion");
  if (has_symbols)
    {
      tt_report_column (report, TT_COLUMN_TEXT, "Function", "function");
      tt_report_column (report, TT_COLUMN_TEXT, "Place", "place");
    }
  tt_report_column (report, TT_COLUMN_TEXT, "Name", "name");
}

static void
add_row (TtReport *report,
         TtStore *store,
         const TtLexgionRow *row,
         tt_int128 all_self,
         gboolean is_wide,
         const TtSymbol *symbol)
{
  const TtStoredName *name = tt_store_name (store, row->name);
  double mean_ns = row->n_threads == 0 ? 0.0 : (double) row->thread_sum_ns / row->n_threads;
  g_autofree char *lexgion = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", row->codeptr);

  tt_report_real (report, all_self == 0 ? 0.0 : 100.0 * (double) row->self_ns / (double) all_self);
  tt_report_int128 (report, row->total_ns);
  if (is_wide)
    tt_report_int128 (report, row->self_ns);
  tt_report_int (report, (gint64) row->count);
  tt_report_int (report, row->n_threads);
  if (is_wide)
    {
      tt_report_int128 (report, row->thread_min_ns);
      tt_report_real (report, mean_ns);
      tt_report_int128 (report, row->thread_max_ns);
    }
  tt_report_real (report, mean_ns > 0 ? ((double) row->thread_max_ns / mean_ns - 1.0) * 100.0 : 0.0);
  if (row->is_region)
    tt_report_real (report, 100.0 * (double) row->waits_ns / (double) row->task_ns);
  else
    tt_report_empty (report);
  tt_report_text (report, lexgion);
  if (symbol != NULL)
    {
      tt_report_text (report, symbol->function);
      tt_report_text (report, symbol->place);
    }
  tt_report_text (report, name == NULL ? NULL : name->text);
}

TtReport *
tt_lexgion_table (TtStore *store, const GArray *rows, const TtLexgionTableOptions *options, GError **error)
{
  guint n = options->top > 0 ? MIN (rows->len, (guint) options->top) : rows->len;
  g_autoptr (GArray) symbols = options->exe == NULL ? NULL : find_symbols (store, rows, n, options->exe, error);
  gboolean is_wide = options->width == 0 || options->width >= WIDE;
  tt_int128 all_self = 0;

  if (options->exe != NULL && symbols == NULL)
    return NULL;
  TtReport *report = tt_report_new (options->unit);
  declare_columns (report, is_wide, symbols != NULL);
  for (guint i = 0; i < rows->len; i++)
    all_self += row_at (rows, i)->self_ns;
  for (guint i = 0; i < n; i++)
    add_row (report, store, row_at (rows, i), all_self, is_wide,
             symbols == NULL ? NULL : &g_array_index (symbols, TtSymbol, i));
  if (rows->len > n)
    {
      g_autofree char *footer = g_strdup_printf ("and %u more", rows->len - n);
      tt_report_footer (report, footer);
    }
  return report;
}
