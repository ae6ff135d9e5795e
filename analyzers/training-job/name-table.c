/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/name-table.h"

#include "src/base/map64.h"

void
tt_job_name_table_clear (TtJobNameTable *self)
{
  g_ptr_array_unref (self->names);
  g_array_unref (self->first);
  g_free (self->name_of);
}

/* The texts of a graph are interned: equal names are one pointer. */
void
tt_job_name_table_init (TtJobNameTable *self, const TtStepGraph *graph)
{
  TtMap64 numbers = { 0 };
  const char *last = NULL;
  guint32 number = TT_MAP64_NONE;

  self->graph = graph;
  self->names = g_ptr_array_new ();
  self->first = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->name_of = g_new (guint32, graph->nodes->len);
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const char *name = tt_step_node (graph, i)->name;
      if (name != last)
        number = tt_map64_get (&numbers, (guintptr) name);
      if (number == TT_MAP64_NONE)
        {
          number = self->names->len;
          g_ptr_array_add (self->names, (gpointer) name);
          g_array_append_val (self->first, i);
          tt_map64_set (&numbers, (guintptr) name, number);
        }
      last = name;
      self->name_of[i] = number;
    }
  tt_map64_clear (&numbers);
}

const TtStepNode *
tt_job_name_table_node (const TtJobNameTable *self, guint name)
{
  return tt_step_node (self->graph, g_array_index (self->first, guint32, name));
}

const char *
tt_job_name_table_category (const TtJobNameTable *self, guint name)
{
  const TtStepNode *node = tt_job_name_table_node (self, name);

  return node->kind == TT_STEP_NODE_OTHER ? tt_step_node_kind_text (node->kind)
         : node->kind == TT_STEP_NODE_END ? ""
                                          : node->parts.op_cat;
}
