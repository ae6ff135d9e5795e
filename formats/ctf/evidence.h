/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the events after a loss tell of the spans that were open before it, and of those whose begins are missing.
 *
 *  - PInsight's events of OpenMP say in which region (code pointer and number) they are. A region with another number than
 *    that of the thread's next event has ended; where the trace lacks the begin of the one that the event is in, its task
 *    begins at the event, and before it by no more than the thread's last event elsewhere.
 *  - A span that begins inside others is inside those only that its like has been seen in (kinship.h), and in calls of MPI,
 *    of devices and of the system nothing of their kind begins.
 * Only spans that were open when something was lost are ever judged.
 */
#pragma once

#include "formats/ctf/closing.h"

/* Sets what @open, whose kind and name are known, is in kinship.h. @event: its begin or end; NULL: none. */
void tt_ctf_identify (TtCtfOpen *open, const TtCtfBinding *binding, const TtCtfEvent *event);

void tt_ctf_weigh_more (TtCtfSession *self, TtCtfThread *thread, const TtCtfBinding *binding, const TtCtfEvent *event);

/* Before @event is read: closes what it contradicts. */
static inline void
tt_ctf_weigh (TtCtfSession *self, TtCtfThread *thread, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  thread->streams |= tt_ctf_stream_bit (event->stream);
  if (G_UNLIKELY (thread->n_events == 0))
    thread->first_ns = event->ts_ns;
  if (self->losses.has_any || binding->region[0] != NULL)
    tt_ctf_weigh_more (self, thread, binding, event);
}

/* Before @begun begins: likewise. */
void tt_ctf_make_room (TtCtfSession *self,
                       TtCtfThread *thread,
                       const TtCtfOpen *begun,
                       const TtCtfSpanRule *rule,
                       guint64 number);
/* What @begun, which begins now, is inside of. */
void tt_ctf_learn (TtCtfSession *self, const TtCtfThread *thread, const TtCtfOpen *begun);

/* How @event, an end, fits the span @at. */
typedef enum
{
  TT_CTF_END_ITS_OWN,
  TT_CTF_END_UNSURE, /* or another's, of the same name */
  TT_CTF_END_OF_ANOTHER,
} TtCtfEndFit;

TtCtfEndFit tt_ctf_fit_end (TtCtfSession *self,
                            TtCtfThread *thread,
                            guint at,
                            const TtCtfBinding *binding,
                            const TtCtfEvent *event);
/* Whether the begin of a span that ends at @ts_ns may have been lost; *after_ns: it did not begin before. */
gboolean tt_ctf_may_lack_begin (TtCtfSession *self, const TtCtfThread *thread, gint64 ts_ns, gint64 *after_ns);
