/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCallNodes: finds the node of a call path by its parent and name, or makes it. Of analyzers/call-tree only.
 */
#pragma once

#include "analyzers/call-tree/call-tree.h"

typedef struct _TtCallNodes TtCallNodes;

TtCallNodes *tt_call_nodes_new (void);
void tt_call_nodes_free (TtCallNodes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtCallNodes, tt_call_nodes_free)

/* Index of the child; 0 where there are too many nodes. */
guint32 tt_call_nodes_child (TtCallNodes *self, guint32 parent, guint32 name);
/* With the root. */
guint32 tt_call_nodes_count (const TtCallNodes *self);
TtCallNode *tt_call_nodes_get (TtCallNodes *self, guint32 node);
/* The tree of them, in which children have their order; @self is empty afterwards. */
TtCallTree *tt_call_nodes_finish (TtCallNodes *self);
