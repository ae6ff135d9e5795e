/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communicators/joint.h"

#include <string.h>

#include "analyzers/communicators/agreement-shifts.h"
#include "analyzers/communicators/families.h"
#include "analyzers/communicators/meeting-shifts.h"
#include "src/base/array.h"

/* Calls looked at in all: some seconds. */
#define MAX_WORK 2000000u
#define N_ROUNDS 12
#define N_COARSE 6u /* beginnings for each way */
#define N_FINE 48u  /* and for the best */
#define N_BEST 6u
/* What the best must explain more than any other way, in bits. */
#define MIN_MARGIN 40.0
/* Below it those who met agree when they did. */
#define LAST_SLACK_NS 16000
#define RANDOM_SEED 1

/* By how much clocks are moved at random. */
static const gint64 scales_ns[] = { 64000, 128000, 256000, 512000 };

/* One or two families, and what explains the calls best by them. */
typedef struct
{
  const GArray *families[2];
  guint n;
  GArray *times; /* of TtRankCall: by which clocks */
  TtInference best;
} Way;

typedef struct
{
  TtRankCalls *calls;
  TtMemberSets *sets;
  GArray *times;     /* of TtRankCall: from which clocks are moved */
  GPtrArray *splits; /* of GArray: families that split the ranks, each once */
  GPtrArray *ways;   /* of Way */
  GRand *random;
} Joint;

static void
free_way (gpointer data)
{
  Way *way = data;

  g_array_unref (way->times);
  tt_inference_clear (&way->best);
  g_free (way);
}

/* -- ways to split the ranks ---------------------------------------------------------------------------------------- */

/* The set of each rank, as numbers from 1 in the order of ranks; NULL: sets overlap, or there is only one. */
static guint32 *
number_sets (const TtMemberSets *sets, const GArray *family)
{
  guint n_ranks = sets->calls->n_ranks;
  g_autofree guint32 *numbers = g_new0 (guint32, (gsize) n_ranks + 1);
  guint n = 0;

  for (guint i = 0; i < family->len; i++)
    {
      const TtMemberSet *set = tt_member_set (sets, g_array_index (family, guint32, i));

      for (guint m = 0; m < set->n; m++)
        {
          if (numbers[set->ranks[m]] != 0)
            return NULL;
          numbers[set->ranks[m]] = set->ranks[0] + 1;
        }
      n += set->n;
    }
  return n > 0 && family->len > 1 ? g_steal_pointer (&numbers) : NULL;
}

static void
list_splits (Joint *self, const GPtrArray *families)
{
  gsize size = (gsize) self->calls->n_ranks * sizeof (guint32);
  g_autoptr (GPtrArray) seen = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < families->len; i++)
    {
      guint32 *numbers = number_sets (self->sets, g_ptr_array_index (families, i));
      gboolean is_new = numbers != NULL;

      for (guint s = 0; s < seen->len && is_new; s++)
        is_new = memcmp (g_ptr_array_index (seen, s), numbers, size) != 0;
      if (is_new)
        {
          g_ptr_array_add (seen, numbers);
          g_ptr_array_add (self->splits, g_ptr_array_index (families, i));
        }
      else
        g_free (numbers);
    }
}

static void
list_ways (Joint *self)
{
  for (guint a = 0; a < self->splits->len; a++)
    for (guint b = a; b < self->splits->len; b++)
      {
        Way *way = g_new0 (Way, 1);

        way->families[0] = g_ptr_array_index (self->splits, a);
        way->families[1] = g_ptr_array_index (self->splits, b);
        way->n = a == b ? 1 : 2;
        way->times = g_array_copy (self->times);
        g_ptr_array_add (self->ways, way);
      }
}

/* -- trying them ------------------------------------------------------------------------------------------------------ */

static void
keep (Way *way, TtInference *found, const TtRankCalls *calls)
{
  if (way->best.choice != NULL && found->choice->price >= way->best.choice->price)
    return;
  TtInference worse = way->best;
  way->best = *found;
  *found = worse;
  g_array_set_size (way->times, 0);
  g_array_append_vals (way->times, calls->calls->data, calls->calls->len);
}

/* What calls may overlap by less than nothing is halved until it is hardly anything. */
static void
descend (Joint *self, Way *way, gint64 slack_ns)
{
  gboolean is_moved = TRUE;

  for (int i = 0; i < N_ROUNDS && (is_moved || slack_ns >= LAST_SLACK_NS); i++, slack_ns /= 2)
    {
      g_auto (TtInference) found = { .is_within = TRUE };

      self->calls->slack_ns = MAX (slack_ns, LAST_SLACK_NS);
      tt_inference_init_with (&found, self->calls, self->sets, way->families, way->n);
      is_moved = tt_rank_calls_align_by_meetings (self->calls, found.sets, found.choice);
      if (slack_ns <= LAST_SLACK_NS)
        keep (way, &found, self->calls);
    }
}

/* From the best clocks of the way so far, the first time as they are. */
static void
try_way (Joint *self, Way *way, guint n_beginnings)
{
  g_autofree gint64 *shifts_ns = g_new0 (gint64, (gsize) self->calls->n_ranks + 1);

  for (guint n = 0; n < n_beginnings; n++)
    {
      gint64 scale_ns = scales_ns[n % G_N_ELEMENTS (scales_ns)];

      for (guint32 i = 0; i < self->calls->n_ranks && way->best.choice != NULL; i++)
        shifts_ns[i] = g_rand_int_range (self->random, (gint32) -scale_ns, (gint32) scale_ns);
      memcpy (self->calls->calls->data, way->times->data, way->times->len * sizeof (TtRankCall));
      tt_rank_calls_shift (self->calls, shifts_ns);
      descend (self, way, 2 * scale_ns);
    }
}

static int
compare_ways (gconstpointer a, gconstpointer b)
{
  const Way *x = *(Way *const *) a, *y = *(Way *const *) b;

  if (x->best.choice->price != y->best.choice->price)
    return x->best.choice->price < y->best.choice->price ? -1 : 1;
  return x->n != y->n ? (x->n < y->n ? -1 : 1) : 0;
}

/* -- which it was ------------------------------------------------------------------------------------------------------ */

static gboolean
uses (const TtInference *inference, const guint32 *ranks, guint n)
{
  for (guint i = 0; i < inference->chosen->len; i++)
    {
      guint32 number = g_array_index (inference->chosen, guint32, i);
      const TtMemberSet *set = tt_member_set (inference->sets, number);

      if (set->n == n && memcmp (set->ranks, ranks, n * sizeof *ranks) == 0)
        return inference->choice->n_used[number] > 0;
    }
  return FALSE;
}

/* Whether all communicators of the one are of the other. */
static gboolean
is_part_of (const TtInference *part, const TtInference *whole)
{
  for (guint i = 0; i < part->chosen->len; i++)
    {
      guint32 number = g_array_index (part->chosen, guint32, i);
      const TtMemberSet *set = tt_member_set (part->sets, number);

      if (part->choice->n_used[number] > 0 && !uses (whole, set->ranks, set->n))
        return FALSE;
    }
  return TRUE;
}

static gboolean
stands_out (const GPtrArray *ways)
{
  const TtInference *best = &((const Way *) g_ptr_array_index (ways, 0))->best;

  for (guint i = 1; i < ways->len; i++)
    {
      const TtInference *other = &((const Way *) g_ptr_array_index (ways, i))->best;

      if (other->choice->price < best->choice->price + MIN_MARGIN &&
          !(is_part_of (best, other) && is_part_of (other, best)))
        return FALSE;
    }
  return TRUE;
}

void
tt_joint_infer (TtInference *found, TtRankCalls *calls)
{
  g_autoptr (TtMemberSets) sets = tt_member_sets_new (calls);
  g_autoptr (GPtrArray) families = tt_families_new (sets);
  g_autoptr (GPtrArray) splits = g_ptr_array_new (), ways = g_ptr_array_new_with_free_func (free_way);
  g_autoptr (GArray) times = g_array_copy (calls->calls);
  g_autoptr (GRand) random = g_rand_new_with_seed (RANDOM_SEED);
  Joint self = { calls, sets, times, splits, ways, random };

  list_splits (&self, families);
  guint64 n_ways = (guint64) splits->len * (splits->len + 1) / 2, work = n_ways * N_ROUNDS * calls->calls->len;
  if (work == 0 || work * N_COARSE > MAX_WORK)
    return;
  list_ways (&self);
  for (guint i = 0; i < ways->len; i++)
    try_way (&self, g_ptr_array_index (ways, i), N_COARSE);
  g_ptr_array_sort (ways, compare_ways);
  for (guint i = 0; i < MIN (ways->len, N_BEST); i++)
    try_way (&self, g_ptr_array_index (ways, i), N_FINE);
  g_ptr_array_sort (ways, compare_ways);
  if (!stands_out (ways))
    return;
  Way *best = g_ptr_array_index (ways, 0);
  *found = best->best;
  best->best = (TtInference){ NULL };
}
