/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/rendezvous.h"

#include "analyzers/spans/each-event.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/trace/span.h"

typedef struct
{
  guint64 recv_event;
  TtClockRendezvous rendezvous;
} Meeting;

typedef struct
{
  const TtClockSpans *spans;
  GArray *meetings; /* of Meeting, then by recv_event */
  guint next;
  TtClockRendezvousFunc func;
  gpointer data;
} Meetings;

static gboolean
take_message (const TtMessage *message, gpointer data)
{
  Meetings *self = data;
  const TtClockSend *send = tt_clock_spans_find_send (self->spans, message->send_event);

  if (send == NULL || message->recv_event == 0 || message->send_ns == TT_NO_TIME || message->recv_ns == TT_NO_TIME)
    return TRUE;
  const Meeting meeting = { message->recv_event,
                            { message->src_process, message->dst_process, send->begin_ns, send->end_ns, 0, 0 } };
  g_array_append_val (self->meetings, meeting);
  return TRUE;
}

static int
compare_meetings (gconstpointer a, gconstpointer b)
{
  const Meeting *x = a, *y = b;

  return x->recv_event != y->recv_event ? TT_COMPARE (x->recv_event, y->recv_event)
                                        : TT_COMPARE (x->rendezvous.send_end_ns, y->rendezvous.send_end_ns);
}

static gboolean
take_receive (const TtEvent *event, gpointer data, GError **error)
{
  Meetings *self = data;
  Meeting *meetings = TT_ARRAY (self->meetings, Meeting);

  while (self->next < self->meetings->len && meetings[self->next].recv_event < event->id)
    self->next++;
  for (; self->next < self->meetings->len && meetings[self->next].recv_event == event->id; self->next++)
    {
      TtClockRendezvous *rendezvous = &meetings[self->next].rendezvous;

      if (!tt_clock_spans_is_receive (self->spans, event->name) || event->dur_ns == TT_NO_TIME)
        continue;
      rendezvous->recv_begin_ns = event->ts_ns;
      rendezvous->recv_end_ns = tt_span_end (event->ts_ns, event->dur_ns);
      self->func (rendezvous, self->data);
    }
  return TRUE;
}

gboolean
tt_clock_each_rendezvous (const TtClockSpans *spans,
                          TtStore *store,
                          TtClockRendezvousFunc func,
                          gpointer data,
                          GError **error)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Meeting));
  Meetings meetings = { spans, found, 0, func, data };

  if (!tt_clock_spans_has_sends (spans))
    return TRUE;
  if (!tt_store_each_message (store, take_message, &meetings, error))
    return FALSE;
  g_array_sort (found, compare_meetings);
  return found->len == 0 || tt_each_event (store, TT_SCAN_DEFAULT, take_receive, &meetings, error);
}
