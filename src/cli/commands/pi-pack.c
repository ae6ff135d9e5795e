/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "formats/pi/archive/archive.h"
#include "formats/pi/side/side.h"
#include "src/base/failure.h"
#include "src/base/look.h"
#include "src/base/paths.h"
#include "src/pi/files.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE (256 * 1024)

typedef struct
{
  const char *directory; /* absolute */
  char *unfinished;      /* pack/ while it is filled */
  GTree *map;
  guint n_copies;
} Pack;

static int
by_text (gconstpointer a, gconstpointer b, gpointer data)
{
  return strcmp (a, b);
}

static gboolean
set_fault (GError **error, const char *what, const char *path)
{
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot %s '%s': %s", what, path, g_strerror (errno));
  return FALSE;
}

static gboolean
copy_bytes (int from, int to)
{
  g_autofree char *piece = g_malloc (PIECE);

  for (;;)
    {
      gssize n = read (from, piece, PIECE), done = 0;
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return n == 0;
      while (done < n)
        {
          gssize written = write (to, piece + done, (gsize) (n - done));
          if (written < 0 && errno != EINTR)
            return FALSE;
          done += MAX (written, 0);
        }
    }
}

/* FALSE without @error: there is nothing to copy: gone, not to be read, or no regular file. */
static gboolean
copy_file (const char *from, const char *to, GError **error)
{
  int in = open (from, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;

  gboolean is_known = in >= 0 && fstat (in, &status) == 0;
  if (!is_known || !S_ISREG (status.st_mode))
    {
      tt_look_failed (from, is_known ? 0 : errno);
      if (in >= 0)
        close (in);
      tt_failure_check (error);
      return FALSE;
    }
  int out = open (to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (status.st_mode & 0777) | 0600);
  gboolean ok = out >= 0 && copy_bytes (in, out);
  if (!ok)
    set_fault (error, "copy", from);
  close (in);
  if (out >= 0 && close (out) != 0 && ok)
    ok = set_fault (error, "write", to);
  return ok;
}

static gboolean
is_below (const char *path, const char *directory)
{
  gsize len = strlen (directory);

  return strncmp (path, directory, len) == 0 && (path[len] == '/' || path[len] == '\0');
}

/* The name without its last suffix; a leading point begins no suffix. */
static char *
stem_of (const char *path)
{
  char *name = g_path_get_basename (path), *point = strrchr (name, '.');

  if (point != NULL && point != name)
    *point = '\0';
  return name;
}

static gboolean
pack_file (Pack *self, const char *path, GError **error)
{
  static const char *const systems[] = { "/dev", "/sys", "/proc" };
  GError *local = NULL;

  if (g_tree_lookup (self->map, path) != NULL || is_below (path, self->directory))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (systems); i++)
    if (is_below (path, systems[i]))
      return TRUE;

  g_autofree char *stem = stem_of (path);
  char *name = g_strdup_printf ("%u_%s", self->n_copies + 1, stem);
  g_autofree char *to = g_build_filename (self->unfinished, name, NULL);
  if (copy_file (path, to, &local))
    {
      self->n_copies++;
      g_tree_insert (self->map, g_strdup (path), name);
      return TRUE;
    }
  g_free (name);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

static gboolean
fill_archive (Pack *self, const TtPiConfig *config, char *const *files, GError **error)
{
  g_autofree char *program = g_build_filename (self->unfinished, "0", NULL);

  if (mkdir (self->unfinished, 0777) != 0)
    return set_fault (error, "make the directory", self->unfinished);
  if (!copy_file (config->executable, program, error))
    return *error != NULL ? FALSE : set_fault (error, "copy the program", config->executable);
  if (chmod (program, 0755) != 0)
    return set_fault (error, "make executable", program);
  g_tree_insert (self->map, g_strdup (config->executable), g_strdup ("0"));
  for (guint i = 0; files != NULL && files[i] != NULL; i++)
    if (!pack_file (self, files[i], error))
      return FALSE;
  return TRUE;
}

/* The copies come to be all at once; the configuration, which says that they are there, is the last word. */
static gboolean
finish_archive (const Pack *self, const TtPiConfig *config, GError **error)
{
  g_autofree char *pack = g_build_filename (self->directory, "pack", NULL);
  g_autofree char *map = g_build_filename (self->directory, "replay_file_map.json", NULL);
  char *none[] = { NULL };
  const TtPiReplayConfig packed = {
    .command = config->command != NULL ? config->command : config->executable,
    .executable = config->executable,
    .record_mode = "full",
    .arguments = config->arguments != NULL ? config->arguments : none,
    .has_opencl = config->has_opencl,
    .has_level_zero = config->has_level_zero,
    .has_cuda = config->has_cuda,
    .has_rocm = config->has_rocm,
  };

  if (!tt_failure_check (error) || !tt_pi_write_map (self->directory, self->map, error))
    return FALSE;
  gboolean is_there = rename (self->unfinished, pack) == 0 || set_fault (error, "make the directory", pack);
  if (is_there && tt_pi_write_config (self->directory, &packed, error))
    return TRUE;
  g_unlink (map);
  if (is_there)
    tt_pi_delete_directory (pack, NULL);
  return FALSE;
}

static gboolean
pack_recording (const char *path, GError **error)
{
  const TtPiOptions options = { .ids = -1 };
  g_autoptr (TtPiTrace) trace = tt_pi_trace_open (path, &options, error);
  g_autoptr (TtPiConfig) config = trace != NULL ? tt_pi_config_read (trace, error) : NULL;
  g_autofree char *directory = g_canonicalize_filename (path, NULL);

  if (config == NULL || config->executable == NULL)
    {
      if (error != NULL && *error == NULL)
        g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
                     "'%s' does not say which program was recorded: it has no replay_config.json", path);
      return FALSE;
    }
  g_autofree char *there = g_build_filename (directory, "pack", NULL);
  if (g_strcmp0 (config->record_mode, "full") == 0 || tt_look_test (there, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "'%s' is packed already", path);
      return FALSE;
    }
  g_autoptr (GError) damage = NULL;
  g_auto (GStrv) files = tt_pi_files_read (trace, &damage);
  if (files == NULL)
    tt_warning ("%s; only the program itself is packed",
                damage != NULL ? damage->message : "which files the program opened is not known");

  Pack self = {
    .directory = directory,
    .unfinished = g_build_filename (directory, "pack.unfinished", NULL),
    .map = g_tree_new_full (by_text, NULL, g_free, g_free),
  };
  if (tt_look_test (self.unfinished, G_FILE_TEST_IS_DIR))
    tt_pi_delete_directory (self.unfinished, NULL);
  gboolean ok = fill_archive (&self, config, files, error) && finish_archive (&self, config, error);
  if (ok)
    tt_message ("packed the program and %u files that it opened into %s/pack", self.n_copies, path);
  else if (tt_look_test (self.unfinished, G_FILE_TEST_IS_DIR))
    tt_pi_delete_directory (self.unfinished, NULL);
  g_free (self.unfinished);
  g_tree_unref (self.map);
  return ok;
}

static gboolean
write_archive (const char *directory, const char *path, GError **error)
{
  g_autoptr (GPtrArray) left_out = g_ptr_array_new_with_free_func (g_free);
  struct stat status;

  if (!tt_pi_archive_write (directory, path, left_out, error))
    return FALSE;
  for (guint i = 0; i < left_out->len; i++)
    tt_warning ("'%s/%s' is neither a file nor a directory: left out", directory, (char *) left_out->pdata[i]);
  if (stat (path, &status) == 0)
    tt_message ("wrote %s, %" G_GUINT64_FORMAT " bytes; 'tracetool pi unpack' makes a directory of it", path,
                (guint64) status.st_size);
  return TRUE;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_autofree char *output = NULL;
  int status = 0;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "Also write all of DIR to this archive", "FILE" },
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_pi_pack, entries, &argc, &argv, &status, error))
    return status;
  if (argc != 2)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "one recording is wanted; see 'tracetool pi pack --help'");
      return -1;
    }
  if (!tt_look_test (argv[1], G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "'%s' is no directory", argv[1]);
      return -1;
    }
  return pack_recording (argv[1], error) && (output == NULL || write_archive (argv[1], output, error)) ? 0 : -1;
}

const TtCommand tt_command_pi_pack = {
  .name = "pi pack",
  .summary = "Make a recording independent of the machine it was made on",
  .usage = "DIR",
  .details =
      "Copies the program and the files that it opened, those below /dev, /sys and /proc apart, into DIR/pack, so\n"
      "that 'pi replay' needs nothing else. With -o everything goes to one archive too (compressed by zstd), which\n"
      "'pi unpack' unpacks; the other PI commands read it as it is. The archives are those of dpcpp_trace.",
  .example = "tracetool pi pack pi-run -o run.pack || tracetool pi print pi-run",
  .ignores_db = TRUE,
  .ignores_run = TRUE,
  .run = run,
};
