/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/kernel-cells.h"

typedef enum
{
  KERNEL_TIME,
  KERNEL_SPANS,
  KERNEL_CALLS,
  KERNEL_SIZED,
  KERNEL_BYTES,
  KERNEL_LEAST,
} KernelNumber;

static TtReportCell
kernel_number (const TtReportField *self, const void *row, const void *context)
{
  const TtCommKernel *kernel = row;

  switch ((KernelNumber) self->id)
    {
    case KERNEL_TIME:
      return tt_cell_int (kernel->time_ns);
    case KERNEL_SPANS:
      return tt_cell_int (kernel->n_spans);
    case KERNEL_CALLS:
      return tt_cell_int (kernel->n_calls);
    case KERNEL_SIZED:
      return tt_cell_int (kernel->n_sized);
    case KERNEL_BYTES:
      return kernel->n_sized == 0 ? tt_cell_empty () : tt_cell_int (kernel->bytes);
    case KERNEL_LEAST:
      return kernel->n_sized == 0 ? tt_cell_empty () : tt_cell_int (kernel->least_ns);
    }
  g_return_val_if_reached (tt_cell_empty ());
}

/* Bytes in ns are GB/s. @self->id: with the factor of the bus. */
static TtReportCell
kernel_bandwidth (const TtReportField *self, const void *row, const void *context)
{
  const TtCommKernel *kernel = row;

  if (kernel->least_ns <= 0)
    return tt_cell_empty ();
  return tt_cell_real ((self->id != 0 ? kernel->bus_bytes : (double) kernel->bytes) / (double) kernel->least_ns);
}

static TtReportCell
kernel_name (const TtReportField *self, const void *row, const void *context)
{
  return tt_kernel_name_cell (((const TtKernelContext *) context)->store, ((const TtCommKernel *) row)->name, self->id != 0);
}

static TtReportCell
kernel_function (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const TtCommKernel *) row)->function);
}

static const TtReportField fields[] = {
  { TT_COLUMN_TIME, "Total", "total", kernel_number, KERNEL_TIME },
  { TT_COLUMN_COUNT, "Count", "count", kernel_number, KERNEL_SPANS },
  { TT_COLUMN_COUNT, "Calls", "calls", kernel_number, KERNEL_CALLS, 90 },
  { TT_COLUMN_COUNT, "Sized", "sized", kernel_number, KERNEL_SIZED, .reader = TT_READER_PROGRAMS },
  { TT_COLUMN_BYTES, "Bytes", "bytes", kernel_number, KERNEL_BYTES },
  { TT_COLUMN_TIME, "Least", "least", kernel_number, KERNEL_LEAST, 110 },
  { TT_COLUMN_REAL, "AlgBW", "algorithm_gb_per_s", kernel_bandwidth, FALSE },
  { TT_COLUMN_REAL, "BusBW", "bus_gb_per_s", kernel_bandwidth, TRUE },
  { TT_COLUMN_WORD, "Function", "function", kernel_function },
  { TT_COLUMN_TEXT, "Kernel", "kernel", kernel_name, TRUE },
  { TT_COLUMN_TEXT, "Name", "name", kernel_name, FALSE, .reader = TT_READER_PROGRAMS },
};

TtReport *
tt_collective_kernel_table (TtStore *store, const TtCommGroups *groups, const TtReportView *view)
{
  const TtKernelContext context = { .store = store };
  TtReport *report = tt_report_of_fields (fields, G_N_ELEMENTS (fields), view, &context);

  tt_kernel_add_rows (report, tt_comm_kernels_rows (groups->kernels), view);
  return report;
}
