/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What AMD's machines leave to the program: s_waitcnt before what was loaded is touched, and wait states (s_nop) between
 * instructions that are too close. As LLVM's pass for hazards has them, for gfx90a and gfx942.
 */
#include "config.h"

#include "src/gpu/gcn/machine.h"

/* -- what memory still brings ------------------------------------------------------------------------- */

static void
drop_pending (TtGcnWave *wave, guint i)
{
  for (wave->n_pending--; i < wave->n_pending; i++)
    wave->pending[i] = wave->pending[i + 1];
}

/* The oldest of @count go until @left remain. */
static void
wait_for (TtGcnWave *wave, TtGcnCount count, guint left)
{
  guint n = 0;

  for (guint i = 0; i < wave->n_pending; i++)
    n += wave->pending[i].count == count;
  for (guint i = 0; i < wave->n_pending && n > left;)
    if (wave->pending[i].count == count)
      {
        drop_pending (wave, i);
        n--;
      }
    else
      i++;
}

void
tt_gcn_wait (TtGcnWave *wave, guint vmcnt, guint lgkmcnt)
{
  guint n_scalar = 0;

  wait_for (wave, TT_GCN_COUNT_VECTOR, vmcnt);
  for (guint i = 0; i < wave->n_pending; i++)
    n_scalar += wave->pending[i].count == TT_GCN_COUNT_SCALAR;
  /* Scalar loads come in any order: only when all have come is one sure to. */
  if (n_scalar == 0 || lgkmcnt == 0)
    wait_for (wave, TT_GCN_COUNT_LDS, lgkmcnt);
  if (lgkmcnt == 0)
    wait_for (wave, TT_GCN_COUNT_SCALAR, 0);
}

void
tt_gcn_add_pending (TtGcnLaunch *self, TtGcnWave *wave, TtGcnCount count, const TtGcnOperand *loaded)
{
  TtGcnPending pending = { .count = count, .line = self->op->source->line };

  if (wave->n_pending == TT_GCN_MAX_PENDING)
    drop_pending (wave, 0);
  if (loaded != NULL)
    {
      pending.is_vector = loaded->kind == TT_GCN_VECTOR || loaded->kind == TT_GCN_ACCUM;
      pending.first = !pending.is_vector ? tt_gcn_place (loaded)
                                         : loaded->index + (loaded->kind == TT_GCN_ACCUM ? TT_GCN_N_VECTORS : 0);
      pending.n = loaded->n;
    }
  wave->pending[wave->n_pending++] = pending;
}

static void
check_pending (TtGcnLaunch *self, const TtGcnWave *wave, const TtGcnOperand *operand)
{
  gboolean is_vector = operand->kind == TT_GCN_VECTOR || operand->kind == TT_GCN_ACCUM;
  guint first =
      is_vector ? operand->index + (operand->kind == TT_GCN_ACCUM ? TT_GCN_N_VECTORS : 0) : tt_gcn_place (operand);

  if (operand->n == 0)
    return;
  for (guint i = 0; i < wave->n_pending; i++)
    {
      const TtGcnPending *pending = &wave->pending[i];

      if (pending->is_vector == is_vector && pending->first < first + operand->n && first < pending->first + pending->n)
        tt_gcn_fault (self, wave, "%c%u is loaded by line %u, which may not have ended: 's_waitcnt %s(0)' is missing",
                      is_vector ? 'v' : 's', MAX (first, pending->first), pending->line,
                      pending->count == TT_GCN_COUNT_VECTOR ? "vmcnt" : "lgkmcnt");
    }
}

/* -- wait states -------------------------------------------------------------------------------------- */

static void
check_states (TtGcnLaunch *self, const TtGcnWave *wave, guint64 since, guint wanted, const char *file, guint index)
{
  guint64 passed = wave->now - since;

  if (since != 0 && passed <= wanted)
    tt_gcn_fault (self, wave, "%s%u is written %u wait state%s before, %s needs %u: an s_nop is missing", file, index,
                  (guint) passed - 1, passed == 2 ? "" : "s", self->is_gfx942 ? "gfx942" : "gfx90a", wanted);
}

/* @lane: the operand says which lane. */
static void
check_scalar_read (TtGcnLaunch *self, const TtGcnWave *wave, const TtGcnOperand *operand, guint wanted)
{
  guint place = tt_gcn_place (operand);

  for (guint i = 0; i < operand->n && wanted > 0; i++)
    check_states (self, wave, wave->scalar_by_vector[place + i], wanted,
                  place >= TT_GCN_VCC_PLACE ? "vcc or exec " : "s", place + i);
}

static gboolean
is_scalar_register (const TtGcnOperand *operand)
{
  return operand->kind == TT_GCN_SCALAR || operand->kind == TT_GCN_VCC || operand->kind == TT_GCN_M0;
}

static gboolean
is_memory (const char *name)
{
  return g_str_has_prefix (name, "global_") || g_str_has_prefix (name, "flat_") || g_str_has_prefix (name, "buffer_") ||
         g_str_has_prefix (name, "scratch_");
}

static void
check_vector_read (TtGcnLaunch *self, const TtGcnWave *wave, const TtGcnOperand *operand, gboolean is_lane_read)
{
  guint first = operand->index + (operand->kind == TT_GCN_ACCUM ? TT_GCN_N_VECTORS : 0);

  for (guint i = 0; i < operand->n && self->is_gfx942; i++)
    {
      check_states (self, wave, wave->vector_by_trans[first + i], self->op->is_trans ? 0 : 1, "v", first + i);
      check_states (self, wave, wave->vector_by_vector[first + i], is_lane_read ? 1 : 0, "v", first + i);
    }
}

/* How many of the first operands @op writes. */
static guint
n_written (const TtGcnOp *op)
{
  const char *name = op->source->name;

  if (op->alu != NULL)
    {
      const char *equals = op->alu->form;
      guint n = 0;

      for (; *equals != '='; equals++)
        n++;
      return n;
    }
  return is_memory (name) || g_str_has_prefix (name, "ds_") || g_str_has_prefix (name, "s_cmp") ||
                 g_str_has_prefix (name, "s_bitcmp")
             ? 0
             : 1;
}

static void
check_operand (TtGcnLaunch *self, const TtGcnWave *wave, const TtGcnOp *op, guint i)
{
  const TtGcnOperand *operand = &op->source->operands[i];
  const char *name = op->source->name;
  gboolean is_lane_word = g_str_has_prefix (name, "v_readlane") || g_str_has_prefix (name, "v_writelane");
  gboolean is_vector = name[0] == 'v';

  if (is_scalar_register (operand) && is_memory (name))
    check_scalar_read (self, wave, operand, 5);
  else if (is_scalar_register (operand) && is_lane_word && i == 2)
    check_scalar_read (self, wave, operand, 4);
  else if (is_scalar_register (operand) && is_vector)
    check_scalar_read (self, wave, operand, self->is_gfx942 ? 2 : 0);
  else if ((operand->kind == TT_GCN_VECTOR || operand->kind == TT_GCN_ACCUM) && is_vector)
    check_vector_read (self, wave, operand,
                       g_str_has_prefix (name, "v_readlane") || g_str_has_prefix (name, "v_readfirstlane"));
}

/* A store of more than 8 bytes reads its registers late. */
static void
note_stored (TtGcnWave *wave, const TtGcnOp *op)
{
  for (guint i = 0; i < op->source->n && op->bytes > 8; i++)
    {
      const TtGcnOperand *operand = &op->source->operands[i];
      gboolean is_stored = (operand->kind == TT_GCN_VECTOR || operand->kind == TT_GCN_ACCUM) && operand->n > 2;
      guint first = operand->index + (operand->kind == TT_GCN_ACCUM ? TT_GCN_N_VECTORS : 0);

      for (guint r = 0; r < operand->n && is_stored; r++)
        wave->vector_stored[first + r] = wave->now;
    }
}

static void
check_stored (TtGcnLaunch *self, const TtGcnWave *wave, guint reg)
{
  guint64 since = wave->vector_stored[reg], wanted = self->is_gfx942 ? 2 : 1;

  if (since != 0 && wave->now - since <= wanted)
    tt_gcn_fault (self, wave, "v%u is overwritten %u wait states behind its store, %s needs %u: an s_nop is missing",
                  reg, (guint) (wave->now - since) - 1, self->is_gfx942 ? "gfx942" : "gfx90a", (guint) wanted);
}

static void
note_written (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op, guint n)
{
  for (guint i = 0; i < n && i < op->source->n; i++)
    {
      const TtGcnOperand *operand = &op->source->operands[i];
      gboolean is_vector = operand->kind == TT_GCN_VECTOR || operand->kind == TT_GCN_ACCUM;
      guint first =
          is_vector ? operand->index + (operand->kind == TT_GCN_ACCUM ? TT_GCN_N_VECTORS : 0) : tt_gcn_place (operand);
      gboolean by_vector = op->source->name[0] == 'v';

      for (guint r = 0; r < operand->n; r++)
        if (is_vector)
          {
            if (by_vector)
              check_stored (self, wave, first + r);
            wave->vector_by_vector[first + r] = by_vector ? wave->now : 0;
            wave->vector_by_trans[first + r] = op->is_trans ? wave->now : 0;
          }
        else
          wave->scalar_by_vector[first + r] = by_vector ? wave->now : 0;
    }
}

void
tt_gcn_check_waits (TtGcnLaunch *self, TtGcnWave *wave, const TtGcnOp *op)
{
  const TtGcnInstruction *source = op->source;
  guint n = n_written (op);

  wave->now++;
  for (guint i = 0; i < source->n && wave->n_pending > 0; i++)
    check_pending (self, wave, &source->operands[i]);
  for (guint i = n; i < source->n; i++)
    check_operand (self, wave, op, i);
  if (g_str_has_prefix (source->name, "v_div_fmas"))
    for (guint i = 0; i < 2; i++)
      check_states (self, wave, wave->scalar_by_vector[TT_GCN_VCC_PLACE + i], 4, "vcc half ", i);
  note_written (self, wave, op, n);
  if (g_str_has_prefix (source->name, "global_store"))
    note_stored (wave, op);
}
