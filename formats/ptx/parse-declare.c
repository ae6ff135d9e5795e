/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ptx/parse-private.h"

#include <string.h>

/* -- registers ------------------------------------------------------------------------------------- */

static gboolean
add_registers (TtPtxParser *self, const char *name, guint64 n, TtPtxType type)
{
  GArray *registers = self->function->registers;
  TtPtxBinding binding = { .first = registers->len, .n = (guint) n };

  self->n_registers += MIN (n, TT_PTX_MAX_REGISTERS);
  if (n > TT_PTX_MAX_REGISTERS || self->n_registers > TT_PTX_MAX_REGISTERS)
    return tt_ptx_fail (self, "a module has more than 1048576 registers");
  for (guint i = 0; i < MAX (n, 1); i++)
    {
      TtPtxRegister reg = { .stem = name, .number = n == 0 ? G_MAXUINT : i, .type = type };
      g_array_append_val (registers, reg);
    }
  tt_ptx_bind (self, name, binding);
  return TRUE;
}

gboolean
tt_ptx_read_registers (TtPtxParser *self)
{
  gboolean is_here;
  TtPtxType type =
      self->lexer.token.kind == TT_PTX_TOKEN_DOT_WORD ? tt_ptx_type_find (tt_ptx_word (self) + 1) : TT_PTX_VOID;

  if (type == TT_PTX_VOID)
    return tt_ptx_fail (self, "registers have a type");
  if (!tt_ptx_next (self))
    return FALSE;
  do
    {
      const char *name;
      guint64 n = 0;

      if (!tt_ptx_read_name (self, &name) || !tt_ptx_accept (self, '<', &is_here))
        return FALSE;
      if (is_here && (!tt_ptx_read_integer (self, &n) || !tt_ptx_expect (self, '>')))
        return FALSE;
      if (is_here && n == 0)
        continue;
      if (!add_registers (self, name, n, type))
        return FALSE;
    }
  while (tt_ptx_accept (self, ',', &is_here) && is_here);
  return !is_here && tt_ptx_expect (self, ';');
}

/* -- variables ------------------------------------------------------------------------------------- */

/* Modifiers between the space and the name: .align 8 .b8, .v4 .f32, .u64 .ptr .global .align 16 */
static gboolean
read_type (TtPtxParser *self, TtPtxVariable *variable, guint *vector)
{
  *vector = 1;
  while (self->lexer.token.kind == TT_PTX_TOKEN_DOT_WORD)
    {
      gboolean is_align = tt_ptx_lexer_is (&self->lexer, ".align"), is_ptr = tt_ptx_lexer_is (&self->lexer, ".ptr");
      TtPtxType type = tt_ptx_type_find (tt_ptx_word (self) + 1);

      if (tt_ptx_lexer_is (&self->lexer, ".v2"))
        *vector = 2;
      else if (tt_ptx_lexer_is (&self->lexer, ".v4"))
        *vector = 4;
      else if (type != TT_PTX_VOID && variable->type == TT_PTX_VOID)
        variable->type = type;
      else if (tt_ptx_lexer_is (&self->lexer, ".texref") || tt_ptx_lexer_is (&self->lexer, ".samplerref") ||
               tt_ptx_lexer_is (&self->lexer, ".surfref"))
        variable->type = TT_PTX_B64;
      else if (!is_align && !is_ptr && variable->type == TT_PTX_VOID)
        return tt_ptx_fail (self, "a variable has a type");
      /* What a pointer points to is told, too: .ptr .global .align 16 */
      gboolean is_of_pointer = variable->type != TT_PTX_VOID;
      guint64 align;
      if (!tt_ptx_next (self) || (is_align && !tt_ptx_read_integer (self, &align)))
        return FALSE;
      if (is_align && !is_of_pointer)
        {
          if (align == 0 || (align & (align - 1)) != 0 || align > 65536)
            return tt_ptx_fail (self, "an alignment is a power of two up to 65536");
          variable->align = align;
        }
    }
  return variable->type != TT_PTX_VOID && tt_ptx_type_bits (variable->type) >= 8
             ? TRUE
             : tt_ptx_fail (self, "a variable has a type of bytes");
}

/* [4][8] behind the name; an empty first one is filled by the initial value or the launch. */
static gboolean
read_dimensions (TtPtxParser *self, TtPtxVariable *variable, gboolean *is_open)
{
  gboolean is_here;

  *is_open = FALSE;
  for (guint i = 0;; i++)
    {
      guint64 n = 1;

      if (!tt_ptx_accept (self, '[', &is_here))
        return FALSE;
      if (!is_here)
        return TRUE;
      if (i == 0 && tt_ptx_lexer_is_mark (&self->lexer, ']'))
        *is_open = TRUE;
      else if (!tt_ptx_read_integer (self, &n))
        return FALSE;
      if (n > TT_PTX_MAX_VARIABLE || (variable->bytes *= n) > TT_PTX_MAX_VARIABLE)
        return tt_ptx_fail (self, "a variable has more than 64 MiB");
      if (!tt_ptx_expect (self, ']'))
        return FALSE;
    }
}

static gboolean
read_variable (TtPtxParser *self, TtPtxVariable variable, guint vector, GPtrArray *list)
{
  TtPtxVariable *kept = tt_nl_arena_new0 (self->arena, TtPtxVariable);
  guint element = tt_ptx_type_bits (variable.type) / 8 * vector;
  gboolean is_open, is_here, has_initial;
  guint64 n = 0;

  *kept = variable;
  kept->line = self->lexer.token.line;
  kept->bytes = element;
  if (kept->align == 0)
    kept->align = element;
  if (!tt_ptx_read_name (self, &kept->name) || !tt_ptx_accept (self, '<', &is_here))
    return FALSE;
  if (is_here && (!tt_ptx_read_integer (self, &n) || !tt_ptx_expect (self, '>')))
    return FALSE;
  if (is_here)
    return tt_ptx_fail (self, "families of variables are not read");
  if (!read_dimensions (self, kept, &is_open) || !tt_ptx_accept (self, '=', &has_initial))
    return FALSE;
  if (is_open && !has_initial)
    kept->bytes = 0;
  if (has_initial && is_open)
    return tt_ptx_fail (self, "a variable with an initial value has a size");
  g_ptr_array_add (list, kept);
  return !has_initial || tt_ptx_read_initial (self, kept);
}

gboolean
tt_ptx_read_variables (TtPtxParser *self, TtPtxSpace space, gboolean is_extern, gboolean is_formal, GPtrArray *list)
{
  TtPtxVariable variable = { .space = space, .is_extern = is_extern };
  gboolean is_here;
  guint vector;

  if (!read_type (self, &variable, &vector))
    return FALSE;
  do
    {
      if (!read_variable (self, variable, vector, list))
        return FALSE;
      const TtPtxVariable *added = list->pdata[list->len - 1];
      if (self->function != NULL)
        tt_ptx_bind (self, added->name, (TtPtxBinding){ .variable = added });
      else
        g_hash_table_insert (self->variables, (gpointer) added->name, (gpointer) added);
      if (is_formal)
        return TRUE;
    }
  while (tt_ptx_accept (self, ',', &is_here) && is_here);
  return !is_here && tt_ptx_expect (self, ';');
}

/* -- initial values ---------------------------------------------------------------------------------- */

typedef struct
{
  TtPtxVariable *variable;
  guint64 at; /* bytes filled */
} Filler;

static gboolean
put_value (TtPtxParser *self, Filler *filler, guint64 value)
{
  guint bytes = tt_ptx_type_bits (filler->variable->type) / 8;

  if (filler->at + bytes > filler->variable->bytes)
    return tt_ptx_fail (self, "more initial values than the variable has room for");
  for (guint i = 0; i < MIN (bytes, 8); i++)
    filler->variable->initial[filler->at + i] = (guint8) (value >> (8 * i));
  filler->at += bytes;
  return TRUE;
}

/* generic(name), name, name+8 */
static gboolean
read_fixup (TtPtxParser *self, Filler *filler)
{
  TtPtxVariable *variable = filler->variable;
  TtPtxFixup fixup = {
    .offset = filler->at,
    .bytes = tt_ptx_type_bits (variable->type) / 8,
    .line = self->lexer.token.line,
    .is_generic = tt_ptx_lexer_is (&self->lexer, "generic"),
  };
  gboolean is_here, is_minus;

  if (fixup.is_generic && (!tt_ptx_next (self) || !tt_ptx_expect (self, '(')))
    return FALSE;
  if (!tt_ptx_read_name (self, &fixup.name) || (fixup.is_generic && !tt_ptx_expect (self, ')')))
    return FALSE;
  if (!tt_ptx_accept (self, '+', &is_here) || !tt_ptx_accept (self, '-', &is_minus))
    return FALSE;
  if ((is_here || is_minus) && !tt_ptx_read_integer (self, &fixup.addend))
    return FALSE;
  if (is_minus)
    fixup.addend = -fixup.addend;
  if (fixup.bytes < 4)
    return tt_ptx_fail (self, "an address needs 32 or 64 bits");
  if (variable->fixups == NULL)
    variable->fixups = g_array_new (FALSE, FALSE, sizeof (TtPtxFixup));
  g_array_append_val (variable->fixups, fixup);
  return put_value (self, filler, 0);
}

static gboolean
read_scalar (TtPtxParser *self, Filler *filler)
{
  gboolean is_minus;
  TtPtxType type = filler->variable->type;

  if (!tt_ptx_accept (self, '-', &is_minus))
    return FALSE;
  guint64 value = self->lexer.token.value;
  switch (self->lexer.token.kind)
    {
    case TT_PTX_TOKEN_INTEGER:
      value = is_minus ? -value : value;
      break;
    case TT_PTX_TOKEN_FLOAT32:
      value ^= is_minus ? 0x80000000u : 0;
      break;
    case TT_PTX_TOKEN_FLOAT64:
      value ^= is_minus ? G_GUINT64_CONSTANT (1) << 63 : 0;
      if (type == TT_PTX_F32)
        {
          double wide;
          float narrow;
          guint32 bits;

          memcpy (&wide, &value, sizeof wide);
          narrow = (float) wide;
          memcpy (&bits, &narrow, sizeof bits);
          value = bits;
        }
      break;
    case TT_PTX_TOKEN_WORD:
      return !is_minus ? read_fixup (self, filler) : tt_ptx_fail (self, "expected a number");
    default:
      return tt_ptx_fail (self, "expected a number or a name");
    }
  return put_value (self, filler, value) && tt_ptx_next (self);
}

static gboolean
read_braces (TtPtxParser *self, Filler *filler, guint depth)
{
  gboolean is_here;

  if (!tt_ptx_accept (self, '{', &is_here))
    return FALSE;
  if (!is_here)
    return read_scalar (self, filler);
  if (depth >= TT_PTX_MAX_NESTING)
    return tt_ptx_fail (self, "initial values within too many braces");
  if (!tt_ptx_accept (self, '}', &is_here))
    return FALSE;
  while (!is_here)
    {
      if (!read_braces (self, filler, depth + 1) || !tt_ptx_accept (self, ',', &is_here))
        return FALSE;
      if (!is_here)
        return tt_ptx_expect (self, '}');
      is_here = FALSE;
    }
  return TRUE;
}

gboolean
tt_ptx_read_initial (TtPtxParser *self, TtPtxVariable *variable)
{
  Filler filler = { .variable = variable };

  self->initial_bytes += variable->bytes;
  if (self->initial_bytes > TT_PTX_MAX_VARIABLE)
    return tt_ptx_fail (self, "more than 64 MiB of initial values");
  variable->initial = tt_nl_arena_alloc (self->arena, variable->bytes);
  return read_braces (self, &filler, 0);
}
