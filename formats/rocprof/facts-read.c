/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/rocprof/facts-private.h"

#include <string.h>

#define MAX_AGENTS 65536u
#define MAX_COUNTERS 65536u
#define MAX_KINDS 4096u
#define MAX_OPERATIONS 65536u
#define MAX_METADATA 256u

/* The text of a string, NULL if it is none or empty. Free it. */
static char *
text_of (const TtRocprofFacts *self, const TtJsonValue *value)
{
  GString *text;

  if (value->kind != TT_JSON_STRING || value->raw.len == 0)
    return NULL;
  text = g_string_new (NULL);
  tt_json_unescape (value, text, self->repairs);
  return g_string_free (text, FALSE);
}

static char *
member_text (const TtRocprofFacts *self, const TtJsonValue *object, const char *key)
{
  TtJsonValue value = tt_json_get (object->raw, key);

  return text_of (self, &value);
}

static guint64
member_number (const TtJsonValue *object, const char *key, guint64 missing)
{
  TtJsonValue value = tt_json_get (object->raw, key);
  guint64 number;

  return tt_json_uint64 (&value, &number) ? number : missing;
}

static gboolean
member_handle (const TtJsonValue *object, const char *key, guint64 *handle)
{
  TtJsonValue value = tt_json_get (object->raw, key);

  if (value.kind == TT_JSON_OBJECT)
    value = tt_json_get (value.raw, "handle");
  return tt_json_uint64 (&value, handle);
}

/* -- metadata ---------------------------------------------------------------------------------------- */

static void
add_metadata (TtRocprofFacts *self, const char *prefix, const char *key, const TtJsonValue *value)
{
  if (self->metadata->len >= 2 * MAX_METADATA || value->raw.len == 0)
    return;
  g_ptr_array_add (self->metadata, g_strconcat (prefix, key, NULL));
  if (value->kind == TT_JSON_ARRAY || value->kind == TT_JSON_OBJECT)
    {
      GString *clean = g_string_new (NULL);
      tt_json_clean (value->raw, clean);
      g_ptr_array_add (self->metadata, g_string_free (clean, FALSE));
    }
  else
    g_ptr_array_add (self->metadata, tt_json_text (value));
}

static void
take_node (TtRocprofFacts *self, const TtJsonValue *node)
{
  const char *cursor = NULL;
  TtJsonValue key, value;

  while (tt_json_member (node->raw, &cursor, &key, &value))
    {
      g_autofree char *name = tt_json_text (&key);

      if (strcmp (name, "hostname") == 0 && self->node == NULL)
        self->node = text_of (self, &value);
      add_metadata (self, "node_", name, &value);
    }
}

/* The words of the command line; its first names the program. */
static void
take_command (TtRocprofFacts *self, const TtJsonValue *command)
{
  const char *cursor = NULL;
  TtJsonValue word;

  if (self->program != NULL || !tt_json_item (command->raw, &cursor, &word))
    return;
  g_autofree char *path = text_of (self, &word);
  if (path != NULL)
    self->program = g_path_get_basename (path);
}

static void
take_metadata (TtRocprofFacts *self, TtRocprofWalk *walk)
{
  TtJsonValue key, value;

  if (!tt_rocprof_walk_object (walk))
    return;
  while (tt_rocprof_walk_key (walk, &key))
    {
      g_autofree char *name = tt_json_text (&key);

      if (!tt_rocprof_walk_value (walk, &value))
        return;
      if (strcmp (name, "init_time") == 0)
        tt_json_int64 (&value, &self->init_ns);
      if (strcmp (name, "fini_time") == 0)
        tt_json_int64 (&value, &self->fini_ns);
      if (strcmp (name, "pid") == 0)
        tt_json_uint64 (&value, &self->pid);
      else if (strcmp (name, "node") == 0 && value.kind == TT_JSON_OBJECT && value.raw.len > 0)
        take_node (self, &value);
      else
        {
          if (strcmp (name, "command") == 0 && value.kind == TT_JSON_ARRAY && value.raw.len > 0)
            take_command (self, &value);
          add_metadata (self, "", name, &value);
        }
    }
}

/* -- agents and counters ------------------------------------------------------------------------------- */

static void
take_agent (TtRocprofFacts *self, const TtJsonValue *object)
{
  guint64 handle;

  if (!member_handle (object, "id", &handle) || g_hash_table_size (self->agents) >= MAX_AGENTS ||
      g_hash_table_contains (self->agents, &handle))
    {
      tt_repairs_add (self->repairs, TT_REPAIR_ODD_RECORD, object->offset);
      return;
    }
  TtRocprofAgent *agent = g_new0 (TtRocprofAgent, 1);
  guint64 order = member_number (object, "logical_node_type_id", G_MAXUINT64);
  agent->is_gpu = member_number (object, "type", 0) == 2;
  order = member_number (object, "gpu_index", order);
  agent->index = order > G_MAXINT32 ? (gint64) self->n_gpus : (gint64) order;
  self->n_gpus += agent->is_gpu;
  agent->target = member_text (self, object, "name");
  agent->name = member_text (self, object, "product_name");
  if (agent->name == NULL)
    agent->name = g_strdup (agent->target);
  g_hash_table_insert (self->agents, g_memdup2 (&handle, sizeof handle), agent);
}

static void
take_agents (TtRocprofFacts *self, TtRocprofWalk *walk)
{
  TtJsonValue agent;

  if (tt_rocprof_walk_array (walk))
    while (tt_rocprof_walk_record (walk, &agent))
      take_agent (self, &agent);
}

/* A counter has one id on all agents. */
static void
take_counters (TtRocprofFacts *self, TtRocprofWalk *walk)
{
  TtJsonValue counter;

  if (!tt_rocprof_walk_array (walk))
    return;
  while (tt_rocprof_walk_record (walk, &counter))
    {
      g_autofree char *name = member_text (self, &counter, "name");
      guint64 handle;

      if (name != NULL && member_handle (&counter, "id", &handle) &&
          g_hash_table_size (self->counters) < MAX_COUNTERS && !g_hash_table_contains (self->counters, &handle))
        g_hash_table_insert (self->counters, g_memdup2 (&handle, sizeof handle), g_steal_pointer (&name));
    }
}

/* -- names ---------------------------------------------------------------------------------------------- */

static void
take_kind (TtRocprofFacts *self, const TtJsonValue *object)
{
  TtJsonValue list = tt_json_get (object->raw, "operations"), item;
  TtRocprofKind *kind = g_new0 (TtRocprofKind, 1);
  const char *cursor = NULL;

  kind->name = member_text (self, object, "kind");
  kind->operations = g_array_new (FALSE, TRUE, sizeof (TtRocprofOperation));
  while (list.kind == TT_JSON_ARRAY && kind->operations->len < MAX_OPERATIONS &&
         tt_json_item (list.raw, &cursor, &item))
    {
      const TtRocprofOperation operation = { .text = text_of (self, &item) };

      g_array_append_val (kind->operations, operation);
    }
  g_ptr_array_add (self->kinds, kind);
}

static void
take_kinds (TtRocprofFacts *self, TtRocprofWalk *walk)
{
  TtJsonValue kind;

  if (!tt_rocprof_walk_array (walk))
    return;
  while (tt_rocprof_walk_record (walk, &kind))
    if (self->kinds->len < MAX_KINDS)
      take_kind (self, &kind);
}

static void
add_text (TtRocprofFacts *self, TtSlots *to, guint64 id, const TtJsonValue *value)
{
  TtSlotCursor cursor = { 0 };

  if (value->kind != TT_JSON_STRING || tt_slots_find (to, tt_slots_mix (id), &cursor) != 0)
    return;
  g_string_truncate (self->text, 0);
  tt_json_unescape (value, self->text, self->repairs);
  guint64 place = tt_tape_append_text (self->texts, self->text->str, self->text->len);
  tt_slots_add (to, tt_slots_mix (id), place + 1);
}

/* Maps are lists of {"key", "value"}. */
static void
take_texts (TtRocprofFacts *self, TtRocprofWalk *walk, TtSlots *to)
{
  TtJsonValue pair;

  if (!tt_rocprof_walk_array (walk))
    return;
  while (tt_rocprof_walk_record (walk, &pair))
    {
      TtJsonValue id = tt_json_get (pair.raw, "key"), value = tt_json_get (pair.raw, "value");
      guint64 number;

      if (tt_json_uint64 (&id, &number))
        add_text (self, to, number, &value);
      else
        tt_repairs_add (self->repairs, TT_REPAIR_ODD_RECORD, pair.offset);
    }
}

static void
take_correlations (TtRocprofFacts *self, TtRocprofWalk *walk)
{
  TtJsonValue key;

  if (!tt_rocprof_walk_object (walk))
    return;
  while (tt_rocprof_walk_key (walk, &key))
    if (TT_JSON_KEY_IS (key, "external"))
      take_texts (self, walk, self->externals);
}

static void
take_strings (TtRocprofFacts *self, TtRocprofWalk *walk)
{
  TtJsonValue key;

  if (!tt_rocprof_walk_object (walk))
    return;
  while (tt_rocprof_walk_key (walk, &key))
    if (TT_JSON_KEY_IS (key, "buffer_records"))
      take_kinds (self, walk);
    else if (TT_JSON_KEY_IS (key, "marker_api"))
      take_texts (self, walk, self->messages);
    else if (TT_JSON_KEY_IS (key, "correlation_id"))
      take_correlations (self, walk);
}

/* What is at the end of a symbol, "_Z4addPf.kd", and of such a one demangled. */
static void
cut_suffix (char *name)
{
  static const char *const suffixes[] = { " [clone .kd]", ".kd" };

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (name, suffixes[i]))
      name[strlen (name) - strlen (suffixes[i])] = '\0';
}

/* As Kineto names kernels: demangled, whole. Without that the name of its symbol. */
static char *
kernel_name (const TtRocprofFacts *self, const TtJsonValue *object)
{
  static const char *const keys[] = { "demangled_kernel_name", "formatted_kernel_name", "kernel_name" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      char *name = member_text (self, object, keys[i]);

      if (name != NULL)
        cut_suffix (name);
      if (name != NULL && *name != '\0')
        return name;
      g_free (name);
    }
  return NULL;
}

static void
take_kernel (TtRocprofFacts *self, const TtJsonValue *object)
{
  g_autofree char *name = kernel_name (self, object);
  guint64 id = member_number (object, "kernel_id", G_MAXUINT64);
  TtSlotCursor cursor = { 0 };

  /* The first of the list stands for no kernel. */
  if (name == NULL || id == G_MAXUINT64 || tt_slots_find (self->kernels, tt_slots_mix (id), &cursor) != 0)
    return;
  const TtRocprofKernel kernel = {
    .name = tt_tape_append_text (self->texts, name, strlen (name)),
    .vector_registers = member_number (object, "arch_vgpr_count", 0),
    .accumulator_registers = member_number (object, "accum_vgpr_count", 0),
    .scalar_registers = member_number (object, "sgpr_count", 0),
  };
  guint64 place = tt_tape_append (self->kernel_tape, &kernel, sizeof kernel);
  tt_slots_add (self->kernels, tt_slots_mix (id), place + 1);
}

static void
take_kernels (TtRocprofFacts *self, TtRocprofWalk *walk)
{
  TtJsonValue kernel;

  if (tt_rocprof_walk_array (walk))
    while (tt_rocprof_walk_record (walk, &kernel))
      take_kernel (self, &kernel);
}

static void
take_callbacks (TtRocprofFacts *self, TtRocprofWalk *walk)
{
  TtJsonValue key, record;

  if (!tt_rocprof_walk_object (walk))
    return;
  while (tt_rocprof_walk_key (walk, &key))
    if (TT_JSON_KEY_IS (key, "counter_collection") && tt_rocprof_walk_array (walk))
      while (tt_rocprof_walk_record (walk, &record))
        if (!tt_rocprof_counters_add (self->dispatches, &record))
          tt_repairs_add (self->repairs, TT_REPAIR_ODD_RECORD, record.offset);
}

/* -- all of it -------------------------------------------------------------------------------------------- */

gboolean
tt_rocprof_facts_take (TtRocprofFacts *self, TtRocprofWalk *walk, const TtJsonValue *key)
{
  static const struct
  {
    const char *key;
    TtRocprofMember member;
    void (*take) (TtRocprofFacts *self, TtRocprofWalk *walk);
  } members[] = {
    { "metadata", TT_ROCPROF_METADATA, take_metadata },
    { "agents", TT_ROCPROF_AGENTS, take_agents },
    { "counters", TT_ROCPROF_COUNTERS, take_counters },
    { "strings", TT_ROCPROF_STRINGS, take_strings },
    { "kernel_symbols", TT_ROCPROF_KERNELS, take_kernels },
    { "callback_records", TT_ROCPROF_CALLBACKS, take_callbacks },
  };

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    if (tt_json_key_is (key, members[i].key, strlen (members[i].key)))
      {
        if ((self->seen & members[i].member) != 0)
          tt_rocprof_walk_skip (walk);
        else
          members[i].take (self, walk);
        self->seen |= members[i].member;
        return TRUE;
      }
  return FALSE;
}
