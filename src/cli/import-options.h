/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options of the commands that read traces: import and convert.
 */
#pragma once

#include "formats/format.h"
#include "src/cli/config-apply.h"
#include "src/cli/option-values.h"
#include "src/cli/options.h"
#include "src/select/pattern.h"

typedef struct
{
  char *format, *name_rules; /* NULL: not given */
  gboolean strict, quiet;
  gint64 rank;
  char *pid, *args_text, *step_rule_text, *step_by_text, *pi_generation, *pi_ids;
  gboolean no_align, salvage;
  char *probe_layout, *binaries;
  TtPattern *step_by; /* NULL: not given */
  TtConfigSettings config;
  TtImportOptions options; /* tt_import_settings_check() fills it; borrows from the rest */
  char **args;
} TtImportSettings;

#define TT_IMPORT_SETTINGS_INIT \
  {                             \
    .rank = -1                  \
  }
extern const TtOptionValues tt_import_values[]; /* of commands that import */
extern const char *const tt_step_rule_words[];  /* of --step-rule, NULL-ended; by TtStepRule */
/* NULL-ended; append to the command's own with tt_options_concat(). */
GOptionEntry *tt_import_entries (TtImportSettings *settings);
/* After parsing; opens the configuration of --config. FALSE with @error: a value that means nothing. */
gboolean tt_import_settings_check (TtImportSettings *settings, GError **error);
/* Those that decide what is read, in words and in one order: "--args none --rank 3"; files by name and checksum.
 * Free it. */
char *tt_import_settings_words (const TtImportSettings *self);
void tt_import_settings_clear (TtImportSettings *settings);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtImportSettings, tt_import_settings_clear)
