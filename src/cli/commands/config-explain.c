/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/commands/config.h"

#include "formats/pinsight/window-end.h"
#include "src/base/output.h"
#include "src/base/suggest.h"
#include "src/cli/config-apply.h"
#include "src/cli/config-file.h"

#include <string.h>

typedef struct
{
  char *domains_path, *lexgion_text, *punit_text, *event_text, *missing_text, *pinsight_text;
  gboolean unknown_matches;
  const TtConfig *config;
  TtConfigOperations *operations;
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
  g_free (self->pinsight_text);
  g_clear_pointer (&self->operations, tt_config_operations_free);
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
  if (self->missing_text == NULL || self->unknown_matches ||
      g_str_equal (self->missing_text, tt_missing_punit_words[0]))
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

  for (guint i = 0; i < config->sections->len && !config->skips_sections; i++)
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

/* When tracing ends, and what then. */
static void
append_window (const Explain *self, const TtConfigLexgion *lexgion)
{
  g_autoptr (TtWindowEnd) end = tt_window_end_new (self->config->domains, lexgion->end_action);
  g_autofree char *then = tt_window_end_describe (end, self->config->domains);
  gint64 timeout_s = self->config->lexgion_default->timeout_s;
  gboolean is_timed = timeout_s > 0 && self->config->lexgion_default->end_action != NULL;

  if (lexgion->end_action == NULL)
    return;
  if (self->config->ignores_windows)
    {
      g_string_append (self->out, "  its window_... keys mean nothing to this library\n");
      return;
    }
  if (lexgion->rule.most > 0)
    g_string_append_printf (
        self->out, "  the window ends when a thread has recorded %" G_GINT64_FORMAT "%s\n", lexgion->rule.most,
        g_strcmp0 (lexgion->end_trigger, "all") == 0 ? ", and as many of all others with a limit" : "");
  if (is_timed)
    g_string_append_printf (self->out, "  the window ends %" G_GINT64_FORMAT " s after the process began\n", timeout_s);
  if (lexgion->rule.most <= 0 && !is_timed)
    g_string_append (self->out, "  its window never ends: no max_num_traces, no window_timeout in Lexgion.default\n");
  else
    g_string_append_printf (self->out, "  then, in the whole process: %s%s\n",
                            then[0] != '\0' ? then : "no mode changes", end->resumes ? ", counts begin anew" : "");
  if (end->introspects)
    g_string_append (self->out, "  INTROSPECT: what its script does to the program or this file is not known\n");
}

/* Gives what constraints that do not hold leave: nothing, or what OpenMP's callbacks do not check. */
static gboolean
append_lexgion (const Explain *self, const TtConfigLexgion *lexgion)
{
  const TtPunitSet *miss = NULL;
  g_autofree char *name = tt_config_lexgion_text (self->config, lexgion);
  gboolean has_constraints = lexgion->has_constraints && lexgion->id != NULL;

  if (lexgion->line > 0)
    g_string_append_printf (self->out, "  %s, line %u, configures it\n", name, lexgion->line);
  else
    g_string_append_printf (self->out, "  %s, made of the defaults, configures it\n", name);
  gboolean holds = tt_config_holds (self->config, lexgion, self->punits, self->unknown_matches, &miss);
  if (!holds)
    {
      g_string_append (self->out, "  its constraints do not hold: ");
      append_miss (self, miss);
      g_string_append_c (self->out, '\n');
    }
  else if (has_constraints)
    {
      g_string_append (self->out, "  its constraints hold: ");
      tt_punit_sets_append (self->config->domains, lexgion->constraints, self->out);
      g_string_append_c (self->out, '\n');
    }
  g_string_append_printf (self->out,
                          "  trace_starts_at %" G_GINT64_FORMAT ", max_num_traces %" G_GINT64_FORMAT
                          ", tracing_rate %" G_GINT64_FORMAT "\n",
                          lexgion->rule.starts_at, lexgion->rule.most, lexgion->rule.rate);
  append_window (self, lexgion);
  return holds;
}

/* What decides whether the event is on. */
static void
append_reason (const Explain *self, guint domain, const TtConfigLexgion *lexgion, const TtEventAnswer *answer)
{
  const TtConfig *config = self->config;
  const char *word = answer->is_on ? "on" : "off", *name = tt_config_domain (config->domains, domain)->name;
  g_autofree char *entry = tt_config_lexgion_text (config, lexgion);

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
    case TT_EVENT_BY_LEXGION:
      g_string_append_printf (self->out, "%s by %s", word, entry);
      break;
    case TT_EVENT_UNFILTERED:
      g_string_append_printf (self->out, "%s: %s says nothing of %s", word, entry, name);
      break;
    }
}

/* What PInsight's callback for an event asks. */
typedef struct
{
  gboolean events, constraints;
  const char *instead; /* what it asks in place of events; NULL: it asks for events */
} Checks;

static Checks
checks_of (const Explain *self, guint domain, guint event)
{
  switch (tt_config_operations_role (self->operations, domain, event))
    {
    case TT_ROLE_REGION:
      return (Checks){ FALSE, FALSE, "begin and end of a region are recorded with it, whatever is on" };
    case TT_ROLE_PLAIN:
      return (Checks){ FALSE, FALSE, "it is recorded whatever is on" };
    case TT_ROLE_CALLEE:
      return (Checks){ FALSE, FALSE, "it follows the function that calls, whatever is on" };
    case TT_ROLE_END:
      return (Checks){ FALSE, FALSE, "it is recorded with the event that it ends, whatever is on" };
    case TT_ROLE_NONE:
    case TT_ROLE_CALL:
    case TT_ROLE_WORK:
    case TT_ROLE_MASKED:
    case TT_ROLE_INSIDE:
    case TT_ROLE_BARRIER:
    case TT_ROLE_WAIT:
    case TT_ROLE_JOIN:
    case TT_ROLE_DEVICE:
      break;
    }
  return (Checks){ TRUE, TRUE, NULL };
}

static TtEventAnswer
ask (const Explain *self, const TtConfigLexgion *lexgion, guint domain, guint event)
{
  return tt_config_ask_lexgion (self->config, lexgion, domain, event, self->punits, self->unknown_matches);
}

/* The callee and the end of a call are recorded if the begin of the call is. */
static gboolean
is_recorded (const Explain *self, const TtConfigLexgion *lexgion, guint domain, guint event, gboolean holds)
{
  TtConfigMode mode = self->config->defaults[domain].mode;
  TtOperationRole role = tt_config_operations_role (self->operations, domain, event);
  const TtConfigDomain *of = tt_config_domain (self->config->domains, domain);

  if (mode != TT_MODE_TRACING || !tt_config_event (of, event)->is_installed)
    return FALSE;
  if (role == TT_ROLE_CALLEE || role == TT_ROLE_END)
    for (guint i = 0; i < of->events->len; i++)
      if (tt_config_operations_role (self->operations, domain, i) == TT_ROLE_CALL)
        return is_recorded (self, lexgion, domain, i, holds);
  Checks checks = checks_of (self, domain, event);
  return (!checks.events || ask (self, lexgion, domain, event).is_on) && (!checks.constraints || holds);
}

static void
append_event (const Explain *self, guint domain, guint event, const TtConfigLexgion *lexgion, gboolean holds)
{
  const TtConfigDomain *of = tt_config_domain (self->config->domains, domain);
  TtEventAnswer answer = ask (self, lexgion, domain, event);
  Checks checks = checks_of (self, domain, event);
  gboolean is_plain = tt_config_operations_role (self->operations, domain, event) == TT_ROLE_PLAIN;
  g_autofree char *invocations = is_plain ? g_strdup ("all") : tt_sampling_describe (&lexgion->rule);

  g_string_append_printf (self->out, "  %s is ", tt_config_event (of, event)->name);
  append_reason (self, domain, lexgion, &answer);
  if (!tt_config_event (of, event)->is_installed)
    g_string_append (self->out, " (PInsight never records it)");
  else if (checks.instead != NULL && answer.reason != TT_EVENT_BY_MODE)
    g_string_append_printf (self->out, "; PInsight does not ask: %s", checks.instead);
  if (self->config->defaults[domain].mode == TT_MODE_MONITORING)
    g_string_append_printf (self->out, "\n  invocations recorded: none (%s counts only)\n", of->name);
  else
    g_string_append_printf (self->out, "\n  invocations recorded: %s\n",
                            is_recorded (self, lexgion, domain, event, holds) ? invocations : "none");
}

static void
explain_domain (const Explain *self, guint domain)
{
  const TtConfigDomain *of = tt_config_domain (self->config->domains, domain);
  const TtConfigLexgion *lexgion = tt_config_find_lexgion (self->config, domain, self->address, self->name, NULL);
  g_autoptr (GString) on = g_string_new (NULL);
  gboolean is_any = FALSE;

  g_string_append_printf (self->out, "%s\n", of->name);
  append_sections (self, domain);
  gboolean holds = append_lexgion (self, lexgion);
  if (self->event >= 0)
    {
      append_event (self, domain, (guint) self->event, lexgion, holds);
      return;
    }
  for (guint i = 0; i < of->events->len; i++)
    if (is_recorded (self, lexgion, domain, i, holds))
      {
        g_string_append_printf (on, "%s%s", on->len > 0 ? ", " : "", tt_config_event (of, i)->name);
        is_any |= tt_config_operations_role (self->operations, domain, i) != TT_ROLE_PLAIN;
      }
  TtEventAnswer first = ask (self, lexgion, domain, 0);
  g_autofree char *invocations = tt_sampling_describe (&lexgion->rule);
  if (first.reason == TT_EVENT_BY_MODE)
    {
      g_string_append (self->out, "  everything is ");
      append_reason (self, domain, lexgion, &first);
      g_string_append_c (self->out, '\n');
    }
  else if (self->config->defaults[domain].mode == TT_MODE_MONITORING)
    g_string_append (self->out, "  invocations recorded: none (the mode counts only)\n");
  else
    g_string_append_printf (self->out, "  events recorded: %s\n  invocations recorded: %s\n",
                            on->len > 0 ? on->str : "none", is_any ? invocations : "none");
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
  g_autoptr (TtConfigFile) file = tt_config_file_open (path, self->domains_path, self->pinsight_text, error);

  if (file == NULL || !tt_config_file_check (file, error) ||
      (self->operations = tt_config_operations_load (file->domains, error)) == NULL)
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
  if (file->config->knobs->len > 0 || file->config->measure != NULL)
    g_string_append (self->out,
                     "[Knob] and [Energy] change no region: the program reads knobs itself, and counters of\n"
                     "energy that a trace has stay.\n\n");
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
    { "pinsight", 0, 0, G_OPTION_ARG_STRING, &self.pinsight_text,
      "Whose rules: the format's document (seed, default), or PInsight's library of that time", "seed|2026-02|head" },
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
      "invocations of it are recorded on each thread. What the lexgion says of an event counts; without that the\n"
      "first section of units that matches decides; without one the default of the domain, unless an id lies\n"
      "outside the ids that it declares. The rules are those of '--config', whose callbacks do not ask for all.",
  .example = "tracetool config explain --lexgion 0x4010bd --punit MPI.rank=0 pinsight.conf\n"
             "tracetool config explain --event omp_work --punit MPI.rank=3 pinsight.conf",
  .ignores_db = TRUE,
  .ignores_run = TRUE,
  .run = run,
};
