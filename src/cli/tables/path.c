#include "config.h"

#include "src/cli/tables/path.h"

static double
percent (gint64 part, gint64 whole)
{
  return whole > 0 ? 100.0 * (double) part / (double) whole : 0.0;
}

/* -- measured -------------------------------------------------------------------------------------- */

static void
add_op (TtReport *report, gint64 time_ns, gint64 length_ns, guint64 n_spans, const char *name)
{
  tt_report_int (report, time_ns);
  tt_report_real (report, percent (time_ns, length_ns));
  if (n_spans > 0)
    tt_report_int (report, (gint64) n_spans);
  else
    tt_report_empty (report);
  tt_report_text (report, name);
}

TtReport *
tt_path_op_table (const TtCriticalPath *path, guint top, TtUnit unit)
{
  TtReport *report = tt_report_new (unit);
  guint n = top == 0 ? path->ops->len : MIN (top, path->ops->len);
  gint64 left_ns = 0;

  tt_report_column (report, TT_COLUMN_TIME, "Time", "time");
  tt_report_column (report, TT_COLUMN_PERCENT, "Path %", "path_percent");
  tt_report_column (report, TT_COLUMN_COUNT, "Spans", "spans");
  tt_report_column (report, TT_COLUMN_TEXT, "Name", "name");
  for (guint i = 0; i < n; i++)
    {
      const TtPathOp *op = &g_array_index (path->ops, TtPathOp, i);
      add_op (report, op->time_ns, path->length_ns, op->n_spans, op->name);
    }
  for (guint i = n; i < path->ops->len; i++)
    left_ns += g_array_index (path->ops, TtPathOp, i).time_ns;
  if (n < path->ops->len)
    {
      g_autofree char *name = g_strdup_printf ("(%u more operations)", path->ops->len - n);
      add_op (report, left_ns, path->length_ns, 0, name);
    }
  if (path->transfer_ns > path->latency_ns)
    add_op (report, path->transfer_ns - path->latency_ns, path->length_ns, 0, "(messages on their way)");
  if (path->latency_ns > 0)
    add_op (report, path->latency_ns, path->length_ns, 0, "(launched or released, not yet begun)");
  if (path->outside_ns > 0)
    add_op (report, path->outside_ns, path->length_ns, 0, "(not in any span)");
  return report;
}

TtReport *
tt_path_process_table (TtStore *store, const TtCriticalPath *path, TtUnit unit)
{
  TtReport *report = tt_report_new (unit);

  tt_report_column (report, TT_COLUMN_TIME, "Time", "time");
  tt_report_column (report, TT_COLUMN_PERCENT, "Path %", "path_percent");
  tt_report_column (report, TT_COLUMN_COUNT, "Pieces", "pieces");
  tt_report_column (report, TT_COLUMN_TIME, "Transfer in", "transfer_in");
  tt_report_column (report, TT_COLUMN_TIME, "Waited", "waited");
  tt_report_column (report, TT_COLUMN_WORD, "Process", "pid");
  for (guint i = 0; i < path->processes->len; i++)
    {
      const TtPathProcess *sum = &g_array_index (path->processes, TtPathProcess, i);
      const TtProcess *process = tt_store_process (store, sum->process);

      tt_report_int (report, sum->time_ns);
      tt_report_real (report, percent (sum->time_ns, path->length_ns));
      tt_report_int (report, (gint64) sum->n_segments);
      tt_report_int (report, sum->transfer_ns);
      tt_report_int (report, sum->waited_ns);
      tt_report_text (report, process == NULL ? NULL : process->pid);
    }
  return report;
}

TtReport *
tt_path_segment_table (TtStore *store, const TtCriticalPath *path, guint top, TtUnit unit)
{
  TtReport *report = tt_report_new (unit);
  guint n = top == 0 ? path->segments->len : MIN (top, path->segments->len);
  gint64 end_ns = path->points.first_ns;

  tt_report_column (report, TT_COLUMN_TIME, "Begin", "begin");
  tt_report_column (report, TT_COLUMN_TIME, "Time", "time");
  tt_report_column (report, TT_COLUMN_TIME, "Transfer in", "transfer_in");
  tt_report_column (report, TT_COLUMN_TIME, "Waited", "waited");
  tt_report_column (report, TT_COLUMN_WORD, "Process", "pid");
  tt_report_column (report, TT_COLUMN_WORD, "Thread", "tid");
  tt_report_column (report, TT_COLUMN_WORD, "Came by", "came_by");
  tt_report_column (report, TT_COLUMN_WORD, "Inferred", "inferred");
  for (guint i = 0; i < n; i++)
    {
      const TtPathSegment *segment = &g_array_index (path->segments, TtPathSegment, i);
      const TtThread *thread = tt_store_thread (store, segment->thread);
      const TtProcess *process = thread == NULL ? NULL : tt_store_process (store, thread->process);

      tt_report_int (report, segment->begin_ns - path->points.first_ns);
      tt_report_int (report, segment->end_ns - segment->begin_ns);
      tt_report_int (report, segment->begin_ns - end_ns);
      tt_report_int (report, segment->waited_ns);
      tt_report_text (report, process == NULL ? NULL : process->pid);
      tt_report_text (report, thread == NULL ? NULL : thread->tid);
      tt_report_text (report, tt_path_hop_text (segment->hop));
      tt_report_text (report, segment->is_inferred ? "yes" : "no");
      end_ns = segment->end_ns;
    }
  if (n < path->segments->len)
    {
      g_autofree char *footer = g_strdup_printf ("and %u more pieces; '--top 0' shows all", path->segments->len - n);
      tt_report_footer (report, footer);
    }
  return report;
}

TtReport *
tt_path_kind_table (const TtCriticalPath *path, TtUnit unit)
{
  TtReport *report = tt_report_new (unit);

  tt_report_column (report, TT_COLUMN_TIME, "Time", "time");
  tt_report_column (report, TT_COLUMN_PERCENT, "Path %", "path_percent");
  tt_report_column (report, TT_COLUMN_WORD, "Kind", "kind");
  for (TtPathKind kind = 0; kind < TT_N_PATH_KINDS; kind++)
    {
      tt_report_int (report, path->kind_ns[kind]);
      tt_report_real (report, percent (path->kind_ns[kind], path->length_ns));
      tt_report_text (report, tt_path_kind_text (kind));
    }
  return report;
}

static void
append_hops (GString *text, guint64 n, const char *one, const char *many)
{
  char count[TT_TIME_TEXT];

  if (n > 0)
    g_string_append_printf (text, ", %s %s", tt_count_text (count, n), n == 1 ? one : many);
}

char *
tt_path_describe (const TtCriticalPath *path)
{
  GString *text = g_string_new (NULL);
  char time[TT_TIME_TEXT], pieces[TT_TIME_TEXT], what[32];

  if (path->points.step == TT_NO_STEP)
    g_strlcpy (what, "the whole run", sizeof what);
  else
    g_snprintf (what, sizeof what, "step %d", path->points.step);
  g_string_append_printf (text, "Critical path: %s, %s; %s %s on %u %s", tt_time_auto (time, path->length_ns), what,
                          tt_count_text (pieces, path->segments->len), path->segments->len == 1 ? "piece" : "pieces",
                          path->processes->len, path->processes->len == 1 ? "process" : "processes");
  append_hops (text, path->n_hops[TT_HOP_MESSAGE], "late message", "late messages");
  append_hops (text, path->n_hops[TT_HOP_COLLECTIVE], "late rank in a collective (inferred)",
                "late ranks in collectives (inferred)");
  guint64 n_told = path->n_hops[TT_HOP_THREAD] - path->n_inferred[TT_HOP_THREAD];
  append_hops (text, n_told, "thread begin", "thread begins");
  append_hops (text, path->n_inferred[TT_HOP_THREAD], "thread begin (inferred)", "thread begins (inferred)");
  append_hops (text, path->n_hops[TT_HOP_LAUNCH], "launch", "launches");
  append_hops (text, path->n_hops[TT_HOP_EVENT], "wait for an event", "waits for events");
  append_hops (text, path->n_hops[TT_HOP_SYNCHRONIZE], "wait of the host", "waits of the host");
  append_hops (text, path->n_hops[TT_HOP_AUTOGRAD], "begin or end of a backward pass (inferred)",
                "begins and ends of backward passes (inferred)");
  append_hops (text, path->n_hops[TT_HOP_OBJECT], "object of another thread (inferred)",
                "objects of other threads (inferred)");
  append_hops (text, path->n_hops[TT_HOP_QUEUE], "enqueue of another thread (inferred)",
                "enqueues of other threads (inferred)");
  return g_string_free (text, FALSE);
}

static void
append_note (GString *text, guint64 n, const char *one, const char *note)
{
  char count[TT_TIME_TEXT];

  if (n > 0)
    g_string_append_printf (text, "%s%s %s", text->len > 0 ? "\n" : "", tt_count_text (count, n), n == 1 ? one : note);
}

char *
tt_path_notes (const TtCriticalPath *path)
{
  const TtPathPoints *points = &path->points;
  GString *text = g_string_new (NULL);

  append_note (text, points->n_backward, "message came before it was sent (clocks disagree): not followed",
               "messages came before they were sent (clocks disagree): not followed");
  append_note (text, points->n_halves, "message lacks a partner or a span: not followed",
               "messages lack a partner or a span: not followed");
  append_note (text, points->n_dropped, "call of a collective that ranks do not call equally often: not followed",
               "calls of collectives that ranks do not call equally often: not followed");
  append_note (text, points->n_early,
               "call of a collective ended before the last rank came (a root, or clocks disagree): not followed",
               "calls of collectives ended before the last rank came (a root, or clocks disagree): not followed");
  append_note (text, path->n_inferred[TT_HOP_EVENT], "wait for an event is inferred: the trace does not say what for",
               "waits for events are inferred: the trace does not say what for");
  append_note (text, path->n_inferred[TT_HOP_SYNCHRONIZE],
               "wait of the host is inferred: the trace does not say for which stream",
               "waits of the host are inferred: the trace does not say for which stream");
  append_note (text, points->device_counts.n_unlaunched,
               "span on a device has no launch before it: followed on its stream only",
               "spans on devices have no launch before them: followed on their streams only");
  append_note (text, points->device_counts.n_backward,
               "span on a device began before what its stream waited for was done (clocks disagree): not followed",
               "spans on devices began before what their streams waited for was done (clocks disagree): not followed");
  append_note (text, path->n_overlapping, "span is shorter than what it calls: the times add up to more than the path",
               "spans are shorter than what they call: their times add up to more than the path");
  append_note (text, path->n_crossing, "span crosses another on its thread: time in both counts for both",
               "spans cross others on their threads: time in two of them counts for both");
  return g_string_free (text, text->len == 0);
}

/* -- by averages --------------------------------------------------------------------------------------- */

/* The edge by which the path goes from @src to @dst: the heaviest, then the first kind. */
static const TtEdge *
find_edge (const TtGraph *graph, const TtOrder *order, const double *weights, guint32 src, guint32 dst, double *weight)
{
  const TtEdge *found = NULL;

  *weight = 0;
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);
      if (edge->src != src || edge->dst != dst || tt_order_is_back (order, edge) ||
          (found != NULL && weights[i] <= *weight))
        continue;
      found = edge;
      *weight = weights[i];
    }
  return found;
}

TtReport *
tt_model_table (const TtGraph *graph, const TtOrder *order, const TtLongestPath *path, guint top, TtUnit unit)
{
  TtReport *report = tt_report_new (unit);
  guint n = top == 0 ? path->nodes->len : MIN (top, path->nodes->len);
  g_autofree double *nodes = tt_model_node_weights (graph);
  g_autofree double *edges = tt_model_edge_weights (graph);

  tt_report_column (report, TT_COLUMN_TIME, "Self avg", "self_avg");
  tt_report_column (report, TT_COLUMN_TIME, "Gap before", "gap_before");
  tt_report_column (report, TT_COLUMN_PERCENT, "Path %", "path_percent");
  tt_report_column (report, TT_COLUMN_COUNT, "Count", "count");
  tt_report_column (report, TT_COLUMN_WORD, "Came by", "came_by");
  tt_report_column (report, TT_COLUMN_TEXT, "Operation", "op_long_name");
  for (guint i = 0; i < n; i++)
    {
      guint32 number = g_array_index (path->nodes, guint32, i);
      const TtNode *node = tt_graph_node (graph, number);
      double gap = 0;
      const TtEdge *edge =
          i == 0 ? NULL : find_edge (graph, order, edges, g_array_index (path->nodes, guint32, i - 1), number, &gap);

      tt_report_real (report, nodes[number]);
      tt_report_real (report, gap);
      tt_report_real (report, path->weight > 0 ? 100.0 * (nodes[number] + gap) / path->weight : 0.0);
      tt_report_int (report, (gint64) node->cnt);
      tt_report_text (report, edge == NULL ? "begin" : tt_edge_kind_text (edge->kind));
      tt_report_text (report, node->label);
    }
  if (n < path->nodes->len)
    {
      g_autofree char *footer = g_strdup_printf ("and %u more operations; '--top 0' shows all", path->nodes->len - n);
      tt_report_footer (report, footer);
    }
  return report;
}

static char *
list_back_edges (const TtGraph *graph, const TtOrder *order, guint32 node)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < order->back->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, g_array_index (order->back, guint32, i));
      if (edge->src == node)
        g_string_append_printf (text, "%s%s (%s)", text->len > 0 ? ", " : "", tt_graph_node (graph, edge->dst)->label,
                                tt_edge_kind_text (edge->kind));
    }
  return g_string_free (text, FALSE);
}

TtReport *
tt_model_cycle_table (const TtGraph *graph, const TtOrder *order, guint top, TtUnit unit)
{
  TtReport *report = tt_report_new (unit);
  guint n_rows = 0, n_left = 0;

  tt_report_column (report, TT_COLUMN_COUNT, "Cycle", "cycle");
  tt_report_column (report, TT_COLUMN_TEXT, "Operation", "op_long_name");
  tt_report_column (report, TT_COLUMN_TEXT, "Left out: back to", "left_out");
  for (guint i = 0; i < order->cycles->len; i++)
    {
      const GArray *cycle = g_ptr_array_index (order->cycles, i);
      for (guint k = 0; k < cycle->len; k++)
        {
          guint32 node = g_array_index (cycle, guint32, k);
          g_autofree char *back = NULL;

          if (top > 0 && n_rows >= top)
            {
              n_left++;
              continue;
            }
          back = list_back_edges (graph, order, node);
          tt_report_int (report, i + 1);
          tt_report_text (report, tt_graph_node (graph, node)->label);
          tt_report_text (report, *back == '\0' ? NULL : back);
          n_rows++;
        }
    }
  if (n_left > 0)
    {
      g_autofree char *footer = g_strdup_printf ("and %u more operations in cycles; '--top 0' shows all", n_left);
      tt_report_footer (report, footer);
    }
  return report;
}
