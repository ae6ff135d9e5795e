/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ptx/parse-private.h"

#include <string.h>

#define MAX_SCOPES 65536u

/* -- labels ---------------------------------------------------------------------------------------- */

static gboolean
add_label (TtPtxParser *self, const char *name)
{
  guint scope = g_array_index (self->scope_ids, guint, self->scope_ids->len - 1);
  char *key = g_strdup_printf ("%u %s", scope, name);

  if (!g_hash_table_insert (self->labels, key, GUINT_TO_POINTER (self->function->instructions->len + 1)))
    return tt_ptx_fail (self, "a label stands twice in a scope; in front of the second there is");
  return TRUE;
}

static guint
find_label (const TtPtxParser *self, guint scope, const char *name)
{
  for (;;)
    {
      g_autofree char *key = g_strdup_printf ("%u %s", scope, name);
      guint found = GPOINTER_TO_UINT (g_hash_table_lookup (self->labels, key));

      if (found > 0)
        return found - 1;
      if (scope == 0)
        return G_MAXUINT;
      scope = g_array_index (self->function->scopes, guint, scope);
    }
}

static void
resolve_operands (const TtPtxParser *self, guint scope, TtPtxOperand *operands, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      if (operands[i].kind == TT_PTX_NAME && operands[i].variable == NULL)
        operands[i].label = find_label (self, scope, operands[i].name);
      resolve_operands (self, scope, operands[i].items, operands[i].n_items);
    }
}

static void
resolve_labels (const TtPtxParser *self)
{
  for (guint i = 0; i < self->function->instructions->len; i++)
    {
      TtPtxInstruction *instruction = tt_ptx_function_at (self->function, i);
      resolve_operands (self, instruction->scope, instruction->operands, instruction->n_operands);
    }
}

/* -- statements ------------------------------------------------------------------------------------- */

static gboolean
read_directive (TtPtxParser *self)
{
  static const struct
  {
    const char *word;
    TtPtxSpace space;
  } spaces[] = { { ".local", TT_PTX_LOCAL },   { ".shared", TT_PTX_SHARED }, { ".param", TT_PTX_PARAM },
                 { ".global", TT_PTX_GLOBAL }, { ".const", TT_PTX_CONST },   { ".shared::cta", TT_PTX_SHARED } };

  if (tt_ptx_lexer_is (&self->lexer, ".loc") || tt_ptx_lexer_is (&self->lexer, ".file"))
    return tt_ptx_skip_line (self);
  if (tt_ptx_lexer_is (&self->lexer, ".pragma"))
    return tt_ptx_skip_statement (self);
  if (tt_ptx_lexer_is (&self->lexer, ".reg"))
    return tt_ptx_next (self) && tt_ptx_read_registers (self);
  for (guint i = 0; i < G_N_ELEMENTS (spaces); i++)
    if (tt_ptx_lexer_is (&self->lexer, spaces[i].word))
      return tt_ptx_next (self) &&
             tt_ptx_read_variables (self, spaces[i].space, FALSE, FALSE, self->function->variables);
  return tt_ptx_fail (self, "a directive that is not known in a function");
}

/* At a word: a label, with what may follow it, or an instruction. */
static gboolean
read_word (TtPtxParser *self)
{
  TtPtxLexer saved = self->lexer;
  const char *name = tt_ptx_word (self);
  gboolean is_label;

  if (!tt_ptx_next (self) || !tt_ptx_accept (self, ':', &is_label))
    return FALSE;
  if (!is_label)
    {
      self->lexer = saved;
      return tt_ptx_read_instruction (self);
    }
  if (tt_ptx_lexer_is (&self->lexer, ".callprototype") || tt_ptx_lexer_is (&self->lexer, ".branchtargets") ||
      tt_ptx_lexer_is (&self->lexer, ".calltargets"))
    {
      g_hash_table_add (self->function->prototypes, (gpointer) name);
      return tt_ptx_skip_statement (self);
    }
  return add_label (self, name);
}

static gboolean
read_statement (TtPtxParser *self)
{
  if (tt_ptx_lexer_is_mark (&self->lexer, '{'))
    {
      if (self->scope_ids->len >= TT_PTX_MAX_NESTING || self->function->scopes->len >= MAX_SCOPES)
        return tt_ptx_fail (self, "too many scopes");
      tt_ptx_open_scope (self);
      return tt_ptx_next (self);
    }
  if (tt_ptx_lexer_is_mark (&self->lexer, ';'))
    return tt_ptx_next (self);
  if (self->lexer.token.kind == TT_PTX_TOKEN_DOT_WORD)
    return read_directive (self);
  if (self->lexer.token.kind == TT_PTX_TOKEN_WORD)
    return read_word (self);
  if (tt_ptx_lexer_is_mark (&self->lexer, '@'))
    return tt_ptx_read_instruction (self);
  return tt_ptx_fail (self, "expected an instruction");
}

static gboolean
read_statements (TtPtxParser *self)
{
  while (self->scopes->len > 1)
    if (!tt_ptx_lexer_is_mark (&self->lexer, '}'))
      {
        if (!read_statement (self))
          return FALSE;
      }
    else
      {
        if (self->scopes->len == 2)
          self->function->body_end = self->lexer.token.start;
        tt_ptx_close_scope (self);
        if (!tt_ptx_next (self))
          return FALSE;
      }
  return TRUE;
}

/* At the { of a body; the scope of the parameters is open. */
gboolean
tt_ptx_read_body (TtPtxParser *self)
{
  gboolean ok;

  self->function->body_start = self->lexer.token.end;
  self->labels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  tt_ptx_open_scope (self);
  ok = tt_ptx_next (self) && read_statements (self);
  if (ok)
    resolve_labels (self);
  g_clear_pointer (&self->labels, g_hash_table_unref);
  return ok;
}
