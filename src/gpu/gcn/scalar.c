/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/gcn/operation.h"

#include <string.h>

/* -- one result ----------------------------------------------------------------------------------- */

OPERATION (mov, A)
OPERATION (not, ~A)
OPERATION (and, A &B)
OPERATION (or, A | B)
OPERATION (xor, A ^ B)
OPERATION (andn2, A & ~B)
OPERATION (orn2, A | ~B)
OPERATION (nand, ~(A &B))
OPERATION (nor, ~(A | B))
OPERATION (xnor, ~(A ^ B))
OPERATION (lshl, (guint32) A << (B & 31))
OPERATION (lshr, (guint32) A >> (B & 31))
OPERATION (ashr, SIGNED (A) >> (B & 31))
OPERATION (lshl64, A << (B & 63))
OPERATION (lshr64, A >> (B & 63))
OPERATION (ashr64, (gint64) A >> (B & 63))
OPERATION (mul, A *B)
OPERATION (mul_hi, A *B >> 32)
OPERATION (mul_hi_i, SIGNED (A) * SIGNED (B) >> 32)
OPERATION (movk, SIGNED ((gint16) (guint16) A))
OPERATION (choose, v->bit ? A : B)
OPERATION (bfm, ((G_GUINT64_CONSTANT (1) << (A & 31)) - 1) << (B & 31))
OPERATION (bcnt32, (guint) __builtin_popcount ((guint32) A))
OPERATION (bcnt64, (guint) __builtin_popcountll (A))
OPERATION (ff1_32, (guint32) A == 0 ? G_MAXUINT32 : (guint) __builtin_ctz ((guint32) A))
OPERATION (ff1_64, A == 0 ? G_MAXUINT32 : (guint) __builtin_ctzll (A))
OPERATION (flbit, (guint32) A == 0 ? G_MAXUINT32 : (guint) __builtin_clz ((guint32) A))
OPERATION (sext8, (gint8) (guint8) A)
OPERATION (sext16, (gint16) (guint16) A)

static guint64
bfe (TtGcnValues *v)
{
  return (guint32) A >> (B & 31) & ((G_GUINT64_CONSTANT (1) << MIN (B >> 16 & 127, 32)) - 1);
}

static guint64
bfe_i (TtGcnValues *v)
{
  guint width = (guint) MIN (B >> 16 & 127, 32);

  return width == 0 ? 0 : (guint64) ((gint64) ((guint64) (SIGNED (A) >> (B & 31)) << (64 - width)) >> (64 - width));
}

static guint64
brev (TtGcnValues *v)
{
  guint64 result = 0;

  for (guint i = 0; i < 32; i++)
    result |= (A >> i & 1) << (31 - i);
  return result;
}

static guint64
add (TtGcnValues *v)
{
  v->carry = (A + B) >> 32 != 0;
  return A + B;
}

static guint64
addc (TtGcnValues *v)
{
  v->carry = (A + B + v->bit) >> 32 != 0;
  return A + B + v->bit;
}

static guint64
sub (TtGcnValues *v)
{
  v->carry = A < B;
  return A - B;
}

static guint64
subb (TtGcnValues *v)
{
  v->carry = A < B + v->bit;
  return A - B - v->bit;
}

static guint64
add_i (TtGcnValues *v)
{
  gint64 sum = SIGNED (A) + SIGNED (B);

  v->carry = sum != SIGNED (sum);
  return (guint64) sum;
}

static guint64
sub_i (TtGcnValues *v)
{
  gint64 difference = SIGNED (A) - SIGNED (B);

  v->carry = difference != SIGNED (difference);
  return (guint64) difference;
}

static guint64
min_u (TtGcnValues *v)
{
  v->carry = A < B;
  return MIN (A, B);
}

static guint64
max_u (TtGcnValues *v)
{
  v->carry = A > B;
  return MAX (A, B);
}

static guint64
min_i (TtGcnValues *v)
{
  v->carry = SIGNED (A) < SIGNED (B);
  return v->carry ? A : B;
}

static guint64
max_i (TtGcnValues *v)
{
  v->carry = SIGNED (A) > SIGNED (B);
  return v->carry ? A : B;
}

static guint64
eq (TtGcnValues *v)
{
  return A == B;
}

static guint64
lg (TtGcnValues *v)
{
  return A != B;
}

OPERATION (gt_u, A > B)
OPERATION (ge_u, A >= B)
OPERATION (lt_u, A < B)
OPERATION (le_u, A <= B)
OPERATION (gt_i, SIGNED (A) > SIGNED (B))
OPERATION (ge_i, SIGNED (A) >= SIGNED (B))
OPERATION (lt_i, SIGNED (A) < SIGNED (B))
OPERATION (le_i, SIGNED (A) <= SIGNED (B))
OPERATION (bitcmp1, A >> (B & 31) & 1)
OPERATION (bitcmp0, (A >> (B & 31) & 1) == 0)

static const TtGcnAlu table[] = {
  { "s_mov_b32", "w=w", mov, '-' },          { "s_mov_b64", "q=q", mov, '-' },
  { "s_movk_i32", "w=w", movk, '-' },        { "s_not_b32", "w=w", not, 'n' },
  { "s_not_b64", "q=q", not, 'n' },          { "s_and_b32", "w=ww", and, 'n' },
  { "s_and_b64", "q=qq", and, 'n' },         { "s_or_b32", "w=ww", or, 'n' },
  { "s_or_b64", "q=qq", or, 'n' },           { "s_xor_b32", "w=ww", xor, 'n' },
  { "s_xor_b64", "q=qq", xor, 'n' },         { "s_andn2_b32", "w=ww", andn2, 'n' },
  { "s_andn2_b64", "q=qq", andn2, 'n' },     { "s_orn2_b64", "q=qq", orn2, 'n' },
  { "s_nand_b64", "q=qq", nand, 'n' },       { "s_nor_b64", "q=qq", nor, 'n' },
  { "s_xnor_b64", "q=qq", xnor, 'n' },       { "s_lshl_b32", "w=ww", lshl, 'n' },
  { "s_lshr_b32", "w=ww", lshr, 'n' },       { "s_ashr_i32", "w=ww", ashr, 'n' },
  { "s_lshl_b64", "q=qw", lshl64, 'n' },     { "s_lshr_b64", "q=qw", lshr64, 'n' },
  { "s_ashr_i64", "q=qw", ashr64, 'n' },     { "s_bfe_u32", "w=ww", bfe, 'n' },
  { "s_bfe_i32", "w=ww", bfe_i, 'n' },       { "s_bfm_b32", "w=ww", bfm, '-' },
  { "s_brev_b32", "w=w", brev, '-' },        { "s_bcnt1_i32_b32", "w=w", bcnt32, 'n' },
  { "s_bcnt1_i32_b64", "w=q", bcnt64, 'n' }, { "s_ff1_i32_b32", "w=w", ff1_32, '-' },
  { "s_ff1_i32_b64", "w=q", ff1_64, '-' },   { "s_flbit_i32_b32", "w=w", flbit, '-' },
  { "s_sext_i32_i8", "w=w", sext8, '-' },    { "s_sext_i32_i16", "w=w", sext16, '-' },
  { "s_mul_i32", "w=ww", mul, '-' },         { "s_mul_hi_u32", "w=ww", mul_hi, '-' },
  { "s_mul_hi_i32", "w=ww", mul_hi_i, '-' }, { "s_add_u32", "w=ww", add, 'c' },
  { "s_addc_u32", "w=ww", addc, 'c' },       { "s_sub_u32", "w=ww", sub, 'c' },
  { "s_subb_u32", "w=ww", subb, 'c' },       { "s_add_i32", "w=ww", add_i, 'c' },
  { "s_sub_i32", "w=ww", sub_i, 'c' },       { "s_min_u32", "w=ww", min_u, 'c' },
  { "s_max_u32", "w=ww", max_u, 'c' },       { "s_min_i32", "w=ww", min_i, 'c' },
  { "s_max_i32", "w=ww", max_i, 'c' },       { "s_cselect_b32", "w=ww", choose, '-' },
  { "s_cselect_b64", "q=qq", choose, '-' },  { "s_cmp_eq_u32", "=ww", eq, 'r' },
  { "s_cmp_eq_i32", "=ww", eq, 'r' },        { "s_cmp_lg_u32", "=ww", lg, 'r' },
  { "s_cmp_lg_i32", "=ww", lg, 'r' },        { "s_cmp_eq_u64", "=qq", eq, 'r' },
  { "s_cmp_lg_u64", "=qq", lg, 'r' },        { "s_cmp_gt_u32", "=ww", gt_u, 'r' },
  { "s_cmp_ge_u32", "=ww", ge_u, 'r' },      { "s_cmp_lt_u32", "=ww", lt_u, 'r' },
  { "s_cmp_le_u32", "=ww", le_u, 'r' },      { "s_cmp_gt_i32", "=ww", gt_i, 'r' },
  { "s_cmp_ge_i32", "=ww", ge_i, 'r' },      { "s_cmp_lt_i32", "=ww", lt_i, 'r' },
  { "s_cmp_le_i32", "=ww", le_i, 'r' },      { "s_bitcmp1_b32", "=ww", bitcmp1, 'r' },
  { "s_bitcmp0_b32", "=ww", bitcmp0, 'r' },  { NULL, NULL, NULL, 0 },
};

static void
run_alu (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
  const char *form = op->alu->form, *letter = strchr (form, '=') + 1;
  guint first = (guint) (letter - form) - 1;
  TtGcnValues values = { .wave = wave, .bit = wave->scc };

  for (guint i = 0; letter[i] != '\0'; i++)
    values.in[i] = tt_gcn_read (op, wave, &op->source->operands[first + i], 0, letter[i]);
  guint64 result = op->alu->compute (&values);
  gboolean is_wide = *form == 'q';
  if (op->alu->scc != 'r')
    tt_gcn_write_scalar (wave, tt_gcn_place (&op->source->operands[0]), result, is_wide);
  if (op->alu->scc == 'c')
    wave->scc = values.carry;
  else if (op->alu->scc == 'n' || op->alu->scc == 'r')
    wave->scc = is_wide ? result != 0 : (guint32) result != 0;
}

/* -- EXEC ----------------------------------------------------------------------------------------- */

static const TtGcnAlu saveexecs[] = {
  { "s_and_saveexec_b64", "q=q", and, 'n' },   { "s_or_saveexec_b64", "q=q", or, 'n' },
  { "s_xor_saveexec_b64", "q=q", xor, 'n' },   { "s_andn2_saveexec_b64", "q=q", andn2, 'n' },
  { "s_orn2_saveexec_b64", "q=q", orn2, 'n' }, { NULL, NULL, NULL, 0 },
};

static void
run_saveexec (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
  guint64 old = tt_gcn_exec (wave);
  TtGcnValues values = { .in = { tt_gcn_read (op, wave, &op->source->operands[1], 0, 'q'), old } };
  guint64 new = op->alu->compute (&values);

  tt_gcn_write_scalar (wave, tt_gcn_place (&op->source->operands[0]), old, TRUE);
  tt_gcn_write_scalar (wave, TT_GCN_EXEC_PLACE, new, TRUE);
  wave->scc = new != 0;
}

/* -- control -------------------------------------------------------------------------------------- */

enum
{
  ALWAYS,
  EXECZ,
  EXECNZ,
  VCCZ,
  VCCNZ,
  SCC0,
  SCC1,
};

static const char *const branches[] = {
  "s_branch",        "s_cbranch_execz", "s_cbranch_execnz", "s_cbranch_vccz",
  "s_cbranch_vccnz", "s_cbranch_scc0",  "s_cbranch_scc1",
};

static void
run_branch (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
  gboolean exec = tt_gcn_exec (wave) != 0, vcc = tt_gcn_read_scalar (wave, TT_GCN_VCC_PLACE, TRUE) != 0;
  const gboolean taken[] = { TRUE, !exec, exec, !vcc, vcc, !wave->scc, wave->scc };

  if (taken[op->detail])
    wave->pc = op->target;
}

static void
run_end (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
  wave->state = TT_GCN_ENDED;
}

static void
run_barrier (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
  wave->state = TT_GCN_AT_BARRIER;
}

static void
run_wait (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
  tt_gcn_wait (wave, op->source->vmcnt, op->source->lgkmcnt);
}

static void
run_nop (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
  wave->now += op->source->n > 0 ? (guint64) op->source->operands[0].value & 15 : 0;
}

static void
run_nothing (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
}

static void
run_trap (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
  tt_gcn_fault (self, wave, "the kernel stops here");
}

/* -- what the machine knows --------------------------------------------------------------------------- */

static void
run_getpc (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
  /* Symbols are counted from here. */
  tt_gcn_write_scalar (wave, tt_gcn_place (&op->source->operands[0]), TT_GCN_CODE_BASE, TRUE);
}

/* "hwreg(HW_REG_HW_ID, 8, 8)": the unit is the block's number modulo 16, and there is one die. */
static void
run_getreg (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
  const char *which = op->source->operands[1].text;
  guint32 value = 0;

  if (which != NULL && strstr (which, "HW_REG_HW_ID, 8,") != NULL)
    value = (guint32) (self->block_index % 16);
  tt_gcn_write_scalar (wave, tt_gcn_place (&op->source->operands[0]), value, FALSE);
}

static void
run_clock (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
  tt_gcn_write_scalar (wave, tt_gcn_place (&op->source->operands[0]), self->n_steps, TRUE);
  tt_gcn_add_pending (self, wave, TT_GCN_COUNT_SCALAR, &op->source->operands[0]);
}

static const struct
{
  const char *name;
  TtGcnRun run;
  guint n, width; /* operands, and registers of the first if it is written */
} others[] = {
  { "s_endpgm", run_end, 0, 0 },         { "s_barrier", run_barrier, 0, 0 },
  { "s_waitcnt", run_wait, 0, 0 },       { "s_nop", run_nop, 1, 0 },
  { "s_sleep", run_nothing, 1, 0 },      { "s_setprio", run_nothing, 1, 0 },
  { "s_trap", run_trap, 1, 0 },          { "s_getpc_b64", run_getpc, 1, 2 },
  { "s_getreg_b32", run_getreg, 2, 1 },  { "s_memtime", run_clock, 1, 2 },
  { "s_memrealtime", run_clock, 1, 2 },  { "s_code_end", run_nothing, 0, 0 },
  { "s_dcache_inv", run_nothing, 0, 0 }, { "s_dcache_wb", run_nothing, 0, 0 },
};

/* -- decoding ------------------------------------------------------------------------------------------- */

static gboolean
fits (const TtGcnOp *op)
{
  const TtGcnInstruction *source = op->source;
  gboolean is_read = FALSE;
  guint i = 0;

  for (const char *letter = op->alu->form; *letter != '\0'; letter++)
    {
      const TtGcnOperand *operand = &source->operands[i];
      gboolean is_register = operand->kind >= TT_GCN_SCALAR && operand->kind <= TT_GCN_M0;

      if (*letter == '=')
        {
          is_read = TRUE;
          continue;
        }
      if (i++ >= source->n || operand->kind == TT_GCN_VECTOR || operand->kind == TT_GCN_ACCUM ||
          operand->kind == TT_GCN_OFF || (!is_read && !is_register) ||
          (is_register && operand->n != (*letter == 'q' ? 2 : 1)))
        return FALSE;
    }
  return i == source->n;
}

static gboolean
decode_alu (TtGcnOp *op, const TtGcnAlu *alu, TtGcnRun run, const char *name)
{
  for (; alu->name != NULL; alu++)
    if (g_str_equal (alu->name, name))
      {
        op->alu = alu;
        op->run = run;
        return fits (op);
      }
  return FALSE;
}

gboolean
tt_gcn_decode_scalar (TtGcnOp *op, const char *name)
{
  const TtGcnOperand *first = &op->source->operands[0];

  for (guint i = 0; i < G_N_ELEMENTS (branches); i++)
    if (g_str_equal (name, branches[i]))
      {
        op->run = run_branch;
        op->detail = (guint8) i;
        return op->source->n == 1 && first->kind == TT_GCN_WORD;
      }
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (g_str_equal (name, others[i].name))
      {
        op->run = others[i].run;
        return op->source->n == others[i].n &&
               (others[i].width == 0 ||
                (first->kind >= TT_GCN_SCALAR && first->kind <= TT_GCN_M0 && first->n == others[i].width));
      }
  return decode_alu (op, table, run_alu, name) || decode_alu (op, saveexecs, run_saveexec, name);
}
