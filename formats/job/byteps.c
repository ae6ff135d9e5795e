#include "config.h"

#include "formats/job/private.h"

#include "formats/trace-event/reader.h"
#include "formats/byteps/transfers.h"

#include <string.h>

/*
 * What passes between the workers of a job and BytePS' servers: comm_timeline.json and server_timeline.json of the
 * whole job.
 *
 * A transfer is in the step that its worker is in when it begins, a server's work in that of the first worker: the k of
 * the files counts from the begin of the run, which the operators' traces seldom do. Times are taken to be those of the
 * workers' clocks.
 */

#define LINK_THREAD "0"

typedef struct
{
  TtJob *job;
  TtTraceLanes *lanes;
  TtBytepsTransfers *transfers;
} Servers;

/* The number that a name ends with: 3 of "traces_3"; -1: none. */
static gint64
last_number (const char *name)
{
  gsize len = strlen (name), begin = len;
  gint64 number;

  while (begin > 0 && g_ascii_isdigit (name[begin - 1]))
    begin--;
  return g_ascii_string_to_signed (name + begin, 10, 0, G_MAXINT32, &number, NULL) ? number : -1;
}

/* Hosts are called traces_<worker>; where they are not, or two have one number, they are counted in their order. */
void
tt_job_number_workers (TtJob *self)
{
  g_autoptr (GHashTable) hosts = g_hash_table_new (NULL, NULL); /* number + 1 -> index of the host + 1 */
  gboolean are_named = TRUE;

  for (guint i = 0; i < self->processes->len; i++)
    {
      const TtJobRank *rank = g_array_index (self->processes, TtJobProcess, i).rank;
      gint64 number = rank->host == NULL ? -1 : last_number (rank->host);
      gpointer key = GINT_TO_POINTER ((gint) number + 1), index = GUINT_TO_POINTER (rank->host_index + 1);
      gpointer known = g_hash_table_lookup (hosts, key);

      are_named = are_named && number >= 0 && (known == NULL || known == index);
      g_hash_table_insert (hosts, key, index);
    }
  for (guint i = 0; i < self->processes->len; i++)
    {
      TtJobProcess *process = &g_array_index (self->processes, TtJobProcess, i);
      process->worker = are_named ? (guint) last_number (process->rank->host) : process->rank->host_index;
    }
}

/* The GPU whose steps hold for what happens at @pid: the first of the worker, or of all. */
static const TtJobProcess *
process_of (const TtJob *self, const char *pid)
{
  const char *worker = strstr (pid, "worker_");
  guint64 number = worker == NULL ? 0 : g_ascii_strtoull (worker + strlen ("worker_"), NULL, 10);

  for (guint i = 0; worker != NULL && i < self->processes->len; i++)
    {
      const TtJobProcess *process = &g_array_index (self->processes, TtJobProcess, i);
      if (process->worker == number)
        return process;
    }
  return &g_array_index (self->processes, TtJobProcess, 0);
}

static gboolean
put_transfer (const TtBytepsTransfer *transfer, gpointer data, GError **error)
{
  Servers *self = data;
  TtSink *sink = self->job->sink;
  const TtJobProcess *process = process_of (self->job, transfer->pid);
  const TtRawName raw = { .raw = transfer->raw,
                          .op = transfer->tensor,
                          .op_cat = transfer->op_cat,
                          .sub_op = transfer->sub_op,
                          .suffix = transfer->suffix,
                          .group = transfer->op_cat };

  if (transfer->dur_ns == TT_NO_TIME || !tt_job_is_in_window (process, transfer->ts_ns))
    {
      tt_sink_repair (sink, TT_REPAIR_OUTSIDE_WINDOW, transfer->offset);
      return TRUE;
    }
  TtHappening span = { .process = tt_sink_process (sink, transfer->pid, NULL, NULL, -1),
                       .name = tt_sink_name (sink, &raw),
                       .flags = transfer->flags,
                       .ts_ns = transfer->ts_ns,
                       .dur_ns = transfer->dur_ns,
                       .offset = transfer->offset };
  span.thread = tt_sink_thread (sink, span.process, LINK_THREAD, NULL, 0);
  span.step = tt_step_finder_step (self->job->finder, process->process, span.name, span.ts_ns, TT_NO_STEP);
  if (self->job->some_ns == TT_NO_TIME)
    self->job->some_ns = span.ts_ns;
  tt_arrange_span (self->job->arrange, &span);
  return tt_arrange_check (self->job->arrange, error);
}

static gboolean
take_event (Servers *self, const TtTraceEvent *event)
{
  if (tt_trace_lanes_name (self->lanes, event))
    return TRUE;
  return (event->ph == 'B' || event->ph == 'E') && event->name.kind == TT_JSON_STRING &&
         (event->has & TT_EVENT_HAS_TS) != 0 && tt_byteps_transfers_add (self->transfers, event);
}

gboolean
tt_job_read_servers (TtJob *job, const char *path, GError **error)
{
  g_autoptr (TtTraceEventReader) reader = tt_trace_event_reader_new (path, job->sink, job->options->strict, error);
  g_autoptr (TtTraceLanes) lanes = tt_trace_lanes_new ();
  g_autoptr (TtBytepsTransfers) transfers = tt_byteps_transfers_new (lanes, job->sink);
  Servers self = { job, lanes, transfers };
  g_autoptr (GError) failure = NULL;
  TtTraceEvent event;

  if (reader == NULL)
    return FALSE;
  while (tt_trace_event_reader_next (reader, &event, &failure))
    if (!take_event (&self, &event))
      tt_sink_repair (job->sink, TT_REPAIR_ODD_RECORD, event.offset);
  if (failure != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  return tt_byteps_transfers_each (transfers, put_transfer, &self, error) &&
         (!job->options->strict || tt_repairs_check_none (&job->sink->repairs, path, error));
}
