/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/suggest/search.h"

#include "src/base/error.h"

#include <math.h>
#include <string.h>

/* Units can influence each other (regions that run the same work, regions within regions): so often what proves wrong is
 * not chosen again. */
#define MOST_TRIES 16u

/* -- which events ---------------------------------------------------------------------------------------------------- */

static void
turn (TtSearch *self, guint kind, gboolean on)
{
  const TtOperation *operation = &tt_search_kind (self, kind)->operation;

  if (operation->role == TT_ROLE_DEVICE)
    self->plan->devices[operation->domain] = on;
  else if (on)
    self->plan->off[operation->domain] &= ~operation->events;
  else
    self->plan->off[operation->domain] |= operation->events;
}

static gboolean
has_regions (const TtSearch *self)
{
  for (guint i = 1; i < self->trace->kinds->len; i++)
    if (tt_search_kind (self, i)->operation.role == TT_ROLE_REGION && tt_search_kind (self, i)->n > 0)
      return TRUE;
  return FALSE;
}

static gboolean
may_be_off (const TtTrialKind *kind)
{
  switch (kind->operation.role)
    {
    case TT_ROLE_CALL:
    case TT_ROLE_WORK:
    case TT_ROLE_MASKED:
    case TT_ROLE_INSIDE:
    case TT_ROLE_WAIT:
      return kind->n > 0 && kind->operation.events != 0 && strcmp (kind->name, "omp_implicit_task") != 0;
    case TT_ROLE_DEVICE:
      return kind->n > 0;
    default:
      return FALSE;
    }
}

/* The next of those that are on, in the order of loss; 0: none. Something stays. */
static guint
next_kind (const TtSearch *self)
{
  guint best = 0, n = 0;

  for (guint i = 1; i < self->trace->kinds->len; i++)
    {
      const TtTrialKind *kind = tt_search_kind (self, i), *other = tt_search_kind (self, best);
      gboolean is_wait = kind->operation.role == TT_ROLE_WAIT;

      if (!may_be_off (kind) || tt_trial_is_off (self->plan, kind))
        continue;
      n++;
      double rate = (double) kind->total_ns / ((double) kind->n * kind->bytes + 1);
      double least = (double) other->total_ns / ((double) other->n * other->bytes + 1);
      gboolean best_is_wait = best > 0 && other->operation.role == TT_ROLE_WAIT;
      if (best == 0 || (is_wait && !best_is_wait) || (is_wait == best_is_wait && rate < least))
        best = i;
    }
  return n > 1 || has_regions (self) ? best : 0;
}

/* Turns off what is needed. FALSE: all of it is off, and it is not enough. */
static gboolean
choose_kinds (TtSearch *self)
{
  while (!tt_search_levels (self))
    {
      guint kind = next_kind (self);

      if (kind == 0)
        return FALSE;
      turn (self, kind, FALSE);
      g_array_append_val (self->off, kind);
    }
  /* What is not needed any more is on, the most valuable first. */
  for (guint i = self->off->len; i-- > 0;)
    {
      guint kind = g_array_index (self->off, guint, i);
      turn (self, kind, TRUE);
      for (guint k = 0; k < self->off->len; k++)
        if (k != i && g_array_index (self->off, guint, k) != 0)
          turn (self, g_array_index (self->off, guint, k), FALSE);
      if (tt_search_levels (self))
        g_array_index (self->off, guint, i) = 0;
      else
        turn (self, kind, FALSE);
    }
  return tt_search_levels (self);
}

/* -- the answer -------------------------------------------------------------------------------------------------------- */

/* From now on the units of the row have one level. FALSE: they have already. */
static gboolean
join_units (TtSearch *self, guint row)
{
  const GArray *units = self->trace->row_units->pdata[row];
  gboolean is_new = FALSE;

  for (guint i = 1; i < units->len; i++)
    {
      guint one = self->leader_of[g_array_index (units, guint32, 0)];
      guint other = self->leader_of[g_array_index (units, guint32, i)];
      is_new |= one != other;
      for (guint unit = 0; one != other && unit < self->trace->units->len; unit++)
        if (self->leader_of[unit] == MAX (one, other))
          self->leader_of[unit] = MIN (one, other);
    }
  return is_new;
}

/* What was chosen for the units of the row is not chosen again. FALSE: nothing was. */
static gboolean
forbid_row (TtSearch *self, guint row)
{
  const GArray *units = self->trace->row_units->pdata[row];
  gboolean is_any = FALSE;

  for (guint i = 0; i < units->len; i++)
    {
      guint unit = g_array_index (units, guint32, i);
      is_any |= self->level_of[unit] > 0;
      if (self->level_of[unit] > 0)
        self->is_forbidden[tt_search_cell (self, self->level_of[unit], unit)] = TRUE;
    }
  return is_any;
}

static void
measure (const TtSearch *self, TtSuggestion *choice)
{
  g_autofree guint64 *counts = g_new0 (guint64, self->trace->kinds->len);

  for (guint unit = 0; unit <= self->trace->units->len; unit++)
    for (guint i = 1; i < self->trace->kinds->len; i++)
      counts[i] += tt_trial_count (self->trace, choice->trial, unit, i);
  choice->bytes = tt_trial_bytes (self->trace, counts);
  choice->row = G_MAXUINT;
  choice->change = 0;
  choice->n_lost = choice->n_exempt = 0;
  for (guint row = 0; row < self->trace->rows->len; row++)
    {
      double change = tt_levels_change (self->levels, choice->trial, row);
      if (isinf (change))
        choice->n_lost++;
      if (!tt_search_row_counts (self, row))
        choice->n_exempt +=
            !self->is_off[g_array_index (self->trace->rows, TtTrialRow, row).kind] && change > self->goal->limit;
      else if (change > choice->change)
        {
          choice->change = change;
          choice->row = row;
        }
    }
}

/* Whether the trial of the whole plan has the counts of the levels that it is made of. */
static gboolean
is_as_levels (const TtSearch *self, const TtTrial *trial)
{
  for (guint unit = 0; unit <= self->trace->units->len; unit++)
    {
      const TtTrial *level = self->levels->trials->pdata[unit < self->trace->units->len ? self->level_of[unit] : 0];
      for (guint i = 1; i < self->trace->kinds->len; i++)
        if (!self->is_off[i] &&
            tt_trial_count (self->trace, trial, unit, i) != tt_trial_count (self->trace, level, unit, i))
          return FALSE;
    }
  return TRUE;
}

/* Tries the plan whole. NULL without @error: it proved wrong, and is not chosen again. *is_over: nor is another. */
static TtSuggestion *
prove (TtSearch *self, gboolean *is_over, GError **error)
{
  g_autoptr (TtSuggestion) choice = g_new0 (TtSuggestion, 1);
  gboolean was_swept = self->levels->is_swept;

  for (guint unit = 0; unit < self->trace->units->len; unit++)
    self->plan->rules[unit] = *tt_levels_rule (self->levels, self->level_of[unit], unit);
  choice->trial = tt_trial_new (self->trace, self->plan, error);
  if (choice->trial == NULL ||
      (self->levels->is_swept && !is_as_levels (self, choice->trial) && !tt_levels_try (self->levels, error)))
    return NULL;
  if (was_swept && !self->levels->is_swept)
    return NULL;
  measure (self, choice);
  if (choice->change > self->goal->limit)
    {
      *is_over = !join_units (self, choice->row) && !forbid_row (self, choice->row);
      return NULL;
    }
  if (choice->bytes > self->goal->max_bytes)
    {
      guint64 excess = choice->bytes - self->goal->max_bytes;
      *is_over = self->max_bytes <= excess;
      self->max_bytes -= MIN (excess, self->max_bytes);
      return NULL;
    }
  choice->plan = g_steal_pointer (&self->plan);
  return g_steal_pointer (&choice);
}

static void
search_init (TtSearch *self, TtLevels *levels, const TtSuggestionGoal *goal)
{
  gsize n = (gsize) levels->trials->len * levels->trace->units->len;

  *self = (TtSearch){ .levels = levels, .trace = levels->trace, .goal = goal, .max_bytes = goal->max_bytes };
  self->is_off = g_new0 (gboolean, self->trace->kinds->len);
  self->off = g_array_new (FALSE, FALSE, sizeof (guint));
  self->is_forbidden = g_new0 (guint8, n);
  self->worst = g_new (double, n);
  self->bytes = g_new (double, n);
  self->level_of = g_new0 (guint, self->trace->units->len);
  self->leader_of = g_new0 (guint, self->trace->units->len);
  for (guint unit = 0; unit < self->trace->units->len; unit++)
    self->leader_of[unit] = unit;
}

static void
search_clear (TtSearch *self)
{
  g_clear_pointer (&self->plan, tt_plan_free);
  g_free (self->is_off);
  g_array_unref (self->off);
  g_free (self->is_forbidden);
  g_free (self->worst);
  g_free (self->bytes);
  g_free (self->level_of);
  g_free (self->leader_of);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtSearch, search_clear)

TtSuggestion *
tt_suggestion_new (TtLevels *levels, const TtSuggestionGoal *goal, guint64 *smallest, GError **error)
{
  const TtTrialTrace *trace = levels->trace;
  g_auto (TtSearch) self = { 0 };
  gboolean is_over = FALSE;

  search_init (&self, levels, goal);
  *smallest = 0;
  for (guint i = 0; i < MOST_TRIES && !is_over; i++)
    {
      GError *fault = NULL;

      g_clear_pointer (&self.plan, tt_plan_free);
      self.plan = tt_plan_new (trace->domains, trace->pinsight, trace->units, trace->devices);
      g_array_set_size (self.off, 0);
      if (!choose_kinds (&self))
        {
          tt_search_smallest (&self, goal->limit);
          *smallest = tt_search_bytes (&self);
          return NULL;
        }
      TtSuggestion *choice = prove (&self, &is_over, &fault);
      if (choice != NULL)
        return choice;
      if (fault != NULL)
        {
          g_propagate_error (error, fault);
          return NULL;
        }
    }
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
               "no configuration that was tried keeps both the size and the imbalance: lexgions depend on each other");
  return NULL;
}

void
tt_suggestion_free (TtSuggestion *self)
{
  if (self == NULL)
    return;
  tt_plan_free (self->plan);
  tt_trial_free (self->trial);
  g_free (self);
}
