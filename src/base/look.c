/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/look.h"

#include <errno.h>
#include <unistd.h>

#include "src/base/error.h"
#include "src/base/failure.h"

void
tt_look_failed (const char *path, int number)
{
  switch (number)
    {
    case 0:
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case EACCES:
    case EPERM:
    case ELOOP:
    case ENAMETOOLONG:
    case EINVAL:
    case ENXIO:
    case ENODEV:
    case EROFS:
    case ETXTBSY:
    case EINTR:
      return;
    default:
      tt_failure_leave (
          g_error_new (TT_ERROR, TT_ERROR_INPUT, "cannot look at '%s': %s", path, g_strerror (number)));
    }
}

int
tt_look_stat (const char *path, struct stat *facts)
{
  int result = stat (path, facts), number = errno;

  if (result != 0)
    tt_look_failed (path, number);
  errno = number;
  return result;
}

int
tt_look_lstat (const char *path, struct stat *facts)
{
  int result = lstat (path, facts), number = errno;

  if (result != 0)
    tt_look_failed (path, number);
  errno = number;
  return result;
}

gboolean
tt_look_test (const char *path, GFileTest test)
{
  struct stat facts;

  if ((test & G_FILE_TEST_IS_SYMLINK) != 0 && tt_look_lstat (path, &facts) == 0 && S_ISLNK (facts.st_mode))
    return TRUE;
  if ((test & ~(guint) G_FILE_TEST_IS_SYMLINK) == 0 || tt_look_stat (path, &facts) != 0)
    return FALSE;
  return (test & G_FILE_TEST_EXISTS) != 0 || ((test & G_FILE_TEST_IS_DIR) != 0 && S_ISDIR (facts.st_mode)) ||
         ((test & G_FILE_TEST_IS_REGULAR) != 0 && S_ISREG (facts.st_mode)) ||
         ((test & G_FILE_TEST_IS_EXECUTABLE) != 0 && tt_look_access (path, X_OK));
}

gboolean
tt_look_access (const char *path, int mode)
{
  if (access (path, mode) == 0)
    return TRUE;
  tt_look_failed (path, errno);
  return FALSE;
}

/* FALSE. Takes @failure, of GLib, where errno is not kept. */
static gboolean
tell (GError *failure, GError **error)
{
  static const int about_file[] = { G_FILE_ERROR_NOENT, G_FILE_ERROR_NOTDIR, G_FILE_ERROR_ISDIR,
                                    G_FILE_ERROR_ACCES, G_FILE_ERROR_PERM,   G_FILE_ERROR_LOOP,
                                    G_FILE_ERROR_INVAL, G_FILE_ERROR_NXIO,   G_FILE_ERROR_NAMETOOLONG,
                                    G_FILE_ERROR_NODEV };
  gboolean is_about_file = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (about_file); i++)
    is_about_file |= failure->code == about_file[i];
  if (!is_about_file)
    tt_failure_leave (g_error_copy (failure));
  g_propagate_error (error, failure);
  return FALSE;
}

GDir *
tt_look_folder (const char *path, GError **error)
{
  GError *local = NULL;
  GDir *folder = g_dir_open (path, 0, &local);

  return folder != NULL || tell (local, error) ? folder : NULL;
}

const char *
tt_look_next (GDir *folder, const char *path)
{
  errno = 0;
  const char *name = g_dir_read_name (folder);

  if (name == NULL)
    tt_look_failed (path, errno);
  return name;
}

GMappedFile *
tt_look_map (const char *path, GError **error)
{
  GError *local = NULL;
  GMappedFile *file = g_mapped_file_new (path, FALSE, &local);

  return file != NULL || tell (local, error) ? file : NULL;
}

gboolean
tt_look_contents (const char *path, char **text, gsize *len, GError **error)
{
  GError *local = NULL;

  return g_file_get_contents (path, text, len, &local) || tell (local, error);
}
