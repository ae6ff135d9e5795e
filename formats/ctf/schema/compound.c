/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/schema/label-table.h"
#include "formats/ctf/schema/parser.h"

#include <string.h>

#define MAX_DIMENSIONS 16u
#define MAX_NAME_BYTES 4096u

static TtCtfType *read_specifiers (TtTsdlParser *self, GString *name);

/* FALSE: the tree is too deep, or there is no type below it. */
static gboolean
grow (TtTsdlParser *self, TtCtfType *type, const TtCtfType *below)
{
  if (below == NULL)
    return FALSE;
  type->depth = MAX (type->depth, below->depth + 1);
  return type->depth <= TT_CTF_MAX_DEPTH ||
         tt_tsdl_fail (&self->lexer, "types that are nested more than %u deep", TT_CTF_MAX_DEPTH);
}

/* -- declarators -------------------------------------------------------------------------------------------------- */

/* Of an array: @length, a number or words. */
static TtCtfType *
make_array (TtTsdlParser *self, TtCtfType *element, const TtTsdlValue *length)
{
  gboolean is_number = length->kind == TT_TSDL_VALUE_UNSIGNED;
  const gint64 *setting = NULL;

  if (!is_number && length->kind != TT_TSDL_VALUE_WORDS)
    {
      tt_tsdl_fail (&self->lexer, "the length of an array is neither a number nor a field");
      return NULL;
    }
  if (!is_number && g_str_has_prefix (length->text, "env."))
    {
      setting = g_hash_table_lookup (self->schema->numbers, length->text + strlen ("env."));
      if (setting == NULL || *setting < 0)
        {
          tt_tsdl_fail (&self->lexer, "no length of an array: '%s'", length->text);
          return NULL;
        }
    }
  gboolean is_fixed = is_number || setting != NULL;
  TtCtfType *array = tt_tsdl_new_type (self, is_fixed ? TT_CTF_TYPE_ARRAY : TT_CTF_TYPE_SEQUENCE);
  if (array == NULL || !grow (self, array, element))
    return NULL;
  array->element = element;
  if (is_fixed)
    array->length = is_number ? length->number : (guint64) *setting;
  else
    array->path = tt_ctf_schema_text (self->schema, length->text);
  return array;
}

/* "[3][n]" after a name: @type becomes their element. */
static TtCtfType *
read_dimensions (TtTsdlParser *self, TtCtfType *type)
{
  TtTsdlValue lengths[MAX_DIMENSIONS] = { 0 };
  guint n = 0;
  gboolean is_good = TRUE;

  while (is_good && tt_tsdl_skip (&self->lexer, '['))
    if (n == MAX_DIMENSIONS)
      is_good = tt_tsdl_fail (&self->lexer, "an array of more than %u dimensions", MAX_DIMENSIONS);
    else
      is_good = tt_tsdl_read_value (self, &lengths[n++]) && tt_tsdl_expect (&self->lexer, ']');
  for (guint i = n; i-- > 0;)
    {
      if (is_good)
        type = make_array (self, type, &lengths[i]);
      is_good = is_good && type != NULL;
      tt_tsdl_value_clear (&lengths[i]);
    }
  return is_good ? type : NULL;
}

/* "* const *": appended to the name of what they point to. */
static gboolean
read_pointers (TtTsdlParser *self, GString *name)
{
  gboolean has_any = FALSE;

  while (tt_tsdl_skip (&self->lexer, '*'))
    {
      g_string_append (name, " *");
      if (tt_tsdl_skip_word (&self->lexer, "const"))
        g_string_append (name, " const");
      has_any = TRUE;
      if (name->len > MAX_NAME_BYTES)
        return tt_tsdl_fail (&self->lexer, "a name of more than %u bytes", MAX_NAME_BYTES);
    }
  return has_any;
}

static TtCtfType *
find_named (TtTsdlParser *self, const char *name)
{
  TtCtfType *type = tt_tsdl_find_type (self, name);

  if (type == NULL)
    tt_tsdl_fail (&self->lexer, "no type is called '%s'", name);
  return type;
}

/* The type that a declarator makes of @type, whose specifiers are @name; its own name goes to @field. */
static TtCtfType *
read_declarator (TtTsdlParser *self, const char *name, const TtCtfType *type, GString *field)
{
  TtTsdlLexer *lexer = &self->lexer;
  g_autoptr (GString) pointed = g_string_new (name);
  TtCtfType *own = NULL;

  if (read_pointers (self, pointed))
    {
      own = find_named (self, pointed->str);
      if (own != NULL && own->kind == TT_CTF_TYPE_INTEGER)
        own->base = 16;
    }
  else if (lexer->fault == NULL)
    own = type != NULL ? tt_tsdl_copy_type (self, type) : find_named (self, name);
  if (own == NULL)
    return NULL;
  if (lexer->token != TT_TSDL_WORD)
    {
      tt_tsdl_fail_syntax (lexer);
      return NULL;
    }
  g_string_assign (field, lexer->text->str);
  tt_tsdl_next (lexer);
  if (lexer->token == ':')
    {
      tt_tsdl_fail (lexer, "a bit field, which no reader of CTF takes");
      return NULL;
    }
  return read_dimensions (self, own);
}

/* -- structures and variants ---------------------------------------------------------------------------------------- */

/* Declarators up to the semicolon, as fields. */
static gboolean
read_fields (TtTsdlParser *self, TtCtfType *of, GArray *fields, GHashTable *seen)
{
  g_autoptr (GString) name = g_string_new (NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  TtCtfType *type = read_specifiers (self, name);

  if (self->lexer.fault != NULL)
    return FALSE;
  do
    {
      TtCtfField field = { .type = read_declarator (self, name->str, type, text) };

      if (!grow (self, of, field.type))
        return FALSE;
      field.written = tt_ctf_schema_text (self->schema, text->str);
      field.name = field.written + (field.written[0] == '_');
      if (!g_hash_table_add (seen, (gpointer) field.written))
        return tt_tsdl_fail (&self->lexer, "two fields are called '%s'", field.written);
      g_array_append_val (fields, field);
    }
  while (tt_tsdl_skip (&self->lexer, ','));
  return tt_tsdl_expect (&self->lexer, ';');
}

static gboolean
is_declared (const TtTsdlParser *self)
{
  return tt_tsdl_is_word (&self->lexer, "typedef") || tt_tsdl_is_word (&self->lexer, "typealias");
}

/* The body in braces. */
static gboolean
read_body (TtTsdlParser *self, TtCtfType *type)
{
  GArray *fields = g_array_new (FALSE, FALSE, sizeof (TtCtfField));
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  TtTsdlScope scope;
  gboolean is_good = tt_tsdl_expect (&self->lexer, '{');

  tt_tsdl_push_scope (self, &scope);
  while (is_good && !tt_tsdl_skip (&self->lexer, '}'))
    is_good = is_declared (self) ? tt_tsdl_read_declaration (self) : read_fields (self, type, fields, seen);
  tt_tsdl_pop_scope (self);
  type->n_fields = fields->len;
  type->fields = tt_ctf_schema_take (self->schema, fields);
  return is_good;
}

/* "struct point", "" without a name. Free it. */
static char *
read_tag_name (TtTsdlParser *self, const char *keyword)
{
  char *name;

  if (self->lexer.token != TT_TSDL_WORD)
    return NULL;
  name = g_strdup_printf ("%s %s", keyword, self->lexer.text->str);
  tt_tsdl_next (&self->lexer);
  return name;
}

static gboolean
read_struct_align (TtTsdlParser *self, TtCtfType *type)
{
  g_auto (TtTsdlValue) value = { .text = NULL };

  if (!tt_tsdl_skip_word (&self->lexer, "align"))
    return TRUE;
  if (!tt_tsdl_expect (&self->lexer, '(') || !tt_tsdl_read_value (self, &value) ||
      !tt_tsdl_is_number (self, "align", &value) || !tt_tsdl_expect (&self->lexer, ')'))
    return FALSE;
  if ((value.number & (value.number - 1)) != 0)
    return tt_tsdl_fail (&self->lexer, "'align' is no power of 2: %" G_GUINT64_FORMAT, value.number);
  type->align = MAX (value.number, 1);
  return TRUE;
}

static TtCtfType *
read_struct (TtTsdlParser *self)
{
  g_autofree char *name = read_tag_name (self, "struct");
  TtCtfType *type;

  if (self->lexer.token != '{' && name != NULL)
    return find_named (self, name);
  type = tt_tsdl_new_type (self, TT_CTF_TYPE_STRUCT);
  if (type == NULL || !read_body (self, type) || !read_struct_align (self, type) ||
      (name != NULL && !tt_tsdl_declare (self, name, type)))
    return NULL;
  return type;
}

static TtCtfType *
read_variant (TtTsdlParser *self)
{
  g_autofree char *name = read_tag_name (self, "variant");
  g_autofree char *tag = NULL;
  TtCtfType *type;

  if (tt_tsdl_skip (&self->lexer, '<'))
    {
      tag = tt_tsdl_read_words (self);
      if (tag == NULL || !tt_tsdl_expect (&self->lexer, '>'))
        return NULL;
    }
  if (self->lexer.token != '{' && name != NULL)
    type = find_named (self, name);
  else
    {
      type = tt_tsdl_new_type (self, TT_CTF_TYPE_VARIANT);
      if (type == NULL || !read_body (self, type) || (name != NULL && !tt_tsdl_declare (self, name, type)))
        return NULL;
    }
  if (type != NULL && tag != NULL)
    type->path = tt_ctf_schema_text (self->schema, tag);
  return type;
}

/* -- enumerations ----------------------------------------------------------------------------------------------------- */

static gboolean
read_constant (TtTsdlParser *self, guint64 *number)
{
  g_auto (TtTsdlValue) value = { .text = NULL };

  if (!tt_tsdl_read_value (self, &value))
    return FALSE;
  *number = value.number;
  return value.text == NULL || tt_tsdl_fail (&self->lexer, "the value of a label is no number: '%s'", value.text);
}

static gboolean
read_labels (TtTsdlParser *self, GArray *mappings)
{
  TtTsdlLexer *lexer = &self->lexer;
  guint64 next = 0;

  if (!tt_tsdl_expect (lexer, '{'))
    return FALSE;
  do
    {
      if (lexer->token == '}' && mappings->len > 0)
        break;
      if (lexer->token != TT_TSDL_WORD && lexer->token != TT_TSDL_TEXT)
        return tt_tsdl_fail_syntax (lexer);
      if (!tt_ctf_schema_has_room (self->schema))
        return tt_tsdl_fail (lexer, "too many labels of enumerations");
      TtCtfMapping mapping = { .label = tt_ctf_schema_text (self->schema, lexer->text->str), .low = next };
      tt_tsdl_next (lexer);
      if (tt_tsdl_skip (lexer, '=') && !read_constant (self, &mapping.low))
        return FALSE;
      mapping.high = mapping.low;
      if (tt_tsdl_skip (lexer, TT_TSDL_DOTS) && !read_constant (self, &mapping.high))
        return FALSE;
      next = mapping.high + 1;
      g_array_append_val (mappings, mapping);
    }
  while (tt_tsdl_skip (lexer, ','));
  return tt_tsdl_expect (lexer, '}');
}

/* The integer that an enumeration is kept in. */
static TtCtfType *
read_container (TtTsdlParser *self)
{
  g_autoptr (GString) name = g_string_new ("int");
  TtCtfType *type = NULL;

  if (tt_tsdl_skip (&self->lexer, ':'))
    {
      g_string_truncate (name, 0);
      type = read_specifiers (self, name);
    }
  if (type == NULL && self->lexer.fault == NULL)
    type = find_named (self, name->str);
  if (type != NULL && (type->kind != TT_CTF_TYPE_INTEGER || type->is_enum))
    {
      tt_tsdl_fail (&self->lexer, "an enumeration that is no integer");
      return NULL;
    }
  return type;
}

static TtCtfType *
read_enum (TtTsdlParser *self)
{
  g_autofree char *name = read_tag_name (self, "enum");

  if (self->lexer.token != '{' && self->lexer.token != ':' && name != NULL)
    return find_named (self, name);
  TtCtfType *type = read_container (self);
  if (type == NULL)
    return NULL;
  GArray *mappings = g_array_new (FALSE, FALSE, sizeof (TtCtfMapping));
  if (!read_labels (self, mappings))
    {
      g_array_unref (mappings);
      return NULL;
    }
  type->is_enum = TRUE;
  type->is_char = FALSE;
  tt_ctf_label_table_make (self->schema, type, mappings);
  return name == NULL || tt_tsdl_declare (self, name, type) ? type : NULL;
}

/* -- specifiers ------------------------------------------------------------------------------------------------------- */

static const char *const words_of_types[] = { "const",    "void",       "char",   "short",    "int",
                                              "long",     "float",      "double", "unsigned", "_Bool",
                                              "_Complex", "_Imaginary", "signed", NULL };

/* "unsigned long" and other names of types go to @name, and NULL comes back; a type that is written out comes back. */
static TtCtfType *
read_specifiers (TtTsdlParser *self, GString *name)
{
  static const struct
  {
    const char *keyword;
    TtCtfType *(*read) (TtTsdlParser *);
  } kinds[] = { { "struct", read_struct },
                { "variant", read_variant },
                { "enum", read_enum },
                { "integer", tt_tsdl_read_integer },
                { "floating_point", tt_tsdl_read_real },
                { "string", tt_tsdl_read_string } };
  TtTsdlLexer *lexer = &self->lexer;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (tt_tsdl_skip_word (lexer, kinds[i].keyword))
      {
        if (++self->depth > TT_CTF_MAX_DEPTH)
          tt_tsdl_fail (lexer, "types that are nested more than %u deep", TT_CTF_MAX_DEPTH);
        TtCtfType *type = lexer->fault == NULL ? kinds[i].read (self) : NULL;
        self->depth--;
        return type;
      }
  while (lexer->token == TT_TSDL_WORD && name->len <= MAX_NAME_BYTES)
    {
      gboolean is_keyword = g_strv_contains (words_of_types, lexer->text->str);

      if (!is_keyword && name->len > 0 && strcmp (name->str, "const") != 0)
        break;
      g_string_append_printf (name, "%s%s", name->len > 0 ? " " : "", lexer->text->str);
      tt_tsdl_next (lexer);
      if (!is_keyword)
        break;
    }
  if (name->len == 0)
    tt_tsdl_fail_syntax (lexer);
  return NULL;
}

TtCtfType *
tt_tsdl_read_type (TtTsdlParser *self)
{
  g_autoptr (GString) name = g_string_new (NULL);
  TtCtfType *type = read_specifiers (self, name);

  if (self->lexer.fault != NULL)
    return NULL;
  return type != NULL ? type : find_named (self, name->str);
}

/* -- declarations ----------------------------------------------------------------------------------------------------- */

static gboolean
read_typedef (TtTsdlParser *self)
{
  g_autoptr (GString) name = g_string_new (NULL);
  g_autoptr (GString) alias = g_string_new (NULL);
  TtCtfType *type = read_specifiers (self, name);

  if (self->lexer.fault != NULL)
    return FALSE;
  do
    {
      TtCtfType *made = read_declarator (self, name->str, type, alias);

      if (made == NULL || !tt_tsdl_declare (self, alias->str, made))
        return FALSE;
    }
  while (tt_tsdl_skip (&self->lexer, ','));
  return tt_tsdl_expect (&self->lexer, ';');
}

/* "typealias TYPE := NAME;" */
static gboolean
read_typealias (TtTsdlParser *self)
{
  g_autoptr (GString) name = g_string_new (NULL);
  g_autoptr (GString) alias = g_string_new (NULL);
  TtCtfType *type = read_specifiers (self, name);

  if (self->lexer.fault == NULL && (read_pointers (self, name) || type == NULL))
    type = find_named (self, name->str);
  if (self->lexer.fault == NULL)
    type = read_dimensions (self, type);
  if (self->lexer.fault != NULL || !tt_tsdl_expect (&self->lexer, TT_TSDL_ASSIGN))
    return FALSE;
  while (self->lexer.token == TT_TSDL_WORD && alias->len <= MAX_NAME_BYTES)
    {
      g_string_append_printf (alias, "%s%s", alias->len > 0 ? " " : "", self->lexer.text->str);
      tt_tsdl_next (&self->lexer);
    }
  if (alias->len == 0)
    return tt_tsdl_fail_syntax (&self->lexer);
  read_pointers (self, alias);
  return tt_tsdl_expect (&self->lexer, ';') && tt_tsdl_declare (self, alias->str, type);
}

gboolean
tt_tsdl_is_declaration (const TtTsdlParser *self)
{
  return is_declared (self) || tt_tsdl_is_word (&self->lexer, "struct") || tt_tsdl_is_word (&self->lexer, "variant") ||
         tt_tsdl_is_word (&self->lexer, "enum") || tt_tsdl_is_word (&self->lexer, "integer") ||
         tt_tsdl_is_word (&self->lexer, "floating_point") || tt_tsdl_is_word (&self->lexer, "string");
}

gboolean
tt_tsdl_read_declaration (TtTsdlParser *self)
{
  if (tt_tsdl_skip_word (&self->lexer, "typedef"))
    return read_typedef (self);
  if (tt_tsdl_skip_word (&self->lexer, "typealias"))
    return read_typealias (self);
  return tt_tsdl_read_type (self) != NULL && tt_tsdl_expect (&self->lexer, ';');
}
