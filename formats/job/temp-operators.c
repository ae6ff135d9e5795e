/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/job/temp-operators.h"

#include "formats/mxnet/dump.h"
#include "formats/mxnet/symbol.h"
#include "formats/tensorflow/timeline.h"
#include "formats/trace-event/feed.h"
#include "src/base/tape.h"

#include <string.h>

#define ARGS_MEMORY ((gsize) 4 << 20)

typedef struct
{
  const TtOperatorSource *source;
  TtOperatorFunc func;
  gpointer data;
  TtTraceLanes *lanes;
  TtTape *args; /* length, then text */
  GString *args_text, *track;
  const TtTfNames *names;
  gboolean has_graph;
} Temp;

/* -- arguments --------------------------------------------------------------------------------------- */

static guint64
retain_args (Temp *self, const TtTraceEvent *event)
{
  guint64 len = event->args.raw.len;

  if (event->args.kind != TT_JSON_OBJECT)
    return 0;
  guint64 at = tt_tape_append (self->args, &len, sizeof len);
  tt_tape_append (self->args, event->args.raw.bytes, len);
  return at + 1;
}

static TtSlice
read_args (Temp *self, guint64 args)
{
  guint64 len = 0;

  if (args != 0)
    tt_tape_read (self->args, args - 1, &len, sizeof len);
  if (len > tt_tape_size (self->args))
    len = 0;
  g_string_set_size (self->args_text, len);
  if (len > 0)
    tt_tape_read (self->args, args - 1 + sizeof len, self->args_text->str, len);
  return (TtSlice){ .bytes = self->args_text->str, .len = len };
}

/* -- handing out -------------------------------------------------------------------------------------- */

static const char *
make_track (Temp *self, guint32 lane)
{
  g_string_printf (self->track, "%s %s", tt_trace_lanes_process (self->lanes, lane),
                   tt_trace_lanes_tid (self->lanes, lane));
  return self->track->str;
}

static gboolean
leave_out (Temp *self, TtRepairKind why, guint64 offset)
{
  tt_sink_repair (self->source->sink, why, offset);
  return TRUE;
}

static gboolean
on_mxnet (const TtMxnetOperator *operator, gpointer data, GError **error)
{
  Temp *self = data;

  if (!operator->is_operator)
    return leave_out (self, self->has_graph ? TT_REPAIR_NOT_IN_GRAPH : TT_REPAIR_OTHER_ACTIVITY, operator->offset);
  if (operator->dur_ns == TT_NO_TIME)
    return leave_out (self, TT_REPAIR_ODD_RECORD, operator->offset);
  if (operator->is_outside)
    tt_sink_repair (self->source->sink, TT_REPAIR_OUTSIDE_GRAPH, operator->offset);
  const TtOperator row = {
    .op_cat = operator->op_cat,
    .op_name = operator->op_name,
    .sub_op = operator->sub_op,
    .track = make_track (self, operator->lane),
    .ts_ns = operator->ts_ns,
    .dur_ns = operator->dur_ns,
    .step = TT_NO_STEP,
    .args = read_args (self, operator->args),
    .offset = operator->offset,
  };
  return self->func (&row, self->data, error);
}

static gboolean
on_tensorflow (const TtTfEvent *event, gpointer data, GError **error)
{
  Temp *self = data;

  if (event->role == TT_TF_FLOW)
    return TRUE;
  if (event->role != TT_TF_OPERATOR)
    return leave_out (self, TT_REPAIR_OTHER_DEVICE, event->offset);
  if (event->dur_ns < 0)
    return leave_out (self, TT_REPAIR_ODD_RECORD, event->offset);
  g_auto (TtTfName) name = tt_tf_names_resolve (self->names, event->raw);
  if (g_str_equal (name.op_cat, "Comm"))
    return leave_out (self, TT_REPAIR_OTHER_ACTIVITY, event->offset);
  if (self->has_graph && name.node == TT_TF_NO_NODE)
    tt_sink_repair (self->source->sink, TT_REPAIR_OUTSIDE_GRAPH, event->offset);
  const TtOperator row = {
    .op_cat = name.op_cat,
    .op_name = name.op_name,
    .track = make_track (self, event->lane),
    .ts_ns = event->ts_ns,
    .dur_ns = event->dur_ns,
    .step = event->step,
    .args = read_args (self, event->args),
    .offset = event->offset,
  };
  return self->func (&row, self->data, error);
}

/* -- reading ------------------------------------------------------------------------------------------ */

typedef struct
{
  TtMxnetDump *dump;
  TtTfTimeline *timeline;
  gboolean is_mxnet, is_known;
} Kinds;

/* TensorFlow has whole spans, MXNet begins and ends. */
static void
read_event (Temp *self, Kinds *kinds, const TtTraceEvent *event)
{
  if (tt_trace_lanes_name (self->lanes, event))
    return;
  if (!kinds->is_known && tt_mxnet_dump_takes (event))
    {
      kinds->is_known = TRUE;
      kinds->is_mxnet = event->ph != 'X';
    }
  if (kinds->is_known && kinds->is_mxnet && tt_mxnet_dump_takes (event))
    tt_mxnet_dump_add (kinds->dump, event, retain_args (self, event), FALSE);
  else if (kinds->is_known && !kinds->is_mxnet && tt_tf_timeline_takes (event))
    tt_tf_timeline_add (kinds->timeline, event, retain_args (self, event));
  else
    leave_out (self, TT_REPAIR_OTHER_DEVICE, event->offset);
}

static gboolean
read_events (Temp *self, Kinds *kinds, GError **error)
{
  g_autoptr (TtTraceEventFeed) feed =
      tt_trace_event_feed_new (self->source->path, self->source->sink, self->source->strict, error);
  g_autoptr (GError) failure = NULL;
  const TtTraceEvent *event;

  if (feed == NULL)
    return FALSE;
  while ((event = tt_trace_event_feed_next (feed, &failure)) != NULL)
    read_event (self, kinds, event);
  if (failure == NULL)
    return tt_tape_check (self->args, error);
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

static gboolean
has_standard_names (const TtLocalGraph *graph)
{
  guint32 n = graph == NULL ? 0 : tt_local_graph_n_nodes (graph);

  for (guint32 node = 0; node < n; node++)
    if (g_str_has_prefix (tt_local_graph_name (graph, node), "FW."))
      return TRUE;
  return FALSE;
}

static gboolean
emit_operators (Temp *self, Kinds *kinds, GError **error)
{
  g_autoptr (TtTfNames) own_names = NULL;

  if (kinds->is_mxnet)
    return tt_mxnet_dump_finish (kinds->dump, on_mxnet, self, error);
  self->names = self->source->names;
  self->has_graph = self->source->graph != NULL;
  if (!self->has_graph)
    self->names = own_names = tt_tf_names_new (tt_tf_timeline_graph (kinds->timeline));
  return tt_tf_timeline_each (kinds->timeline, on_tensorflow, self, error);
}

gboolean
tt_temp_operators (const TtOperatorSource *source, TtOperatorFunc func, gpointer data, GError **error)
{
  g_autofree char *symbol_path = tt_mxnet_symbol_beside (source->path);
  g_autoptr (TtLocalGraph) symbol = symbol_path == NULL ? NULL : tt_mxnet_symbol_load (symbol_path, error);
  const TtLocalGraph *graph = symbol != NULL ? symbol : has_standard_names (source->graph) ? source->graph : NULL;

  if (symbol_path != NULL && symbol == NULL)
    return FALSE;
  g_autoptr (TtTraceLanes) lanes = tt_trace_lanes_new ();
  g_autoptr (TtTape) args = tt_tape_new (ARGS_MEMORY);
  g_autoptr (GString) args_text = g_string_new (NULL), track = g_string_new (NULL);
  g_autoptr (TtMxnetDump) dump = tt_mxnet_dump_new (graph, lanes, source->sink);
  g_autoptr (TtTfTimeline) timeline = tt_tf_timeline_new (lanes, source->sink);
  Temp self = { .source = source,
                .func = func,
                .data = data,
                .lanes = lanes,
                .args = args,
                .args_text = args_text,
                .track = track,
                .has_graph = graph != NULL };
  Kinds kinds = { .dump = dump, .timeline = timeline };

  return read_events (&self, &kinds, error) && emit_operators (&self, &kinds, error);
}
