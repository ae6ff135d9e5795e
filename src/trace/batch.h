/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtBatch: a columnar piece of a run on its way from importer to sink.
 *
 * All rows of a batch belong to one source. The definitions of a batch come before its rows: whoever
 * takes a batch first applies `definitions` in order, then the columns. Ids are database ids.
 * Event ids are consecutive within a batch: row i has id first_event + i, and ids follow the order
 * of ends per thread.
 * Strings live in `text`; a column or definition holds the offset of a NUL-ended string, 0 = none.
 */
#pragma once

#include "src/base/append.h"
#include "src/base/room.h"
#include "src/trace/activity.h"
#include "src/trace/args-form.h"
#include "src/trace/event.h"
#include "src/trace/repairs.h"
#include "src/trace/task-graph.h"

#define TT_BATCH_ROWS TT_ROOM (8192, 64)

typedef enum
{
  TT_DEFINE_SOURCE,        /* id; text: format, path; a = TtClock */
  TT_DEFINE_SOURCE_END,    /* id; text: hash; a = bytes, b = number of events; c = TtClock as found out; see repairs */
  TT_DEFINE_PROCESS,       /* id; text: pid, label, node; a = rank or -1 */
  TT_DEFINE_THREAD,        /* id, parent = process; text: tid, label; a = number to sort by */
  TT_DEFINE_NAME,          /* id; text: see TtNameText; a = line or 0; b = communicator of a collective + 1, or 0;
                              parent = TtTextUse of its text */
  TT_DEFINE_SERIES,        /* id; text: name, unit; a = is_monotonic */
  TT_DEFINE_METADATA,      /* parent = process, id = thread or 0; text: key, value */
  TT_DEFINE_PROCESS_LABEL, /* id of a process defined before; text: label, or none to keep; a = rank or -1 to keep */
  TT_DEFINE_PROCESS_OWNER, /* id; parent = the process that leads its rank, defined before too */
  TT_DEFINE_THREAD_LABEL,  /* id of a thread defined before; text: label, or none; a = number to sort by, -1 keeps */
  TT_DEFINE_PARAMETER,     /* text: tensor_name, shape, dtype, origin; a = tensor_id, b = update_id or -1 */
  TT_N_DEFINITIONS,
} TtDefinitionKind;

typedef enum
{
  TT_NAME_OP_CAT,
  TT_NAME_OP_NAME,
  TT_NAME_SUB_OP,
  TT_NAME_SUFFIX,
  TT_NAME_TEXT,
  TT_NAME_RAW,
  TT_NAME_GROUP,
  TT_NAME_FILE,
  TT_N_NAME_TEXTS,
} TtNameText;

typedef struct
{
  TtDefinitionKind kind;
  guint32 id;
  guint32 parent;
  gint64 a, b, c;
  guint32 text[TT_N_NAME_TEXTS];
} TtDefinition;

/* Of an event whose place among the begins is not known, or which does not keep to it. */
#define TT_NO_PLACE G_MAXUINT64

typedef struct
{
  guint n;
  guint64 first_event;
  guint32 *thread;
  guint32 *name;
  gint64 *ts_ns;
  gint64 *dur_ns;  /* TT_NO_TIME: an instant */
  gint64 *self_ns; /* 0 for an instant */
  guint32 *depth;
  guint32 *flags;
  gint32 *step;   /* TT_NO_STEP: none */
  guint64 *args;  /* id in TtArgsColumns, 0 = none */
  guint64 *place; /* only where the sink tells_places: see tt_sink_take_place(); TT_NO_PLACE */
} TtEventColumns;

/*
 * Arguments of events: JSON objects. They come before or in the batch of the events that carry them, in
 * the order of the source, ids from 1 without holes, so that nobody has to carry them through a sort. A long
 * one comes in pieces, one row a piece, the first with at = 0, without others between.
 *
 * Where there is a form, the whole of them come as its numbers: gint64 each, as memory has them.
 */
typedef struct
{
  guint n;
  guint64 *id;
  guint32 *text;           /* offset of the piece, or of the numbers */
  guint32 *len;            /* bytes of the piece, or of what the form is with its numbers */
  guint64 *at;             /* where the piece begins in the whole */
  guint64 *total;          /* bytes of the whole */
  const TtArgsForm **form; /* NULL: a text; in batches of a sink that takes forms alone */
  gssize n_spared;         /* bytes that those with a form would take as texts beyond what their numbers take */
} TtArgsColumns;

/* What one event's arguments add to another's: the end event of a begin/end pair has its own. Both ids
 * came before. Members of @more win; @more itself is then nobody's; so it is where @args is 0. */
typedef struct
{
  guint n;
  guint64 *args;
  guint64 *more;
} TtArgsMergeColumns;

typedef struct
{
  guint n;
  guint32 *series;
  guint32 *thread;
  gint64 *ts_ns;
  gint64 *value; /* integer, or the bits of a double where is_real */
  guint8 *is_real;
} TtCounterColumns;

typedef struct
{
  guint n;
  guint64 *event;
  guint32 *series;
  gint64 *inclusive;
  gint64 *exclusive;
} TtMetricColumns;

/* What is known of a message of which one side alone does something. */
typedef enum
{
  TT_NOT_ONESIDED,
  TT_ONESIDED,     /* both sides tell: matched by (tag, comm) = the two halves of an id, not first in first out */
  TT_ONESIDED_PUT, /* only the sender tells of it; there is no other half */
  TT_ONESIDED_GET, /* only the receiver does */
} TtOnesided;

/* One side of a message, seen by @thread of process `own`. */
typedef struct
{
  guint n;
  guint8 *is_send;
  guint8 *onesided; /* TtOnesided */
  guint32 *thread;
  guint32 *own;  /* process */
  guint32 *peer; /* process */
  gint64 *tag;
  gint64 *comm;
  gint64 *ts_ns;
  gint64 *bytes;  /* -1: unknown */
  guint32 *owner; /* see TtOwnerColumns; 0 = outside any span */
} TtHalfColumns;

/* An owner is a span that encloses message halves, has points of flows, or of which more is told (TtCallColumns). Its event
 * id is known only when it ends. */
typedef struct
{
  guint n;
  guint32 *owner; /* 1, 2, 3 ... by first half */
  guint64 *event;
} TtOwnerColumns;

/* What a source tells of a call of a collective beside its name. */
typedef struct
{
  guint n;
  guint32 *owner;
  guint32 *root;    /* process; TT_NO_ID: there is none, or it is not told */
  gint64 *comm;     /* -1: as the name says */
  gint64 *sequence; /* number of the call in its communicator, the same on each rank; -1: it is not told */
} TtCallColumns;
/* Higher numbers are none. */
#define TT_MAX_CALL_SEQUENCE ((gint64) G_MAXUINT32)

typedef struct
{
  guint n;
  guint64 *from_event;
  guint64 *to_event;
  const TtFlowKind **kind;
  gint64 *from_ns; /* where the flow leaves and reaches them; TT_NO_TIME: at their begins */
  gint64 *to_ns;
} TtFlowColumns;

/* What spans do with a device; in the order of their events. */
typedef struct
{
  guint n;
  guint64 *event;
  guint64 *launch; /* event; 0: none. Importers leave it to the store: see TtActivity */
  guint64 *correlation;
  guint64 *waits_for;
  guint32 *queue;
  guint32 *waits_on;
  guint8 *role;
  guint8 *blocks;
} TtActivityColumns;

/*
 * One point of a flow. Points with one key form one flow, in the order (ts_ns, row): each TT_FLOW_START
 * begins a chain, each step and end continues it; consecutive points of a chain make one row of `flow`.
 */
typedef enum
{
  TT_FLOW_START,
  TT_FLOW_STEP,
  TT_FLOW_END,
  TT_FLOW_CONSUMER, /* an end after which more may come: the chain goes on from the point before it */
} TtFlowPhase;

typedef struct
{
  guint n;
  guint64 *key;
  const TtFlowKind **kind;
  guint8 *phase;
  gint64 *ts_ns;
  guint32 *owner; /* the span it is tied to: see TtOwnerColumns; 0 = none: the point is counted and dropped */
} TtFlowPointColumns;

/* A TtTaskNode, a TtTaskEdge of @process; texts are offsets. */
typedef struct
{
  guint32 process;
  gint64 id;
  TtTaskKind kind;
  gint64 created_ns, begin_ns, end_ns;
  guint32 text[TT_N_TASK_TEXTS];
} TtBatchTask;

typedef struct
{
  guint32 process;
  gint64 src, dst;
  gboolean has_src, has_dst;
  guint32 kind;
} TtBatchTaskEdge;

typedef struct
{
  guint32 process, kind; /* TtRepairKind */
  guint64 count;
} TtProcessRepairs;

typedef struct
{
  guint32 source;
  GArray *definitions; /* of TtDefinition */
  GString *text;       /* starts with a NUL, so that offset 0 is nothing */
  TtRepairs repairs;   /* of the source, in the batch that ends it; else none */
  GArray *repaired;    /* of TtProcessRepairs, by process and kind: those of @repairs whose process is known */
  TtEventColumns events;
  TtCounterColumns counters;
  TtMetricColumns metrics;
  TtHalfColumns halves;
  TtOwnerColumns owners;
  TtCallColumns calls;
  TtFlowColumns flows;
  TtArgsColumns args;
  TtArgsMergeColumns merges;
  TtFlowPointColumns points;
  GArray *tasks;      /* of TtBatchTask */
  GArray *task_edges; /* of TtBatchTaskEdge */
  TtActivityColumns activities;
  const struct TtFilledArgs *filled; /* what a store has taken out of `args`, its own; NULL: nothing */
  gboolean
      tells_nesting; /* spans have the depths and flags that their source tells, which may not be those of their times */
} TtBatch;

TtBatch *tt_batch_new (void);
void tt_batch_free (TtBatch *self);

/* The events of a batch. */
typedef struct
{
  guint64 n_instants;
  gint64 first_ns, last_ns; /* begins and ends; of no events, first_ns > last_ns */
} TtBatchSummary;

/* Moves times beyond TT_TIME_MAX_NS there; returns how many. What the events are then is in @summary. */
guint64 tt_batch_bound_times (TtBatch *self, TtBatchSummary *summary);
/* Empties it; columns keep their memory, text gives back what is above 1 MiB. */
void tt_batch_clear (TtBatch *self);

/* Appends @len bytes (-1: up to NUL) and a NUL; returns the offset; NULL gives 0. */
guint32 tt_batch_add_text (TtBatch *self, const char *text, gssize len);
/* The same of @len bytes, in line. */
static inline guint32
tt_batch_add_bytes (TtBatch *self, const char *bytes, gsize len)
{
  GString *text = self->text;
  const gsize offset = text->len;

  tt_reserve (text, len + 1);
  memcpy (text->str + offset, bytes, len);
  text->len = offset + len + 1;
  text->str[text->len - 1] = text->str[text->len] = '\0';
  return (guint32) offset;
}

static inline const char *
tt_batch_text (const TtBatch *self, guint32 offset)
{
  return offset == 0 ? NULL : self->text->str + offset;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtBatch, tt_batch_free)
