#include "config.h"

#include "analyzers/span-tree.h"

#include "src/error.h"

/* Slot 0 of a stack is what is around everything; depth d is slot d + 1. */
typedef struct
{
  TtSpanRef span;
  TtSpanRef next_child; /* the child seen last, which begins first of those seen */
  guint32 around;       /* slot of the innermost span not left out, itself included */
} Slot;

struct _TtSpanTree
{
  GArray **stacks; /* by thread; of Slot */
  guint32 max_thread;
};

TtSpanTree *
tt_span_tree_new (guint32 max_thread)
{
  TtSpanTree *self = g_new0 (TtSpanTree, 1);

  self->stacks = g_new0 (GArray *, (gsize) max_thread + 1);
  self->max_thread = max_thread;
  return self;
}

void
tt_span_tree_free (TtSpanTree *self)
{
  if (self == NULL)
    return;

  for (gsize i = 0; i <= self->max_thread; i++)
    g_clear_pointer (&self->stacks[i], g_array_unref);
  g_free (self->stacks);
  g_free (self);
}

static GArray *
stack_of (TtSpanTree *self, guint32 thread)
{
  if (self->stacks[thread] == NULL)
    {
      Slot base = { .span = { .node = TT_NO_NODE } };
      self->stacks[thread] = g_array_new (FALSE, TRUE, sizeof (Slot));
      g_array_append_val (self->stacks[thread], base);
    }
  return self->stacks[thread];
}

gboolean
tt_span_tree_add (TtSpanTree *self,
                  const TtEvent *event,
                  guint32 node,
                  TtSpanRef *parent,
                  TtSpanRef *next,
                  GError **error)
{
  GArray *stack = event->thread <= self->max_thread ? stack_of (self, event->thread) : NULL;

  if (stack == NULL || event->depth >= stack->len)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                   "the database is damaged: event %" G_GUINT64_FORMAT " is at depth %u with nothing around it",
                   event->id, event->depth);
      return FALSE;
    }

  guint32 around = g_array_index (stack, Slot, event->depth).around;
  Slot *context = &g_array_index (stack, Slot, around);
  Slot slot = {
    .span = { .event = event->id, .ts_ns = event->ts_ns, .node = node },
    .around = node == TT_NO_NODE ? around : event->depth + 1,
  };

  if (__builtin_add_overflow (event->ts_ns, event->dur_ns, &slot.span.end_ns))
    slot.span.end_ns = G_MAXINT64;
  *parent = context->span;
  *next = context->next_child;
  if (node != TT_NO_NODE)
    context->next_child = slot.span;

  g_array_set_size (stack, event->depth + 1);
  g_array_append_val (stack, slot);
  return TRUE;
}
