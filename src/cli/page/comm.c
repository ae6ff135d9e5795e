/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/page/page.h"

#include "analyzers/path/job-path.h"
#include "formats/kineto/collectives.h"
#include "src/cli/plots/draw.h"
#include "src/cli/tables/comm.h"

static gboolean
add_tables (TtPage *page, TtComm *comm, const TtCommGroups *groups, const TtPairWaits *waits, GError **error)
{
  g_autoptr (TtTrustMarks) marks = tt_trust_marks_new (page->store, error);
  if (marks == NULL)
    return FALSE;
  g_autoptr (TtReport) pairs = tt_comm_pair_table (page->store, comm, waits, TT_COMM_BYTES, marks, &page->view);
  g_autoptr (TtReport) ranks = tt_comm_process_table (page->store, comm, waits, marks, &page->view);
  g_autoptr (TtReport) collectives = tt_comm_collective_table (page->store, comm, marks, &page->view);
  g_autoptr (TtReport) by_group = tt_comm_group_table (groups, marks, &page->view);

  return tt_page_table (page, "pairs", "Who sends to whom", pairs, error) &&
         tt_page_table (page, "ranks", "Messages of each process", ranks, error) &&
         tt_page_table (page, "collectives", "Collectives", collectives, error) &&
         tt_page_table (page, "groups", "Process groups", by_group, error);
}

/* Those of the page; but of a training job these are others, and with filters those alone that the chosen wait. */
static TtPairWaits *
find_waits (TtPage *page, const TtComm *comm, GError **error)
{
  gboolean is_job;

  if (comm->all.n_matched == 0)
    return tt_pair_waits_new_empty ();
  if (!tt_job_path_is_there (page->store, &is_job, error))
    return NULL;
  if (is_job || (page->selection != NULL && tt_selection_has_filters (page->selection)))
    return tt_pair_waits_new (page->store, page->selection, error);
  const TtWaits *waits = tt_page_find_waits (page, error);
  return waits == NULL ? NULL : tt_pair_waits_of (page->store, waits, page->selection);
}

static gboolean
fill (TtPage *page, GError **error)
{
  g_autoptr (TtComm) comm = tt_comm_new (page->store, page->selection, error);
  g_autoptr (TtCommGroups) groups =
      comm == NULL ? NULL : tt_comm_groups_new (page->store, page->selection, tt_kineto_read_collective, error);
  g_autoptr (TtPairWaits) waits = groups == NULL ? NULL : find_waits (page, comm, error);

  if (waits == NULL)
    return FALSE;
  if (comm->processes->len == 0 && groups->rows->len == 0)
    {
      tt_page_none (page, "No message and no call of a collective is in this run.");
      return TRUE;
    }
  if (comm->all.count > 0)
    {
      g_autofree char *heading = tt_comm_describe (comm);
      g_autoptr (TtOutput) svg = tt_output_open_memory ();

      tt_page_lines (page, heading);
      if (!tt_plot_matrix_draw (&page->plot, comm, svg, error))
        return FALSE;
      tt_page_picture (page, g_steal_pointer (&svg), "tracetool plot matrix");
    }
  return add_tables (page, comm, groups, waits, error);
}

const TtPageSection tt_page_comm = {
  .id = "comm",
  .title = "Messages and collectives",
  .command = "tracetool comm",
  .fill = fill,
};
