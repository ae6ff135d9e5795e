/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/commands/info.h"

#include "src/base/output.h"
#include "src/cli/tables/info.h"
#include "src/store/apart.h"
#include "src/store/clocks.h"
#include "src/store/few.h"
#include "src/store/gaps.h"
#include "src/store/runs.h"

static void
json_key (TtOutput *out, gboolean is_first, const char *key)
{
  tt_output_text (out, is_first ? "{" : ",");
  tt_output_json_string (out, key);
  tt_output_text (out, ":");
}

static void
json_text (TtOutput *out, gboolean is_first, const char *key, const char *value)
{
  json_key (out, is_first, key);
  if (value == NULL)
    tt_output_text (out, "null");
  else
    tt_output_json_string (out, value);
}

static void
json_number (TtOutput *out, gboolean is_first, const char *key, gint64 value)
{
  json_key (out, is_first, key);
  tt_output_int (out, value);
}

typedef struct
{
  TtOutput *out;
  TtStore *store;
  guint n;
} JsonRuns;

static gboolean
json_run (const TtRunSummary *run, gpointer data)
{
  JsonRuns *self = data;
  TtOutput *out = self->out;
  gboolean is_selected = FALSE;
  guint n;
  const TtRun *selected = tt_store_runs (self->store, &n);

  for (guint i = 0; i < n; i++)
    is_selected |= selected[i].id == run->id;
  tt_output_text (out, self->n++ == 0 ? "[\n" : ",\n");
  json_number (out, TRUE, "id", run->id);
  json_text (out, FALSE, "command", run->command);
  json_text (out, FALSE, "imported_at", run->imported_at);
  json_text (out, FALSE, "formats", run->formats);
  json_number (out, FALSE, "n_sources", run->n_sources);
  json_number (out, FALSE, "n_spans", (gint64) run->n_spans);
  json_text (out, FALSE, "clock", run->has_time ? tt_clock_text (run->clock) : NULL);
  if (run->has_time)
    {
      json_number (out, FALSE, "first_ns", run->first_ns);
      json_number (out, FALSE, "last_ns", run->last_ns);
    }
  json_key (out, FALSE, "selected");
  tt_output_text (out, is_selected ? "true" : "false");
  tt_output_text (out, "}");
  return TRUE;
}

/* All of the database; the rest is about those that are selected. */
static gboolean
json_runs (TtOutput *out, TtStore *store, GError **error)
{
  JsonRuns runs = { out, store, 0 };

  json_key (out, FALSE, "runs");
  if (!tt_store_each_run (store, json_run, &runs, error))
    return FALSE;
  tt_output_text (out, runs.n == 0 ? "[]" : "]");
  return TRUE;
}

static void
json_definitions (TtOutput *out, TtStore *store)
{
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);
  json_key (out, FALSE, "sources");
  for (guint i = 0; i < n; i++)
    {
      tt_output_text (out, i == 0 ? "[\n" : ",\n");
      json_number (out, TRUE, "id", sources[i].id);
      json_number (out, FALSE, "run", sources[i].run);
      json_text (out, FALSE, "format", sources[i].format);
      json_text (out, FALSE, "path", sources[i].path);
      json_number (out, FALSE, "bytes", (gint64) sources[i].bytes);
      json_text (out, FALSE, "hash", sources[i].hash);
      json_text (out, FALSE, "clock", sources[i].clock);
      json_number (out, FALSE, "n_events", (gint64) sources[i].n_events);
      json_key (out, FALSE, "repairs");
      tt_output_text (out, sources[i].repairs == NULL ? "{}" : sources[i].repairs);
      tt_output_text (out, "}");
    }
  tt_output_text (out, n == 0 ? "[]" : "]");

  const TtProcess *processes = tt_store_processes (store, &n);
  json_key (out, FALSE, "processes");
  for (guint i = 0; i < n; i++)
    {
      tt_output_text (out, i == 0 ? "[\n" : ",\n");
      json_text (out, TRUE, "pid", processes[i].pid);
      json_text (out, FALSE, "label", processes[i].label);
      json_text (out, FALSE, "node", processes[i].node);
      json_key (out, FALSE, "rank");
      if (processes[i].rank >= 0)
        tt_output_int (out, processes[i].rank);
      else
        tt_output_text (out, "null");
      tt_output_text (out, "}");
    }
  tt_output_text (out, n == 0 ? "[]" : "]");
}

static gboolean
json_gaps (TtOutput *out, TtStore *store, GError **error)
{
  gint64 version;
  guint n_older, oldest, n_gaps = 0;

  tt_store_is_old (store, &version);
  if (!tt_store_count_older (store, &n_older, &oldest, error))
    return FALSE;
  json_number (out, FALSE, "schema", version);
  json_key (out, FALSE, "checksums_verified");
  tt_output_text (out, tt_store_is_verified (store) ? "true" : "false");
  json_number (out, FALSE, "n_older_sources", n_older);
  json_key (out, FALSE, "not_known");
  for (int gap = 0; gap < TT_N_GAPS; gap++)
    {
      guint n;

      if (!tt_store_count_gap (store, (TtGap) gap, &n, error))
        return FALSE;
      if (n == 0)
        continue;
      tt_output_text (out, n_gaps++ == 0 ? "[\n" : ",\n");
      json_text (out, TRUE, "what", tt_gap_text ((TtGap) gap));
      json_number (out, FALSE, "n_sources", n);
      tt_output_text (out, "}");
    }
  tt_output_text (out, n_gaps == 0 ? "[]" : "]");
  return TRUE;
}

static void
json_series (TtOutput *out, const GArray *counts)
{
  json_key (out, FALSE, "series");
  for (guint i = 0; i < counts->len; i++)
    {
      const TtSeriesCount *count = &g_array_index (counts, TtSeriesCount, i);

      tt_output_text (out, i == 0 ? "[\n" : ",\n");
      json_text (out, TRUE, "name", count->series->name);
      json_text (out, FALSE, "unit", count->series->unit);
      json_key (out, FALSE, "monotonic");
      tt_output_text (out, count->series->is_monotonic ? "true" : "false");
      json_number (out, FALSE, "values", (gint64) count->n_values);
      json_number (out, FALSE, "spans", (gint64) count->n_metrics);
      tt_output_text (out, "}");
    }
  tt_output_text (out, counts->len == 0 ? "[]" : "]");
}

static void
json_metadata (TtOutput *out, TtStore *store, const GArray *rows)
{
  json_key (out, FALSE, "metadata");
  for (guint i = 0; i < rows->len; i++)
    {
      const TtMetadataRow *row = &g_array_index (rows, TtMetadataRow, i);
      const TtProcess *process = tt_store_process (store, row->process);
      const TtThread *thread = row->thread == TT_NO_ID ? NULL : tt_store_thread (store, row->thread);

      tt_output_text (out, i == 0 ? "[\n" : ",\n");
      json_text (out, TRUE, "pid", process == NULL ? NULL : process->pid);
      json_text (out, FALSE, "tid", thread == NULL ? NULL : thread->tid);
      json_text (out, FALSE, "key", row->key);
      json_text (out, FALSE, "value", row->value);
      tt_output_text (out, "}");
    }
  tt_output_text (out, rows->len == 0 ? "[]" : "]");
}

typedef struct
{
  TtOutput *out;
  TtStore *store;
  guint n;
  guint64 n_left;
} JsonClocks;

static gboolean
json_clock (const TtClockFit *fit, gpointer data)
{
  JsonClocks *self = data;
  const TtProcess *process = tt_store_process (self->store, fit->process);

  tt_output_text (self->out, self->n++ == 0 ? "[\n" : ",\n");
  json_text (self->out, TRUE, "pid", process->pid);
  json_number (self->out, FALSE, "offset_ns", fit->offset_ns);
  json_number (self->out, FALSE, "drift_ns", fit->drift_ns);
  json_number (self->out, FALSE, "bounds", (gint64) fit->n_bounds);
  json_number (self->out, FALSE, "violated", (gint64) fit->n_violated);
  json_number (self->out, FALSE, "left_violated", (gint64) fit->n_left);
  json_number (self->out, FALSE, "worst_ns", fit->worst_ns);
  json_number (self->out, FALSE, "worst_left_ns", fit->worst_left_ns);
  if (fit->residual_ns != TT_NO_TIME)
    json_number (self->out, FALSE, "residual_ns", fit->residual_ns);
  tt_output_text (self->out, "}");
  self->n_left += fit->n_left;
  return TRUE;
}

static gboolean
json_clocks (TtOutput *out, TtStore *store, GError **error)
{
  JsonClocks clocks = { out, store, 0, 0 };

  json_key (out, FALSE, "clocks");
  if (!tt_store_each_clock_fit (store, json_clock, &clocks, error))
    return FALSE;
  tt_output_text (out, clocks.n == 0 ? "[]" : "]");
  if (clocks.n_left > 0)
    {
      gint64 stretched_ns;

      if (!tt_store_clock_stretch (store, &stretched_ns, error))
        return FALSE;
      json_number (out, FALSE, "clocks_stretched_ns", stretched_ns);
    }
  return TRUE;
}

static gboolean
json_apart (TtOutput *out, TtStore *store, GError **error)
{
  g_auto (TtApart) apart = { 0 };

  if (!tt_apart_find (&apart, store, error))
    return FALSE;
  if (!tt_apart_is (&apart))
    return TRUE;
  json_key (out, FALSE, "apart");
  json_text (out, TRUE, "before", apart.before->path);
  json_text (out, FALSE, "after", apart.after->path);
  json_number (out, FALSE, "gap_ns", apart.gap_ns);
  json_text (out, FALSE, "node_before", apart.host_before);
  json_text (out, FALSE, "node_after", apart.host_after);
  if (apart.both != NULL)
    json_text (out, FALSE, "process_of_both", apart.both);
  if (apart.earlier.gap_ns != 0)
    {
      json_number (out, FALSE, "ranks_before", apart.earlier.n_before);
      json_number (out, FALSE, "ranks_after", apart.earlier.n_after);
    }
  tt_output_text (out, "}");
  return TRUE;
}

static gboolean
json_few (TtOutput *out, TtStore *store, GError **error)
{
  TtFew few;

  if (!tt_few_find (&few, store, error))
    return FALSE;
  if (few.n == 0)
    return TRUE;
  const TtThread *thread = tt_store_thread (store, few.thread);
  const TtProcess *process = thread == NULL ? NULL : tt_store_process (store, thread->process);
  const TtStoredName *name = tt_store_peek_name (store, few.name);
  json_key (out, FALSE, "few");
  json_number (out, TRUE, "events", few.n);
  json_text (out, FALSE, "name", name == NULL ? NULL : name->text);
  json_text (out, FALSE, "pid", process == NULL ? NULL : process->pid);
  json_number (out, FALSE, "ts_ns", few.ts_ns);
  json_number (out, FALSE, "end_ns", few.end_ns);
  json_number (out, FALSE, "others", (gint64) few.n_others);
  json_number (out, FALSE, "others_first_ns", few.first_ns);
  json_number (out, FALSE, "others_last_ns", few.last_ns);
  tt_output_text (out, "}");
  return TRUE;
}

gboolean
tt_info_print_json (TtStore *store, const TtRunFacts *facts, GError **error)
{
  g_autoptr (GArray) counts = tt_count_series (store, error);
  g_autoptr (GArray) metadata = counts == NULL ? NULL : tt_read_metadata (store, error);
  g_autoptr (TtOutput) out = metadata == NULL ? NULL : tt_output_open ("-", error);
  const struct
  {
    const char *key;
    gint64 value;
  } numbers[] = {
    { "n_ranks", facts->n_ranks },
    { "n_processes", facts->n_processes },
    { "n_threads", facts->n_threads },
    { "n_spans", (gint64) facts->n_spans },
    { "n_instants", (gint64) facts->n_instants },
    { "n_counters", (gint64) facts->n_counters },
    { "n_metrics", (gint64) facts->n_metrics },
    { "n_messages", (gint64) facts->n_messages },
    { "n_matched", (gint64) facts->n_matched },
    { "message_bytes", (gint64) facts->message_bytes },
    { "n_collectives", (gint64) facts->n_collectives },
    { "n_flows", (gint64) facts->n_flows },
    { "n_args", (gint64) facts->n_args },
    { "n_parameters", (gint64) facts->n_parameters },
  };

  if (out == NULL)
    return FALSE;
  json_text (out, TRUE, "database", tt_store_shown (store));
  if (facts->has_time)
    {
      json_number (out, FALSE, "first_ns", facts->first_ns);
      json_number (out, FALSE, "last_ns", facts->last_ns);
    }
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    json_number (out, FALSE, numbers[i].key, numbers[i].value);
  if (!json_runs (out, store, error))
    return FALSE;
  json_definitions (out, store);
  if (!json_gaps (out, store, error) || !json_clocks (out, store, error) || !json_apart (out, store, error) ||
      !json_few (out, store, error))
    return FALSE;
  json_series (out, counts);
  json_metadata (out, store, metadata);
  tt_output_text (out, "}\n");
  return tt_output_close (out, error);
}
