/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/ends.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/array-sort.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/sorter.h"
#include "src/trace/span.h"

/* What is evidence: so many calls; ends apart by so many times what a call takes the last, and what most of them differ
 * from their median by; nine of ten of them within a quarter of it. */
#define MIN_CALLS 3u
#define TIMES_CALL 4
#define TIMES_SPREAD 8
#define MIN_APART_NS 10000 /* of clocks that show microseconds */

/* What no chance is: ends of calls apart by the same, within that part of the longest of the call, which by chance would
 * take so many bits; or by what the ends of MPI_Init are, within a fourth of the most. Of calls that take less than that
 * part of the longest nothing is asked. */
#define PART_OF_CALL 8
#define MIN_BITS 12.0
#define PART_OF_START 4
#define RESOLUTION_NS 1000
#define MIN_START_NS 1000000 /* MPI_Init does not end more exactly */

/* The ends of a call on two clocks. */
typedef struct
{
  guint64 pair;
  gint64 apart_ns, call_ns;
  gint64 longest_ns; /* of the call's members */
} Ends;

static TtArrayKey
key_of_ends (gconstpointer element)
{
  const Ends *ends = element;

  return (TtArrayKey){ ends->pair, tt_sort_key (ends->apart_ns) };
}

static int
compare_times (const void *a, const void *b)
{
  return TT_COMPARE (*(const gint64 *) a, *(const gint64 *) b);
}

/* So many parts of the clocks are looked at one after the other, for which a part of the memory is enough. */
#define N_PARTS 4u
#define ALL_PARTS N_PARTS

/* Each of a clock of @part with the first clock of the call, or of its group. @hubs: by group, room for a member + 1, all
 * 0. */
static void
take_call (GArray *all, const TtClockMember *members, guint n, const guint32 *group_of, guint part, guint *hubs)
{
  gint64 call_ns = G_MAXINT64, longest_ns = 0;

  for (guint i = 0; i < n; i++)
    {
      guint *hub = &hubs[group_of == NULL ? 0 : group_of[members[i].clock]];

      if (*hub == 0 || members[i].clock < members[*hub - 1].clock)
        *hub = i + 1;
      call_ns = MIN (call_ns, tt_time_since (members[i].end_ns, members[i].begin_ns));
      longest_ns = MAX (longest_ns, tt_time_since (members[i].end_ns, members[i].begin_ns));
    }
  for (guint i = 0; i < n; i++)
    {
      guint32 group = group_of == NULL ? 0 : group_of[members[i].clock];
      const TtClockMember *hub = &members[hubs[group] - 1];
      const Ends ends = { (guint64) hub->clock << 32 | members[i].clock, tt_time_since (members[i].end_ns, hub->end_ns),
                          call_ns, longest_ns };

      if (hub != &members[i] && (group_of == NULL || group != 0) &&
          (part == ALL_PARTS || members[i].clock % N_PARTS == part))
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

/* By pair and how far they are apart, of calls @first_call and later. */
static GArray *
list_ends (const TtClockTies *ties, guint first_call, gboolean with_loose, const guint32 *group_of, guint part)
{
  g_autofree guint *hubs = g_new0 (guint, (gsize) ties->n_clocks + 1);
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Ends));

  for (guint i = first_call; i < ties->calls->len; i++)
    {
      const TtClockCall *call = &g_array_index (ties->calls, TtClockCall, i);

      if (with_loose || !call->is_loose)
        take_call (all, TT_ARRAY (ties->members, TtClockMember) + call->first, call->n, group_of, part, hubs);
    }
  tt_array_sort_by_key (all, key_of_ends, NULL);
  return all;
}

static guint
end_of_pair (const GArray *all, guint first)
{
  guint next = first + 1;

  while (next < all->len && g_array_index (all, Ends, next).pair == g_array_index (all, Ends, first).pair)
    next++;
  return next;
}

static gboolean
any_is_steady (const GArray *all)
{
  for (guint first = 0, next; first < all->len; first = next)
    {
      next = end_of_pair (all, first);
      if (are_steady (TT_ARRAY (all, Ends) + first, next - first))
        return TRUE;
    }
  return FALSE;
}

gboolean
tt_clock_ends_differ (const TtClockTies *ties, const guint32 *group_of)
{
  for (guint part = 0; part < N_PARTS; part++)
    {
      g_autoptr (GArray) ends = list_ends (ties, 0, FALSE, group_of, part);

      if (any_is_steady (ends))
        return TRUE;
    }
  return FALSE;
}

/* -- calls that all ranks are supposed to be in ------------------------------------------------------------------- */

static gint64
distance (gint64 a_ns, gint64 b_ns)
{
  gint64 ns = tt_time_since (a_ns, b_ns);

  return ns < 0 ? -MAX (ns, -G_MAXINT64) : ns;
}

/* *@bits: grows by what it takes to find them so near to their median, anywhere in the call. */
static gboolean
are_alike (const Ends *ends, guint n, double *bits)
{
  gint64 longest_ns = 0;

  for (guint i = 0; i < n; i++)
    longest_ns = MAX (longest_ns, ends[i].longest_ns);
  for (guint i = 0; i < n; i++)
    {
      gint64 apart_ns = distance (ends[i].apart_ns, ends[n / 2].apart_ns);

      if (ends[i].longest_ns < longest_ns / PART_OF_CALL)
        continue;
      if (apart_ns > ends[i].longest_ns / PART_OF_CALL)
        return FALSE;
      if (i != n / 2)
        *bits += log2 ((double) ends[i].longest_ns / 2.0 / (double) MAX (apart_ns, RESOLUTION_NS));
    }
  return TRUE;
}

/* Most calls of two of three pairs: some ends are late. */
static gboolean
are_as_starts (const GArray *all, const TtClockMpi *mpi)
{
  g_autoptr (GArray) offs_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 most_ns = 0;

  for (guint first = 0, next; first < all->len; first = next)
    {
      const Ends *ends = &g_array_index (all, Ends, first);
      gint64 hub_ns = mpi[ends->pair >> 32].start_ns, start_ns = mpi[ends->pair & G_MAXUINT32].start_ns;

      next = end_of_pair (all, first);
      if (hub_ns == TT_NO_TIME || start_ns == TT_NO_TIME)
        return FALSE;
      gint64 apart_ns = ends[(next - first) / 2].apart_ns;
      gint64 off_ns = distance (apart_ns, tt_time_since (start_ns, hub_ns));
      most_ns = MAX (most_ns, distance (apart_ns, 0));
      g_array_append_val (offs_ns, off_ns);
    }
  g_array_sort (offs_ns, compare_times);
  return offs_ns->len > 0 && most_ns >= MIN_START_NS &&
         g_array_index (offs_ns, gint64, offs_ns->len - 1 - offs_ns->len / 3) <= most_ns / PART_OF_START;
}

gboolean
tt_clock_ends_coincide (const TtClockTies *ties, guint first_call, const TtClockMpi *mpi)
{
  g_autoptr (GArray) all = list_ends (ties, first_call, TRUE, NULL, ALL_PARTS);
  double bits = 0;
  gboolean is_any = all->len > 0, are_all_alike = TRUE;

  for (guint first = 0, next; first < all->len && are_all_alike; first = next)
    {
      next = end_of_pair (all, first);
      are_all_alike = are_alike (TT_ARRAY (all, Ends) + first, next - first, &bits);
    }
  return is_any && ((are_all_alike && bits >= MIN_BITS) || are_as_starts (all, mpi));
}
