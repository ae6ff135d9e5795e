/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an NCCL log says of the pieces and connections of a run: the tables nccl_shape and nccl_edge.
 */
#pragma once

#include "src/store/import/import.h"

/* Pieces of a group of tensors: the maxima over all GPUs. */
typedef struct
{
  const char *raw_name; /* "Comm.3+4" */
  gint64 chunk_num, slice_num, channel_num, loop_num;
} TtNcclShapeRow;

typedef struct
{
  const char *algo; /* "ring", "ring_possible", "tree" */
  gint64 channel, rank, peer;
  const char *transport; /* NULL: not said */
} TtNcclEdgeRow;

/* Replaces the rows of the run in the tables nccl_shape and nccl_edge. */
gboolean tt_store_import_nccl (TtStoreImport *self,
                               const TtNcclShapeRow *shapes,
                               gsize n_shapes,
                               const TtNcclEdgeRow *edges,
                               gsize n_edges,
                               GError **error);
