/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/rocprof/rows-private.h"

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
keep_dispatch_args (TtRocprofRows *self,
                    const TtRocprofRecord *record,
                    const TtRocprofKernel *kernel,
                    TtTraceRecord *row)
{
  const char *counters =
      tt_rocprof_counters_of (tt_rocprof_facts_counters (self->facts), record->dispatch, counter_name, self->facts);

  tt_rocprof_args_begin (&self->args);
  tt_rocprof_rows_add_device (self, record->agent);
  tt_rocprof_args_uint (&self->args, "stream", record->stream);
  tt_rocprof_args_uint (&self->args, "queue", record->queue);
  tt_rocprof_rows_add_ids (self, record);
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

void
tt_rocprof_rows_add_dispatch (TtRocprofRows *self, const TtRocprofRecord *record)
{
  TtTraceRecord row = { 0 };
  TtRocprofKernel kernel;

  if ((record->has & TT_ROCPROF_HAS_DISPATCH) == 0 || (record->has & TT_ROCPROF_HAS_AGENT) == 0)
    {
      tt_sink_repair (self->sink, TT_REPAIR_ODD_RECORD, record->offset);
      return;
    }
  if (!tt_rocprof_rows_times (self, record, &row))
    return;
  if (tt_rocprof_facts_kernel (self->facts, record->kernel, &kernel))
    row.name = name_kernel (self, record, &kernel);
  else
    row.name = tt_rocprof_rows_numbered_name (self, record, "kernel", record->kernel);
  if (record->stream != 0)
    tt_rocprof_rows_lane (self, TT_ROCPROF_STREAM, record->agent, record->stream, &row);
  else
    tt_rocprof_rows_lane (self, TT_ROCPROF_QUEUE, record->agent, record->queue, &row);
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
  const TtRocprofOperation *operation = tt_rocprof_rows_operation (self, record);

  if (operation == NULL)
    return tt_rocprof_rows_unlisted_name (self, record);
  return tt_rocprof_rows_name (self, record, direction == TT_ROCPROF_ANYWHERE ? operation->text : names[direction]);
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

/* Of the GPU that gets, or gives to the host. */
static guint64
agent_of_copy (TtRocprofRows *self, const TtRocprofRecord *record)
{
  const TtRocprofAgent *to = tt_rocprof_facts_agent (self->facts, record->destination);
  const TtRocprofAgent *from = tt_rocprof_facts_agent (self->facts, record->source);

  if ((record->has & (TT_ROCPROF_HAS_DESTINATION | TT_ROCPROF_HAS_SOURCE)) == 0)
    return TT_ROCPROF_NO_AGENT;
  if ((record->has & TT_ROCPROF_HAS_DESTINATION) == 0 ||
      ((to == NULL || !to->is_gpu) && from != NULL && from->is_gpu))
    return record->source;
  return record->destination;
}

void
tt_rocprof_rows_add_copy (TtRocprofRows *self, const TtRocprofRecord *record)
{
  const TtRocprofOperation *operation = tt_rocprof_rows_operation (self, record);
  TtRocprofDirection direction = operation == NULL ? TT_ROCPROF_ANYWHERE : direction_of (operation->text);
  guint64 agent = agent_of_copy (self, record);
  TtTraceRecord row = { 0 };

  if (!tt_rocprof_rows_times (self, record, &row))
    return;
  row.name = name_copy (self, record, direction);
  if (record->stream != 0)
    tt_rocprof_rows_lane (self, TT_ROCPROF_STREAM, agent, record->stream, &row);
  else
    tt_rocprof_rows_lane (self, TT_ROCPROF_COPIES, agent, direction, &row);
  row.tag = TAG_IS_WORK | (guint32) TT_ACTIVITY_COPY << TAG_ROLE_SHIFT;
  tt_rocprof_args_begin (&self->args);
  tt_rocprof_rows_add_device (self, agent);
  tt_rocprof_args_uint (&self->args, "stream", record->stream);
  tt_rocprof_rows_add_ids (self, record);
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

void
tt_rocprof_rows_add_memory (TtRocprofRows *self, const TtRocprofRecord *record, gboolean is_scratch)
{
  TtTraceRecord row = { 0 };

  if (!tt_rocprof_rows_times (self, record, &row))
    return;
  tt_rocprof_rows_name_operation (self, record, &row);
  row.flags = 0;
  row.tag = 0;
  if (is_scratch)
    tt_rocprof_rows_lane (self, TT_ROCPROF_SCRATCH, record->agent, 0, &row);
  else
    tt_rocprof_rows_lane (self, TT_ROCPROF_THREAD, 0, record->thread, &row);
  tt_rocprof_args_begin (&self->args);
  if ((record->has & TT_ROCPROF_HAS_AGENT) != 0)
    tt_rocprof_rows_add_device (self, record->agent);
  if (is_scratch)
    tt_rocprof_args_uint (&self->args, "queue", record->queue);
  tt_rocprof_rows_add_ids (self, record);
  if ((record->has & TT_ROCPROF_HAS_BYTES) != 0)
    tt_rocprof_args_uint (&self->args, "bytes", record->bytes);
  tt_rocprof_args_value (&self->args, "address", &record->address);
  row.args = tt_rocprof_args_keep (&self->args, self->sink);
  tt_arrange_span (self->arrange, &row);
}
