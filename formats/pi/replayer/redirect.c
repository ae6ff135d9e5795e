/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libtracetool-pi-redirect.so, for LD_AUDIT: when the loader looks for a library of one of the names in
 * TRACETOOL_PI_PLUGINS (separated by ':'), it is told to take TRACETOOL_PI_LIBRARY. Runtimes since 2023 know no variable
 * that names another plugin. The loader runs this apart from the program, and other libraries are found as ever.
 */
#define _GNU_SOURCE
#include <link.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__ ((visibility ("default")))

EXPORT unsigned la_version (unsigned version);
EXPORT char *la_objsearch (const char *name, uintptr_t *cookie, unsigned flag);

unsigned
la_version (unsigned version)
{
  return version < LAV_CURRENT ? version : LAV_CURRENT;
}

static bool
is_listed (const char *name, const char *list)
{
  size_t len = strlen (name);

  for (const char *at = list; *at != '\0';)
    {
      const char *end = strchrnul (at, ':');
      if ((size_t) (end - at) == len && memcmp (at, name, len) == 0)
        return true;
      at = *end == ':' ? end + 1 : end;
    }
  return false;
}

char *
la_objsearch (const char *name, uintptr_t *cookie, unsigned flag)
{
  const char *slash = strrchr (name, '/');
  const char *list = getenv ("TRACETOOL_PI_PLUGINS");
  char *library = getenv ("TRACETOOL_PI_LIBRARY");
  bool is_asked_for = flag == LA_SER_ORIG && list != NULL && library != NULL;

  (void) cookie;
  return is_asked_for && is_listed (slash != NULL ? slash + 1 : name, list) ? library : (char *) name;
}
