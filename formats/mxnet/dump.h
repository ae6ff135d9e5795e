/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtMxnetDump: the operators of one dump of MXNet's profiler, each once, in order of time, under standard names.
 *
 * A dump has every operator twice: as begin and end in the process of its device, and as asynchronous begin and end
 * in a process of all operators. The second is dropped where the first is there: same thread and name, and the times
 * meet. With the model's graph (symbol.h) its nodes are the operators, what follows the last FW is OUTPUT0, and
 * what updates weights after the last BW UPDATE_CAL and UPDATE_<k>, k from 0 in each iteration; what is named like a node
 * and is none, or stands among nodes, is an operator too. MXNet itself names
 * operators by their kind, not by the node: where no operator is a node, the graph says nothing. Without it every
 * operator is FW or BW by its name, and one with "update" in it UPDATE_<k>, k from 0 after each FW. Memory is bounded:
 * everything lies in sorters.
 */
#pragma once

#include "formats/model/local-graph.h"
#include "formats/trace-event/trace-lanes.h"
#include "src/trace/sink.h"

typedef struct _TtMxnetDump TtMxnetDump;

/* Borrowed for the call. */
typedef struct
{
  gboolean is_operator; /* else what the engine did, or part of OUTPUT0 or UPDATE_CAL */
  gboolean is_outside;  /* an operator that is no node of the graph */
  const char *op_cat, *op_name, *raw;
  const char *sub_op; /* NULL: none */
  guint32 lane;       /* tt_trace_lanes_of() of its begin */
  gboolean is_async;
  gint64 ts_ns;
  gint64 dur_ns; /* TT_NO_TIME: an end without begin */
  guint32 flags;
  guint64 args; /* as given */
  guint64 offset;
} TtMxnetOperator;

/* FALSE with @error ends it. */
typedef gboolean (*TtMxnetFunc) (const TtMxnetOperator *operator, gpointer data, GError **error);

/* @graph: sealed, or NULL; @lanes: knows every event; @sink: takes repairs. All borrowed. */
TtMxnetDump *tt_mxnet_dump_new (const TtLocalGraph *graph, TtTraceLanes *lanes, TtSink *sink);
void tt_mxnet_dump_free (TtMxnetDump *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtMxnetDump, tt_mxnet_dump_free)

/* Whether it is an operator's: begins, ends and whole spans, and asynchronous ones of category "operator". */
gboolean tt_mxnet_dump_takes (const TtTraceEvent *event);
/* @args: of the caller, who gets that of the begin back. Those of an end join it when they are the sink's. */
void tt_mxnet_dump_add (TtMxnetDump *self, const TtTraceEvent *event, guint64 args, gboolean is_sink_args);
/* Everything is in. */
gboolean tt_mxnet_dump_finish (TtMxnetDump *self, TtMxnetFunc func, gpointer data, GError **error);
