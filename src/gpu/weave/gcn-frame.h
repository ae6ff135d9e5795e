/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtGpuGcnFrame: what a woven kernel of AMD's assembly has more: registers beyond those that it uses, the numbers of its
 * block and threads, and one parameter.
 *
 * A kernel finds numbers in scalar registers in an order that its descriptor makes; who asks for one more moves those
 * behind it, which are moved back where the kernel begins.
 */
#pragma once

#include "formats/gcn/module.h"

#define TT_GPU_GCN_MOST_MOVES 32u

typedef struct
{
  guint first_vector, first_scalar; /* that are free, both even */
  guint n_accums;
  guint old_scalars; /* of the descriptor */
  guint kernarg;     /* scalar registers as the woven kernel finds them */
  guint block[3];
  struct
  {
    guint from, to;
  } moves[TT_GPU_GCN_MOST_MOVES];
  guint n_moves;
  gboolean has_kernarg; /* before it was woven */
  guint n_user;         /* user_sgpr_count; 0: it is not said */
  guint n_thread_axes;  /* in v0, less 1, before it was woven */
  guint64 param_offset; /* of the new parameter */
} TtGpuGcnFrame;

/* How many registers instructions use: up to the last of each kind. */
typedef struct
{
  guint vectors, scalars, accums;
} TtGpuGcnUse;

void tt_gpu_gcn_use_add (TtGpuGcnUse *self, const TtGcnInstruction *instruction);

/* @use: of all instructions that count for registers. FALSE with @error: this kernel cannot be woven. */
gboolean tt_gpu_gcn_frame_init (TtGpuGcnFrame *self,
                                const TtGcnKernel *kernel,
                                const TtGpuGcnUse *use,
                                const char *name,
                                GError **error);

/* What the descriptor says of registers with so many more. */
typedef struct
{
  guint vectors, scalars, accum_offset; /* next_free_vgpr, next_free_sgpr */
} TtGpuGcnCounts;

/* FALSE with @error: there are not so many. */
gboolean tt_gpu_gcn_frame_count (const TtGpuGcnFrame *self,
                                 guint n_vectors,
                                 guint n_scalars,
                                 const char *what,
                                 TtGpuGcnCounts *counts,
                                 GError **error);
