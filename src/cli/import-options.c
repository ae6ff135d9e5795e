/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/import-options.h"

#include "formats/formats.h"
#include "formats/pi/options.h"
#include "src/base/error.h"
#include "src/base/look.h"
#include "src/base/paths.h"
#include "src/base/suggest.h"
#include "src/base/units.h"
#include "src/cli/command.h"
#include "src/cli/options.h"

#include <string.h>

const char *const tt_step_rule_words[] = { "seed", "strict", "none", NULL };

static char **
list_formats (const TtValuesQuestion *question)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  for (guint i = 0; tt_formats[i] != NULL; i++)
    g_strv_builder_add (words, tt_formats[i]->name);
  return g_strv_builder_end (words);
}

/* convert has --unit, too: that of the times given, not of a table. */
const TtOptionValues tt_import_values[] = {
  { "format", TT_VALUES_ONE, .list = list_formats },
  { "unit", TT_VALUES_ONE, tt_unit_words },
  { NULL },
};

GOptionEntry *
tt_import_entries (TtImportSettings *self)
{
  const GOptionEntry entries[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &self->format, "Format of all input (default: detected by content)",
      "NAME" },
    { "strict", 0, 0, G_OPTION_ARG_NONE, &self->strict, "Refuse input that needs repairs", NULL },
    { "rank", 0, 0, G_OPTION_ARG_INT64, &self->rank, "Rank of input that does not give its own", "N" },
    { "pid", 0, 0, G_OPTION_ARG_STRING, &self->pid, "Process of events that do not give their own (default: 0)",
      "TEXT" },
    { "args", 0, 0, G_OPTION_ARG_STRING, &self->args_text,
      "Event arguments to keep: all (default), none, or these keys", "all|none|KEY,KEY" },
    { "step-rule", 0, 0, G_OPTION_ARG_STRING, &self->step_rule_text,
      "Where a training step starts if the trace does not say (default: seed)", "seed|strict|none" },
    { "step-by", 0, 0, G_OPTION_ARG_STRING, &self->step_by_text,
      "Spans whose name matches are the steps (PyTorch traces)", "REGEX" },
    { "no-align", 0, 0, G_OPTION_ARG_NONE, &self->no_align, "Do not align the clocks of different hosts", NULL },
    { "probe-layout", 0, 0, G_OPTION_ARG_FILENAME, &self->probe_layout,
      "Layout of a Neutrino probe's records: its probe.toml, or what 'probe compile --layout' prints", "FILE" },
    { "name-rules", 0, 0, G_OPTION_ARG_FILENAME, &self->name_rules,
      "Rules for standard names, tried before the built-in ones", "FILE" },
    { "binaries", 0, 0, G_OPTION_ARG_FILENAME, &self->binaries,
      "Name functions of CTF traces after the programs and libraries below DIR, at the paths of the trace ('/': here)",
      "DIR" },
    { "pi-generation", 0, 0, G_OPTION_ARG_STRING, &self->pi_generation,
      "Layout of PI calls: g0, doc, g1, g2, g3, native (default: detected by content)", "LAYOUT" },
    { "pi-ids", 0, 0, G_OPTION_ARG_STRING, &self->pi_ids,
      "Numbering of PI functions: that of release 2021.1, 2021.2, 2021.3, 2021.4, 2022.0, 2022.1, 2022.2, "
      "2023.0, 2023.1, 2023.2, 2024.0, 2024.1, 2024.2; or 2021-summer, 2021-12, 2022-05, 2024 "
      "(default: the best fit)",
      "LIST" },
    { "salvage", 0, 0, G_OPTION_ARG_NONE, &self->salvage,
      "Keep the intact part of a damaged file (PI calls, Neutrino results)", NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &self->quiet, "Print no progress bar and no summary", NULL },
    G_OPTION_ENTRY_NULL,
  };

  g_autofree GOptionEntry *config = tt_config_apply_entries (&self->config);

  return tt_options_concat (entries, config);
}

static gboolean
check_step_rule (TtImportSettings *self, GError **error)
{
  const char *text = self->step_rule_text != NULL ? self->step_rule_text : tt_step_rule_words[TT_STEP_RULE_SEED];

  for (int i = 0; tt_step_rule_words[i] != NULL; i++)
    if (strcmp (tt_step_rule_words[i], text) == 0)
      {
        self->options.step_rule = (TtStepRule) i;
        return TRUE;
      }
  const char *near = tt_suggest (text, tt_step_rule_words);
  if (near != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "unknown step rule '%s'; did you mean '%s'?", text, near);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "unknown step rule '%s'; known are: seed, strict, none", text);
  return FALSE;
}

static gboolean
is_step (const char *raw_name, gpointer pattern)
{
  return raw_name != NULL && tt_pattern_matches (pattern, raw_name);
}

static gboolean
check_step_by (TtImportSettings *self, GError **error)
{
  if (self->step_by_text == NULL)
    return TRUE;
  g_autoptr (GError) failure = NULL;
  self->step_by = tt_pattern_new (self->step_by_text, &failure);
  if (self->step_by == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--step-by': %s", failure->message);
      return FALSE;
    }
  self->options.is_step = is_step;
  self->options.is_step_data = self->step_by;
  return TRUE;
}

static void
split_args (TtImportSettings *self)
{
  if (self->args_text == NULL || strcmp (self->args_text, "all") == 0)
    return;
  self->args = g_strsplit (strcmp (self->args_text, "none") == 0 ? "" : self->args_text, ",", -1);
}

gboolean
tt_import_settings_check (TtImportSettings *self, GError **error)
{
  if (self->rank < -1)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--rank' must not be negative");
      return FALSE;
    }
  split_args (self);
  self->options = (TtImportOptions){ .strict = self->strict,
                                     .rank = self->rank,
                                     .pid = self->pid,
                                     .args = self->args,
                                     .no_align = self->no_align,
                                     .salvage = self->salvage,
                                     .pi_generation = self->pi_generation,
                                     .pi_ids = self->pi_ids,
                                     .probe_layout = self->probe_layout,
                                     .binaries = self->binaries };
  TtPiOptions pi = TT_PI_OPTIONS_INIT;
  return tt_pi_options_parse (&pi, self->pi_generation, self->pi_ids, error) && check_step_rule (self, error) &&
         check_step_by (self, error) && tt_config_settings_open (&self->config, error);
}

static void
append_word (GString *text, const char *option, const char *value)
{
  if (value == NULL)
    return;
  g_autofree char *word = tt_shell_word (value);
  g_string_append_printf (text, "%s--%s %s", text->len > 0 ? " " : "", option, word);
}

static void
append_flag (GString *text, const char *option, gboolean is_given)
{
  if (is_given)
    g_string_append_printf (text, "%s--%s", text->len > 0 ? " " : "", option);
}

/* The same name may hold something else tomorrow. A pipe is left to the one who uses what comes out of it. */
static void
append_file (GString *text, const char *option, const char *path)
{
  g_autofree char *base = path == NULL ? NULL : g_path_get_basename (path);
  g_autofree char *contents = NULL;
  gsize len;

  append_word (text, option, base);
  if (path == NULL || !tt_look_test (path, G_FILE_TEST_IS_REGULAR) || !tt_look_contents (path, &contents, &len, NULL))
    return;
  g_autofree char *sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) contents, len);
  g_string_append_printf (text, " [%.8s]", sum);
}

char *
tt_import_settings_words (const TtImportSettings *self)
{
  GString *text = g_string_new (NULL);
  g_autofree char *rank = self->rank < 0 ? NULL : g_strdup_printf ("%" G_GINT64_FORMAT, self->rank);
  const TtConfigSettings *config = &self->config;

  append_word (text, "args", g_strcmp0 (self->args_text, "all") == 0 ? NULL : self->args_text);
  append_word (text, "binaries", self->binaries);
  append_file (text, "config", config->path);
  append_word (text, "config-others", g_strcmp0 (config->others_text, "drop") == 0 ? NULL : config->others_text);
  append_file (text, "domains", config->domains_path);
  append_word (text, "format", self->format);
  append_word (text, "missing-punit", g_strcmp0 (config->missing_text, "fail") == 0 ? NULL : config->missing_text);
  append_file (text, "name-rules", self->name_rules);
  append_flag (text, "no-align", self->no_align);
  append_word (text, "pi-generation", self->pi_generation);
  append_word (text, "pi-ids", self->pi_ids);
  append_word (text, "pid", self->pid);
  append_word (text, "pinsight", g_strcmp0 (config->pinsight_text, "seed") == 0 ? NULL : config->pinsight_text);
  append_file (text, "probe-layout", self->probe_layout);
  append_word (text, "rank", rank);
  append_flag (text, "recount", config->recounts);
  append_flag (text, "salvage", self->salvage);
  append_word (text, "step-by", self->step_by_text);
  append_word (text, "step-rule",
               self->options.step_rule == TT_STEP_RULE_SEED ? NULL : tt_step_rule_words[self->options.step_rule]);
  return g_string_free (text, FALSE);
}

void
tt_import_settings_clear (TtImportSettings *self)
{
  g_clear_pointer (&self->format, g_free);
  g_clear_pointer (&self->name_rules, g_free);
  g_clear_pointer (&self->probe_layout, g_free);
  g_clear_pointer (&self->binaries, g_free);
  g_clear_pointer (&self->pid, g_free);
  g_clear_pointer (&self->args_text, g_free);
  g_clear_pointer (&self->step_rule_text, g_free);
  g_clear_pointer (&self->step_by_text, g_free);
  g_clear_pointer (&self->step_by, tt_pattern_free);
  g_clear_pointer (&self->pi_generation, g_free);
  g_clear_pointer (&self->pi_ids, g_free);
  g_clear_pointer (&self->args, g_strfreev);
  tt_config_settings_clear (&self->config);
}
