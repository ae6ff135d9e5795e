/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtArrange: brings the events of each thread into begin order for nest.
 *
 * Trace-event files give spans in any order, begins and ends apart, crossing each other. Importers add
 * the records of one source in the order of the file; tt_arrange_finish() sorts them (in bounded
 * memory, on a temporary file when they are many), pairs begins with ends, and hands everything to nest
 * thread by thread in begin order. Rules:
 *  - order on a thread is (ts, longest first, order of the calls, or its reverse: tt_arrange_set_by_end());
 *  - an end closes the latest begin of its thread that has its name and is open; an end without a name (TT_NO_ID) the
 *    latest of any name. Begin and end may cross others: both spans keep their times, flag `overlap`;
 *  - a begin without an end ends at its thread's last time, flag `unclosed`; where other pairs say that it ended before
 *    (one around it ended, one of its name began again, an end without a begin came) its end was lost: it is shown until
 *    then, flags `unclosed` and `inferred`, argument dur_between_ns; an end without a begin becomes an instant
 *    of its name, flag `inferred` (dropped if it has no name); both are counted;
 *  - args of an end join those of its begin;
 *  - asynchronous begins and ends pair so within their key, not within a thread; their
 *    spans get flag `async`, depth and self time among the spans of their key only;
 *  - a flow point is tied to the innermost span that contains it on its thread (begin included), or, with
 *    binds_to_next, to the next that begins there. One that says which of the spans that begin at its time it belongs
 *    to (nth_span) is tied to that, if there are so many.
 */
#pragma once

#include "src/trace/sink.h"

typedef struct _TtArrange TtArrange;

/* A record of a thread: a span, begin, end, instant or point. Fields that a call does not need are ignored. */
typedef struct
{
  guint32 thread, process;
  guint32 name;
  guint32 flags; /* TtEventFlags to add, and TtArrangeExtras */
  gint32 step;   /* TT_NO_STEP */
  guint32 tag;   /* the importer's own word for its hook; 0; or see TtArrangeExtras */
  gint64 ts_ns;
  gint64 dur_ns;              /* tt_arrange_span() only; negative: the source says so, becomes 0 with its flag */
  guint64 key;                /* the importer's own number for its hook; 0; or see TtArrangeExtras */
  guint64 args;               /* from tt_sink_args(), 0 = none */
  guint32 activity;           /* for the hook to set: from tt_sink_hold_activity(), 0 = none */
  guint32 owner;              /* for the hook to set: from tt_sink_new_owner(), 0 = none */
  const TtFlowKind *own_flow; /* for the hook to set: of a point at the begin of just this span; NULL: it has none */
  guint64 flow_key;
  TtFlowPhase flow_phase;
  guint64 offset;   /* in the source, for the report of repairs */
  guint32 nth_span; /* of a point: it belongs to the N-th span that begins at its time; 0: to the innermost */
} TtTraceRecord;

/* Member by member: as one assignment it would be cleared by an instruction that takes long. */
static inline void
tt_trace_record_clear (TtTraceRecord *self)
{
  self->thread = self->process = 0;
  self->name = 0;
  self->flags = 0;
  self->step = 0;
  self->tag = 0;
  self->ts_ns = self->dur_ns = 0;
  self->key = 0;
  self->args = 0;
  self->activity = self->owner = 0;
  self->own_flow = NULL;
  self->flow_key = 0;
  self->flow_phase = TT_FLOW_START;
  self->offset = 0;
  self->nth_span = 0;
}

/* What spans carry beside themselves. Not together with a hook that uses these fields for other things. */
typedef enum
{
  TT_ARRANGE_METRIC = 1 << 23, /* `key` is the value of the metric, of a begin and an end what it was then (gint64) */
  TT_ARRANGE_FLOW = 1 << 22,   /* `tag` is from tt_arrange_span_flow() */
  TT_ARRANGE_SEEN = 1 << 21,   /* tt_arrange_see() has had its times */
} TtArrangeExtras;

/*
 * Called for each span in begin order per thread, before its row exists. May change name, step and flags. Asynchronous
 * spans (flag `async`) come last, key by key: a key is to them what a thread is to others. The duration of a begin on a
 * trusted thread is not known: 0. The hook is also called for instants that have a tag; @context is then 0, the answer not
 * used. @context: what the call for the span that contains this one returned, 0 if there is none. @flows: of the
 * flow points at just the span's begin, bit k for TtFlowPhase k of kind 0, bit 4 + k of kind 1 ... (the kinds as numbered by
 * tt_arrange_flow_kind()). Returns what spans inside it get as @context.
 */
typedef guint32 (*TtArrangeHook) (TtTraceRecord *span, guint32 context, guint32 flows, gpointer data);

TtArrange *tt_arrange_new (TtSink *sink);
void tt_arrange_free (TtArrange *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtArrange, tt_arrange_free)

void tt_arrange_set_hook (TtArrange *self, TtArrangeHook hook, gpointer data);

/* Before tt_arrange_finish(): spans have come in the order of their ends, so of two that begin and end together the later
 * is around the other. */
void tt_arrange_set_by_end (TtArrange *self);

void tt_arrange_span (TtArrange *self, const TtTraceRecord *span);
void tt_arrange_begin (TtArrange *self, const TtTraceRecord *begin);
void tt_arrange_end (TtArrange *self, const TtTraceRecord *end);
void tt_arrange_instant (TtArrange *self, const TtTraceRecord *instant);
/* @key: which begins and ends belong together (hash of process, category, id ...). `thread` is the track of the row. */
void tt_arrange_async_begin (TtArrange *self, const TtTraceRecord *begin, guint64 key);
void tt_arrange_async_end (TtArrange *self, const TtTraceRecord *end, guint64 key);
/* The number of a kind; of several with one text the first counts. The hook learns of the first 8 kinds; rows are made
 * of all. */
guint32 tt_arrange_flow_kind (TtArrange *self, const TtFlowKind *kind);
void tt_arrange_flow (TtArrange *self,
                      const TtTraceRecord *point,
                      guint32 kind,
                      guint64 key,
                      TtFlowPhase phase,
                      gboolean binds_to_next);

/* A point at the begin of a span, for the `tag` of the span, whose records have TT_ARRANGE_FLOW: no other span that
 * begins at its time can get it. A number, or 0 after so many of them. */
guint32 tt_arrange_span_flow (TtArrange *self, guint32 kind, guint64 key, TtFlowPhase phase);
/* The series of TT_ARRANGE_METRIC. Before the first record that has it. */
void tt_arrange_set_metric (TtArrange *self, guint32 series);

/* One side of a message, which belongs to the innermost span that contains it, those that begin at its time
 * included. */
typedef struct
{
  gboolean is_send;
  guint32 peer; /* process */
  gint64 tag, comm;
  gint64 bytes;    /* -1: unknown */
  gint64 moved_ns; /* how much later the record is than what it tells; mostly 0 */
} TtArrangeHalf;
void tt_arrange_half (TtArrange *self, const TtTraceRecord *point, const TtArrangeHalf *half);

/* A value of a counter: one whose time is far from all others of the source comes to these. */
typedef struct
{
  guint32 series, thread, process; /* thread: TT_NO_ID if of none */
  gboolean is_real;
  gint64 ts_ns;
  gint64 integer;
  double real;
  guint64 offset;
} TtArrangeCounter;
void tt_arrange_counter (TtArrange *self, const TtArrangeCounter *counter);

/* A thread whose spans are known to come in begin order (ts, then longest first), with begins and ends well nested:
 * goes to nest at once, without sorting. Flow points come in before the spans that begin at their time, or the hook does
 * not learn of them. Before anything else of the thread, and for the first 4,096 threads, else without effect. */
void tt_arrange_trust (TtArrange *self, guint32 thread);

/* Of an importer that brings records in another order than the source has them: their times in that of the source, which
 * says whether one is far from all others because it is damaged. @line: what the source writes as it happens, a thread or the
 * like, from 0. Of spans that it tells by begins and ends these apart. */
void tt_arrange_see (TtArrange *self, guint32 line, gint64 ts_ns, gint64 dur_ns);

/* Before tt_arrange_finish(): the records that other files have of the same processes lie between these times. */
void tt_arrange_around (TtArrange *self, gint64 first_ns, gint64 last_ns);

/* Whether the temporary files have worked so far. Once per block of input. */
gboolean tt_arrange_check (const TtArrange *self, GError **error);
/* After the last record: sorts, pairs, nests. Checks the sink now and then. */
gboolean tt_arrange_finish (TtArrange *self, GError **error);
