/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/recorder/function.h"

#include "formats/pi/recorder/late-kind.h"
#include "formats/pi/recorder/plugin.h"
#include "formats/pi/recorder/profile-kind.h"
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

/* The parameters that the runtime's version has; the minor number of PI counts through all its versions. */
static const TtPiFunction *
find_signature (TtRecordFunction *self, const char *name, void *plugin)
{
  const TtPiFunction *function = tt_pi_function_by_name (name);
  unsigned major = 0, minor = 0;

  if (self->api == TT_PI_API_UR)
    {
      const TtRecordRelease *release = tt_record_release (name);
      self->major = release->major;
      self->minor = release->minor;
      self->release = release->release;
      if (release->release == 0)
        return NULL;
    }
  else if (tt_record_plugin_version (plugin, &major, &minor))
    {
      self->major = (uint8_t) major;
      self->minor = (uint8_t) minor;
      self->release = (uint16_t) minor;
    }
  if (function == NULL || function->api != self->api)
    return NULL;
  return self->release == 0 ? function : tt_pi_function_near_release (function, self->release);
}

static Entry *
make_entry (TtPiApi api, const TtRecordPayload *payload, const char *name)
{
  Entry *entry = n_functions < TT_RECORD_MAX_FUNCTIONS ? calloc (1, sizeof *entry) : NULL;

  if (entry == NULL)
    return NULL;
  strncpy (entry->function.name, name, TT_PI_NATIVE_MAX_NAME);
  entry->function.runtime_name = name;
  entry->function.id = payload->function_id;
  entry->function.index = n_functions++;
  entry->function.api = api;
  entry->function.is_select = strcmp (name, "piextDeviceSelectBinary") == 0;

  const TtPiFunction *function = find_signature (&entry->function, name, payload->user_data);
  if (function != NULL && function->params != NULL && function->packed <= TT_PI_NATIVE_MAX_ARGS)
    {
      entry->function.function = function;
      tt_pi_shapes (function, entry->function.release, &entry->function.shapes);
      entry->function.profile = tt_record_profile_kind (function, &entry->function.shapes);
      entry->function.late = tt_record_late_kind (function, &entry->function.shapes);
    }
  return entry;
}

const TtRecordFunction *
tt_record_function (TtPiApi api, const TtRecordPayload *payload)
{
  uint32_t id = payload->function_id;
  const char *name = payload->function_name;
  Entry **place = &functions[api == TT_PI_API_UR][id % TT_RECORD_MAX_FUNCTIONS];

  if (name == NULL || name[0] == '\0')
    name = "unknown";
  const TtRecordFunction *known = find_function (__atomic_load_n (place, __ATOMIC_ACQUIRE), id, name);
  if (known != NULL)
    return known;

  pthread_mutex_lock (&lock);
  known = find_function (*place, id, name);
  Entry *entry = known == NULL ? make_entry (api, payload, name) : NULL;
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
