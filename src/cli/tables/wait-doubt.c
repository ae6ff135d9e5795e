/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/wait-doubt.h"

#include "src/cli/clock-facts.h"

static guint32
rank_of (TtStore *store, guint32 thread)
{
  const TtThread *of = tt_store_thread (store, thread);
  const TtProcess *process = of == NULL ? NULL : tt_store_process (store, of->process);

  return process == NULL ? TT_NO_ID : process->owner;
}

/* Clocks of a job's hosts are aligned by its Sync while it is read, which is told then. */
static gboolean
is_of_job (TtStore *store)
{
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);

  return n > 0 && g_strcmp0 (sources[0].format, "job") == 0;
}

gboolean
tt_wait_doubt_tell (TtReport *report, TtStore *store, const TtWaits *waits, GError **error)
{
  g_auto (TtClockFacts) facts = { NULL };
  guint64 n = 0;
  double ns = 0;

  if (is_of_job (store))
    return TRUE;
  if (!tt_clock_facts_gather (&facts, store, error))
    return FALSE;
  for (guint i = 0; i < waits->waits->len; i++)
    {
      const TtWait *wait = &g_array_index (waits->waits, TtWait, i);
      guint32 rank = rank_of (store, wait->thread), from = rank_of (store, wait->from_thread);

      if (rank == from || rank == TT_NO_ID || from == TT_NO_ID)
        continue;
      n++;
      ns += (double) (wait->end_ns - wait->begin_ns);
    }
  g_autofree char *text = tt_clock_facts_doubt (&facts, store, n, ns);
  if (text != NULL)
    tt_report_footer (report, text);
  return TRUE;
}
