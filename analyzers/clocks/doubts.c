/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/doubts.h"

#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/map64.h"
#include "src/trace/span.h"

#define OPEN_NS G_MAXINT64

/* What is to be added to times of the higher clock less what is to be added to those of the lower. */
typedef struct
{
  guint32 low, high; /* clocks */
  gint64 least_ns, most_ns;
} Pair;

typedef struct
{
  TtMap64 index; /* both clocks -> of the pair */
  GArray *pairs; /* of Pair */
} Pairs;

static Pair *
find_pair (Pairs *self, guint32 a, guint32 b)
{
  const Pair fresh = { MIN (a, b), MAX (a, b), -OPEN_NS, OPEN_NS };
  guint64 key = (guint64) fresh.low << 32 | fresh.high;
  guint32 index = tt_map64_get (&self->index, key);

  if (index == TT_MAP64_NONE)
    {
      index = self->pairs->len;
      tt_map64_set (&self->index, key, index);
      g_array_append_val (self->pairs, fresh);
    }
  return &g_array_index (self->pairs, Pair, index);
}

static void
take_bound (Pairs *self, guint32 from, guint32 to, gint64 cause_ns, gint64 effect_ns)
{
  Pair *pair = find_pair (self, from, to);

  if (pair->low == from)
    pair->least_ns = MAX (pair->least_ns, tt_time_since (cause_ns, effect_ns));
  else
    pair->most_ns = MIN (pair->most_ns, tt_time_since (effect_ns, cause_ns));
}

/* Each with the first, as the fit does. */
static void
take_call (Pairs *self, const TtClockMember *members, guint n)
{
  guint hub = 0;

  for (guint i = 1; i < n; i++)
    if (members[i].clock < members[hub].clock)
      hub = i;
  for (guint i = 0; i < n; i++)
    if (i != hub)
      {
        take_bound (self, members[hub].clock, members[i].clock, members[hub].begin_ns, members[i].end_ns);
        take_bound (self, members[i].clock, members[hub].clock, members[i].begin_ns, members[hub].end_ns);
      }
}

static gint64
doubt_of (const Pair *pair)
{
  if (pair->least_ns == -OPEN_NS || pair->most_ns == OPEN_NS)
    return OPEN_NS;
  return MAX (MAX (-pair->least_ns, pair->most_ns), 0);
}

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  const Pair *x = a, *y = b;
  gint64 x_ns = doubt_of (x), y_ns = doubt_of (y);

  if (x_ns != y_ns)
    return TT_COMPARE (x_ns, y_ns);
  return x->low != y->low ? TT_COMPARE (x->low, y->low) : TT_COMPARE (x->high, y->high);
}

static guint32
root_of (guint32 *parents, guint32 clock)
{
  while (parents[clock] != clock)
    clock = parents[clock] = parents[parents[clock]];
  return clock;
}

/* Leaves the pairs of a spanning forest (J. Kruskal). */
static void
keep_tree (GArray *pairs, guint n_clocks)
{
  g_autofree guint32 *parents = g_new (guint32, (gsize) n_clocks + 1);
  guint n = 0;

  for (guint i = 0; i < n_clocks; i++)
    parents[i] = i;
  g_array_sort (pairs, compare_pairs);
  for (guint i = 0; i < pairs->len; i++)
    {
      const Pair pair = g_array_index (pairs, Pair, i);
      guint32 low = root_of (parents, pair.low), high = root_of (parents, pair.high);

      if (low == high)
        continue;
      parents[MAX (low, high)] = MIN (low, high);
      g_array_index (pairs, Pair, n++) = pair;
    }
  g_array_set_size (pairs, n);
}

/* The pairs of each clock, one list a clock: 0 ends one, else number + 1 of an end; the ends of pair i are 2 i and
 * 2 i + 1. */
typedef struct
{
  const Pair *pairs;
  guint32 *first; /* by clock */
  guint32 *next;  /* by end */
} Ends;

static void
list_ends (Ends *self, guint n_pairs)
{
  for (guint32 i = 0; i < n_pairs; i++)
    {
      const Pair *pair = &self->pairs[i];

      self->next[2 * i] = self->first[pair->low];
      self->first[pair->low] = 2 * i + 1;
      self->next[2 * i + 1] = self->first[pair->high];
      self->first[pair->high] = 2 * i + 2;
    }
}

/* From the first clock on, each after the one that it is compared with. */
static void
follow (const GArray *tree, guint n_clocks, gint64 *residuals_ns)
{
  g_autofree guint32 *first = g_new0 (guint32, (gsize) n_clocks + 1);
  g_autofree guint32 *next = g_new0 (guint32, 2 * (gsize) tree->len + 1);
  g_autofree gboolean *is_known = g_new0 (gboolean, (gsize) n_clocks + 1);
  g_autoptr (GArray) known = g_array_new (FALSE, FALSE, sizeof (guint32));
  Ends ends = { TT_ARRAY (tree, Pair), first, next };
  guint32 clock = 0;

  list_ends (&ends, tree->len);
  is_known[0] = TRUE;
  residuals_ns[0] = 0;
  g_array_append_val (known, clock);
  for (guint i = 0; i < known->len; i++)
    {
      guint32 from = g_array_index (known, guint32, i);

      for (guint32 end = first[from]; end != 0; end = next[end - 1])
        {
          const Pair *pair = &ends.pairs[(end - 1) / 2];
          guint32 to = pair->low == from ? pair->high : pair->low;
          gint64 doubt_ns = doubt_of (pair);

          if (is_known[to])
            continue;
          residuals_ns[to] = doubt_ns >= OPEN_NS - residuals_ns[from] ? OPEN_NS : residuals_ns[from] + doubt_ns;
          is_known[to] = TRUE;
          g_array_append_val (known, to);
        }
    }
}

void
tt_clock_find_doubts (const TtClockTies *ties, gint64 *residuals_ns)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  Pairs all = { .pairs = pairs };

  for (guint i = 0; i < ties->messages->len; i++)
    {
      const TtClockTie *tie = &g_array_index (ties->messages, TtClockTie, i);

      take_bound (&all, tie->from, tie->to, tie->cause_ns, tie->effect_ns);
    }
  for (guint i = 0; i < ties->calls->len - ties->n_fences; i++)
    {
      const TtClockCall *call = &g_array_index (ties->calls, TtClockCall, i);

      if (!call->is_inferred)
        take_call (&all, TT_ARRAY (ties->members, TtClockMember) + call->first, call->n);
    }
  tt_map64_clear (&all.index);
  keep_tree (pairs, ties->n_clocks);
  for (guint i = 0; i < ties->n_clocks; i++)
    residuals_ns[i] = OPEN_NS;
  if (ties->n_clocks > 0)
    follow (pairs, ties->n_clocks, residuals_ns);
}
