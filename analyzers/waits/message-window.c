/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/messages-private.h"

#include "analyzers/spans/each-event.h"
#include "analyzers/waits/read-event.h"
#include "src/base/array.h"
#include "src/base/map64.h"
#include "src/trace/span.h"

/*
 * Waits of messages in a time window, without the messages and spans that cannot reach into it.
 *
 * Who waits is a span that touches the window, which the scan reads. What it waits for may lie outside: the other end of
 * its message; the receive that another call completes later, or had been begun before; and for "wrong order" messages
 * that were sent before its own and received after it. A receive that polls has begun with the first of its polls: where one
 * may matter, it is not known when.
 */

static gboolean
is_under_way (const TtMessageWaits *self, const Message *message)
{
  return message->send_ns <= self->window.last_ns && message->recv_ns >= self->window.first_ns;
}

void
tt_message_waits_narrow (TtMessageWaits *self, const TtEventScan *scan)
{
  Message *messages = TT_ARRAY (self->loaded, Message);
  guint n_rest = 0;

  self->rest = self->loaded;
  self->loaded = g_array_new (FALSE, FALSE, sizeof (Message));
  for (guint i = 0; i < self->rest->len; i++)
    if (tt_event_scan_reads (scan, messages[i].send_event) || tt_event_scan_reads (scan, messages[i].recv_event) ||
        is_under_way (self, &messages[i]))
      g_array_append_val (self->loaded, messages[i]);
    else
      messages[n_rest++] = messages[i];
  g_array_set_size (self->rest, n_rest);
}

/* -- other ends ---------------------------------------------------------------------------------------------------- */

/* FALSE: it is not known what the scan would have made of it. */
static gboolean
read_send (const TtMessageWaits *self, TtCallClasses *classes, Message *message)
{
  TtEvent event;
  gboolean is_span;

  if (message->is_send_read)
    return TRUE;
  if (!tt_read_event (self->store, message->send_event, &event, &is_span))
    return FALSE;
  message->is_send_read = TRUE;
  if (!is_span)
    return TRUE;
  message->send_begin_ns = event.ts_ns;
  message->send_end_ns = tt_span_end (event.ts_ns, event.dur_ns);
  message->send_name = event.name;
  message->send_class = (guint8) tt_call_classes_get (classes, event.name);
  message->has_send = event.thread == message->src;
  return TRUE;
}

static gboolean
read_receive (const TtMessageWaits *self, TtCallClasses *classes, Message *message)
{
  TtEvent event;
  gboolean is_span;

  if (message->is_recv_read)
    return TRUE;
  if (!tt_read_event (self->store, message->recv_event, &event, &is_span))
    return FALSE;
  message->is_recv_read = TRUE;
  if (!is_span || event.thread != message->dst)
    return TRUE;
  message->recv_begin_ns = event.ts_ns;
  message->recv_end_ns = tt_span_end (event.ts_ns, event.dur_ns);
  message->recv_name = event.name;
  message->recv_class = (guint8) tt_call_classes_get (classes, event.name);
  message->has_recv = TRUE;
  return TRUE;
}

static gboolean
read_ends (const TtMessageWaits *self, TtCallClasses *classes, Message *message)
{
  return read_send (self, classes, message) && read_receive (self, classes, message);
}

/* -- wrong order ---------------------------------------------------------------------------------------------------- */

/* Of two threads, over what is received in spans that the scan read. */
typedef struct
{
  gint64 sent_ns;   /* the last begin of a send */
  guint64 received; /* the first event that receives */
} Pair;

static guint64
pair_of (const Message *message)
{
  return (guint64) message->src << 32 | message->dst;
}

static void
note_pair (TtMap64 *numbers, GArray *pairs, const Message *message)
{
  guint32 number = tt_map64_get (numbers, pair_of (message));

  if (number == TT_MAP64_NONE)
    {
      const Pair fresh = { message->send_begin_ns, message->recv_event };

      tt_map64_set (numbers, pair_of (message), pairs->len);
      g_array_append_val (pairs, fresh);
      return;
    }
  Pair *pair = &g_array_index (pairs, Pair, number);
  pair->sent_ns = MAX (pair->sent_ns, message->send_begin_ns);
  pair->received = MIN (pair->received, message->recv_event);
}

static gboolean
add_crossing (TtMessageWaits *self, TtCallClasses *classes, const TtMap64 *numbers, const GArray *pairs)
{
  for (guint i = 0; i < self->rest->len; i++)
    {
      Message message = g_array_index (self->rest, Message, i);
      guint32 number = tt_map64_get (numbers, pair_of (&message));
      const Pair *pair = number == TT_MAP64_NONE ? NULL : &g_array_index (pairs, Pair, number);

      if (pair == NULL || message.send_ns > pair->sent_ns || message.recv_event <= pair->received)
        continue;
      if (!read_ends (self, classes, &message) || message.recv_class == TT_CALL_POLL)
        return FALSE;
      g_array_append_val (self->loaded, message);
    }
  return TRUE;
}

/* Pieces that a scan reads are larger than the window: messages of which it has given no span are as those that it did not come to. */
static void
part_messages (TtMessageWaits *self)
{
  for (guint i = 0; i < self->n_messages; i++)
    {
      const Message *message = &self->messages[i];
      const gboolean is_near = message->is_send_read || message->is_recv_read || is_under_way (self, message);

      g_array_append_vals (is_near ? self->loaded : self->rest, message, 1);
    }
  g_clear_pointer (&self->messages, g_free);
  self->n_messages = 0;
}

static gboolean
complete_messages (TtMessageWaits *self, TtCallClasses *classes)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  TtMap64 numbers = { 0 };
  gboolean is_sure = TRUE;

  part_messages (self);
  for (guint i = 0; i < self->loaded->len && is_sure; i++)
    {
      Message *message = &g_array_index (self->loaded, Message, i);
      gboolean is_wanted = message->is_recv_read;

      is_sure = read_ends (self, classes, message) && message->recv_class != TT_CALL_POLL;
      if (is_wanted && message->has_send && message->has_recv)
        note_pair (&numbers, pairs, message);
    }
  is_sure = is_sure && add_crossing (self, classes, &numbers, pairs);
  tt_map64_clear (&numbers);
  return is_sure;
}

/* -- receives that were begun --------------------------------------------------------------------------------------- */

typedef struct
{
  TtMessageWaits *self;
  TtCallClasses *classes;
} BegunReader;

static gboolean
take_begun (const TtEvent *event, gpointer data, GError **error)
{
  BegunReader *reader = data;
  const TtWaitSpan span = { .event = event->id, .begin_ns = event->ts_ns, .thread = event->thread };

  if (event->dur_ns != TT_NO_TIME && (event->flags & TT_FLAG_ASYNC) == 0 &&
      tt_call_classes_get (reader->classes, event->name) == TT_CALL_BEGIN_RECEIVE)
    tt_send_waits_take (reader->self->send_waits, TT_CALL_BEGIN_RECEIVE, &span);
  return TRUE;
}

/* When the last of the receives that a wait in the window may be for had been begun, at the latest. */
static gint64
last_begun (const TtMessageWaits *self)
{
  gint64 until_ns = G_MININT64;

  for (guint i = 0; i < self->n_messages; i++)
    {
      const Message *message = &self->messages[i];
      gboolean is_begun = message->send_class == TT_CALL_BEGIN_SEND;

      if (!message->has_send || !message->has_recv || message->recv_class == TT_CALL_OTHER ||
          message->send_begin_ns >= self->window.last_ns ||
          (!is_begun && message->send_end_ns <= self->window.first_ns))
        continue;
      until_ns = MAX (until_ns, is_begun ? message->recv_begin_ns : message->send_end_ns);
    }
  return until_ns;
}

gboolean
tt_message_waits_read_rest (TtMessageWaits *self, TtCallClasses *classes, gboolean *is_sure, GError **error)
{
  BegunReader reader = { self, classes };

  *is_sure = complete_messages (self, classes);
  if (!*is_sure)
    return TRUE;
  tt_message_waits_sort (self);
  gint64 until_ns = last_begun (self);
  return until_ns <= self->window.last_ns || tt_each_event_between (self->store, TT_SCAN_DEFAULT, self->window.last_ns,
                                                                    until_ns, take_begun, &reader, error);
}
