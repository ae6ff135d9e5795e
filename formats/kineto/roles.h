/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a span of PyTorch's profiler does with a device, by its category and its name alone.
 *
 * Kineto names calls as the runtime does (cudaLaunchKernel, hipStreamSynchronize, cuEventRecord), work by its category,
 * and the marks in the rows of streams by CUpti_ActivitySynchronizationType: "Context Sync", "Stream Sync", "Event
 * Sync", "Stream Wait Event".
 */
#pragma once

#include "src/trace/activity.h"

/* @category, @name: of the event; NULL: none. *blocks: see TtActivity. */
TtActivityRole tt_kineto_role (const char *category, const char *name, gboolean *blocks);
