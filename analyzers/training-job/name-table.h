/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtJobNameTable: the distinct names of a step's graph. Ranks share their names, so a graph has few: what is decided by
 * name is decided once for all nodes of it.
 */
#pragma once

#include "graphs/step-graph/step-graph.h"

typedef struct
{
  const TtStepGraph *graph; /* not owned */
  GPtrArray *names;         /* of const char *, each once, in the order of the nodes */
  GArray *first;            /* of guint32: a node that has the name */
  guint32 *name_of;         /* by node: index in names */
} TtJobNameTable;

void tt_job_name_table_init (TtJobNameTable *self, const TtStepGraph *graph);
void tt_job_name_table_clear (TtJobNameTable *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtJobNameTable, tt_job_name_table_clear)

/* The first node of that name. */
const TtStepNode *tt_job_name_table_node (const TtJobNameTable *self, guint name);
/* "BW"; "other" for categories that no rule is about, "" for END. */
const char *tt_job_name_table_category (const TtJobNameTable *self, guint name);
