/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/suggest/levels.h"

#include "src/base/progress.h"

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

static gboolean
try_level (TtLevels *self, TtPlan *plan, guint64 rate, gboolean is_window, GError **error)
{
  const GArray *units = self->trace->units;
  TtSamplingRule *rules = g_new (TtSamplingRule, units->len);

  for (guint i = 0; i < units->len; i++)
    {
      rules[i] = rule_of (MAX (g_array_index (units, TtPlanUnit, i).n_invocations, 1), rate, is_window && rate > 1);
      plan->rules[i] = rules[i].rate == 0 ? (TtSamplingRule) TT_SAMPLING_EVERYTHING : rules[i];
    }
  if (is_known (self, rules))
    {
      g_free (rules);
      return TRUE;
    }
  g_ptr_array_add (self->rules, rules);
  TtTrial *trial = tt_trial_new (self->trace, plan, error);
  if (trial != NULL)
    g_ptr_array_add (self->trials, trial);
  return trial != NULL;
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
  g_autoptr (TtPlan) plan = tt_plan_new (trace->domains, trace->pinsight, trace->units, trace->devices);
  guint64 most = 1;

  self->trace = trace;
  self->trials = g_ptr_array_new_with_free_func (free_trial);
  self->rules = g_ptr_array_new_with_free_func (g_free);
  self->unit_rows = g_ptr_array_new_with_free_func (free_rows);
  invert_rows (self);
  for (guint i = 0; i < trace->units->len; i++)
    most = MAX (most, g_array_index (trace->units, TtPlanUnit, i).n_invocations);
  double factor = pow ((double) most, 1.0 / MOST_RATES);
  g_autoptr (TtProgress) progress = tt_progress_new ("trying", 2 * MIN (most, MOST_RATES), "rules");
  for (guint64 rate = 1; rate <= most;
       rate = rate == most ? most + 1 : MIN (MAX (rate + 1, (guint64) ((double) rate * factor)), most))
    {
      if (tt_cancelled (error) || !try_level (self, plan, rate, FALSE, error) ||
          (rate > 1 && !try_level (self, plan, rate, TRUE, error)))
        return NULL;
      tt_progress_add (progress, 2);
    }
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
