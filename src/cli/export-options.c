/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/export-options.h"

#include "formats/perfetto-export/perfetto-export.h"
#include "src/cli/default-output.h"
#include "src/cli/options.h"
#include "src/cli/session.h"
#include "src/cli/words.h"

#include "src/base/paths.h"

#include <string.h>
#include <sys/stat.h>

/* Above this a viewer in a browser is in trouble. */
#define MANY_BYTES G_GUINT64_CONSTANT (1000000000)

/* -- options ------------------------------------------------------------------------------------- */

GOptionEntry *
tt_export_entries (TtExportSettings *self)
{
  const GOptionEntry entries[] = {
    { "template", 0, 0, G_OPTION_ARG_NONE, &self->is_template,
      "Write the uniform template: pid and tid as text, spans only",
      NULL },
    { "max-size", 0, 0, G_OPTION_ARG_STRING, &self->max_size_text,
      "Drop the shortest spans so that at most SIZE is written, uncompressed: 200M, 1G", "SIZE" },
    { "names", 0, 0, G_OPTION_ARG_STRING, &self->names_text,
      "Call events by their standard (default) or original names, the other in args", "original|standard" },
    { "absolute", 0, 0, G_OPTION_ARG_NONE, &self->is_absolute,
      "Keep the times of the source instead of counting from the run's start",
      NULL },
    { "filter", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->shared.filters,
      "Select events; operators = != ~ !~ < > <= >=; repeat for and, commas for or", "'FIELD OP VALUE'" },
    { "time-window", 0, 0, G_OPTION_ARG_STRING, &self->shared.time_window,
      "Select events in this time from the start of the run; either end may be omitted", "A:B" },
    { "unit", 0, 0, G_OPTION_ARG_STRING, &self->shared.unit_text, "Unit of the times given: ns, us (default), ms, s",
      "UNIT" },
    G_OPTION_ENTRY_NULL,
  };

  return tt_options_concat (entries, NULL);
}

void
tt_export_settings_clear (TtExportSettings *self)
{
  tt_shared_options_clear (&self->shared);
  g_clear_pointer (&self->max_size_text, g_free);
  g_clear_pointer (&self->names_text, g_free);
  g_clear_pointer (&self->selection, tt_selection_free);
}

gboolean
tt_size_parse (const char *text, guint64 *bytes, GError **error)
{
  static const char units[] = "kMGT";
  gsize len = strlen (text);
  guint64 unit = 1, whole = 0, fraction = 0, scale = 1;
  gboolean ok = TRUE, has_digit = FALSE;

  if (len > 0 && g_ascii_toupper (text[len - 1]) == 'B')
    len--;
  for (guint i = 0; len > 0 && units[i] != '\0'; i++)
    if (g_ascii_toupper (text[len - 1]) == g_ascii_toupper (units[i]))
      {
        for (guint k = 0; k <= i; k++)
          unit *= 1000;
        len--;
        break;
      }

  gsize i = 0;
  for (; i < len && g_ascii_isdigit (text[i]); i++, has_digit = TRUE)
    ok = ok && g_uint64_checked_mul (&whole, whole, 10) &&
         g_uint64_checked_add (&whole, whole, (guint64) (text[i] - '0'));
  if (i < len && text[i] == '.')
    for (i++; i < len && g_ascii_isdigit (text[i]) && scale < unit; i++, has_digit = TRUE)
      {
        fraction = fraction * 10 + (guint64) (text[i] - '0');
        scale *= 10;
      }
  if (ok && has_digit && i == len && g_uint64_checked_mul (bytes, whole, unit) &&
      g_uint64_checked_add (bytes, *bytes, fraction * (unit / scale)) && *bytes > 0)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'%s' is no size; write 200M, 1.5G or a number of bytes", text);
  return FALSE;
}

const char *const tt_export_names_words[] = { "standard", "original", NULL };

static gboolean
read_names (TtExportSettings *self, GError **error)
{
  guint choice = 0;

  if (self->names_text != NULL &&
      !tt_word_choose ("value of --names", self->names_text, tt_export_names_words, &choice, error))
    return FALSE;
  self->options.original_names = choice == 1;
  if (!self->options.original_names || !self->is_template)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--names original' does not go with '--template', which is a file of "
                                                "standard names");
  return FALSE;
}

gboolean
tt_export_settings_check (TtExportSettings *self, GError **error)
{
  TtUnit unit = TT_UNIT_US;

  if ((self->shared.unit_text != NULL && !tt_unit_parse (self->shared.unit_text, &unit, error)) ||
      (self->max_size_text != NULL && !tt_size_parse (self->max_size_text, &self->options.max_bytes, error)))
    return FALSE;
  if (!read_names (self, error))
    return FALSE;
  if (self->shared.filters != NULL || self->shared.time_window != NULL)
    {
      self->selection =
          tt_selection_new ((const char *const *) self->shared.filters, self->shared.time_window, unit, error);
      if (self->selection == NULL)
        return FALSE;
    }
  self->options.absolute = self->is_absolute;
  self->options.language = self->is_template ? &tt_chrome_language_template : NULL;
  self->options.selection = self->selection;
  return TRUE;
}

const char *
tt_export_settings_chrome_only (const TtExportSettings *self)
{
  return self->is_template             ? "--template"
         : self->max_size_text != NULL ? "--max-size"
         : self->is_absolute           ? "--absolute"
         : self->with_waits            ? "--waits"
                                       : NULL;
}

/* -- output -------------------------------------------------------------------------------------- */

static gboolean
is_device (const char *path)
{
  struct stat facts;

  return stat (path, &facts) == 0 && !S_ISREG (facts.st_mode) && !S_ISDIR (facts.st_mode);
}

const char *const tt_export_chrome_suffixes[] = { TT_CHROME_SUFFIX, NULL };
const char *const tt_export_perfetto_suffixes[] = { TT_PERFETTO_SUFFIX, NULL };
const char *const tt_export_viewer_suffixes[] = { TT_CHROME_SUFFIX, TT_PERFETTO_SUFFIX, NULL };

gboolean
tt_export_has_suffix (const char *path, const char *const *suffixes)
{
  g_autofree char *name = g_strdup (path);

  if (name == NULL)
    return FALSE;

  if (g_str_has_suffix (name, ".gz"))
    name[strlen (name) - strlen (".gz")] = '\0';
  for (; *suffixes != NULL; suffixes++)
    if (g_str_has_suffix (name, *suffixes))
      return TRUE;
  return FALSE;
}

TtOutput *
tt_export_open (const char *path, const char *const *suffixes, GError **error)
{
  if (tt_default_output_is_stdout (path) || tt_export_has_suffix (path, suffixes) || is_device (path))
    return tt_output_open (path, error);

  g_autoptr (GString) words = g_string_new (NULL);
  for (guint i = 0; suffixes[i] != NULL; i++)
    g_string_append_printf (words, "%s%s%s", i == 0 ? "" : ", ", suffixes[i], suffixes[i + 1] != NULL ? "" : " or ");
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "cannot tell what to write into '%s'; its name must end in %s%s.gz",
               path, words->str, suffixes[0]);
  return NULL;
}

void
tt_export_tell (const TtOutput *out, const TtExportSettings *self, const TtExportReport *report, TtStore *store)
{
  const char *path = tt_output_path (out);
  guint64 n = report->n_spans + report->n_instants + report->n_counters + report->n_messages + report->n_flows;
  char count[TT_TIME_TEXT], bytes[TT_TIME_TEXT], dropped[TT_TIME_TEXT], shortest[TT_TIME_TEXT], flows[TT_TIME_TEXT];
  g_autofree char *word = path == NULL ? NULL : tt_shell_word (path);

  tt_message ("wrote %s events%s%s%s (%s)%s%s; %s", tt_count_text (count, n), report->n_flows > 0 ? ", " : "",
              report->n_flows > 0 ? tt_count_text (flows, report->n_flows) : "",
              report->n_flows > 0 ? " of them flows" : "", tt_bytes_auto (bytes, tt_output_total (out)),
              word != NULL ? " to " : "", word != NULL ? word : "",
              self->options.language == &tt_perfetto_language ? TT_PERFETTO_OPENER : TT_CHROME_OPENER);
  if (n == 0 && self->selection != NULL)
    tt_command_nothing_matches ("event", self->selection, store);
  if (report->n_dropped > 0 && self->options.max_bytes > 0 && report->n_spans == 0)
    tt_message ("left out %s events for the size; no span fits", tt_count_text (dropped, report->n_dropped));
  else if (report->n_dropped > 0 && self->options.max_bytes > 0)
    tt_message ("left out %s events for the size; the shortest span kept lasts %s",
                tt_count_text (dropped, report->n_dropped), tt_time_auto (shortest, report->shortest_kept_ns));
  else if (report->n_dropped > 0)
    tt_message ("left out %s counter values that are not finite", tt_count_text (dropped, report->n_dropped));
  if (report->n_flows_lost > 0)
    tt_message ("left out %s flows without spans, or against the time", tt_count_text (dropped, report->n_flows_lost));
  if (report->n_long_args > 0)
    tt_message ("left out %s arguments longer than 16 MiB", tt_count_text (dropped, report->n_long_args));
  if (report->n_aside > 0)
    tt_message ("%s events are on further lines of their thread: viewers show only some of one time, and 512 levels",
                tt_count_text (dropped, report->n_aside));
  if (report->n_unnested > 0)
    tt_message ("%s spans that cross many others of their thread are shown as asynchronous",
                tt_count_text (dropped, report->n_unnested));
  if (self->is_absolute && self->options.language == NULL)
    tt_message ("viewers read absolute times to 250 ns only; without '--absolute' they are exact");
  if (self->options.max_bytes == 0 && tt_output_total (out) > MANY_BYTES)
    tt_message ("that is much for a viewer in a browser; '--max-size 500M' leaves out the shortest spans");
  if (report->mixed_clocks)
    tt_warning ("times of different clocks are shown together; each starts at its own first event");
}
