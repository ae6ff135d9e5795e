/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/ends.h"

#include <stdlib.h>

#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/trace/span.h"

/* What is evidence: so many calls; ends apart by so many times what a call takes the last, and what most of them differ
 * from their median by; nine of ten of them within a quarter of it. */
#define MIN_CALLS 3u
#define TIMES_CALL 4
#define TIMES_SPREAD 8
#define MIN_APART_NS 10000 /* of clocks that show microseconds */

/* The ends of a call on two clocks. */
typedef struct
{
  guint64 pair;
  gint64 apart_ns, call_ns;
} Ends;

static int
compare_ends (gconstpointer a, gconstpointer b)
{
  const Ends *x = a, *y = b;

  return x->pair != y->pair ? TT_COMPARE (x->pair, y->pair) : TT_COMPARE (x->apart_ns, y->apart_ns);
}

static int
compare_times (const void *a, const void *b)
{
  return TT_COMPARE (*(const gint64 *) a, *(const gint64 *) b);
}

/* Each with the first clock of the call, or of its group. @hubs: by group, room for a member + 1, all 0. */
static void
take_call (GArray *all, const TtClockMember *members, guint n, const guint32 *group_of, guint *hubs)
{
  gint64 call_ns = G_MAXINT64;

  for (guint i = 0; i < n; i++)
    {
      guint *hub = &hubs[group_of == NULL ? 0 : group_of[members[i].clock]];

      if (*hub == 0 || members[i].clock < members[*hub - 1].clock)
        *hub = i + 1;
      call_ns = MIN (call_ns, tt_time_since (members[i].end_ns, members[i].begin_ns));
    }
  for (guint i = 0; i < n; i++)
    {
      guint32 group = group_of == NULL ? 0 : group_of[members[i].clock];
      const TtClockMember *hub = &members[hubs[group] - 1];
      const Ends ends = { (guint64) hub->clock << 32 | members[i].clock, tt_time_since (members[i].end_ns, hub->end_ns),
                          call_ns };

      if (hub != &members[i] && (group_of == NULL || group != 0))
        g_array_append_val (all, ends);
    }
  for (guint i = 0; i < n; i++)
    hubs[group_of == NULL ? 0 : group_of[members[i].clock]] = 0;
}

/* @ends: of one pair, by how far they are apart. */
static gboolean
are_steady (const Ends *ends, guint n)
{
  gint64 apart_ns = ends[n / 2].apart_ns, limit_ns = ABS (MAX (apart_ns, -G_MAXINT64));
  guint n_near = 0;

  if (n < MIN_CALLS || limit_ns < MIN_APART_NS)
    return FALSE;
  g_autofree gint64 *calls_ns = g_new (gint64, n), *spreads_ns = g_new (gint64, n);
  for (guint i = 0; i < n; i++)
    {
      gint64 spread_ns = tt_time_since (ends[i].apart_ns, apart_ns);

      spreads_ns[i] = ABS (MAX (spread_ns, -G_MAXINT64));
      calls_ns[i] = ends[i].call_ns;
      n_near += spreads_ns[i] <= limit_ns / 4;
    }
  qsort (spreads_ns, n, sizeof *spreads_ns, compare_times);
  qsort (calls_ns, n, sizeof *calls_ns, compare_times);
  return n_near >= n - n / 10 && spreads_ns[n / 2] < limit_ns / TIMES_SPREAD && calls_ns[n / 2] < limit_ns / TIMES_CALL;
}

gboolean
tt_clock_ends_differ (const TtClockTies *ties, const guint32 *group_of)
{
  g_autofree guint *hubs = g_new0 (guint, (gsize) ties->n_clocks + 1);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Ends));

  for (guint i = 0; i < ties->calls->len; i++)
    {
      const TtClockCall *call = &g_array_index (ties->calls, TtClockCall, i);

      take_call (all, TT_ARRAY (ties->members, TtClockMember) + call->first, call->n, group_of, hubs);
    }
  g_array_sort (all, compare_ends);
  const Ends *ends = TT_ARRAY (all, Ends);
  for (guint first = 0, next; first < all->len; first = next)
    {
      for (next = first + 1; next < all->len && ends[next].pair == ends[first].pair; next++)
        ;
      if (are_steady (ends + first, next - first))
        return TRUE;
    }
  return FALSE;
}
