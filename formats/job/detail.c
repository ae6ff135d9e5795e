/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/job/detail.h"

#include "formats/job/events.h"
#include "formats/job/rows.h"
#include "formats/nccl/names.h"
#include "src/base/cache.h"
#include "src/base/text-ids.h"

#include <string.h>

#define THREAD_ORDER 1002 /* after the operators, the input pipeline and Horovod */

typedef struct
{
  char *ids;
  const char *sub_op; /* NULL: the name has another form */
} DetailName;

typedef struct
{
  TtJobImport *job;
  TtJobImportProcess *process;
  TtCache names;      /* name of the source -> DetailName */
  TtTextIds *threads; /* pid of the source -> id of the sink's thread */
  GString *text;
} Detail;

static void
name_free (gpointer data)
{
  g_free (((DetailName *) data)->ids);
  g_free (data);
}

static const DetailName *
find_name (Detail *self, const TtTraceEvent *event)
{
  g_string_truncate (self->text, 0);
  g_string_append_len (self->text, event->name.raw.bytes, (gssize) event->name.raw.len);
  DetailName *name = tt_cache_find (&self->names, self->text->str);
  if (name != NULL)
    return name;

  g_autofree char *text = tt_json_text (&event->name);
  name = g_new0 (DetailName, 1);
  if (!tt_nccl_name (text, &name->ids, &name->sub_op))
    name->sub_op = NULL;
  tt_cache_add (&self->names, self->text->str, name, sizeof *name + (name->ids == NULL ? 0 : strlen (name->ids)));
  return name;
}

/* "comm_detail_r0_lr0": the source's pid. */
static guint32
find_thread (Detail *self, const TtTraceEvent *event)
{
  static const char anonymous[] = "comm_detail";
  gboolean has_pid = event->pid.kind == TT_JSON_STRING && event->pid.raw.len > 0;

  g_string_truncate (self->text, 0);
  if (has_pid)
    tt_json_unescape (&event->pid, self->text, NULL);
  else
    g_string_append (self->text, anonymous);
  guint32 thread = tt_text_ids_find (self->threads, 0, self->text->str, self->text->len);
  if (thread == 0)
    {
      thread = tt_sink_thread (self->job->sink, self->process->process, self->text->str, NULL, THREAD_ORDER);
      tt_text_ids_add (self->threads, 0, self->text->str, self->text->len, thread);
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
on_event (const TtTraceEvent *event, gpointer data)
{
  Detail *self = data;

  if (event->ph != 'X')
    {
      /* Instants mark where tensors end. */
      tt_sink_repair (self->job->sink, TT_REPAIR_OTHER_ACTIVITY, event->offset);
      return TRUE;
    }
  if (!tt_job_import_is_whole_span (event, self->job->sink) || event->args.kind != TT_JSON_OBJECT)
    return FALSE;
  const DetailName *name = find_name (self, event);
  guint32 thread = find_thread (self, event);
  if (name->sub_op == NULL || !make_suffix (self->text, event->args.raw))
    return FALSE;
  if (!tt_job_import_is_in_window (self->process, event->ts_ns))
    {
      tt_sink_repair (self->job->sink, TT_REPAIR_OUTSIDE_WINDOW, event->offset);
      return TRUE;
    }
  const TtRawName raw = {
    .raw = name->ids, .op_cat = "Comm", .sub_op = name->sub_op, .suffix = self->text->str, .group = "Comm"
  };
  const TtJobImportSpan span = {
    .process = self->process,
    .name = tt_sink_name (self->job->sink, &raw),
    .thread = thread,
    .ts_ns = event->ts_ns,
    .dur_ns = event->dur_ns,
    .step = tt_job_import_event_step (event),
    .args = event->args.raw.bytes,
    .args_len = event->args.raw.len,
    .offset = event->offset,
  };
  tt_job_import_add_span (self->job, &span);
  return TRUE;
}

gboolean
tt_job_import_read_detail (TtJobImport *job, TtJobImportProcess *process, const char *path, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (tt_local_graph_hash, g_str_equal, g_free, name_free);
  g_autoptr (TtTextIds) threads = tt_text_ids_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  Detail self = { job, process, { names, 0 }, threads, text };

  return tt_job_import_each_event (job, path, on_event, &self, error) && tt_text_ids_check (threads, error);
}
