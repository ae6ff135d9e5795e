/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/page/page.h"

#include "analyzers/statistics/bounded.h"
#include "analyzers/statistics/event-stats.h"
#include "src/cli/run-facts.h"
#include "src/cli/stats-clock.h"
#include "src/cli/tables/stats.h"
#include "src/store/trust.h"

/* "COMP.solve: 45.2 % of all self time, in 1,200 spans (section Statistics)": where no wait is worth more. */
static void
say_first (TtPage *page, const TtEventStats *stats)
{
  char count[TT_TIME_TEXT];

  if (stats->rows->len == 0 || stats->self_ns <= 0)
    return;
  const TtEventStatsRow *row = &g_array_index (stats->rows, TtEventStatsRow, 0);
  g_autofree char *label = tt_event_stats_label (stats, row, 0), *name = tt_page_name (label);
  tt_page_sentence (page, TT_PAGE_LOOK,
                    g_strdup_printf ("%s: %.1f %% of all self time, in %s spans (see Statistics).", name,
                                     100.0 * (double) row->sums.self_ns / (double) stats->self_ns,
                                     tt_count_text (count, row->sums.count)));
}

static gboolean
fill (TtPage *page, GError **error)
{
  TtEventStatsRequest request = { .selection = page->selection, .metric = TT_NO_ID };
  TtReportView view = page->view;
  g_auto (TtStatsClock) clock = { 0 };
  g_auto (TtTrustBrief) brief = { 0 };

  /* The clock narrows the selection, which others share. */
  g_autoptr (TtSelection) selection = tt_selection_new (NULL, NULL, TT_UNIT_US, error);
  if (selection == NULL || !tt_selection_bind (selection, page->store, error) ||
      !tt_group_keys_parse (&request.keys, "name", error) ||
      !tt_stats_clock_choose (&clock, page->store, selection, &request.keys, error) ||
      !tt_store_trust_brief (page->store, &brief, error))
    return FALSE;
  request.selection = selection;
  request.damaged = brief.damaged;
  request.is_counted = brief.n_marked > 0 || g_hash_table_size (brief.damaged) > 0;
  view.has_counts = clock.is_ticks;
  if (!tt_stats_table_limit (&request, &view, NULL, error))
    return FALSE;
  g_autoptr (TtEventStats) stats = tt_event_stats_new (page->store, &request, error);
  g_autoptr (TtReport) report = stats == NULL ? NULL : tt_stats_table (stats, &view, NULL, error);
  if (report == NULL)
    return FALSE;
  if (clock.left_out != NULL)
    {
      g_autofree char *text =
          g_strdup_printf ("Left out: %s, whose times are %s.", clock.left_out, clock.is_ticks ? "no ticks" : "ticks");
      tt_page_lines (page, text);
    }
  tt_bounded_tell (page->store, "not in Med, Min, Max, P95, P99", report);
  say_first (page, stats);
  if (tt_report_n_rows (report) == 0)
    tt_page_none (page, "This run has no spans.");
  return tt_page_table (page, "operations", "Operations by the time they take themselves", report, error);
}

const TtPageSection tt_page_stats = {
  .id = "stats",
  .title = "Statistics",
  .command = "tracetool stats",
  .stands_alone = TRUE,
  .fill = fill,
};
