/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/rocprof/rows-private.h"

#include <string.h>

#include "formats/kineto/kineto.h"
#include "formats/kineto/roles.h"

/* FALSE: it has none, which is counted. Both 0: rocprofv3 had none to write. */
gboolean
tt_rocprof_rows_times (TtRocprofRows *self, const TtRocprofRecord *record, TtTraceRecord *row)
{
  gboolean is_timed = (record->has & TT_ROCPROF_HAS_TIMES) != 0 && (record->start_ns != 0 || record->end_ns != 0) &&
                      !__builtin_sub_overflow (record->end_ns, record->start_ns, &row->dur_ns);

  row->step = TT_NO_STEP;
  row->ts_ns = record->start_ns;
  row->key = record->correlation;
  row->offset = record->offset;
  if (!is_timed)
    tt_sink_repair (self->sink, TT_REPAIR_NO_TIME, record->offset);
  /* A begin that cannot be moves between those around it, but nothing tells an end: as one before its begin. */
  else if (tt_rocprof_facts_may_be_time (self->facts, record->start_ns) &&
           !tt_rocprof_facts_may_be_time (self->facts, record->end_ns))
    row->dur_ns = MIN (row->dur_ns, -1);
  return is_timed;
}

void
tt_rocprof_rows_lane (TtRocprofRows *self, TtRocprofLaneKind kind, guint64 agent, guint64 number, TtTraceRecord *row)
{
  tt_rocprof_lanes_find (self->lanes, kind, agent, number, &row->process, &row->thread);
}

guint32
tt_rocprof_rows_name (TtRocprofRows *self, const TtRocprofRecord *record, const char *text)
{
  const TtRawName raw = { .raw = text, .group = tt_rocprof_facts_kind (self->facts, record->kind) };

  return tt_sink_name (self->sink, &raw);
}

/* Of what has no name in the file. */
guint32
tt_rocprof_rows_numbered_name (TtRocprofRows *self, const TtRocprofRecord *record, const char *word, guint64 number)
{
  g_autofree char *text = g_strdup_printf ("%s %" G_GUINT64_FORMAT, word, number);

  tt_sink_repair (self->sink, TT_REPAIR_NO_NAME, record->offset);
  return tt_rocprof_rows_name (self, record, text);
}

void
tt_rocprof_rows_add_ids (TtRocprofRows *self, const TtRocprofRecord *record)
{
  const char *range = record->external == 0 ? NULL : tt_rocprof_facts_external (self->facts, record->external);

  if (record->correlation != 0)
    tt_rocprof_args_uint (&self->args, "correlation", record->correlation);
  if (record->ancestor != 0 && record->ancestor != record->correlation)
    tt_rocprof_args_uint (&self->args, "ancestor", record->ancestor);
  if (record->external != 0)
    tt_rocprof_args_uint (&self->args, "External id", record->external);
  if (range != NULL)
    tt_rocprof_args_text (&self->args, "range", range);
}

void
tt_rocprof_rows_add_device (TtRocprofRows *self, guint64 handle)
{
  const TtRocprofAgent *agent = tt_rocprof_facts_agent (self->facts, handle);

  if (agent != NULL && agent->is_gpu)
    tt_rocprof_args_uint (&self->args, "device", (guint64) agent->index);
}

/* -- operations ----------------------------------------------------------------------------------------- */

/* Calls of HIP have the roles that the same calls have in PyTorch's traces. */
static void
learn_operation (TtRocprofRows *self, const TtRocprofRecord *record, TtRocprofOperation *operation)
{
  const char *kind = tt_rocprof_facts_kind (self->facts, record->kind);
  gboolean is_hip = kind != NULL && g_str_has_prefix (kind, "HIP_");

  operation->name = tt_rocprof_rows_name (self, record, operation->text);
  if (is_hip)
    operation->role = tt_kineto_role ("hip_runtime", operation->text, &operation->blocks);
  if (is_hip ? tt_kineto_is_launch (operation->text) : strstr (operation->text, "memory_async_copy") != NULL)
    operation->flags = TT_FLAG_ENQUEUE;
}

/* NULL: the record has no operation that the file names. */
TtRocprofOperation *
tt_rocprof_rows_operation (TtRocprofRows *self, const TtRocprofRecord *record)
{
  TtRocprofOperation *operation = (record->has & TT_ROCPROF_HAS_OPERATION) == 0
                                      ? NULL
                                      : tt_rocprof_facts_operation (self->facts, record->kind, record->operation);

  return operation == NULL || operation->text == NULL ? NULL : operation;
}

/* The record says it itself, or has only a number. */
guint32
tt_rocprof_rows_unlisted_name (TtRocprofRows *self, const TtRocprofRecord *record)
{
  if (record->operation_name.kind != TT_JSON_STRING || record->operation_name.raw.len == 0)
    return tt_rocprof_rows_numbered_name (self, record, "operation", record->operation);
  g_string_truncate (self->text, 0);
  tt_json_unescape (&record->operation_name, self->text, &self->sink->repairs);
  return tt_rocprof_rows_name (self, record, self->text->str);
}

void
tt_rocprof_rows_name_operation (TtRocprofRows *self, const TtRocprofRecord *record, TtTraceRecord *row)
{
  TtRocprofOperation *operation = tt_rocprof_rows_operation (self, record);

  if (operation == NULL)
    {
      row->name = tt_rocprof_rows_unlisted_name (self, record);
      return;
    }
  if (operation->name == TT_NO_ID)
    learn_operation (self, record, operation);
  row->name = operation->name;
  row->flags = operation->flags;
  row->tag = (guint32) operation->role << TAG_ROLE_SHIFT | (operation->blocks ? TAG_BLOCKS : 0);
}
