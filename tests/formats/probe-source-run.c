/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/probe-source-private.h"

#include <string.h>

static guint64
evaluate (const Node *node, guint width, const guint64 *variables, const ProbeMachine *machine, guint lane);

static gboolean
is_true (const Node *node, const guint64 *variables, const ProbeMachine *machine, guint lane)
{
  guint64 a, b;

  switch (node->kind)
    {
    case NODE_AND:
      return is_true (node->a, variables, machine, lane) && is_true (node->b, variables, machine, lane);
    case NODE_OR:
      return is_true (node->a, variables, machine, lane) || is_true (node->b, variables, machine, lane);
    case NODE_NOT:
      return !is_true (node->a, variables, machine, lane);
    case NODE_COMPARE:
      a = evaluate (node->a, node->width, variables, machine, lane);
      b = evaluate (node->b, node->width, variables, machine, lane);
      return node->op == 0   ? a == b
             : node->op == 1 ? a != b
             : node->op == 2 ? a < b
             : node->op == 3 ? a <= b
             : node->op == 4 ? a > b
                             : a >= b;
    case NODE_FLOAT_COMPARE:
      a = evaluate (node->a, node->width, variables, machine, lane);
      b = evaluate (node->b, node->width, variables, machine, lane);
      return probe_float_compare (node->op, probe_float (a, node->width), probe_float (b, node->width));
    case NODE_FLOAT:
    case NODE_FLOAT_CHOICE:
      a = evaluate (node, node->width, variables, machine, lane);
      return probe_float_compare (1, probe_float (a, node->width), 0);
    default:
      return evaluate (node, node->width, variables, machine, lane) != 0;
    }
}

static guint64
apply (guint op, guint width, guint64 a, guint64 b)
{
  const guint32 count = (guint32) b;

  switch (op)
    {
    case 0:
      return a + b;
    case 1:
      return a - b;
    case 2:
      return a * b;
    case 3:
    case 4:
      return a / b;
    case 5:
      return a % b;
    case 6:
      return a & b;
    case OP_OR:
      return a | b;
    case 8:
      return a ^ b;
    case FIRST_SHIFT:
      return count >= width ? 0 : a << count;
    default:
      return count >= width ? 0 : a >> count;
    }
}

static guint64
compute (const Node *node, guint width, const guint64 *variables, const ProbeMachine *machine, guint lane)
{
  guint64 a, b;

  switch (node->kind)
    {
    case NODE_CONSTANT:
      return node->value;
    case NODE_VARIABLE:
      return variables[node->value];
    case NODE_HELPER:
      return machine->operands[node->value][lane];
    case NODE_TIME:
      return machine->time;
    case NODE_CLOCK:
      return machine->clock;
    case NODE_SMID:
      return machine->smid;
    case NODE_CAST:
      return evaluate (node->a, node->a->width, variables, machine, lane);
    case NODE_POPC:
      a = evaluate (node->a, node->a->width, variables, machine, lane);
      for (b = 0; a != 0; a &= a - 1)
        b++;
      return b;
    case NODE_SEXT:
      a = evaluate (node->a, node->a->width, variables, machine, lane);
      return (a & 0x80000000) != 0 ? a | G_GUINT64_CONSTANT (0xffffffff00000000) : a & G_MAXUINT32;
    case NODE_FLOAT:
      return evaluate (node->a, width, variables, machine, lane) & tt_nl_mask (width);
    case NODE_FLOAT_NUMBER:
      return node->value;
    case NODE_FLOAT_CUT:
      a = evaluate (node->a, node->a->width, variables, machine, lane);
      if (node->op == 2)
        return a;
      a = probe_float_cut (probe_float (a, node->a->width), node->op == 1 ? 32 : node->width, node->op == 1);
      return node->op == 1 ? (guint64) (gint64) (gint32) (guint32) a : a;
    case NODE_ELEMENT:
      a = evaluate (node->a, node->a->width, variables, machine, lane);
      return a < N_ELEMENTS ? variables[MOST_VARIABLES + a] : 0;
    case NODE_UNARY:
      a = evaluate (node->a, width, variables, machine, lane);
      return node->op ? ~a : -a;
    case NODE_CHOICE:
    case NODE_FLOAT_CHOICE:
      return evaluate (is_true (node->c, variables, machine, lane) ? node->a : node->b, width, variables, machine,
                       lane);
    default:
      a = evaluate (node->a, width, variables, machine, lane);
      b = evaluate (node->b, node->op >= FIRST_SHIFT ? node->b->width : width, variables, machine, lane);
      return apply (node->op, width, a, b);
    }
}

/* The value in its own width, or in @width if that of @node is open; a narrower one is extended. */
static guint64
evaluate (const Node *node, guint width, const guint64 *variables, const ProbeMachine *machine, guint lane)
{
  guint own = node->width != 0 ? node->width : width;
  guint64 value = compute (node, own == 0 ? 64 : own, variables, machine, lane);

  return own == 32 ? value & G_MAXUINT32 : value;
}

static void
run_save (const ProbeSource *self, const Step *step, const guint64 *variables, ProbeRun *run, guint lane)
{
  for (guint i = 0; i < 4 && step->items[i] != NULL; i++)
    probe_run_save (run, lane, self->dialect == TT_NL_CURRENT && i >= 1 ? 32 : step->width,
                    evaluate (step->items[i], step->items[i]->width, variables, run->machine, lane));
}

static void
run_steps (const ProbeSource *self, const Step *step, guint64 *variables, ProbeRun *run, guint lane)
{
  for (; step != NULL; step = step->next)
    if (step->kind == STEP_SAVE)
      run_save (self, step, variables, run, lane);
    else if (step->kind == STEP_IF)
      run_steps (self, is_true (step->value, variables, run->machine, lane) ? step->then : step->otherwise, variables,
                 run, lane);
    else
      {
        guint open = step->op >= FIRST_SHIFT && step->op < N_BINARY ? step->value->width : step->width;
        guint64 value = evaluate (step->value, open, variables, run->machine, lane);

        guint64 which = step->index == NULL ? step->variable
                                            : evaluate (step->index, step->index->width, variables, run->machine, lane);

        if (step->index != NULL && which >= N_ELEMENTS)
          continue;
        which += step->index != NULL ? MOST_VARIABLES : 0;
        if (step->op < N_BINARY)
          value = apply (step->op, step->width, variables[which], value);
        variables[which] = value & tt_nl_mask (step->width);
      }
}

void
probe_source_run (const ProbeSource *self, ProbeRun *run)
{
  for (guint lane = 0; lane < N_LANES; lane++)
    {
      guint64 variables[MOST_VARIABLES + N_ELEMENTS];

      memcpy (variables, self->initial, sizeof variables);
      for (guint i = 0; i < G_N_ELEMENTS (self->steps); i++)
        run_steps (self, self->steps[i], variables, run, lane);
    }
}
