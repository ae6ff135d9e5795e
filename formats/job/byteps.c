/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/job/byteps.h"

#include "formats/byteps/transfers.h"
#include "formats/job/events.h"
#include "formats/job/rows.h"

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
  TtJobImport *job;
  TtTraceLanes *lanes;
  TtBytepsTransfers *transfers;
} Servers;

/* The number that a name ends with: 3 of "traces_3"; -1: none. */
static gint64
read_last_number (const char *name)
{
  gsize len = strlen (name), begin = len;
  gint64 number;

  while (begin > 0 && g_ascii_isdigit (name[begin - 1]))
    begin--;
  return g_ascii_string_to_signed (name + begin, 10, 0, G_MAXINT32, &number, NULL) ? number : -1;
}

/* Hosts are called traces_<worker>; where they are not, or two have one number, they are counted in their order. */
void
tt_job_import_number_workers (TtJobImport *self)
{
  g_autoptr (GHashTable) hosts = g_hash_table_new (NULL, NULL); /* number + 1 -> index of the host + 1 */
  gboolean are_named = TRUE;

  for (guint i = 0; i < self->processes->len; i++)
    {
      const TtJobRank *rank = g_array_index (self->processes, TtJobImportProcess, i).rank;
      gint64 number = rank->host == NULL ? -1 : read_last_number (rank->host);
      gpointer key = GINT_TO_POINTER ((gint) number + 1), index = GUINT_TO_POINTER (rank->host_index + 1);
      gpointer known = g_hash_table_lookup (hosts, key);

      are_named = are_named && number >= 0 && (known == NULL || known == index);
      g_hash_table_insert (hosts, key, index);
    }
  for (guint i = 0; i < self->processes->len; i++)
    {
      TtJobImportProcess *process = &g_array_index (self->processes, TtJobImportProcess, i);
      process->worker = are_named ? (guint) read_last_number (process->rank->host) : process->rank->host_index;
    }
}

/* The GPU whose steps hold for events of @pid: the first of the worker, or of all. */
static const TtJobImportProcess *
find_process (const TtJobImport *self, const char *pid)
{
  const char *worker = strstr (pid, "worker_");
  guint64 number = worker == NULL ? 0 : g_ascii_strtoull (worker + strlen ("worker_"), NULL, 10);

  for (guint i = 0; worker != NULL && i < self->processes->len; i++)
    {
      const TtJobImportProcess *process = &g_array_index (self->processes, TtJobImportProcess, i);
      if (process->worker == number)
        return process;
    }
  return &g_array_index (self->processes, TtJobImportProcess, 0);
}

static gboolean
add_transfer (const TtBytepsTransfer *transfer, gpointer data, GError **error)
{
  Servers *self = data;
  TtSink *sink = self->job->sink;
  const TtJobImportProcess *process = find_process (self->job, transfer->pid);
  const TtRawName raw = { .raw = transfer->raw,
                          .op = transfer->tensor,
                          .op_cat = transfer->op_cat,
                          .sub_op = transfer->sub_op,
                          .suffix = transfer->suffix,
                          .group = transfer->op_cat };

  if (transfer->dur_ns == TT_NO_TIME)
    tt_sink_own_repairs (sink, tt_sink_process (sink, transfer->pid, NULL, NULL, -1), TT_REPAIR_END_WITHOUT_BEGIN, 1);
  if (transfer->dur_ns == TT_NO_TIME || !tt_job_import_is_in_window (process, transfer->ts_ns))
    {
      tt_sink_repair (sink, TT_REPAIR_OUTSIDE_WINDOW, transfer->offset);
      return TRUE;
    }
  TtTraceRecord span = { .process = tt_sink_process (sink, transfer->pid, NULL, NULL, -1),
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
on_event (const TtTraceEvent *event, gpointer data)
{
  Servers *self = data;

  if (tt_trace_lanes_name (self->lanes, event))
    return TRUE;
  return (event->ph == 'B' || event->ph == 'E') && event->name.kind == TT_JSON_STRING &&
         (event->has & TT_EVENT_HAS_TS) != 0 && tt_byteps_transfers_add (self->transfers, event);
}

gboolean
tt_job_import_read_servers (TtJobImport *job, const char *path, GError **error)
{
  g_autoptr (TtTraceLanes) lanes = tt_trace_lanes_new ();
  g_autoptr (TtBytepsTransfers) transfers = tt_byteps_transfers_new (lanes, job->sink);
  Servers self = { job, lanes, transfers };

  return tt_job_import_each_event (job, path, on_event, &self, error) &&
         tt_byteps_transfers_each (transfers, add_transfer, &self, error) && tt_trace_lanes_check (lanes, error) &&
         (!job->options->strict || tt_repairs_check_none (&job->sink->repairs, path, error));
}
