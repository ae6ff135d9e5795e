/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/recorder/hook.h"

#include "formats/pi/places.h"
#include "formats/pi/recorder/plugin.h"
#include "formats/pi/recorder/profile-kind.h"
#include "formats/pi/recorder/session.h"

#include <pthread.h>
#include <string.h>

#define MAX_ARGS 16

#define ARGS                                                                                                  \
  uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h, uint64_t i, \
      uint64_t j, uint64_t k, uint64_t l, uint64_t m, uint64_t n, uint64_t o, uint64_t p

typedef int32_t (*Place) (ARGS);

/* A function of a plugin that is known by its first one. */
typedef struct
{
  void *first;
  const TtPiFunction *function;
  Place real;
} Slot;

static Slot slots[256];
static unsigned n_slots;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The call that the runtime has reported just now, if it is this one. */
static const TtRecordCall *
find_call (const Slot *slot)
{
  const TtRecordThread *thread = tt_recorder.is_on ? tt_record_thread_if_any () : NULL;

  if (thread == NULL || thread->busy || thread->depth == 0)
    return NULL;
  const TtRecordCall *call = &thread->calls[thread->depth - 1];
  return call->function->function != NULL && call->function->function->index == slot->function->index ? call : NULL;
}

/* All functions are called with as many arguments as any has, and ignore those that they do not have, which the calling
 * conventions of x86-64 and aarch64 allow. */
static int32_t
forward (unsigned number, uint64_t *args)
{
  const Slot *slot = &slots[number];
  const TtRecordCall *call = find_call (slot);

  if (call != NULL && call->swap.refusal != 0)
    return call->swap.refusal;
  if (call != NULL && call->swap.param == &call->swap.given)
    memcpy (&args[call->swap.place], &call->swap.given, sizeof args[0]);
  return slot->real (args[0], args[1], args[2], args[3], args[4], args[5], args[6], args[7], args[8], args[9], args[10],
                     args[11], args[12], args[13], args[14], args[15]);
}

#define PLACE(number)                                                             \
  static int32_t place_##number (ARGS)                                            \
  {                                                                               \
    uint64_t args[MAX_ARGS] = { a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p }; \
    return forward (0x##number, args);                                            \
  }
#define ADDRESS(number) place_##number,

TT_PI_256 (PLACE, )

static const Place places[] = { TT_PI_256 (ADDRESS, ) };

static bool
wants (const TtPiFunction *function)
{
  TtPiShapes shapes;

  if (function->params == NULL || function->n_params > MAX_ARGS)
    return false;
  tt_pi_shapes (function, 0, &shapes);
  switch (tt_record_profile_kind (function, &shapes))
    {
    case TT_RECORD_PROFILE_CREATES_QUEUE:
    case TT_RECORD_PROFILE_COMMAND:
    case TT_RECORD_PROFILE_ASKS_TIMES:
      return true;
    default:
      return false;
    }
}

__attribute__ ((visibility ("default"))) void tracetool_pi_hook_plugin (void *plugin);

void
tracetool_pi_hook_plugin (void *plugin)
{
  unsigned minor;
  void **table = tt_record_plugin_table (plugin, &minor);
  int list = table != NULL ? tt_pi_ids_of_minor (minor) : -1;

  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < tt_pi_n_functions && list >= 0; i++)
    {
      const TtPiFunction *function = &tt_pi_functions[i];
      int32_t id = function->ids[list];
      if (function->api != TT_PI_API_PI || id < 0 || table[id] == NULL || n_slots == sizeof slots / sizeof slots[0] ||
          !wants (function))
        continue;
      slots[n_slots].first = table[0];
      slots[n_slots].function = function;
      memcpy (&slots[n_slots].real, &table[id], sizeof table[id]);
      memcpy (&table[id], &places[n_slots], sizeof table[id]);
      __atomic_store_n (&n_slots, n_slots + 1, __ATOMIC_RELEASE);
    }
  pthread_mutex_unlock (&lock);
}

bool
tt_record_is_hooked (void *plugin, const TtPiFunction *function)
{
  unsigned minor, n = __atomic_load_n (&n_slots, __ATOMIC_ACQUIRE);
  void *const *table = n > 0 ? tt_record_plugin_table (plugin, &minor) : NULL;

  for (unsigned i = 0; i < n && table != NULL; i++)
    if (slots[i].first == table[0] && slots[i].function->index == function->index)
      return true;
  return false;
}
