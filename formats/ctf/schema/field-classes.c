/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/schema/field-classes.h"

#include "formats/ctf/schema/number-classes.h"
#include "formats/ctf/schema/roles.h"

#include <string.h>

#define MAX_PATH 256u

/* @below lies in @type. */
static gboolean
take_below (TtCtfFragments *self, const TtCtfJson *value, TtCtfType *type, const TtCtfType *below)
{
  type->depth = MAX (type->depth, below->depth + 1);
  return type->depth <= TT_CTF_MAX_DEPTH || tt_ctf_fragments_fail (self, value, "types are nested too deep");
}

static TtCtfType *
read_needed (TtCtfFragments *self, const TtCtfJson *object, const char *name)
{
  const TtCtfJson *value = tt_ctf_json_member (object, name);

  if (value != NULL)
    return tt_ctf_field_class_read (self, value);
  tt_ctf_fragments_fail (self, object, "no '%s'", name);
  return NULL;
}

/* -- lengths and selectors ------------------------------------------------------------------------------------------ */

static gboolean
read_path (TtCtfFragments *self, const TtCtfJson *path, TtCtfLocation *location)
{
  if (path->first == NULL || path->n > MAX_PATH)
    return tt_ctf_fragments_fail (self, path, "a path of no name, or more than %u", MAX_PATH);
  location->names = tt_ctf_schema_alloc (self->schema, path->n * sizeof *location->names);
  for (const TtCtfJson *name = path->first; name != NULL; name = name->next)
    {
      if (name->kind != TT_CTF_JSON_TEXT && name->kind != TT_CTF_JSON_NULL)
        return tt_ctf_fragments_fail (self, name, "a path has %s", tt_ctf_json_kind_name (name->kind));
      location->names[location->n_names++] =
          name->kind == TT_CTF_JSON_NULL ? NULL : tt_ctf_schema_text (self->schema, name->text);
    }
  return TRUE;
}

static TtCtfLocation *
read_location (TtCtfFragments *self, const TtCtfJson *object, const char *name)
{
  static const char *const roots[] = { "packet-header",
                                       "packet-context",
                                       "event-record-header",
                                       "event-record-common-context",
                                       "event-record-specific-context",
                                       "event-record-payload",
                                       NULL };
  TtCtfLocation *location = tt_ctf_schema_alloc (self->schema, sizeof *location);
  const TtCtfJson *value, *path;
  guint root = TT_CTF_ROOT_AROUND;

  if (!tt_ctf_property_needed (self, object, name, TT_CTF_JSON_OBJECT, &value) ||
      !tt_ctf_property_word (self, value, "origin", roots, &root) ||
      !tt_ctf_property_needed (self, value, "path", TT_CTF_JSON_ARRAY, &path) || !read_path (self, path, location))
    return NULL;
  location->root = (TtCtfRoot) root;
  return location;
}

static void
take_ranges (TtCtfFragments *self, TtCtfLocation *location, GArray *ranges)
{
  location->n_ranges = ranges->len;
  location->ranges = tt_ctf_schema_take (self->schema, ranges);
}

/* -- texts and bytes ------------------------------------------------------------------------------------------------ */

static gboolean
read_encoding (TtCtfFragments *self, const TtCtfJson *object, TtCtfType *type)
{
  static const char *const encodings[] = { "utf-8", "utf-16be", "utf-16le", "utf-32be", "utf-32le", NULL };
  guint index = TT_CTF_UTF_8;

  if (!tt_ctf_property_word (self, object, "encoding", encodings, &index))
    return FALSE;
  type->encoding = (TtCtfEncoding) index;
  return TRUE;
}

static TtCtfType *
read_text (TtCtfFragments *self, const TtCtfJson *object)
{
  TtCtfType *type = tt_ctf_fragments_type (self, object, TT_CTF_TYPE_STRING);

  return type != NULL && read_encoding (self, object, type) ? type : NULL;
}

static gboolean
read_length (TtCtfFragments *self, const TtCtfJson *object, TtCtfType *type)
{
  const TtCtfJson *length;

  if (type->kind == TT_CTF_TYPE_SEQUENCE)
    return (type->location = read_location (self, object, "length-field-location")) != NULL;
  return tt_ctf_property_needed (self, object, "length", TT_CTF_JSON_INTEGER, &length) &&
         tt_ctf_property_number (self, object, "length", 0, &type->length);
}

static TtCtfType *
read_bytes (TtCtfFragments *self, const TtCtfJson *object, TtCtfTypeKind kind)
{
  TtCtfType *type = tt_ctf_fragments_type (self, object, kind),
            *byte = type == NULL ? NULL : tt_ctf_fragments_type (self, object, TT_CTF_TYPE_INTEGER);

  if (byte == NULL || !read_length (self, object, type))
    return NULL;
  byte->align = byte->size = 8;
  byte->is_char = TRUE;
  type->element = byte;
  type->depth = 2;
  return type;
}

static TtCtfType *
read_static_text (TtCtfFragments *self, const TtCtfJson *object)
{
  TtCtfType *type = read_bytes (self, object, TT_CTF_TYPE_ARRAY);

  return type != NULL && read_encoding (self, object, type) ? type : NULL;
}

static TtCtfType *
read_dynamic_text (TtCtfFragments *self, const TtCtfJson *object)
{
  TtCtfType *type = read_bytes (self, object, TT_CTF_TYPE_SEQUENCE);

  return type != NULL && read_encoding (self, object, type) ? type : NULL;
}

static TtCtfType *
read_static_blob (TtCtfFragments *self, const TtCtfJson *object)
{
  TtCtfType *type = read_bytes (self, object, TT_CTF_TYPE_ARRAY);

  if (type == NULL || !tt_ctf_roles_read (self, object, type))
    return NULL;
  type->is_blob = TRUE;
  return type;
}

static TtCtfType *
read_dynamic_blob (TtCtfFragments *self, const TtCtfJson *object)
{
  TtCtfType *type = read_bytes (self, object, TT_CTF_TYPE_SEQUENCE);

  if (type != NULL)
    type->is_blob = TRUE;
  return type;
}

/* -- compounds ------------------------------------------------------------------------------------------------------ */

/* The members or options that @list names, of which each has @type's depth below it. */
static gboolean
take_fields (TtCtfFragments *self, const TtCtfJson *list, TtCtfType *type, GArray *ranges)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  gboolean is_option = type->kind == TT_CTF_TYPE_VARIANT;

  type->fields = tt_ctf_schema_alloc (self->schema, MAX (list->n, 1) * sizeof *type->fields);
  for (const TtCtfJson *item = list->first; item != NULL; item = item->next)
    {
      TtCtfField *field = &type->fields[type->n_fields];
      const TtCtfJson *selected;

      if (item->kind != TT_CTF_JSON_OBJECT)
        return tt_ctf_fragments_fail (self, item, "%s, not an object", tt_ctf_json_kind_name (item->kind));
      if (!tt_ctf_property_text (self, item, "name", &field->name))
        return FALSE;
      if (field->name == NULL && !is_option)
        return tt_ctf_fragments_fail (self, item, "a member without 'name'");
      if (field->name != NULL && !g_hash_table_add (names, (gpointer) field->name))
        return tt_ctf_fragments_fail (self, item, "'%s' is there twice", field->name);
      if (field->name == NULL)
        field->name = "";
      field->written = field->name;
      if (is_option && (!tt_ctf_property_needed (self, item, "selector-field-ranges", TT_CTF_JSON_ARRAY, &selected) ||
                        !tt_ctf_ranges_read (self, selected, type->n_fields, ranges)))
        return FALSE;
      field->type = read_needed (self, item, "field-class");
      if (field->type == NULL || !take_below (self, item, type, field->type))
        return FALSE;
      type->n_fields++;
    }
  return TRUE;
}

static TtCtfType *
read_structure (TtCtfFragments *self, const TtCtfJson *object)
{
  TtCtfType *type = tt_ctf_fragments_type (self, object, TT_CTF_TYPE_STRUCT);
  const TtCtfJson *members;

  if (type == NULL || !tt_ctf_property_alignment (self, object, "minimum-alignment", &type->align) ||
      !tt_ctf_property (self, object, "member-classes", TT_CTF_JSON_ARRAY, &members) ||
      (members != NULL && !take_fields (self, members, type, NULL)))
    return NULL;
  return type;
}

static TtCtfType *
read_array (TtCtfFragments *self, const TtCtfJson *object, TtCtfTypeKind kind)
{
  TtCtfType *type = tt_ctf_fragments_type (self, object, kind);

  if (type == NULL || !tt_ctf_property_alignment (self, object, "minimum-alignment", &type->align) ||
      !read_length (self, object, type))
    return NULL;
  type->element = read_needed (self, object, "element-field-class");
  return type->element != NULL && take_below (self, object, type, type->element) ? type : NULL;
}

static TtCtfType *
read_static_array (TtCtfFragments *self, const TtCtfJson *object)
{
  return read_array (self, object, TT_CTF_TYPE_ARRAY);
}

static TtCtfType *
read_dynamic_array (TtCtfFragments *self, const TtCtfJson *object)
{
  return read_array (self, object, TT_CTF_TYPE_SEQUENCE);
}

static TtCtfType *
read_optional (TtCtfFragments *self, const TtCtfJson *object)
{
  TtCtfType *type = tt_ctf_fragments_type (self, object, TT_CTF_TYPE_VARIANT);
  TtCtfLocation *location = type == NULL ? NULL : read_location (self, object, "selector-field-location");
  const TtCtfJson *selected;
  GArray *ranges;

  if (location == NULL || !tt_ctf_property (self, object, "selector-field-ranges", TT_CTF_JSON_ARRAY, &selected))
    return NULL;
  ranges = g_array_new (FALSE, FALSE, sizeof (TtCtfInterval));
  gboolean is_read = selected == NULL || tt_ctf_ranges_read (self, selected, 0, ranges);
  take_ranges (self, location, ranges);
  type->location = location;
  type->is_optional = TRUE;
  type->fields = tt_ctf_schema_alloc (self->schema, sizeof *type->fields);
  type->fields[0] = (TtCtfField){ .name = "", .written = "" };
  if (!is_read || (type->fields[0].type = read_needed (self, object, "field-class")) == NULL ||
      !take_below (self, object, type, type->fields[0].type))
    return NULL;
  type->n_fields = 1;
  return type;
}

static TtCtfType *
read_variant (TtCtfFragments *self, const TtCtfJson *object)
{
  TtCtfType *type = tt_ctf_fragments_type (self, object, TT_CTF_TYPE_VARIANT);
  TtCtfLocation *location = type == NULL ? NULL : read_location (self, object, "selector-field-location");
  const TtCtfJson *options;
  GArray *ranges;

  if (location == NULL || !tt_ctf_property_needed (self, object, "options", TT_CTF_JSON_ARRAY, &options))
    return NULL;
  if (options->first == NULL)
    {
      tt_ctf_fragments_fail (self, options, "a variant without options");
      return NULL;
    }
  ranges = g_array_new (FALSE, FALSE, sizeof (TtCtfInterval));
  gboolean is_read = take_fields (self, options, type, ranges);
  take_ranges (self, location, ranges);
  type->location = location;
  return is_read ? type : NULL;
}

/* -- all ------------------------------------------------------------------------------------------------------------ */

static const TtCtfClassReader classes[] = {
  { "null-terminated-string", read_text },
  { "static-length-string", read_static_text },
  { "dynamic-length-string", read_dynamic_text },
  { "static-length-blob", read_static_blob },
  { "dynamic-length-blob", read_dynamic_blob },
  { "structure", read_structure },
  { "static-length-array", read_static_array },
  { "dynamic-length-array", read_dynamic_array },
  { "optional", read_optional },
  { "variant", read_variant },
  { NULL },
};

static const TtCtfClassReader *
find_class (const TtCtfClassReader *list, const char *name)
{
  while (list->name != NULL && strcmp (list->name, name) != 0)
    list++;
  return list->name == NULL ? NULL : list;
}

static TtCtfType *
copy_alias (TtCtfFragments *self, const TtCtfJson *value)
{
  const TtCtfType *type = g_hash_table_lookup (self->aliases, value->text);
  TtCtfType *copy = type == NULL ? NULL : tt_ctf_type_copy (self->schema, type);

  if (copy == NULL)
    tt_ctf_fragments_fail (self, value, type == NULL ? "no alias before is called '%s'" : "too many types: '%s'",
                           value->text);
  return copy;
}

TtCtfType *
tt_ctf_field_class_read (TtCtfFragments *self, const TtCtfJson *value)
{
  const TtCtfClassReader *reader;
  const TtCtfJson *name;

  if (value->kind == TT_CTF_JSON_TEXT)
    return copy_alias (self, value);
  if (value->kind != TT_CTF_JSON_OBJECT)
    {
      tt_ctf_fragments_fail (self, value, "a class of fields is %s", tt_ctf_json_kind_name (value->kind));
      return NULL;
    }
  if (!tt_ctf_property_needed (self, value, "type", TT_CTF_JSON_TEXT, &name))
    return NULL;
  reader = find_class (classes, name->text);
  if (reader == NULL)
    reader = find_class (tt_ctf_number_classes, name->text);
  if (reader != NULL)
    return reader->read (self, value);
  tt_ctf_fragments_fail (self, name, "no class of fields of CTF 2: '%s'", name->text);
  return NULL;
}

gboolean
tt_ctf_field_class_scope (TtCtfFragments *self, const TtCtfJson *object, const char *name, TtCtfType **type)
{
  const TtCtfJson *value = tt_ctf_json_member (object, name);

  *type = NULL;
  if (value == NULL)
    return TRUE;
  *type = tt_ctf_field_class_read (self, value);
  if (*type == NULL)
    return FALSE;
  return (*type)->kind == TT_CTF_TYPE_STRUCT || tt_ctf_fragments_fail (self, value, "'%s' is no structure", name);
}
