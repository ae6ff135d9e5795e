/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/suggest/sweep.h"

#include "formats/pinsight/span-facts.h"

typedef struct
{
  const TtTrialTrace *trace;
  const GPtrArray *rules;
  GPtrArray *trials;
  guint64 left;     /* events that come before the one that is asked for */
  GHashTable *seen; /* of TtTrialSite: invocations from there on, of those that are not numbered */
  gboolean is_unfit;
} Sweep;

static guint64
all_levels (const Sweep *self)
{
  return self->rules->len == 64 ? G_MAXUINT64 : (G_GUINT64_CONSTANT (1) << self->rules->len) - 1;
}

/* Whether the rule records the invocation @number, from 1. */
static gboolean
records (const TtSamplingRule *rule, gint64 number)
{
  gint64 rate = MAX (rule->rate, 1), first = MAX (rule->starts_at + 1, rate);

  return number >= first && (number - first) % rate == 0 && (rule->most < 0 || (number - first) / rate < rule->most);
}

static guint64
levels_of (const Sweep *self, guint unit, gint64 number)
{
  guint64 mask = 0;

  for (guint level = 0; level < self->rules->len; level++)
    {
      const TtSamplingRule *rule = (const TtSamplingRule *) self->rules->pdata[level] + unit;
      /* Rate 0: there is none, and all is recorded. */
      if (rule->rate == 0 || records (rule, number))
        mask |= G_GUINT64_CONSTANT (1) << level;
    }
  return mask;
}

/* Of one that has none, by its place among those of its site. */
static gint64
count_back (Sweep *self, guint64 codeptr, guint32 thread)
{
  const TtTrialSite key = { .codeptr = codeptr, .thread = thread };
  const TtTrialSite *site = g_hash_table_lookup (self->trace->sites, &key);
  gpointer seen = g_hash_table_lookup (self->seen, site);

  if (site == NULL)
    return -1;
  g_hash_table_insert (self->seen, (gpointer) site, GSIZE_TO_POINTER (GPOINTER_TO_SIZE (seen) + 1));
  return (gint64) site->n - (gint64) GPOINTER_TO_SIZE (seen);
}

static guint64
ask (Sweep *self, const TtEvent *event, guint unit)
{
  TtOperationRole role = (TtOperationRole) self->trace->role_of[event->name];
  TtSpanFacts facts = TT_SPAN_FACTS_INIT;
  gint64 number = -1;

  if (role == TT_ROLE_NONE)
    return 0;
  if (role == TT_ROLE_PLAIN || role == TT_ROLE_DEVICE)
    return all_levels (self);
  if (event->args != NULL)
    tt_span_facts_read (&facts, event->args, event->args_len);
  if (role == TT_ROLE_CALL && !facts.is_callee)
    number = facts.record_id;
  else if (role == TT_ROLE_REGION)
    number = facts.parallel_record_id >= 0 ? facts.parallel_record_id : facts.record_id;
  else if (role != TT_ROLE_CALL && role != TT_ROLE_CALLEE && role != TT_ROLE_END)
    {
      /* The initial region is never recorded. */
      if (facts.parallel_codeptr == 0 && facts.parallel_record_id >= 0)
        return 0;
      number = facts.parallel_record_id;
    }
  if (number < 0 && (role == TT_ROLE_REGION || (role == TT_ROLE_CALL && !facts.is_callee)))
    number = count_back (self, facts.codeptr, event->thread);
  self->is_unfit |= number < 1;
  return number < 1 ? 0 : levels_of (self, unit < self->trace->units->len ? unit : 0, number);
}

static guint64
mask_of (const TtEvent *event, gpointer data)
{
  Sweep *self = data;
  const TtTrialTrace *trace = self->trace;

  if (self->left == 0 || event->name > tt_store_max_name (trace->store) || self->is_unfit)
    {
      self->is_unfit = TRUE;
      return 0;
    }
  self->left--;
  guint unit = MIN (trace->unit_of[self->left], trace->units->len);
  guint64 mask = ask (self, event, unit);
  guint kind = trace->kind_of[event->name];
  for (guint level = 0; kind != TT_CTF_NO_KIND && level < self->rules->len; level++)
    if ((mask >> level & 1) != 0)
      {
        TtTrial *trial = self->trials->pdata[level];
        trial->counts[(gsize) unit * trace->kinds->len + kind]++;
        trial->n_kept++;
      }
  return mask;
}

static void
free_trial (gpointer trial)
{
  tt_trial_free (trial);
}

GPtrArray *
tt_sweep_trials (const TtTrialTrace *trace, const GPtrArray *rules, GError **error)
{
  g_autoptr (GPtrArray) trials = g_ptr_array_new_with_free_func (free_trial);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_direct_hash, g_direct_equal);
  Sweep self = { .trace = trace, .rules = rules, .trials = trials, .left = trace->n, .seen = seen };

  if (rules->len > 64)
    return NULL;
  for (guint level = 0; level < rules->len; level++)
    g_ptr_array_add (trials, tt_trial_new_empty (trace));
  g_autoptr (GPtrArray) tables = tt_lexgions_new_each (trace->store, rules->len, mask_of, &self, error);
  if (tables == NULL || self.is_unfit)
    return NULL;
  for (guint level = 0; level < rules->len; level++)
    tt_trial_take_rows (trials->pdata[level], trace, tables->pdata[level]);
  return g_steal_pointer (&trials);
}
