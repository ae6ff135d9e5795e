/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/schema/parser.h"

#include <string.h>

#define MAX_ATTRIBUTES 4096u

void
tt_tsdl_value_clear (TtTsdlValue *self)
{
  g_clear_pointer (&self->text, g_free);
}

/* -- scopes ---------------------------------------------------------------------------------------------------- */

void
tt_tsdl_push_scope (TtTsdlParser *self, TtTsdlScope *scope)
{
  scope->outer = self->scope;
  scope->types = NULL;
  self->scope = scope;
}

void
tt_tsdl_pop_scope (TtTsdlParser *self)
{
  g_clear_pointer (&self->scope->types, g_hash_table_unref);
  self->scope = self->scope->outer;
}

TtCtfType *
tt_tsdl_new_type (TtTsdlParser *self, TtCtfTypeKind kind)
{
  TtCtfType *type = tt_ctf_type_new (self->schema, kind);

  if (type == NULL)
    tt_tsdl_fail (&self->lexer, "too many types");
  return type;
}

TtCtfType *
tt_tsdl_copy_type (TtTsdlParser *self, const TtCtfType *type)
{
  TtCtfType *copy = tt_ctf_type_copy (self->schema, type);

  if (copy == NULL)
    tt_tsdl_fail (&self->lexer, "too many types");
  return copy;
}

TtCtfType *
tt_tsdl_find_type (TtTsdlParser *self, const char *name)
{
  for (const TtTsdlScope *scope = self->scope; scope != NULL; scope = scope->outer)
    {
      const TtCtfType *type = scope->types == NULL ? NULL : g_hash_table_lookup (scope->types, name);

      if (type != NULL)
        return tt_tsdl_copy_type (self, type);
    }
  return NULL;
}

gboolean
tt_tsdl_declare (TtTsdlParser *self, const char *name, const TtCtfType *type)
{
  if (self->scope->types == NULL)
    self->scope->types = g_hash_table_new (g_str_hash, g_str_equal);
  if (g_hash_table_contains (self->scope->types, name))
    return tt_tsdl_fail (&self->lexer, "a second type '%s' in the same place", name);

  TtCtfType *copy = tt_tsdl_copy_type (self, type);
  if (copy == NULL)
    return FALSE;
  g_hash_table_insert (self->scope->types, (gpointer) tt_ctf_schema_text (self->schema, name), copy);
  return TRUE;
}

/* -- values ----------------------------------------------------------------------------------------------------- */

char *
tt_tsdl_read_words (TtTsdlParser *self)
{
  TtTsdlLexer *lexer = &self->lexer;
  g_autoptr (GString) words = g_string_new (NULL);

  do
    {
      if (lexer->token != TT_TSDL_WORD)
        {
          tt_tsdl_fail_syntax (lexer);
          return NULL;
        }
      g_string_append_printf (words, "%s%s", words->len > 0 ? "." : "", lexer->text->str);
      tt_tsdl_next (lexer);
    }
  while (tt_tsdl_skip (lexer, '.') || tt_tsdl_skip (lexer, TT_TSDL_ARROW));
  return g_string_free (g_steal_pointer (&words), FALSE);
}

static gboolean
read_signed (TtTsdlParser *self, TtTsdlValue *value)
{
  gboolean is_negative = self->lexer.token == '-';

  tt_tsdl_next (&self->lexer);
  if (self->lexer.token != TT_TSDL_NUMBER)
    return tt_tsdl_fail_syntax (&self->lexer);
  value->kind = TT_TSDL_VALUE_SIGNED;
  value->number = is_negative ? 0 - self->lexer.number : self->lexer.number;
  tt_tsdl_next (&self->lexer);
  return TRUE;
}

gboolean
tt_tsdl_read_value (TtTsdlParser *self, TtTsdlValue *value)
{
  TtTsdlLexer *lexer = &self->lexer;

  switch (lexer->token)
    {
    case '-':
    case '+':
      return read_signed (self, value);
    case TT_TSDL_NUMBER:
      value->kind = TT_TSDL_VALUE_UNSIGNED;
      value->number = lexer->number;
      tt_tsdl_next (lexer);
      return TRUE;
    case TT_TSDL_TEXT:
      value->kind = TT_TSDL_VALUE_TEXT;
      value->text = g_strdup (lexer->text->str);
      tt_tsdl_next (lexer);
      return TRUE;
    default:
      value->kind = TT_TSDL_VALUE_WORDS;
      value->text = tt_tsdl_read_words (self);
      return value->text != NULL;
    }
}

gboolean
tt_tsdl_read_attributes (TtTsdlParser *self, TtTsdlTakeFunc take, gpointer data)
{
  TtTsdlLexer *lexer = &self->lexer;
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  if (!tt_tsdl_expect (lexer, '{'))
    return FALSE;
  while (!tt_tsdl_skip (lexer, '}'))
    {
      g_auto (TtTsdlValue) value = { .text = NULL };
      char *name = tt_tsdl_read_words (self);

      if (name == NULL)
        return FALSE;
      gboolean is_new = !g_hash_table_contains (seen, name) && g_hash_table_size (seen) < MAX_ATTRIBUTES;
      if (!is_new)
        tt_tsdl_fail (lexer, "'%s' is said twice", name);
      g_hash_table_add (seen, name);
      if (!tt_tsdl_expect (lexer, '=') || !tt_tsdl_read_value (self, &value) || !take (self, name, &value, data) ||
          !tt_tsdl_expect (lexer, ';'))
        return FALSE;
    }
  return TRUE;
}

gboolean
tt_tsdl_is_number (TtTsdlParser *self, const char *name, const TtTsdlValue *value)
{
  return value->kind == TT_TSDL_VALUE_UNSIGNED ||
         tt_tsdl_fail (&self->lexer, "'%s' is not a number without a sign", name);
}

gboolean
tt_tsdl_is_string (TtTsdlParser *self, const char *name, const TtTsdlValue *value)
{
  return value->text != NULL || tt_tsdl_fail (&self->lexer, "'%s' is no text", name);
}

gboolean
tt_tsdl_read_byte_order (TtTsdlParser *self, const TtTsdlValue *value, gboolean *is_big_endian)
{
  if (value->text != NULL && strcmp (value->text, "native") == 0)
    *is_big_endian = self->schema->is_big_endian;
  else if (value->text != NULL && (strcmp (value->text, "be") == 0 || strcmp (value->text, "network") == 0))
    *is_big_endian = TRUE;
  else if (value->text != NULL && strcmp (value->text, "le") == 0)
    *is_big_endian = FALSE;
  else
    return tt_tsdl_fail (&self->lexer, "a byte order that is neither 'le' nor 'be'");
  return TRUE;
}
