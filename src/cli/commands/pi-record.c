/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "formats/pi/api.h"
#include "formats/pi/native.h"
#include "src/base/failure.h"
#include "src/base/look.h"
#include "src/base/paths.h"
#include "src/base/shipped.h"
#include "src/pi/files.h"
#include "src/pi/kept-environment.h"
#include "src/pi/run.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *directory, *format;
  gboolean override, skip_memory, profile;
  char *environment; /* what of it is kept */
  char **command;    /* the program and its arguments */
  char *replaced;    /* where the recording that was in the directory waits; NULL: there was none */
} Options;

static gboolean set_fault (GError **error, TtErrorCode code, const char *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
set_fault (GError **error, TtErrorCode code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error_literal (error, TT_ERROR, code, text);
  return FALSE;
}

/* -- the directory ---------------------------------------------------------------------------------- */

static gboolean
is_empty (const char *path)
{
  g_autoptr (GDir) dir = tt_look_folder (path, NULL);

  return dir != NULL && tt_look_next (dir, path) == NULL;
}

/* What --override may delete: nothing that is not a recording. */
static gboolean
is_recording (const char *path)
{
  g_autofree char *config = g_build_filename (path, "replay_config.json", NULL);

  return tt_look_test (config, G_FILE_TEST_IS_REGULAR) || is_empty (path);
}

/* It is deleted when the new one is there. */
static gboolean
set_aside (Options *options, GError **error)
{
  g_autofree char *aside = g_strconcat (options->directory, ".replaced-XXXXXX", NULL);

  if (g_mkdtemp (aside) == NULL)
    return set_fault (error, TT_ERROR_INPUT, "cannot make a directory beside '%s': %s", options->directory,
                      g_strerror (errno));
  if (rename (options->directory, aside) == 0)
    {
      options->replaced = g_steal_pointer (&aside);
      return TRUE;
    }
  set_fault (error, TT_ERROR_INPUT, "cannot rename '%s': %s", options->directory, g_strerror (errno));
  rmdir (aside);
  return FALSE;
}

/* In the place of nothing. */
static void
put_back (const Options *options)
{
  if (options->replaced != NULL && rename (options->replaced, options->directory) != 0)
    tt_warning ("the recording that was in '%s' is now '%s'", options->directory, options->replaced);
}

static gboolean
make_directory (Options *options, GError **error)
{
  g_autofree char *path = g_strdup (options->directory);
  struct stat status;

  while (strlen (path) > 1 && g_str_has_suffix (path, "/"))
    path[strlen (path) - 1] = '\0';
  g_free (options->directory);
  options->directory = g_strdup (path);
  if (tt_look_lstat (path, &status) == 0)
    {
      if (!options->override)
        return set_fault (error, TT_ERROR_INPUT, "'%s' exists; choose another directory, or '--override' to delete it",
                          path);
      gboolean is_ours = S_ISDIR (status.st_mode) && is_recording (path);
      if (!tt_failure_check (error))
        return FALSE;
      if (!is_ours)
        return set_fault (error, TT_ERROR_INPUT,
                          "'%s' is no recording (it has no replay_config.json); it is not deleted", path);
      if (!set_aside (options, error))
        return FALSE;
    }
  if (!tt_failure_check (error))
    return FALSE;
  if (mkdir (path, 0777) == 0)
    return TRUE;
  set_fault (error, TT_ERROR_INPUT, "cannot make the directory '%s': %s", path, g_strerror (errno));
  put_back (options);
  return FALSE;
}

/* -- the environment -------------------------------------------------------------------------------- */

static char **
prepare_environment (const Options *options, const char *directory, GError **error)
{
  g_autofree char *subscriber = tt_shipped_library ("libtracetool-pi-record.so", error);
  g_autofree char *threads = subscriber != NULL ? tt_shipped_library ("libtracetool-pi-threads.so", error) : NULL;

  g_autofree char *redirect = threads != NULL ? tt_shipped_library ("libtracetool-pi-redirect.so", error) : NULL;

  if (redirect == NULL)
    return NULL;
  char **environment = g_get_environ ();
  environment = g_environ_setenv (environment, "XPTI_TRACE_ENABLE", "1", TRUE);
  environment = g_environ_setenv (environment, "XPTI_FRAMEWORK_DISPATCHER", "libxptifw.so", FALSE);
  environment = tt_pi_environment_add (environment, "XPTI_SUBSCRIBERS", subscriber, ",");
  environment = tt_pi_environment_add (environment, "UR_ENABLE_LAYERS", "UR_LAYER_TRACING", ";");
  environment = tt_pi_environment_add (environment, "LD_PRELOAD", threads, ":");
  environment = g_environ_setenv (environment, "DPCPP_TRACE_DATA_PATH", directory, TRUE);
  environment = g_environ_setenv (environment, "TRACETOOL_PI_FORMAT", options->format, TRUE);
  environment = g_environ_unsetenv (environment, "TRACETOOL_PI_PROFILE");
  environment = g_environ_unsetenv (environment, "TRACETOOL_PI_HOOK");
  if (options->profile)
    {
      environment = g_environ_setenv (environment, "TRACETOOL_PI_PROFILE", "1", TRUE);
      environment = g_environ_setenv (environment, "TRACETOOL_PI_HOOK", subscriber, TRUE);
      environment = tt_pi_environment_add (environment, "LD_AUDIT", redirect, ":");
    }
  if (options->skip_memory)
    environment = g_environ_setenv (environment, "DPCPP_TRACE_SKIP_MEM_OBJECTS", "1", TRUE);
  else
    environment = g_environ_unsetenv (environment, "DPCPP_TRACE_SKIP_MEM_OBJECTS");
  return environment;
}

/* -- putting in order ------------------------------------------------------------------------------- */

typedef struct
{
  guint64 n_calls, n_threads, n_other_processes;
  guint64 n_times, n_without_times; /* commands that the recorder asked */
} Found;

static void
count_records (const guint8 *bytes, gsize len, Found *found)
{
  TtPiNativeRecord record;
  guint32 size;

  for (gsize at = TT_PI_NATIVE_HEADER; at < len; at += size)
    {
      size = tt_pi_native_record_size (bytes + at, len - at);
      if (tt_pi_native_record (bytes + at, size, &record) != NULL)
        continue;
      found->n_calls += record.kind == TT_PI_NATIVE_BEGIN;
      if (record.kind == TT_PI_NATIVE_TIMES && record.times.of == TT_PI_TIMES_OF_COMMAND)
        *(record.times.result == 0 ? &found->n_times : &found->n_without_times) += 1;
    }
}

/* A process that was killed, or whose threads ran to the last moment, leaves unused space after its records. */
static void
put_in_order (const char *directory, const char *name, Found *found)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  g_autoptr (GMappedFile) file = NULL;
  gsize len, end;

  if (g_str_has_suffix (name, ".pi_trace") || g_str_has_suffix (name, ".trace"))
    found->n_threads++;
  else if (g_str_has_prefix (name, "process-"))
    found->n_other_processes++;
  if (!g_str_has_suffix (name, TT_PI_NATIVE_SUFFIX) || (file = tt_look_map (path, NULL)) == NULL)
    return;
  len = g_mapped_file_get_length (file);
  const guint8 *bytes = (const guint8 *) g_mapped_file_get_contents (file);
  if (len < TT_PI_NATIVE_HEADER)
    return;
  end = tt_pi_native_end (bytes, len);
  found->n_threads++;
  count_records (bytes, end, found);
  g_clear_pointer (&file, g_mapped_file_unref);
  if (end < len && truncate (path, (off_t) end) != 0)
    tt_warning ("cannot cut '%s' to what is written: %s", path, g_strerror (errno));
}

static void
put_all_in_order (const char *directory, Found *found)
{
  g_autoptr (GDir) dir = tt_look_folder (directory, NULL);
  const char *name;

  while (dir != NULL && (name = tt_look_next (dir, directory)) != NULL)
    {
      put_in_order (directory, name, found);
      if (g_str_has_prefix (name, "process-"))
        {
          g_autofree char *other = g_build_filename (directory, name, NULL);
          Found ignored = { 0 };
          put_all_in_order (other, &ignored);
        }
    }
}

/* The plugins that made calls, as the subscriber saw them. */
static void
read_plugins (const char *directory, TtPiReplayConfig *config)
{
  g_autofree char *path = g_build_filename (directory, "plugins", NULL);
  g_autofree char *text = NULL;

  if (!tt_look_contents (path, &text, NULL, NULL))
    return;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      config->has_opencl |= g_str_has_prefix (lines[i], "opencl\t");
      config->has_level_zero |= g_str_has_prefix (lines[i], "level_zero\t");
      config->has_cuda |= g_str_has_prefix (lines[i], "cuda\t");
      config->has_rocm |= g_str_has_prefix (lines[i], "rocm\t");
    }
}

static void
report_findings (const Options *options, const Found *found)
{
  g_autofree char *shown = tt_shell_word (options->directory);

  if (found->n_threads == 0)
    tt_warning ("'%s' made no PI calls, or its runtime does not trace them: is libxptifw.so found "
                "(LD_LIBRARY_PATH)? '%s' has no calls",
                options->command[0], options->directory);
  else if (g_str_equal (options->format, "native"))
    tt_message ("recorded %" G_GUINT64_FORMAT " calls of %" G_GUINT64_FORMAT
                " threads; 'tracetool pi print %s' shows them",
                found->n_calls, found->n_threads, shown);
  else
    tt_message ("recorded the calls of %" G_GUINT64_FORMAT " threads; 'tracetool pi print %s' shows them",
                found->n_threads, shown);
  if (options->profile && found->n_calls > 0)
    tt_message ("asked for the times of %" G_GUINT64_FORMAT " commands of devices; %" G_GUINT64_FORMAT
                " were not to be had",
                found->n_times + found->n_without_times, found->n_without_times);
  if (found->n_other_processes > 0)
    tt_message ("%" G_GUINT64_FORMAT " more processes made calls: their recordings are in '%s/process-*'",
                found->n_other_processes, options->directory);
}

/* -- the command ------------------------------------------------------------------------------------ */

/* What the program left becomes a recording. */
static gboolean
complete (const Options *options, const char *directory, const TtPiRan *ran, TtPiReplayConfig *config, GError **error)
{
  Found found = { 0 };

  if (ran->unseen != NULL)
    tt_warning ("the files that '%s' opened could not be seen (%s): 'pi pack' will not have them", options->command[0],
                ran->unseen);
  else if (!tt_pi_write_files (directory, ran->files, error))
    return FALSE;
  put_all_in_order (directory, &found);
  read_plugins (directory, config);
  if (!tt_pi_write_config (directory, config, error) || !tt_failure_check (error))
    return FALSE;
  report_findings (options, &found);
  return options->replaced == NULL || tt_pi_delete_directory (options->replaced, error);
}

static gboolean
run_program (Options *options, const char *directory, const TtPiReplayConfig *config, TtPiRan *ran, GError **error)
{
  g_auto (GStrv) environment = prepare_environment (options, directory, error);

  if (environment == NULL || !make_directory (options, error))
    return FALSE;
  const TtPiRun program = {
    .executable = config->executable,
    .argv = options->command,
    .envp = environment,
    .watch = TRUE,
    .ignore = directory,
  };
  g_auto (GStrv) kept = tt_pi_environment_keep (environment, options->environment);
  if (tt_pi_write_config (directory, config, error) && tt_pi_write_environment (directory, kept, error) &&
      tt_pi_run (&program, ran, error))
    return TRUE;
  tt_pi_delete_directory (options->directory, NULL);
  put_back (options);
  return FALSE;
}

static int
record_program (Options *options, GError **error)
{
  g_autofree char *executable = g_find_program_in_path (options->command[0]);
  g_autofree char *directory = g_canonicalize_filename (options->directory, NULL);
  g_auto (TtPiRan) ran = { 0 };

  if (executable == NULL)
    {
      set_fault (error, TT_ERROR_INPUT, "cannot run '%s': no such program", options->command[0]);
      return -1;
    }
  g_autofree char *resolved = g_canonicalize_filename (executable, NULL);
  TtPiReplayConfig config = {
    .command = options->command[0],
    .executable = resolved,
    .record_mode = options->skip_memory ? "traceOnly" : "default",
    .arguments = options->command + 1,
  };
  if (!run_program (options, directory, &config, &ran, error))
    return -1;
  if (!complete (options, directory, &ran, &config, error))
    {
      if (options->replaced != NULL)
        tt_warning ("what was in '%s' is in '%s'", options->directory, options->replaced);
      return -1;
    }
  g_autofree char *ending = NULL;
  int status = tt_pi_exit_status (ran.wait_status, &ending);
  if (ending != NULL)
    tt_warning ("'%s' %s; its calls until then are kept", options->command[0], ending);
  return status;
}

/* The program's own options are not ours: ours end with the first word that is none. */
static int
own_words (int argc, char **argv)
{
  static const char *const with_value[] = { "-o", "--output", "--format", "--env", NULL };

  for (int i = 1; i < argc; i++)
    if (g_str_equal (argv[i], "--"))
      return i;
    else if (g_strv_contains (with_value, argv[i]))
      i++;
    else if (argv[i][0] != '-')
      return i;
  return argc;
}

/* PROGRAM -- ARGUMENT..., with or without the dashes, which may stand before the program too. */
static void
split_command (int n, char **words, char **command)
{
  int at = n > 0 && g_str_equal (words[0], "--") ? 1 : 0;

  for (int i = 0; at < n; at++)
    if (i == 1 && g_str_equal (words[at], "--") && (words[at - 1] == command[0]))
      continue;
    else
      command[i++] = words[at];
}

static const char *const format_words[] = { "native", "g3", "doc", NULL };

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  Options options = { 0 };
  int status = 0, own = own_words (argc, argv);
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.directory, "Directory to make for the recording", "DIR" },
    { "override", 0, 0, G_OPTION_ARG_NONE, &options.override, "Replace the recording that is in DIR", NULL },
    { "skip-mem-objects", 's', 0, G_OPTION_ARG_NONE, &options.skip_memory, "Leave out the contents of memory", NULL },
    { "profile", 0, 0, G_OPTION_ARG_NONE, &options.profile, "Ask the runtime when commands ran on the device", NULL },
    { "format", 0, 0, G_OPTION_ARG_STRING, &options.format, "native (default), g3, doc", "FORMAT" },
    { "env", 0, 0, G_OPTION_ARG_STRING, &options.environment,
      "Environment to keep: none, needed, masked (default), all", "WHAT" },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree char **own_argv = g_new0 (char *, argc + 1);
  g_autofree char **command = g_new0 (char *, argc + 1);
  char **words = own_argv;

  for (int i = 0; i < own; i++)
    words[i] = argv[i];
  split_command (argc - own, argv + own, command);
  options.command = command;

  if (tt_command_parse (&tt_command_pi_record, entries, &own, &words, &status, error))
    {
      if (options.format == NULL)
        options.format = g_strdup ("native");
      if (options.environment == NULL)
        options.environment = g_strdup ("masked");
      if (options.directory == NULL || command[0] == NULL)
        set_fault (error, TT_ERROR_USAGE, "%s; see 'tracetool pi record --help'",
                   command[0] == NULL ? "which program?" : "'-o DIR' says where the recording goes");
      else if (!g_strv_contains (format_words, options.format))
        set_fault (error, TT_ERROR_USAGE, "unknown format '%s'; there are native, g3, doc", options.format);
      else if (options.profile && !g_str_equal (options.format, "native"))
        set_fault (error, TT_ERROR_USAGE, "'--profile' needs '--format native': the others have no place for times");
      else if (!g_strv_contains (tt_pi_environment_words, options.environment))
        set_fault (error, TT_ERROR_USAGE, "unknown environment '%s'; there are none, needed, masked, all",
                   options.environment);
      status = error != NULL && *error != NULL ? -1 : record_program (&options, error);
    }
  g_free (options.directory);
  g_free (options.replaced);
  g_free (options.format);
  g_free (options.environment);
  return status;
}

static const TtOptionValues values[] = { { "format", TT_VALUES_ONE, format_words },
                                         { "env", TT_VALUES_ONE, tt_pi_environment_words },
                                         { NULL } };

const TtCommand tt_command_pi_record = {
  .name = "pi record",
  .summary = "Run a program and record its calls to PI or UR",
  .usage = "-o DIR PROGRAM [-- ARGUMENT...]",
  .details =
      "PROGRAM is a SYCL program with a DPC++ runtime that traces (XPTI). DIR must not exist. Every thread gets a\n"
      "file of its own in it, beside the environment, the device images, the task graph and the list of files\n"
      "that the program opened. The exit status is the program's; 128 and the signal when one killed it.\n"
      "\n"
      "native keeps what pointers point to (texts, wait lists, work sizes, new handles) and is still readable\n"
      "when the program is killed; 'pi replay' and 'pi drive' need it for everything they do. g3 and doc are for "
      "other\n"
      "tools: the protobuf files of 2021, and the layout of their description.\n"
      "\n"
      "With --profile the recorder asks when each kernel, copy and fill was queued, submitted, begun and ended, also\n"
      "where the program does not, and reads the clocks of devices: 'import' makes rows of the device of it. Runtimes\n"
      "that speak Unified Runtime are asked (DPC++ since 2025), and those with PI (releases of 2021 to 2024).\n"
      "\n"
      "The environment is kept for the replay of packed recordings, without the values of names that sound like a\n"
      "secret (TOKEN, SECRET, PASSWORD, KEY and others); '--env needed' keeps what loaders and runtimes read.",
  .example = "tracetool pi record -o run1 true -- --help",
  .ignores_db = TRUE,
  .ignores_run = TRUE,
  .values = values,
  .run = run,
};
