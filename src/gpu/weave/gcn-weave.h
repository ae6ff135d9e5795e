/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts a probe into kernels of AMD's assembly (gfx90a, gfx942), as weave.h does into those of PTX.
 *
 * The table of maps that the new parameter points to has, behind the entries, six u32: how many blocks the grid has along
 * x, y and z, and how many threads a block.
 */
#pragma once

#include "formats/gcn/module.h"
#include "src/gpu/weave/probe.h"

#define TT_GPU_GCN_TABLE_TAIL 24u

typedef struct
{
  const TtGcnModule *module;
  const char *text; /* that it was read from */
  gsize len;
  const char *module_name, *probe_name; /* for messages */
  const TtGpuProbe *probe;
  const char *kernel; /* NULL: all */
} TtGpuGcnWeaving;

/* NULL with @error, which has the line. Appends to @notes what could not be probed. */
char *tt_gpu_gcn_weave (const TtGpuGcnWeaving *weaving, GString *notes, GError **error);
