/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNest: from enters and leaves (or complete spans in begin order) per thread to rows.
 *
 * A stack per thread gives each span its depth, self time and flags, so that every row is written
 * once. Rules:
 *  - begin order on a thread is the order of the calls; times that step back are counted, durations
 *    and self times are at least 0;
 *  - a leave of a span that is open but not on top ends those above it, whose leaves were lost: they are shown no longer
 *    than something is known of them, with the flags `unclosed` and `inferred` and the argument dur_between_ns; a leave of a span that is not open is dropped and counted;
 *  - a span inside an open span of the same name on its thread gets flag `recursive`;
 *  - a span open at the end closes at its thread's last time, flag `unclosed`;
 *  - whole spans may cross others: the parent of a span is the innermost (latest begun) span of its thread that contains
 *    it wholly; two that cross both get flag `overlap` and are counted. Self time is what the children, taken
 *    together, leave uncovered.
 * Stacks beyond a cap spill to a temporary file; no depth is too deep.
 * Metrics: values at enter follow the enter, values at leave follow the leave, or spans bring theirs; exclusive =
 * inclusive minus that of the next spans inside which have one.
 */
#pragma once

#include "src/trace/sink.h"

typedef struct _TtNest TtNest;
typedef struct _TtNestThread TtNestThread;

TtNest *tt_nest_new (TtSink *sink);
void tt_nest_free (TtNest *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNest, tt_nest_free)

/* The stack of @thread; valid until tt_nest_finish(). Look it up once, not per record. */
TtNestThread *tt_nest_thread (TtNest *self, guint32 thread, guint32 process);

/* A whole span, or a begin or instant (end_ns is then not used). */
typedef struct
{
  gint64 ts_ns, end_ns;
  guint64 args;   /* id from tt_sink_args(), of a begin or end perhaps from tt_sink_hold_args(), or 0 */
  guint64 offset; /* in the source, for the report of repairs */
  guint32 name;
  guint32 flags; /* TtEventFlags to add */
  gint32 step;
  guint32 context;  /* what tt_nest_make_room() returns for the spans inside it */
  guint32 track;    /* thread of its row, 0: the stack's own */
  guint32 activity; /* from tt_sink_hold_activity(); 0: it has no role on a device */
  guint32 owner;    /* from tt_sink_new_owner(); 0: nobody has asked for one */
  guint64 mark;     /* of a begin: see tt_nest_left_name(); 0: none */
  guint32 series;   /* of `metric`; 0: none */
  gint64 metric;    /* of a whole span its value, of a begin and an end what it was then */
  /* The row of a begin has these and the flags above, whatever the stack says. */
  gboolean is_told;
  guint32 told_depth;
  gint64 told_self_ns;
} TtNestSpan;

/* One side of a message. */
typedef struct
{
  gint64 ts_ns, tag, comm;
  gint64 bytes; /* -1: unknown */
  guint32 peer; /* process */
  gboolean is_send;
  TtOnesided onesided;
  gint64 tied_ns; /* it belongs to the span that is open so much after ts_ns; mostly 0 */
} TtNestHalf;

/* @offset: where in the source, for the report of repairs. */
void tt_nest_enter (TtNest *self, TtNestThread *thread, guint32 name, gint64 ts_ns, guint64 offset);
void tt_nest_leave (TtNest *self, TtNestThread *thread, guint32 name, gint64 ts_ns, guint64 offset);
/* Of which name the span is that a leave ends which says @name: of that, but where no such span is open and the innermost
 * began with @mark, it is that one, and counted. */
guint32 tt_nest_left_name (TtNest *self, const TtNestThread *thread, guint32 name, guint64 mark, guint64 offset);

/* Prepares the stack for a whole span from @ts_ns to @end_ns that comes next, and returns the context of the span that
 * will contain it, 0 if there is none. */
guint32 tt_nest_make_room (TtNest *self, TtNestThread *thread, gint64 ts_ns, gint64 end_ns);
/* A whole span, in begin order (ts, then longest first) with other spans of its thread. A span of no length that begins
 * where another ends comes after it. */
void tt_nest_span (TtNest *self, TtNestThread *thread, const TtNestSpan *span);
/* The same of a span of which no more is known than this. */
void tt_nest_plain_span (TtNest *self,
                         TtNestThread *thread,
                         guint32 name,
                         guint32 flags,
                         gint32 step,
                         gint64 ts_ns,
                         gint64 end_ns,
                         guint64 args,
                         guint64 offset);
/* A span whose end is not known yet. */
void tt_nest_begin (TtNest *self, TtNestThread *thread, const TtNestSpan *begin);
/* The end of one of its name, or TT_NO_ID: of the innermost. Its args and flags join those of the begin. FALSE: no such
 * span is open; nothing is done. */
gboolean tt_nest_end (TtNest *self, TtNestThread *thread, const TtNestSpan *end);
/* What becomes known of the innermost open span: joins its args. FALSE: none is open; nothing is done. */
gboolean tt_nest_add_args (TtNest *self, TtNestThread *thread, guint64 args);
/* An instant, at the depth of the spans that contain it, those that begin at its time included. */
void tt_nest_moment (TtNest *self, TtNestThread *thread, const TtNestSpan *instant);
/* An absolute hardware counter value that belongs to the enter or leave just before it. */
void tt_nest_metric (TtNest *self, TtNestThread *thread, guint32 series, gint64 value, guint64 offset);
/* A message half inside the innermost span that is open at its time. */
void tt_nest_half (TtNest *self, TtNestThread *thread, const TtNestHalf *half);
/* For halves whose peer is known only later: the owner of the innermost open span, 0 if none is open, or TT_OWNER_LEFT_OUT. */
guint32 tt_nest_owner (TtNest *self, TtNestThread *thread);
/* A point of a flow, tied to the innermost span that is open at @ts_ns, those that begin then included. */
void
tt_nest_flow (TtNest *self, TtNestThread *thread, guint64 key, const TtFlowKind *kind, TtFlowPhase phase, gint64 ts_ns);
/* Records are missing here, of whatever thread: spans that are open may end in another call of their name, and get
 * TT_FLAG_INFERRED. */
void tt_nest_hole (TtNest *self);
/* Only moves the thread's last time: for records that make no row but prove that it was alive. */
void tt_nest_touch (TtNest *self, TtNestThread *thread, gint64 ts_ns);

/* Whether the temporary files have worked so far; also after tt_nest_finish(). */
gboolean tt_nest_check (TtNest *self, GError **error);
/* Closes the open spans of @thread and forgets it: a later call starts a new one. */
void tt_nest_close (TtNest *self, TtNestThread *thread);
/* Closes all open spans and forgets all threads: once per source. */
void tt_nest_finish (TtNest *self);
