/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNcclView: NCCL as the database shows it: which ranks are connected how, and into how many pieces each group of
 * tensors is cut.
 *
 * From the metadata `nccl_rank_graph` of processes and the names of Comm operations; no event is read. The statements
 * of ranks may contradict each other, and may be damaged: `problems` names it.
 */
#pragma once

#include "analyzers/nccl/pieces.h"
#include "graphs/nccl/nccl.h"
#include "src/store/store.h"

/* A group of tensors that are communicated together; groups whose tensors are all in larger groups are left out. */
typedef struct
{
  char *name; /* "3+4" */
  guint n_tensors;
  TtNcclPieces pieces;
} TtNcclGroup;

typedef struct
{
  TtNccl *nccl; /* joined; empty if no process says anything */
  guint n_ranks;
  char **pids;         /* by rank; NULL: only other ranks mention it */
  GArray *groups;      /* of TtNcclGroup, the first tensors first */
  GPtrArray *problems; /* of char * */
} TtNcclView;

TtNcclView *tt_nccl_view_new (TtStore *store, GError **error);
/* For who has seen that no name tells of a group: none is read. */
TtNcclView *tt_nccl_view_new_without_groups (TtStore *store, GError **error);
/* Whether a name tells of a group. Each text may be NULL. */
gboolean tt_nccl_name_tells_group (const char *op_cat, const char *op_name, const char *sub_op, const char *suffix);
void tt_nccl_view_free (TtNcclView *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNcclView, tt_nccl_view_free)
