/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code of a woven kernel around its probes: where it begins and where it ends.
 */
#pragma once

#include "src/gpu/weave/gcn-frame.h"
#include "src/gpu/weave/gcn-text.h"

/* Finds the memory of this thread and wave, and leaves the kernel's registers as they were. */
void tt_gpu_gcn_begin (const TtGpuGcnText *self, const TtGpuGcnFrame *frame, GString *to);
/* Stores how many bytes were to be saved. */
void tt_gpu_gcn_end (const TtGpuGcnText *self, GString *to);
