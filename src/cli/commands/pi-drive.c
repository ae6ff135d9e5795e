/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "src/base/failure.h"
#include "src/base/look.h"
#include "src/pi/drive/drive.h"

#include <errno.h>
#include <stdio.h>

#define DEFAULT_TOP 30

typedef struct
{
  guint64 n, top;
} Shown;

/* Writes at once: a crash of the plugin would lose the rest. */
static void
on_difference (const char *line, gpointer data)
{
  Shown *self = data;

  self->n++;
  if (self->top == 0 || self->n <= self->top)
    tt_print ("%s\n", line);
  else if (self->n == self->top + 1)
    tt_print ("... ('--top 0' shows all)\n");
  if (fflush (stdout) != 0)
    tt_failure_leave (g_error_new (TT_ERROR, TT_ERROR_INPUT, "cannot write standard output: %s", g_strerror (errno)));
}

static int
drive_plugin (const char *path, const char *plugin, guint64 top, GError **error)
{
  const TtPiOptions options = { .ids = -1 };
  g_autoptr (TtPiTrace) trace = tt_pi_trace_open (path, &options, error);
  g_autofree char *library =
      tt_look_test (plugin, G_FILE_TEST_EXISTS) ? g_canonicalize_filename (plugin, NULL) : g_strdup (plugin);
  Shown shown = { .top = top };
  TtPiDriven driven = { 0 };

  if (trace == NULL)
    return -1;
  if (tt_pi_trace_generation (trace) != TT_PI_GENERATION_NATIVE || !tt_look_test (path, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
                   "%s: only the directory of a native recording has what calls need; this is %s", path,
                   tt_pi_trace_description (trace));
      return -1;
    }
  const TtPiDrive job = {
    .trace = trace,
    .directory = path,
    .plugin = library,
    .on_difference = on_difference,
    .data = &shown,
  };
  gboolean is_ok = tt_pi_drive (&job, &driven, error);
  if (driven.n_not_made > 0)
    tt_warning ("%" G_GUINT64_FORMAT " calls were not made", driven.n_not_made);
  if (driven.n_lost > 0)
    tt_warning ("the recording is damaged; at least %" G_GUINT64_FORMAT " of its calls are lost", driven.n_lost);
  if (!is_ok)
    return -1;
  if (driven.n_different > 0)
    tt_message ("drove %" G_GUINT64_FORMAT " calls; %" G_GUINT64_FORMAT " came back otherwise", driven.n_calls,
                driven.n_different);
  else
    tt_message ("drove %" G_GUINT64_FORMAT " calls; all %scame back as recorded", driven.n_calls,
                driven.n_lost + driven.n_not_made > 0 ? "that were made " : "");
  return driven.n_different > 0 || driven.n_not_made > 0 || driven.n_lost > 0 ? 1 : 0;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_autofree char *plugin = NULL;
  int top = DEFAULT_TOP, status = 0;
  const GOptionEntry entries[] = {
    { "plugin", 0, 0, G_OPTION_ARG_FILENAME, &plugin, "The plugin; of UR a loader or an adapter", "LIB" },
    { "top", 0, 0, G_OPTION_ARG_INT, &top, "Differences to show (default 30; 0: all)", "N" },
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_pi_drive, entries, &argc, &argv, &status, error))
    return status;
  if (argc != 2 || plugin == NULL || top < 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "%s; see 'tracetool pi drive --help'",
                   top < 0     ? "'--top' must not be negative"
                   : argc != 2 ? "one recording is wanted"
                               : "'--plugin LIB' says which plugin");
      return -1;
    }
  return drive_plugin (argv[1], plugin, (guint64) top, error);
}

const TtCommand tt_command_pi_drive = {
  .name = "pi drive",
  .summary = "Make the calls of a recording to a plugin library and compare",
  .usage = "DIR --plugin LIB",
  .details =
      "Plays the part of the program and its runtime (of UR LIB is a loader or an adapter): makes the calls of a\n"
      "native recording again, with its threads, texts, contents of memory and device images, and compares results\n"
      "and outputs call by call. A bug of a plugin shows without the program. Exit status 0: all came back as\n"
      "recorded, and no call is lost to damage of the recording.",
  .example = "tracetool pi drive pi-run --plugin libpi_opencl.so || tracetool info pi-run",
  .ignores_db = TRUE,
  .ignores_run = TRUE,
  .run = run,
};
