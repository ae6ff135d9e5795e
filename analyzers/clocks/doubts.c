/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/doubts.h"

#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/map64.h"
#include "src/trace/span.h"

#define OPEN_NS G_MAXINT64

/* Pairs that are looked at in all rounds, about. */
#define MAX_LOOKS 20000000u

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

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  const Pair *x = a, *y = b;

  return x->low != y->low ? TT_COMPARE (x->low, y->low) : TT_COMPARE (x->high, y->high);
}

/* By how much a clock may be ahead of the first, and behind it. */
typedef struct
{
  gint64 ahead_ns, behind_ns;
} Range;

static gboolean
lower (gint64 *ns, gint64 by_ns, gint64 more_ns)
{
  if (by_ns == OPEN_NS || more_ns == OPEN_NS || MAX (more_ns, 0) >= OPEN_NS - by_ns || by_ns + MAX (more_ns, 0) >= *ns)
    return FALSE;
  *ns = by_ns + MAX (more_ns, 0);
  return TRUE;
}

static gboolean
take_pair (Range *ranges, const Pair *pair)
{
  Range *low = &ranges[pair->low], *high = &ranges[pair->high];
  gint64 up_ns = pair->most_ns, down_ns = pair->least_ns == -OPEN_NS ? OPEN_NS : -pair->least_ns;
  gboolean is_any = lower (&high->ahead_ns, low->ahead_ns, up_ns);

  is_any |= lower (&high->behind_ns, low->behind_ns, down_ns);
  is_any |= lower (&low->ahead_ns, high->ahead_ns, down_ns);
  return lower (&low->behind_ns, high->behind_ns, up_ns) || is_any;
}

/* The shortest ways from the first clock and to it (R. Bellman), there and back along the pairs: each round leaves true bounds. */
static void
find_ranges (const GArray *pairs, Range *ranges)
{
  gboolean goes_on = TRUE;

  for (guint looks = 0; goes_on && looks <= MAX_LOOKS; looks += 2 * pairs->len)
    {
      goes_on = FALSE;
      for (guint i = 0; i < pairs->len; i++)
        goes_on |= take_pair (ranges, &g_array_index (pairs, Pair, i));
      for (guint i = pairs->len; goes_on && i-- > 0;)
        take_pair (ranges, &g_array_index (pairs, Pair, i));
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
  g_array_sort (pairs, compare_pairs);
  g_autofree Range *ranges = g_new (Range, (gsize) ties->n_clocks + 1);
  for (guint i = 0; i < ties->n_clocks; i++)
    ranges[i] = i == 0 ? (Range){ 0, 0 } : (Range){ OPEN_NS, OPEN_NS };
  find_ranges (pairs, ranges);
  for (guint i = 0; i < ties->n_clocks; i++)
    residuals_ns[i] = MAX (ranges[i].ahead_ns, ranges[i].behind_ns);
}
