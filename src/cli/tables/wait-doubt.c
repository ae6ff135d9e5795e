/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/wait-doubt.h"

#include "src/cli/clock-facts.h"
#include "src/cli/group-doubt.h"

/* Clocks of a job's hosts are aligned by its Sync while it is read, which is told then. */
static gboolean
is_of_job (TtStore *store)
{
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);

  return n > 0 && g_strcmp0 (sources[0].format, "job") == 0;
}

static void
tell_locks (TtReport *report, guint64 n)
{
  g_autofree char *text =
      g_strdup_printf ("locks: %" G_GUINT64_FORMAT
                       " wait%s for one of several locks that threads hold at once, and the trace does not tell\n"
                       "  which: whom %s for may be wrong",
                       n, n == 1 ? "" : "s", n == 1 ? "it was" : "they were");

  if (n > 0)
    tt_report_footer (report, text);
}

static gboolean
tell_groups (TtReport *report, TtStore *store, GError **error)
{
  g_autofree char *doubt = NULL;

  if (!tt_group_doubt_text (store, &doubt, error))
    return FALSE;
  g_autofree char *text = doubt == NULL ? NULL : g_strconcat ("communicators: ", doubt, NULL);
  if (text != NULL)
    tt_report_footer (report, text);
  return TRUE;
}

gboolean
tt_wait_doubt_tell (TtReport *report, TtStore *store, const TtRankWaits *waits, guint64 n_locks, GError **error)
{
  g_auto (TtClockFacts) facts = { NULL };

  tell_locks (report, n_locks);
  if (is_of_job (store))
    return TRUE;
  if (!tell_groups (report, store, error) || !tt_clock_facts_gather (&facts, store, error))
    return FALSE;
  g_autofree char *text = tt_clock_facts_doubt (&facts, store, waits->n, waits->ns);
  if (text != NULL)
    tt_report_footer (report, text);
  return TRUE;
}
