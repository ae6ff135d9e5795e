/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The statements of TSDL: declarations and blocks. What a block needs may stand behind it, so they are found first, and then
 * read in the order in which they need each other.
 */
#include "config.h"

#include "formats/ctf/schema/tsdl.h"

#include "formats/ctf/schema/blocks.h"
#include "formats/ctf/schema/resolve.h"
#include "src/base/error.h"

#include <string.h>

#define MAX_STATEMENTS (1u << 20)

/* In the order in which they are read. */
typedef enum
{
  ENV,
  CLOCK,
  DECLARATION,
  TRACE,
  STREAM,
  EVENT,
  CALLSITE,
  N_STATEMENTS,
} StatementKind;

typedef struct
{
  const char *at;
  guint line;
  StatementKind kind;
} Statement;

typedef struct
{
  TtTsdlParser parser;
  GArray *statements;
} Tsdl;

static const char *const keywords[N_STATEMENTS] = { "env", "clock", NULL, "trace", "stream", "event", "callsite" };

/* Goes past the semicolon that ends the statement. */
static gboolean
skip_statement (TtTsdlLexer *lexer)
{
  for (guint depth = 0; depth > 0 || lexer->token != ';'; tt_tsdl_next (lexer))
    {
      if (lexer->token == TT_TSDL_END || (depth == 0 && lexer->token == '}'))
        return tt_tsdl_fail_syntax (lexer);
      depth += lexer->token == '{';
      depth -= lexer->token == '}';
    }
  tt_tsdl_next (lexer);
  return TRUE;
}

static gboolean
find_statements (Tsdl *self)
{
  TtTsdlLexer *lexer = &self->parser.lexer;

  while (lexer->token != TT_TSDL_END)
    {
      Statement statement = { .at = lexer->begin, .line = lexer->line, .kind = DECLARATION };

      for (guint kind = 0; kind < N_STATEMENTS; kind++)
        if (keywords[kind] != NULL && tt_tsdl_is_word (lexer, keywords[kind]))
          statement.kind = (StatementKind) kind;
      if (statement.kind != DECLARATION)
        tt_tsdl_next (lexer);
      if (statement.kind != DECLARATION && lexer->token != '{')
        return tt_tsdl_fail_syntax (lexer);
      if (!skip_statement (lexer))
        return FALSE;
      if (self->statements->len == MAX_STATEMENTS)
        return tt_tsdl_fail (lexer, "too many statements");
      g_array_append_val (self->statements, statement);
    }
  return lexer->fault == NULL;
}

static gboolean
read_block (Tsdl *self, StatementKind kind)
{
  TtTsdlParser *parser = &self->parser;
  TtTsdlScope scope;
  gboolean is_good = FALSE;

  tt_tsdl_push_scope (parser, &scope);
  switch (kind)
    {
    case ENV:
      is_good = tt_tsdl_read_environment (parser);
      break;
    case CLOCK:
      is_good = tt_tsdl_read_clock (parser);
      break;
    case TRACE:
      is_good = tt_tsdl_read_trace (parser);
      break;
    case STREAM:
      is_good = tt_tsdl_read_stream (parser);
      break;
    case EVENT:
      is_good = tt_tsdl_read_event (parser);
      break;
    default:
      is_good = tt_tsdl_read_callsite (parser);
      break;
    }
  tt_tsdl_pop_scope (parser);
  return is_good && tt_tsdl_expect (&parser->lexer, ';');
}

static gboolean
read_statements (Tsdl *self, StatementKind kind)
{
  TtTsdlLexer *lexer = &self->parser.lexer;

  for (guint i = 0; i < self->statements->len; i++)
    {
      const Statement *statement = &g_array_index (self->statements, Statement, i);

      if (statement->kind != kind)
        continue;
      tt_tsdl_go_to (lexer, statement->at, statement->line);
      if (kind == DECLARATION)
        {
          if (!tt_tsdl_is_declaration (&self->parser))
            return tt_tsdl_fail_syntax (lexer);
          if (!tt_tsdl_read_declaration (&self->parser))
            return FALSE;
          continue;
        }
      tt_tsdl_next (lexer);
      if (!read_block (self, kind))
        return FALSE;
    }
  return TRUE;
}

static gboolean
find_native_order (Tsdl *self)
{
  guint n = 0;

  for (guint i = 0; i < self->statements->len; i++)
    {
      const Statement *statement = &g_array_index (self->statements, Statement, i);

      if (statement->kind != TRACE)
        continue;
      tt_tsdl_go_to (&self->parser.lexer, statement->at, statement->line);
      if (n++ > 0)
        return tt_tsdl_fail (&self->parser.lexer, "a second 'trace'");
      if (!tt_tsdl_read_native_order (&self->parser))
        return FALSE;
    }
  return n > 0 || tt_tsdl_fail (&self->parser.lexer, "no 'trace'");
}

static gboolean
read_all (Tsdl *self)
{
  if (!find_statements (self) || !find_native_order (self))
    return FALSE;
  for (guint kind = 0; kind < N_STATEMENTS; kind++)
    if (!read_statements (self, (StatementKind) kind))
      return FALSE;
  return TRUE;
}

TtCtfSchema *
tt_ctf_tsdl_read (const char *path, const char *text, GError **error)
{
  g_autoptr (TtCtfSchema) schema = tt_ctf_schema_new ();
  Tsdl self = { .parser = { .schema = schema }, .statements = g_array_new (FALSE, FALSE, sizeof (Statement)) };
  TtTsdlScope root;
  g_autofree char *why = NULL;

  tt_tsdl_lexer_init (&self.parser.lexer, text);
  tt_tsdl_push_scope (&self.parser, &root);
  if (read_all (&self))
    why = tt_ctf_schema_resolve (schema);
  else
    why = g_steal_pointer (&self.parser.lexer.fault);
  tt_tsdl_pop_scope (&self.parser);
  tt_tsdl_lexer_clear (&self.parser.lexer);
  g_array_unref (self.statements);
  if (why == NULL)
    return g_steal_pointer (&schema);
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: the metadata cannot be read: %s", path, why);
  return NULL;
}
