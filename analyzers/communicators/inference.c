/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communicators/inference.h"

#include "analyzers/communicators/families.h"

/* Families that are tried in earnest, and how many a program may have. */
#define MAX_TRIED 10u
#define MAX_FAMILIES 6

typedef struct
{
  guint index;
  double promise;
} Candidate;

static int
compare_candidates (gconstpointer a, gconstpointer b)
{
  const Candidate *x = a, *y = b;

  if (x->promise != y->promise)
    return x->promise > y->promise ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

/* What the family could explain if nothing else were there: the best of each call. */
static double
promise_of (TtMemberSets *sets, const GArray *family)
{
  g_autofree float *best = g_new0 (float, (gsize) sets->calls->calls->len + 1);
  double sum = 0;

  for (guint i = 0; i < family->len; i++)
    {
      tt_member_sets_search (sets, g_array_index (family, guint32, i));
      const TtMemberSet *set = tt_member_set (sets, g_array_index (family, guint32, i));

      for (guint32 m = set->first_meeting; m < set->first_meeting + set->n_meetings; m++)
        {
          const TtMeeting *meeting = tt_meeting (sets, m);
          const guint32 *calls = tt_meeting_calls (sets, meeting);
          float rate = (float) (meeting->bits / set->n);

          for (guint c = 0; c < set->n; c++)
            best[calls[c]] = MAX (best[calls[c]], rate);
        }
    }
  for (guint i = 0; i < sets->calls->calls->len; i++)
    sum += best[i];
  return sum;
}

static GArray *
rank_candidates (TtMemberSets *sets, const GPtrArray *families)
{
  GArray *candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));

  for (guint i = 0; i < families->len; i++)
    {
      const Candidate candidate = { i, promise_of (sets, g_ptr_array_index (families, i)) };

      if (candidate.promise > 0)
        g_array_append_val (candidates, candidate);
    }
  g_array_sort (candidates, compare_candidates);
  g_array_set_size (candidates, MIN (candidates->len, MAX_TRIED));
  return candidates;
}

static void
add_family (GArray *chosen, const GArray *family)
{
  for (guint i = 0; i < family->len; i++)
    {
      guint32 set = g_array_index (family, guint32, i);
      gboolean is_there = FALSE;

      for (guint j = 0; j < chosen->len && !is_there; j++)
        is_there = g_array_index (chosen, guint32, j) == set;
      if (!is_there)
        g_array_append_val (chosen, set);
    }
}

/* FALSE: none of them makes it better. */
static gboolean
improve (TtMemberSets *sets, const GPtrArray *families, const GArray *candidates, GArray *chosen, TtChoice **choice)
{
  gboolean is_better = FALSE;
  g_autoptr (GArray) base = g_array_copy (chosen);

  for (guint i = 0; i < candidates->len; i++)
    {
      g_autoptr (GArray) tried = g_array_copy (base);

      add_family (tried, g_ptr_array_index (families, g_array_index (candidates, Candidate, i).index));
      if (tried->len == base->len)
        continue;
      TtChoice *other = tt_choice_new_pruned (sets, tried);
      if (other->price >= (*choice)->price)
        {
          tt_choice_free (other);
          continue;
        }
      is_better = TRUE;
      tt_choice_free (*choice);
      *choice = other;
      g_array_set_size (chosen, 0);
      g_array_append_vals (chosen, tried->data, tried->len);
    }
  return is_better;
}

static TtChoice *
infer (TtMemberSets *sets, const GPtrArray *families, const GArray *candidates, GArray *chosen)
{
  g_array_set_size (chosen, 0);
  add_family (chosen, g_ptr_array_index (families, 0));
  TtChoice *choice = tt_choice_new (sets, chosen);

  for (int i = 0; i < MAX_FAMILIES && improve (sets, families, candidates, chosen, &choice); i++)
    ;
  return choice;
}

void
tt_inference_init (TtInference *self, TtRankCalls *calls)
{
  self->sets = tt_member_sets_new (calls);
  self->chosen = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GPtrArray) families = tt_families_new (self->sets);
  g_autoptr (GArray) candidates = rank_candidates (self->sets, families);
  TtChoice *choice = infer (self->sets, families, candidates, self->chosen);

  tt_member_sets_learn (self->sets, choice->meeting_of);
  tt_choice_free (choice);
  self->choice = infer (self->sets, families, candidates, self->chosen);
}

void
tt_inference_init_with (TtInference *self,
                        TtRankCalls *calls,
                        const TtMemberSets *from,
                        const GArray *const *families,
                        guint n)
{
  self->sets = tt_member_sets_new (calls);
  self->chosen = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint f = 0; f < n; f++)
    for (guint i = 0; i < families[f]->len; i++)
      {
        const TtMemberSet *set = tt_member_set (from, g_array_index (families[f], guint32, i));
        guint32 number = tt_member_sets_add (self->sets, set->ranks, set->n);

        g_array_append_val (self->chosen, number);
      }
  TtChoice *choice = tt_choice_new (self->sets, self->chosen);
  tt_member_sets_learn (self->sets, choice->meeting_of);
  tt_choice_free (choice);
  self->choice = tt_choice_new (self->sets, self->chosen);
}

void
tt_inference_clear (TtInference *self)
{
  g_clear_pointer (&self->choice, tt_choice_free);
  g_clear_pointer (&self->chosen, g_array_unref);
  g_clear_pointer (&self->sets, tt_member_sets_free);
}

void
tt_inference_keep_better (TtInference *best, TtInference *other)
{
  TtInference worse = *best;

  if (other->choice->price >= best->choice->price)
    return;
  *best = *other;
  *other = worse;
}
