/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtGpuRegions: the memory that a launch has, in pieces far enough from each other that an index which is a little too
 * large meets none.
 */
#pragma once

#include <glib.h>

/* All regions together have no more. */
#define TT_GPU_MAX_MEMORY (G_GUINT64_CONSTANT (1) << 31)
/* Free addresses behind a region, at least. */
#define TT_GPU_GAP 65536u

typedef struct
{
  guint64 base, bytes;
  guint8 *data;
  char *name;
  gboolean is_constant;
} TtGpuRegion;

typedef struct
{
  GArray *regions; /* of TtGpuRegion, by base */
  guint64 bytes;   /* of all */
  guint64 next_base;
} TtGpuRegions;

void tt_gpu_regions_init (TtGpuRegions *self, guint64 base);
/* Of zeros, too. */
void tt_gpu_regions_clear (TtGpuRegions *self);
/* Zeros, which stay where they are; @address: theirs. NULL: @error. */
guint8 *tt_gpu_regions_add (TtGpuRegions *self,
                            const char *name,
                            guint64 bytes,
                            gboolean is_constant,
                            guint64 *address,
                            GError **error);
/* The last that begins at or before @address, which may lie behind its end; NULL: none does. */
const TtGpuRegion *tt_gpu_regions_find (const TtGpuRegions *self, guint64 address);
