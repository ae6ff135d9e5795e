/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/recorded-job/host-lanes.h"

#include "src/base/array-sort.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/sorter.h"

typedef struct
{
  TtRecordingBuilder *builder;
  GArray *stack; /* of guint: numbers of spans, the outermost first */
  TtHostSpan *spans;
  TtHostWait *waits;
  guint n_waits, next_wait;
  guint32 thread, lane, endpoint, previous; /* node of the thread */
  gint64 now_ns;
} Maker;

/* -- order ----------------------------------------------------------------------------------------------------------- */

static int
compare_spans (const void *a, const void *b)
{
  const TtHostSpan *x = a, *y = b;
  int order = TT_COMPARE (x->thread, y->thread);

  order = order != 0 ? order : TT_COMPARE (x->begin_ns, y->begin_ns);
  order = order != 0 ? order : TT_COMPARE (y->end_ns, x->end_ns);
  order = order != 0 ? order : (y->is_step > x->is_step) - (y->is_step < x->is_step);
  order = order != 0 ? order : TT_COMPARE (x->depth, y->depth);
  return order != 0 ? order : TT_COMPARE (y->event, x->event);
}

static int
compare_waits (const void *a, const void *b)
{
  const TtHostWait *x = a, *y = b;
  int order = TT_COMPARE (x->thread, y->thread);

  order = order != 0 ? order : TT_COMPARE (x->begin_ns, y->begin_ns);
  order = order != 0 ? order : TT_COMPARE (x->end_ns, y->end_ns);
  return order != 0 ? order : TT_COMPARE (x->event, y->event);
}

static TtArrayKey
key_of_span (gconstpointer element)
{
  const TtHostSpan *span = element;

  return (TtArrayKey){ span->thread, tt_sort_key (span->begin_ns) };
}

/* -- nodes ----------------------------------------------------------------------------------------------------------- */

static TtStepNodeKind
kind_of (const Maker *self, const TtStoredName *name)
{
  static const char *const computing[] = { "FW", "BW", "UPDATE_", "OUTPUT", "COMP", NULL };

  if (name == NULL || name->op_cat == NULL || self->builder->has_device[self->endpoint])
    return TT_STEP_NODE_HOST;
  return g_strv_contains (computing, name->op_cat) ? TT_STEP_NODE_COMPUTE
                                                   : tt_step_node_kind_of_name (name->op_cat, NULL);
}

/* What the thread does now: its innermost span, or nothing that has a name. */
static guint32
add_node (Maker *self, gint64 begin_ns, gint64 end_ns)
{
  TtRecordedNode node = { .lane = self->lane,
                          .endpoint = self->endpoint,
                          .kind = TT_STEP_NODE_BETWEEN,
                          .name = TT_NO_ID,
                          .text = "(between operators)",
                          .begin_ns = begin_ns,
                          .end_ns = end_ns };
  TtHostSpan *span =
      self->stack->len == 0 ? NULL : &self->spans[g_array_index (self->stack, guint, self->stack->len - 1)];

  if (span != NULL && !span->is_step)
    {
      node.name = span->name;
      node.kind = kind_of (self, tt_store_name (self->builder->store, span->name));
      if (node.kind == TT_STEP_NODE_OTHER || node.kind == TT_STEP_NODE_END)
        node.kind = TT_STEP_NODE_HOST;
      node.is_rest = span->is_started;
      span->is_started = TRUE;
    }
  guint32 made = tt_recording_add_node (self->builder, &node);
  if (self->previous != TT_STEP_NO_NODE)
    tt_recording_add_need (self->builder, self->previous, made, FALSE, 0);
  self->previous = made;
  return made;
}

static void
take_wait (Maker *self, TtHostWait *wait)
{
  gint64 begin_ns = MAX (wait->begin_ns, self->now_ns), end_ns = MAX (wait->end_ns, begin_ns);

  wait->sleeps = add_node (self, begin_ns, begin_ns);
  wait->wakes = end_ns > begin_ns ? add_node (self, end_ns, end_ns) : wait->sleeps;
  self->now_ns = end_ns;
}

/* The thread does what it does now until @ns. */
static void
advance (Maker *self, gint64 ns)
{
  while (self->next_wait < self->n_waits && self->waits[self->next_wait].begin_ns < ns)
    {
      TtHostWait *wait = &self->waits[self->next_wait++];
      if (wait->begin_ns > self->now_ns)
        add_node (self, self->now_ns, wait->begin_ns);
      take_wait (self, wait);
    }
  if (ns > self->now_ns)
    add_node (self, self->now_ns, ns);
  self->now_ns = MAX (self->now_ns, ns);
}

static void
leave_until (Maker *self, gint64 ns)
{
  while (self->stack->len > 0)
    {
      const TtHostSpan *span = &self->spans[g_array_index (self->stack, guint, self->stack->len - 1)];
      if (span->end_ns > ns)
        break;
      advance (self, span->end_ns);
      g_array_set_size (self->stack, self->stack->len - 1);
    }
}

static void
make_lane (Maker *self, guint first, guint end)
{
  TtHostLane lane = { .thread = self->thread, .first = self->builder->ranges->len };

  self->lane = tt_recording_add_lane (self->builder, self->thread);
  self->previous = TT_STEP_NO_NODE;
  self->now_ns = self->spans[first].begin_ns;
  if (self->next_wait < self->n_waits)
    self->now_ns = MIN (self->now_ns, self->waits[self->next_wait].begin_ns);
  g_array_set_size (self->stack, 0);
  for (guint i = first; i < end; i++)
    {
      TtHostSpan *span = &self->spans[i];
      leave_until (self, span->begin_ns);
      advance (self, span->begin_ns);
      /* What is not nested is cut. */
      if (self->stack->len > 0)
        span->end_ns = MIN (span->end_ns, self->spans[g_array_index (self->stack, guint, self->stack->len - 1)].end_ns);
      g_array_append_val (self->stack, i);
    }
  leave_until (self, G_MAXINT64);
  while (self->next_wait < self->n_waits)
    take_wait (self, &self->waits[self->next_wait++]);
  lane.end = self->builder->ranges->len;
  if (lane.end > lane.first)
    g_array_append_val (self->builder->host_lanes, lane);
}

void
tt_host_lanes_make (TtRecordingBuilder *builder, GArray *spans, GArray *waits)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint));
  Maker self = {
    .builder = builder, .stack = stack, .spans = TT_ARRAY (spans, TtHostSpan), .waits = TT_ARRAY (waits, TtHostWait)
  };
  guint wait = 0;

  tt_array_sort_by_key (spans, key_of_span, compare_spans);
  g_array_sort (waits, compare_waits);
  for (guint i = 0; i < waits->len; i++)
    self.waits[i].sleeps = self.waits[i].wakes = TT_STEP_NO_NODE;
  for (guint first = 0, next; first < spans->len; first = next)
    {
      self.thread = self.spans[first].thread;
      for (next = first; next < spans->len && self.spans[next].thread == self.thread;)
        next++;
      while (wait < waits->len && self.waits[wait].thread < self.thread)
        wait++;
      self.next_wait = wait;
      while (wait < waits->len && self.waits[wait].thread == self.thread)
        wait++;
      self.n_waits = wait;
      self.endpoint = tt_recording_endpoint (builder, self.thread);
      if (self.endpoint != TT_STEP_NO_RANK)
        make_lane (&self, first, next);
    }
}
