/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/ir-print.h"

static void
print_operand (const TtNlUnit *unit, const TtNlOperand *operand, GString *text)
{
  switch (operand->kind)
    {
    case TT_NL_VARIABLE:
      g_string_append (text, tt_nl_unit_variable (unit, operand->index)->name);
      break;
    case TT_NL_COPY:
      g_string_append_printf (text, "%s", tt_nl_unit_variable (unit, operand->index)->copy);
      break;
    case TT_NL_WIDE:
      g_string_append_printf (text, "t%u", operand->index);
      break;
    case TT_NL_NARROW:
      g_string_append_printf (text, "w%u", operand->index);
      break;
    case TT_NL_PREDICATE:
      g_string_append_printf (text, "p%u", operand->index);
      break;
    case TT_NL_VALUE:
      g_string_append_printf (text, "%" G_GUINT64_FORMAT, operand->value);
      break;
    case TT_NL_OPERAND:
      g_string_append (text, tt_nl_helper_words[operand->index]);
      break;
    case TT_NL_UNIT_ID:
      g_string_append (text, "smid");
      break;
    case TT_NL_NONE:
      break;
    }
}

static void
print_save (const TtNlUnit *unit, const TtNlInstruction *instruction, GString *text)
{
  if (instruction->map < 0)
    g_string_append_printf (text, ".u%u", (guint) instruction->width);
  else
    g_string_append_printf (text, " %s:", tt_nl_unit_map (unit, (guint) instruction->map)->name);
  for (guint i = 0; i < instruction->n_items; i++)
    {
      g_string_append (text, i == 0 ? " " : ", ");
      print_operand (unit, &instruction->items[i], text);
    }
}

static void
print_instruction (const TtNlUnit *unit, const TtNlInstruction *instruction, guint depth, GString *text)
{
  const TtNlOpInfo *info = &tt_nl_ops[instruction->op];
  const TtNlOperand *operands[] = { &instruction->d, &instruction->a, &instruction->b, &instruction->c };
  gboolean is_first = TRUE;

  g_string_append_printf (text, "%*s%s", 4 + 2 * (int) depth, "", info->name);
  if (instruction->op == TT_NL_SAVE)
    print_save (unit, instruction, text);
  else if (info->has_width)
    g_string_append_printf (text, ".%c%u", info->is_float || instruction->a.is_float ? 'f' : 'u',
                            (guint) instruction->width);
  for (guint i = 0; i < G_N_ELEMENTS (operands); i++)
    if (operands[i]->kind != TT_NL_NONE)
      {
        g_string_append (text, is_first ? " " : ", ");
        print_operand (unit, operands[i], text);
        is_first = FALSE;
      }
  g_string_append_c (text, '\n');
}

static void
print_code (const TtNlUnit *unit, const TtNlCode *code, GString *text)
{
  guint depth = 0;

  for (guint i = 0; i < code->list->len; i++)
    {
      const TtNlInstruction *instruction = tt_nl_code_at (code, i);

      depth -= instruction->op == TT_NL_ELSE || instruction->op == TT_NL_ENDIF;
      print_instruction (unit, instruction, depth, text);
      depth += instruction->op == TT_NL_IF || instruction->op == TT_NL_ELSE;
    }
}

static void
print_probes (const TtNlUnit *unit, const GPtrArray *probes, const char *when, GString *text)
{
  for (guint i = 0; i < probes->len; i++)
    {
      const TtNlProbe *probe = g_ptr_array_index (probes, i);

      g_string_append_printf (text, "  %s, probe %s:\n", when, probe->name);
      print_code (unit, probe->code, text);
    }
}

void
tt_nl_unit_print (const TtNlUnit *unit, GString *text)
{
  static const char *const levels[] = { [TT_NL_THREAD] = "thread", [TT_NL_WARP] = "warp" };

  for (guint i = 0; i < unit->variables->len; i++)
    {
      const TtNlVariable *variable = tt_nl_unit_variable (unit, i);

      g_string_append_printf (text, "variable %s: u%u = %" G_GUINT64_FORMAT "%s\n", variable->name,
                              (guint) variable->width, variable->initial,
                              variable->needs_initial ? "" : " (never read before it is written)");
    }
  for (guint i = 0; i < unit->sections->len; i++)
    {
      const TtNlSection *section = tt_nl_unit_section (unit, i);

      g_string_append_printf (text, "%ssection %s: %s level, at %s\n", text->len > 0 ? "\n" : "", section->name,
                              levels[section->level], section->position);
      print_probes (unit, section->before, "before", text);
      print_probes (unit, section->after, "after", text);
    }
}
