/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/recorder/function.h"

#include "formats/pi/recorder/release.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Functions by id; where a process has several names for one id, they form a list. */
typedef struct Entry Entry;
struct Entry
{
  TtRecordFunction function;
  Entry *next;
};

static Entry *functions[2][TT_RECORD_MAX_FUNCTIONS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t n_functions;

static const TtRecordFunction *
find_function (Entry *entry, uint32_t id, const char *name)
{
  for (; entry != NULL; entry = __atomic_load_n (&entry->next, __ATOMIC_ACQUIRE))
    if (entry->function.id == id &&
        (entry->function.runtime_name == name || strncmp (entry->function.name, name, TT_PI_NATIVE_MAX_NAME) == 0))
      return &entry->function;
  return NULL;
}

static Entry *
make_entry (TtPiApi api, uint32_t id, const char *name)
{
  Entry *entry = n_functions < TT_RECORD_MAX_FUNCTIONS ? calloc (1, sizeof *entry) : NULL;

  if (entry == NULL)
    return NULL;
  strncpy (entry->function.name, name, TT_PI_NATIVE_MAX_NAME);
  entry->function.runtime_name = name;
  entry->function.id = id;
  entry->function.index = n_functions++;
  entry->function.api = api;
  entry->function.is_select = strcmp (name, "piextDeviceSelectBinary") == 0;

  const TtPiFunction *function = tt_pi_function_by_name (name);
  if (api == TT_PI_API_UR)
    {
      const TtRecordRelease *release = tt_record_release (name);
      entry->function.major = release->major;
      entry->function.minor = release->minor;
      entry->function.release = release->release;
      if (function != NULL)
        function = release->release == 0 ? NULL : tt_pi_function_near_release (function, release->release);
    }
  if (function != NULL && function->params != NULL && function->packed <= TT_PI_NATIVE_MAX_ARGS && function->api == api)
    {
      entry->function.function = function;
      entry->function.is_doubtful = api == TT_PI_API_UR || tt_pi_function_has_variants (function);
      tt_pi_shapes (function, entry->function.release, &entry->function.shapes);
    }
  return entry;
}

const TtRecordFunction *
tt_record_function (TtPiApi api, uint32_t id, const char *name)
{
  Entry **place = &functions[api == TT_PI_API_UR][id % TT_RECORD_MAX_FUNCTIONS];

  if (name == NULL || name[0] == '\0')
    name = "unknown";
  const TtRecordFunction *known = find_function (__atomic_load_n (place, __ATOMIC_ACQUIRE), id, name);
  if (known != NULL)
    return known;

  pthread_mutex_lock (&lock);
  known = find_function (*place, id, name);
  Entry *entry = known == NULL ? make_entry (api, id, name) : NULL;
  if (entry != NULL)
    {
      entry->next = *place;
      __atomic_store_n (place, entry, __ATOMIC_RELEASE);
      known = &entry->function;
    }
  pthread_mutex_unlock (&lock);
  return known;
}

void
tt_record_function_after_fork (void)
{
  pthread_mutex_init (&lock, NULL);
}
