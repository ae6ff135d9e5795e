/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtKernels: what devices did and who launched it, from the rows of activity and one scan, whatever format they come from.
 *
 * A kernel is by its name, a copy or set by its direction (sub_op H2D, D2H ... SET). The operation that launched it is the
 * innermost span around the call on the host's thread that is no call of a runtime itself and does not only name a
 * stretch of time. Work belongs to a range if the call that launched it is inside it, on its thread; of ranges that cross,
 * to the one that begins last. Memory: TtLaunches, and 250 bytes a name; TtExecList, if that is wanted.
 */
#pragma once

#include "analyzers/kernels/result.h"
#include "src/base/crew.h"
#include "src/select/selection.h"

/* Bytes of a copy from its arguments (JSON of @len bytes); -1: not said. */
typedef gint64 (*TtCopyBytes) (const char *args, gsize len);

typedef enum
{
  TT_LISTING_NONE,
  TT_LISTING_WORK,  /* of devices */
  TT_LISTING_CALLS, /* to the runtime of devices */
  TT_LISTING_RANGES,
} TtListing;

/* What is wanted besides. Arguments take longer to read than all else. */
typedef struct
{
  TtCopyBytes copy_bytes;      /* NULL: no sizes */
  TtKernelConfigReader config; /* NULL: no grids */
  gboolean has_plain_grids;    /* told apart by grid and block only */
  gboolean by_operation;       /* copies and sets as nsys tells them apart, not by direction */
  gboolean has_execs;
  gboolean has_exec_list; /* kernel by kernel, with @config; then there are no grids */
  guint host_lists;       /* of TtKernelLists: those of spans of the host that are wanted. Others may be empty */
  TtListing listing;      /* events one by one, with @facts */
  TtDeviceFactsReader facts;
  gboolean is_brief;  /* names and times of kernels and copies are enough: only what devices did is read */
  gboolean has_short; /* ... and n_short; always there otherwise */
} TtKernelWants;

/* @selection: bound; it chooses the work of devices and the spans of the host. @crew: NULL, or ranks that share the scan, if there is one, of which this is rank
 * 0. NULL: @error. */
TtKernels *tt_kernels_new (TtStore *store,
                           const TtSelection *selection,
                           const TtKernelWants *wants,
                           const TtCrew *crew,
                           GError **error);
/* As another rank than 0. */
gboolean tt_kernels_help (TtStore *store,
                          const TtSelection *selection,
                          const TtKernelWants *wants,
                          const TtCrew *crew,
                          GError **error);
