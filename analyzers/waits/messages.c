/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/messages.h"

#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/trace/span.h"

typedef struct
{
  guint64 send_event, recv_event;
  gint64 send_begin_ns, send_end_ns, recv_begin_ns, recv_end_ns;
  guint32 src, dst; /* threads */
  guint8 has_send, has_recv;
  guint8 may_block; /* the call that sends may wait for its receiver */
} Message;

struct _TtMessageWaits
{
  TtStore *store;
  TtWaitCounts *counts;
  GArray *messages;            /* of Message, by the event that receives */
  guint32 *by_send;            /* numbers of messages, by the event that sends */
  guint next_recv, next_send;  /* of the scan */
  guint32 max_thread;
};

static gboolean
on_message (const TtMessage *row, gpointer data)
{
  TtMessageWaits *self = data;
  const Message message = {
    .send_event = row->send_event,
    .recv_event = row->recv_event,
    .src = row->src_thread,
    .dst = row->dst_thread,
  };

  if (row->send_ns == TT_NO_TIME || row->recv_ns == TT_NO_TIME || row->send_event == 0 || row->recv_event == 0 ||
      row->src_thread == TT_NO_ID || row->dst_thread == TT_NO_ID || row->src_thread > self->max_thread ||
      row->dst_thread > self->max_thread)
    self->counts->n_halves++;
  else if (row->recv_ns < row->send_ns)
    self->counts->n_backward++;
  else if (row->src_thread != row->dst_thread)
    g_array_append_val (self->messages, message);
  return TRUE;
}

static int
compare_receives (gconstpointer a, gconstpointer b)
{
  const Message *x = a, *y = b;
  int order = TT_COMPARE (x->recv_event, y->recv_event);

  if (order == 0)
    order = TT_COMPARE (x->send_event, y->send_event);
  return order != 0 ? order : TT_COMPARE (x->src, y->src);
}

static int
compare_sends (gconstpointer a, gconstpointer b, gpointer data)
{
  const Message *messages = data;
  guint32 i = *(const guint32 *) a, k = *(const guint32 *) b;
  int order = TT_COMPARE (messages[i].send_event, messages[k].send_event);

  return order != 0 ? order : TT_COMPARE (i, k);
}

TtMessageWaits *
tt_message_waits_new (TtStore *store, TtWaitCounts *counts, GError **error)
{
  g_autoptr (TtMessageWaits) self = g_new0 (TtMessageWaits, 1);

  self->store = store;
  self->counts = counts;
  self->max_thread = tt_store_max_thread (store);
  self->messages = g_array_new (FALSE, FALSE, sizeof (Message));
  if (!tt_store_each_message (store, on_message, self, error))
    return NULL;
  g_array_sort (self->messages, compare_receives);
  self->by_send = g_new (guint32, (gsize) self->messages->len + 1);
  for (guint32 i = 0; i < self->messages->len; i++)
    self->by_send[i] = i;
  g_qsort_with_data (self->by_send, (gint) self->messages->len, sizeof (guint32), compare_sends, self->messages->data);
  return g_steal_pointer (&self);
}

void
tt_message_waits_free (TtMessageWaits *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->messages);
  g_free (self->by_send);
  g_free (self);
}

/* MPI_Isend and its like return at once, MPI_Bsend when the message is copied. */
static gboolean
may_block (TtStore *store, guint32 id)
{
  const TtStoredName *name = tt_store_name (store, id);

  return name == NULL || name->op_name == NULL ||
         !(g_str_has_prefix (name->op_name, "MPI_I") || g_str_has_prefix (name->op_name, "MPI_Bsend"));
}

void
tt_message_waits_take (TtMessageWaits *self, const TtEvent *event)
{
  Message *messages = TT_ARRAY (self->messages, Message);
  guint n = self->messages->len;
  gint64 end_ns = tt_span_end (event->ts_ns, event->dur_ns);

  while (self->next_recv < n && messages[self->next_recv].recv_event < event->id)
    self->next_recv++;
  for (; self->next_recv < n && messages[self->next_recv].recv_event == event->id; self->next_recv++)
    {
      Message *message = &messages[self->next_recv];

      message->recv_begin_ns = event->ts_ns;
      message->recv_end_ns = end_ns;
      message->has_recv = event->thread == message->dst;
    }
  while (self->next_send < n && messages[self->by_send[self->next_send]].send_event < event->id)
    self->next_send++;
  for (; self->next_send < n && messages[self->by_send[self->next_send]].send_event == event->id; self->next_send++)
    {
      Message *message = &messages[self->by_send[self->next_send]];

      message->send_begin_ns = event->ts_ns;
      message->send_end_ns = end_ns;
      message->has_send = event->thread == message->src;
      message->may_block = may_block (self->store, event->name);
    }
}

/* Of messages @first to @end - 1, received in one span. @sent_ns: begin of the earliest send that the thread receives in
 * a later span. */
static void
find_late_sender (const Message *messages, guint first, guint end, gint64 sent_ns, GArray *waits)
{
  const Message *last = NULL;

  for (guint i = first; i < end; i++)
    if (messages[i].has_send && messages[i].has_recv &&
        (last == NULL || messages[i].send_begin_ns > last->send_begin_ns))
      last = &messages[i];
  if (last == NULL || last->send_begin_ns <= last->recv_begin_ns || last->recv_end_ns <= last->recv_begin_ns)
    return;
  const TtWait wait = {
    .thread = last->dst,
    .kind = sent_ns < last->send_begin_ns ? TT_WAIT_WRONG_ORDER : TT_WAIT_LATE_SENDER,
    .event = last->recv_event,
    .begin_ns = last->recv_begin_ns,
    .end_ns = MIN (last->send_begin_ns, last->recv_end_ns),
    .from_ns = last->send_begin_ns,
    .from_event = last->send_event,
    .from_thread = last->src,
  };
  g_array_append_val (waits, wait);
}

static void
find_late_receiver (const Message *message, GArray *waits)
{
  const TtWait wait = {
    .thread = message->src,
    .kind = TT_WAIT_LATE_RECEIVER,
    .event = message->send_event,
    .begin_ns = message->send_begin_ns,
    .end_ns = message->recv_begin_ns,
    .from_ns = message->recv_begin_ns,
    .from_event = message->recv_event,
    .from_thread = message->dst,
  };

  if (message->has_send && message->has_recv && message->may_block &&
      message->send_begin_ns < message->recv_begin_ns && message->send_end_ns > message->recv_begin_ns)
    g_array_append_val (waits, wait);
}

void
tt_message_waits_find (TtMessageWaits *self, GArray *waits)
{
  const Message *messages = TT_ARRAY (self->messages, Message);
  g_autofree gint64 *sent_ns = g_new (gint64, (gsize) self->max_thread + 1);

  for (guint32 i = 0; i <= self->max_thread; i++)
    sent_ns[i] = G_MAXINT64;
  /* Backwards: what the thread receives later is known. */
  for (guint end = self->messages->len, first; end > 0; end = first)
    {
      for (first = end - 1; first > 0 && messages[first - 1].recv_event == messages[end - 1].recv_event; first--)
        ;
      find_late_sender (messages, first, end, sent_ns[messages[first].dst], waits);
      for (guint i = first; i < end; i++)
        {
          self->counts->n_halves += !messages[i].has_send || !messages[i].has_recv;
          if (messages[i].has_send && messages[i].has_recv)
            sent_ns[messages[i].dst] = MIN (sent_ns[messages[i].dst], messages[i].send_begin_ns);
          find_late_receiver (&messages[i], waits);
        }
    }
}
