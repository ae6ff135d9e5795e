#include "config.h"

#include "src/cli/tables/simulate.h"

#include <string.h>

static double
percent (gint64 part, gint64 whole)
{
  return whole > 0 ? 100.0 * (double) part / (double) whole : 0.0;
}

static const TtStepHop *
step_at (const TtSimulation *self, guint i)
{
  return &g_array_index (self->path->hops, TtStepHop, i);
}

/* -- ranks --------------------------------------------------------------------------------------------- */

static void
add_change (TtReport *report, gint64 before_ns, gint64 after_ns)
{
  tt_report_int (report, before_ns);
  tt_report_int (report, after_ns);
  tt_report_real (report, percent (after_ns - before_ns, before_ns));
}

TtReport *
tt_simulate_rank_table (const TtSimulation *self, const gint64 *before_ns, TtUnit unit)
{
  TtReport *report = tt_report_new (unit);
  guint n = self->graph->n_endpoints;
  gboolean has_links = n > self->graph->n_ranks;
  g_autofree gint64 *on_path = g_new0 (gint64, n);
  g_autofree gint64 *busy = g_new0 (gint64, n);

  for (guint i = 0; i < self->path->hops->len; i++)
    on_path[tt_step_node (self->graph, step_at (self, i)->node)->rank] += step_at (self, i)->cost_ns;
  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (self->graph, i);
      if (node->rank == TT_STEP_NO_RANK)
        continue;
      if (node->rank >= self->graph->n_ranks || node->kind == TT_STEP_NODE_FW || node->kind == TT_STEP_NODE_BW ||
          node->kind == TT_STEP_NODE_UPDATE || node->kind == TT_STEP_NODE_OUTPUT)
        busy[node->rank] += tt_schedule_end_ns (self->schedule, i) - tt_schedule_start_ns (self->schedule, i);
    }
  if (before_ns != NULL)
    tt_report_column (report, TT_COLUMN_TIME, "Before", "before");
  tt_report_column (report, TT_COLUMN_TIME, "Predicted", "predicted");
  if (before_ns != NULL)
    tt_report_column (report, TT_COLUMN_PERCENT, "Change %", "change_percent");
  tt_report_column (report, TT_COLUMN_TIME, has_links ? "Busy" : "Computing", "computing");
  tt_report_column (report, TT_COLUMN_TIME, "On path", "on_path");
  tt_report_column (report, TT_COLUMN_PERCENT, "Path %", "path_percent");
  tt_report_column (report, TT_COLUMN_WORD, "Pid", "pid");
  for (guint rank = 0; rank < n; rank++)
    {
      if (rank >= self->graph->n_ranks)
        {
          for (guint column = 0; column < (before_ns != NULL ? 3 : 1); column++)
            tt_report_empty (report);
        }
      else if (before_ns != NULL)
        add_change (report, before_ns[rank], self->iterations_ns[rank]);
      else
        tt_report_int (report, self->iterations_ns[rank]);
      tt_report_int (report, busy[rank]);
      tt_report_int (report, on_path[rank]);
      tt_report_real (report, percent (on_path[rank], self->path->length_ns));
      tt_report_text (report, self->graph->pids[rank]);
    }
  return report;
}

/* -- kinds --------------------------------------------------------------------------------------------- */

typedef struct
{
  guint64 n_nodes, n_steps;
  tt_int128 sum_ns;
  gint64 path_ns;
} Part;

TtReport *
tt_simulate_kind_table (const TtSimulation *self, TtUnit unit)
{
  TtReport *report = tt_report_new (unit);
  Part parts[TT_N_STEP_NODE_KINDS] = { 0 };

  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    {
      Part *part = &parts[tt_step_node (self->graph, i)->kind];
      part->n_nodes++;
      part->sum_ns += tt_schedule_end_ns (self->schedule, i) - tt_schedule_start_ns (self->schedule, i);
    }
  for (guint i = 0; i < self->path->hops->len; i++)
    {
      Part *part = &parts[tt_step_node (self->graph, step_at (self, i)->node)->kind];
      part->n_steps++;
      part->path_ns += step_at (self, i)->cost_ns;
    }
  tt_report_column (report, TT_COLUMN_TIME, "On path", "on_path");
  tt_report_column (report, TT_COLUMN_PERCENT, "Path %", "path_percent");
  tt_report_column (report, TT_COLUMN_COUNT, "Of them there", "n_on_path");
  tt_report_column (report, TT_COLUMN_COUNT, "Operations", "n_operations");
  tt_report_column (report, TT_COLUMN_TIME, "Time a rank", "rank_mean");
  tt_report_column (report, TT_COLUMN_WORD, "Kind", "kind");
  for (TtStepNodeKind kind = 0; kind < TT_STEP_NODE_END; kind++)
    if (parts[kind].n_nodes > 0)
      {
        tt_report_int (report, parts[kind].path_ns);
        tt_report_real (report, percent (parts[kind].path_ns, self->path->length_ns));
        tt_report_int (report, (gint64) parts[kind].n_steps);
        tt_report_int (report, (gint64) parts[kind].n_nodes);
        tt_report_real (report, (double) parts[kind].sum_ns / self->graph->n_ranks);
        tt_report_text (report, tt_step_node_kind_text (kind));
      }
  return report;
}

/* -- operations ---------------------------------------------------------------------------------------- */

typedef struct
{
  const char *name;
  TtStepNodeKind kind;
  guint64 n_steps;
  gint64 time_ns, own_ns;
} OpOnPath;

static int
compare_ops (gconstpointer a, gconstpointer b)
{
  const OpOnPath *x = a, *y = b;

  if (x->time_ns != y->time_ns)
    return x->time_ns > y->time_ns ? -1 : 1;
  return strcmp (x->name, y->name);
}

static GArray *
sum_ops (const TtSimulation *self)
{
  GArray *ops = g_array_new (FALSE, FALSE, sizeof (OpOnPath));
  g_autoptr (GHashTable) numbers = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->path->hops->len; i++)
    {
      const TtStepHop *step = step_at (self, i);
      const TtStepNode *node = tt_step_node (self->graph, step->node);
      guint number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, node->name));

      if (number == 0)
        {
          OpOnPath op = { .name = node->name, .kind = node->kind };
          g_array_append_val (ops, op);
          number = ops->len;
          g_hash_table_insert (numbers, (gpointer) node->name, GUINT_TO_POINTER (number));
        }
      OpOnPath *op = &g_array_index (ops, OpOnPath, number - 1);
      op->n_steps++;
      op->time_ns += step->cost_ns;
      op->own_ns += MIN (step->cost_ns, tt_schedule_end_ns (self->schedule, step->node) -
                                            tt_schedule_start_ns (self->schedule, step->node));
    }
  g_array_sort (ops, compare_ops);
  return ops;
}

static void
add_op (TtReport *report, const OpOnPath *op, gint64 length_ns)
{
  tt_report_int (report, op->time_ns);
  tt_report_real (report, percent (op->time_ns, length_ns));
  tt_report_int (report, op->time_ns - op->own_ns);
  tt_report_int (report, (gint64) op->n_steps);
  if (op->kind < TT_N_STEP_NODE_KINDS)
    tt_report_text (report, tt_step_node_kind_text (op->kind));
  else
    tt_report_empty (report);
  tt_report_text (report, op->name);
}

TtReport *
tt_simulate_op_table (const TtSimulation *self, guint top, TtUnit unit)
{
  TtReport *report = tt_report_new (unit);
  g_autoptr (GArray) ops = sum_ops (self);
  guint n = top == 0 ? ops->len : MIN (top, ops->len);

  tt_report_column (report, TT_COLUMN_TIME, "On path", "on_path");
  tt_report_column (report, TT_COLUMN_PERCENT, "Path %", "path_percent");
  tt_report_column (report, TT_COLUMN_TIME, "Gaps", "gaps");
  tt_report_column (report, TT_COLUMN_COUNT, "Times", "n_on_path");
  tt_report_column (report, TT_COLUMN_WORD, "Kind", "kind");
  tt_report_column (report, TT_COLUMN_TEXT, "Operation", "name");
  for (guint i = 0; i < n; i++)
    add_op (report, &g_array_index (ops, OpOnPath, i), self->path->length_ns);
  if (n < ops->len)
    {
      g_autofree char *text = g_strdup_printf ("(%u more operations)", ops->len - n);
      OpOnPath rest = { .name = text, .kind = TT_N_STEP_NODE_KINDS };
      for (guint i = n; i < ops->len; i++)
        {
          const OpOnPath *op = &g_array_index (ops, OpOnPath, i);
          rest.n_steps += op->n_steps;
          rest.time_ns += op->time_ns;
          rest.own_ns += op->own_ns;
        }
      add_op (report, &rest, self->path->length_ns);
    }
  return report;
}

TtReport *
tt_simulate_step_table (const TtSimulation *self, guint top, TtUnit unit)
{
  static const char *const reasons[] = {
    [TT_STEP_HOP_START] = "begin", [TT_STEP_HOP_DEPENDENCY] = "needs it", [TT_STEP_HOP_DEVICE] = "device busy"
  };
  TtReport *report = tt_report_new (unit);
  guint n = top == 0 ? self->path->hops->len : MIN (top, self->path->hops->len);

  tt_report_column (report, TT_COLUMN_TIME, "Begin", "begin");
  tt_report_column (report, TT_COLUMN_TIME, "Takes", "dur");
  tt_report_column (report, TT_COLUMN_TIME, "On path", "on_path");
  tt_report_column (report, TT_COLUMN_WORD, "After the one before", "reason");
  tt_report_column (report, TT_COLUMN_WORD, "Kind", "kind");
  tt_report_column (report, TT_COLUMN_TEXT, "Operation", "op_long_name");
  for (guint i = 0; i < n; i++)
    {
      const TtStepHop *step = step_at (self, i);
      g_autofree char *name = tt_step_node_long_name (self->graph, step->node);
      gint64 begin_ns = tt_schedule_start_ns (self->schedule, step->node);

      tt_report_int (report, begin_ns);
      tt_report_int (report, tt_schedule_end_ns (self->schedule, step->node) - begin_ns);
      tt_report_int (report, step->cost_ns);
      tt_report_text (report, reasons[step->reason]);
      tt_report_text (report, tt_step_node_kind_text (tt_step_node (self->graph, step->node)->kind));
      tt_report_text (report, name);
    }
  if (n < self->path->hops->len)
    {
      g_autofree char *more = g_strdup_printf ("and %u more", self->path->hops->len - n);
      tt_report_footer (report, more);
    }
  return report;
}

/* -- sweep --------------------------------------------------------------------------------------------- */

TtReport *
tt_simulate_sweep_table (const GArray *rows, gint64 mean_ns, guint top, TtUnit unit)
{
  TtReport *report = tt_report_new (unit);
  const char *field = NULL;
  guint n_shown = 0, n_hidden = 0;

  tt_report_column (report, TT_COLUMN_TIME, "Predicted", "predicted");
  tt_report_column (report, TT_COLUMN_TIME, "Gain", "gain");
  tt_report_column (report, TT_COLUMN_PERCENT, "Gain %", "gain_percent");
  tt_report_column (report, TT_COLUMN_COUNT, "Operations", "n_operations");
  tt_report_column (report, TT_COLUMN_WORD, "Field", "field");
  tt_report_column (report, TT_COLUMN_TEXT, "Shorter", "value");
  for (guint i = 0; i < rows->len; i++)
    {
      const TtSweepRow *row = &g_array_index (rows, TtSweepRow, i);

      if (field == NULL || strcmp (field, row->field) != 0)
        n_shown = 0;
      field = row->field;
      if (top > 0 && n_shown == top)
        {
          n_hidden++;
          continue;
        }
      n_shown++;
      tt_report_int (report, row->iteration_ns);
      tt_report_int (report, mean_ns - row->iteration_ns);
      tt_report_real (report, percent (mean_ns - row->iteration_ns, mean_ns));
      tt_report_int (report, row->n_nodes);
      tt_report_text (report, row->field);
      tt_report_text (report, row->value);
    }
  if (n_hidden > 0)
    {
      g_autofree char *more = g_strdup_printf ("and %u more", n_hidden);
      tt_report_footer (report, more);
    }
  return report;
}
