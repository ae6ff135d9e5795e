/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/kernel-cells.h"

#include <string.h>

#include "analyzers/kernels/names.h"

/*
 * Reports of `nsys stats`: columns, their order and words as its Post-Collection Analysis Guide lists them and its csv has
 * them. Times are nanoseconds, whatever --unit says; StdDev is that of the sample.
 */

/* -- summaries of times ------------------------------------------------------------------------------------------- */

typedef enum
{
  OF_KERNEL,
  OF_COPY,
  OF_CALL,
  OF_RANGE,
  OF_MPI,
} RowKind;

typedef struct
{
  RowKind kind;
  guint32 name;
  gboolean is_async;
  const TtSpread *time;
} NsysRow;

static void
add_kernel_rows (GArray *rows, const GArray *from, RowKind kind)
{
  for (guint i = 0; i < from->len; i++)
    {
      const TtKernelRow *row = &g_array_index (from, TtKernelRow, i);
      const NsysRow found = { kind, row->name, FALSE, row->time };

      g_array_append_val (rows, found);
    }
}

static void
add_copy_rows (GArray *rows, const GArray *from)
{
  for (guint i = 0; i < from->len; i++)
    {
      const TtCopyRow *row = &g_array_index (from, TtCopyRow, i);
      const NsysRow found = { OF_COPY, row->name, FALSE, row->time };

      g_array_append_val (rows, found);
    }
}

static void
add_range_rows (GArray *rows, const GArray *from, gboolean with_nested, gboolean with_async)
{
  for (guint i = 0; i < from->len; i++)
    {
      const TtRangeRow *row = &g_array_index (from, TtRangeRow, i);
      const NsysRow found = { OF_RANGE, row->name, row->is_async, row->time };

      if (row->time->n > 0 && (row->is_async ? with_async : with_nested))
        g_array_append_val (rows, found);
    }
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const NsysRow *x = a, *y = b;

  if (x->time->sum != y->time->sum)
    return x->time->sum < y->time->sum ? 1 : -1;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  if (x->name != y->name)
    return x->name < y->name ? -1 : 1;
  return x->is_async - y->is_async;
}

/* Free it. */
static GArray *
find_rows (const TtKernels *kernels, TtKernelTable table)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (NsysRow));

  if (table == TT_NSYS_KERN_SUM || table == TT_NSYS_GPU_SUM || table == TT_NSYS_API_GPU_SUM)
    add_kernel_rows (rows, kernels->kernels, OF_KERNEL);
  if (table == TT_NSYS_MEM_TIME_SUM || table == TT_NSYS_GPU_SUM || table == TT_NSYS_API_GPU_SUM)
    add_copy_rows (rows, kernels->copies);
  if (table == TT_NSYS_API_SUM || table == TT_NSYS_API_GPU_SUM)
    add_kernel_rows (rows, kernels->api, OF_CALL);
  if (table == TT_NSYS_OSRT_SUM)
    add_kernel_rows (rows, kernels->os, OF_CALL);
  if (table == TT_NSYS_OPENMP_SUM)
    add_kernel_rows (rows, kernels->openmp, OF_CALL);
  if (table == TT_NSYS_MPI_EVENT_SUM)
    add_kernel_rows (rows, kernels->mpi, OF_MPI);
  if (table == TT_NSYS_NVTX_SUM || table == TT_NSYS_NVTX_PUSHPOP_SUM || table == TT_NSYS_NVTX_STARTEND_SUM)
    add_range_rows (rows, kernels->ranges, table != TT_NSYS_NVTX_STARTEND_SUM, table != TT_NSYS_NVTX_PUSHPOP_SUM);
  g_array_sort (rows, compare_rows);
  return rows;
}

static TtReportCell
nsys_time (const TtReportField *self, const void *row, const void *context)
{
  return tt_spread_cell (self->id, ((const NsysRow *) row)->time, ((const TtKernelContext *) context)->total);
}

static TtReportCell
nsys_name (const TtReportField *self, const void *row, const void *context)
{
  const NsysRow *found = row;
  const TtStoredName *name = tt_store_name (((const TtKernelContext *) context)->store, found->name);

  if (name == NULL)
    return tt_cell_empty ();
  if (found->kind == OF_COPY)
    return tt_cell_take (tt_copy_operation (name));
  if (found->kind == OF_RANGE)
    return tt_cell_take (tt_kernel_range_text (name));
  /* TAU writes "MPI_Send()". */
  if (found->kind == OF_MPI && name->raw != NULL && g_str_has_suffix (name->raw, "()"))
    return tt_cell_take (g_strndup (name->raw, strlen (name->raw) - 2));
  return tt_kernel_name_cell (((const TtKernelContext *) context)->store, found->name, TRUE);
}

static TtReportCell
nsys_category (const TtReportField *self, const void *row, const void *context)
{
  RowKind kind = ((const NsysRow *) row)->kind;

  return tt_cell_text (kind == OF_KERNEL ? "CUDA_KERNEL" : kind == OF_COPY ? "MEMORY_OPER" : "CUDA_API");
}

static TtReportCell
nsys_style (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const NsysRow *) row)->is_async ? "StartEnd" : "PushPop");
}

/* By the function: what table of nsys it came from is not kept. */
static TtReportCell
nsys_mpi_source (const TtReportField *self, const void *row, const void *context)
{
  const TtStoredName *name = tt_store_name (((const TtKernelContext *) context)->store, ((const NsysRow *) row)->name);
  const char *raw = name == NULL || name->raw == NULL ? "" : name->raw, *sub_op = name == NULL ? NULL : name->sub_op;
  const char *function = strstr (raw, "MPI_");

  function = function == NULL ? raw : function + 4;
  if (g_str_has_prefix (function, "Wait") || g_str_has_prefix (function, "Start") || g_str_has_prefix (function, "Test"))
    return tt_cell_text ("start-wait");
  if (g_strcmp0 (sub_op, "SEND") == 0 || g_strcmp0 (sub_op, "RECV") == 0 || g_strcmp0 (sub_op, "SENDRECV") == 0)
    return tt_cell_text ("p2p");
  if (sub_op != NULL || g_str_has_prefix (function, "Barrier") || g_str_has_prefix (function, "Ibarrier"))
    return tt_cell_text ("collectives");
  return tt_cell_text ("other");
}

#define TIMES(count)                                                          \
  { TT_COLUMN_PERCENT, "Time (%)", "Time (%)", nsys_time, TT_SPREAD_PERCENT }, \
  { TT_COLUMN_COUNT, "Total Time (ns)", "Total Time (ns)", nsys_time, TT_SPREAD_TOTAL }, \
  { TT_COLUMN_COUNT, count, count, nsys_time, TT_SPREAD_COUNT },              \
  { TT_COLUMN_REAL, "Avg (ns)", "Avg (ns)", nsys_time, TT_SPREAD_AVG },       \
  { TT_COLUMN_REAL, "Med (ns)", "Med (ns)", nsys_time, TT_SPREAD_MEDIAN },    \
  { TT_COLUMN_COUNT, "Min (ns)", "Min (ns)", nsys_time, TT_SPREAD_MIN },      \
  { TT_COLUMN_COUNT, "Max (ns)", "Max (ns)", nsys_time, TT_SPREAD_MAX },      \
  { TT_COLUMN_REAL, "StdDev (ns)", "StdDev (ns)", nsys_time, TT_SPREAD_STDDEV }

static const TtReportField instance_fields[] = {
  TIMES ("Instances"),
  { TT_COLUMN_TEXT, "Name", "Name", nsys_name },
};
static const TtReportField call_fields[] = {
  TIMES ("Num Calls"),
  { TT_COLUMN_TEXT, "Name", "Name", nsys_name },
};
static const TtReportField openmp_fields[] = {
  TIMES ("Count"),
  { TT_COLUMN_TEXT, "Name", "Name", nsys_name },
};
static const TtReportField copy_fields[] = {
  TIMES ("Count"),
  { TT_COLUMN_TEXT, "Operation", "Operation", nsys_name },
};
static const TtReportField category_fields[] = {
  TIMES ("Instances"),
  { TT_COLUMN_WORD, "Category", "Category", nsys_category },
  { TT_COLUMN_TEXT, "Operation", "Operation", nsys_name },
};
static const TtReportField style_fields[] = {
  TIMES ("Instances"),
  { TT_COLUMN_WORD, "Style", "Style", nsys_style },
  { TT_COLUMN_TEXT, "Range", "Range", nsys_name },
};
static const TtReportField range_fields[] = {
  TIMES ("Instances"),
  { TT_COLUMN_TEXT, "Range", "Range", nsys_name },
};
static const TtReportField mpi_fields[] = {
  TIMES ("Instances"),
  { TT_COLUMN_WORD, "Source", "Source", nsys_mpi_source },
  { TT_COLUMN_TEXT, "Name", "Name", nsys_name },
};

/* -- sizes ---------------------------------------------------------------------------------------------------------- */

/* nsys' sizes are megabytes. */
static TtReportCell
size_megabytes (const TtReportField *self, const void *row, const void *context)
{
  TtReportCell cell = tt_spread_cell (self->id, ((const TtCopyRow *) row)->bytes, 0);
  double bytes = cell.kind == TT_REPORT_INTEGER ? (double) cell.integer : cell.real;

  return cell.kind == TT_REPORT_EMPTY ? cell : tt_cell_real (bytes / 1e6);
}

static TtReportCell
size_count (const TtReportField *self, const void *row, const void *context)
{
  return tt_spread_cell (TT_SPREAD_COUNT, ((const TtCopyRow *) row)->bytes, 0);
}

static TtReportCell
size_operation (const TtReportField *self, const void *row, const void *context)
{
  const TtStoredName *name = tt_store_name (((const TtKernelContext *) context)->store, ((const TtCopyRow *) row)->name);

  return name == NULL ? tt_cell_empty () : tt_cell_take (tt_copy_operation (name));
}

static int
compare_sizes (gconstpointer a, gconstpointer b)
{
  const TtCopyRow *x = a, *y = b;

  if (x->bytes->sum != y->bytes->sum)
    return x->bytes->sum < y->bytes->sum ? 1 : -1;
  return x->name < y->name ? -1 : x->name > y->name;
}

/* By size, largest first. Free it. */
static GArray *
sort_sizes (const GArray *copies)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (TtCopyRow));

  if (copies->len > 0)
    g_array_append_vals (rows, copies->data, copies->len);
  g_array_sort (rows, compare_sizes);
  return rows;
}

static const TtReportField size_fields[] = {
  { TT_COLUMN_REAL, "Total (MB)", "Total (MB)", size_megabytes, TT_SPREAD_TOTAL },
  { TT_COLUMN_COUNT, "Count", "Count", size_count },
  { TT_COLUMN_REAL, "Avg (MB)", "Avg (MB)", size_megabytes, TT_SPREAD_AVG },
  { TT_COLUMN_REAL, "Med (MB)", "Med (MB)", size_megabytes, TT_SPREAD_MEDIAN },
  { TT_COLUMN_REAL, "Min (MB)", "Min (MB)", size_megabytes, TT_SPREAD_MIN },
  { TT_COLUMN_REAL, "Max (MB)", "Max (MB)", size_megabytes, TT_SPREAD_MAX },
  { TT_COLUMN_REAL, "StdDev (MB)", "StdDev (MB)", size_megabytes, TT_SPREAD_STDDEV },
  { TT_COLUMN_TEXT, "Operation", "Operation", size_operation },
};

/* -- launches ------------------------------------------------------------------------------------------------------- */

typedef enum
{
  EXEC_PID,
  EXEC_TID,
  EXEC_DEVICE,
  EXEC_CALL,
  EXEC_KERNEL,
} ExecCell;

static TtReportCell
exec_word (const TtReportField *self, const void *row, const void *context)
{
  TtStore *store = ((const TtKernelContext *) context)->store;
  const TtExecRow *exec = row;
  const TtThread *thread = tt_store_thread (store, exec->thread);

  switch ((ExecCell) self->id)
    {
    case EXEC_PID:
      return thread == NULL ? tt_cell_empty () : tt_cell_text (tt_store_process (store, thread->process)->pid);
    case EXEC_TID:
      return thread == NULL ? tt_cell_empty () : tt_cell_text (thread->tid);
    case EXEC_DEVICE:
      return tt_kernel_device_cell (tt_store_process (store, exec->device));
    case EXEC_CALL:
      return tt_kernel_name_cell (store, exec->call, TRUE);
    case EXEC_KERNEL:
      return tt_kernel_name_cell (store, exec->kernel, TRUE);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static TtReportCell
exec_total (const TtReportField *self, const void *row, const void *context)
{
  return tt_spread_cell (self->id, ((const TtExecRow *) row)->total, 0);
}

static TtReportCell
exec_api (const TtReportField *self, const void *row, const void *context)
{
  return tt_spread_cell (self->id, ((const TtExecRow *) row)->api, 0);
}

static TtReportCell
exec_queue (const TtReportField *self, const void *row, const void *context)
{
  return tt_spread_cell (self->id, ((const TtExecRow *) row)->queue, 0);
}

static TtReportCell
exec_time (const TtReportField *self, const void *row, const void *context)
{
  return tt_spread_cell (self->id, ((const TtExecRow *) row)->time, 0);
}

#define EXEC_TIMES(letter, value)                                                           \
  { TT_COLUMN_REAL, letter "Avg (ns)", letter "Avg (ns)", value, TT_SPREAD_AVG },           \
  { TT_COLUMN_REAL, letter "Med (ns)", letter "Med (ns)", value, TT_SPREAD_MEDIAN },        \
  { TT_COLUMN_COUNT, letter "Min (ns)", letter "Min (ns)", value, TT_SPREAD_MIN },          \
  { TT_COLUMN_COUNT, letter "Max (ns)", letter "Max (ns)", value, TT_SPREAD_MAX },          \
  { TT_COLUMN_REAL, letter "StdDev (ns)", letter "StdDev (ns)", value, TT_SPREAD_STDDEV }

static const TtReportField exec_fields[] = {
  { TT_COLUMN_WORD, "PID", "PID", exec_word, EXEC_PID },
  { TT_COLUMN_WORD, "TID", "TID", exec_word, EXEC_TID },
  { TT_COLUMN_WORD, "DevId", "DevId", exec_word, EXEC_DEVICE },
  { TT_COLUMN_COUNT, "Count", "Count", exec_time, TT_SPREAD_COUNT },
  { TT_COLUMN_COUNT, "QCount", "QCount", exec_queue, TT_SPREAD_COUNT },
  EXEC_TIMES ("T", exec_total),
  EXEC_TIMES ("A", exec_api),
  EXEC_TIMES ("Q", exec_queue),
  EXEC_TIMES ("K", exec_time),
  { TT_COLUMN_TEXT, "API Name", "API Name", exec_word, EXEC_CALL },
  { TT_COLUMN_TEXT, "Kernel Name", "Kernel Name", exec_word, EXEC_KERNEL },
};

/* -- grids ----------------------------------------------------------------------------------------------------------- */

static TtReportCell
grid_time (const TtReportField *self, const void *row, const void *context)
{
  return tt_spread_cell (self->id, ((const TtGridRow *) row)->time, ((const TtKernelContext *) context)->total);
}

static TtReportCell
grid_triple (const TtReportField *self, const void *row, const void *context)
{
  const TtKernelConfig *config = &((const TtGridRow *) row)->config;

  return tt_kernel_triple_cell (self->id == 0 ? config->grid : config->block);
}

static TtReportCell
grid_name (const TtReportField *self, const void *row, const void *context)
{
  return tt_kernel_name_cell (((const TtKernelContext *) context)->store, ((const TtGridRow *) row)->name, TRUE);
}

#define nsys_time grid_time
static const TtReportField grid_fields[] = {
  TIMES ("Instances"),
  { TT_COLUMN_WORD, "GridXYZ", "GridXYZ", grid_triple, 0 },
  { TT_COLUMN_WORD, "BlockXYZ", "BlockXYZ", grid_triple, 1 },
  { TT_COLUMN_TEXT, "Name", "Name", grid_name },
};
#undef nsys_time

/* -- tables ---------------------------------------------------------------------------------------------------------- */

typedef struct
{
  const TtReportField *fields;
  guint n_fields;
} Fields;

#define FIELDS(fields) \
  (Fields) { (fields), G_N_ELEMENTS (fields) }

static Fields
fields_of (TtKernelTable table)
{
  switch (table)
    {
    case TT_NSYS_KERN_GB_SUM:
      return FIELDS (grid_fields);
    case TT_NSYS_MEM_TIME_SUM:
      return FIELDS (copy_fields);
    case TT_NSYS_MEM_SIZE_SUM:
      return FIELDS (size_fields);
    case TT_NSYS_GPU_SUM:
    case TT_NSYS_API_GPU_SUM:
      return FIELDS (category_fields);
    case TT_NSYS_API_SUM:
    case TT_NSYS_OSRT_SUM:
      return FIELDS (call_fields);
    case TT_NSYS_OPENMP_SUM:
      return FIELDS (openmp_fields);
    case TT_NSYS_KERN_EXEC_SUM:
      return FIELDS (exec_fields);
    case TT_NSYS_NVTX_SUM:
      return FIELDS (style_fields);
    case TT_NSYS_NVTX_PUSHPOP_SUM:
    case TT_NSYS_NVTX_STARTEND_SUM:
      return FIELDS (range_fields);
    case TT_NSYS_MPI_EVENT_SUM:
      return FIELDS (mpi_fields);
    default:
      return FIELDS (instance_fields);
    }
}

static tt_int128
total_of (const GArray *rows)
{
  tt_int128 total = 0;

  for (guint i = 0; i < rows->len; i++)
    total += g_array_index (rows, NsysRow, i).time->sum;
  return total;
}

TtReport *
tt_nsys_table (TtStore *store, const TtKernels *kernels, TtKernelTable table, const TtReportView *view)
{
  g_autoptr (GArray) own = find_rows (kernels, table == TT_NSYS_KERN_GB_SUM ? TT_NSYS_KERN_SUM : table);
  const TtKernelContext context = { .store = store, .total = total_of (own) };

  if (table == TT_NSYS_KERN_EXEC_TRACE)
    return tt_exec_trace_table (store, kernels, view);
  if (table == TT_NSYS_GPU_TRACE || table == TT_NSYS_API_TRACE)
    return tt_event_trace_table (store, kernels, table, view);
  if (table == TT_NSYS_NVTX_PUSHPOP_TRACE)
    return tt_range_trace_table (store, kernels, view);
  g_autoptr (GArray) sizes = sort_sizes (kernels->copies);
  const GArray *rows = table == TT_NSYS_KERN_GB_SUM     ? tt_grids_rows (kernels->grids)
                       : table == TT_NSYS_MEM_SIZE_SUM  ? sizes
                       : table == TT_NSYS_KERN_EXEC_SUM ? tt_execs_rows (kernels->execs)
                                                        : own;
  const Fields fields = fields_of (table);
  TtReport *report = tt_report_of_fields (fields.fields, fields.n_fields, view, &context);

  tt_kernel_add_rows (report, rows, view);
  return report;
}
