/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/schedule/schedule.h"

#include "src/base/array.h"
#include "src/base/heap.h"

#include <string.h>

/*
 * Events are taken from a heap of turns, one for each device that has work. A device that gets new work gets a new
 * turn; its old ones are recognised by their version and passed over.
 */

typedef struct
{
  guint32 from, to;
  gint64 lag_ns;
} Dependency;

#define FROM_START (1u << 31) /* of `to` */

/* FIFO: arrivals pass in time order; the k-th arrival opens the k-th gate. */
typedef struct
{
  guint32 first_gate, n_gates;
  guint32 n_arrived;
} ArrivalQueue;

typedef struct
{
  guint32 to;
  gint64 lag_ns;
} Gate;

/* A task that waits at its device. */
typedef struct
{
  gint32 priority;
  guint32 task;
  gint64 ready_ns;
  guint64 order;
} TtReadyTask;

typedef struct
{
  GArray *ready;      /* of TtReadyTask, a heap by priority: may run as soon as the device is free */
  GArray *future;     /* of TtReadyTask, a heap by time: ready only later; not used by the rule of clocks */
  GArray *locked_out; /* of TtReadyTask: held back by the lock of another group; NULL: none */
  gint64 clock_ns;    /* the device is free from then on */
  guint32 last, lock;
  guint32 version; /* of its turn */
  gboolean is_unbounded;
} Device;

typedef struct
{
  gint64 key_ns;
  guint32 device, version;
} Turn;

typedef struct
{
  gint64 start_ns, ready_ns;
  guint32 n_missing, previous, cause;
  gboolean is_done;
} State;

#define NO_QUEUE G_MAXUINT32

struct _TtSchedule
{
  GArray *tasks;        /* of TtTask */
  GArray *dependencies; /* of Dependency; by `from` once is_sorted */
  GArray *first;        /* of guint32: index of each task's first dependency */
  GArray *queues;       /* of ArrivalQueue */
  GArray *gates;        /* of Gate */
  GArray *queue_of;     /* of guint32, by task, as far as there are any: its arrival queue, or NO_QUEUE */
  GArray *devices;      /* of Device */
  GArray *turns;        /* of Turn: a heap */
  State *states;
  guint64 order;
  TtScheduleOrder rule;
  gint64 makespan_ns;
  gboolean is_sorted;
};

static void
clear_device (gpointer data)
{
  Device *device = data;

  g_array_unref (device->ready);
  g_array_unref (device->future);
  g_clear_pointer (&device->locked_out, g_array_unref);
}

TtSchedule *
tt_schedule_new (void)
{
  TtSchedule *self = g_new0 (TtSchedule, 1);

  self->tasks = g_array_new (FALSE, FALSE, sizeof (TtTask));
  self->dependencies = g_array_new (FALSE, FALSE, sizeof (Dependency));
  self->first = g_array_new (FALSE, TRUE, sizeof (guint32));
  self->queues = g_array_new (FALSE, FALSE, sizeof (ArrivalQueue));
  self->gates = g_array_new (FALSE, FALSE, sizeof (Gate));
  self->queue_of = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->devices = g_array_new (FALSE, TRUE, sizeof (Device));
  g_array_set_clear_func (self->devices, clear_device);
  self->turns = g_array_new (FALSE, FALSE, sizeof (Turn));
  return self;
}

void
tt_schedule_free (TtSchedule *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->tasks);
  g_array_unref (self->dependencies);
  g_array_unref (self->first);
  g_array_unref (self->queues);
  g_array_unref (self->gates);
  g_array_unref (self->queue_of);
  g_array_unref (self->devices);
  g_array_unref (self->turns);
  g_free (self->states);
  g_free (self);
}

guint32
tt_schedule_add_device (TtSchedule *self, gboolean is_unbounded)
{
  const Device device = { .ready = g_array_new (FALSE, FALSE, sizeof (TtReadyTask)),
                          .future = g_array_new (FALSE, FALSE, sizeof (TtReadyTask)),
                          .is_unbounded = is_unbounded };

  g_array_append_val (self->devices, device);
  return self->devices->len - 1;
}

guint32
tt_schedule_add_task (TtSchedule *self, const TtTask *task)
{
  g_array_append_val (self->tasks, *task);
  return self->tasks->len - 1;
}

void
tt_schedule_add_dependency (TtSchedule *self, guint32 from, guint32 to, gint64 lag_ns, gboolean from_start)
{
  Dependency dependency = { .from = from, .to = to | (from_start ? FROM_START : 0), .lag_ns = lag_ns };

  g_array_append_val (self->dependencies, dependency);
  self->is_sorted = FALSE;
}

void
tt_schedule_add_arrival_queue (TtSchedule *self,
                               const guint32 *from,
                               const guint32 *to,
                               const gint64 *lags_ns,
                               guint n)
{
  const ArrivalQueue queue = { .first_gate = self->gates->len, .n_gates = n };
  guint32 number = self->queues->len;

  g_array_append_val (self->queues, queue);
  for (guint i = 0; i < n; i++)
    {
      const Gate gate = { to[i], lags_ns[i] };
      guint32 none = NO_QUEUE;

      g_array_append_val (self->gates, gate);
      while (self->queue_of->len <= from[i])
        g_array_append_val (self->queue_of, none);
      g_array_index (self->queue_of, guint32, from[i]) = number;
    }
}

guint32
tt_schedule_n_tasks (const TtSchedule *self)
{
  return self->tasks->len;
}

TtTask *
tt_schedule_task (TtSchedule *self, guint32 task)
{
  return &g_array_index (self->tasks, TtTask, task);
}

/* -- heaps ------------------------------------------------------------------------------------------- */

static gboolean
is_earlier_turn (gconstpointer a, gconstpointer b, gconstpointer data)
{
  const Turn *x = a, *y = b;

  return x->key_ns != y->key_ns ? x->key_ns < y->key_ns : x->device < y->device;
}

static gboolean
is_ready_earlier (gconstpointer a, gconstpointer b, gconstpointer data)
{
  const TtReadyTask *x = a, *y = b;

  return x->ready_ns != y->ready_ns ? x->ready_ns < y->ready_ns : x->order < y->order;
}

static gboolean
is_more_urgent (gconstpointer a, gconstpointer b, gconstpointer data)
{
  const TtReadyTask *x = a, *y = b;

  return x->priority != y->priority ? x->priority < y->priority : is_ready_earlier (a, b, data);
}

static void
push_ready (Device *device, const TtReadyTask *task)
{
  tt_heap_push (device->ready, task, sizeof *task, is_more_urgent, NULL);
}

static void
push_future (Device *device, const TtReadyTask *task)
{
  tt_heap_push (device->future, task, sizeof *task, is_ready_earlier, NULL);
}

static TtReadyTask
pop_ready (Device *device)
{
  TtReadyTask task;

  tt_heap_pop (device->ready, &task, sizeof task, is_more_urgent, NULL);
  return task;
}

static TtReadyTask
pop_future (Device *device)
{
  TtReadyTask task;

  tt_heap_pop (device->future, &task, sizeof task, is_ready_earlier, NULL);
  return task;
}

static inline gint64
first_future_ns (const Device *device)
{
  return g_array_index (device->future, TtReadyTask, 0).ready_ns;
}

/* -- running ------------------------------------------------------------------------------------------- */

/* Counting sort by `from`; equal ones keep their order. */
static void
sort_dependencies (TtSchedule *self)
{
  guint32 n_tasks = self->tasks->len, n = self->dependencies->len;
  const Dependency *old = TT_ARRAY (self->dependencies, Dependency);
  gboolean is_in_order = TRUE;

  g_array_set_size (self->first, 0);
  g_array_set_size (self->first, n_tasks + 1);
  guint32 *first = TT_ARRAY (self->first, guint32);
  for (guint32 i = 0; i < n; i++)
    {
      first[old[i].from + 1]++;
      is_in_order = is_in_order && (i == 0 || old[i - 1].from <= old[i].from);
    }
  for (guint32 i = 0; i < n_tasks; i++)
    first[i + 1] += first[i];
  if (!is_in_order)
    {
      GArray *sorted = g_array_sized_new (FALSE, FALSE, sizeof (Dependency), n);
      g_autofree guint32 *at = g_memdup2 (first, (gsize) n_tasks * sizeof *first);
      g_array_set_size (sorted, n);
      for (guint32 i = 0; i < n; i++)
        g_array_index (sorted, Dependency, at[old[i].from]++) = old[i];
      g_array_unref (self->dependencies);
      self->dependencies = sorted;
    }
  self->is_sorted = TRUE;
}

/* Gives the device a turn at the time its clock says, or when its next task is ready. */
static void
offer_turn (TtSchedule *self, guint32 number)
{
  Device *device = &g_array_index (self->devices, Device, number);
  gint64 key_ns = device->clock_ns;

  device->version++;
  if (device->ready->len == 0)
    {
      if (device->future->len == 0)
        return;
      gint64 ready_ns = first_future_ns (device);
      key_ns = device->is_unbounded ? ready_ns : MAX (key_ns, ready_ns);
    }
  const Turn turn = { .key_ns = key_ns, .device = number, .version = device->version };
  tt_heap_push (self->turns, &turn, sizeof turn, is_earlier_turn, NULL);
}

static void
queue_task (const TtSchedule *self, Device *device, const TtReadyTask *task)
{
  if (self->rule == TT_SCHEDULE_BY_START)
    push_future (device, task);
  else
    push_ready (device, task);
}

static void
make_ready (TtSchedule *self, guint32 task)
{
  const TtTask *facts = &g_array_index (self->tasks, TtTask, task);
  Device *device = &g_array_index (self->devices, Device, facts->device);
  const TtReadyTask ready = { .priority = facts->priority,
                              .task = task,
                              .ready_ns = self->states[task].ready_ns,
                              .order = self->rule == TT_SCHEDULE_BY_START ? task : self->order++ };

  if (device->lock != 0 && facts->lock != device->lock)
    {
      if (device->locked_out == NULL)
        device->locked_out = g_array_new (FALSE, FALSE, sizeof (TtReadyTask));
      g_array_append_val (device->locked_out, ready);
      return;
    }
  queue_task (self, device, &ready);
  offer_turn (self, facts->device);
}

/* Moves the tasks of other groups out of the heap. */
static void
lock_out (Device *device, GArray *heap, TtHeapBefore before, guint32 lock, const TtTask *tasks)
{
  TtReadyTask *items = TT_ARRAY (heap, TtReadyTask);
  guint n = 0;

  for (guint i = 0; i < heap->len; i++)
    if (tasks[items[i].task].lock == lock)
      items[n++] = items[i];
    else
      g_array_append_val (device->locked_out, items[i]);
  g_array_set_size (heap, n);
  tt_heap_make (heap->data, sizeof (TtReadyTask), n, before, NULL);
}

static void
take_lock (const TtSchedule *self, Device *device, guint32 lock)
{
  const TtTask *tasks = TT_ARRAY (self->tasks, TtTask);

  device->lock = lock;
  if (device->locked_out == NULL)
    device->locked_out = g_array_new (FALSE, FALSE, sizeof (TtReadyTask));
  lock_out (device, device->ready, is_more_urgent, lock, tasks);
  lock_out (device, device->future, is_ready_earlier, lock, tasks);
}

static void
open_lock (const TtSchedule *self, Device *device)
{
  device->lock = 0;
  for (guint i = 0; i < device->locked_out->len; i++)
    queue_task (self, device, &g_array_index (device->locked_out, TtReadyTask, i));
  g_array_set_size (device->locked_out, 0);
}

static void
release_task (TtSchedule *self, guint32 from, guint32 to, gint64 ready_ns)
{
  State *state = &self->states[to];

  if (state->cause == TT_NO_TASK || ready_ns > state->ready_ns)
    {
      state->ready_ns = MAX (ready_ns, state->ready_ns);
      state->cause = from;
    }
  if (--state->n_missing == 0)
    make_ready (self, to);
}

static void
release_successors (TtSchedule *self, guint32 task, gint64 start_ns, gint64 end_ns)
{
  const guint32 *first = TT_ARRAY (self->first, guint32);
  const Dependency *dependencies = TT_ARRAY (self->dependencies, Dependency);

  for (guint32 i = first[task]; i < first[task + 1]; i++)
    {
      const Dependency *dependency = &dependencies[i];
      release_task (self, task, dependency->to & ~FROM_START,
                    (dependency->to & FROM_START ? start_ns : end_ns) + dependency->lag_ns);
    }
}

static void
enter_arrival_queue (TtSchedule *self, guint32 task, gint64 end_ns)
{
  guint32 number = task < self->queue_of->len ? g_array_index (self->queue_of, guint32, task) : NO_QUEUE;

  if (number == NO_QUEUE)
    return;
  ArrivalQueue *queue = &g_array_index (self->queues, ArrivalQueue, number);
  const Gate *gate = &g_array_index (self->gates, Gate, queue->first_gate + queue->n_arrived++);
  release_task (self, task, gate->to, end_ns + gate->lag_ns);
}

/* Takes the next task: among those that are ready by @turn_ns, priority decides. An unbounded device makes no task
 * wait. */
static TtReadyTask
take_head (Device *device, gint64 turn_ns)
{
  if (device->ready->len == 0)
    {
      TtReadyTask head = pop_future (device);

      if (device->is_unbounded || device->future->len == 0 || first_future_ns (device) > turn_ns)
        return head;
      push_ready (device, &head);
    }
  while (!device->is_unbounded && device->future->len > 0 && first_future_ns (device) <= turn_ns)
    {
      const TtReadyTask ready = pop_future (device);
      push_ready (device, &ready);
    }
  return pop_ready (device);
}

static void
run_head (TtSchedule *self, guint32 number, gint64 turn_ns)
{
  Device *device = &g_array_index (self->devices, Device, number);
  const TtReadyTask head = take_head (device, turn_ns);
  const TtTask *task = &g_array_index (self->tasks, TtTask, head.task);
  State *state = &self->states[head.task];

  state->start_ns = device->is_unbounded ? head.ready_ns : MAX (head.ready_ns, device->clock_ns);
  state->previous = device->is_unbounded ? TT_NO_TASK : device->last;
  state->is_done = TRUE;
  gint64 end_ns = state->start_ns + task->dur_ns;
  device->clock_ns = device->is_unbounded ? MAX (device->clock_ns, end_ns) : end_ns + task->trailing_gap_ns;
  device->last = head.task;
  self->makespan_ns = MAX (self->makespan_ns, end_ns);
  if (task->lock != 0 && device->lock == 0 && !task->unlocks)
    take_lock (self, device, task->lock);
  else if (task->unlocks && device->lock != 0 && task->lock == device->lock)
    open_lock (self, device);
  offer_turn (self, number);
  release_successors (self, head.task, state->start_ns, end_ns);
  enter_arrival_queue (self, head.task, end_ns);
}

static void
reset_run (TtSchedule *self)
{
  guint32 n = self->tasks->len;

  if (!self->is_sorted || self->first->len != n + 1)
    sort_dependencies (self);
  g_free (self->states);
  self->states = g_new0 (State, n);
  for (guint32 i = 0; i < n; i++)
    self->states[i].previous = self->states[i].cause = TT_NO_TASK;
  for (guint32 i = 0; i < self->dependencies->len; i++)
    self->states[g_array_index (self->dependencies, Dependency, i).to & ~FROM_START].n_missing++;
  for (guint32 i = 0; i < self->gates->len; i++)
    self->states[g_array_index (self->gates, Gate, i).to].n_missing++;
  for (guint32 i = 0; i < self->queues->len; i++)
    g_array_index (self->queues, ArrivalQueue, i).n_arrived = 0;
  for (guint32 i = 0; i < self->devices->len; i++)
    {
      Device *device = &g_array_index (self->devices, Device, i);
      g_array_set_size (device->ready, 0);
      g_array_set_size (device->future, 0);
      device->clock_ns = 0;
      device->last = TT_NO_TASK;
      device->lock = device->version = 0;
      if (device->locked_out != NULL)
        g_array_set_size (device->locked_out, 0);
    }
  g_array_set_size (self->turns, 0);
  self->order = 0;
  self->makespan_ns = 0;
}

gboolean
tt_schedule_run (TtSchedule *self, TtScheduleOrder order, guint32 *stuck)
{
  guint32 n = self->tasks->len, n_done = 0;

  self->rule = order;
  reset_run (self);
  for (guint32 i = 0; i < n; i++)
    if (self->states[i].n_missing == 0)
      make_ready (self, i);
  while (self->turns->len > 0)
    {
      Turn turn;

      tt_heap_pop (self->turns, &turn, sizeof turn, is_earlier_turn, NULL);
      if (turn.version != g_array_index (self->devices, Device, turn.device).version)
        continue;
      run_head (self, turn.device, turn.key_ns);
      n_done++;
    }
  if (n_done == n)
    return TRUE;
  for (guint32 i = 0; i < n; i++)
    if (!self->states[i].is_done)
      {
        *stuck = i;
        break;
      }
  return FALSE;
}

gint64
tt_schedule_start_ns (const TtSchedule *self, guint32 task)
{
  return self->states[task].start_ns;
}

gint64
tt_schedule_end_ns (const TtSchedule *self, guint32 task)
{
  return self->states[task].start_ns + g_array_index (self->tasks, TtTask, task).dur_ns;
}

gint64
tt_schedule_ready_ns (const TtSchedule *self, guint32 task)
{
  return self->states[task].ready_ns;
}

guint32
tt_schedule_previous (const TtSchedule *self, guint32 task)
{
  return self->states[task].previous;
}

guint32
tt_schedule_cause (const TtSchedule *self, guint32 task)
{
  return self->states[task].cause;
}

gint64
tt_schedule_makespan_ns (const TtSchedule *self)
{
  return self->makespan_ns;
}
