/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/page/page.h"

#include "src/cli/tables/path-doubt.h"
#include "src/cli/tables/path.h"

/* What bounds the run, and which operation has the most of the path. */
static void
say_bound (TtPage *page, const TtCriticalPath *path)
{
  g_autofree char *bound = tt_path_bound_text (page->store, path);
  const TtPathOp *op = path->ops->len == 0 ? NULL : &g_array_index (path->ops, TtPathOp, 0);

  if (op == NULL || path->length_ns <= 0)
    return;
  g_autofree char *name = tt_page_name (op->name);
  double percent = 100.0 * (double) op->time_ns / (double) path->length_ns;
  tt_page_sentence (page, TT_PAGE_BOUND,
                    bound != NULL ? g_strdup_printf ("%s; of the critical path %.1f %% is %s.", bound, percent, name)
                                  : g_strdup_printf ("%s, with %.1f %% of the critical path.", name, percent));
}

static gboolean
add_tables (TtPage *page, const TtCriticalPath *path, GError **error)
{
  gboolean is_job = path->steps != NULL, has_kinds = is_job || path->points.n_device_spans > 0;
  g_autoptr (TtReport) ops = tt_path_op_table (path, &page->view);
  g_autoptr (TtReport) ranks = tt_path_process_table (page->store, path, &page->view);
  g_autoptr (TtReport) kinds = has_kinds ? tt_path_kind_table (path, &page->view) : NULL;
  g_autoptr (TtReport) steps = is_job ? tt_path_step_table (page->store, path, &page->view) : NULL;

  return tt_page_table (page, "ops", "Operations on the critical path", ops, error) &&
         tt_page_table (page, "ranks", "Processes on the critical path", ranks, error) &&
         (kinds == NULL || tt_page_table (page, "kinds", "What the path does", kinds, error)) &&
         (steps == NULL || tt_page_table (page, "steps", "Steps of the path", steps, error));
}

static gboolean
fill (TtPage *page, GError **error)
{
  g_autoptr (TtCriticalPath) path = tt_critical_path_new (page->store, TT_NO_STEP, FALSE, error);

  if (path == NULL)
    return FALSE;
  if (path->segments->len == 0)
    {
      tt_page_none (page, "No span is in this run, and so no path.");
      return TRUE;
    }
  g_autofree char *heading = tt_path_describe (page->store, path);
  g_autofree char *notes = tt_path_notes (path), *doubt = NULL;
  tt_page_lines (page, heading);
  if (!add_tables (page, path, error) || !tt_path_doubt_find (page->store, path, &doubt, error))
    return FALSE;
  tt_page_lines (page, notes);
  tt_page_lines (page, doubt);
  say_bound (page, path);
  return TRUE;
}

const TtPageSection tt_page_path = {
  .id = "path",
  .title = "Critical path",
  .command = "tracetool critical-path",
  .stands_alone = TRUE,
  .fill = fill,
};
