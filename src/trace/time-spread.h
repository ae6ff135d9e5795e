/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTimeSpread: where the times of a source lie, and which few of them are far from all others.
 *
 * Times less than an hour apart make one group. A zeroed spread is an empty one; it owns nothing. Of more than
 * TT_TIME_GROUPS groups the closest are joined: what is far away stays apart.
 */
#pragma once

#include <glib.h>

#define TT_TIME_GROUPS 64
/* So many times at most may be far from all others: more are no accident. A span has two. */
#define TT_FEW_TIMES 16

typedef struct
{
  gint64 first_ns, last_ns;
  guint64 n;
} TtTimeGroup;

typedef struct
{
  TtTimeGroup groups[TT_TIME_GROUPS]; /* in order */
  guint n;
  guint latest;      /* the one that got the last time */
  gboolean is_brief; /* of what is known to be short: a second is far, and 10,000 times as far as the others reach */
} TtTimeSpread;

void tt_time_spread_insert (TtTimeSpread *self, gint64 ns);

static inline void
tt_time_spread_add (TtTimeSpread *self, gint64 ns)
{
  TtTimeGroup *group = &self->groups[self->latest];

  if (G_LIKELY (ns >= group->first_ns && ns <= group->last_ns && group->n > 0))
    group->n++;
  else
    tt_time_spread_insert (self, ns);
}

/* Adds the times of @other. */
void tt_time_spread_join (TtTimeSpread *self, const TtTimeSpread *other);

/* TRUE: a few times are an hour or more, and 1,000 times as far as the others reach, from all others, which lie in
 * [*first_ns, *last_ns]. */
gboolean tt_time_spread_rest (const TtTimeSpread *self, gint64 *first_ns, gint64 *last_ns);
/* How far from the others what may have waited long is allowed to be: 1,000,000 times as far as they reach, but a day to
 * 30 days. */
guint64 tt_time_spread_patience (gint64 first_ns, gint64 last_ns);
