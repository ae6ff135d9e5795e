/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configuration of a kernel in its arguments, in the words of PyTorch's profiler, which our importers of other
 * sources write, too: grid, block, registers per thread, shared memory, est. achieved occupancy %; and in those of
 * Score-P: blocks per grid, threads per block, static shared memory, dynamic shared memory.
 */
#pragma once

#include "src/trace/device-facts.h"

/* A TtKernelConfigReader. */
gboolean tt_json_kernel_config (const char *args, gsize len, TtKernelConfig *config);
/* A TtDeviceFactsReader: also static shared memory, bytes, device, context, stream, correlation, result. */
void tt_json_device_facts (const char *args, gsize len, TtDeviceFacts *facts);
