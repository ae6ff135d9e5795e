/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communicators/options.h"

#define PRUNE_ROUNDS 4

static guint
n_members (const TtChooser *self, guint32 option)
{
  return tt_member_set (self->sets, tt_option_meeting (self, option)->set)->n;
}

static const guint32 *
members (const TtChooser *self, guint32 option)
{
  return tt_meeting_calls (self->sets, tt_option_meeting (self, option));
}

static int
compare_options (gconstpointer a, gconstpointer b)
{
  const TtOption *x = a, *y = b;

  if (x->rate != y->rate)
    return x->rate > y->rate ? -1 : 1;
  return (x->meeting > y->meeting) - (x->meeting < y->meeting);
}

void
tt_chooser_list_options (TtChooser *self, const GArray *chosen)
{
  guint n_calls = self->sets->calls->calls->len;

  self->options = g_array_new (FALSE, FALSE, sizeof (TtOption));
  for (guint i = 0; i < chosen->len; i++)
    {
      guint32 number = g_array_index (chosen, guint32, i);
      tt_member_sets_search (self->sets, number);
      const TtMemberSet *set = tt_member_set (self->sets, number);

      for (guint32 m = set->first_meeting; m < set->first_meeting + set->n_meetings; m++)
        {
          const TtOption option = { m, tt_meeting (self->sets, m)->bits / set->n };

          g_array_append_val (self->options, option);
        }
    }
  g_array_sort (self->options, compare_options);
  self->first = g_new0 (guint32, (gsize) n_calls + 2);
  self->n_left = g_new0 (guint32, (gsize) n_calls + 1);
  self->is_out = g_new0 (gboolean, (gsize) self->options->len + 1);
  for (guint32 i = 0; i < self->options->len; i++)
    for (guint m = 0; m < n_members (self, i); m++)
      self->n_left[members (self, i)[m]]++;
  for (guint32 i = 0; i < n_calls; i++)
    self->first[i + 1] = self->first[i] + self->n_left[i];
  self->of_call = g_new (guint32, (gsize) self->first[n_calls] + 1);
  g_autofree guint32 *next = g_memdup2 (self->first, ((gsize) n_calls + 1) * sizeof *next);
  for (guint32 i = 0; i < self->options->len; i++)
    for (guint m = 0; m < n_members (self, i); m++)
      self->of_call[next[members (self, i)[m]]++] = i;
}

void
tt_chooser_clear (TtChooser *self)
{
  g_array_unref (self->options);
  g_free (self->is_out);
  g_free (self->first);
  g_free (self->of_call);
  g_free (self->n_left);
}

static void
take_out (TtChooser *self, guint32 option)
{
  self->is_out[option] = TRUE;
  for (guint m = 0; m < n_members (self, option); m++)
    {
      guint32 call = members (self, option)[m];

      if (--self->n_left[call] == 1 && self->choice->meeting_of[call] == TT_NO_CALL)
        g_array_append_val (self->forced, call);
    }
}

static void
choose (TtChooser *self, guint32 option)
{
  guint32 number = g_array_index (self->options, TtOption, option).meeting;
  const TtMeeting *meeting = tt_meeting (self->sets, number);

  self->choice->n_used[meeting->set]++;
  self->choice->bits[meeting->set] += meeting->bits;
  for (guint m = 0; m < n_members (self, option); m++)
    self->choice->meeting_of[members (self, option)[m]] = number;
  self->is_out[option] = TRUE;
  for (guint m = 0; m < n_members (self, option); m++)
    {
      guint32 call = members (self, option)[m];

      for (guint32 i = self->first[call]; i < self->first[call + 1]; i++)
        if (!self->is_out[self->of_call[i]])
          take_out (self, self->of_call[i]);
    }
}

static void
follow (TtChooser *self)
{
  while (self->forced->len > 0)
    {
      guint32 call = g_array_index (self->forced, guint32, self->forced->len - 1);

      g_array_set_size (self->forced, self->forced->len - 1);
      if (self->choice->meeting_of[call] != TT_NO_CALL)
        continue;
      for (guint32 i = self->first[call]; i < self->first[call + 1]; i++)
        if (!self->is_out[self->of_call[i]])
          {
            choose (self, self->of_call[i]);
            break;
          }
    }
}

/* Whether a call would be left without any. */
static gboolean
spoils (const TtChooser *self, guint32 option)
{
  for (guint m = 0; m < n_members (self, option); m++)
    {
      guint32 call = members (self, option)[m];

      for (guint32 i = self->first[call]; i < self->first[call + 1]; i++)
        {
          guint32 other = self->of_call[i];

          if (other == option || self->is_out[other])
            continue;
          for (guint o = 0; o < n_members (self, other); o++)
            if (self->n_left[members (self, other)[o]] == 1)
              return TRUE;
        }
    }
  return FALSE;
}

static void
choose_all (TtChooser *self)
{
  for (guint32 i = 0; i < self->sets->calls->calls->len; i++)
    if (self->n_left[i] == 1)
      g_array_append_val (self->forced, i);
  follow (self);
  for (int round = 0; round < 2; round++)
    for (guint32 i = 0; i < self->options->len; i++)
      if (!self->is_out[i] && (round == 1 || !spoils (self, i)))
        {
          choose (self, i);
          follow (self);
        }
}

static void
add_up (TtChooser *self)
{
  TtChoice *choice = self->choice;
  const TtRankCalls *calls = self->sets->calls;

  for (guint i = 0; i < calls->first_waiting[calls->n_ranks]; i++)
    choice->n_open += choice->meeting_of[calls->waiting[i]] == TT_NO_CALL;
  choice->price = TT_OPEN_BITS * (double) choice->n_open;
  for (guint i = 0; i < choice->n_sets; i++)
    if (choice->n_used[i] > 0)
      choice->price += tt_price_of_set (self->sets, i) - choice->bits[i];
}

TtChoice *
tt_choice_new (TtMemberSets *sets, const GArray *chosen)
{
  gsize n_calls = (gsize) sets->calls->calls->len + 1;
  TtChoice *self = g_new0 (TtChoice, 1);
  g_autoptr (GArray) forced = g_array_new (FALSE, FALSE, sizeof (guint32));
  TtChooser chooser = { .sets = sets, .choice = self, .forced = forced };

  self->n_sets = sets->sets->len;
  self->meeting_of = g_new (guint32, n_calls);
  for (gsize i = 0; i < n_calls; i++)
    self->meeting_of[i] = TT_NO_CALL;
  self->n_used = g_new0 (guint32, (gsize) self->n_sets + 1);
  self->bits = g_new0 (double, (gsize) self->n_sets + 1);
  tt_chooser_list_options (&chooser, chosen);
  choose_all (&chooser);
  tt_choice_exchange (&chooser);
  add_up (&chooser);
  tt_chooser_clear (&chooser);
  return self;
}

void
tt_choice_free (TtChoice *self)
{
  if (self == NULL)
    return;
  g_free (self->meeting_of);
  g_free (self->n_used);
  g_free (self->bits);
  g_free (self);
}

TtChoice *
tt_choice_new_pruned (TtMemberSets *sets, GArray *chosen)
{
  TtChoice *choice = tt_choice_new (sets, chosen);

  for (int round = 0; round < PRUNE_ROUNDS; round++)
    {
      g_autoptr (GArray) fewer = g_array_new (FALSE, FALSE, sizeof (guint32));

      for (guint i = 0; i < chosen->len; i++)
        {
          guint32 set = g_array_index (chosen, guint32, i);

          if (choice->n_used[set] > 0 && choice->bits[set] > tt_price_of_set (sets, set))
            g_array_append_val (fewer, set);
        }
      if (fewer->len == chosen->len)
        break;
      TtChoice *other = tt_choice_new (sets, fewer);
      if (other->price > choice->price)
        {
          tt_choice_free (other);
          break;
        }
      tt_choice_free (choice);
      choice = other;
      g_array_set_size (chosen, 0);
      g_array_append_vals (chosen, fewer->data, fewer->len);
    }
  return choice;
}
