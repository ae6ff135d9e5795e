/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/record-export/attached.h"

#include "src/base/sorter.h"

#define SORT_MEMORY ((gsize) 24 << 20)

struct _TtRecordExportAttachments
{
  const TtRecordExportRun *run;
  TtSorter *sorter;
  const TtRecordExportAttached *next; /* NULL: the end, or failed */
  GError *failed;
  gboolean has_onesided;
  GArray *flow_kinds; /* of TtRecordExportFlowKind; borrowed; NULL: no flows */
  guint64 n_flows;
};

static guint32
kind_of_half (const TtMessage *message, gboolean is_send)
{
  gboolean is_lone = message->send_ns == TT_NO_TIME || message->recv_ns == TT_NO_TIME;

  if (message->flags == NULL || !g_str_has_prefix (message->flags, "onesided"))
    return is_send ? TT_RECORD_EXPORT_SEND : TT_RECORD_EXPORT_RECV;
  if (is_lone && !tt_message_is_unmatched (message))
    return is_send ? TT_RECORD_EXPORT_PUT : TT_RECORD_EXPORT_GET;
  return is_send ? TT_RECORD_EXPORT_ONESIDED_SEND : TT_RECORD_EXPORT_ONESIDED_RECV;
}

static void
add_half (TtRecordExportAttachments *self, const TtMessage *message, gboolean is_send)
{
  gint64 ns = is_send ? message->send_ns : message->recv_ns;
  guint32 thread = is_send ? message->src_thread : message->dst_thread;
  guint64 event = is_send ? message->send_event : message->recv_event;
  guint32 kind = kind_of_half (message, is_send);

  if (ns == TT_NO_TIME || thread == TT_NO_ID || thread >= self->run->n_threads)
    return;
  if (event == 0 && !tt_record_export_run_has_point (self->run, thread, ns))
    return;
  self->has_onesided |= kind >= TT_RECORD_EXPORT_ONESIDED_SEND;
  TtRecordExportAttached *half = tt_sorter_add (self->sorter);
  *half = (TtRecordExportAttached){
    .high = 0 - event,
    .low = tt_sort_key (ns),
    .time = tt_record_export_run_time (self->run, ns),
    .par = message->bytes,
    .a = message->tag,
    .b = message->comm,
    .thread = thread,
    .ordinal = message->ordinal < 0 || message->ordinal >= G_MAXUINT32 ? G_MAXUINT32 : (guint32) message->ordinal,
    .value = is_send ? message->dst_process : message->src_process,
    .kind = kind,
  };
}

static gboolean
on_message (const TtMessage *message, gpointer data)
{
  add_half (data, message, TRUE);
  add_half (data, message, FALSE);
  return TRUE;
}

static gboolean
on_metric (guint64 event, guint32 series, gint64 inclusive, gint64 exclusive, gpointer data)
{
  TtRecordExportAttachments *self = data;
  TtRecordExportAttached *metric = tt_sorter_add (self->sorter);

  *metric = (TtRecordExportAttached){
    .high = 0 - event,
    .low = G_MAXUINT64,
    .par = inclusive,
    .value = series,
    .kind = TT_RECORD_EXPORT_METRIC,
  };
  return TRUE;
}

static gboolean
on_collective (const TtCollective *call, gpointer data)
{
  TtRecordExportAttachments *self = data;

  if (call->is_undecided)
    return TRUE;
  TtRecordExportAttached *attached = tt_sorter_add (self->sorter);
  *attached = (TtRecordExportAttached){
    .high = 0 - call->event,
    .low = G_MAXUINT64,
    .a = call->root,
    .b = call->comm,
    .kind = TT_RECORD_EXPORT_OF_CALL,
    /* Where the source does not say it, all take part. */
    .ordinal = call->is_inferred || call->comm == 0 ? TT_RECORD_EXPORT_INFERRED_CALL : TT_RECORD_EXPORT_CALL,
  };
  return TRUE;
}

/* A flow tells that an operator is of the backward pass. */
static gboolean
on_activity (const TtActivityRow *row, gpointer data)
{
  TtRecordExportAttachments *self = data;

  if (row->what.role == TT_ACTIVITY_NONE || row->what.role == TT_ACTIVITY_BACKWARD)
    return TRUE;
  TtRecordExportAttached *attached = tt_sorter_add (self->sorter);
  *attached = (TtRecordExportAttached){
    .high = 0 - row->event,
    .low = G_MAXUINT64,
    .par = (gint64) row->what.correlation,
    .a = (gint64) row->what.waits_for,
    .thread = row->what.queue,
    .value = row->what.waits_on,
    .kind = TT_RECORD_EXPORT_OF_ACTIVITY,
    .ordinal = row->what.role | (row->what.blocks ? TT_RECORD_EXPORT_BLOCKS : 0),
  };
  return TRUE;
}

static guint32
find_kind (TtRecordExportAttachments *self, const TtFlow *flow)
{
  const TtRecordExportFlowKind kind = { g_intern_string (flow->kind), flow->link, flow->is_inferred };

  for (guint i = 0; i < self->flow_kinds->len; i++)
    {
      const TtRecordExportFlowKind *known = &g_array_index (self->flow_kinds, TtRecordExportFlowKind, i);
      if (known->text == kind.text && known->link == kind.link && known->is_inferred == kind.is_inferred)
        return i;
    }
  g_array_append_val (self->flow_kinds, kind);
  return self->flow_kinds->len - 1;
}

static void
add_flow_side (TtRecordExportAttachments *self, guint64 event, gint64 ns, const TtRecordExportAttached *flow)
{
  TtRecordExportAttached *side = tt_sorter_add (self->sorter);

  *side = *flow;
  side->high = 0 - event;
  side->a = ns == TT_NO_TIME ? TT_NO_TIME : tt_record_export_run_time (self->run, ns);
}

static gboolean
on_flow (const TtFlow *flow, gpointer data)
{
  TtRecordExportAttachments *self = data;
  TtRecordExportAttached side = { .low = G_MAXUINT64, .kind = TT_RECORD_EXPORT_FLOW, .par = (gint64) ++self->n_flows };

  side.value = find_kind (self, flow);
  add_flow_side (self, flow->from_event, flow->from_ns, &side);
  side.ordinal = 1;
  add_flow_side (self, flow->to_event, flow->to_ns, &side);
  return TRUE;
}

static void
advance (TtRecordExportAttachments *self)
{
  self->next = tt_sorter_next (self->sorter, &self->failed);
}

TtRecordExportAttachments *
tt_record_export_attachments_new (const TtRecordExportRun *run,
                                  gboolean with_activity,
                                  GArray *flow_kinds,
                                  GError **error)
{
  g_autoptr (TtRecordExportAttachments) self = g_new0 (TtRecordExportAttachments, 1);

  self->run = run;
  self->flow_kinds = flow_kinds;
  self->sorter = tt_sorter_new (sizeof (TtRecordExportAttached), SORT_MEMORY);
  if (!tt_store_each_message (run->store, on_message, self, error) ||
      !tt_store_each_metric (run->store, on_metric, self, error) ||
      !tt_store_each_collective (run->store, on_collective, self, error) ||
      (with_activity && !tt_store_each_activity (run->store, on_activity, self, error)) ||
      (flow_kinds != NULL && !tt_store_each_flow (run->store, on_flow, self, error)) ||
      !tt_sorter_finish (self->sorter, error))
    return NULL;
  advance (self);
  return g_steal_pointer (&self);
}

void
tt_record_export_attachments_free (TtRecordExportAttachments *self)
{
  if (self == NULL)
    return;
  tt_sorter_free (self->sorter);
  g_clear_error (&self->failed);
  g_free (self);
}

const TtRecordExportAttached *
tt_record_export_attachments_peek (TtRecordExportAttachments *self, guint64 event)
{
  guint64 key = 0 - event;

  while (self->next != NULL && self->next->high < key)
    advance (self);
  return self->next != NULL && self->next->high == key ? self->next : NULL;
}

void
tt_record_export_attachments_drop (TtRecordExportAttachments *self)
{
  advance (self);
}

gboolean
tt_record_export_attachments_check (TtRecordExportAttachments *self, GError **error)
{
  if (self->failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->failed));
  return FALSE;
}

gboolean
tt_record_export_attachments_has_onesided (const TtRecordExportAttachments *self)
{
  return self->has_onesided;
}
