/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/job/rows.h"

#include "src/trace/told-times.h"

gboolean
tt_job_import_is_in_window (const TtJobImportProcess *process, gint64 ts_ns)
{
  return process->first_ns == TT_NO_TIME || (ts_ns >= process->first_ns && ts_ns < process->end_ns);
}

static guint64
keep_args (TtJobImport *self, const TtJobImportSpan *span)
{
  TtTraceEvent event = { .offset = span->offset };
  const TtToldTimes told = { .ts_ns = TT_NO_TIME, .dur_ns = TT_NO_TIME, .longest_ns = span->longest_ns };

  if ((span->flags & TT_FLAGS_BOUNDED) == TT_FLAGS_BOUNDED)
    return tt_told_times_keep (&told, self->sink, 0);
  if (span->args_len == 0)
    return 0;
  event.args = (TtJsonValue){ .kind = TT_JSON_OBJECT, .raw = { span->args, span->args_len }, .offset = span->offset };
  return tt_args_keeper_keep (&self->args, &event);
}

void
tt_job_import_add_window (TtJobImport *self, const TtJobImportProcess *process)
{
  gint64 first_ns, end_ns;

  if (process->first_ns != TT_NO_TIME && !__builtin_add_overflow (process->first_ns, process->shift_ns, &first_ns) &&
      !__builtin_add_overflow (process->end_ns, process->shift_ns, &end_ns))
    tt_arrange_around (self->arrange, first_ns, end_ns);
}

void
tt_job_import_see (TtJobImport *self, const TtJobImportProcess *process, guint32 line, gint64 ts_ns, gint64 dur_ns)
{
  if (self->arrange != NULL && !__builtin_add_overflow (ts_ns, process->shift_ns, &ts_ns))
    tt_arrange_see (self->arrange, line, ts_ns, dur_ns);
}

void
tt_job_import_add_span (TtJobImport *self, const TtJobImportSpan *span)
{
  const TtJobImportProcess *process = span->process;
  gint64 ts_ns, end_ns;

  if (__builtin_add_overflow (span->ts_ns, process->shift_ns, &ts_ns) ||
      __builtin_add_overflow (ts_ns, MAX (span->dur_ns, 0), &end_ns))
    {
      tt_sink_repair (self->sink, TT_REPAIR_ODD_RECORD, span->offset);
      return;
    }
  if (self->some_ns == TT_NO_TIME)
    self->some_ns = ts_ns;
  if (span->hull_ns != 0)
    tt_arrange_set_metric (self->arrange, tt_sink_series (self->sink, TT_METRIC_HULL, "ns", TRUE));
  const TtTraceRecord row = {
    .thread = span->thread,
    .process = process->process,
    .name = span->name,
    .flags = span->flags | (span->hull_ns != 0 ? (guint32) TT_ARRANGE_METRIC : 0),
    .key = (guint64) span->hull_ns,
    .step = tt_step_finder_step (self->finder, process->process, span->name, span->ts_ns, span->step),
    .ts_ns = ts_ns,
    .dur_ns = span->dur_ns,
    .args = keep_args (self, span),
    .offset = span->offset,
  };
  tt_arrange_span (self->arrange, &row);
}
