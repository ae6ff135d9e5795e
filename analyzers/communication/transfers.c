/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communication/transfers.h"

#include "analyzers/communication/groups.h"
#include "analyzers/devices/roles.h"
#include "analyzers/spans/each-event.h"

typedef struct
{
  TtStore *store;
  const TtSelection *selection;
  TtCopyBytes copy_bytes;
  TtTransferFunc func;
  gpointer data;
  TtTransfersLeftOut *left_out;
  TtDeviceRoles roles;
} Reader;

static void
reader_clear (Reader *self)
{
  tt_device_roles_clear (&self->roles);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

static void
give (Reader *self, const char *series, gint64 bytes, gint64 ns)
{
  const TtTransfer transfer = { series, bytes, ns };

  if (bytes < 0)
    self->left_out->n_unsized++;
  else if (ns <= 0)
    self->left_out->n_untimed++;
  else
    self->func (&transfer, self->data);
}

/* -- copies ------------------------------------------------------------------------------------------------------ */

static gboolean
take_copy (const TtEvent *event, gpointer data, GError **error)
{
  Reader *self = data;

  (void) error;
  if (event->dur_ns == TT_NO_TIME || tt_device_roles_of_event (&self->roles, event) != TT_ACTIVITY_COPY ||
      !tt_selection_matches (self->selection, event))
    return TRUE;
  const TtStoredName *name = tt_store_name (self->store, event->name);
  const char *direction = name == NULL ? NULL : name->sub_op;
  /* Whose begin or end was lost took longer, or shorter, than the trace says. */
  gint64 ns = tt_flags_are_bounded (event->flags) ? 0 : event->dur_ns;
  give (self, direction == NULL ? "copies" : direction, self->copy_bytes (event->args, event->args_len), ns);
  return TRUE;
}

static gboolean
read_copies (Reader *self, GError **error)
{
  gboolean is_traced;
  gint64 begin_ns, end_ns;

  if (!tt_device_is_traced (self->store, &is_traced, error))
    return FALSE;
  if (!is_traced)
    return TRUE;
  tt_selection_window (self->selection, &begin_ns, &end_ns);
  return tt_device_roles_load (&self->roles, self->store, NULL, NULL, error) &&
         tt_each_event_between (self->store, TT_SCAN_ARGS, begin_ns, end_ns, take_copy, self, error);
}

/* -- calls ------------------------------------------------------------------------------------------------------- */

static void
take_call (const char *function, gint64 bytes, gint64 shortest_ns, gpointer data)
{
  give (data, function, bytes, shortest_ns);
}

/* -- messages ---------------------------------------------------------------------------------------------------- */

/* Through the memory of a node a message goes otherwise than through a network. */
static const char *
series_of (TtStore *store, const TtMessage *message)
{
  const TtProcess *from = tt_store_process (store, message->src_process);
  const TtProcess *to = tt_store_process (store, message->dst_process);

  if (from == NULL || to == NULL || from->node == NULL || to->node == NULL)
    return "messages";
  return g_strcmp0 (from->node, to->node) == 0 ? "messages within a node" : "messages between nodes";
}

static gboolean
is_chosen (const Reader *self, const TtMessage *message)
{
  return (message->send_ns != TT_NO_TIME &&
          tt_selection_matches_point (self->selection, message->src_thread, message->send_ns)) ||
         (message->recv_ns != TT_NO_TIME &&
          tt_selection_matches_point (self->selection, message->dst_thread, message->recv_ns));
}

static gboolean
take_message (const TtMessage *message, gpointer data)
{
  Reader *self = data;
  gint64 ns = 0;

  if (!is_chosen (self, message))
    return TRUE;
  if (message->send_ns != TT_NO_TIME && message->recv_ns != TT_NO_TIME &&
      __builtin_sub_overflow (message->recv_ns, message->send_ns, &ns))
    ns = 0;
  give (self, series_of (self->store, message), message->bytes, ns);
  return TRUE;
}

/* -- public ------------------------------------------------------------------------------------------------------ */

gboolean
tt_transfers_each (TtStore *store,
                   const TtSelection *selection,
                   TtCopyBytes copy_bytes,
                   TtCollectiveReader reader,
                   TtTransferFunc func,
                   gpointer data,
                   TtTransfersLeftOut *left_out,
                   GError **error)
{
  g_auto (Reader) self = {
    .store = store, .selection = selection, .copy_bytes = copy_bytes, .func = func, .data = data, .left_out = left_out
  };

  *left_out = (TtTransfersLeftOut){ 0 };
  return read_copies (&self, error) && tt_comm_each_call (store, selection, reader, take_call, &self, error) &&
         tt_store_each_message (store, take_message, &self, error);
}
