/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/job/events.h"

#include "formats/trace-event/feed.h"

gboolean
tt_job_import_each_event (TtJobImport *self, const char *path, TtJobImportEventFunc func, gpointer data, GError **error)
{
  g_autoptr (TtTraceEventFeed) feed = tt_trace_event_feed_new (path, self->sink, self->options->strict, error);
  g_autoptr (GError) failure = NULL;
  const TtTraceEvent *event;

  if (feed == NULL)
    return FALSE;
  while ((event = tt_trace_event_feed_next (feed, &failure)) != NULL)
    if (!func (event, data))
      tt_sink_repair (self->sink, TT_REPAIR_ODD_RECORD, event->offset);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

gboolean
tt_job_import_is_whole_span (const TtTraceEvent *event, TtSink *sink)
{
  if ((event->has & TT_EVENT_HAS_DUR) == 0)
    tt_sink_repair (sink, TT_REPAIR_NO_DURATION, event->offset);
  return event->name.kind == TT_JSON_STRING && (event->has & TT_EVENT_HAS_TS) != 0;
}

gint32
tt_job_import_event_step (const TtTraceEvent *event)
{
  gint64 step;

  if (event->args.kind != TT_JSON_OBJECT)
    return TT_NO_STEP;
  TtJsonValue value = tt_json_get (event->args.raw, "step");
  return tt_json_int64 (&value, &step) && step >= 0 && step <= G_MAXINT32 ? (gint32) step : TT_NO_STEP;
}

gboolean
tt_job_import_goes_on (const TtJobImport *self, const char *path, GError *fault, GError **error)
{
  const TtImportOptions *options = self->options;

  if (options->leave_out != NULL && options->leave_out (path, &fault, options->leave_out_data))
    return TRUE;
  g_propagate_error (error, fault);
  return FALSE;
}
