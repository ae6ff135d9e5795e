/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "config.h"

#include "formats/tau/writer-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_TRIES 100

/* -- the place ------------------------------------------------------------------------------------------- */

/* Of the folder that @path is in; NULL without memory. Free it. */
static char *
folder_of (const char *path)
{
  const char *slash = strrchr (path, '/');

  if (slash == NULL)
    return strdup (".");
  return strndup (path, slash == path ? 1 : (size_t) (slash - path));
}

/* The kernel's rule for programs that open such a link (fs.protected_symlinks). */
static bool
may_follow (const char *path, const struct stat *link)
{
  char *folder = folder_of (path);
  struct stat facts;
  bool is_known = folder != NULL && stat (folder, &facts) == 0;

  free (folder);
  return is_known && ((facts.st_mode & (S_ISVTX | S_IWOTH)) != (S_ISVTX | S_IWOTH) || link->st_uid == geteuid () ||
                      link->st_uid == facts.st_uid);
}

/* Where @path leads, of which *@facts tell; their mode is 0 if nothing is there. FALSE: nowhere; errno says why. A file
 * that is there may have no name: then the path is NULL. */
static bool
find_place (TtTauNewFile *self, const char *path, struct stat *facts)
{
  struct stat itself = { 0 };

  *facts = itself;
  if (lstat (path, &itself) != 0 && errno != ENOENT)
    return false;
  if (!S_ISLNK (itself.st_mode))
    {
      *facts = itself;
      self->path = strdup (path);
      return self->path != NULL;
    }
  if (!may_follow (path, &itself))
    {
      errno = EACCES;
      return false;
    }
  if (stat (path, facts) != 0)
    return false;
  self->path = realpath (path, NULL);
  return self->path != NULL || errno != ENOMEM;
}

/* What has no name of its own any more: /dev/stdout, a file that was removed. */
static bool
is_nameless (const char *path, const struct stat *facts)
{
  struct stat named;

  return stat (path, &named) != 0 || named.st_ino != facts->st_ino || named.st_dev != facts->st_dev;
}

/* -- the part -------------------------------------------------------------------------------------------- */

static bool
make_name (char *name, size_t size, const char *path)
{
  uint64_t number;

  if (getrandom (&number, sizeof number, 0) != (ssize_t) sizeof number)
    return false;
  snprintf (name, size, "%s.part-%016llx", path, (unsigned long long) number);
  return true;
}

static bool
make_part (TtTauNewFile *self)
{
  size_t size = strlen (self->path) + sizeof ".part-" + 16;

  self->part = malloc (size);
  for (unsigned i = 0; self->part != NULL && i < MAX_TRIES; i++)
    {
      if (!make_name (self->part, size, self->path))
        break;
      self->fd = open (self->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND | O_CLOEXEC, 0600);
      if (self->fd >= 0)
        return true;
      if (errno != EEXIST)
        break;
    }
  free (self->part);
  self->part = NULL;
  return false;
}

static bool
open_in_place (TtTauNewFile *self, const char *path, bool is_regular)
{
  self->fd = open (path, O_WRONLY | O_APPEND | O_CLOEXEC | (is_regular ? O_TRUNC : 0));
  return self->fd >= 0;
}

/* A file of one's own keeps its permissions. */
static bool
open_beside (TtTauNewFile *self, const struct stat *old)
{
  if (!make_part (self))
    return false;
  if (old->st_mode != 0 && old->st_uid == geteuid ())
    fchmod (self->fd, old->st_mode & 0777);
  return true;
}

bool
tt_tau_new_file_open (TtTauNewFile *self, const char *path)
{
  struct stat old;

  *self = (TtTauNewFile){ .fd = -1 };
  if (path == NULL)
    {
      errno = EINVAL;
      return false;
    }
  bool is_found = find_place (self, path, &old);
  bool is_there = is_found && old.st_mode != 0, is_regular = is_there && S_ISREG (old.st_mode);
  bool in_place = is_there && (!is_regular || self->path == NULL || is_nameless (self->path, &old));

  if (is_found && (in_place ? open_in_place (self, path, is_regular) : open_beside (self, &old)))
    return true;
  int error = errno;
  free (self->path);
  self->path = NULL;
  errno = error;
  return false;
}

/* -- the end --------------------------------------------------------------------------------------------- */

bool
tt_tau_new_file_publish (TtTauNewFile *self)
{
  if (self->part == NULL)
    return true;
  /* Some file systems have nothing to sync. */
  if ((fsync (self->fd) != 0 && errno != EINVAL && errno != EOPNOTSUPP) || rename (self->part, self->path) != 0)
    return false;
  free (self->part);
  self->part = NULL;
  return true;
}

bool
tt_tau_new_file_clear (TtTauNewFile *self)
{
  bool is_closed = self->fd < 0 || close (self->fd) == 0;

  if (self->part != NULL)
    unlink (self->part);
  free (self->part);
  free (self->path);
  *self = (TtTauNewFile){ .fd = -1 };
  return is_closed;
}
