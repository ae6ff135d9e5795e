/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/page/page.h"

#include "src/cli/plots/draw.h"

static gboolean
fill (TtPage *page, GError **error)
{
  g_autoptr (TtOutput) svg = tt_output_open_memory ();
  gboolean has_transfers;

  if (!tt_plot_roofline_draw (&page->plot, &has_transfers, svg, error))
    return FALSE;
  if (has_transfers)
    tt_page_picture (page, g_steal_pointer (&svg), "tracetool plot roofline");
  return TRUE;
}

const TtPageSection tt_page_transfers = {
  .id = "transfers",
  .title = "Transfers",
  .command = "tracetool plot roofline",
  .stands_alone = TRUE,
  .fill = fill,
};
