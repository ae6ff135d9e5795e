/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libtracetool-ur-replay.so: an adapter of the Unified Runtime that answers calls from a recording, as plugin.c does
 * for PI and with the same environment; `tracetool pi replay` names it in UR_ADAPTERS_FORCE_LOAD. It runs inside
 * foreign programs: plain C11, without GLib.
 *
 * A loader asks an adapter for its functions by tables, urGet<Table>ProcAddrTable(), whose places differ from release
 * to release: they are those of the loader's own release (loader.h), while calls are compared as the recording's
 * release has them, by the functions' names.
 */
#include "formats/pi/loader.h"
#include "formats/pi/places.h"
#include "formats/pi/registers.h"
#include "formats/pi/replayer/ids.h"
#include "formats/pi/replayer/report.h"
#include "formats/pi/replayer/take.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__ ((visibility ("default")))

#define MAX_PLACES 512

typedef struct
{
  const uint64_t *registers, *stack;
  unsigned n_registers, n_stack;
} Passed;

static const TtPiFunction *functions[MAX_PLACES]; /* that the loader has been given, by place */
static unsigned n_functions;
static unsigned loader_release; /* 0: nobody has asked yet */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* -- calls ------------------------------------------------------------------------------------------ */

static uint64_t
next_word (Passed *self)
{
  if (self->n_registers < TT_PI_N_REGISTERS)
    return self->registers[self->n_registers++];
  return self->n_stack < TT_PI_N_STACK ? self->stack[self->n_stack++] : 0;
}

static void
unpack (const TtPiFunction *function, Passed *passed, uint8_t *to)
{
  for (unsigned i = 0; i < function->n_params; i++)
    {
      unsigned size = function->params[i].size;
      if (size > 8 && !TT_PI_BY_ADDRESS)
        for (unsigned at = 0; at < size; at += 8)
          tt_pi_put64 (to + at, passed->n_stack < TT_PI_N_STACK ? passed->stack[passed->n_stack++] : 0);
      else if (size > 8)
        memcpy (to, (const void *) (uintptr_t) next_word (passed), size);
      else
        {
          uint64_t word = next_word (passed);
          for (unsigned at = 0; at < size; at++)
            to[at] = (uint8_t) (word >> 8 * at);
        }
      to += size;
    }
}

/* What the program has passed. */
typedef struct
{
  const TtPiFunction *function;
  uint8_t packed[TT_PI_NATIVE_MAX_ARGS + 8];
} Call;

/* Without the parameters of the recorded release nothing says what to compare or where answers go. */
static bool
pack_args (TtReplayCall *call, const void *data)
{
  const Call *self = data;
  const TtPiFunction *now = self->function;
  uint8_t sizes[TT_PI_MAX_PARAMS];

  for (unsigned i = 0; i < now->n_params; i++)
    sizes[i] = now->params[i].size;
  if (call->function->function == NULL || !tt_pi_function_has_sizes (call->function->function, sizes, now->n_params))
    return false;
  memcpy (call->packed, self->packed, now->packed);
  return true;
}

static int32_t
answer_call (unsigned place, const uint64_t *registers, const uint64_t *stack)
{
  Passed passed = { registers, stack, 0, 0 };
  Call self = { .function = functions[place] };
  TtReplayCall call;

  unpack (self.function, &passed, self.packed);
  const char *name = self.function->name;
  TtReplayCaller caller = {
    .id = self.function->index,
    .handle = tt_pi_get (self.packed, 8),
    .pack = pack_args,
    .data = &self,
    .is_wait = tt_replay_is_wait (name, strlen (name), self.packed, self.function->packed),
  };
  /* event, name, size, value, size of the value */
  if (caller.is_wait && strcmp (name, "urEventGetInfo") == 0)
    {
      caller.status_room = tt_pi_get (self.packed + 12, 8);
      caller.status_at = tt_pi_get (self.packed + 20, 8);
      caller.status_size_at = tt_pi_get (self.packed + 28, 8);
    }
  return tt_replay_take (&caller, &call) ? tt_replay_finish (&call) : 0;
}

#if TT_PI_BY_ADDRESS
#define REGISTERS uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h
#define REGISTER_VALUES a, b, c, d, e, f, g, h
#else
#define REGISTERS uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f
#define REGISTER_VALUES a, b, c, d, e, f
#endif

/* As many words as any function is passed in the stack: more of it is read than a call has written. */
typedef struct
{
  uint64_t words[TT_PI_N_STACK];
} Stack;

#if TT_PI_BY_ADDRESS
#define STACK                                                                                                          \
  uint64_t s0, uint64_t s1, uint64_t s2, uint64_t s3, uint64_t s4, uint64_t s5, uint64_t s6, uint64_t s7, uint64_t s8, \
      uint64_t s9
#define STACK_VALUES                         \
  {                                          \
    {                                        \
      s0, s1, s2, s3, s4, s5, s6, s7, s8, s9 \
    }                                        \
  }
#else
#define STACK Stack words
#define STACK_VALUES words
#endif

#define PLACE(id)                                                      \
  static int32_t place_##id (REGISTERS, STACK)                         \
  {                                                                    \
    const uint64_t registers[TT_PI_N_REGISTERS] = { REGISTER_VALUES }; \
    const Stack stack = STACK_VALUES;                                  \
    return answer_call (0x##id, registers, stack.words);               \
  }
#define ADDRESS(id) place_##id,

TT_PI_256 (PLACE, 0)
TT_PI_256 (PLACE, 1)

typedef int32_t (*Place) (REGISTERS, STACK);
static const Place places[MAX_PLACES] = { TT_PI_256 (ADDRESS, 0) TT_PI_256 (ADDRESS, 1) };

/* -- tables ----------------------------------------------------------------------------------------- */

/* Ends the process where the tables do not know the loader. */
static void
find_loader (const void *inside, uint32_t version)
{
  const char *text = getenv ("TRACETOOL_UR_RELEASE");
  unsigned recorded = text != NULL ? (unsigned) strtoul (text, NULL, 10) : 0;
  TtPiLoader loader = tt_pi_loader_find (inside, version >> 16, version & 0xffff);
  char now[64], then[64];

  tt_replay_set_api (TT_PI_API_UR);
  loader_release = loader.release;
  if (loader_release == 0)
    {
      tt_replay_report ("end", "the Unified Runtime of '%s' has version %u.%u, which is not known", loader.library,
                        (unsigned) version >> 16, (unsigned) version & 0xffff);
      tt_replay_give_up ();
    }
  if (recorded != 0 && recorded != loader_release && tt_pi_release_name (loader_release, now, sizeof now) &&
      tt_pi_release_name (recorded, then, sizeof then))
    tt_replay_report ("missing", "recorded with Unified Runtime %s; this one is %s", then, now);
}

/* The place of @function, made at the first time. */
static unsigned
place_of (const TtPiFunction *function)
{
  unsigned place = 0;

  while (place < n_functions && functions[place] != function)
    place++;
  if (place == n_functions && n_functions < MAX_PLACES)
    functions[n_functions++] = function;
  return place;
}

static int32_t
fill_table (const char *name, uint32_t version, void **table, const void *from)
{
  pthread_mutex_lock (&lock);
  if (loader_release == 0)
    find_loader (from, version);
  for (unsigned i = 0; table != NULL && i < TT_PI_UR_TABLE_PLACES; i++)
    {
      const TtPiFunction *function = tt_pi_table_function (name, i, loader_release);
      unsigned place = function != NULL ? place_of (function) : MAX_PLACES;
      if (place < MAX_PLACES)
        memcpy (&table[i], &places[place], sizeof table[i]);
    }
  pthread_mutex_unlock (&lock);
  return 0;
}

#define TABLE(name)                                                           \
  EXPORT int32_t urGet##name##ProcAddrTable (uint32_t version, void **table); \
  int32_t urGet##name##ProcAddrTable (uint32_t version, void **table)         \
  {                                                                           \
    return fill_table (#name, version, table, __builtin_return_address (0));  \
  }

TT_PI_UR_TABLES (TABLE)
