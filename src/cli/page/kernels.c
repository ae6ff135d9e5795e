/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/page/page.h"

#include "analyzers/devices/roles.h"
#include "src/cli/tables/kernels.h"

static const struct
{
  TtKernelTable table;
  const char *caption;
} shown[] = {
  { TT_KERNELS_BY_NAME, "Kernels by name" },
  { TT_KERNELS_COPIES, "Copies and sets" },
  { TT_KERNELS_OPERATORS, "Operations that launched the work" },
  { TT_KERNELS_LAUNCHES, "Launches of each stream" },
  { TT_KERNELS_STREAMS, "Streams" },
};

static gboolean
add_tables (TtPage *page, GError **error)
{
  const TtKernelWants wants = { .has_short = TRUE };
  g_autoptr (TtKernels) kernels = tt_kernels_new (page->store, page->selection, &wants, NULL, error);
  g_autoptr (TtTrustMarks) marks = kernels == NULL ? NULL : tt_trust_marks_new (page->store, error);

  if (marks == NULL)
    return FALSE;
  if (kernels->streams->len + kernels->kernels->len + kernels->copies->len == 0)
    return TRUE;
  g_autofree char *heading = tt_kernel_describe (page->store, kernels);
  tt_page_lines (page, heading);
  for (guint i = 0; i < G_N_ELEMENTS (shown); i++)
    {
      g_autoptr (TtReport) report = tt_kernel_table (page->store, kernels, shown[i].table, marks, &page->view);

      if (!tt_page_table (page, tt_kernel_table_words[shown[i].table], shown[i].caption, report, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
fill (TtPage *page, GError **error)
{
  gboolean is_traced;

  if (!tt_device_is_traced (page->store, &is_traced, error))
    return FALSE;
  if (is_traced)
    return add_tables (page, error);
  tt_page_none (page, "No work on devices is in this run.");
  return TRUE;
}

const TtPageSection tt_page_kernels = {
  .id = "kernels",
  .title = "Devices",
  .command = "tracetool kernels",
  .stands_alone = TRUE,
  .fill = fill,
};
