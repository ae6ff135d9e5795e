/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtGpuRecords: the memory of a woven kernel's maps, and the directory of a Neutrino run that it is written to.
 */
#pragma once

#include "src/gpu/run/arguments.h"
#include "src/gpu/weave/probe.h"

typedef struct
{
  const TtGpuProbe *probe;
  const char *kernel; /* its name */
  guint n_params;     /* of it as it was woven; the last is that of the table */
  guint warp;         /* threads of a warp */
  gboolean is_amd;    /* the table has the sizes of grid and block behind its entries */
  guint grid[3], block[3];
  guint64 shared_bytes;
  const guint64 *caps; /* records of each map with a cap that a launch counts; NULL: 0 */
} TtGpuRecordsInfo;

typedef struct _TtGpuRecords TtGpuRecords;

/* Allocates it, and sets the last parameter of the kernel. @info is copied, what it points to borrowed. */
TtGpuRecords *tt_gpu_records_new (const TtGpuReceiver *launch, const TtGpuRecordsInfo *info, GError **error);
void tt_gpu_records_free (TtGpuRecords *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtGpuRecords, tt_gpu_records_free)

/* After the launch: the most records that a thread or warp wanted to save. */
guint64 tt_gpu_records_most (const TtGpuRecords *self, guint map);
/* Records that found no room. */
guint64 tt_gpu_records_lost (const TtGpuRecords *self, guint map);
/* event.log, probe.toml, result/0.000000.bin, kernel/0_SHA1/. @folder must not exist. */
gboolean
tt_gpu_records_write (const TtGpuRecords *self, const char *folder, const char *text, guint64 steps, GError **error);
