/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/kineto/collectives.h"

#include <string.h>
#include <xxhash.h>

#include "formats/kineto/kineto.h"

#define MEMBERS_SALT 0x70726f63u

/* The words for element types in `dtype` (c10/core/ScalarType.h) and in `Input type`. */
static const struct
{
  const char *name;
  gint64 size;
} types[] = {
  { "Byte", 1 },          { "Char", 1 },          { "Bool", 1 },           { "Short", 2 },
  { "Half", 2 },          { "BFloat16", 2 },      { "Int", 4 },            { "Float", 4 },
  { "ComplexHalf", 4 },   { "Long", 8 },          { "Double", 8 },         { "ComplexFloat", 8 },
  { "ComplexDouble", 16 }, { "UInt16", 2 },        { "UInt32", 4 },         { "UInt64", 8 },
  { "QInt8", 1 },         { "QUInt8", 1 },        { "QInt32", 4 },         { "Float8_e5m2", 1 },
  { "Float8_e4m3fn", 1 }, { "Float8_e5m2fnuz", 1 }, { "Float8_e4m3fnuz", 1 }, { "Float8_e8m0fnu", 1 },
  { "unsigned char", 1 }, { "signed char", 1 },   { "bool", 1 },           { "short int", 2 },
  { "c10::Half", 2 },     { "c10::BFloat16", 2 }, { "int", 4 },            { "float", 4 },
  { "long int", 8 },      { "double", 8 },
};

/* -- values --------------------------------------------------------------------------------------------- */

static gint64
size_of_type (const TtJsonValue *type)
{
  if (type->kind == TT_JSON_STRING)
    for (guint i = 0; i < G_N_ELEMENTS (types); i++)
      if (tt_slice_is (type->raw, types[i].name, strlen (types[i].name)))
        return types[i].size;
  return -1;
}

static gint64
bytes_of (const TtJsonValue *n_elements, gint64 size)
{
  gint64 n, bytes;

  if (size < 0 || !tt_json_int64 (n_elements, &n) || n < 0 || __builtin_mul_overflow (n, size, &bytes))
    return -1;
  return bytes;
}

static void
set_text (GString *to, const TtJsonValue *value)
{
  if (value->kind == TT_JSON_STRING && value->raw.len <= TT_COLLECTIVE_TEXT)
    {
      g_autofree char *text = tt_json_text (value);
      g_string_assign (to, text);
    }
}

/* Of [[4, 512], ...] and ["float", ...] the first: -1 if it is no tensor. */
static gint64
bytes_of_shape (const TtJsonValue *shapes, const TtJsonValue *words)
{
  const char *cursor = NULL;
  TtJsonValue shape, word, length;
  gint64 n = 0;

  if (shapes->kind != TT_JSON_ARRAY || words->kind != TT_JSON_ARRAY || !tt_json_item (shapes->raw, &cursor, &shape) ||
      shape.kind != TT_JSON_ARRAY)
    return -1;
  cursor = NULL;
  if (!tt_json_item (words->raw, &cursor, &word))
    return -1;
  gint64 bytes = size_of_type (&word);
  cursor = NULL;
  while (bytes >= 0 && tt_json_item (shape.raw, &cursor, &length))
    if (!tt_json_int64 (&length, &n) || n < 0 || __builtin_mul_overflow (bytes, n, &bytes))
      return -1;
  return bytes;
}

/* -- arguments ------------------------------------------------------------------------------------------ */

typedef struct
{
  TtJsonValue name, in, out, size, dtype, group, description, ranks, sequence, shapes, words;
} Args;

static void
read_members (TtSlice object, Args *args)
{
  static const struct
  {
    const char *key;
    gsize offset;
  } fields[] = {
    { "Collective name", G_STRUCT_OFFSET (Args, name) },
    { "In msg nelems", G_STRUCT_OFFSET (Args, in) },
    { "Out msg nelems", G_STRUCT_OFFSET (Args, out) },
    { "Group size", G_STRUCT_OFFSET (Args, size) },
    { "dtype", G_STRUCT_OFFSET (Args, dtype) },
    { "Process Group Name", G_STRUCT_OFFSET (Args, group) },
    { "Process Group Description", G_STRUCT_OFFSET (Args, description) },
    { "Process Group Ranks", G_STRUCT_OFFSET (Args, ranks) },
    { "Seq", G_STRUCT_OFFSET (Args, sequence) },
    { "Input Dims", G_STRUCT_OFFSET (Args, shapes) },
    { "Input type", G_STRUCT_OFFSET (Args, words) },
  };
  const char *cursor = NULL;
  TtJsonValue key, value;

  while (tt_json_member (object, &cursor, &key, &value))
    for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
      if (tt_slice_is (key.raw, fields[i].key, strlen (fields[i].key)))
        *(TtJsonValue *) (gpointer) ((char *) args + fields[i].offset) = value;
}

/* Which the sub_op of a name counts among the reduces. */
static gboolean
is_reduce_scatter (TtSlice text)
{
  static const char word[] = "reducescatter";
  gsize n = 0;

  for (gsize i = 0; i < text.len && word[n] != '\0'; i++)
    if (g_ascii_isalpha (text.bytes[i]))
      n = g_ascii_tolower (text.bytes[i]) == word[n] ? n + 1 : g_ascii_tolower (text.bytes[i]) == word[0];
  return word[n] == '\0';
}

static void
set_function (const Args *args, const char *raw_name, const char *sub_op, TtCollectiveFacts *facts)
{
  const char *said = args->name.kind == TT_JSON_STRING ? tt_kineto_sub_op (args->name.raw.bytes, args->name.raw.len) : NULL;

  if (TT_SLICE_IS (args->name.raw, "barrier"))
    said = "BARRIER";
  else if (is_reduce_scatter (said != NULL ? args->name.raw : (TtSlice){ raw_name, strlen (raw_name) }))
    said = "REDUCE_SCATTER";
  g_string_assign (facts->function, said != NULL ? said : sub_op != NULL ? sub_op : "OTHER");
}

static void
set_facts (const Args *args, TtCollectiveFacts *facts)
{
  gint64 size = size_of_type (&args->dtype), n;

  facts->bytes_in = bytes_of (&args->in, size);
  facts->bytes_out = bytes_of (&args->out, size);
  set_text (facts->group, &args->group);
  set_text (facts->description, &args->description);
  if (args->ranks.kind == TT_JSON_STRING && args->ranks.raw.len > 0)
    {
      g_autofree char *text = tt_json_text (&args->ranks);
      gsize len = strlen (text);
      const char *end = text;

      facts->members = XXH3_64bits_withSeed (text, len, MEMBERS_SALT) | 1;
      g_utf8_validate_len (text, MIN (len, TT_COLLECTIVE_TEXT), &end);
      g_string_append_len (facts->ranks, text, end - text);
    }
  if (tt_json_int64 (&args->size, &n) && n > 0 && n <= G_MAXINT32)
    facts->group_size = (guint32) n;
  if (tt_json_int64 (&args->sequence, &n) && n >= 0)
    facts->sequence = n;
}

/* -- spans ------------------------------------------------------------------------------------------------ */

/* Of an annotation "gloo:all_reduce". */
static TtCollectiveRole
role_of_annotation (const char *op_cat, const char *raw_name, const Args *args, TtCollectiveFacts *facts)
{
  static const char *const on_devices[] = { "nccl:", "rccl:", "xccl:", "oneccl:", "hccl:" };
  static const char *const on_hosts[] = { "gloo:", "mpi:", "ucc:" };
  const char *word = strchr (raw_name, ':');

  if (word != NULL && strcmp (word, ":barrier") == 0)
    g_string_assign (facts->function, "BARRIER");
  else if (strcmp (op_cat, "Comm") != 0)
    return TT_COLLECTIVE_NONE;
  for (guint i = 0; i < G_N_ELEMENTS (on_devices); i++)
    if (g_str_has_prefix (raw_name, on_devices[i]))
      return TT_COLLECTIVE_MARK;
  for (guint i = 0; i < G_N_ELEMENTS (on_hosts); i++)
    if (g_str_has_prefix (raw_name, on_hosts[i]))
      {
        /* Backends that know no group have one. */
        g_string_append_len (facts->group, raw_name, (gssize) strlen (on_hosts[i]) - 1);
        facts->bytes_in = bytes_of_shape (&args->shapes, &args->words);
        if (strcmp (facts->function->str, "ALLREDUCE") == 0)
          facts->bytes_out = facts->bytes_in;
        return TT_COLLECTIVE_HOST_WORK;
      }
  return TT_COLLECTIVE_NONE;
}

void
tt_kineto_read_collective (const char *op_cat,
                           const char *native_group,
                           const char *raw_name,
                           const char *sub_op,
                           const char *args,
                           gsize args_len,
                           TtCollectiveFacts *facts)
{
  KinetoKind kind = tt_kineto_kind ((TtSlice){ native_group, strlen (native_group) });
  Args found = { 0 };

  facts->role = TT_COLLECTIVE_NONE;
  facts->members = 0;
  facts->group_size = 0;
  facts->bytes_in = facts->bytes_out = facts->sequence = -1;
  g_string_truncate (facts->group, 0);
  g_string_truncate (facts->description, 0);
  g_string_truncate (facts->ranks, 0);
  if (args != NULL)
    read_members ((TtSlice){ args, args_len }, &found);
  set_function (&found, raw_name, sub_op, facts);

  if (kind == KINETO_ANNOTATION)
    facts->role = role_of_annotation (op_cat, raw_name, &found, facts);
  else if (kind == KINETO_DEVICE && strcmp (op_cat, "Comm") == 0)
    facts->role = TT_COLLECTIVE_WORK;
  /* The same record stands for waits and for the making of groups. */
  else if (kind == KINETO_OPERATOR && strcmp (raw_name, "record_param_comms") == 0 &&
           strcmp (facts->function->str, "OTHER") != 0)
    facts->role = TT_COLLECTIVE_CALL;
  if (facts->role != TT_COLLECTIVE_NONE && facts->group->len == 0)
    set_facts (&found, facts);
}
