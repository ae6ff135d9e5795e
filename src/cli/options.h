/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSharedOptions: the options of every command that answers with tables, and lists of options.
 */
#pragma once

#include "src/base/report/fields.h"

typedef struct
{
  char **filters;
  char *time_window;
  char *unit_text;
  char *format_text;
  int top; /* TT_TOP_NOT_SAID: the default */
  gboolean wide, bars;
} TtSharedOptions;

#define TT_DEFAULT_TOP 30
/* Of --top, which may be no negative number. */
#define TT_TOP_NOT_SAID G_MININT

#define TT_SHARED_OPTIONS_INIT \
  {                            \
    .top = TT_TOP_NOT_SAID     \
  }
/* What --unit, --format, --top, --wide and --bars mean; @default_top: rows of tables without --top. */
gboolean tt_shared_options_view (const TtSharedOptions *options, guint default_top, TtReportView *view, GError **error);
/* Entries for commands that have not all of these. */
#define TT_UNIT_ENTRY(place)                                                                \
  {                                                                                         \
    "unit", 0, 0, G_OPTION_ARG_STRING, (place),                                             \
        "Unit of times: auto (default of tables), ns, us (of other formats), ms, s", "UNIT" \
  }
#define TT_TOP_ENTRY(place)                                                                           \
  {                                                                                                   \
    "top", 0, 0, G_OPTION_ARG_INT, (place), "Show at most N rows (default 30 in tables; 0: all)", "N" \
  }
#define TT_WIDE_ENTRY(place)                                                                                           \
  {                                                                                                                    \
    "wide", 0, 0, G_OPTION_ARG_NONE, (place), "Show all columns and whole names, however narrow the terminal is", NULL \
  }
/* Entries for these, NULL-ended. Free it. */
GOptionEntry *tt_shared_entries (TtSharedOptions *options);
/* Both NULL-ended lists in one. Free it. */
GOptionEntry *tt_options_concat (const GOptionEntry *own, const GOptionEntry *shared);
void tt_shared_options_clear (TtSharedOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtSharedOptions, tt_shared_options_clear)
