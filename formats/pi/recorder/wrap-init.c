/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A part of libtracetool-pi-threads.so: with `pi record --profile` the runtime gets a function of ours for a plugin's
 * piPluginInit(), which calls it and then has the recorder (TRACETOOL_PI_HOOK, its path) change the table that the plugin
 * has filled. libtracetool-pi-redirect.so, which the loader asks where names lead, puts it there; it learns where
 * tracetool_pi_wrap_init() is when that is looked up here.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__ ((visibility ("default")))
#define MAX_INITS 8

typedef int32_t (*Init) (void *plugin);

static Init inits[MAX_INITS];
static unsigned n_inits;

static int32_t
run_init (unsigned number, void *plugin)
{
  int32_t result = inits[number](plugin);
  const char *path = getenv ("TRACETOOL_PI_HOOK");
  /* It stays: the framework will ask for it, too. */
  void *recorder = result == 0 && path != NULL ? dlopen (path, RTLD_LAZY) : NULL;
  void *found = recorder != NULL ? dlsym (recorder, "tracetool_pi_hook_plugin") : NULL;
  void (*hook) (void *plugin);

  if (found != NULL)
    {
      memcpy (&hook, &found, sizeof hook);
      hook (plugin);
    }
  return result;
}

#define INIT(number)                     \
  static int32_t init_##number (void *p) \
  {                                      \
    return run_init (number, p);         \
  }
INIT (0)
INIT (1)
INIT (2)
INIT (3)
INIT (4)
INIT (5)
INIT (6)
INIT (7)

EXPORT void *tracetool_pi_wrap_init (void *init);

/* Called by the loader's auditor, which holds the loader's lock: one at a time. */
void *
tracetool_pi_wrap_init (void *init)
{
  static const Init wrappers[MAX_INITS] = { init_0, init_1, init_2, init_3, init_4, init_5, init_6, init_7 };
  unsigned i = 0;
  void *wrapper;

  while (i < n_inits && memcmp (&inits[i], &init, sizeof init) != 0)
    i++;
  if (i == MAX_INITS)
    return init;
  if (i == n_inits)
    memcpy (&inits[n_inits++], &init, sizeof init);
  memcpy (&wrapper, &wrappers[i], sizeof wrapper);
  return wrapper;
}

__attribute__ ((constructor)) static void
tell_auditor (void)
{
  /* No tail call: dlsym() looks at who calls it. */
  void *volatile found = NULL;

  if (getenv ("TRACETOOL_PI_HOOK") != NULL)
    found = dlsym (RTLD_DEFAULT, "tracetool_pi_wrap_init");
  (void) found;
}
