/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/fusion-rule.h"

#include "analyzers/training-job/median.h"
#include "src/base/compare.h"
#include "src/trace/span.h"

#include <math.h>
#include <stdlib.h>

#define DEFAULT_CYCLE_NS 1000000 /* HOROVOD_CYCLE_TIME */
/* Cycles that are looked for, and by how much responses may be off a multiple of one. */
#define MIN_CYCLE_NS 200000.0
#define MAX_CYCLE_NS 6000000.0
#define CYCLE_STEP 1.0003
#define TOLERANCE_NS 45000.0
#define MATCHING_PART 0.85
#define MAX_RANGES 4 /* of the waits that are seen: none so short would be of a longer cycle */
#define MIN_DISTANCES 3
#define MAX_DISTANCE_NS 60000000 /* beyond that a multiple tells nothing */
/* Responses of one cycle come at once. */
#define SAME_NS 60000
#define MAX_LATENCY_NS 10000000000 /* no cycle of Horovod's is longer */

typedef struct
{
  guint32 number;
  gint64 gradients_ns, there_ns, begin_ns;
} Response;

static int
compare_responses (gconstpointer a, gconstpointer b)
{
  const Response *x = a, *y = b;

  return x->there_ns != y->there_ns ? TT_COMPARE (x->there_ns, y->there_ns) : TT_COMPARE (x->number, y->number);
}

/* Groups that all waited for BW were negotiated at once, in one span that tells of none alone: the first one begins when
 * that has ended. */
static void
settle_common (const TtWholeJob *whole, Response *groups)
{
  gint64 first_ns = G_MAXINT64;

  for (guint i = 0; i < whole->model->n_groups; i++)
    first_ns = MIN (first_ns, groups[i].begin_ns);
  for (guint i = 0; i < whole->model->n_groups && whole->model->groups_wait; i++)
    if (groups[i].there_ns == TT_NO_TIME && groups[i].begin_ns != G_MAXINT64)
      groups[i].there_ns = first_ns;
}

/* The groups of a step that were negotiated after their last gradient, by response. */
static GArray *
find_responses (const TtWholeJob *whole, guint slot)
{
  const TtStepGraph *graph = whole->traced;
  const TtJobNodeTime *seen = tt_job_step_times_of (whole->steps, slot);
  guint n = whole->model->n_groups;
  g_autofree Response *groups = g_new (Response, (gsize) n + 1);
  GArray *responses = g_array_new (FALSE, FALSE, sizeof (Response));

  for (guint i = 0; i < n; i++)
    groups[i] = (Response){ i, TT_NO_TIME, TT_NO_TIME, G_MAXINT64 };
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (node->group == TT_STEP_NO_GROUP || seen[i].begin_ns == TT_NO_TIME)
        continue;
      Response *group = &groups[node->group];
      if (node->kind == TT_STEP_NODE_SYNC)
        group->there_ns = MAX (group->there_ns, seen[i].end_ns);
      else if (!tt_step_node_is_wait (node))
        group->begin_ns = MIN (group->begin_ns, seen[i].begin_ns);
    }
  for (guint i = 0; i < graph->edges->len; i++)
    {
      const TtStepEdge *edge = &g_array_index (graph->edges, TtStepEdge, i);
      const TtStepNode *from = tt_step_node (graph, edge->from), *to = tt_step_node (graph, edge->to);
      if (to->group != TT_STEP_NO_GROUP && tt_step_node_is_operator (from->kind) && from->rank == to->rank &&
          seen[edge->from].begin_ns != TT_NO_TIME)
        groups[to->group].gradients_ns = MAX (groups[to->group].gradients_ns, seen[edge->from].end_ns);
    }
  settle_common (whole, groups);
  for (guint i = 0; i < n; i++)
    if (groups[i].there_ns != TT_NO_TIME && groups[i].begin_ns != G_MAXINT64 && groups[i].gradients_ns != TT_NO_TIME &&
        groups[i].there_ns >= groups[i].gradients_ns)
      g_array_append_val (responses, groups[i]);
  g_array_sort (responses, compare_responses);
  return responses;
}

/* -- cycles -------------------------------------------------------------------------------------------------------- */

static double
matching_part (const GArray *distances, double cycle_ns)
{
  guint n = 0;

  for (guint i = 0; i < distances->len; i++)
    {
      double times = (double) g_array_index (distances, gint64, i) / cycle_ns;
      n += times > 0.5 && fabs (times - round (times)) * cycle_ns < MIN (TOLERANCE_NS, cycle_ns / 5);
    }
  return (double) n / distances->len;
}

/* The longest cycle of which most distances between responses are multiples; 0: there is none. */
static double
find_cycle (const GArray *distances, double longest_ns)
{
  double best = 0, most = 0;

  if (distances->len < MIN_DISTANCES)
    return 0;
  for (double cycle = MIN_CYCLE_NS; cycle < longest_ns; cycle *= CYCLE_STEP)
    {
      double part = matching_part (distances, cycle);
      if (part >= MATCHING_PART && (best == 0 || cycle > 1.05 * best || part > most))
        {
          best = cycle;
          most = part;
        }
    }
  return best;
}

static void
add_distances (GArray *distances, const GArray *responses, gint64 *last_ns)
{
  for (guint i = 0; i < responses->len; i++)
    {
      gint64 there_ns = g_array_index (responses, Response, i).there_ns, ns = tt_time_since (there_ns, *last_ns);
      if (*last_ns != TT_NO_TIME && ns > SAME_NS && ns < MAX_DISTANCE_NS)
        g_array_append_val (distances, ns);
      *last_ns = there_ns;
    }
}

/* By operator of the model: when the last rank ended it. */
static gint64 *
find_ends (const TtWholeJob *whole, guint slot)
{
  const TtStepGraph *graph = whole->traced;
  const TtJobNodeTime *seen = tt_job_step_times_of (whole->steps, slot);
  guint n_local = whole->job->plan->step.n_local;
  gint64 *end_ns = g_new (gint64, (gsize) n_local + 1);

  for (guint i = 0; i < n_local; i++)
    end_ns[i] = TT_NO_TIME;
  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      guint32 local = tt_step_node (graph, i)->local;
      if (local != TT_STEP_NO_NODE && seen[i].begin_ns != TT_NO_TIME)
        end_ns[local] = MAX (end_ns[local], seen[i].end_ns);
    }
  return end_ns;
}

/* What tensors wait: a part of a cycle, and the negotiation. Where all waited for BW, whose end @bw_ns is, the first
 * response alone tells. */
static void
add_latencies (GArray *latencies, const TtWholeJob *whole, guint slot, const GArray *responses, gint64 bw_ns)
{
  const TtStepGraph *graph = whole->traced;
  g_autofree gint64 *end_ns = find_ends (whole, slot);
  g_autofree gint64 *there_ns = g_new (gint64, (gsize) whole->model->n_groups + 1);

  for (guint i = 0; i < whole->model->n_groups; i++)
    there_ns[i] = TT_NO_TIME;
  for (guint i = 0; i < responses->len; i++)
    {
      const Response *one = &g_array_index (responses, Response, i);
      gint64 ns = tt_time_since (one->there_ns, bw_ns);
      there_ns[one->number] = one->there_ns;
      if (bw_ns != TT_NO_TIME && i == 0 && ns >= 0 && ns < MAX_LATENCY_NS)
        g_array_append_val (latencies, ns);
    }
  for (guint i = 0; i < graph->edges->len && bw_ns == TT_NO_TIME; i++)
    {
      const TtStepEdge *edge = &g_array_index (graph->edges, TtStepEdge, i);
      const TtStepNode *from = tt_step_node (graph, edge->from), *to = tt_step_node (graph, edge->to);
      if (to->kind != TT_STEP_NODE_SYNC || from->kind != TT_STEP_NODE_BW || from->rank != 0 || to->rank != 0 ||
          there_ns[to->group] == TT_NO_TIME || end_ns[from->local] == TT_NO_TIME)
        continue;
      gint64 ns = tt_time_since (there_ns[to->group], end_ns[from->local]);
      if (ns >= 0 && ns < MAX_LATENCY_NS)
        g_array_append_val (latencies, ns);
    }
}

/* The end of the last BW of all ranks, where communication waits for it; else TT_NO_TIME. */
static gint64
find_bw_end (const TtWholeJob *whole, guint slot)
{
  const TtJobNodeTime *seen = tt_job_step_times_of (whole->steps, slot);
  gint64 end_ns = TT_NO_TIME;

  for (guint32 i = 0; i < whole->traced->nodes->len && whole->model->groups_wait; i++)
    if (tt_step_node (whole->traced, i)->kind == TT_STEP_NODE_BW && seen[i].begin_ns != TT_NO_TIME)
      end_ns = MAX (end_ns, seen[i].end_ns);
  return end_ns;
}

/* @latencies: sorted. They lie between the negotiation and that and a cycle. */
static void
set_cycle (TtFusionRule *self, const GArray *distances, const GArray *latencies, gint64 launch_ns)
{
  guint n = latencies->len;
  gint64 first_ns = n > 0 ? g_array_index (latencies, gint64, 0) : 0, last_ns = first_ns;

  if (n > 0)
    last_ns = g_array_index (latencies, gint64, n - 1);
  double longest_ns = MAX_CYCLE_NS;
  if (n > 2)
    longest_ns = CLAMP (MAX_RANGES * (double) (last_ns - first_ns), 1.1 * DEFAULT_CYCLE_NS, MAX_CYCLE_NS);
  self->cycle_ns = (gint64) (find_cycle (distances, longest_ns) + 0.5);
  self->is_cycle_seen = self->cycle_ns > 0;
  /* Of n random parts of a cycle the first and the last are (n - 1) / (n + 1) of it apart. */
  if (!self->is_cycle_seen)
    self->cycle_ns = MAX (n > 1 ? (last_ns - first_ns) * (n + 1) / (n - 1) : 0, DEFAULT_CYCLE_NS);
  self->negotiate_ns = MAX (first_ns - self->cycle_ns / (n + 1), first_ns / 4) + launch_ns;
}

/* -- threshold ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  double fused, apart; /* the most that was fused, the least that was not; 0, INFINITY: none */
  guint n_apart;
} Bounds;

/* Groups of one cycle: no tensor of the later ones did fit into the earlier. */
static void
widen_bounds (Bounds *self, const TtWholeJob *whole, const GArray *responses)
{
  for (guint i = 0; i < responses->len; i++)
    {
      const Response *one = &g_array_index (responses, Response, i);
      const TtJobShape *group = &g_array_index (whole->job->shapes, TtJobShape, one->number);
      if (group->bytes == 0)
        continue;
      if (group->tensors[0] != NULL && group->tensors[1] != NULL)
        self->fused = MAX (self->fused, (double) group->bytes);
      for (guint k = 0; k < responses->len; k++)
        {
          const Response *other = &g_array_index (responses, Response, k);
          const TtJobShape *later = &g_array_index (whole->job->shapes, TtJobShape, other->number);
          if (other->begin_ns <= one->begin_ns || later->bytes == 0 || ABS (other->there_ns - one->there_ns) > SAME_NS)
            continue;
          self->n_apart++;
          for (guint t = 0; later->tensors[t] != NULL; t++)
            self->apart = MIN (self->apart, (double) group->bytes + (double) later->tensor_bytes[t]);
        }
    }
}

static void
set_threshold (TtFusionRule *self, const Bounds *bounds)
{
  self->is_threshold_seen = bounds->n_apart > 0;
  if (bounds->n_apart == 0)
    self->threshold_bytes = MAX (TT_FUSION_DEFAULT_BYTES, bounds->fused);
  else if (bounds->fused == 0)
    self->threshold_bytes = bounds->n_apart > 1 ? 0 : bounds->apart / 2;
  else
    self->threshold_bytes = MAX (bounds->fused, (bounds->fused + bounds->apart) / 2);
}

TtFusionRule
tt_fusion_rule_of (const TtWholeJob *whole)
{
  TtFusionRule self = { 0 };
  gint64 last_ns = TT_NO_TIME;
  Bounds bounds = { .apart = INFINITY };
  g_autoptr (GArray) distances = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) latencies = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) launches = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint slot = 0; slot < whole->steps->n_steps; slot++)
    {
      g_autoptr (GArray) responses = find_responses (whole, slot);
      add_distances (distances, responses, &last_ns);
      add_latencies (latencies, whole, slot, responses, find_bw_end (whole, slot));
      widen_bounds (&bounds, whole, responses);
      if (responses->len > 0)
        {
          const Response *first = &g_array_index (responses, Response, 0);
          gint64 ns = CLAMP (tt_time_since (first->begin_ns, first->there_ns), 0, MAX_LATENCY_NS);
          g_array_append_val (launches, ns);
        }
    }
  tt_median_ns (latencies);
  set_cycle (&self, distances, latencies, tt_median_ns (launches));
  set_threshold (&self, &bounds);
  return self;
}

/* -- fusing -------------------------------------------------------------------------------------------------------- */

static gint64
next_waking (const TtFusionRule *self, gint64 ready_ns, gint64 phase_ns)
{
  gint64 cycle_ns = MAX (self->cycle_ns, 1), past_ns = (ready_ns - phase_ns) % cycle_ns;

  if (past_ns < 0)
    past_ns += cycle_ns;
  return past_ns == 0 ? ready_ns : ready_ns + cycle_ns - past_ns;
}

/* Those from @first to before @end, which one cycle found ready. Groups are numbered from *n_groups on. */
static void
fuse (const TtFusionRule *self, TtFusionTensor *tensors, guint first, guint end, guint *n_groups)
{
  for (guint i = first; i < end; i++)
    {
      if (tensors[i].group != G_MAXUINT)
        continue;
      double bytes = tensors[i].bytes;
      tensors[i].group = *n_groups;
      for (guint k = i + 1; k < end; k++)
        if (tensors[k].group == G_MAXUINT && bytes + tensors[k].bytes <= self->threshold_bytes)
          {
            bytes += tensors[k].bytes;
            tensors[k].group = *n_groups;
          }
      ++*n_groups;
    }
}

guint
tt_fusion_rule_apply (const TtFusionRule *self, TtFusionTensor *tensors, guint n_tensors, gint64 phase_ns)
{
  guint n_groups = 0;

  for (guint i = 0; i < n_tensors; i++)
    tensors[i].group = G_MAXUINT;
  for (guint i = 0, end; i < n_tensors; i = end)
    {
      gint64 cycle_ns = next_waking (self, tensors[i].ready_ns, phase_ns);
      for (end = i; end < n_tensors && tensors[end].ready_ns <= cycle_ns; end++)
        tensors[end].cycle_ns = cycle_ns;
      fuse (self, tensors, i, end, &n_groups);
    }
  return n_groups;
}
