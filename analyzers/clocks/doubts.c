/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/doubts.h"

#include <stdlib.h>
#include <string.h>

#include "analyzers/clocks/knots.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/map64.h"
#include "src/trace/span.h"

#define OPEN_NS G_MAXINT64

/* Pairs that are looked at in all rounds, about. */
#define MAX_LOOKS 20000000u

/* How closely the room of bounds is shared. */
#define MAX_HALVINGS 24u
#define MIN_ROOM_NS 10

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

/* By how much a clock may be ahead of the first, or of another one that is right, and behind it. */
typedef struct
{
  gint64 ahead_ns, behind_ns;
} Range;

static gboolean
lower (gint64 *ns, gint64 by_ns, gint64 more_ns)
{
  if (by_ns == OPEN_NS || more_ns == OPEN_NS || tt_span_end (by_ns, more_ns) >= *ns)
    return FALSE;
  *ns = tt_span_end (by_ns, more_ns);
  return TRUE;
}

/* @least_ns: no pair leaves less open, as if none were violated. */
static gboolean
take_pair (Range *ranges, const Pair *pair, gint64 least_ns)
{
  Range *low = &ranges[pair->low], *high = &ranges[pair->high];
  gint64 up_ns = MAX (pair->most_ns, least_ns);
  gint64 down_ns = pair->least_ns == -OPEN_NS ? OPEN_NS : MAX (-pair->least_ns, least_ns);
  gboolean is_any = lower (&high->ahead_ns, low->ahead_ns, up_ns);

  is_any |= lower (&high->behind_ns, low->behind_ns, down_ns);
  is_any |= lower (&low->ahead_ns, high->ahead_ns, down_ns);
  return lower (&low->behind_ns, high->behind_ns, up_ns) || is_any;
}

/* The shortest ways from the first clock and to it (R. Bellman), there and back along the pairs: each round leaves true bounds. FALSE:
 * there may be closer ones. */
static gboolean
find_ranges (const GArray *pairs, guint n_clocks, guint32 first, guint max_looks, gint64 least_ns, Range *ranges)
{
  gboolean goes_on = TRUE;

  for (guint i = 0; i < n_clocks; i++)
    ranges[i] = i == first ? (Range){ 0, 0 } : (Range){ OPEN_NS, OPEN_NS };
  for (guint looks = 0; goes_on && looks <= max_looks; looks += 2 * pairs->len)
    {
      goes_on = FALSE;
      for (guint i = 0; i < pairs->len; i++)
        goes_on |= take_pair (ranges, &g_array_index (pairs, Pair, i), least_ns);
      for (guint i = pairs->len; goes_on && i-- > 0;)
        take_pair (ranges, &g_array_index (pairs, Pair, i), least_ns);
    }
  return !goes_on;
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
  find_ranges (pairs, ties->n_clocks, 0, MAX_LOOKS, 0, ranges);
  for (guint i = 0; i < ties->n_clocks; i++)
    residuals_ns[i] = MAX (ranges[i].ahead_ns, ranges[i].behind_ns);
}

/* -- clocks that were corrected ------------------------------------------------------------------------------------ */

/* Stretches that the run is cut into, one way after the other: of longer ones more bounds are, but drifts take more. No clock
 * drifts by more than one part in so many, none that was not set is corrected by more than twice that. */
static const guint n_stretches[] = { 1, 4, 16 };
#define MAX_STRETCHES 16u
#define DRIFT_PART TT_CLOCK_DRIFT_PART

typedef struct
{
  const TtClockTies *ties;
  GArray *const *pieces;
  guint *near;
  gint64 first_ns, length_ns; /* of the run, of a stretch */
  gboolean is_exact;          /* no room for drifts */
  gint64 left_ns;             /* by how much effects come too early */
  guint n;
  Pairs stretches[MAX_STRETCHES];
} Cut;

static gint64
time_of (const Cut *self, guint32 clock, gint64 ns)
{
  return tt_clock_pieces_time (self->pieces[clock], &self->near[clock], ns);
}

/* Where all of it lies in one stretch. */
static void
cut_bound (Cut *self, guint32 from, guint32 to, gint64 cause_ns, gint64 effect_ns)
{
  gint64 begin_ns = tt_time_since (cause_ns, self->first_ns), end_ns = tt_time_since (effect_ns, self->first_ns);
  gint64 drifted_ns = self->is_exact ? 0 : self->length_ns / DRIFT_PART + self->left_ns;

  if (begin_ns >= 0 && end_ns >= 0 && begin_ns / self->length_ns < self->n &&
      begin_ns / self->length_ns == end_ns / self->length_ns)
    take_bound (&self->stretches[begin_ns / self->length_ns], from, to, cause_ns, tt_span_end (effect_ns, drifted_ns));
}

static void
cut_call (Cut *self, const TtClockCall *call)
{
  const TtClockMember *members = TT_ARRAY (self->ties->members, TtClockMember) + call->first, *hub = members;

  for (guint i = 1; i < call->n; i++)
    if (members[i].clock < hub->clock)
      hub = &members[i];
  for (guint i = 0; i < call->n; i++)
    {
      const TtClockMember *other = &members[i];

      if (other == hub)
        continue;
      cut_bound (self, hub->clock, other->clock, time_of (self, hub->clock, hub->begin_ns),
                 time_of (self, other->clock, other->end_ns));
      cut_bound (self, other->clock, hub->clock, time_of (self, other->clock, other->begin_ns),
                 time_of (self, hub->clock, hub->end_ns));
    }
}

/* Of clocks whose lines went between stretches: nothing of those that the first or the last does not tell. @doubts_ns: all 0. */
static void
take_stretches (Cut *self, gint64 *doubts_ns)
{
  guint n_clocks = self->ties->n_clocks;
  g_autofree Range *ranges = g_new (Range, (gsize) n_clocks + 1);
  gint64 drifted_ns = self->length_ns / DRIFT_PART + self->left_ns;

  for (guint k = 0; k < self->n; k++)
    {
      g_array_sort (self->stretches[k].pairs, compare_pairs);
      find_ranges (self->stretches[k].pairs, n_clocks, 0, MAX_LOOKS / self->n, 0, ranges);
      for (guint i = 0; i < n_clocks; i++)
        {
          gint64 doubt_ns = MAX (ranges[i].ahead_ns, ranges[i].behind_ns);

          if (doubt_ns == OPEN_NS && k > 0 && k + 1 < self->n)
            continue;
          doubts_ns[i] = MAX (doubts_ns[i], doubt_ns == OPEN_NS ? OPEN_NS : tt_span_end (doubt_ns, drifted_ns));
        }
    }
}

static void
cut (Cut *self)
{
  const TtClockTies *ties = self->ties;

  for (guint k = 0; k < self->n; k++)
    self->stretches[k] = (Pairs){ .pairs = g_array_new (FALSE, FALSE, sizeof (Pair)) };
  for (guint i = 0; i < ties->messages->len; i++)
    {
      const TtClockTie *tie = &g_array_index (ties->messages, TtClockTie, i);

      cut_bound (self, tie->from, tie->to, time_of (self, tie->from, tie->cause_ns),
                 time_of (self, tie->to, tie->effect_ns));
    }
  for (guint i = 0; i < ties->calls->len - ties->n_fences; i++)
    if (!g_array_index (ties->calls, TtClockCall, i).is_inferred)
      cut_call (self, &g_array_index (ties->calls, TtClockCall, i));
}

static void
forget_stretches (Cut *self)
{
  for (guint k = 0; k < self->n; k++)
    {
      tt_map64_clear (&self->stretches[k].index);
      g_array_unref (self->stretches[k].pairs);
    }
}

static void
find_by_cut (Cut *self, gint64 *residuals_ns)
{
  g_autofree gint64 *doubts_ns = g_new0 (gint64, (gsize) self->ties->n_clocks + 1);

  cut (self);
  take_stretches (self, doubts_ns);
  forget_stretches (self);
  for (guint i = 1; i < self->ties->n_clocks; i++)
    residuals_ns[i] = MIN (residuals_ns[i], doubts_ns[i]);
}

/* In a circle that no clocks satisfy there is no end of it. */
static gboolean
find_all_ranges (const GArray *pairs, guint n_clocks, guint32 first, guint max_looks, Range *ranges)
{
  gboolean is_known =
      find_ranges (pairs, n_clocks, first, (guint) MIN (2ull * pairs->len * n_clocks, max_looks), -OPEN_NS, ranges);

  for (guint i = 0; i < n_clocks; i++)
    is_known &= llabs (ranges[i].ahead_ns) < OPEN_NS / 4 && llabs (ranges[i].behind_ns) < OPEN_NS / 4 &&
                ranges[i].ahead_ns + ranges[i].behind_ns >= 0;
  return is_known;
}

static void
narrow (GArray *pairs, gint64 by_ns)
{
  for (guint i = 0; i < pairs->len; i++)
    {
      Pair *pair = &g_array_index (pairs, Pair, i);

      if (pair->least_ns != -OPEN_NS)
        pair->least_ns += by_ns;
      if (pair->most_ns != OPEN_NS)
        pair->most_ns -= by_ns;
    }
}

/* What messages take at the least is about the same everywhere: each bound is left as much room as any can be. What still is open
 * is narrowed to that, from @ranges on. */
static void
share_room (GArray *pairs, guint n_clocks, Range *ranges)
{
  g_autofree Range *narrowed = g_new (Range, (gsize) n_clocks + 1);
  gint64 low_ns = 0, high_ns = OPEN_NS / 4;

  /* There and back are two bounds at least. */
  for (guint i = 1; i < n_clocks; i++)
    high_ns = MIN (high_ns, (ranges[i].ahead_ns + ranges[i].behind_ns) / 2);
  for (guint i = 0; i < MAX_HALVINGS && high_ns - low_ns > MIN_ROOM_NS; i++)
    {
      gint64 middle_ns = low_ns + (high_ns - low_ns) / 2;

      narrow (pairs, middle_ns);
      if (find_all_ranges (pairs, n_clocks, 0, MAX_LOOKS / MAX_HALVINGS, narrowed))
        {
          memcpy (ranges, narrowed, n_clocks * sizeof *ranges);
          low_ns = middle_ns;
        }
      else
        high_ns = middle_ns;
      narrow (pairs, -middle_ns);
    }
}

/* Moves each clock, but those of which something else is known, to the middle of what all ties leave open. */
static void
move_to_middle (Cut *self, GArray **pieces, guint32 first, const gint64 *known_ns)
{
  guint n_clocks = self->ties->n_clocks;
  g_autofree Range *ranges = g_new (Range, (gsize) n_clocks + 1);
  GArray *pairs;

  cut (self);
  for (guint i = 0; known_ns != NULL && i < n_clocks; i++)
    if (i != first && known_ns[i] != OPEN_NS)
      {
        take_bound (&self->stretches[0], first, i, 0, known_ns[i]);
        take_bound (&self->stretches[0], i, first, 0, known_ns[i]);
      }
  pairs = self->stretches[0].pairs;
  g_array_sort (pairs, compare_pairs);
  gboolean is_known = find_all_ranges (pairs, n_clocks, first, MAX_LOOKS, ranges);
  if (is_known && known_ns == NULL)
    share_room (pairs, n_clocks, ranges);
  forget_stretches (self);
  for (guint i = 0; is_known && i < n_clocks; i++)
    for (guint k = 0; k < pieces[i]->len && (known_ns == NULL || known_ns[i] == OPEN_NS); k++)
      g_array_index (pieces[i], TtClockPiece, k).shift_ns += (ranges[i].ahead_ns - ranges[i].behind_ns) / 2;
}

static gboolean
cut_init (Cut *self, const TtClockTies *ties, GArray *const *pieces, guint *near, gint64 *last_ns)
{
  *self = (Cut){ .ties = ties, .pieces = pieces, .near = near, .first_ns = G_MAXINT64 };
  *last_ns = G_MININT64;
  for (guint i = 0; i < ties->n_clocks; i++)
    if (tt_clock_was_set (pieces[i]))
      return FALSE;
  for (guint i = 0; i < ties->messages->len; i++)
    {
      const TtClockTie *tie = &g_array_index (ties->messages, TtClockTie, i);

      if (!tt_clock_is_main_kind (ties, tie->cause_ns))
        continue;
      self->first_ns = MIN (self->first_ns, time_of (self, tie->from, tie->cause_ns));
      *last_ns = MAX (*last_ns, time_of (self, tie->to, tie->effect_ns));
    }
  for (guint i = 0; i < ties->members->len; i++)
    {
      const TtClockMember *member = &g_array_index (ties->members, TtClockMember, i);

      if (!tt_clock_is_main_kind (ties, member->begin_ns))
        continue;
      self->first_ns = MIN (self->first_ns, time_of (self, member->clock, member->begin_ns));
      *last_ns = MAX (*last_ns, time_of (self, member->clock, member->end_ns));
    }
  return self->first_ns < *last_ns;
}

void
tt_clock_find_doubts_left (const TtClockTies *ties, GArray *const *pieces, gint64 left_ns, gint64 *residuals_ns)
{
  g_autofree guint *near = g_new0 (guint, (gsize) ties->n_clocks + 1);
  g_autofree gint64 *found_ns = g_new (gint64, (gsize) ties->n_clocks + 1);
  gboolean is_any = FALSE;
  gint64 last_ns;
  Cut self;

  for (guint i = 1; i < ties->n_clocks; i++)
    is_any |= residuals_ns[i] == OPEN_NS;
  if (!is_any || !cut_init (&self, ties, pieces, near, &last_ns))
    return;
  self.left_ns = left_ns;
  for (guint i = 0; i < ties->n_clocks; i++)
    found_ns[i] = OPEN_NS;
  for (guint i = 0; i < G_N_ELEMENTS (n_stretches); i++)
    {
      self.n = n_stretches[i];
      self.length_ns = tt_time_since (last_ns, self.first_ns) / self.n + 1;
      find_by_cut (&self, found_ns);
    }
  for (guint i = 0; i < ties->n_clocks; i++)
    if (residuals_ns[i] == OPEN_NS)
      residuals_ns[i] = found_ns[i];
}

void
tt_clock_move_to_middle (const TtClockTies *ties, GArray **pieces, guint32 first, const gint64 *known_ns)
{
  g_autofree guint *near = g_new0 (guint, (gsize) ties->n_clocks + 1);
  gint64 last_ns;
  Cut self;

  if (!cut_init (&self, ties, pieces, near, &last_ns))
    return;
  self.n = 1;
  self.is_exact = TRUE;
  self.length_ns = tt_time_since (last_ns, self.first_ns) + 1;
  move_to_middle (&self, pieces, first, known_ns);
}
