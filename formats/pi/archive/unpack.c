/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* Unpacks an archive into a directory that must not exist, with a bound on what a small archive may grow to. */
#include "formats/pi/archive/archive.h"

#include "formats/pi/window.h"
#include "src/base/error.h"
#include "src/base/look.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define PIECE (256 * 1024)
#define LARGE ((guint64) 1 << 30)
#define LARGE_RATIO 1000u

static gboolean
set_fault (GError **error, const char *path, const char *why)
{
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot write '%s': %s", path, why);
  return FALSE;
}

/* What an archive says that it holds, before anything is written. */
static gboolean
check_size (const char *path, const char *directory, const GPtrArray *files, gboolean may_be_large, GError **error)
{
  g_autofree char *parent = g_path_get_dirname (directory);
  guint64 total = 0;
  struct stat status;
  struct statvfs room;

  for (guint i = 0; i < files->len; i++)
    {
      const TtPiArchived *file = files->pdata[i];
      if (!g_uint64_checked_add (&total, total, file->size))
        total = G_MAXUINT64;
    }
  if (tt_look_stat (path, &status) == 0 && !may_be_large && total > LARGE && total / LARGE_RATIO > (guint64) status.st_size)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                   "%s: %" G_GUINT64_FORMAT " bytes in an archive of %" G_GUINT64_FORMAT
                   "; '--large' unpacks it all the same",
                   path, total, (guint64) status.st_size);
      return FALSE;
    }
  if (statvfs (parent, &room) == 0 && total / room.f_frsize > room.f_bavail)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
                   "%s: it holds %" G_GUINT64_FORMAT " bytes, more than '%s' has room for", path, total, parent);
      return FALSE;
    }
  return TRUE;
}

static gboolean
copy_contents (TtPiWindow *window, int fd, const char *path, GError **error)
{
  guint64 left;

  while ((left = tt_pi_window_left (window)) > 0)
    {
      gsize n = (gsize) MIN (left, PIECE), done = 0;
      const guint8 *bytes = tt_pi_window_need (window, n, error);
      if (bytes == NULL)
        return FALSE;
      while (done < n)
        {
          gssize written = write (fd, bytes + done, n - done);
          if (written < 0 && errno == EINTR)
            continue;
          if (written <= 0)
            return set_fault (error, path, g_strerror (errno));
          done += (gsize) written;
        }
      tt_pi_window_advance (window, n);
    }
  return TRUE;
}

/* Names are safe and the directory is new and ours: nothing in it is a link. A name that comes twice is refused. */
static gboolean
unpack_file (const char *archive, const char *directory, const TtPiArchived *file, GError **error)
{
  g_autofree char *path = g_build_filename (directory, file->name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);
  g_auto (TtPiWindow) window = { .fd = -1 };

  if (g_mkdir_with_parents (parent, 0777) != 0)
    return set_fault (error, parent, g_strerror (errno));
  int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (fd < 0)
    return set_fault (error, path, errno == EEXIST ? "it is in the archive twice" : g_strerror (errno));
  tt_pi_window_init_packed (&window, archive, file->at, file->packed_size, file->size, TRUE);
  gboolean ok = copy_contents (&window, fd, path, error);
  if (close (fd) != 0 && ok)
    ok = set_fault (error, path, g_strerror (errno));
  return ok;
}

static gboolean
unpack_all (const char *archive,
            const char *directory,
            const GPtrArray *directories,
            const GPtrArray *files,
            GError **error)
{
  for (guint i = 0; i < directories->len; i++)
    {
      g_autofree char *path = g_build_filename (directory, directories->pdata[i], NULL);
      if (g_mkdir_with_parents (path, 0777) != 0)
        return set_fault (error, path, g_strerror (errno));
    }
  for (guint i = 0; i < files->len; i++)
    if (!unpack_file (archive, directory, files->pdata[i], error))
      return FALSE;
  return TRUE;
}

/* What a failed unpacking leaves: files and directories of ours only. */
static void
remove_all (const char *path)
{
  g_autoptr (GDir) dir = tt_look_folder (path, NULL);
  const char *name;

  while (dir != NULL && (name = tt_look_next (dir, path)) != NULL)
    {
      g_autofree char *below = g_build_filename (path, name, NULL);
      struct stat status;
      if (tt_look_lstat (below, &status) == 0 && S_ISDIR (status.st_mode))
        remove_all (below);
      else
        unlink (below);
    }
  rmdir (path);
}

gboolean
tt_pi_archive_unpack (const char *path, const char *directory, gboolean may_be_large, GError **error)
{
  g_autoptr (GPtrArray) directories = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) files = tt_pi_archive_read_all (path, directories, error);

  if (files == NULL || !check_size (path, directory, files, may_be_large, error))
    return FALSE;
  if (mkdir (directory, 0777) != 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, errno == EEXIST ? "'%s' exists" : "cannot make the directory '%s'",
                   directory);
      return FALSE;
    }
  if (unpack_all (path, directory, directories, files, error))
    return TRUE;
  remove_all (directory);
  return FALSE;
}
