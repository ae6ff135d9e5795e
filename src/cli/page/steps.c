/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/page/page.h"

#include "src/cli/plots/draw.h"
#include "src/cli/tables/steps.h"

static gboolean
fill (TtPage *page, GError **error)
{
  g_autoptr (TtSteps) steps = tt_steps_new (page->store, page->selection, TT_STEP_BY_ANNOTATION, NULL, error);

  if (steps == NULL)
    return FALSE;
  if (tt_steps_n_rows (steps) == 0)
    {
      tt_page_none (page, "No span of this run is in a training step.");
      return tt_steps_check (steps, error);
    }
  g_autofree char *heading = tt_step_describe (page->store, steps);
  g_autoptr (TtOutput) svg = tt_output_open_memory ();
  g_autoptr (TtReport) rows = tt_step_table (page->store, steps, &page->view);
  g_autoptr (TtReport) ranks = tt_step_rank_table (page->store, steps, &page->view);
  tt_page_lines (page, heading);
  if (!tt_plot_steps_draw (&page->plot, steps, svg, error) || !tt_steps_check (steps, error))
    return FALSE;
  tt_page_picture (page, g_steal_pointer (&svg), "tracetool plot steps");
  return tt_page_table (page, "ranks", "Steps of each rank, on average", ranks, error) &&
         tt_page_table (page, "steps", "Each step of each rank", rows, error);
}

const TtPageSection tt_page_steps = {
  .id = "steps",
  .title = "Steps",
  .command = "tracetool steps",
  .stands_alone = TRUE,
  .fill = fill,
};
