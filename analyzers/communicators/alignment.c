/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communicators/alignment.h"

#include <math.h>
#include <stdlib.h>

#include "src/base/compare.h"
#include "src/base/int128.h"
#include "src/trace/clock-map.h"
#include "src/trace/span.h"

#define N_SAMPLE 64u        /* calls of a rank, its first */
#define MAX_TRIES 20000u    /* pairs of ranks */
#define MIN_SAME 4u         /* differences */
#define N_WIDTHS 5          /* of peaks, 2 us to 512 us */
#define MIN_SCORE 3.0       /* nats above what is found by chance where so many are tried */
#define MAX_DRIFT_PART 5000 /* no clock gains more than one part in so many */
#define MAX_SLACK_NS 50000
#define MAX_DIFFERENCE_NS (G_GINT64_CONSTANT (1) << 58) /* 9 years */

/* By how much ends on the second rank are before those on the first. */
typedef struct
{
  gint64 ns, width_ns;
} Peak;

/* What is added to times of a rank, evenly between two of them. */
typedef struct
{
  gint64 first_ns, last_ns, first_shift_ns, last_shift_ns;
} Map;

typedef struct
{
  guint32 known, other; /* ranks */
  Map difference;       /* by the clock of other */
} Edge;

typedef struct
{
  TtRankCalls *calls;
  guint32 *parents; /* of ranks that are tied together */
  GArray *edges;
  gint64 width_ns; /* of the widest peak that was used */
} Alignment;

static int
compare_times (const void *a, const void *b)
{
  return TT_COMPARE (*(const gint64 *) a, *(const gint64 *) b);
}

static guint
n_waiting (const TtRankCalls *calls, guint32 rank)
{
  return calls->first_waiting[rank + 1] - calls->first_waiting[rank];
}

static const TtRankCall *
waiting_call (const TtRankCalls *calls, guint32 rank, guint index)
{
  return tt_rank_call (calls, calls->waiting[calls->first_waiting[rank] + index]);
}

/* -- what stands out ---------------------------------------------------------------------------------------------- */

static guint
list_differences (const TtRankCalls *calls, guint32 a, guint32 b, gint64 *differences)
{
  guint n_a = MIN (n_waiting (calls, a), N_SAMPLE), n_b = MIN (n_waiting (calls, b), N_SAMPLE), n = 0;

  for (guint i = 0; i < n_a; i++)
    for (guint j = 0; j < n_b; j++)
      if (waiting_call (calls, a, i)->kind == waiting_call (calls, b, j)->kind)
        differences[n++] = tt_time_since (waiting_call (calls, a, i)->end_ns, waiting_call (calls, b, j)->end_ns);
  qsort (differences, n, sizeof *differences, compare_times);
  return n;
}

/* The most within a stretch of @width_ns that keeps @apart_ns away from @but_ns. *@first: the first of them. */
static guint
most_within (const gint64 *differences, guint n, gint64 width_ns, gint64 but_ns, gint64 apart_ns, guint *first)
{
  guint most = 0;

  for (guint i = 0, j = 0; i < n; i++)
    {
      gint64 away_ns = tt_time_since (differences[i], but_ns);

      for (; j < n && tt_time_since (differences[j], differences[i]) <= width_ns; j++)
        ;
      if (j - i > most && (away_ns > apart_ns || away_ns < -apart_ns))
        {
          most = j - i;
          *first = i;
        }
    }
  return most;
}

static gboolean
is_of_clocks (gint64 ns)
{
  return ns >= -MAX_DIFFERENCE_NS && ns <= MAX_DIFFERENCE_NS;
}

/* Whether one difference is there much more often than it would be by chance, and than any other. */
static gboolean
find_peak (const TtRankCalls *calls, guint32 a, guint32 b, Peak *peak)
{
  gint64 differences[N_SAMPLE * N_SAMPLE];
  guint n = list_differences (calls, a, b, differences), n_best = 0;
  double n_pairs = MIN (calls->n_ranks * (calls->n_ranks - 1.0) / 2, MAX_TRIES);
  double best = log (MAX (n, 1) * N_WIDTHS * n_pairs) + MIN_SCORE;

  if (n < MIN_SAME)
    return FALSE;
  double range_ns = (double) MAX (tt_time_since (differences[n - 1], differences[0]), 1);
  for (int i = 0; i < N_WIDTHS; i++)
    {
      gint64 width_ns = G_GINT64_CONSTANT (2000) << (2 * i);
      guint first = 0, most = most_within (differences, n, width_ns, G_MININT64, 0, &first);
      double chance = 2.0 * n * (double) width_ns / range_ns;
      double score = most * log (most / chance) - most + chance;

      if (most < MIN_SAME || most < chance || score <= best || !is_of_clocks (differences[first + most / 2]))
        continue;
      best = score;
      n_best = most;
      *peak = (Peak){ differences[first + most / 2], width_ns };
    }
  guint first;
  return n_best > 0 &&
         most_within (differences, n, peak->width_ns, peak->ns, 4 * peak->width_ns, &first) < n_best * 3 / 4;
}

/* -- through the run ---------------------------------------------------------------------------------------------- */

typedef struct
{
  gint64 at_ns, ns;
} Match;

/* The call of @rank that ends nearest to @wanted_ns, within @within_ns; those before *@from ended before. NULL: none. */
static const TtRankCall *
nearest_call (const TtRankCalls *calls, guint32 rank, guint32 kind, gint64 wanted_ns, gint64 within_ns, guint *from)
{
  const TtRankCall *best = NULL;
  gint64 best_ns = within_ns;

  while (*from < n_waiting (calls, rank) &&
         tt_time_since (waiting_call (calls, rank, *from)->end_ns, wanted_ns) < -within_ns)
    ++*from;
  for (guint j = *from; j < n_waiting (calls, rank); j++)
    {
      const TtRankCall *call = waiting_call (calls, rank, j);
      gint64 apart_ns = tt_time_since (call->end_ns, wanted_ns);

      if (apart_ns > within_ns)
        break;
      if (call->kind == kind && ABS (apart_ns) <= best_ns)
        {
          best = call;
          best_ns = ABS (apart_ns);
        }
    }
  return best;
}

static GArray *
follow_peak (const TtRankCalls *calls, guint32 a, guint32 b, const Peak *peak)
{
  GArray *matches = g_array_new (FALSE, FALSE, sizeof (Match));
  gint64 now_ns = peak->ns, since_ns = G_MININT64;
  guint from = 0;

  for (guint i = 0; i < n_waiting (calls, a); i++)
    {
      const TtRankCall *call = waiting_call (calls, a, i);
      gint64 passed_ns = since_ns == G_MININT64 ? 0 : tt_time_since (call->end_ns, since_ns);
      gint64 within_ns = 2 * peak->width_ns + MIN (passed_ns / MAX_DRIFT_PART, 8 * peak->width_ns);
      const TtRankCall *other =
          nearest_call (calls, b, call->kind, tt_time_since (call->end_ns, now_ns), within_ns, &from);

      if (other == NULL)
        continue;
      const Match match = { other->end_ns, tt_time_since (call->end_ns, other->end_ns) };
      g_array_append_val (matches, match);
      now_ns += (match.ns - now_ns) / 4;
      since_ns = call->end_ns;
    }
  return matches;
}

static gint64
median_of (const GArray *matches, guint first, guint n)
{
  g_autofree gint64 *values = g_new (gint64, (gsize) n + 1);

  for (guint i = 0; i < n; i++)
    values[i] = g_array_index (matches, Match, first + i).ns;
  qsort (values, n, sizeof *values, compare_times);
  return values[n / 2];
}

/* Drift is what the first and the last third differ by, if that is more than ends are scattered by. */
static Map
fit_matches (const GArray *matches, const Peak *peak)
{
  guint n = matches->len, third = n / 3;
  Map map = { .last_ns = 1, .first_shift_ns = peak->ns, .last_shift_ns = peak->ns };

  if (n < MIN_SAME)
    return map;
  map.first_shift_ns = map.last_shift_ns = median_of (matches, 0, n);
  if (third < MIN_SAME)
    return map;
  gint64 first_ns = median_of (matches, 0, third), last_ns = median_of (matches, n - third, third);
  const Match *first = &g_array_index (matches, Match, third / 2),
              *last = &g_array_index (matches, Match, n - third / 2 - 1);
  if (ABS (last_ns - first_ns) > peak->width_ns && last->at_ns > first->at_ns)
    map = (Map){ first->at_ns, last->at_ns, first_ns, last_ns };
  return map;
}

/* -- the tree ----------------------------------------------------------------------------------------------------- */

static gint64
map_shift (const Map *map, gint64 ns)
{
  tt_int128 gain_ns = (tt_int128) map->last_shift_ns - map->first_shift_ns;
  tt_int128 shift_ns =
      map->first_shift_ns + gain_ns * tt_time_since (ns, map->first_ns) / (map->last_ns - map->first_ns);

  return (gint64) CLAMP (shift_ns, -TT_CLOCK_MAX_SHIFT_NS, TT_CLOCK_MAX_SHIFT_NS);
}

static guint32
root_of (guint32 *parents, guint32 rank)
{
  while (parents[rank] != rank)
    rank = parents[rank] = parents[parents[rank]];
  return rank;
}

static void
try_pair (Alignment *self, guint32 a, guint32 b)
{
  Peak peak;

  if (!find_peak (self->calls, a, b, &peak))
    return;
  g_autoptr (GArray) matches = follow_peak (self->calls, a, b, &peak);
  const Edge edge = { a, b, fit_matches (matches, &peak) };
  g_array_append_val (self->edges, edge);
  self->width_ns = MAX (self->width_ns, peak.width_ns);
  self->parents[root_of (self->parents, b)] = root_of (self->parents, a);
}

/* Near ranks first: they have most in common. FALSE: some are not tied to the others. */
static gboolean
tie_ranks (Alignment *self)
{
  guint n_ranks = self->calls->n_ranks, n_tries = 0, n_needed = 0;

  for (guint32 rank = 0; rank < n_ranks; rank++)
    n_needed += n_waiting (self->calls, rank) > 0;
  for (guint32 apart = 1; apart < n_ranks && self->edges->len + 1 < n_needed; apart++)
    for (guint32 rank = 0; rank + apart < n_ranks && n_tries < MAX_TRIES; rank++)
      {
        if (root_of (self->parents, rank) == root_of (self->parents, rank + apart) ||
            n_waiting (self->calls, rank) == 0 || n_waiting (self->calls, rank + apart) == 0)
          continue;
        n_tries++;
        try_pair (self, rank, rank + apart);
      }
  return n_needed > 1 && self->edges->len + 1 == n_needed;
}

/* The map of one end of an edge, from that of the other. */
static Map
map_along (const TtRankCalls *calls, const Map *map, const Edge *edge, guint32 to)
{
  gint64 at_ns[2] = { waiting_call (calls, to, 0)->end_ns,
                      waiting_call (calls, to, n_waiting (calls, to) - 1)->end_ns };
  gint64 shift_ns[2];

  at_ns[1] = MAX (at_ns[1], at_ns[0] + 1);
  for (int i = 0; i < 2; i++)
    {
      /* The difference changes by nothing between the two clocks' times of one moment. */
      gint64 d_ns = to == edge->other ? map_shift (&edge->difference, at_ns[i])
                                      : -map_shift (&edge->difference, at_ns[i] - edge->difference.first_shift_ns);

      shift_ns[i] = CLAMP (d_ns + map_shift (map, at_ns[i] + d_ns), -TT_CLOCK_MAX_SHIFT_NS, TT_CLOCK_MAX_SHIFT_NS);
    }
  return (Map){ at_ns[0], at_ns[1], shift_ns[0], shift_ns[1] };
}

static Map *
make_maps (const Alignment *self)
{
  const TtRankCalls *calls = self->calls;
  Map *maps = g_new0 (Map, (gsize) calls->n_ranks + 1);
  gboolean goes_on = TRUE;

  maps[g_array_index (self->edges, Edge, 0).known] = (Map){ .last_ns = 1 };
  while (goes_on)
    {
      goes_on = FALSE;
      for (guint i = 0; i < self->edges->len; i++)
        {
          const Edge *edge = &g_array_index (self->edges, Edge, i);
          gboolean has_known = maps[edge->known].last_ns != 0, has_other = maps[edge->other].last_ns != 0;

          if (has_known == has_other)
            continue;
          if (has_known)
            maps[edge->other] = map_along (calls, &maps[edge->known], edge, edge->other);
          else
            maps[edge->known] = map_along (calls, &maps[edge->other], edge, edge->known);
          goes_on = TRUE;
        }
    }
  return maps;
}

static void
apply_maps (TtRankCalls *self, const Map *maps)
{
  for (guint i = 0; i < self->calls->len; i++)
    {
      TtRankCall *call = tt_rank_call (self, i);
      const Map *map = &maps[call->rank];

      if (map->last_ns == 0)
        continue;
      call->begin_ns += map_shift (map, call->begin_ns);
      call->end_ns += map_shift (map, call->end_ns);
      call->whole_end_ns += map_shift (map, call->whole_end_ns);
    }
}

gboolean
tt_rank_calls_align (TtRankCalls *self)
{
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (Edge));
  g_autofree guint32 *parents = g_new (guint32, (gsize) self->n_ranks + 1);
  Alignment alignment = { .calls = self, .parents = parents, .edges = edges };
  gboolean is_any = FALSE;

  for (guint32 i = 0; i < self->n_ranks; i++)
    parents[i] = i;
  if (!tie_ranks (&alignment))
    return FALSE;
  g_autofree Map *maps = make_maps (&alignment);
  for (guint32 i = 0; i < self->n_ranks; i++)
    is_any |= ABS (maps[i].first_shift_ns) > alignment.width_ns || ABS (maps[i].last_shift_ns) > alignment.width_ns;
  if (!is_any)
    return FALSE;
  apply_maps (self, maps);
  self->slack_ns = CLAMP (alignment.width_ns, self->slack_ns, MAX (self->slack_ns, MAX_SLACK_NS));
  return TRUE;
}
