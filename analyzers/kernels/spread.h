/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSpread: how values of a group are spread: exact count, sum, least, middle and greatest; standard deviation of the
 * sample.
 */
#pragma once

#include "src/base/packed.h"

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
/* Instead of finish: what was added, as bytes. Appends at most @max_values of them; *@n_values: how many there are. FALSE: @error. */
gboolean tt_spreads_pack (TtSpreads *self, GByteArray *bytes, guint64 max_values, guint64 *n_values, GError **error);
/* Adds what another has packed: of its group i what is here @groups[i], or, if that is NULL, i; below @n. What cannot be right is bad. */
void tt_spreads_unpack (TtSpreads *self, TtUnpack *from, const guint32 *groups, guint32 n);
gboolean tt_spreads_finish (TtSpreads *self, GError **error);
/* After finish. */
guint tt_spreads_n_groups (const TtSpreads *self);
const TtSpread *tt_spreads_get (const TtSpreads *self, guint32 group);
