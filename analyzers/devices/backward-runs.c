/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/devices/backward-runs.h"

#include "analyzers/path/measured-path.h"

#define NONE G_MAXUINT

/* First outermost span of @thread that begins after @ns. */
static guint
outer_after (const GArray *outer, guint32 thread, gint64 ns)
{
  guint low = 0, high = outer->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const TtOuterSpan *span = &g_array_index (outer, TtOuterSpan, middle);
      if (span->thread < thread || (span->thread == thread && span->begin_ns <= ns))
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
is_of (const GArray *outer, guint i, guint32 thread)
{
  return i < outer->len && g_array_index (outer, TtOuterSpan, i).thread == thread;
}

/* The outermost span with which the thread of @link started a run: the first after the forward operator, for hooks come
 * before backward operators; NONE: it was at work then. */
static guint
find_start (const GArray *outer, const TtBackwardLink *link)
{
  guint behind = outer_after (outer, link->thread, link->ns), i = outer_after (outer, link->thread, link->from_ns);

  if (i >= behind || !is_of (outer, i, link->thread))
    return NONE;
  return i > 0 && is_of (outer, i - 1, link->thread) && g_array_index (outer, TtOuterSpan, i - 1).end_ns > link->from_ns
             ? NONE
             : i;
}

static void
add_run (const GArray *outer, guint first, guint end, guint32 from_thread, GArray *points)
{
  const TtOuterSpan *spans = (const TtOuterSpan *) outer->data;
  TtSyncPoint begin = {
    .thread = spans[first].thread,
    .from_thread = from_thread,
    .at_ns = spans[first].begin_ns,
    .from_ns = spans[first].begin_ns,
    .wait_ns =
        first > 0 && spans[first - 1].thread == spans[first].thread ? spans[first - 1].end_ns : spans[first].begin_ns,
    .hop = TT_HOP_AUTOGRAD,
    .is_inferred = TRUE,
  };
  TtSyncPoint finish = {
    .thread = from_thread,
    .from_thread = spans[first].thread,
    .wait_ns = spans[first].begin_ns,
    .at_ns = G_MININT64,
    .hop = TT_HOP_AUTOGRAD,
    .is_inferred = TRUE,
  };

  for (guint i = first; i < end; i++)
    finish.at_ns = MAX (finish.at_ns, spans[i].end_ns);
  finish.from_ns = finish.at_ns;
  begin.wait_ns = MIN (begin.wait_ns, begin.from_ns);
  g_array_append_val (points, begin);

  guint other = outer_after (outer, from_thread, begin.at_ns);
  if (!is_of (outer, other, from_thread) || spans[other].begin_ns >= finish.at_ns)
    g_array_append_val (points, finish);
}

void
tt_backward_runs_points (const TtDeviceWork *work, GArray *points)
{
  const GArray *outer = work->outer;

  for (guint i = 0, next; i < work->backwards->len; i = next)
    {
      const TtBackwardLink *link = &g_array_index (work->backwards, TtBackwardLink, i);
      guint first = find_start (outer, link), end = outer->len, following = NONE;

      for (next = i + 1; next < work->backwards->len; next++)
        {
          const TtBackwardLink *other = &g_array_index (work->backwards, TtBackwardLink, next);
          following = other->thread == link->thread ? find_start (outer, other) : NONE;
          if (other->thread != link->thread || (following != NONE && following != first))
            break;
        }
      if (first == NONE)
        continue;
      if (following != NONE && following != first)
        end = following;
      else
        end = outer_after (outer, link->thread, G_MAXINT64);
      add_run (outer, first, end, link->from_thread, points);
    }
}
