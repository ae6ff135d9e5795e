/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communicators/agreement.h"

#include "analyzers/communicators/rank-calls.h"
#include "src/base/array.h"

/* The k-th calls that ranks make of a kind. */
typedef struct
{
  guint n;
  gint64 last_begin_ns, first_end_ns;
} Round;

/* Of a rank, in the kind that is being read. */
typedef struct
{
  guint n;
  gint64 begin_ns; /* of the last of them */
} Caller;

typedef struct
{
  Caller *callers; /* by rank */
  GArray *rounds;  /* of Round */
  guint32 kind;
  gboolean agree;
} Agreement;

/* Nobody leaves before all have come, and all who call at all call as often. */
static void
end_kind (Agreement *self, const TtRankCalls *calls)
{
  guint n_callers = 0;

  for (guint32 rank = 0; rank < calls->n_ranks; rank++)
    {
      n_callers += self->callers[rank].n > 0;
      self->callers[rank].n = 0;
    }
  for (guint i = 0; i < self->rounds->len; i++)
    self->agree &= g_array_index (self->rounds, Round, i).n == n_callers;
  g_array_set_size (self->rounds, 0);
}

static void
take_call (TtRankCalls *calls, const TtRankCall *call, gpointer data)
{
  Agreement *self = data;

  if (!self->agree)
    return;
  if (call->kind != self->kind)
    end_kind (self, calls);
  self->kind = call->kind;
  Caller *caller = &self->callers[call->rank];
  self->agree &= caller->n == 0 || call->begin_ns > caller->begin_ns;
  caller->begin_ns = call->begin_ns;
  if (caller->n == self->rounds->len)
    g_array_set_size (self->rounds, self->rounds->len + 1);
  Round *round = &g_array_index (self->rounds, Round, caller->n++);
  round->last_begin_ns = round->n == 0 ? call->begin_ns : MAX (round->last_begin_ns, call->begin_ns);
  round->first_end_ns = round->n == 0 ? call->end_ns : MIN (round->first_end_ns, call->end_ns);
  round->n++;
  self->agree &= !call->is_synchronizing || round->last_begin_ns <= round->first_end_ns + calls->slack_ns;
}

gboolean
tt_rank_calls_agree (TtStore *store, gboolean *agree, GError **error)
{
  g_autoptr (TtRankCalls) calls = tt_rank_calls_begin (store, error);
  g_autoptr (GArray) rounds = g_array_new (FALSE, TRUE, sizeof (Round));

  if (calls == NULL)
    return FALSE;
  g_autofree Caller *callers = g_new0 (Caller, (gsize) calls->n_ranks + 1);
  Agreement self = { .callers = callers, .rounds = rounds, .agree = TRUE };
  if (!tt_rank_calls_each (calls, store, take_call, &self, error))
    return FALSE;
  end_kind (&self, calls);
  *agree = self.agree;
  return TRUE;
}
