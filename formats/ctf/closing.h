/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ends of open spans, those that the trace tells and those that it does not.
 *
 * An end that the tracer has discarded lies in a hole of the trace (losses.h), after the last event that is known to be
 * inside the span. There the span ends here: it is shown no longer than it is known to have been. Its argument
 * dur_between_ns says how long it lasted at least and at most, and it has the flags `unclosed` and `inferred`.
 */
#pragma once

#include "formats/ctf/session.h"

#define TT_CTF_BOUNDED (TT_FLAG_INFERRED | TT_FLAG_UNCLOSED)

static inline TtCtfOpen *
tt_ctf_open_at (const TtCtfThread *thread, guint i)
{
  return &g_array_index (thread->open, TtCtfOpen, i);
}

/* Of a thread or process, or the whole program: it lasts until the trace ends, whatever is lost. */
static inline gboolean
tt_ctf_is_lasting (const TtCtfOpen *open)
{
  return open->kind == TT_CTF_LIFE || open->is_program;
}

/* What was lost on @thread since it was last looked at and before @ts_ns: the ends of all that is open may be there. */
void tt_ctf_suspect_spans (TtCtfSession *self, TtCtfThread *thread, gint64 ts_ns);

/* Whether the end of the parallel region of the innermost span of that kind at @at or below it, which another thread began,
 * may have been lost by @ts_ns: then what is in its team may have ended, too, earlier than it tells. */
gboolean tt_ctf_team_may_be_over (TtCtfSession *self, TtCtfThread *thread, guint at, gint64 ts_ns);

/* Counts what was seen of @open or is known to be lost. */
void tt_ctf_sight (TtCtfSession *self, TtCtfThread *thread, const TtCtfOpen *open, TtCtfSighting what, gint64 ts_ns);

/* Pushes @open, whose begin is known to nest. */
void tt_ctf_push_open (TtCtfThread *thread, const TtCtfOpen *open);

/* The event @number ends the innermost span. @args: of the event, or 0. */
void
tt_ctf_end_top (TtCtfSession *self, TtCtfThread *thread, gint64 ts_ns, guint64 args, guint32 flags, guint64 number);
/* The same where it may be the end of a later span of its like. */
void tt_ctf_end_unsure (TtCtfSession *self, TtCtfThread *thread, gint64 ts_ns, guint64 args, guint64 number);
/* Closes the spans from @from upwards, whose ends are not in the trace; at @ts_ns they are not open any more. With the end of
 * a region that of the tasks of its team was lost, too. */
void tt_ctf_close_from (TtCtfSession *self, TtCtfThread *thread, guint from, gint64 ts_ns, guint64 number);
/* The open implicit task of the region @match on @thread, or -1. */
gint64 tt_ctf_find_task (const TtCtfThread *thread, const gint64 *match);
/* Closes the spans from the task @at on, which was over at one of the times from @between[0] to @between[1]. */
void tt_ctf_close_between (TtCtfSession *self, TtCtfThread *thread, guint at, const gint64 *between, guint64 number);
/* The span @ended, whose begin was lost, and whose end is this event: of it nothing is known to be inside. */
void tt_ctf_write_ended (TtCtfSession *self,
                         TtCtfThread *thread,
                         const TtCtfOpen *ended,
                         gint64 begun_after_ns,
                         const TtNestSpan *end);
/* The trace is over: closes what is still open. */
void tt_ctf_close_spans (TtCtfSession *self, TtCtfProcess *process);
