/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The descriptor and the metadata of a kernel, changed for what is woven in.
 */
#pragma once

#include "src/gpu/weave/edits.h"
#include "src/gpu/weave/gcn-frame.h"

typedef struct
{
  const char *text; /* of the module */
  gsize len;
  const char *file;   /* for messages */
  const char *kernel; /* its name */
  const TtGpuGcnFrame *frame;
  const TtGpuGcnCounts *counts;
  const char *param; /* name of the new parameter */
} TtGpuGcnDescription;

/* FALSE with @error: there is no metadata of that kernel, or not in a form that is known. */
gboolean tt_gpu_gcn_describe (const TtGpuGcnDescription *self, TtGpuEdits *edits, GError **error);
