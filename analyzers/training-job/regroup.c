/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/regroup.h"

#include "analyzers/training-job/factor.h"
#include "analyzers/training-job/notes.h"
#include "analyzers/training-job/simulation.h"
#include "graphs/graph.h"
#include "src/base/compare.h"
#include "src/base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A traced group: what it takes besides what playing it says. */
typedef struct
{
  double bytes, factor; /* 0: not seen */
  guint n_tensors;
  double copy_in_ns, copy_out_ns; /* per byte */
} Known;

typedef struct
{
  TtRegroup *out;
  const TtJobNetwork *network;
  const TtNetworkChange *change;
  const TtFusionChange *fusion;
  const TtWhatIf *what_if;
  const TtStepReplayOptions *replay;
  Known *known; /* by traced group */
  guint n_known;
  GPtrArray *names;      /* of tensors; owned by the shapes */
  GArray *bytes;         /* of double, by tensor */
  GHashTable *number_of; /* name -> GUINT_TO_POINTER (number + 1) */
  double *played;        /* by traced group: as it is */
} Work;

void
tt_regroup_free (TtRegroup *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_steps; i++)
    {
      tt_step_graph_free (self->graphs[i]);
      g_free (self->times[i]);
    }
  g_free (self->graphs);
  g_free (self->times);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_free (self);
}

/* -- what is known ------------------------------------------------------------------------------------------------- */

static gboolean
list_tensors (Work *self, GError **error)
{
  const GArray *shapes = self->out->whole->job->shapes;

  for (guint i = 0; i < shapes->len; i++)
    {
      const TtJobShape *shape = &g_array_index (shapes, TtJobShape, i);
      for (guint k = 0; shape->tensors[k] != NULL; k++)
        {
          double bytes = (double) shape->tensor_bytes[k];
          if (bytes == 0)
            {
              g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                           "how tensors would be fused cannot be told: how many bytes '%s' has is not known",
                           shape->tensors[k]);
              return FALSE;
            }
          if (g_hash_table_contains (self->number_of, shape->tensors[k]))
            continue;
          g_ptr_array_add (self->names, shape->tensors[k]);
          g_array_append_val (self->bytes, bytes);
          g_hash_table_insert (self->number_of, shape->tensors[k], GUINT_TO_POINTER (self->names->len));
        }
    }
  return TRUE;
}

/* Means over ranks and steps of a traced group's own operations. */
static void
add_means (const Work *self, double *kernel, double *copy_in, double *copy_out)
{
  const TtWholeJob *whole = self->out->whole;
  g_autofree guint *n_seen = g_new0 (guint, (gsize) self->n_known + 1);

  for (guint slot = 0; slot < whole->steps->n_steps; slot++)
    {
      g_autofree TtStepNodeTimes *times = tt_job_step_model_times (whole->model, slot);
      for (guint32 i = 0; i < whole->traced->nodes->len; i++)
        {
          const TtStepNode *node = tt_step_node (whole->traced, i);
          if (node->group == TT_STEP_NO_GROUP || node->rank >= whole->traced->n_ranks)
            continue;
          if (tt_step_node_is_collective (node))
            {
              kernel[node->group] += (double) times[i].avg_ns;
              n_seen[node->group]++;
            }
          else if (node->kind == TT_STEP_NODE_MEMCPY_IN)
            copy_in[node->group] += (double) times[i].avg_ns;
          else if (node->kind == TT_STEP_NODE_MEMCPY_OUT)
            copy_out[node->group] += (double) times[i].avg_ns;
        }
    }
  for (guint i = 0; i < self->n_known; i++)
    {
      kernel[i] /= MAX (n_seen[i], 1);
      copy_in[i] /= MAX (n_seen[i], 1);
      copy_out[i] /= MAX (n_seen[i], 1);
    }
}

static void
learn_groups (Work *self)
{
  const TtNetworkChange none = TT_NETWORK_CHANGE_NONE;
  gsize n = (gsize) self->n_known + 1;
  g_autofree double *kernel = g_new0 (double, n);
  g_autofree double *copy_in = g_new0 (double, n);
  g_autofree double *copy_out = g_new0 (double, n);

  add_means (self, kernel, copy_in, copy_out);
  for (guint i = 0; i < self->n_known; i++)
    {
      const TtJobShape *shape = &g_array_index (self->out->whole->job->shapes, TtJobShape, i);
      double bytes = (double) shape->bytes, played = tt_whole_job_play_ns (self->network, &none, bytes);
      self->known[i] = (Known){ .bytes = bytes,
                                .factor = played > 0 ? kernel[i] / played : 0,
                                .n_tensors = g_strv_length (shape->tensors),
                                .copy_in_ns = copy_in[i] / bytes,
                                .copy_out_ns = copy_out[i] / bytes };
    }
}

static gboolean
has_tensors (const TtJobShape *shape, const char *const *tensors)
{
  guint n = g_strv_length (shape->tensors);

  for (guint i = 0; tensors[i] != NULL; i++)
    if (i >= n || !g_strv_contains ((const char *const *) shape->tensors, tensors[i]))
      return FALSE;
  return n == g_strv_length ((char **) tensors);
}

/* Of the traced groups, those whose size is nearer count more; where the group itself was traced, that alone. */
static double
factor_for (const Work *self, double bytes, const char *const *tensors)
{
  double sum = 0, weights = 0;

  for (guint i = 0; i < self->n_known; i++)
    {
      const Known *known = &self->known[i];
      if (known->factor > 0 && has_tensors (&g_array_index (self->out->whole->job->shapes, TtJobShape, i), tensors))
        return known->factor;
      if (known->factor <= 0 || known->bytes <= 0 || bytes <= 0)
        continue;
      double far = log (known->bytes / bytes), weight = 1 / (0.05 + far * far);
      sum += weight * log (known->factor);
      weights += weight;
    }
  return weights > 0 ? exp (sum / weights) : 1;
}

/* Only groups of several tensors are copied. Per byte, as it is of those that were. */
static double
copy_ns (const Work *self, guint n_tensors, double bytes, gboolean is_in)
{
  double ns = 0, all = 0;

  for (guint i = 0; i < self->n_known && n_tensors > 1; i++)
    if (self->known[i].n_tensors > 1)
      {
        ns += self->known[i].bytes * (is_in ? self->known[i].copy_in_ns : self->known[i].copy_out_ns);
        all += self->known[i].bytes;
      }
  return all > 0 ? ns / all * bytes : 0;
}

/* -- when tensors get ready ---------------------------------------------------------------------------------------- */

/* By operator of the model: the number of the tensor that waits for it, + 1; several tensors: each in a row. */
static GArray *
find_sources (const Work *self)
{
  const TtStepPlan *plan = &self->out->whole->job->plan->step;
  GArray *sources = g_array_new (FALSE, FALSE, 2 * sizeof (guint32));

  for (guint i = 0; i < plan->n_edges; i++)
    {
      const char *tensor = plan->tensors[plan->edges[i][1]];
      guint number = tensor == NULL ? 0 : GPOINTER_TO_UINT (g_hash_table_lookup (self->number_of, tensor));
      const guint32 source[2] = { plan->edges[i][0], number - 1 };
      if (number > 0 && tt_step_node_is_operator (plan->kinds[plan->edges[i][0]]))
        g_array_append_val (sources, source);
    }
  return sources;
}

static int
compare_tensors (gconstpointer a, gconstpointer b)
{
  const TtFusionTensor *x = a, *y = b;

  return x->ready_ns != y->ready_ns ? TT_COMPARE (x->ready_ns, y->ready_ns) : TT_COMPARE (x->number, y->number);
}

/* In the order in which all ranks have them. */
static TtFusionTensor *
find_ready (const Work *self, TtSchedule *schedule, const TtStepGraph *graph, const GArray *sources)
{
  guint n = self->names->len, n_local = self->out->whole->job->plan->step.n_local;
  TtFusionTensor *tensors = g_new0 (TtFusionTensor, (gsize) n + 1);
  g_autofree gint64 *end_ns = g_new0 (gint64, (gsize) n_local + 1); /* by operator: on the last rank */
  gint64 last_ns = 0;

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (node->local == TT_STEP_NO_NODE || node->rank >= graph->n_ranks || !tt_step_node_is_operator (node->kind))
        continue;
      end_ns[node->local] = MAX (end_ns[node->local], tt_schedule_end_ns (schedule, i));
      if (node->kind == TT_STEP_NODE_BW)
        last_ns = MAX (last_ns, tt_schedule_end_ns (schedule, i));
    }
  for (guint i = 0; i < n; i++)
    tensors[i] =
        (TtFusionTensor){ .number = i, .bytes = g_array_index (self->bytes, double, i) * self->change->compression };
  for (guint i = 0; i < sources->len; i++)
    {
      const guint32 *source = (const guint32 *) (gconstpointer) sources->data + 2 * (gsize) i;
      tensors[source[1]].ready_ns = MAX (tensors[source[1]].ready_ns, end_ns[source[0]]);
    }
  qsort (tensors, n, sizeof *tensors, compare_tensors);
  for (guint i = 0; i < n && self->out->groups_wait; i++)
    tensors[i].ready_ns = last_ns;
  return tensors;
}

/* -- the step with its new groups ---------------------------------------------------------------------------------- */

typedef struct
{
  GPtrArray *names;   /* of groups */
  GPtrArray *tensors; /* of char **, borrowed texts */
  TtStepGroup *groups;
  double *bytes;
  gint64 *begin_ns, *ready_ns;
  guint n;
} Groups;

static void
groups_clear (Groups *self)
{
  g_clear_pointer (&self->names, g_ptr_array_unref);
  g_clear_pointer (&self->tensors, g_ptr_array_unref);
  g_free (self->groups);
  g_free (self->bytes);
  g_free (self->begin_ns);
  g_free (self->ready_ns);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Groups, groups_clear)

static void
make_groups (const Work *self, Groups *groups, const TtFusionTensor *tensors, guint n_groups)
{
  const TtFusionRule *rule = &self->out->rule;
  guint n_tensors = self->names->len;

  groups->n = n_groups;
  groups->names = g_ptr_array_new_with_free_func (g_free);
  groups->tensors = g_ptr_array_new_with_free_func (g_free);
  groups->groups = g_new0 (TtStepGroup, (gsize) n_groups + 1);
  groups->bytes = g_new0 (double, (gsize) n_groups + 1);
  groups->begin_ns = g_new0 (gint64, (gsize) n_groups + 1);
  groups->ready_ns = g_new0 (gint64, (gsize) n_groups + 1);
  for (guint i = 0; i < n_groups; i++)
    {
      g_autoptr (GPtrArray) members = g_ptr_array_new ();
      for (guint k = 0; k < n_tensors; k++)
        if (tensors[k].group == i)
          {
            g_ptr_array_add (members, self->names->pdata[tensors[k].number]);
            groups->bytes[i] += tensors[k].bytes;
            groups->begin_ns[i] = tensors[k].cycle_ns + rule->negotiate_ns;
            groups->ready_ns[i] = MAX (groups->ready_ns[i], tensors[k].ready_ns);
          }
      g_ptr_array_add (members, NULL);
      char **texts = (char **) g_ptr_array_steal (members, NULL);
      g_ptr_array_add (groups->tensors, texts);
      g_ptr_array_add (groups->names, g_strjoinv ("+", texts));
      groups->groups[i] = (TtStepGroup){ .name = groups->names->pdata[i],
                                         .tensors = (const char *const *) texts,
                                         .algo = TT_STEP_ALGO_RING };
    }
}

/* By rank: the gap from its last group to updates that wait for all. */
static gint64 *
find_update_gaps (const TtStepGraph *graph, const TtStepNodeTimes *times)
{
  gint64 *gap_ns = g_new0 (gint64, (gsize) graph->n_ranks + 1);

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      if (node->kind == TT_STEP_NODE_MEMCPY_OUT && node->rank < graph->n_ranks)
        gap_ns[node->rank] = MAX (gap_ns[node->rank], times[i].update_gap_ns);
    }
  return gap_ns;
}

/* From one group to the next. Where steps fuse otherwise than the typical one, most have unknown groups between. */
static gint64
find_turnaround (const TtWholeJob *whole)
{
  gsize n = (gsize) whole->model->n_groups * whole->steps->n_steps;
  gint64 least_ns = 0;

  for (gsize i = 0; i < n; i++)
    {
      gint64 ns = whole->model->turnaround_ns[i];
      if (ns > 0 && (least_ns == 0 || ns < least_ns))
        least_ns = ns;
    }
  return least_ns;
}

static void
set_group_times (const Work *self, const Groups *groups, const TtStepNode *node, TtStepNodeTimes *times)
{
  guint group = node->group;
  double bytes = groups->bytes[group], whole = bytes / self->change->compression;
  guint n_tensors = g_strv_length ((char **) groups->groups[group].tensors);

  *times = (TtStepNodeTimes){ .observed_begin_ns = TT_STEP_NO_TIME, .observed_end_ns = TT_STEP_NO_TIME };
  if (node->kind == TT_STEP_NODE_SYNC)
    times->latency_ns = MAX (groups->begin_ns[group] - groups->ready_ns[group], 0);
  else if (tt_step_node_is_collective (node))
    times->avg_ns = tt_factor_round (tt_whole_job_play_ns (self->network, self->change, whole) *
                                     factor_for (self, whole, groups->groups[group].tensors));
  else if (node->kind == TT_STEP_NODE_MEMCPY_IN || node->kind == TT_STEP_NODE_MEMCPY_OUT)
    times->avg_ns = (gint64) copy_ns (self, n_tensors, bytes, node->kind == TT_STEP_NODE_MEMCPY_IN);
  /* One after the other, in this order. */
  if (tt_step_node_is_collective (node))
    {
      times->observed_begin_ns = (gint64) group + 1;
      times->observed_end_ns = (gint64) group + 1;
    }
}

static void
set_times (const Work *self, guint slot, const Groups *groups, const TtStepNodeTimes *before)
{
  const TtStepGraph *from = self->out->whole->graph, *graph = self->out->graphs[slot];
  g_autoptr (GHashTable) nodes = tt_whole_job_index (from);
  g_autofree gint64 *gap_ns = find_update_gaps (from, before);
  gint64 turnaround_ns = find_turnaround (self->out->whole);
  g_autofree TtStepNodeTimes *of_group =
      g_new0 (TtStepNodeTimes, (gsize) groups->n + 1); /* of collectives: play once */
  TtStepNodeTimes *times = self->out->times[slot] = g_new0 (TtStepNodeTimes, (gsize) graph->nodes->len + 1);

  for (guint32 i = 0; i < graph->nodes->len; i++)
    {
      const TtStepNode *node = tt_step_node (graph, i);
      guint32 old = node->rank >= graph->n_ranks ? TT_STEP_NO_NODE : tt_whole_job_find (nodes, node->rank, node->name);
      if (node->group == TT_STEP_NO_GROUP || node->rank >= graph->n_ranks)
        {
          times[i] = (TtStepNodeTimes){ .observed_begin_ns = TT_STEP_NO_TIME, .observed_end_ns = TT_STEP_NO_TIME };
          if (old != TT_STEP_NO_NODE)
            times[i] = before[old];
          continue;
        }
      if (!tt_step_node_is_collective (node))
        set_group_times (self, groups, node, &times[i]);
      else
        {
          if (of_group[node->group].observed_begin_ns == 0)
            set_group_times (self, groups, node, &of_group[node->group]);
          times[i] = of_group[node->group];
        }
      if (node->kind == TT_STEP_NODE_MEMCPY_OUT)
        {
          times[i].turnaround_ns = turnaround_ns;
          times[i].update_gap_ns = gap_ns[node->rank];
        }
    }
}

/* Wakings are spread over the steps, so that their mean is that of all phases. */
static gboolean
regroup_step (Work *self, guint slot, const GArray *sources, GError **error)
{
  TtRegroup *out = self->out;
  const TtWholeJob *whole = out->whole;
  g_autofree TtStepNodeTimes *before = tt_whole_job_times (whole, slot);
  g_autofree TtStepNodeTimes *changed = g_memdup2 (before, (whole->graph->nodes->len + 1) * sizeof *before);
  g_auto (Groups) groups = { 0 };

  if (self->what_if != NULL && !tt_what_if_is_empty (self->what_if) &&
      !tt_what_if_apply (self->what_if, whole->graph, changed, error))
    return FALSE;
  g_autoptr (TtSimulation) run = tt_simulation_new (whole->graph, changed, self->replay, error);
  if (run == NULL)
    return FALSE;
  g_autofree TtFusionTensor *tensors = find_ready (self, run->schedule, whole->graph, sources);
  gint64 phase_ns = out->rule.cycle_ns * (2 * (gint64) slot + 1) / (2 * (gint64) out->n_steps);
  make_groups (self, &groups, tensors, tt_fusion_rule_apply (&out->rule, tensors, self->names->len, phase_ns));
  out->graphs[slot] = tt_whole_job_graph (whole->job, groups.groups, groups.n, whole->graph->n_ranks,
                                          whole->pids != NULL ? whole->pids : whole->job->pids);
  set_times (self, slot, &groups, before);
  return TRUE;
}

static void
add_notes (TtRegroup *self, const TtFusionChange *fusion)
{
  g_auto (TtNotes) notes = { 0 };
  char threshold[64];

  tt_notes_init (&notes);
  g_snprintf (threshold, sizeof threshold, "%.1f MB", self->rule.threshold_bytes / 1e6);
  tt_notes_add (&notes, "tensors are fused anew: cycles of %.1f ms%s, up to %s%s", (double) self->rule.cycle_ns / 1e6,
                self->rule.is_cycle_seen ? "" : " (not told by the traces)", threshold,
                fusion->is_fusion || self->rule.is_threshold_seen ? "" : " (not told by the traces)");
  self->notes = g_steal_pointer (&notes.texts);
}

static gboolean
regroup_steps (Work *self, GError **error)
{
  g_autoptr (GArray) sources = NULL;
  TtRegroup *out = self->out;

  if (!list_tensors (self, error))
    return FALSE;
  sources = find_sources (self);
  learn_groups (self);
  for (guint slot = 0; slot < out->n_steps; slot++)
    if (!regroup_step (self, slot, sources, error))
      return FALSE;
  return TRUE;
}

TtRegroup *
tt_regroup_new (const TtWholeJob *whole,
                const TtJobNetwork *network,
                const TtNetworkChange *change,
                const TtFusionChange *fusion,
                const TtWhatIf *what_if,
                const TtStepReplayOptions *replay,
                GError **error)
{
  g_autoptr (TtRegroup) self = g_new0 (TtRegroup, 1);
  TtStepReplayOptions options = *replay;
  Work work = {
    .out = self, .network = network, .change = change, .fusion = fusion, .what_if = what_if, .replay = &options
  };
  g_autofree Known *known = g_new0 (Known, (gsize) whole->job->shapes->len + 1);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GArray) bytes = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GHashTable) number_of = g_hash_table_new (g_str_hash, g_str_equal);

  self->whole = whole;
  self->n_steps = MAX (whole->steps->n_steps, 1);
  self->graphs = g_new0 (TtStepGraph *, self->n_steps);
  self->times = g_new0 (TtStepNodeTimes *, self->n_steps);
  self->rule = tt_fusion_rule_of (whole);
  if (fusion->is_fusion)
    self->rule.threshold_bytes = fusion->threshold_bytes;
  self->groups_wait =
      fusion->overlap == TT_OVERLAP_NONE || (fusion->overlap == TT_OVERLAP_AS_TRACED && whole->model->groups_wait);
  options.groups_wait = whole->model->groups_wait;
  options.updates_wait = whole->model->updates_wait;
  work.known = known;
  work.n_known = whole->job->shapes->len;
  work.names = names;
  work.bytes = bytes;
  work.number_of = number_of;
  if (whole->steps->n_steps == 0)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "how tensors would be fused cannot be told: there are no steps");
  if (whole->steps->n_steps == 0 || !regroup_steps (&work, error))
    return NULL;
  add_notes (self, fusion);
  return g_steal_pointer (&self);
}
