/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/page/page.h"

#include "src/cli/clock-facts.h"
#include "src/cli/run-facts.h"
#include "src/cli/tables/info-trust.h"

/* Repairs of each source, with their first place; sources without any are not named. */
static void
add_repairs (TtPage *page)
{
  guint n, n_told = 0;
  const TtSource *sources = tt_store_sources (page->store, &n);

  for (guint i = 0; i < n && n_told < 20; i++)
    {
      TtRepairs repairs;
      g_autofree char *name = sources[i].path == NULL ? g_strdup ("?") : g_path_get_basename (sources[i].path);

      if (sources[i].repairs == NULL)
        continue;
      tt_repairs_from_json (&repairs, sources[i].repairs);
      g_autofree char *text = tt_repairs_describe (&repairs, NULL);
      g_autofree char *line = g_strdup_printf ("%s: %s", name, text);
      tt_page_lines (page, line);
      n_told++;
    }
}

static gboolean
fill (TtPage *page, GError **error)
{
  GError *failure = NULL;
  g_autofree char *line = tt_info_trust_line (page->store, &failure);
  g_auto (TtClockFacts) facts = { 0 };
  g_autofree char *apart = NULL;

  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  if (!tt_clock_facts_gather_all (&facts, page->store, error) || !tt_apart_text (page->store, &apart, error))
    return FALSE;
  g_autofree char *clocks = tt_clock_facts_text (&facts, page->store);
  g_autoptr (TtReport) rows = tt_info_trust (page->store, &page->view, error);
  if (rows == NULL)
    return FALSE;
  g_autofree char *records = line != NULL
                                 ? g_strdup_printf ("%s.", line)
                                 : g_strdup ("Every record was read: nothing was mended, bounded, inferred or lost.");
  g_autofree char *clock_line = clocks == NULL ? NULL : g_strdup_printf ("Clocks %s.", clocks);
  tt_page_lines (page, records);
  tt_page_lines (page, clock_line);
  tt_page_lines (page, apart);
  add_repairs (page);
  tt_page_sentence (
      page, TT_PAGE_TRUST,
      g_strjoin (" ", records, clock_line != NULL ? clock_line : apart, clock_line != NULL ? apart : NULL, NULL));
  return tt_page_table (page, "sources", "Records of each source and rank, and what became of them", rows, error);
}

const TtPageSection tt_page_trust = {
  .id = "trust",
  .title = "Repairs and trust",
  .command = "tracetool info --trust",
  .fill = fill,
};
