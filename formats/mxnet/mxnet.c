/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/model/parameters.h"
#include "formats/mxnet/dump.h"
#include "formats/mxnet/symbol.h"
#include "formats/trace-event/operator-rows.h"
#include "formats/trace-event/rows.h"
#include "src/base/id-table.h"

#include <string.h>

typedef struct
{
  TtTraceEventImport *import;
  TtTraceLanes *lanes;
  TtLocalGraph *graph; /* NULL: none beside the file */
  TtMxnetDump *dump;
  TtOperatorRows *rows;
  guint32 process;   /* 0 = not yet defined */
  TtIdTable threads; /* where the operators of a lane go, guint32; 0 = not yet known */
  guint n_threads;
  GError *error; /* of begin() */
} State;

/* -- recognising ------------------------------------------------------------------------------------- */

/* "cpu/0", "gpu/31", "cpu pinned/" and the like. */
static gboolean
is_device (const char *process)
{
  const char *slash = strchr (process, '/');

  return slash != NULL && (g_str_has_prefix (process, "cpu") || g_str_has_prefix (process, "gpu")) &&
         slash[1 + strspn (slash + 1, "0123456789")] == '\0';
}

static guint
probe (const TtClues *clues)
{
  GHashTableIter iter;
  gpointer key;
  gboolean has_device = FALSE;

  /* What is under standard names already has been through here. */
  if (clues->n_standard * 2 > clues->n_events)
    return 0;
  g_hash_table_iter_init (&iter, clues->process_names);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    has_device |= is_device (key);
  if (g_hash_table_contains (clues->categories, "MXNET_C_API"))
    return 95;
  if (!has_device)
    return 0;
  return g_hash_table_contains (clues->categories, "operator") || g_hash_table_size (clues->categories) == 0 ? 90 : 40;
}

/* -- taking ------------------------------------------------------------------------------------------- */

static gpointer
begin (TtTraceEventImport *import, const TtClues *clues)
{
  State *state = g_new0 (State, 1);
  g_autofree char *symbol = tt_mxnet_symbol_beside (import->path);

  (void) clues;
  state->import = import;
  state->lanes = tt_trace_lanes_new ();
  if (symbol != NULL)
    state->graph = tt_mxnet_symbol_load (symbol, &state->error);
  state->dump = tt_mxnet_dump_new (state->graph, state->lanes, import->sink);
  state->rows = tt_operator_rows_new (import->sink, import->arrange, import->options->step_rule);
  state->threads.row_size = sizeof (guint32);
  return state;
}

static void
release (gpointer data)
{
  State *state = data;

  tt_mxnet_dump_free (state->dump);
  tt_trace_lanes_free (state->lanes);
  tt_local_graph_free (state->graph);
  tt_operator_rows_free (state->rows);
  tt_id_table_clear (&state->threads);
  g_clear_error (&state->error);
  g_free (state);
}

static gboolean
take_event (TtTraceEventImport *import, const TtTraceEvent *event, gpointer data, GError **error)
{
  State *state = data;

  if (state->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&state->error));
      return FALSE;
    }
  if (tt_trace_lanes_name (state->lanes, event))
    return TRUE;
  if (tt_mxnet_dump_takes (event))
    {
      tt_arrange_see (import->arrange, tt_trace_lanes_of (state->lanes, event), event->ts_ns,
                      event->ph == 'X' ? event->dur_ns : 0);
      tt_mxnet_dump_add (state->dump, event, tt_trace_event_args (import, event), TRUE);
    }
  else
    tt_trace_lanes_put (state->lanes, import, event);
  return TRUE;
}

/* -- putting ------------------------------------------------------------------------------------------ */

/* All devices of the dump belong to one training process; a thread of the engine is a thread of it. */
static guint32
thread_of (State *state, guint32 lane)
{
  TtSink *sink = state->import->sink;

  if (state->process == TT_NO_ID)
    {
      g_autofree char *pid = tt_operator_pid (state->import->options);
      state->process = tt_sink_process (sink, pid, NULL, NULL, state->import->options->rank);
    }
  guint32 *thread = tt_id_table_at (&state->threads, lane);
  if (*thread == TT_NO_ID)
    {
      g_autofree char *tid = g_strdup_printf ("operator%u", state->n_threads);
      g_autofree char *label = g_strdup_printf ("%s %s", tt_trace_lanes_process (state->lanes, lane),
                                                tt_trace_lanes_tid (state->lanes, lane));
      *thread = tt_sink_thread (sink, state->process, tid, label, state->n_threads++);
    }
  return *thread;
}

static gboolean
put_operator (const TtMxnetOperator *operator, gpointer data, GError **error)
{
  State *state = data;
  TtArrange *arrange = state->import->arrange;
  const TtRawName raw = { .raw = operator->raw,
                          .op = operator->op_name,
                          .op_cat = operator->op_cat,
                          .sub_op = operator->sub_op,
                          .group = "operator" };
  TtTraceRecord span = { .thread = thread_of (state, operator->lane),
                         .name = tt_sink_name (state->import->sink, &raw),
                         .flags = operator->flags | (guint32) TT_ARRANGE_SEEN,
                         .step = TT_NO_STEP,
                         .ts_ns = operator->ts_ns,
                         .dur_ns = operator->dur_ns,
                         .args = operator->args,
                         .offset = operator->offset };

  span.process = state->process;
  if (operator->is_outside)
    tt_sink_repair_of (state->import->sink, state->process, TT_REPAIR_OUTSIDE_GRAPH, operator->offset);
  if (operator->dur_ns == TT_NO_TIME)
    tt_arrange_instant (arrange, &span);
  else if (operator->is_operator)
    tt_operator_rows_add (state->rows, &span, operator->op_cat);
  else
    tt_arrange_span (arrange, &span);
  return tt_arrange_check (arrange, error);
}

static gboolean
end (TtTraceEventImport *import, gpointer data, GError **error)
{
  State *state = data;

  tt_parameters_add_beside (import->path, import->sink);
  if (!tt_mxnet_dump_finish (state->dump, put_operator, state, error) || !tt_id_table_check (&state->threads, error))
    return FALSE;
  tt_sink_own_new_processes (import->sink, state->process);
  return tt_operator_rows_finish (state->rows, error);
}

const TtDialect tt_dialect_mxnet = {
  .name = "mxnet",
  .probe = probe,
  .begin = begin,
  .event = take_event,
  .header = tt_trace_event_add_header,
  .end = end,
  .release = release,
};

TT_DIALECT_FORMAT (mxnet, "dumps of MXNet's profiler");
