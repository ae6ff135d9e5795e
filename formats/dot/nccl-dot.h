/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures of NCCL's rings and trees: one box for channels that are connected alike, in it one cluster a host, an arrow
 * a connection, coloured by transport. In a ring arrows go from sender to receiver, in a tree from parent to child.
 */
#pragma once

#include "graphs/nccl/nccl.h"
#include "src/base/output.h"

typedef struct
{
  const TtNccl *nccl; /* joined */
  guint n_ranks;
  const char *const *pids; /* by rank; an element may be NULL. What is before the first '.' is the host. */
} TtNcclPicture;

void tt_nccl_dot_write (const TtNcclPicture *picture, TtOutput *out);
/* {"ranks":[{rank, pid, host}],"links":[{algo, channel, from, to, transport}],"problems":[...]} */
void tt_nccl_json_write (const TtNcclPicture *picture, const GPtrArray *problems, TtOutput *out);
/* "2 nodes and 2 edges" of the picture. Free it. */
char *tt_nccl_picture_size (const TtNcclPicture *picture);
