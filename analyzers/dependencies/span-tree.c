/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/dependencies/span-tree.h"

#include "analyzers/spans/parents.h"

typedef struct
{
  TtSpanRef span;
  TtSpanRef next_child; /* the child seen last, which begins first of those seen */
} Context;

struct _TtSpanTree
{
  TtSpanParents *parents; /* of Context; spans left out are not kept */
  TtSpanRef *roots;       /* by thread: likewise the child of those without a parent, which may be of another lane */
  guint32 max_thread;
};

TtSpanTree *
tt_span_tree_new (guint32 max_thread)
{
  TtSpanTree *self = g_new0 (TtSpanTree, 1);

  self->parents = tt_span_parents_new (max_thread, sizeof (Context), NULL, NULL);
  self->roots = g_new0 (TtSpanRef, (gsize) max_thread + 1);
  self->max_thread = max_thread;
  return self;
}

void
tt_span_tree_free (TtSpanTree *self)
{
  if (self == NULL)
    return;

  tt_span_parents_free (self->parents);
  g_free (self->roots);
  g_free (self);
}

gboolean
tt_span_tree_add (TtSpanTree *self,
                  const TtEvent *event,
                  guint32 node,
                  TtSpanRef *parent,
                  TtSpanRef *next,
                  GError **error)
{
  gpointer outer = NULL;

  *parent = *next = (TtSpanRef){ .node = TT_NO_NODE };
  if (event->flags & TT_FLAG_ASYNC)
    return TRUE;

  Context *context = node == TT_NO_NODE ? NULL : tt_span_parents_add (self->parents, event, &outer, error);
  if (context == NULL && (node != TT_NO_NODE || !tt_span_parents_pass (self->parents, event, &outer, error)))
    return FALSE;

  if (outer != NULL)
    *parent = ((Context *) outer)->span;
  if (node == TT_NO_NODE)
    return TRUE;

  TtSpanRef *next_child = outer != NULL ? &((Context *) outer)->next_child : &self->roots[event->thread];
  gboolean may_cross = (event->flags & TT_FLAG_OVERLAP) != 0 || outer == NULL;

  context->span = (TtSpanRef){ .event = event->id, .ts_ns = event->ts_ns, .node = node };
  if (__builtin_add_overflow (event->ts_ns, event->dur_ns, &context->span.end_ns))
    context->span.end_ns = G_MAXINT64;
  if (!may_cross || next_child->ts_ns >= context->span.end_ns)
    *next = *next_child;
  *next_child = context->span;
  return TRUE;
}
