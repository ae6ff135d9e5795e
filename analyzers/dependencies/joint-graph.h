/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The graph of operations by the ranks of a crew: each reads the links and the events of its part (spans/shared-scan.h), tells who has the first end of a
 * link what the other is, and then tells rank 0 its operations and edges, some 64 and 32 bytes each, and on what siblings in other parts follow.
 */
#pragma once

#include "analyzers/dependencies/graph-builder.h"

/* On all ranks, after rank 0 has called them: rank 0 gets the graph in @all, which is initialised and empty, but for the order of its nodes. *@is_alone: one rank
 * has to read all. FALSE: @error, or it is over. */
gboolean tt_joint_graph_build (TtGraphBuilder *all, TtSharedScan *shared, gboolean *is_alone, GError **error);

/* What a rank tells of its part, as elements in memory. */
typedef struct
{
  tt_int128 sum_ns, self_ns;
  guint64 cnt; /* 0: it is only around others there */
  gint64 ts_ns;
  guint32 process, name, depth;
  guint32 stretches; /* TT_STRETCH_SOME, TT_STRETCH_MIXED */
} TtJointNode;

typedef struct
{
  GArray *nodes; /* of TtJointNode */
  GArray
      *edges; /* of TtEdge, between nodes of this part, which come first, and those of others, in the order of ranks */
  GArray *firsts, *lasts; /* of TtSpanSibling */
} TtJointGraphPart;

void tt_joint_graph_part_init (TtJointGraphPart *self);
void tt_joint_graph_part_clear (TtJointGraphPart *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtJointGraphPart, tt_joint_graph_part_clear)
void tt_joint_graph_part_pack (TtJointGraphPart *self, GByteArray *bytes);
/* What a rank can say of a run. */
typedef struct
{
  guint64 n_events;
  guint32 max_process, max_name;
  guint32 n_nodes, n_all; /* nodes: its own, those of all ranks */
  gboolean merge_ranks;
} TtJointGraphBounds;

/* FALSE: it cannot be right. */
gboolean tt_joint_graph_part_unpack (TtJointGraphPart *self, TtUnpack *from, const TtJointGraphBounds *bounds);
