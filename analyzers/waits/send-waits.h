/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSendWaits: calls in which a thread may have waited until what it had sent was received (MPI_Wait after MPI_Isend).
 *
 * Traces do not tell which call waits for which send. It is the first call that completes something, begins after the send
 * has returned, and does not end before the receiver came (inferred).
 *
 * And when a receiver came that waits for its receive by another call (MPI_Wait after MPI_Irecv): with the last call to begin a
 * receive while the send lasted (inferred).
 *
 * Memory: 48 bytes a call that completes something, 16 one that begins a receive.
 */
#pragma once

#include "analyzers/waits/polls.h"

typedef struct _TtSendWaits TtSendWaits;

TtSendWaits *tt_send_waits_new (void);
void tt_send_waits_free (TtSendWaits *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSendWaits, tt_send_waits_free)

/* Takes the next span, in the order of ids. */
void tt_send_waits_take (TtSendWaits *self, TtCallClass call_class, const TtWaitSpan *span);
/* After the last span. */
void tt_send_waits_finish (TtSendWaits *self);

/* The call in which @thread waited for what it sent by a call that ended at @sent_ns, and whose receive began at @came_ns. NULL:
 * none lasted until then. */
const TtWaitSpan *tt_send_waits_find (const TtSendWaits *self, guint32 thread, gint64 sent_ns, gint64 came_ns);

/* The begin of the receiver's last call to begin a receive between the two times; FALSE: none. */
gboolean
tt_send_waits_find_receive (const TtSendWaits *self, guint32 thread, gint64 begin_ns, gint64 end_ns, gint64 *came_ns);
