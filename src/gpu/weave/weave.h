/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts a probe into kernels of a PTX module.
 *
 * A woven kernel has one parameter more: the address of a table of three u64 for each map: where its memory is, how many
 * bytes of it a thread or warp has, and where a u64 for each is that tells how many bytes it wanted to save. The memory
 * is that of Neutrino's results: [block][thread or warp][record]. What does not fit is not saved, but counted.
 *
 * The woven text begins with comments: the name of that parameter, and the TOML of the probe.
 */
#pragma once

#include "formats/ptx/module.h"
#include "src/gpu/weave/probe.h"

#define TT_GPU_TABLE_ENTRY 24u

typedef struct
{
  const TtPtxModule *module;
  const char *module_name, *probe_name; /* for messages */
  const TtGpuProbe *probe;
  const char *kernel; /* NULL: all */
} TtGpuWeaving;

/* NULL with @error, which has the line. Appends to @notes what could not be probed. */
char *tt_gpu_weave (const TtGpuWeaving *weaving, GString *notes, GError **error);
