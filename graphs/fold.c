/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/reduce.h"

#include <string.h>

#include "graphs/edge-table.h"

/* The nodes of a process. */
typedef struct
{
  const char *pid;
  GArray *nodes;    /* of guint32 */
  GPtrArray *calls; /* of char *: "caller\ncallee" */
  guint32 fold;     /* the first process of its shape */
} Process;

static void
process_free (gpointer data)
{
  Process *self = data;

  g_array_unref (self->nodes);
  g_ptr_array_unref (self->calls);
  g_free (self);
}

static Process *
process_of (GHashTable *by_pid, GPtrArray *all, const char *pid)
{
  Process *self = g_hash_table_lookup (by_pid, pid);

  if (self == NULL)
    {
      self = g_new0 (Process, 1);
      self->pid = pid;
      self->nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
      self->calls = g_ptr_array_new_with_free_func (g_free);
      self->fold = all->len;
      g_ptr_array_add (all, self);
      g_hash_table_insert (by_pid, (gpointer) pid, self);
    }
  return self;
}

static gboolean
is_foldable (const TtNode *node)
{
  return node->pid != NULL && node->name != NULL && !node->is_end && !node->is_rest;
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Operations, and which calls which, in an order of their own. */
static char *
shape_of (const TtGraph *graph, const Process *process)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new ();

  for (guint i = 0; i < process->nodes->len; i++)
    g_ptr_array_add (parts, (gpointer) tt_graph_node (graph, g_array_index (process->nodes, guint32, i))->name);
  for (guint i = 0; i < process->calls->len; i++)
    g_ptr_array_add (parts, g_ptr_array_index (process->calls, i));
  g_ptr_array_sort (parts, compare_texts);
  g_ptr_array_add (parts, NULL);
  return g_strjoinv ("\n\n", (char **) parts->pdata);
}

static GPtrArray *
list_processes (const TtGraph *graph, GHashTable *by_pid)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (process_free);
  g_autoptr (GHashTable) by_shape = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint32 i = 0; i < graph->nodes->len; i++)
    if (is_foldable (tt_graph_node (graph, i)))
      g_array_append_val (process_of (by_pid, all, tt_graph_node (graph, i)->pid)->nodes, i);
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);
      const TtNode *src = tt_graph_node (graph, edge->src), *dst = tt_graph_node (graph, edge->dst);

      if (edge->kind == TT_EDGE_CALL && is_foldable (src) && is_foldable (dst) && strcmp (src->pid, dst->pid) == 0)
        g_ptr_array_add (process_of (by_pid, all, src->pid)->calls, g_strconcat (src->name, "\n", dst->name, NULL));
    }
  for (guint i = 0; i < all->len; i++)
    {
      Process *process = g_ptr_array_index (all, i);
      char *shape = shape_of (graph, process);
      const Process *first = g_hash_table_lookup (by_shape, shape);

      if (first != NULL)
        process->fold = first->fold;
      else
        g_hash_table_insert (by_shape, g_strdup (shape), process);
      g_free (shape);
    }
  return all;
}

/* -- making it -------------------------------------------------------------------------------------------------- */

static void
add_to (TtNode *sum, const TtNode *node)
{
  sum->cnt += node->cnt;
  sum->sum_ns += node->sum_ns;
  sum->self_ns += node->self_ns;
  sum->n_merged += node->n_merged;
  sum->ts_ns = MIN (sum->ts_ns, node->ts_ns);
}

typedef struct
{
  const TtGraph *graph;
  TtGraph *folded;
  GPtrArray *processes; /* of Process */
  GHashTable *by_pid;   /* -> Process */
  GHashTable *n_of;     /* "process, name" -> how many there were; owns its keys */
  GHashTable *known;    /* "fold, n-th, name" -> number; owns its keys */
  GPtrArray *pids;      /* by process: of the fold that it begins; NULL: it is alone, or part of another */
} Folding;

/* Nodes of one name fold together: of several in a process the k-th with the k-th. */
static guint32
fold_node (Folding *self, const TtNode *node)
{
  const Process *process = g_hash_table_lookup (self->by_pid, node->pid);
  const char *pid = g_ptr_array_index (self->pids, process->fold);
  gpointer there;

  if (pid == NULL)
    return tt_graph_copy_node (self->folded, node);
  char *name = g_strconcat (node->pid, "\n", node->name, NULL);
  guint nth = GPOINTER_TO_UINT (g_hash_table_lookup (self->n_of, name)) + 1;
  g_hash_table_replace (self->n_of, name, GUINT_TO_POINTER (nth));
  g_autofree char *key = g_strdup_printf ("%u\n%u\n%s", process->fold, nth, node->name);
  if (g_hash_table_lookup_extended (self->known, key, NULL, &there))
    {
      add_to (tt_graph_node (self->folded, GPOINTER_TO_UINT (there)), node);
      return GPOINTER_TO_UINT (there);
    }
  guint32 number = tt_graph_copy_node (self->folded, node);
  TtNode *copy = tt_graph_node (self->folded, number);
  g_autofree char *label = g_strdup_printf ("%s->%s", pid, node->name);
  copy->pid = g_string_chunk_insert_const (self->folded->text, pid);
  copy->label = g_string_chunk_insert (self->folded->text, label);
  copy->event = 0;
  g_hash_table_insert (self->known, g_steal_pointer (&key), GUINT_TO_POINTER (number));
  return number;
}

static void
name_folds (Folding *self, guint *n_folded)
{
  g_autofree guint *size = g_new0 (guint, (gsize) self->processes->len + 1);

  *n_folded = 0;
  for (guint i = 0; i < self->processes->len; i++)
    size[((const Process *) g_ptr_array_index (self->processes, i))->fold]++;
  for (guint i = 0; i < self->processes->len; i++)
    {
      const Process *process = g_ptr_array_index (self->processes, i);
      *n_folded += size[process->fold] > 1;
      g_ptr_array_add (self->pids, size[i] > 1 ? g_strdup_printf ("%u like %s", size[i], process->pid) : NULL);
    }
}

TtGraph *
tt_graph_fold_ranks (const TtGraph *graph, guint *n_folded)
{
  g_autoptr (GHashTable) by_pid = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) processes = list_processes (graph, by_pid);
  g_autoptr (GHashTable) n_of = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) pids = g_ptr_array_new_with_free_func (g_free);
  g_autofree guint32 *new_number = g_new (guint32, (gsize) graph->nodes->len + 1);
  Folding self = { graph, tt_graph_new (), processes, by_pid, n_of, known, pids };
  g_auto (TtEdgeTable) table = { 0 };

  name_folds (&self, n_folded);
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtNode *node = tt_graph_node (graph, i);
      new_number[i] = is_foldable (node) ? fold_node (&self, node) : tt_graph_copy_node (self.folded, node);
    }
  tt_edge_table_init (&table, self.folded);
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtEdge *edge = tt_graph_edge (graph, i);
      tt_edge_table_add (&table, new_number[edge->src], new_number[edge->dst], edge->kind, edge->cnt, edge->gap_ns);
    }
  tt_graph_finish (self.folded);
  return self.folded;
}
