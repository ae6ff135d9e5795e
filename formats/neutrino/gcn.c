/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/gcn-pack.h"
#include "formats/neutrino/gcn-text.h"
#include "formats/neutrino/gcn-waits.h"
#include "formats/neutrino/position.h"

#include <string.h>

/* -- instructions --------------------------------------------------------------------------------------- */

/* Division by a power of two needs no steps. */
static TtNlInstruction
simplify (const TtNlInstruction *instruction)
{
  TtNlInstruction simple = *instruction;
  guint64 divisor = instruction->b.value;

  if ((instruction->op != TT_NL_DIV && instruction->op != TT_NL_MOD) || instruction->b.kind != TT_NL_VALUE ||
      (divisor & (divisor - 1)) != 0)
    return simple;
  if (instruction->op == TT_NL_MOD)
    {
      simple.op = TT_NL_AND;
      simple.b.value = divisor - 1;
      return simple;
    }
  simple.op = TT_NL_SHR;
  for (simple.b.value = 0; divisor > 1; divisor >>= 1)
    simple.b.value++;
  return simple;
}

static const TtNlGcnTemplate *
find_template (const TtNlInstruction *instruction)
{
  if (instruction->op == TT_NL_SHL && instruction->b.kind != TT_NL_VALUE)
    return &tt_nl_gcn_shl_counted;
  if (instruction->op == TT_NL_SHR && instruction->b.kind != TT_NL_VALUE)
    return &tt_nl_gcn_shr_counted;
  return &tt_nl_gcn_table[instruction->op];
}

static void
emit_operation (TtNlGcnText *self, const TtNlInstruction *instruction)
{
  const TtNlGcnTemplate *template = find_template (instruction);
  TtNlRole count = tt_nl_ops[instruction->op].b;
  guint width = instruction->width;
  gboolean is_narrow = template->wide == NULL || (template->narrow != NULL && width == TT_NL_U32);

  self->has_k0 = FALSE;
  tt_nl_gcn_find_place (self, &instruction->a, width, template, &self->a);
  tt_nl_gcn_find_place (self, &instruction->b, count == TT_NL_IS_32 ? TT_NL_U32 : width, template, &self->b);
  tt_nl_gcn_find_place (self, &instruction->c, width, template, &self->c);
  tt_nl_gcn_find_place (self, &instruction->d, width, template, &self->d);
  tt_nl_gcn_expand (self, is_narrow ? template->narrow : template->wide);
  if (instruction->op == TT_NL_SMID && self->target->has_die_id)
    tt_nl_gcn_expand (self, tt_nl_gcn_die_id);
  self->changes_scc = self->changes_scc || template->changes_scc;
}

/* Only registers can be saved. */
static void
emit_item (TtNlGcnText *self, const TtNlOperand *item, guint width, GString *items)
{
  TtNlOperand copy = { .kind = width == TT_NL_U32 ? TT_NL_NARROW : TT_NL_WIDE };
  TtNlInstruction move = { .op = TT_NL_MOV, .width = width, .a = *item };
  char symbol[256];

  if (!tt_nl_operand_is_register (item))
    {
      copy.index = width == TT_NL_U32 ? self->n_narrow++ : self->n_wide++;
      move.d = copy;
      if (item->kind == TT_NL_UNIT_ID)
        {
          move.op = TT_NL_SMID;
          move.a.kind = TT_NL_NONE;
        }
      emit_operation (self, &move);
      item = &copy;
    }
  tt_nl_gcn_symbol (self, item, symbol, sizeof symbol);
  g_string_append_printf (items, "%s%s", items->len > 0 ? ", " : "", symbol);
}

static void
emit_save (TtNlGcnText *self, const TtNlInstruction *instruction)
{
  const TtNlMap *map = instruction->map < 0 ? NULL : tt_nl_unit_map (self->unit, (guint) instruction->map);
  g_autoptr (GString) items = g_string_new (NULL);

  for (guint i = 0; i < instruction->n_items; i++)
    emit_item (self, &instruction->items[i], map != NULL ? map->fields[i].width : instruction->width, items);
  if (map == NULL)
    tt_nl_line (self->text, "SAVE.u%u {%s};", (guint) instruction->width, items->str);
  else
    tt_nl_line (self->text, "SAVE [ %s ] { %s };", map->name, items->str);
}

static void
emit_instruction (TtNlGcnText *self, const TtNlInstruction *instruction)
{
  TtNlInstruction simple = simplify (instruction);

  if (simple.op == TT_NL_SAVE)
    {
      emit_save (self, &simple);
      return;
    }
  self->depth -= simple.op == TT_NL_ELSE || simple.op == TT_NL_ENDIF;
  emit_operation (self, &simple);
  self->depth += simple.op == TT_NL_IF || simple.op == TT_NL_ELSE;
  self->most_depth = MAX (self->most_depth, self->depth);
}

/* -- probes ----------------------------------------------------------------------------------------------- */

/* The kernel may be about to read SCC where a probe stands between its instructions. */
static void
keep_scc (TtNlGcnText *self, GString *text)
{
  self->uses_scc = TRUE;
  g_string_prepend (text, "s_cselect_b32 s[nt_scc], 1, 0\n");
  g_string_append (text, "\ns_cmp_lg_u32 s[nt_scc], 0");
}

static gboolean
reads (const TtNlCode *code, guint variable)
{
  for (guint i = 0; i < code->list->len; i++)
    {
      const TtNlInstruction *instruction = tt_nl_code_at (code, i);
      const TtNlOperand *operands[] = { &instruction->a, &instruction->b, &instruction->c };

      for (guint o = 0; o < G_N_ELEMENTS (operands); o++)
        if (operands[o]->kind == TT_NL_VARIABLE && operands[o]->index == variable)
          return TRUE;
      for (guint item = 0; item < instruction->n_items; item++)
        if (instruction->items[item].kind == TT_NL_VARIABLE && instruction->items[item].index == variable)
          return TRUE;
    }
  return FALSE;
}

/* Whether lanes beside the leader would see what @probe, of a warp, writes. Otherwise nobody can tell which lanes ran. */
static gboolean
is_seen_by_threads (const TtNlUnit *unit, const TtNlProbe *probe)
{
  for (guint i = 0; i < probe->code->list->len; i++)
    {
      const TtNlOperand *written = &tt_nl_code_at (probe->code, i)->d;

      for (guint other = 0; other < unit->probes->len && written->kind == TT_NL_VARIABLE; other++)
        if (tt_nl_unit_probe (unit, other)->level == TT_NL_THREAD &&
            reads (tt_nl_unit_probe (unit, other)->code, written->index))
          return TRUE;
    }
  return FALSE;
}

/* As on PTX, where an injector puts the leader's guard on each line. */
static void
run_in_leader (TtNlGcnText *self, GString *text)
{
  const char *name = tt_nl_gcn_use_helper (self, TT_NL_GCN_L);
  g_autofree char *head = g_strdup_printf ("s_mov_b64 s[%s:%s+1], exec\ns_and_b64 exec, exec, 1\n", name, name);

  g_string_prepend (text, head);
  g_string_append_printf (text, "\ns_mov_b64 exec, s[%s:%s+1]", name, name);
  self->changes_scc = TRUE;
}

static void
emit_probe (TtNlGcnText *self, const TtNlProbe *probe, gboolean is_packed, GString *text)
{
  g_autoptr (TtNlCode) packed = is_packed ? tt_nl_code_pack (probe->code) : NULL;
  const TtNlCode *code = is_packed ? packed : probe->code;
  g_autoptr (GString) own = g_string_new (NULL);

  self->text = own;
  self->changes_scc = FALSE;
  self->has_narrow_addresses = tt_nl_position_addresses (probe->position, FALSE) == TT_NL_ADDRESSES_32;
  self->n_wide = code->n_wide;
  self->n_narrow = code->n_narrow;
  for (guint i = 0; i < code->list->len; i++)
    emit_instruction (self, tt_nl_code_at (code, i));
  self->most_wide = MAX (self->most_wide, self->n_wide);
  self->most_narrow = MAX (self->most_narrow, self->n_narrow);
  self->most_predicates = MAX (self->most_predicates, code->n_predicates);
  if (own->len > 0 && probe->level == TT_NL_WARP && is_seen_by_threads (self->unit, probe))
    run_in_leader (self, own);
  if (self->changes_scc && !probe->is_kernel)
    keep_scc (self, own);
  if (own->len > 0)
    tt_nl_line (text, "%s", own->str);
}

static void
emit_probes (TtNlGcnText *self, const TtNlSection *section, gboolean is_after, gboolean is_packed, GString *text)
{
  const GPtrArray *probes = is_after ? section->after : section->before;

  g_string_truncate (text, 0);
  for (guint i = 0; i < probes->len; i++)
    emit_probe (self, g_ptr_array_index (probes, i), is_packed, text);
  if (text->len > 0)
    tt_nl_gcn_add_waits (text, self->target, section->is_kernel ? NULL : section->position, is_after);
}

/* -- declarations ----------------------------------------------------------------------------------------- */

typedef struct
{
  GString *head;
  const char *base;
  guint next;
} Numbering;

/* Pairs begin at even numbers. */
static void G_GNUC_PRINTF (3, 4) number (Numbering *self, guint n_registers, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *name = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  self->next += n_registers == 2 ? self->next & 1 : 0;
  tt_nl_line (self->head, ".set %s, %s+%u", name, self->base, self->next);
  self->next += n_registers;
}

static void
number_vectors (const TtNlGcnText *self, Numbering *vectors)
{
  const GArray *variables = self->unit->variables;

  for (guint i = 0; i < variables->len; i++)
    number (vectors, tt_nl_unit_variable (self->unit, i)->width / 32, "nv_%s",
            tt_nl_unit_variable (self->unit, i)->name);
  for (guint i = 0; i < variables->len; i++)
    if (tt_nl_unit_variable (self->unit, i)->copy != NULL)
      number (vectors, 1, "nv_%s", tt_nl_unit_variable (self->unit, i)->copy);
  for (guint i = 0; i < self->most_wide; i++)
    number (vectors, 2, "nt_t%u", i);
  for (guint i = 0; i < self->most_narrow; i++)
    number (vectors, 1, "nt_w%u", i);
  for (guint i = 0; i < TT_NL_GCN_N_VECTORS; i++)
    if (self->is_used[i])
      number (vectors, 2, "%s", tt_nl_gcn_helpers[i]);
}

static void
number_scalars (const TtNlGcnText *self, Numbering *scalars)
{
  for (guint i = TT_NL_GCN_N_VECTORS; i < TT_NL_GCN_N_HELPERS; i++)
    if (self->is_used[i])
      number (scalars, 2, "%s", tt_nl_gcn_helpers[i]);
  for (guint i = 0; i < self->most_predicates; i++)
    number (scalars, 2, "nt_p%u", i);
  for (guint i = 0; i < self->most_depth; i++)
    number (scalars, 2, "nt_e%u", i);
  if (self->uses_scc)
    number (scalars, 1, "nt_scc");
}

static void
set_initial (TtNlGcnText *self, GString *head)
{
  self->text = head;
  for (guint i = 0; i < self->unit->variables->len; i++)
    {
      const TtNlVariable *variable = tt_nl_unit_variable (self->unit, i);
      TtNlInstruction initial = {
        .op = TT_NL_MOV,
        .width = variable->width,
        .d = { .kind = TT_NL_VARIABLE, .index = i },
        .a = { .kind = TT_NL_VALUE, .value = variable->initial },
      };

      if (variable->needs_initial)
        emit_operation (self, &initial);
    }
}

/* -- all ------------------------------------------------------------------------------------------------ */

static gboolean
emit_all (const TtNlTarget *target,
          const TtNlUnit *unit,
          gboolean is_packed,
          TtNlOutput *output,
          guint *n_vectors,
          guint *n_scalars)
{
  g_autoptr (GString) head = g_string_new (NULL);
  TtNlGcnText self = { .target = target, .unit = unit };

  for (guint i = 0; i < unit->sections->len; i++)
    {
      const TtNlSection *section = tt_nl_unit_section (unit, i);

      emit_probes (&self, section, FALSE, is_packed, output->sections[i].before);
      emit_probes (&self, section, TRUE, is_packed, output->sections[i].after);
    }

  Numbering vectors = { .head = head, .base = "NT_VGPR" }, scalars = { .head = head, .base = "NT_SGPR" };
  number_vectors (&self, &vectors);
  number_scalars (&self, &scalars);
  *n_vectors = vectors.next;
  *n_scalars = scalars.next;
  if (vectors.next > target->n_vector || scalars.next > target->n_scalar)
    return FALSE;
  set_initial (&self, head);
  tt_nl_output_prepend (output, unit->home, head);
  output->n_registers = unit->variables->len + self.most_wide + self.most_narrow;
  g_string_printf (output->comment, "needs %u VGPRs from NT_VGPR (even) and %u SGPRs from NT_SGPR (even)", *n_vectors,
                   *n_scalars);
  return TRUE;
}

/* Injectors replace words wherever they stand, in a symbol too. */
static gboolean
check_names (const TtNlUnit *unit)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < unit->variables->len; i++)
    for (guint word = 0; word <= TT_NL_N_HELPERS; word++)
      {
        const TtNlVariable *variable = tt_nl_unit_variable (unit, i);
        const char *replaced = word < TT_NL_N_HELPERS ? tt_nl_helper_words[word] : "SAVE";

        if (strstr (variable->name, replaced) == NULL)
          continue;
        tt_nl_error (unit->messages, variable->offset,
                     "variable '%s' has %s in its name, which an injector replaces: choose another name",
                     variable->name, replaced);
        ok = FALSE;
        break;
      }
  return ok;
}

static gboolean
check_functions (const TtNlUnit *unit, const TtNlTarget *target)
{
  for (guint i = 0; i < unit->probes->len; i++)
    {
      const TtNlCode *code = tt_nl_unit_probe (unit, i)->code;

      for (guint j = 0; j < code->list->len; j++)
        if (tt_nl_code_at (code, j)->op >= TT_NL_WARP_ID && tt_nl_code_at (code, j)->op <= TT_NL_BALLOT)
          {
            tt_nl_error (unit->messages, tt_nl_code_at (code, j)->offset, "%s() is there for ptx, not for %s",
                         tt_nl_ops[tt_nl_code_at (code, j)->op].name, target->name);
            return FALSE;
          }
    }
  return TRUE;
}

gboolean
tt_nl_gcn_emit (const TtNlTarget *target, const TtNlUnit *unit, TtNlOutput *output)
{
  guint n_vectors, n_scalars;

  if (!check_functions (unit, target) || !check_names (unit) || !tt_nl_position_check_addresses (unit, FALSE))
    return FALSE;
  if (emit_all (target, unit, FALSE, output, &n_vectors, &n_scalars) ||
      emit_all (target, unit, TRUE, output, &n_vectors, &n_scalars))
    return TRUE;
  tt_nl_error (unit->messages, tt_nl_unit_probe (unit, 0)->offset,
               "the probes need %u vector and %u scalar registers, and %s has %u and %u: make them smaller", n_vectors,
               n_scalars, target->name, target->n_vector, target->n_scalar);
  return FALSE;
}
