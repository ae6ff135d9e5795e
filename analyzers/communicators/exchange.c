/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>

#include "analyzers/communicators/options.h"

#define ROUNDS 6
/* How much of what is known of a set's use for a function comes from its use for others. */
#define OTHER_FUNCTIONS 0.5

typedef struct
{
  TtChooser *chooser;
  guint32 *used;        /* by set and function: meetings */
  guint32 *used_by;     /* by rank and function */
  guint32 *used_in_all; /* by rank */
  guint64 *stamps;      /* by meeting: when it was last seen */
  guint64 stamp;
  guint n_functions;
  gboolean is_changed;
} Exchange;

static const TtRankCalls *
calls_of (const Exchange *self)
{
  return self->chooser->sets->calls;
}

static guint32
function_of (const Exchange *self, const TtMeeting *meeting)
{
  const TtRankCall *call = tt_rank_call (calls_of (self), tt_meeting_calls (self->chooser->sets, meeting)[0]);

  return g_array_index (calls_of (self)->kinds, TtCallKind, call->kind).function;
}

static guint
size_of (const Exchange *self, const TtMeeting *meeting)
{
  return tt_member_set (self->chooser->sets, meeting->set)->n;
}

/* -- prices -------------------------------------------------------------------------------------------------------- */

static void
count_use (Exchange *self, const TtMeeting *meeting, gint change)
{
  const TtMemberSet *set = tt_member_set (self->chooser->sets, meeting->set);
  TtChoice *choice = self->chooser->choice;
  guint32 function = function_of (self, meeting);

  choice->n_used[meeting->set] += (guint32) change;
  self->used[(gsize) meeting->set * self->n_functions + function] += (guint32) change;
  for (guint i = 0; i < set->n; i++)
    {
      self->used_by[(gsize) set->ranks[i] * self->n_functions + function] += (guint32) change;
      self->used_in_all[set->ranks[i]] += (guint32) change;
    }
}

/* Bits of the meeting less what it takes to say that it is this set that meets, and its share of describing the set. */
static double
worth_of (const Exchange *self, const TtMeeting *meeting)
{
  const TtMemberSet *set = tt_member_set (self->chooser->sets, meeting->set);
  guint32 function = function_of (self, meeting), n_used = self->chooser->choice->n_used[meeting->set];
  double of_set = self->used[(gsize) meeting->set * self->n_functions + function] + OTHER_FUNCTIONS * n_used;
  double of_rank = self->used_by[(gsize) set->ranks[0] * self->n_functions + function] +
                   OTHER_FUNCTIONS * self->used_in_all[set->ranks[0]];

  return meeting->bits - log2 ((of_rank + 1) / (of_set + 0.5)) -
         tt_price_of_set (self->chooser->sets, meeting->set) / MAX (n_used, 1u);
}

/* -- moves --------------------------------------------------------------------------------------------------------- */

static void
set_meeting (Exchange *self, const TtMeeting *meeting, guint32 number)
{
  const guint32 *calls = tt_meeting_calls (self->chooser->sets, meeting);

  for (guint i = 0; i < size_of (self, meeting); i++)
    self->chooser->choice->meeting_of[calls[i]] = number;
}

/* Whether the meetings that these calls are in, and calls without any, make up @number. Most do not: a look before the
 * prices. */
static gboolean
is_made_up (Exchange *self, guint32 number, const guint32 *calls, guint n)
{
  guint n_covered = 0;

  self->stamp++;
  for (guint i = 0; i < n && n_covered <= n; i++)
    {
      guint32 other = self->chooser->choice->meeting_of[calls[i]];

      if (other == number)
        return FALSE;
      if (other == TT_NO_CALL)
        {
          n_covered++;
        }
      else if (self->stamps[other] != self->stamp)
        {
          self->stamps[other] = self->stamp;
          n_covered += size_of (self, tt_meeting (self->chooser->sets, other));
        }
    }
  return n_covered == n;
}

/* One meeting for all that are within it. */
static void
try_merge (Exchange *self, guint32 number)
{
  const TtMeeting *meeting = tt_meeting (self->chooser->sets, number);
  const guint32 *calls = tt_meeting_calls (self->chooser->sets, meeting);
  const guint32 *meeting_of = self->chooser->choice->meeting_of;
  guint n = size_of (self, meeting);
  double worth = 0;

  if (!is_made_up (self, number, calls, n))
    return;
  self->stamp++;
  for (guint i = 0; i < n; i++)
    {
      guint32 other = meeting_of[calls[i]];

      if (other == TT_NO_CALL)
        {
          worth -= TT_OPEN_BITS;
        }
      else if (self->stamps[other] != self->stamp)
        {
          self->stamps[other] = self->stamp;
          worth += worth_of (self, tt_meeting (self->chooser->sets, other));
        }
    }
  if (worth_of (self, meeting) <= worth)
    return;
  self->stamp++;
  for (guint i = 0; i < n; i++)
    {
      guint32 other = meeting_of[calls[i]];

      if (other == TT_NO_CALL || self->stamps[other] == self->stamp)
        continue;
      self->stamps[other] = self->stamp;
      count_use (self, tt_meeting (self->chooser->sets, other), -1);
    }
  count_use (self, meeting, 1);
  set_meeting (self, meeting, number);
  self->is_changed = TRUE;
}

static gboolean
is_within (const Exchange *self, const TtMeeting *part, guint32 whole, const guint8 *is_done)
{
  const guint32 *calls = tt_meeting_calls (self->chooser->sets, part);

  for (guint i = 0; i < size_of (self, part); i++)
    if (self->chooser->choice->meeting_of[calls[i]] != whole || is_done[calls[i]])
      return FALSE;
  return TRUE;
}

/* The best part of @whole with this call. */
static guint32
find_part (const Exchange *self, guint32 call, guint32 whole, const guint8 *is_done)
{
  const TtChooser *chooser = self->chooser;
  guint32 best = TT_NO_CALL;
  double best_rate = 0;

  for (guint32 i = chooser->first[call]; i < chooser->first[call + 1]; i++)
    {
      guint32 number = g_array_index (chooser->options, TtOption, chooser->of_call[i]).meeting;
      const TtMeeting *part = tt_meeting (chooser->sets, number);

      if (number == whole || !is_within (self, part, whole, is_done))
        continue;
      double rate = worth_of (self, part) / size_of (self, part);
      if (best == TT_NO_CALL || rate > best_rate)
        {
          best = number;
          best_rate = rate;
        }
    }
  return best;
}

/* Several meetings for one. */
static void
try_split (Exchange *self, guint32 number, guint8 *is_done)
{
  const TtMeeting *whole = tt_meeting (self->chooser->sets, number);
  const guint32 *calls = tt_meeting_calls (self->chooser->sets, whole);
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n = size_of (self, whole);
  gboolean is_covered = TRUE;
  double worth = 0;

  for (guint i = 0; i < n && is_covered; i++)
    {
      if (is_done[calls[i]])
        continue;
      guint32 part = find_part (self, calls[i], number, is_done);
      is_covered = part != TT_NO_CALL;
      if (!is_covered)
        break;
      const guint32 *of_part = tt_meeting_calls (self->chooser->sets, tt_meeting (self->chooser->sets, part));
      for (guint p = 0; p < size_of (self, tt_meeting (self->chooser->sets, part)); p++)
        is_done[of_part[p]] = 1;
      worth += worth_of (self, tt_meeting (self->chooser->sets, part));
      g_array_append_val (parts, part);
    }
  for (guint i = 0; i < n; i++)
    is_done[calls[i]] = 0;
  if (!is_covered || worth <= worth_of (self, whole))
    return;
  count_use (self, whole, -1);
  for (guint i = 0; i < parts->len; i++)
    {
      guint32 part = g_array_index (parts, guint32, i);

      count_use (self, tt_meeting (self->chooser->sets, part), 1);
      set_meeting (self, tt_meeting (self->chooser->sets, part), part);
    }
  self->is_changed = TRUE;
}

/* -- all ------------------------------------------------------------------------------------------------------------ */

static void
count_all (Exchange *self)
{
  TtChoice *choice = self->chooser->choice;

  for (guint i = 0; i < choice->n_sets; i++)
    choice->n_used[i] = 0;
  for (guint i = 0; i < self->chooser->options->len; i++)
    {
      guint32 number = g_array_index (self->chooser->options, TtOption, i).meeting;
      const TtMeeting *meeting = tt_meeting (self->chooser->sets, number);

      if (choice->meeting_of[tt_meeting_calls (self->chooser->sets, meeting)[0]] == number)
        count_use (self, meeting, 1);
    }
}

static void
go_round (Exchange *self, guint8 *is_done)
{
  const TtChooser *chooser = self->chooser;

  for (guint i = 0; i < chooser->options->len; i++)
    {
      guint32 number = g_array_index (chooser->options, TtOption, i).meeting;
      const guint32 *calls = tt_meeting_calls (chooser->sets, tt_meeting (chooser->sets, number));

      if (chooser->choice->meeting_of[calls[0]] == number)
        try_split (self, number, is_done);
      else
        try_merge (self, number);
    }
}

void
tt_choice_exchange (TtChooser *chooser)
{
  const TtMemberSets *sets = chooser->sets;
  gsize n_functions = sets->calls->functions->len;
  g_autofree guint32 *used = g_new0 (guint32, (sets->sets->len + 1) * n_functions);
  g_autofree guint32 *used_by = g_new0 (guint32, ((gsize) sets->calls->n_ranks + 1) * n_functions);
  g_autofree guint32 *used_in_all = g_new0 (guint32, (gsize) sets->calls->n_ranks + 1);
  g_autofree guint64 *stamps = g_new0 (guint64, (gsize) sets->meetings->len + 1);
  g_autofree guint8 *is_done = g_new0 (guint8, (gsize) sets->calls->calls->len + 1);
  Exchange self = { .chooser = chooser,
                    .used = used,
                    .used_by = used_by,
                    .used_in_all = used_in_all,
                    .stamps = stamps,
                    .n_functions = (guint) n_functions,
                    .is_changed = TRUE };
  TtChoice *choice = chooser->choice;

  count_all (&self);
  for (int i = 0; i < ROUNDS && self.is_changed; i++)
    {
      self.is_changed = FALSE;
      go_round (&self, is_done);
    }
  for (guint i = 0; i < choice->n_sets; i++)
    choice->bits[i] = 0;
  for (guint i = 0; i < chooser->options->len; i++)
    {
      guint32 number = g_array_index (chooser->options, TtOption, i).meeting;
      const TtMeeting *meeting = tt_meeting (sets, number);

      if (choice->meeting_of[tt_meeting_calls (sets, meeting)[0]] == number)
        choice->bits[meeting->set] +=
            worth_of (&self, meeting) + tt_price_of_set (sets, meeting->set) / choice->n_used[meeting->set];
    }
}
