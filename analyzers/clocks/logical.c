/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/logical.h"

#include "analyzers/clocks/knots.h"
#include "src/base/array-sort.h"
#include "src/base/beside.h"
#include "src/base/compare.h"
#include "src/base/int128.h"
#include "src/base/sorter.h"

#define BACK 128 /* what was moved comes back by one part in so many */

/* Points of one time of a rank move together, though one of them may be the effect of another: rounds until they do. */
#define MAX_ROUNDS 64

typedef enum
{
  OUT_MESSAGE, /* causes before effects of the same time, which may be theirs */
  OUT_CALL,
  IN_MESSAGE,
  IN_CALL,
} PointKind;

/* A cause or an effect on a rank. */
typedef struct
{
  gint64 own_ns, linear_ns;
  gint64 moved_ns; /* before a round: not earlier than that */
  guint32 tie;     /* message or call */
  guint32 kind;
} Point;

typedef struct
{
  const TtClockTies *ties;
  GArray *const *linear; /* by clock, of TtClockPiece */
  guint *first, *next;   /* by clock: its points; first[n_clocks] is their number */
  Point *points;
  gint64 *message_ns;                   /* by message, moved: sent, then received; G_MININT64: neither is reached yet */
  gint64 *last_begin_ns, *first_end_ns; /* by call */
  guint *n_to_come;                     /* by call: begins not reached yet */
  GArray *ready;                        /* of guint32: clocks that may go on */
} Logical;

static void
logical_clear (Logical *self)
{
  g_free (self->first);
  g_free (self->next);
  g_free (self->points);
  g_free (self->message_ns);
  g_free (self->last_begin_ns);
  g_free (self->first_end_ns);
  g_free (self->n_to_come);
  g_clear_pointer (&self->ready, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Logical, logical_clear)

/* -- points ------------------------------------------------------------------------------------------------------- */

typedef void (*PointFunc) (Logical *self, guint32 clock, const Point *point);

static void
each_point (Logical *self, PointFunc func)
{
  const TtClockTies *ties = self->ties;

  for (guint i = 0; i < ties->messages->len; i++)
    {
      const TtClockTie *tie = &g_array_index (ties->messages, TtClockTie, i);
      const Point out = { .own_ns = tie->cause_ns, .tie = i, .kind = OUT_MESSAGE };
      const Point in = { .own_ns = tie->effect_ns, .tie = i, .kind = IN_MESSAGE };

      func (self, tie->from, &out);
      func (self, tie->to, &in);
    }
  for (guint i = 0; i < ties->calls->len; i++)
    {
      const TtClockCall *call = &g_array_index (ties->calls, TtClockCall, i);

      for (guint k = call->first; k < call->first + call->n; k++)
        {
          const TtClockMember *member = &g_array_index (ties->members, TtClockMember, k);
          const Point out = { .own_ns = member->begin_ns, .tie = i, .kind = OUT_CALL };
          const Point in = { .own_ns = member->end_ns, .tie = i, .kind = IN_CALL };

          func (self, member->clock, &out);
          func (self, member->clock, &in);
        }
    }
}

static void
count_point (Logical *self, guint32 clock, const Point *point)
{
  self->first[clock + 1]++;
}

static void
put_point (Logical *self, guint32 clock, const Point *point)
{
  self->points[self->next[clock]++] = *point;
}

static TtArrayKey
key_of_point (gconstpointer point)
{
  return (TtArrayKey){ 0, tt_sort_key (((const Point *) point)->own_ns) };
}

static int
compare_points (gconstpointer a, gconstpointer b)
{
  const Point *x = a, *y = b;

  return x->kind != y->kind ? TT_COMPARE (x->kind, y->kind) : TT_COMPARE (x->tie, y->tie);
}

static void
sort_points (guint clock, gpointer data)
{
  Logical *self = data;
  guint near = 0, first = self->first[clock], end = self->first[clock + 1];

  tt_sort_by_key (&self->points[first], end - first, sizeof (Point), key_of_point, compare_points);
  for (guint k = first; k < end; k++)
    self->points[k].moved_ns = self->points[k].linear_ns =
        tt_clock_pieces_time (self->linear[clock], &near, self->points[k].own_ns);
}

static void
make_points (Logical *self)
{
  const TtClockTies *ties = self->ties;
  guint n = ties->n_clocks;

  self->first = g_new0 (guint, (gsize) n + 1);
  self->next = g_new0 (guint, (gsize) n + 1);
  each_point (self, count_point);
  for (guint i = 0; i < n; i++)
    self->first[i + 1] += self->first[i];
  for (guint i = 0; i < n; i++)
    self->next[i] = self->first[i];
  self->points = g_new (Point, (gsize) self->first[n] + 1);
  each_point (self, put_point);
  tt_each_beside (n, sort_points, self);
  self->message_ns = g_new (gint64, (gsize) ties->messages->len + 1);
  self->last_begin_ns = g_new (gint64, (gsize) ties->calls->len + 1);
  self->first_end_ns = g_new (gint64, (gsize) ties->calls->len + 1);
  self->n_to_come = g_new (guint, (gsize) ties->calls->len + 1);
}

static void
begin_round (Logical *self)
{
  const TtClockTies *ties = self->ties;

  for (guint32 i = 0; i < ties->n_clocks; i++)
    {
      self->next[i] = self->first[i];
      g_array_append_val (self->ready, i);
    }
  for (guint i = 0; i < ties->messages->len; i++)
    self->message_ns[i] = G_MININT64;
  for (guint i = 0; i < ties->calls->len; i++)
    {
      self->last_begin_ns[i] = G_MININT64;
      self->first_end_ns[i] = G_MAXINT64;
      self->n_to_come[i] = g_array_index (ties->calls, TtClockCall, i).n;
    }
}

/* -- forward ------------------------------------------------------------------------------------------------------ */

/* Where the rank is without this point's own cause: what was moved before comes back. */
static gint64
moved_along (const Logical *self, guint32 clock, const Point *point)
{
  if (self->next[clock] == self->first[clock])
    return point->linear_ns;
  const Point *before = point - 1;
  gint64 moved_ns = before->moved_ns - before->linear_ns, passed_ns = point->linear_ns - before->linear_ns;

  return point->linear_ns + MAX (moved_ns - passed_ns / BACK, 0);
}

static void
wake_members (Logical *self, guint32 tie)
{
  const TtClockCall *call = &g_array_index (self->ties->calls, TtClockCall, tie);

  for (guint k = call->first; k < call->first + call->n; k++)
    g_array_append_val (self->ready, g_array_index (self->ties->members, TtClockMember, k).clock);
}

/* FALSE: its cause is not known yet. */
static gboolean
move_point (Logical *self, guint32 clock, Point *point, gboolean is_forced)
{
  gint64 cause_ns = G_MININT64;

  if (!is_forced && ((point->kind == IN_MESSAGE && self->message_ns[point->tie] == G_MININT64) ||
                     (point->kind == IN_CALL && self->n_to_come[point->tie] > 0)))
    return FALSE;
  if (point->kind == IN_MESSAGE)
    cause_ns = self->message_ns[point->tie];
  else if (point->kind == IN_CALL)
    cause_ns = self->last_begin_ns[point->tie];
  point->moved_ns = MAX (point->moved_ns, MAX (moved_along (self, clock, point), cause_ns));
  switch ((PointKind) point->kind)
    {
    case OUT_MESSAGE:
      /* Else what was received without its cause. */
      if (self->message_ns[point->tie] == G_MININT64)
        self->message_ns[point->tie] = point->moved_ns;
      g_array_append_val (self->ready, g_array_index (self->ties->messages, TtClockTie, point->tie).to);
      break;
    case OUT_CALL:
      self->last_begin_ns[point->tie] = MAX (self->last_begin_ns[point->tie], point->moved_ns);
      if (--self->n_to_come[point->tie] == 0)
        wake_members (self, point->tie);
      break;
    case IN_MESSAGE:
      self->message_ns[point->tie] = point->moved_ns;
      break;
    case IN_CALL:
      self->first_end_ns[point->tie] = MIN (self->first_end_ns[point->tie], point->moved_ns);
      break;
    }
  return TRUE;
}

static void
go_on (Logical *self, guint32 clock)
{
  while (self->next[clock] < self->first[clock + 1] &&
         move_point (self, clock, &self->points[self->next[clock]], FALSE))
    self->next[clock]++;
}

/* What waits for itself, directly or by others, goes on without its cause. */
static gboolean
force_one (Logical *self, guint32 *from)
{
  for (guint32 clock = *from; clock < self->ties->n_clocks; clock++)
    if (self->next[clock] < self->first[clock + 1])
      {
        move_point (self, clock, &self->points[self->next[clock]], TRUE);
        self->next[clock]++;
        g_array_append_val (self->ready, clock);
        *from = clock;
        return TRUE;
      }
  return FALSE;
}

static void
move_once (Logical *self)
{
  guint32 stuck = 0;

  begin_round (self);
  do
    while (self->ready->len > 0)
      {
        guint32 clock = g_array_index (self->ready, guint32, self->ready->len - 1);

        g_array_set_size (self->ready, self->ready->len - 1);
        go_on (self, clock);
      }
  while (force_one (self, &stuck));
}

/* The first of the points after @k, of a rank whose points end at @end, that is later than it. */
static guint
later_than (const Logical *self, guint k, guint end)
{
  guint next = k + 1;

  while (next < end && self->points[next].own_ns == self->points[k].own_ns)
    next++;
  return next;
}

/* Whether points of one time are apart; brings them together. */
static gboolean
join_moments (Logical *self)
{
  gboolean are_apart = FALSE;

  for (guint32 clock = 0; clock < self->ties->n_clocks; clock++)
    for (guint k = self->first[clock], end = self->first[clock + 1], next; k < end; k = next)
      {
        gint64 moved_ns = self->points[k].moved_ns;

        next = later_than (self, k, end);
        for (guint i = k; i < next; i++)
          {
            are_apart |= self->points[i].moved_ns != moved_ns;
            moved_ns = MAX (moved_ns, self->points[i].moved_ns);
          }
        for (guint i = k; i < next; i++)
          self->points[i].moved_ns = moved_ns;
      }
  return are_apart;
}

static void
move_forward (Logical *self)
{
  for (guint round = 0; round < MAX_ROUNDS; round++)
    {
      move_once (self);
      if (!join_moments (self))
        break;
    }
}

/* -- backward ----------------------------------------------------------------------------------------------------- */

/* How far a cause may move before its effect, which stays, would come too early. */
static gint64
slack (const Logical *self, const Point *point)
{
  switch ((PointKind) point->kind)
    {
    case OUT_MESSAGE:
      return MAX (self->message_ns[point->tie] - point->moved_ns, 0);
    case OUT_CALL:
      return MAX (self->first_end_ns[point->tie] - point->moved_ns, 0);
    default:
      return G_MAXINT64;
    }
}

/* The points before @end that are of one time: the first of them. */
static guint
begin_of_moment (const Logical *self, guint first, guint end)
{
  guint k = end - 1;

  while (k > first && self->points[k - 1].own_ns == self->points[end - 1].own_ns)
    k--;
  return k;
}

static void
move_backward (Logical *self)
{
  for (guint32 clock = 0; clock < self->ties->n_clocks; clock++)
    for (guint end = self->first[clock + 1], k; end > self->first[clock]; end = k)
      {
        k = begin_of_moment (self, self->first[clock], end);
        if (end == self->first[clock + 1])
          continue;
        const Point *after = &self->points[end], *point = &self->points[k];
        gint64 wanted_ns = (after->moved_ns - after->linear_ns) - (after->linear_ns - point->linear_ns) / BACK -
                           (point->moved_ns - point->linear_ns);

        for (guint i = k; i < end; i++)
          wanted_ns = MIN (wanted_ns, slack (self, &self->points[i]));
        for (guint i = k; i < end && wanted_ns > 0; i++)
          self->points[i].moved_ns += wanted_ns;
      }
}

/* -- maps --------------------------------------------------------------------------------------------------------- */

static void
add_knot (GArray *knots, gint64 at_ns, gint64 shift_ns)
{
  const TtClockKnot knot = { at_ns, shift_ns };

  g_array_append_val (knots, knot);
}

/* Knots of the linear map between two points, moved by what lies between theirs. */
static void
add_linear_knots (GArray *knots, const GArray *linear, guint *piece, const Point *before, const Point *after)
{
  guint near = *piece;

  for (; *piece < linear->len; ++*piece)
    {
      gint64 at_ns = g_array_index (linear, TtClockPiece, *piece).from_ns;
      gint64 moved_ns = before == NULL ? 0 : before->moved_ns - before->linear_ns;

      if (after != NULL && at_ns >= after->own_ns)
        return;
      if (before != NULL && after != NULL && after->own_ns > before->own_ns)
        moved_ns += (gint64) ((tt_int128) (after->moved_ns - after->linear_ns - moved_ns) * (at_ns - before->own_ns) /
                              (after->own_ns - before->own_ns));
      gint64 shift_ns = tt_clock_pieces_shift (linear, &near, at_ns) + moved_ns;
      /* Not past the next point: that would have to stay behind it. */
      if (after != NULL)
        shift_ns = MIN (shift_ns, after->moved_ns - at_ns);
      if ((before == NULL || at_ns > before->own_ns) && *piece > 0)
        add_knot (knots, at_ns, shift_ns);
    }
}

/* Whether the point says no more than those around it, to the nanosecond. */
static gboolean
have_one_shift (const Point *point)
{
  gint64 shift_ns = point->moved_ns - point->own_ns;

  return point[-1].moved_ns - point[-1].own_ns == shift_ns && point[1].moved_ns - point[1].own_ns == shift_ns;
}

static GArray *
make_map (const Logical *self, guint32 clock, const GArray *linear)
{
  g_autoptr (GArray) knots = g_array_new (FALSE, FALSE, sizeof (TtClockKnot));
  const Point *before = NULL;
  guint piece = 0;
  gboolean is_moved = FALSE;

  for (guint k = self->first[clock]; k < self->first[clock + 1]; k++)
    is_moved |= self->points[k].moved_ns != self->points[k].linear_ns;
  if (!is_moved)
    return NULL;
  for (guint k = self->first[clock]; k < self->first[clock + 1]; k++)
    {
      const Point *point = &self->points[k];
      gboolean is_inner = k > self->first[clock] && k + 1 < self->first[clock + 1];

      add_linear_knots (knots, linear, &piece, before, point);
      if (!is_inner || !have_one_shift (point))
        add_knot (knots, point->own_ns, point->moved_ns - point->own_ns);
      before = point;
    }
  add_linear_knots (knots, linear, &piece, before, NULL);
  if (linear->len > 0)
    {
      const TtClockPiece *last = &g_array_index (linear, TtClockPiece, linear->len - 1);

      if (last->until_ns > before->own_ns)
        add_knot (knots, last->until_ns, last->shift_ns + last->gain_ns + (before->moved_ns - before->linear_ns));
    }
  return tt_clock_knots_to_pieces (knots);
}

typedef struct
{
  const Logical *logical;
  GArray **maps; /* by clock */
} Maps;

static void
add_map (guint clock, gpointer data)
{
  Maps *self = data;

  self->maps[clock] = make_map (self->logical, clock, self->logical->linear[clock]);
}

void
tt_clock_make_logical (const TtClockTies *ties, GArray *const *linear, GArray **logical)
{
  g_auto (Logical) self = { .ties = ties, .linear = linear, .ready = g_array_new (FALSE, FALSE, sizeof (guint32)) };
  Maps maps = { &self, logical };

  make_points (&self);
  move_forward (&self);
  move_backward (&self);
  tt_each_beside (ties->n_clocks, add_map, &maps);
}
