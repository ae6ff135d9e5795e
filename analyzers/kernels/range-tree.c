/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/kernels/range-tree.h"

static TtRangeNode *
node_at (GArray *nodes, guint id)
{
  return &g_array_index (nodes, TtRangeNode, id - 1);
}

GArray *
tt_range_tree (const TtEventList *list)
{
  const GArray *events = tt_event_list_events (list);
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (TtRangeNode));
  /* The innermost open range of each thread. */
  g_autoptr (GHashTable) innermost = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < events->len; i++)
    {
      const TtListedEvent *range = &g_array_index (events, TtListedEvent, i);
      gpointer thread = GUINT_TO_POINTER (range->thread);
      guint parent = GPOINTER_TO_UINT (g_hash_table_lookup (innermost, thread));
      TtRangeNode node = { .range = range, .id = nodes->len + 1 };

      if (range->is_async)
        continue;
      while (parent != 0 && node_at (nodes, parent)->range->end_ns < range->end_ns)
        parent = node_at (nodes, parent)->parent;
      node.parent = parent;
      if (parent != 0)
        {
          TtRangeNode *outer = node_at (nodes, parent);

          node.level = outer->level + 1;
          outer->n_children++;
          outer->children_ns += range->end_ns - range->begin_ns;
        }
      g_array_append_val (nodes, node);
      g_hash_table_insert (innermost, thread, GUINT_TO_POINTER (node.id));
    }
  return nodes;
}
