/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communicators/rivals.h"

#include <math.h>

#include "analyzers/communicators/options.h"

/* So many meetings are moved at the most to see whether another fits. */
#define MAX_MOVED 8u
/* What others explain by so few bits less may be theirs; they are moved where it is so much more. */
#define DOUBTFUL_BITS 20.0
/* Of each call; what is explained by less may have met by chance. */
#define SURE_BITS 3.0
#define MOVED_BITS 5.0
#define MAX_ROUNDS 4

/* What is tried: calls that stand elsewhere than they were. */
typedef struct
{
  TtChooser *chooser;
  guint64 trial;
  guint64 *taken;  /* by call: the trial in which a new meeting has it */
  guint64 *given;  /* by call: the trial in which its meeting was given up */
  guint64 *broken; /* by meeting: likewise */
  GArray *freed;   /* guint32: calls of meetings that were given up */
  GArray *moved;   /* guint32: meetings that stand in their place */
  guint n_left;    /* calls for which there is none */
  double gain;     /* bits */
  double *margins;
} Trial;

static const TtMeeting *
meeting_at (const Trial *self, guint32 number)
{
  return tt_meeting (self->chooser->sets, number);
}

static guint
size_of (const Trial *self, const TtMeeting *meeting)
{
  return tt_member_set (self->chooser->sets, meeting->set)->n;
}

static void
give_up (Trial *self, guint32 number)
{
  const TtMeeting *meeting = meeting_at (self, number);
  const guint32 *calls = tt_meeting_calls (self->chooser->sets, meeting);

  if (self->broken[number] == self->trial)
    return;
  self->broken[number] = self->trial;
  self->gain -= meeting->bits;
  for (guint i = 0; i < size_of (self, meeting); i++)
    {
      self->given[calls[i]] = self->trial;
      g_array_append_val (self->freed, calls[i]);
    }
}

static void
suppose (Trial *self, guint32 number)
{
  const TtMeeting *meeting = meeting_at (self, number);
  const guint32 *calls = tt_meeting_calls (self->chooser->sets, meeting);

  g_array_append_val (self->moved, number);
  self->gain += meeting->bits;
  for (guint i = 0; i < size_of (self, meeting); i++)
    {
      guint32 old = self->chooser->choice->meeting_of[calls[i]];

      self->taken[calls[i]] = self->trial;
      if (old == TT_NO_CALL)
        self->gain += TT_OPEN_BITS;
      else
        give_up (self, old);
    }
}

/* Bits of the meeting and of calls that are explained by it, less those of the meetings that it breaks. */
static double
worth_of (const Trial *self, guint32 number)
{
  const TtMeeting *meeting = meeting_at (self, number);
  const guint32 *calls = tt_meeting_calls (self->chooser->sets, meeting);
  double worth = meeting->bits;

  for (guint i = 0; i < size_of (self, meeting); i++)
    {
      guint32 old = self->chooser->choice->meeting_of[calls[i]];

      if (self->taken[calls[i]] == self->trial)
        return -INFINITY;
      if (self->given[calls[i]] != self->trial && old != TT_NO_CALL)
        worth -= meeting_at (self, old)->bits / size_of (self, meeting_at (self, old));
      else
        worth += TT_OPEN_BITS;
    }
  return worth;
}

static guint32
find_best (const Trial *self, guint32 call)
{
  const TtChooser *chooser = self->chooser;
  guint32 best = TT_NO_CALL;
  double best_worth = 0;

  for (guint32 i = chooser->first[call]; i < chooser->first[call + 1]; i++)
    {
      guint32 number = g_array_index (chooser->options, TtOption, chooser->of_call[i]).meeting;
      double worth = self->broken[number] == self->trial ? -INFINITY : worth_of (self, number);

      if (worth > best_worth)
        {
          best = number;
          best_worth = worth;
        }
    }
  return best;
}

/* @number: is not chosen. */
static void
try_meeting (Trial *self, guint32 number)
{
  guint n_moved = 1;

  self->trial++;
  self->gain = 0;
  self->n_left = 0;
  g_array_set_size (self->moved, 0);
  g_array_set_size (self->freed, 0);
  suppose (self, number);
  for (guint i = 0; i < self->freed->len; i++)
    {
      guint32 call = g_array_index (self->freed, guint32, i);

      if (self->taken[call] == self->trial)
        continue;
      guint32 best = n_moved < MAX_MOVED ? find_best (self, call) : TT_NO_CALL;
      if (best == TT_NO_CALL)
        {
          self->gain -= TT_OPEN_BITS;
          self->n_left++;
        }
      else
        suppose (self, best);
      n_moved++;
    }
  for (guint i = 0; i < self->freed->len; i++)
    {
      guint32 call = g_array_index (self->freed, guint32, i);

      self->margins[call] = MIN (self->margins[call], -self->gain);
    }
}

/* -- all ------------------------------------------------------------------------------------------------------------ */

static void
trial_init (Trial *self, TtChooser *chooser, const GArray *chosen)
{
  gsize n = (gsize) chooser->sets->calls->calls->len + 1;

  tt_chooser_list_options (chooser, chosen);
  *self = (Trial){ .chooser = chooser,
                   .taken = g_new0 (guint64, n),
                   .given = g_new0 (guint64, n),
                   .broken = g_new0 (guint64, (gsize) chooser->sets->meetings->len + 1),
                   .freed = g_array_new (FALSE, FALSE, sizeof (guint32)),
                   .moved = g_array_new (FALSE, FALSE, sizeof (guint32)),
                   .margins = g_new (double, n) };
  for (gsize i = 0; i < n; i++)
    self->margins[i] = INFINITY;
}

static void
trial_clear (Trial *self)
{
  g_free (self->taken);
  g_free (self->given);
  g_free (self->broken);
  g_array_unref (self->freed);
  g_array_unref (self->moved);
  g_free (self->margins);
  tt_chooser_clear (self->chooser);
}

static gboolean
is_chosen (const Trial *self, guint32 number)
{
  return self->chooser->choice->meeting_of[tt_meeting_calls (self->chooser->sets, meeting_at (self, number))[0]] ==
         number;
}

/* -- a set that is none --------------------------------------------------------------------------------------------- */

/* MPI_Comm_split parts all ranks: whether sets that share no rank with this one or each other, the most used first, leave
 * none out. */
static gboolean
has_partners (const TtMemberSets *sets, const GArray *used, guint32 number)
{
  g_autofree guint8 *is_in = g_new0 (guint8, (gsize) sets->calls->n_ranks + 1);
  const TtMemberSet *set = tt_member_set (sets, number);
  guint n_in = set->n;

  for (guint i = 0; i < set->n; i++)
    is_in[set->ranks[i]] = 1;
  for (guint i = 0; i < used->len; i++)
    {
      gboolean is_apart = TRUE;

      set = tt_member_set (sets, g_array_index (used, guint32, i));
      for (guint r = 0; r < set->n && is_apart; r++)
        is_apart = !is_in[set->ranks[r]];
      for (guint r = 0; r < set->n && is_apart; r++, n_in++)
        is_in[set->ranks[r]] = 1;
    }
  return n_in == sets->calls->n_ranks;
}

static int
compare_use (gconstpointer a, gconstpointer b, gpointer data)
{
  const guint32 *n_used = data, x = *(const guint32 *) a, y = *(const guint32 *) b;

  if (n_used[x] != n_used[y])
    return n_used[x] > n_used[y] ? -1 : 1;
  return (x > y) - (x < y);
}

/* Sets that met once among others that met again and again, and those that no split of all ranks makes. */
static guint8 *
find_odd_sets (const TtMemberSets *sets, const GArray *chosen, const TtChoice *choice)
{
  guint8 *is_odd = g_new0 (guint8, (gsize) sets->sets->len + 1);
  g_autoptr (GArray) used = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n_once = 0;

  for (guint i = 0; i < chosen->len; i++)
    {
      guint32 set = g_array_index (chosen, guint32, i);

      if (choice->n_used[set] == 0)
        continue;
      g_array_append_val (used, set);
      n_once += choice->n_used[set] == 1;
    }
  g_array_sort_with_data (used, compare_use, choice->n_used);
  for (guint i = 0; i < used->len; i++)
    {
      guint32 set = g_array_index (used, guint32, i);

      is_odd[set] = (choice->n_used[set] == 1 && n_once * 2 < used->len) || !has_partners (sets, used, set);
    }
  return is_odd;
}

guint8 *
tt_choice_find_doubtful (TtMemberSets *sets, const GArray *chosen, TtChoice *choice)
{
  gsize n = (gsize) sets->calls->calls->len + 1;
  TtChooser chooser = { .sets = sets, .choice = choice };
  guint8 *is_doubtful = g_new0 (guint8, n);
  g_autofree guint8 *is_odd = find_odd_sets (sets, chosen, choice);
  Trial trial;

  trial_init (&trial, &chooser, chosen);
  for (guint i = 0; i < chooser.options->len; i++)
    {
      guint32 number = g_array_index (chooser.options, TtOption, i).meeting;

      if (!is_chosen (&trial, number))
        try_meeting (&trial, number);
    }
  for (gsize i = 0; i + 1 < n; i++)
    if (choice->meeting_of[i] != TT_NO_CALL)
      {
        const TtMeeting *meeting = tt_meeting (sets, choice->meeting_of[i]);

        is_doubtful[i] = choice->n_open > 0 || trial.margins[i] <= DOUBTFUL_BITS || is_odd[meeting->set] ||
                         meeting->bits < SURE_BITS * size_of (&trial, meeting);
      }
  trial_clear (&trial);
  return is_doubtful;
}

/* What is moved is no trial any more. */
static void
keep (Trial *self)
{
  TtChoice *choice = self->chooser->choice;

  for (guint i = 0; i < self->freed->len; i++)
    {
      guint32 call = g_array_index (self->freed, guint32, i), old = choice->meeting_of[call];

      if (old == TT_NO_CALL)
        continue;
      const TtMeeting *meeting = meeting_at (self, old);
      choice->n_used[meeting->set]--;
      choice->bits[meeting->set] -= meeting->bits;
      for (guint k = 0; k < size_of (self, meeting); k++)
        choice->meeting_of[tt_meeting_calls (self->chooser->sets, meeting)[k]] = TT_NO_CALL;
    }
  for (guint i = 0; i < self->moved->len; i++)
    {
      guint32 number = g_array_index (self->moved, guint32, i);
      const TtMeeting *meeting = meeting_at (self, number);

      choice->n_used[meeting->set]++;
      choice->bits[meeting->set] += meeting->bits;
      for (guint k = 0; k < size_of (self, meeting); k++)
        choice->meeting_of[tt_meeting_calls (self->chooser->sets, meeting)[k]] = number;
    }
}

void
tt_choice_move (TtMemberSets *sets, const GArray *chosen, TtChoice *choice)
{
  TtChooser chooser = { .sets = sets, .choice = choice };
  gboolean is_changed = TRUE;
  Trial trial;

  trial_init (&trial, &chooser, chosen);
  for (int round = 0; round < MAX_ROUNDS && is_changed; round++)
    {
      is_changed = FALSE;
      for (guint i = 0; i < chooser.options->len; i++)
        {
          guint32 number = g_array_index (chooser.options, TtOption, i).meeting;

          if (is_chosen (&trial, number))
            continue;
          try_meeting (&trial, number);
          if (trial.gain <= MOVED_BITS || trial.n_left > 0)
            continue;
          keep (&trial);
          is_changed = TRUE;
        }
    }
  trial_clear (&trial);
}
