/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of `critical-path --model --show`: slack, dominators and feedback arcs of the graph of operations
 * (graphs/structure.h). Each is worked out only when it is asked for.
 */
#pragma once

#include "src/cli/tables/model-path.h"

typedef enum
{
  TT_STRUCTURE_TABLE_SLACK,      /* every operation, the least slack first */
  TT_STRUCTURE_TABLE_DOMINATORS, /* operations that others cannot do without, those on all paths first */
  TT_STRUCTURE_TABLE_FEEDBACK,   /* edges without which the graph has no cycle */
} TtStructureTable;

/* NULL on error. */
TtReport *
tt_structure_table (const TtModelPath *path, TtStructureTable table, const TtReportView *view, GError **error);
