/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "src/base/look.h"
#include "src/base/output.h"
#include "src/base/paths.h"
#include "src/base/shipped.h"
#include "src/cli/probe-file.h"
#include "src/gpu/weave/probe.h"
#include "src/pi/run.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  char *directory;
  gint64 room;
  const char *probe;
  char **command; /* the program and its arguments */
} Options;

/* -- the directory ------------------------------------------------------------------------------------ */

static gboolean
make_folder (const char *path, GError **error)
{
  if (g_mkdir (path, 0777) == 0)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot make '%s': %s", path, g_strerror (errno));
  return FALSE;
}

static gboolean
make_directory (const char *directory, const char *toml, GError **error)
{
  g_autofree char *results = g_build_filename (directory, "result", NULL),
                  *kernels = g_build_filename (directory, "kernel", NULL),
                  *modules = g_build_filename (directory, "module", NULL),
                  *probe = g_build_filename (directory, "probe.toml", NULL);

  return make_folder (directory, error) && make_folder (results, error) && make_folder (kernels, error) &&
         make_folder (modules, error) && tt_output_print (probe, toml, -1, error);
}

/* -- the program -------------------------------------------------------------------------------------- */

static char **
prepare_environment (const Options *options, const char *directory, GError **error)
{
  g_autofree char *library = tt_shipped_library ("libtracetool-probe-record.so", error);
  g_autofree char *tool = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *room = g_strdup_printf ("%" G_GINT64_FORMAT, options->room);

  if (library == NULL)
    return NULL;
  char **environment = g_get_environ ();
  const char *old = g_environ_getenv (environment, "LD_PRELOAD");
  g_autofree char *preload = old == NULL || *old == '\0' ? g_strdup (library) : g_strconcat (library, ":", old, NULL);
  environment = g_environ_setenv (environment, "LD_PRELOAD", preload, TRUE);
  environment = g_environ_setenv (environment, "TRACETOOL_PROBE_DIRECTORY", directory, TRUE);
  environment = g_environ_setenv (environment, "TRACETOOL_PROBE_TOOL", tool != NULL ? tool : "tracetool", TRUE);
  return g_environ_setenv (environment, "TRACETOOL_PROBE_ROOM", room, TRUE);
}

/* What the log says of all launches. */
static void
report (const Options *options, const char *directory)
{
  g_autofree char *path = g_build_filename (directory, "event.log", NULL), *text = NULL;
  g_autofree char *shown = tt_shell_word (options->directory);
  guint64 n_saved = 0, n_failed = 0, n_graph = 0, n_lost = 0;

  if (!tt_look_contents (path, &text, NULL, NULL))
    {
      tt_warning ("'%s' loaded no module by CUDA's driver (libcuda.so.1): nothing is recorded", options->command[0]);
      return;
    }
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    {
      n_saved += g_str_has_prefix (*line, "[exec] save ");
      n_failed += g_str_has_prefix (*line, "[exec] failed ");
      n_graph += g_str_has_prefix (*line, "[exec] graph: ");
      if (g_str_has_prefix (*line, "[exec] lost map ") && strstr (*line, "records ") != NULL)
        n_lost += g_ascii_strtoull (strstr (*line, "records ") + strlen ("records "), NULL, 10);
    }
  tt_message ("recorded %" G_GUINT64_FORMAT " launches; 'tracetool stats %s' shows them", n_saved, shown);
  if (n_failed > 0)
    tt_warning ("%" G_GUINT64_FORMAT " launches failed", n_failed);
  if (n_graph > 0)
    tt_warning ("%" G_GUINT64_FORMAT " kernels went into graphs, whose launches are not recorded", n_graph);
  if (n_lost > 0)
    tt_warning ("%" G_GUINT64_FORMAT
                " records found no room: raise the cap of their map, or --room where it is dynamic",
                n_lost);
}

static int
record (Options *options, GError **error)
{
  int status = -1;
  g_autofree char *executable = g_find_program_in_path (options->command[0]);
  g_autofree char *directory = g_canonicalize_filename (options->directory, NULL);
  g_auto (TtPiRan) ran = { 0 };

  if (executable == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot run '%s': no such program", options->command[0]);
      return -1;
    }
  g_autofree char *toml = tt_probe_file_read (options->probe, "ptx", &status, error);
  g_autoptr (TtGpuProbe) probe = toml == NULL ? NULL : tt_gpu_probe_new (options->probe, toml, strlen (toml), error);
  if (probe == NULL)
    return error != NULL && *error != NULL ? -1 : status;
  g_auto (GStrv) environment = prepare_environment (options, directory, error);
  if (environment == NULL || !make_directory (directory, toml, error))
    return -1;
  const TtPiRun program = { .executable = executable, .argv = options->command, .envp = environment };
  if (!tt_pi_run (&program, &ran, error))
    return -1;
  report (options, directory);
  g_autofree char *ending = NULL;
  status = tt_pi_exit_status (ran.wait_status, &ending);
  if (ending != NULL)
    tt_warning ("'%s' %s; what was recorded until then is kept", options->command[0], ending);
  return status;
}

/* -- the command -------------------------------------------------------------------------------------- */

/* Ours end with the first word that is no option: the probe. What follows is the program's. */
static int
own_words (int argc, char **argv)
{
  static const char *const with_value[] = { "-o", "--output", "--room", NULL };

  for (int i = 1; i < argc; i++)
    if (g_strv_contains (with_value, argv[i]))
      i++;
    else if (argv[i][0] != '-')
      return i + 1;
  return argc;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  Options options = { .room = 256 };
  int status = 0, own = own_words (argc, argv), rest = own < argc && g_str_equal (argv[own], "--") ? own + 1 : own;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.directory, "Directory to make for the records", "DIR" },
    { "room", 0, 0, G_OPTION_ARG_INT64, &options.room,
      "Records of a thread or warp where a map's cap is dynamic (default: 256)", "N" },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree char **own_argv = g_new0 (char *, argc + 1);
  char **words = own_argv;

  for (int i = 0; i < own; i++)
    words[i] = argv[i];
  options.command = argv + rest;
  if (tt_command_parse (&tt_command_probe_record, entries, &own, &words, &status, error))
    {
      options.probe = own == 2 ? words[1] : NULL;
      if (options.probe == NULL || rest >= argc || options.directory == NULL || options.room < 1)
        g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "%s; see 'tracetool probe record --help'",
                     options.probe == NULL       ? "which probe?"
                     : rest >= argc              ? "which program?"
                     : options.directory == NULL ? "'-o DIR' says where the records go"
                                                 : "--room is at least 1");
      status = error != NULL && *error != NULL ? -1 : record (&options, error);
    }
  else if (error != NULL && *error != NULL)
    status = -1;
  g_free (options.directory);
  return status;
}

const TtCommand tt_command_probe_record = {
  .name = "probe record",
  .summary = "Run a program of CUDA with a probe in its kernels",
  .usage = "-o DIR PROBE PROGRAM [ARGUMENT...]",
  .details =
      "PROBE is a program in neutrino.language, or the TOML of one. While PROGRAM loads modules by CUDA's driver, PTX\n"
      "in them gets the probe ('probe weave'), and each launch its memory for records, which go to DIR as Neutrino\n"
      "writes them. Modules without PTX, and launches in graphs, are left alone, which is said. Launches wait for "
      "each\n"
      "other. The exit status is the program's; 128 and the signal when one killed it.",
  .example = "tracetool probe record -o run neutrino/block_sched.py true",
  .ignores_db = TRUE,
  .ignores_run = TRUE,
  .run = run,
};
