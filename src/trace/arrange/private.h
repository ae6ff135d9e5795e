/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of TtArrange share: records as they are sorted, and the feed from sorted records to nest.
 */
#pragma once

#include "src/base/id-table.h"
#include "src/base/sorter.h"
#include "src/base/tape.h"
#include "src/trace/arrange/arrange.h"
#include "src/trace/arrange/spikes.h"
#include "src/trace/nest/nest.h"

typedef enum
{
  ARRANGE_SPAN,
  ARRANGE_INSTANT,
  ARRANGE_FLOW,
  ARRANGE_BEGIN,
  ARRANGE_END,
} ArrangeKind;

/*
 * One record of a thread: a span, instant, begin, end, flow point or half a message. The key is (line, ts_ns, code), see
 * arrange_set_key(); a line is a thread, or all that shares the key of an asynchronous span. A flow point, and half a
 * message, has its own fields in some of a span's.
 */
typedef struct
{
  guint64 high, low;
  gint64 dur_ns; /* flow: key */
  guint64 args;
  guint64 offset;
  guint64 number; /* counts calls */
  guint64 key;    /* the importer's own */
  guint32 name;   /* flow: kind */
  gint32 step;    /* flow: phase */
  guint32 tag;    /* flow: the nth_span, or ARRANGE_NEXT_SPAN */
  guint32 flags_kind;
} ArrangeRecord;

/* A record on a line that is no thread. */
typedef struct
{
  ArrangeRecord record;
  guint32 thread, process;
} ArrangeAsync;

#define ARRANGE_KIND_SHIFT 24
#define ARRANGE_ALL_FLAGS ((1u << ARRANGE_KIND_SHIFT) - 1)
#define ARRANGE_EXTRAS ((guint32) TT_ARRANGE_METRIC | (guint32) TT_ARRANGE_FLOW | (guint32) TT_ARRANGE_SEEN)

static inline ArrangeKind
arrange_kind (const ArrangeRecord *record)
{
  return record->flags_kind >> ARRANGE_KIND_SHIFT;
}

static inline guint32
arrange_flags (const ArrangeRecord *record)
{
  return record->flags_kind & ARRANGE_ALL_FLAGS;
}

static inline guint32
arrange_line (const ArrangeRecord *record)
{
  return (guint32) (record->high >> 32);
}

static inline gint64
arrange_ts (const ArrangeRecord *record)
{
  return tt_sort_value (record->high << 32 | record->low >> 32);
}

static inline guint32
arrange_code (const ArrangeRecord *record)
{
  return (guint32) record->low;
}

static inline void
arrange_set_key (ArrangeRecord *record, guint32 line, gint64 ts_ns, guint32 code)
{
  guint64 ts = tt_sort_key (ts_ns);

  record->high = (guint64) line << 32 | ts >> 32;
  record->low = ts << 32 | code;
}

/* At one time flow points come first, then spans, longest first, then instants. Codes of spans of
 * 2^30 ns and longer are rounded. */
#define ARRANGE_EXACT ((gint64) 1 << 30)
#define ARRANGE_CODE_FLOW 0u
#define ARRANGE_CODE_LONGEST 1u
#define ARRANGE_CODE_EMPTY 0x80000000u
#define ARRANGE_CODE_INSTANT 0xc0000000u

guint32 arrange_code_of_span (gint64 dur_ns);

static inline gboolean
arrange_code_is_rounded (guint32 code)
{
  return code >= ARRANGE_CODE_LONGEST && code <= ARRANGE_CODE_EMPTY - (guint32) ARRANGE_EXACT;
}

/* A point that binds to the next span. */
#define ARRANGE_NEXT_SPAN G_MAXUINT32

/* In place of a flow's kind: the key is where the half of a message lies on its tape. */
#define ARRANGE_HALF G_MAXUINT32

/* Where all but a few records of the source lie, and what is known of the line that is fed: see lone.c. */
typedef struct
{
  gint64 first_ns, last_ns;
  const ArrangeSpikes *spikes; /* NULL: others are far by their distance alone */
  guint64 patience_ns;         /* beyond that, also a record in the order of the source, or around others, is far */
  guint64 first_number, last_number; /* of the thread's calls */
  gint64 open_until;                 /* end of the last to end of those that have begun; has_open: there are any */
  gboolean has_open;
  gint64 fed_ns; /* where the record before is handed on; has_fed: there is one */
  gboolean has_fed;
  guint32 process;
} ArrangeLone;

void arrange_lone_begin_line (ArrangeLone *self, guint32 process, guint64 first_number, guint64 last_number);
/* TRUE: @record is far from all others; it is moved to them, or has no duration any more, and is marked and counted. */
gboolean arrange_lone_mend (ArrangeLone *self, TtSink *sink, ArrangeRecord *record);

/* What tt_arrange_span_flow() keeps. */
typedef struct
{
  guint64 key;
  guint32 kind, phase;
} ArrangeSpanFlow;

typedef struct
{
  TtArrangeHook hook;
  gpointer data;
  GPtrArray *flow_kinds; /* of TtFlowKind, borrowed */
  TtTape *halves;        /* of TtArrangeHalf; NULL: none yet */
  TtTape *span_flows;    /* of ArrangeSpanFlow, likewise */
  guint32 metric;        /* series */
} ArrangeHooks;

/* -- feed.c: from begin order to nest -------------------------------------------------------- */

typedef struct _ArrangeFeed ArrangeFeed;

ArrangeFeed *arrange_feed_new (TtSink *sink, TtNest *nest, const ArrangeHooks *hooks);
void arrange_feed_free (ArrangeFeed *self);
/* Starts another line and ends the one before. @thread: of its stack in nest. */
void arrange_feed_begin_line (ArrangeFeed *self, guint32 thread, guint32 process);
/* The next record of the line. @async: whose row it is, NULL: the line's thread. Begins and ends only where spans are
 * well nested. */
void arrange_feed_record (ArrangeFeed *self, const ArrangeRecord *record, const ArrangeAsync *async);
/* The same of a span of the line's thread that carries nothing, where there is no hook. */
void arrange_feed_plain_span (ArrangeFeed *self, const TtTraceRecord *span, gint64 end_ns);
/* After the last record of the line: open spans end. */
void arrange_feed_end_line (ArrangeFeed *self);
gboolean arrange_feed_check (const ArrangeFeed *self, GError **error);
/* The same without its nest. */
gboolean arrange_feed_check_own (const ArrangeFeed *self, GError **error);

/* -- order.c: sorted records in their exact order -------------------------------------------- */

typedef void (*ArrangeFunc) (const ArrangeRecord *record, gpointer data);

typedef struct
{
  TtSorter *sorter;
  gsize record_size;
  gboolean is_mixed;  /* records have not come in the order of their numbers */
  gboolean is_by_end; /* of spans that are alike the last is first */
  TtSink *sink;       /* checked now and then */
  ArrangeFunc func;
  gpointer data;
} ArrangeOrder;

/* Finishes the sorter and calls back for all its records in the order (line, ts, longest first, number). The sorter goes
 * by the key alone; records with one key are ordered here where codes are rounded, or if they are mixed or by end. */
gboolean arrange_each (const ArrangeOrder *self, GError **error);

/* -- pairs.c: begins and ends to spans ------------------------------------------------------- */

/* What other pairs say of an end that is not there: it was lost. The span was open at shown_ns or before, but not any more
 * at most_ns. */
typedef struct
{
  gint64 shown_ns;
  gint64 most_ns; /* TT_NO_TIME: it may have been open to the end */
} ArrangeBounds;

/* Callbacks for the pairs. Records are ArrangeAsync. */
typedef struct
{
  void (*line) (gpointer data); /* another line begins */
  void (*span) (const ArrangeAsync *begin, const ArrangeAsync *end, gpointer data);
  /* A begin without an end. @bounds: NULL: nothing says that it ended before its line. */
  void (*unclosed) (const ArrangeAsync *begin, const ArrangeBounds *bounds, gpointer data);
  void (*lone_end) (const ArrangeAsync *end, gpointer data);
} ArrangePairFuncs;

/* Finishes @events (ArrangeAsync by line and time, or by the key of asynchronous spans and time) and pairs all. */
gboolean arrange_pair (TtSorter *events,
                       gboolean is_async,
                       TtSink *sink,
                       const ArrangePairFuncs *funcs,
                       gpointer data,
                       GError **error);

/* -- for tests --------------------------------------------------------------------------------------- */

/* Before the first call. */
void arrange_set_memory (TtArrange *self, gsize bytes);

/* -- counters ------------------------------------------------------------------------------------------------------- */

typedef struct _ArrangeCounters ArrangeCounters;

ArrangeCounters *arrange_counters_new (void);
void arrange_counters_free (ArrangeCounters *self);
void arrange_counters_add (ArrangeCounters *self, const TtArrangeCounter *what, TtSink *sink);
/* @events: where the times of events lie, but for those that are far. */
void arrange_counters_finish (ArrangeCounters *self, const TtTimeSpread *events, TtSink *sink);
