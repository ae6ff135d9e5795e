/*
 * TtNcclView: what the database says of NCCL: which ranks are connected how, and in how many pieces each group of tensors goes.
 *
 * From the metadata `nccl_rank_graph` of processes and the names of Comm operations; no event is read. What the ranks
 * say need not fit together, and may be damaged: `problems` names it.
 */
#pragma once

#include "graphs/nccl/nccl.h"
#include "src/store/store.h"

/* A group of tensors that are communicated together; none whose tensors all go with larger groups. */
typedef struct
{
  char *name; /* "3+4" */
  guint n_tensors;
  guint n_loops, n_channels, n_slices, n_chunks; /* maxima over all GPUs; 0: no detail traces */
} TtNcclGroup;

typedef struct
{
  TtNccl *nccl; /* joined; empty if nobody says anything */
  guint n_ranks;
  char **pids;         /* by rank; an element is NULL if the rank is only heard of */
  GArray *groups;      /* of TtNcclGroup, the first tensors first */
  GPtrArray *problems; /* of char * */
} TtNcclView;

TtNcclView *tt_nccl_view_new (TtStore *store, GError **error);
void tt_nccl_view_free (TtNcclView *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNcclView, tt_nccl_view_free)

/* Raises the numbers of pieces to what the suffix of a SEND or RECV ("LOOP_CHANNEL_CHUNK_SLICE", counted from 0) says; other
 * names and numbers beyond belief change nothing. */
void tt_nccl_widen (const TtStoredName *name, guint *n_loops, guint *n_channels, guint *n_chunks, guint *n_slices);

/* Adds what @process says to @nccl; *own: the rank it says it is, TT_NCCL_NONE if nothing; *n_said: texts that were
 * understood or not. What is not understood is added to @problems. */
gboolean tt_nccl_read_process (TtStore *store,
                               const TtProcess *process,
                               TtNccl *nccl,
                               GPtrArray *problems,
                               gint *own,
                               guint *n_said,
                               GError **error);
