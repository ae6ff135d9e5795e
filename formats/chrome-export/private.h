/*
 * TtChrome: writes one run as Chrome-trace JSON, the same bytes whether the rows come from an
 * importer (convert) or from the store (export).
 *
 * First everything is collected: rows become records of 32 bytes in a sorter, what does not fit into
 * them (arguments, steps) goes to `extras`. Then tt_chrome_finish() merges the records in
 * (time, depth, thread) order and formats them. Nothing is kept per row, so memory stays bounded.
 * Names are looked up by id only while formatting.
 *
 * What is written, for whoever reads it back:
 *  - {"otherData":{"tool":"tracetool","version":..,"clocks":{"epoch":{"first_ns":N}}},"displayTimeUnit":"ns",
 *    "traceEvents":[...]}: otherData comes first, so that a reader knows whose file this is. Times are less by first_ns
 *    (first_ticks) of their clock, which is 0 with --absolute.
 *  - pid and tid of events are numbers. Their texts stand in metadata events ahead of all others, but for the lines
 *    told below: process_name has args.name = the pid, process_labels has args.labels = the label (only if there is
 *    one), process_sort_index the rank or number; thread_name has args.name = the tid, and args.label = the label
 *    (only if there is one), thread_sort_index the order.
 *  - Spans of a thread that do not nest are on several tids with one thread_name, the further ones told when they
 *    are first needed: within a process one thread_name is one thread.
 *  - name is the standard name without suffix, cat "op_cat,native_group" (no comma without a group). args begin with
 *    name (the standard name with ~>suffix), op_long_name, raw_name (only if it is another), cnt (spans), step, flags,
 *    critical_path; what the source had comes behind them; see own-args.h.
 *  - Messages are flow events of cat and name "message" with text ids, or instants of cat "message" with one of the
 *    names send, recv, unmatched send, unmatched recv; both have tag, comm, src, dst in args.
 *  - Flows are s and f ("bp":"e") events whose name and cat is their kind, with a number as id; a flow through several
 *    spans is one pair of events from each to the next.
 * With variant "template" there is no metadata: pid and tid are the texts, and only spans are written.
 */
#pragma once

#include "formats/exporter.h"
#include "src/trace/flow-join.h"
#include "src/base/sorter.h"
#include "src/base/spill.h"

typedef enum
{
  CHROME_SPAN,
  CHROME_INSTANT,
  CHROME_COUNTER,
  CHROME_COUNTER_REAL,
  CHROME_HALF,      /* a message's side as an instant */
  CHROME_FLOW_SEND, /* the arrow of a message */
  CHROME_FLOW_RECV,
  CHROME_FLOW_FROM, /* a flow */
  CHROME_FLOW_TO,
} ChromeKind;

/* Bits of a record: kind (up to CHROME_COUNTER_REAL), marks, event flags, number of its source. */
#define CHROME_KIND_MASK 7u
#define CHROME_HAS_EXTRA (1u << 3)
#define CHROME_HIGHLIGHT (1u << 4)
#define CHROME_FLAGS_SHIFT 8
#define CHROME_FLAGS_MASK 0xfffu
#define CHROME_SOURCE_SHIFT 20

G_STATIC_ASSERT (TT_N_FLAGS <= 12);

typedef struct
{
  guint64 ts;    /* sort key of the time */
  guint64 place; /* depth << 32 | thread; what is not an event comes behind all depths */
  gint64 value;  /* duration, counter value, or with CHROME_HAS_EXTRA offset in the extras */
  guint32 name;  /* name or series */
  guint32 bits;
} ChromeRecord;

/* Depths as in `place`. Of one moment a thread's spans come first, parents before children. */
#define CHROME_MAX_DEPTH 0xfdffffffu
#define CHROME_COUNTER_DEPTH 0xfe000000u /* | low bits of the series */
#define CHROME_HALF_DEPTH 0xff000000u
#define CHROME_SEND_DEPTH 0xff000001u
#define CHROME_RECV_DEPTH 0xff000002u
#define CHROME_FROM_DEPTH 0xff000003u
#define CHROME_TO_DEPTH 0xff000004u

/* What an event has beyond its record. */
typedef struct
{
  gint64 dur_ns, self_ns;
  guint64 event; /* id */
  gint32 step;
  guint32 source; /* number */
  guint64 args;   /* id in ChromeArgs, 0 = none */
} ChromeExtra;

/* The span around a side of a message or flow. dur_ns TT_NO_TIME: there is none. */
typedef struct
{
  guint64 event;
  gint64 ts_ns, dur_ns, self_ns;
  guint32 thread, name, depth, flags;
  gint32 step;
} ChromeSpan;

#define CHROME_NO_SPAN                        \
  {                                           \
    .dur_ns = TT_NO_TIME, .step = TT_NO_STEP, \
  }

/* A side of a message or flow. These have a sorter of their own, so that nothing is looked up out of order. */
typedef struct
{
  guint64 ts, place;
  const char *flow_kind; /* of a flow, whose number is `ordinal`; NULL: a message */
  gint64 tag, comm, ordinal, bytes;
  gint64 end_ns;                   /* of the span around this side */
  gint64 send_dur_ns, recv_dur_ns; /* of both spans, for --max-size */
  guint32 send_depth, recv_depth;
  guint32 src_process, dst_process, src_thread, dst_thread; /* threads: TT_NO_ID if unknown */
  guint32 kind;                                             /* CHROME_HALF and all after it */
  guint32 marks;
} ChromeMessage;

#define CHROME_IS_RECV 1u /* which side it is */
#define CHROME_IS_PAIR 2u /* a CHROME_HALF whose other half is there, but no arrow can join them */

typedef struct
{
  guint32 id;
  TtClock clock;
  gint64 first_ns; /* of its events; TT_NO_TIME: none */
} ChromeSource;

typedef struct
{
  char *pid, *label; /* pid NULL: a hole */
  gint64 rank;
  guint32 number; /* in the file */
  guint32 next_tid;
  gboolean is_listed; /* in pids_in_order */
} ChromeProcess;

/* Ends of the spans that are open at the moment on a line of the viewer. */
typedef struct
{
  gint64 *ends;
  guint n, allocated;
  guint32 number; /* tid in the file */
} ChromeTrack;

typedef struct
{
  char *tid, *label; /* tid NULL: a hole */
  gint64 order;
  gint64 first_ns; /* of counters and messages; TT_NO_TIME: none */
  guint32 process;
  guint32 source;         /* number of the source of its first event, + 1; 0 = none */
  guint32 text, text_len; /* ,"pid":3,"tid":0,"args":{ in thread_text */
  ChromeTrack track;
  GArray *more_tracks; /* of ChromeTrack: for spans that overlap others without nesting; mostly NULL */
  gboolean is_wanted;
} ChromeThread;

typedef struct
{
  char *name;
  gboolean has_several_threads; /* of one process */
} ChromeSeries;

typedef struct _ChromeArgs ChromeArgs;
typedef struct _ChromeFragments ChromeFragments;
typedef struct _ChromeLimit ChromeLimit;

typedef gboolean (*ChromeNameFunc) (gpointer data, guint32 id, TtStoredName *name);

typedef struct
{
  const TtExportOptions *options; /* borrowed */
  TtExportReport *report;         /* borrowed */
  gboolean is_template;
  TtSorter *sorter;
  TtSorter *messages; /* NULL: none yet */
  GStringChunk *flow_kinds;
  TtSpill *extras;
  guint64 extras_end;
  ChromeArgs *args;
  GArray *sources;            /* of ChromeSource, by number */
  guint last_source;          /* number found last */
  GArray *processes;          /* of ChromeProcess, by id */
  GArray *threads;            /* of ChromeThread, by id */
  GArray *series;             /* of ChromeSeries, by id */
  GHashTable *series_threads; /* (process, series) -> first thread */
  TtSorter *name_hashes;      /* finds names with equal text and suffix */
  guint32 max_name;
  guint next_highlight;
  guint64 n_collected;

  /* while writing */
  guint32 *canonical; /* by name id: the first name with its text; NULL: all differ */
  GString *thread_text;
  gint64 shift_ns[3]; /* by clock: subtracted from all times */
  gint64 left_ns[3];  /* by clock: what of it the records still have in them */
  TtClock clock;      /* of all records if they are not mixed */
  gboolean is_mixed;
  ChromeNameFunc get_name;
  gpointer name_data;
  ChromeFragments *fragments;
  ChromeLimit *limit;    /* NULL: nothing is dropped for its size */
  gboolean is_measuring; /* the lengths are wanted, not the text */
  guint64 track_bytes;   /* of metadata written between the spans */
  TtOutput *out;
  guint64 n_lines;
  GString *scratch;
  TtOutput *json;        /* scratch, in memory; empty between uses */
  GArray *pids_in_order; /* template: of guint32, processes by their first span */
} TtChrome;

/* -- collecting (collect.c) ------------------------------------------------------------------------ */

TtChrome *tt_chrome_new (const TtExportOptions *options, TtExportReport *report);
void tt_chrome_free (TtChrome *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtChrome, tt_chrome_free)

void tt_chrome_source (TtChrome *self, guint32 id, TtClock clock);
void tt_chrome_process (TtChrome *self, guint32 id, const char *pid, const char *label, gint64 rank);
void tt_chrome_thread (TtChrome *self, guint32 id, guint32 process, const char *tid, const char *label, gint64 order);
/* What was learnt later; NULL, -1: keep. */
void tt_chrome_label_process (TtChrome *self, guint32 id, const char *label, gint64 rank);
void tt_chrome_label_thread (TtChrome *self, guint32 id, const char *label, gint64 order);
void tt_chrome_series (TtChrome *self, guint32 id, const char *name);
void tt_chrome_name (TtChrome *self, guint32 id, const char *text, const char *suffix);

/* @args: id in self->args, 0 = none; what @event has of its own does not count. */
void tt_chrome_event (TtChrome *self, const TtEvent *event, guint64 args);
void tt_chrome_counter (TtChrome *self, guint32 series, guint32 thread, gint64 ts_ns, gboolean is_real, gint64 bits);
void tt_chrome_see_time (TtChrome *self, guint32 thread, gint64 ts_ns);
/* Of everything collected, whatever its clock; 0 if there is nothing. */
gint64 tt_chrome_first_time (const TtChrome *self);

static inline ChromeThread *
tt_chrome_thread_at (TtChrome *self, guint32 id)
{
  return &g_array_index (self->threads, ChromeThread, id);
}

static inline ChromeProcess *
tt_chrome_process_at (TtChrome *self, guint32 id)
{
  return &g_array_index (self->processes, ChromeProcess, id);
}

/* -- messages (message.c) -------------------------------------------------------------------------- */

void tt_chrome_message (TtChrome *self, const TtMessage *message, const ChromeSpan *send, const ChromeSpan *recv);
void tt_chrome_write_message (TtChrome *self, const ChromeMessage *message);
/* For flows too: */
gboolean tt_chrome_span_matches (const TtChrome *self, const ChromeSpan *span, guint32 thread, gint64 ts_ns);
/* Arrows go forward in time; moves the ends within their spans if the clocks say otherwise. FALSE: no arrow. */
gboolean tt_chrome_bind_arrow (const ChromeSpan *send, const ChromeSpan *recv, gint64 *send_ns, gint64 *recv_ns);
void tt_chrome_add_side (TtChrome *self,
                         const ChromeMessage *message,
                         const ChromeSpan *span,
                         gint64 ts_ns,
                         guint32 depth,
                         guint32 thread);

/* The spans of owners, for convert (owners.c). */
typedef struct _ChromeOwners ChromeOwners;
ChromeOwners *tt_chrome_owners_new (void);
void tt_chrome_owners_free (ChromeOwners *self);
/* The owners of @batch, whose spans end in it or just before. */
void tt_chrome_owners_add (ChromeOwners *self, const TtBatch *batch);
ChromeSpan tt_chrome_owners_span (ChromeOwners *self, guint32 owner);
gboolean tt_chrome_owners_check (const ChromeOwners *self, GError **error);

/* Joins halves as the store does, for convert (halves.c). */
typedef struct _ChromeHalves ChromeHalves;
ChromeHalves *tt_chrome_halves_new (void);
void tt_chrome_halves_free (ChromeHalves *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ChromeHalves, tt_chrome_halves_free)
void tt_chrome_halves_add (ChromeHalves *self, TtChrome *chrome, const TtBatch *batch);
gboolean tt_chrome_halves_finish (ChromeHalves *self, TtChrome *chrome, ChromeOwners *owners, GError **error);

/* Joins the store's messages and flows with their spans while the events are scanned, for export (ends.c). */
typedef struct _ChromeEnds ChromeEnds;
ChromeEnds *tt_chrome_ends_new (TtChrome *chrome, TtStore *store, GError **error);
void tt_chrome_ends_free (ChromeEnds *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (ChromeEnds, tt_chrome_ends_free)
/* Every event, in id order. */
gboolean tt_chrome_ends_event (ChromeEnds *self, const TtEvent *event, GError **error);
gboolean tt_chrome_ends_finish (ChromeEnds *self, GError **error);

/* -- flows (flow.c) -------------------------------------------------------------------------------- */

/* @number: of the flow in the run, whatever is shown; its id in the file. */
void tt_chrome_flow (TtChrome *self, const TtFlow *flow, guint64 number, const ChromeSpan *from, const ChromeSpan *to);
/* Up to the time. */
void tt_chrome_write_flow_head (TtChrome *self, const ChromeMessage *side);

/* Joins points as the store does, for convert. */
typedef struct _ChromeFlows ChromeFlows;
ChromeFlows *tt_chrome_flows_new (void);
void tt_chrome_flows_free (ChromeFlows *self);
void tt_chrome_flows_add (ChromeFlows *self, const TtBatch *batch);
gboolean tt_chrome_flows_end_source (ChromeFlows *self, ChromeOwners *owners, TtRepairs *repairs, GError **error);
gboolean tt_chrome_flows_finish (ChromeFlows *self, TtChrome *chrome, GError **error);

/* -- numbers of processes and threads (numbering.c) ------------------------------------------------ */

void tt_chrome_number (TtChrome *self);
void tt_chrome_write_metadata (TtChrome *self);
/* Line of @thread on which a span from @ts_ns to @end_ns nests; opens it there. */
const ChromeTrack *tt_chrome_track_for (TtChrome *self, guint32 thread, gint64 ts_ns, gint64 end_ns);
/* Line of @thread on which a span that ends at @end_ns is open. */
const ChromeTrack *tt_chrome_track_of (TtChrome *self, guint32 thread, gint64 end_ns);
void tt_chrome_close_tracks (TtChrome *self);

/* -- text that repeats (fragment.c) ---------------------------------------------------------------- */

typedef struct
{
  const char *head; /* {"name":"COMP.compute","cat":"COMP,TAU_USER" */
  const char *tail; /* "name":"COMP.compute","op_long_name":"node3->COMP.compute","cnt": */
  guint32 head_len, tail_len;
  guint32 plain_tail_len; /* without ,"cnt": */
  guint64 *count;         /* occurrences of the long name so far */
} ChromeFragment;

ChromeFragments *tt_chrome_fragments_new (void);
void tt_chrome_fragments_free (ChromeFragments *self);
/* FALSE: a temporary file failed. */
gboolean tt_chrome_fragments_check (const ChromeFragments *self, GError **error);
/* Appends @key and @text as a JSON string. */
void tt_chrome_append_json (TtChrome *self, GString *to, const char *key, const char *text);
/* Valid until the next call. */
ChromeFragment tt_chrome_fragment (TtChrome *self, guint32 process, guint32 name);

/* -- arguments by id (kept-args.c) -------------------------------------------------------------------- */

ChromeArgs *tt_chrome_args_new (void);
void tt_chrome_args_free (ChromeArgs *self);
gboolean tt_chrome_args_check (const ChromeArgs *self, GError **error);
/* Returns the next id. */
guint64 tt_chrome_args_add (ChromeArgs *self, const char *text, gsize len);
/* The same for some of which only the length is known. */
guint64 tt_chrome_args_add_long (ChromeArgs *self, guint64 len);
/* Arguments and merges of @batch under the ids they have there. */
void tt_chrome_args_take (ChromeArgs *self, const TtBatch *batch, TtRepairs *repairs);
/* Their length; into @text unless they are longer than TT_LONG_ARGS. */
gsize tt_chrome_args_get (ChromeArgs *self, guint64 id, GString *text);

/* -- arguments of the source (args.c) ---------------------------------------------------------------- */

/* The members of JSON object @args, each with a comma before it, but those that are not JSON or come a
 * second time. Those that are called as our own (own-args.h) get a prefix. */
void tt_chrome_args (TtOutput *out, const char *args, gsize len);

/* -- --max-size (limit.c) ---------------------------------------------------------------------------- */

ChromeLimit *tt_chrome_limit_new (void);
void tt_chrome_limit_free (ChromeLimit *self);
void tt_chrome_limit_add_span (ChromeLimit *self, gint64 dur_ns, guint32 depth, guint64 bytes);
void tt_chrome_limit_add_point (ChromeLimit *self, guint64 bytes);
/* Fixes what fits into @max_bytes. FALSE: not even @fixed_bytes does. */
gboolean tt_chrome_limit_fix (ChromeLimit *self, guint64 max_bytes, guint64 fixed_bytes);
gboolean tt_chrome_limit_keeps_span (const ChromeLimit *self, gint64 dur_ns, guint32 depth);
gboolean tt_chrome_limit_keeps_points (const ChromeLimit *self);

/* -- all that was collected, in order (stream.c) ------------------------------------------------------ */

typedef struct
{
  void (*record) (TtChrome *self, const ChromeRecord *record, gpointer data);
  void (*message) (TtChrome *self, const ChromeMessage *message, gpointer data);
  gpointer data;
} ChromeVisitor;

/* Once; the sorters are empty then. @label: of the progress bar. */
gboolean tt_chrome_each (TtChrome *self, const ChromeVisitor *visitor, const char *label, GError **error);

/* -- writing (format.c, write.c) ------------------------------------------------------------------- */

void tt_chrome_line (TtChrome *self);
TtClock tt_chrome_event_clock (const TtChrome *self, guint source);
TtClock tt_chrome_thread_clock (const TtChrome *self, guint32 thread);
/* @ns as it is in a record. */
void tt_chrome_write_time (TtChrome *self, TtClock clock, gint64 ns);
/* What an event has, wherever it lies. */
ChromeExtra tt_chrome_extra (const TtChrome *self, const ChromeRecord *record);
void tt_chrome_write_record (TtChrome *self, const ChromeRecord *record);
gboolean tt_chrome_finish (TtChrome *self, TtOutput *out, ChromeNameFunc get_name, gpointer name_data, GError **error);
