/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tensorflow/names.h"

#include "formats/model/tensor-names.h"

#include <string.h>

/* What a node is; the order of the rules decides, see classify(). */
typedef enum
{
  CLASS_FW,
  CLASS_BW,
  CLASS_UPDATE,
  CLASS_COMM,
  CLASS_COMP,
  CLASS_OUTPUT,
  CLASS_IO,
} Class;

static const char *const op_cats[] = {
  [CLASS_FW] = "FW",     [CLASS_BW] = "BW",         [CLASS_UPDATE] = "UPDATE_", [CLASS_COMM] = "Comm",
  [CLASS_COMP] = "COMP", [CLASS_OUTPUT] = "OUTPUT", [CLASS_IO] = "I/O",
};

struct _TtTfNames
{
  const TtLocalGraph *graph;
  guint8 *classes;   /* Class by node */
  GHashTable *nodes; /* cleaned name (owned) -> node + 1 */
  guint32 n_odd_edges;
};

/* -- texts ---------------------------------------------------------------------------------------------- */

static gboolean
contains (const char *text, const char *part)
{
  return strstr (text, part) != NULL;
}

static gboolean
contains_any_case (const char *text, const char *part)
{
  gsize len = strlen (part);

  for (; *text != '\0'; text++)
    if (g_ascii_strncasecmp (text, part, len) == 0)
      return TRUE;
  return FALSE;
}

/* Without "^", the wrapper of a compiled function, and a last component such as "_12" that only numbers copies. */
static char *
clean (const char *raw)
{
  static const char wrapper[] = "StatefulPartitionedCall";
  const char *slash;

  while (*raw == '^')
    raw++;
  if (g_str_has_prefix (raw, wrapper) && (slash = strstr (raw, "StatefulPartitionedCall/")) != NULL &&
      slash[sizeof wrapper] != '\0')
    raw = slash + sizeof wrapper;
  slash = strrchr (raw, '/');
  return slash != NULL && slash > raw && slash[1] == '_' ? g_strndup (raw, (gsize) (slash - raw)) : g_strdup (raw);
}

/* "…BytePSPushPull.3_4": the ids after it, joined; NULL: it is none. Free it. */
static char *
push_pull_tensors (const char *name)
{
  static const char word[] = "BytePSPushPull";
  const char *p = g_strrstr (name, word);

  if (p == NULL || (p[sizeof word - 1] != '.' && p[sizeof word - 1] != '_'))
    return NULL;
  p += sizeof word;
  if (!g_ascii_isdigit (*p) || p[strspn (p, "0123456789_")] != '\0' || p[strlen (p) - 1] == '_' || contains (p, "__"))
    return NULL;
  return g_strdelimit (g_strdup (p), "_", '+');
}

static gboolean
has_one_dot (const char *name)
{
  const char *dot = strchr (name, '.');

  return dot != NULL && strchr (dot + 1, '.') == NULL;
}

static gboolean
is_named_update (const char *name)
{
  return g_str_equal (name, "GradientDescent") || contains (name, "Assign") || contains (name, "SGD") ||
         (contains (name, "GradientDescent") && contains (name, "update"));
}

static gboolean
is_named_backward (const char *name)
{
  if (g_str_has_prefix (name, "gradients"))
    return TRUE;
  return g_str_has_prefix (name, "gradient_tape") && !g_str_has_suffix (name, "ShapeN") &&
         !contains (name, "LayoutOptimizer");
}

static gboolean
is_number (const char *text)
{
  return *text != '\0' && text[strspn (text, "0123456789")] == '\0';
}

/* A name that is a standard one already; the text after its category is its op_name. */
static const char *
standard_part (const char *name, Class *class)
{
  static const struct
  {
    const char *prefix;
    Class class;
    gboolean is_numbered; /* without a dot a number follows */
  } known[] = {
    { "Comm.", CLASS_COMM, FALSE },    { "Comp.", CLASS_COMP, FALSE },   { "COMP.", CLASS_COMP, FALSE },
    { "BW.", CLASS_BW, FALSE },        { "FW.", CLASS_FW, FALSE },       { "UPDATE_.", CLASS_UPDATE, FALSE },
    { "UPDATE_", CLASS_UPDATE, TRUE }, { "OUTPUT", CLASS_OUTPUT, TRUE }, { "I/O_", CLASS_IO, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      const char *part = name + strlen (known[i].prefix);
      if (!g_str_has_prefix (name, known[i].prefix) || *part == '\0')
        continue;
      if (known[i].is_numbered && !is_number (part) && !g_str_equal (name, "UPDATE_CAL"))
        continue;
      *class = known[i].class;
      return part;
    }
  return NULL;
}

/* -- rules ------------------------------------------------------------------------------------------------ */

/* The class that a cleaned name has, @is_update and @is_backward being what the graph says; *op_name, if wanted, is to
 * be freed. */
static Class
classify (const char *name, gboolean is_update, gboolean is_backward, char **op_name)
{
  Class class = CLASS_FW;
  const char *part = standard_part (name, &class);
  char *op = NULL;

  if (part != NULL)
    op = g_strdup (part);
  else if ((op = push_pull_tensors (name)) != NULL)
    class = CLASS_COMM;
  else if (contains (name, "input_barrier"))
    class = CLASS_FW;
  else if (contains_any_case (name, "allreduce") && has_one_dot (name))
    {
      g_autofree char *tensor = NULL;

      tt_tensor_in_name (name, &tensor);
      class = contains (name, "Switch") ? CLASS_BW : CLASS_COMM;
      op = class == CLASS_BW ? g_strconcat (tensor, "_Switch", NULL) : g_steal_pointer (&tensor);
    }
  else if (is_update || is_named_update (name))
    class = CLASS_UPDATE;
  else if (contains_any_case (name, "allreduce") || is_backward || is_named_backward (name))
    class = CLASS_BW;

  if (op_name != NULL)
    *op_name = op != NULL ? g_steal_pointer (&op) : g_strdup (name);
  g_free (op);
  return class;
}

/* -- the graph ---------------------------------------------------------------------------------------------- */

/* Nodes once reached, each to be left once. */
typedef struct
{
  guint8 *is_reached;
  GArray *queue; /* of guint32 */
} Reach;

static void
reach (Reach *self, guint32 node)
{
  if (self->is_reached[node])
    return;
  self->is_reached[node] = TRUE;
  g_array_append_val (self->queue, node);
}

/* All successors of @node, and what stands for them in control edges. */
static void
reach_successors (Reach *self, const TtTfNames *names, guint32 node, guint32 *n_odd)
{
  guint n;
  const guint32 *successor = tt_local_graph_successors (names->graph, node, &n);

  for (guint i = 0; i < n; i++)
    {
      if (names->classes[successor[i]] == CLASS_COMM)
        {
          *n_odd += names->classes[node] == CLASS_COMM;
          continue;
        }
      reach (self, successor[i]);
      g_autofree char *twin_name = g_strconcat ("^", tt_local_graph_name (names->graph, successor[i]), NULL);
      guint32 twin;
      if (tt_local_graph_find (names->graph, twin_name, &twin) && names->classes[twin] != CLASS_COMM)
        reach (self, twin);
    }
}

/* Marks what is downstream of communication, without the communication. Free it. */
static guint8 *
downstream_of_comm (TtTfNames *self)
{
  guint32 n = tt_local_graph_n_nodes (self->graph);
  Reach found = { .is_reached = g_new0 (guint8, (gsize) n + 1), .queue = g_array_new (FALSE, FALSE, sizeof (guint32)) };
  guint32 ignored = 0;

  for (guint32 node = 0; node < n; node++)
    if (self->classes[node] == CLASS_COMM)
      reach_successors (&found, self, node, &self->n_odd_edges);
  for (guint i = 0; i < found.queue->len; i++)
    reach_successors (&found, self, g_array_index (found.queue, guint32, i), &ignored);
  g_array_unref (found.queue);
  return found.is_reached;
}

/* FW that can be reached from BW without passing Comm or UPDATE_ is BW. */
static void
close_backward (TtTfNames *self)
{
  guint32 n = tt_local_graph_n_nodes (self->graph);
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 node = 0; node < n; node++)
    if (self->classes[node] == CLASS_BW)
      g_array_append_val (queue, node);
  for (guint i = 0; i < queue->len; i++)
    {
      guint n_near;
      const guint32 *near = tt_local_graph_successors (self->graph, g_array_index (queue, guint32, i), &n_near);
      for (guint k = 0; k < n_near; k++)
        if (self->classes[near[k]] == CLASS_FW)
          {
            self->classes[near[k]] = CLASS_BW;
            g_array_append_val (queue, near[k]);
          }
    }
}

static void
classify_graph (TtTfNames *self)
{
  guint32 n = tt_local_graph_n_nodes (self->graph);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  self->classes = g_new0 (guint8, (gsize) n + 1);
  for (guint32 node = 0; node < n; node++)
    {
      const char *label = tt_local_graph_name (self->graph, node);
      char *name = clean (label);
      gboolean is_twin = *label == '^';

      g_ptr_array_add (names, name);
      self->classes[node] = (guint8) classify (name, FALSE, FALSE, NULL);
      if (!is_twin && !g_hash_table_contains (self->nodes, name))
        g_hash_table_insert (self->nodes, g_strdup (name), GUINT_TO_POINTER (node + 1));
    }
  g_autofree guint8 *is_update = downstream_of_comm (self);
  for (guint32 node = 0; node < n; node++)
    if (is_update[node])
      self->classes[node] = (guint8) classify (names->pdata[node], TRUE, FALSE, NULL);
  close_backward (self);
  /* A control edge's twin counts only where it stands alone. */
  for (guint32 node = 0; node < n; node++)
    if (!g_hash_table_contains (self->nodes, names->pdata[node]))
      g_hash_table_insert (self->nodes, g_strdup (names->pdata[node]), GUINT_TO_POINTER (node + 1));
}

TtTfNames *
tt_tf_names_new (const TtLocalGraph *graph)
{
  TtTfNames *self = g_new0 (TtTfNames, 1);

  self->graph = graph;
  self->nodes = g_hash_table_new_full (tt_local_graph_hash, g_str_equal, g_free, NULL);
  if (graph != NULL)
    classify_graph (self);
  return self;
}

void
tt_tf_names_free (TtTfNames *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->nodes);
  g_free (self->classes);
  g_free (self);
}

void
tt_tf_name_clear (TtTfName *name)
{
  g_clear_pointer (&name->op_name, g_free);
}

/* -- asking ---------------------------------------------------------------------------------------------- */

static TtTfName
resolve_cleaned (const TtTfNames *self, const char *name, guint32 node)
{
  TtTfName found = { .node = node };
  Class known = node == TT_TF_NO_NODE ? CLASS_FW : (Class) self->classes[node];
  Class class = classify (name, known == CLASS_UPDATE, known == CLASS_BW, &found.op_name);

  found.op_cat = op_cats[class];
  return found;
}

TtTfName
tt_tf_names_resolve (const TtTfNames *self, const char *raw)
{
  g_autofree char *name = clean (raw);
  guint node = GPOINTER_TO_UINT (g_hash_table_lookup (self->nodes, name));

  return resolve_cleaned (self, name, node == 0 ? TT_TF_NO_NODE : node - 1);
}

TtTfName
tt_tf_names_node (const TtTfNames *self, guint32 node)
{
  g_autofree char *name = clean (tt_local_graph_name (self->graph, node));

  return resolve_cleaned (self, name, node);
}

guint32
tt_tf_names_n_odd_edges (const TtTfNames *self)
{
  return self->n_odd_edges;
}
