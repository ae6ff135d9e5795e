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
#define MIN_FUNCTIONS 100 /* in the table of every version */

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

/* A plugin is known by its first function: runtimes of 2024 pass copies of the structure, each where it happens to be. */
typedef struct
{
  void *first;
  void *place;   /* of the structure when it was seen last */
  size_t offset; /* of its table */
  int backend;
  void *wait;            /* piEventsWait; NULL: not found */
  unsigned major, minor; /* of PI */
  bool has_events;
  TtRecordEvents events;
} Plugin;

static Plugin plugins[MAX_PLUGINS];
static unsigned n_plugins;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The plugin structure: version of the host, version of the plugin in a field of the same size, an address, the
 * functions. The runtime has checked that the plugin has the host's major number. */
static void *const *
find_table (const char *plugin, size_t *room_given)
{
  size_t len = strnlen (plugin, MAX_VERSION), room = len + 1;
  const char *dot = memchr (plugin, '.', len);

  if (len < 3 || len >= MAX_VERSION || dot == NULL || plugin[0] < '0' || plugin[0] > '9')
    return NULL;
  while (room < MAX_VERSION && plugin[room] == '\0')
    room++;
  if (memcmp (plugin + room, plugin, (size_t) (dot - plugin) + 1) != 0)
    return NULL;
  *room_given = room;
  return (void *const *) (const void *) (plugin + TT_PI_NATIVE_PAD (2 * room) + 8);
}

/* Digits, of which no more count than a version has; moves *at past them. */
static unsigned
read_number (const char **at)
{
  unsigned number = 0;

  for (; **at >= '0' && **at <= '9'; (*at)++)
    number = number < 100000 ? number * 10 + (unsigned) (**at - '0') : number;
  return number;
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

static bool
is_named (const void *function, const char *name, const char *of_opencl)
{
  Dl_info info;

  return dladdr (function, &info) != 0 && info.dli_saddr == function && info.dli_sname != NULL &&
         (strcmp (info.dli_sname, name) == 0 || strcmp (info.dli_sname, of_opencl) == 0);
}

/* By the list of the plugin's version; of a version between releases by the names of the functions, which older
 * plugins of OpenCL take from its library as they are. Only what is a function is one. */
static void *
find_function (void *const *table, unsigned minor, const char *name, const char *of_opencl)
{
  const TtPiFunction *function = tt_pi_function_by_name (name);
  int list = tt_pi_ids_of_minor (minor);
  Dl_info info;

  if (function != NULL && list >= 0 && function->ids[list] >= 0)
    return dladdr (table[function->ids[list]], &info) != 0 ? table[function->ids[list]] : NULL;
  for (unsigned id = 0; id < MIN_FUNCTIONS; id++)
    if (is_named (table[id], name, of_opencl))
      return table[id];
  return NULL;
}

static void
find_events (Plugin *self, void *const *table)
{
  const struct
  {
    const char *name, *of_opencl;
    void *to;
  } wanted[] = {
    { "piEventGetInfo", "clGetEventInfo", &self->events.info },
    { "piEventGetProfilingInfo", "clGetEventProfilingInfo", &self->events.times },
    { "piEventRetain", "clRetainEvent", &self->events.retain },
    { "piEventRelease", "clReleaseEvent", &self->events.release },
    { "piGetDeviceAndHostTimer", "piGetDeviceAndHostTimer", &self->events.clock },
  };

  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
    {
      void *found = find_function (table, self->minor, wanted[i].name, wanted[i].of_opencl);
      memcpy (wanted[i].to, &found, sizeof found);
    }
  self->events.codes = &tt_record_codes_of_pi;
  self->has_events = self->events.info != NULL && self->events.times != NULL && self->events.retain != NULL &&
                     self->events.release != NULL;
}

static void
read_version (const char *plugin, unsigned *major, unsigned *minor)
{
  *major = read_number (&plugin);
  if (*plugin == '.')
    plugin++;
  *minor = read_number (&plugin);
}

static void
examine_plugin (Plugin *self, void *const *table, size_t room)
{
  const char *version = self->place;
  Dl_info info;

  self->first = table[0];
  self->backend = -1;
  read_version (version, &self->major, &self->minor);
  if (dladdr (table[0], &info) == 0 || info.dli_fname == NULL)
    return;
  self->wait = find_function (table, self->minor, "piEventsWait", "clWaitForEvents");
  find_events (self, table);
  for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++)
    if (strstr (info.dli_fname, libraries[i].part) != NULL)
      {
        self->backend = libraries[i].backend;
        write_plugin (libraries[i].name, info.dli_fname, version, room);
        return;
      }
}

static const Plugin *
add_plugin (void *place, void *const *table, size_t room)
{
  Plugin *found = NULL;

  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < n_plugins && found == NULL; i++)
    if (plugins[i].first == table[0])
      found = &plugins[i];
  if (found == NULL && n_plugins < MAX_PLUGINS)
    {
      found = &plugins[n_plugins];
      found->place = place;
      found->offset = (size_t) ((const char *) table - (const char *) place);
      examine_plugin (found, table, room);
      __atomic_store_n (&n_plugins, n_plugins + 1, __ATOMIC_RELEASE);
    }
  pthread_mutex_unlock (&lock);
  return found;
}

static const Plugin *
find_plugin (void *place)
{
  size_t room;

  if (place == NULL)
    return NULL;
  for (unsigned i = 0, n = __atomic_load_n (&n_plugins, __ATOMIC_ACQUIRE); i < n; i++)
    if (plugins[i].place == place &&
        *(void *const *) (const void *) ((const char *) place + plugins[i].offset) == plugins[i].first)
      return &plugins[i];

  void *const *table = find_table (place, &room);
  if (table == NULL)
    return NULL;
  for (unsigned i = 0, n = __atomic_load_n (&n_plugins, __ATOMIC_ACQUIRE); i < n; i++)
    if (plugins[i].first == table[0])
      return &plugins[i];
  return add_plugin (place, table, room);
}

int
tt_record_backend (void *plugin)
{
  const Plugin *self = find_plugin (plugin);

  return self != NULL ? self->backend : -1;
}

bool
tt_record_plugin_version (void *plugin, unsigned *major, unsigned *minor)
{
  const Plugin *self = find_plugin (plugin);

  if (self == NULL)
    return false;
  *major = self->major;
  *minor = self->minor;
  return true;
}

void **
tt_record_plugin_table (void *plugin, unsigned *minor)
{
  unsigned major;
  size_t room;
  void *const *table = plugin != NULL ? find_table (plugin, &room) : NULL;

  if (table == NULL)
    return NULL;
  read_version (plugin, &major, minor);
  return (void **) (void *) ((char *) plugin + ((const char *) table - (const char *) plugin));
}

const TtRecordEvents *
tt_record_plugin_events (void *plugin)
{
  const Plugin *self = find_plugin (plugin);

  return self != NULL && self->has_events ? &self->events : NULL;
}

bool
tt_record_wait (const TtRecordCall *call, void *event)
{
  const Plugin *self = call->function->api == TT_PI_API_PI ? find_plugin (call->plugin) : NULL;
  void *const events[] = { event };
  int32_t (*run) (uint32_t, void *const *);

  if (self == NULL || self->wait == NULL)
    return false;
  memcpy (&run, &self->wait, sizeof run);
  return run (1, events) == 0;
}

void
tt_record_plugin_after_fork (void)
{
  pthread_mutex_init (&lock, NULL);
  n_plugins = 0;
}
