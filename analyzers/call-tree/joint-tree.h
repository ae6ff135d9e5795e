/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call paths that each rank of a crew has found in its part of a run, for rank 0, which adds up those that are equal: some 10 to 40 bytes a path.
 */
#pragma once

#include "analyzers/call-tree/call-nodes.h"
#include "analyzers/spans/shared-scan.h"

/* Paths on which calls were counted. */
void tt_call_nodes_pack (TtCallNodes *self, GByteArray *bytes);

/* @first_names: by name, as tt_store_first_names() has it. What cannot be right of @n_events spans is bad. FALSE: there are more paths than fit. */
gboolean tt_call_nodes_unpack (TtCallNodes *self,
                               TtUnpack *from,
                               const guint32 *first_names,
                               guint32 max_name,
                               guint64 n_events);

/* On rank 0: adds what all others say of their parts to its own, in @shared. On others: says it, and FALSE without @error. *@is_alone: one rank has to read all. */
gboolean tt_joint_tree_join (TtCallNodes *own,
                             TtSharedScan *shared,
                             const guint32 *first_names,
                             gboolean *is_alone,
                             GError **error);
