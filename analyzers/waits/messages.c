/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/messages.h"

#include "analyzers/waits/send-waits.h"
#include "src/base/array.h"
#include "src/base/array-sort.h"
#include "src/base/compare.h"
#include "src/base/map64.h"

#define NO_PROBE G_MAXUINT32

typedef struct
{
  guint64 send_event, recv_event;
  gint64 send_ns, recv_ns;
  gint64 send_begin_ns, send_end_ns, recv_begin_ns, recv_end_ns; /* of the spans; of the second since it waited */
  guint32 src, dst;                                              /* threads */
  guint32 send_name, recv_name;
  guint32 probe; /* number of the one before the span that receives; NO_PROBE */
  guint8 has_send, has_recv;
  guint8 send_class, recv_class;         /* TtCallClass */
  guint8 is_send_chosen, is_recv_chosen; /* by the selection */
  guint8 is_recv_inferred;               /* when the wait of the second began */
} Message;

struct _TtMessageWaits
{
  TtStore *store;
  TtWaitCounts *counts;
  const TtWaitHearer *hearer;
  GArray *messages;           /* of Message, by the event that receives */
  guint32 *by_send;           /* numbers of messages, by the event that sends */
  guint next_recv, next_send; /* of the scan */
  guint32 max_thread;
  GArray *probes; /* of TtWaitSpan */
  TtSendWaits *send_waits;
};

static gboolean
on_message (const TtMessage *row, gpointer data)
{
  TtMessageWaits *self = data;
  const Message message = {
    .send_event = row->send_event,
    .recv_event = row->recv_event,
    .send_ns = row->send_ns,
    .recv_ns = row->recv_ns,
    .src = row->src_thread,
    .dst = row->dst_thread,
    .probe = NO_PROBE,
  };

  if (self->hearer != NULL)
    self->hearer->on_message (row, self->hearer->data);
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

static TtArrayKey
key_of_receive (gconstpointer element)
{
  const Message *message = element;

  return (TtArrayKey){ message->recv_event, message->send_event };
}

static int
compare_sources (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (((const Message *) a)->src, ((const Message *) b)->src);
}

typedef struct
{
  guint64 send_event;
  guint64 message;
} Send;

static TtArrayKey
key_of_send (gconstpointer element)
{
  return (TtArrayKey){ ((const Send *) element)->send_event, 0 };
}

static void
sort_sends (TtMessageWaits *self)
{
  g_autoptr (GArray) sends = g_array_sized_new (FALSE, FALSE, sizeof (Send), self->messages->len);

  for (guint i = 0; i < self->messages->len; i++)
    {
      const Send send = { g_array_index (self->messages, Message, i).send_event, i };
      g_array_append_val (sends, send);
    }
  tt_array_sort_by_key (sends, key_of_send, NULL);
  self->by_send = g_new (guint32, (gsize) sends->len + 1);
  for (guint i = 0; i < sends->len; i++)
    self->by_send[i] = (guint32) g_array_index (sends, Send, i).message;
}

TtMessageWaits *
tt_message_waits_new (TtStore *store, TtWaitCounts *counts, const TtWaitHearer *hearer, GError **error)
{
  g_autoptr (TtMessageWaits) self = g_new0 (TtMessageWaits, 1);

  self->store = store;
  self->counts = counts;
  self->hearer = hearer;
  self->max_thread = tt_store_max_thread (store);
  self->messages = g_array_new (FALSE, FALSE, sizeof (Message));
  self->probes = g_array_new (FALSE, FALSE, sizeof (TtWaitSpan));
  self->send_waits = tt_send_waits_new ();
  if (!tt_store_each_message (store, on_message, self, error))
    return NULL;
  tt_array_sort_by_key (self->messages, key_of_receive, compare_sources);
  sort_sends (self);
  return g_steal_pointer (&self);
}

void
tt_message_waits_free (TtMessageWaits *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->messages);
  g_array_unref (self->probes);
  tt_send_waits_free (self->send_waits);
  g_free (self->by_send);
  g_free (self);
}

static gboolean
take_receives (TtMessageWaits *self, TtPolls *polls, TtCallClass call_class, gint64 ts_ns, const TtWaitSpan *span)
{
  Message *messages = TT_ARRAY (self->messages, Message);
  guint n = self->messages->len, first;
  guint32 probe = NO_PROBE;
  TtWaitSpan probed;

  while (self->next_recv < n && messages[self->next_recv].recv_event < span->event)
    self->next_recv++;
  first = self->next_recv;
  for (; self->next_recv < n && messages[self->next_recv].recv_event == span->event; self->next_recv++)
    {
      Message *message = &messages[self->next_recv];

      if (span->thread != message->dst)
        continue;
      if (probe == NO_PROBE && tt_polls_use_probe (polls, span->thread, ts_ns, &probed))
        {
          probe = self->probes->len;
          g_array_append_val (self->probes, probed);
        }
      message->recv_begin_ns = span->begin_ns;
      message->recv_end_ns = span->end_ns;
      message->recv_name = span->name;
      message->has_recv = TRUE;
      message->recv_class = (guint8) call_class;
      message->is_recv_chosen = span->is_chosen;
      message->is_recv_inferred = span->is_inferred;
      message->probe = probe;
    }
  return self->next_recv > first;
}

gboolean
tt_message_waits_take (TtMessageWaits *self,
                       TtPolls *polls,
                       TtCallClass call_class,
                       const TtEvent *event,
                       const TtWaitSpan *span)
{
  Message *messages = TT_ARRAY (self->messages, Message);
  guint n = self->messages->len;

  tt_send_waits_take (self->send_waits, call_class, span);
  while (self->next_send < n && messages[self->by_send[self->next_send]].send_event < event->id)
    self->next_send++;
  for (; self->next_send < n && messages[self->by_send[self->next_send]].send_event == event->id; self->next_send++)
    {
      Message *message = &messages[self->by_send[self->next_send]];

      message->send_begin_ns = event->ts_ns;
      message->send_end_ns = span->end_ns;
      message->send_name = event->name;
      message->has_send = event->thread == message->src;
      message->is_send_chosen = span->is_chosen;
      message->send_class = (guint8) call_class;
    }
  return take_receives (self, polls, call_class, event->ts_ns, span);
}

/* -- waits -------------------------------------------------------------------------------------------------------- */

static void
add_late_sender (const Message *message, const TtWaitSpan *span, TtWaitKind kind, GArray *waits)
{
  const TtWait wait = {
    .thread = message->dst,
    .kind = kind,
    .event = span->event,
    .begin_ns = span->begin_ns,
    .end_ns = MAX (MIN (message->send_begin_ns, span->end_ns), span->begin_ns),
    .at_ns = MIN (message->recv_ns, span->end_ns),
    .from_ns = message->send_begin_ns,
    .left_ns = MIN (message->send_ns, MIN (message->recv_ns, span->end_ns)),
    .from_event = message->send_event,
    .from_thread = message->src,
    .name = span->name,
    .from_name = message->send_name,
    .is_inferred = span->is_inferred,
  };

  if (span->is_chosen && (wait.begin_ns < wait.end_ns || wait.begin_ns < wait.left_ns))
    g_array_append_val (waits, wait);
}

/* It came while the thread waited in the probe before: otherwise that was for another. */
static void
find_probed (const TtMessageWaits *self, const Message *message, GArray *waits)
{
  const TtWaitSpan *probe =
      message->probe == NO_PROBE ? NULL : &g_array_index (self->probes, TtWaitSpan, message->probe);

  if (probe != NULL && message->has_send && message->send_begin_ns <= probe->end_ns)
    add_late_sender (message, probe, TT_WAIT_LATE_SENDER, waits);
}

static void
add_late_receiver (const Message *message, const TtWaitSpan *span, gint64 came_ns, GArray *waits)
{
  const TtWait wait = {
    .thread = message->src,
    .kind = TT_WAIT_LATE_RECEIVER,
    .event = span->event,
    .begin_ns = span->begin_ns,
    .end_ns = came_ns,
    .at_ns = came_ns,
    .from_ns = came_ns,
    .left_ns = came_ns,
    .from_event = message->recv_event,
    .from_thread = message->dst,
    .name = span->name,
    .from_name = message->recv_name,
    .is_inferred = span->is_inferred,
  };

  if (span->is_chosen && span->begin_ns < came_ns && span->end_ns > came_ns)
    g_array_append_val (waits, wait);
}

/* What was sent by a call that returns at once, and received by one that was not begun before, was waited for later. */
static void
find_late_receiver (const TtMessageWaits *self, const Message *message, GArray *waits)
{
  TtWaitSpan span = {
    .event = message->send_event,
    .begin_ns = message->send_begin_ns,
    .end_ns = message->send_end_ns,
    .name = message->send_name,
    .is_chosen = message->is_send_chosen,
  };
  gboolean is_begun = message->send_class == TT_CALL_BEGIN_SEND;
  gint64 came_ns = message->recv_begin_ns;

  if (!message->has_send || !message->has_recv || message->send_class == TT_CALL_BUFFERED_SEND)
    return;
  if (message->recv_class != TT_CALL_OTHER)
    {
      gint64 until_ns = is_begun ? message->recv_begin_ns : message->send_end_ns;

      span.is_inferred =
          tt_send_waits_find_receive (self->send_waits, message->dst, message->send_begin_ns, until_ns, &came_ns);
      /* Begun before the send, then. */
      if (!span.is_inferred)
        return;
    }
  if (is_begun)
    {
      const TtWaitSpan *call = tt_send_waits_find (self->send_waits, message->src, message->send_end_ns, came_ns);

      if (call == NULL)
        return;
      span = *call;
      span.is_inferred = TRUE;
    }
  add_late_receiver (message, &span, came_ns, waits);
}

/* The earliest begin of what @src sends and @dst receives in a later span. */
typedef struct
{
  TtMap64 numbers;
  GArray *sent_ns; /* of gint64 */
} LaterReceives;

static gint64
later_receive (const LaterReceives *self, const Message *message)
{
  guint32 number = tt_map64_get (&self->numbers, (guint64) message->src << 32 | message->dst);

  return number == TT_MAP64_NONE ? G_MAXINT64 : g_array_index (self->sent_ns, gint64, number);
}

static void
add_later_receive (LaterReceives *self, const Message *message)
{
  guint64 pair = (guint64) message->src << 32 | message->dst;
  guint32 number = tt_map64_get (&self->numbers, pair);

  if (number == TT_MAP64_NONE)
    {
      tt_map64_set (&self->numbers, pair, self->sent_ns->len);
      g_array_append_val (self->sent_ns, message->send_begin_ns);
      return;
    }
  gint64 *sent_ns = &g_array_index (self->sent_ns, gint64, number);
  *sent_ns = MIN (*sent_ns, message->send_begin_ns);
}

/* Of messages @first to @end - 1, received in one span. */
static void
find_in_span (const TtMessageWaits *self, guint first, guint end, const LaterReceives *later, GArray *waits)
{
  const Message *messages = TT_ARRAY (self->messages, Message);
  const Message *last = NULL;

  for (guint i = first; i < end; i++)
    if (messages[i].has_send && messages[i].has_recv &&
        (last == NULL || messages[i].send_ns > last->send_ns))
      last = &messages[i];
  if (last == NULL)
    return;
  find_probed (self, last, waits);
  const TtWaitSpan span = {
    .event = last->recv_event,
    .begin_ns = last->recv_begin_ns,
    .end_ns = last->recv_end_ns,
    .name = last->recv_name,
    .is_inferred = last->is_recv_inferred,
    .is_chosen = last->is_recv_chosen,
  };
  add_late_sender (last, &span,
                   later_receive (later, last) < last->send_begin_ns ? TT_WAIT_WRONG_ORDER : TT_WAIT_LATE_SENDER,
                   waits);
}

void
tt_message_waits_find (TtMessageWaits *self, GArray *waits)
{
  const Message *messages = TT_ARRAY (self->messages, Message);
  LaterReceives later = { .sent_ns = g_array_new (FALSE, FALSE, sizeof (gint64)) };

  tt_send_waits_finish (self->send_waits);
  /* Backwards: what the thread receives later is known. */
  for (guint end = self->messages->len, first; end > 0; end = first)
    {
      for (first = end - 1; first > 0 && messages[first - 1].recv_event == messages[end - 1].recv_event; first--)
        ;
      find_in_span (self, first, end, &later, waits);
      for (guint i = first; i < end; i++)
        {
          gboolean is_whole = messages[i].has_send && messages[i].has_recv;

          self->counts->n_halves += !is_whole;
          if (is_whole)
            add_later_receive (&later, &messages[i]);
          find_late_receiver (self, &messages[i], waits);
        }
    }
  tt_map64_clear (&later.numbers);
  g_array_unref (later.sent_ns);
}

void
tt_message_waits_add_syncs (const TtMessageWaits *self, TtSyncs *syncs)
{
  for (guint i = 0; i < self->messages->len; i++)
    {
      const Message *message = &g_array_index (self->messages, Message, i);

      if (message->has_send && message->has_recv)
        tt_syncs_add_pair (syncs, &(TtSyncCall){ message->send_begin_ns, message->send_end_ns, message->src },
                           &(TtSyncCall){ message->recv_begin_ns, message->recv_end_ns, message->dst });
    }
}
