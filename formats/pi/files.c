/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* Which files of a directory or packed archive hold the calls of a thread, and which lie beside them: pi.md 1. */
#include "formats/pi/trace-private.h"

#include "formats/pi/archive/archive.h"
#include "formats/pi/native.h"
#include "src/base/error.h"
#include "src/base/input.h"
#include "src/base/look.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* What a file of calls is called. */
static const struct
{
  const char *suffix;
  const char *whole; /* NULL: the thread's name is before the suffix */
  TtPiGeneration generation;
} call_files[] = {
  { TT_PI_NATIVE_SUFFIX, NULL, TT_PI_GENERATION_NATIVE },
  { ".pi_trace", NULL, TT_PI_GENERATION_G3 },
  { ".trace", NULL, TT_PI_GENERATION_UNKNOWN },
  { "trace.data", "main", TT_PI_GENERATION_UNKNOWN },
};

/* The thread whose calls the file @name has; NULL: it has none. Free it. */
static char *
thread_of_file (const char *name, TtPiGeneration *by_name)
{
  for (guint i = 0; i < G_N_ELEMENTS (call_files); i++)
    {
      const char *suffix = call_files[i].suffix;
      if (call_files[i].whole != NULL ? strcmp (name, suffix) != 0
                                      : !g_str_has_suffix (name, suffix) || strlen (name) == strlen (suffix))
        continue;
      *by_name = call_files[i].generation;
      return call_files[i].whole != NULL ? g_strdup (call_files[i].whole)
                                         : g_strndup (name, strlen (name) - strlen (suffix));
    }
  return NULL;
}

/* Takes @name. */
static TtPiThread *
add_thread (TtPiTrace *self, char *name, const char *path, const char *file, guint64 size, TtPiGeneration by_name)
{
  TtPiThread *thread = g_new0 (TtPiThread, 1);

  thread->name = name;
  thread->path = g_strdup (path);
  thread->file = g_strdup (file);
  thread->size = size;
  thread->by_name = by_name;
  thread->listed_at = self->threads->len;
  g_ptr_array_add (self->threads, thread);
  return thread;
}

/* Only regular files are opened; a link may lead anywhere. */
static void
add_file (TtPiTrace *self, const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  TtPiGeneration by_name = TT_PI_GENERATION_UNKNOWN;
  g_autofree char *thread = thread_of_file (name, &by_name);
  struct stat status;

  if (thread == NULL)
    g_ptr_array_add (self->side_names, g_strdup (name));
  else if (tt_look_lstat (path, &status) != 0 || !S_ISREG (status.st_mode))
    tt_pi_trace_warn (self, TT_PI_WARN_LEFT_ASIDE, self->warnings->len, &TT_PI_WHOLE_FILE (path),
                      "no regular file; left out");
  else
    add_thread (self, g_steal_pointer (&thread), path, path, (guint64) status.st_size, by_name);
}

/* Names in @directory/@below, which is "buffers" or "pack". */
static void
list_below (TtPiTrace *self, const char *directory, const char *below)
{
  g_autofree char *path = g_build_filename (directory, below, NULL);
  g_autoptr (GDir) dir = tt_look_folder (path, NULL);
  const char *name;

  while (dir != NULL && (name = tt_look_next (dir, path)) != NULL)
    g_ptr_array_add (self->side_names, g_build_filename (below, name, NULL));
}

static gboolean
read_directory (TtPiTrace *self, const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (GDir) dir = tt_look_folder (path, &local);
  const char *name;

  if (dir == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot read the directory '%s': %s", path, local->message);
      return FALSE;
    }
  self->directory = g_strdup (path);
  while ((name = tt_look_next (dir, path)) != NULL)
    if (strcmp (name, "buffers") == 0 || strcmp (name, "pack") == 0)
      list_below (self, path, name);
    else
      add_file (self, path, name);
  if (self->threads->len > 0)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
               "%s: no calls here: no file THREAD.ttpi, THREAD.pi_trace or THREAD.trace", path);
  return FALSE;
}

static gboolean
read_archive (TtPiTrace *self, const char *path, GError **error)
{
  self->archive = tt_pi_archive_read (path, error);
  if (self->archive == NULL)
    return FALSE;
  for (guint i = 0; i < self->archive->len; i++)
    {
      const TtPiArchived *entry = self->archive->pdata[i];
      TtPiGeneration by_name = TT_PI_GENERATION_UNKNOWN;
      char *thread = thread_of_file (entry->name, &by_name);
      if (thread == NULL || strchr (entry->name, '/') != NULL)
        {
          g_ptr_array_add (self->side_names, g_strdup (entry->name));
          g_free (thread);
          continue;
        }
      g_autofree char *shown = g_strdup_printf ("%s: %s", path, entry->name);
      TtPiThread *added = add_thread (self, thread, shown, path, entry->size, by_name);
      added->base = entry->at;
      added->packed = entry->packed_size;
    }
  if (self->threads->len > 0)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "%s: no calls in this packed trace", path);
  return FALSE;
}

static gboolean
read_single_file (TtPiTrace *self, const char *path, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);
  TtPiGeneration by_name = TT_PI_GENERATION_UNKNOWN;
  char *thread = thread_of_file (name, &by_name);
  guint8 head[4096];
  guint64 size = 0;
  struct stat status;

  gssize n = tt_input_peek (path, head, sizeof head, &size, error);
  gboolean is_known = n >= 0 && tt_look_stat (path, &status) == 0;
  if (!is_known)
    {
      if (n >= 0)
        g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot open '%s': %s", path, g_strerror (errno));
      g_free (thread);
      return FALSE;
    }
  if (thread == NULL && tt_pi_archive_probe (head, (gsize) n, size))
    return read_archive (self, path, error);
  if (n >= 8 && memcmp (head, TT_PI_NATIVE_MAGIC, 8) == 0)
    by_name = TT_PI_GENERATION_NATIVE;
  add_thread (self, thread != NULL ? thread : g_strdup (name), path, path, (guint64) status.st_size, by_name);
  return TRUE;
}

/* For a single file its directory is not read: there are its side files, but other threads, too. */
gboolean
tt_pi_trace_find_files (TtPiTrace *self, GError **error)
{
  const char *path = self->path;
  struct stat status;

  if (tt_look_stat (path, &status) != 0)
    {
      int saved = errno;
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot open '%s': %s", path, g_strerror (saved));
      return FALSE;
    }
  if (S_ISDIR (status.st_mode))
    return read_directory (self, path, error);
  return read_single_file (self, path, error);
}
