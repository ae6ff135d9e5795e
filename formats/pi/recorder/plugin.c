/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "formats/pi/recorder/plugin.h"

#include "formats/pi/recorder/session.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_PLUGINS 16
#define MAX_VERSION 20

/* Backends by the library that has the plugin's functions; numbers as in sycl::backend (pi.md 12). */
static const struct
{
  const char *part, *name;
  int backend;
} libraries[] = {
  { "pi_opencl", "opencl", 1 }, { "pi_level_zero", "level_zero", 2 },
  { "pi_cuda", "cuda", 3 },     { "pi_rocm", "rocm", 4 },
  { "pi_hip", "rocm", 4 },
};

typedef struct
{
  void *plugin;
  int backend;
  void *const *table; /* NULL: not understood */
} Plugin;

static Plugin plugins[MAX_PLUGINS];
static unsigned n_plugins;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The plugin structure: version of the host, version of the plugin in a field of the same size, an address, the
 * functions. The runtime has checked that the plugin has the host's major number. */
static void *const *
find_table (const char *plugin, size_t *room_given)
{
  size_t len = strnlen (plugin, MAX_VERSION), room = len + 1, major = strcspn (plugin, ".");

  if (len < 3 || len >= MAX_VERSION || major == len || plugin[0] < '0' || plugin[0] > '9')
    return NULL;
  while (room < MAX_VERSION && plugin[room] == '\0')
    room++;
  if (memcmp (plugin + room, plugin, major + 1) != 0)
    return NULL;
  *room_given = room;
  return (void *const *) (const void *) (plugin + TT_PI_NATIVE_PAD (2 * room) + 8);
}

static void
write_plugin (const char *backend, const char *library, const char *version, size_t room)
{
  char line[4096];
  int len = snprintf (line, sizeof line, "%s\t%s\t%s\t%zu\n", backend, library, version, room);
  int fd = len > 0 && (size_t) len < sizeof line ? tt_record_open ("plugins", O_WRONLY | O_CREAT | O_APPEND) : -1;

  bool is_written = fd >= 0 && tt_record_write_all (fd, line, (size_t) len);
  if (!is_written)
    tt_record_complain ("cannot write", "plugins", errno);
  if (fd >= 0 && close (fd) != 0 && is_written)
    tt_record_complain ("cannot write", "plugins", errno);
}

static void
examine_plugin (Plugin *self)
{
  size_t room = 0;
  void *const *table = find_table (self->plugin, &room);
  Dl_info info;

  self->backend = -1;
  if (table == NULL || dladdr (table[0], &info) == 0 || info.dli_fname == NULL)
    return;
  self->table = table;
  for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++)
    if (strstr (info.dli_fname, libraries[i].part) != NULL)
      {
        self->backend = libraries[i].backend;
        write_plugin (libraries[i].name, info.dli_fname, self->plugin, room);
        return;
      }
}

static const Plugin *
find_plugin (void *plugin)
{
  const Plugin *found = NULL;

  if (plugin == NULL)
    return NULL;
  for (unsigned i = 0, n = __atomic_load_n (&n_plugins, __ATOMIC_ACQUIRE); i < n; i++)
    if (plugins[i].plugin == plugin)
      return &plugins[i];

  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < n_plugins; i++)
    if (plugins[i].plugin == plugin)
      found = &plugins[i];
  if (found == NULL && n_plugins < MAX_PLUGINS)
    {
      plugins[n_plugins].plugin = plugin;
      examine_plugin (&plugins[n_plugins]);
      found = &plugins[n_plugins];
      __atomic_store_n (&n_plugins, n_plugins + 1, __ATOMIC_RELEASE);
    }
  pthread_mutex_unlock (&lock);
  return found;
}

int
tt_record_backend (void *plugin)
{
  const Plugin *self = find_plugin (plugin);

  return self != NULL ? self->backend : -1;
}

/* The runtime follows a list of ids in which the call has the id it came with. */
bool
tt_record_wait (const TtRecordCall *call, void *event)
{
  const Plugin *self = call->function->api == TT_PI_API_PI ? find_plugin (call->plugin) : NULL;
  const TtPiFunction *wait = tt_pi_function_by_name ("piEventsWait");
  const TtPiFunction *function = call->function->function;
  void *const events[] = { event };

  if (self == NULL || self->table == NULL || wait == NULL || function == NULL)
    return false;
  for (unsigned i = 0; i < TT_PI_N_IDS; i++)
    {
      int32_t (*run) (uint32_t, void *const *);
      Dl_info info;
      if (function->ids[i] < 0 || (uint32_t) function->ids[i] != call->function->id || wait->ids[i] < 0 ||
          dladdr (self->table[wait->ids[i]], &info) == 0)
        continue;
      memcpy (&run, &self->table[wait->ids[i]], sizeof run);
      return run (1, events) == 0;
    }
  return false;
}

void
tt_record_plugin_after_fork (void)
{
  pthread_mutex_init (&lock, NULL);
  n_plugins = 0;
}
