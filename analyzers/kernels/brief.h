/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels and copies by name from the events of devices alone: a quarter to a half of the time of the scan over all
 * events, and the same numbers.
 */
#pragma once

#include "analyzers/kernels/result.h"

/* *@result: NULL where the scan is needed: some work is of a kind whose place only all rows tell. FALSE with @error. */
gboolean
tt_kernels_new_brief (TtStore *store, gboolean by_operation, gboolean has_short, TtKernels **result, GError **error);
