/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which ranges are inside which, on their thread: of ranges that cross, the one that begins last holds what begins in
 * both and ends in it.
 */
#pragma once

#include "analyzers/kernels/event-list.h"

typedef struct
{
  const TtListedEvent *range;
  guint id, parent; /* from 1 on, by begin; 0: in none */
  guint level;      /* 0: in none */
  guint n_children;
  gint64 children_ns;
} TtRangeNode;

/* Of TtRangeNode, those of @list that nest, by id. Borrows @list. Free it. */
GArray *tt_range_tree (const TtEventList *list);
