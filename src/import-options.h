/*
 * The options of the commands that read traces: import and convert.
 */
#pragma once

#include "formats/format.h"

typedef struct
{
  char *format, *name_rules; /* NULL: not given */
  gboolean strict, quiet;
  gint64 rank;
  char *pid, *args_text, *step_rule_text;
  gboolean no_align, salvage;
  char *probe_layout;
  TtImportOptions options; /* tt_import_settings_check() fills it; borrows from the rest */
  char **args;
} TtImportSettings;

#define TT_IMPORT_SETTINGS_INIT \
  {                             \
    .rank = -1                  \
  }
/* NULL-ended; append to the command's own with tt_options_concat(). */
GOptionEntry *tt_import_entries (TtImportSettings *settings);
/* After parsing. FALSE with @error: a value that means nothing. */
gboolean tt_import_settings_check (TtImportSettings *settings, GError **error);
void tt_import_settings_clear (TtImportSettings *settings);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtImportSettings, tt_import_settings_clear)
