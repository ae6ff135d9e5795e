/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/fit.h"

#include "analyzers/clocks/ends.h"
#include "analyzers/clocks/knots.h"
#include "analyzers/clocks/one-way.h"
#include "analyzers/clocks/pair-fit.h"
#include "analyzers/clocks/starts.h"
#include "src/base/array.h"
#include "src/base/int128.h"
#include "src/base/map64.h"
#include "src/trace/span.h"

/* Clocks that differ by more, 9 years, are not of one run: nothing is learned from them. */
#define MAX_DIFFERENCE_NS (G_GINT64_CONSTANT (1) << 58)

/* Of fewer calls any may agree by chance. */
#define MIN_SUPPOSED_CALLS 4u

/* Clocks that were set explain any, where there are fewer between one moment and the next. */
#define MIN_SUPPOSED_OF_LINE 8u

#define MESSAGE(ties, i) (&g_array_index ((ties)->messages, TtClockTie, i))
#define CALL(ties, i) (&g_array_index ((ties)->calls, TtClockCall, i))
#define MEMBER(ties, i) (&g_array_index ((ties)->members, TtClockMember, i))

/* -- pairs -------------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint32 low, high; /* clocks */
  guint n_calls;     /* of both */
  TtClockPair bounds;
  TtClockPairFit fit;
} Pair;

typedef struct
{
  TtMap64 index; /* both clocks -> of the pair */
  GPtrArray *pairs;
} Pairs;

static void
pair_free (gpointer data)
{
  Pair *self = data;

  tt_clock_pair_clear (&self->bounds);
  tt_clock_pair_fit_clear (&self->fit);
  g_free (self);
}

static void
pairs_clear (Pairs *self)
{
  tt_map64_clear (&self->index);
  g_clear_pointer (&self->pairs, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pairs, pairs_clear)

static guint64
pair_key (guint32 a, guint32 b)
{
  return (guint64) MIN (a, b) << 32 | MAX (a, b);
}

static Pair *
find_pair (Pairs *self, guint32 a, guint32 b)
{
  guint64 key = pair_key (a, b);
  guint32 index = tt_map64_get (&self->index, key);

  if (index != TT_MAP64_NONE)
    return g_ptr_array_index (self->pairs, index);
  Pair *pair = g_new0 (Pair, 1);
  pair->low = MIN (a, b);
  pair->high = MAX (a, b);
  tt_clock_pair_init (&pair->bounds);
  tt_map64_set (&self->index, key, self->pairs->len);
  g_ptr_array_add (self->pairs, pair);
  return pair;
}

static gboolean
are_near (gint64 a_ns, gint64 b_ns)
{
  gint64 apart_ns = tt_time_since (a_ns, b_ns);

  return apart_ns >= -MAX_DIFFERENCE_NS && apart_ns <= MAX_DIFFERENCE_NS;
}

/* First the times that a pair's bounds are from, then the bounds. */
static void
take_bound (Pairs *self, gboolean is_second_pass, guint32 from, guint32 to, gint64 cause_ns, gint64 effect_ns)
{
  Pair *pair = find_pair (self, from, to);
  gint64 at_ns = pair->low == from ? cause_ns : effect_ns;

  if (!are_near (cause_ns, effect_ns))
    return;
  if (!is_second_pass)
    tt_clock_pair_widen (&pair->bounds, at_ns);
  else if (pair->low == from)
    tt_clock_pair_add_lower (&pair->bounds, at_ns, tt_time_since (cause_ns, effect_ns));
  else
    tt_clock_pair_add_upper (&pair->bounds, at_ns, tt_time_since (effect_ns, cause_ns));
}

/* Each with the first: pairs of all would be too many. */
static void
take_call (Pairs *self, gboolean is_second_pass, const TtClockTies *ties, const TtClockCall *call)
{
  const TtClockMember *hub = MEMBER (ties, call->first);
  gint64 least_ns = G_MAXINT64;

  for (guint k = call->first; k < call->first + call->n; k++)
    {
      if (MEMBER (ties, k)->clock < hub->clock)
        hub = MEMBER (ties, k);
      least_ns = MIN (least_ns, MAX (tt_time_since (MEMBER (ties, k)->end_ns, MEMBER (ties, k)->begin_ns), 0));
    }
  for (guint k = call->first; k < call->first + call->n; k++)
    {
      const TtClockMember *other = MEMBER (ties, k);

      if (other == hub)
        continue;
      if (is_second_pass)
        find_pair (self, hub->clock, other->clock)->n_calls++;
      take_bound (self, is_second_pass, hub->clock, other->clock, hub->begin_ns, other->end_ns);
      take_bound (self, is_second_pass, other->clock, hub->clock, other->begin_ns, hub->end_ns);
      if (is_second_pass && !call->is_loose && are_near (hub->end_ns, other->end_ns))
        tt_clock_pair_add_near (&find_pair (self, hub->clock, other->clock)->bounds, hub->end_ns,
                                tt_time_since (hub->end_ns, other->end_ns),
                                MAX (hub->end_ns - hub->begin_ns, 0) / 2 + MAX (other->end_ns - other->begin_ns, 0) / 2,
                                least_ns);
    }
}

static void
fit_pairs (Pairs *self, const TtClockTies *ties, gboolean with_messages, guint first_call, guint n_calls)
{
  self->pairs = g_ptr_array_new_with_free_func (pair_free);
  for (int pass = 0; pass < 2; pass++)
    {
      for (guint i = 0; with_messages && i < ties->messages->len; i++)
        take_bound (self, pass == 1, MESSAGE (ties, i)->from, MESSAGE (ties, i)->to, MESSAGE (ties, i)->cause_ns,
                    MESSAGE (ties, i)->effect_ns);
      for (guint i = first_call; i < first_call + n_calls; i++)
        take_call (self, pass == 1, ties, CALL (ties, i));
    }
  for (guint i = 0; i < self->pairs->len; i++)
    {
      Pair *pair = g_ptr_array_index (self->pairs, i);

      tt_clock_pair_fit (&pair->bounds, &pair->fit);
    }
}

/* By lines that clocks can have that were set once each; the bounds around such a moment agree with neither line. */
static gboolean
is_explained (const Pair *pair)
{
  guint n_most = CLAMP (pair->n_calls / MIN_SUPPOSED_OF_LINE, 1, 3);
  gint64 explained_ns = 0;

  for (guint i = 0; i < pair->fit.lines->len; i++)
    {
      const TtClockLine *line = &g_array_index (pair->fit.lines, TtClockLine, i);

      explained_ns += line->until_ns - line->from_ns;
    }
  return pair->fit.lines->len <= n_most &&
         explained_ns / 4 * 5 >= tt_time_since (pair->bounds.last_ns, pair->bounds.first_ns);
}

/* Calls whose ranks are only supposed to be all: their bounds must be those of clocks that differ by a line. */
static void
drop_impossible_calls (TtClockTies *ties, const TtClockMpi *mpi)
{
  g_auto (Pairs) pairs = { .pairs = NULL };
  guint n_odd = 0;

  if (ties->n_fences > 0 && !tt_clock_ends_coincide (ties, ties->calls->len - ties->n_fences, mpi))
    g_array_set_size (ties->calls, ties->calls->len - ties->n_fences);
  ties->n_fences = 0;
  gboolean coincide = tt_clock_ends_coincide (ties, ties->n_named, mpi);
  for (guint i = ties->n_named; i < ties->calls->len && coincide; i++)
    CALL (ties, i)->is_loose = FALSE;
  if (ties->calls->len - ties->n_named < MIN_SUPPOSED_CALLS && !coincide && !tt_clock_ends_differ (ties, NULL))
    {
      g_array_set_size (ties->calls, ties->n_named);
      return;
    }
  fit_pairs (&pairs, ties, FALSE, ties->n_named, ties->calls->len - ties->n_named);
  for (guint i = 0; i < pairs.pairs->len; i++)
    {
      const Pair *pair = g_ptr_array_index (pairs.pairs, i);

      n_odd += !is_explained (pair);
    }
  if (n_odd > pairs.pairs->len / 2)
    g_array_set_size (ties->calls, ties->n_named);
}

/* What bounds leave open. */
static void
choose_by_starts (Pairs *self, const TtClockMpi *mpi, const GArray *one_way)
{
  for (guint i = 0; i < self->pairs->len; i++)
    {
      Pair *pair = g_ptr_array_index (self->pairs, i);

      tt_clock_starts_choose (&mpi[pair->low], &mpi[pair->high], &pair->bounds,
                              tt_clock_one_way_find (one_way, pair_key (pair->low, pair->high)), &pair->fit);
    }
}

/* -- the tree ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  const TtClockRange *ranges;
  GArray **knots; /* by clock, of TtClockKnot */
  gint64 *residuals_ns;
  gboolean *is_known;
} Tree;

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  const Pair *x = *(const Pair *const *) a, *y = *(const Pair *const *) b;

  if (x->fit.width_ns != y->fit.width_ns)
    return x->fit.width_ns < y->fit.width_ns ? -1 : 1;
  if (x->low != y->low)
    return x->low < y->low ? -1 : 1;
  return (x->high > y->high) - (x->high < y->high);
}

static gint64
shift_at (const GArray *knots, gint64 ns)
{
  const TtClockKnot *all = TT_ARRAY (knots, TtClockKnot);
  guint low = 0, high = knots->len;

  if (knots->len == 0)
    return 0;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (all[middle].at_ns <= ns)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return all[0].shift_ns;
  if (low == knots->len)
    return all[low - 1].shift_ns;
  const TtClockKnot *a = &all[low - 1], *b = &all[low];
  return a->shift_ns + (gint64) ((tt_int128) (b->shift_ns - a->shift_ns) * tt_time_since (ns, a->at_ns) /
                                 MAX (tt_time_since (b->at_ns, a->at_ns), 1));
}

/* The line goes on as it is where no other begins. */
static gint64
line_at (const TtClockLine *line, gint64 ns)
{
  return line->begin_ns + (gint64) ((tt_int128) (line->end_ns - line->begin_ns) * tt_time_since (ns, line->from_ns) /
                                    tt_time_since (line->until_ns, line->from_ns));
}

static gint64
difference_at (const GArray *lines, gint64 ns)
{
  const TtClockLine *all = TT_ARRAY (lines, TtClockLine);
  guint i = 0;

  while (i + 1 < lines->len && all[i + 1].from_ns <= ns)
    i++;
  if (ns <= all[i].until_ns || i + 1 == lines->len)
    return line_at (&all[i], ns);
  /* Between two stretches, from the end of one to the begin of the next. */
  gint64 begin_ns = all[i].end_ns, end_ns = all[i + 1].begin_ns, length_ns = all[i + 1].from_ns - all[i].until_ns;
  return begin_ns +
         (gint64) ((tt_int128) (end_ns - begin_ns) * tt_time_since (ns, all[i].until_ns) / MAX (length_ns, 1));
}

static int
compare_knots (gconstpointer a, gconstpointer b)
{
  const TtClockKnot *x = a, *y = b;

  return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

/* Gives the clock @to its map, at a time of clock @low of the pair. */
static void
add_knot (Tree *self, const Pair *pair, guint32 to, gint64 low_ns)
{
  GArray *lines = pair->fit.lines;
  gint64 d_ns = difference_at (lines, low_ns), high_ns = low_ns - d_ns;
  gboolean is_high = to == pair->high;
  const GArray *known = self->knots[is_high ? pair->low : pair->high];
  /* The same moment by both clocks. Shifts of the known one change it by what they are. */
  gint64 known_shift_ns = shift_at (known, is_high ? low_ns : high_ns);
  const TtClockKnot knot = { is_high ? high_ns : low_ns, known_shift_ns + (is_high ? d_ns : -d_ns) };

  g_array_append_val (self->knots[to], knot);
}

/* Where there are no bounds yet, or no more, the drift alone says how the clocks go on. */
static gint64
doubt_over_all (const Pair *pair, gint64 first_ns, gint64 last_ns)
{
  gint64 before_ns = tt_time_since (pair->bounds.first_ns, first_ns);
  gint64 after_ns = tt_time_since (last_ns, pair->bounds.last_ns);
  double drifted_ns = pair->fit.drift_doubt * (double) MAX (MAX (before_ns, after_ns), 0);

  return pair->fit.doubt_ns == G_MAXINT64 ? G_MAXINT64
                                          : tt_span_end (pair->fit.doubt_ns, (gint64) MIN (drifted_ns, 4e18));
}

static void
follow (Tree *self, const Pair *pair, guint32 from, guint32 to)
{
  const GArray *lines = pair->fit.lines, *known = self->knots[from];
  const TtClockRange *range = &self->ranges[pair->low];
  gint64 first_ns = MIN (pair->bounds.first_ns, range->first_ns), last_ns = MAX (pair->bounds.last_ns, range->last_ns);

  add_knot (self, pair, to, first_ns);
  for (guint i = 0; i < lines->len; i++)
    {
      const TtClockLine *line = &g_array_index (lines, TtClockLine, i);

      add_knot (self, pair, to, line->from_ns);
      add_knot (self, pair, to, line->until_ns);
    }
  for (guint i = 0; i < known->len; i++)
    {
      gint64 at_ns = g_array_index (known, TtClockKnot, i).at_ns;

      add_knot (self, pair, to, from == pair->low ? at_ns : at_ns + difference_at (lines, at_ns));
    }
  add_knot (self, pair, to, last_ns);
  g_array_sort (self->knots[to], compare_knots);
  self->is_known[to] = TRUE;
  gint64 doubt_ns = doubt_over_all (pair, first_ns, last_ns);
  self->residuals_ns[to] = doubt_ns == G_MAXINT64 || self->residuals_ns[from] == G_MAXINT64
                               ? G_MAXINT64
                               : self->residuals_ns[from] + doubt_ns;
}

/* Prim's: over and over the narrowest pair with one end known. @used: pairs of a spanning forest. */
static void
follow_tree (Tree *self, const GPtrArray *used, guint32 first)
{
  gboolean goes_on = TRUE;

  self->is_known[first] = TRUE;
  self->residuals_ns[first] = 0;
  while (goes_on)
    {
      goes_on = FALSE;
      for (guint i = 0; i < used->len; i++)
        {
          const Pair *pair = g_ptr_array_index (used, i);

          if (self->is_known[pair->low] == self->is_known[pair->high])
            continue;
          if (self->is_known[pair->low])
            follow (self, pair, pair->low, pair->high);
          else
            follow (self, pair, pair->high, pair->low);
          goes_on = TRUE;
        }
    }
}

static guint32
root_of (guint32 *parents, guint32 clock)
{
  while (parents[clock] != clock)
    clock = parents[clock] = parents[parents[clock]];
  return clock;
}

/* J. Kruskal's: pairs from the narrowest on that join what is not joined. */
static GPtrArray *
span_tree (const Pairs *pairs, guint n_clocks)
{
  g_autofree guint32 *parents = g_new (guint32, (gsize) n_clocks + 1);
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  GPtrArray *used = g_ptr_array_new ();

  for (guint i = 0; i < n_clocks; i++)
    parents[i] = i;
  for (guint i = 0; i < pairs->pairs->len; i++)
    if (((const Pair *) g_ptr_array_index (pairs->pairs, i))->fit.lines->len > 0)
      g_ptr_array_add (sorted, g_ptr_array_index (pairs->pairs, i));
  g_ptr_array_sort (sorted, compare_pairs);
  for (guint i = 0; i < sorted->len; i++)
    {
      Pair *pair = g_ptr_array_index (sorted, i);
      guint32 a = root_of (parents, pair->low), b = root_of (parents, pair->high);

      if (a == b)
        continue;
      parents[MAX (a, b)] = MIN (a, b);
      g_ptr_array_add (used, pair);
    }
  return used;
}

void
tt_clock_fit (TtClockTies *ties,
              const TtClockRange *ranges,
              const TtClockMpi *mpi,
              const GArray *one_way,
              GArray **pieces,
              gint64 *residuals_ns)
{
  g_auto (Pairs) pairs = { .pairs = NULL };
  g_autofree gboolean *is_known = g_new0 (gboolean, (gsize) ties->n_clocks + 1);
  g_autofree GArray **knots = g_new0 (GArray *, (gsize) ties->n_clocks + 1);
  Tree tree = { ranges, knots, residuals_ns, is_known };

  drop_impossible_calls (ties, mpi);
  fit_pairs (&pairs, ties, TRUE, 0, ties->calls->len);
  choose_by_starts (&pairs, mpi, one_way);
  g_autoptr (GPtrArray) used = span_tree (&pairs, ties->n_clocks);
  for (guint i = 0; i < ties->n_clocks; i++)
    {
      knots[i] = g_array_new (FALSE, FALSE, sizeof (TtClockKnot));
      residuals_ns[i] = G_MAXINT64;
    }
  for (guint i = 0; i < ties->n_clocks; i++)
    if (!is_known[i])
      {
        follow_tree (&tree, used, i);
        /* Its own time is as good as any. */
        residuals_ns[i] = i == 0 ? 0 : G_MAXINT64;
      }
  for (guint i = 0; i < ties->n_clocks; i++)
    {
      pieces[i] = tt_clock_knots_to_pieces (knots[i]);
      g_array_unref (knots[i]);
    }
}
