/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers with a point, as bits. Sums, products, quotients, roots, fma and conversions of f32 and f64 are rounded as the
 * instruction says, exactly; f16 and bf16 are computed in f64 and rounded once more. What is `approx` on a GPU (ex2, lg2,
 * sin, cos, tanh, rsqrt, rcp, div) is here the nearest f32 of the C library's value.
 */
#pragma once

#include "src/gpu/run/machine.h"

typedef enum
{
  TT_GPU_REAL_ADD,
  TT_GPU_REAL_SUB,
  TT_GPU_REAL_MUL,
  TT_GPU_REAL_DIV,
  TT_GPU_REAL_MIN,
  TT_GPU_REAL_MAX,
} TtGpuRealOp;

/* By op->type, which may be two halves in one. */
guint64 tt_gpu_real_binary (const TtGpuOp *op, TtGpuRealOp what, guint64 a, guint64 b);
guint64 tt_gpu_real_fma (const TtGpuOp *op, guint64 a, guint64 b, guint64 c);
/* Changes the sign, or takes it away. */
guint64 tt_gpu_real_sign (const TtGpuOp *op, guint64 a, gboolean negates);
/* By op->from. */
gboolean tt_gpu_real_compare (const TtGpuOp *op, TtGpuCompare compare, guint64 a, guint64 b);

double tt_gpu_real_get (TtPtxType type, guint64 bits);
/* Rounded to @type. */
guint64 tt_gpu_real_put (TtPtxType type, double value, TtGpuRound round);
/* Rounds in the way of @round until the next call; tt_gpu_real_reset() ends it. */
void tt_gpu_real_set_round (TtGpuRound round);
void tt_gpu_real_reset (void);
guint64 tt_gpu_real_flush (const TtGpuOp *op, TtPtxType type, guint64 bits);
double tt_gpu_real_round_whole (double value, TtGpuRound round);
/* What .sat and .relu make of it. */
guint64 tt_gpu_real_saturate (const TtGpuOp *op, TtPtxType type, guint64 bits);
TtGpuRound tt_gpu_real_round_of (const TtGpuOp *op);
/* Two halves in one register. */
gboolean tt_gpu_real_is_pair (TtPtxType type);
