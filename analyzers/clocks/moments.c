/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/clocks/moments.h"

#include <math.h>
#include <string.h>

#include "analyzers/clocks/knots.h"
#include "src/base/array.h"

/* Of more ends, which come on top of what bounds cost, every so manieth meeting is looked at. */
#define MAX_ENDS 200000u
#define MAX_ROUNDS 200
#define SETTLED_NS 2

/* -- meetings --------------------------------------------------------------------------------------------------------- */

gint64
tt_clock_moments_time (const TtClockMoments *self, guint32 clock, gint64 ns)
{
  return tt_clock_pieces_time (self->pieces[clock], &self->near[clock], ns);
}

/* @members: of which the first @n_causes may be causes; all, but those who came late, end together. */
static void
add_meeting (TtClockMoments *self, const TtClockMember *members, guint n, guint n_causes)
{
  TtClockMeeting meeting = { .first = self->ends->len, .cause_ns = G_MININT64 };

  for (guint i = 0; i < n; i++)
    {
      const TtClockMember *member = &members[i];
      const TtClockEnd end = { member->clock, self->meetings->len,
                               tt_clock_moments_time (self, member->clock, member->end_ns) };
      gint64 begin_ns = i < n_causes ? tt_clock_moments_time (self, member->clock, member->begin_ns) : G_MININT64;

      if (begin_ns > meeting.cause_ns)
        {
          meeting.cause = member->clock;
          meeting.cause_ns = begin_ns;
        }
      if (!member->is_late)
        g_array_append_val (self->ends, end);
    }
  meeting.n = self->ends->len - meeting.first;
  if (meeting.n > 1)
    {
      meeting.moment_ns = g_array_index (self->ends, TtClockEnd, meeting.first).ns;
      g_array_append_val (self->meetings, meeting);
    }
  else
    g_array_set_size (self->ends, meeting.first);
}

static void
list_meetings (TtClockMoments *self)
{
  const TtClockTies *ties = self->ties;
  guint every = (ties->members->len + ties->returns->len) / MAX_ENDS + 1;

  for (guint i = 0; i < ties->calls->len; i += every)
    {
      const TtClockCall *call = &g_array_index (ties->calls, TtClockCall, i);

      add_meeting (self, TT_ARRAY (ties->members, TtClockMember) + call->first, call->n, call->n);
    }
  for (guint i = 0; i < ties->meetings->len; i += every)
    {
      const TtClockCall *call = &g_array_index (ties->meetings, TtClockCall, i);

      add_meeting (self, TT_ARRAY (ties->returns, TtClockMember) + call->first, call->n, call->is_loose ? 1 : call->n);
    }
}

static void
sort_by_clock (TtClockMoments *self)
{
  guint n = self->ties->n_clocks;

  for (guint i = 0; i < self->ends->len; i++)
    self->first_of[g_array_index (self->ends, TtClockEnd, i).clock + 1]++;
  for (guint i = 0; i < n; i++)
    self->first_of[i + 1] += self->first_of[i];
  for (guint i = self->ends->len; i-- > 0;)
    self->by_clock[--self->first_of[g_array_index (self->ends, TtClockEnd, i).clock + 1]] = i;
  /* Now each begins where the one before it does. */
  memmove (self->first_of, self->first_of + 1, n * sizeof *self->first_of);
  self->first_of[n] = self->ends->len;
}

static guint32
group_of (guint32 *groups, guint32 clock)
{
  while (groups[clock] != clock)
    clock = groups[clock] = groups[groups[clock]];
  return clock;
}

static void
find_groups (TtClockMoments *self)
{
  for (guint i = 0; i < self->ties->n_clocks; i++)
    self->groups[i] = i;
  for (guint i = 1; i < self->ends->len; i++)
    {
      const TtClockEnd *end = &g_array_index (self->ends, TtClockEnd, i), *before = end - 1;
      guint32 a = group_of (self->groups, before->clock), b = group_of (self->groups, end->clock);

      if (end->meeting == before->meeting)
        self->groups[MAX (a, b)] = MIN (a, b);
    }
  for (guint i = 0; i < self->ties->n_clocks; i++)
    self->groups[i] = group_of (self->groups, i);
}

/* -- the moments and the clocks -------------------------------------------------------------------------------------- */

/* One step from @last_ns to the mean of what is near it, for all others the less the farther they are (P. Huber's estimate, by weights);
 * medians in turn would come to rest beside the best. */
static gint64
centre (const gint64 *values_ns, guint n, gint64 last_ns)
{
  double sum = 0, weights = 0;

  for (guint i = 0; i < n; i++)
    {
      double off_ns = (double) tt_time_since (values_ns[i], last_ns),
             weight = TT_CLOCK_NEAR_NS / MAX (fabs (off_ns), TT_CLOCK_NEAR_NS);

      sum += weight * off_ns;
      weights += weight;
    }
  return last_ns + llround (sum / weights);
}

static void
find_moments (TtClockMoments *self)
{
  for (guint i = 0; i < self->meetings->len; i++)
    {
      TtClockMeeting *meeting = &g_array_index (self->meetings, TtClockMeeting, i);

      for (guint k = 0; k < meeting->n; k++)
        {
          const TtClockEnd *end = &g_array_index (self->ends, TtClockEnd, meeting->first + k);

          self->values_ns[k] = end->ns + self->moved_ns[end->clock];
        }
      meeting->moment_ns = centre (self->values_ns, meeting->n, meeting->moment_ns);
    }
}

guint
tt_clock_moments_list (const TtClockMoments *self, guint32 clock)
{
  guint n = self->first_of[clock + 1] - self->first_of[clock];

  for (guint k = 0; k < n; k++)
    {
      const TtClockEnd *end = &g_array_index (self->ends, TtClockEnd, self->by_clock[self->first_of[clock] + k]);
      const TtClockMeeting *meeting = &g_array_index (self->meetings, TtClockMeeting, end->meeting);

      self->values_ns[k] = tt_time_since (meeting->moment_ns, end->ns);
    }
  return n;
}

/* The lowest clock of a group keeps its time. Returns by how much one was moved at the most. */
static gint64
move_clocks (TtClockMoments *self, gint64 *found_ns)
{
  gint64 most_ns = 0;

  for (guint i = 0; i < self->ties->n_clocks; i++)
    {
      guint n = tt_clock_moments_list (self, i);

      found_ns[i] = n == 0 ? 0 : centre (self->values_ns, n, self->moved_ns[i]);
    }
  for (guint i = self->ties->n_clocks; i-- > 0;)
    {
      gint64 ns = found_ns[i] - found_ns[self->groups[i]];

      most_ns = MAX (most_ns, tt_clock_distance (ns, self->moved_ns[i]));
      self->moved_ns[i] = ns;
    }
  return most_ns;
}

void
tt_clock_moments_settle (TtClockMoments *self)
{
  g_autofree gint64 *found_ns = g_new (gint64, (gsize) self->ties->n_clocks + 1);
  guint rounds = 0;

  sort_by_clock (self);
  find_groups (self);
  do
    find_moments (self);
  while (move_clocks (self, found_ns) > SETTLED_NS && ++rounds < MAX_ROUNDS);
  find_moments (self);
}

void
tt_clock_moments_init (TtClockMoments *self, const TtClockTies *ties, GArray *const *pieces)
{
  gsize n = (gsize) ties->n_clocks + 2;

  *self = (TtClockMoments){ .ties = ties,
                            .pieces = pieces,
                            .ends = g_array_new (FALSE, FALSE, sizeof (TtClockEnd)),
                            .meetings = g_array_new (FALSE, FALSE, sizeof (TtClockMeeting)),
                            .first_of = g_new0 (guint, n),
                            .near = g_new0 (guint, n),
                            .moved_ns = g_new0 (gint64, n),
                            .groups = g_new (guint32, n) };
  list_meetings (self);
  self->by_clock = g_new (guint, (gsize) self->ends->len + 1);
  self->values_ns = g_new (gint64, (gsize) self->ends->len + 1);
}

void
tt_clock_moments_clear (TtClockMoments *self)
{
  g_clear_pointer (&self->ends, g_array_unref);
  g_clear_pointer (&self->meetings, g_array_unref);
  g_clear_pointer (&self->by_clock, g_free);
  g_clear_pointer (&self->first_of, g_free);
  g_clear_pointer (&self->near, g_free);
  g_clear_pointer (&self->moved_ns, g_free);
  g_clear_pointer (&self->values_ns, g_free);
  g_clear_pointer (&self->groups, g_free);
}
