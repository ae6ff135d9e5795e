/* SPDX-License-Identifier: Apache-2.0 */
/* One trace event with its fields picked apart but not interpreted. Times are exact nanoseconds: ts and dur are decimal
 * microseconds in the format, whatever displayTimeUnit says (that is for viewers). */
#pragma once

#include "formats/json/scanner.h"

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
  TT_EVENT_HAS_NO_ARGS = 1 << 10,    /* known to have none; without it they may be there or not */
  TT_EVENT_HAS_EXTRAS = TT_EVENT_HAS_CPU_TIME | TT_EVENT_HAS_BINDING,
} TtTraceEventHas;

#define TT_EVENT_VALUES 8

/* A field that is not there has kind TT_JSON_NONE and an empty slice. Zeroed it is an event without fields. */
typedef struct
{
  char ph;       /* 0: none */
  guint32 held;  /* a bit for each of `values` that may be there, from the second on: what is not is not written */
  guint32 has;   /* TtTraceEventHas */
  guint32 lane;  /* the number of its pid and tid as they stand there, see event-numbers.h; 0: not known */
  guint32 label; /* of its name and cat */
  guint n_arg_places;
  gint64 ts_ns;                        /* 0 without ts */
  gint64 dur_ns;                       /* 0 without dur */
  guint64 offset;                      /* of the event's first byte */
  const TtJsonMemberPlace *arg_places; /* of the members of args; NULL: not known, tt_json_member() */
  union
  {
    TtJsonValue values[TT_EVENT_VALUES];
    struct
    {
      TtJsonValue name, cat, pid, tid, args, id;
      TtJsonValue id2; /* {"local": ..} or {"global": ..} */
      TtJsonValue scope;
    };
  };
  TtSlice record; /* the whole object, for fields that only some dialects know: tt_json_get() */
} TtTraceEvent;

/* What reads the fields of records that @json has just given out. */
typedef struct
{
  TtJson *json;
  TtRepairs *repairs;
  const char *path;    /* for errors */
  gboolean is_lenient; /* times beyond all bounds are 0 instead of an error: only looked at */
} TtEventFields;

/* Before the first record. */
void tt_event_fields_prepare (const TtEventFields *self);
/* Before each record: that its fields go to @event, which was zeroed or filled before. */
static inline void
tt_event_fields_aim (const TtEventFields *self, TtTraceEvent *event)
{
  tt_json_put_fields (self->json, event->values, TT_EVENT_VALUES, &event->held);
}

/* Fills @event from @record, the last that self->json gave out as a record. FALSE with @error: a time that no time can be.
 * What has no ph has `ph` 0, and nothing else is read. Slices are those of the scanner. */
gboolean
tt_event_fields_fill (const TtEventFields *self, const TtJsonValue *record, TtTraceEvent *event, GError **error);
