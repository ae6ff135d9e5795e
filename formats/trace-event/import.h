/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTraceEventImport: one trace-event JSON file on its way into the sink, and the functions that dialects call with it.
 *
 * It lives for one file. The public members are the dialect's to set in its begin(); the private ones are for the files
 * of this folder. Knows no dialect by name: the caller hands in those to choose from (formats/dialects.h).
 */
#pragma once

#include "formats/trace-event/args-keeper.h"
#include "formats/trace-event/dialect.h"
#include "formats/trace-event/event-numbers.h"
#include "formats/trace-event/feed.h"
#include "formats/trace-event/ids.h"
#include "formats/trace-event/probe.h"
#include "formats/trace-event/stacks.h"

/* What the keys of `names` stand for. Those from TT_SALT_DIALECT on are free for dialects. */
enum
{
  TT_SALT_NAME = 1, /* name, category -> name */
  TT_SALT_BEGUN,    /* name -> the name that was begun last under it, whatever its category */
  TT_SALT_FLOW,     /* category, name -> kind of flow + 1 */
  TT_SALT_SERIES,   /* counter, key -> series */
  TT_SALT_PLAIN_SERIES,
  TT_SALT_DIALECT = 16,
};

/* What a lane is known to be; 0: nothing yet. */
typedef struct
{
  guint32 process;
  guint32 thread, of_process; /* the thread of its tid in that process, mostly the same */
} TtKnownLane;

struct _TtTraceEventImport
{
  TtSink *sink;
  TtArrange *arrange;
  TtTraceEventFeed *feed;
  const TtImportOptions *options;
  const char *path;
  char *pid_prefix;             /* put before every pid ("rank1."), or NULL; see tt_trace_event_prefix_pids */
  gint64 rank;                  /* of all processes; -1: none, or --rank */
  gboolean is_ticks;            /* times are counts */
  gboolean is_in_order;         /* every thread's spans come in begin order: nothing is sorted; may be set in begin() */
  gboolean counters_have_units; /* the only key of a counter is its unit, or "value" */
  gboolean flows_are_numbered;  /* a number as the id of a flow is the flow's own in the whole file */
  TtClock clock;                /* as far as it is known; epoch or relative is decided by the first time */
  gboolean has_own_marks;       /* spans' `tag` and `key` are the dialect's: their CPU times and flows are not kept */
  gint64 shift_ns;              /* added to every time (a base of the file, alignment of clocks) */

  /* private */
  const TtDialect *dialect;
  gpointer state;           /* of the dialect */
  TtByteIds *lanes;         /* pids and tids that were asked for of late */
  TtTextIds *all_lanes;     /* all of them */
  TtByteIds *names;         /* names and the like: a cache */
  TtKnownLane *known_lanes; /* TT_MAX_LANES, by the lane of an event */
  guint32 *known_labels;    /* names: TT_MAX_LABELS, by the label of an event; 0: not known yet */
  guint32 first_process;    /* owns what belongs to the whole file */
  GPtrArray *headers;       /* of char *: key, value, key ... not yet owned by a process */
  gsize header_bytes;
  TtArgsKeeper args;
  guint32 cpu_time;     /* series, once a span has it */
  gboolean took_extras; /* of the event */
  TtStacks *stacks;
  GHashTable *tids;     /* text -> process, for samples; NULL: none yet */
  gboolean has_samples; /* the file has a member `samples` to be read */
  GString *text;        /* scratch */
};

/* The whole import of one file, from begin_source to end_source, with that of @dialects (NULL-ended, not empty) which
 * claims most of it. A single one is not asked. */
gboolean tt_trace_event_import_file (const char *path,
                                     const TtDialect *const *dialects,
                                     const TtImportOptions *options,
                                     TtSink *sink,
                                     GError **error);

/* -- for dialects ------------------------------------------------------------------------------------ */

/* Ids for the pid and tid as they stand in the event (numbers or texts; cached by their bytes). An event without
 * them gets pid or tid "0" as viewers do. */
guint32 tt_trace_event_process (TtTraceEventImport *self, const TtTraceEvent *event);
/* Counts what is done to @event, of its process if that is known. */
void tt_trace_event_repair (TtTraceEventImport *self, const TtTraceEvent *event, TtRepairKind kind);
guint32 tt_trace_event_thread (TtTraceEventImport *self, const TtTraceEvent *event, guint32 process);
/* A name by the rules of the dialect's source: raw name and group = cat. Cached by the bytes of name and cat. */
guint32 tt_trace_event_name (TtTraceEventImport *self, const TtTraceEvent *event);
/* What the arrange calls the flows of the event's category, or of its name where it has none. */
guint32 tt_trace_event_flow_kind (TtTraceEventImport *self, const TtTraceEvent *event);
/* Where the rank is known: pids of ranks are different ones, though they are equal numbers. Where it is not, but several
 * files are imported together, each is a rank, by the number after "rank" in its name or the first one free, with a
 * note. In begin(), after the file was asked for its rank. */
void tt_trace_event_prefix_pids (TtTraceEventImport *self);
/* In begin(): whether every thread's spans come in begin order, for is_in_order. Where an import can be begun anew
 * (TtImportOptions.found_disorder), the first events of a long file are taken for all. */
gboolean tt_trace_event_expect_order (TtTraceEventImport *self);
/* From now on the event's pid (its tid in @process) means the process (thread) called @text. */
guint32 tt_trace_event_alias_process (TtTraceEventImport *self, const TtTraceEvent *event, const char *text);
guint32
tt_trace_event_alias_thread (TtTraceEventImport *self, const TtTraceEvent *event, guint32 process, const char *text);
/* The text of a string, the raw text of another value; valid until the next call. */
const char *tt_trace_event_text (TtTraceEventImport *self, const TtJsonValue *value);
/* Keeps event->args as the options say (--args); 0: none or empty. */
guint64 tt_trace_event_args_with_stack (TtTraceEventImport *self, const TtTraceEvent *event);
static inline guint64
tt_trace_event_args (TtTraceEventImport *self, const TtTraceEvent *event)
{
  if (G_UNLIKELY (event->has & TT_EVENT_HAS_STACK))
    return tt_trace_event_args_with_stack (self, event);
  return tt_args_keeper_keep (&self->args, event);
}

/* Fills in process, thread, times and offset. FALSE: the event has no time, which is counted. */
gboolean tt_trace_event_locate (TtTraceEventImport *self, const TtTraceEvent *event, TtTraceRecord *row);
/* The same with a process that the event does not say. */
gboolean
tt_trace_event_locate_in (TtTraceEventImport *self, const TtTraceEvent *event, guint32 process, TtTraceRecord *row);

/* Everything that the plain dialect does with an event (spans, begins and ends, async, flows, counters, instants,
 * metadata), with @name for its name, @step for its step and @tag for the hook. Skipped kinds are counted. */
void tt_trace_event_add (TtTraceEventImport *self, const TtTraceEvent *event, guint32 name, gint32 step, guint32 tag);
/* As above, with all that an event may have: name, flags, step, tag and args of @row are used; the rest is filled in. */
void tt_trace_event_add_as (TtTraceEventImport *self, const TtTraceEvent *event, TtTraceRecord *row);

/* -- one more format -------------------------------------------------------------------------------- */

gboolean tt_trace_event_import_set (const TtInputSet *input,
                                    const TtDialect *const *dialects,
                                    const TtImportOptions *options,
                                    TtSink *sink,
                                    GError **error);

/* At the end of a dialect's file: tt_format_ID, so that --format WORD (or ID) forces tt_dialect_ID. */
#define TT_DIALECT_FORMAT(id, text) TT_DIALECT_FORMAT_NAMED (id, #id, text)
#define TT_DIALECT_FORMAT_NAMED(id, word, text)                                                                       \
  static gboolean import_##id (const TtInputSet *input, const TtImportOptions *options, TtSink *sink, GError **error) \
  {                                                                                                                   \
    static const TtDialect *const only[] = { &tt_dialect_##id, NULL };                                                \
                                                                                                                      \
    return tt_trace_event_import_set (input, only, options, sink, error);                                             \
  }                                                                                                                   \
  const TtFormat tt_format_##id = {                                                                                   \
    .name = word,                                                                                                     \
    .takes_step_names = TRUE,                                                                                         \
    .summary = text,                                                                                                  \
    .probe = tt_trace_event_probe_forced,                                                                             \
    .group = tt_group_by_file,                                                                                        \
    .import = import_##id,                                                                                            \
  }
