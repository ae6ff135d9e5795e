/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/gcn-text.h"

#include <string.h>

/* Constants that instructions have room for. */
#define LARGEST_INLINE 64u

const char *const tt_nl_gcn_helpers[TT_NL_GCN_N_HELPERS] = {
  [TT_NL_GCN_K0] = "nt_k0", [TT_NL_GCN_K2] = "nt_k2", [TT_NL_GCN_M] = "nt_m",
  [TT_NL_GCN_Q] = "nt_q",   [TT_NL_GCN_R] = "nt_r",   [TT_NL_GCN_B] = "nt_b",
  [TT_NL_GCN_S] = "nt_s",   [TT_NL_GCN_C] = "nt_c",   [TT_NL_GCN_L] = "nt_l",
};

/* -- operands ------------------------------------------------------------------------------------- */

void
tt_nl_gcn_symbol (const TtNlGcnText *self, const TtNlOperand *operand, char *symbol, gsize size)
{
  const TtNlVariable *variable;

  switch (operand->kind)
    {
    case TT_NL_WIDE:
      g_snprintf (symbol, size, "nt_t%u", operand->index);
      break;
    case TT_NL_NARROW:
      g_snprintf (symbol, size, "nt_w%u", operand->index);
      break;
    case TT_NL_PREDICATE:
      g_snprintf (symbol, size, "nt_p%u", operand->index);
      break;
    default:
      variable = tt_nl_unit_variable (self->unit, operand->index);
      g_snprintf (symbol, size, "nv_%s", operand->kind == TT_NL_COPY ? variable->copy : variable->name);
    }
}

const char *
tt_nl_gcn_use_helper (TtNlGcnText *self, TtNlGcnHelper helper)
{
  self->is_used[helper] = TRUE;
  return tt_nl_gcn_helpers[helper];
}

/* What an injector puts in place may be of any kind: one instruction reads it, whatever it is. */
static void
read_injected (TtNlGcnText *self, const TtNlOperand *operand, guint width, TtNlGcnPlace *place)
{
  const char *name = tt_nl_gcn_use_helper (self, TT_NL_GCN_K2), *word = tt_nl_helper_words[operand->index];
  gboolean is_narrow = operand->index == TT_NL_BYTES || (operand->index == TT_NL_ADDR && self->has_narrow_addresses);

  if (width == TT_NL_U64 && !is_narrow)
    tt_nl_line (self->text, "v_lshlrev_b64 v[%s:%s+1], 0, %s", name, name, word);
  else
    tt_nl_line (self->text, "v_mov_b32_e32 v[%s], %s", name, word);
  /* A weaver finds there what it must be. */
  if (operand->is_float)
    g_string_append_printf (self->text, " // f%u", width);
  if (width == TT_NL_U64 && is_narrow)
    tt_nl_line (self->text, "v_mov_b32_e32 v[%s+1], 0", name);
  g_strlcpy (place->symbol, name, sizeof place->symbol);
}

/* Halves of a constant that have no room in an instruction. */
static void
move_constant (TtNlGcnText *self, guint64 value, guint width, gboolean is_whole, TtNlGcnPlace *place)
{
  guint32 halves[] = { (guint32) value, (guint32) (value >> 32) };
  guint n_halves = width == TT_NL_U64 ? 2 : 1;
  gboolean whole_fits = value <= LARGEST_INLINE;

  for (guint i = 0; i < n_halves; i++)
    {
      if (is_whole && n_halves == 2 ? whole_fits : halves[i] <= LARGEST_INLINE)
        continue;
      if (place->moved == NULL)
        place->moved = tt_nl_gcn_use_helper (self, self->has_k0 ? TT_NL_GCN_K2 : TT_NL_GCN_K0);
      place->is_moved[i] = TRUE;
      tt_nl_line (self->text, "v_mov_b32_e32 v[%s%s], 0x%x", place->moved, i > 0 ? "+1" : "", halves[i]);
    }
  self->has_k0 = self->has_k0 || place->moved != NULL;
}

void
tt_nl_gcn_find_place (TtNlGcnText *self,
                      const TtNlOperand *operand,
                      guint width,
                      const TtNlGcnTemplate *template,
                      TtNlGcnPlace *place)
{
  memset (place, 0, sizeof *place);
  place->is_scalar = operand->kind == TT_NL_PREDICATE;
  switch (operand->kind)
    {
    case TT_NL_NONE:
      break;
    case TT_NL_VALUE:
      place->value = operand->value;
      place->is_literal = template->takes_literals;
      if (!place->is_literal)
        move_constant (self, operand->value, width, template->is_whole, place);
      break;
    case TT_NL_OPERAND:
      read_injected (self, operand, width, place);
      break;
    default:
      tt_nl_gcn_symbol (self, operand, place->symbol, sizeof place->symbol);
    }
}

static void
append_part (GString *text, const char *file, const char *symbol, char part)
{
  if (part == 'p')
    g_string_append_printf (text, "%s[%s:%s+1]", file, symbol, symbol);
  else
    g_string_append_printf (text, "%s[%s%s]", file, symbol, part == 'h' ? "+1" : "");
}

static void
append_place (GString *text, const TtNlGcnPlace *place, char part)
{
  guint32 half = (guint32) (part == 'h' ? place->value >> 32 : place->value);

  if (*place->symbol != '\0')
    append_part (text, place->is_scalar ? "s" : "v", place->symbol, part);
  else if (place->is_literal)
    g_string_append_printf (text, "0x%x", half);
  else if (place->moved != NULL && (place->is_moved[part == 'h'] || part == 'p'))
    append_part (text, "v", place->moved, part);
  else
    g_string_append_printf (text, "%u", half);
}

/* -- templates ------------------------------------------------------------------------------------------ */

static void
append_helper (TtNlGcnText *self, char letter, char part)
{
  static const struct
  {
    char letter;
    TtNlGcnHelper helper;
  } letters[] = {
    { 'k', TT_NL_GCN_K0 }, { 'm', TT_NL_GCN_M }, { 'q', TT_NL_GCN_Q },
    { 'r', TT_NL_GCN_R },  { 'z', TT_NL_GCN_B }, { 's', TT_NL_GCN_S },
  };

  for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
    if (letters[i].letter == letter)
      append_part (self->text, letters[i].helper >= TT_NL_GCN_N_VECTORS ? "s" : "v",
                   tt_nl_gcn_use_helper (self, letters[i].helper), part);
}

/* @word: the letters after '$'. */
static void
append_word (TtNlGcnText *self, const char *word)
{
  if (word[0] == 'c' && word[1] == 'c')
    append_part (self->text, "s", tt_nl_gcn_use_helper (self, TT_NL_GCN_C), 'p');
  else if (word[0] == 'e')
    g_string_append_printf (self->text, "s[nt_e%u:nt_e%u+1]", self->depth, self->depth);
  else if (word[0] == 'a')
    append_place (self->text, &self->a, word[1]);
  else if (word[0] == 'b')
    append_place (self->text, &self->b, word[1]);
  else if (word[0] == 'c')
    append_place (self->text, &self->c, word[1]);
  else if (word[0] == 'd')
    append_place (self->text, &self->d, word[1]);
  else
    append_helper (self, word[0], word[1]);
}

void
tt_nl_gcn_expand (TtNlGcnText *self, const char *template)
{
  if (self->text->len > 0)
    g_string_append_c (self->text, '\n');
  for (const char *c = template; *c != '\0'; c++)
    if (*c == '$')
      {
        append_word (self, c + 1);
        c += 2;
      }
    else
      g_string_append_c (self->text, *c);
}
