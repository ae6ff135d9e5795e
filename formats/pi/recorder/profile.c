/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "formats/pi/recorder/profile.h"

#include "formats/pi/recorder/hook.h"
#include "formats/pi/recorder/memory.h"
#include "formats/pi/recorder/plugin.h"
#include "formats/pi/recorder/profile-clock.h"
#include "formats/pi/recorder/profile-events.h"
#include "formats/pi/recorder/profile-held.h"
#include "formats/pi/recorder/profile-kind.h"
#include "formats/pi/recorder/profile-queues.h"
#include "formats/pi/recorder/session.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AT_ONCE 64
/* Between two readings of a device's clock: while the program waits, and before something is released. */
#define SECOND_NS 1000000000u
#define RELEASE_NS 10000000u

/* The same numbers in all releases that the tables know; flags of queues in UR and PI. */
enum
{
  QUEUE_PROPERTIES = 14,
  FLAG_PROFILING = 2,
  FLAGS_WITHOUT_TIMES = 4 | 8 | 16, /* queues on the device, queues that discard events */
  STATUS_COMPLETE = 0,
  STATUS_QUEUED = 3,
};

/* Parameters that UR and PI have at the same places. */
enum
{
  CREATE_DEVICE = 1,
  CREATE_PROPERTIES = 2,
  CREATE_QUEUE = 3,
  INFO_WHAT = 1,
  INFO_VALUE = 3,
  INFO_SIZE = 4,
};

static pthread_once_t exit_once = PTHREAD_ONCE_INIT;
static pid_t owner;      /* of what is held */
static bool has_refused; /* a queue or a command buffer could not be made so */
static bool has_ended;   /* the process exits */

static uint64_t
value_of (const TtRecordCall *call, int param)
{
  return param < 0 ? 0 : tt_pi_shapes_value (call->function->function, &call->function->shapes, call->args, param);
}

/* Of a command: of command buffers it was the second parameter until 2025. */
static uint64_t
queue_of (const TtRecordCall *call)
{
  const TtPiFunction *function = call->function->function;
  int param = function->n_params > 1 && strcmp (function->params[0].type, "queue") != 0 ? 1 : 0;

  return value_of (call, param);
}

static uint64_t
word_at (uint64_t address)
{
  uint64_t word = 0;

  return address != 0 && tt_record_copy (&word, (const void *) (uintptr_t) address, sizeof word) ? word : 0;
}

static const TtRecordEvents *
functions_for (const TtRecordCall *call, uint64_t object)
{
  return call->function->api == TT_PI_API_PI ? tt_record_plugin_events (call->plugin) : tt_record_events (object);
}

/* -- asking ----------------------------------------------------------------------------------------- */

static void
write_times (TtRecordThread *thread, const TtPiNativeTimes *times)
{
  tt_pi_native_write_times (&thread->writer, times);
  if (thread->writer.error != 0)
    tt_record_complain ("cannot write", thread->path, thread->writer.error);
}

/* The command has ended. */
static void
ask_times (TtRecordThread *thread, const TtRecordHeld *held)
{
  const TtRecordEvents *functions = held->functions;
  TtPiNativeTimes times = { .of = TT_PI_TIMES_OF_COMMAND, .instance = held->instance };

  for (uint32_t i = 0; i < 4; i++)
    {
      int32_t result = functions->times (held->event, functions->codes->first_time + i, sizeof times.times[i],
                                         &times.times[i], NULL);
      if (result == 0)
        times.which |= 1u << i;
      else
        times.times[i] = 0;
      if (times.result == 0)
        times.result = result;
    }
  functions->release (held->event);
  write_times (thread, &times);
}

static bool
is_ended (const TtRecordEvents *functions, void *event)
{
  int32_t status = STATUS_QUEUED;

  /* Beyond "complete" and "queued" are errors, of which there is nothing to wait for either. */
  return functions->info (event, functions->codes->event_status, sizeof status, &status, NULL) == 0 &&
         (status <= STATUS_COMPLETE || status > STATUS_QUEUED);
}

static void
give_up (TtRecordThread *thread, const TtRecordHeld *held, int32_t result)
{
  held->functions->release (held->event);
  write_times (thread, &(TtPiNativeTimes){ .instance = held->instance, .result = result });
}

/* It is not held any longer, whatever its state. */
static void
settle (TtRecordThread *thread, const TtRecordHeld *held)
{
  if (is_ended (held->functions, held->event))
    ask_times (thread, held);
  else
    give_up (thread, held, TT_PI_TIMES_NOT_ENDED);
}

/* All commands of @queue have ended. */
static void
ask_queue (TtRecordThread *thread, uint64_t queue)
{
  TtRecordHeld some[AT_ONCE];
  uint64_t before = tt_record_next_held ();
  unsigned n;

  while ((n = tt_record_take_some (queue, before, some, AT_ONCE)) > 0)
    for (unsigned i = 0; i < n; i++)
      ask_times (thread, &some[i]);
}

/* Those commands of @queue (0: of all) that have ended; the others are held on. */
static void
sweep (TtRecordThread *thread, uint64_t queue, bool is_last)
{
  TtRecordHeld some[AT_ONCE], oldest;
  uint64_t before = tt_record_next_held ();
  unsigned n;

  while ((n = tt_record_take_some (queue, before, some, AT_ONCE)) > 0)
    for (unsigned i = 0; i < n; i++)
      if (is_last || is_ended (some[i].functions, some[i].event))
        settle (thread, &some[i]);
      else if (tt_record_hold (&some[i], &oldest))
        settle (thread, &oldest);
}

/* Registered with the first event, after the runtime's own functions, it runs before them. */
static void
on_exit_of_process (void)
{
  /* In a child that nobody has noticed what is held is the parent's. */
  if (getpid () != owner)
    return;
  __atomic_store_n (&has_ended, true, __ATOMIC_RELAXED);
  /* A child that has made no calls of its own has no recording either. */
  TtRecordThread *thread = tt_record_holds_any () || tt_record_has_clocks () ? tt_record_thread () : NULL;
  if (thread == NULL || thread->busy)
    return;
  thread->busy = 1;
  sweep (thread, 0, true);
  tt_record_clocks_read (thread, 0);
  thread->busy = 0;
}

static void
watch_exit (void)
{
  owner = getpid ();
  atexit (on_exit_of_process);
}

/* -- calls that begin -------------------------------------------------------------------------------- */

/* The call is made with @value: UR's layer makes it with its own variables, whose addresses @params has, PI's pass
 * through a function of ours. */
static void
swap (TtRecordCall *call, const void *params, int param, void *value)
{
  void **variable;

  if (call->function->api == TT_PI_API_PI)
    {
      if (!tt_record_is_hooked (call->plugin, call->function->function))
        return;
      call->swap.place = (uint8_t) param;
      variable = &call->swap.given;
    }
  else
    {
      variable = (void **) (uintptr_t) word_at ((uint64_t) (uintptr_t) params + 8 * (uint64_t) param);
      if (variable == NULL || word_at ((uint64_t) (uintptr_t) variable) != value_of (call, param))
        return;
    }
  call->swap.was = *variable;
  call->swap.param = variable;
  *variable = value;
}

static void
say_once (const char *text)
{
  static bool said;

  if (!__atomic_exchange_n (&said, true, __ATOMIC_RELAXED))
    fprintf (stderr, "tracetool: --profile: %s\n", text);
}

static const TtRecordProperties *
read_properties (TtRecordCall *call, TtRecordProperties *properties)
{
  return tt_record_properties (call->function, value_of (call, CREATE_PROPERTIES), properties) ? properties : NULL;
}

static void
begin_queue (TtRecordThread *thread, TtRecordCall *call, const void *params)
{
  TtRecordProperties properties;

  if (__atomic_load_n (&has_refused, __ATOMIC_RELAXED) || read_properties (call, &properties) == NULL ||
      (properties.flags & (FLAG_PROFILING | FLAGS_WITHOUT_TIMES)) != 0)
    return;
  if (functions_for (call, value_of (call, 0)) == NULL)
    {
      say_once ("the runtime's functions of events are not found; only times that the program asks for are recorded");
      return;
    }
  swap (call, params, CREATE_PROPERTIES,
        tt_record_properties_with (&properties, FLAG_PROFILING, call->swap.properties));
  if (call->swap.param != NULL)
    write_times (thread, &(TtPiNativeTimes){ .of = TT_PI_TIMES_OF_QUEUE, .instance = call->instance });
  else
    say_once ("the plugin is called without us; only times that the program asks for are recorded");
}

/* Commands are put into queues that take times: drivers refuse buffers that do not. Where no queue is made to, they refuse
 * those that do. */
static void
begin_buffer (TtRecordCall *call, const void *params)
{
  if (__atomic_load_n (&has_refused, __ATOMIC_RELAXED) || functions_for (call, value_of (call, 0)) == NULL)
    return;

  void *properties = tt_record_buffer_properties_with_times (call->function, value_of (call, CREATE_PROPERTIES),
                                                             call->swap.properties);
  if (properties != NULL)
    swap (call, params, CREATE_PROPERTIES, properties);
}

static void
begin_command (TtRecordCall *call, const void *params)
{
  uint64_t queue = queue_of (call);

  call->swap.event = NULL;
  if (value_of (call, call->function->shapes.event) == 0 && tt_record_profile_queue (queue).takes_times &&
      functions_for (call, queue) != NULL)
    swap (call, params, call->function->shapes.event, &call->swap.event);
}

/* Whether times of the event are there because the recorder wanted them. */
static bool
is_of_changed_queue (const TtRecordCall *call, uint64_t event)
{
  const TtRecordEvents *functions = functions_for (call, event);
  uint64_t queue = 0;

  return functions != NULL &&
         functions->info ((void *) (uintptr_t) event, functions->codes->event_queue, sizeof queue, &queue, NULL) == 0 &&
         tt_record_profile_queue (queue).is_changed;
}

/* Without the property the answer is a refusal, which writes nothing: what is there is kept. */
static void
begin_question (TtRecordCall *call)
{
  call->swap.properties[0] = is_of_changed_queue (call, value_of (call, 0));
  if (call->function->api == TT_PI_API_PI && call->swap.properties[0] != 0)
    call->swap.refusal = tt_record_codes_of_pi.no_times;
  call->swap.properties[1] = word_at (value_of (call, INFO_VALUE));
  call->swap.properties[2] = word_at (value_of (call, INFO_SIZE));
}

void
tt_record_profile_begin (TtRecordThread *thread, TtRecordCall *call, const void *params)
{
  if (__atomic_load_n (&has_ended, __ATOMIC_RELAXED))
    return;
  switch (call->function->profile)
    {
    case TT_RECORD_PROFILE_CREATES_QUEUE:
      begin_queue (thread, call, params);
      break;
    case TT_RECORD_PROFILE_CREATES_BUFFER:
      begin_buffer (call, params);
      break;
    case TT_RECORD_PROFILE_COMMAND:
      begin_command (call, params);
      break;
    case TT_RECORD_PROFILE_RELEASES_QUEUE:
      sweep (thread, value_of (call, 0), false);
      tt_record_clocks_read (thread, RELEASE_NS);
      break;
    case TT_RECORD_PROFILE_RELEASES_CONTEXT:
      sweep (thread, 0, false);
      tt_record_clocks_read (thread, RELEASE_NS);
      break;
    case TT_RECORD_PROFILE_RELEASES_ADAPTER:
      sweep (thread, 0, false);
      tt_record_clocks_read (thread, 0);
      tt_record_clock_forget (0);
      break;
    case TT_RECORD_PROFILE_RELEASES_DEVICE:
      tt_record_clocks_read (thread, RELEASE_NS);
      tt_record_clock_forget (value_of (call, 0));
      break;
    case TT_RECORD_PROFILE_ASKS_TIMES:
      begin_question (call);
      break;
    default:
      break;
    }
}

/* -- what the program is told ------------------------------------------------------------------------- */

static void
hide_flag (const TtRecordCall *call)
{
  const TtRecordEvents *functions = functions_for (call, value_of (call, 0));
  uint32_t *flags = (uint32_t *) (uintptr_t) value_of (call, INFO_VALUE);

  if (flags != NULL && functions != NULL && value_of (call, INFO_WHAT) == functions->codes->queue_flags &&
      tt_record_profile_queue (value_of (call, 0)).is_changed)
    *flags &= ~(uint32_t) FLAG_PROFILING;
}

static void
hide_reference (const TtRecordCall *call)
{
  const TtRecordEvents *functions = functions_for (call, value_of (call, 0));
  uint32_t *references = (uint32_t *) (uintptr_t) value_of (call, INFO_VALUE);

  if (references != NULL && functions != NULL && value_of (call, INFO_WHAT) == functions->codes->event_references &&
      *references > 1 && tt_record_is_held ((void *) (uintptr_t) value_of (call, 0)))
    --*references;
}

static int32_t
hide_times (const TtRecordCall *call, int32_t *result)
{
  const TtRecordEvents *functions = functions_for (call, value_of (call, 0));
  uint64_t *value = (uint64_t *) (uintptr_t) value_of (call, INFO_VALUE);
  uint64_t *size = (uint64_t *) (uintptr_t) value_of (call, INFO_SIZE);

  if (call->swap.properties[0] == 0 || functions == NULL)
    return 0;
  if (value != NULL)
    memcpy (value, &call->swap.properties[1], sizeof *value);
  if (size != NULL)
    memcpy (size, &call->swap.properties[2], sizeof *size);
  *result = functions->codes->no_times;
  return *result;
}

int32_t
tt_record_profile_hide (TtRecordCall *call, void *result)
{
  int32_t got = result != NULL ? *(const int32_t *) result : 0;

  if (call->swap.param != NULL)
    *call->swap.param = call->swap.was;
  if (got != 0)
    return got;
  switch (call->function->profile)
    {
    case TT_RECORD_PROFILE_ASKS_QUEUE:
      hide_flag (call);
      return 0;
    case TT_RECORD_PROFILE_ASKS_EVENT:
      hide_reference (call);
      return 0;
    case TT_RECORD_PROFILE_ASKS_TIMES:
      return result != NULL ? hide_times (call, result) : 0;
    default:
      return 0;
    }
}

/* -- calls that have ended ---------------------------------------------------------------------------- */

static void
give_up_changes (const char *text)
{
  __atomic_store_n (&has_refused, true, __ATOMIC_RELAXED);
  say_once (text);
}

static void
end_queue (TtRecordThread *thread, TtRecordCall *call, int32_t result)
{
  TtRecordProfileQueue queue = { .is_changed = call->swap.param != NULL };
  TtRecordProperties properties;

  if (result != 0)
    {
      if (queue.is_changed)
        give_up_changes ("a queue could not be made with times; those made from now on are as the program wants them");
      return;
    }
  if (read_properties (call, &properties) == NULL)
    return;
  queue.takes_times = queue.is_changed || (properties.flags & (FLAG_PROFILING | FLAGS_WITHOUT_TIMES)) == FLAG_PROFILING;
  queue.handle = word_at (value_of (call, CREATE_QUEUE));
  if (queue.handle == 0)
    return;
  tt_record_profile_note_queue (&queue);
  const TtRecordEvents *functions = queue.takes_times ? functions_for (call, queue.handle) : NULL;
  if (functions == NULL)
    return;
  pthread_once (&exit_once, watch_exit);
  tt_record_clock_note (thread, value_of (call, CREATE_DEVICE), functions->clock);
}

static void
end_command (TtRecordThread *thread, const TtRecordCall *call)
{
  const TtPiShapes *shapes = &call->function->shapes;
  TtRecordHeld held = { .queue = queue_of (call), .instance = call->instance }, oldest;
  bool is_own = call->swap.param != NULL;
  void *event = is_own ? call->swap.event : (void *) (uintptr_t) word_at (value_of (call, shapes->event));
  const TtRecordEvents *functions = functions_for (call, (uint64_t) (uintptr_t) event);

  if (!is_own && !tt_record_profile_queue (held.queue).takes_times)
    {
      write_times (thread, &(TtPiNativeTimes){ .instance = call->instance, .result = TT_PI_TIMES_NO_QUEUE });
      return;
    }
  if (event == NULL || functions == NULL)
    return;
  int32_t result = is_own ? 0 : functions->retain (event);
  if (result != 0)
    {
      write_times (thread, &(TtPiNativeTimes){ .instance = call->instance, .result = result });
      return;
    }
  held.event = event;
  held.functions = functions;
  if (shapes->blocking >= 0 && (value_of (call, shapes->blocking) & 0xff) != 0)
    {
      settle (thread, &held);
      return;
    }
  pthread_once (&exit_once, watch_exit);
  if (tt_record_hold (&held, &oldest))
    settle (thread, &oldest);
}

static void
end_wait (TtRecordThread *thread, const TtRecordCall *call)
{
  uint64_t n = value_of (call, 0), list = value_of (call, 1);
  TtRecordHeld held;
  void *some[AT_ONCE];

  for (uint64_t at = 0; at < n; at += AT_ONCE)
    {
      uint64_t here = n - at < AT_ONCE ? n - at : AT_ONCE;
      if (!tt_record_copy (some, (const void *) (uintptr_t) (list + 8 * at), here * sizeof some[0]))
        return;
      for (uint64_t i = 0; i < here; i++)
        if (tt_record_take (some[i], &held))
          ask_times (thread, &held);
    }
}

void
tt_record_profile_end (TtRecordThread *thread, TtRecordCall *call, int32_t result)
{
  uint8_t kind = call->function->profile;

  if (__atomic_load_n (&has_ended, __ATOMIC_RELAXED) && call->swap.param == NULL)
    return;
  if (kind == TT_RECORD_PROFILE_CREATES_QUEUE)
    end_queue (thread, call, result);
  if (kind == TT_RECORD_PROFILE_CREATES_BUFFER && result != 0 && call->swap.param != NULL)
    give_up_changes (
        "a command buffer could not be made with times; those made from now on are as the program wants them");
  if (result != 0 && kind == TT_RECORD_PROFILE_COMMAND && strstr (call->function->name, "CommandBuffer") != NULL &&
      tt_record_profile_queue (queue_of (call)).is_changed)
    say_once ("a command buffer could not be put into a queue with times: the driver may refuse that; record without "
              "'--profile'");
  if (result != 0)
    return;
  switch (kind)
    {
    case TT_RECORD_PROFILE_COMMAND:
      end_command (thread, call);
      break;
    case TT_RECORD_PROFILE_WAITS_FOR_EVENTS:
      end_wait (thread, call);
      tt_record_clocks_read (thread, SECOND_NS);
      break;
    case TT_RECORD_PROFILE_WAITS_FOR_QUEUE:
      ask_queue (thread, value_of (call, 0));
      tt_record_clocks_read (thread, SECOND_NS);
      break;
    case TT_RECORD_PROFILE_CAPTURES:
      tt_record_profile_note_queue (&(TtRecordProfileQueue){ .handle = value_of (call, 0) });
      break;
    default:
      break;
    }
}

void
tt_record_profile_after_fork (void)
{
  owner = getpid ();
  tt_record_profile_queues_after_fork ();
  tt_record_held_after_fork ();
  tt_record_clocks_after_fork ();
}
