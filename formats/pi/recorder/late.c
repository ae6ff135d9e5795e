/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/recorder/late.h"

#include "formats/pi/recorder/late-kind.h"
#include "formats/pi/recorder/memory.h"
#include "formats/pi/recorder/session.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MAX_EVENTS 32
#define MAX_PENDING 1024 /* the oldest is forgotten then */
#define MAX_QUEUES 1024
#define MAX_WAITED 4096 /* events in a wait list */
#define STATUS_COMPLETE 0
#define OUT_OF_ORDER 1u

typedef struct
{
  TtRecordLate late;
  uint64_t queue;
  bool in_order;
  bool is_done;
  unsigned n_events;
  uint64_t events[MAX_EVENTS]; /* the command's, and those of commands that come after it */
} Pending;

typedef struct
{
  uint64_t handle;
  bool in_order;
} Queue;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Pending *pending;
static unsigned n_pending;
static Queue *queues;
static unsigned n_queues;

static uint64_t
value_of (const TtRecordCall *call, int param)
{
  return param < 0 ? 0 : tt_pi_shapes_value (call->function->function, &call->function->shapes, call->args, param);
}

/* The word at an address; 0: it is none. */
static uint64_t
word_at (uint64_t address)
{
  uint64_t word = 0;

  return address != 0 && tt_record_copy (&word, (const void *) (uintptr_t) address, sizeof word) ? word : 0;
}

/* -- queues ----------------------------------------------------------------------------------------- */

static void
note_queue (const TtRecordCall *call)
{
  const TtPiStruct *type = tt_pi_struct ("ur_queue_properties", call->function->release);
  uint64_t properties = tt_record_argument (call, "pProperties"),
           handle = word_at (tt_record_argument (call, "phQueue"));
  uint32_t flags = 0;
  unsigned at = 0;

  for (unsigned i = 0; properties != 0 && type != NULL && i < type->n_members; i++)
    if (strcmp (type->members[i].param.name, "flags") == 0 &&
        !tt_record_copy (&flags, (const uint8_t *) (uintptr_t) properties + type->members[i].offset, sizeof flags))
      return;
  if (queues == NULL && (queues = calloc (MAX_QUEUES, sizeof *queues)) == NULL)
    return;
  while (at < n_queues && queues[at].handle != handle)
    at++;
  if (at == MAX_QUEUES)
    return;
  queues[at] = (Queue){ handle, (flags & OUT_OF_ORDER) == 0 };
  if (at == n_queues)
    n_queues++;
}

static bool
is_in_order (uint64_t handle)
{
  for (unsigned i = 0; i < n_queues; i++)
    if (queues[i].handle == handle)
      return queues[i].in_order;
  return false;
}

/* -- what is asked for ------------------------------------------------------------------------------ */

static uint64_t
event_of (const TtRecordCall *call)
{
  return word_at (value_of (call, call->function->shapes.event));
}

static bool
is_late (const TtRecordCall *call, unsigned param)
{
  const TtPiShapes *shapes = &call->function->shapes;
  const TtPiShape *shape = &shapes->params[param];
  uint64_t address = value_of (call, (int) param);

  return (shape->flags & TT_PI_SHAPE_LATE) != 0 && !tt_recorder.skip_memory && address != 0 &&
         value_of (call, shapes->blocking) == 0 &&
         ((shape->flags & TT_PI_SHAPE_EITHER) == 0 || !tt_record_is_device_memory ((const void *) (uintptr_t) address));
}

static void
note_late (const TtRecordCall *call, unsigned param)
{
  const TtPiShapes *shapes = &call->function->shapes;
  uint64_t address = value_of (call, (int) param), event = event_of (call), queue = value_of (call, 0);
  const TtPiGiven given = tt_record_given (call);
  uint64_t size = tt_pi_given_bytes (&given, (int) param);

  if (shapes->params[param].shape == TT_PI_SHAPE_MAPPED)
    address = word_at (address);
  if (address == 0 || size == 0 || (pending == NULL && (pending = calloc (MAX_PENDING, sizeof *pending)) == NULL))
    return;
  if (n_pending == MAX_PENDING)
    memmove (pending, pending + 1, --n_pending * sizeof *pending);
  pending[n_pending] = (Pending){
    .late = { call->instance, param, address, size },
    .queue = queue,
    .in_order = is_in_order (queue),
    .n_events = event != 0,
    .events = { event },
  };
  __atomic_store_n (&n_pending, n_pending + 1, __ATOMIC_RELAXED);
}

/* -- what is there ---------------------------------------------------------------------------------- */

/* What a call says of commands, read once for all that are pending. */
typedef struct
{
  const uint64_t *waited; /* the events that it waits for, or that its command does */
  uint64_t n_waited;
  uint64_t object; /* its first argument: a queue, or the event that is asked for */
  uint64_t event;  /* of its command; 0: none */
  bool is_barrier; /* of all commands in its queue */
  bool has_run;    /* its command, or the one that is asked for */
} Said;

/* Whoever calls it holds the lock. */
static uint64_t
read_list (uint64_t list, uint64_t n, const uint64_t **events)
{
  static uint64_t room[MAX_WAITED];

  n = n < MAX_WAITED ? n : MAX_WAITED;
  *events = room;
  return list != 0 && n > 0 && tt_record_copy (room, (const void *) (uintptr_t) list, n * sizeof *room) ? n : 0;
}

static bool
says_complete (const TtRecordCall *call)
{
  const char *what = tt_pi_enum_name ("ur_event_info", value_of (call, 1), call->function->release);
  const void *at = (const void *) (uintptr_t) tt_record_argument (call, "pPropValue");
  uint32_t status = UINT32_MAX;

  return what != NULL && strcmp (what, "COMMAND_EXECUTION_STATUS") == 0 && at != NULL &&
         tt_record_copy (&status, at, sizeof status) && status == STATUS_COMPLETE;
}

static Said
read_call (const TtRecordCall *call)
{
  const TtPiShapes *shapes = &call->function->shapes;
  Said said = { .object = value_of (call, 0) };
  uint64_t n;

  switch (call->function->late)
    {
    case TT_RECORD_LATE_ENQUEUES:
      n = tt_record_argument (call, "numEventsInWaitList");
      said.n_waited = read_list (tt_record_argument (call, "phEventWaitList"), n, &said.waited);
      said.is_barrier = n == 0 && strncmp (call->function->name, "urEnqueueEventsWait", 19) == 0;
      said.has_run = shapes->blocking >= 0 && value_of (call, shapes->blocking) != 0;
      said.event = event_of (call);
      break;
    case TT_RECORD_LATE_WAITS_FOR_EVENTS:
      n = tt_record_argument (call, "numEvents");
      said.n_waited = read_list (tt_record_argument (call, "phEventWaitList"), n, &said.waited);
      break;
    case TT_RECORD_LATE_ASKS_STATUS:
      said.has_run = says_complete (call);
      break;
    default:
      break;
    }
  return said;
}

static bool
has_event (const Pending *self, uint64_t event)
{
  for (unsigned i = 0; i < self->n_events; i++)
    if (self->events[i] == event)
      return true;
  return false;
}

/* Whether one of the events that are waited for is the command's or comes after it. */
static bool
is_waited_for (const Pending *self, const Said *said)
{
  for (uint64_t i = 0; i < said->n_waited; i++)
    if (has_event (self, said->waited[i]))
      return true;
  return false;
}

/* A command that runs after the one of @self. */
static void
follow_enqueue (const Said *said, Pending *self)
{
  if (!(said->object == self->queue && (self->in_order || said->is_barrier)) && !is_waited_for (self, said))
    return;
  self->is_done = said->has_run;
  if (said->event != 0 && self->n_events < MAX_EVENTS)
    self->events[self->n_events++] = said->event;
}

static void
settle (uint8_t kind, const Said *said, Pending *self)
{
  if (kind == TT_RECORD_LATE_ENQUEUES)
    follow_enqueue (said, self);
  else if (kind == TT_RECORD_LATE_WAITS_FOR_EVENTS)
    self->is_done = is_waited_for (self, said);
  else if (kind == TT_RECORD_LATE_WAITS_FOR_QUEUE)
    self->is_done = said->object == self->queue;
  else if (kind == TT_RECORD_LATE_ASKS_STATUS)
    self->is_done = said->has_run && has_event (self, said->object);
}

static unsigned
take_done (TtRecordLate *done, unsigned max)
{
  unsigned n = 0, kept = 0;

  for (unsigned i = 0; i < n_pending; i++)
    if (pending[i].is_done && n < max)
      done[n++] = pending[i].late;
    else
      pending[kept++] = pending[i];
  __atomic_store_n (&n_pending, kept, __ATOMIC_RELAXED);
  return n;
}

unsigned
tt_record_late_end (const TtRecordCall *call, TtRecordLate *done, unsigned max)
{
  unsigned n = 0;
  bool asks = false;

  if (call->function->late == TT_RECORD_LATE_NOTHING || call->args_size == 0)
    return 0;
  for (unsigned i = 0; call->function->late == TT_RECORD_LATE_ENQUEUES && i < call->function->function->n_params; i++)
    asks |= is_late (call, i);
  if (!asks && call->function->late != TT_RECORD_LATE_CREATES_QUEUE &&
      __atomic_load_n (&n_pending, __ATOMIC_RELAXED) == 0)
    return 0;

  pthread_mutex_lock (&lock);
  if (call->function->late == TT_RECORD_LATE_CREATES_QUEUE)
    note_queue (call);
  const Said said = n_pending > 0 ? read_call (call) : (Said){ 0 };
  for (unsigned i = 0; i < n_pending; i++)
    if (!pending[i].is_done)
      settle (call->function->late, &said, &pending[i]);
  n = take_done (done, max);
  for (unsigned i = 0; asks && i < call->function->function->n_params; i++)
    if (is_late (call, i))
      note_late (call, i);
  pthread_mutex_unlock (&lock);
  return n;
}

unsigned
tt_record_late_more (TtRecordLate *done, unsigned max)
{
  pthread_mutex_lock (&lock);
  unsigned n = take_done (done, max);
  pthread_mutex_unlock (&lock);
  return n;
}

void
tt_record_late_after_fork (void)
{
  pthread_mutex_init (&lock, NULL);
  n_pending = 0;
}
