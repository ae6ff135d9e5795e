/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where text may go around an instruction: nothing may stand between a call and the stores and loads of its arguments and
 * results.
 */
#pragma once

#include "formats/ptx/module.h"

typedef struct
{
  guint32 before, after; /* positions in the module's text */
} TtGpuPlace;

/* @i: of the instruction in @function. */
TtGpuPlace tt_gpu_place_find (const TtPtxFunction *function, guint i);
