/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes: into how many pieces each group of tensors is cut, and how many bytes it has.
 */
#pragma once

#include "analyzers/nccl/pieces.h"
#include "analyzers/training-job/observe.h"

/* Pieces of one group of tensors, as the detail traces show them: the maxima over all GPUs. */
typedef struct
{
  char *name; /* "3+4" */
  char **tensors;
  TtNcclPieces pieces;
  guint64 *tensor_bytes; /* by tensor; 0: unknown from the parameters */
  guint64 bytes;         /* of all; 0: one of them is unknown */
} TtJobShape;

/* Of TtJobShape, in the order of their first event in the typical step. NULL with @error: the database failed. */
GArray *tt_job_shapes_new (TtStore *store,
                           const TtJobTopology *topology,
                           const TtJobObservations *observations,
                           TtNotes *notes,
                           GError **error);
