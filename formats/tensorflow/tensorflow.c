/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/import.h"
#include "formats/trace-event/rows.h"
#include "formats/trace-event/operator-rows.h"
#include "formats/model/parameters.h"
#include "formats/tensorflow/names.h"
#include "formats/tensorflow/timeline.h"
#include "src/base/id-table.h"

#include <string.h>

/* Where a lane's events go; 0 = not yet known. */
typedef struct
{
  guint32 process, thread;
} Target;

typedef struct
{
  TtTraceEventImport *import;
  TtTraceLanes *lanes;
  TtTfTimeline *timeline;
  TtOperatorRows *rows;
  TtTfNames *names;
  TtIdTable targets;   /* Target by lane */
  TtIdTable n_threads; /* guint32: operator threads so far, by device */
  guint32 first_process; /* of operators; TT_NO_ID: none yet */
  GString *text;
} State;

/* -- recognising ------------------------------------------------------------------------------------- */

static guint
probe (const TtClues *clues)
{
  GHashTableIter iter;
  gpointer key;
  gboolean has_compute = FALSE, has_gpu = FALSE, has_ops = FALSE;

  /* What is under standard names already has been through here. */
  if (clues->n_standard * 2 > clues->n_events)
    return 0;
  g_hash_table_iter_init (&iter, clues->process_names);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      g_autofree char *device = NULL;
      TtTfLaneKind kind = tt_tf_lane_kind (key, NULL, &device);
      has_compute |= kind <= TT_TF_LANE_CPU;
      has_gpu |= kind == TT_TF_LANE_KERNELS;
    }
  g_hash_table_iter_init (&iter, clues->thread_names);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    has_ops |= strstr (key, "TensorFlow Ops") != NULL || strstr (key, "TensorFlow Name Scope") != NULL;
  if (has_compute)
    return 90;
  if (has_ops)
    return has_gpu ? 85 : 60;
  return 0;
}

/* -- taking ------------------------------------------------------------------------------------------- */

static gpointer
begin (TtTraceEventImport *import, const TtClues *clues)
{
  State *state = g_new0 (State, 1);

  (void) clues;
  state->import = import;
  state->lanes = tt_trace_lanes_new ();
  state->timeline = tt_tf_timeline_new (state->lanes, import->sink);
  state->rows = tt_operator_rows_new (import->sink, import->arrange, import->options->step_rule);
  state->targets.row_size = sizeof (Target);
  state->n_threads.row_size = sizeof (guint32);
  state->text = g_string_new (NULL);
  return state;
}

static void
release_timeline (State *state)
{
  g_clear_pointer (&state->names, tt_tf_names_free);
  g_clear_pointer (&state->timeline, tt_tf_timeline_free);
  g_clear_pointer (&state->lanes, tt_trace_lanes_free);
}

static void
release (gpointer data)
{
  State *state = data;

  release_timeline (state);
  tt_operator_rows_free (state->rows);
  tt_id_table_clear (&state->targets);
  tt_id_table_clear (&state->n_threads);
  g_string_free (state->text, TRUE);
  g_free (state);
}

static gboolean
take_event (TtTraceEventImport *import, const TtTraceEvent *event, gpointer data, GError **error)
{
  State *state = data;

  (void) error;
  if (tt_trace_lanes_name (state->lanes, event))
    return TRUE;
  if (tt_tf_timeline_takes (event))
    tt_tf_timeline_add (state->timeline, event, event->ph == 'X' ? tt_trace_event_args (import, event) : 0);
  else
    tt_trace_lanes_put (state->lanes, import, event);
  return TRUE;
}

/* -- putting ------------------------------------------------------------------------------------------ */

static guint32
operator_process (State *state, const TtTfEvent *event)
{
  g_autofree char *pid = tt_operator_pid (state->import->options);

  if (tt_tf_timeline_n_devices (state->timeline) <= 1)
    g_string_assign (state->text, pid);
  else
    g_string_printf (state->text, "%s.%s%u", pid, event->is_cpu ? "cpu" : "gpu", event->device_index);
  return tt_sink_process (state->import->sink, state->text->str, NULL, NULL, state->import->options->rank);
}

static Target
operator_target (State *state, const TtTfEvent *event)
{
  const char *process = tt_trace_lanes_process (state->lanes, event->lane);
  const char *thread = tt_trace_lanes_thread (state->lanes, event->lane);
  Target target = { .process = operator_process (state, event) };

  if (state->first_process == TT_NO_ID)
    state->first_process = target.process;
  guint32 number = (*(guint32 *) tt_id_table_at (&state->n_threads, event->device))++;
  g_autofree char *tid = g_strdup_printf ("operator%u", number);
  g_string_printf (state->text, "%s %s", process,
                   thread != NULL ? thread : tt_trace_lanes_tid (state->lanes, event->lane));
  target.thread = tt_sink_thread (state->import->sink, target.process, tid, state->text->str, number);
  return target;
}

static Target
other_target (State *state, guint32 lane)
{
  TtSink *sink = state->import->sink;
  const char *tid = tt_trace_lanes_tid (state->lanes, lane);
  guint64 order;
  Target target = {
    .process = tt_sink_process (sink, tt_trace_lanes_process (state->lanes, lane), NULL, NULL, -1),
  };

  if (!g_ascii_string_to_unsigned (tid, 10, 0, G_MAXINT32, &order, NULL))
    order = G_MAXINT32;
  target.thread =
      tt_sink_thread (sink, target.process, tid, tt_trace_lanes_thread (state->lanes, lane), (gint64) order);
  return target;
}

static Target
find_target (State *state, const TtTfEvent *event)
{
  Target *target = tt_id_table_at (&state->targets, event->lane);
  if (target->thread == TT_NO_ID)
    *target = event->device != TT_TF_NO_DEVICE ? operator_target (state, event) : other_target (state, event->lane);
  return *target;
}

static guint32
plain_name (State *state, const TtTfEvent *event)
{
  TtRawName raw = { .raw = event->raw };

  switch (event->role)
    {
    case TT_TF_COPY:
      raw.op_cat = "MEM";
      raw.sub_op = tt_tf_copy_kind (event->type);
      if (raw.sub_op == NULL)
        raw.sub_op = tt_tf_copy_kind (event->raw);
      break;
    case TT_TF_LAUNCH:
      raw.op_cat = "RT";
      raw.group = event->type;
      break;
    case TT_TF_HOST:
      raw.op_cat = "RT";
      break;
    default: /* by the rules */
      break;
    }
  return tt_sink_name (state->import->sink, &raw);
}

static void
put_operator (State *state, const TtTfEvent *event, TtTraceRecord *span)
{
  g_auto (TtTfName) name = tt_tf_names_resolve (state->names, event->raw);
  const TtRawName raw = { .raw = event->raw, .op = name.op_name, .op_cat = name.op_cat, .group = event->type };

  span->name = tt_sink_name (state->import->sink, &raw);
  span->flags = span->dur_ns < 0 ? TT_FLAG_END_BEFORE_START : 0;
  if (span->dur_ns < 0)
    tt_sink_repair (state->import->sink, TT_REPAIR_END_BEFORE_START, span->offset);
  span->dur_ns = MAX (span->dur_ns, 0);
  tt_operator_rows_add (state->rows, span, name.op_cat);
}

static void
put_flow (State *state, const TtTfEvent *event, const TtTraceRecord *point)
{
  static const char phases[] = { 's', 't', 'f' };
  TtArrange *arrange = state->import->arrange;
  const char *phase = memchr (phases, event->phase, sizeof phases);
  TtTraceRecord at = *point;

  /* A start stands just where its operator has ended. */
  if (event->phase == 's' && at.ts_ns > G_MININT64 + 1)
    at.ts_ns--;
  tt_arrange_flow (arrange, &at, tt_arrange_flow_kind (arrange, tt_flow_kind ("DataFlow")), event->flow_key,
                   (TtFlowPhase) (phase - phases), FALSE);
}

static gboolean
put_event (const TtTfEvent *event, gpointer data, GError **error)
{
  State *state = data;
  Target target = find_target (state, event);
  TtTraceRecord span = { .thread = target.thread,
                       .process = target.process,
                       .step = event->step,
                       .ts_ns = event->ts_ns,
                       .dur_ns = event->dur_ns,
                       .args = event->args,
                       .offset = event->offset };

  if (event->role == TT_TF_FLOW)
    put_flow (state, event, &span);
  else if (event->role == TT_TF_OPERATOR)
    put_operator (state, event, &span);
  else
    {
      span.name = plain_name (state, event);
      tt_arrange_span (state->import->arrange, &span);
    }
  return tt_arrange_check (state->import->arrange, error);
}

static gboolean
end (TtTraceEventImport *import, gpointer data, GError **error)
{
  State *state = data;

  tt_parameters_add_beside (import->path, import->sink);
  state->names = tt_tf_names_new (tt_tf_timeline_graph (state->timeline));
  if (!tt_tf_timeline_each (state->timeline, put_event, state, error) ||
      !tt_id_table_check (&state->targets, error) || !tt_id_table_check (&state->n_threads, error))
    return FALSE;
  /* Finding steps takes memory of its own. */
  release_timeline (state);
  tt_sink_own_new_processes (import->sink, state->first_process);
  return tt_operator_rows_finish (state->rows, error);
}

const TtDialect tt_dialect_tensorflow = {
  .name = "tensorflow",
  .probe = probe,
  .begin = begin,
  .event = take_event,
  .header = tt_trace_event_add_header,
  .end = end,
  .release = release,
};

TT_DIALECT_FORMAT (tensorflow, "TensorFlow timelines (step stats) and exports of its profiler");
