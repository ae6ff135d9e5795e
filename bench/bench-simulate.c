/* SPDX-License-Identifier: Apache-2.0 */
/* What a what-if on a large job costs: bench-simulate [GROUPS]. 16 ranks in a ring; 80 groups make about 1 M edges. */
#include "config.h"

#include "analyzers/training-job/simulation.h"
#include "analyzers/training-job/what-if.h"

#include <stdio.h>
#include <stdlib.h>

#define N_RANKS 16
#define N_CHANNELS 2

static double
seconds_since (gint64 *start_us)
{
  gint64 now_us = g_get_monotonic_time (), took_us = now_us - *start_us;

  *start_us = now_us;
  return (double) took_us / 1e6;
}

static TtNccl *
make_ring (void)
{
  TtNccl *nccl = tt_nccl_new ();
  gint own;

  for (guint channel = 0; channel < N_CHANNELS; channel++)
    for (guint rank = 0; rank < N_RANKS; rank++)
      {
        g_autofree char *text = g_strdup_printf ("%u[0] -> %u[0] [send] via P2P", rank, (rank + 1) % N_RANKS);
        tt_nccl_add_ring (nccl, TT_NCCL_RING, channel, text, &own, NULL);
      }
  tt_nccl_join (nccl);
  return nccl;
}

/* BW.0 -> BW.1 -> ..., each with a tensor that is communicated alone and then updated. */
static TtStepGraph *
make_graph (guint n_groups)
{
  g_autoptr (TtNccl) nccl = make_ring ();
  g_autoptr (GStringChunk) text = g_string_chunk_new (4096);
  guint n_local = 3 * n_groups, n_edges = 0;
  g_autofree const char **names = g_new0 (const char *, n_local);
  g_autofree TtNameParts *parts = g_new0 (TtNameParts, n_local);
  g_autofree const char **tensors = g_new0 (const char *, n_local);
  g_autofree const char **members = g_new0 (const char *, 2 * n_groups);
  g_autofree TtStepNodeKind *kinds = g_new0 (TtStepNodeKind, n_local);
  g_autofree TtStepGroup *groups = g_new0 (TtStepGroup, n_groups);
  g_autofree guint32 (*edges)[2] = g_malloc (3 * n_groups * sizeof *edges);
  char pid_texts[N_RANKS][16];
  const char *pids[N_RANKS];
  char name[32];

  for (guint i = 0; i < N_RANKS; i++)
    {
      g_snprintf (pid_texts[i], sizeof pid_texts[i], "host0.rank%u", i);
      pids[i] = pid_texts[i];
    }
  for (guint i = 0; i < n_groups; i++)
    {
      const char *const prefixes[3] = { "BW.", "Comm.", "UPDATE_." };
      for (guint k = 0; k < 3; k++)
        {
          g_snprintf (name, sizeof name, "%s%u", prefixes[k], i);
          names[3 * i + k] = g_string_chunk_insert (text, name);
          parts[3 * i + k] = tt_name_parts_parse (name, text);
        }
      kinds[3 * i] = TT_STEP_NODE_BW;
      kinds[3 * i + 1] = TT_STEP_NODE_COMM;
      kinds[3 * i + 2] = TT_STEP_NODE_UPDATE;
      tensors[3 * i + 1] = members[2 * i] = names[3 * i + 1] + 5;
      groups[i] = (TtStepGroup){ .name = members[2 * i],
                                .tensors = &members[2 * i],
                                .algo = TT_STEP_ALGO_RING,
                                .n_loops = 1,
                                .n_channels = N_CHANNELS,
                                .n_slices = 2,
                                .n_chunks = tt_ring_steps (N_RANKS) };
      for (guint k = 0; k < 2; k++)
        {
          edges[n_edges][0] = 3 * i + k;
          edges[n_edges++][1] = 3 * i + k + 1;
        }
      if (i > 0)
        {
          edges[n_edges][0] = 3 * (i - 1);
          edges[n_edges++][1] = 3 * i;
        }
    }
  const TtStepPlan plan = { .n_ranks = N_RANKS,
                           .pids = pids,
                           .n_local = n_local,
                           .names = names,
                            .parts = parts,
                           .kinds = kinds,
                           .tensors = tensors,
                           .n_edges = n_edges,
                           .edges = (const guint32 (*)[2]) edges,
                           .n_groups = n_groups,
                           .groups = groups,
                           .nccl = nccl,
                           .max_update = -1 };
  return tt_step_graph_new (&plan);
}

/* Sends seen one after the other, so that their order counts. */
static TtStepNodeTimes *
make_times (const TtStepGraph *graph)
{
  TtStepNodeTimes *times = g_new0 (TtStepNodeTimes, graph->nodes->len);

  for (guint32 i = 0; i < graph->nodes->len; i++)
    times[i] = (TtStepNodeTimes){ .avg_ns = 1000 + i % 977,
                             .observed_begin_ns = (gint64) i * 1000,
                             .observed_end_ns = (gint64) i * 1000 + 900,
                             .after_send_ns = 100 };
  return times;
}

int
main (int argc, char **argv)
{
  guint n_groups = argc > 1 ? (guint) MAX (atoi (argv[1]), 1) : 80;
  const TtStepReplayOptions options = { .group_gaps = TRUE, .traced_order = TRUE };
  gint64 clock_us = g_get_monotonic_time ();
  g_autoptr (TtStepGraph) graph = make_graph (n_groups);
  printf ("graph          %.3f s, %u nodes, %u edges\n", seconds_since (&clock_us), graph->nodes->len,
          graph->edges->len);

  g_autofree TtStepNodeTimes *times = make_times (graph);
  seconds_since (&clock_us);
  g_autoptr (TtSimulation) base = tt_simulation_new (graph, times, &options, NULL);
  printf ("first replay   %.3f s\n", seconds_since (&clock_us));

  g_autoptr (TtWhatIf) what_if = tt_what_if_new ();
  tt_what_if_add_bandwidth (what_if, "2", NULL);
  seconds_since (&clock_us);
  tt_what_if_apply (what_if, graph, times, NULL);
  double apply_s = seconds_since (&clock_us);
  g_autoptr (TtSimulation) changed = tt_simulation_again (base, times, NULL);
  double again_s = seconds_since (&clock_us);
  printf ("what-if        %.3f s (changing times %.3f s, replaying %.3f s)\n", apply_s + again_s, apply_s, again_s);

  guint32 cycle;
  g_autoptr (TtStepPath) path = tt_step_path_longest (graph, times, NULL, &cycle);
  printf ("longest path   %.3f s\n", seconds_since (&clock_us));
  return base->mean_ns > changed->mean_ns && path != NULL ? 0 : 1;
}
