/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/record-export/run.h"

static gboolean
find_base (TtRecordExportRun *self, GError **error)
{
  gint64 first_ns, last_ns;
  guint n;
  const TtSource *sources = tt_store_sources (self->store, &n);

  if (tt_store_time_range (self->store, &first_ns, &last_ns, error))
    self->base_ns = first_ns < 0 && first_ns > G_MININT64 ? -first_ns : 0;
  else if (error != NULL && *error != NULL)
    return FALSE;
  self->is_ticks = n > 0;
  for (guint i = 0; i < n; i++)
    {
      self->is_ticks &= g_strcmp0 (sources[i].clock, tt_clock_text (TT_CLOCK_TICKS)) == 0;
      self->report->mixed_clocks |= g_strcmp0 (sources[i].clock, sources[0].clock) != 0;
    }
  return TRUE;
}

gboolean
tt_record_export_run_init (TtRecordExportRun *self,
                           TtStore *store,
                           TtSelection *selection,
                           gint64 unit_ns,
                           TtRecordExportReport *report,
                           GError **error)
{
  *self = (TtRecordExportRun){
    .store = store,
    .selection = selection,
    .report = report,
    .unit_ns = unit_ns,
    .n_threads = tt_store_max_thread (store) + 1,
  };
  return find_base (self, error);
}

gint64
tt_record_export_run_time (const TtRecordExportRun *self, gint64 ns)
{
  gint64 shifted;

  if (__builtin_add_overflow (ns, self->base_ns, &shifted) || shifted < 0)
    shifted = 0;
  if (self->is_ticks)
    return shifted;
  self->report->n_rounded += shifted % self->unit_ns != 0;
  return shifted / self->unit_ns;
}

gboolean
tt_record_export_run_has_point (const TtRecordExportRun *self, guint32 thread, gint64 ts_ns)
{
  return self->selection == NULL || tt_selection_matches_point (self->selection, thread, ts_ns);
}
