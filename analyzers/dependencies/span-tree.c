/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/dependencies/span-tree.h"

#include "analyzers/spans/parents.h"

/* Events have smaller ids: a sibling that is not read here. */
#define ELSEWHERE G_MAXUINT64
#define PLACE_OF_THREAD ((guint64) 1 << 63)

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
  gboolean is_around;
  GArray *firsts; /* of TtSpanSibling; NULL: not a part */
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
  g_clear_pointer (&self->firsts, g_array_unref);
  g_free (self);
}

static void
add_first (TtSpanTree *self, const TtEvent *event, const TtSpanRef *span, const Context *outer)
{
  const TtSpanSibling first = { .place = outer != NULL ? outer->span.event : PLACE_OF_THREAD | event->thread,
                                .ns = span->end_ns,
                                .node = span->node,
                                .may_cross = (event->flags & TT_FLAG_OVERLAP) != 0 || outer == NULL };

  g_array_append_val (self->firsts, first);
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
  if (G_UNLIKELY (self->is_around))
    {
      context->next_child.event = ELSEWHERE;
      return TRUE;
    }
  if (G_UNLIKELY (next_child->event == ELSEWHERE))
    add_first (self, event, &context->span, outer);
  else if (!may_cross || next_child->ts_ns >= context->span.end_ns)
    *next = *next_child;
  *next_child = context->span;
  return TRUE;
}

/* -- parts ---------------------------------------------------------------------------------------------------------- */

void
tt_span_tree_begin_part (TtSpanTree *self, gboolean is_first)
{
  self->firsts = g_array_new (FALSE, FALSE, sizeof (TtSpanSibling));
  for (guint64 i = 0; !is_first && i <= self->max_thread; i++)
    self->roots[i].event = ELSEWHERE;
}

void
tt_span_tree_set_around (TtSpanTree *self, gboolean is_around)
{
  self->is_around = is_around;
}

gboolean
tt_span_tree_fits (const TtSpanTree *self, const TtEvent *event)
{
  return tt_span_parents_fits (self->parents, event);
}

const GArray *
tt_span_tree_firsts (const TtSpanTree *self)
{
  return self->firsts;
}

static void
add_last (GArray *lasts, guint64 place, const TtSpanRef *span)
{
  const TtSpanSibling last = { .place = place, .ns = span->ts_ns, .node = span->node };

  if (span->event != 0 && span->event != ELSEWHERE)
    g_array_append_val (lasts, last);
}

static void
add_last_child (gpointer payload, gpointer data)
{
  const Context *context = payload;

  add_last (data, context->span.event, &context->next_child);
}

GArray *
tt_span_tree_lasts (const TtSpanTree *self, gboolean is_cut)
{
  GArray *lasts = g_array_new (FALSE, FALSE, sizeof (TtSpanSibling));

  for (guint64 i = 0; i <= self->max_thread; i++)
    add_last (lasts, PLACE_OF_THREAD | i, &self->roots[i]);
  if (is_cut)
    tt_span_parents_each (self->parents, add_last_child, lasts);
  return lasts;
}
