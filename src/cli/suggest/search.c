/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/suggest/search.h"

#include <math.h>

static guint
n_levels (const TtSearch *self)
{
  return self->levels->trials->len;
}

/* Whether the row's imbalance is to stay as it is. */
gboolean
tt_search_row_counts (const TtSearch *self, guint row)
{
  const TtTrialRow *of = &g_array_index (self->trace->rows, TtTrialRow, row);
  const TtTrial *base = self->levels->trials->pdata[0];

  return !self->is_off[of->kind] && of->share >= self->goal->min_share && !isnan (base->imbalance[row]);
}

/* -- what levels cost --------------------------------------------------------------------------------------------- */

static void
weigh_cell (TtSearch *self, guint level, guint unit)
{
  const TtTrial *trial = self->levels->trials->pdata[level];
  const GArray *rows = self->levels->unit_rows->pdata[unit];
  double worst = 0, bytes = 0;

  for (guint i = 0; level > 0 && i < rows->len; i++)
    {
      guint row = g_array_index (rows, guint32, i);
      if (tt_search_row_counts (self, row))
        worst = MAX (worst, tt_levels_change (self->levels, trial, row));
    }
  for (guint i = 1; i < self->trace->kinds->len; i++)
    if (!self->is_off[i])
      bytes += tt_trial_count (self->trace, trial, unit, i) * tt_search_kind (self, i)->bytes;
  if (tt_levels_rule (self->levels, level, unit)->rate == 0 || self->is_forbidden[tt_search_cell (self, level, unit)])
    worst = INFINITY;
  self->worst[tt_search_cell (self, level, unit)] = worst;
  self->bytes[tt_search_cell (self, level, unit)] = bytes;
}

/* What units in common cost. */
static void
join_cells (TtSearch *self, guint level)
{
  guint n = self->trace->units->len;

  for (guint unit = 0; unit < n; unit++)
    {
      gsize at = tt_search_cell (self, level, self->leader_of[unit]), own = tt_search_cell (self, level, unit);
      if (at == own)
        continue;
      self->worst[at] = MAX (self->worst[at], self->worst[own]);
      self->bytes[at] += self->bytes[own];
    }
  for (guint unit = 0; unit < n; unit++)
    {
      gsize at = tt_search_cell (self, level, self->leader_of[unit]), own = tt_search_cell (self, level, unit);
      self->worst[own] = self->worst[at];
      self->bytes[own] = self->bytes[at];
    }
}

static void
weigh (TtSearch *self)
{
  for (guint i = 0; i < self->trace->kinds->len; i++)
    self->is_off[i] = tt_trial_is_off (self->plan, tt_search_kind (self, i));
  for (guint level = 0; level < n_levels (self); level++)
    {
      for (guint unit = 0; unit < self->trace->units->len; unit++)
        weigh_cell (self, level, unit);
      join_cells (self, level);
    }
}

static void
add_counts (const TtSearch *self, guint64 *counts, guint unit, guint level, gboolean is_taken_off)
{
  const TtTrial *trial = self->levels->trials->pdata[level];

  for (guint i = 1; i < self->trace->kinds->len; i++)
    if (!self->is_off[i] && is_taken_off)
      counts[i] -= tt_trial_count (self->trace, trial, unit, i);
    else if (!self->is_off[i])
      counts[i] += tt_trial_count (self->trace, trial, unit, i);
}

/* Spans of each kind with the levels that are chosen. Free it. */
static guint64 *
total_counts (const TtSearch *self)
{
  guint64 *counts = g_new0 (guint64, self->trace->kinds->len);

  for (guint unit = 0; unit <= self->trace->units->len; unit++)
    add_counts (self, counts, unit, unit < self->trace->units->len ? self->level_of[unit] : 0, FALSE);
  return counts;
}

guint64
tt_search_bytes (const TtSearch *self)
{
  g_autofree guint64 *counts = total_counts (self);

  return tt_trial_bytes (self->trace, counts);
}

/* -- which levels --------------------------------------------------------------------------------------------------- */

void
tt_search_smallest (TtSearch *self, double limit)
{
  for (guint unit = 0; unit < self->trace->units->len; unit++)
    {
      self->level_of[unit] = 0;
      for (guint level = 1; level < n_levels (self); level++)
        if (self->worst[tt_search_cell (self, level, unit)] <= limit &&
            self->bytes[tt_search_cell (self, level, unit)] <
                self->bytes[tt_search_cell (self, self->level_of[unit], unit)])
          self->level_of[unit] = level;
    }
}

static int
by_value (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static GArray *
list_limits (const TtSearch *self)
{
  GArray *limits = g_array_new (FALSE, FALSE, sizeof (double));
  gsize n = (gsize) n_levels (self) * self->trace->units->len;

  for (gsize i = 0; i < n; i++)
    if (self->worst[i] <= self->goal->limit)
      g_array_append_val (limits, self->worst[i]);
  g_array_sort (limits, by_value);
  return limits;
}

typedef struct
{
  double bytes;
  guint unit;
} Weight;

static int
by_weight (gconstpointer a, gconstpointer b)
{
  const Weight *x = a, *y = b;

  if (x->bytes < y->bytes || x->bytes > y->bytes)
    return x->bytes < y->bytes ? -1 : 1;
  return (x->unit > y->unit) - (x->unit < y->unit);
}

/* The units that @leader leads take the level, or give it up. */
static void
add_led (TtSearch *self, guint leader, guint level, gboolean is_taken_off, guint64 *counts)
{
  for (guint unit = leader; unit < self->trace->units->len; unit++)
    if (self->leader_of[unit] == leader)
      {
        self->level_of[unit] = level;
        add_counts (self, counts, unit, level, is_taken_off);
      }
}

/* The most that units may have, of what is left. @counts: of all units. */
static void
fill_units (TtSearch *self, guint leader, double limit, guint64 *counts)
{
  guint best = self->level_of[leader];

  add_led (self, leader, best, TRUE, counts);
  for (guint level = 0; level < n_levels (self); level++)
    {
      if (self->worst[tt_search_cell (self, level, leader)] > limit ||
          self->bytes[tt_search_cell (self, level, leader)] <= self->bytes[tt_search_cell (self, best, leader)])
        continue;
      add_led (self, leader, level, FALSE, counts);
      if (tt_trial_bytes (self->trace, counts) <= self->max_bytes)
        best = level;
      add_led (self, leader, level, TRUE, counts);
    }
  add_led (self, leader, best, FALSE, counts);
}

static void
fill (TtSearch *self, double limit)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (Weight));
  g_autofree guint64 *counts = total_counts (self);

  for (guint unit = 0; unit < self->trace->units->len; unit++)
    {
      const Weight weight = { self->bytes[tt_search_cell (self, 0, unit)], unit };
      if (self->leader_of[unit] == unit)
        g_array_append_val (order, weight);
    }
  g_array_sort (order, by_weight);
  for (guint i = 0; i < order->len; i++)
    fill_units (self, g_array_index (order, Weight, i).unit, limit, counts);
}

/* FALSE: no levels fit. */
gboolean
tt_search_levels (TtSearch *self)
{
  g_autoptr (GArray) limits = NULL;
  guint low = 0, high;

  weigh (self);
  limits = list_limits (self);
  tt_search_smallest (self, self->goal->limit);
  if (tt_search_bytes (self) > self->max_bytes)
    return FALSE;
  /* The smallest limit that fits; a larger one never takes more. */
  high = limits->len;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      tt_search_smallest (self, g_array_index (limits, double, middle));
      if (tt_search_bytes (self) <= self->max_bytes)
        high = middle;
      else
        low = middle + 1;
    }
  double limit = low < limits->len ? g_array_index (limits, double, low) : self->goal->limit;
  tt_search_smallest (self, limit);
  fill (self, limit);
  return TRUE;
}
