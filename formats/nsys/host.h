/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What threads called: the CUDA runtime and driver, libc, cuBLAS, cuDNN, OpenMP, OpenACC, UCX, and the profiler itself.
 */
#pragma once

#include "formats/nsys/session.h"

gboolean tt_nsys_read_calls (TtNsys *self, GError **error);
/* Whether @table is one of those that are read here. */
gboolean tt_nsys_is_of_calls (const char *table);
