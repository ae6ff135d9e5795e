/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/nsys/device.h"

#include "formats/nsys/lanes.h"
#include "formats/nsys/names.h"

#include <string.h>

/* The first columns of every table of this file. */
enum
{
  BEGIN,
  END,
  PID,
  DEVICE,
  CONTEXT,
  STREAM,
  CORRELATION,
  OWN, /* of the table */
};
#define COMMON "start", "end", "globalPid", "deviceId", "contextId", "streamId", "correlationId"

static const char *const copy_kinds[] = { "Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD",
                                          "DtoA",    "DtoD", "HtoH", "PtoP", "HtoD", "DtoH", "DtoD" };
#define FIRST_UNIFIED 11
static const char *const memory_kinds[] = {
  "Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static", "Unknown"
};
static const char *const sync_kinds[] = { "Sync", "Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync" };

typedef gboolean (*TakeFunc) (TtNsys *self, TtRows *rows, TtTraceRecord *record, GError **error);

static const char *
word (const char *const *words, guint n, gint64 number)
{
  return number >= 0 && number < (gint64) n ? words[number] : "Unknown";
}

/* -- what all have -------------------------------------------------------------------------------------- */

static void
begin_args (TtNsys *self, TtRows *rows)
{
  tt_nsys_args_begin (self);
  tt_nsys_args_column (self, "device", rows, DEVICE);
  tt_nsys_args_column (self, "context", rows, CONTEXT);
  tt_nsys_args_column (self, "stream", rows, STREAM);
  tt_nsys_args_column (self, "correlation", rows, CORRELATION);
}

/* -- kernels -------------------------------------------------------------------------------------------- */

enum
{
  KERNEL_NAME = OWN,
  SHORT_NAME,
  REGISTERS,
  GRID,
  BLOCK = GRID + 3,
  STATIC_SHARED = BLOCK + 3,
  DYNAMIC_SHARED,
  LOCAL_MEMORY,
  KERNEL_NODE,
};

static gboolean
take_kernel (TtNsys *self, TtRows *rows, TtTraceRecord *record, GError **error)
{
  TtNsysName name;
  gint64 shared[2];

  int column = tt_rows_is_null (rows, KERNEL_NAME) ? SHORT_NAME : KERNEL_NAME;
  if (!tt_nsys_name (self, TT_NSYS_KERNEL, 0, rows, column, &name, error))
    return FALSE;
  record->name = name.name;
  record->tag = TT_ACTIVITY_KERNEL;
  tt_nsys_args_column (self, "registers per thread", rows, REGISTERS);
  if (tt_rows_int (rows, STATIC_SHARED, &shared[0]) && tt_rows_int (rows, DYNAMIC_SHARED, &shared[1]) &&
      !__builtin_add_overflow (shared[0], shared[1], &shared[0]))
    {
      tt_nsys_args_int (self, "shared memory", shared[0]);
      tt_nsys_args_column (self, "static shared memory", rows, STATIC_SHARED);
    }
  tt_nsys_args_column (self, "local memory per thread", rows, LOCAL_MEMORY);
  tt_nsys_args_triple (self, "grid", rows, GRID);
  tt_nsys_args_triple (self, "block", rows, BLOCK);
  if (tt_rows_int_or (rows, KERNEL_NODE, 0) != 0)
    tt_nsys_args_column (self, "graph node id", rows, KERNEL_NODE);
  return TRUE;
}

/* -- copies and sets -------------------------------------------------------------------------------------- */

enum
{
  COPY_BYTES = OWN,
  COPY_KIND,
  COPY_FROM,
  COPY_TO,
  FROM_DEVICE,
  TO_DEVICE,
  MIGRATION_CAUSE,
  COPY_NODE,
};

static void
name_copy (TtNsys *self, TtRows *rows, gint64 kind, TtNsysName *name)
{
  gint64 from = tt_rows_int_or (rows, COPY_FROM, -1), to = tt_rows_int_or (rows, COPY_TO, -1);
  g_autofree char *text = NULL;

  if (kind >= FIRST_UNIFIED)
    text = g_strdup_printf ("Memcpy %s (Unified)", word (copy_kinds, G_N_ELEMENTS (copy_kinds), kind));
  else if (from < 0 && to < 0)
    text = g_strdup_printf ("Memcpy %s", word (copy_kinds, G_N_ELEMENTS (copy_kinds), kind));
  else
    text = g_strdup_printf ("Memcpy %s (%s -> %s)", word (copy_kinds, G_N_ELEMENTS (copy_kinds), kind),
                            word (memory_kinds, G_N_ELEMENTS (memory_kinds), from),
                            word (memory_kinds, G_N_ELEMENTS (memory_kinds), to));
  tt_nsys_name_text (self, "gpu_memcpy", text, name);
}

static gboolean
take_copy (TtNsys *self, TtRows *rows, TtTraceRecord *record, GError **error)
{
  gint64 kind = tt_rows_int_or (rows, COPY_KIND, 0);
  TtNsysName name;

  (void) error;
  name_copy (self, rows, kind, &name);
  record->name = name.name;
  record->tag = (guint32) TT_ACTIVITY_COPY | (name.blocks ? TT_NSYS_BLOCKS : 0);
  tt_nsys_args_column (self, "bytes", rows, COPY_BYTES);
  /* As Kineto has them, of copies between devices only. */
  if (kind == 10)
    {
      tt_nsys_args_column (self, "fromDevice", rows, FROM_DEVICE);
      tt_nsys_args_column (self, "toDevice", rows, TO_DEVICE);
    }
  if (kind >= FIRST_UNIFIED)
    tt_nsys_args_column (self, "migration cause", rows, MIGRATION_CAUSE);
  if (tt_rows_int_or (rows, COPY_NODE, 0) != 0)
    tt_nsys_args_column (self, "graph node id", rows, COPY_NODE);
  return TRUE;
}

enum
{
  SET_BYTES = OWN,
  SET_VALUE,
  SET_MEMORY,
  SET_NODE,
};

static gboolean
take_set (TtNsys *self, TtRows *rows, TtTraceRecord *record, GError **error)
{
  gint64 kind = tt_rows_int_or (rows, SET_MEMORY, 2);
  g_autofree char *text = g_strdup_printf ("Memset (%s)", word (memory_kinds, G_N_ELEMENTS (memory_kinds), kind));
  TtNsysName name;

  (void) error;
  tt_nsys_name_text (self, "gpu_memset", text, &name);
  record->name = name.name;
  record->tag = TT_ACTIVITY_SET;
  tt_nsys_args_column (self, "bytes", rows, SET_BYTES);
  tt_nsys_args_column (self, "value", rows, SET_VALUE);
  if (tt_rows_int_or (rows, SET_NODE, 0) != 0)
    tt_nsys_args_column (self, "graph node id", rows, SET_NODE);
  return TRUE;
}

/* -- marks, graphs ------------------------------------------------------------------------------------------ */

enum
{
  SYNC_KIND = OWN,
  SYNC_EVENT,
};

/* CUPTI_SYNCHRONIZATION_INVALID_VALUE: the host waits for an event, or the whole device. */
#define NO_STREAM ((gint64) G_MAXUINT32)

static gboolean
take_sync (TtNsys *self, TtRows *rows, TtTraceRecord *record, GError **error)
{
  gint64 kind = tt_rows_int_or (rows, SYNC_KIND, 0);
  gboolean has_stream = record->thread != TT_NO_ID;
  TtNsysName name;

  (void) error;
  tt_nsys_name_text (self, "cuda_sync", word (sync_kinds, G_N_ELEMENTS (sync_kinds), kind), &name);
  record->name = name.name;
  record->tag = name.role;
  if (has_stream && record->thread <= G_MAXUINT32 >> TT_NSYS_QUEUE_SHIFT && name.role != TT_ACTIVITY_AWAITS_DEVICE)
    record->tag |= record->thread << TT_NSYS_QUEUE_SHIFT;
  if (has_stream)
    record->thread = tt_nsys_waits_of_stream (self, rows, PID, record);
  else
    tt_nsys_on_device (self, rows, PID, "waits", record);
  if (kind == 1 || kind == 2)
    tt_nsys_args_column (self, "wait_on_cuda_event_id", rows, SYNC_EVENT);
  return TRUE;
}

enum
{
  GRAPH_ID = OWN,
  GRAPH_EXEC,
};

/* One span for all nodes of a launch, in reports that do not have them one by one. */
static gboolean
take_graph (TtNsys *self, TtRows *rows, TtTraceRecord *record, GError **error)
{
  g_autofree char *text = g_strdup_printf ("CUDA graph %" G_GINT64_FORMAT, tt_rows_int_or (rows, GRAPH_ID, 0));
  TtNsysName name;

  (void) error;
  tt_nsys_name_text (self, "cuda_graph", text, &name);
  record->name = name.name;
  record->tag = TT_ACTIVITY_KERNEL;
  tt_nsys_args_column (self, "graph id", rows, GRAPH_ID);
  tt_nsys_args_column (self, "graph exec id", rows, GRAPH_EXEC);
  return TRUE;
}

/* -- the tables --------------------------------------------------------------------------------------------- */

static gboolean
read_table (TtNsys *self, const char *table, const char *const *columns, TakeFunc take, GError **error)
{
  GError *local = NULL;
  g_autoptr (TtRows) rows = tt_tables_rows (self->tables, table, columns, NULL, &local);
  gboolean is_open;

  while (rows != NULL && tt_nsys_next (self, rows, &local))
    {
      TtTraceRecord record = { .step = TT_NO_STEP };

      if (!tt_nsys_times (self, rows, BEGIN, END, PID, &record, &is_open))
        continue;
      if (take != take_sync || tt_rows_int_or (rows, STREAM, 0) < NO_STREAM)
        tt_nsys_on_stream (self, rows, PID, &record);
      record.key = (guint64) tt_rows_int_or (rows, CORRELATION, 0);
      begin_args (self, rows);
      if (!take (self, rows, &record, &local))
        break;
      record.args = tt_nsys_args_end (self);
      if (is_open)
        tt_arrange_begin (self->arrange, &record);
      else
        tt_arrange_span (self->arrange, &record);
    }
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

gboolean
tt_nsys_read_devices (TtNsys *self, GError **error)
{
  static const char *const kernel[] = { COMMON,
                                        "demangledName",
                                        "shortName",
                                        "registersPerThread",
                                        "gridX",
                                        "gridY",
                                        "gridZ",
                                        "blockX",
                                        "blockY",
                                        "blockZ",
                                        "staticSharedMemory",
                                        "dynamicSharedMemory",
                                        "localMemoryPerThread",
                                        "graphNodeId",
                                        NULL };
  static const char *const copy[] = { COMMON,        "bytes",       "copyKind",       "srcKind",     "dstKind",
                                      "srcDeviceId", "dstDeviceId", "migrationCause", "graphNodeId", NULL };
  static const char *const set[] = { COMMON, "bytes", "value", "memKind", "graphNodeId", NULL };
  static const char *const sync[] = { COMMON, "syncType", "eventId", NULL };
  static const char *const graph[] = { COMMON, "graphId", "graphExecId", NULL };

  return read_table (self, "CUPTI_ACTIVITY_KIND_KERNEL", kernel, take_kernel, error) &&
         read_table (self, "CUPTI_ACTIVITY_KIND_MEMCPY", copy, take_copy, error) &&
         read_table (self, "CUPTI_ACTIVITY_KIND_MEMSET", set, take_set, error) &&
         read_table (self, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", sync, take_sync, error) &&
         read_table (self, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", graph, take_graph, error);
}
