/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What messages.c and message-window.c share.
 */
#pragma once

#include "analyzers/waits/deal.h"
#include "analyzers/waits/messages.h"
#include "analyzers/waits/send-waits.h"

typedef struct
{
  guint64 send_event, recv_event;
  gint64 send_ns, recv_ns;
  gint64 send_begin_ns, send_end_ns, recv_begin_ns, recv_end_ns; /* of the spans; of the second since it waited */
  guint32 src, dst;                                              /* threads */
  guint32 send_name, recv_name;
  guint8 send_class, recv_class; /* TtCallClass */
  guint8 has_send : 1, has_recv : 1;
  guint8 is_send_chosen : 1, is_recv_chosen : 1; /* by the selection */
  guint8 is_recv_inferred : 1;                   /* when the wait of the second began */
  guint8 is_send_read : 1, is_recv_read : 1;     /* a scan came to them */
} Message;

/* The one before the span that receives. */
typedef struct
{
  guint message; /* number of the first of the span */
  TtWaitSpan span;
} Probe;

struct _TtMessageWaits
{
  TtStore *store;
  TtWaitWindow window;
  TtWaitCounts *counts;
  const TtWaitHearer *hearer;
  GArray *loaded;    /* of Message, before they are sorted */
  Message *messages; /* by the event that receives */
  guint n_messages;
  guint32 *by_send;           /* numbers of messages, by the event that sends */
  guint next_recv, next_send; /* of the scan */
  guint32 max_thread;
  GArray *probes; /* of Probe, by message */
  GArray *rest;   /* of Message: those of which the window may need nothing; NULL: there are none */
  TtSendWaits *send_waits;
  const TtWaitDeal *deal;          /* NULL: all is found here */
  TtDealt *late_receivers, *waits; /* of LateReceiver and of TtWait: for others, while waits are found */
};

/* A message that was sent by a call that returned at once, before the receiver came. */
typedef struct
{
  Message message;
  gint64 came_ns;
  gboolean is_inferred; /* when it came */
} LateReceiver;

/* What is loaded, in the order of receives. */
void tt_message_waits_sort (TtMessageWaits *self);
/* On the side of the sender: appends the wait, if it is one. */
void tt_message_waits_judge (const TtMessageWaits *self, const LateReceiver *late, GArray *waits);
