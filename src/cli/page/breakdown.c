/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/page/page.h"

#include "src/cli/plots/draw.h"
#include "src/cli/tables/breakdown.h"

static gboolean
fill (TtPage *page, GError **error)
{
  g_autoptr (TtBreakdown) breakdown =
      tt_breakdown_new_with_waits (page->store, page->selection, &page->all_waits, error);
  g_autoptr (TtTrustMarks) marks = breakdown == NULL ? NULL : tt_trust_marks_new (page->store, error);

  if (marks == NULL)
    return FALSE;
  g_autofree char *heading = tt_breakdown_describe (page->store, breakdown, TT_BREAKDOWN_RANK);
  g_autoptr (TtReport) ranks = tt_breakdown_table (page->store, breakdown, TT_BREAKDOWN_RANK, marks, &page->view);
  if (tt_report_n_rows (ranks) == 0)
    {
      tt_page_none (page, "No work is there to be broken down.");
      return TRUE;
    }
  g_autoptr (TtOutput) svg = tt_output_open_memory ();
  tt_page_lines (page, heading);
  if (!tt_plot_breakdown_draw (&page->plot, breakdown, svg, error))
    return FALSE;
  tt_page_picture (page, g_steal_pointer (&svg), "tracetool plot breakdown");
  if (!tt_page_table (page, "times", "Where the time of each rank went", ranks, error))
    return FALSE;
  const TtEfficiency *pop = tt_breakdown_efficiency (breakdown);
  if (pop == NULL)
    return TRUE;
  g_autoptr (TtReport) efficiency = tt_efficiency_table (pop, marks, &page->view);
  return tt_page_table (page, "efficiency", "Efficiencies as POP defines them", efficiency, error);
}

const TtPageSection tt_page_breakdown = {
  .id = "breakdown",
  .title = "Where the time went",
  .command = "tracetool breakdown",
  .fill = fill,
};
