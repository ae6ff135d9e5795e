/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtGpuLaunch: a kernel of a PTX module, run on the processor that we are on.
 *
 * Blocks run one after the other, the warps of a block in turns, the threads of a warp together as long as they are at
 * the same instruction. Clocks count instructions of warps, so that the same launch gives the same numbers always.
 * What faults on a GPU is an error with the line of the instruction, and the block and thread.
 */
#pragma once

#include "formats/ptx/module.h"
#include "src/gpu/regions.h"

#define TT_GPU_WARP 32u
#define TT_GPU_MAX_BLOCK 1024u /* threads */

typedef struct _TtGpuLaunch TtGpuLaunch;

typedef struct
{
  guint64 warp_steps, thread_steps;
} TtGpuCounts;

/* @name: of the module, for messages. Both are borrowed. NULL with @error: an instruction of the kernel, or of what it
 * calls, is not one that can be run; or names are missing. */
TtGpuLaunch *
tt_gpu_launch_new (const TtPtxModule *module, const TtPtxFunction *kernel, const char *name, GError **error);
void tt_gpu_launch_free (TtGpuLaunch *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtGpuLaunch, tt_gpu_launch_free)

/* Dimensions of three numbers. */
gboolean tt_gpu_launch_set_size (TtGpuLaunch *self, const guint grid[3], const guint block[3], GError **error);
/* Bytes of the shared variable that has no size. */
gboolean tt_gpu_launch_set_shared (TtGpuLaunch *self, guint64 bytes, GError **error);
/* Instructions of warps: no more are run. */
void tt_gpu_launch_set_max_steps (TtGpuLaunch *self, guint64 steps);

/* Memory of the device, zeroed. NULL with @error: there is not so much. @name is for messages. */
guint8 *tt_gpu_launch_allocate (TtGpuLaunch *self, const char *name, guint64 bytes, guint64 *address, GError **error);
/* The parameter @i of the kernel; @len must be its size. */
gboolean tt_gpu_launch_set_param (TtGpuLaunch *self, guint i, gconstpointer bytes, gsize len, GError **error);

/* It may be run again, with memory as the last run left it. */
gboolean tt_gpu_launch_run (TtGpuLaunch *self, TtGpuCounts *counts, GError **error);
