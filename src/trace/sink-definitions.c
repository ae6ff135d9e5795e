/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/sink-private.h"

#include "src/trace/lost-order.h"

#include <string.h>

/* What a trace is about: processes, threads, series of counters, names, tasks, and what is known of them. */

/* Of the ids: what has them; for threads, with their process. */
#define SALT_PROCESSES G_GUINT64_CONSTANT (0x100000000)
#define SALT_THREADS G_GUINT64_CONSTANT (0x200000000)
#define SALT_SERIES G_GUINT64_CONSTANT (0x300000000)
#define SALT_RANKS G_GUINT64_CONSTANT (0x400000000)

static const char *
or_empty (const char *text)
{
  return text != NULL ? text : "";
}

/* A batch of definitions alone must not grow without end either. */
static void
flush_if_many_definitions (TtSink *self)
{
  if (self->batch->definitions->len >= TT_BATCH_ROWS)
    tt_sink_flush (self);
}

/* -- what was there before -------------------------------------------------------------------- */

void
tt_sink_seed_process (TtSink *self, guint32 id, const char *pid)
{
  tt_text_ids_add (self->ids, SALT_PROCESSES, pid, strlen (pid), id);
  self->next_process = MAX (self->next_process, id + 1);
}

void
tt_sink_seed_thread (TtSink *self, guint32 id, guint32 process, const char *tid)
{
  tt_text_ids_add (self->ids, SALT_THREADS | process, tid, strlen (tid), id);
  self->next_thread = MAX (self->next_thread, id + 1);
}

void
tt_sink_seed_series (TtSink *self, guint32 id, const char *name)
{
  tt_text_ids_add (self->ids, SALT_SERIES, name, strlen (name), id);
  self->next_series = MAX (self->next_series, id + 1);
}

/* -- processes and threads -------------------------------------------------------------------- */

static gboolean
knows_rank (TtSink *self, gint64 rank)
{
  return tt_text_ids_find (self->ids, SALT_RANKS, (const char *) &rank, sizeof rank) != 0;
}

gboolean
tt_sink_has_rank (TtSink *self, gint64 rank)
{
  gboolean is_known = knows_rank (self, rank);

  if (!is_known && self->diary != NULL)
    tt_sink_diary_no_rank (self->diary, rank);
  return is_known;
}

guint32
tt_sink_find_process (TtSink *self, const char *pid)
{
  return tt_text_ids_find (self->ids, SALT_PROCESSES, pid, strlen (pid));
}

guint32
tt_sink_process (TtSink *self, const char *pid, const char *label, const char *node, gint64 rank)
{
  guint32 id = tt_sink_find_process (self, pid);
  gboolean is_new = id == TT_NO_ID;

  if (is_new)
    id = self->next_process;
  if (self->filter != NULL)
    self->filter->klass->see_process (self->filter, id, rank);
  if (!is_new)
    return id;
  tt_sink_seed_process (self, id, pid);
  if (self->diary != NULL)
    tt_sink_diary_process (self->diary, pid, rank);
  TtDefinition *definition = tt_sink_define (self, TT_DEFINE_PROCESS, id, 0);
  definition->text[0] = tt_batch_add_text (self->batch, pid, -1);
  definition->text[1] = tt_batch_add_text (self->batch, label, -1);
  definition->text[2] = tt_batch_add_text (self->batch, node, -1);
  definition->a = rank;
  if (rank >= 0 && !knows_rank (self, rank))
    tt_text_ids_add (self->ids, SALT_RANKS, (const char *) &rank, sizeof rank, 1);
  flush_if_many_definitions (self);
  return id;
}

gboolean
tt_sink_has_process (TtSink *self, const char *pid)
{
  gboolean is_known = tt_sink_find_process (self, pid) != TT_NO_ID;

  if (!is_known && self->diary != NULL)
    tt_sink_diary_no_process (self->diary, pid);
  return is_known;
}

static guint32
find_thread (TtSink *self, guint32 process, const char *tid)
{
  return tt_text_ids_find (self->ids, SALT_THREADS | process, tid, strlen (tid));
}

guint32
tt_sink_thread (TtSink *self, guint32 process, const char *tid, const char *label, gint64 order)
{
  guint32 id = find_thread (self, process, tid);
  gboolean is_new = id == TT_NO_ID;

  if (is_new)
    id = self->next_thread;
  if (self->filter != NULL)
    self->filter->klass->see_thread (self->filter, id, process, tid);
  if (!is_new)
    return id;
  tt_sink_seed_thread (self, id, process, tid);
  if (self->diary != NULL)
    tt_sink_diary_thread (self->diary, process, tid);
  TtDefinition *definition = tt_sink_define (self, TT_DEFINE_THREAD, id, process);
  definition->text[0] = tt_batch_add_text (self->batch, tid, -1);
  definition->text[1] = tt_batch_add_text (self->batch, label, -1);
  definition->a = order;
  flush_if_many_definitions (self);
  return id;
}

guint32
tt_sink_find_thread (TtSink *self, guint32 process, const char *tid)
{
  guint32 id = find_thread (self, process, tid);

  if (id == TT_NO_ID && self->diary != NULL)
    tt_sink_diary_no_thread (self->diary, process, tid);
  return id;
}

guint32
tt_sink_series (TtSink *self, const char *name, const char *unit, gboolean is_monotonic)
{
  guint32 id = tt_text_ids_find (self->ids, SALT_SERIES, name, strlen (name));

  if (id != TT_NO_ID)
    return id;
  id = self->next_series;
  tt_sink_seed_series (self, id, name);
  TtDefinition *definition = tt_sink_define (self, TT_DEFINE_SERIES, id, 0);
  definition->text[0] = tt_batch_add_text (self->batch, name, -1);
  definition->text[1] = tt_batch_add_text (self->batch, unit, -1);
  definition->a = is_monotonic;
  flush_if_many_definitions (self);
  return id;
}

void
tt_sink_metadata (TtSink *self, guint32 process, guint32 thread, const char *key, const char *value)
{
  TtDefinition *definition = tt_sink_define (self, TT_DEFINE_METADATA, thread, process);

  if (self->filter != NULL)
    self->filter->klass->see_metadata (self->filter, process, thread, key, value);
  definition->text[0] = tt_batch_add_text (self->batch, or_empty (key), -1);
  definition->text[1] = tt_batch_add_text (self->batch, or_empty (value), -1);
  flush_if_many_definitions (self);
}

void
tt_sink_lose_order (TtSink *self, guint32 process, guint32 thread, gint64 after_ns)
{
  char text[24];

  g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, after_ns);
  tt_sink_metadata (self, process, thread, TT_ORDER_LOST_KEY, text);
}

void
tt_sink_label_process (TtSink *self, guint32 process, const char *label, gint64 rank)
{
  TtDefinition *definition = tt_sink_define (self, TT_DEFINE_PROCESS_LABEL, process, 0);

  if (self->filter != NULL)
    self->filter->klass->see_process (self->filter, process, rank);
  definition->text[0] = tt_batch_add_text (self->batch, label, -1);
  definition->a = rank;
  flush_if_many_definitions (self);
}

void
tt_sink_own_process (TtSink *self, guint32 process, guint32 owner)
{
  tt_sink_define (self, TT_DEFINE_PROCESS_OWNER, process, owner);
  flush_if_many_definitions (self);
}

void
tt_sink_own_new_processes (TtSink *self, guint32 owner)
{
  if (owner == TT_NO_ID)
    owner = self->source_first_process;
  if (self->diary != NULL)
    self->diary->owns_new_processes = TRUE;
  for (guint32 id = self->source_first_process; id < self->next_process; id++)
    if (id != owner)
      tt_sink_own_process (self, id, owner);
}

void
tt_sink_label_thread (TtSink *self, guint32 thread, const char *label, gint64 order)
{
  TtDefinition *definition = tt_sink_define (self, TT_DEFINE_THREAD_LABEL, thread, 0);

  definition->text[0] = tt_batch_add_text (self->batch, label, -1);
  definition->a = order;
  flush_if_many_definitions (self);
}

void
tt_sink_parameter (TtSink *self,
                   gint64 tensor_id,
                   const char *tensor_name,
                   const char *shape,
                   const char *dtype,
                   gint64 update_id,
                   const char *origin)
{
  TtDefinition *definition = tt_sink_define (self, TT_DEFINE_PARAMETER, 0, 0);
  const char *const texts[] = { tensor_name, shape, dtype, origin };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    definition->text[i] = tt_batch_add_text (self->batch, texts[i], -1);
  definition->a = tensor_id;
  definition->b = update_id;
  flush_if_many_definitions (self);
}

void
tt_sink_task (TtSink *self, guint32 process, const TtTaskNode *task)
{
  TtBatchTask row = {
    .process = process,
    .id = task->id,
    .kind = task->kind,
    .created_ns = task->created_ns,
    .begin_ns = task->begin_ns,
    .end_ns = task->end_ns,
  };

  for (guint i = 0; i < TT_N_TASK_TEXTS; i++)
    row.text[i] = tt_batch_add_text (self->batch, task->text[i], -1);
  g_array_append_val (self->batch->tasks, row);
  if (self->batch->tasks->len >= TT_BATCH_ROWS)
    tt_sink_flush (self);
}

void
tt_sink_task_edge (TtSink *self, guint32 process, const TtTaskEdge *edge)
{
  TtBatchTaskEdge row = {
    .process = process,
    .src = edge->src,
    .dst = edge->dst,
    .has_src = edge->has_src,
    .has_dst = edge->has_dst,
    .kind = tt_batch_add_text (self->batch, edge->kind, -1),
  };

  g_array_append_val (self->batch->task_edges, row);
  if (self->batch->task_edges->len >= TT_BATCH_ROWS)
    tt_sink_flush (self);
}

guint32
tt_sink_name (TtSink *self, const TtRawName *raw)
{
  gboolean is_new = FALSE;
  guint32 id = tt_names_intern (self->names, raw, &is_new);
  TtName name;

  if (!is_new || !tt_names_get (self->names, id, &name))
    return id;

  const char *const texts[TT_N_NAME_TEXTS] = {
    [TT_NAME_OP_CAT] = name.op_cat, [TT_NAME_OP_NAME] = name.op_name, [TT_NAME_SUB_OP] = name.sub_op,
    [TT_NAME_SUFFIX] = name.suffix, [TT_NAME_TEXT] = name.text,       [TT_NAME_RAW] = name.raw,
    [TT_NAME_GROUP] = name.group,   [TT_NAME_FILE] = name.file,
  };
  if (self->diary != NULL)
    tt_sink_diary_name (self->diary, tt_names_source (self->names), raw);
  TtDefinition *definition = tt_sink_define (self, TT_DEFINE_NAME, id, name.text_use);
  for (int i = 0; i < TT_N_NAME_TEXTS; i++)
    definition->text[i] = tt_batch_add_text (self->batch, texts[i], -1);
  definition->a = name.line;
  definition->b = name.is_collective ? 1 + (gint64) name.communicator : 0;
  flush_if_many_definitions (self);
  return id;
}
