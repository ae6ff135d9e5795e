/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/options.h"

#include "src/base/error.h"

GOptionEntry *
tt_options_concat (const GOptionEntry *own, const GOptionEntry *shared)
{
  GArray *all = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));

  for (const GOptionEntry *entry = own; entry != NULL && entry->long_name != NULL; entry++)
    g_array_append_val (all, *entry);
  for (const GOptionEntry *entry = shared; entry != NULL && entry->long_name != NULL; entry++)
    g_array_append_val (all, *entry);
  return (GOptionEntry *) g_array_free (all, FALSE);
}

GOptionEntry *
tt_shared_entries (TtSharedOptions *options)
{
  const GOptionEntry entries[] = {
    { "filter", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->filters,
      "Select events (dur>1ms); operators = != ~ !~ < > <= >=; repeat for and, commas for or", "'FIELD OP VALUE'" },
    { "time-window", 0, 0, G_OPTION_ARG_STRING, &options->time_window,
      "Select events in this time from the start of the run; either end may be omitted", "A:B" },
    TT_UNIT_ENTRY (&options->unit_text),
    { "format", 0, 0, G_OPTION_ARG_STRING, &options->format_text,
      "Output format: table (default), csv, tsv, json, markdown",
      "FORMAT" },
    TT_TOP_ENTRY (&options->top),
    TT_WIDE_ENTRY (&options->wide),
    { "bars", 0, 0, G_OPTION_ARG_NONE, &options->bars, "Draw a number of each row as a bar", NULL },
    G_OPTION_ENTRY_NULL,
  };

  return tt_options_concat (entries, NULL);
}

gboolean
tt_shared_options_view (const TtSharedOptions *options, guint default_top, TtReportView *view, GError **error)
{
  *view = (TtReportView){ .unit = TT_UNIT_US, .is_wide = options->wide, .has_bars = options->bars };
  if (!tt_unit_choice_parse (options->unit_text != NULL ? options->unit_text : "auto", &view->unit, &view->is_auto_unit,
                              error) ||
      (options->format_text != NULL && !tt_report_format_parse (options->format_text, &view->format, error)))
    return FALSE;
  if (options->top < 0 && options->top != TT_TOP_NOT_SAID)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--top' must not be negative");
      return FALSE;
    }
  if (view->has_bars && !tt_report_view_is_for_people (view))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--bars' draws in tables: '--format %s' has none",
                   options->format_text);
      return FALSE;
    }
  view->top = options->top >= 0                      ? (guint) options->top
              : tt_report_view_is_for_people (view) ? default_top
                                                     : 0;
  view->is_top_default = options->top < 0 && view->top > 0;
  view->width = view->format == TT_FORMAT_TABLE && !view->is_wide ? tt_terminal_width () : 0;
  return TRUE;
}

void
tt_shared_options_clear (TtSharedOptions *options)
{
  g_clear_pointer (&options->filters, g_strfreev);
  g_clear_pointer (&options->time_window, g_free);
  g_clear_pointer (&options->unit_text, g_free);
  g_clear_pointer (&options->format_text, g_free);
}
