/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/rocprof/rows.h"

#include <string.h>

#include "formats/kineto/kineto.h"
#include "formats/kineto/roles.h"
#include "formats/rocprof/args.h"
#include "formats/rocprof/lanes.h"
#include "src/base/slots.h"
#include "src/trace/arrange/arrange.h"

/* What the hook learns with a span: in `tag` what it is, in `key` its correlation id. */
#define TAG_IS_CALL 1u
#define TAG_IS_WORK 2u
#define TAG_BLOCKS 4u
#define TAG_ROLE_SHIFT 8

struct _TtRocprofRows
{
  TtSink *sink;
  TtRocprofFacts *facts;
  TtRocprofLanes *lanes;
  TtArrange *arrange;
  TtRocprofArgs args;
  TtSlots *kernel_names; /* kernel -> name */
  guint64 salt;          /* of the ids of flows */
  gboolean has_calls;    /* with a correlation id */
};

static const TtFlowKind launch_flow = { .text = "ac2g", .link = TT_LINK_LAUNCH, .is_open = TRUE };

TtRocprofSection
tt_rocprof_section (const TtJsonValue *key)
{
  static const struct
  {
    const char *key;
    TtRocprofSection section;
  } sections[] = {
    { "kernel_dispatch", TT_ROCPROF_DISPATCHES },      { "memory_copy", TT_ROCPROF_COPIED },
    { "marker_api", TT_ROCPROF_MARKERS },              { "memory_allocation", TT_ROCPROF_ALLOCATIONS },
    { "scratch_memory", TT_ROCPROF_SCRATCHES },        { "pc_sample_host_trap", TT_ROCPROF_SAMPLES },
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
  self->salt = tt_slots_mix (sink->source ^ process << 32);
  tt_rocprof_args_init (&self->args, options->args);
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
  tt_rocprof_args_clear (&self->args);
  g_free (self);
}

/* -- what all rows have ------------------------------------------------------------------------------------ */

/* FALSE: it has none, which is counted. Both 0: rocprofv3 had none to write. */
static gboolean
take_times (TtRocprofRows *self, const TtRocprofRecord *record, TtTraceRecord *row)
{
  gboolean is_timed = (record->has & TT_ROCPROF_HAS_TIMES) != 0 && (record->start_ns != 0 || record->end_ns != 0) &&
                      !__builtin_sub_overflow (record->end_ns, record->start_ns, &row->dur_ns);

  row->step = TT_NO_STEP;
  row->ts_ns = record->start_ns;
  row->key = record->correlation;
  row->offset = record->offset;
  if (!is_timed)
    tt_sink_repair (self->sink, TT_REPAIR_NO_TIME, record->offset);
  return is_timed;
}

static void
take_lane (TtRocprofRows *self, TtRocprofLaneKind kind, guint64 agent, guint64 number, TtTraceRecord *row)
{
  tt_rocprof_lanes_find (self->lanes, kind, agent, number, &row->process, &row->thread);
}

static guint32
make_name (TtRocprofRows *self, const TtRocprofRecord *record, const char *text)
{
  const TtRawName raw = { .raw = text, .group = tt_rocprof_facts_kind (self->facts, record->kind) };

  return tt_sink_name (self->sink, &raw);
}

/* Of what has no name in the file. */
static guint32
make_numbered_name (TtRocprofRows *self, const TtRocprofRecord *record, const char *word, guint64 number)
{
  g_autofree char *text = g_strdup_printf ("%s %" G_GUINT64_FORMAT, word, number);

  tt_sink_repair (self->sink, TT_REPAIR_NO_NAME, record->offset);
  return make_name (self, record, text);
}

static void
add_ids (TtRocprofRows *self, const TtRocprofRecord *record)
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

/* "GPU 1", "CPU". */
static void
add_agent (TtRocprofRows *self, const char *key, guint64 handle)
{
  const TtRocprofAgent *agent = tt_rocprof_facts_agent (self->facts, handle);
  g_autofree char *text = agent == NULL     ? g_strdup_printf ("agent %" G_GUINT64_FORMAT, handle)
                          : !agent->is_gpu ? g_strdup ("CPU")
                                           : g_strdup_printf ("GPU %" G_GINT64_FORMAT, agent->index);

  tt_rocprof_args_text (&self->args, key, text);
}

static void
add_device (TtRocprofRows *self, guint64 handle)
{
  const TtRocprofAgent *agent = tt_rocprof_facts_agent (self->facts, handle);

  if (agent != NULL && agent->is_gpu)
    tt_rocprof_args_uint (&self->args, "device", (guint64) agent->index);
}

/* -- calls ---------------------------------------------------------------------------------------------- */

/* Calls of HIP have the roles that the same calls have in PyTorch's traces. */
static void
learn_operation (TtRocprofRows *self, const TtRocprofRecord *record, TtRocprofOperation *operation)
{
  const char *kind = tt_rocprof_facts_kind (self->facts, record->kind);
  gboolean is_hip = kind != NULL && g_str_has_prefix (kind, "HIP_");

  operation->name = make_name (self, record, operation->text);
  if (is_hip)
    operation->role = tt_kineto_role ("hip_runtime", operation->text, &operation->blocks);
  if (is_hip ? tt_kineto_is_launch (operation->text) : strstr (operation->text, "memory_async_copy") != NULL)
    operation->flags = TT_FLAG_ENQUEUE;
}

/* NULL: the record has no operation that the file names. */
static TtRocprofOperation *
operation_of (TtRocprofRows *self, const TtRocprofRecord *record)
{
  TtRocprofOperation *operation = (record->has & TT_ROCPROF_HAS_OPERATION) == 0
                                      ? NULL
                                      : tt_rocprof_facts_operation (self->facts, record->kind, record->operation);

  return operation == NULL || operation->text == NULL ? NULL : operation;
}

static void
name_operation (TtRocprofRows *self, const TtRocprofRecord *record, TtTraceRecord *row)
{
  TtRocprofOperation *operation = operation_of (self, record);

  if (operation == NULL)
    {
      row->name = make_numbered_name (self, record, "operation", record->operation);
      return;
    }
  if (operation->name == TT_NO_ID)
    learn_operation (self, record, operation);
  row->name = operation->name;
  row->flags = operation->flags;
  row->tag = (guint32) operation->role << TAG_ROLE_SHIFT | (operation->blocks ? TAG_BLOCKS : 0);
}

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
  if (!take_times (self, record, &row))
    return;
  name_operation (self, record, &row);
  take_lane (self, TT_ROCPROF_THREAD, 0, record->thread, &row);
  row.tag |= TAG_IS_CALL;
  self->has_calls |= record->correlation != 0;
  tt_rocprof_args_begin (&self->args);
  add_ids (self, record);
  if (record->stream != 0)
    tt_rocprof_args_uint (&self->args, "stream_id", record->stream);
  add_returned (self, &record->retval);
  tt_rocprof_args_list (&self->args, &record->args);
  row.args = tt_rocprof_args_keep (&self->args, self->sink);
  tt_arrange_span (self->arrange, &row);
}

/* -- kernels -------------------------------------------------------------------------------------------- */

static const char *
counter_name (guint64 handle, gpointer data)
{
  return tt_rocprof_facts_counter (data, handle);
}

static guint32
name_kernel (TtRocprofRows *self, const TtRocprofRecord *record, const TtRocprofKernel *kernel)
{
  TtSlotCursor cursor = { 0 };
  guint64 key = tt_slots_mix (record->kernel), known = tt_slots_find (self->kernel_names, key, &cursor);

  if (known == 0)
    {
      const TtRawName raw = { .raw = tt_rocprof_facts_text (self->facts, kernel->name), .group = "KERNEL_DISPATCH" };

      known = tt_sink_name (self->sink, &raw);
      tt_slots_add (self->kernel_names, key, known);
    }
  return (guint32) known;
}

/* The grid counts work items. */
static void
add_sizes (TtRocprofRows *self, const TtRocprofRecord *record)
{
  guint64 groups[3];

  for (guint i = 0; i < 3; i++)
    groups[i] = record->workgroup[i] == 0
                    ? record->grid[i]
                    : record->grid[i] / record->workgroup[i] + (record->grid[i] % record->workgroup[i] != 0);
  tt_rocprof_args_triple (&self->args, "grid", groups);
  tt_rocprof_args_triple (&self->args, "block", record->workgroup);
  tt_rocprof_args_triple (&self->args, "grid_size", record->grid);
  tt_rocprof_args_uint (&self->args, "shared memory", record->group_bytes);
  tt_rocprof_args_uint (&self->args, "private_segment_size", record->private_bytes);
}

static void
keep_dispatch_args (TtRocprofRows *self, const TtRocprofRecord *record, const TtRocprofKernel *kernel, TtTraceRecord *row)
{
  const char *counters =
      tt_rocprof_counters_of (tt_rocprof_facts_counters (self->facts), record->dispatch, counter_name, self->facts);

  tt_rocprof_args_begin (&self->args);
  add_device (self, record->agent);
  tt_rocprof_args_uint (&self->args, "stream", record->stream);
  tt_rocprof_args_uint (&self->args, "queue", record->queue);
  add_ids (self, record);
  tt_rocprof_args_uint (&self->args, "dispatch_id", record->dispatch);
  add_sizes (self, record);
  if (kernel->vector_registers != 0)
    tt_rocprof_args_uint (&self->args, "registers per thread", kernel->vector_registers);
  if (kernel->accumulator_registers != 0)
    tt_rocprof_args_uint (&self->args, "accum_vgpr_count", kernel->accumulator_registers);
  if (kernel->scalar_registers != 0)
    tt_rocprof_args_uint (&self->args, "sgpr_count", kernel->scalar_registers);
  if (counters != NULL)
    tt_rocprof_args_object (&self->args, "counters", counters);
  row->args = tt_rocprof_args_keep (&self->args, self->sink);
}

static void
add_dispatch (TtRocprofRows *self, const TtRocprofRecord *record)
{
  TtTraceRecord row = { 0 };
  TtRocprofKernel kernel;

  if ((record->has & TT_ROCPROF_HAS_DISPATCH) == 0 || (record->has & TT_ROCPROF_HAS_AGENT) == 0)
    {
      tt_sink_repair (self->sink, TT_REPAIR_ODD_RECORD, record->offset);
      return;
    }
  if (!take_times (self, record, &row))
    return;
  if (tt_rocprof_facts_kernel (self->facts, record->kernel, &kernel))
    row.name = name_kernel (self, record, &kernel);
  else
    row.name = make_numbered_name (self, record, "kernel", record->kernel);
  if (record->stream != 0)
    take_lane (self, TT_ROCPROF_STREAM, record->agent, record->stream, &row);
  else
    take_lane (self, TT_ROCPROF_QUEUE, record->agent, record->queue, &row);
  row.tag = TAG_IS_WORK | (guint32) TT_ACTIVITY_KERNEL << TAG_ROLE_SHIFT;
  keep_dispatch_args (self, record, &kernel, &row);
  tt_arrange_span (self->arrange, &row);
}

/* -- memory ----------------------------------------------------------------------------------------------- */

/* "MEMORY_COPY_HOST_TO_DEVICE", in ROCm 6.2 without the first two words. */
static TtRocprofDirection
direction_of (const char *operation)
{
  static const struct
  {
    const char *word;
    TtRocprofDirection direction;
  } words[] = {
    { "HOST_TO_HOST", TT_ROCPROF_HTOH },
    { "HOST_TO_DEVICE", TT_ROCPROF_HTOD },
    { "DEVICE_TO_HOST", TT_ROCPROF_DTOH },
    { "DEVICE_TO_DEVICE", TT_ROCPROF_DTOD },
  };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_has_suffix (operation, words[i].word))
      return words[i].direction;
  return TT_ROCPROF_ANYWHERE;
}

static guint32
name_copy (TtRocprofRows *self, const TtRocprofRecord *record, TtRocprofDirection direction)
{
  static const char *const names[] = {
    [TT_ROCPROF_HTOH] = "Memcpy HtoH (Host -> Host)",
    [TT_ROCPROF_HTOD] = "Memcpy HtoD (Host -> Device)",
    [TT_ROCPROF_DTOH] = "Memcpy DtoH (Device -> Host)",
    [TT_ROCPROF_DTOD] = "Memcpy DtoD (Device -> Device)",
  };
  const TtRocprofOperation *operation = operation_of (self, record);

  if (operation == NULL)
    return make_numbered_name (self, record, "operation", record->operation);
  return make_name (self, record, direction == TT_ROCPROF_ANYWHERE ? operation->text : names[direction]);
}

/* Of the GPU that gets, or gives to the host. */
static guint64
agent_of_copy (TtRocprofRows *self, const TtRocprofRecord *record)
{
  const TtRocprofAgent *to = tt_rocprof_facts_agent (self->facts, record->destination);
  const TtRocprofAgent *from = tt_rocprof_facts_agent (self->facts, record->source);

  if ((record->has & TT_ROCPROF_HAS_DESTINATION) == 0 ||
      ((to == NULL || !to->is_gpu) && from != NULL && from->is_gpu))
    return record->source;
  return record->destination;
}

static void
add_copy (TtRocprofRows *self, const TtRocprofRecord *record)
{
  const TtRocprofOperation *operation = operation_of (self, record);
  TtRocprofDirection direction = operation == NULL ? TT_ROCPROF_ANYWHERE : direction_of (operation->text);
  guint64 agent = agent_of_copy (self, record);
  TtTraceRecord row = { 0 };

  if ((record->has & (TT_ROCPROF_HAS_DESTINATION | TT_ROCPROF_HAS_SOURCE)) == 0)
    {
      tt_sink_repair (self->sink, TT_REPAIR_ODD_RECORD, record->offset);
      return;
    }
  if (!take_times (self, record, &row))
    return;
  row.name = name_copy (self, record, direction);
  if (record->stream != 0)
    take_lane (self, TT_ROCPROF_STREAM, agent, record->stream, &row);
  else
    take_lane (self, TT_ROCPROF_COPIES, agent, direction, &row);
  row.tag = TAG_IS_WORK | (guint32) TT_ACTIVITY_COPY << TAG_ROLE_SHIFT;
  tt_rocprof_args_begin (&self->args);
  add_device (self, agent);
  tt_rocprof_args_uint (&self->args, "stream", record->stream);
  add_ids (self, record);
  if (direction != TT_ROCPROF_ANYWHERE)
    tt_rocprof_args_text (&self->args, "kind", tt_rocprof_direction_text (direction));
  if ((record->has & TT_ROCPROF_HAS_BYTES) != 0)
    tt_rocprof_args_uint (&self->args, "bytes", record->bytes);
  if ((record->has & TT_ROCPROF_HAS_SOURCE) != 0)
    add_agent (self, "src_agent", record->source);
  if ((record->has & TT_ROCPROF_HAS_DESTINATION) != 0)
    add_agent (self, "dst_agent", record->destination);
  row.args = tt_rocprof_args_keep (&self->args, self->sink);
  tt_arrange_span (self->arrange, &row);
}

/* Memory that the program asks for lies on its thread, that which kernels need on their GPU. */
static void
add_memory (TtRocprofRows *self, const TtRocprofRecord *record, gboolean is_scratch)
{
  TtTraceRecord row = { 0 };

  if (!take_times (self, record, &row))
    return;
  name_operation (self, record, &row);
  row.flags = 0;
  row.tag = 0;
  if (is_scratch)
    take_lane (self, TT_ROCPROF_SCRATCH, record->agent, 0, &row);
  else
    take_lane (self, TT_ROCPROF_THREAD, 0, record->thread, &row);
  tt_rocprof_args_begin (&self->args);
  if ((record->has & TT_ROCPROF_HAS_AGENT) != 0)
    add_device (self, record->agent);
  if (is_scratch)
    tt_rocprof_args_uint (&self->args, "queue", record->queue);
  add_ids (self, record);
  if ((record->has & TT_ROCPROF_HAS_BYTES) != 0)
    tt_rocprof_args_uint (&self->args, "bytes", record->bytes);
  tt_rocprof_args_value (&self->args, "address", &record->address);
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
  const TtRocprofOperation *operation = operation_of (self, record);
  const char *message = tt_rocprof_facts_message (self->facts, record->correlation);
  const char *word = operation == NULL ? "" : operation->text;
  TtTraceRecord row = { 0 };

  if (!take_times (self, record, &row))
    return;
  if (message != NULL)
    row.name = make_name (self, record, message);
  else
    name_operation (self, record, &row);
  take_lane (self, TT_ROCPROF_THREAD, 0, record->thread, &row);
  row.flags = 0;
  row.tag = 0;
  tt_rocprof_args_begin (&self->args);
  add_ids (self, record);
  row.args = tt_rocprof_args_keep (&self->args, self->sink);
  if (message == NULL)
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
      add_dispatch (self, record);
      break;
    case TT_ROCPROF_COPIED:
      add_copy (self, record);
      break;
    case TT_ROCPROF_MARKERS:
      add_marker (self, record);
      break;
    case TT_ROCPROF_ALLOCATIONS:
    case TT_ROCPROF_SCRATCHES:
      add_memory (self, record, section == TT_ROCPROF_SCRATCHES);
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
      add_dispatch (self, &record);
    }
}

gboolean
tt_rocprof_rows_finish (TtRocprofRows *self, GError **error)
{
  tt_rocprof_lanes_host (self->lanes);
  add_untold_dispatches (self);
  return tt_rocprof_rows_check (self, error) && tt_arrange_finish (self->arrange, error);
}
