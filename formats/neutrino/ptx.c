/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/position.h"
#include "formats/neutrino/ptx-save.h"
#include "formats/neutrino/target.h"

#include <string.h>

/*
 * Within an if, what writes a variable writes a temporary, and a selection by the predicate of the branch keeps the old
 * value or takes the new one. Guards on instructions are left to injectors, who put their own on every line; a jump goes
 * only around a save (ptx-save).
 *
 * The seed's dialect has registers of both widths, the current one only %NR of 64 bits, in which a value of 32 bits is
 * kept with zeros above it.
 */

/* A place in a grid or block of three dimensions, counted along x first. */
#define LINEAR(id, size)                                                                                            \
  "{\n.reg .b32 %nta;\n.reg .b32 %ntb;\nmov.u32 %nta, %" id ".z;\nmov.u32 %ntb, %" size ".y;\n"                     \
  "mul.lo.u32 %nta, %nta, %ntb;\nmov.u32 %ntb, %" id ".y;\nadd.u32 %nta, %nta, %ntb;\nmov.u32 %ntb, %" size ".x;\n" \
  "mul.lo.u32 %nta, %nta, %ntb;\nmov.u32 %ntb, %" id ".x;\nadd.u32 %nta, %nta, %ntb;\n"
#define BALLOT "{\n.reg .b32 %nta;\nactivemask.b32 %nta;\nvote.sync.ballot.b32 %nta, $a, %nta;\n"
#define NARROW "mov.u32 $d, %nta;\n}"
#define WIDE "cvt.u64.u32 $d, %nta;\n}"

/* $d $a $b $c: operands; $w: the width; &: as which float $a is read. */
typedef struct
{
  const char *seed;
  const char *current; /* NULL: the same with a width of 64 */
  gboolean overflows;  /* beyond 32 bits in a register of 64 */
} Template;

static const Template templates[TT_NL_N_OPS] = {
  [TT_NL_MOV] = { "mov.u$w $d, $a;", NULL, FALSE },
  [TT_NL_ADD] = { "add.u$w $d, $a, $b;", NULL, TRUE },
  [TT_NL_SUB] = { "sub.u$w $d, $a, $b;", NULL, TRUE },
  [TT_NL_MUL] = { "mul.lo.u$w $d, $a, $b;", NULL, TRUE },
  [TT_NL_DIV] = { "div.u$w $d, $a, $b;", NULL, FALSE },
  [TT_NL_MOD] = { "rem.u$w $d, $a, $b;", NULL, FALSE },
  [TT_NL_AND] = { "and.b$w $d, $a, $b;", NULL, FALSE },
  [TT_NL_OR] = { "or.b$w $d, $a, $b;", NULL, FALSE },
  [TT_NL_XOR] = { "xor.b$w $d, $a, $b;", NULL, FALSE },
  [TT_NL_SHL] = { "shl.b$w $d, $a, $b;", NULL, TRUE },
  [TT_NL_SHR] = { "shr.u$w $d, $a, $b;", NULL, FALSE },
  [TT_NL_NEG] = { "neg.s$w $d, $a;", NULL, TRUE },
  [TT_NL_NOT] = { "not.b$w $d, $a;", NULL, TRUE },
  [TT_NL_ZEXT] = { "cvt.u64.u32 $d, $a;", "mov.u64 $d, $a;", FALSE },
  [TT_NL_TRUNC] = { "cvt.u32.u64 $d, $a;", "and.b64 $d, $a, 4294967295;", FALSE },
  [TT_NL_TIME] = { "mov.u64 $d, %globaltimer;", NULL, FALSE },
  [TT_NL_CLOCK] = { "mov.u64 $d, %clock64;", NULL, FALSE },
  [TT_NL_SMID] = { "mov.u32 $d, %smid;", "cvt.u64.u32 $d, %smid;", FALSE },
  [TT_NL_POPC] = { "popc.b$w $d, $a;", "{\n.reg .b32 %nta;\npopc.b64 %nta, $a;\n" WIDE, FALSE },
  [TT_NL_SEXT] = { "cvt.s64.s32 $d, $a;", NULL, FALSE },
  [TT_NL_LANE] = { "mov.u32 $d, %laneid;", "cvt.u64.u32 $d, %laneid;", FALSE },
  [TT_NL_WARP_ID] = { LINEAR ("tid", "ntid") "shr.u32 %nta, %nta, 5;\n" NARROW,
                      LINEAR ("tid", "ntid") "shr.u32 %nta, %nta, 5;\n" WIDE, FALSE },
  [TT_NL_BLOCK] = { LINEAR ("ctaid", "nctaid") NARROW, LINEAR ("ctaid", "nctaid") WIDE, FALSE },
  [TT_NL_ACTIVEMASK] = { "{\n.reg .b32 %nta;\nactivemask.b32 %nta;\n" NARROW,
                         "{\n.reg .b32 %nta;\nactivemask.b32 %nta;\n" WIDE, FALSE },
  [TT_NL_BALLOT] = { BALLOT NARROW, BALLOT WIDE, FALSE },
  [TT_NL_CMP_EQ] = { "setp.eq.u$w $d, $a, $b;", NULL, FALSE },
  [TT_NL_CMP_NE] = { "setp.ne.u$w $d, $a, $b;", NULL, FALSE },
  [TT_NL_CMP_LT] = { "setp.lt.u$w $d, $a, $b;", NULL, FALSE },
  [TT_NL_CMP_LE] = { "setp.le.u$w $d, $a, $b;", NULL, FALSE },
  [TT_NL_CMP_GT] = { "setp.gt.u$w $d, $a, $b;", NULL, FALSE },
  [TT_NL_CMP_GE] = { "setp.ge.u$w $d, $a, $b;", NULL, FALSE },
  [TT_NL_PAND] = { "and.pred $d, $a, $b;", NULL, FALSE },
  [TT_NL_POR] = { "or.pred $d, $a, $b;", NULL, FALSE },
  [TT_NL_PNOT] = { "not.pred $d, $a;", NULL, FALSE },
  [TT_NL_SEL] = { "selp.b$w $d, $b, $c, $a;", NULL, FALSE },
};

/* A register of the instruction that was found: of any type in its width. Only a store takes one of 32 bits whatever its
 * type, and the lower half of one of 64; assemblers make no memory of it. An address in shared memory may have either. */
static const Template fetch_plain = { "mov.b$w $d, $a;&", NULL, FALSE };
static const Template fetch_shared = { "cvt.u64.u32 $d, $a;", NULL, FALSE };
static const Template fetch_narrow = { "mov.u$w $d, 0; { .local .b32 ncut; st.local.b32 [ncut], $a;&\n"
                                       "ld.local.u32 $d, [ncut]; }",
                                       NULL, FALSE };
/* Counts of shifts have 32 bits. */
static const char count_template[] = "{\n.reg .b32 %ntc;\ncvt.u32.u64 %ntc, $b;\n";

typedef struct
{
  TtNlOperand condition;
  TtNlOperand mask; /* of the branch: the condition and those around it */
} Branch;

typedef struct
{
  const TtNlUnit *unit;
  const TtNlSection *section;
  GString *text;
  /* In this probe; then the most of all probes. */
  guint n_wide, n_narrow, n_predicates;
  guint most_wide, most_narrow, most_predicates;
  GArray *branches; /* of Branch */
  TtNlPtxSaves saves;
} Emitter;

/* -- operands ------------------------------------------------------------------------------------- */

static void
append_register (const Emitter *self, const TtNlOperand *operand, GString *text)
{
  const TtNlVariable *variable;
  guint first = 0;

  if (self->unit->dialect == TT_NL_CURRENT)
    {
      if (operand->kind == TT_NL_WIDE)
        first = self->unit->variables->len;
      else if (operand->kind == TT_NL_NARROW)
        first = self->unit->variables->len + self->most_wide;
      g_string_append_printf (text, "%%NR%u", first + operand->index);
      return;
    }
  if (operand->kind == TT_NL_WIDE || operand->kind == TT_NL_NARROW)
    {
      g_string_append_printf (text, "%%n%c%u", operand->kind == TT_NL_WIDE ? 't' : 'w', operand->index);
      return;
    }
  variable = tt_nl_unit_variable (self->unit, operand->index);
  g_string_append_printf (text, "%%%s", operand->kind == TT_NL_COPY ? variable->copy : variable->name);
}

static void
append_operand (const Emitter *self, const TtNlOperand *operand, GString *text)
{
  switch (operand->kind)
    {
    case TT_NL_PREDICATE:
      g_string_append_printf (text, "%%np%u", operand->index);
      break;
    case TT_NL_VALUE:
      g_string_append_printf (text, "%" G_GUINT64_FORMAT, operand->value);
      break;
    case TT_NL_OPERAND:
      g_string_append (text, tt_nl_helper_words[operand->index]);
      break;
    case TT_NL_UNIT_ID:
      g_string_append (text, "%smid");
      break;
    default:
      append_register (self, operand, text);
    }
}

/* A weaver that knows types of registers finds there what it must be. */
static void
note_float (const TtNlInstruction *instruction, GString *text)
{
  if (instruction->a.is_float)
    g_string_append_printf (text, " // f%u", (guint) instruction->width);
}

static void
expand (Emitter *self, const char *template, const TtNlInstruction *instruction)
{
  guint width = self->unit->dialect == TT_NL_CURRENT ? 64 : instruction->width;

  if (self->text->len > 0)
    g_string_append_c (self->text, '\n');
  for (const char *c = template; *c != '\0'; c++)
    if (*c == '&')
      note_float (instruction, self->text);
    else if (*c != '$')
      g_string_append_c (self->text, *c);
    else
      switch (*++c)
        {
        case 'w':
          g_string_append_printf (self->text, "%u", width);
          break;
        case 'a':
          append_operand (self, &instruction->a, self->text);
          break;
        case 'b':
          append_operand (self, &instruction->b, self->text);
          break;
        case 'c':
          append_operand (self, &instruction->c, self->text);
          break;
        default:
          append_operand (self, &instruction->d, self->text);
        }
}

/* -- plain operations ------------------------------------------------------------------------------- */

static gboolean
is_fetch (const TtNlInstruction *instruction)
{
  return instruction->op == TT_NL_MOV && instruction->a.kind == TT_NL_OPERAND;
}

static const Template *
find_fetch (const Emitter *self, const TtNlInstruction *instruction)
{
  if (instruction->width == TT_NL_U32 && instruction->a.index != TT_NL_BYTES)
    return &fetch_narrow;
  return instruction->a.index == TT_NL_ADDR &&
                 tt_nl_position_addresses (self->section->position, TRUE) == TT_NL_ADDRESSES_32
             ? &fetch_shared
             : &fetch_plain;
}

/* The count of the current dialect is in a register of 64 bits. */
static void
emit_counted_shift (Emitter *self, const TtNlInstruction *instruction)
{
  g_autofree char *template = g_strconcat (
      count_template, instruction->op == TT_NL_SHL ? "shl.b64 $d, $a, %ntc;" : "shr.u64 $d, $a, %ntc;", "\n}", NULL);

  expand (self, template, instruction);
}

static const char *const float_compares[] = { "eq", "neu", "lt", "le", "gt", "ge" };

/* In a scope of its own: in the current dialect an f32 lies in the lower half of a register. */
static void
emit_float (Emitter *self, const TtNlInstruction *instruction)
{
  gboolean is_current = self->unit->dialect == TT_NL_CURRENT;
  guint width = instruction->width, result = instruction->op == TT_NL_FLOAT_TO_U64 ? 64 : 32;
  const char *move = is_current && width == TT_NL_U32 ? "cvt.u32.u64" : width == TT_NL_U32 ? "mov.b32" : "mov.b64";
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_printf (text, "{\n.reg .b%u %%nta;\n%s %%nta, $a;\n", width, move);
  if (instruction->op >= TT_NL_FLOAT_EQ)
    g_string_append_printf (text, ".reg .b%u %%ntb;\n%s %%ntb, $b;\nsetp.%s.f%u $d, %%nta, %%ntb;\n}", width, move,
                            float_compares[instruction->op - TT_NL_FLOAT_EQ], width);
  else
    {
      /* What is no number becomes 0 whatever the widths. */
      g_string_append_printf (text,
                              ".reg .pred %%ntn;\n.reg .b%u %%ntc;\nsetp.eq.f%u %%ntn, %%nta, %%nta;\n"
                              "cvt.rzi.%c%u.f%u %%ntc, %%nta;\nselp.b%u %%ntc, %%ntc, 0, %%ntn;\n",
                              result, width, instruction->op == TT_NL_FLOAT_TO_S32 ? 's' : 'u', result, width, result);
      g_string_append_printf (text, "%s $d, %%ntc;\n}",
                              is_current && result == 32 ? "cvt.u64.u32"
                              : result == 32             ? "mov.b32"
                                                         : "mov.b64");
    }
  expand (self, text->str, instruction);
}

static void
emit_plain (Emitter *self, const TtNlInstruction *instruction)
{
  const Template *template = &templates[instruction->op];
  gboolean is_current = self->unit->dialect == TT_NL_CURRENT;
  gboolean is_shift = instruction->op == TT_NL_SHL || instruction->op == TT_NL_SHR;

  if (tt_nl_ops[instruction->op].is_float)
    {
      emit_float (self, instruction);
      return;
    }
  if (is_fetch (instruction))
    template = find_fetch (self, instruction);
  if (is_current && is_shift && tt_nl_operand_is_register (&instruction->b))
    emit_counted_shift (self, instruction);
  else
    expand (self, is_current && template->current != NULL ? template->current : template->seed, instruction);
  if (is_current && template->overflows && instruction->width == TT_NL_U32)
    expand (self, "and.b64 $d, $d, 4294967295;", instruction);
}

/* -- branches ----------------------------------------------------------------------------------------- */

static const TtNlOperand *
find_mask (const Emitter *self, guint depth)
{
  return depth == 0 ? NULL : &g_array_index (self->branches, Branch, depth - 1).mask;
}

static TtNlOperand
new_predicate (Emitter *self)
{
  return (TtNlOperand){ .kind = TT_NL_PREDICATE, .index = self->n_predicates++ };
}

static void
emit_predicate (Emitter *self, TtNlOp op, TtNlOperand d, TtNlOperand a, const TtNlOperand *b)
{
  TtNlInstruction instruction = { .op = op, .d = d, .a = a };

  if (b != NULL)
    instruction.b = *b;
  expand (self, templates[op].seed, &instruction);
}

static void
emit_if (Emitter *self, const TtNlInstruction *instruction)
{
  const TtNlOperand *outer = find_mask (self, self->branches->len);
  Branch branch = { .condition = instruction->a, .mask = instruction->a };

  if (outer != NULL)
    {
      branch.mask = new_predicate (self);
      emit_predicate (self, TT_NL_PAND, branch.mask, *outer, &branch.condition);
    }
  g_array_append_val (self->branches, branch);
}

static void
emit_else (Emitter *self)
{
  Branch *branch = &g_array_index (self->branches, Branch, self->branches->len - 1);
  const TtNlOperand *outer = find_mask (self, self->branches->len - 1);

  branch->mask = new_predicate (self);
  emit_predicate (self, TT_NL_PNOT, branch->mask, branch->condition, NULL);
  if (outer != NULL)
    emit_predicate (self, TT_NL_PAND, branch->mask, *outer, &branch->mask);
}

/* The variable keeps its value where the mask does not hold. */
static void
emit_masked (Emitter *self, const TtNlInstruction *instruction, const TtNlOperand *mask)
{
  TtNlInstruction computed = *instruction;
  gboolean is_plain_move =
      instruction->op == TT_NL_MOV && (!is_fetch (instruction) || instruction->a.index == TT_NL_BYTES);
  TtNlWidth width = tt_nl_unit_variable (self->unit, instruction->d.index)->width;

  if (is_plain_move)
    computed.d = instruction->a;
  else
    {
      computed.d.kind = width == TT_NL_U32 ? TT_NL_NARROW : TT_NL_WIDE;
      computed.d.index = width == TT_NL_U32 ? self->n_narrow++ : self->n_wide++;
      emit_plain (self, &computed);
    }
  TtNlInstruction chosen = {
    .op = TT_NL_SEL,
    .width = width,
    .d = instruction->d,
    .a = *mask,
    .b = computed.d,
    .c = instruction->d,
  };
  expand (self, templates[TT_NL_SEL].seed, &chosen);
}

/* Saves in a row, of one width or to one map, from @i on; returns the last. */
static guint
emit_saves (Emitter *self, const TtNlCode *code, guint i, const TtNlOperand *mask)
{
  const TtNlInstruction *saves = tt_nl_code_at (code, i);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_free);
  guint n = 0;

  for (; i + n < code->list->len && saves[n].op == TT_NL_SAVE && saves[n].map == saves->map &&
         saves[n].width == saves->width;
       n++)
    for (guint item = 0; item < saves[n].n_items; item++)
      {
        GString *text = g_string_new (NULL);

        append_operand (self, &saves[n].items[item], text);
        g_ptr_array_add (items, g_string_free (text, FALSE));
      }
  tt_nl_ptx_write_saves (&self->saves, saves, n, items, mask, self->text);
  return i + n - 1;
}

/* -- probes ------------------------------------------------------------------------------------------- */

/* Returns the last instruction that it took. */
static guint
emit_instruction (Emitter *self, const TtNlCode *code, guint i)
{
  const TtNlInstruction *instruction = tt_nl_code_at (code, i);
  const TtNlOperand *mask = find_mask (self, self->branches->len);

  switch (instruction->op)
    {
    case TT_NL_IF:
      emit_if (self, instruction);
      break;
    case TT_NL_ELSE:
      emit_else (self);
      break;
    case TT_NL_ENDIF:
      g_array_set_size (self->branches, self->branches->len - 1);
      break;
    case TT_NL_SAVE:
      return emit_saves (self, code, i, mask);
    default:
      if (mask != NULL && instruction->d.kind == TT_NL_VARIABLE)
        emit_masked (self, instruction, mask);
      else
        emit_plain (self, instruction);
    }
  return i;
}

static void
emit_probes (Emitter *self, const GPtrArray *probes, GString *text)
{
  g_string_truncate (text, 0);
  self->text = text;
  for (guint i = 0; i < probes->len; i++)
    {
      const TtNlCode *code = ((const TtNlProbe *) g_ptr_array_index (probes, i))->code;

      self->n_wide = code->n_wide;
      self->n_narrow = code->n_narrow;
      self->n_predicates = code->n_predicates;
      for (guint j = 0; j < code->list->len; j++)
        j = emit_instruction (self, code, j);
      self->most_wide = MAX (self->most_wide, self->n_wide);
      self->most_narrow = MAX (self->most_narrow, self->n_narrow);
      self->most_predicates = MAX (self->most_predicates, self->n_predicates);
    }
}

static void
emit_sections (Emitter *self, TtNlOutput *output)
{
  for (guint i = 0; i < self->unit->sections->len; i++)
    {
      const TtNlSection *section = tt_nl_unit_section (self->unit, i);

      self->section = section;
      self->saves.record_bytes = section->size;
      self->saves.offset = 0;
      emit_probes (self, section->before, output->sections[i].before);
      emit_probes (self, section->after, output->sections[i].after);
    }
}

/* -- declarations ------------------------------------------------------------------------------------- */

static void
declare_seed (const Emitter *self, GString *head)
{
  for (guint i = 0; i < self->unit->variables->len; i++)
    {
      const TtNlVariable *variable = tt_nl_unit_variable (self->unit, i);
      tt_nl_line (head, ".reg .b%u %%%s;", (guint) variable->width, variable->name);
    }
  for (guint i = 0; i < self->unit->variables->len; i++)
    if (tt_nl_unit_variable (self->unit, i)->copy != NULL)
      tt_nl_line (head, ".reg .b32 %%%s;", tt_nl_unit_variable (self->unit, i)->copy);
  if (self->most_wide > 0)
    tt_nl_line (head, ".reg .b64 %%nt<%u>;", self->most_wide);
  if (self->most_narrow > 0)
    tt_nl_line (head, ".reg .b32 %%nw<%u>;", self->most_narrow);
}

static void
declare (Emitter *self, TtNlOutput *output)
{
  g_autoptr (GString) head = g_string_new (NULL);

  if (self->unit->dialect == TT_NL_SEED)
    declare_seed (self, head);
  if (self->most_predicates > 0)
    tt_nl_line (head, ".reg .pred %%np<%u>;", self->most_predicates);
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
        emit_plain (self, &initial);
    }
  tt_nl_output_prepend (output, self->unit->home, head);
}

gboolean
tt_nl_ptx_emit (const TtNlTarget *target, const TtNlUnit *unit, TtNlOutput *output)
{
  g_autoptr (GArray) branches = g_array_new (FALSE, TRUE, sizeof (Branch));
  Emitter self = { .unit = unit, .branches = branches, .saves = { .unit = unit, .keeps_guards = unit->keeps_guards } };

  if ((!unit->is_scalar && !tt_nl_ptx_check_maps (unit)) || !tt_nl_position_check_addresses (unit, TRUE))
    return FALSE;
  /* Where the narrow registers of the current dialect begin is known only when all is emitted. */
  emit_sections (&self, output);
  if (unit->dialect == TT_NL_CURRENT)
    emit_sections (&self, output);
  if (self.saves.has_failed)
    return FALSE;
  output->n_registers = unit->variables->len + self.most_wide + self.most_narrow;
  if (output->n_registers + self.most_predicates > target->n_vector)
    {
      tt_nl_error (unit->messages, tt_nl_unit_probe (unit, 0)->offset,
                   "the probes need %u registers, more than the %u that tracetool gives them: make them smaller",
                   output->n_registers + self.most_predicates, target->n_vector);
      return FALSE;
    }
  declare (&self, output);
  return TRUE;
}
