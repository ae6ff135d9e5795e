/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/kernel-cells.h"

#include <string.h>

#include "analyzers/kernels/names.h"

/*
 * cuda_gpu_trace and cuda_api_trace of `nsys stats`: columns, their order and words as its csv has them. Times are
 * nanoseconds since the run began, as --time-window counts them, whatever --unit says. What a trace does not tell is
 * empty: priorities of threads and green contexts, which no import keeps, and, in most, static shared memory.
 */

#define MEGA 1e6

/* @bytes: -1: not known. */
static TtReportCell
megabytes (gint64 bytes)
{
  return bytes < 0 ? tt_cell_empty () : tt_cell_real ((double) bytes / MEGA);
}

static TtReportCell
number (gint64 value)
{
  return value < 0 ? tt_cell_empty () : tt_cell_int (value);
}

typedef enum
{
  START,
  DURATION,
  CORRELATION,
  GRID,
  BLOCK = GRID + 3,
  REGISTERS = BLOCK + 3,
  STATIC_SHARED,
  DYNAMIC_SHARED,
  COPY_BYTES,
  THROUGHPUT,
  RESULT,
  CONTEXT,
  STREAM,
} NumberCell;

static TtReportCell
event_number (const TtReportField *self, const void *row, const void *context)
{
  const TtListedEvent *event = row;
  const TtDeviceFacts *facts = &event->facts;
  const TtKernelConfig *config = &facts->config;
  gint64 length_ns = event->end_ns - event->begin_ns;
  const gint64 *triple;

  switch ((NumberCell) self->id)
    {
    case START:
      return tt_cell_int (event->begin_ns - ((const TtKernelContext *) context)->first_ns);
    case DURATION:
      return tt_cell_int (length_ns);
    case CORRELATION:
      return number (facts->correlation);
    case REGISTERS:
      return number (config->registers);
    case STATIC_SHARED:
      return megabytes (facts->static_bytes);
    case DYNAMIC_SHARED:
      return megabytes (facts->static_bytes < 0 ? -1 : config->shared_bytes - facts->static_bytes);
    case COPY_BYTES:
      return megabytes (facts->copy_bytes);
    case THROUGHPUT:
      return facts->copy_bytes < 0 || length_ns == 0
                 ? tt_cell_empty ()
                 : tt_cell_real ((double) facts->copy_bytes / (double) length_ns * 1e3);
    case RESULT:
      return number (facts->result < 0 && ((const TtKernelContext *) context)->has_results ? 0 : facts->result);
    case CONTEXT:
      return number (facts->context);
    case STREAM:
      return number (facts->stream);
    default:
      triple = self->id < BLOCK ? config->grid : config->block;
      return number (triple[1] < 0 ? -1 : triple[self->id - (self->id < BLOCK ? GRID : BLOCK)]);
    }
}

/* "Imaginary A100 (0)": what is in brackets at the end of the device's name, and its number. */
static TtReportCell
device_cell (const TtProcess *process, gint64 device)
{
  const char *label = process == NULL ? "" : process->label != NULL ? process->label : process->pid;
  const char *open = strrchr (label, '('), *close = strrchr (label, ')');
  gboolean has_name = open != NULL && close != NULL && close > open && close[1] == '\0';
  g_autofree char *name = has_name ? g_strndup (open + 1, (gsize) (close - open) - 1) : g_strdup (label);

  if (device < 0)
    return tt_cell_take (g_steal_pointer (&name));
  return tt_cell_take (g_strdup_printf ("%s (%" G_GINT64_FORMAT ")", name, device));
}

/* Of "Memcpy HtoD (Pinned -> Device)" a side, of "Memset (Device)" what is set. */
static TtReportCell
memory_kind_cell (const TtStoredName *name, gboolean is_target)
{
  const char *raw = name == NULL || name->raw == NULL ? "" : name->raw;
  const char *open = strrchr (raw, '('), *close = open == NULL ? NULL : strchr (open, ')');
  const char *arrow = open == NULL ? NULL : strstr (open, " -> ");

  if (close == NULL || g_str_has_prefix (open, "(Unified") || (arrow == NULL && is_target))
    return tt_cell_empty ();
  if (arrow == NULL || arrow > close)
    return is_target ? tt_cell_empty () : tt_cell_take (g_strndup (open + 1, (gsize) (close - open) - 1));
  if (is_target)
    return tt_cell_take (g_strndup (arrow + 4, (gsize) (close - arrow) - 4));
  return tt_cell_take (g_strndup (open + 1, (gsize) (arrow - open) - 1));
}

typedef enum
{
  SOURCE_MEMORY,
  TARGET_MEMORY,
  DEVICE,
  WORK_NAME,
  CALL_NAME,
  PID,
  TID,
  THREAD_NAME,
  UNKNOWN,
} WordCell;

static TtReportCell
work_name_cell (TtStore *store, const TtListedEvent *event)
{
  const TtStoredName *name = tt_store_name (store, event->name);

  if (name != NULL && (event->role == TT_ACTIVITY_COPY || event->role == TT_ACTIVITY_SET))
    return tt_cell_take (tt_copy_operation (name));
  return tt_kernel_name_cell (store, event->name, TRUE);
}

static TtReportCell
event_word (const TtReportField *self, const void *row, const void *context)
{
  TtStore *store = ((const TtKernelContext *) context)->store;
  const TtListedEvent *event = row;
  const TtThread *thread = tt_store_thread (store, event->thread);
  const TtProcess *process = thread == NULL ? NULL : tt_store_process (store, thread->process);
  gboolean is_kernel = event->role == TT_ACTIVITY_KERNEL;

  switch ((WordCell) self->id)
    {
    case SOURCE_MEMORY:
    case TARGET_MEMORY:
      return is_kernel ? tt_cell_empty ()
                       : memory_kind_cell (tt_store_name (store, event->name), self->id == TARGET_MEMORY);
    case DEVICE:
      return device_cell (process, event->facts.device);
    case WORK_NAME:
      return work_name_cell (store, event);
    case CALL_NAME:
      return tt_kernel_name_cell (store, event->name, TRUE);
    case PID:
      return tt_kernel_pid_cell (store, event->thread);
    case TID:
      return tt_kernel_tid_cell (store, event->thread);
    case THREAD_NAME:
      return thread == NULL || thread->label == NULL ? tt_cell_empty () : tt_cell_text (thread->label);
    case UNKNOWN:
      return tt_cell_empty ();
    }
  g_return_val_if_reached (tt_cell_empty ());
}

#define NUMBER(kind, title, id, width)                           \
  {                                                              \
    kind, title, title, event_number, (id), .min_width = (width) \
  }
#define WORD(kind, title, id, width)                           \
  {                                                            \
    kind, title, title, event_word, (id), .min_width = (width) \
  }

static const TtReportField gpu_fields[] = {
  NUMBER (TT_COLUMN_COUNT, "Start (ns)", START, 0),
  NUMBER (TT_COLUMN_COUNT, "Duration (ns)", DURATION, 0),
  NUMBER (TT_COLUMN_COUNT, "CorrId", CORRELATION, 110),
  NUMBER (TT_COLUMN_COUNT, "GrdX", GRID, 150),
  NUMBER (TT_COLUMN_COUNT, "GrdY", GRID + 1, 150),
  NUMBER (TT_COLUMN_COUNT, "GrdZ", GRID + 2, 150),
  NUMBER (TT_COLUMN_COUNT, "BlkX", BLOCK, 150),
  NUMBER (TT_COLUMN_COUNT, "BlkY", BLOCK + 1, 150),
  NUMBER (TT_COLUMN_COUNT, "BlkZ", BLOCK + 2, 150),
  NUMBER (TT_COLUMN_COUNT, "Reg/Trd", REGISTERS, 170),
  NUMBER (TT_COLUMN_REAL, "StcSMem (MB)", STATIC_SHARED, 200),
  NUMBER (TT_COLUMN_REAL, "DymSMem (MB)", DYNAMIC_SHARED, 200),
  NUMBER (TT_COLUMN_REAL, "Bytes (MB)", COPY_BYTES, 0),
  NUMBER (TT_COLUMN_REAL, "Throughput (MB/s)", THROUGHPUT, 120),
  WORD (TT_COLUMN_WORD, "SrcMemKd", SOURCE_MEMORY, 180),
  WORD (TT_COLUMN_WORD, "DstMemKd", TARGET_MEMORY, 180),
  WORD (TT_COLUMN_WORD, "Device", DEVICE, 130),
  NUMBER (TT_COLUMN_COUNT, "Ctx", CONTEXT, 190),
  WORD (TT_COLUMN_WORD, "GreenCtx", UNKNOWN, 210),
  NUMBER (TT_COLUMN_COUNT, "Strm", STREAM, 0),
  WORD (TT_COLUMN_TEXT, "Name", WORK_NAME, 0),
};

static const TtReportField api_fields[] = {
  NUMBER (TT_COLUMN_COUNT, "Start (ns)", START, 0),
  NUMBER (TT_COLUMN_COUNT, "Duration (ns)", DURATION, 0),
  WORD (TT_COLUMN_TEXT, "Name", CALL_NAME, 0),
  NUMBER (TT_COLUMN_COUNT, "Result", RESULT, 0),
  NUMBER (TT_COLUMN_COUNT, "CorrID", CORRELATION, 0),
  WORD (TT_COLUMN_WORD, "Pid", PID, 100),
  WORD (TT_COLUMN_WORD, "Tid", TID, 0),
  WORD (TT_COLUMN_WORD, "T-Pri", UNKNOWN, 120),
  WORD (TT_COLUMN_TEXT, "Thread Name", THREAD_NAME, 110),
};

/* Nsight Systems tells the result of each call, and an import keeps those that are not 0. */
static gboolean
has_all_results (TtStore *store)
{
  guint n, n_telling = 0;
  const TtSource *sources = tt_store_sources (store, &n);

  for (guint i = 0; i < n; i++)
    n_telling += g_str_equal (sources[i].format, "nsys");
  return n > 0 && n_telling == n;
}

TtReport *
tt_event_trace_table (TtStore *store, const TtKernels *kernels, TtKernelTable table, const TtReportView *view)
{
  gboolean is_gpu = table == TT_NSYS_GPU_TRACE;
  const TtKernelContext context = { .store = store,
                                    .first_ns = kernels->first_ns,
                                    .has_results = has_all_results (store) };
  TtReport *report = is_gpu ? tt_report_of_fields (gpu_fields, G_N_ELEMENTS (gpu_fields), view, &context)
                            : tt_report_of_fields (api_fields, G_N_ELEMENTS (api_fields), view, &context);

  tt_kernel_add_rows (report, tt_event_list_events (kernels->events), view);
  return report;
}
