/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSpread: how values of a group are spread: exact count, sum, least, middle and greatest; standard deviation of the
 * sample.
 */
#pragma once

#include "src/base/int128.h"
#include <glib.h>

typedef struct
{
  guint64 n; /* 0: the rest means nothing */
  tt_int128 sum;
  gint64 min, max;
  double median; /* of an even number of values the mean of the two in the middle */
  double stddev; /* of the sample (n - 1); 0 of one */
} TtSpread;

static inline double
tt_spread_mean (const TtSpread *self)
{
  return self->n == 0 ? 0 : (double) self->sum / (double) self->n;
}

/* Values of groups 0, 1, 2 ... in bounded memory but for some 80 bytes a group. */
typedef struct _TtSpreads TtSpreads;

TtSpreads *tt_spreads_new (void);
void tt_spreads_free (TtSpreads *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSpreads, tt_spreads_free)

void tt_spreads_add (TtSpreads *self, guint32 group, gint64 value);
gboolean tt_spreads_finish (TtSpreads *self, GError **error);
/* After finish. */
guint tt_spreads_n_groups (const TtSpreads *self);
const TtSpread *tt_spreads_get (const TtSpreads *self, guint32 group);
