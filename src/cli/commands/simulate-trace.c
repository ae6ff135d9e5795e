/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/commands/simulate-trace.h"

typedef struct
{
  guint32 node;
  guint32 tid;
  gint64 start_ns;
} Placed;

static int
compare_placed (gconstpointer a, gconstpointer b)
{
  const Placed *x = a, *y = b;

  if (x->start_ns != y->start_ns)
    return x->start_ns < y->start_ns ? -1 : 1;
  return x->node < y->node ? -1 : x->node > y->node;
}

/* Every line but the first begins with the comma behind the one before. */
static void
begin_line (TtOutput *out, gboolean is_first)
{
  if (!is_first)
    tt_output_literal (out, ",\n");
}

static void
write_metadata (TtOutput *out, const char *what, guint32 pid, guint32 tid, const char *name)
{
  begin_line (out, pid == 1 && tid == 0);
  tt_output_printf (out, "{\"name\":\"%s\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":", what, pid, tid);
  tt_output_json_string (out, name);
  tt_output_literal (out, "}}");
}

/* Devices are numbered as they first appear; their names go out at once. */
static GArray *
place_nodes (const TtSimulation *self, TtOutput *out)
{
  const TtStepGraph *graph = self->graph;
  TtSchedule *schedule = self->schedule;
  GArray *placed = g_array_new (FALSE, FALSE, sizeof (Placed));
  g_autoptr (GHashTable) tids = g_hash_table_new (NULL, NULL); /* device + 1 -> tid */

  for (guint32 rank = 0; rank < graph->n_endpoints; rank++)
    write_metadata (out, "process_name", rank + 1, 0, graph->pids[rank]);
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      gint64 start_ns = tt_schedule_start_ns (schedule, i);

      if (node->rank == TT_STEP_NO_RANK || tt_schedule_end_ns (schedule, i) == start_ns)
        continue;
      gpointer device = GUINT_TO_POINTER (tt_schedule_task (schedule, i)->device + 1);
      guint32 tid = GPOINTER_TO_UINT (g_hash_table_lookup (tids, device));
      if (tid == 0)
        {
          const TtStepRecording *recording = self->recording;
          g_autofree char *name = recording != NULL ? g_strdup (recording->lane_names->pdata[recording->lanes[i]])
                                                    : tt_step_device_name (graph, i, &self->options);
          tid = g_hash_table_size (tids) + 1;
          write_metadata (out, "thread_name", node->rank + 1, tid, name);
          g_hash_table_insert (tids, device, GUINT_TO_POINTER (tid));
        }
      Placed place = { i, tid, start_ns };
      g_array_append_val (placed, place);
    }
  g_array_sort (placed, compare_placed);
  return placed;
}

void
tt_simulate_write_trace (const TtSimulation *self, TtOutput *out)
{
  const TtStepGraph *graph = self->graph;
  const TtSchedule *schedule = self->schedule;

  tt_output_literal (out, "{\"traceEvents\":[\n");
  g_autoptr (GArray) placed = place_nodes (self, out);

  for (guint i = 0; i < placed->len; i++)
    {
      const Placed *place = &g_array_index (placed, Placed, i);
      const TtStepNode *node = tt_step_node (graph, place->node);
      g_autofree char *name = tt_step_node_long_name (graph, place->node);

      begin_line (out, FALSE);
      tt_output_literal (out, "{\"name\":");
      tt_output_json_string (out, node->name);
      tt_output_literal (out, ",\"ph\":\"X\",\"cat\":");
      tt_output_json_string (out, tt_step_node_kind_text (node->kind));
      tt_output_printf (out, ",\"pid\":%u,\"tid\":%u,\"ts\":", node->rank + 1, place->tid);
      tt_output_us (out, place->start_ns);
      tt_output_literal (out, ",\"dur\":");
      tt_output_us (out, tt_schedule_end_ns (schedule, place->node) - place->start_ns);
      tt_output_literal (out, ",\"args\":{\"name\":");
      tt_output_json_string (out, name);
      tt_output_literal (out, ",\"cnt\":0}}");
    }
  tt_output_literal (out, "\n],\"displayTimeUnit\":\"ms\"}\n");
}
