/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who needs whom in a collective function of MPI, NCCL or gloo, by its name.
 */
#pragma once

typedef enum
{
  TT_COLLECTIVE_OTHER, /* returns at once, is between neighbours, or is not known */
  TT_COLLECTIVE_BARRIER,
  TT_COLLECTIVE_FENCE, /* of one-sided communication: a barrier, unless the program promises what makes it none */
  TT_COLLECTIVE_ALL,   /* from all to all */
  TT_COLLECTIVE_AGREE, /* makes a communicator, on which all have to agree: nobody leaves before all have come */
  TT_COLLECTIVE_FROM,  /* from the root to all */
  TT_COLLECTIVE_TO,    /* from all to the root */
} TtCollectiveShape;

TtCollectiveShape tt_collective_shape (const char *function);
/* Of a function that returns at once (MPI_Iallreduce): who needs whom when it is completed; TT_COLLECTIVE_OTHER: it does
 * not return at once. */
TtCollectiveShape tt_collective_shape_at_completion (const char *function);
