/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Into how many pieces NCCL cuts a collective: from the names of its SENDs and RECVs.
 */
#pragma once

#include "src/store/store.h"

/* Maxima over all GPUs; 0: no detail traces. */
typedef struct
{
  guint n_loops, n_channels, n_chunks, n_slices;
} TtNcclPieces;

/* Raises the numbers of pieces to those in the suffix of a SEND or RECV ("LOOP_CHANNEL_CHUNK_SLICE", counted from 0);
 * other names, and numbers that no collective has, change nothing. */
void tt_nccl_pieces_widen (TtNcclPieces *self, const TtStoredName *name);
