/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/rocprof/facts-private.h"

/* Records may lie outside of the time in which the tool was there, but not by far. */
#define MIN_SLACK_NS (G_GINT64_CONSTANT (60) * 1000000000)
#define TEXTS_MEMORY ((gsize) 4 << 20)
#define KERNELS_MEMORY ((gsize) 1 << 20)

static void
agent_free (gpointer data)
{
  TtRocprofAgent *agent = data;

  g_free (agent->name);
  g_free (agent->target);
  g_free (agent);
}

static void
kind_free (gpointer data)
{
  TtRocprofKind *kind = data;

  for (guint i = 0; i < kind->operations->len; i++)
    g_free (g_array_index (kind->operations, TtRocprofOperation, i).text);
  g_array_unref (kind->operations);
  g_free (kind->name);
  g_free (kind);
}

TtRocprofFacts *
tt_rocprof_facts_new (TtRepairs *repairs)
{
  TtRocprofFacts *self = g_new0 (TtRocprofFacts, 1);

  self->repairs = repairs;
  self->metadata = g_ptr_array_new_with_free_func (g_free);
  self->agents = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, agent_free);
  self->counters = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  self->kinds = g_ptr_array_new_with_free_func (kind_free);
  self->texts = tt_tape_new (TEXTS_MEMORY);
  self->kernel_tape = tt_tape_new (KERNELS_MEMORY);
  self->kernels = tt_slots_new ();
  self->messages = tt_slots_new ();
  self->externals = tt_slots_new ();
  self->text = g_string_new (NULL);
  self->message = g_string_new (NULL);
  self->dispatches = tt_rocprof_counters_new ();
  return self;
}

void
tt_rocprof_facts_free (TtRocprofFacts *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->metadata);
  g_hash_table_unref (self->agents);
  g_hash_table_unref (self->counters);
  g_ptr_array_unref (self->kinds);
  tt_tape_free (self->texts);
  tt_tape_free (self->kernel_tape);
  tt_slots_free (self->kernels);
  tt_slots_free (self->messages);
  tt_slots_free (self->externals);
  g_string_free (self->text, TRUE);
  g_string_free (self->message, TRUE);
  tt_rocprof_counters_free (self->dispatches);
  g_free (self->node);
  g_free (self->program);
  g_free (self);
}

gboolean
tt_rocprof_facts_are_whole (const TtRocprofFacts *self)
{
  return self->seen == TT_ROCPROF_ALL;
}

gboolean
tt_rocprof_facts_may_be_time (const TtRocprofFacts *self, gint64 ns)
{
  if (self->init_ns <= 0 || self->fini_ns <= self->init_ns)
    return TRUE;
  gint64 slack_ns = MAX (self->fini_ns - self->init_ns, MIN_SLACK_NS);

  return ns >= self->init_ns - slack_ns && ns - slack_ns <= self->fini_ns;
}

guint64
tt_rocprof_facts_pid (const TtRocprofFacts *self)
{
  return self->pid;
}

const char *
tt_rocprof_facts_node (const TtRocprofFacts *self)
{
  return self->node;
}

const char *
tt_rocprof_facts_program (const TtRocprofFacts *self)
{
  return self->program;
}

const GPtrArray *
tt_rocprof_facts_metadata (const TtRocprofFacts *self)
{
  return self->metadata;
}

TtRocprofAgent *
tt_rocprof_facts_agent (TtRocprofFacts *self, guint64 handle)
{
  return g_hash_table_lookup (self->agents, &handle);
}

TtRocprofOperation *
tt_rocprof_facts_operation (TtRocprofFacts *self, guint64 kind, guint64 operation)
{
  if (kind >= self->kinds->len)
    return NULL;
  GArray *operations = ((TtRocprofKind *) self->kinds->pdata[kind])->operations;
  return operation < operations->len ? &g_array_index (operations, TtRocprofOperation, operation) : NULL;
}

const char *
tt_rocprof_facts_kind (const TtRocprofFacts *self, guint64 kind)
{
  return kind < self->kinds->len ? ((const TtRocprofKind *) self->kinds->pdata[kind])->name : NULL;
}

const char *
tt_rocprof_facts_counter (const TtRocprofFacts *self, guint64 handle)
{
  return g_hash_table_lookup (self->counters, &handle);
}

gboolean
tt_rocprof_facts_kernel (TtRocprofFacts *self, guint64 id, TtRocprofKernel *kernel)
{
  TtSlotCursor cursor = { 0 };
  guint64 place = tt_slots_find (self->kernels, tt_slots_mix (id), &cursor);

  *kernel = (TtRocprofKernel){ 0 };
  if (place == 0)
    return FALSE;
  tt_tape_read (self->kernel_tape, place - 1, kernel, sizeof *kernel);
  return TRUE;
}

const char *
tt_rocprof_facts_text (TtRocprofFacts *self, guint64 text)
{
  return tt_tape_read_text (self->texts, text, self->text);
}

static const char *
find_text (TtRocprofFacts *self, TtSlots *in, guint64 id)
{
  TtSlotCursor cursor = { 0 };
  guint64 place = tt_slots_find (in, tt_slots_mix (id), &cursor);

  return place == 0 ? NULL : tt_tape_read_text (self->texts, place - 1, self->message);
}

const char *
tt_rocprof_facts_message (TtRocprofFacts *self, guint64 correlation)
{
  return find_text (self, self->messages, correlation);
}

const char *
tt_rocprof_facts_external (TtRocprofFacts *self, guint64 id)
{
  return find_text (self, self->externals, id);
}

TtRocprofCounters *
tt_rocprof_facts_counters (TtRocprofFacts *self)
{
  return self->dispatches;
}

gboolean
tt_rocprof_facts_check (const TtRocprofFacts *self, GError **error)
{
  return tt_tape_check (self->texts, error) && tt_tape_check (self->kernel_tape, error) &&
         tt_slots_check (self->kernels, error) && tt_slots_check (self->messages, error) &&
         tt_slots_check (self->externals, error) && tt_rocprof_counters_check (self->dispatches, error);
}
