/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/probe-run.h"

#include <string.h>

/* Runs lists of instructions as they stand: branches are taken, or not. */
typedef struct
{
  const TtNlUnit *unit;
  ProbeRun *run;
  guint lane;
  guint64 *variables, *copies;
  GHashTable *temporaries; /* kind and index -> value */
} Evaluator;

static gpointer
key_of (const TtNlOperand *operand)
{
  return GUINT_TO_POINTER (((guint) operand->kind << 24) + operand->index);
}

static guint64
read_operand (Evaluator *self, const TtNlOperand *operand, guint width)
{
  const guint64 *value;

  switch (operand->kind)
    {
    case TT_NL_VARIABLE:
      return self->variables[operand->index];
    case TT_NL_COPY:
      return self->copies[operand->index];
    case TT_NL_VALUE:
      return operand->value;
    case TT_NL_OPERAND:
      return self->run->machine->operands[operand->index][self->lane] & tt_nl_mask (width);
    case TT_NL_UNIT_ID:
      return self->run->machine->smid;
    case TT_NL_NONE:
      return 0;
    default:
      value = g_hash_table_lookup (self->temporaries, key_of (operand));
      if (value == NULL)
        probe_run_fail (self->run, "a temporary is read before it is written");
      return value == NULL ? 0 : *value;
    }
}

static void
write_operand (Evaluator *self, const TtNlOperand *operand, guint64 value)
{
  if (operand->kind == TT_NL_VARIABLE)
    self->variables[operand->index] = value & tt_nl_mask (tt_nl_unit_variable (self->unit, operand->index)->width);
  else if (operand->kind == TT_NL_COPY)
    self->copies[operand->index] = value & G_MAXUINT32;
  else
    g_hash_table_insert (self->temporaries, key_of (operand), g_memdup2 (&value, sizeof value));
}

static guint64
compute (Evaluator *self, const TtNlInstruction *i)
{
  guint width = i->width;
  guint64 a = read_operand (self, &i->a, width), b = read_operand (self, &i->b, width);
  const ProbeMachine *machine = self->run->machine;

  switch (i->op)
    {
    case TT_NL_ADD:
      return a + b;
    case TT_NL_SUB:
      return a - b;
    case TT_NL_MUL:
      return a * b;
    case TT_NL_DIV:
    case TT_NL_MOD:
      return probe_divide (a, b, i->op == TT_NL_MOD, width);
    case TT_NL_AND:
    case TT_NL_PAND:
      return a & b;
    case TT_NL_OR:
    case TT_NL_POR:
      return a | b;
    case TT_NL_XOR:
      return a ^ b;
    case TT_NL_SHL:
      return b >= width ? 0 : a << b;
    case TT_NL_SHR:
      return b >= width ? 0 : a >> b;
    case TT_NL_NEG:
      return -a;
    case TT_NL_NOT:
      return ~a;
    case TT_NL_PNOT:
      return !a;
    case TT_NL_TIME:
      return machine->time;
    case TT_NL_CLOCK:
      return machine->clock;
    case TT_NL_SMID:
      return machine->smid;
    case TT_NL_POPC:
      return (guint64) __builtin_popcountll (a);
    case TT_NL_SEXT:
      return (guint64) (gint64) (gint32) (guint32) a;
    case TT_NL_CMP_EQ:
      return a == b;
    case TT_NL_CMP_NE:
      return a != b;
    case TT_NL_CMP_LT:
      return a < b;
    case TT_NL_CMP_LE:
      return a <= b;
    case TT_NL_CMP_GT:
      return a > b;
    case TT_NL_CMP_GE:
      return a >= b;
    case TT_NL_FLOAT_TO_U32:
    case TT_NL_FLOAT_TO_U64:
      return probe_float_cut (probe_float (a, width), i->op == TT_NL_FLOAT_TO_U32 ? 32 : 64, FALSE);
    case TT_NL_FLOAT_TO_S32:
      return probe_float_cut (probe_float (a, width), 32, TRUE);
    case TT_NL_FLOAT_EQ:
    case TT_NL_FLOAT_NE:
    case TT_NL_FLOAT_LT:
    case TT_NL_FLOAT_LE:
    case TT_NL_FLOAT_GT:
    case TT_NL_FLOAT_GE:
      return (guint64) probe_float_compare (i->op - TT_NL_FLOAT_EQ, probe_float (a, width), probe_float (b, width));
    case TT_NL_SEL:
      return a ? b : read_operand (self, &i->c, width);
    default:
      return a;
    }
}

static void
save (Evaluator *self, const TtNlInstruction *instruction)
{
  const TtNlMap *map = instruction->map < 0 ? NULL : tt_nl_unit_map (self->unit, (guint) instruction->map);

  for (guint i = 0; i < instruction->n_items; i++)
    {
      guint width = map != NULL ? map->fields[i].width : instruction->width;
      probe_run_save (self->run, self->lane, width, read_operand (self, &instruction->items[i], 64));
    }
}

/* From behind an if or else that is not taken to the else or endif of it. */
static guint
skip_branch (const TtNlCode *code, guint at, gboolean to_else)
{
  guint depth = 1;

  while (depth > 0)
    {
      TtNlOp op = tt_nl_code_at (code, ++at)->op;

      depth += op == TT_NL_IF;
      depth -= op == TT_NL_ENDIF || (op == TT_NL_ELSE && depth == 1 && to_else);
    }
  return at;
}

static void
run_code (Evaluator *self, const TtNlCode *code)
{
  g_hash_table_remove_all (self->temporaries);
  for (guint at = 0; at < code->list->len; at++)
    {
      const TtNlInstruction *instruction = tt_nl_code_at (code, at);
      guint64 value;

      switch (instruction->op)
        {
        case TT_NL_IF:
          if (!read_operand (self, &instruction->a, 64))
            at = skip_branch (code, at, TRUE);
          break;
        case TT_NL_ELSE:
          at = skip_branch (code, at, FALSE);
          break;
        case TT_NL_ENDIF:
          break;
        case TT_NL_SAVE:
          save (self, instruction);
          break;
        default:
          value = compute (self, instruction);
          if (tt_nl_ops[instruction->op].d == TT_NL_SAME)
            value &= tt_nl_mask (instruction->width);
          else if (tt_nl_ops[instruction->op].d == TT_NL_IS_32)
            value &= G_MAXUINT32;
          write_operand (self, &instruction->d, value);
        }
    }
}

static void
run_probes (Evaluator *self, gboolean at_kernel, gboolean before)
{
  for (guint i = 0; i < self->unit->sections->len; i++)
    {
      const TtNlSection *section = tt_nl_unit_section (self->unit, i);
      const GPtrArray *probes = before ? section->before : section->after;

      for (guint j = 0; j < probes->len && section->is_kernel == at_kernel; j++)
        run_code (self, ((const TtNlProbe *) g_ptr_array_index (probes, j))->code);
    }
}

void
probe_run_ir (const TtNlUnit *unit, ProbeRun *run)
{
  guint n = unit->variables->len;
  g_autofree guint64 *variables = g_new0 (guint64, n + 1), *copies = g_new0 (guint64, n + 1);
  Evaluator self = { .unit = unit, .run = run, .variables = variables, .copies = copies };

  self.temporaries = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  for (self.lane = 0; self.lane < N_LANES; self.lane++)
    {
      for (guint i = 0; i < n; i++)
        {
          const TtNlVariable *variable = tt_nl_unit_variable (unit, i);
          guint64 garbage = g_rand_int (run->garbage);

          variables[i] = variable->needs_initial ? variable->initial : garbage;
        }
      run_probes (&self, TRUE, TRUE);
      run_probes (&self, FALSE, TRUE);
      run_probes (&self, FALSE, FALSE);
      run_probes (&self, TRUE, FALSE);
    }
  g_hash_table_unref (self.temporaries);
}
