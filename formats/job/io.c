/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/job/io.h"

#include "formats/job/events.h"
#include "formats/job/rows.h"
#include "src/base/compare.h"

#define THREAD_ORDER 1000 /* after the operators */

/* The last event of its name before the operators: the first step reads it. */
typedef struct
{
  TtJobImportSpan span;
  char *args;
} Early;

typedef struct
{
  TtJobImport *job;
  TtJobImportProcess *process;
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
add_io (Pipeline *self, const TtJobImportSpan *span)
{
  if (self->job->arrange != NULL)
    tt_job_import_add_span (self->job, span);
  else
    tt_step_finder_add (self->job->finder, self->process->process, span->name, span->ts_ns, TT_STEP_IO, span->step);
}

static void
retain_early (Pipeline *self, const TtJobImportSpan *span)
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
make_name (Pipeline *self, const TtTraceEvent *event)
{
  TtRawName raw = { .op_cat = "I/O", .group = "I/O" };

  g_string_truncate (self->name, 0);
  tt_json_unescape (&event->name, self->name, &self->job->sink->repairs);
  raw.raw = self->name->str;
  if (g_str_has_prefix (raw.raw, "I/O_") || g_str_has_prefix (raw.raw, "I/O."))
    raw.raw += 4;
  return tt_sink_name (self->job->sink, &raw);
}

static gboolean
on_event (const TtTraceEvent *event, gpointer data)
{
  Pipeline *self = data;
  const TtJobImportProcess *process = self->process;

  if (event->ph != 'X')
    return event->ph == 'M';
  if (!tt_job_import_is_whole_span (event, self->job->sink))
    return FALSE;
  const TtJobImportSpan span = {
    .process = process,
    .thread = self->thread,
    .name = make_name (self, event),
    .ts_ns = event->ts_ns,
    .dur_ns = event->dur_ns,
    .step = tt_job_import_event_step (event),
    .args = event->args.raw.bytes,
    .args_len = event->args.kind == TT_JSON_OBJECT ? event->args.raw.len : 0,
    .offset = event->offset,
  };
  if (tt_job_import_is_in_window (process, span.ts_ns))
    add_io (self, &span);
  else if (span.ts_ns < process->first_ns)
    retain_early (self, &span);
  else
    tt_sink_repair (self->job->sink, TT_REPAIR_OUTSIDE_WINDOW, event->offset);
  return TRUE;
}

static int
compare_offsets (gconstpointer a, gconstpointer b)
{
  const Early *x = *(const Early *const *) a, *y = *(const Early *const *) b;

  return TT_COMPARE (x->span.offset, y->span.offset);
}

gboolean
tt_job_import_read_io (TtJobImport *job, TtJobImportProcess *process, const char *path, GError **error)
{
  g_autoptr (GHashTable) early = g_hash_table_new_full (NULL, NULL, NULL, early_free);
  g_autoptr (GString) name = g_string_new (NULL);
  Pipeline self = { .job = job, .process = process, .early = early, .name = name };

  if (job->arrange != NULL)
    self.thread = tt_sink_thread (job->sink, process->process, "I/O", NULL, THREAD_ORDER);
  if (!tt_job_import_each_event (job, path, on_event, &self, error))
    return FALSE;

  g_autoptr (GPtrArray) rest = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer last;
  g_hash_table_iter_init (&iter, early);
  while (g_hash_table_iter_next (&iter, NULL, &last))
    g_ptr_array_add (rest, last);
  g_ptr_array_sort (rest, compare_offsets);
  for (guint i = 0; i < rest->len; i++)
    add_io (&self, &((const Early *) rest->pdata[i])->span);
  return TRUE;
}
