/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `export` and `convert` share: their options, the output file, and what is said at the end.
 */
#pragma once

#include "formats/chrome-export/chrome-export.h"
#include "src/cli/command.h"
#include "src/cli/options.h"

typedef struct
{
  TtSharedOptions shared; /* filters, time window, unit */
  gboolean is_absolute, is_template;
  gboolean with_waits; /* of `export`: needs a store */
  char *max_size_text, *names_text;
  TtSelection *selection;
  TtExportOptions options; /* after tt_export_settings_check() */
} TtExportSettings;

#define TT_EXPORT_SETTINGS_INIT      \
  {                                  \
    .shared = TT_SHARED_OPTIONS_INIT \
  }

/* NULL-ended; free it. */
GOptionEntry *tt_export_entries (TtExportSettings *self);
void tt_export_settings_clear (TtExportSettings *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtExportSettings, tt_export_settings_clear)

/* Values of --names. */
extern const char *const tt_export_names_words[];
/* Makes `options` of what was given. */
gboolean tt_export_settings_check (TtExportSettings *self, GError **error);
/* The option given that means something only in a Chrome trace: "--template"; NULL: none. */
const char *tt_export_settings_chrome_only (const TtExportSettings *self);

/* Opens @path: NULL and "-" are standard output, else the name must end in one of @suffixes (NULL-ended), or that and
 * ".gz". */
TtOutput *tt_export_open (const char *path, const char *const *suffixes, GError **error);
/* What Chrome traces and Perfetto's are called, for tt_export_open(), and both. */
extern const char *const tt_export_chrome_suffixes[], *const tt_export_perfetto_suffixes[];
extern const char *const tt_export_viewer_suffixes[];
/* Whether the name of @path chooses one of @suffixes. NULL: standard output chooses none. */
gboolean tt_export_has_suffix (const char *path, const char *const *suffixes);

/* Tells on standard error what was written to @out, and how to look at it. @store: NULL if there is none. */
void
tt_export_tell (const TtOutput *out, const TtExportSettings *self, const TtExportReport *report, TtStore *store);

/* "200M", "1.5G", "4096": powers of 1000. */
gboolean tt_size_parse (const char *text, guint64 *bytes, GError **error);
