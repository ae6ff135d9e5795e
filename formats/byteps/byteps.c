/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/byteps/transfers.h"
#include "formats/trace-event/import.h"
#include "formats/trace-event/operator-rows.h"
#include "formats/trace-event/rows.h"
#include "src/base/text-ids.h"

#include <string.h>

/*
 * BytePS: timelines of workers (whole spans "Comm.byteps.gradient_0.PUSH", one thread a tensor and partition), and
 * the two files made of the logs of its network and its servers (begins and ends between "worker_0 -> server_1", and in
 * "server_1"), see byteps-transfers.h.
 */

typedef struct
{
  TtTraceEventImport *import;
  TtTraceLanes *lanes;
  TtBytepsKeys *keys; /* NULL: none beside the file */
  TtBytepsTransfers *transfers;
  guint32 process;
  guint n_threads;
  TtTextIds *threads; /* by tensor and tid */
  GString *text;
} State;

/* -- recognising ------------------------------------------------------------------------------------- */

static gboolean
is_device (const char *process)
{
  g_autofree char *source = NULL, *target = NULL;

  return tt_byteps_is_server (process) || tt_byteps_link (process, &source, &target);
}

static guint
probe (const TtClues *clues)
{
  GHashTableIter iter;
  gpointer key;
  gboolean has_device = FALSE;
  guint n_worker = 0;

  g_hash_table_iter_init (&iter, clues->process_names);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    has_device |= is_device (key);
  for (guint i = 0; i < clues->names->len; i++)
    n_worker += strstr (clues->names->pdata[i], " Comm.byteps") != NULL;
  if (has_device)
    return 85;
  /* More than the dialect of standard names, whose names these seem to be. */
  return n_worker > 0 && n_worker * 2 >= clues->names->len ? 80 : 0;
}

/* -- workers ------------------------------------------------------------------------------------------ */

static guint32
worker_thread (State *self, const char *tensor, const char *tid)
{
  TtSink *sink = self->import->sink;

  if (self->process == TT_NO_ID)
    {
      g_autofree char *pid = tt_operator_pid (self->import->options);
      self->process = tt_sink_process (sink, pid, NULL, NULL, self->import->options->rank);
    }
  g_string_printf (self->text, "Comm %s %s", tensor, tid);
  guint32 thread = tt_text_ids_find (self->threads, 0, self->text->str, self->text->len);
  if (thread == TT_NO_ID)
    {
      thread = tt_sink_thread (sink, self->process, self->text->str, NULL, self->n_threads++);
      tt_text_ids_add (self->threads, 0, self->text->str, self->text->len, thread);
    }
  return thread;
}

/* FALSE: not a worker's. */
static gboolean
put_worker (State *self, const TtTraceEvent *event)
{
  g_autofree char *text = event->name.kind == TT_JSON_STRING ? tt_json_text (&event->name) : NULL;
  g_auto (TtBytepsName) name = { 0 };
  char suffix[32];
  int part;

  if (text == NULL || !tt_byteps_worker_name (text, &name))
    return FALSE;
  const char *tid = tt_trace_lanes_tid (self->lanes, tt_trace_lanes_of (self->lanes, event));
  TtRawName raw = { .raw = text, .op = name.tensor, .op_cat = "Comm", .sub_op = name.sub_op, .group = "Comm" };
  if (self->keys != NULL && tt_byteps_keys_part (self->keys, tid, &part) && part >= 0)
    {
      g_snprintf (suffix, sizeof suffix, "~PART%d", part);
      raw.suffix = suffix;
    }
  const TtTraceRecord span = { .thread = worker_thread (self, name.tensor, tid),
                             .process = self->process,
                             .name = tt_sink_name (self->import->sink, &raw),
                             .step = TT_NO_STEP,
                             .ts_ns = event->ts_ns,
                             .dur_ns = event->dur_ns,
                             .args = tt_trace_event_args (self->import, event),
                             .offset = event->offset };
  tt_arrange_span (self->import->arrange, &span);
  return TRUE;
}

static gboolean
take_event (TtTraceEventImport *import, const TtTraceEvent *event, gpointer data, GError **error)
{
  State *self = data;

  (void) error;
  if (tt_trace_lanes_name (self->lanes, event))
    return TRUE;
  if (event->ph == 'X' && put_worker (self, event))
    return TRUE;
  if ((event->ph == 'B' || event->ph == 'E') && event->name.kind == TT_JSON_STRING &&
      tt_byteps_transfers_add (self->transfers, event))
    return TRUE;
  tt_trace_lanes_put (self->lanes, import, event);
  return TRUE;
}

/* -- transfers and servers ------------------------------------------------------------------------------- */

static gboolean
put_transfer (const TtBytepsTransfer *transfer, gpointer data, GError **error)
{
  State *self = data;
  TtSink *sink = self->import->sink;
  const TtRawName raw = { .raw = transfer->raw,
                          .op = transfer->tensor,
                          .op_cat = transfer->op_cat,
                          .sub_op = transfer->sub_op,
                          .suffix = transfer->suffix,
                          .group = transfer->op_cat };
  TtTraceRecord span = { .process = tt_sink_process (sink, transfer->pid, NULL, NULL, -1),
                       .name = tt_sink_name (sink, &raw),
                       .flags = transfer->flags,
                       .step = transfer->step,
                       .ts_ns = transfer->ts_ns,
                       .dur_ns = transfer->dur_ns,
                       .offset = transfer->offset };

  span.thread = tt_sink_thread (sink, span.process, "0", NULL, 0);
  if (transfer->dur_ns == TT_NO_TIME)
    {
      tt_sink_own_repairs (sink, span.process, TT_REPAIR_END_WITHOUT_BEGIN, 1);
      tt_arrange_instant (self->import->arrange, &span);
    }
  else
    tt_arrange_span (self->import->arrange, &span);
  return tt_arrange_check (self->import->arrange, error);
}

/* -- begin and end ---------------------------------------------------------------------------------------- */

static gpointer
begin (TtTraceEventImport *import, const TtClues *clues)
{
  State *self = g_new0 (State, 1);

  (void) clues;
  self->import = import;
  self->lanes = tt_trace_lanes_new ();
  self->keys = tt_byteps_keys_beside (import->path);
  self->transfers = tt_byteps_transfers_new (self->lanes, import->sink);
  self->threads = tt_text_ids_new ();
  self->text = g_string_new (NULL);
  return self;
}

static void
release (gpointer data)
{
  State *self = data;

  tt_byteps_transfers_free (self->transfers);
  tt_byteps_keys_free (self->keys);
  tt_trace_lanes_free (self->lanes);
  tt_text_ids_free (self->threads);
  g_string_free (self->text, TRUE);
  g_free (self);
}

static gboolean
end (TtTraceEventImport *import, gpointer data, GError **error)
{
  State *self = data;

  (void) import;
  return tt_byteps_transfers_each (self->transfers, put_transfer, self, error) &&
         tt_trace_lanes_check (self->lanes, error) && tt_text_ids_check (self->threads, error);
}

const TtDialect tt_dialect_byteps = {
  .name = "byteps",
  .probe = probe,
  .begin = begin,
  .event = take_event,
  .header = tt_trace_event_add_header,
  .end = end,
  .release = release,
};

TT_DIALECT_FORMAT (byteps, "timelines of BytePS: workers, comm_timeline.json, server_timeline.json");
