/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communicators/one-communicator.h"

#include <string.h>

#include "src/trace/span.h"

/* Of fewer rounds any may be alike. */
#define MIN_STEADY_ROUNDS 6u

/* -- by clocks that were set ------------------------------------------------------------------------------------------ */

/* How far a rank's ends are from those of the first, from one round to the next. */
typedef struct
{
  guint n_rounds, n_steady;
  gint64 apart_ns;
} Steps;

/* All leave nearly at once: but for rare moments at which a clock is set ends stay apart by the same, by less than a
 * fourth of the time in the call. */
static void
take_step (Steps *steps, const TtRankCall *first, const TtRankCall *call)
{
  gint64 apart_ns = tt_time_since (call->end_ns, first->end_ns), change_ns = tt_time_since (apart_ns, steps->apart_ns);
  gint64 call_ns = MIN (tt_time_since (call->end_ns, call->begin_ns), tt_time_since (first->end_ns, first->begin_ns));
  gint64 limit_ns = MAX (2000, call_ns / 4);

  steps->n_steady += steps->n_rounds > 0 && change_ns <= limit_ns && change_ns >= -limit_ns;
  steps->n_rounds++;
  steps->apart_ns = apart_ns;
}

static gboolean
are_steady (const Steps *steps)
{
  return steps->n_rounds == 0 ||
         (steps->n_rounds >= MIN_STEADY_ROUNDS && steps->n_steady >= (steps->n_rounds - 1) * 4 / 5);
}

/* Of one rank: how its k-th calls of each kind end beside those of the first rank that makes such calls. */
static void
take_rank (const TtRankCalls *self, guint32 rank, guint32 *first_rank, guint32 *next, Steps *steps)
{
  memset (steps, 0, self->kinds->len * sizeof *steps);
  for (guint k = 0; k < self->kinds->len; k++)
    next[k] = first_rank[k] == TT_NO_RANK ? 0 : self->first[first_rank[k]];
  for (guint i = self->first[rank]; i < self->first[rank + 1]; i++)
    {
      const TtRankCall *call = tt_rank_call (self, i);
      guint32 *at = &next[call->kind];

      if (first_rank[call->kind] == TT_NO_RANK)
        first_rank[call->kind] = rank;
      if (first_rank[call->kind] == rank)
        continue;
      guint end = self->first[first_rank[call->kind] + 1];
      while (*at < end && tt_rank_call (self, *at)->kind != call->kind)
        ++*at;
      if (*at < end)
        take_step (&steps[call->kind], tt_rank_call (self, (*at)++), call);
    }
}

guint8 *
tt_rank_calls_find_steady (const TtRankCalls *self)
{
  guint n = self->kinds->len;
  g_autofree guint32 *first_rank = g_new (guint32, (gsize) n + 1), *next = g_new (guint32, (gsize) n + 1);
  g_autofree Steps *steps = g_new (Steps, (gsize) n + 1);
  guint8 *is_steady = g_new (guint8, (gsize) n + 1);

  memset (is_steady, 1, n);
  for (guint k = 0; k < n; k++)
    first_rank[k] = TT_NO_RANK;
  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    {
      take_rank (self, rank, first_rank, next, steps);
      for (guint k = 0; k < n; k++)
        is_steady[k] = is_steady[k] && are_steady (&steps[k]);
    }
  return is_steady;
}

/* -- by clocks that agree -------------------------------------------------------------------------------------------- */

/* The calls of one kind and ordinal. */
typedef struct
{
  guint n;
  gint64 last_begin_ns, first_end_ns;
} Round;

/* By kind: whether one communicator of all explains its calls. */
static void
judge_kinds (TtRankCalls *self, guint8 *agrees)
{
  g_autofree guint *n_of = g_new0 (guint, (gsize) self->kinds->len + 1),
                   *first = g_new0 (guint, (gsize) self->kinds->len + 2);
  g_autofree guint *n_callers = g_new0 (guint, (gsize) self->kinds->len + 1),
                   *n_total = g_new0 (guint, (gsize) self->kinds->len + 1);
  guint n_rounds = 0;

  memset (agrees, 1, self->kinds->len);
  for (guint i = 0; i < self->calls->len; i++)
    n_total[tt_rank_call (self, i)->kind]++;
  for (guint k = 0; k < self->kinds->len; k++)
    {
      first[k] = n_rounds;
      n_rounds += n_total[k];
    }
  g_autofree Round *rounds = g_new0 (Round, (gsize) n_rounds + 1);
  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    {
      memset (n_of, 0, self->kinds->len * sizeof *n_of);
      for (guint i = self->first[rank]; i < self->first[rank + 1]; i++)
        {
          const TtRankCall *call = tt_rank_call (self, i);
          Round *round = &rounds[first[call->kind] + n_of[call->kind]++];

          round->last_begin_ns = round->n == 0 ? call->begin_ns : MAX (round->last_begin_ns, call->begin_ns);
          round->first_end_ns = round->n == 0 ? call->end_ns : MIN (round->first_end_ns, call->end_ns);
          round->n++;
          if (call->is_synchronizing && round->last_begin_ns > round->first_end_ns + self->slack_ns)
            agrees[call->kind] = 0;
        }
      for (guint k = 0; k < self->kinds->len; k++)
        n_callers[k] += n_of[k] > 0;
    }
  for (guint k = 0; k < self->kinds->len; k++)
    for (guint i = 0; i < n_total[k] && rounds[first[k] + i].n > 0; i++)
      if (rounds[first[k] + i].n != n_callers[k])
        {
          agrees[k] = 0;
          self->is_uneven = TRUE;
        }
}

gboolean
tt_rank_calls_take_out_agreeing (TtRankCalls *self)
{
  g_autofree guint8 *agrees = g_new0 (guint8, (gsize) self->kinds->len + 1);

  judge_kinds (self, agrees);
  return tt_rank_calls_take_out (self, agrees);
}
