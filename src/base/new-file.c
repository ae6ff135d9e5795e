/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/new-file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/error.h"

/* As many as the kernel follows. */
#define MAX_LINKS 40
#define MAX_TRIES 100
/* So many that no other program names a file so by chance. */
#define N_RANDOM 12

struct _TtNewFile
{
  int directory, fd;
  char *directory_path, *name; /* of the file that it will be, behind all links */
  char *part, *part_path;      /* NULL: published, or removed */
};

static gboolean G_GNUC_PRINTF (3, 4) fail (GError **error, const char *path, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *why = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot write '%s': %s", path, why);
  return FALSE;
}

/* -- the place, behind links -------------------------------------------------------------------------------- */

/* The kernel's rule for programs that open such a link (fs.protected_symlinks); whoever reads it with readlink() has to
 * keep it too. */
static gboolean
may_follow (int directory, const struct stat *link)
{
  struct stat facts;

  return fstat (directory, &facts) == 0 && ((facts.st_mode & (S_ISVTX | S_IWOTH)) != (S_ISVTX | S_IWOTH) ||
                                            link->st_uid == geteuid () || link->st_uid == facts.st_uid);
}

/* What the link @name says, as a path. Free it. */
static char *
read_link (const TtNewFile *self, const char *name)
{
  char target[4096];
  ssize_t len = readlinkat (self->directory, name, target, sizeof target);

  if (len < 0 || (gsize) len == sizeof target)
    return NULL;
  g_autofree char *text = g_strndup (target, (gsize) len);
  return g_path_is_absolute (text) ? g_steal_pointer (&text) : g_build_filename (self->directory_path, text, NULL);
}

static gboolean
open_directory (TtNewFile *self, const char *path)
{
  if (self->directory >= 0)
    close (self->directory);
  g_free (self->directory_path);
  g_free (self->name);
  self->directory_path = g_path_get_dirname (path);
  self->name = g_path_get_basename (path);
  self->directory = open (self->directory_path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  return self->directory >= 0;
}

/* *@facts: of what stands there already; st_nlink is 0 if nothing does. */
static gboolean
find_place (TtNewFile *self, const char *path, struct stat *facts, GError **error)
{
  g_autofree char *at = g_strdup (path);

  for (guint i = 0; i < MAX_LINKS; i++)
    {
      if (g_str_has_suffix (at, "/"))
        return fail (error, path, "%s", g_strerror (EISDIR));
      if (!open_directory (self, at))
        return fail (error, path, "%s", g_strerror (errno));
      memset (facts, 0, sizeof *facts);
      if (fstatat (self->directory, self->name, facts, AT_SYMLINK_NOFOLLOW) != 0 && errno != ENOENT)
        return fail (error, path, "%s", g_strerror (errno));
      if (facts->st_nlink == 0 || !S_ISLNK (facts->st_mode))
        return TRUE;
      if (!may_follow (self->directory, facts))
        return fail (error, path, "'%s' is a symbolic link of another user, in a folder that everybody may write", at);

      char *target = read_link (self, self->name);
      if (target == NULL)
        return fail (error, path, "%s", g_strerror (errno));
      g_free (at);
      at = target;
    }
  return fail (error, path, "%s", g_strerror (ELOOP));
}

/* -- what killed programs left -------------------------------------------------------------------------------- */

/* @of_any: whatever stands before @prefix. */
static gboolean
is_part (const char *name, const char *prefix, gboolean of_any)
{
  const char *at = of_any ? g_strrstr (name, prefix) : g_str_has_prefix (name, prefix) ? name : NULL;
  const char *random = at == NULL ? "" : at + strlen (prefix);

  return strlen (random) == N_RANDOM && strspn (random, G_CSET_a_2_z G_CSET_DIGITS) == N_RANDOM;
}

/* Whether @fd is still what @name stands for. */
static gboolean
has_name (int directory, const char *name, int fd)
{
  struct stat named, opened;

  return fstatat (directory, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && fstat (fd, &opened) == 0 &&
         named.st_ino == opened.st_ino && named.st_dev == opened.st_dev;
}

static void
remove_if_left (int directory, const char *name)
{
  int fd = openat (directory, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat facts;

  if (fd < 0)
    return;
  if (fstat (fd, &facts) == 0 && S_ISREG (facts.st_mode) && facts.st_uid == geteuid () &&
      flock (fd, LOCK_EX | LOCK_NB) == 0 && has_name (directory, name, fd))
    unlinkat (directory, name, 0);
  close (fd);
}

static void
remove_leftovers (int directory, const char *prefix, gboolean of_any)
{
  int fd = openat (directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = fd >= 0 ? fdopendir (fd) : NULL;

  if (dir == NULL)
    {
      if (fd >= 0)
        close (fd);
      return;
    }
  for (const struct dirent *entry; (entry = readdir (dir)) != NULL;)
    if (is_part (entry->d_name, prefix, of_any))
      remove_if_left (directory, entry->d_name);
  closedir (dir);
}

void
tt_new_file_sweep (const char *directory, const char *mark)
{
  g_autofree char *prefix = g_strdup_printf (".%s-", mark);
  int fd = open (directory, O_PATH | O_DIRECTORY | O_CLOEXEC);

  if (fd < 0)
    return;
  remove_leftovers (fd, prefix, TRUE);
  close (fd);
}

/* -- the part --------------------------------------------------------------------------------------------------- */

static char *
random_name (const char *prefix)
{
  static const char letters[] = G_CSET_a_2_z G_CSET_DIGITS;
  GString *name = g_string_new (prefix);

  for (guint i = 0; i < N_RANDOM; i++)
    g_string_append_c (name, letters[g_random_int_range (0, sizeof letters - 1)]);
  return g_string_free (name, FALSE);
}

/* Between being made and being locked it looks like a leftover: then another program has removed it, and it is made
 * once more. Where locks do not work nothing is removed either. */
static gboolean
lock_part (TtNewFile *self)
{
  if (flock (self->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return FALSE;
  return has_name (self->directory, self->part, self->fd);
}

static gboolean
make_part (TtNewFile *self, const char *prefix)
{
  for (guint i = 0; i < MAX_TRIES; i++)
    {
      g_free (self->part);
      self->part = random_name (prefix);
      self->fd = openat (self->directory, self->part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
      if (self->fd < 0 && errno != EEXIST)
        break;
      if (self->fd >= 0 && lock_part (self))
        return TRUE;
      if (self->fd >= 0)
        {
          unlinkat (self->directory, self->part, 0);
          close (self->fd);
        }
      self->fd = -1;
      errno = EEXIST;
    }
  g_clear_pointer (&self->part, g_free);
  return FALSE;
}

/* What another user has planted does not say who else may write, nor do permissions of a group hold for another one. */
static gboolean
keep_mode (const TtNewFile *self, const struct stat *old)
{
  gboolean is_ours = old->st_uid == geteuid ();
  mode_t mode = old->st_mode & (is_ours ? 0777 : 0755);
  struct stat made;

  if (is_ours && fstat (self->fd, &made) == 0 && made.st_gid != old->st_gid &&
      fchown (self->fd, (uid_t) -1, old->st_gid) != 0)
    mode &= ~(mode_t) 0070;
  return fchmod (self->fd, mode) == 0 || errno == EPERM || errno == EOPNOTSUPP;
}

TtNewFile *
tt_new_file_open (const char *path, const char *mark, GError **error)
{
  g_autoptr (TtNewFile) self = g_new0 (TtNewFile, 1);
  struct stat old;

  self->directory = self->fd = -1;
  if (!find_place (self, path, &old, error))
    return NULL;

  g_autofree char *prefix = g_strdup_printf ("%s.%s-", self->name, mark);
  remove_leftovers (self->directory, prefix, FALSE);
  if (!make_part (self, prefix))
    {
      fail (error, path, "no file can be made in '%s': %s", self->directory_path, g_strerror (errno));
      return NULL;
    }
  self->part_path = g_build_filename (self->directory_path, self->part, NULL);
  if (old.st_nlink > 0 && S_ISREG (old.st_mode) && !keep_mode (self, &old))
    {
      fail (error, path, "its permissions cannot be kept: %s", g_strerror (errno));
      return NULL;
    }
  return g_steal_pointer (&self);
}

int
tt_new_file_descriptor (const TtNewFile *self)
{
  return self->fd;
}

const char *
tt_new_file_path (const TtNewFile *self)
{
  return self->part_path;
}

/* -- the end ---------------------------------------------------------------------------------------------------- */

int
tt_new_file_sync (const TtNewFile *self)
{
  /* Some file systems have nothing to sync. */
  return fsync (self->fd) == 0 || errno == EINVAL || errno == EOPNOTSUPP ? 0 : errno;
}

static void
note_published (TtNewFile *self)
{
  g_clear_pointer (&self->part, g_free);
  g_clear_pointer (&self->part_path, g_free);
}

int
tt_new_file_publish (TtNewFile *self)
{
  if (renameat (self->directory, self->part, self->directory, self->name) != 0)
    return errno;
  note_published (self);
  return 0;
}

/* As renameat(), but never over a file that has appeared meanwhile. */
static int
rename_to_free_name (int directory, const char *from, const char *to)
{
#ifdef RENAME_NOREPLACE
  if (renameat2 (directory, from, directory, to, RENAME_NOREPLACE) == 0)
    return 0;
  if (errno != EINVAL && errno != ENOSYS)
    return -1;
#endif
  if (linkat (directory, from, directory, to, 0) == 0)
    return unlinkat (directory, from, 0);
  if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS)
    return -1;
  if (faccessat (directory, to, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
    {
      errno = EEXIST;
      return -1;
    }
  return renameat (directory, from, directory, to);
}

int
tt_new_file_publish_as_new (TtNewFile *self, const char *name)
{
  if (rename_to_free_name (self->directory, self->part, name != NULL ? name : self->name) != 0)
    return errno;
  note_published (self);
  return 0;
}

void
tt_new_file_free (TtNewFile *self)
{
  if (self == NULL)
    return;
  if (self->part != NULL)
    unlinkat (self->directory, self->part, 0);
  if (self->fd >= 0)
    close (self->fd);
  if (self->directory >= 0)
    close (self->directory);
  g_free (self->directory_path);
  g_free (self->name);
  g_free (self->part);
  g_free (self->part_path);
  g_free (self);
}
