/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/messages-private.h"

/* A message as it is stored. */
typedef struct
{
  guint64 send_event, recv_event;
  gint64 send_ns, recv_ns;
  guint32 src, dst;
} Stored;

/* What is known of the span that sends. */
typedef struct
{
  gint64 begin_ns, end_ns;
  guint32 name;
  guint8 call_class, is_there, is_chosen, unused;
} Sent;

static void
deal_message (const TtWaitDeal *deal, const Message *message, TtDealt *dealt, GArray *own)
{
  const Stored stored = { message->send_event, message->recv_event, message->send_ns,
                          message->recv_ns,    message->src,        message->dst };
  const guint sends = tt_wait_deal_of_event (deal, message->send_event);
  const guint receives = tt_wait_deal_of_event (deal, message->recv_event);

  g_array_append_vals (receives == deal->crew->rank ? own : dealt->of[receives], &stored, 1);
  if (sends != receives)
    g_array_append_vals (sends == deal->crew->rank ? own : dealt->of[sends], &stored, 1);
}

static gboolean
load (TtMessageWaits *self, const GArray *stored)
{
  for (guint i = 0; i < stored->len; i++)
    {
      const Stored *one = &g_array_index (stored, Stored, i);
      const Message message = {
        .send_event = one->send_event,
        .recv_event = one->recv_event,
        .send_ns = one->send_ns,
        .recv_ns = one->recv_ns,
        .src = one->src,
        .dst = one->dst,
      };

      if (one->src > self->max_thread || one->dst > self->max_thread)
        return FALSE;
      g_array_append_val (self->loaded, message);
    }
  return TRUE;
}

void
tt_message_waits_deal (TtMessageWaits *self, const TtWaitDeal *deal, GByteArray **bytes)
{
  g_auto (TtDealt) dealt = { NULL };
  g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (Stored));

  self->deal = deal;
  tt_dealt_init (&dealt, deal->crew->n, sizeof (Stored));
  for (guint i = 0; i < self->loaded->len; i++)
    deal_message (deal, &g_array_index (self->loaded, Message, i), &dealt, own);
  g_array_set_size (self->loaded, 0);
  tt_dealt_give (&dealt, deal->crew->rank, bytes, own);
  load (self, own);
}

gboolean
tt_message_waits_add (TtMessageWaits *self, TtUnpack *from)
{
  g_autoptr (GArray) stored = g_array_new (FALSE, FALSE, sizeof (Stored));

  return tt_dealt_take (from, stored) && load (self, stored);
}

/* -- ends ---------------------------------------------------------------------------------------------------------- */

/* Both ranks have the messages between them in one order. */
void
tt_message_waits_give_sends (const TtMessageWaits *self, GByteArray **bytes)
{
  const guint own = self->deal->crew->rank;
  g_autoptr (GArray) nothing = g_array_new (FALSE, FALSE, sizeof (Sent));
  g_auto (TtDealt) dealt = { NULL };

  tt_dealt_init (&dealt, self->deal->crew->n, sizeof (Sent));
  for (guint i = 0; i < self->n_messages; i++)
    {
      const Message *message = &self->messages[i];
      const guint receives = tt_wait_deal_of_event (self->deal, message->recv_event);
      const Sent sent = {
        .begin_ns = message->send_begin_ns,
        .end_ns = message->send_end_ns,
        .name = message->send_name,
        .call_class = message->send_class,
        .is_there = message->has_send,
        .is_chosen = message->is_send_chosen,
      };

      if (receives != own)
        g_array_append_val (dealt.of[receives], sent);
    }
  tt_dealt_give (&dealt, own, bytes, nothing);
}

gboolean
tt_message_waits_take_sends (TtMessageWaits *self, guint rank, TtUnpack *from)
{
  const guint own = self->deal->crew->rank;
  g_autoptr (GArray) sends = g_array_new (FALSE, FALSE, sizeof (Sent));
  guint n = 0;

  if (!tt_dealt_take (from, sends))
    return FALSE;
  for (guint i = 0; i < self->n_messages; i++)
    {
      Message *message = &self->messages[i];

      if (tt_wait_deal_of_event (self->deal, message->recv_event) != own ||
          tt_wait_deal_of_event (self->deal, message->send_event) != rank)
        continue;
      if (n == sends->len)
        return FALSE;
      const Sent *sent = &g_array_index (sends, Sent, n++);
      message->send_begin_ns = sent->begin_ns;
      message->send_end_ns = sent->end_ns;
      message->send_name = sent->name;
      message->send_class = sent->call_class;
      message->has_send = sent->is_there != 0;
      message->is_send_chosen = sent->is_chosen != 0;
    }
  return n == sends->len;
}

/* -- waits ---------------------------------------------------------------------------------------------------------- */

/* Those of which another has the receive are its to judge. Probes are of those that stay, and in their order. */
static void
drop_sends (TtMessageWaits *self)
{
  guint n = 0, probe = 0;

  for (guint i = 0; i < self->n_messages; i++)
    {
      if (tt_wait_deal_of_event (self->deal, self->messages[i].recv_event) != self->deal->crew->rank)
        continue;
      for (; probe < self->probes->len && g_array_index (self->probes, Probe, probe).message == i; probe++)
        g_array_index (self->probes, Probe, probe).message = n;
      self->messages[n++] = self->messages[i];
    }
  self->n_messages = n;
}

void
tt_message_waits_find_part (TtMessageWaits *self, GArray *waits, TtDealt *of_others, GByteArray **bytes)
{
  g_autoptr (GArray) nothing = g_array_new (FALSE, FALSE, sizeof (LateReceiver));
  g_auto (TtDealt) late = { NULL };

  tt_dealt_init (&late, self->deal->crew->n, sizeof (LateReceiver));
  self->late_receivers = &late;
  self->waits = of_others;
  drop_sends (self);
  tt_message_waits_find (self, NULL, waits);
  tt_dealt_give (&late, self->deal->crew->rank, bytes, nothing);
  self->late_receivers = NULL;
  self->waits = NULL;
}

gboolean
tt_message_waits_add_receivers (TtMessageWaits *self, TtUnpack *from, GArray *waits)
{
  g_autoptr (GArray) late = g_array_new (FALSE, FALSE, sizeof (LateReceiver));

  if (!tt_dealt_take (from, late))
    return FALSE;
  for (guint i = 0; i < late->len; i++)
    tt_message_waits_judge (self, &g_array_index (late, LateReceiver, i), waits);
  return TRUE;
}
