/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPolls: in which span, and since when, a thread waited for what a call of it completes.
 *
 * Usually that is the call. But calls that ask and return (MPI_Test) are one wait from the first of them on, if the
 * thread did nothing else between: no span that is not such a call, or around one, begins between them. And where the
 * thread waited in a probe, or by such a stretch of them, it waited for the message that it receives next.
 *
 * Memory: 4 bytes a thread, and some 100 for each that polls or probes.
 */
#pragma once

#include "analyzers/waits/call-class.h"
#include "src/store/scan.h"

typedef struct
{
  guint64 event; /* 0: none */
  gint64 begin_ns, end_ns;
  guint32 thread, name;
  gboolean is_inferred; /* it began before the event did */
  gboolean is_chosen;   /* by the selection */
} TtWaitSpan;

typedef struct _TtPolls TtPolls;

TtPolls *tt_polls_new (guint32 max_thread);
void tt_polls_free (TtPolls *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPolls, tt_polls_free)

/* FALSE: no thread polled or probed so far. */
gboolean tt_polls_are_any (const TtPolls *self);
/* Since when a call of this thread would have waited that begins at @ts_ns: its own begin, if it is no poll that goes on. */
gint64 tt_polls_since (const TtPolls *self, guint32 thread, TtCallClass call_class, gint64 ts_ns);
/* Takes the next span of its thread, in the order of ends. @span: of the event; its begin is set to that of the
 * stretch. */
void tt_polls_take (TtPolls *self, TtCallClass call_class, gint64 ts_ns, TtWaitSpan *span);
/* The probe before the span that begins at @begin_ns, and receives. It is used up; FALSE: there is none. */
gboolean tt_polls_use_probe (TtPolls *self, guint32 thread, gint64 begin_ns, TtWaitSpan *probe);
/* The last call of the thread completed something: the next stretch begins with the next call. */
void tt_polls_end_stretch (TtPolls *self, guint32 thread);
