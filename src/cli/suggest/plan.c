/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/suggest/plan.h"

TtPlan *
tt_plan_new (const TtConfigDomains *domains, TtPInsight pinsight, const GArray *units, const gboolean *devices)
{
  TtPlan *self = g_new0 (TtPlan, 1);

  self->domains = domains;
  self->pinsight = pinsight;
  self->units = units;
  self->rules = g_new (TtSamplingRule, units->len);
  for (guint i = 0; i < units->len; i++)
    self->rules[i] = (TtSamplingRule) TT_SAMPLING_EVERYTHING;
  self->off = g_new0 (guint64, domains->domains->len);
  self->devices = g_memdup2 (devices, domains->domains->len * sizeof *devices);
  return self;
}

void
tt_plan_free (TtPlan *self)
{
  if (self == NULL)
    return;
  g_free (self->rules);
  g_free (self->off);
  g_free (self->devices);
  g_free (self);
}

gboolean
tt_plan_is_everything (const TtSamplingRule *rule)
{
  return rule->starts_at == 0 && rule->most < 0 && rule->rate <= 1;
}

static void
write_domain (const TtPlan *self, guint domain, GString *out)
{
  const TtConfigDomain *of = tt_config_domain (self->domains, domain);

  if (self->off[domain] == 0 && !self->devices[domain])
    return;
  g_string_append_printf (out, "\n[%s.default]\n", of->name);
  if (self->devices[domain])
    g_string_append (out, "  device_activity = on\n");
  for (guint i = 0; i < of->events->len; i++)
    if ((self->off[domain] >> i & 1) != 0)
      g_string_append_printf (out, "  %s = off\n", tt_config_event (of, i)->name);
}

static void
write_rule (const TtSamplingRule *rule, GString *out)
{
  g_string_append_printf (out,
                          "  trace_starts_at = %" G_GINT64_FORMAT "\n"
                          "  max_num_traces = %" G_GINT64_FORMAT "\n"
                          "  tracing_rate = %" G_GINT64_FORMAT "\n",
                          rule->starts_at, rule->most, rule->rate);
}

/* A section has a copy of the default of lexgions: those that are recorded whole need one where that is not. */
void
tt_plan_write (const TtPlan *self, const char *const *notes, GString *out)
{
  gboolean has_default = !tt_plan_is_everything (&self->rules[0]);
  /* The library changed the form of headers in February 2026. */
  gboolean is_newer = self->pinsight == TT_PINSIGHT_HEAD;

  for (guint i = 0; i < self->domains->domains->len; i++)
    write_domain (self, i, out);
  for (guint i = 0; i < self->units->len; i++)
    {
      const TtPlanUnit *unit = &g_array_index (self->units, TtPlanUnit, i);

      if (i == 0 ? !has_default : !has_default && tt_plan_is_everything (&self->rules[i]))
        continue;
      g_string_append_c (out, '\n');
      if (notes != NULL && notes[i] != NULL)
        g_string_append (out, notes[i]);
      if (i == 0)
        g_string_append (out, "[Lexgion.default]\n");
      else
        g_string_append_printf (out,
                                is_newer ? "[Lexgion(0x%" G_GINT64_MODIFIER "x)]: %s.default\n"
                                         : "[Lexgion(0x%" G_GINT64_MODIFIER "x): %s.default]\n",
                                unit->codeptr, tt_config_domain (self->domains, unit->domain)->name);
      write_rule (&self->rules[i], out);
    }
}
