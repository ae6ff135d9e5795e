/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/step-graph/builder.h"

#include <string.h>

guint32
tt_step_builder_add_node (TtStepBuilder *self,
                          guint rank,
                          TtStepNodeKind kind,
                          guint32 group,
                          const char *name,
                          const TtNameParts *parts)
{
  const TtStepNode node = { .rank = rank,
                            .local = TT_STEP_NO_NODE,
                            .group = group,
                            .kind = kind,
                            .peer = TT_STEP_NO_RANK,
                            .name = g_string_chunk_insert_const (self->graph->text, name),
                            .parts = *parts };

  g_array_append_val (self->graph->nodes, node);
  return self->graph->nodes->len - 1;
}

guint32
tt_step_builder_add_group_node (TtStepBuilder *self,
                                guint rank,
                                guint32 group,
                                TtStepNodeKind kind,
                                const char *op_cat,
                                const char *sub_op)
{
  g_autofree char *name = g_strconcat (op_cat, ".", self->group_names[group], ".", sub_op, NULL);
  TtNameParts parts = { .op_cat = op_cat, .op_name = self->group_names[group] };
  guint32 number = tt_step_builder_add_node (self, rank, kind, group, name, &parts);
  TtStepNode *node = tt_step_node (self->graph, number);

  /* The end of the name, which lives as long as the graph. */
  node->parts.sub_op = node->name + strlen (node->name) - strlen (sub_op);
  return number;
}

void
tt_step_builder_set_suffix (TtStepBuilder *self, guint32 node, const char *suffix)
{
  tt_step_node (self->graph, node)->parts.suffix = g_string_chunk_insert_const (self->graph->text, suffix);
}

void
tt_step_builder_add_edge (TtStepBuilder *self, guint32 from, guint32 to)
{
  const TtStepEdge edge = { from, to };

  g_array_append_val (self->graph->edges, edge);
}
