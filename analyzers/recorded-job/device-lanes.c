/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/recorded-job/device-lanes.h"

#include "src/base/compare.h"

/* A delay of more than so many times what is usual, and of more than so much, is none of what was waited for. */
#define FAR_TIMES 4
#define FAR_NS 20000

/* -- nodes ----------------------------------------------------------------------------------------------------------- */

static TtRecordedNode
describe (const TtRecordingBuilder *builder, guint32 lane, guint number)
{
  const TtDeviceSpan *span = tt_device_span_at (&builder->work, number);
  TtActivityRole role = tt_device_roles_of (&builder->work.roles, span->event);
  guint32 endpoint = tt_recording_endpoint (builder, span->thread);

  return (TtRecordedNode){ .lane = lane,
                           .endpoint = endpoint == TT_STEP_NO_RANK ? 0 : endpoint,
                           .kind = span->is_communication       ? TT_STEP_NODE_COMM
                                   : role == TT_ACTIVITY_KERNEL ? TT_STEP_NODE_COMPUTE
                                                                : TT_STEP_NODE_COPY,
                           .name = span->name,
                           .begin_ns = span->begin_ns,
                           .end_ns = span->end_ns };
}

/* Kernels that need each other: one node until all have begun, and one from then on. */
static void
split_joined (TtRecordingBuilder *builder, const TtJoinedKernels *joined, const guint *members)
{
  guint last = members[0];

  for (guint i = 1; i < joined->n; i++)
    if (tt_device_span_at (&builder->work, members[i])->begin_ns > tt_device_span_at (&builder->work, last)->begin_ns)
      last = members[i];
  gint64 all_ns = tt_device_span_at (&builder->work, last)->begin_ns;
  TtRecordedNode node = describe (builder, g_array_index (builder->lanes, guint32, builder->arrival_nodes[last]), last);
  node.end_ns = all_ns;
  node.is_rest = TRUE;
  guint32 all = tt_recording_add_node (builder, &node);
  for (guint i = 0; i < joined->n; i++)
    {
      guint32 arrival = builder->arrival_nodes[members[i]];
      node = describe (builder, g_array_index (builder->lanes, guint32, arrival), members[i]);
      g_array_index (builder->ranges, TtNodeRange, arrival).end_ns = node.begin_ns;
      tt_step_node (builder->recording->graph, arrival)->is_rest = TRUE;
      node.begin_ns = all_ns;
      builder->device_nodes[members[i]] = tt_recording_add_node (builder, &node);
      tt_recording_add_need (builder, arrival, all, FALSE, 0);
      tt_recording_add_need (builder, all, builder->device_nodes[members[i]], FALSE, 0);
    }
  builder->counts->n_joined += joined->n;
}

void
tt_device_lanes_make (TtRecordingBuilder *builder, const GArray *joined, const GArray *members)
{
  guint n = builder->work.spans->len;
  guint32 lane = 0;

  builder->device_nodes = g_new (guint32, n + 1);
  builder->arrival_nodes = g_new (guint32, n + 1);
  for (guint i = 0; i < n; i++)
    {
      if (i == 0 || tt_device_span_at (&builder->work, i)->thread != tt_device_span_at (&builder->work, i - 1)->thread)
        lane = tt_recording_add_lane (builder, tt_device_span_at (&builder->work, i)->thread);
      const TtRecordedNode node = describe (builder, lane, i);
      builder->device_nodes[i] = builder->arrival_nodes[i] = tt_recording_add_node (builder, &node);
    }
  for (guint i = 0; i < joined->len; i++)
    {
      const TtJoinedKernels *one = &g_array_index (joined, TtJoinedKernels, i);
      split_joined (builder, one, &g_array_index (members, guint, one->first));
    }
}

/* -- needs ----------------------------------------------------------------------------------------------------------- */

typedef enum
{
  NEED_LAUNCH,
  NEED_QUEUE,
  N_NEEDS,
} NeedKind;

/* What a span needs. */
typedef struct
{
  guint number; /* of the span */
  guint32 from;
  gboolean from_start;
  NeedKind kind;
  gint64 ready_ns;
} Candidate;

typedef struct
{
  TtRecordingBuilder *builder;
  GArray *candidates; /* of Candidate, by number of the span */
  gint64 *usual_ns;   /* by number and kind: of its queue */
} Joiner;

static void
add_candidate (Joiner *self, guint number, guint32 from, gboolean from_start, NeedKind kind)
{
  const TtNodeRange *range = tt_recording_range (self->builder, from);
  const Candidate candidate = { number, from, from_start, kind, from_start ? range->begin_ns : range->end_ns };

  if (candidate.ready_ns <= tt_device_span_at (&self->builder->work, number)->begin_ns)
    g_array_append_val (self->candidates, candidate);
  else
    self->builder->counts->n_dropped++;
}

static void
add_launch (Joiner *self, guint number)
{
  const TtDeviceSpan *span = tt_device_span_at (&self->builder->work, number);
  gboolean is_done = span->call != 0 && span->call_end_ns <= span->begin_ns;
  guint32 from = span->call == 0 || span->call_begin_ns > span->begin_ns ? TT_STEP_NO_NODE
                 : is_done ? tt_recording_host_node_until (self->builder, span->call_thread, span->call_end_ns)
                           : tt_recording_host_node_from (self->builder, span->call_thread, span->call_begin_ns);

  if (from == TT_STEP_NO_NODE)
    self->builder->counts->n_unlaunched++;
  else
    add_candidate (self, number, from, !is_done, NEED_LAUNCH);
}

static void
add_neighbour (Joiner *self, guint number)
{
  const TtDeviceSpan *span = tt_device_span_at (&self->builder->work, number);

  if (number == 0 || tt_device_span_at (&self->builder->work, number - 1)->thread != span->thread)
    return;
  gboolean is_over = tt_device_span_at (&self->builder->work, number - 1)->end_ns <= span->begin_ns;
  add_candidate (self, number,
                 is_over ? self->builder->device_nodes[number - 1] : self->builder->arrival_nodes[number - 1], !is_over,
                 NEED_QUEUE);
}

/* The last of those that are ready, of equals the first; candidates from @first to @end are of one span. */
static guint
find_last (const GArray *candidates, guint first, guint end)
{
  guint last = first;

  for (guint i = first + 1; i < end; i++)
    if (g_array_index (candidates, Candidate, i).ready_ns > g_array_index (candidates, Candidate, last).ready_ns)
      last = i;
  return last;
}

static guint
end_of_span (const GArray *candidates, guint first)
{
  guint end = first;

  while (end < candidates->len &&
         g_array_index (candidates, Candidate, end).number == g_array_index (candidates, Candidate, first).number)
    end++;
  return end;
}

static int
compare_ns (const void *a, const void *b)
{
  const gint64 *x = a, *y = b;

  return TT_COMPARE (*x, *y);
}

static gint64
median_of (GArray *samples, gint64 otherwise)
{
  if (samples->len == 0)
    return otherwise;
  g_array_sort (samples, compare_ns);
  return g_array_index (samples, gint64, samples->len / 2);
}

/* Medians of what lies between the last that a span needed and its begin, by kind of need: of each queue, or where a queue
 * has none, of all; where none was the last, the least. */
static void
find_usual (Joiner *self)
{
  GArray *all[N_NEEDS], *queue[N_NEEDS];
  gint64 of_all[N_NEEDS], least_ns[N_NEEDS] = { G_MAXINT64, G_MAXINT64 };
  guint n = self->builder->work.spans->len;

  for (guint kind = 0; kind < N_NEEDS; kind++)
    {
      all[kind] = g_array_new (FALSE, FALSE, sizeof (gint64));
      queue[kind] = g_array_new (FALSE, FALSE, sizeof (gint64));
    }
  for (guint i = 0; i < self->candidates->len; i++)
    {
      const Candidate *one = &g_array_index (self->candidates, Candidate, i);
      least_ns[one->kind] =
          MIN (least_ns[one->kind], tt_device_span_at (&self->builder->work, one->number)->begin_ns - one->ready_ns);
    }
  for (guint pass = 0; pass < 2; pass++)
    {
      for (guint first = 0, end, from = 0; first < self->candidates->len; first = end)
        {
          const Candidate *last = &g_array_index (
              self->candidates, Candidate, find_last (self->candidates, first, end_of_span (self->candidates, first)));
          gint64 lag_ns = tt_device_span_at (&self->builder->work, last->number)->begin_ns - last->ready_ns;
          guint32 thread = tt_device_span_at (&self->builder->work, last->number)->thread;

          end = end_of_span (self->candidates, first);
          g_array_append_val ((pass == 0 ? all : queue)[last->kind], lag_ns);
          if (pass == 0)
            continue;
          guint following = end < self->candidates->len ? g_array_index (self->candidates, Candidate, end).number : n;
          if (following < n && tt_device_span_at (&self->builder->work, following)->thread == thread)
            continue;
          for (guint kind = 0; kind < N_NEEDS; kind++)
            {
              gint64 usual_ns = median_of (queue[kind], of_all[kind]);
              for (guint i = from; i < following; i++)
                self->usual_ns[i * N_NEEDS + kind] = usual_ns;
              g_array_set_size (queue[kind], 0);
            }
          from = following;
        }
      for (guint kind = 0; pass == 0 && kind < N_NEEDS; kind++)
        of_all[kind] = median_of (all[kind], least_ns[kind]);
    }
  for (guint kind = 0; kind < N_NEEDS; kind++)
    {
      g_array_unref (all[kind]);
      g_array_unref (queue[kind]);
    }
}

/* The last says when the span began; the others may have held it as long as is usual. */
static void
add_needs (Joiner *self, guint first, guint end)
{
  const Candidate *last = &g_array_index (self->candidates, Candidate, find_last (self->candidates, first, end));
  const gint64 *usual_ns = &self->usual_ns[last->number * N_NEEDS];
  gint64 begin_ns = tt_device_span_at (&self->builder->work, last->number)->begin_ns,
         lag_ns = begin_ns - last->ready_ns, own_ns = 0;

  if (lag_ns > MAX (FAR_TIMES * usual_ns[last->kind], FAR_NS))
    own_ns = lag_ns - usual_ns[last->kind];
  for (guint i = first; i < end; i++)
    {
      const Candidate *candidate = &g_array_index (self->candidates, Candidate, i);
      gint64 most_ns = candidate == last ? G_MAXINT64 : usual_ns[candidate->kind] + own_ns;
      tt_recording_add_need (self->builder, candidate->from, self->builder->arrival_nodes[candidate->number],
                             candidate->from_start, most_ns);
    }
}

static int
compare_others (const void *a, const void *b)
{
  const TtQueueNeed *x = a, *y = b;
  int order = TT_COMPARE (x->to, y->to);

  return order != 0 ? order : TT_COMPARE (x->from, y->from);
}

void
tt_device_lanes_join (TtRecordingBuilder *builder, GArray *others)
{
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  g_autofree gint64 *usual_ns = g_new0 (gint64, ((gsize) builder->work.spans->len + 1) * N_NEEDS);
  Joiner self = { .builder = builder, .candidates = candidates, .usual_ns = usual_ns };
  guint other = 0;

  g_array_sort (others, compare_others);
  for (guint i = 0; i < builder->work.spans->len; i++)
    {
      add_launch (&self, i);
      add_neighbour (&self, i);
      for (; other < others->len && g_array_index (others, TtQueueNeed, other).to == i; other++)
        add_candidate (&self, i, builder->device_nodes[g_array_index (others, TtQueueNeed, other).from], FALSE,
                       NEED_QUEUE);
    }
  find_usual (&self);
  for (guint first = 0, end; first < candidates->len; first = end)
    {
      end = end_of_span (candidates, first);
      add_needs (&self, first, end);
    }
}
