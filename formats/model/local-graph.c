/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/model/local-graph.h"

#include "src/base/compare.h"

#include <string.h>
#include <xxhash.h>

typedef struct
{
  guint32 from, to;
} Edge;

/* Neighbours of node i: list[first[i]] up to list[first[i + 1]]. */
typedef struct
{
  guint32 *first, *list;
} Neighbours;

struct _TtLocalGraph
{
  GStringChunk *texts;
  GPtrArray *names;  /* of const char *, in texts */
  GHashTable *nodes; /* name -> node + 1 */
  GArray *edges;     /* of Edge */
  Neighbours successors, predecessors;
  gboolean is_sealed;
};

/* Seeded, so that nobody can write names that all collide. */
guint
tt_local_graph_hash (gconstpointer name)
{
  static guint64 seed;

  if (g_once_init_enter (&seed))
    g_once_init_leave (&seed, (guint64) g_random_int () << 32 | 1);
  return (guint) XXH3_64bits_withSeed (name, strlen (name), seed);
}

TtLocalGraph *
tt_local_graph_new (void)
{
  TtLocalGraph *self = g_new0 (TtLocalGraph, 1);

  self->texts = g_string_chunk_new (4096);
  self->names = g_ptr_array_new ();
  self->nodes = g_hash_table_new (tt_local_graph_hash, g_str_equal);
  self->edges = g_array_new (FALSE, FALSE, sizeof (Edge));
  return self;
}

static void
neighbours_clear (Neighbours *self)
{
  g_clear_pointer (&self->first, g_free);
  g_clear_pointer (&self->list, g_free);
}

void
tt_local_graph_free (TtLocalGraph *self)
{
  if (self == NULL)
    return;
  g_string_chunk_free (self->texts);
  g_ptr_array_unref (self->names);
  g_hash_table_unref (self->nodes);
  g_array_unref (self->edges);
  neighbours_clear (&self->successors);
  neighbours_clear (&self->predecessors);
  g_free (self);
}

gboolean
tt_local_graph_find (const TtLocalGraph *self, const char *name, guint32 *node)
{
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (self->nodes, name));

  *node = found - 1;
  return found != 0;
}

guint32
tt_local_graph_node (TtLocalGraph *self, const char *name)
{
  guint32 node;

  if (tt_local_graph_find (self, name, &node))
    return node;
  char *text = g_string_chunk_insert (self->texts, name);
  g_ptr_array_add (self->names, text);
  g_hash_table_insert (self->nodes, text, GUINT_TO_POINTER (self->names->len));
  return self->names->len - 1;
}

void
tt_local_graph_edge (TtLocalGraph *self, guint32 from, guint32 to)
{
  const Edge edge = { from, to };

  g_return_if_fail (!self->is_sealed && from < self->names->len && to < self->names->len);
  g_array_append_val (self->edges, edge);
}

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const Edge *x = a, *y = b;

  if (x->from != y->from)
    return TT_COMPARE (x->from, y->from);
  return TT_COMPARE (x->to, y->to);
}

static void
drop_equal_edges (GArray *edges)
{
  Edge *edge = (Edge *) (gpointer) edges->data;
  guint n = 0;

  for (guint i = 0; i < edges->len; i++)
    if (n == 0 || compare_edges (&edge[n - 1], &edge[i]) != 0)
      edge[n++] = edge[i];
  g_array_set_size (edges, n);
}

/* Edges come ordered by (from, to), so each list is in ascending order either way. */
static void
list_neighbours (const TtLocalGraph *self, gboolean backwards, Neighbours *neighbours)
{
  guint n = self->names->len;
  const Edge *edge = (const Edge *) (gconstpointer) self->edges->data;

  neighbours->first = g_new0 (guint32, (gsize) n + 2);
  neighbours->list = g_new (guint32, (gsize) self->edges->len + 1);
  for (guint i = 0; i < self->edges->len; i++)
    neighbours->first[(backwards ? edge[i].to : edge[i].from) + 2]++;
  for (guint i = 2; i < n + 2; i++)
    neighbours->first[i] += neighbours->first[i - 1];
  for (guint i = 0; i < self->edges->len; i++)
    {
      guint32 near = backwards ? edge[i].to : edge[i].from;
      neighbours->list[neighbours->first[near + 1]++] = backwards ? edge[i].from : edge[i].to;
    }
}

void
tt_local_graph_seal (TtLocalGraph *self)
{
  g_return_if_fail (!self->is_sealed);
  g_array_sort (self->edges, compare_edges);
  drop_equal_edges (self->edges);
  list_neighbours (self, FALSE, &self->successors);
  list_neighbours (self, TRUE, &self->predecessors);
  self->is_sealed = TRUE;
}

guint32
tt_local_graph_n_nodes (const TtLocalGraph *self)
{
  return self->names->len;
}

guint32
tt_local_graph_n_edges (const TtLocalGraph *self)
{
  return self->edges->len;
}

const char *
tt_local_graph_name (const TtLocalGraph *self, guint32 node)
{
  g_return_val_if_fail (node < self->names->len, NULL);
  return self->names->pdata[node];
}

static const guint32 *
neighbours_of (const TtLocalGraph *self, const Neighbours *neighbours, guint32 node, guint *n)
{
  *n = 0;
  g_return_val_if_fail (self->is_sealed && node < self->names->len, NULL);
  *n = neighbours->first[node + 1] - neighbours->first[node];
  return neighbours->list + neighbours->first[node];
}

const guint32 *
tt_local_graph_successors (const TtLocalGraph *self, guint32 node, guint *n)
{
  return neighbours_of (self, &self->successors, node, n);
}

const guint32 *
tt_local_graph_predecessors (const TtLocalGraph *self, guint32 node, guint *n)
{
  return neighbours_of (self, &self->predecessors, node, n);
}
