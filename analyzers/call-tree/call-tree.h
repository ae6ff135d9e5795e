/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCallTree: which operation ran inside which: a node for each call path, that is for each sequence of names from the
 * outermost span of a thread to a span. Threads and ranks share the nodes of equal paths.
 *
 * One scan. Instants are no calls, spans that only name a stretch of time are passed over. Memory: some 80 bytes a node;
 * beyond TT_CALL_TREE_MAX_NODES calls count for the path that they were made on (n_folded).
 */
#pragma once

#include "src/base/crew.h"
#include "src/base/int128.h"
#include "src/select/selection.h"

#define TT_CALL_TREE_MAX_NODES (1u << 20)
/* Levels of callers that are told. */
#define TT_CALL_TREE_MAX_CALLERS 1024u

typedef struct
{
  guint32 parent;      /* 0: the root, which stands for nothing */
  guint32 name;        /* the first id of those with the same text; 0 for the root */
  guint32 first, next; /* first child, next child of the parent, largest total first; 0: none */
  guint32 depth;       /* 1: outermost */
  guint64 count;
  tt_int128 total_ns; /* inclusive; of the root the sum of the outermost */
  tt_int128 self_ns;
} TtCallNode;

typedef struct
{
  GArray *nodes; /* of TtCallNode; the root is the first. Parents come before their children */
  guint64 n_folded;
} TtCallTree;

/* @selection: bound, or NULL; spans that it does not choose are passed over: what is inside them is as if it were inside
 * what is around them. Time in them is then nobody's self time. @crew: NULL, or ranks that share the scan: those other than 0 get NULL; without
 * @error they are done. */
TtCallTree *tt_call_tree_new (TtStore *store, const TtSelection *selection, const TtCrew *crew, GError **error);
void tt_call_tree_free (TtCallTree *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtCallTree, tt_call_tree_free)

static inline const TtCallNode *
tt_call_tree_node (const TtCallTree *self, guint32 node)
{
  return &g_array_index (self->nodes, TtCallNode, node);
}

/*
 * Views of the whole tree, as trees of their own. @is_asked: by name, which names are asked for.
 *
 *   callers  the asked operations outermost, inside each those that called it, and so on up to the outermost: total and
 *            self are those of the asked operation on that path
 *   callees  the asked operations outermost, and below them what they called, all paths that lead to them in one
 *
 * A call inside another that is asked for (recursion) has its own count and self time; in the total of its path it is not
 * counted again.
 */
TtCallTree *tt_call_tree_callers (const TtCallTree *self, const guint8 *is_asked);
TtCallTree *tt_call_tree_callees (const TtCallTree *self, const guint8 *is_asked);
