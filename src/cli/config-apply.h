/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --config and what belongs to it, for the commands that apply a PInsight configuration to events: import and convert
 * while they read, stats and export to what is stored.
 */
#pragma once

#include "analyzers/spans/kept-events.h"
#include "formats/pinsight/config-filter.h"
#include "src/cli/config-file.h"
#include "src/cli/options.h"
#include "src/select/selection.h"

typedef struct
{
  char *path, *domains_path, *others_text, *missing_text, *pinsight_text;
  gboolean recounts;
  TtConfigFile *file;
  TtConfigOperations *operations;
  TtConfigFilter *filter; /* NULL: no --config */
  TtKeptEvents *kept;
} TtConfigSettings;

/* Of --config-others and --missing-punit, NULL-ended; the first is the default. */
extern const char *const tt_config_others_words[], *const tt_missing_punit_words[];
/* NULL-ended; append to the command's own with tt_options_concat(). */
GOptionEntry *tt_config_apply_entries (TtConfigSettings *self);
/* After parsing: reads the configuration, reports its faults, and makes the filter. FALSE with @error: there are errors. */
gboolean tt_config_settings_open (TtConfigSettings *self, GError **error);
void tt_config_settings_clear (TtConfigSettings *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtConfigSettings, tt_config_settings_clear)

/* With --config: restricts @selection to what is kept of the store, and reports what that is. */
gboolean tt_config_settings_select (TtConfigSettings *self, TtStore *store, TtSelection *selection, GError **error);
/* Tells on standard error what the filter kept, and why; nothing without one. */
void tt_config_settings_tell (const TtConfigSettings *self);
