/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "formats/pi/recorder/profile-events.h"

#include "formats/pi/api.h"
#include "formats/pi/recorder/release.h"
#include "formats/pi/recorder/safe-copy.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#define MAX_TABLES 16

/* Functions by the table that handles begin with; a loader's own serve them all, under NULL. */
typedef struct
{
  void *table;
  bool is_whole;
  TtRecordEvents events;
} Known;

static const TtRecordCodes codes_of_ur = { 0, 3, 4, 3, 0, 17 };
const TtRecordCodes tt_record_codes_of_pi = { 0x11d0, 0x11d3, 0x11d2, 0x1093, 0x1280, -7 };

static Known known[MAX_TABLES];
static unsigned n_known;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static TtRecordEvents loader;
static bool has_loader;

/* @functions: the table "Event". */
static bool
take_functions (TtRecordEvents *self, void *const *functions)
{
  const struct
  {
    const char *name;
    void *to;
  } wanted[] = {
    { "urEventGetInfo", &self->info },
    { "urEventGetProfilingInfo", &self->times },
    { "urEventRetain", &self->retain },
    { "urEventRelease", &self->release },
  };
  unsigned release = tt_record_release (NULL)->release, n = 0;

  self->codes = &codes_of_ur;
  for (unsigned place = 0; place < TT_PI_UR_TABLE_PLACES; place++)
    {
      const TtPiFunction *function = tt_pi_table_function ("Event", place, release);
      for (unsigned i = 0; function != NULL && i < sizeof wanted / sizeof wanted[0]; i++)
        if (strcmp (function->name, wanted[i].name) == 0 && functions[place] != NULL)
          {
            memcpy (wanted[i].to, &functions[place], sizeof (void *));
            n++;
          }
    }
  return n == sizeof wanted / sizeof wanted[0];
}

/* Of a library that gives tables: a loader, or an adapter. */
static bool
take_clock (TtRecordEvents *self, void *library, const char *path)
{
  const TtRecordRelease *release = tt_record_release (NULL);
  void *table[TT_PI_UR_TABLE_PLACES] = { NULL };
  int32_t (*fill) (uint32_t version, void **table);
  Dl_info info;

  void *found = dlsym (library != NULL ? library : RTLD_DEFAULT, "urGetDeviceProcAddrTable");
  if (found == NULL || dladdr (found, &info) == 0 || info.dli_fname == NULL || strcmp (info.dli_fname, path) != 0)
    return false;
  memcpy (&fill, &found, sizeof fill);
  if (fill ((uint32_t) release->major << 16 | release->minor, table) != 0)
    return false;
  for (unsigned place = 0; place < TT_PI_UR_TABLE_PLACES; place++)
    {
      const TtPiFunction *function = tt_pi_table_function ("Device", place, release->release);
      if (function != NULL && strcmp (function->name, "urDeviceGetGlobalTimestamps") == 0)
        memcpy (&self->clock, &table[place], sizeof self->clock);
    }
  return self->clock != NULL;
}

/* -- a loader that exports its tables ----------------------------------------------------------------- */

static void
ask_loader (void)
{
  const char *path = tt_record_release_library ();
  const TtRecordRelease *release = tt_record_release (NULL);
  void *table[TT_PI_UR_TABLE_PLACES] = { NULL };
  int32_t (*fill) (uint32_t version, void **table);
  Dl_info info;

  void *library = path[0] != '\0' ? dlopen (path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  void *found = dlsym (library != NULL ? library : RTLD_DEFAULT, "urGetEventProcAddrTable");
  /* Adapters have a function of that name, too. */
  if (found != NULL && dladdr (found, &info) != 0 && info.dli_fname != NULL && strcmp (info.dli_fname, path) == 0)
    {
      memcpy (&fill, &found, sizeof fill);
      has_loader =
          fill ((uint32_t) release->major << 16 | release->minor, table) == 0 && take_functions (&loader, table);
      if (has_loader)
        take_clock (&loader, library, path);
    }
  if (library != NULL)
    dlclose (library);
}

/* -- a loader within another library ------------------------------------------------------------------- */

static unsigned
table_length (const char *table, unsigned release)
{
  unsigned n = 0;

  while (n < TT_PI_UR_TABLE_PLACES && tt_pi_table_function (table, n, release) != NULL)
    n++;
  return n;
}

static bool
is_within (const void *address, const void *base)
{
  Dl_info info;

  return dladdr (address, &info) != 0 && info.dli_fbase == base;
}

/* The table "Device" of an adapter within another library follows all others but "DeviceExp", of a release that is known
 * to the last function; what is there must be as many different functions of that library. */
static void
find_clock (Known *self, unsigned release, const void *base)
{
  static const char *const names[] = {
#define NAME(table) #table,
    TT_PI_UR_TABLES (NAME)
#undef NAME
  };
  unsigned at = 0, n = table_length ("Device", release);
  void *functions[TT_PI_UR_TABLE_PLACES] = { NULL };

  for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strncmp (names[i], "Device", strlen ("Device")) != 0)
      at += table_length (names[i], release);
  if (tt_record_release (NULL)->n_other > 0 ||
      !tt_record_copy (functions, (void *const *) self->table + at, n * sizeof functions[0]))
    return;
  for (unsigned i = 0; i < n; i++)
    {
      if (functions[i] == NULL || !is_within (functions[i], base))
        return;
      for (unsigned k = 0; k < i; k++)
        if (functions[k] == functions[i])
          return;
    }
  for (unsigned place = 0; place < n; place++)
    if (strcmp (tt_pi_table_function ("Device", place, release)->name, "urDeviceGetGlobalTimestamps") == 0)
      memcpy (&self->events.clock, &functions[place], sizeof self->events.clock);
}

/* Since May 2025 a handle begins with the address of its adapter's tables, one after the other. All that is taken from
 * there must be functions of that adapter. */
static void
read_table (Known *self)
{
  unsigned release = tt_record_release (NULL)->release;
  unsigned at =
      table_length ("Adapter", release) + table_length ("Platform", release) + table_length ("Context", release);
  unsigned n = table_length ("Event", release);
  void *functions[TT_PI_UR_TABLE_PLACES] = { NULL };
  Dl_info info;

  if (dladdr (self->table, &info) == 0 ||
      !tt_record_copy (functions, (void *const *) self->table + at, n * sizeof functions[0]))
    return;
  for (unsigned i = 0; i < n; i++)
    if (functions[i] != NULL && !is_within (functions[i], info.dli_fbase))
      return;
  self->is_whole = take_functions (&self->events, functions);
  void *library = self->is_whole && info.dli_fname != NULL ? dlopen (info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  if (library == NULL)
    return;
  if (!take_clock (&self->events, library, info.dli_fname))
    find_clock (self, release, info.dli_fbase);
  dlclose (library);
}

static const Known *
find_known (void *table, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    if (known[i].table == table)
      return &known[i];
  return NULL;
}

const TtRecordEvents *
tt_record_events (uint64_t object)
{
  void *table = NULL;

  pthread_once (&once, ask_loader);
  if (has_loader)
    return &loader;
  if (object == 0 || !tt_record_copy (&table, (const void *) (uintptr_t) object, sizeof table) || table == NULL)
    return NULL;
  const Known *found = find_known (table, __atomic_load_n (&n_known, __ATOMIC_ACQUIRE));
  if (found == NULL)
    {
      pthread_mutex_lock (&lock);
      found = find_known (table, n_known);
      if (found == NULL && n_known < MAX_TABLES)
        {
          known[n_known].table = table;
          read_table (&known[n_known]);
          found = &known[n_known];
          __atomic_store_n (&n_known, n_known + 1, __ATOMIC_RELEASE);
        }
      pthread_mutex_unlock (&lock);
    }
  return found != NULL && found->is_whole ? &found->events : NULL;
}
