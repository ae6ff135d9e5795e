/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/kernels.h"

#include "src/cli/run-facts.h"

const char *const tt_kernel_table_words[] = {
  [TT_KERNELS_BY_NAME] = "kernels",
  [TT_KERNELS_COPIES] = "copies",
  [TT_KERNELS_OPERATORS] = "operators",
  [TT_KERNELS_LAUNCHES] = "launches",
  [TT_KERNELS_STREAMS] = "streams",
  [TT_KERNELS_CALLS] = "calls",
  [TT_NSYS_KERN_SUM] = "cuda_gpu_kern_sum",
  [TT_NSYS_MEM_TIME_SUM] = "cuda_gpu_mem_time_sum",
  [TT_NSYS_MEM_SIZE_SUM] = "cuda_gpu_mem_size_sum",
  [TT_NSYS_API_SUM] = "cuda_api_sum",
  NULL,
};

typedef struct
{
  TtStore *store;
  tt_int128 total; /* of the column that is shown in percent */
} Context;

/* -- cells of spreads ------------------------------------------------------------------------------------------- */

typedef enum
{
  CELL_PERCENT,
  CELL_TOTAL,
  CELL_COUNT,
  CELL_AVG,
  CELL_MEDIAN,
  CELL_MIN,
  CELL_MAX,
  CELL_STDDEV,
} SpreadCell;

static TtReportCell
percent_cell (tt_int128 part, tt_int128 whole)
{
  return whole > 0 ? tt_cell_real (100.0 * (double) part / (double) whole) : tt_cell_empty ();
}

static TtReportCell
spread_cell (guint cell, const TtSpread *spread, tt_int128 total)
{
  if (cell == CELL_COUNT)
    return tt_cell_int (spread->n);
  if (spread->n == 0)
    return tt_cell_empty ();
  switch ((SpreadCell) cell)
    {
    case CELL_PERCENT:
      return percent_cell (spread->sum, total);
    case CELL_TOTAL:
      return tt_cell_int (spread->sum);
    case CELL_AVG:
      return tt_cell_real (tt_spread_mean (spread));
    case CELL_MEDIAN:
      return tt_cell_real (spread->median);
    case CELL_MIN:
      return tt_cell_int (spread->min);
    case CELL_MAX:
      return tt_cell_int (spread->max);
    case CELL_STDDEV:
      return tt_cell_real (spread->stddev);
    case CELL_COUNT:
      break;
    }
  g_return_val_if_reached (tt_cell_empty ());
}

/* -- kernels and calls ------------------------------------------------------------------------------------------- */

static TtReportCell
kernel_time (const TtReportField *self, const void *row, const void *context)
{
  return spread_cell (self->id, ((const TtKernelRow *) row)->time, ((const Context *) context)->total);
}

static TtReportCell
kernel_short (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int (((const TtKernelRow *) row)->n_short);
}

static TtReportCell
name_cell (TtStore *store, guint32 id, gboolean is_raw)
{
  const TtStoredName *name = id == 0 ? NULL : tt_store_name (store, id);

  return name == NULL ? tt_cell_empty () : tt_cell_text (is_raw && name->raw != NULL ? name->raw : name->text);
}

/* @self->id: as the source calls it. */
static TtReportCell
kernel_name (const TtReportField *self, const void *row, const void *context)
{
  return name_cell (((const Context *) context)->store, ((const TtKernelRow *) row)->name, self->id != 0);
}

#define SPREAD_FIELDS(value)                                        \
  { TT_COLUMN_PERCENT, "Time %", "time_percent", value, CELL_PERCENT }, \
  { TT_COLUMN_TIME, "Total", "total", value, CELL_TOTAL },          \
  { TT_COLUMN_COUNT, "Count", "count", value, CELL_COUNT },         \
  { TT_COLUMN_TIME, "Avg", "avg", value, CELL_AVG },                \
  { TT_COLUMN_TIME, "Med", "med", value, CELL_MEDIAN, 110 },        \
  { TT_COLUMN_TIME, "Min", "min", value, CELL_MIN, 120 },           \
  { TT_COLUMN_TIME, "Max", "max", value, CELL_MAX, 130 },           \
  { TT_COLUMN_TIME, "StdDev", "stddev", value, CELL_STDDEV, 140 }

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
  const TtStoredName *name = tt_store_name (((const Context *) context)->store, ((const TtCopyRow *) row)->name);

  return tt_cell_text (name == NULL ? NULL : name->sub_op != NULL ? name->sub_op : "other");
}

static TtReportCell
copy_time (const TtReportField *self, const void *row, const void *context)
{
  return spread_cell (self->id, ((const TtCopyRow *) row)->time, ((const Context *) context)->total);
}

static TtReportCell
copy_bytes (const TtReportField *self, const void *row, const void *context)
{
  return spread_cell (self->id, ((const TtCopyRow *) row)->bytes, 0);
}

static TtReportCell
copy_bandwidth (const TtReportField *self, const void *row, const void *context)
{
  const TtCopyRow *copy = row;

  return copy->sized_ns > 0 ? tt_cell_real ((double) copy->bytes->sum / (double) copy->sized_ns) : tt_cell_empty ();
}

static const TtReportField copy_fields[] = {
  SPREAD_FIELDS (copy_time),
  { TT_COLUMN_BYTES, "Bytes", "bytes", copy_bytes, CELL_TOTAL },
  { TT_COLUMN_BYTES, "Avg bytes", "avg_bytes", copy_bytes, CELL_AVG, 100 },
  { TT_COLUMN_BYTES, "Min bytes", "min_bytes", copy_bytes, CELL_MIN, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_BYTES, "Max bytes", "max_bytes", copy_bytes, CELL_MAX, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_COUNT, "Sized", "sized", copy_bytes, CELL_COUNT, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_REAL, "GB/s", "gb_per_s", copy_bandwidth },
  { TT_COLUMN_WORD, "Direction", "direction", copy_direction },
};

/* -- operators --------------------------------------------------------------------------------------------------- */

static TtReportCell
operator_percent (const TtReportField *self, const void *row, const void *context)
{
  return percent_cell (((const TtOperatorRow *) row)->total_ns, ((const Context *) context)->total);
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
                   : name_cell (((const Context *) context)->store, name, self->id != 0);
}

static const TtReportField operator_fields[] = {
  { TT_COLUMN_PERCENT, "Time %", "time_percent", operator_percent },
  { TT_COLUMN_TIME, "Device", "device", operator_total },
  { TT_COLUMN_COUNT, "Count", "count", operator_count },
  { TT_COLUMN_TIME, "Avg", "avg", operator_average, 0, 70 },
  { TT_COLUMN_TEXT, "Launched by", "operator", operator_name, TRUE },
  { TT_COLUMN_TEXT, "Name", "name", operator_name, FALSE, .reader = TT_READER_PROGRAMS },
};

/* -- streams, and how they are launched on ---------------------------------------------------------------------------- */

typedef enum
{
  STREAM_KERNELS,
  STREAM_COPIES,
  STREAM_SETS,
  STREAM_TOTAL,
  STREAM_BUSY,
  STREAM_SPAN,
  STREAM_LAUNCHED,
  STREAM_SHORT,
  STREAM_QUEUE_MAX,
} StreamCell;

static TtReportCell
stream_name (const TtReportField *self, const void *row, const void *context)
{
  TtStore *store = ((const Context *) context)->store;
  const TtThread *thread = tt_store_thread (store, ((const TtStreamRow *) row)->thread);
  const TtProcess *process = thread == NULL ? NULL : tt_store_process (store, thread->process);

  return process == NULL ? tt_cell_empty () : tt_cell_take (g_strdup_printf ("%s %s", process->pid, thread->tid));
}

static TtReportCell
stream_number (const TtReportField *self, const void *row, const void *context)
{
  const TtStreamRow *stream = row;

  switch ((StreamCell) self->id)
    {
    case STREAM_KERNELS:
      return tt_cell_int (stream->n_kernels);
    case STREAM_COPIES:
      return tt_cell_int (stream->n_copies);
    case STREAM_SETS:
      return tt_cell_int (stream->n_sets);
    case STREAM_TOTAL:
      return tt_cell_int (stream->total_ns);
    case STREAM_BUSY:
      return tt_cell_int (stream->busy_ns);
    case STREAM_SPAN:
      return tt_cell_int (stream->last_ns - stream->first_ns);
    case STREAM_LAUNCHED:
      return tt_cell_int (stream->n_launched);
    case STREAM_SHORT:
      return tt_cell_int (stream->n_short);
    case STREAM_QUEUE_MAX:
      return tt_cell_int (stream->queue_max);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static TtReportCell
stream_busy_percent (const TtReportField *self, const void *row, const void *context)
{
  const TtStreamRow *stream = row;

  return percent_cell (stream->busy_ns, stream->last_ns - stream->first_ns);
}

static TtReportCell
stream_queue_mean (const TtReportField *self, const void *row, const void *context)
{
  const TtStreamRow *stream = row;

  return stream->n_launched == 0 ? tt_cell_empty ()
                                 : tt_cell_real ((double) stream->queue_sum / (double) stream->n_launched);
}

static TtReportCell
stream_delay (const TtReportField *self, const void *row, const void *context)
{
  return spread_cell (self->id, ((const TtStreamRow *) row)->delay, 0);
}

static TtReportCell
stream_gap (const TtReportField *self, const void *row, const void *context)
{
  return spread_cell (self->id, ((const TtStreamRow *) row)->gap, 0);
}

static const TtReportField stream_fields[] = {
  { TT_COLUMN_TEXT, "Stream", "stream", stream_name },
  { TT_COLUMN_COUNT, "Kernels", "kernels", stream_number, STREAM_KERNELS },
  { TT_COLUMN_COUNT, "Copies", "copies", stream_number, STREAM_COPIES },
  { TT_COLUMN_COUNT, "Sets", "sets", stream_number, STREAM_SETS },
  { TT_COLUMN_TIME, "Total", "total", stream_number, STREAM_TOTAL, 100 },
  { TT_COLUMN_TIME, "Busy", "busy", stream_number, STREAM_BUSY },
  { TT_COLUMN_TIME, "Of", "span", stream_number, STREAM_SPAN },
  { TT_COLUMN_PERCENT, "Busy %", "busy_percent", stream_busy_percent },
};

static const TtReportField launch_fields[] = {
  { TT_COLUMN_TEXT, "Stream", "stream", stream_name },
  { TT_COLUMN_COUNT, "Launched", "launched", stream_number, STREAM_LAUNCHED },
  { TT_COLUMN_TIME, "Delay", "delay_avg", stream_delay, CELL_AVG },
  { TT_COLUMN_TIME, "Med delay", "delay_med", stream_delay, CELL_MEDIAN, 110 },
  { TT_COLUMN_TIME, "Min delay", "delay_min", stream_delay, CELL_MIN, 120 },
  { TT_COLUMN_TIME, "Max delay", "delay_max", stream_delay, CELL_MAX },
  { TT_COLUMN_TIME, "Gap", "gap_avg", stream_gap, CELL_AVG, 130 },
  { TT_COLUMN_TIME, "Min gap", "gap_min", stream_gap, CELL_MIN, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_TIME, "Max gap", "gap_max", stream_gap, CELL_MAX, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_COUNT, "Short", "short", stream_number, STREAM_SHORT },
  { TT_COLUMN_REAL, "Queue", "queue_avg", stream_queue_mean },
  { TT_COLUMN_COUNT, "Max", "queue_max", stream_number, STREAM_QUEUE_MAX },
};

/* -- nsys' reports ------------------------------------------------------------------------------------------------------- */

static const struct
{
  const char *sub_op, *text;
} directions[] = {
  { "H2D", "[CUDA memcpy Host-to-Device]" },   { "D2H", "[CUDA memcpy Device-to-Host]" },
  { "D2D", "[CUDA memcpy Device-to-Device]" }, { "H2H", "[CUDA memcpy Host-to-Host]" },
  { "P2P", "[CUDA memcpy Peer-to-Peer]" },     { "SET", "[CUDA memset]" },
};

static TtReportCell
nsys_direction (const TtReportField *self, const void *row, const void *context)
{
  TtReportCell cell = copy_direction (self, row, context);

  for (guint i = 0; i < G_N_ELEMENTS (directions); i++)
    if (g_strcmp0 (cell.text, directions[i].sub_op) == 0)
      return tt_cell_text (directions[i].text);
  return cell;
}

/* nsys' sizes are megabytes. */
static TtReportCell
nsys_megabytes (const TtReportField *self, const void *row, const void *context)
{
  TtReportCell cell = spread_cell (self->id, ((const TtCopyRow *) row)->bytes, 0);
  double bytes = cell.kind == TT_REPORT_INTEGER ? (double) cell.integer : cell.real;

  return cell.kind == TT_REPORT_EMPTY ? cell : tt_cell_real (bytes / 1e6);
}

#define NSYS_TIMES(value, count)                              \
  { TT_COLUMN_PERCENT, "Time (%)", "Time (%)", value, CELL_PERCENT }, \
  { TT_COLUMN_COUNT, "Total Time (ns)", "Total Time (ns)", value, CELL_TOTAL }, \
  { TT_COLUMN_COUNT, count, count, value, CELL_COUNT },       \
  { TT_COLUMN_REAL, "Avg (ns)", "Avg (ns)", value, CELL_AVG }, \
  { TT_COLUMN_REAL, "Med (ns)", "Med (ns)", value, CELL_MEDIAN }, \
  { TT_COLUMN_COUNT, "Min (ns)", "Min (ns)", value, CELL_MIN }, \
  { TT_COLUMN_COUNT, "Max (ns)", "Max (ns)", value, CELL_MAX }, \
  { TT_COLUMN_REAL, "StdDev (ns)", "StdDev (ns)", value, CELL_STDDEV }

static const TtReportField nsys_kernel_fields[] = {
  NSYS_TIMES (kernel_time, "Instances"),
  { TT_COLUMN_TEXT, "Name", "Name", kernel_name, TRUE },
};
static const TtReportField nsys_call_fields[] = {
  NSYS_TIMES (kernel_time, "Num Calls"),
  { TT_COLUMN_TEXT, "Name", "Name", kernel_name, TRUE },
};
static const TtReportField nsys_copy_fields[] = {
  NSYS_TIMES (copy_time, "Count"),
  { TT_COLUMN_TEXT, "Operation", "Operation", nsys_direction },
};
static const TtReportField nsys_size_fields[] = {
  { TT_COLUMN_REAL, "Total (MB)", "Total (MB)", nsys_megabytes, CELL_TOTAL },
  { TT_COLUMN_COUNT, "Count", "Count", copy_bytes, CELL_COUNT },
  { TT_COLUMN_REAL, "Avg (MB)", "Avg (MB)", nsys_megabytes, CELL_AVG },
  { TT_COLUMN_REAL, "Med (MB)", "Med (MB)", nsys_megabytes, CELL_MEDIAN },
  { TT_COLUMN_REAL, "Min (MB)", "Min (MB)", nsys_megabytes, CELL_MIN },
  { TT_COLUMN_REAL, "Max (MB)", "Max (MB)", nsys_megabytes, CELL_MAX },
  { TT_COLUMN_REAL, "StdDev (MB)", "StdDev (MB)", nsys_megabytes, CELL_STDDEV },
  { TT_COLUMN_TEXT, "Operation", "Operation", nsys_direction },
};

/* -- tables ---------------------------------------------------------------------------------------------------------------- */

typedef struct
{
  const TtReportField *fields;
  guint n_fields;
  const GArray *rows;
} Shown;

#define SHOWN(fields, rows) \
  (Shown) { (fields), G_N_ELEMENTS (fields), (rows) }

static Shown
shown_as (const TtKernels *kernels, TtKernelTable table)
{
  switch (table)
    {
    case TT_KERNELS_BY_NAME:
      return SHOWN (kernel_fields, kernels->kernels);
    case TT_KERNELS_COPIES:
      return SHOWN (copy_fields, kernels->copies);
    case TT_KERNELS_OPERATORS:
      return SHOWN (operator_fields, kernels->operators);
    case TT_KERNELS_LAUNCHES:
      return SHOWN (launch_fields, kernels->streams);
    case TT_KERNELS_STREAMS:
      return SHOWN (stream_fields, kernels->streams);
    case TT_KERNELS_CALLS:
      return SHOWN (call_fields, kernels->calls);
    case TT_NSYS_KERN_SUM:
      return SHOWN (nsys_kernel_fields, kernels->kernels);
    case TT_NSYS_MEM_TIME_SUM:
      return SHOWN (nsys_copy_fields, kernels->copies);
    case TT_NSYS_MEM_SIZE_SUM:
      return SHOWN (nsys_size_fields, kernels->copies);
    case TT_NSYS_API_SUM:
      return SHOWN (nsys_call_fields, kernels->calls);
    case TT_N_KERNEL_REPORTS:
      break;
    }
  g_return_val_if_reached (SHOWN (kernel_fields, kernels->kernels));
}

static tt_int128
total_of (const TtKernels *kernels, TtKernelTable table)
{
  tt_int128 total = 0;

  if (table == TT_KERNELS_OPERATORS)
    for (guint i = 0; i < kernels->operators->len; i++)
      total += g_array_index (kernels->operators, TtOperatorRow, i).total_ns;
  else if (table == TT_KERNELS_COPIES || table == TT_NSYS_MEM_TIME_SUM)
    for (guint i = 0; i < kernels->copies->len; i++)
      total += g_array_index (kernels->copies, TtCopyRow, i).time->sum;
  else
    {
      const GArray *rows = table == TT_KERNELS_CALLS || table == TT_NSYS_API_SUM ? kernels->calls : kernels->kernels;
      for (guint i = 0; i < rows->len; i++)
        total += g_array_index (rows, TtKernelRow, i).time->sum;
    }
  return total;
}

TtReport *
tt_kernel_table (TtStore *store, const TtKernels *kernels, TtKernelTable table, const TtReportView *view)
{
  const Shown shown = shown_as (kernels, table);
  const Context context = { .store = store, .total = total_of (kernels, table) };
  TtReport *report = tt_report_of_fields (shown.fields, shown.n_fields, view, &context);
  gsize size = shown.rows->len == 0 ? 0 : g_array_get_element_size ((GArray *) shown.rows);
  guint n = view->top > 0 ? MIN (view->top, shown.rows->len) : shown.rows->len;
  char count[TT_TIME_TEXT];

  for (guint i = 0; i < n; i++)
    tt_report_row (report, shown.rows->data + i * size);
  if (n < shown.rows->len)
    {
      g_autofree char *more = g_strdup_printf ("and %s more", tt_count_text (count, shown.rows->len - n));
      tt_report_footer (report, more);
    }
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
