/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was measured or noted beside the calls: allocations of device memory (CUDA_GPU_MEMORY_USAGE_EVENTS: instants,
 * and a counter of what is allocated), samples of the GPU's counters (GPU_METRICS), and what Nsight Systems says of its
 * own work (DIAGNOSTIC_EVENT).
 */
#pragma once

#include "formats/nsys/session.h"

gboolean tt_nsys_read_measures (TtNsys *self, GError **error);
