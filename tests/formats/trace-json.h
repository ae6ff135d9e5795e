/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trace-event JSON from memory through a sink that checks what it is given, for tests and the fuzz target.
 */
#pragma once

#include "formats/dialects.h"
#include "formats/trace-event/import.h"
#include "src/base/error.h"
#include "tests/fuzz/memory-file.h"

#include <string.h>

typedef struct
{
  guint64 n_spans, n_instants, n_counters, n_points, n_args, args_bytes;
  gint64 total_ns;
  guint32 last_flags; /* of the last event */
  gint32 last_step;   /* its step */
  GString *metadata;  /* lines "key=value" */
  GString *labels;    /* lines */
  GString *names;     /* lines: text[~>suffix] */
  GString *series;    /* lines */
  TtRepairs repairs;  /* of the last source that ended */
} TraceJsonFound;

typedef struct
{
  TtSinkBack back;
  TtSink *sink;
  TraceJsonFound *found;
  guint64 last_args;
} TraceJsonSink;

static inline void
trace_json_found_clear (TraceJsonFound *found)
{
  GString **texts[] = { &found->metadata, &found->labels, &found->names, &found->series };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (*texts[i] != NULL)
      {
        g_string_free (*texts[i], TRUE);
        *texts[i] = NULL;
      }
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TraceJsonFound, trace_json_found_clear)

static inline void
trace_json_define (TraceJsonFound *found, const TtBatch *batch, const TtDefinition *definition)
{
  const char *text[TT_N_NAME_TEXTS];

  for (guint i = 0; i < TT_N_NAME_TEXTS; i++)
    {
      text[i] = tt_batch_text (batch, definition->text[i]);
      g_assert (text[i] == NULL || g_utf8_validate (text[i], -1, NULL));
    }
  switch (definition->kind)
    {
    case TT_DEFINE_METADATA:
      g_string_append_printf (found->metadata, "%s=%s\n", text[0], text[1]);
      break;
    case TT_DEFINE_PROCESS_LABEL:
    case TT_DEFINE_THREAD_LABEL:
      g_string_append_printf (found->labels, "%s\n", text[0] != NULL ? text[0] : "-");
      break;
    case TT_DEFINE_NAME:
      g_string_append_printf (found->names, "%s%s%s\n", text[TT_NAME_TEXT], text[TT_NAME_SUFFIX] != NULL ? "~>" : "",
                              text[TT_NAME_SUFFIX] != NULL ? text[TT_NAME_SUFFIX] : "");
      break;
    case TT_DEFINE_SERIES:
      g_string_append_printf (found->series, "%s\n", text[0]);
      break;
    default:
      break;
    }
}

static inline TtBatch *
trace_json_write (TtSinkBack *back, TtBatch *batch, GError **error)
{
  TraceJsonSink *self = (TraceJsonSink *) back;
  TraceJsonFound *found = self->found;
  const TtEventColumns *events = &batch->events;
  const TtArgsColumns *args = &batch->args;

  for (guint i = 0; i < batch->definitions->len; i++)
    trace_json_define (found, batch, &g_array_index (batch->definitions, TtDefinition, i));
  for (guint i = 0; i < args->n; i++)
    {
      g_assert (args->id[i] == self->last_args + (args->at[i] == 0));
      g_assert (args->at[i] + args->len[i] <= args->total[i]);
      self->last_args = args->id[i];
      found->n_args += args->at[i] == 0;
      found->args_bytes += args->len[i];
    }
  for (guint i = 0; i < events->n; i++)
    {
      gboolean is_span = events->dur_ns[i] != TT_NO_TIME;
      gint64 end_ns;

      g_assert (events->thread[i] > 0 && events->thread[i] < self->sink->next_thread);
      g_assert (events->name[i] > 0);
      g_assert (events->args[i] <= self->last_args);
      if (is_span)
        {
          g_assert (events->dur_ns[i] >= 0 && events->self_ns[i] >= 0 && events->self_ns[i] <= events->dur_ns[i]);
          g_assert (!__builtin_add_overflow (events->ts_ns[i], events->dur_ns[i], &end_ns));
          found->total_ns = (gint64) ((guint64) found->total_ns + (guint64) events->dur_ns[i]);
        }
      found->n_spans += is_span;
      found->n_instants += !is_span;
      found->last_flags = events->flags[i];
      found->last_step = events->step[i];
    }
  for (guint i = 0; i < batch->counters.n; i++)
    g_assert (batch->counters.series[i] < self->sink->next_series &&
              batch->counters.thread[i] < self->sink->next_thread);
  found->n_counters += batch->counters.n;
  found->n_points += batch->points.n;
  found->repairs = self->sink->repairs;
  tt_batch_clear (batch);
  return batch;
}

static inline gboolean
trace_json_finish (TtSinkBack *back, GError **error)
{
  return TRUE;
}

static inline void
trace_json_dispose (TtSinkBack *back)
{
}

static const TtSinkBackClass trace_json_sink_class = {
  .name = "checking",
  .write = trace_json_write,
  .finish = trace_json_finish,
  .dispose = trace_json_dispose,
};

/* @dialect: NULL: found by content. @found: zeroed; clear it. */
static inline gboolean
trace_json_import (const void *bytes,
                   gsize len,
                   const TtDialect *dialect,
                   const TtImportOptions *options,
                   TraceJsonFound *found,
                   GError **error)
{
  const char *path = fuzz_memory_file (0, bytes, len);
  TraceJsonSink *sink = g_new0 (TraceJsonSink, 1);
  const TtDialect *const only[] = { dialect, NULL };

  found->metadata = g_string_new (NULL);
  found->labels = g_string_new (NULL);
  found->names = g_string_new (NULL);
  found->series = g_string_new (NULL);
  sink->found = found;
  sink->back.klass = &trace_json_sink_class;
  sink->sink = tt_sink_new (&sink->back, tt_names_new (NULL));
  gboolean ok = tt_trace_event_import_file (path, dialect == NULL ? tt_dialects : only, options, sink->sink, error);
  if (ok)
    ok = tt_sink_finish (sink->sink, error);
  tt_sink_free (sink->sink);
  return ok;
}
