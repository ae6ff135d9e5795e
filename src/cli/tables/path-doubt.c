/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/path-doubt.h"

#include "src/cli/clock-facts.h"

static gboolean
is_by_clocks (guint32 hop)
{
  return hop == TT_HOP_MESSAGE || hop == TT_HOP_COLLECTIVE || hop == TT_HOP_RECEIVER;
}

/* How long the others had waited where the path goes from rank to rank, gint64. */
static GArray *
list_waited (const TtCriticalPath *path)
{
  GArray *waited_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  const TtThreadRange *threads = path->points.threads;

  for (guint i = 1; i < path->segments->len; i++)
    {
      const TtPathSegment *before = &g_array_index (path->segments, TtPathSegment, i - 1),
                          *segment = &g_array_index (path->segments, TtPathSegment, i);

      if (is_by_clocks (segment->hop) && threads[before->thread].process != threads[segment->thread].process)
        g_array_append_val (waited_ns, segment->waited_ns);
    }
  return waited_ns;
}

gboolean
tt_path_doubt_find (TtStore *store, const TtCriticalPath *path, char **text, GError **error)
{
  g_auto (TtClockFacts) facts = { NULL };

  *text = NULL;
  if (path->steps != NULL)
    return TRUE;
  g_autoptr (GArray) waited_ns = list_waited (path);
  if (!tt_clock_facts_gather (&facts, store, error))
    return FALSE;
  *text = tt_clock_facts_path_doubt (&facts, store, waited_ns, path->length_ns);
  return TRUE;
}
