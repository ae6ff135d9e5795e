/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/messages-private.h"

#include "src/base/array-sort.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/map64.h"

/* So many messages are given back at once. */
#define RELEASE_EACH 65536u

/* Messages lie in the order of receives: those that are sent so much later are asked of memory now. */
#define AHEAD 8u

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
    g_array_append_val (self->loaded, message);
  return TRUE;
}

static TtArrayKey
key_of_receive (gconstpointer element)
{
  const Message *message = element;

  return (TtArrayKey){ message->recv_event, message->send_event };
}

static int
compare_receives (const Message *x, const Message *y)
{
  int order = TT_COMPARE (x->recv_event, y->recv_event);

  if (order == 0)
    order = TT_COMPARE (x->send_event, y->send_event);
  return order != 0 ? order : TT_COMPARE (x->src, y->src);
}

/* Usually they are stored so. */
static gboolean
is_in_order (const GArray *messages)
{
  for (guint i = 1; i < messages->len; i++)
    if (compare_receives (&g_array_index (messages, Message, i - 1), &g_array_index (messages, Message, i)) > 0)
      return FALSE;
  return TRUE;
}

static int
compare_sources (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (((const Message *) a)->src, ((const Message *) b)->src);
}

static TtArrayKey
key_of_send (gconstpointer element)
{
  return (TtArrayKey){ ((const Message *) element)->send_event, 0 };
}

TtMessageWaits *
tt_message_waits_new (TtStore *store,
                      const TtRowRange *rows,
                      const TtWaitWindow *window,
                      TtWaitCounts *counts,
                      const TtWaitHearer *hearer,
                      GError **error)
{
  g_autoptr (TtMessageWaits) self = g_new0 (TtMessageWaits, 1);
  self->store = store;
  self->window = *window;
  self->counts = counts;
  self->hearer = hearer;
  self->max_thread = tt_store_max_thread (store);
  self->probes = g_array_new (FALSE, FALSE, sizeof (Probe));
  self->send_waits = tt_send_waits_new ();
  self->loaded = g_array_new (FALSE, FALSE, sizeof (Message));
  return tt_store_each_message_of (store, rows, on_message, self, error) ? g_steal_pointer (&self) : NULL;
}

void
tt_message_waits_sort (TtMessageWaits *self)
{
  gsize n;

  if (!is_in_order (self->loaded))
    tt_array_sort_by_key (self->loaded, key_of_receive, compare_sources);
  self->messages = (Message *) g_array_steal (self->loaded, &n);
  self->n_messages = (guint) n;
}

void
tt_message_waits_begin (TtMessageWaits *self)
{
  tt_message_waits_sort (self);
  self->by_send = tt_order_by_key (self->messages, self->n_messages, sizeof *self->messages, key_of_send);
}

void
tt_message_waits_free (TtMessageWaits *self)
{
  if (self == NULL)
    return;
  g_free (self->messages);
  g_clear_pointer (&self->loaded, g_array_unref);
  g_clear_pointer (&self->probes, g_array_unref);
  g_clear_pointer (&self->rest, g_array_unref);
  g_clear_pointer (&self->send_waits, tt_send_waits_free);
  g_free (self->by_send);
  g_free (self);
}

static gboolean
take_receives (TtMessageWaits *self, TtPolls *polls, TtCallClass call_class, gint64 ts_ns, const TtWaitSpan *span)
{
  Message *messages = self->messages;
  guint n = self->n_messages, first;
  gboolean is_probed = FALSE;
  Probe probe;

  while (self->next_recv < n && messages[self->next_recv].recv_event < span->event)
    self->next_recv++;
  first = self->next_recv;
  for (; self->next_recv < n && messages[self->next_recv].recv_event == span->event; self->next_recv++)
    {
      Message *message = &messages[self->next_recv];

      message->is_recv_read = TRUE;
      if (span->thread != message->dst)
        continue;
      if (!is_probed && tt_polls_use_probe (polls, span->thread, ts_ns, &probe.span))
        {
          probe.message = first;
          g_array_append_val (self->probes, probe);
          is_probed = TRUE;
        }
      message->recv_begin_ns = span->begin_ns;
      message->recv_end_ns = span->end_ns;
      message->recv_name = span->name;
      message->has_recv = TRUE;
      message->recv_class = (guint8) call_class;
      message->is_recv_chosen = span->is_chosen != FALSE;
      message->is_recv_inferred = span->is_inferred != FALSE;
    }
  return self->next_recv > first;
}

guint64
tt_message_waits_next (const TtMessageWaits *self)
{
  guint64 next = self->next_recv == self->n_messages ? G_MAXUINT64 : self->messages[self->next_recv].recv_event;

  return self->next_send == self->n_messages ? next
                                             : MIN (next, self->messages[self->by_send[self->next_send]].send_event);
}

gboolean
tt_message_waits_take (TtMessageWaits *self,
                       TtPolls *polls,
                       TtCallClass call_class,
                       const TtEvent *event,
                       const TtWaitSpan *span)
{
  Message *messages = self->messages;
  guint n = self->n_messages;

  tt_send_waits_take (self->send_waits, call_class, span);
  while (self->next_send < n && messages[self->by_send[self->next_send]].send_event < event->id)
    self->next_send++;
  for (; self->next_send < n && messages[self->by_send[self->next_send]].send_event == event->id; self->next_send++)
    {
      Message *message = &messages[self->by_send[self->next_send]];

      if (n - self->next_send > AHEAD)
        __builtin_prefetch (&messages[self->by_send[self->next_send + AHEAD]], 1);
      message->is_send_read = TRUE;
      message->send_begin_ns = event->ts_ns;
      message->send_end_ns = span->end_ns;
      message->send_name = event->name;
      message->has_send = event->thread == message->src;
      message->is_send_chosen = span->is_chosen != FALSE;
      message->send_class = (guint8) call_class;
    }
  return take_receives (self, polls, call_class, event->ts_ns, span);
}

/* -- waits -------------------------------------------------------------------------------------------------------- */

static void
add_late_sender (const TtMessageWaits *self,
                 const Message *message,
                 const TtWaitSpan *span,
                 TtWaitKind kind,
                 GArray *waits)
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

  if (span->is_chosen && (wait.begin_ns < wait.end_ns || wait.begin_ns < wait.left_ns) &&
      tt_wait_window_has (&self->window, wait.begin_ns, wait.end_ns))
    g_array_append_val (waits, wait);
}

/* Of the span whose first message that is: it came while the thread waited in the probe before, for otherwise that was
 * for another. Asked backwards. */
static void
find_probed (const TtMessageWaits *self, guint first, const Message *message, GArray *waits)
{
  GArray *probes = self->probes;

  while (probes->len > 0 && g_array_index (probes, Probe, probes->len - 1).message > first)
    g_array_set_size (probes, probes->len - 1);
  if (probes->len == 0 || g_array_index (probes, Probe, probes->len - 1).message != first)
    return;
  const Probe probe = g_array_index (probes, Probe, probes->len - 1);
  g_array_set_size (probes, probes->len - 1);
  if (message->has_send && message->send_begin_ns <= probe.span.end_ns)
    add_late_sender (self, message, &probe.span, TT_WAIT_LATE_SENDER, waits);
}

static void
add_late_receiver (const TtMessageWaits *self,
                   const Message *message,
                   const TtWaitSpan *span,
                   gint64 came_ns,
                   GArray *waits)
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

  /* By clocks that were corrected MPI_Ssend may end when the receive begins, not before. */
  gboolean is_until =
      span->end_ns > came_ns || (span->end_ns == came_ns && message->send_class == TT_CALL_SYNCHRONOUS_SEND);
  if (span->is_chosen && span->begin_ns < came_ns && is_until &&
      tt_wait_window_has (&self->window, wait.begin_ns, wait.end_ns))
    g_array_append_val (waits, wait);
}

/* What was sent by a call that returns at once was waited for in a later one. */
void
tt_message_waits_judge (const TtMessageWaits *self, const LateReceiver *late, GArray *waits)
{
  const Message *message = &late->message;
  TtWaitSpan span = {
    .event = message->send_event,
    .begin_ns = message->send_begin_ns,
    .end_ns = message->send_end_ns,
    .name = message->send_name,
    .is_chosen = message->is_send_chosen,
    .is_inferred = late->is_inferred,
  };

  if (message->send_class == TT_CALL_BEGIN_SEND)
    {
      const TtWaitSpan *call = tt_send_waits_find (self->send_waits, message->src, message->send_end_ns, late->came_ns);

      if (call == NULL)
        return;
      span = *call;
      span.is_inferred = TRUE;
    }
  add_late_receiver (self, message, &span, late->came_ns, waits);
}

/* What is received by a call that had not been begun before. */
static void
find_late_receiver (const TtMessageWaits *self, const Message *message, GArray *waits)
{
  gboolean is_begun = message->send_class == TT_CALL_BEGIN_SEND;
  LateReceiver late = { .message = *message, .came_ns = message->recv_begin_ns };

  if (!message->has_send || !message->has_recv || message->send_class == TT_CALL_BUFFERED_SEND)
    return;
  if (message->recv_class != TT_CALL_OTHER)
    {
      gint64 until_ns = is_begun ? message->recv_begin_ns : message->send_end_ns;

      late.is_inferred =
          tt_send_waits_find_receive (self->send_waits, message->dst, message->send_begin_ns, until_ns, &late.came_ns);
      /* Begun before the send, then. */
      if (!late.is_inferred)
        return;
    }
  const guint rank = self->deal == NULL ? 0 : tt_wait_deal_of_event (self->deal, message->send_event);
  if (self->deal == NULL || rank == self->deal->crew->rank)
    tt_message_waits_judge (self, &late, waits);
  else if (is_begun)
    g_array_append_val (self->late_receivers->of[rank], late);
  else
    tt_message_waits_judge (self, &late, self->waits->of[rank]);
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

/* Whether @b holds the span in which both are received: it left last, else arrived last. */
static gboolean
is_later (const Message *a, const Message *b)
{
  if (a->send_ns != b->send_ns)
    return b->send_ns > a->send_ns;
  return b->recv_ns != a->recv_ns ? b->recv_ns > a->recv_ns : b->src < a->src;
}

/* Of messages @first to @end - 1, received in one span. */
static void
find_in_span (const TtMessageWaits *self, guint first, guint end, const LaterReceives *later, GArray *waits)
{
  const Message *messages = self->messages;
  const Message *last = NULL;

  for (guint i = first; i < end; i++)
    if (messages[i].has_send && messages[i].has_recv && (last == NULL || is_later (last, &messages[i])))
      last = &messages[i];
  if (last == NULL)
    return;
  find_probed (self, first, last, waits);
  const TtWaitSpan span = {
    .event = last->recv_event,
    .begin_ns = last->recv_begin_ns,
    .end_ns = last->recv_end_ns,
    .name = last->recv_name,
    .is_inferred = last->is_recv_inferred,
    .is_chosen = last->is_recv_chosen,
  };
  add_late_sender (self, last, &span,
                   later_receive (later, last) < last->send_begin_ns ? TT_WAIT_WRONG_ORDER : TT_WAIT_LATE_SENDER,
                   waits);
}

static void
add_sync (const Message *message, TtSyncs *syncs)
{
  tt_syncs_add_pair (syncs, &(TtSyncCall){ message->send_begin_ns, message->send_end_ns, message->src },
                     &(TtSyncCall){ message->recv_begin_ns, message->recv_end_ns, message->dst });
}

void
tt_message_waits_find (TtMessageWaits *self, TtSyncs *syncs, GArray *waits)
{
  LaterReceives later = { .sent_ns = g_array_new (FALSE, FALSE, sizeof (gint64)) };
  guint n_kept = self->n_messages;

  g_clear_pointer (&self->by_send, g_free);
  tt_send_waits_finish (self->send_waits);
  /* Backwards: what the thread receives later is known. */
  for (guint end = self->n_messages, first; end > 0; end = first)
    {
      if (n_kept - end >= RELEASE_EACH)
        {
          n_kept = end;
          self->messages = g_renew (Message, self->messages, n_kept);
        }
      const Message *messages = self->messages;
      for (first = end - 1; first > 0 && messages[first - 1].recv_event == messages[end - 1].recv_event; first--)
        ;
      find_in_span (self, first, end, &later, waits);
      for (guint i = first; i < end; i++)
        {
          gboolean is_whole = messages[i].has_send && messages[i].has_recv;

          self->counts->n_halves += !is_whole;
          if (is_whole)
            add_later_receive (&later, &messages[i]);
          if (is_whole && syncs != NULL)
            add_sync (&messages[i], syncs);
          find_late_receiver (self, &messages[i], waits);
        }
    }
  g_clear_pointer (&self->messages, g_free);
  self->n_messages = 0;
  tt_map64_clear (&later.numbers);
  g_array_unref (later.sent_ns);
}
