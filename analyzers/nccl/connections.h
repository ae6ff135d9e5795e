/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one process says of the rings and trees of NCCL it is part of: its metadata `nccl_rank_graph`.
 */
#pragma once

#include "graphs/nccl/nccl.h"
#include "src/store/store.h"

/* About a process. */
typedef struct
{
  gint own;      /* the rank it says it is; TT_NCCL_NONE: none */
  guint n_texts; /* that describe connections, understood or not; 0: it says nothing */
} TtNcclStatement;

/* Adds the connections to @nccl, and to @problems (of char *) what is not understood. FALSE with @error: the database
 * failed. */
gboolean tt_nccl_statement_read (TtNcclStatement *self,
                                 TtStore *store,
                                 const TtProcess *process,
                                 TtNccl *nccl,
                                 GPtrArray *problems,
                                 GError **error);
