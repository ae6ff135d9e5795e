/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/config-apply.h"

#include "src/cli/command.h"

#include <stdio.h>
#include <string.h>

const char *const tt_config_others_words[] = { "drop", "keep", NULL };
const char *const tt_missing_punit_words[] = { "fail", "match", NULL };

GOptionEntry *
tt_config_apply_entries (TtConfigSettings *self)
{
  const GOptionEntry entries[] = {
    { "config", 0, 0, G_OPTION_ARG_FILENAME, &self->path, "Only what PInsight would record with this configuration",
      "FILE" },
    { "config-others", 0, 0, G_OPTION_ARG_STRING, &self->others_text,
      "What is no event of PInsight: drop (default) or keep", "drop|keep" },
    { "missing-punit", 0, 0, G_OPTION_ARG_STRING, &self->missing_text,
      "A condition on an unknown unit (punit: rank, thread, device): fail (default) or match", "fail|match" },
    { "pinsight", 0, 0, G_OPTION_ARG_STRING, &self->pinsight_text,
      "Whose rules: the format's document (seed, default), or PInsight's library of that time", "seed|2026-02|head" },
    { "recount", 0, 0, G_OPTION_ARG_NONE, &self->recounts, "Count invocations, even where the trace numbers them",
      NULL },
    { "domains", 0, 0, G_OPTION_ARG_FILENAME, &self->domains_path, "More domains, units and events than PInsight has",
      "FILE" },
    G_OPTION_ENTRY_NULL,
  };

  return g_memdup2 (entries, sizeof entries);
}

/* The second of two words: TRUE; none: FALSE. */
static gboolean
parse_choice (const char *option, const char *text, const char *const *words, gboolean *is_second, GError **error)
{
  *is_second = g_strcmp0 (text, words[1]) == 0;
  if (text == NULL || *is_second || strcmp (text, words[0]) == 0)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is %s or %s, not '%s'", option, words[0], words[1], text);
  return FALSE;
}

gboolean
tt_config_settings_open (TtConfigSettings *self, GError **error)
{
  TtConfigFilterOptions options = { .recounts = self->recounts };

  if (!parse_choice ("--config-others", self->others_text, tt_config_others_words, &options.keeps_others, error) ||
      !parse_choice ("--missing-punit", self->missing_text, tt_missing_punit_words, &options.unknown_matches, error))
    return FALSE;
  if (self->path == NULL)
    {
      const char *given = self->others_text != NULL     ? "--config-others"
                          : self->missing_text != NULL  ? "--missing-punit"
                          : self->pinsight_text != NULL ? "--pinsight"
                          : self->domains_path != NULL  ? "--domains"
                          : self->recounts              ? "--recount"
                                                        : NULL;
      if (given != NULL)
        g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' says how to apply '--config FILE', which is missing",
                     given);
      return given == NULL;
    }
  self->file = tt_config_file_open (self->path, self->domains_path, self->pinsight_text, error);
  if (self->file == NULL || !tt_config_file_check (self->file, error))
    return FALSE;
  self->operations = tt_config_operations_load (self->file->domains, error);
  if (self->operations == NULL)
    return FALSE;
  self->filter = tt_config_filter_new (self->file->config, self->operations, &options);
  return TRUE;
}

void
tt_config_settings_clear (TtConfigSettings *self)
{
  g_clear_pointer (&self->kept, tt_kept_events_free);
  g_clear_pointer (&self->filter, tt_config_filter_free);
  g_clear_pointer (&self->operations, tt_config_operations_free);
  g_clear_pointer (&self->file, tt_config_file_free);
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->domains_path, g_free);
  g_clear_pointer (&self->others_text, g_free);
  g_clear_pointer (&self->missing_text, g_free);
  g_clear_pointer (&self->pinsight_text, g_free);
}

gboolean
tt_config_settings_select (TtConfigSettings *self, TtStore *store, TtSelection *selection, GError **error)
{
  guint64 first, n;

  if (self->filter == NULL)
    return TRUE;
  self->kept = tt_kept_events_new (store, tt_config_filter_base (self->filter), error);
  if (self->kept == NULL)
    return FALSE;
  const guint8 *bits = tt_kept_events_bits (self->kept, &first, &n);
  tt_selection_keep (selection, bits, first, n);
  tt_config_settings_tell (self);
  return TRUE;
}

void
tt_config_settings_tell (const TtConfigSettings *self)
{
  guint64 n_kept = 0, n_all = 0;
  char kept[TT_TIME_TEXT], all[TT_TIME_TEXT];

  if (self->filter == NULL)
    return;
  g_autoptr (GPtrArray) tallies = tt_config_filter_tallies (self->filter);
  g_autoptr (TtReport) report = tt_report_new (TT_UNIT_NS);
  g_autoptr (GString) text = g_string_new (NULL);

  tt_report_column (report, TT_COLUMN_WORD, "Events", "verdict");
  tt_report_column (report, TT_COLUMN_COUNT, "Count", "count");
  tt_report_column (report, TT_COLUMN_WORD, "Domain", "domain");
  tt_report_column (report, TT_COLUMN_WORD, "Rule", "rule");
  tt_report_column (report, TT_COLUMN_WORD, "Why", "why");
  for (guint i = 0; i < tallies->len; i++)
    {
      const TtConfigTally *tally = tallies->pdata[i];

      n_all += tally->count;
      n_kept += tally->is_kept ? tally->count : 0;
      tt_report_text (report, tally->is_kept ? "kept" : "left out");
      tt_report_int (report, (gint64) tally->count);
      tt_report_text (report, tally->domain);
      tt_report_text (report, tally->rule);
      tt_report_text (report, tally->why);
    }
  tt_message ("'%s' keeps %s of %s events", self->path, tt_count_text (kept, n_kept), tt_count_text (all, n_all));
  if (tallies->len > 0)
    tt_report_append (report, TT_FORMAT_TABLE, 0, text);
  tt_message_lines (text->str);
  if (tt_config_filter_untimely (self->filter) > 0)
    tt_warning (
        "%" G_GUINT64_FORMAT " windows ended before events that came first in the source: more may be kept than "
        "PInsight records; import without '--config', and give it to 'stats' or 'export', which read in the order "
        "of time",
        tt_config_filter_untimely (self->filter));
}
