/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/recorded-job/builder.h"

void
tt_recording_builder_clear (TtRecordingBuilder *self)
{
  tt_device_work_clear (&self->work);
  tt_map64_clear (&self->numbers);
  tt_map64_clear (&self->named);
  g_clear_pointer (&self->recording, tt_step_recording_free);
  g_clear_pointer (&self->endpoint_of, g_free);
  g_clear_pointer (&self->has_device, g_free);
  g_clear_pointer (&self->ranges, g_array_unref);
  g_clear_pointer (&self->lanes, g_array_unref);
  g_clear_pointer (&self->host_lanes, g_array_unref);
  g_clear_pointer (&self->steps, g_array_unref);
  g_clear_pointer (&self->device_nodes, g_free);
  g_clear_pointer (&self->arrival_nodes, g_free);
}

guint32
tt_recording_add_lane (TtRecordingBuilder *self, guint32 thread)
{
  const TtThread *facts = thread == TT_NO_ID ? NULL : tt_store_thread (self->store, thread);
  const TtProcess *process = facts == NULL ? NULL : tt_store_process (self->store, facts->process);

  g_ptr_array_add (self->recording->lane_names,
                   process == NULL ? g_strdup ("the run") : g_strconcat (process->pid, "->", facts->tid, NULL));
  return self->recording->lane_names->len - 1;
}

static void
name_node (TtRecordingBuilder *self, const TtRecordedNode *node, TtStepNode *made)
{
  GStringChunk *chunk = self->recording->graph->text;
  const TtStoredName *name = node->name == TT_NO_ID ? NULL : tt_store_name (self->store, node->name);
  guint32 same = node->name == TT_NO_ID ? TT_MAP64_NONE : tt_map64_get (&self->named, node->name);

  if (same != TT_MAP64_NONE)
    {
      made->parts = tt_step_node (self->recording->graph, same)->parts;
      made->name = tt_step_node (self->recording->graph, same)->name;
      return;
    }
  if (name == NULL)
    {
      const TtNameParts parts = { .op_cat = "host", .op_name = node->text };
      made->parts = tt_name_parts_copy (&parts, chunk);
      made->name = g_string_chunk_insert_const (chunk, node->text);
      return;
    }
  const TtNameParts parts = { name->op_cat != NULL ? name->op_cat : "", name->op_name, name->sub_op, name->suffix };
  made->parts = tt_name_parts_copy (&parts, chunk);
  made->name = g_string_chunk_insert_const (chunk, name->text != NULL ? name->text : "");
  tt_map64_set (&self->named, node->name, self->recording->graph->nodes->len);
}

guint32
tt_recording_add_node (TtRecordingBuilder *self, const TtRecordedNode *node)
{
  GArray *nodes = self->recording->graph->nodes;
  const TtNodeRange range = { node->begin_ns, MAX (node->begin_ns, node->end_ns) };
  TtStepNode made = { .rank = node->endpoint,
                      .local = TT_STEP_NO_NODE,
                      .group = node->kind == TT_STEP_NODE_COMM ? 0 : TT_STEP_NO_GROUP,
                      .kind = node->kind,
                      .peer = TT_STEP_NO_RANK,
                      .is_rest = node->is_rest };

  name_node (self, node, &made);
  g_array_append_val (nodes, made);
  g_array_append_val (self->ranges, range);
  g_array_append_val (self->lanes, node->lane);
  return nodes->len - 1;
}

void
tt_recording_add_need (TtRecordingBuilder *self, guint32 from, guint32 to, gboolean from_start, gint64 most_ns)
{
  const TtNodeRange *a = tt_recording_range (self, from), *b = tt_recording_range (self, to);
  gint64 lag_ns;

  if (from == to)
    return;
  if (__builtin_sub_overflow (b->begin_ns, from_start ? a->begin_ns : a->end_ns, &lag_ns) || lag_ns < 0)
    {
      self->counts->n_dropped++;
      return;
    }
  const TtRecordedNeed need = { from, to, from_start, MIN (lag_ns, most_ns) };
  g_array_append_val (self->recording->needs, need);
}

guint32
tt_recording_endpoint (const TtRecordingBuilder *self, guint32 thread)
{
  const TtThread *facts = tt_store_thread (self->store, thread);

  return facts == NULL || facts->process > self->max_process ? TT_STEP_NO_RANK : self->endpoint_of[facts->process];
}

/* -- nodes of threads ---------------------------------------------------------------------------------------------- */

static const TtHostLane *
find_lane (const TtRecordingBuilder *self, guint32 thread)
{
  guint low = 0, high = self->host_lanes->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const TtHostLane *lane = &g_array_index (self->host_lanes, TtHostLane, middle);
      if (lane->thread == thread)
        return lane;
      if (lane->thread < thread)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

/* How many of the lane's nodes begin before @ns; @ended: have ended by then. */
static guint32
count_before (const TtRecordingBuilder *self, const TtHostLane *lane, gint64 ns, gboolean ended)
{
  guint32 low = lane->first, high = lane->end;

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;
      const TtNodeRange *range = tt_recording_range (self, middle);
      if (ended ? range->end_ns <= ns : range->begin_ns < ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low - lane->first;
}

guint32
tt_recording_host_node_from (const TtRecordingBuilder *self, guint32 thread, gint64 ns)
{
  const TtHostLane *lane = find_lane (self, thread);
  guint32 n = lane == NULL ? 0 : count_before (self, lane, ns, FALSE);

  return lane == NULL || lane->first + n == lane->end ? TT_STEP_NO_NODE : lane->first + n;
}

guint32
tt_recording_host_node_until (const TtRecordingBuilder *self, guint32 thread, gint64 ns)
{
  const TtHostLane *lane = find_lane (self, thread);
  guint32 n = lane == NULL ? 0 : count_before (self, lane, ns, TRUE);

  return n == 0 ? TT_STEP_NO_NODE : lane->first + n - 1;
}
