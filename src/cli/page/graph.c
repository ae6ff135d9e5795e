/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/page/page.h"

#include "formats/graph-svg/graph-svg.h"
#include "graphs/reduce.h"
#include "src/cli/levels/level.h"

/* What can be read and drawn at once. */
#define MAX_NODES 80u

static gboolean
fill (TtPage *page, GError **error)
{
  if (tt_store_n_events (page->store) == 0)
    return TRUE;

  TtGraphRequest request = { .spans.kinds = TT_DEP_KINDS_DEFAULT };
  g_autoptr (TtTrail) trail = NULL;
  g_autoptr (TtGraph) graph = tt_graph_level_op.build (page->store, &request, &trail, error);
  g_autofree char *note = NULL;
  const TtGraphLimits limits = { .max_nodes = MAX_NODES };
  guint n_folded, n_dropped = 0;
  double part = 0;

  if (graph == NULL)
    return FALSE;
  g_autoptr (TtGraph) folded = tt_graph_fold_ranks (graph, &n_folded);
  g_autoptr (TtGraph) drawn = tt_graph_limit (folded, &limits, &n_dropped, &part, NULL);
  if (drawn->nodes->len <= 1)
    return TRUE;
  if (n_dropped + n_folded > 0)
    note = g_strdup_printf ("%u processes of equal shape are folded; %u more, with %.1f %% of the self time, are not "
                            "drawn",
                            n_folded, n_dropped, 100 * part);
  const TtGraphHeading heading = { "Operations and what they call, follow and send to", note, .is_part_of_page = TRUE };
  TtOutput *svg = tt_output_open_memory ();
  tt_graph_svg_write (drawn, &heading, svg);
  tt_page_markup (
      page, "<p class=\"lead\">A click on a node, or Enter after a search, shows what leads to it and from it; Escape "
            "shows all."
            "</p>\n<div class=\"graph\" tabindex=\"0\" role=\"group\" aria-label=\"Graph of operations\">\n");
  tt_page_picture (page, svg, "tracetool depgraph -o graph.svg");
  tt_page_markup (page, "</div>\n");
  return TRUE;
}

const TtPageSection tt_page_graph = {
  .id = "graph",
  .title = "Dependencies",
  .command = "tracetool depgraph --fold-ranks -o graph.svg",
  .stands_alone = TRUE,
  .fill = fill,
};
