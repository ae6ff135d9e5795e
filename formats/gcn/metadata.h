/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between .amdgpu_metadata and .end_amdgpu_metadata: which arguments kernels have, as YAML.
 */
#pragma once

#include "formats/gcn/module.h"

typedef struct
{
  TtGcnModule *module;
  TtGcnKernel *kernel; /* that is described; its name may come last */
  TtGcnArgument *argument;
  gboolean has_begun, in_arguments;
} TtGcnMetadata;

void tt_gcn_metadata_line (TtGcnMetadata *self, const char *line);
/* The kernel of that name; it is made if need be. */
TtGcnKernel *tt_gcn_kernel_find (TtGcnModule *module, const char *name);
TtGcnKernel *tt_gcn_kernel_new (void);
void tt_gcn_kernel_free (gpointer data);
/* Behind the last line. */
void tt_gcn_metadata_end (TtGcnMetadata *self);
