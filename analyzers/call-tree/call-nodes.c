/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/call-tree/call-nodes.h"

#define FIRST_SLOTS 1024u

/* Nodes by (parent, name): open addressing, at most half full. */
struct _TtCallNodes
{
  GArray *nodes;
  guint32 *slots; /* index of a node; 0: free */
  guint32 n_slots;
};

TtCallNodes *
tt_call_nodes_new (void)
{
  TtCallNodes *self = g_new0 (TtCallNodes, 1);
  const TtCallNode root = { 0 };

  self->nodes = g_array_new (FALSE, TRUE, sizeof (TtCallNode));
  g_array_append_val (self->nodes, root);
  self->n_slots = FIRST_SLOTS;
  self->slots = g_new0 (guint32, self->n_slots);
  return self;
}

void
tt_call_nodes_free (TtCallNodes *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->nodes, g_array_unref);
  g_free (self->slots);
  g_free (self);
}

static guint32
slot_of (const TtCallNodes *self, guint32 parent, guint32 name)
{
  guint64 key = ((guint64) parent << 32 | name) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  guint32 slot = (guint32) (key >> 32) & (self->n_slots - 1);

  while (self->slots[slot] != 0)
    {
      const TtCallNode *node = &g_array_index (self->nodes, TtCallNode, self->slots[slot]);

      if (node->parent == parent && node->name == name)
        break;
      slot = (slot + 1) & (self->n_slots - 1);
    }
  return slot;
}

static void
grow (TtCallNodes *self)
{
  g_free (self->slots);
  self->n_slots *= 2;
  self->slots = g_new0 (guint32, self->n_slots);
  for (guint32 i = 1; i < self->nodes->len; i++)
    {
      const TtCallNode *node = &g_array_index (self->nodes, TtCallNode, i);

      self->slots[slot_of (self, node->parent, node->name)] = i;
    }
}

guint32
tt_call_nodes_child (TtCallNodes *self, guint32 parent, guint32 name)
{
  guint32 slot = slot_of (self, parent, name);

  if (self->slots[slot] != 0)
    return self->slots[slot];
  if (self->nodes->len > TT_CALL_TREE_MAX_NODES)
    return 0;
  const TtCallNode node = { .parent = parent, .name = name, .depth = tt_call_nodes_get (self, parent)->depth + 1 };
  g_array_append_val (self->nodes, node);
  self->slots[slot] = self->nodes->len - 1;
  if (self->nodes->len > self->n_slots / 2)
    grow (self);
  return self->nodes->len - 1;
}

guint32
tt_call_nodes_count (const TtCallNodes *self)
{
  return self->nodes->len;
}

TtCallNode *
tt_call_nodes_get (TtCallNodes *self, guint32 node)
{
  return &g_array_index (self->nodes, TtCallNode, node);
}

static int
compare_totals (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtCallNodes *self = data;
  guint32 first = *(const guint32 *) a, second = *(const guint32 *) b;
  const TtCallNode *x = &g_array_index (self->nodes, TtCallNode, first);
  const TtCallNode *y = &g_array_index (self->nodes, TtCallNode, second);

  if (x->total_ns != y->total_ns)
    return x->total_ns < y->total_ns ? -1 : 1;
  return x->name > y->name ? -1 : x->name < y->name;
}

TtCallTree *
tt_call_nodes_finish (TtCallNodes *self)
{
  TtCallTree *tree = g_new0 (TtCallTree, 1);
  guint32 n = self->nodes->len;
  g_autofree guint32 *order = g_new (guint32, n);

  /* Smallest first, each put before its sisters. */
  for (guint32 i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order + 1, (int) (n - 1), sizeof *order, compare_totals, self);
  for (guint32 i = 1; i < n; i++)
    {
      TtCallNode *node = tt_call_nodes_get (self, order[i]), *parent = tt_call_nodes_get (self, node->parent);

      node->next = parent->first;
      parent->first = order[i];
      if (node->depth == 1)
        parent->total_ns += node->total_ns;
    }
  tree->nodes = g_steal_pointer (&self->nodes);
  return tree;
}
