/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "formats/pi/loader.h"

#include "formats/pi/api.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_NAME 128
/* A loader has the names of all functions; a program that has some makes calls with them. */
#define MIN_NAMES 100

/* -- a library that exports its functions ----------------------------------------------------------- */

static bool
offers (const char *name, void *library)
{
  return dlsym (library, name) != NULL;
}

/* -- one that has their names ----------------------------------------------------------------------- */

static bool
is_letter (uint8_t byte)
{
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
}

/* Notes every text "urSomething" that ends with NUL; their number. */
static unsigned
find_names (const uint8_t *bytes, size_t len, uint8_t *found)
{
  char name[MAX_NAME];
  const uint8_t *end = bytes + len;
  unsigned n_found = 0;

  for (const uint8_t *at = bytes; at < end && (at = memchr (at, 'u', (size_t) (end - at))) != NULL; at++)
    {
      size_t n = 0;
      while (n + 1 < sizeof name && (size_t) (end - at) > n && is_letter (at[n]))
        n++;
      if (n < 3 || at[1] != 'r' || at[2] < 'A' || at[2] > 'Z' || (size_t) (end - at) == n || at[n] != '\0')
        continue;
      memcpy (name, at, n);
      name[n] = '\0';
      const TtPiFunction *function = tt_pi_function_by_name (name);
      if (function != NULL && !found[function->index])
        {
          found[function->index] = 1;
          n_found++;
        }
      at += n;
    }
  return n_found;
}

static bool
is_named (const char *name, void *found)
{
  const TtPiFunction *function = tt_pi_function_by_name (name);

  /* The loader's own functions make no traced calls: what nobody calls is not linked. */
  if (strncmp (name, "urLoader", 8) == 0 || strcmp (name, "urDeviceGetSelected") == 0)
    return true;
  return function != NULL && ((const uint8_t *) found)[function->index] != 0;
}

/* NULL: it is no loader. */
static uint8_t *
read_names (const char *path)
{
  uint8_t *found = calloc (tt_pi_n_functions, 1);
  struct stat status;
  unsigned n = 0;
  int fd = found != NULL ? open (path, O_RDONLY | O_CLOEXEC) : -1;

  if (fd >= 0 && fstat (fd, &status) == 0 && S_ISREG (status.st_mode) && status.st_size > 0)
    {
      void *bytes = mmap (NULL, (size_t) status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
      if (bytes != MAP_FAILED)
        {
          n = find_names (bytes, (size_t) status.st_size, found);
          munmap (bytes, (size_t) status.st_size);
        }
    }
  if (fd >= 0)
    close (fd);
  if (n >= MIN_NAMES)
    return found;
  free (found);
  return NULL;
}

TtPiLoader
tt_pi_loader_find (const void *inside, unsigned major, unsigned minor)
{
  TtPiLoader self = { 0 };
  Dl_info info = { 0 };

  if (dladdr (inside, &info) == 0 || info.dli_fname == NULL)
    {
      self.release = tt_pi_release_find (major, minor, NULL, NULL, &self.n_other);
      return self;
    }
  snprintf (self.library, sizeof self.library, "%s", info.dli_fname);
  void *library = dlopen (info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (library != NULL && (offers ("urLoaderInit", library) || offers ("urInit", library)))
    self.release = tt_pi_release_find (major, minor, offers, library, &self.n_other);
  else
    {
      uint8_t *found = read_names (info.dli_fname);
      self.release = tt_pi_release_find (major, minor, found != NULL ? is_named : NULL, found, &self.n_other);
      free (found);
    }
  if (library != NULL)
    dlclose (library);
  return self;
}
