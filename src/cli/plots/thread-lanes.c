/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/plots/thread-lanes.h"

#include "analyzers/process-order.h"

static int
compare_threads (gconstpointer a, gconstpointer b, gpointer data)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;
  guint32 rank_x = tt_rank_of_thread (data, x), rank_y = tt_rank_of_thread (data, y);

  if (rank_x != rank_y && rank_x != TT_NO_ID && rank_y != TT_NO_ID)
    return tt_process_order (data, rank_x, rank_y);
  return x < y ? -1 : x > y;
}

void
tt_thread_lanes_init (TtThreadLanes *self, TtStore *store, guint max_lanes)
{
  GArray *threads = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n_ranks = 0;

  for (guint32 thread = 1; thread <= tt_store_max_thread (store); thread++)
    g_array_append_val (threads, thread);
  g_array_sort_with_data (threads, compare_threads, store);
  self->threads = threads;
  self->lane = g_new0 (guint, (gsize) tt_store_max_thread (store) + 1);
  for (guint i = 0; i < threads->len; i++)
    {
      guint32 thread = g_array_index (threads, guint32, i);

      n_ranks += i == 0 || tt_rank_of_thread (store, thread) !=
                               tt_rank_of_thread (store, g_array_index (threads, guint32, i - 1));
      self->lane[thread] = threads->len <= max_lanes ? i : n_ranks - 1;
    }
  self->n_lanes = threads->len;
  self->fold = threads->len <= max_lanes ? 0 : MAX ((n_ranks + max_lanes - 1) / max_lanes, 1);
  if (self->fold == 0)
    return;
  for (guint i = 0; i < threads->len; i++)
    self->lane[g_array_index (threads, guint32, i)] /= self->fold;
  self->n_lanes = (n_ranks + self->fold - 1) / self->fold;
}

void
tt_thread_lanes_clear (TtThreadLanes *self)
{
  g_clear_pointer (&self->threads, g_array_unref);
  g_clear_pointer (&self->lane, g_free);
}
