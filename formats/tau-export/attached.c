/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau-export/attached.h"

#include "formats/tau-export/item.h"
#include "src/base/sorter.h"

#define SORT_MEMORY ((gsize) 24 << 20)

struct _TtTauExportAttachments
{
  const TtTauExportRun *run;
  const TtTauExportNumbers *numbers; /* while they are gathered */
  TtSorter *sorter;
  const TtTauExportAttached *next; /* NULL: the end, or failed */
  GError *failed;
  gboolean has_onesided;
};

static void
add_half (TtTauExportAttachments *self, const TtMessage *message, gboolean is_send)
{
  TtTauExportReport *report = self->run->report;
  gint64 ns = is_send ? message->send_ns : message->recv_ns;
  guint32 thread = is_send ? message->src_thread : message->dst_thread;
  guint64 event = is_send ? message->send_event : message->recv_event;
  gboolean is_onesided = message->flags != NULL && g_str_has_prefix (message->flags, "onesided");

  if (ns == TT_NO_TIME || thread == TT_NO_ID || thread >= self->run->n_threads)
    return;
  if (event == 0 && !tt_tau_export_run_has_point (self->run, thread, ns))
    return;
  if (!is_onesided)
    report->n_wrapped += message->tag < 0 || message->tag > G_MAXUINT16 || message->comm < 0 || message->comm > 63 ||
                         message->bytes >= (1 << 26);
  self->has_onesided |= is_onesided;
  TtTauExportAttached *half = tt_sorter_add (self->sorter);
  *half = (TtTauExportAttached){
    .high = 0 - event,
    .low = tt_sort_key (ns),
    .us = tt_tau_export_run_us (self->run, ns),
    .par = message->bytes,
    .a = message->tag,
    .b = message->comm,
    .thread = thread,
    .value = (guint32) self->numbers->nodes[is_send ? message->dst_process : message->src_process],
    .kind = is_onesided ? (is_send ? TT_TAU_EXPORT_ONESIDED_SEND : TT_TAU_EXPORT_ONESIDED_RECV)
                        : (is_send ? TT_TAU_EXPORT_SEND : TT_TAU_EXPORT_RECV),
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
  TtTauExportAttachments *self = data;
  TtTauExportAttached *metric = tt_sorter_add (self->sorter);

  *metric = (TtTauExportAttached){
    .high = 0 - event,
    .low = G_MAXUINT64,
    .par = inclusive,
    .value = series,
    .kind = TT_TAU_EXPORT_METRIC,
  };
  return TRUE;
}

static void
advance (TtTauExportAttachments *self)
{
  self->next = tt_sorter_next (self->sorter, &self->failed);
}

TtTauExportAttachments *
tt_tau_export_attachments_new (const TtTauExportRun *run, const TtTauExportNumbers *numbers, GError **error)
{
  g_autoptr (TtTauExportAttachments) self = g_new0 (TtTauExportAttachments, 1);

  self->run = run;
  self->numbers = numbers;
  self->sorter = tt_sorter_new (sizeof (TtTauExportAttached), SORT_MEMORY);
  if (!tt_store_each_message (run->store, on_message, self, error) ||
      !tt_store_each_metric (run->store, on_metric, self, error) || !tt_sorter_finish (self->sorter, error))
    return NULL;
  self->numbers = NULL;
  advance (self);
  return g_steal_pointer (&self);
}

void
tt_tau_export_attachments_free (TtTauExportAttachments *self)
{
  if (self == NULL)
    return;
  tt_sorter_free (self->sorter);
  g_clear_error (&self->failed);
  g_free (self);
}

const TtTauExportAttached *
tt_tau_export_attachments_peek (TtTauExportAttachments *self, guint64 event)
{
  guint64 key = 0 - event;

  while (self->next != NULL && self->next->high < key)
    advance (self);
  return self->next != NULL && self->next->high == key ? self->next : NULL;
}

void
tt_tau_export_attachments_drop (TtTauExportAttachments *self)
{
  advance (self);
}

gboolean
tt_tau_export_attachments_check (TtTauExportAttachments *self, GError **error)
{
  if (self->failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->failed));
  return FALSE;
}

gboolean
tt_tau_export_attachments_has_onesided (const TtTauExportAttachments *self)
{
  return self->has_onesided;
}
