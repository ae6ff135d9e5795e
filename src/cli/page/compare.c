/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/page/page.h"

#include "src/cli/run-operand.h"
#include "src/cli/stats-clock.h"
#include "src/cli/tables/compare.h"

static gboolean
add_run (TtCompareAnswer *answer, TtStore *store, GError **error)
{
  g_autoptr (TtSelection) selection = tt_selection_new (NULL, NULL, TT_UNIT_US, error);
  g_auto (TtStatsClock) clock = { 0 };
  gboolean is_first = tt_comparison_n_runs (answer->comparison) == 0;

  if (selection == NULL || !tt_selection_bind (selection, store, error) ||
      !tt_stats_clock_choose (&clock, store, selection, &answer->keys, error))
    return FALSE;
  if (!is_first && clock.is_ticks != answer->is_ticks)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "'%s' counts %s, but '%s' %s: that cannot be compared",
                   answer->runs[0], answer->is_ticks ? "ticks" : "time", answer->runs[1],
                   clock.is_ticks ? "ticks" : "time");
      return FALSE;
    }
  answer->is_ticks = clock.is_ticks;
  return tt_comparison_add (answer->comparison, store, selection, error);
}

static gboolean
add_tables (TtPage *page, const TtCompareAnswer *answer, GError **error)
{
  TtReportView view = page->view;

  view.has_counts = answer->is_ticks;
  g_autofree char *heading = tt_compare_describe (answer);
  g_autoptr (TtReport) operations = tt_compare_operations (answer, &view, NULL, error);
  if (operations == NULL)
    return FALSE;
  g_autoptr (TtReport) categories = tt_compare_summary (answer, TT_COMPARED_CATEGORIES, &view);
  g_autoptr (TtReport) ranks = tt_compare_summary (answer, TT_COMPARED_RANKS, &view);
  tt_page_lines (page, heading);
  return tt_page_table (page, "operations", "Operations, by how much they changed", operations, error) &&
         tt_page_table (page, "categories", "Categories", categories, error) &&
         tt_page_table (page, "ranks", "Ranks", ranks, error);
}

static gboolean
fill (TtPage *page, GError **error)
{
  const char *const runs[] = { page->against, page->label, NULL };
  TtComparisonRequest request = { .n_runs = 2 };
  TtCompareAnswer answer = { .runs = runs };

  if (page->against == NULL)
    return TRUE;
  if (!tt_group_keys_parse (&request.keys, "name", error))
    return FALSE;
  g_autoptr (TtStore) against = tt_run_operand_open (page->context, page->against, error);
  if (against == NULL)
    return FALSE;
  g_autoptr (TtComparison) comparison = tt_comparison_new (&request);
  answer.comparison = comparison;
  answer.keys = request.keys;
  if (!add_run (&answer, against, error) || !add_run (&answer, page->store, error))
    return FALSE;
  tt_comparison_pairs (comparison, TT_COMPARED_OPERATIONS);
  return add_tables (page, &answer, error);
}

const TtPageSection tt_page_compare = {
  .id = "compare",
  .title = "Compared with another run",
  .command = "tracetool compare",
  .fill = fill,
};
