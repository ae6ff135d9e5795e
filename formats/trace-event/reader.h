/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTraceEventReader: the events of a trace-event JSON file (Chrome, TensorFlow, PyTorch, MXNet, Horovod ...) one
 * by one, with their fields picked apart but not interpreted.
 *
 * Takes an array of events or an object with `traceEvents`, other members before or after. Times are exact
 * nanoseconds: ts and dur are decimal microseconds in the format, whatever displayTimeUnit says (that is
 * for viewers). Slices are valid until the next event.
 */
#pragma once

#include "formats/json/scanner.h"
#include "src/trace/sink.h"

typedef enum
{
  TT_EVENT_HAS_TS = 1 << 0,
  TT_EVENT_HAS_DUR = 1 << 1,
  TT_EVENT_HAS_PID = 1 << 2,
  TT_EVENT_HAS_TID = 1 << 3,
  TT_EVENT_HAS_ID = 1 << 4,
  TT_EVENT_BINDS_ENCLOSING = 1 << 5, /* "bp":"e" */
  TT_EVENT_IS_MENDED = 1 << 6,       /* its text is no strict JSON: tt_json_clean() */
  TT_EVENT_HAS_CPU_TIME = 1 << 7,    /* tts or tdur, the clock of the thread: in `record` */
  TT_EVENT_HAS_BINDING = 1 << 8,     /* bind_id, flow_in, flow_out: in `record` */
  TT_EVENT_HAS_STACK = 1 << 9,       /* sf, esf, stack, estack: in `record` */
  TT_EVENT_HAS_EXTRAS = TT_EVENT_HAS_CPU_TIME | TT_EVENT_HAS_BINDING,
} TtTraceEventHas;

/* A field that is not there has kind TT_JSON_NONE and an empty slice. */
typedef struct
{
  char ph;        /* 0: none */
  guint32 has;    /* TtTraceEventHas */
  gint64 ts_ns;   /* 0 without ts */
  gint64 dur_ns;  /* 0 without dur */
  guint64 offset; /* of the event's first byte */
  TtJsonValue name, cat, pid, tid, id, scope, args;
  TtJsonValue id2; /* {"local": ..} or {"global": ..} */
  TtSlice record;  /* the whole object, for fields that only some dialects know: tt_json_get() */
} TtTraceEvent;

typedef struct _TtTraceEventReader TtTraceEventReader;

/* Members of the outer object other than traceEvents, as they come (before or after the events). Long ones
 * (over 1 MiB) come with an empty value. May be NULL. */
typedef void (*TtHeaderFunc) (const TtJsonValue *key, const TtJsonValue *value, gpointer data);

/* @sink: takes the repairs, and its check stops the reading. @path "-" is standard input. */
TtTraceEventReader *tt_trace_event_reader_new (const char *path, TtSink *sink, gboolean strict, GError **error);
/* To look ahead: reads to the first event, however far it is, and only @max bytes from there; of standard input the
 * first @max bytes, which it keeps. Odd contents are not counted. */
TtTraceEventReader *tt_trace_event_reader_new_head (const char *path, gsize max, GError **error);
void tt_trace_event_reader_free (TtTraceEventReader *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTraceEventReader, tt_trace_event_reader_free)

void tt_trace_event_reader_on_header (TtTraceEventReader *self, TtHeaderFunc func, gpointer data);

/* The next event; FALSE at the end or on *error. Elements that are no events ({} or without ph) are counted
 * and passed over. In strict mode the first repair is the error. */
gboolean tt_trace_event_reader_next (TtTraceEventReader *self, TtTraceEvent *event, GError **error);

/* Whether an array `traceEvents` has been met. */
gboolean tt_trace_event_reader_is_trace (const TtTraceEventReader *self);
TtInput *tt_trace_event_reader_input (TtTraceEventReader *self);
