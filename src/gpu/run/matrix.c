/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products of matrices by a whole warp. Which thread has which elements is in the PTX ISA: fragments of 8 rows, one row
 * for four threads in a row. Sums are made in f64 and rounded once, so they may be closer than a GPU's.
 */
#include "config.h"

#include "src/gpu/run/real.h"

#define ROWS 16u /* of A and D */
#define COLUMNS 8u
#define MOST_DEPTH 16u

/* The detail of an opcode. */
static const struct
{
  TtPtxType type; /* of A and B */
  guint depth;
  gboolean is_half; /* C and D are f16 */
} shapes[TT_GPU_N_SHAPES] = {
  [TT_GPU_F16_16] = { TT_PTX_F16, 16, FALSE },    [TT_GPU_BF16_16] = { TT_PTX_BF16, 16, FALSE },
  [TT_GPU_F16_8] = { TT_PTX_F16, 8, FALSE },      [TT_GPU_BF16_8] = { TT_PTX_BF16, 8, FALSE },
  [TT_GPU_TF32_8] = { TT_PTX_F32, 8, FALSE },     [TT_GPU_TF32_4] = { TT_PTX_F32, 4, FALSE },
  [TT_GPU_F16_16_F16] = { TT_PTX_F16, 16, TRUE }, [TT_GPU_F16_8_F16] = { TT_PTX_F16, 8, TRUE },
};

typedef struct
{
  double a[ROWS][MOST_DEPTH], b[MOST_DEPTH][COLUMNS], c[ROWS][COLUMNS];
} Matrices;

/* Threads of a warp that are all here; 0: they wait, or a fault is set. */
static guint32
gather_warp (TtGpuLaunch *self, TtGpuWarp *warp, guint32 mask)
{
  guint32 live = 0;

  for (guint lane = 0; lane < warp->n; lane++)
    live |= (guint32) (warp->threads[lane].state != TT_GPU_ENDED) << lane;
  if (live != G_MAXUINT32)
    {
      tt_gpu_fault (self, &warp->threads[__builtin_ctz (mask)], "all 32 threads of a warp are needed");
      return 0;
    }
  for (guint lane = 0; lane < warp->n; lane++)
    if ((mask >> lane & 1) != 0)
      {
        TtGpuThread *thread = &warp->threads[lane];

        thread->member_mask = G_MAXUINT32;
        if (mask != G_MAXUINT32)
          tt_gpu_frame (thread)->pc--;
        thread->state = mask == G_MAXUINT32 ? TT_GPU_RUNS : TT_GPU_AT_WARP_BARRIER;
      }
  return mask == G_MAXUINT32 ? mask : 0;
}

static guint64
element (const TtGpuLaunch *self, const TtGpuThread *thread, const TtGpuOp *op, guint operand, guint i)
{
  return tt_gpu_read (self, thread, op->n_vector[operand] > 0 ? &op->vector[operand][i] : &op->operands[operand]);
}

/* -- fragments -------------------------------------------------------------------------------------- */

static double
half (TtPtxType type, guint64 pair, guint which)
{
  return tt_gpu_real_get (type, which != 0 ? pair >> 16 & 0xffff : pair & 0xffff);
}

/* tf32 has 10 bits behind the point. */
static double
single (guint64 bits)
{
  return tt_gpu_real_get (TT_PTX_F32, bits & ~G_GUINT64_CONSTANT (0x1fff));
}

/* Registers of A: rows below and above 8 in turns, then further columns. Those of B: further rows. */
static void
read_factors (const TtGpuLaunch *self, const TtGpuThread *thread, const TtGpuOp *op, guint lane, Matrices *m)
{
  guint group = lane / 4, place = lane % 4, depth = shapes[op->opcode->detail].depth;
  TtPtxType type = shapes[op->opcode->detail].type;

  if (type == TT_PTX_F32)
    {
      for (guint i = 0; i < depth / 2; i++)
        m->a[group + 8 * (i & 1)][place + 4 * (i / 2)] = single (element (self, thread, op, 1, i));
      for (guint i = 0; i < depth / 4; i++)
        m->b[place + 4 * i][group] = single (element (self, thread, op, 2, i));
      return;
    }
  for (guint i = 0; i < depth / 4; i++)
    for (guint h = 0; h < 2; h++)
      m->a[group + 8 * (i & 1)][2 * place + h + 8 * (i / 2)] = half (type, element (self, thread, op, 1, i), h);
  for (guint i = 0; i < depth / 8; i++)
    for (guint h = 0; h < 2; h++)
      m->b[2 * place + h + 8 * i][group] = half (type, element (self, thread, op, 2, i), h);
}

static void
read_sums (const TtGpuLaunch *self, const TtGpuThread *thread, const TtGpuOp *op, guint lane, Matrices *m)
{
  gboolean is_half = shapes[op->opcode->detail].is_half;

  for (guint i = 0; i < 4; i++)
    m->c[lane / 4 + 8 * (i / 2)][2 * (lane % 4) + (i & 1)] =
        is_half ? half (TT_PTX_F16, element (self, thread, op, 3, i / 2), i & 1)
                : tt_gpu_real_get (TT_PTX_F32, element (self, thread, op, 3, i));
}

static void
write_sums (TtGpuThread *thread, const TtGpuOp *op, guint lane, const Matrices *m)
{
  guint64 bits[4];

  for (guint i = 0; i < 4; i++)
    bits[i] = tt_gpu_real_put (shapes[op->opcode->detail].is_half ? TT_PTX_F16 : TT_PTX_F32,
                               m->c[lane / 4 + 8 * (i / 2)][2 * (lane % 4) + (i & 1)], TT_GPU_RN);
  for (guint i = 0; i < op->n_vector[0]; i++)
    tt_gpu_write (thread, &op->vector[0][i],
                  shapes[op->opcode->detail].is_half ? bits[2 * i] | bits[2 * i + 1] << 16 : bits[i]);
}

static gboolean
has_registers (TtGpuLaunch *self, const TtGpuThread *thread, const TtGpuOp *op)
{
  guint depth = shapes[op->opcode->detail].depth, sums = shapes[op->opcode->detail].is_half ? 2 : 4;
  gboolean is_single = shapes[op->opcode->detail].type == TT_PTX_F32;
  guint n_a = is_single ? depth / 2 : depth / 4, n_b = is_single ? depth / 4 : depth / 8;
  const guint wanted[] = { sums, n_a, n_b, sums };

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    if (op->n_vector[i] != wanted[i] && (op->n_vector[i] != 0 || wanted[i] != 1))
      {
        tt_gpu_fault (self, thread, "operand %u has %u registers, not %u", i + 1, MAX (op->n_vector[i], 1), wanted[i]);
        return FALSE;
      }
  return TRUE;
}

void
tt_gpu_group_mma (TtGpuLaunch *self, TtGpuWarp *warp, guint32 mask, const TtGpuOp *op)
{
  Matrices m = { 0 };

  if (!has_registers (self, &warp->threads[__builtin_ctz (mask)], op) || gather_warp (self, warp, mask) == 0)
    return;
  for (guint lane = 0; lane < TT_GPU_WARP; lane++)
    {
      read_factors (self, &warp->threads[lane], op, lane, &m);
      read_sums (self, &warp->threads[lane], op, lane, &m);
    }
  for (guint row = 0; row < ROWS; row++)
    for (guint column = 0; column < COLUMNS; column++)
      for (guint k = 0; k < shapes[op->opcode->detail].depth; k++)
        m.c[row][column] += m.a[row][k] * m.b[k][column];
  for (guint lane = 0; lane < TT_GPU_WARP; lane++)
    write_sums (&warp->threads[lane], op, lane, &m);
}

/* -- fragments from shared memory ------------------------------------------------------------------- */

/* Matrices of 8 rows of 16 bytes, whose addresses eight threads each have. */
void
tt_gpu_group_ldmatrix (TtGpuLaunch *self, TtGpuWarp *warp, guint32 mask, const TtGpuOp *op)
{
  guint n = op->opcode->detail & 7, is_transposed = op->opcode->detail & 8;
  guint16 elements[4][8][8] = { 0 };

  if (MAX (op->n_vector[0], 1) != n)
    {
      tt_gpu_fault (self, &warp->threads[__builtin_ctz (mask)], "it has %u registers, not %u", MAX (op->n_vector[0], 1),
                    n);
      return;
    }
  if (gather_warp (self, warp, mask) == 0)
    return;
  for (guint i = 0; i < 8 * n; i++)
    {
      TtGpuThread *thread = &warp->threads[i];
      const guint8 *row =
          tt_gpu_find_bytes (self, thread, TT_PTX_SHARED, tt_gpu_read (self, thread, &op->operands[1]), 16, 16, "load");

      if (row == NULL)
        return;
      for (guint k = 0; k < 8; k++)
        elements[i / 8][i % 8][k] = (guint16) (row[2 * k] | row[2 * k + 1] << 8);
    }
  for (guint lane = 0; lane < TT_GPU_WARP; lane++)
    for (guint i = 0; i < n; i++)
      {
        guint row = lane / 4, column = 2 * (lane % 4);
        guint64 low = is_transposed ? elements[i][column][row] : elements[i][row][column];
        guint64 high = is_transposed ? elements[i][column + 1][row] : elements[i][row][column + 1];

        tt_gpu_write (&warp->threads[lane], op->n_vector[0] > 0 ? &op->vector[0][i] : &op->operands[0],
                      low | high << 16);
      }
}
