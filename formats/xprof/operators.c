/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/xprof/operators.h"

#include "formats/tensorflow/names.h"

#include <string.h>

#define DATASET_PREFIX "Iterator::"

enum
{
  SALT_OPERATOR = TT_SALT_DIALECT,
};

struct _TtXprofOperators
{
  TtTraceEventImport *import;
  TtTfNames *names;
  GString *text;
};

/* Types of operators whose node says nothing of what they do. First match wins. */
static const struct
{
  const char *type; /* "*": any rest */
  const char *op_cat, *sub_op;
} types[] = {
  { "Iterator*", "I/O", NULL },
  { "*Dataset*", "I/O", NULL },
  { "ReadFile", "I/O", NULL },
  { "WriteFile", "I/O", NULL },
  { "SaveV2", "I/O", NULL },
  { "RestoreV2", "I/O", NULL },
  { "MergeV2Checkpoints", "I/O", NULL },
  { "Write*Summary", "I/O", NULL },
  { "FlushSummaryWriter", "I/O", NULL },
  { "PyFunc*", "COMP", NULL },
  { "EagerPyFunc", "COMP", NULL },
  { "CollectiveReduceScatter*", "Comm", "REDUCE" },
  { "CollectiveReduce*", "Comm", "ALLREDUCE" },
  { "CollectiveGather*", "Comm", "ALLGATHER" },
  { "CollectiveBcast*", "Comm", "BCAST" },
  { "CollectiveAllToAll*", "Comm", "ALLTOALL" },
  { "NcclAllReduce", "Comm", "ALLREDUCE" },
};

TtXprofOperators *
tt_xprof_operators_new (TtTraceEventImport *import)
{
  TtXprofOperators *self = g_new0 (TtXprofOperators, 1);

  self->import = import;
  self->names = tt_tf_names_new (NULL);
  self->text = g_string_new (NULL);
  return self;
}

void
tt_xprof_operators_free (TtXprofOperators *self)
{
  if (self == NULL)
    return;
  tt_tf_names_free (self->names);
  g_string_free (self->text, TRUE);
  g_free (self);
}

static gboolean
is_node (const char *text, gsize len)
{
  if (len == 0 || (!g_ascii_isalnum (text[0]) && text[0] != '.'))
    return FALSE;
  for (gsize i = 1; i < len; i++)
    if (!g_ascii_isalnum (text[i]) && strchr ("_.\\/>-", text[i]) == NULL)
      return FALSE;
  return TRUE;
}

static gboolean
is_type (const char *text)
{
  if (!g_ascii_isupper (text[0]) && text[0] != '_')
    return FALSE;
  for (; *text != '\0'; text++)
    if (!g_ascii_isalnum (*text) && *text != '_')
      return FALSE;
  return TRUE;
}

static guint32
name_of_type (TtXprofOperators *self, const char *node, const char *type)
{
  TtRawName raw = { .raw = node, .group = type };
  g_auto (TtTfName) name = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (types) && raw.op_cat == NULL; i++)
    if (g_pattern_match_simple (types[i].type, type))
      {
        raw.op_cat = types[i].op_cat;
        raw.sub_op = types[i].sub_op;
        raw.is_collective = types[i].sub_op != NULL;
      }
  if (raw.op_cat == NULL)
    {
      name = tt_tf_names_resolve (self->names, node);
      raw.op = name.op_name;
      raw.op_cat = name.op_cat;
    }
  return tt_sink_name (self->import->sink, &raw);
}

static guint32
make_name (TtXprofOperators *self, const TtJsonValue *value)
{
  g_string_truncate (self->text, 0);
  tt_json_unescape (value, self->text, &self->import->sink->repairs);
  char *type = strchr (self->text->str, ':');

  if (g_str_has_prefix (self->text->str, DATASET_PREFIX))
    {
      const TtRawName raw = { .raw = self->text->str, .group = "Dataset", .op_cat = "I/O" };

      return tt_sink_name (self->import->sink, &raw);
    }
  if (type == NULL || !is_node (self->text->str, (gsize) (type - self->text->str)) || !is_type (type + 1))
    return TT_NO_ID;
  *type++ = '\0';
  return name_of_type (self, self->text->str, type);
}

guint32
tt_xprof_operators_name (TtXprofOperators *self, const TtTraceEvent *event)
{
  TtJsonValue value = event->args.kind == TT_JSON_OBJECT ? tt_json_get (event->args.raw, "long_name") : event->name;
  guint64 hash;

  if (value.kind != TT_JSON_STRING)
    value = event->name;
  if (value.kind != TT_JSON_STRING || memchr (value.raw.bytes, ':', value.raw.len) == NULL)
    return TT_NO_ID;
  const TtByteKey key = { .salt = SALT_OPERATOR, .a = value.raw };
  guint32 name = tt_byte_ids_find (self->import->names, &key, &hash);
  if (name == 0)
    {
      /* One more than the name, so that 0 is left for what was not asked yet. */
      name = make_name (self, &value) + 1;
      tt_byte_ids_set (self->import->names, &key, hash, name);
    }
  return name - 1;
}
