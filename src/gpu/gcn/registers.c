/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/gcn/machine.h"

#include <string.h>

guint
tt_gcn_place (const TtGcnOperand *operand)
{
  switch (operand->kind)
    {
    case TT_GCN_VCC:
      return TT_GCN_VCC_PLACE + operand->index;
    case TT_GCN_EXEC:
      return TT_GCN_EXEC_PLACE + operand->index;
    case TT_GCN_M0:
      return TT_GCN_M0_PLACE;
    default:
      return operand->index;
    }
}

guint64
tt_gcn_read_scalar (const TtGcnWave *wave, guint place, gboolean is_wide)
{
  return wave->scalars[place] | (is_wide ? (guint64) wave->scalars[place + 1] << 32 : 0);
}

void
tt_gcn_write_scalar (TtGcnWave *wave, guint place, guint64 value, gboolean is_wide)
{
  wave->scalars[place] = (guint32) value;
  if (is_wide)
    wave->scalars[place + 1] = (guint32) (value >> 32);
}

static guint64
real_bits (double real, char letter)
{
  float narrow = (float) real;
  guint64 wide;
  guint32 bits;

  memcpy (&bits, &narrow, sizeof bits);
  memcpy (&wide, &real, sizeof wide);
  return letter == 'd' || letter == 'q' ? wide : bits;
}

/* Whole numbers from -16 to 64 are meant as they are, others are the upper half of an f64. */
static guint64
number_bits (gint64 value, char letter)
{
  if (letter == 'd' && (value < -16 || value > 64))
    return (guint64) value << 32;
  return letter == 'd' || letter == 'q' ? (guint64) value : (guint32) value;
}

static guint64
with_signs (const TtGcnOperand *operand, char letter, guint64 bits)
{
  guint64 sign = letter == 'd' ? G_GUINT64_CONSTANT (1) << 63 : G_GUINT64_CONSTANT (1) << 31;

  if (operand->is_absolute)
    bits &= ~sign;
  return operand->is_negated ? bits ^ sign : bits;
}

guint64
tt_gcn_read (const TtGcnOp *op, const TtGcnWave *wave, const TtGcnOperand *operand, guint lane, char letter)
{
  gboolean is_wide = letter == 'd' || letter == 'q';
  guint base = operand->index + (operand->kind == TT_GCN_ACCUM ? TT_GCN_N_VECTORS : 0);
  guint64 bits;

  switch (operand->kind)
    {
    case TT_GCN_VECTOR:
    case TT_GCN_ACCUM:
      bits = wave->vectors[base][lane] | (is_wide ? (guint64) wave->vectors[base + 1][lane] << 32 : 0);
      break;
    case TT_GCN_NUMBER:
      bits = number_bits (operand->value, letter);
      break;
    case TT_GCN_REAL:
      bits = real_bits (operand->real, letter);
      break;
    case TT_GCN_SCC:
      return wave->scc;
    case TT_GCN_WORD:
      return op->constant;
    default:
      bits = tt_gcn_read_scalar (wave, tt_gcn_place (operand), is_wide || letter == 'm');
    }
  if (letter == 'm')
    return bits >> lane & 1;
  return with_signs (operand, letter, bits);
}

void
tt_gcn_write (TtGcnWave *wave, const TtGcnOperand *operand, guint lane, guint64 value, gboolean is_wide)
{
  guint base = operand->index + (operand->kind == TT_GCN_ACCUM ? TT_GCN_N_VECTORS : 0);

  if (operand->kind != TT_GCN_VECTOR && operand->kind != TT_GCN_ACCUM)
    {
      tt_gcn_write_scalar (wave, tt_gcn_place (operand), value, is_wide);
      return;
    }
  wave->vectors[base][lane] = (guint32) value;
  if (is_wide)
    wave->vectors[base + 1][lane] = (guint32) (value >> 32);
}
