/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/kernels.h"

#include "src/cli/run-facts.h"
#include "src/cli/tables/kernel-cells.h"
#include "src/cli/tables/kernels-streams.h"

const char *const tt_kernel_table_words[] = {
  [TT_KERNELS_BY_NAME] = "kernels",
  [TT_KERNELS_COPIES] = "copies",
  [TT_KERNELS_OPERATORS] = "operators",
  [TT_KERNELS_LAUNCHES] = "launches",
  [TT_KERNELS_STREAMS] = "streams",
  [TT_KERNELS_CALLS] = "calls",
  [TT_KERNELS_ANNOTATIONS] = "annotations",
  [TT_KERNELS_GRIDS] = "grids",
  [TT_KERNELS_COLLECTIVES] = "collectives",
  [TT_NSYS_KERN_SUM] = "cuda_gpu_kern_sum",
  [TT_NSYS_KERN_GB_SUM] = "cuda_gpu_kern_gb_sum",
  [TT_NSYS_MEM_TIME_SUM] = "cuda_gpu_mem_time_sum",
  [TT_NSYS_MEM_SIZE_SUM] = "cuda_gpu_mem_size_sum",
  [TT_NSYS_GPU_SUM] = "cuda_gpu_sum",
  [TT_NSYS_API_SUM] = "cuda_api_sum",
  [TT_NSYS_API_GPU_SUM] = "cuda_api_gpu_sum",
  [TT_NSYS_KERN_EXEC_SUM] = "cuda_kern_exec_sum",
  [TT_NSYS_KERN_EXEC_TRACE] = "cuda_kern_exec_trace",
  [TT_NSYS_GPU_TRACE] = "cuda_gpu_trace",
  [TT_NSYS_API_TRACE] = "cuda_api_trace",
  [TT_NSYS_NVTX_SUM] = "nvtx_sum",
  [TT_NSYS_NVTX_PUSHPOP_SUM] = "nvtx_pushpop_sum",
  [TT_NSYS_NVTX_STARTEND_SUM] = "nvtx_startend_sum",
  [TT_NSYS_NVTX_PUSHPOP_TRACE] = "nvtx_pushpop_trace",
  [TT_NSYS_NVTX_KERN_SUM] = "nvtx_kern_sum",
  [TT_NSYS_MPI_EVENT_SUM] = "mpi_event_sum",
  [TT_NSYS_OSRT_SUM] = "osrt_sum",
  [TT_NSYS_OPENMP_SUM] = "openmp_sum",
  NULL,
};

/* -- kernels and calls ------------------------------------------------------------------------------------------- */

static TtReportCell
kernel_time (const TtReportField *self, const void *row, const void *context)
{
  return tt_spread_cell (self->id, ((const TtKernelRow *) row)->time, ((const TtKernelContext *) context)->total);
}

static TtReportCell
kernel_short (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const TtKernelRow *) row)->n_short);
}

/* @self->id: as the source calls it. */
static TtReportCell
kernel_name (const TtReportField *self, const void *row, const void *context)
{
  return tt_kernel_name_cell (((const TtKernelContext *) context)->store, ((const TtKernelRow *) row)->name,
                              self->id != 0);
}

#define SPREAD_FIELDS(value)                                                 \
  { TT_COLUMN_PERCENT, "Time %", "time_percent", value, TT_SPREAD_PERCENT }, \
      { TT_COLUMN_TIME, "Total", "total", value, TT_SPREAD_TOTAL },          \
      { TT_COLUMN_COUNT, "Count", "count", value, TT_SPREAD_COUNT },         \
      { TT_COLUMN_TIME, "Avg", "avg", value, TT_SPREAD_AVG },                \
      { TT_COLUMN_TIME, "Med", "med", value, TT_SPREAD_MEDIAN, 110 },        \
      { TT_COLUMN_TIME, "Min", "min", value, TT_SPREAD_MIN, 120 },           \
      { TT_COLUMN_TIME, "Max", "max", value, TT_SPREAD_MAX, 130 },           \
  {                                                                          \
    TT_COLUMN_TIME, "StdDev", "stddev", value, TT_SPREAD_STDDEV, 140         \
  }

static const TtReportField kernel_fields[] = {
  SPREAD_FIELDS (kernel_time),
  { TT_COLUMN_COUNT, "Short", "short", kernel_short, 0, 150 },
  { TT_COLUMN_TEXT, "Kernel", "kernel", kernel_name, TRUE },
  { TT_COLUMN_TEXT, "Name", "name", kernel_name, FALSE, .reader = TT_READER_PROGRAMS },
};

static const TtReportField call_fields[] = {
  SPREAD_FIELDS (kernel_time),
  { TT_COLUMN_TEXT, "Call", "call", kernel_name, TRUE },
  { TT_COLUMN_TEXT, "Name", "name", kernel_name, FALSE, .reader = TT_READER_PROGRAMS },
};

/* -- copies -------------------------------------------------------------------------------------------------------- */

static TtReportCell
copy_direction (const TtReportField *self, const void *row, const void *context)
{
  const TtStoredName *name =
      tt_store_name (((const TtKernelContext *) context)->store, ((const TtCopyRow *) row)->name);

  return tt_cell_text (name == NULL ? NULL : name->sub_op != NULL ? name->sub_op : "other");
}

static TtReportCell
copy_time (const TtReportField *self, const void *row, const void *context)
{
  return tt_spread_cell (self->id, ((const TtCopyRow *) row)->time, ((const TtKernelContext *) context)->total);
}

static TtReportCell
copy_bytes (const TtReportField *self, const void *row, const void *context)
{
  return tt_spread_cell (self->id, ((const TtCopyRow *) row)->bytes, 0);
}

static TtReportCell
copy_bandwidth (const TtReportField *self, const void *row, const void *context)
{
  const TtCopyRow *copy = row;

  return copy->sized_ns > 0 ? tt_cell_real ((double) copy->bytes->sum / (double) copy->sized_ns) : tt_cell_empty ();
}

static const TtReportField copy_fields[] = {
  SPREAD_FIELDS (copy_time),
  { TT_COLUMN_BYTES, "Bytes", "bytes", copy_bytes, TT_SPREAD_TOTAL },
  { TT_COLUMN_BYTES, "Avg bytes", "avg_bytes", copy_bytes, TT_SPREAD_AVG, 100 },
  { TT_COLUMN_BYTES, "Min bytes", "min_bytes", copy_bytes, TT_SPREAD_MIN, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_BYTES, "Max bytes", "max_bytes", copy_bytes, TT_SPREAD_MAX, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_COUNT, "Sized", "sized", copy_bytes, TT_SPREAD_COUNT, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_REAL, "GB/s", "gb_per_s", copy_bandwidth },
  { TT_COLUMN_WORD, "Direction", "direction", copy_direction },
};

/* -- operators --------------------------------------------------------------------------------------------------- */

static TtReportCell
operator_percent (const TtReportField *self, const void *row, const void *context)
{
  return tt_percent_cell (((const TtOperatorRow *) row)->total_ns, ((const TtKernelContext *) context)->total);
}

static TtReportCell
operator_total (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const TtOperatorRow *) row)->total_ns);
}

static TtReportCell
operator_count (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const TtOperatorRow *) row)->n);
}

static TtReportCell
operator_average (const TtReportField *self, const void *row, const void *context)
{
  const TtOperatorRow *by = row;

  return tt_cell_real ((double) by->total_ns / (double) by->n);
}

static TtReportCell
operator_name (const TtReportField *self, const void *row, const void *context)
{
  guint32 name = ((const TtOperatorRow *) row)->operation;

  return name == 0 ? tt_cell_text (self->id != 0 ? "(not known)" : NULL)
                   : tt_kernel_name_cell (((const TtKernelContext *) context)->store, name, self->id != 0);
}

static const TtReportField operator_fields[] = {
  { TT_COLUMN_PERCENT, "Time %", "time_percent", operator_percent },
  { TT_COLUMN_TIME, "Device", "device", operator_total },
  { TT_COLUMN_COUNT, "Count", "count", operator_count },
  { TT_COLUMN_TIME, "Avg", "avg", operator_average, 0, 70 },
  { TT_COLUMN_TEXT, "Launched by", "operator", operator_name, TRUE },
  { TT_COLUMN_TEXT, "Name", "name", operator_name, FALSE, .reader = TT_READER_PROGRAMS },
};

/* -- annotations ---------------------------------------------------------------------------------------------------- */

typedef enum
{
  RANGE_PERCENT,
  RANGE_DEVICE,
  RANGE_OWN,
  RANGE_WORK,
} RangeCell;

/* What was launched in an asynchronous one nobody knows. */
static TtReportCell
range_device (const TtReportField *self, const void *row, const void *context)
{
  const TtRangeRow *range = row;

  if (range->is_async)
    return tt_cell_empty ();
  switch ((RangeCell) self->id)
    {
    case RANGE_PERCENT:
      return tt_percent_cell (range->work.device_ns, ((const TtKernelContext *) context)->total);
    case RANGE_DEVICE:
      return tt_cell_int (range->work.device_ns);
    case RANGE_OWN:
      return tt_cell_int (range->work.own_ns);
    case RANGE_WORK:
      return tt_cell_int (range->work.n_work);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static TtReportCell
range_host (const TtReportField *self, const void *row, const void *context)
{
  return tt_spread_cell (self->id, ((const TtRangeRow *) row)->time, 0);
}

static TtReportCell
range_name (const TtReportField *self, const void *row, const void *context)
{
  return tt_kernel_name_cell (((const TtKernelContext *) context)->store, ((const TtRangeRow *) row)->name, TRUE);
}

static TtReportCell
range_style (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const TtRangeRow *) row)->is_async ? "async" : "nested");
}

static const TtReportField range_fields[] = {
  { TT_COLUMN_PERCENT, "Device %", "device_percent", range_device, RANGE_PERCENT },
  { TT_COLUMN_TIME, "Device", "device", range_device, RANGE_DEVICE },
  { TT_COLUMN_TIME, "Own", "own", range_device, RANGE_OWN },
  { TT_COLUMN_COUNT, "Work", "work", range_device, RANGE_WORK, 90 },
  { TT_COLUMN_COUNT, "Count", "count", range_host, TT_SPREAD_COUNT },
  { TT_COLUMN_TIME, "Host", "host", range_host, TT_SPREAD_TOTAL },
  { TT_COLUMN_TIME, "Avg host", "host_avg", range_host, TT_SPREAD_AVG, 110 },
  { TT_COLUMN_WORD, "Style", "style", range_style, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_TEXT, "Annotation", "annotation", range_name },
};

/* -- grids ----------------------------------------------------------------------------------------------------------- */

typedef enum
{
  GRID_BLOCKS,
  GRID_THREADS,
  GRID_REGISTERS,
  GRID_SHARED,
  GRID_OCCUPANCY,
} GridCell;

static TtReportCell
triple_cell (const gint64 triple[3])
{
  if (triple[0] < 0)
    return tt_cell_empty ();
  if (triple[1] < 0)
    return tt_cell_take (g_strdup_printf ("%" G_GINT64_FORMAT, triple[0]));
  return tt_cell_take (
      g_strdup_printf ("%" G_GINT64_FORMAT "x%" G_GINT64_FORMAT "x%" G_GINT64_FORMAT, triple[0], triple[1], triple[2]));
}

static TtReportCell
grid_config (const TtReportField *self, const void *row, const void *context)
{
  const TtKernelConfig *config = &((const TtGridRow *) row)->config;

  switch ((GridCell) self->id)
    {
    case GRID_BLOCKS:
      return triple_cell (config->grid);
    case GRID_THREADS:
      return triple_cell (config->block);
    case GRID_REGISTERS:
      return config->registers < 0 ? tt_cell_empty () : tt_cell_int (config->registers);
    case GRID_SHARED:
      return config->shared_bytes < 0 ? tt_cell_empty () : tt_cell_int (config->shared_bytes);
    case GRID_OCCUPANCY:
      return config->occupancy_percent < 0 ? tt_cell_empty () : tt_cell_real (config->occupancy_percent);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static TtReportCell
grid_time (const TtReportField *self, const void *row, const void *context)
{
  return tt_spread_cell (self->id, ((const TtGridRow *) row)->time, ((const TtKernelContext *) context)->total);
}

static TtReportCell
grid_name (const TtReportField *self, const void *row, const void *context)
{
  return tt_kernel_name_cell (((const TtKernelContext *) context)->store, ((const TtGridRow *) row)->name,
                              self->id != 0);
}

static const TtReportField grid_fields[] = {
  SPREAD_FIELDS (grid_time),
  { TT_COLUMN_WORD, "Grid", "grid", grid_config, GRID_BLOCKS },
  { TT_COLUMN_WORD, "Block", "block", grid_config, GRID_THREADS },
  { TT_COLUMN_COUNT, "Regs", "registers", grid_config, GRID_REGISTERS, 90 },
  { TT_COLUMN_BYTES, "Shared", "shared_bytes", grid_config, GRID_SHARED, 100 },
  { TT_COLUMN_PERCENT, "Occ. %", "occupancy_percent", grid_config, GRID_OCCUPANCY, 80 },
  { TT_COLUMN_TEXT, "Kernel", "kernel", grid_name, TRUE },
  { TT_COLUMN_TEXT, "Name", "name", grid_name, FALSE, .reader = TT_READER_PROGRAMS },
};

/* -- tables ---------------------------------------------------------------------------------------------------------------- */

typedef struct
{
  const TtReportField *fields;
  guint n_fields;
  const GArray *rows;
} Shown;

#define SHOWN(fields, rows)                 \
  (Shown)                                   \
  {                                         \
    (fields), G_N_ELEMENTS (fields), (rows) \
  }

static Shown
shown_as (const TtKernels *kernels, TtKernelTable table)
{
  Shown shown;

  switch (table)
    {
    case TT_KERNELS_BY_NAME:
      return SHOWN (kernel_fields, kernels->kernels);
    case TT_KERNELS_COPIES:
      return SHOWN (copy_fields, kernels->copies);
    case TT_KERNELS_OPERATORS:
      return SHOWN (operator_fields, kernels->operators);
    case TT_KERNELS_LAUNCHES:
      shown.fields = tt_launch_fields (&shown.n_fields);
      shown.rows = kernels->streams;
      return shown;
    case TT_KERNELS_STREAMS:
      shown.fields = tt_stream_fields (&shown.n_fields);
      shown.rows = kernels->streams;
      return shown;
    case TT_KERNELS_CALLS:
      return SHOWN (call_fields, kernels->calls);
    case TT_KERNELS_ANNOTATIONS:
      return SHOWN (range_fields, kernels->ranges);
    case TT_KERNELS_GRIDS:
      return SHOWN (grid_fields, tt_grids_rows (kernels->grids));
    default:
      break;
    }
  g_return_val_if_reached (SHOWN (kernel_fields, kernels->kernels));
}

static tt_int128
total_of (const TtKernels *kernels, TtKernelTable table)
{
  const GArray *rows = table == TT_KERNELS_CALLS ? kernels->calls : kernels->kernels;
  tt_int128 total = 0;

  if (table == TT_KERNELS_OPERATORS || table == TT_KERNELS_ANNOTATIONS)
    for (guint i = 0; i < kernels->operators->len; i++)
      total += g_array_index (kernels->operators, TtOperatorRow, i).total_ns;
  else if (table == TT_KERNELS_COPIES)
    for (guint i = 0; i < kernels->copies->len; i++)
      total += g_array_index (kernels->copies, TtCopyRow, i).time->sum;
  else
    for (guint i = 0; i < rows->len; i++)
      total += g_array_index (rows, TtKernelRow, i).time->sum;
  return total;
}

static TtTrustPlace
place_of_name (const void *row, const void *data)
{
  return (TtTrustPlace){ TT_NO_ID, TT_NO_ID, ((const TtKernelRow *) row)->name, FALSE };
}

static TtTrustPlaceFunc
place_in (TtKernelTable table)
{
  switch (table)
    {
    case TT_KERNELS_BY_NAME:
    case TT_KERNELS_CALLS:
      return place_of_name;
    case TT_KERNELS_LAUNCHES:
    case TT_KERNELS_STREAMS:
      return tt_stream_place;
    default:
      return NULL;
    }
}

TtReport *
tt_kernel_table (TtStore *store,
                 const TtKernels *kernels,
                 TtKernelTable table,
                 TtTrustMarks *marks,
                 const TtReportView *view)
{
  if (table >= TT_N_KERNEL_TABLES)
    return tt_nsys_table (store, kernels, table, view);
  const Shown shown = shown_as (kernels, table);
  const TtKernelContext context = { .store = store, .total = total_of (kernels, table) };
  TtReport *report = tt_report_of_fields (shown.fields, shown.n_fields, view, &context);

  tt_trust_marks_declare (marks, report, view, place_in (table), store);
  tt_kernel_add_rows (report, shown.rows, view);
  return report;
}

char *
tt_kernel_describe (TtStore *store, const TtKernels *kernels)
{
  guint64 n = 0, n_short = 0;
  tt_int128 total = total_of (kernels, TT_KERNELS_BY_NAME);
  char count[TT_TIME_TEXT], shorts[TT_TIME_TEXT];

  for (guint i = 0; i < kernels->kernels->len; i++)
    {
      n += g_array_index (kernels->kernels, TtKernelRow, i).time->n;
      n_short += g_array_index (kernels->kernels, TtKernelRow, i).n_short;
    }
  if (n == 0)
    return NULL;
  g_autofree char *time = tt_length_text (store, (gint64) MIN (total, (tt_int128) G_MAXINT64));
  g_autofree char *least = n_short == 0 ? g_strdup ("")
                                        : g_strdup_printf ("; %s took less than the call that launched them",
                                                           tt_count_text (shorts, n_short));
  return g_strdup_printf ("%s kernel%s in %s%s", tt_count_text (count, n), n == 1 ? "" : "s", time, least);
}
