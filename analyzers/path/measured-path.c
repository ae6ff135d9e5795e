/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/measured-path.h"

#include "src/base/compare.h"
#include "src/trace/span.h"

#define NONE G_MAXUINT32

const char *
tt_path_hop_text (TtPathHop hop)
{
  static const char *const words[TT_N_HOPS] = {
    [TT_HOP_START] = "begin",
    [TT_HOP_MESSAGE] = "message",
    [TT_HOP_COLLECTIVE] = "collective",
    [TT_HOP_RECEIVER] = "receiver",
    [TT_HOP_JOIN] = "thread end",
    [TT_HOP_LOCK] = "lock",
    [TT_HOP_TEAM] = "thread barrier",
    [TT_HOP_THREAD] = "thread begin",
    [TT_HOP_LAUNCH] = "launch",
    [TT_HOP_EVENT] = "event",
    [TT_HOP_SYNCHRONIZE] = "synchronize",
    [TT_HOP_AUTOGRAD] = "autograd",
    [TT_HOP_OBJECT] = "object",
    [TT_HOP_QUEUE] = "queue",
    [TT_HOP_DEPENDENCY] = "dependency",
    [TT_HOP_DEVICE] = "device",
    [TT_HOP_UNKNOWN] = "unknown",
  };

  g_return_val_if_fail (hop < TT_N_HOPS, NULL);

  return words[hop];
}

static int
compare_points (const void *a, const void *b)
{
  const TtSyncPoint *x = a, *y = b;
  int order = TT_COMPARE (x->thread, y->thread);

  if (order == 0)
    order = TT_COMPARE (x->at_ns, y->at_ns);
  if (order == 0)
    order = TT_COMPARE (x->from_ns, y->from_ns);
  if (order == 0)
    order = TT_COMPARE (x->from_thread, y->from_thread);
  if (order == 0)
    order = TT_COMPARE (x->wait_ns, y->wait_ns);
  if (order == 0)
    order = TT_COMPARE (x->hop, y->hop);
  return order != 0 ? order : TT_COMPARE (x->is_inferred, y->is_inferred);
}

static gboolean
has_events (const TtThreadRange *range)
{
  return range->first_ns <= range->last_ns;
}

static guint32
last_to_finish (const TtThreadRange *threads, guint32 n_threads)
{
  guint32 last = NONE;

  for (guint32 i = 0; i < n_threads; i++)
    if (has_events (&threads[i]) && (last == NONE || threads[i].last_ns > threads[last].last_ns))
      last = i;
  return last;
}

/* The first thread of each process. */
static guint32 *
find_starters (const TtThreadRange *threads, guint32 n_threads)
{
  g_autoptr (GHashTable) by_process = g_hash_table_new (NULL, NULL); /* process -> thread + 1 */
  guint32 *starters = g_new (guint32, (gsize) n_threads + 1);

  for (guint32 i = 0; i < n_threads; i++)
    {
      gpointer process = GUINT_TO_POINTER (threads[i].process);
      guint32 best = GPOINTER_TO_UINT (g_hash_table_lookup (by_process, process));
      if (has_events (&threads[i]) && (best == 0 || threads[i].first_ns < threads[best - 1].first_ns))
        g_hash_table_insert (by_process, process, GUINT_TO_POINTER (i + 1));
    }
  for (guint32 i = 0; i < n_threads; i++)
    {
      guint32 best = GPOINTER_TO_UINT (g_hash_table_lookup (by_process, GUINT_TO_POINTER (threads[i].process)));
      starters[i] = best == 0 ? NONE : best - 1;
    }
  return starters;
}

/* Takes the latest point of @thread at or before @now that has not been taken; NULL: none. */
static const TtSyncPoint *
take_point (const TtSyncPoint *points, const guint32 *first, guint32 *next, guint32 thread, gint64 now)
{
  while (next[thread] > first[thread])
    {
      const TtSyncPoint *point = &points[--next[thread]];
      if (point->at_ns <= now && point->from_ns <= point->at_ns)
        return point;
    }
  return NULL;
}

/* first[t] to end[t]: the points of thread t. */
static void
index_points (const GArray *points, guint32 n_threads, guint32 *first, guint32 *end)
{
  const TtSyncPoint *all = (const TtSyncPoint *) points->data;
  guint32 k = 0;

  for (guint32 i = 0; i < n_threads; i++)
    {
      first[i] = k;
      while (k < points->len && all[k].thread == i)
        k++;
      end[i] = k;
    }
}

static void
reverse_segments (GArray *segments)
{
  for (guint i = 0; i < segments->len / 2; i++)
    {
      TtPathSegment *a = &g_array_index (segments, TtPathSegment, i);
      TtPathSegment *b = &g_array_index (segments, TtPathSegment, segments->len - 1 - i);
      TtPathSegment segment = *a;
      *a = *b;
      *b = segment;
    }
}

static GArray *
walk_from (GArray *points,
           const TtThreadRange *threads,
           guint32 n_threads,
           guint32 thread,
           gint64 first_ns,
           gint64 last_ns)
{
  GArray *segments = g_array_new (FALSE, FALSE, sizeof (TtPathSegment));
  g_autofree guint32 *first = g_new (guint32, (gsize) n_threads + 1);
  g_autofree guint32 *next = g_new (guint32, (gsize) n_threads + 1);
  g_autofree guint32 *starters = find_starters (threads, n_threads);
  gint64 now = last_ns;

  if (thread == NONE)
    return segments;
  g_array_sort (points, compare_points);
  index_points (points, n_threads, first, next);

  for (gboolean ends = FALSE; !ends;)
    {
      TtPathSegment segment = { .thread = thread, .hop = TT_HOP_START, .begin_ns = first_ns, .end_ns = now };
      const TtSyncPoint *point = take_point ((const TtSyncPoint *) points->data, first, next, thread, now);
      guint32 starter = starters[thread];

      if (point != NULL)
        {
          segment.hop = point->hop;
          segment.begin_ns = point->at_ns;
          segment.waited_ns = tt_time_since (point->from_ns, point->wait_ns);
          segment.is_inferred = point->is_inferred;
          thread = point->from_thread;
          now = point->from_ns;
        }
      else if (starter != NONE && threads[starter].first_ns < threads[thread].first_ns &&
               threads[thread].first_ns <= now && threads[thread].first_ns > first_ns)
        {
          segment.hop = TT_HOP_THREAD;
          segment.is_inferred = TRUE;
          segment.begin_ns = now = threads[thread].first_ns;
          thread = starter;
        }
      else
        ends = TRUE;
      g_array_append_val (segments, segment);
    }
  reverse_segments (segments);
  return segments;
}

GArray *
tt_measured_path_walk (GArray *points, const TtThreadRange *threads, guint32 n_threads, gint64 first_ns, gint64 last_ns)
{
  return walk_from (points, threads, n_threads, last_to_finish (threads, n_threads), first_ns, last_ns);
}

GArray *
tt_measured_path_walk_within (GArray *points,
                              const TtThreadRange *threads,
                              guint32 n_threads,
                              guint32 thread,
                              gint64 first_ns,
                              gint64 last_ns)
{
  GArray *segments = walk_from (points, threads, n_threads, thread, first_ns, last_ns);
  guint n_before = 0;

  while (n_before < segments->len && g_array_index (segments, TtPathSegment, n_before).end_ns < first_ns)
    n_before++;
  g_array_remove_range (segments, 0, n_before);
  if (segments->len > 0 && g_array_index (segments, TtPathSegment, 0).begin_ns <= first_ns)
    {
      TtPathSegment *segment = &g_array_index (segments, TtPathSegment, 0);
      segment->begin_ns = first_ns;
      segment->hop = TT_HOP_START;
      segment->waited_ns = 0;
      segment->is_inferred = FALSE;
    }
  return segments;
}
