/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/format.h"

#include "formats/pi/archive/archive.h"
#include "formats/pi/import.h"
#include "formats/pi/native.h"
#include "formats/pi/options.h"
#include "formats/pi/print/print.h"
#include "formats/pi/trace-private.h"
#include "src/base/error.h"
#include "src/base/hash-ahead.h"
#include "src/base/input.h"
#include "src/base/look.h"

#include <glib/gstdio.h>
#include <string.h>

#define MAX_MESSAGE ((guint32) 64 << 20)

/* -- what the trace reader found odd --------------------------------------------------------------------------- */

static const TtRepairKind repair_of[] = {
  [TT_PI_WARN_UNKNOWN_ID] = TT_REPAIR_UNKNOWN_FUNCTION,
  [TT_PI_WARN_END_BEFORE_START] = TT_REPAIR_END_BEFORE_START,
  [TT_PI_WARN_BACKWARDS] = TT_REPAIR_TIME_BACKWARDS,
  [TT_PI_WARN_OVERLAP] = TT_REPAIR_CALLS_OVERLAP,
  [TT_PI_WARN_ARGS] = TT_REPAIR_CALL_ARGUMENTS,
  [TT_PI_WARN_TEXT] = TT_REPAIR_CALL_ARGUMENTS,
  [TT_PI_WARN_BACKEND] = TT_REPAIR_CALL_ARGUMENTS,
  [TT_PI_WARN_ZERO_LENGTH] = TT_REPAIR_CALL_EMPTY,
  [TT_PI_WARN_SHORT_RECORD] = TT_REPAIR_CALL_CUT,
  [TT_PI_WARN_IN_PROGRESS] = TT_REPAIR_UNCLOSED,
  [TT_PI_WARN_EMPTY] = TT_N_REPAIRS,
  [TT_PI_WARN_DAMAGE] = TT_REPAIR_CALL_DAMAGE,
  [TT_PI_WARN_LEFT_ASIDE] = TT_N_REPAIRS,
  [TT_PI_WARN_MEMORY] = TT_N_REPAIRS,
  [TT_PI_WARN_TEXT_RECOVERED] = TT_REPAIR_CALL_ARGUMENTS,
  [TT_PI_WARN_OUTPUTS] = TT_REPAIR_CALL_ARGUMENTS,
};

/* Counts it for the source, and says where it was first: a source has many files. */
static void
tell_warnings (const TtPiTrace *trace, TtSink *sink)
{
  const GPtrArray *warnings = tt_pi_trace_warnings (trace);

  for (guint i = 0; i < warnings->len; i++)
    {
      const TtPiWarning *warning = warnings->pdata[i];
      guint64 offset = warning->offset == G_MAXUINT64 ? 0 : warning->offset;
      TtRepairKind kind = warning->kind < G_N_ELEMENTS (repair_of) ? repair_of[warning->kind] : TT_N_REPAIRS;
      g_autoptr (GString) text = g_string_new (NULL);

      for (guint64 k = 0; kind < TT_N_REPAIRS && k < warning->count; k++)
        tt_sink_repair (sink, kind, offset);
      if (warning->path != NULL)
        g_string_append_printf (text, "%s: ", warning->path);
      if (warning->path != NULL && warning->record != G_MAXUINT64)
        g_string_append_printf (text, "record %" G_GUINT64_FORMAT " at byte %" G_GUINT64_FORMAT ": ", warning->record,
                                warning->offset);
      g_string_append (text, warning->text);
      if (warning->count > 1)
        g_string_append_printf (text, " (%" G_GUINT64_FORMAT " in all)", warning->count);
      g_autofree char *safe = tt_pi_safe_text (text->str);
      tt_sink_note (sink, "%s", safe);
    }
}

/* -- one trace -------------------------------------------------------------------------------------------------- */

static const char *
path_of (const TtInputSet *input)
{
  return input->root != NULL ? input->root : input->paths->pdata[0];
}

/* Bytes of all files; the hash is that of the only file, or of all of @ahead. */
static gboolean
join_hashes (const TtInputSet *input, TtHashAhead *ahead, guint64 *bytes, char **hash, GError **error)
{
  g_autoptr (GString) hashes = g_string_new (NULL);
  guint64 disk_bytes;

  *bytes = 0;
  for (guint i = 0; i < input->paths->len; i++)
    {
      const char *path = input->paths->pdata[i];
      GStatBuf status;
      if (tt_look_stat (path, &status) == 0)
        *bytes += (guint64) status.st_size;
      if (hash == NULL)
        continue;
      g_autofree char *one = tt_hash_ahead_take (ahead, i, &disk_bytes, error);
      if (one == NULL)
        return FALSE;
      g_string_append_printf (hashes, "%s\n", one);
    }
  if (hash != NULL)
    *hash = input->paths->len == 1 ? g_strndup (hashes->str, hashes->len - 1)
                                   : g_compute_checksum_for_string (G_CHECKSUM_MD5, hashes->str, (gssize) hashes->len);
  return TRUE;
}

static gboolean
fingerprint (const TtInputSet *input, guint64 *bytes, char **hash, GError **error)
{
  g_autoptr (TtHashAhead) ahead = tt_hash_ahead_new (input->paths);

  return join_hashes (input, ahead, bytes, hash, error);
}

/* Recordings do not tell a process: the first number that no other has. Files one by one are threads of one. */
static char *
free_number (gboolean is_whole, TtSink *sink)
{
  char *pid = g_strdup ("0");

  for (guint i = 1; is_whole && tt_sink_has_process (sink, pid); i++)
    {
      g_free (pid);
      pid = g_strdup_printf ("%u", i);
    }
  return pid;
}

static guint32
define_process (TtPiTrace *trace, gboolean is_folder, const TtImportOptions *options, TtSink *sink)
{
  g_autofree char *command = tt_pi_command_line (trace);
  gboolean is_whole = is_folder || tt_pi_trace_n_threads (trace) > 1;
  g_autofree char *pid = options->pid != NULL ? g_strdup (options->pid)
                         : options->rank >= 0 ? g_strdup_printf ("rank%" G_GINT64_FORMAT, options->rank)
                                              : free_number (is_whole, sink);

  return tt_sink_process (sink, pid, command, NULL, options->rank);
}

/* The damage of one thread is no reason to lose the calls of the others, but one to say that calls are left out. */
static gboolean
leave_out_damage (const TtPiTrace *trace,
                  const char *path,
                  const TtImportOptions *options,
                  TtSink *sink,
                  GError **error)
{
  const GPtrArray *warnings = tt_pi_trace_warnings (trace);
  guint n = 0;
  GError *fault = NULL;

  for (guint i = 0; i < warnings->len; i++)
    n += ((const TtPiWarning *) warnings->pdata[i])->kind == TT_PI_WARN_DAMAGE;

  if (options->salvage || options->strict || n == 0)
    return TRUE;
  g_set_error (&fault, TT_ERROR, TT_ERROR_FORMAT, "%s: calls after the damage of %u of its %u threads", path, n,
               tt_pi_trace_n_threads (trace));
  if (options->leave_out (path, &fault, options->leave_out_data))
    return TRUE;
  g_propagate_error (error, fault);
  return FALSE;
}

static gboolean
has_several_threads (const TtInputSet *input)
{
  return input->paths->len > 1;
}

static gboolean
import_set (const TtInputSet *input, const TtImportOptions *options, TtSink *sink, GError **error)
{
  TtPiOptions pi = TT_PI_OPTIONS_INIT;
  const char *path = path_of (input);
  g_autofree char *hash = NULL;
  guint64 bytes = 0;

  if (!tt_pi_options_parse (&pi, options->pi_generation, options->pi_ids, error))
    return FALSE;
  pi.salvage = options->salvage || (options->leave_out != NULL && !options->strict && has_several_threads (input));
  g_autoptr (TtPiTrace) trace = tt_pi_trace_open (path, &pi, error);
  if (trace == NULL)
    return FALSE;
  g_autoptr (TtHashAhead) ahead = tt_hash_ahead_new (input->paths);
  if (!sink->takes_no_hash)
    tt_hash_ahead_start (ahead);
  tt_sink_begin_source (sink, "pi", path, TT_CLOCK_RELATIVE);
  guint32 process = define_process (trace, input->root != NULL, options, sink);
  gboolean has_tasks = tt_pi_import_sides (trace, sink, process);
  if (!tt_pi_import_calls (trace, options, has_tasks, sink, process, error))
    return FALSE;
  tell_warnings (trace, sink);
  if (!leave_out_damage (trace, path, options, sink, error))
    return FALSE;
  if (options->strict && !tt_repairs_check_none (&sink->repairs, path, error))
    return FALSE;
  if (!join_hashes (input, ahead, &bytes, sink->takes_no_hash ? NULL : &hash, error))
    return FALSE;
  tt_sink_end_source (sink, bytes, hash == NULL ? "" : hash, TT_CLOCK_RELATIVE);
  return TRUE;
}

/* -- recognising ------------------------------------------------------------------------------------ */

static gboolean
add_files (TtInputSet *set, const char *path, GError **error)
{
  TtPiOptions options = TT_PI_OPTIONS_INIT;
  g_autoptr (TtPiTrace) trace = tt_pi_trace_list (path, &options, error);

  if (trace == NULL)
    return FALSE;
  for (guint i = 0; i < tt_pi_trace_n_threads (trace); i++)
    g_ptr_array_add (set->paths, g_strdup (tt_pi_trace_thread_path (trace, i)));
  return TRUE;
}

static gboolean
group (GPtrArray *paths, gboolean from_directory, GPtrArray *inputs, GPtrArray *notes, GError **error)
{
  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = paths->pdata[i];
      g_autoptr (TtInputSet) set = tt_input_set_new ();

      if (!tt_look_test (path, G_FILE_TEST_IS_DIR))
        g_ptr_array_add (set->paths, g_strdup (path));
      else if (!add_files (set, path, error))
        return FALSE;
      else
        set->root = g_strdup (path);
      g_ptr_array_add (inputs, g_steal_pointer (&set));
    }
  return TRUE;
}

/* A size and then the tag of one of the first fields. */
static gboolean
looks_like_messages (const TtProbe *file)
{
  guint32 size;

  if (file->len < 5)
    return FALSE;
  memcpy (&size, file->head, sizeof size);
  size = GUINT32_FROM_LE (size);
  return size > 0 && size <= MAX_MESSAGE && memchr ("\x08\x10\x18\x20\x2a", file->head[4], 5) != NULL;
}

static guint
probe (const TtProbe *file)
{
  if (strcmp (file->path, "-") == 0)
    return 0;
  if (file->len >= 8 && memcmp (file->head, TT_PI_NATIVE_MAGIC, 8) == 0)
    return 95;
  if (g_str_has_suffix (file->path, ".pi_trace"))
    return looks_like_messages (file) ? 90 : 15;
  if (g_str_has_suffix (file->path, ".trace"))
    return tt_pi_trace_probe (file->path) ? 80 : 0;
  return tt_pi_archive_probe (file->head, file->len, file->size) ? 85 : 0;
}

/* A directory with messages of calls; one with .trace files if these are calls, or a recorder's configuration is
 * there. */
static gboolean
claims (const char *path, TtIsTraceFunc is_trace)
{
  g_autoptr (GDir) dir = tt_look_folder (path, NULL);
  const char *name;
  gboolean has_pb = FALSE, has_raw = FALSE, has_config = FALSE;

  while (dir != NULL && (name = tt_look_next (dir, path)) != NULL)
    {
      has_pb |= g_str_has_suffix (name, ".pi_trace") || g_str_has_suffix (name, TT_PI_NATIVE_SUFFIX);
      has_raw |= g_str_has_suffix (name, ".trace") || strcmp (name, "trace.data") == 0;
      has_config |= strcmp (name, "replay_config.json") == 0;
    }
  return has_pb || (has_raw && (has_config || tt_pi_trace_probe (path)));
}

const TtFormat tt_format_pi = {
  .name = "pi",
  .summary =
      "DPC++ PI and Unified Runtime calls: directory of a recording, THREAD.pi_trace, THREAD.trace, packed archive",
  .probe = probe,
  .group = group,
  .import = import_set,
  .claims = claims,
  .is_host_only = TRUE,
  .fingerprint = fingerprint,
};
