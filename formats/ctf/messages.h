/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages of MPI: both sides are kept, on a temporary file if they are many, until all traces are read and every rank
 * is known.
 */
#pragma once

#include "formats/ctf/session.h"

TtCtfMessages *tt_ctf_messages_new (void);
void tt_ctf_messages_free (TtCtfMessages *self);
gboolean tt_ctf_messages_check (TtCtfMessages *self, GError **error);

/* A call of MPI begins: the message that it sends. */
void tt_ctf_send (TtCtfSession *self, TtCtfThread *thread, const TtCtfBinding *binding, const TtCtfEvent *event);
/* A call of MPI begins: the root of a collective. */
void tt_ctf_call (TtCtfSession *self, TtCtfThread *thread, const TtCtfBinding *binding, const TtCtfEvent *event);
/* A call of MPI begins: fills @receive with what it will have received at its end. */
void tt_ctf_expect (TtCtfSession *self,
                    TtCtfThread *thread,
                    const TtCtfBinding *binding,
                    const TtCtfEvent *event,
                    TtCtfReceive *receive);
/* A call of MPI ends. */
void tt_ctf_receive (TtCtfSession *self,
                     TtCtfThread *thread,
                     const TtCtfBinding *binding,
                     const TtCtfReceive *receive,
                     gint64 ts_ns);
/* The thread has ended: what no wait is known to have received. */
void tt_ctf_end_pending (TtCtfSession *self, TtCtfThread *thread);
/* Something was lost: which requests are open is not known any more. */
void tt_ctf_lose_requests (TtCtfThread *thread);
/* All traces are read: every rank is known. */
void tt_ctf_write_messages (TtCtfSession *self);
