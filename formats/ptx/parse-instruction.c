/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ptx/parse-private.h"

#include <string.h>

#define MAX_ITEMS 1024u

static gboolean read_operand (TtPtxParser *self, TtPtxOperand *operand, guint depth);

/* Operands up to @closing, which is taken. */
static gboolean
read_items (TtPtxParser *self, TtPtxOperand *operand, char closing, guint depth)
{
  g_autoptr (GArray) items = g_array_new (FALSE, TRUE, sizeof (TtPtxOperand));
  gboolean is_here;

  if (!tt_ptx_accept (self, closing, &is_here))
    return FALSE;
  while (!is_here)
    {
      TtPtxOperand item = { 0 };

      if (!read_operand (self, &item, depth + 1) || !tt_ptx_accept (self, ',', &is_here))
        return FALSE;
      g_array_append_val (items, item);
      if (items->len > MAX_ITEMS)
        return tt_ptx_fail (self, "more than 1024 operands");
      if (!is_here && !tt_ptx_expect (self, closing))
        return FALSE;
      is_here = !is_here;
    }
  operand->n_items = items->len;
  operand->items = tt_nl_arena_alloc (self->arena, MAX (items->len, 1) * sizeof (TtPtxOperand));
  if (items->len > 0)
    memcpy (operand->items, items->data, items->len * sizeof (TtPtxOperand));
  return TRUE;
}

/* +8, +-8, -8 */
static gboolean
read_offset (TtPtxParser *self, guint64 *value)
{
  gboolean is_plus, is_minus;
  guint64 offset = 0;

  if (!tt_ptx_accept (self, '+', &is_plus) || !tt_ptx_accept (self, '-', &is_minus))
    return FALSE;
  if ((is_plus || is_minus) && !tt_ptx_read_integer (self, &offset))
    return FALSE;
  *value += is_minus ? -offset : offset;
  return TRUE;
}

/* Everything up to the ] of brackets that are already open, whatever it is. */
static gboolean
skip_brackets (TtPtxParser *self)
{
  for (guint depth = 1; depth > 0;)
    {
      if (self->lexer.token.kind == TT_PTX_TOKEN_END || tt_ptx_lexer_is_mark (&self->lexer, ';'))
        return tt_ptx_fail (self, "expected ']'");
      if (tt_ptx_lexer_is_mark (&self->lexer, '['))
        depth++;
      else if (tt_ptx_lexer_is_mark (&self->lexer, ']'))
        depth--;
      if (!tt_ptx_next (self))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_address (TtPtxParser *self, TtPtxOperand *operand, guint depth)
{
  operand->kind = TT_PTX_ADDRESS;
  operand->n_items = 1;
  operand->items = tt_nl_arena_new0 (self->arena, TtPtxOperand);
  if (!tt_ptx_next (self) || !read_operand (self, operand->items, depth + 1) || !read_offset (self, &operand->value))
    return FALSE;
  if (tt_ptx_lexer_is_mark (&self->lexer, ']'))
    return tt_ptx_next (self);
  operand->kind = TT_PTX_OTHER;
  operand->n_items = 0;
  return skip_brackets (self);
}

static gboolean
read_number (TtPtxParser *self, TtPtxOperand *operand)
{
  gboolean is_minus;

  if (!tt_ptx_accept (self, '-', &is_minus))
    return FALSE;
  operand->value = self->lexer.token.value;
  switch (self->lexer.token.kind)
    {
    case TT_PTX_TOKEN_INTEGER:
      operand->kind = TT_PTX_INTEGER;
      operand->value = is_minus ? -operand->value : operand->value;
      break;
    case TT_PTX_TOKEN_FLOAT32:
      operand->kind = TT_PTX_FLOAT32;
      operand->value ^= is_minus ? 0x80000000u : 0;
      break;
    case TT_PTX_TOKEN_FLOAT64:
      operand->kind = TT_PTX_FLOAT64;
      operand->value ^= is_minus ? G_GUINT64_CONSTANT (1) << 63 : 0;
      break;
    default:
      return tt_ptx_fail (self, "expected an operand");
    }
  return tt_ptx_next (self);
}

static gboolean
read_named (TtPtxParser *self, TtPtxOperand *operand)
{
  const char *name;

  operand->label = G_MAXUINT;
  if (!tt_ptx_read_name (self, &name))
    return FALSE;
  if (strcmp (name, "_") == 0)
    {
      operand->kind = TT_PTX_SINK;
      return TRUE;
    }
  if (tt_ptx_lookup_register (self, name, &operand->reg))
    {
      operand->kind = TT_PTX_REGISTER;
      return TRUE;
    }
  operand->name = name;
  if (name[0] == '%')
    {
      operand->kind = TT_PTX_SPECIAL;
      if (self->lexer.token.kind != TT_PTX_TOKEN_DOT_WORD)
        return TRUE;
      operand->name = tt_nl_arena_printf (self->arena, "%s%s", name, tt_ptx_word (self));
      return tt_ptx_next (self);
    }
  operand->kind = TT_PTX_NAME;
  operand->variable = tt_ptx_lookup_variable (self, name);
  return read_offset (self, &operand->value);
}

static gboolean
read_simple (TtPtxParser *self, TtPtxOperand *operand, guint depth)
{
  if (tt_ptx_lexer_is_mark (&self->lexer, '['))
    return read_address (self, operand, depth);
  if (tt_ptx_lexer_is_mark (&self->lexer, '{'))
    {
      operand->kind = TT_PTX_VECTOR;
      return tt_ptx_next (self) && read_items (self, operand, '}', depth);
    }
  if (tt_ptx_lexer_is_mark (&self->lexer, '('))
    {
      operand->kind = TT_PTX_LIST;
      return tt_ptx_next (self) && read_items (self, operand, ')', depth);
    }
  if (self->lexer.token.kind == TT_PTX_TOKEN_WORD)
    return read_named (self, operand);
  return read_number (self, operand);
}

static gboolean
read_operand (TtPtxParser *self, TtPtxOperand *operand, guint depth)
{
  gboolean is_here;

  if (depth >= TT_PTX_MAX_NESTING)
    return tt_ptx_fail (self, "operands within too many brackets");
  operand->start = self->lexer.token.start;
  if (!tt_ptx_accept (self, '!', &is_here) || !read_simple (self, operand, depth))
    return FALSE;
  operand->is_inverted = is_here;
  operand->end = self->lexer.last_end;
  if (!tt_ptx_accept (self, '|', &is_here))
    return FALSE;
  if (is_here)
    {
      TtPtxOperand *items = tt_nl_arena_alloc (self->arena, 2 * sizeof (TtPtxOperand));

      items[0] = *operand;
      if (!read_operand (self, &items[1], depth + 1))
        return FALSE;
      operand->kind = TT_PTX_PAIR;
      operand->items = items;
      operand->n_items = 2;
      operand->end = items[1].end;
    }
  return TRUE;
}

static gboolean
read_guard (TtPtxParser *self, TtPtxInstruction *instruction)
{
  const char *name;
  gboolean is_here;

  instruction->guard = TT_PTX_NO_REGISTER;
  if (!tt_ptx_accept (self, '@', &is_here) || !is_here)
    return !is_here;
  if (!tt_ptx_accept (self, '!', &instruction->guard_is_inverted))
    return FALSE;
  if (self->lexer.token.kind != TT_PTX_TOKEN_WORD)
    return tt_ptx_fail (self, "a guard is a register");
  name = tt_ptx_word (self);
  if (!tt_ptx_lookup_register (self, name, &instruction->guard) ||
      tt_ptx_register_at (self->function, instruction->guard)->type != TT_PTX_PRED)
    return tt_ptx_fail (self, "a guard is a register of type pred");
  return tt_ptx_next (self);
}

static gboolean
read_opcode (TtPtxParser *self, TtPtxInstruction *instruction)
{
  guint32 start = self->lexer.token.start, end;

  instruction->body = start;
  if (self->lexer.token.kind != TT_PTX_TOKEN_WORD || !tt_ptx_next (self))
    return tt_ptx_fail (self, "expected an instruction");
  while (self->lexer.token.kind == TT_PTX_TOKEN_DOT_WORD)
    if (!tt_ptx_next (self))
      return FALSE;
  end = self->lexer.last_end;
  g_autofree char *text = g_strndup (self->lexer.text + start, end - start);
  /* "ld .global" is one opcode, too. */
  char *to = text;
  for (const char *c = text; *c != '\0'; c++)
    if (!g_ascii_isspace (*c))
      *to++ = *c;
  *to = '\0';
  instruction->opcode = tt_nl_arena_text (self->arena, text, strlen (text));
  return TRUE;
}

gboolean
tt_ptx_read_instruction (TtPtxParser *self)
{
  TtPtxInstruction instruction = { .start = self->lexer.token.start, .line = self->lexer.token.line };
  TtPtxOperand list = { 0 };

  if (!read_guard (self, &instruction) || !read_opcode (self, &instruction))
    return FALSE;
  instruction.scope = g_array_index (self->scope_ids, guint, self->scope_ids->len - 1);
  if (!read_items (self, &list, ';', 0))
    return FALSE;
  instruction.end = self->lexer.last_end;
  instruction.operands = list.items;
  instruction.n_operands = list.n_items;
  g_array_append_val (self->function->instructions, instruction);
  return TRUE;
}
