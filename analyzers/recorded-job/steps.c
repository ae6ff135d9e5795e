/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/recorded-job/steps.h"

#include "src/base/array.h"
#include "src/base/compare.h"

/* A step, or all of an endpoint, while it is made. */
typedef struct
{
  TtSourceStep source;
  guint32 endpoint, first, host; /* nodes: its begin, and the last of its thread */
  gint64 end_ns;
} Step;

/* A node that a step needs to have ended. */
typedef struct
{
  guint step;
  guint32 node;
} Part;

typedef struct
{
  TtRecordingBuilder *builder;
  GArray *steps; /* of Step, by endpoint as they lead, then begin */
  GArray *parts; /* of Part */
  guint *first;  /* by endpoint: of its steps, */
  guint *end;    /* and of those that follow; 0: it has none */
} Maker;

static Step *
step_at (const Maker *self, guint i)
{
  return &TT_ARRAY (self->steps, Step)[i];
}

static int
compare_parts (const void *a, const void *b)
{
  const Part *x = a, *y = b;
  int order = TT_COMPARE (x->step, y->step);

  return order != 0 ? order : TT_COMPARE (x->node, y->node);
}

static void
add_part (Maker *self, guint step, guint32 node)
{
  const Part part = { step, node };

  g_array_append_val (self->parts, part);
  step_at (self, step)->end_ns = MAX (step_at (self, step)->end_ns, tt_recording_range (self->builder, node)->end_ns);
}

/* -- work on devices --------------------------------------------------------------------------------------------------- */

/* The step in which the work was ordered; G_MAXUINT: none. */
static guint
step_of (const Maker *self, const TtDeviceSpan *span)
{
  guint32 endpoint = tt_recording_endpoint (self->builder, span->thread);
  gint64 ns = span->call != 0 ? span->call_begin_ns : span->begin_ns;
  guint low, high, first;

  if (endpoint == TT_STEP_NO_RANK)
    return G_MAXUINT;
  first = low = self->first[endpoint];
  for (high = self->end[endpoint]; low < high;)
    {
      guint middle = low + (high - low) / 2;
      if (step_at (self, middle)->source.begin_ns <= ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low == first || ns >= step_at (self, low - 1)->source.end_ns ? G_MAXUINT : low - 1;
}

/* Of each queue the last to end of what was launched in a step. */
static void
add_work (Maker *self)
{
  const TtDeviceSpan *spans = TT_ARRAY (self->builder->work.spans, const TtDeviceSpan);
  g_autofree guint32 *last = g_new (guint32, self->steps->len + 1);
  g_autoptr (GArray) touched = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n = self->builder->work.spans->len;

  for (guint i = 0; i < self->steps->len; i++)
    last[i] = G_MAXUINT32;
  for (guint i = 0; i < n; i++)
    {
      guint step = step_of (self, &spans[i]);
      if (step != G_MAXUINT && last[step] == G_MAXUINT32)
        g_array_append_val (touched, step);
      if (step != G_MAXUINT && (last[step] == G_MAXUINT32 || spans[i].end_ns >= spans[last[step]].end_ns))
        last[step] = i;
      if (i + 1 < n && spans[i + 1].thread == spans[i].thread)
        continue;
      for (guint k = 0; k < touched->len; k++)
        {
          step = g_array_index (touched, guint, k);
          add_part (self, step, self->builder->device_nodes[last[step]]);
          last[step] = G_MAXUINT32;
        }
      g_array_set_size (touched, 0);
    }
}

/* -- steps of the source ----------------------------------------------------------------------------------------------- */

/* Whether the thread did anything in the step. */
static gboolean
is_filled (const TtRecordingBuilder *builder, const TtSourceStep *step)
{
  guint32 node = tt_recording_host_node_from (builder, step->thread, step->begin_ns);

  for (; node < builder->ranges->len && tt_recording_range (builder, node)->begin_ns < step->end_ns; node++)
    if (tt_step_node (builder->recording->graph, node)->kind != TT_STEP_NODE_BETWEEN)
      return TRUE;
  return FALSE;
}

/* Of several threads with steps the first leads its rank. */
static void
list_source_steps (Maker *self)
{
  TtRecordingBuilder *builder = self->builder;
  const TtSourceStep *sources = TT_ARRAY (builder->steps, const TtSourceStep);
  guint n = builder->steps->len;

  for (guint first = 0, next; first < n; first = next)
    {
      guint32 endpoint = tt_recording_endpoint (builder, sources[first].thread);
      for (next = first; next < n && sources[next].thread == sources[first].thread;)
        next++;
      if (endpoint == TT_STEP_NO_RANK || self->end[endpoint] > 0)
        continue;
      self->first[endpoint] = self->steps->len;
      for (guint i = first; i < next; i++)
        {
          guint32 thread = sources[i].thread;
          const Step step = { .source = sources[i],
                              .endpoint = endpoint,
                              .first = tt_recording_host_node_from (builder, thread, sources[i].begin_ns),
                              .host = tt_recording_host_node_until (builder, thread, sources[i].end_ns),
                              .end_ns = sources[i].end_ns };
          if (i + 1 < next || i == first || is_filled (builder, &sources[i]))
            g_array_append_val (self->steps, step);
        }
      self->end[endpoint] = self->steps->len;
    }
}

/* -- all of the recording ------------------------------------------------------------------------------------------------ */

static void
list_whole (Maker *self)
{
  TtRecordingBuilder *builder = self->builder;
  guint n_ranks = builder->recording->graph->n_ranks;

  for (guint32 rank = 0; rank < n_ranks; rank++)
    {
      const Step step = { .source = { .begin_ns = G_MININT64, .end_ns = G_MAXINT64 },
                          .endpoint = rank,
                          .first = TT_STEP_NO_NODE,
                          .host = TT_STEP_NO_NODE,
                          .end_ns = builder->first_ns };
      self->first[rank] = self->steps->len;
      g_array_append_val (self->steps, step);
      self->end[rank] = self->steps->len;
    }
  for (guint32 i = 1; i < builder->ranges->len; i++)
    {
      guint32 rank = tt_step_node (builder->recording->graph, i)->rank;
      Step *step = rank < n_ranks ? step_at (self, rank) : NULL;
      if (step != NULL && (step->first == TT_STEP_NO_NODE || tt_recording_range (builder, i)->begin_ns <
                                                                 tt_recording_range (builder, step->first)->begin_ns))
        step->first = i;
    }
  for (guint i = 0; i < builder->host_lanes->len; i++)
    {
      const TtHostLane *lane = &g_array_index (builder->host_lanes, TtHostLane, i);
      guint32 endpoint = tt_recording_endpoint (builder, lane->thread);
      if (endpoint < n_ranks)
        add_part (self, endpoint, lane->end - 1);
    }
}

/* -- nodes ----------------------------------------------------------------------------------------------------------------- */

static guint32
end_node (TtRecordingBuilder *builder, const Step *step, guint32 lane)
{
  const TtRecordedNode node = { .lane = lane,
                                .endpoint = step->endpoint,
                                .kind = TT_STEP_NODE_BETWEEN,
                                .name = TT_NO_ID,
                                .text = "(end of step)",
                                .begin_ns = step->end_ns,
                                .end_ns = step->end_ns,
                                .is_rest = TRUE };

  return tt_recording_add_node (builder, &node);
}

/* A step ends no earlier than the one before it. */
static void
make_steps (Maker *self)
{
  guint32 lane = tt_recording_add_lane (self->builder, TT_NO_ID), before = TT_STEP_NO_NODE;
  guint part = 0;

  for (guint i = 0; i < self->steps->len; i++)
    {
      Step *step = step_at (self, i);
      gboolean follows = i > 0 && before != TT_STEP_NO_NODE && step_at (self, i - 1)->endpoint == step->endpoint;
      if (step->host != TT_STEP_NO_NODE)
        step->end_ns = MAX (step->end_ns, tt_recording_range (self->builder, step->host)->end_ns);
      if (follows)
        step->end_ns = MAX (step->end_ns, tt_recording_range (self->builder, before)->end_ns);
      TtRecordedStep made = { step->endpoint, step->first, step->first };
      if (step->first != TT_STEP_NO_NODE)
        made.last = end_node (self->builder, step, lane);
      for (; part < self->parts->len && g_array_index (self->parts, Part, part).step == i; part++)
        if (step->first != TT_STEP_NO_NODE)
          tt_recording_add_need (self->builder, g_array_index (self->parts, Part, part).node, made.last, FALSE, 0);
      if (step->first == TT_STEP_NO_NODE)
        continue;
      if (step->host != TT_STEP_NO_NODE)
        tt_recording_add_need (self->builder, step->host, made.last, FALSE, 0);
      if (follows)
        tt_recording_add_need (self->builder, before, made.last, FALSE, 0);
      before = made.last;
      g_array_append_val (self->builder->recording->steps, made);
    }
}

void
tt_recorded_steps_make (TtRecordingBuilder *builder)
{
  guint n = builder->recording->graph->n_endpoints;
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (Step));
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (Part));
  g_autofree guint *first = g_new0 (guint, n + 1);
  g_autofree guint *end = g_new0 (guint, n + 1);
  Maker self = { .builder = builder, .steps = steps, .parts = parts, .first = first, .end = end };

  builder->counts->has_steps = builder->steps->len > 0;
  if (builder->counts->has_steps)
    list_source_steps (&self);
  else
    list_whole (&self);
  add_work (&self);
  g_array_sort (parts, compare_parts);
  make_steps (&self);
}
