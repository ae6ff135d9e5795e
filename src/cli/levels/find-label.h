/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What --around means in graphs whose nodes have labels of their own: TtGraphLevel.find.
 */
#pragma once

#include "src/cli/levels/level.h"

/* Finds nodes by label, by name, or by a part of one name only. */
GArray *
tt_graph_level_find_label (TtStore *store, const TtGraph *graph, const TtGraphRequest *request, GError **error);
