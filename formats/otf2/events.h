/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2Event: the events of a location, one after another.
 *
 * Source of these facts: OTF2 3.0.2, otf2_events_int.h and OTF2_EvtReader_inc.c. An event may be preceded by its time (a byte 5, then 8
 * bytes; it stays that of later ones), and by attributes (a byte 6 and a record). Then come a byte for its kind and a record; of
 * some kinds that have one value only that value.
 */
#pragma once

#include "formats/otf2/local-definitions.h"
#include "formats/otf2/times.h"

typedef enum
{
  TT_OTF2_EVENT_BUFFER_FLUSH = 10,
  TT_OTF2_EVENT_MEASUREMENT,
  TT_OTF2_EVENT_ENTER,
  TT_OTF2_EVENT_LEAVE,
  TT_OTF2_EVENT_SEND,
  TT_OTF2_EVENT_ISEND,
  TT_OTF2_EVENT_ISEND_COMPLETE,
  TT_OTF2_EVENT_IRECV_REQUEST,
  TT_OTF2_EVENT_RECV,
  TT_OTF2_EVENT_IRECV,
  TT_OTF2_EVENT_REQUEST_TEST,
  TT_OTF2_EVENT_REQUEST_CANCELLED,
  TT_OTF2_EVENT_COLLECTIVE_BEGIN,
  TT_OTF2_EVENT_COLLECTIVE_END,
  TT_OTF2_EVENT_OMP_FORK,
  TT_OTF2_EVENT_OMP_JOIN,
  TT_OTF2_EVENT_OMP_ACQUIRE,
  TT_OTF2_EVENT_OMP_RELEASE,
  TT_OTF2_EVENT_OMP_TASK_CREATE,
  TT_OTF2_EVENT_OMP_TASK_SWITCH,
  TT_OTF2_EVENT_OMP_TASK_COMPLETE,
  TT_OTF2_EVENT_METRIC,
  TT_OTF2_EVENT_PARAMETER_STRING,
  TT_OTF2_EVENT_PARAMETER_INT,
  TT_OTF2_EVENT_PARAMETER_UINT,
  TT_OTF2_EVENT_WIN_CREATE,
  TT_OTF2_EVENT_WIN_DESTROY,
  TT_OTF2_EVENT_RMA_COLLECTIVE_BEGIN,
  TT_OTF2_EVENT_RMA_COLLECTIVE_END,
  TT_OTF2_EVENT_RMA_GROUP_SYNC,
  TT_OTF2_EVENT_RMA_REQUEST_LOCK,
  TT_OTF2_EVENT_RMA_ACQUIRE,
  TT_OTF2_EVENT_RMA_TRY,
  TT_OTF2_EVENT_RMA_RELEASE,
  TT_OTF2_EVENT_RMA_SYNC,
  TT_OTF2_EVENT_RMA_WAIT_CHANGE,
  TT_OTF2_EVENT_RMA_PUT,
  TT_OTF2_EVENT_RMA_GET,
  TT_OTF2_EVENT_RMA_ATOMIC,
  TT_OTF2_EVENT_RMA_COMPLETE_BLOCKING,
  TT_OTF2_EVENT_RMA_COMPLETE_NONBLOCKING,
  TT_OTF2_EVENT_RMA_TEST,
  TT_OTF2_EVENT_RMA_COMPLETE_REMOTE,
  TT_OTF2_EVENT_FORK,
  TT_OTF2_EVENT_JOIN,
  TT_OTF2_EVENT_TEAM_BEGIN,
  TT_OTF2_EVENT_TEAM_END,
  TT_OTF2_EVENT_ACQUIRE,
  TT_OTF2_EVENT_RELEASE,
  TT_OTF2_EVENT_TASK_CREATE,
  TT_OTF2_EVENT_TASK_SWITCH,
  TT_OTF2_EVENT_TASK_COMPLETE,
  TT_OTF2_EVENT_THREAD_CREATE,
  TT_OTF2_EVENT_THREAD_BEGIN,
  TT_OTF2_EVENT_THREAD_WAIT,
  TT_OTF2_EVENT_THREAD_END,
  TT_OTF2_EVENT_CONTEXT_ENTER,
  TT_OTF2_EVENT_CONTEXT_LEAVE,
  TT_OTF2_EVENT_SAMPLE,
  TT_OTF2_EVENT_IO_CREATE,
  TT_OTF2_EVENT_IO_DESTROY,
  TT_OTF2_EVENT_IO_DUPLICATE,
  TT_OTF2_EVENT_IO_SEEK,
  TT_OTF2_EVENT_IO_STATUS,
  TT_OTF2_EVENT_IO_DELETE,
  TT_OTF2_EVENT_IO_BEGIN,
  TT_OTF2_EVENT_IO_TEST,
  TT_OTF2_EVENT_IO_ISSUED,
  TT_OTF2_EVENT_IO_COMPLETE,
  TT_OTF2_EVENT_IO_CANCELLED,
  TT_OTF2_EVENT_IO_ACQUIRE,
  TT_OTF2_EVENT_IO_RELEASE,
  TT_OTF2_EVENT_IO_TRY,
  TT_OTF2_EVENT_PROGRAM_BEGIN,
  TT_OTF2_EVENT_PROGRAM_END,
  TT_OTF2_EVENT_NBC_REQUEST,
  TT_OTF2_EVENT_NBC_COMPLETE,
  TT_OTF2_EVENT_COMM_CREATE,
  TT_OTF2_EVENT_COMM_DESTROY,
  TT_OTF2_N_EVENTS,
} TtOtf2EventKind;

#define TT_OTF2_MAX_VALUES 7u

/* What a value is, for people and for the map of its ids. */
typedef struct
{
  const char *key; /* "bytes" */
  char layout;     /* b a byte, u 32 bits, q 64 bits, i 64 bits with a sign, F all 8 bytes */
  guint8 map;      /* TtOtf2Map */
} TtOtf2Value;

typedef struct
{
  const char *name;  /* "MpiSend" */
  gboolean is_alone; /* its one value has no record around it */
  TtOtf2Value values[TT_OTF2_MAX_VALUES];
} TtOtf2EventRow;

/* By kind; a row without a name is of no kind. */
extern const TtOtf2EventRow tt_otf2_event_rows[TT_OTF2_N_EVENTS];

typedef struct
{
  guint kind;         /* TtOtf2EventKind, or a later one that is not known */
  guint64 ticks;      /* by the location's clock */
  gboolean is_mended; /* its time, or another that it tells, is not that of the file */
  guint64 offset;
  guint n_values;
  guint64 values[TT_OTF2_MAX_VALUES]; /* of the row, mapped; what is not there is undefined */
  TtOtf2Bytes rest;                   /* behind them: values of a metric, arguments of a program */
  TtOtf2Bytes attributes;             /* at == end: none */
} TtOtf2Event;

typedef struct
{
  TtOtf2Chunks *chunks;
  const TtOtf2Local *local;
  guint64 ticks; /* of the last event */
  TtOtf2Times times;
} TtOtf2Events;

/* Before the first of a location. @clock: the archive's clock properties. */
void tt_otf2_events_begin (TtOtf2Events *self, const guint64 *clock);
/* The next event of the chunk; FALSE: it has no more, or what follows is damaged: then chunks->bytes.is_good is FALSE. */
gboolean tt_otf2_events_next (TtOtf2Events *self, TtOtf2Event *event);
