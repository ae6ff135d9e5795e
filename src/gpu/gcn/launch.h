/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtGcnLaunch: a kernel of AMD's assembly (gfx90a, gfx942), run on the processor that we are on.
 *
 * Blocks run one after the other, the waves of 64 threads of a block in turns. Memory is as it is when each instruction
 * has ended, but who reads a register before it was waited for (s_waitcnt), or in wait states that the machine needs
 * (s_nop), gets an error with the line, for on a GPU it would get an old value.
 */
#pragma once

#include "formats/gcn/module.h"

#define TT_GCN_WAVE 64u

typedef struct _TtGcnLaunch TtGcnLaunch;

/* @name: of the module, for messages. Both are borrowed. NULL with @error: it has an instruction that cannot be run. */
TtGcnLaunch *tt_gcn_launch_new (const TtGcnModule *module, const TtGcnKernel *kernel, const char *name, GError **error);
void tt_gcn_launch_free (TtGcnLaunch *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtGcnLaunch, tt_gcn_launch_free)

gboolean tt_gcn_launch_set_size (TtGcnLaunch *self, const guint grid[3], const guint block[3], GError **error);
/* Bytes of memory that a block's waves share, beside those of the kernel's variables. */
gboolean tt_gcn_launch_set_shared (TtGcnLaunch *self, guint64 bytes, GError **error);
void tt_gcn_launch_set_max_steps (TtGcnLaunch *self, guint64 steps);

/* The most threads of a block that have room on a compute unit, each with so many vector registers. */
guint tt_gcn_most_threads (guint64 n_vectors);

/* As those of TtGpuLaunch. */
guint8 *tt_gcn_launch_allocate (TtGcnLaunch *self, const char *name, guint64 bytes, guint64 *address, GError **error);
gboolean tt_gcn_launch_set_param (TtGcnLaunch *self, guint i, gconstpointer bytes, gsize len, GError **error);

/* Counts instructions of waves, and of threads. */
gboolean tt_gcn_launch_run (TtGcnLaunch *self, guint64 *wave_steps, guint64 *thread_steps, GError **error);
