/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/commands/config.h"

#include "src/base/output.h"
#include "src/cli/config-file.h"

#include <string.h>

#define LINE_WIDTH 80u
#define INDENT 16u

/* What a configuration means, in words. */

static void
append_label (GString *out, const char *label)
{
  g_string_append_printf (out, "  %-*s", (int) INDENT - 2, label);
}

/* Words separated by commas, broken where the line is full. */
static void
append_words (GString *out, const GPtrArray *words)
{
  guint column = INDENT;

  for (guint i = 0; i < words->len; i++)
    {
      const char *word = words->pdata[i];
      guint len = (guint) strlen (word) + 1;

      if (i > 0 && column + len + 1 > LINE_WIDTH)
        {
          g_string_append_printf (out, "\n%*s", (int) INDENT, "");
          column = INDENT;
        }
      else if (i > 0)
        {
          g_string_append_c (out, ' ');
          column++;
        }
      g_string_append_printf (out, "%s%s", word, i + 1 < words->len ? "," : "");
      column += len;
    }
  g_string_append_c (out, '\n');
}

static void
append_events (GString *out, const char *label, const char *first, const TtConfigDomain *domain, guint64 mask)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  for (guint i = 0; i < domain->events->len; i++)
    if ((mask >> i & 1) != 0)
      g_ptr_array_add (words, tt_config_event (domain, i)->name);
  if (words->len == 0)
    return;
  append_label (out, label);
  g_string_append (out, first);
  append_words (out, words);
}

static void
append_domain (GString *out, const TtConfig *config, guint i)
{
  const TtConfigDomain *domain = tt_config_domain (config->domains, i);
  const TtDomainDefault *of = &config->defaults[i];

  g_string_append_printf (out, "%s.default%s\n", domain->name, of->line == 0 ? " (not in the file)" : "");
  append_label (out, "mode");
  g_string_append_printf (out, "%s\n", tt_config_mode_text (of->mode));
  if (of->device_activity != NULL)
    {
      append_label (out, "device activity");
      g_string_append_printf (out, "%s\n", of->device_activity);
    }
  for (guint kind = 0; kind < config->domains->kinds->len; kind++)
    if (tt_config_kind (config->domains, kind)->domain == i)
      {
        const TtConfigScope *scope = &config->scopes[kind];
        append_label (out, tt_config_kind (config->domains, kind)->name);
        g_string_append_printf (out, "%u-%u%s\n", scope->low, scope->high,
                                scope->is_declared ? "" : " (PInsight's own)");
      }
  append_events (out, "on", "", domain, of->events);
  append_events (out, "off", "", domain, domain->installed & ~of->events);
  g_string_append_c (out, '\n');
}

static void
append_section (GString *out, const TtConfig *config, const TtPunitSection *section)
{
  const TtConfigDomain *domain = tt_config_domain (config->domains, section->domain);
  g_autofree char *text = tt_punit_section_text (config, section);

  g_string_append_printf (out, "%s (line %u)\n", text, section->line);
  if (section->constraints->len > 0)
    {
      append_label (out, "only if");
      tt_punit_sets_append (config->domains, section->constraints, out);
      g_string_append_c (out, '\n');
    }
  append_events (out, "on", "", domain, section->events);
  append_events (out, "off", "", domain, domain->installed & ~section->events);
  if (section->events == 0)
    g_string_append (out, "  everything is off: the section inherits nothing and turns nothing on\n");
  g_string_append_c (out, '\n');
}

static void
append_masks (GString *out, const TtConfig *config, const TtConfigLexgion *lexgion)
{
  for (guint i = 0; i < config->domains->domains->len; i++)
    {
      const TtConfigDomain *domain = tt_config_domain (config->domains, i);
      guint64 events = lexgion->mask[i];

      if (!lexgion->has_mask[i])
        continue;
      if (events == 0)
        {
          append_label (out, domain->name);
          g_string_append (out, "no events\n");
        }
      else if (events == config->defaults[i].events)
        {
          append_label (out, domain->name);
          g_string_append_printf (out, "as %s.default\n", domain->name);
        }
      else
        append_events (out, domain->name, "only ", domain, events);
    }
}

static void
append_lexgion (GString *out, const TtConfig *config, const TtConfigLexgion *lexgion)
{
  g_autofree char *name = tt_config_lexgion_text (config, lexgion), *sampling = tt_sampling_describe (&lexgion->rule);

  g_string_append (out, name);
  if (lexgion->line > 0)
    g_string_append_printf (out, " (line %u)\n", lexgion->line);
  else
    g_string_append (out, " (not in the file)\n");
  append_label (out, "sampling");
  g_string_append_printf (out,
                          "trace_starts_at %" G_GINT64_FORMAT ", max_num_traces %" G_GINT64_FORMAT
                          ", tracing_rate %" G_GINT64_FORMAT "\n",
                          lexgion->rule.starts_at, lexgion->rule.most, lexgion->rule.rate);
  append_label (out, "invocations");
  g_string_append_printf (out, "%s\n", sampling);
  if (lexgion->has_constraints)
    {
      append_label (out, "only if");
      tt_punit_sets_append (config->domains, lexgion->constraints, out);
      g_string_append_c (out, '\n');
    }
  append_masks (out, config, lexgion);
  append_label (out, "other domains");
  g_string_append (out, "no filter of events\n");
  if (lexgion->end_action != NULL)
    {
      append_label (out, "window ends");
      g_string_append_printf (out, "%s, trigger %s, timeout %" G_GINT64_FORMAT " s\n", lexgion->end_action,
                              lexgion->end_trigger != NULL ? lexgion->end_trigger : "first", lexgion->timeout_s);
    }
  g_string_append_c (out, '\n');
}

static void
append_all (GString *out, const TtConfig *config)
{
  for (guint i = 0; i < config->domains->domains->len; i++)
    append_domain (out, config, i);
  if (config->sections->len > 0)
    g_string_append (out, "Sections of units: of those whose units match, the first in this order decides.\n\n");
  for (guint i = 0; i < config->sections->len; i++)
    append_section (out, config, config->sections->pdata[i]);
  append_lexgion (out, config, config->lexgion_default);
  for (guint i = 0; i < config->domain_lexgions->len; i++)
    if (((const TtConfigLexgion *) config->domain_lexgions->pdata[i])->line > 0)
      append_lexgion (out, config, config->domain_lexgions->pdata[i]);
  for (guint i = 0; i < config->lexgions->len; i++)
    if (!((const TtConfigLexgion *) config->lexgions->pdata[i])->is_removed)
      append_lexgion (out, config, config->lexgions->pdata[i]);
  if (config->measure != NULL)
    g_string_append_printf (out, "Energy: measure %s\n", config->measure);
  for (guint i = 0; i < config->knobs->len; i++)
    {
      const TtKnob *knob = config->knobs->pdata[i];
      g_string_append_printf (out, "Knob: %s = %s\n", knob->name, knob->value);
    }
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  gboolean as_json = FALSE, as_canonical = FALSE;
  g_autofree char *domains_path = NULL, *pinsight = NULL;
  int status;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &as_json, "For programs", NULL },
    { "canonical", 0, 0, G_OPTION_ARG_NONE, &as_canonical, "The file itself in one style, without comments", NULL },
    { "pinsight", 0, 0, G_OPTION_ARG_STRING, &pinsight,
      "Whose rules: the format's document (seed, default), or PInsight's library of that time", "seed|2026-02|head" },
    TT_CONFIG_DOMAINS_ENTRY (&domains_path),
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_config_show, entries, &argc, &argv, &status, error))
    return status;
  if (argc != 2 || (as_json && as_canonical))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   argc != 2 ? "give one configuration file" : "choose one of '--json' and '--canonical'");
      return -1;
    }
  g_autoptr (TtConfigFile) file = tt_config_file_open (argv[1], domains_path, pinsight, error);
  g_autoptr (GString) text = g_string_new (NULL);
  if (file == NULL || !tt_config_file_check (file, error))
    return -1;
  if (as_json)
    tt_config_write_json (file->config, text);
  else if (as_canonical)
    tt_config_write_canonical (file->config, FALSE, text);
  else
    append_all (text, file->config);
  if (g_str_has_suffix (text->str, "\n\n"))
    g_string_truncate (text, text->len - 1);

  gboolean is_data = as_json || as_canonical;
  gboolean is_printed =
      is_data ? tt_output_print ("-", text->str, (gssize) text->len, error) : tt_print_lines (text->str, error);
  return is_printed ? 0 : -1;
}

const TtCommand tt_command_config_show = {
  .name = "config show",
  .summary = "What a PInsight configuration means",
  .usage = "FILE",
  .details = "Domains with their units and events, the sections of units, and the lexgions after inheritance. What\n"
             "a section inherits is a copy made at its header: defaults that change below do not reach it.\n"
             "An event of a domain from which a lexgion does not inherit is the only one of its domain there.",
  .example = "tracetool config show pinsight.conf\n"
             "tracetool config show --json pinsight.conf",
  .ignores_db = TRUE,
  .ignores_run = TRUE,
  .run = run,
};
