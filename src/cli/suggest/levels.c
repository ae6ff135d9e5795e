/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/suggest/levels.h"

#include "src/base/progress.h"
#include "src/cli/suggest/sweep.h"

#include <math.h>
#include <string.h>

/* Rates that are tried: all of few invocations, so many of more, in equal ratios. */
#define MOST_RATES 16u

/* What one of @rate invocations is as a rule for a unit. */
static TtSamplingRule
rule_of (guint64 n_invocations, guint64 rate, gboolean is_window)
{
  gint64 n = (gint64) MIN (n_invocations, G_MAXINT32), most = (n + (gint64) rate - 1) / (gint64) rate;

  if (n < (gint64) rate)
    return (TtSamplingRule){ 0, -1, 0 };
  return is_window ? (TtSamplingRule){ (n - most) / 2, most, 1 } : (TtSamplingRule){ 0, -1, (gint64) rate };
}

/* Whether these are the rules of a level: near rates have windows of one width. */
static gboolean
is_known (const TtLevels *self, const TtSamplingRule *rules)
{
  for (guint level = 0; level < self->rules->len; level++)
    {
      guint unit = 0;

      while (unit < self->trace->units->len &&
             memcmp (tt_levels_rule (self, level, unit), &rules[unit], sizeof *rules) == 0)
        unit++;
      if (unit == self->trace->units->len)
        return TRUE;
    }
  return FALSE;
}

static void
add_level (TtLevels *self, guint64 rate, gboolean is_window)
{
  const GArray *units = self->trace->units;
  TtSamplingRule *rules = g_new (TtSamplingRule, units->len);

  for (guint i = 0; i < units->len; i++)
    rules[i] = rule_of (MAX (g_array_index (units, TtPlanUnit, i).n_invocations, 1), rate, is_window && rate > 1);
  if (is_known (self, rules))
    g_free (rules);
  else
    g_ptr_array_add (self->rules, rules);
}

gboolean
tt_levels_try (TtLevels *self, GError **error)
{
  const TtTrialTrace *trace = self->trace;
  g_autoptr (TtPlan) plan = tt_plan_new (trace->domains, trace->pinsight, trace->units, trace->devices);
  g_autoptr (TtProgress) progress = tt_progress_new ("trying", self->rules->len, "rules");

  self->is_swept = FALSE;
  g_ptr_array_set_size (self->trials, 0);
  for (guint level = 0; level < self->rules->len; level++)
    {
      for (guint i = 0; i < trace->units->len; i++)
        {
          const TtSamplingRule *rule = tt_levels_rule (self, level, i);
          plan->rules[i] = rule->rate == 0 ? (TtSamplingRule) TT_SAMPLING_EVERYTHING : *rule;
        }
      TtTrial *trial = tt_cancelled (error) ? NULL : tt_trial_new (trace, plan, error);
      if (trial == NULL)
        return FALSE;
      g_ptr_array_add (self->trials, trial);
      tt_progress_add (progress, 1);
    }
  return TRUE;
}

/* All of them in one reading, where that tells. */
static gboolean
sweep (TtLevels *self, GError **error)
{
  GError *fault = NULL;
  GPtrArray *trials = tt_sweep_trials (self->trace, self->rules, &fault);

  if (fault != NULL)
    {
      g_propagate_error (error, fault);
      return FALSE;
    }
  if (trials == NULL)
    return tt_levels_try (self, error);
  g_ptr_array_unref (self->trials);
  self->trials = trials;
  self->is_swept = TRUE;
  return TRUE;
}

static void
invert_rows (TtLevels *self)
{
  for (guint i = 0; i < self->trace->units->len; i++)
    g_ptr_array_add (self->unit_rows, g_array_new (FALSE, FALSE, sizeof (guint32)));
  for (guint32 row = 0; row < self->trace->rows->len; row++)
    {
      const GArray *units = self->trace->row_units->pdata[row];
      for (guint i = 0; i < units->len; i++)
        g_array_append_val (((GArray *) self->unit_rows->pdata[g_array_index (units, guint32, i)]), row);
    }
}

static void
free_trial (gpointer trial)
{
  tt_trial_free (trial);
}

static void
free_rows (gpointer rows)
{
  g_array_unref (rows);
}

TtLevels *
tt_levels_new (const TtTrialTrace *trace, GError **error)
{
  g_autoptr (TtLevels) self = g_new0 (TtLevels, 1);
  guint64 most = 1;

  self->trace = trace;
  self->trials = g_ptr_array_new_with_free_func (free_trial);
  self->rules = g_ptr_array_new_with_free_func (g_free);
  self->unit_rows = g_ptr_array_new_with_free_func (free_rows);
  invert_rows (self);
  for (guint i = 0; i < trace->units->len; i++)
    most = MAX (most, g_array_index (trace->units, TtPlanUnit, i).n_invocations);
  double factor = pow ((double) most, 1.0 / MOST_RATES);
  for (guint64 rate = 1; rate <= most;
       rate = rate == most ? most + 1 : MIN (MAX (rate + 1, (guint64) ((double) rate * factor)), most))
    {
      add_level (self, rate, FALSE);
      if (rate > 1)
        add_level (self, rate, TRUE);
    }
  if (!sweep (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_levels_free (TtLevels *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->trials);
  g_ptr_array_unref (self->rules);
  g_ptr_array_unref (self->unit_rows);
  g_free (self);
}

double
tt_levels_change (const TtLevels *self, const TtTrial *trial, guint row)
{
  double now = trial->imbalance[row];

  return isnan (now) ? INFINITY : fabs (now - g_array_index (self->trace->rows, TtTrialRow, row).imbalance);
}
