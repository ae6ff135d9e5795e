/*
 * TtNest: from enters and leaves (or complete spans in begin order) per thread to rows.
 *
 * A stack per thread gives each span its depth, self time and flags, so that every row is written
 * once. Rules:
 *  - begin order on a thread is the order of the calls; times that step back are counted, durations
 *    and self times are at least 0;
 *  - a leave of a span that is open but not on top closes those above it at its time (flag
 *    `unclosed`); a leave of a span that is not open is dropped and counted;
 *  - a span inside an open span of the same name on its thread gets flag `recursive`;
 *  - what is open at the end closes at its thread's last time, flag `unclosed`.
 * Stacks beyond a cap spill to a temporary file; no depth is too deep.
 * Metrics: values at enter follow the enter, values at leave follow the leave; exclusive = inclusive
 * minus that of the direct children.
 */
#pragma once

#include "src/sink.h"

typedef struct _TtNest TtNest;
typedef struct _TtNestThread TtNestThread;

TtNest *tt_nest_new (TtSink *sink);
void tt_nest_free (TtNest *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNest, tt_nest_free)

/* The stack of @thread; valid until tt_nest_finish(). Look it up once, not per record. */
TtNestThread *tt_nest_thread (TtNest *self, guint32 thread, guint32 process);

/* @offset: where in the source, for the report of repairs. @args: id from tt_sink_args(), or 0. */
void tt_nest_enter (TtNest *self, TtNestThread *thread, guint32 name, gint64 ts_ns, guint64 offset);
void tt_nest_leave (TtNest *self, TtNestThread *thread, guint32 name, gint64 ts_ns, guint64 offset);
/* A whole span, in begin order (ts, then longest first) with other spans of its thread. */
void tt_nest_complete (TtNest *self,
                       TtNestThread *thread,
                       guint32 name,
                       gint64 ts_ns,
                       gint64 end_ns,
                       guint32 flags,
                       gint32 step,
                       guint64 args,
                       guint64 offset);
void tt_nest_instant (TtNest *self,
                      TtNestThread *thread,
                      guint32 name,
                      gint64 ts_ns,
                      gint32 step,
                      guint64 args,
                      guint64 offset);
/* An absolute hardware counter value that belongs to the enter or leave just before it. */
void tt_nest_metric (TtNest *self, TtNestThread *thread, guint32 series, gint64 value, guint64 offset);
/* A message half inside the innermost open span. @peer: process. */
void tt_nest_half (TtNest *self,
                   TtNestThread *thread,
                   gboolean is_send,
                   gboolean is_onesided,
                   guint32 peer,
                   gint64 tag,
                   gint64 comm,
                   gint64 ts_ns,
                   gint64 bytes);
/* Only moves the thread's last time (records that make no row but prove it was alive). */
void tt_nest_touch (TtNest *self, TtNestThread *thread, gint64 ts_ns);

/* Number of open spans. */
guint64 tt_nest_depth (const TtNestThread *thread);

/* Closes what is open and forgets all threads: once per source. */
void tt_nest_finish (TtNest *self);
