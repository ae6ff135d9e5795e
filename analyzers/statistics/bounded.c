/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/bounded.h"

#include "src/trace/repairs.h"

guint64
tt_bounded_ends (TtStore *store)
{
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);
  guint64 n_ends = 0;

  for (guint i = 0; i < n; i++)
    {
      TtRepairs repairs;

      tt_repairs_from_json (&repairs, sources[i].repairs);
      n_ends += repairs.count[TT_REPAIR_BOUNDED_END] + repairs.count[TT_REPAIR_BOUNDED_BEGIN] +
                repairs.count[TT_REPAIR_UNSURE_END] + repairs.count[TT_REPAIR_UNSURE_TEAM];
    }
  return n_ends;
}

void
tt_bounded_tell (TtStore *store, const char *are, TtReport *report)
{
  guint64 n = tt_bounded_ends (store);
  g_autofree char *note = g_strdup_printf ("Lost begins or ends: %" G_GUINT64_FORMAT ". Their spans are %s", n, are);

  if (n > 0)
    tt_report_footer (report, note);
}
