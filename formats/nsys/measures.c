/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/nsys/measures.h"

#include "formats/nsys/lanes.h"
#include "formats/nsys/names.h"
#include "src/base/map64.h"
#include "src/base/slots.h"

static gboolean
fail (GError **error, GError *failure)
{
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

/* -- memory of devices -------------------------------------------------------------------------------------- */

enum
{
  BEGIN,
  PID,
  DEVICE,
  ADDRESS,
  BYTES,
  KIND,
  OPERATION,
  VARIABLE,
  MEMORY_CORRELATION,
};

/* ENUM_CUDA_MEM_KIND */
static const char *const memory_kinds[] = { "Pageable memory",      "Pinned memory",  "Device memory",
                                            "Array memory",         "Managed memory", "Device static memory",
                                            "Managed static memory" };

/* ENUM_CUDA_DEV_MEM_EVENT_OPER */
static gboolean
is_free (gint64 operation)
{
  return operation == 1;
}

static const char *
kind_of (TtRows *rows)
{
  gint64 kind = tt_rows_int_or (rows, KIND, -1);

  return kind >= 0 && kind < (gint64) G_N_ELEMENTS (memory_kinds) ? memory_kinds[kind] : "Memory";
}

static void
add_allocation (TtNsys *self, TtRows *rows, GHashTable *totals, TtTraceRecord *record)
{
  gint64 bytes = tt_rows_int_or (rows, BYTES, 0), total = 0;
  gboolean frees = is_free (tt_rows_int_or (rows, OPERATION, 0));
  const char *kind = kind_of (rows);
  const TtRawName raw = { .raw = kind, .group = "memory", .op_cat = "MEM", .sub_op = frees ? "FREE" : "ALLOC" };

  tt_nsys_on_device (self, rows, PID, "memory", record);
  record->name = tt_sink_name (self->sink, &raw);
  tt_nsys_args_begin (self);
  tt_nsys_args_int (self, "bytes", bytes);
  tt_nsys_args_column (self, "address", rows, ADDRESS);
  tt_nsys_args_column (self, "correlation", rows, MEMORY_CORRELATION);
  tt_nsys_args_text (self, "variable", tt_rows_text (rows, VARIABLE, NULL));
  record->args = tt_nsys_args_end (self);
  tt_arrange_instant (self->arrange, record);

  const gint64 key = (gint64) ((guint64) record->process << 32 | g_str_hash (kind));
  const gint64 *known = g_hash_table_lookup (totals, &key);
  if (__builtin_add_overflow (known == NULL ? 0 : *known, frees ? -bytes : bytes, &total))
    return;
  g_hash_table_replace (totals, g_memdup2 (&key, sizeof key), g_memdup2 (&total, sizeof total));
  /* What was allocated before the session began is not known. */
  const TtArrangeCounter counter = { .series = tt_sink_series (self->sink, kind, "B", FALSE),
                                     .thread = record->thread,
                                     .process = record->process,
                                     .ts_ns = record->ts_ns,
                                     .integer = MAX (total, 0),
                                     .offset = record->offset };
  tt_arrange_counter (self->arrange, &counter);
}

static gboolean
read_memory (TtNsys *self, GError **error)
{
  static const char *const columns[] = { "start",   "globalPid",           "deviceId", "address",       "bytes",
                                         "memKind", "memoryOperationType", "name",     "correlationId", NULL };
  static const char table[] = "CUDA_GPU_MEMORY_USAGE_EVENTS";
  g_autoptr (GHashTable) totals = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  gboolean is_ordered = tt_tables_has_column (self->tables, table, "start");
  GError *local = NULL;
  g_autoptr (TtRows) rows =
      tt_tables_rows (self->tables, table, columns, is_ordered ? "ORDER BY \"start\", rowid" : NULL, &local);

  while (rows != NULL && tt_nsys_next (self, rows, &local))
    {
      TtTraceRecord record = { .step = TT_NO_STEP, .offset = self->n_rows };

      if (tt_nsys_time (self, rows, BEGIN, PID, &record.ts_ns))
        add_allocation (self, rows, totals, &record);
    }
  return fail (error, local);
}

/* -- counters of the GPU -------------------------------------------------------------------------------------- */

/* The number of the GPU is in the lowest byte of a type. */
#define GPU_OF_TYPE(type) ((type) &0xff)
#define MOST_METRICS 65536u

static guint64
metric_key (gint64 type, gint64 metric)
{
  return tt_slots_mix ((guint64) metric ^ tt_slots_mix ((guint64) type));
}

static gboolean
read_metric_names (TtNsys *self, TtMap64 *series, GError **error)
{
  static const char *const columns[] = { "typeId", "metricId", "metricName", NULL };
  GError *local = NULL;
  g_autoptr (TtRows) rows = tt_tables_rows (self->tables, "TARGET_INFO_GPU_METRICS", columns, NULL, &local);
  gint64 type, metric;

  while (rows != NULL && series->n < MOST_METRICS && tt_nsys_next (self, rows, &local))
    {
      const char *name = tt_rows_text (rows, 2, NULL);

      if (name == NULL || !tt_rows_int (rows, 0, &type) || !tt_rows_int (rows, 1, &metric))
        continue;
      g_autofree char *valid = g_utf8_make_valid (name, -1);
      tt_map64_set (series, metric_key (type, metric), tt_sink_series (self->sink, valid, NULL, FALSE));
    }
  return fail (error, local);
}

static gboolean
read_metrics (TtNsys *self, GError **error)
{
  static const char *const columns[] = { "timestamp", "typeId", "metricId", "value", NULL };
  GError *local = NULL;
  g_autoptr (TtRows) rows = NULL;
  TtMap64 series = { 0 };
  TtTraceRecord at = { 0 };
  gint64 type, metric, last_gpu = -1;
  double real;

  if (tt_tables_has (self->tables, "GPU_METRICS") && read_metric_names (self, &series, &local))
    rows = tt_tables_rows (self->tables, "GPU_METRICS", columns, NULL, &local);
  while (rows != NULL && tt_nsys_next (self, rows, &local))
    {
      if (!tt_nsys_time (self, rows, 0, -1, &at.ts_ns))
        continue;
      guint32 id = tt_rows_int (rows, 1, &type) && tt_rows_int (rows, 2, &metric)
                       ? tt_map64_get (&series, metric_key (type, metric))
                       : TT_MAP64_NONE;
      if (id == TT_MAP64_NONE || !tt_rows_real (rows, 3, &real))
        {
          tt_sink_repair (self->sink, TT_REPAIR_BAD_COUNTER, self->n_rows);
          continue;
        }
      if (GPU_OF_TYPE (type) != last_gpu)
        tt_nsys_on_machine (self, last_gpu = GPU_OF_TYPE (type), &at);
      TtArrangeCounter counter = { .series = id,
                                   .thread = at.thread,
                                   .process = at.process,
                                   .ts_ns = at.ts_ns,
                                   .real = real,
                                   .offset = self->n_rows };
      counter.is_real = !tt_rows_int (rows, 3, &counter.integer);
      tt_arrange_counter (self->arrange, &counter);
    }
  tt_map64_clear (&series);
  return fail (error, local);
}

/* -- what the profiler says ------------------------------------------------------------------------------------ */

/* ENUM_DIAGNOSTIC_SEVERITY_LEVEL; 1 is information, 4 what is said for developers. */
#define WARNING 2
#define ERROR 3

static gboolean
read_diagnostics (TtNsys *self, GError **error)
{
  static const char *const columns[] = { "timestamp", "severity", "text", NULL };
  GError *local = NULL;
  g_autoptr (TtRows) rows = tt_tables_rows (self->tables, "DIAGNOSTIC_EVENT", columns, NULL, &local);
  g_autofree char *first = NULL;
  guint64 n = 0;

  while (rows != NULL && tt_nsys_next (self, rows, &local))
    {
      gint64 severity = tt_rows_int_or (rows, 1, 0);
      const char *text = tt_rows_text (rows, 2, NULL);

      if ((severity != WARNING && severity != ERROR) || text == NULL)
        continue;
      if (n++ == 0)
        first = g_utf8_make_valid (text, -1);
    }
  if (n > 0)
    {
      g_autofree char *count = g_strdup_printf ("%" G_GUINT64_FORMAT, n);
      tt_sink_note (self->sink, "%s: Nsight Systems itself noted %s warning%s or errors, first: %.300s", self->path,
                    count, n == 1 ? "" : "s", first);
    }
  return fail (error, local);
}

gboolean
tt_nsys_read_measures (TtNsys *self, GError **error)
{
  return read_memory (self, error) && read_metrics (self, error) && read_diagnostics (self, error);
}
