#include "config.h"

#include "formats/job/private.h"

#include "formats/trace-event/reader.h"
#include "formats/nccl/names.h"

#include <string.h>

/* What is no operator: io.json and comm_detail.json. For comm.json see job-horovod.c. */

/* Behind the operators. */
#define ORDER_IO 1000
#define ORDER_DETAIL 1002

typedef gboolean (*EventFunc) (const TtTraceEvent *event, gpointer data);

static gboolean
each_event (TtJob *job, const char *path, EventFunc func, gpointer data, GError **error)
{
  g_autoptr (TtTraceEventReader) reader = tt_trace_event_reader_new (path, job->sink, job->options->strict, error);
  g_autoptr (GError) failure = NULL;
  TtTraceEvent event;

  if (reader == NULL)
    return FALSE;
  while (tt_trace_event_reader_next (reader, &event, &failure))
    if (!func (&event, data))
      tt_sink_repair (job->sink, TT_REPAIR_ODD_RECORD, event.offset);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

static gboolean
is_whole_span (const TtTraceEvent *event, TtSink *sink)
{
  if ((event->has & TT_EVENT_HAS_DUR) == 0)
    tt_sink_repair (sink, TT_REPAIR_NO_DURATION, event->offset);
  return event->name.kind == TT_JSON_STRING && (event->has & TT_EVENT_HAS_TS) != 0;
}

/* -- the input pipeline ---------------------------------------------------------------------------------- */

/* The last of its name before the operators: what the first step reads. */
typedef struct
{
  TtJobSpan span;
  char *args;
} Early;

typedef struct
{
  TtJob *job;
  TtJobProcess *process;
  guint32 thread;
  GHashTable *early; /* id of a name -> Early */
  GString *name;
} Pipeline;

static void
early_free (gpointer data)
{
  Early *early = data;

  g_free (early->args);
  g_free (early);
}

static void
put_io (Pipeline *self, const TtJobSpan *span)
{
  if (self->job->arrange != NULL)
    tt_job_put (self->job, span);
  else
    tt_step_finder_add (self->job->finder, self->process->process, span->name, span->ts_ns, TT_STEP_IO, span->step);
}

static void
keep_early (Pipeline *self, const TtJobSpan *span)
{
  Early *early = g_hash_table_lookup (self->early, GUINT_TO_POINTER (span->name));

  if (early != NULL)
    tt_sink_repair (self->job->sink, TT_REPAIR_OUTSIDE_WINDOW, MIN (early->span.offset, span->offset));
  if (early != NULL && early->span.ts_ns > span->ts_ns)
    return;
  Early *last = g_new0 (Early, 1);
  last->span = *span;
  last->span.args = last->args = g_strndup (span->args, span->args_len);
  g_hash_table_replace (self->early, GUINT_TO_POINTER (span->name), last);
}

static guint32
io_name (Pipeline *self, const TtTraceEvent *event)
{
  TtRawName raw = { .op_cat = "I/O", .group = "I/O" };

  g_string_truncate (self->name, 0);
  tt_json_unescape (&event->name, self->name, &self->job->sink->repairs);
  raw.raw = self->name->str;
  if (g_str_has_prefix (raw.raw, "I/O_") || g_str_has_prefix (raw.raw, "I/O."))
    raw.raw += 4;
  return tt_sink_name (self->job->sink, &raw);
}

static gint32
explicit_step (const TtTraceEvent *event)
{
  gint64 step;

  if (event->args.kind != TT_JSON_OBJECT)
    return TT_NO_STEP;
  TtJsonValue value = tt_json_get (event->args.raw, "step");
  return tt_json_int64 (&value, &step) && step >= 0 && step <= G_MAXINT32 ? (gint32) step : TT_NO_STEP;
}

static gboolean
take_io (const TtTraceEvent *event, gpointer data)
{
  Pipeline *self = data;
  const TtJobProcess *process = self->process;

  if (event->ph != 'X')
    return event->ph == 'M';
  if (!is_whole_span (event, self->job->sink))
    return FALSE;
  const TtJobSpan span = {
    .process = process,
    .thread = self->thread,
    .name = io_name (self, event),
    .ts_ns = event->ts_ns,
    .dur_ns = event->dur_ns,
    .step = explicit_step (event),
    .args = event->args.raw.bytes,
    .args_len = event->args.kind == TT_JSON_OBJECT ? event->args.raw.len : 0,
    .offset = event->offset,
  };
  if (tt_job_is_in_window (process, span.ts_ns))
    put_io (self, &span);
  else if (span.ts_ns < process->first_ns)
    keep_early (self, &span);
  else
    tt_sink_repair (self->job->sink, TT_REPAIR_OUTSIDE_WINDOW, event->offset);
  return TRUE;
}

static int
by_offset (gconstpointer a, gconstpointer b)
{
  const Early *x = *(const Early *const *) a, *y = *(const Early *const *) b;

  return x->span.offset < y->span.offset ? -1 : x->span.offset > y->span.offset;
}

gboolean
tt_job_read_io (TtJob *job, TtJobProcess *process, const char *path, GError **error)
{
  g_autoptr (GHashTable) early = g_hash_table_new_full (NULL, NULL, NULL, early_free);
  g_autoptr (GString) name = g_string_new (NULL);
  Pipeline self = { .job = job, .process = process, .early = early, .name = name };

  if (job->arrange != NULL)
    self.thread = tt_sink_thread (job->sink, process->process, "I/O", NULL, ORDER_IO);
  if (!each_event (job, path, take_io, &self, error))
    return FALSE;

  g_autoptr (GPtrArray) rest = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer last;
  g_hash_table_iter_init (&iter, early);
  while (g_hash_table_iter_next (&iter, NULL, &last))
    g_ptr_array_add (rest, last);
  g_ptr_array_sort (rest, by_offset);
  for (guint i = 0; i < rest->len; i++)
    put_io (&self, &((const Early *) rest->pdata[i])->span);
  return TRUE;
}

/* -- chunks of NCCL -------------------------------------------------------------------------------------- */

typedef struct
{
  char *ids;
  const char *sub_op; /* NULL: the name has another form */
} DetailName;

typedef struct
{
  TtJob *job;
  TtJobProcess *process;
  GHashTable *names;   /* name of the source -> DetailName */
  GHashTable *threads; /* pid of the source -> id of the sink's thread */
  GString *text;
} Detail;

static void
detail_name_free (gpointer data)
{
  g_free (((DetailName *) data)->ids);
  g_free (data);
}

static const DetailName *
find_detail_name (Detail *self, const TtTraceEvent *event)
{
  g_string_truncate (self->text, 0);
  g_string_append_len (self->text, event->name.raw.bytes, (gssize) event->name.raw.len);
  DetailName *name = g_hash_table_lookup (self->names, self->text->str);
  if (name != NULL)
    return name;

  g_autofree char *text = tt_json_text (&event->name);
  name = g_new0 (DetailName, 1);
  if (!tt_nccl_name (text, &name->ids, &name->sub_op))
    name->sub_op = NULL;
  g_hash_table_insert (self->names, g_strdup (self->text->str), name);
  return name;
}

/* "comm_detail_r0_lr0": the source's pid. */
static guint32
detail_thread (Detail *self, const TtTraceEvent *event)
{
  static const char anonymous[] = "comm_detail";
  gboolean has_pid = event->pid.kind == TT_JSON_STRING && event->pid.raw.len > 0;

  g_string_truncate (self->text, 0);
  if (has_pid)
    tt_json_unescape (&event->pid, self->text, NULL);
  else
    g_string_append (self->text, anonymous);
  guint thread = GPOINTER_TO_UINT (g_hash_table_lookup (self->threads, self->text->str));
  if (thread == 0)
    {
      thread = tt_sink_thread (self->job->sink, self->process->process, self->text->str, NULL, ORDER_DETAIL);
      g_hash_table_insert (self->threads, g_strdup (self->text->str), GUINT_TO_POINTER (thread));
    }
  return thread;
}

/* A number that is written as it is read stands for itself. */
static gboolean
append_number (GString *text, const TtJsonValue *value)
{
  const TtSlice raw = value->raw;
  gboolean is_plain =
      value->kind == TT_JSON_NUMBER && raw.len > 0 && raw.len < 10 && (raw.bytes[0] != '0' || raw.len == 1);
  gint64 number;

  for (gsize i = 0; is_plain && i < raw.len; i++)
    is_plain = g_ascii_isdigit (raw.bytes[i]);
  if (is_plain)
    {
      g_string_append_len (text, raw.bytes, (gssize) raw.len);
      return TRUE;
    }
  if (!tt_json_int64 (value, &number) || number < 0)
    return FALSE;
  g_string_append_printf (text, "%" G_GINT64_FORMAT, number);
  return TRUE;
}

/* "loop_channel_chunk_slice" of the arguments. */
static gboolean
make_suffix (GString *suffix, TtSlice args)
{
  static const char *const keys[] = { "loopId", "channelId", "chunkId", "sliceId" };
  TtJsonValue values[G_N_ELEMENTS (keys)] = { { .kind = TT_JSON_NONE } }, key, value;
  const char *cursor = NULL;

  while (tt_json_member (args, &cursor, &key, &value))
    for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
      if (key.has_escapes)
        values[i] = tt_json_get (args, keys[i]);
      else if (tt_slice_is (key.raw, keys[i], strlen (keys[i])))
        values[i] = value;
  g_string_truncate (suffix, 0);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      if (i > 0)
        g_string_append_c (suffix, '_');
      if (values[i].kind == TT_JSON_NONE || !append_number (suffix, &values[i]))
        return FALSE;
    }
  return TRUE;
}

static gboolean
take_detail (const TtTraceEvent *event, gpointer data)
{
  Detail *self = data;

  if (event->ph != 'X')
    {
      /* Instants mark where tensors end. */
      tt_sink_repair (self->job->sink, TT_REPAIR_OTHER_ACTIVITY, event->offset);
      return TRUE;
    }
  if (!is_whole_span (event, self->job->sink) || event->args.kind != TT_JSON_OBJECT)
    return FALSE;
  const DetailName *name = find_detail_name (self, event);
  guint32 thread = detail_thread (self, event);
  if (name->sub_op == NULL || !make_suffix (self->text, event->args.raw))
    return FALSE;
  if (!tt_job_is_in_window (self->process, event->ts_ns))
    {
      tt_sink_repair (self->job->sink, TT_REPAIR_OUTSIDE_WINDOW, event->offset);
      return TRUE;
    }
  const TtRawName raw = {
    .raw = name->ids, .op_cat = "Comm", .sub_op = name->sub_op, .suffix = self->text->str, .group = "Comm"
  };
  const TtJobSpan span = {
    .process = self->process,
    .name = tt_sink_name (self->job->sink, &raw),
    .thread = thread,
    .ts_ns = event->ts_ns,
    .dur_ns = event->dur_ns,
    .step = explicit_step (event),
    .args = event->args.raw.bytes,
    .args_len = event->args.raw.len,
    .offset = event->offset,
  };
  tt_job_put (self->job, &span);
  return TRUE;
}

gboolean
tt_job_read_detail (TtJob *job, TtJobProcess *process, const char *path, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (tt_local_graph_hash, g_str_equal, g_free, detail_name_free);
  g_autoptr (GHashTable) threads = g_hash_table_new_full (tt_local_graph_hash, g_str_equal, g_free, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  Detail self = { job, process, names, threads, text };

  return each_event (job, path, take_detail, &self, error);
}
