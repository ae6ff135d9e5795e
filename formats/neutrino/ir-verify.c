/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/ir-print.h"
#include "src/base/error.h"

/* For each temporary and predicate the region it was written in, 0: not yet. */
typedef struct
{
  const TtNlUnit *unit;
  const TtNlCode *code;
  guint *wide, *narrow, *predicates;
  GArray *open; /* of guint: regions around this instruction; the outermost is 1 */
  guint n_regions;
  const char *why;
} Verifier;

static gboolean
is_open (const Verifier *self, guint region)
{
  for (guint i = 0; i < self->open->len; i++)
    if (g_array_index (self->open, guint, i) == region)
      return TRUE;
  return FALSE;
}

static guint *
find_region (Verifier *self, const TtNlOperand *operand)
{
  switch (operand->kind)
    {
    case TT_NL_WIDE:
      return operand->index < self->code->n_wide ? &self->wide[operand->index] : NULL;
    case TT_NL_NARROW:
      return operand->index < self->code->n_narrow ? &self->narrow[operand->index] : NULL;
    case TT_NL_PREDICATE:
      return operand->index < self->code->n_predicates ? &self->predicates[operand->index] : NULL;
    default:
      return NULL;
    }
}

/* 0: of any width. */
static guint
find_width (const Verifier *self, const TtNlOperand *operand)
{
  switch (operand->kind)
    {
    case TT_NL_VARIABLE:
      return tt_nl_unit_variable (self->unit, operand->index)->width;
    case TT_NL_WIDE:
      return TT_NL_U64;
    case TT_NL_COPY:
    case TT_NL_NARROW:
    case TT_NL_UNIT_ID:
      return TT_NL_U32;
    default:
      return 0;
    }
}

static void
check_index (Verifier *self, const TtNlOperand *operand)
{
  if ((operand->kind == TT_NL_VARIABLE || operand->kind == TT_NL_COPY) && operand->index >= self->unit->variables->len)
    self->why = "a variable is out of range";
  else if (operand->kind == TT_NL_COPY && tt_nl_unit_variable (self->unit, operand->index)->copy == NULL)
    self->why = "a copy has no name";
  else if (operand->kind == TT_NL_OPERAND && operand->index >= TT_NL_N_HELPERS)
    self->why = "an operand is out of range";
  else if (operand->kind >= TT_NL_WIDE && operand->kind <= TT_NL_PREDICATE && find_region (self, operand) == NULL)
    self->why = "a temporary is out of range";
}

static guint
role_width (const TtNlInstruction *instruction, TtNlRole role)
{
  if (role == TT_NL_SAME)
    return instruction->width;
  return role == TT_NL_IS_32 ? TT_NL_U32 : TT_NL_U64;
}

static void
check_role (Verifier *self, const TtNlInstruction *instruction, const TtNlOperand *operand, TtNlRole role)
{
  guint wanted = role_width (instruction, role), width;

  check_index (self, operand);
  if (self->why != NULL)
    return;
  width = find_width (self, operand);
  if ((role == TT_NL_NO_OPERAND) != (operand->kind == TT_NL_NONE))
    self->why = "an operand is missing, or one too many";
  else if (role != TT_NL_NO_OPERAND && (role == TT_NL_TRUTH) != (operand->kind == TT_NL_PREDICATE))
    self->why = "a predicate stands for a value, or a value for a predicate";
  else if (role != TT_NL_NO_OPERAND && role != TT_NL_TRUTH && width != 0 && width != wanted)
    self->why = "an operand has another width than its operation";
  else if (operand->kind == TT_NL_VALUE && operand->value > tt_nl_mask (wanted))
    self->why = "a constant is too large for its operation";
}

static void
check_read (Verifier *self, const TtNlOperand *operand)
{
  const guint *region = find_region (self, operand);

  if (region != NULL && !is_open (self, *region))
    self->why = "a temporary is read where it was not written";
}

static void
check_written (Verifier *self, const TtNlOperand *operand)
{
  guint *region = find_region (self, operand);

  if (region != NULL && *region != 0)
    self->why = "a temporary is written twice";
  else if (region != NULL)
    *region = g_array_index (self->open, guint, self->open->len - 1);
  else if (operand->kind != TT_NL_NONE && operand->kind != TT_NL_VARIABLE && operand->kind != TT_NL_COPY)
    self->why = "what is written is no register";
}

static void
open_region (Verifier *self)
{
  guint region = ++self->n_regions;

  g_array_append_val (self->open, region);
}

static void
check_structure (Verifier *self, TtNlOp op)
{
  if (op == TT_NL_IF)
    open_region (self);
  else if (op == TT_NL_ELSE || op == TT_NL_ENDIF)
    {
      if (self->open->len == 1)
        {
          self->why = "else or endif without if";
          return;
        }
      g_array_set_size (self->open, self->open->len - 1);
      if (op == TT_NL_ELSE)
        open_region (self);
    }
}

static void
check_save (Verifier *self, const TtNlInstruction *instruction)
{
  const TtNlMap *map = NULL;

  if (instruction->map >= (int) self->unit->maps->len || (instruction->map < 0) != (self->unit->dialect == TT_NL_SEED))
    self->why = "save goes to no map that is there";
  else if (instruction->map >= 0)
    map = tt_nl_unit_map (self->unit, (guint) instruction->map);
  if (map != NULL && map->n_fields != instruction->n_items)
    self->why = "save has another number of items than its map";
  for (guint i = 0; i < instruction->n_items && self->why == NULL; i++)
    {
      guint wanted = map != NULL ? map->fields[i].width : instruction->width;

      check_index (self, &instruction->items[i]);
      if (self->why != NULL)
        return;
      check_read (self, &instruction->items[i]);
      guint width = find_width (self, &instruction->items[i]);
      if (width != 0 && width != wanted && (map == NULL || wanted == TT_NL_U64))
        self->why = "an item has another width than its save";
    }
}

static void
check_instruction (Verifier *self, const TtNlInstruction *instruction)
{
  const TtNlOpInfo *info = &tt_nl_ops[instruction->op];
  const TtNlOperand *read[] = { &instruction->a, &instruction->b, &instruction->c };
  const TtNlRole roles[] = { info->a, info->b, info->c };

  for (guint i = 0; i < G_N_ELEMENTS (read) && self->why == NULL; i++)
    {
      check_role (self, instruction, read[i], roles[i]);
      check_read (self, read[i]);
    }
  if (self->why == NULL)
    check_role (self, instruction, &instruction->d, info->d);
  if (self->why == NULL)
    check_written (self, &instruction->d);
  if (self->why == NULL && instruction->op == TT_NL_SAVE)
    check_save (self, instruction);
  if (self->why == NULL)
    check_structure (self, instruction->op);
}

gboolean
tt_nl_code_verify (const TtNlUnit *unit, const TtNlCode *code, GError **error)
{
  g_autofree guint *wide = g_new0 (guint, code->n_wide + 1);
  g_autofree guint *narrow = g_new0 (guint, code->n_narrow + 1);
  g_autofree guint *predicates = g_new0 (guint, code->n_predicates + 1);
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint));
  Verifier self = {
    .unit = unit, .code = code, .wide = wide, .narrow = narrow, .predicates = predicates, .open = open
  };
  guint i;

  open_region (&self);
  for (i = 0; i < code->list->len && self.why == NULL; i++)
    {
      const TtNlInstruction *instruction = tt_nl_code_at (code, i);

      if (instruction->op >= TT_NL_N_OPS)
        self.why = "an operation is unknown";
      else
        check_instruction (&self, instruction);
    }
  if (self.why == NULL && open->len != 1)
    self.why = "an if is not ended";
  if (self.why != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "BUG: instruction %u: %s", i, self.why);
  return self.why == NULL;
}
