/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/page/page.h"

#include "src/cli/tables/imbalance.h"

static const char *const captions[TT_N_IMBALANCE_TABLES] = {
  [TT_IMBALANCE_OPERATIONS] = "Operations that ranks spend different times on",
  [TT_IMBALANCE_COLLECTIVES] = "Collectives: how far apart ranks arrive, and what that costs",
  [TT_IMBALANCE_LATE_RANKS] = "Ranks that are late, and that pay",
  [TT_IMBALANCE_STEPS] = "The straggler of each step",
};

static gboolean
add_tables (TtPage *page, const TtImbalance *answer, GError **error)
{
  g_autofree char *heading = tt_imbalance_describe (answer);

  tt_page_lines (page, heading);
  for (guint i = 0; i < TT_N_IMBALANCE_TABLES; i++)
    {
      g_autoptr (TtReport) report = tt_imbalance_table (answer, (TtImbalanceTable) i, &page->view);

      if (tt_report_n_rows (report) > 0 &&
          !tt_page_table (page, tt_imbalance_table_words[i], captions[i], report, error))
        return FALSE;
    }
  if (!page->part->has_content)
    tt_page_none (page, "No operation is on two ranks.");
  return TRUE;
}

static gboolean
fill (TtPage *page, GError **error)
{
  TtImbalance answer = { .store = page->store, .over = TT_IMBALANCE_RANKS };
  g_autoptr (GArray) operations =
      tt_op_imbalance (page->store, page->selection, answer.over, FALSE, &answer.n_alone, error);
  g_autoptr (TtArrivals) arrivals = operations == NULL ? NULL : tt_arrivals_new (page->store, page->selection, error);
  g_autoptr (TtStragglers) stragglers =
      arrivals == NULL ? NULL : tt_stragglers_new (page->store, page->selection, error);
  g_autoptr (TtTrustMarks) marks = stragglers == NULL ? NULL : tt_trust_marks_new (page->store, error);

  if (marks == NULL)
    return FALSE;
  answer.marks = marks;
  answer.operations = operations;
  answer.arrivals = arrivals;
  answer.stragglers = stragglers;
  return add_tables (page, &answer, error);
}

const TtPageSection tt_page_imbalance = {
  .id = "imbalance",
  .title = "What is uneven",
  .command = "tracetool imbalance",
  .stands_alone = TRUE,
  .fill = fill,
};
