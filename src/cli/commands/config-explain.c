/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/commands/config.h"

#include "src/cli/config-apply.h"
#include "src/cli/config-file.h"
#include "src/base/output.h"
#include "src/base/suggest.h"

#include <string.h>

typedef struct
{
  char *domains_path, *lexgion_text, *punit_text, *event_text, *missing_text;
  gboolean unknown_matches;
  const TtConfig *config;
  gint64 *punits;
  guint64 address; /* 0: a name, or nothing */
  const char *name;
  int domain, event; /* of --event; -1: not given */
  GString *out;
} Explain;

static void
explain_clear (Explain *self)
{
  g_free (self->domains_path);
  g_free (self->lexgion_text);
  g_free (self->punit_text);
  g_free (self->event_text);
  g_free (self->missing_text);
  g_free (self->punits);
  if (self->out != NULL)
    g_string_free (self->out, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Explain, explain_clear)

/* -- what was asked ------------------------------------------------------------------------------- */

static gboolean
parse_lexgion (Explain *self, GError **error)
{
  const char *text = self->lexgion_text;

  if (text == NULL || !(text[0] == '0' && (text[1] == 'x' || text[1] == 'X')))
    {
      self->name = text;
      return TRUE;
    }
  if (g_ascii_string_to_unsigned (text + 2, 16, 1, G_MAXUINT64, &self->address, NULL))
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is no code pointer; write it as 0x4010bd", text);
  return FALSE;
}

/* "NAME" or "DOMAIN.NAME" */
static gboolean
parse_event (Explain *self, GError **error)
{
  const TtConfigDomains *domains = self->config->domains;
  const char *dot = self->event_text == NULL ? NULL : strchr (self->event_text, '.');
  const char *name = dot != NULL ? dot + 1 : self->event_text;
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  self->domain = self->event = -1;
  if (name == NULL)
    return TRUE;
  for (guint i = 0; i < domains->domains->len; i++)
    {
      const TtConfigDomain *domain = tt_config_domain (domains, i);
      if (dot != NULL &&
          tt_config_domains_find (domains, self->event_text, (gsize) (dot - self->event_text)) != (int) i)
        continue;
      int event = tt_config_domain_find_event (domain, name, strlen (name));
      if (event >= 0)
        {
          self->domain = (int) i;
          self->event = event;
          return TRUE;
        }
      for (guint k = 0; k < domain->events->len; k++)
        g_ptr_array_add (names, tt_config_event (domain, k)->name);
    }
  g_ptr_array_add (names, NULL);
  const char *near = tt_suggest (name, (const char *const *) names->pdata);
  if (near != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "there is no event '%s'; did you mean '%s'?", self->event_text, near);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "there is no event '%s'", self->event_text);
  return FALSE;
}

static gboolean
parse_missing (Explain *self, GError **error)
{
  self->unknown_matches = g_strcmp0 (self->missing_text, tt_missing_punit_words[1]) == 0;
  if (self->missing_text == NULL || self->unknown_matches || g_str_equal (self->missing_text, tt_missing_punit_words[0]))
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--missing-punit' is match or fail, not '%s'", self->missing_text);
  return FALSE;
}

/* -- answers -------------------------------------------------------------------------------------- */

/* "MPI.rank is 2, not 0-1". */
static void
append_miss (const Explain *self, const TtPunitSet *set)
{
  const TtConfigDomains *domains = self->config->domains;
  const TtConfigKind *kind = tt_config_kind (domains, set->kind);
  gint64 id = self->punits[set->kind];

  g_string_append_printf (self->out, "%s.%s is ", tt_config_domain (domains, kind->domain)->name, kind->name);
  if (id < 0)
    g_string_append (self->out, "not known; it must be ");
  else
    g_string_append_printf (self->out, "%" G_GINT64_FORMAT ", not ", id);
  tt_id_set_append (set->ids, self->out);
}

static gboolean
holds_constraints (const Explain *self, const GPtrArray *sets, const TtPunitSet **miss)
{
  TtPunitMatch match = tt_config_match (self->config, sets, self->punits, miss);

  return match == TT_MATCH_YES || (match == TT_MATCH_UNKNOWN && self->unknown_matches);
}

/* The sections that were asked before one matched, and why they did not. */
static void
append_sections (const Explain *self, guint domain)
{
  const TtConfig *config = self->config;

  for (guint i = 0; i < config->sections->len; i++)
    {
      const TtPunitSection *section = config->sections->pdata[i];
      const TtPunitSet *miss = NULL;

      if (section->domain != domain)
        continue;
      g_autofree char *text = tt_punit_section_text (config, section);
      g_string_append_printf (self->out, "  line %-4u %s: ", section->line, text);
      if (holds_constraints (self, section->targets, &miss) && holds_constraints (self, section->constraints, &miss))
        {
          g_string_append (self->out, "matches, and decides\n");
          return;
        }
      append_miss (self, miss);
      g_string_append_c (self->out, '\n');
    }
}

static gboolean
append_lexgion (const Explain *self, const TtConfigLexgion *lexgion)
{
  const TtPunitSet *miss = NULL;
  g_autofree char *name = tt_config_lexgion_text (self->config, lexgion);

  if (lexgion->line > 0)
    g_string_append_printf (self->out, "  %s, line %u, configures it\n", name, lexgion->line);
  else
    g_string_append_printf (self->out, "  %s, made of the defaults, configures it\n", name);
  if (lexgion->has_constraints && !holds_constraints (self, lexgion->constraints, &miss))
    {
      g_string_append (self->out, "  its constraints do not hold: ");
      append_miss (self, miss);
      g_string_append (self->out, "\n  invocations recorded: none\n");
      return FALSE;
    }
  if (lexgion->has_constraints)
    {
      g_string_append (self->out, "  its constraints hold: ");
      tt_punit_sets_append (self->config->domains, lexgion->constraints, self->out);
      g_string_append_c (self->out, '\n');
    }
  g_string_append_printf (self->out,
                          "  trace_starts_at %" G_GINT64_FORMAT ", max_num_traces %" G_GINT64_FORMAT
                          ", tracing_rate %" G_GINT64_FORMAT "\n",
                          lexgion->rule.starts_at, lexgion->rule.most, lexgion->rule.rate);
  return TRUE;
}

/* Why the event is on or off before the lexgion is asked. */
static void
append_reason (const Explain *self, guint domain, const TtEventAnswer *answer)
{
  const TtConfig *config = self->config;
  const char *word = answer->is_on ? "on" : "off", *name = tt_config_domain (config->domains, domain)->name;

  switch (answer->reason)
    {
    case TT_EVENT_BY_DEFAULT:
      g_string_append_printf (self->out, "%s by %s.default", word, name);
      break;
    case TT_EVENT_BY_SECTION:
      g_string_append_printf (self->out, "%s by the section in line %u", word,
                              ((const TtPunitSection *) config->sections->pdata[answer->section])->line);
      break;
    case TT_EVENT_OUT_OF_SCOPE:
      g_string_append_printf (self->out, "off: %s.%s is %" G_GINT64_FORMAT ", outside %u-%u", name,
                              tt_config_kind (config->domains, answer->kind)->name, self->punits[answer->kind],
                              config->scopes[answer->kind].low, config->scopes[answer->kind].high);
      break;
    case TT_EVENT_BY_MODE:
      g_string_append_printf (self->out, "off: the mode of %s is %s", name,
                              tt_config_mode_text (config->defaults[domain].mode));
      break;
    }
}

static void
append_event (const Explain *self, guint domain, guint event, const TtConfigLexgion *lexgion, gboolean holds_here)
{
  const TtConfigDomain *of = tt_config_domain (self->config->domains, domain);
  TtEventAnswer answer = tt_config_ask_event (self->config, domain, event, self->punits, self->unknown_matches);
  g_autofree char *invocations = tt_sampling_describe (&lexgion->rule),
                  *name = tt_config_lexgion_text (self->config, lexgion);

  g_string_append_printf (self->out, "  %s is ", tt_config_event (of, event)->name);
  append_reason (self, domain, &answer);
  if (!tt_config_event (of, event)->is_installed)
    g_string_append (self->out, " (PInsight never records it)");
  gboolean passes = !lexgion->has_mask[domain] || (lexgion->mask[domain] >> event & 1) != 0;
  if (answer.is_on && !passes)
    g_string_append_printf (self->out, ", but off in %s", name);
  else if (!answer.is_on && lexgion->has_mask[domain] && passes)
    g_string_append_printf (self->out, "; that %s has it on does not help: a lexgion takes away only", name);
  gboolean is_recorded = answer.is_on && passes && holds_here;
  if (self->config->defaults[domain].mode == TT_MODE_MONITORING)
    g_string_append_printf (self->out, "\n  invocations recorded: none (%s counts only)\n", of->name);
  else
    g_string_append_printf (self->out, "\n  invocations recorded: %s\n", is_recorded ? invocations : "none");
}

static void
explain_domain (const Explain *self, guint domain)
{
  const TtConfigDomain *of = tt_config_domain (self->config->domains, domain);
  const TtConfigLexgion *lexgion = tt_config_find_lexgion (self->config, domain, self->address, self->name, NULL);
  g_autoptr (GString) on = g_string_new (NULL);

  g_string_append_printf (self->out, "%s\n", of->name);
  append_sections (self, domain);
  gboolean holds_here = append_lexgion (self, lexgion);
  if (self->event >= 0)
    {
      append_event (self, domain, (guint) self->event, lexgion, holds_here);
      return;
    }
  TtEventAnswer first = tt_config_ask_event (self->config, domain, 0, self->punits, self->unknown_matches);
  for (guint i = 0; i < of->events->len; i++)
    {
      gboolean passes = !lexgion->has_mask[domain] || (lexgion->mask[domain] >> i & 1) != 0;
      if (passes && holds_here &&
          tt_config_ask_event (self->config, domain, i, self->punits, self->unknown_matches).is_on)
        g_string_append_printf (on, "%s%s", on->len > 0 ? ", " : "", tt_config_event (of, i)->name);
    }
  g_autofree char *invocations = tt_sampling_describe (&lexgion->rule);
  gboolean counts_only = self->config->defaults[domain].mode == TT_MODE_MONITORING;
  if (first.reason == TT_EVENT_BY_MODE || first.reason == TT_EVENT_OUT_OF_SCOPE)
    {
      g_string_append (self->out, "  everything is ");
      append_reason (self, domain, &first);
      g_string_append_c (self->out, '\n');
    }
  else if (holds_here)
    g_string_append_printf (self->out, "  events on: %s\n  invocations recorded: %s\n", on->len > 0 ? on->str : "none",
                            counts_only   ? "none (the mode counts only)"
                            : on->len > 0 ? invocations
                                          : "none");
}

static void
append_place (const Explain *self)
{
  const TtConfigDomains *domains = self->config->domains;
  gboolean is_first = TRUE;

  if (self->address != 0)
    g_string_append_printf (self->out, "Code pointer 0x%" G_GINT64_MODIFIER "x", self->address);
  else if (self->name != NULL)
    g_string_append_printf (self->out, "Region '%s'", self->name);
  else
    g_string_append (self->out, "A region without a section of its own");
  for (guint i = 0; i < domains->kinds->len; i++)
    if (self->punits[i] >= 0)
      {
        g_string_append_printf (self->out, "%s%s.%s %" G_GINT64_FORMAT, is_first ? " on " : ", ",
                                tt_config_domain (domains, tt_config_kind (domains, i)->domain)->name,
                                tt_config_kind (domains, i)->name, self->punits[i]);
        is_first = FALSE;
      }
  g_string_append (self->out, "\n\n");
}

static int
write_answer (Explain *self, const char *path, GError **error)
{
  g_autoptr (TtConfigFile) file = tt_config_file_open (path, self->domains_path, error);

  if (file == NULL || !tt_config_file_check (file, error))
    return -1;
  self->config = file->config;
  self->punits = tt_config_parse_punits (file->domains, self->punit_text, error);
  if (self->punits == NULL || !parse_lexgion (self, error) || !parse_event (self, error) ||
      !parse_missing (self, error))
    return -1;

  self->out = g_string_new (NULL);
  append_place (self);
  for (guint i = 0; i < file->domains->domains->len; i++)
    if (self->domain < 0 || self->domain == (int) i)
      {
        explain_domain (self, i);
        g_string_append_c (self->out, '\n');
      }
  g_string_truncate (self->out, self->out->len - 1);

  return tt_print_lines (self->out->str, error) ? 0 : -1;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Explain) self = { .domain = -1, .event = -1 };
  int status;
  const GOptionEntry entries[] = {
    { "lexgion", 0, 0, G_OPTION_ARG_STRING, &self.lexgion_text, "Code pointer or name of the region", "0x4010bd|NAME" },
    { "punit", 0, 0, G_OPTION_ARG_STRING, &self.punit_text, "Where it runs", "DOMAIN.kind=ID,..." },
    { "event", 0, 0, G_OPTION_ARG_STRING, &self.event_text, "Only this event", "[DOMAIN.]NAME" },
    { "missing-punit", 0, 0, G_OPTION_ARG_STRING, &self.missing_text,
      "What a condition on units that are not known does: fail (default) or match", "fail|match" },
    TT_CONFIG_DOMAINS_ENTRY (&self.domains_path),
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_config_explain, entries, &argc, &argv, &status, error))
    return status;
  if (argc != 2)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "give one configuration file");
      return -1;
    }
  return write_answer (&self, argv[1], error);
}

const TtCommand tt_command_config_explain = {
  .name = "config explain",
  .summary = "Which section of a PInsight configuration decides",
  .usage = "FILE",
  .details =
      "For one region on given units (punits: ranks, threads, devices): which sections of units match, which\n"
      "lexgion (section of a source region, by its code pointer or name) configures it, what is on, and which\n"
      "invocations of it are recorded on each thread. The first section of units that matches decides; without\n"
      "one the default of the domain, unless an id lies outside the ids that it declares.",
  .example = "tracetool config explain --lexgion 0x4010bd --punit MPI.rank=0 pinsight.conf\n"
             "tracetool config explain --event omp_work --punit MPI.rank=3 pinsight.conf",
  .ignores_db = TRUE,
  .ignores_run = TRUE,
  .run = run,
};
