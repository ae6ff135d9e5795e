/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/nsys/host.h"

#include "formats/nsys/lanes.h"
#include "formats/nsys/names.h"

enum
{
  BEGIN,
  END,
  THREAD,
  NAME,
  CORRELATION,
  RESULT,
  CLASS,
};

/* ENUM_NSYS_EVENT_CLASS, TRACE_PROCESS_EVENT_... */
enum
{
  CLASS_DRIVER = 1,
  CLASS_OSRT_START = 31, /* "profiling started": notes of the profiler, of no length */
  CLASS_CUBLAS_FINISH = 36,
  CLASS_BACKTRACE = 67, /* a call of class 0 once more, a little longer, with its stack (releases of 2022) */
  CLASS_OPENMP_START = 79,
  CLASS_OPENMP_FINISH = 80,
};

static gboolean
is_note (gint64 class)
{
  return (class >= CLASS_OSRT_START && class <= CLASS_CUBLAS_FINISH) || class == CLASS_OPENMP_START ||
         class == CLASS_OPENMP_FINISH;
}

static const char *const columns[] = { "start",         "end",         "globalTid",  "nameId",
                                       "correlationId", "returnValue", "eventClass", NULL };
/* MPI and UCX have their names in another column. */
static const char *const text_columns[] = { "start", "end", "globalTid", "textId", "correlationId", "returnValue",
                                            "eventClass", NULL };

static const struct
{
  const char *table; /* or what its name begins with */
  TtNsysGroup group;
  gboolean is_prefix, has_texts;
} tables[] = {
  { "CUPTI_ACTIVITY_KIND_RUNTIME", TT_NSYS_RUNTIME, FALSE, FALSE },
  { "OSRT_API", TT_NSYS_OSRT, FALSE, FALSE },
  { "CUDNN_EVENTS", TT_NSYS_CUDNN, FALSE, FALSE },
  { "CUBLAS_EVENTS", TT_NSYS_CUBLAS, FALSE, FALSE },
  { "PROFILER_OVERHEAD", TT_NSYS_OVERHEAD, FALSE, FALSE },
  { "OPENMP_EVENT_KIND_", TT_NSYS_OPENMP, TRUE, FALSE },
  { "CUPTI_ACTIVITY_KIND_OPENACC_", TT_NSYS_OPENACC, TRUE, FALSE },
  { "UCP_SUBMIT_EVENTS", TT_NSYS_UCX, FALSE, TRUE },
  { "UCP_PROGRESS_EVENTS", TT_NSYS_UCX, FALSE, TRUE },
  { "UCP_EVENTS", TT_NSYS_UCX, FALSE, TRUE },
};

/* Its place in tables; -1: it is none. */
static int
find_kind (const char *table)
{
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (tables[i].is_prefix ? g_str_has_prefix (table, tables[i].table) : g_str_equal (table, tables[i].table))
      return (int) i;
  return -1;
}

gboolean
tt_nsys_is_of_calls (const char *table)
{
  return find_kind (table) >= 0;
}

static void
add_call (TtNsys *self,
          TtRows *rows,
          TtNsysGroup group,
          const TtNsysName *name,
          TtTraceRecord *record,
          gboolean is_open)
{
  gboolean is_cuda = group == TT_NSYS_RUNTIME || group == TT_NSYS_DRIVER;
  gint64 result = tt_rows_int_or (rows, RESULT, 0);

  tt_nsys_on_thread (self, rows, THREAD, record);
  record->name = name->name;
  if (is_cuda)
    {
      record->key = (guint64) tt_rows_int_or (rows, CORRELATION, 0);
      record->tag = name->role != TT_ACTIVITY_NONE ? name->role : TT_NSYS_PLAIN_CALL;
      record->tag |= name->blocks ? TT_NSYS_BLOCKS : 0;
      record->flags = name->is_launch ? TT_FLAG_ENQUEUE : 0;
    }
  else if (name->role == TT_ACTIVITY_TRACER)
    record->tag = name->role;
  tt_nsys_args_begin (self);
  if (is_cuda)
    tt_nsys_args_column (self, "correlation", rows, CORRELATION);
  if (result != 0)
    tt_nsys_args_int (self, "result", result);
  record->args = tt_nsys_args_end (self);
  if (is_note (tt_rows_int_or (rows, CLASS, 0)))
    tt_arrange_instant (self->arrange, record);
  else if (is_open)
    tt_arrange_begin (self->arrange, record);
  else
    tt_arrange_span (self->arrange, record);
}

static gboolean
read_table (TtNsys *self, const char *table, guint kind, GError **error)
{
  GError *local = NULL;
  g_autoptr (TtRows) rows =
      tt_tables_rows (self->tables, table, tables[kind].has_texts ? text_columns : columns, NULL, &local);
  gboolean is_open;
  TtNsysName name;

  while (rows != NULL && tt_nsys_next (self, rows, &local))
    {
      TtTraceRecord record = { .step = TT_NO_STEP };
      TtNsysGroup group = tables[kind].group;

      gint64 class = tt_rows_int_or (rows, CLASS, 0);

      if (class == CLASS_BACKTRACE)
        {
          tt_sink_repair (self->sink, TT_REPAIR_TOLD_TWICE, self->n_rows);
          continue;
        }
      if (!tt_nsys_times (self, rows, BEGIN, END, THREAD, &record, &is_open))
        continue;
      if (group == TT_NSYS_RUNTIME && class == CLASS_DRIVER)
        group = TT_NSYS_DRIVER;
      if (!tt_nsys_name (self, group, 0, rows, NAME, &name, &local))
        break;
      add_call (self, rows, group, &name, &record, is_open);
    }
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

gboolean
tt_nsys_read_calls (TtNsys *self, GError **error)
{
  const char *const *names = tt_tables_names (self->tables);

  for (guint i = 0; names[i] != NULL; i++)
    {
      int kind = find_kind (names[i]);

      if (kind >= 0 && !read_table (self, names[i], (guint) kind, error))
        return FALSE;
    }
  return TRUE;
}
