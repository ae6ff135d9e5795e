/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/job/io.h"

#include "formats/job/events.h"
#include "formats/job/rows.h"
#include "src/base/id-table.h"
#include "src/base/sorter.h"
#include "src/base/tape.h"

#define THREAD_ORDER 1000 /* after the operators */

#define TAPE_BYTES ((gsize) 1 << 20)
#define SORT_BYTES ((gsize) 1 << 20)

/* Where the last event of its name before the operators is: the first step reads it. */
typedef struct
{
  guint64 key, zero; /* offset in the file */
  guint64 place;
} Early;

typedef struct
{
  TtJobImport *job;
  TtJobImportProcess *process;
  guint32 thread;
  TtIdTable early; /* by id of a name: place of its last early event + 1, 0: none (guint64) */
  guint32 n_names; /* ids of @early end before it */
  TtTape *spans;   /* TtJobImportSpan, its arguments after it */
  GString *args;   /* of one of them */
  GString *name;
} Pipeline;

static void
add_io (Pipeline *self, const TtJobImportSpan *span)
{
  if (self->job->arrange != NULL)
    tt_job_import_add_span (self->job, span);
  else
    tt_step_finder_add (self->job->finder, self->process->process, span->name, span->ts_ns, TT_STEP_IO, span->step);
}

/* @span has its arguments in self->args. */
static void
read_early (Pipeline *self, guint64 place, TtJobImportSpan *span)
{
  tt_tape_read (self->spans, place, span, sizeof *span);
  span->process = self->process;
  g_string_set_size (self->args, span->args_len);
  tt_tape_read (self->spans, place + sizeof *span, self->args->str, span->args_len);
  span->args = self->args->str;
}

static void
retain_early (Pipeline *self, const TtJobImportSpan *span)
{
  guint64 known = *(const guint64 *) tt_id_table_at (&self->early, span->name);
  TtJobImportSpan before = { 0 };

  if (known != 0)
    {
      tt_tape_read (self->spans, known - 1, &before, sizeof before);
      tt_sink_repair (self->job->sink, TT_REPAIR_OUTSIDE_WINDOW, MIN (before.offset, span->offset));
      if (before.ts_ns > span->ts_ns)
        return;
    }
  guint64 place = tt_tape_append (self->spans, span, sizeof *span);
  tt_tape_append (self->spans, span->args, span->args_len);
  *(guint64 *) tt_id_table_at (&self->early, span->name) = place + 1;
  self->n_names = MAX (self->n_names, span->name + 1);
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

/* In the order of the file. */
static gboolean
add_early (Pipeline *self, GError **error)
{
  g_autoptr (TtSorter) order = tt_sorter_new (sizeof (Early), SORT_BYTES);
  const Early *early;
  GError *failure = NULL;
  TtJobImportSpan span;

  for (guint32 name = 0; name < self->n_names; name++)
    {
      guint64 known = *(const guint64 *) tt_id_table_at (&self->early, name);
      if (known == 0)
        continue;
      tt_tape_read (self->spans, known - 1, &span, sizeof span);
      *(Early *) tt_sorter_add (order) = (Early){ span.offset, 0, known - 1 };
    }
  if (!tt_sorter_finish (order, error))
    return FALSE;
  while ((early = tt_sorter_next (order, &failure)) != NULL)
    {
      read_early (self, early->place, &span);
      add_io (self, &span);
    }
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  return tt_tape_check (self->spans, error) && tt_id_table_check (&self->early, error);
}

gboolean
tt_job_import_read_io (TtJobImport *job, TtJobImportProcess *process, const char *path, GError **error)
{
  g_autoptr (TtTape) spans = tt_tape_new (TAPE_BYTES);
  g_autoptr (GString) name = g_string_new (NULL), args = g_string_new (NULL);
  Pipeline self = {
    .job = job,
    .process = process,
    .early = { .row_size = sizeof (guint64) },
    .spans = spans,
    .args = args,
    .name = name,
  };

  if (job->arrange != NULL)
    {
      self.thread = tt_sink_thread (job->sink, process->process, "I/O", NULL, THREAD_ORDER);
      tt_job_import_add_window (job, process);
    }
  gboolean is_read = tt_job_import_each_event (job, path, on_event, &self, error) && add_early (&self, error);
  tt_id_table_clear (&self.early);
  return is_read;
}
