/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libtracetool-pi-redirect.so, for LD_AUDIT: when the loader looks for a library of one of the names in
 * TRACETOOL_PI_PLUGINS (separated by ':'), it is told to take TRACETOOL_PI_LIBRARY. Runtimes since 2023 know no variable
 * that names another plugin. With TRACETOOL_PI_HOOK the name piPluginInit of a plugin leads to what
 * tracetool_pi_wrap_init() makes of it (recorder/wrap-init.c). The loader runs this apart from the program, and all else is
 * found as ever.
 */
#define _GNU_SOURCE
#include <link.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__ ((visibility ("default")))

EXPORT unsigned la_version (unsigned version);
EXPORT char *la_objsearch (const char *name, uintptr_t *cookie, unsigned flag);
EXPORT unsigned la_objopen (struct link_map *map, Lmid_t space, uintptr_t *cookie);
EXPORT uintptr_t
la_symbind64 (Elf64_Sym *symbol, unsigned index, uintptr_t *from, uintptr_t *to, unsigned *flags, const char *name);

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

unsigned
la_objopen (struct link_map *map, Lmid_t space, uintptr_t *cookie)
{
  const char *slash = map->l_name != NULL ? strrchr (map->l_name, '/') : NULL;
  const char *name = slash != NULL ? slash + 1 : map->l_name;

  (void) cookie;
  return getenv ("TRACETOOL_PI_HOOK") != NULL && space == LM_ID_BASE && name != NULL &&
                 (strncmp (name, "libpi_", 6) == 0 || strncmp (name, "libtracetool-pi-threads", 23) == 0)
             ? LA_FLG_BINDTO
             : 0;
}

uintptr_t
la_symbind64 (Elf64_Sym *symbol, unsigned index, uintptr_t *from, uintptr_t *to, unsigned *flags, const char *name)
{
  static void *(*wrap_init) (void *init);
  void *address, *wrapper;

  (void) index;
  (void) from;
  (void) to;
  *flags |= LA_SYMB_NOPLTENTER | LA_SYMB_NOPLTEXIT;
  memcpy (&address, &symbol->st_value, sizeof address);
  if (strcmp (name, "tracetool_pi_wrap_init") == 0)
    memcpy (&wrap_init, &address, sizeof wrap_init);
  if (wrap_init == NULL || strcmp (name, "piPluginInit") != 0)
    return symbol->st_value;
  wrapper = wrap_init (address);
  return (uintptr_t) wrapper;
}
