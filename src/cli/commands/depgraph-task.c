#include "config.h"

#include "src/cli/commands/depgraph-task.h"

#include "formats/pi/side/private.h"
#include "graphs/longest-path.h"
#include "src/cli/command.h"
#include "src/base/error.h"
#include "src/base/units.h"

#include <string.h>

typedef struct
{
  const TtPiGraphItem *item;
  guint32 node;
  gint64 duration_us; /* -1: it did not run, or nobody tells */
} Task;

/* -- the graph of the run ---------------------------------------------------------------------------------- */

static gboolean
take_metadata (guint32 process, guint32 thread, const char *key, const char *value, gpointer data)
{
  char **text = data;

  if (*text == NULL && strcmp (key, "sycl_graph") == 0)
    *text = g_strdup (value);
  return TRUE;
}

static GPtrArray *
read_items (TtStore *store, GError **error)
{
  g_autofree char *text = NULL;

  if (!tt_store_each_metadata (store, take_metadata, &text, error))
    return NULL;
  if (text == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_GRAPH,
                   "no task graph in this run: a PI trace has one where sycl.graph_trace or graph.json lies beside the "
                   "calls");
      return NULL;
    }
  gsize len = strlen (text);
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_steal_pointer (&text), len);
  return tt_pi_graph_json_parse ("sycl_graph", bytes, error);
}

/* -- nodes --------------------------------------------------------------------------------------------------- */

static gint64
number_of (const TtPiGraphItem *item, const char *name)
{
  const char *text = tt_pi_graph_metadata (item, name);
  guint64 value;

  return text != NULL && g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT64 / 1000, &value, NULL) ? (gint64) value
                                                                                                   : -1;
}

static const char *
category_of (const TtPiGraphItem *item)
{
  if (tt_pi_graph_metadata (item, "kernel_name") != NULL)
    return "COMP";
  if (tt_pi_graph_metadata (item, "copy_from") != NULL || tt_pi_graph_metadata (item, "memory_object") != NULL ||
      tt_pi_graph_metadata (item, "allocation_type") != NULL)
    return "MEM";
  return "RT";
}

/* "#102 vector_add (CPU, vector_add.cpp:41)", "#104 copy 1 -> 0". Free it. */
static char *
label_of (const TtPiGraphItem *item)
{
  const char *device = tt_pi_graph_metadata (item, "sycl_device_name");
  const char *file = tt_pi_graph_metadata (item, "sym_source_file_name");
  const char *line = tt_pi_graph_metadata (item, "sym_line_no");
  const char *from = tt_pi_graph_metadata (item, "copy_from"), *to = tt_pi_graph_metadata (item, "copy_to");
  const char *allocation = tt_pi_graph_metadata (item, "allocation_type");
  g_autoptr (GString) label = g_string_new (NULL);
  g_autoptr (GString) more = g_string_new (NULL);

  g_string_printf (label, "#%" G_GINT64_FORMAT " %s", item->id, item->name);
  if (from != NULL && to != NULL)
    g_string_append_printf (label, " %s -> %s", from, to);
  if (device == NULL)
    device = tt_pi_graph_metadata (item, "sycl_device_type");
  if (device != NULL)
    g_string_append (more, device);
  if (allocation != NULL)
    g_string_append_printf (more, "%s%s", more->len > 0 ? ", " : "", allocation);
  if (file != NULL)
    g_string_append_printf (more, "%s%s%s%s", more->len > 0 ? ", " : "", file, line != NULL ? ":" : "",
                            line != NULL ? line : "");
  if (more->len > 0)
    g_string_append_printf (label, " (%s)", more->str);
  return g_string_free (g_steal_pointer (&label), FALSE);
}

static void
add_task (TtGraph *graph, GHashTable *tasks, const TtPiGraphItem *item)
{
  g_autofree char *label = label_of (item);
  const char *device = tt_pi_graph_metadata (item, "sycl_device");
  gint64 start = number_of (item, "start_us"), end = number_of (item, "end_us");
  Task *task = g_hash_table_lookup (tasks, &item->id);

  if (task != NULL)
    return;
  task = g_new0 (Task, 1);
  task->item = item;
  task->node = tt_graph_add_node (graph, label, device != NULL ? device : "", category_of (item), item->name);
  task->duration_us = start >= 0 && end >= start ? end - start : -1;
  g_hash_table_insert (tasks, (gpointer) &item->id, task);

  TtNode *node = tt_graph_node (graph, task->node);
  node->cnt = 1;
  node->ts_ns = start >= 0 ? start * 1000 : 0;
  node->sum_ns = node->self_ns = task->duration_us > 0 ? (tt_int128) task->duration_us * 1000 : 0;
}

/* FALSE: it names a task that is not there. */
static gboolean
add_need (TtGraph *graph, GHashTable *tasks, const TtPiGraphItem *item)
{
  const Task *source = item->has_source ? g_hash_table_lookup (tasks, &item->source) : NULL;
  const Task *target = item->has_target ? g_hash_table_lookup (tasks, &item->target) : NULL;

  if (source == NULL || target == NULL)
    return FALSE;
  tt_graph_add_edge (graph, source->node, target->node, TT_EDGE_DEPENDENCY, 1, 0);
  return TRUE;
}

/* -- what it says ---------------------------------------------------------------------------------------------- */

static void
tell_longest (const TtGraph *graph)
{
  TtOrder *made = NULL;
  g_autoptr (TtLongestPath) path = tt_model_path_new (graph, &made);
  g_autoptr (TtOrder) order = made;
  g_autoptr (GString) names = g_string_new (NULL);
  char time[TT_TIME_TEXT];

  if (path == NULL || path->nodes->len == 0 || path->weight <= 0)
    return;
  for (guint i = 0; i < path->nodes->len && i < 8; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                            tt_graph_node (graph, g_array_index (path->nodes, guint32, i))->name);
  if (path->nodes->len > 8)
    g_string_append_printf (names, " and %u more", path->nodes->len - 8);
  tt_message ("the longest chain of tasks takes %s us: %s", tt_time_text (time, (gint64) path->weight, TT_UNIT_US, 0),
              names->str);
}

TtGraph *
tt_depgraph_task (TtStore *store, GError **error)
{
  g_autoptr (GPtrArray) items = read_items (store, error);
  g_autoptr (TtGraph) graph = tt_graph_new ();
  g_autoptr (GHashTable) tasks = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  guint n_lost = 0;

  if (items == NULL)
    return NULL;
  for (guint i = 0; i < items->len; i++)
    if (!((const TtPiGraphItem *) items->pdata[i])->is_edge)
      add_task (graph, tasks, items->pdata[i]);
  for (guint i = 0; i < items->len; i++)
    if (((const TtPiGraphItem *) items->pdata[i])->is_edge)
      n_lost += !add_need (graph, tasks, items->pdata[i]);
  if (n_lost > 0)
    tt_message ("%u edge%s of tasks that are not in the graph left out", n_lost, n_lost == 1 ? "" : "s");
  tt_graph_finish (graph);
  tell_longest (graph);
  return g_steal_pointer (&graph);
}
