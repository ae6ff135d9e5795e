/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/kernel-cells.h"

/*
 * cuda_kern_exec_trace of `nsys stats`: columns, their order and words as its script has them. Times are nanoseconds
 * since the run began, as --time-window counts them, whatever --unit says; nsys' are since its session began. There is a
 * queue where the kernel does not begin before the call has ended.
 */

typedef enum
{
  API_START,
  API_DUR,
  QUEUE_START,
  QUEUE_DUR,
  KERNEL_START,
  KERNEL_DUR,
  TOTAL_DUR,
} TimeCell;

typedef enum
{
  PID,
  TID,
  DEVICE,
  API_FUNCTION,
  GRID,
  BLOCK,
  KERNEL_NAME,
} WordCell;

static TtReportCell
item_time (const TtReportField *self, const void *row, const void *context)
{
  gint64 first_ns = ((const TtKernelContext *) context)->first_ns;
  const TtExecItem *item = row;
  gboolean has_queue = item->work.begin_ns >= item->api.end_ns;

  switch ((TimeCell) self->id)
    {
    case API_START:
      return tt_cell_int (item->api.begin_ns - first_ns);
    case API_DUR:
      return tt_cell_int (item->api.end_ns - item->api.begin_ns);
    case QUEUE_START:
      return has_queue ? tt_cell_int (item->api.end_ns - first_ns) : tt_cell_empty ();
    case QUEUE_DUR:
      return has_queue ? tt_cell_int (item->work.begin_ns - item->api.end_ns) : tt_cell_empty ();
    case KERNEL_START:
      return tt_cell_int (item->work.begin_ns - first_ns);
    case KERNEL_DUR:
      return tt_cell_int (item->work.end_ns - item->work.begin_ns);
    case TOTAL_DUR:
      return tt_cell_int (MAX (item->api.end_ns, item->work.end_ns) - item->api.begin_ns);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static TtReportCell
item_word (const TtReportField *self, const void *row, const void *context)
{
  TtStore *store = ((const TtKernelContext *) context)->store;
  const TtExecItem *item = row;
  const TtThread *stream = tt_store_thread (store, item->stream);

  switch ((WordCell) self->id)
    {
    case PID:
      return tt_kernel_pid_cell (store, item->thread);
    case TID:
      return tt_kernel_tid_cell (store, item->thread);
    case DEVICE:
      return stream == NULL ? tt_cell_empty () : tt_kernel_device_cell (tt_store_process (store, stream->process));
    case API_FUNCTION:
      return tt_kernel_name_cell (store, item->call, TRUE);
    case GRID:
      return tt_kernel_triple_cell (item->config.grid);
    case BLOCK:
      return tt_kernel_triple_cell (item->config.block);
    case KERNEL_NAME:
      return tt_kernel_name_cell (store, item->kernel, TRUE);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

static const TtReportField fields[] = {
  { TT_COLUMN_COUNT, "API Start (ns)", "API Start (ns)", item_time, API_START },
  { TT_COLUMN_COUNT, "API Dur (ns)", "API Dur (ns)", item_time, API_DUR, .min_width = 110 },
  { TT_COLUMN_COUNT, "Queue Start (ns)", "Queue Start (ns)", item_time, QUEUE_START, .min_width = 180 },
  { TT_COLUMN_COUNT, "Queue Dur (ns)", "Queue Dur (ns)", item_time, QUEUE_DUR },
  { TT_COLUMN_COUNT, "Kernel Start (ns)", "Kernel Start (ns)", item_time, KERNEL_START, .min_width = 110 },
  { TT_COLUMN_COUNT, "Kernel Dur (ns)", "Kernel Dur (ns)", item_time, KERNEL_DUR },
  { TT_COLUMN_COUNT, "Total Dur (ns)", "Total Dur (ns)", item_time, TOTAL_DUR, .min_width = 130 },
  { TT_COLUMN_WORD, "PID", "PID", item_word, PID, .min_width = 150 },
  { TT_COLUMN_WORD, "TID", "TID", item_word, TID, .min_width = 190 },
  { TT_COLUMN_WORD, "DevId", "DevId", item_word, DEVICE, .min_width = 150 },
  { TT_COLUMN_TEXT, "API Function", "API Function", item_word, API_FUNCTION, .min_width = 150 },
  { TT_COLUMN_WORD, "GridXYZ", "GridXYZ", item_word, GRID, .min_width = 170 },
  { TT_COLUMN_WORD, "BlockXYZ", "BlockXYZ", item_word, BLOCK, .min_width = 170 },
  { TT_COLUMN_TEXT, "Kernel Name", "Kernel Name", item_word, KERNEL_NAME },
};

TtReport *
tt_exec_trace_table (TtStore *store, const TtKernels *kernels, const TtReportView *view)
{
  const TtKernelContext context = { .store = store, .first_ns = kernels->first_ns };
  TtReport *report = tt_report_of_fields (fields, G_N_ELEMENTS (fields), view, &context);

  tt_kernel_add_rows (report, tt_exec_list_items (kernels->exec_list), view);
  return report;
}
