/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTfTimeline: the events of a TensorFlow timeline (step stats) or of an export of its profiler, each once and in
 * order of time.
 *
 * Per device one lane carries the operators: all streams of a GPU; if there is none its numbered streams, else the host
 * side of the GPU's operators, else the CPU. Numbered streams repeat what "stream:all" and "memcpy" have: an event of
 * the same operator, begin and duration is taken once. A run of a session begins with a "_SOURCE" on each of its
 * devices: runs are steps, where events do not say theirs. In an export of the profiler the threads "TensorFlow Ops" of
 * GPUs carry the operators. `args.input<k>` are the edges of the model's graph as far as the trace has it. Memory is
 * bounded but for that graph, which is cut (and counted) at its limits.
 */
#pragma once

#include "formats/model/local-graph.h"
#include "formats/tensorflow/lane-roles.h"
#include "formats/trace-event/trace-lanes.h"
#include "src/trace/sink.h"

typedef struct _TtTfTimeline TtTfTimeline;

typedef enum
{
  TT_TF_OPERATOR,
  TT_TF_COPY,
  TT_TF_LAUNCH, /* what starts an operator that stands on another lane */
  TT_TF_KERNEL, /* computation beside the operators: kernels, streams, the CPU beside a GPU */
  TT_TF_HOST,   /* threads of the host in an export of the profiler */
  TT_TF_FLOW,   /* a point of the data flow */
} TtTfRole;

/* Borrowed for the call. */
typedef struct
{
  TtTfRole role;
  const char *raw;  /* operators: without the text after ":"; else as in the trace */
  const char *type; /* args.op, or the name on display; never NULL */
  guint32 lane;     /* of the TtTraceLanes */
  guint32 device;   /* of a lane with operators: from 0; else TT_TF_NO_DEVICE */
  gboolean is_cpu;  /* of such a device */
  guint32 device_index; /* of such a device: 2 of "gpu:2"; its number where two have the same */
  gint64 ts_ns, dur_ns;
  gint32 step; /* args.group_id, the run of the session, or TT_NO_STEP */
  guint64 args;
  guint64 offset;
  char phase;       /* of a flow: s, t, f */
  guint64 flow_key; /* of a flow */
} TtTfEvent;

typedef gboolean (*TtTfFunc) (const TtTfEvent *event, gpointer data, GError **error);

/* @lanes: knows every event before; @sink: takes repairs. Both borrowed. */
TtTfTimeline *tt_tf_timeline_new (TtTraceLanes *lanes, TtSink *sink);
void tt_tf_timeline_free (TtTfTimeline *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTfTimeline, tt_tf_timeline_free)

/* Whole spans, and points of flows. */
gboolean tt_tf_timeline_takes (const TtTraceEvent *event);
/* @args: the caller's, who gets it back. */
void tt_tf_timeline_add (TtTfTimeline *self, const TtTraceEvent *event, guint64 args);
/* Everything is in: the graph of the trace, sealed and lent; NULL: it has no edge. Once, before the
 * events. */
const TtLocalGraph *tt_tf_timeline_graph (TtTfTimeline *self);
guint32 tt_tf_timeline_n_devices (TtTfTimeline *self);
/* Once: the events are given up. */
gboolean tt_tf_timeline_each (TtTfTimeline *self, TtTfFunc func, gpointer data, GError **error);
