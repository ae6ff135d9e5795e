/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The descriptors and the metadata of kernels, changed for what is woven in.
 */
#pragma once

#include "src/gpu/weave/edits.h"
#include "src/gpu/weave/gcn-frame.h"

/* A kernel that is woven. */
typedef struct
{
  const char *name; /* borrowed */
  TtGpuGcnFrame frame;
  TtGpuGcnCounts counts;
  gboolean has_descriptor, has_metadata; /* of tt_gpu_gcn_describe() */
} TtGpuGcnWoven;

typedef struct
{
  const char *text; /* of the module */
  gsize len;
  const char *file;   /* for messages */
  const char *param;  /* name of the new parameter */
  GPtrArray *kernels; /* of TtGpuGcnWoven */
} TtGpuGcnDescription;

/* Reads the text twice, however many kernels there are. FALSE with @error: there is no metadata of one, or not in a form that
 * is known. */
gboolean tt_gpu_gcn_describe (const TtGpuGcnDescription *self, TtGpuEdits *edits, GError **error);
