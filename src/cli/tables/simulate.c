/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/simulate.h"

#include <string.h>

#include "src/base/compare.h"

static double
percent_of (gint64 part, gint64 whole)
{
  return whole > 0 ? 100.0 * (double) part / (double) whole : 0.0;
}

static const TtStepHop *
step_at (const TtSimulation *self, guint i)
{
  return &g_array_index (self->path->hops, TtStepHop, i);
}

static gint64
duration_ns (const TtSimulation *self, guint32 node)
{
  return tt_schedule_end_ns (self->schedule, node) - tt_schedule_start_ns (self->schedule, node);
}

/* -- ranks --------------------------------------------------------------------------------------------- */

/* A rank, or a link between ranks: its lane in the schedule. */
#define MAX_RANKS 30

typedef struct
{
  const char *pid;
  gboolean is_link;
  gint64 before_ns, predicted_ns, busy_ns, on_path_ns;
} Lane;

typedef struct
{
  gboolean has_before, has_links;
  gint64 path_ns;
} LaneContext;

typedef enum
{
  LANE_BEFORE,
  LANE_PREDICTED,
  LANE_CHANGE,
  LANE_BUSY,
  LANE_ON_PATH,
  LANE_SHARE,
  LANE_PID,
} LaneFact;

static TtReportCell
lane_fact (const TtReportField *self, const void *row, const void *context)
{
  const Lane *lane = row;

  switch ((LaneFact) self->id)
    {
    case LANE_BEFORE:
      return lane->is_link ? tt_cell_empty () : tt_cell_int (lane->before_ns);
    case LANE_PREDICTED:
      return lane->is_link ? tt_cell_empty () : tt_cell_int (lane->predicted_ns);
    case LANE_CHANGE:
      return lane->is_link ? tt_cell_empty ()
                           : tt_cell_real (percent_of (lane->predicted_ns - lane->before_ns, lane->before_ns));
    case LANE_BUSY:
      return tt_cell_int (lane->busy_ns);
    case LANE_ON_PATH:
      return tt_cell_int (lane->on_path_ns);
    case LANE_SHARE:
      return tt_cell_real (percent_of (lane->on_path_ns, ((const LaneContext *) context)->path_ns));
    case LANE_PID:
      return tt_cell_text (lane->pid);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static gboolean
has_before (const TtReportField *self, const void *context)
{
  return ((const LaneContext *) context)->has_before;
}

static gboolean
has_links (const TtReportField *self, const void *context)
{
  return ((const LaneContext *) context)->has_links;
}

static gboolean
has_no_links (const TtReportField *self, const void *context)
{
  return !((const LaneContext *) context)->has_links;
}

static const TtReportField lane_fields[] = {
  { TT_COLUMN_TIME, "Before", "before", lane_fact, LANE_BEFORE, .is_shown = has_before },
  { TT_COLUMN_TIME, "Predicted", "predicted", lane_fact, LANE_PREDICTED },
  { TT_COLUMN_PERCENT, "Change %", "change_percent", lane_fact, LANE_CHANGE, .is_shown = has_before },
  { TT_COLUMN_TIME, "Busy", "computing", lane_fact, LANE_BUSY, .is_shown = has_links },
  { TT_COLUMN_TIME, "Computing", "computing", lane_fact, LANE_BUSY, .is_shown = has_no_links },
  { TT_COLUMN_TIME, "On path", "on_path", lane_fact, LANE_ON_PATH },
  { TT_COLUMN_PERCENT, "Path %", "path_percent", lane_fact, LANE_SHARE },
  { TT_COLUMN_WORD, "Pid", "pid", lane_fact, LANE_PID },
};

/* A rank is busy with computation only, a link with all it carries. */
static gboolean
is_busy (const TtSimulation *self, const TtStepNode *node)
{
  return node->rank >= self->graph->n_ranks || node->kind == TT_STEP_NODE_FW || node->kind == TT_STEP_NODE_BW ||
         node->kind == TT_STEP_NODE_UPDATE || node->kind == TT_STEP_NODE_OUTPUT || node->kind == TT_STEP_NODE_COMPUTE;
}

/* Of a recording only what one step shows. */
static gboolean
is_counted (const TtSimulation *self, guint32 node)
{
  gint64 start_ns = tt_schedule_start_ns (self->schedule, node);

  return self->recording == NULL || (start_ns >= self->from_ns && start_ns < self->until_ns);
}

static void
sum_lanes (const TtSimulation *self, Lane *lanes)
{
  for (guint i = 0; i < self->path->hops->len; i++)
    lanes[tt_step_node (self->graph, step_at (self, i)->node)->rank].on_path_ns += step_at (self, i)->cost_ns;
  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (self->graph, i);

      if (node->rank != TT_STEP_NO_RANK && is_busy (self, node) && is_counted (self, i))
        lanes[node->rank].busy_ns += duration_ns (self, i);
    }
}

TtReport *
tt_simulate_rank_table (const TtSimulation *self, const gint64 *before_ns, const TtReportView *view)
{
  guint n = self->graph->n_endpoints;
  const LaneContext context = { before_ns != NULL, n > self->graph->n_ranks, self->path->length_ns };
  TtReport *report = tt_report_of_fields (lane_fields, G_N_ELEMENTS (lane_fields), view, &context);
  g_autofree Lane *lanes = g_new0 (Lane, n);

  /* Ranks and links, of which one wants more than of operations. */
  TtReportView ranks = *view;
  if (view->is_top_default)
    ranks.top = MAX_RANKS;
  tt_report_limit (report, &ranks);
  sum_lanes (self, lanes);
  for (guint i = 0; i < n; i++)
    {
      lanes[i].pid = self->graph->pids[i];
      lanes[i].is_link = i >= self->graph->n_ranks;
      if (!lanes[i].is_link)
        {
          lanes[i].before_ns = before_ns == NULL ? 0 : before_ns[i];
          lanes[i].predicted_ns = self->iterations_ns[i];
        }
      tt_report_row (report, &lanes[i]);
    }
  return report;
}

/* -- kinds --------------------------------------------------------------------------------------------- */

typedef struct
{
  TtStepNodeKind kind;
  guint64 n_nodes, n_steps;
  tt_int128 sum_ns;
  gint64 path_ns;
} Part;

typedef enum
{
  PART_ON_PATH,
  PART_SHARE,
  PART_STEPS,
  PART_NODES,
  PART_MEAN,
  PART_KIND,
} PartFact;

/* @context of all tables below: the TtSimulation. */
static TtReportCell
part_fact (const TtReportField *self, const void *row, const void *context)
{
  const TtSimulation *simulation = context;
  const Part *part = row;

  switch ((PartFact) self->id)
    {
    case PART_ON_PATH:
      return tt_cell_int (part->path_ns);
    case PART_SHARE:
      return tt_cell_real (percent_of (part->path_ns, simulation->path->length_ns));
    case PART_STEPS:
      return tt_cell_int (part->n_steps);
    case PART_NODES:
      return tt_cell_int (part->n_nodes);
    case PART_MEAN:
      return tt_cell_real ((double) part->sum_ns / simulation->graph->n_ranks);
    case PART_KIND:
      return tt_cell_text (tt_step_node_kind_text (part->kind));
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static const TtReportField part_fields[] = {
  { TT_COLUMN_TIME, "On path", "on_path", part_fact, PART_ON_PATH },
  { TT_COLUMN_PERCENT, "Path %", "path_percent", part_fact, PART_SHARE },
  { TT_COLUMN_COUNT, "Of them there", "n_on_path", part_fact, PART_STEPS },
  { TT_COLUMN_COUNT, "Operations", "n_operations", part_fact, PART_NODES },
  { TT_COLUMN_TIME, "Time a rank", "rank_mean", part_fact, PART_MEAN },
  { TT_COLUMN_WORD, "Kind", "kind", part_fact, PART_KIND },
};

TtReport *
tt_simulate_kind_table (const TtSimulation *self, const TtReportView *view)
{
  TtReport *report = tt_report_of_fields (part_fields, G_N_ELEMENTS (part_fields), view, self);
  Part parts[TT_N_STEP_NODE_KINDS] = { 0 };

  for (guint32 i = 0; i < self->graph->nodes->len; i++)
    {
      Part *part = &parts[tt_step_node (self->graph, i)->kind];
      if (!is_counted (self, i))
        continue;
      part->n_nodes += !tt_step_node (self->graph, i)->is_rest;
      part->sum_ns += duration_ns (self, i);
    }
  for (guint i = 0; i < self->path->hops->len; i++)
    {
      Part *part = &parts[tt_step_node (self->graph, step_at (self, i)->node)->kind];
      part->n_steps++;
      part->path_ns += step_at (self, i)->cost_ns;
    }
  for (TtStepNodeKind kind = 0; kind < TT_STEP_NODE_END; kind++)
    {
      parts[kind].kind = kind;
      if (parts[kind].n_nodes > 0)
        tt_report_row (report, &parts[kind]);
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
  int order = TT_COMPARE (y->time_ns, x->time_ns);

  return order != 0 ? order : strcmp (x->name, y->name);
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
      op->own_ns += MIN (step->cost_ns, duration_ns (self, step->node));
    }
  g_array_sort (ops, compare_ops);
  return ops;
}

typedef enum
{
  OP_TIME,
  OP_SHARE,
  OP_GAPS,
  OP_TIMES,
  OP_KIND,
  OP_NAME,
} OpFact;

static TtReportCell
op_fact (const TtReportField *self, const void *row, const void *context)
{
  const OpOnPath *op = row;

  switch ((OpFact) self->id)
    {
    case OP_TIME:
      return tt_cell_int (op->time_ns);
    case OP_SHARE:
      return tt_cell_real (percent_of (op->time_ns, ((const TtSimulation *) context)->path->length_ns));
    case OP_GAPS:
      return tt_cell_int (op->time_ns - op->own_ns);
    case OP_TIMES:
      return tt_cell_int (op->n_steps);
    case OP_KIND:
      return op->kind < TT_N_STEP_NODE_KINDS ? tt_cell_text (tt_step_node_kind_text (op->kind)) : tt_cell_empty ();
    case OP_NAME:
      return tt_cell_text (op->name);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static const TtReportField op_fields[] = {
  { TT_COLUMN_TIME, "On path", "on_path", op_fact, OP_TIME },
  { TT_COLUMN_PERCENT, "Path %", "path_percent", op_fact, OP_SHARE },
  { TT_COLUMN_TIME, "Gaps", "gaps", op_fact, OP_GAPS },
  { TT_COLUMN_COUNT, "Times", "n_on_path", op_fact, OP_TIMES },
  { TT_COLUMN_WORD, "Kind", "kind", op_fact, OP_KIND },
  { TT_COLUMN_TEXT, "Operation", "name", op_fact, OP_NAME },
};

TtReport *
tt_simulate_op_table (const TtSimulation *self, const TtReportView *view)
{
  TtReport *report = tt_report_of_fields (op_fields, G_N_ELEMENTS (op_fields), view, self);
  g_autoptr (GArray) ops = sum_ops (self);
  guint n = view->top == 0 ? ops->len : MIN (view->top, ops->len);

  for (guint i = 0; i < n; i++)
    tt_report_row (report, &g_array_index (ops, OpOnPath, i));
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
      tt_report_row (report, &rest);
    }
  return report;
}

/* -- the path -------------------------------------------------------------------------------------------- */

typedef enum
{
  HOP_START,
  HOP_DURATION,
  HOP_COST,
  HOP_REASON,
  HOP_KIND,
  HOP_NAME,
} HopFact;

static TtReportCell
hop_fact (const TtReportField *self, const void *row, const void *context)
{
  static const char *const reasons[] = {
    [TT_STEP_HOP_START] = "begin", [TT_STEP_HOP_DEPENDENCY] = "needs it", [TT_STEP_HOP_DEVICE] = "device busy"
  };
  const TtSimulation *simulation = context;
  const TtStepHop *hop = row;

  switch ((HopFact) self->id)
    {
    case HOP_START:
      return tt_cell_int (tt_schedule_start_ns (simulation->schedule, hop->node));
    case HOP_DURATION:
      return tt_cell_int (duration_ns (simulation, hop->node));
    case HOP_COST:
      return tt_cell_int (hop->cost_ns);
    case HOP_REASON:
      return tt_cell_text (reasons[hop->reason]);
    case HOP_KIND:
      return tt_cell_text (tt_step_node_kind_text (tt_step_node (simulation->graph, hop->node)->kind));
    case HOP_NAME:
      return tt_cell_take (tt_step_node_long_name (simulation->graph, hop->node));
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static const TtReportField hop_fields[] = {
  { TT_COLUMN_TIME, "Begin", "begin", hop_fact, HOP_START, .is_moment = TRUE },
  { TT_COLUMN_TIME, "Takes", "dur", hop_fact, HOP_DURATION },
  { TT_COLUMN_TIME, "On path", "on_path", hop_fact, HOP_COST },
  { TT_COLUMN_WORD, "After the one before", "reason", hop_fact, HOP_REASON },
  { TT_COLUMN_WORD, "Kind", "kind", hop_fact, HOP_KIND },
  { TT_COLUMN_TEXT, "Operation", "op_long_name", hop_fact, HOP_NAME },
};

static void
add_footer (TtReport *report, const TtReportView *view, guint n_more)
{
  if (n_more == 0)
    return;
  g_autofree char *more = tt_report_more (view, n_more, NULL);
  tt_report_footer (report, more);
}

TtReport *
tt_simulate_step_table (const TtSimulation *self, const TtReportView *view)
{
  TtReport *report = tt_report_of_fields (hop_fields, G_N_ELEMENTS (hop_fields), view, self);
  guint n = view->top == 0 ? self->path->hops->len : MIN (view->top, self->path->hops->len);

  for (guint i = 0; i < n; i++)
    tt_report_row (report, step_at (self, i));
  add_footer (report, view, self->path->hops->len - n);
  return report;
}
