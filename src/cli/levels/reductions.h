/* SPDX-License-Identifier: Apache-2.0 */
/* From the graph of a level to one that can be looked at, with a word about what is not in it. */
#pragma once

#include "graphs/reduce.h"

typedef struct
{
  gboolean fold_ranks, collapse, reduce;
  guint max_nodes;        /* 0: all */
  double min_share;       /* of all self time, 0 to 1 */
  gboolean is_rest_drawn; /* what is left out is still there as grey nodes */
} TtReductions;

/* Replaces *graph; @note gets what the picture is to say. FALSE: @error. */
gboolean tt_reductions_apply (const TtReductions *self, TtGraph **graph, GString *note, GError **error);
