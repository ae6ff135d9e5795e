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

typedef void (*EndsFunc) (const Ends *ends, gpointer data);

/* Those of a clock, with the first clock of the call, or of its group. @hubs: by group, room for a member + 1, all 0. */
static void
take_call (const TtClockMember *members, guint n, const guint32 *group_of, guint *hubs, EndsFunc func, gpointer data)
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

      if (hub != &members[i] && (group_of == NULL || group != 0))
        func (&ends, data);
    }
  for (guint i = 0; i < n; i++)
    hubs[group_of == NULL ? 0 : group_of[members[i].clock]] = 0;
}

/* Of calls @first_call and later. */
static void
each_ends (const TtClockTies *ties,
           guint first_call,
           gboolean with_loose,
           const guint32 *group_of,
           EndsFunc func,
           gpointer data)
{
  g_autofree guint *hubs = g_new0 (guint, (gsize) ties->n_clocks + 1);

  for (guint i = first_call; i < ties->calls->len; i++)
    {
      const TtClockCall *call = &g_array_index (ties->calls, TtClockCall, i);

      if (with_loose || !call->is_loose)
        take_call (TT_ARRAY (ties->members, TtClockMember) + call->first, call->n, group_of, hubs, func, data);
    }
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

/* How the ends of a clock are to those of the first other one that it has met. */
typedef struct
{
  guint32 hub;
  guint n, n_far;
  gboolean has_others;
} Distance;

static void
note_distance (const Ends *ends, gpointer distances)
{
  Distance *distance = &((Distance *) distances)[ends->pair & G_MAXUINT32];
  guint32 hub = (guint32) (ends->pair >> 32);

  if (distance->n == 0)
    distance->hub = hub;
  distance->has_others |= distance->hub != hub;
  distance->n++;
  distance->n_far += ends->apart_ns >= MIN_APART_NS || ends->apart_ns <= -MIN_APART_NS;
}

/* The median is far only where half of them are. */
static gboolean
may_be_steady (const Distance *distance)
{
  return distance->has_others || (distance->n >= MIN_CALLS && distance->n_far >= distance->n / 2);
}

typedef struct
{
  GArray *ends; /* of Ends */
  const Distance *distances;
  guint part;
} Listing;

static void
list_part (const Ends *ends, gpointer data)
{
  Listing *self = data;
  guint32 clock = (guint32) (ends->pair & G_MAXUINT32);

  if (clock % N_PARTS == self->part && may_be_steady (&self->distances[clock]))
    g_array_append_val (self->ends, *ends);
}

gboolean
tt_clock_ends_differ (const TtClockTies *ties, const guint32 *group_of)
{
  g_autofree Distance *distances = g_new0 (Distance, (gsize) ties->n_clocks + 1);
  gboolean may_any[N_PARTS] = { FALSE };

  each_ends (ties, 0, FALSE, group_of, note_distance, distances);
  for (guint i = 0; i < ties->n_clocks; i++)
    may_any[i % N_PARTS] |= may_be_steady (&distances[i]);
  for (guint part = 0; part < N_PARTS; part++)
    {
      g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (Ends));
      Listing listing = { ends, distances, part };

      if (!may_any[part])
        continue;
      each_ends (ties, 0, FALSE, group_of, list_part, &listing);
      tt_array_sort_by_key (ends, key_of_ends, NULL);
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

static void
append_ends (const Ends *ends, gpointer all)
{
  g_array_append_val ((GArray *) all, *ends);
}

gboolean
tt_clock_ends_coincide (const TtClockTies *ties, guint first_call, const TtClockMpi *mpi)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Ends));
  double bits = 0;
  gboolean are_all_alike = TRUE;

  each_ends (ties, first_call, TRUE, NULL, append_ends, all);
  tt_array_sort_by_key (all, key_of_ends, NULL);
  gboolean is_any = all->len > 0;

  for (guint first = 0, next; first < all->len && are_all_alike; first = next)
    {
      next = end_of_pair (all, first);
      are_all_alike = are_alike (TT_ARRAY (all, Ends) + first, next - first, &bits);
    }
  return is_any && ((are_all_alike && bits >= MIN_BITS) || are_as_starts (all, mpi));
}
