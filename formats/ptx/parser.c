/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ptx/parse-private.h"

#include <string.h>

gboolean
tt_ptx_fail (TtPtxParser *self, const char *fault)
{
  return self->error != NULL && *self->error != NULL ? FALSE : tt_ptx_lexer_fail (&self->lexer, self->error, fault);
}

const char *
tt_ptx_word (TtPtxParser *self)
{
  const TtPtxToken *token = &self->lexer.token;
  g_autofree char *text = g_strndup (self->lexer.text + token->start, token->end - token->start);
  const char *kept = g_hash_table_lookup (self->module->words, text);

  if (kept != NULL)
    return kept;
  kept = tt_nl_arena_text (self->arena, text, strlen (text));
  g_hash_table_add (self->module->words, (gpointer) kept);
  return kept;
}

gboolean
tt_ptx_next (TtPtxParser *self)
{
  return tt_ptx_lexer_next (&self->lexer, self->error);
}

gboolean
tt_ptx_skip_statement (TtPtxParser *self)
{
  while (!tt_ptx_lexer_is_mark (&self->lexer, ';'))
    if (self->lexer.token.kind == TT_PTX_TOKEN_END)
      return tt_ptx_fail (self, "expected ';'");
    else if (!tt_ptx_next (self))
      return FALSE;
  return tt_ptx_next (self);
}

gboolean
tt_ptx_skip_line (TtPtxParser *self)
{
  guint line = self->lexer.token.line;

  while (self->lexer.token.kind != TT_PTX_TOKEN_END && self->lexer.token.line == line)
    if (!tt_ptx_next (self))
      return FALSE;
  return TRUE;
}

gboolean
tt_ptx_accept (TtPtxParser *self, char mark, gboolean *is_here)
{
  *is_here = tt_ptx_lexer_is_mark (&self->lexer, mark);
  return !*is_here || tt_ptx_next (self);
}

gboolean
tt_ptx_expect (TtPtxParser *self, char mark)
{
  const char fault[] = { 'e', 'x', 'p', 'e', 'c', 't', 'e', 'd', ' ', '\'', mark, '\'', '\0' };
  gboolean is_here;

  return tt_ptx_accept (self, mark, &is_here) && (is_here || tt_ptx_fail (self, fault));
}

gboolean
tt_ptx_read_name (TtPtxParser *self, const char **name)
{
  if (self->lexer.token.kind != TT_PTX_TOKEN_WORD)
    return tt_ptx_fail (self, "expected a name");
  *name = tt_ptx_word (self);
  return tt_ptx_next (self);
}

gboolean
tt_ptx_read_integer (TtPtxParser *self, guint64 *value)
{
  if (self->lexer.token.kind != TT_PTX_TOKEN_INTEGER)
    return tt_ptx_fail (self, "expected a whole number");
  *value = self->lexer.token.value;
  return tt_ptx_next (self);
}
