/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/time-spread.h"

#include <string.h>

#define NEAR_NS (G_GUINT64_CONSTANT (3600) * 1000000000)
#define FAR_TIMES 1000u
#define DAY_NS (24 * NEAR_NS)
#define VERY_FAR_TIMES 1000000u
/* For each time that is far there are so many others, at least. */
#define OTHERS 3u

#define NEAR_BRIEF_NS G_GUINT64_CONSTANT (1000000000)
#define FAR_BRIEF_TIMES 10000u

static guint64
near_of (const TtTimeSpread *self)
{
  return self->is_brief ? NEAR_BRIEF_NS : NEAR_NS;
}

static guint64
gap_between (const TtTimeGroup *group, const TtTimeGroup *next)
{
  return (guint64) next->first_ns - (guint64) group->last_ns;
}

/* @i and the one after it. */
static void
join_groups (TtTimeSpread *self, guint i)
{
  self->groups[i].last_ns = self->groups[i + 1].last_ns;
  self->groups[i].n += self->groups[i + 1].n;
  memmove (&self->groups[i + 1], &self->groups[i + 2], (self->n - i - 2) * sizeof *self->groups);
  self->n--;
}

static void
join_closest (TtTimeSpread *self)
{
  guint closest = 0;

  for (guint i = 1; i + 1 < self->n; i++)
    if (gap_between (&self->groups[i], &self->groups[i + 1]) <
        gap_between (&self->groups[closest], &self->groups[closest + 1]))
      closest = i;
  join_groups (self, closest);
}

/* The first group that @ns is near to or before; n: it is after all. */
static guint
find_group (const TtTimeSpread *self, gint64 ns)
{
  guint i = 0;

  while (i < self->n && ns > self->groups[i].last_ns &&
         (guint64) ns - (guint64) self->groups[i].last_ns >= near_of (self))
    i++;
  return i;
}

/* Whether a time only makes the last group longer, as times in their order do. */
static inline gboolean
goes_on (const TtTimeSpread *self, gint64 ns)
{
  const TtTimeGroup *last = &self->groups[self->latest];

  return self->n > 0 && self->latest + 1 == self->n && ns > last->last_ns &&
         (guint64) ns - (guint64) last->last_ns < near_of (self);
}

void
tt_time_spread_insert (TtTimeSpread *self, gint64 ns)
{
  if (G_LIKELY (goes_on (self, ns)))
    {
      self->groups[self->latest].last_ns = ns;
      self->groups[self->latest].n++;
      return;
    }

  guint i = find_group (self, ns);
  TtTimeGroup *group = &self->groups[i];

  if (i < self->n && (ns >= group->first_ns || (guint64) group->first_ns - (guint64) ns < near_of (self)))
    {
      group->first_ns = MIN (group->first_ns, ns);
      group->last_ns = MAX (group->last_ns, ns);
      group->n++;
      while (i + 1 < self->n && gap_between (group, group + 1) < near_of (self))
        join_groups (self, i);
      self->latest = i;
      return;
    }
  if (self->n == TT_TIME_GROUPS)
    {
      join_closest (self);
      tt_time_spread_insert (self, ns);
      return;
    }
  memmove (&self->groups[i + 1], &self->groups[i], (self->n - i) * sizeof *self->groups);
  self->groups[i] = (TtTimeGroup){ ns, ns, 1 };
  self->n++;
  self->latest = i;
}

void
tt_time_spread_join (TtTimeSpread *self, const TtTimeSpread *other)
{
  for (guint k = 0; k < other->n; k++)
    {
      const TtTimeGroup *more = &other->groups[k];

      tt_time_spread_insert (self, more->first_ns);
      guint i = self->latest;
      TtTimeGroup *group = &self->groups[i];
      group->n += more->n - 1;
      group->last_ns = MAX (group->last_ns, more->last_ns);
      while (i + 1 < self->n &&
             (group[1].first_ns <= group->last_ns || gap_between (group, group + 1) < near_of (self)))
        {
          group[1].last_ns = MAX (group[1].last_ns, group->last_ns);
          join_groups (self, i);
        }
    }
}

/* -- the rest ------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint first, last; /* groups */
} Rest;

static guint64
count_times (const TtTimeSpread *self, guint from, guint to)
{
  guint64 n = 0;

  for (guint i = from; i < to; i++)
    n += self->groups[i].n;
  return n;
}

static gboolean
is_far (const TtTimeSpread *self, const Rest *rest, guint64 gap)
{
  guint64 reach = (guint64) self->groups[rest->last].last_ns - (guint64) self->groups[rest->first].first_ns;

  return gap >= near_of (self) && gap / (self->is_brief ? FAR_BRIEF_TIMES : FAR_TIMES) > reach;
}

/* Takes in what has many times, or is not far. */
static gboolean
widen (const TtTimeSpread *self, Rest *rest)
{
  if (rest->first > 0 &&
      (count_times (self, 0, rest->first) > TT_FEW_TIMES ||
       !is_far (self, rest, gap_between (&self->groups[rest->first - 1], &self->groups[rest->first]))))
    {
      rest->first--;
      return TRUE;
    }
  if (rest->last + 1 < self->n &&
      (count_times (self, rest->last + 1, self->n) > TT_FEW_TIMES ||
       !is_far (self, rest, gap_between (&self->groups[rest->last], &self->groups[rest->last + 1]))))
    {
      rest->last++;
      return TRUE;
    }
  return FALSE;
}

gboolean
tt_time_spread_rest (const TtTimeSpread *self, gint64 *first_ns, gint64 *last_ns)
{
  guint largest = 0;

  if (self->n < 2)
    return FALSE;
  for (guint i = 1; i < self->n; i++)
    if (self->groups[i].n > self->groups[largest].n)
      largest = i;
  Rest rest = { largest, largest };
  while (widen (self, &rest))
    ;
  guint64 n_rest = count_times (self, rest.first, rest.last + 1), n_far = count_times (self, 0, self->n) - n_rest;
  if (n_far == 0 || n_far > TT_FEW_TIMES || n_rest / OTHERS < n_far)
    return FALSE;
  *first_ns = self->groups[rest.first].first_ns;
  *last_ns = self->groups[rest.last].last_ns;
  return TRUE;
}

guint64
tt_time_spread_patience (gint64 first_ns, gint64 last_ns)
{
  guint64 reach = MIN ((guint64) last_ns - (guint64) first_ns, NEAR_NS);

  return CLAMP (reach * VERY_FAR_TIMES, DAY_NS, 30 * DAY_NS);
}
