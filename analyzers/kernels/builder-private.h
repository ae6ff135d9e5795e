/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtKernelBuilder: what the rows of TtKernels are made from: by one process (kernels.c), or by ranks of a crew (joint-kernels.c).
 */
#pragma once

#include "analyzers/devices/launches.h"
#include "analyzers/kernels/kernels.h"
#include "analyzers/kernels/queue.h"
#include "analyzers/spans/parents.h"
#include "src/base/sorter.h"

typedef struct
{
  TtKernels *result;
  TtStore *store;
  const TtSelection *selection;
  const TtKernelWants *wants;
  const TtDevicePart *part; /* NULL: all */
  TtDeviceRoles roles;
  TtLaunches *launches;
  TtSpanParents *parents; /* payload: Around */
  TtKernelNames names;
  TtAnnotations *annotations;
  TtSorter *work;
  TtQueues *queues;

  guint64 *n_short_of_name;
  tt_int128 *sized_ns_of_name;
  TtOperatorRow *operators; /* by name */
  TtStreamRow *streams;     /* by thread */
} TtKernelBuilder;

void tt_kernel_builder_init (TtKernelBuilder *self,
                             TtStore *store,
                             const TtSelection *selection,
                             const TtKernelWants *wants);
void tt_kernel_builder_clear (TtKernelBuilder *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtKernelBuilder, tt_kernel_builder_clear)
/* Where ranks find that their parts are entangled (TtDeviceRoles), no more than that. */
gboolean tt_kernel_builder_read (TtKernelBuilder *self, GError **error);
/* Makes the rows. */
gboolean tt_kernel_builder_finish (TtKernelBuilder *self, GError **error);

/* Whether what devices did is enough, without the scan. */
gboolean tt_kernel_wants_are_brief (const TtKernelWants *wants, const TtSelection *selection);

/* As rank 0. NULL: *@is_odd, one process has to do all, or @error. */
TtKernels *tt_kernel_parts_join (TtStore *store,
                                 const TtSelection *selection,
                                 const TtKernelWants *wants,
                                 const TtCrew *crew,
                                 gboolean *is_odd,
                                 GError **error);
