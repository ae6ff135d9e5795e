/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/communicators/agreement-shifts.h"

#include <stdlib.h>

#include "src/base/compare.h"
#include "src/trace/clock-map.h"
#include "src/trace/span.h"

/* Ends of as many calls of a rank are looked at. */
#define MAX_CALLS 64u

static int
compare_times (const void *a, const void *b)
{
  return TT_COMPARE (*(const gint64 *) a, *(const gint64 *) b);
}

/* When the rank's first calls of the kind ended, those that make communicators; how many. */
static guint
list_ends (const TtRankCalls *self, guint32 rank, gint64 ends_ns[MAX_CALLS])
{
  guint n = 0;

  for (guint i = self->first[rank]; i < self->first[rank + 1] && n < MAX_CALLS; i++)
    if (tt_rank_call_shape (self, tt_rank_call (self, i)) == TT_COLLECTIVE_AGREE)
      ends_ns[n++] = tt_rank_call (self, i)->end_ns;
  return n;
}

gint64 *
tt_rank_calls_find_agreement_shifts (const TtRankCalls *self)
{
  gint64 first_ns[MAX_CALLS], ends_ns[MAX_CALLS];
  guint n = self->n_ranks == 0 ? 0 : list_ends (self, 0, first_ns);
  g_autofree gint64 *shifts_ns = g_new0 (gint64, (gsize) self->n_ranks + 1);

  for (guint32 rank = 1; rank < self->n_ranks && n > 0; rank++)
    {
      if (list_ends (self, rank, ends_ns) != n)
        return NULL;
      for (guint i = 0; i < n; i++)
        ends_ns[i] = tt_time_since (first_ns[i], ends_ns[i]);
      qsort (ends_ns, n, sizeof *ends_ns, compare_times);
      shifts_ns[rank] = CLAMP (ends_ns[n / 2], -TT_CLOCK_MAX_SHIFT_NS, TT_CLOCK_MAX_SHIFT_NS);
    }
  return n == 0 ? NULL : g_steal_pointer (&shifts_ns);
}

void
tt_rank_calls_shift (TtRankCalls *self, const gint64 *shifts_ns)
{
  for (guint i = 0; i < self->calls->len; i++)
    {
      TtRankCall *call = tt_rank_call (self, i);

      call->begin_ns += shifts_ns[call->rank];
      call->end_ns += shifts_ns[call->rank];
      call->whole_end_ns += shifts_ns[call->rank];
    }
}
