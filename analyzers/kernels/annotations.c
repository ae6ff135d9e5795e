/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/kernels/annotations.h"

#include "src/base/map64.h"

/* An outer node has a lower number than those inside it. */
typedef struct
{
  guint32 outer, name;
  guint32 first_inner, next; /* 0: none */
  guint64 n_work;
  tt_int128 device_ns;
} Node;

struct _TtAnnotations
{
  guint32 n_names;
  TtMap64 inner;           /* outer node and name -> node */
  GArray *nodes;           /* of Node; the first is what is outside of all */
  TtAnnotationWork *works; /* by name */
};

TtAnnotations *
tt_annotations_new (guint32 n_names)
{
  TtAnnotations *self = g_new0 (TtAnnotations, 1);

  self->n_names = n_names;
  self->nodes = g_array_new (FALSE, TRUE, sizeof (Node));
  g_array_set_size (self->nodes, 1);
  self->works = g_new0 (TtAnnotationWork, n_names);
  return self;
}

void
tt_annotations_free (TtAnnotations *self)
{
  if (self == NULL)
    return;
  tt_map64_clear (&self->inner);
  g_array_unref (self->nodes);
  g_free (self->works);
  g_free (self);
}

static Node *
node_at (const TtAnnotations *self, guint32 node)
{
  return &g_array_index (self->nodes, Node, node);
}

guint32
tt_annotations_enter (TtAnnotations *self, guint32 outer, guint32 name)
{
  guint64 key = (guint64) outer << 32 | name;
  guint32 node = tt_map64_get (&self->inner, key);

  if (node != TT_MAP64_NONE)
    return node;
  node = self->nodes->len;
  const Node fresh = { .outer = outer, .name = name, .next = node_at (self, outer)->first_inner };
  g_array_append_val (self->nodes, fresh);
  node_at (self, outer)->first_inner = node;
  tt_map64_set (&self->inner, key, node);
  return node;
}

void
tt_annotations_add (TtAnnotations *self, guint32 node, gint64 length_ns)
{
  node_at (self, node)->n_work++;
  node_at (self, node)->device_ns += length_ns;
}

void
tt_annotations_add_work (TtAnnotations *self, guint32 name, const TtAnnotationWork *work)
{
  self->works[name].n_work += work->n_work;
  self->works[name].device_ns += work->device_ns;
  self->works[name].own_ns += work->own_ns;
}

/* Goes into each node and out of it, with the number of open ones of each name. */
static void
sum_names (TtAnnotations *self)
{
  g_autofree guint32 *open = g_new0 (guint32, self->n_names);
  guint32 at = node_at (self, 0)->first_inner;

  while (at != 0)
    {
      const Node *node = node_at (self, at);
      TtAnnotationWork *work = &self->works[node->name];

      if (open[node->name]++ == 0)
        {
          work->n_work += node->n_work;
          work->device_ns += node->device_ns;
        }
      if (node->first_inner != 0)
        {
          at = node->first_inner;
          continue;
        }
      for (; at != 0 && node_at (self, at)->next == 0; at = node_at (self, at)->outer)
        open[node_at (self, at)->name]--;
      if (at == 0)
        break;
      open[node_at (self, at)->name]--;
      at = node_at (self, at)->next;
    }
}

void
tt_annotations_finish (TtAnnotations *self)
{
  for (guint32 i = self->nodes->len - 1; i > 0; i--)
    {
      const Node *node = node_at (self, i);
      Node *outer = node_at (self, node->outer);

      outer->n_work += node->n_work;
      outer->device_ns += node->device_ns;
    }
  /* What is a node's own is what is not inside others of it. */
  for (guint32 i = 1; i < self->nodes->len; i++)
    {
      const Node *node = node_at (self, i);

      self->works[node->name].own_ns += node->device_ns;
      if (node->outer != 0)
        self->works[node_at (self, node->outer)->name].own_ns -= node->device_ns;
    }
  sum_names (self);
}

const TtAnnotationWork *
tt_annotations_get (const TtAnnotations *self, guint32 name)
{
  return &self->works[name];
}
