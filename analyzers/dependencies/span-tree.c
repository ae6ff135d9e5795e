#include "config.h"

#include "analyzers/dependencies/span-tree.h"

#include "analyzers/spans/around.h"

typedef struct
{
  TtSpanRef span;
  TtSpanRef next_child; /* the child seen last, which begins first of those seen */
} Context;

/* The same for spans with nothing around them, and where that child is from. */
typedef struct
{
  TtSpanRef next_child;
  guint32 source;
} Root;

struct _TtSpanTree
{
  TtAround *around; /* of Context; spans left out are not kept */
  Root *roots;      /* by thread */
  guint32 max_thread;
};

TtSpanTree *
tt_span_tree_new (guint32 max_thread)
{
  TtSpanTree *self = g_new0 (TtSpanTree, 1);

  self->around = tt_around_new (max_thread, sizeof (Context), NULL, NULL);
  self->roots = g_new0 (Root, (gsize) max_thread + 1);
  self->max_thread = max_thread;
  return self;
}

void
tt_span_tree_free (TtSpanTree *self)
{
  if (self == NULL)
    return;

  tt_around_free (self->around);
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
  gpointer around = NULL;

  *parent = *next = (TtSpanRef){ .node = TT_NO_NODE };
  if (event->flags & TT_FLAG_ASYNC)
    return TRUE;

  Context *context = node == TT_NO_NODE ? NULL : tt_around_add (self->around, event, &around, error);
  if (context == NULL && (node != TT_NO_NODE || !tt_around_pass (self->around, event, &around, error)))
    return FALSE;

  if (around != NULL)
    *parent = ((Context *) around)->span;
  if (node == TT_NO_NODE)
    return TRUE;

  Root *root = around != NULL ? NULL : &self->roots[event->thread];
  TtSpanRef *next_child = around != NULL ? &((Context *) around)->next_child : &root->next_child;
  gboolean may_cross = (event->flags & TT_FLAG_OVERLAP) != 0 || (root != NULL && root->source != event->source);

  context->span = (TtSpanRef){ .event = event->id, .ts_ns = event->ts_ns, .node = node };
  if (__builtin_add_overflow (event->ts_ns, event->dur_ns, &context->span.end_ns))
    context->span.end_ns = G_MAXINT64;
  if (!may_cross || next_child->ts_ns >= context->span.end_ns)
    *next = *next_child;
  if (root != NULL)
    root->source = event->source;
  *next_child = context->span;
  return TRUE;
}
