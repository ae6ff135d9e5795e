/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome/standard-names.h"

#include "formats/trace-event/standard-name.h"
#include "src/trace/names/texts.h"

#include <string.h>

StandardNames *
tt_standard_names_new (void)
{
  StandardNames *self = g_new0 (StandardNames, 1);

  self->classes = g_byte_array_new ();
  self->key = g_string_new (NULL);
  self->text = g_string_new (NULL);
  return self;
}

void
tt_standard_names_free (StandardNames *self)
{
  if (self == NULL)
    return;
  g_byte_array_unref (self->classes);
  g_string_free (self->key, TRUE);
  g_string_free (self->text, TRUE);
  g_free (self);
}

void
tt_standard_args (TtSlice args, StandardArgs *found)
{
  static const struct
  {
    const char *key;
    gsize offset;
  } fields[] = {
    { "name", G_STRUCT_OFFSET (StandardArgs, name) },
    { "raw_name", G_STRUCT_OFFSET (StandardArgs, raw_name) },
    { "location", G_STRUCT_OFFSET (StandardArgs, location) },
    { "communicator", G_STRUCT_OFFSET (StandardArgs, communicator) },
    { "Seq", G_STRUCT_OFFSET (StandardArgs, sequence) },
    { "step", G_STRUCT_OFFSET (StandardArgs, step) },
    { "flags", G_STRUCT_OFFSET (StandardArgs, flags) },
    { "is_root", G_STRUCT_OFFSET (StandardArgs, is_root) },
    { "cnt", G_STRUCT_OFFSET (StandardArgs, cnt) },
    { "loopId", G_STRUCT_OFFSET (StandardArgs, loop) },
    { "channelId", G_STRUCT_OFFSET (StandardArgs, channel) },
    { "chunkId", G_STRUCT_OFFSET (StandardArgs, chunk) },
    { "sliceId", G_STRUCT_OFFSET (StandardArgs, slice) },
  };
  const char *cursor = NULL;
  TtJsonValue key, value;

  while (tt_json_member (args, &cursor, &key, &value))
    for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
      if (tt_slice_is (key.raw, fields[i].key, strlen (fields[i].key)))
        *(TtJsonValue *) (gpointer) ((char *) found + fields[i].offset) = value;
}

static void
add_id (GString *suffix, const TtJsonValue *id)
{
  if (suffix->len > 0)
    g_string_append_c (suffix, '_');
  if (id->kind == TT_JSON_NUMBER || id->kind == TT_JSON_STRING)
    g_string_append_len (suffix, id->raw.bytes, (gssize) id->raw.len);
  else
    g_string_append_c (suffix, '0');
}

/* That of the name, of args.name, or made of the ids of a piece of communication; still escaped. Free it. */
static char *
suffix_of (const TtStandardName *name, const StandardArgs *args)
{
  TtStandardName whole;

  if (name->suffix.len > 0)
    return g_strndup (name->suffix.bytes, name->suffix.len);
  if (args->name.kind == TT_JSON_STRING && tt_standard_name_split (args->name.raw, &whole) && whole.suffix.len > 0)
    return g_strndup (whole.suffix.bytes, whole.suffix.len);
  if (args->chunk.kind != TT_JSON_NUMBER && args->chunk.kind != TT_JSON_STRING)
    return NULL;

  GString *suffix = g_string_new (NULL);
  const TtJsonValue *const ids[] = { &args->loop, &args->channel, &args->chunk, &args->slice };
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    add_id (suffix, ids[i]);
  return g_string_free (suffix, FALSE);
}

/* The text of a slice of a string. Free it; NULL for an empty one. */
static char *
text_of (const TtJsonValue *string, TtSlice slice)
{
  TtJsonValue part = *string;

  part.raw = slice;
  return slice.len == 0 ? NULL : tt_json_text (&part);
}

/* cat is "op_cat,group" in our exports; in the template it is one of four words. */
static char *
group_of (const TtTraceEvent *event, TtSlice op_cat)
{
  static const char *const template[] = { "operator", "Comm", "I/O", "ServerOp" };
  TtSlice cat = event->cat.raw;

  if (event->cat.kind != TT_JSON_STRING || cat.len == 0)
    return NULL;
  if (cat.len >= op_cat.len && memcmp (cat.bytes, op_cat.bytes, op_cat.len) == 0 &&
      (cat.len == op_cat.len || cat.bytes[op_cat.len] == ','))
    return cat.len <= op_cat.len + 1
               ? NULL
               : text_of (&event->cat, (TtSlice){ cat.bytes + op_cat.len + 1, cat.len - op_cat.len - 1 });
  for (guint i = 0; i < G_N_ELEMENTS (template); i++)
    if (tt_slice_is (cat, template[i], strlen (template[i])))
      return NULL;
  return text_of (&event->cat, cat);
}

static void
note_class (StandardNames *self, guint32 name, const char *op_cat)
{
  guint len = self->classes->len;

  if (name >= len)
    {
      g_byte_array_set_size (self->classes, MAX (name + 1, len * 2));
      memset (self->classes->data + len, TT_STEP_OTHER, self->classes->len - len);
    }
  self->classes->data[name] = (guint8) tt_step_class (op_cat);
}

/* Whether @raw makes the standard name, in which some characters of it may be replaced. */
static gboolean
makes_name (GString *text, const char *raw, const TtJsonValue *name, const char *op_cat, const char *sub_op)
{
  tt_name_text_make (text, op_cat, raw, sub_op);
  return name->raw.len >= text->len && memcmp (name->raw.bytes, text->str, text->len) == 0 &&
         (name->raw.len == text->len || name->raw.bytes[text->len] == '~');
}

/* Whose collective it is, as our exports tell. FALSE: it is none. */
static gboolean
read_collective (const StandardArgs *args, guint64 *communicator)
{
  static const char word[] = "collective";
  guint64 number;

  *communicator = 0;
  if (args->flags.kind != TT_JSON_STRING ||
      memmem (args->flags.raw.bytes, args->flags.raw.len, word, sizeof word - 1) == NULL)
    return FALSE;
  if (tt_json_uint64 (&args->communicator, &number) && number < G_MAXINT64)
    *communicator = number;
  return TRUE;
}

/* "src/blas.c:19" of our exports: *line is 19, or 0. The file; NULL: there is none. Free it. */
static char *
read_location (const StandardNames *self, const TtJsonValue *location, gint64 *line)
{
  guint64 number;

  *line = 0;
  if (!self->is_own || location->kind != TT_JSON_STRING)
    return NULL;
  char *text = tt_json_text (location);
  char *colon = strrchr (text, ':');
  if (colon != NULL && g_ascii_string_to_unsigned (colon + 1, 10, 0, G_MAXINT64, &number, NULL))
    {
      *colon = '\0';
      *line = (gint64) number;
    }
  return text;
}

static guint32
make_name (TtTraceEventImport *import,
           StandardNames *self,
           const TtTraceEvent *event,
           const TtStandardName *name,
           const StandardArgs *args)
{
  g_autofree char *escaped = suffix_of (name, args);
  g_autofree char *suffix = escaped == NULL ? NULL : text_of (&event->name, (TtSlice){ escaped, strlen (escaped) });
  g_autofree char *op_cat = g_strndup (name->op_cat.bytes, name->op_cat.len);
  g_autofree char *op = text_of (&event->name, name->op_name);
  g_autofree char *sub_op = text_of (&event->name, name->sub_op);
  g_autofree char *group = group_of (event, name->op_cat);
  g_autofree char *raw = args->raw_name.kind == TT_JSON_STRING ? tt_json_text (&args->raw_name) : NULL;
  gboolean is_whole = self->is_own && raw != NULL && makes_name (self->text, raw, &event->name, op_cat, sub_op);

  guint64 communicator = 0;
  gboolean is_collective = self->is_own && read_collective (args, &communicator);
  gint64 line;
  g_autofree char *file = read_location (self, &args->location, &line);

  guint32 id = tt_sink_name (import->sink, &(TtRawName){
                                               .raw = raw != NULL ? raw : op,
                                               .op = is_whole ? raw : op,
                                               .group = group,
                                               .suffix = suffix,
                                               .op_cat = op_cat,
                                               .sub_op = sub_op,
                                               .file = file,
                                               .line = line,
                                               .is_collective = is_collective,
                                               .communicator = communicator,
                                           });
  note_class (self, id, op_cat);
  return id;
}

/* Some writers escape every slash: I\/O_0. *copy: to be freed. */
static TtJsonValue
unescaped (const TtJsonValue *string, char **copy)
{
  TtJsonValue plain = *string;

  *copy = NULL;
  if (string->kind != TT_JSON_STRING || !string->has_escapes)
    return plain;
  *copy = tt_json_text (string);
  plain.raw = (TtSlice){ *copy, strlen (*copy) };
  plain.has_escapes = FALSE;
  return plain;
}

static guint32
split_and_make_name (TtTraceEventImport *import,
                     StandardNames *self,
                     const TtTraceEvent *event,
                     const StandardArgs *args)
{
  TtTraceEvent plain = *event;
  StandardArgs plain_args = *args;
  TtStandardName split;
  char *name, *cat, *whole;

  plain.label = 0;
  plain.name = unescaped (&event->name, &name);
  plain.cat = unescaped (&event->cat, &cat);
  plain_args.name = unescaped (&args->name, &whole);
  if (self->names_are_original && args->name.kind == TT_JSON_STRING)
    {
      plain.name = plain_args.name;
      if (args->raw_name.kind != TT_JSON_STRING)
        plain_args.raw_name = event->name;
    }
  guint32 id = tt_standard_name_split (plain.name.raw, &split) ? make_name (import, self, &plain, &split, &plain_args)
                                                               : TT_NO_ID;
  g_free (name);
  g_free (cat);
  g_free (whole);
  return id;
}

guint32
tt_standard_names_find (StandardNames *self,
                        TtTraceEventImport *import,
                        const TtTraceEvent *event,
                        const StandardArgs *args)
{
  const TtJsonValue *const parts[] = {
    &event->cat,    &args->name,  &args->raw_name, &args->location,     &args->loop,
    &args->channel, &args->chunk, &args->slice,    &args->communicator, &args->flags
  };
  TtByteKey key = { .salt = TT_SALT_DIALECT, .a = event->name.raw };
  guint64 hash;

  if (event->name.kind != TT_JSON_STRING)
    return TT_NO_ID;
  g_string_truncate (self->key, 0);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_string_append_len (self->key, parts[i]->raw.bytes, (gssize) parts[i]->raw.len);
      g_string_append_c (self->key, '\0');
    }
  key.b = (TtSlice){ self->key->str, self->key->len };

  guint32 name = tt_byte_ids_find (import->names, &key, &hash);
  if (name != 0)
    return name;
  name = split_and_make_name (import, self, event, args);
  if (name != TT_NO_ID)
    tt_byte_ids_set (import->names, &key, hash, name);
  return name;
}

TtStepClass
tt_standard_names_class (const StandardNames *self, guint32 name)
{
  return name < self->classes->len ? (TtStepClass) self->classes->data[name] : TT_STEP_OTHER;
}
