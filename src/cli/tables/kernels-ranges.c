/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/kernel-cells.h"

#include "analyzers/kernels/range-kernels.h"
#include "analyzers/kernels/range-tree.h"
#include "src/base/compare.h"

/*
 * nvtx_pushpop_trace and nvtx_kern_sum of `nsys stats`: columns, their order and words as its csv has them. Times are
 * nanoseconds, moments since the run began.
 */

static TtReportCell
range_name (TtStore *store, guint32 id)
{
  const TtStoredName *name = id == 0 ? NULL : tt_store_name (store, id);

  return name == NULL ? tt_cell_empty () : tt_cell_take (tt_kernel_range_text (name));
}

/* -- range by range ------------------------------------------------------------------------------------------------- */

typedef struct
{
  TtKernelContext kernels;
  const GArray *nodes; /* of TtRangeNode */
} TraceContext;

typedef enum
{
  START,
  END,
  DURATION,
  CHILDREN,
  REST,
  LEVEL,
  N_CHILDREN,
  ID,
  PARENT,
} NumberCell;

static TtReportCell
node_number (const TtReportField *self, const void *row, const void *context)
{
  gint64 first_ns = ((const TraceContext *) context)->kernels.first_ns;
  const TtRangeNode *node = row;
  gint64 length_ns = node->range->end_ns - node->range->begin_ns;

  switch ((NumberCell) self->id)
    {
    case START:
      return tt_cell_int (node->range->begin_ns - first_ns);
    case END:
      return tt_cell_int (node->range->end_ns - first_ns);
    case DURATION:
      return tt_cell_int (length_ns);
    case CHILDREN:
      return tt_cell_int (node->children_ns);
    case REST:
      return tt_cell_int (length_ns - node->children_ns);
    case LEVEL:
      return tt_cell_int (node->level);
    case N_CHILDREN:
      return tt_cell_int (node->n_children);
    case ID:
      return tt_cell_int (node->id);
    case PARENT:
      return node->parent == 0 ? tt_cell_empty () : tt_cell_int (node->parent);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

typedef enum
{
  NAME,
  PID,
  TID,
  STACK,
  TREE,
} WordCell;

/* ":5:6", from the outermost. */
static char *
stack_text (const GArray *nodes, const TtRangeNode *node)
{
  GString *text = g_string_new (NULL);
  g_autofree guint *ids = g_new (guint, (gsize) node->level + 1);
  guint n = 0;

  /* A level is the number of parents. */
  for (; node != NULL; node = node->parent == 0 ? NULL : &g_array_index (nodes, TtRangeNode, node->parent - 1))
    ids[n++] = node->id;
  while (n > 0)
    g_string_append_printf (text, ":%u", ids[--n]);
  return g_string_free (text, FALSE);
}

static TtReportCell
node_word (const TtReportField *self, const void *row, const void *context)
{
  const TraceContext *of = context;
  const TtRangeNode *node = row;
  TtStore *store = of->kernels.store;

  switch ((WordCell) self->id)
    {
    case NAME:
      return range_name (store, node->range->name);
    case PID:
      return tt_kernel_pid_cell (store, node->range->thread);
    case TID:
      return tt_kernel_tid_cell (store, node->range->thread);
    case STACK:
      return tt_cell_take (stack_text (of->nodes, node));
    case TREE:
      {
        const TtStoredName *name = tt_store_name (store, node->range->name);
        g_autofree char *text = name == NULL ? g_strdup ("") : tt_kernel_range_text (name);
        GString *tree = g_string_new (NULL);

        for (guint i = 0; i < node->level; i++)
          g_string_append (tree, "--");
        return tt_cell_take (g_string_free (g_string_append (tree, text), FALSE));
      }
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static const TtReportField trace_fields[] = {
  { TT_COLUMN_COUNT, "Start (ns)", "Start (ns)", node_number, START },
  { TT_COLUMN_COUNT, "End (ns)", "End (ns)", node_number, END, .min_width = 130 },
  { TT_COLUMN_COUNT, "Duration (ns)", "Duration (ns)", node_number, DURATION },
  { TT_COLUMN_COUNT, "DurChild (ns)", "DurChild (ns)", node_number, CHILDREN, .min_width = 130 },
  { TT_COLUMN_COUNT, "DurNonChild (ns)", "DurNonChild (ns)", node_number, REST, .min_width = 100 },
  { TT_COLUMN_TEXT, "Name", "Name", node_word, NAME, .min_width = 160 },
  { TT_COLUMN_WORD, "PID", "PID", node_word, PID, .min_width = 110 },
  { TT_COLUMN_WORD, "TID", "TID", node_word, TID },
  { TT_COLUMN_COUNT, "Lvl", "Lvl", node_number, LEVEL, .min_width = 150 },
  { TT_COLUMN_COUNT, "NumChild", "NumChild", node_number, N_CHILDREN, .min_width = 150 },
  { TT_COLUMN_COUNT, "RangeId", "RangeId", node_number, ID, .min_width = 140 },
  { TT_COLUMN_COUNT, "ParentId", "ParentId", node_number, PARENT, .min_width = 140 },
  { TT_COLUMN_WORD, "RangeStack", "RangeStack", node_word, STACK, .min_width = 170 },
  { TT_COLUMN_TEXT, "NameTree", "NameTree", node_word, TREE },
};

TtReport *
tt_range_trace_table (TtStore *store, const TtKernels *kernels, const TtReportView *view)
{
  g_autoptr (GArray) nodes = tt_range_tree (kernels->events);
  const TraceContext context = { { .store = store, .first_ns = kernels->first_ns }, nodes };
  TtReport *report = tt_report_of_fields (trace_fields, G_N_ELEMENTS (trace_fields), view, &context);

  tt_kernel_add_rows (report, nodes, view);
  return report;
}

/* -- kernels by range ----------------------------------------------------------------------------------------------- */

typedef enum
{
  RANGE,
  STYLE,
  OF_PROCESS,
  OF_THREAD,
  KERNEL,
} KernelWord;

static TtReportCell
kernel_word (const TtReportField *self, const void *data, const void *context)
{
  TtStore *store = ((const TtKernelContext *) context)->store;
  const TtRangeKernelRow *row = data;

  switch ((KernelWord) self->id)
    {
    case RANGE:
      return range_name (store, row->range);
    case STYLE:
      return row->range == 0 ? tt_cell_empty () : tt_cell_text (row->is_async ? "StartEnd" : "PushPop");
    case OF_PROCESS:
      return tt_kernel_pid_cell (store, row->thread);
    case OF_THREAD:
      return tt_kernel_tid_cell (store, row->thread);
    case KERNEL:
      return tt_kernel_name_cell (store, row->kernel, TRUE);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static TtReportCell
kernel_count (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (self->id == 0 ? ((const TtRangeKernelRow *) row)->n_ranges
                                    : ((const TtRangeKernelRow *) row)->n_kernels);
}

static TtReportCell
kernel_time (const TtReportField *self, const void *row, const void *context)
{
  return tt_spread_cell (self->id, ((const TtRangeKernelRow *) row)->time, 0);
}

static const TtReportField kernel_fields[] = {
  { TT_COLUMN_TEXT, "NVTX Range", "NVTX Range", kernel_word, RANGE },
  { TT_COLUMN_WORD, "Style", "Style", kernel_word, STYLE, .min_width = 110 },
  { TT_COLUMN_WORD, "PID", "PID", kernel_word, OF_PROCESS, .min_width = 120 },
  { TT_COLUMN_WORD, "TID", "TID", kernel_word, OF_THREAD, .min_width = 120 },
  { TT_COLUMN_COUNT, "NVTX Inst", "NVTX Inst", kernel_count, 0 },
  { TT_COLUMN_COUNT, "Kern Inst", "Kern Inst", kernel_count, 1 },
  { TT_COLUMN_COUNT, "Total Time (ns)", "Total Time (ns)", kernel_time, TT_SPREAD_TOTAL },
  { TT_COLUMN_REAL, "Avg (ns)", "Avg (ns)", kernel_time, TT_SPREAD_AVG, .min_width = 100 },
  { TT_COLUMN_REAL, "Med (ns)", "Med (ns)", kernel_time, TT_SPREAD_MEDIAN, .min_width = 130 },
  { TT_COLUMN_COUNT, "Min (ns)", "Min (ns)", kernel_time, TT_SPREAD_MIN, .min_width = 140 },
  { TT_COLUMN_COUNT, "Max (ns)", "Max (ns)", kernel_time, TT_SPREAD_MAX, .min_width = 140 },
  { TT_COLUMN_REAL, "StdDev (ns)", "StdDev (ns)", kernel_time, TT_SPREAD_STDDEV, .min_width = 150 },
  { TT_COLUMN_TEXT, "Kernel Name", "Kernel Name", kernel_word, KERNEL },
};

/* By range, those of none first, process and thread, then by time, as nsys has it. */
static int
compare_rows (gconstpointer a, gconstpointer b, gpointer store)
{
  const TtRangeKernelRow *x = a, *y = b;
  TtReportCell first = range_name (store, x->range), second = range_name (store, y->range);
  int order =
      g_strcmp0 (first.kind == TT_REPORT_TEXT ? first.text : NULL, second.kind == TT_REPORT_TEXT ? second.text : NULL);

  g_free (first.owned);
  g_free (second.owned);
  if (order == 0)
    order = TT_COMPARE (x->thread, y->thread);
  if (order == 0)
    order = TT_COMPARE (y->time->sum, x->time->sum);
  if (order == 0)
    order = TT_COMPARE (x->is_async, y->is_async);
  return order != 0 ? order : TT_COMPARE (x->kernel, y->kernel);
}

TtReport *
tt_range_kernel_table (TtStore *store, const TtKernels *kernels, const TtReportView *view)
{
  g_autoptr (TtRangeKernels) counted = tt_range_kernels_new (kernels->events, kernels->exec_list);
  const TtKernelContext context = { .store = store };

  g_autoptr (GArray) rows = g_array_copy ((GArray *) tt_range_kernels_rows (counted));
  g_array_sort_with_data (rows, compare_rows, store);
  TtReport *report = tt_report_of_fields (kernel_fields, G_N_ELEMENTS (kernel_fields), view, &context);

  tt_kernel_add_rows (report, rows, view);
  return report;
}
