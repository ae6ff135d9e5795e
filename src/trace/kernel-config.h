/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a kernel was launched, as its arguments say it. Formats read it, analyzers ask for it.
 */
#pragma once

#include <glib.h>

typedef struct
{
  gint64 grid[3], block[3];       /* blocks, threads; -1: not said. With [1] -1: [0] is how many there are in all */
  gint64 registers, shared_bytes; /* of a thread, of a block; likewise */
  double occupancy_percent;       /* as the source estimates it; likewise */
} TtKernelConfig;

/* Sets all of @config. @args: JSON of @len bytes; NULL: none. FALSE: they say nothing of it. */
typedef gboolean (*TtKernelConfigReader) (const char *args, gsize len, TtKernelConfig *config);
