/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "formats/pi/archive/archive.h"
#include "formats/pi/native.h"
#include "formats/pi/replayer/report.h"
#include "formats/pi/side/side.h"
#include "src/base/look.h"
#include "src/base/shipped.h"
#include "src/pi/files.h"
#include "src/pi/kept-environment.h"
#include "src/pi/replay/packed-files.h"
#include "src/pi/replay/recorded.h"
#include "src/pi/replay/transcribe.h"
#include "src/pi/run.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *directory; /* of the recording, absolute */
  char *scratch;   /* what is only needed while it runs */
  char *answers;   /* native files */
  TtPiTrace *trace;
  TtPiConfig *config; /* NULL: none */
  gboolean is_packed, is_ur;
  TtPiPackedFiles packed;
} Replay;

static gboolean
is_native (const Replay *self)
{
  return tt_pi_trace_generation (self->trace) == TT_PI_GENERATION_NATIVE;
}

static gboolean
has_plugins (const Replay *self)
{
  const TtPiConfig *config = self->config;

  return config != NULL && (config->has_opencl || config->has_level_zero || config->has_cuda || config->has_rocm);
}

/* Plugins without devices are asked, too, and are not replaced; of native recordings it is known which they are. */
static gboolean
has_others (const Replay *self)
{
  return is_native (self) && !self->is_ur && has_plugins (self);
}

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

/* -- the recording ---------------------------------------------------------------------------------- */

/* An archive is unpacked for as long as it runs. */
static gboolean
open_recording (Replay *self, const char *path, GError **error)
{
  const TtPiOptions options = { .ids = -1 };
  g_autoptr (GError) damage = NULL;

  self->scratch = g_dir_make_tmp ("tracetool-replay-XXXXXX", error);
  if (self->scratch == NULL)
    return FALSE;
  if (tt_look_test (path, G_FILE_TEST_IS_DIR))
    self->directory = g_canonicalize_filename (path, NULL);
  else
    {
      self->directory = g_build_filename (self->scratch, "unpacked", NULL);
      if (!tt_pi_archive_unpack (path, self->directory, FALSE, error))
        return FALSE;
    }
  self->trace = tt_pi_trace_open (self->directory, &options, error);
  if (self->trace == NULL)
    return FALSE;
  self->config = tt_pi_config_read (self->trace, &damage);
  if (damage != NULL)
    tt_warning ("%s", damage->message);
  self->is_packed = self->config != NULL && g_strcmp0 (self->config->record_mode, "full") == 0;
  return TRUE;
}

static gboolean
make_answers (Replay *self, GError **error)
{
  guint64 n_cut = 0;

  if (is_native (self))
    {
      self->answers = g_strdup (self->directory);
      self->is_ur = tt_pi_recording_is_ur (self->directory);
      return TRUE;
    }
  self->answers = g_build_filename (self->scratch, "answers", NULL);
  if (mkdir (self->answers, 0777) != 0)
    return set_fault (error, TT_ERROR_INPUT, "cannot make '%s': %s", self->answers, g_strerror (errno));
  if (!tt_pi_transcribe (self->trace, self->answers, &n_cut, error))
    return FALSE;
  if (n_cut > 0)
    tt_warning ("the contents of memory in %" G_GUINT64_FORMAT
                " calls are longer than can be replayed from this format",
                n_cut);
  return TRUE;
}

/* -- the native files ------------------------------------------------------------------------------- */

/* @done: calls that were made. */
static TtPiRecorded
read_recorded (const Replay *self, guint thread, guint64 done)
{
  g_autofree char *name = g_strconcat (tt_pi_trace_thread_name (self->trace, thread), TT_PI_NATIVE_SUFFIX, NULL);
  g_autofree char *path = g_build_filename (self->answers, name, NULL);

  return tt_pi_recorded_read (path, done, is_native (self), has_others (self), tt_pi_trace_n_threads (self->trace) > 1);
}

/* Of PI the runtime's table has at least the highest id: what lies after it may not be written to. */
static void
find_runtime (const Replay *self, guint32 *highest_id, guint32 *release)
{
  *highest_id = *release = 0;
  for (guint i = 0; i < tt_pi_trace_n_threads (self->trace); i++)
    {
      TtPiRecorded recorded = read_recorded (self, i, 0);
      *highest_id = MAX (*highest_id, recorded.highest_id);
      *release = MAX (*release, recorded.release);
    }
}

/* -- the program ------------------------------------------------------------------------------------ */

/* Without the recorder's own libraries, which stood first when it was recorded. */
static char **
clean_list (char **environment, const char *variable)
{
  const char *old = g_environ_getenv (environment, variable);
  g_auto (GStrv) words = g_strsplit (old != NULL ? old : "", ":", -1);
  g_autoptr (GString) rest = g_string_new (NULL);

  for (guint i = 0; words[i] != NULL; i++)
    if (words[i][0] != '\0' && strstr (words[i], "libtracetool-pi-") == NULL)
      g_string_append_printf (rest, "%s%s", rest->len > 0 ? ":" : "", words[i]);
  return rest->len > 0 ? g_environ_setenv (environment, variable, rest->str, TRUE)
                       : g_environ_unsetenv (environment, variable);
}

/* Runtimes until 2022 are told of another plugin by variables; of all others the loader is asked, which they name the
 * plugin to. */
static char **
override_plugins (const Replay *self, char **environment, const char *library, const char *redirect)
{
  const TtPiConfig *config = self->config;
  gboolean none = !has_plugins (self);
  const struct
  {
    const char *variable, *name;
    gboolean is_there;
  } plugins[] = {
    { "SYCL_OVERRIDE_PI_OPENCL", "libpi_opencl.so", none || config->has_opencl },
    { "SYCL_OVERRIDE_PI_LEVEL_ZERO", "libpi_level_zero.so", none || config->has_level_zero },
    { "SYCL_OVERRIDE_PI_CUDA", "libpi_cuda.so", none || config->has_cuda },
    { "SYCL_OVERRIDE_PI_ROCM", "libpi_rocm.so", none || config->has_rocm },
    { "SYCL_OVERRIDE_PI_HIP", "libpi_hip.so", none || config->has_rocm },
  };
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (plugins); i++)
    if (plugins[i].is_there)
      {
        environment = g_environ_setenv (environment, plugins[i].variable, library, TRUE);
        g_string_append_printf (names, "%s%s", names->len > 0 ? ":" : "", plugins[i].name);
      }
  environment = g_environ_setenv (environment, "TRACETOOL_PI_PLUGINS", names->str, TRUE);
  environment = g_environ_setenv (environment, "TRACETOOL_PI_LIBRARY", library, TRUE);
  return tt_pi_environment_add (environment, "LD_AUDIT", redirect, ":");
}

static char **
prepare_environment (const Replay *self, GError **error)
{
  static const char *const not_now[] = { "XPTI_TRACE_ENABLE",
                                         "XPTI_SUBSCRIBERS",
                                         "UR_ENABLE_LAYERS",
                                         "DPCPP_TRACE_DATA_PATH",
                                         "DPCPP_TRACE_SKIP_MEM_OBJECTS",
                                         "TRACETOOL_PI_FORMAT" };
  g_autofree char *library =
      tt_shipped_library (self->is_ur ? "libtracetool-ur-replay.so" : "libtracetool-pi-replay.so", error);
  g_autofree char *threads = library != NULL ? tt_shipped_library ("libtracetool-pi-threads.so", error) : NULL;
  g_autofree char *subscriber = threads != NULL ? tt_shipped_library ("libtracetool-pi-record.so", error) : NULL;
  g_autofree char *redirect = subscriber != NULL ? tt_shipped_library ("libtracetool-pi-redirect.so", error) : NULL;
  g_autofree char *report = g_build_filename (self->scratch, "report", NULL);
  g_autofree char *progress = g_build_filename (self->scratch, "progress", NULL);
  g_autofree char *buffers = g_build_filename (self->directory, "buffers", NULL);
  g_autofree char *ids = g_strdup_printf ("%d", (int) tt_pi_trace_ids (self->trace));
  guint32 highest_id, release_number;
  find_runtime (self, &highest_id, &release_number);
  g_autofree char *highest = g_strdup_printf ("%u", highest_id);
  g_autofree char *release = g_strdup_printf ("%u", release_number);
  if (redirect == NULL)
    return NULL;
  if (mkdir (progress, 0777) != 0)
    {
      set_fault (error, TT_ERROR_INPUT, "cannot make '%s': %s", progress, g_strerror (errno));
      return NULL;
    }

  GError *fault = NULL;
  char **environment = self->is_packed ? tt_pi_environment_read (self->trace, &fault) : NULL;
  if (fault != NULL)
    {
      g_propagate_error (error, fault);
      return NULL;
    }
  if (environment != NULL)
    environment = tt_pi_environment_unmask (environment);
  /* None was kept: today's. */
  if (environment != NULL && environment[0] == NULL)
    g_clear_pointer (&environment, g_strfreev);
  if (environment == NULL)
    environment = g_get_environ ();
  for (guint i = 0; i < G_N_ELEMENTS (not_now); i++)
    environment = g_environ_unsetenv (environment, not_now[i]);
  environment = clean_list (clean_list (environment, "LD_PRELOAD"), "LD_AUDIT");
  environment = g_environ_unsetenv (environment, "TRACETOOL_PI_HOOK");
  environment = g_environ_unsetenv (environment, "TRACETOOL_PI_PROFILE");
  environment = tt_pi_environment_add (environment, "LD_PRELOAD", threads, ":");
  /* A runtime that is traced asks more: it has to be so again. */
  environment = g_environ_setenv (environment, "XPTI_TRACE_ENABLE", "1", TRUE);
  environment = g_environ_setenv (environment, "XPTI_FRAMEWORK_DISPATCHER", "libxptifw.so", FALSE);
  environment = g_environ_setenv (environment, "XPTI_SUBSCRIBERS", subscriber, TRUE);
  environment = g_environ_setenv (environment, "TRACETOOL_PI_FORMAT", "nothing", TRUE);
  if (self->is_ur)
    {
      environment = g_environ_setenv (environment, "UR_ADAPTERS_FORCE_LOAD", library, TRUE);
      environment = g_environ_setenv (environment, "TRACETOOL_UR_RELEASE", release, TRUE);
    }
  else
    environment = override_plugins (self, environment, library, redirect);
  environment = g_environ_setenv (environment, "TRACETOOL_PI_REPLAY", self->answers, TRUE);
  environment = g_environ_setenv (environment, "TRACETOOL_PI_BUFFERS", buffers, TRUE);
  environment = g_environ_setenv (environment, "TRACETOOL_PI_REPORT", report, TRUE);
  environment = g_environ_setenv (environment, "TRACETOOL_PI_PROGRESS", progress, TRUE);
  environment = g_environ_setenv (environment, "TRACETOOL_PI_IDS", ids, TRUE);
  environment = g_environ_setenv (environment, "TRACETOOL_PI_HIGHEST", highest, TRUE);
  environment = g_environ_setenv (environment, "TRACETOOL_PI_OTHERS", has_others (self) ? "1" : "0", TRUE);
  return g_environ_setenv (environment, "TRACETOOL_PI_HANDLES", is_native (self) ? "1" : "0", TRUE);
}

/* The words to run: as given, else as recorded. @executable is what to execute. */
static char **
program_words (const Replay *self, char **given, char **executable, GError **error)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);

  if (given[0] == NULL && (self->config == NULL || self->config->executable == NULL))
    {
      set_fault (error, TT_ERROR_USAGE, "the recording does not say which program it is of: name one after it");
      return NULL;
    }
  if (given[0] != NULL)
    {
      *executable = g_find_program_in_path (given[0]);
      if (*executable == NULL)
        {
          set_fault (error, TT_ERROR_INPUT, "cannot run '%s': no such program", given[0]);
          return NULL;
        }
      return g_strdupv (given);
    }
  *executable =
      self->is_packed ? g_build_filename (self->directory, "pack", "0", NULL) : g_strdup (self->config->executable);
  /* An archive knows no modes. */
  if (self->is_packed && access (*executable, X_OK) != 0)
    chmod (*executable, 0755);
  g_ptr_array_add (words, g_strdup (self->config->command != NULL ? self->config->command : *executable));
  for (guint i = 0; self->config->arguments != NULL && self->config->arguments[i] != NULL; i++)
    g_ptr_array_add (words, g_strdup (self->config->arguments[i]));
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&words), FALSE);
}

/* -- what came of it -------------------------------------------------------------------------------- */

typedef struct
{
  guint64 n_calls, n_different, n_left;
  guint64 n_released, n_passed, balance; /* releases at other places */
  char *end;                             /* why the plugin ended the process */
} Outcome;

static void
read_report (const Replay *self, Outcome *outcome)
{
  g_autofree char *path = g_build_filename (self->scratch, "report", NULL);
  g_autofree char *text = NULL;

  /* It is there where something is told. (GLib's word for an errno goes to standard output where it has no memory.) */
  if (!tt_look_test (path, G_FILE_TEST_EXISTS) || !tt_look_contents (path, &text, NULL, NULL))
    return;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *tab = strchr (lines[i], '\t');
      if (tab == NULL)
        continue;
      *tab = '\0';
      if (g_str_equal (lines[i], "different"))
        outcome->n_different++;
      else if (g_str_equal (lines[i], "end") && outcome->end == NULL)
        outcome->end = g_strdup (tab + 1);
      else
        tt_warning ("%s", tab + 1);
    }
}

static void
read_progress (const Replay *self, Outcome *outcome)
{
  for (guint i = 0; i < tt_pi_trace_n_threads (self->trace); i++)
    {
      const char *thread = tt_pi_trace_thread_name (self->trace, i);
      g_autofree char *path = g_build_filename (self->scratch, "progress", thread, NULL);
      g_autofree char *bytes = NULL;
      TtReplayProgress progress = { 0 };
      gsize len = 0;

      if (tt_look_contents (path, &bytes, &len, NULL) && len == sizeof progress)
        memcpy (&progress, bytes, sizeof progress);
      TtPiRecorded recorded = read_recorded (self, i, progress.n_records);
      outcome->n_calls += progress.n_records + progress.n_released - progress.n_passed - progress.n_others;
      outcome->n_released += progress.n_released;
      outcome->n_passed += progress.n_passed + recorded.n_releases;
      outcome->balance += progress.balance - recorded.balance;
      outcome->n_left += recorded.n_left;
      if (recorded.n_left > 0 && outcome->end == NULL)
        tt_warning ("thread %s: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " recorded calls were not made", thread,
                    recorded.n_left, recorded.n_calls);
    }
}

/* Objects that were released more or less often than they were then. */
static void
judge_releases (Outcome *outcome)
{
  guint64 n_more = outcome->n_released > outcome->n_passed ? outcome->n_released - outcome->n_passed : 0;
  guint64 n_fewer = outcome->n_passed > outcome->n_released ? outcome->n_passed - outcome->n_released : 0;

  if (outcome->balance == 0)
    return;
  outcome->n_left += n_fewer;
  outcome->n_different += n_fewer == 0 ? MAX (n_more, 1) : 0;
  if (outcome->end == NULL && n_fewer > 0)
    tt_warning ("%" G_GUINT64_FORMAT " recorded releases of objects were not made", n_fewer);
  else if (outcome->end == NULL)
    tt_warning ("other objects were released, %" G_GUINT64_FORMAT " times more often", n_more);
}

static int
report_outcome (const Replay *self, const TtPiRan *ran, const char *name, GError **error)
{
  Outcome outcome = { 0 };
  int status;

  read_report (self, &outcome);
  read_progress (self, &outcome);
  judge_releases (&outcome);
  if (outcome.end != NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "%s; the replay ended there, after %" G_GUINT64_FORMAT " calls",
                   outcome.end, outcome.n_calls);
      g_free (outcome.end);
      return -1;
    }
  g_autofree char *ending = NULL;
  status = tt_pi_exit_status (ran->wait_status, &ending);
  if (ending != NULL)
    tt_warning ("'%s' %s", name, ending);
  if (outcome.n_calls == 0)
    tt_warning (self->is_ur ? "'%s' made no calls of the Unified Runtime"
                            : "'%s' made no PI calls: is its plugin loaded by another name than libpi_*.so?",
                name);
  if (outcome.n_different == 0 && outcome.n_left == 0)
    tt_message ("replayed %" G_GUINT64_FORMAT " calls, all as recorded", outcome.n_calls);
  else
    tt_message ("replayed %" G_GUINT64_FORMAT " calls; %" G_GUINT64_FORMAT " had other arguments, %" G_GUINT64_FORMAT
                " more were recorded",
                outcome.n_calls, outcome.n_different, outcome.n_left);
  return status != 0 ? status : outcome.n_different > 0 || outcome.n_left > 0 || outcome.n_calls == 0 ? 1 : 0;
}

/* -- the command ------------------------------------------------------------------------------------ */

static int
replay_recording (Replay *self, const char *path, char **given, GError **error)
{
  g_autofree char *executable = NULL;
  g_auto (TtPiRan) ran = { 0 };

  if (!open_recording (self, path, error) || !make_answers (self, error) ||
      (self->is_packed && !tt_pi_packed_files_read (&self->packed, self->directory, error)))
    return -1;
  g_auto (GStrv) words = program_words (self, given, &executable, error);
  g_auto (GStrv) environment = words != NULL ? prepare_environment (self, error) : NULL;
  if (environment == NULL)
    return -1;

  const TtPiRun program = {
    .executable = executable,
    .argv = words,
    .envp = environment,
    .redirects = self->packed.paths,
    .redirect_so = self->packed.libraries,
  };
  if (!tt_pi_run (&program, &ran, error))
    return -1;
  if (ran.unseen != NULL)
    tt_warning ("the packed files could not be put in place of the recorded ones (%s): those of this machine were used",
                ran.unseen);
  return report_outcome (self, &ran, words[0], error);
}

static void
replay_clear (Replay *self)
{
  if (self->scratch != NULL)
    tt_pi_delete_directory (self->scratch, NULL);
  tt_pi_packed_files_clear (&self->packed);
  g_clear_pointer (&self->config, tt_pi_config_free);
  g_clear_pointer (&self->trace, tt_pi_trace_free);
  g_free (self->answers);
  g_free (self->scratch);
  g_free (self->directory);
}

/* DIR PROGRAM -- ARGUMENT...: from PROGRAM on no word is ours. */
static int
own_words (int argc, char **argv)
{
  int n = 0, i = 1;

  for (; i < argc && n < 2; i++)
    {
      if (g_str_equal (argv[i], "--"))
        return i;
      n += argv[i][0] != '-';
    }
  return n == 2 ? i - 1 : argc;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };
  g_autofree char **own_argv = g_new0 (char *, argc + 1);
  g_autofree char **given = g_new0 (char *, argc + 1);
  int own = own_words (argc, argv), status = 0, n = 0;
  char **words = own_argv;
  Replay self = { 0 };

  for (int i = 0; i < own; i++)
    words[i] = argv[i];
  for (int i = own; i < argc; i++)
    if (n > 1 || !g_str_equal (argv[i], "--"))
      given[n++] = argv[i];
  if (!tt_command_parse (&tt_command_pi_replay, entries, &own, &words, &status, error))
    return status;
  if (own != 2)
    {
      set_fault (error, TT_ERROR_USAGE, "a recording is wanted; see 'tracetool pi replay --help'");
      return -1;
    }
  status = replay_recording (&self, words[1], given, error);
  replay_clear (&self);
  return status;
}

const TtCommand tt_command_pi_replay = {
  .name = "pi replay",
  .summary = "Run a program against a recording in place of its device",
  .usage = "DIR [PROGRAM [-- ARGUMENT...]]",
  .details =
      "Runs the recorded program, or PROGRAM, with a plugin of PI or an adapter of the Unified Runtime that\n"
      "answers its calls from the recording: results, values, handles, contents of memory. No device and no driver\n"
      "are needed. Every thread must make the calls it made when it was recorded: another function ends the run,\n"
      "other arguments are reported (both with the number of the record); the exit status is then 1, else the\n"
      "program's. A packed recording, also as an archive, runs its own program with its own files.",
  .example = "tracetool pi replay pi-run ./vector-add -- 1024 || tracetool pi print pi-run",
  .ignores_db = TRUE,
  .ignores_run = TRUE,
  .run = run,
};
