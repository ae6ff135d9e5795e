/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/wait-doubt.h"

#include "src/cli/clock-facts.h"

/* Clocks of a job's hosts are aligned by its Sync while it is read, which is told then. */
static gboolean
is_of_job (TtStore *store)
{
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);

  return n > 0 && g_strcmp0 (sources[0].format, "job") == 0;
}

gboolean
tt_wait_doubt_tell (TtReport *report, TtStore *store, const TtRankWaits *waits, GError **error)
{
  g_auto (TtClockFacts) facts = { NULL };

  if (is_of_job (store))
    return TRUE;
  if (!tt_clock_facts_gather (&facts, store, error))
    return FALSE;
  g_autofree char *text = tt_clock_facts_doubt (&facts, store, waits->n, waits->ns);
  if (text != NULL)
    tt_report_footer (report, text);
  return TRUE;
}
