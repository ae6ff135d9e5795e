/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/rocprof/rows-private.h"
#include "src/trace/flow-join.h"

#include <string.h>

static const TtFlowKind launch_flow = { .text = "ac2g", .link = TT_LINK_LAUNCH, .is_open = TRUE };

TtRocprofSection
tt_rocprof_section (const TtJsonValue *key)
{
  static const struct
  {
    const char *key;
    TtRocprofSection section;
  } sections[] = {
    { "kernel_dispatch", TT_ROCPROF_DISPATCHES },   { "memory_copy", TT_ROCPROF_COPIED },
    { "marker_api", TT_ROCPROF_MARKERS },           { "memory_allocation", TT_ROCPROF_ALLOCATIONS },
    { "scratch_memory", TT_ROCPROF_SCRATCHES },     { "pc_sample_host_trap", TT_ROCPROF_SAMPLES },
    { "pc_sample_stochastic", TT_ROCPROF_SAMPLES },
  };

  for (guint i = 0; i < G_N_ELEMENTS (sections); i++)
    if (tt_json_key_is (key, sections[i].key, strlen (sections[i].key)))
      return sections[i].section;
  return TT_ROCPROF_CALLS;
}

/* -- once all spans are known --------------------------------------------------------------------------- */

static guint32
hook (TtTraceRecord *span, guint32 parent, guint32 flows, gpointer data)
{
  TtRocprofRows *self = data;
  TtActivityRole role = (TtActivityRole) (span->tag >> TAG_ROLE_SHIFT);

  (void) flows;
  if (role != TT_ACTIVITY_NONE)
    {
      const TtActivity activity = {
        .role = role,
        .blocks = (span->tag & TAG_BLOCKS) != 0,
        .queue = tt_activity_is_work (role) ? span->thread : TT_NO_ID,
        .correlation = span->key,
      };
      span->activity = tt_sink_hold_activity (self->sink, &activity);
    }
  /* Without calls in the file nothing says what launched the work. */
  if (span->key != 0 && (span->tag & (TAG_IS_CALL | TAG_IS_WORK)) != 0 && self->has_calls)
    {
      span->own_flow = &launch_flow;
      span->flow_key = tt_slots_mix (span->key ^ self->salt);
      span->flow_phase = (span->tag & TAG_IS_WORK) != 0 ? TT_FLOW_CONSUMER : TT_FLOW_START;
    }
  return parent;
}

TtRocprofRows *
tt_rocprof_rows_new (TtSink *sink, const TtImportOptions *options, TtRocprofFacts *facts, guint64 process)
{
  TtRocprofRows *self = g_new0 (TtRocprofRows, 1);

  self->sink = sink;
  self->facts = facts;
  self->lanes = tt_rocprof_lanes_new (sink, options, facts);
  self->arrange = tt_arrange_new (sink);
  self->kernel_names = tt_slots_new ();
  self->text = g_string_new (NULL);
  self->salt = tt_slots_mix (TT_FLOW_SALT ^ process << 32);
  tt_rocprof_args_init (&self->args, options->args, &sink->repairs);
  tt_arrange_flow_kind (self->arrange, &launch_flow);
  tt_arrange_set_hook (self->arrange, hook, self);
  return self;
}

void
tt_rocprof_rows_free (TtRocprofRows *self)
{
  if (self == NULL)
    return;
  tt_rocprof_lanes_free (self->lanes);
  tt_arrange_free (self->arrange);
  tt_slots_free (self->kernel_names);
  g_string_free (self->text, TRUE);
  tt_rocprof_args_clear (&self->args);
  g_free (self);
}

/* -- calls ---------------------------------------------------------------------------------------------- */

/* What a call returned is the only member of an object: {"hipError_t_retval": 0}. */
static void
add_returned (TtRocprofRows *self, const TtJsonValue *retval)
{
  const char *cursor = NULL;
  TtJsonValue key, value;

  if (retval->kind == TT_JSON_OBJECT && tt_json_member (retval->raw, &cursor, &key, &value))
    tt_rocprof_args_value (&self->args, "retval", &value);
}

static void
add_call (TtRocprofRows *self, const TtRocprofRecord *record)
{
  TtTraceRecord row = { 0 };

  if ((record->has & TT_ROCPROF_HAS_THREAD) == 0)
    {
      tt_sink_repair (self->sink, TT_REPAIR_UNKNOWN_KIND, record->offset);
      return;
    }
  if (!tt_rocprof_rows_times (self, record, &row))
    return;
  tt_rocprof_rows_name_operation (self, record, &row);
  tt_rocprof_rows_lane (self, TT_ROCPROF_THREAD, 0, record->thread, &row);
  row.tag |= TAG_IS_CALL;
  self->has_calls |= record->correlation != 0;
  tt_rocprof_args_begin (&self->args);
  tt_rocprof_rows_add_ids (self, record);
  if (record->stream != 0)
    tt_rocprof_args_uint (&self->args, "stream_id", record->stream);
  add_returned (self, &record->retval);
  tt_rocprof_args_list (&self->args, &record->args);
  row.args = tt_rocprof_args_keep (&self->args, self->sink);
  tt_arrange_span (self->arrange, &row);
}

/* -- ranges and marks --------------------------------------------------------------------------------------- */

/* A range that is begun and ended apart, perhaps by two threads: it nests with none. */
static void
add_async_range (TtRocprofRows *self, const TtTraceRecord *range)
{
  guint64 key = tt_slots_mix (range->key ^ self->salt ^ 1);
  TtTraceRecord end = *range;

  end.ts_ns = range->ts_ns + MAX (range->dur_ns, 0);
  end.args = 0;
  tt_arrange_async_begin (self->arrange, range, key);
  tt_arrange_async_end (self->arrange, &end, key);
}

static void
add_marker (TtRocprofRows *self, const TtRocprofRecord *record)
{
  const TtRocprofOperation *operation = tt_rocprof_rows_operation (self, record);
  const char *message = tt_rocprof_facts_message (self->facts, record->correlation);
  const char *word = operation == NULL ? "" : operation->text;
  /* One whose reference to its message is damaged, as a call would be, is time that passes, not work. */
  gboolean is_range = strstr (word, "Mark") != NULL ||
                      (strstr (word, "Range") != NULL && strstr (word, "Pop") == NULL && strstr (word, "Stop") == NULL);
  gboolean is_lost = message == NULL && (operation == NULL || is_range);
  TtTraceRecord row = { 0 };

  if (!tt_rocprof_rows_times (self, record, &row))
    return;
  if (message != NULL)
    row.name = tt_rocprof_rows_name (self, record, message);
  else
    tt_rocprof_rows_name_operation (self, record, &row);
  tt_rocprof_rows_lane (self, TT_ROCPROF_THREAD, 0, record->thread, &row);
  row.flags = 0;
  row.tag = 0;
  tt_rocprof_args_begin (&self->args);
  tt_rocprof_rows_add_ids (self, record);
  row.args = tt_rocprof_args_keep (&self->args, self->sink);
  if (is_lost && operation != NULL)
    tt_sink_repair (self->sink, TT_REPAIR_NO_NAME, record->offset);
  if (message == NULL && !is_lost)
    tt_arrange_span (self->arrange, &row);
  else if (strstr (word, "Mark") != NULL)
    tt_arrange_instant (self->arrange, &row);
  else
    {
      row.flags = TT_FLAG_WINDOW;
      if (record->correlation != 0 && (strstr (word, "Start") != NULL || strstr (word, "ProcessRange") != NULL))
        add_async_range (self, &row);
      else
        tt_arrange_span (self->arrange, &row);
    }
}

/* -- all of them ---------------------------------------------------------------------------------------------- */

void
tt_rocprof_rows_add (TtRocprofRows *self, TtRocprofSection section, const TtRocprofRecord *record)
{
  switch (section)
    {
    case TT_ROCPROF_CALLS:
      add_call (self, record);
      break;
    case TT_ROCPROF_DISPATCHES:
      tt_rocprof_rows_add_dispatch (self, record);
      break;
    case TT_ROCPROF_COPIED:
      tt_rocprof_rows_add_copy (self, record);
      break;
    case TT_ROCPROF_MARKERS:
      add_marker (self, record);
      break;
    case TT_ROCPROF_ALLOCATIONS:
    case TT_ROCPROF_SCRATCHES:
      tt_rocprof_rows_add_memory (self, record, section == TT_ROCPROF_SCRATCHES);
      break;
    case TT_ROCPROF_SAMPLES:
    default:
      tt_sink_repair (self->sink, TT_REPAIR_SKIPPED_KIND, record->offset);
    }
}

gboolean
tt_rocprof_rows_check (const TtRocprofRows *self, GError **error)
{
  return tt_arrange_check (self->arrange, error) && tt_slots_check (self->kernel_names, error) &&
         tt_rocprof_facts_check (self->facts, error);
}

static void
add_untold_dispatches (TtRocprofRows *self)
{
  TtRocprofCounters *counters = tt_rocprof_facts_counters (self->facts);
  guint64 cursor = 0;
  TtJsonValue object;

  while (tt_rocprof_counters_next_untold (counters, &cursor, &object))
    {
      TtJsonValue data = tt_json_get (object.raw, "dispatch_data"), thread = tt_json_get (object.raw, "thread_id"),
                  stream = tt_json_get (object.raw, "stream_id");
      TtRocprofRecord record;

      tt_rocprof_record_parse (&data, &record);
      record.offset = object.offset;
      if (stream.kind == TT_JSON_OBJECT)
        stream = tt_json_get (stream.raw, "handle");
      tt_json_uint64 (&thread, &record.thread);
      tt_json_uint64 (&stream, &record.stream);
      tt_rocprof_rows_add_dispatch (self, &record);
    }
}

gboolean
tt_rocprof_rows_finish (TtRocprofRows *self, GError **error)
{
  tt_rocprof_lanes_host (self->lanes);
  add_untold_dispatches (self);
  return tt_rocprof_rows_check (self, error) && tt_arrange_finish (self->arrange, error);
}
