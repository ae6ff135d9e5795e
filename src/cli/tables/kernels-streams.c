/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/kernels-streams.h"

#include "src/cli/tables/kernel-cells.h"

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
  TtStore *store = ((const TtKernelContext *) context)->store;
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

  return tt_percent_cell (stream->busy_ns, stream->last_ns - stream->first_ns);
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
  return tt_spread_cell (self->id, ((const TtStreamRow *) row)->delay, 0);
}

static TtReportCell
stream_gap (const TtReportField *self, const void *row, const void *context)
{
  return tt_spread_cell (self->id, ((const TtStreamRow *) row)->gap, 0);
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
  { TT_COLUMN_TIME, "Delay", "delay_avg", stream_delay, TT_SPREAD_AVG },
  { TT_COLUMN_TIME, "Med delay", "delay_med", stream_delay, TT_SPREAD_MEDIAN, 110 },
  { TT_COLUMN_TIME, "Min delay", "delay_min", stream_delay, TT_SPREAD_MIN, 120 },
  { TT_COLUMN_TIME, "Max delay", "delay_max", stream_delay, TT_SPREAD_MAX },
  { TT_COLUMN_TIME, "Gap", "gap_avg", stream_gap, TT_SPREAD_AVG, 130 },
  { TT_COLUMN_TIME, "Min gap", "gap_min", stream_gap, TT_SPREAD_MIN, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_TIME, "Max gap", "gap_max", stream_gap, TT_SPREAD_MAX, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_COUNT, "Short", "short", stream_number, STREAM_SHORT },
  { TT_COLUMN_REAL, "Queue", "queue_avg", stream_queue_mean },
  { TT_COLUMN_COUNT, "Max", "queue_max", stream_number, STREAM_QUEUE_MAX },
};

const TtReportField *
tt_stream_fields (guint *n)
{
  *n = G_N_ELEMENTS (stream_fields);
  return stream_fields;
}

const TtReportField *
tt_launch_fields (guint *n)
{
  *n = G_N_ELEMENTS (launch_fields);
  return launch_fields;
}

TtTrustPlace
tt_stream_place (const void *row, const void *data)
{
  const TtThread *thread = tt_store_thread ((TtStore *) data, ((const TtStreamRow *) row)->thread);

  return (TtTrustPlace){ thread == NULL ? TT_NO_ID : thread->process, TT_NO_ID, TT_NO_ID, FALSE };
}
