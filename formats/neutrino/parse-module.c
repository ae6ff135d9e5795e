/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/parser.h"

#include <string.h>

static TtNlItem *
new_item (TtNlParser *self, TtNlItemKind kind, guint32 offset)
{
  TtNlItem *item = tt_nl_arena_new0 (self->arena, TtNlItem);

  item->kind = kind;
  item->offset = offset;
  return item;
}

static void
append (TtNlItem ***end, TtNlItem *item)
{
  **end = item;
  *end = &item->next;
}

static gboolean
end_line (TtNlParser *self)
{
  if (tt_nl_parser_accept (self, ";"))
    {
      if (tt_nl_parser_peek (self)->kind == TT_NL_NEWLINE)
        tt_nl_parser_next (self);
      return TRUE;
    }
  if (tt_nl_parser_peek (self)->kind != TT_NL_NEWLINE)
    {
      tt_nl_parser_unexpected (self, "the end of the line");
      return FALSE;
    }
  tt_nl_parser_next (self);
  return TRUE;
}

/* -- imports -------------------------------------------------------------------------------------- */

/* "neutrino.language" */
static const char *
parse_dotted (TtNlParser *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  do
    {
      const TtNlToken *name = tt_nl_parser_name (self, "the name of a module");
      if (name == NULL)
        return NULL;
      g_string_append_printf (text, "%s%s", text->len > 0 ? "." : "", name->text);
    }
  while (tt_nl_parser_accept (self, "."));
  return tt_nl_arena_text (self->arena, text->str, text->len);
}

static gboolean
parse_as (TtNlParser *self, const char **name)
{
  const TtNlToken *token;

  if (!tt_nl_parser_accept (self, "as"))
    return TRUE;
  if ((token = tt_nl_parser_name (self, "a name after 'as'")) == NULL)
    return FALSE;
  *name = token->text;
  return TRUE;
}

/* Behind "import". */
static gboolean
parse_import (TtNlParser *self, guint32 offset, TtNlItem ***end)
{
  do
    {
      TtNlItem *item = new_item (self, TT_NL_ITEM_IMPORT, offset);

      if ((item->text = parse_dotted (self)) == NULL || !parse_as (self, &item->name))
        return FALSE;
      append (end, item);
    }
  while (tt_nl_parser_accept (self, ","));
  return end_line (self);
}

/* Behind "from". */
static gboolean
parse_from (TtNlParser *self, guint32 offset, TtNlItem ***end)
{
  const char *module = parse_dotted (self);
  gboolean in_brackets;

  if (module == NULL || !tt_nl_parser_expect (self, "import"))
    return FALSE;
  in_brackets = tt_nl_parser_accept (self, "(");
  do
    {
      TtNlItem *item = new_item (self, TT_NL_ITEM_FROM, offset);
      const TtNlToken *name = tt_nl_parser_name (self, "a name to import");

      if (name == NULL)
        return FALSE;
      item->text = module;
      item->name = item->original = name->text;
      if (!parse_as (self, &item->name))
        return FALSE;
      append (end, item);
    }
  while (tt_nl_parser_accept (self, ",") && !tt_nl_parser_is (self, ")"));
  return (!in_brackets || tt_nl_parser_expect (self, ")")) && end_line (self);
}

/* -- what is decorated -------------------------------------------------------------------------------- */

/* Behind "def". */
static gboolean
parse_def (TtNlParser *self, TtNlItem *item)
{
  const TtNlToken *name = tt_nl_parser_name (self, "the name of the probe");

  if (name == NULL || !tt_nl_parser_expect (self, "("))
    return FALSE;
  item->kind = TT_NL_ITEM_PROBE;
  item->name = name->text;
  if (!tt_nl_parser_is (self, ")"))
    {
      tt_nl_error (self->messages, tt_nl_parser_here (self), "probe '%s' must not have parameters", item->name);
      return FALSE;
    }
  tt_nl_parser_next (self);
  if (tt_nl_parser_is (self, "->"))
    {
      tt_nl_error (self->messages, tt_nl_parser_here (self), "probe '%s' returns nothing: leave out '->'", item->name);
      return FALSE;
    }
  if (!tt_nl_parser_expect (self, ":"))
    return FALSE;
  tt_nl_parse_block (self, "def", &item->body);
  return TRUE;
}

static gboolean
parse_field (TtNlParser *self, TtNlItem *map, TtNlField ***end)
{
  const TtNlToken *name = tt_nl_parser_peek (self);
  TtNlField *field;

  if (name->kind == TT_NL_STRING || tt_nl_parser_is (self, "pass"))
    {
      tt_nl_parser_next (self);
      return end_line (self);
    }
  if (name->kind != TT_NL_NAME || tt_nl_is_keyword (name->text) || name[1].kind != TT_NL_OPERATOR ||
      !g_str_equal (name[1].text, ":"))
    {
      tt_nl_error (self->messages, name->offset, "map '%s' may have only fields: NAME: nl.u32 or NAME: nl.u64",
                   map->name);
      return FALSE;
    }
  tt_nl_parser_next (self);
  tt_nl_parser_next (self);
  field = tt_nl_arena_new0 (self->arena, TtNlField);
  field->name = name->text;
  field->offset = name->offset;
  if ((field->annotation = tt_nl_parse_value (self)) == NULL)
    return FALSE;
  if (tt_nl_parser_is (self, "="))
    {
      tt_nl_error (self->messages, tt_nl_parser_here (self), "a field of a map has no initial value");
      return FALSE;
    }
  if (!end_line (self))
    return FALSE;
  **end = field;
  *end = &field->next;
  return TRUE;
}

/* Behind "class". */
static gboolean
parse_class (TtNlParser *self, TtNlItem *item)
{
  const TtNlToken *name = tt_nl_parser_name (self, "the name of the map");
  TtNlField **end = &item->fields;

  if (name == NULL)
    return FALSE;
  item->kind = TT_NL_ITEM_MAP;
  item->name = name->text;
  if (tt_nl_parser_accept (self, "(") && !tt_nl_parser_accept (self, ")"))
    {
      tt_nl_error (self->messages, tt_nl_parser_here (self), "map '%s' must not have a base class", item->name);
      return FALSE;
    }
  if (!tt_nl_parser_expect (self, ":"))
    return FALSE;
  if (tt_nl_parser_peek (self)->kind != TT_NL_NEWLINE)
    return parse_field (self, item, &end);
  tt_nl_parser_next (self);
  if (tt_nl_parser_peek (self)->kind != TT_NL_INDENT)
    {
      tt_nl_error (self->messages, tt_nl_parser_here (self), "expected an indented block after 'class'");
      return TRUE;
    }
  tt_nl_parser_next (self);
  while (tt_nl_parser_peek (self)->kind != TT_NL_DEDENT && tt_nl_parser_peek (self)->kind != TT_NL_END)
    if (!parse_field (self, item, &end))
      {
        item->lacks_fields = TRUE;
        tt_nl_parser_skip_statement (self);
      }
  if (tt_nl_parser_peek (self)->kind == TT_NL_DEDENT)
    tt_nl_parser_next (self);
  return TRUE;
}

/* At '@'. */
static gboolean
parse_decorated (TtNlParser *self, TtNlItem ***end)
{
  TtNlItem *item = new_item (self, TT_NL_ITEM_PROBE, tt_nl_parser_here (self));
  gboolean ok = TRUE, is_read = FALSE;

  while (tt_nl_parser_accept (self, "@"))
    {
      if (item->decorator != NULL && ok)
        {
          tt_nl_error (self->messages, self->tokens[self->at - 1].offset, "only one decorator is allowed");
          ok = FALSE;
        }
      TtNlExpr *decorator = tt_nl_parse_value (self);
      if (decorator == NULL || !end_line (self))
        {
          tt_nl_parser_skip_statement (self);
          ok = FALSE;
        }
      item->decorator = decorator;
    }
  item->offset = tt_nl_parser_here (self);
  if (tt_nl_parser_is (self, "async"))
    {
      tt_nl_error (self->messages, tt_nl_parser_here (self), "a probe must not be async");
      return FALSE;
    }
  if (tt_nl_parser_accept (self, "class"))
    is_read = parse_class (self, item);
  else if (tt_nl_parser_accept (self, "def"))
    is_read = parse_def (self, item);
  else
    tt_nl_parser_unexpected (self, "'def' or 'class' after the decorator");
  if (is_read && ok)
    append (end, item);
  return is_read;
}

/* -- the rest ------------------------------------------------------------------------------------------- */

/* At a name that ':' follows. */
static gboolean
parse_declaration (TtNlParser *self, TtNlItem ***end)
{
  const TtNlToken *name = tt_nl_parser_name (self, "a name");
  TtNlItem *item;

  if (name == NULL)
    return FALSE;
  item = new_item (self, TT_NL_ITEM_DECLARE, name->offset);
  item->name = name->text;
  tt_nl_parser_next (self);
  /* A declaration that cannot be read still declares its name: one mistake, one message. */
  append (end, item);
  if ((item->annotation = tt_nl_parse_value (self)) == NULL)
    return FALSE;
  if (tt_nl_parser_accept (self, "=") && (item->value = tt_nl_parse_values (self)) == NULL)
    {
      item->annotation = NULL;
      return FALSE;
    }
  return end_line (self);
}

/* At CALLBACK, which '=' follows. */
static gboolean
parse_callback (TtNlParser *self, TtNlItem ***end)
{
  TtNlItem *item = new_item (self, TT_NL_ITEM_CALLBACK, tt_nl_parser_here (self));
  TtNlExpr *value;

  tt_nl_parser_next (self);
  tt_nl_parser_next (self);
  if ((value = tt_nl_parse_values (self)) == NULL)
    return FALSE;
  if (value->kind != TT_NL_EXPR_STRING)
    {
      tt_nl_error (self->messages, value->offset, "CALLBACK must be a string");
      return FALSE;
    }
  item->text = value->text;
  append (end, item);
  return end_line (self);
}

static gboolean
refuse (TtNlParser *self)
{
  const TtNlToken *token = tt_nl_parser_peek (self);
  const char *what = tt_nl_parser_refused_statement (self);

  if (tt_nl_parser_is (self, "if"))
    what = "If";
  else if (tt_nl_parser_is (self, "pass"))
    what = "Pass";
  else if (what == NULL && token->kind == TT_NL_NAME && token[1].kind == TT_NL_OPERATOR)
    what = g_str_equal (token[1].text, "=") ? "Assign" : g_str_has_suffix (token[1].text, "=") ? "AugAssign" : "Expr";
  if (token->kind == TT_NL_INDENT)
    tt_nl_error (self->messages, token->offset, "unexpected indent");
  else if (token->kind != TT_NL_BAD)
    tt_nl_error (self->messages, token->offset, "%s statement is not allowed at module level",
                 what != NULL ? what : "Expr");
  return FALSE;
}

static gboolean
is_name_before (const TtNlParser *self, const char *operator)
{
  const TtNlToken *token = tt_nl_parser_peek (self);

  return token->kind == TT_NL_NAME && token[1].kind == TT_NL_OPERATOR && g_str_equal (token[1].text, operator);
}

/* FALSE: the rest of the statement is to be skipped. */
static gboolean
parse_item (TtNlParser *self, TtNlItem ***end)
{
  guint32 offset = tt_nl_parser_here (self);

  if (tt_nl_parser_accept (self, "import"))
    return parse_import (self, offset, end);
  if (tt_nl_parser_accept (self, "from"))
    return parse_from (self, offset, end);
  if (tt_nl_parser_is (self, "@"))
    return parse_decorated (self, end);
  if (tt_nl_parser_peek (self)->kind == TT_NL_STRING)
    {
      tt_nl_parser_next (self);
      return tt_nl_parser_peek (self)->kind == TT_NL_STRING || end_line (self);
    }
  if (tt_nl_parser_is (self, "CALLBACK") && is_name_before (self, "="))
    return parse_callback (self, end);
  if (is_name_before (self, ":") && !tt_nl_is_keyword (tt_nl_parser_peek (self)->text))
    return parse_declaration (self, end);
  return refuse (self);
}

TtNlItem *
tt_nl_parse (const GArray *tokens, TtNlArena *arena, TtNlMessages *messages)
{
  TtNlParser self = { .tokens = (const TtNlToken *) (gpointer) tokens->data, .arena = arena, .messages = messages };
  TtNlItem *items = NULL, **end = &items;

  while (tt_nl_parser_peek (&self)->kind != TT_NL_END)
    {
      gsize at = self.at;

      if (!parse_item (&self, &end))
        tt_nl_parser_skip_statement (&self);
      /* A DEDENT without a block. */
      if (self.at == at)
        tt_nl_parser_next (&self);
    }
  return items;
}
