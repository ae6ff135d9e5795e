#include "config.h"

#include "graphs/schedule/heap.h"
#include "graphs/schedule/schedule.h"

#include <string.h>

typedef struct
{
  guint32 from, to;
  gint64 lag_ns;
} Dependency;

#define FROM_START (1u << 31) /* of `to` */

/* Who comes first is let through first. */
typedef struct
{
  guint32 first, n; /* in `gates` */
  guint32 n_come;
} Meeting;

typedef struct
{
  guint32 to;
  gint64 lag_ns;
} Gate;

typedef struct
{
  TtWaitingHeap ready;  /* may run as soon as the device is free */
  TtWaitingHeap future; /* ready only later; not used by the rule of clocks */
  GArray *locked_out;   /* of TtWaiting; NULL: none */
  gint64 clock_ns;
  guint32 last, lock;
  guint32 version; /* of its entry among the devices that have work */
  gboolean is_unbounded;
} Device;

/* An entry of a device with work; an old version is passed over. */
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

struct _TtSchedule
{
  GArray *tasks;        /* of TtTask */
  GArray *dependencies; /* of Dependency; by `from` once is_sorted */
  GArray *first;        /* of guint32: where each task's begin */
  GArray *meetings;     /* of Meeting */
  GArray *gates;        /* of Gate */
  GArray *meeting_of;   /* of guint32, by task, as far as there are any: number + 1 */
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

  g_free (device->ready.items);
  g_free (device->future.items);
  g_clear_pointer (&device->locked_out, g_array_unref);
}

TtSchedule *
tt_schedule_new (void)
{
  TtSchedule *self = g_new0 (TtSchedule, 1);

  self->tasks = g_array_new (FALSE, FALSE, sizeof (TtTask));
  self->dependencies = g_array_new (FALSE, FALSE, sizeof (Dependency));
  self->first = g_array_new (FALSE, TRUE, sizeof (guint32));
  self->meetings = g_array_new (FALSE, FALSE, sizeof (Meeting));
  self->gates = g_array_new (FALSE, FALSE, sizeof (Gate));
  self->meeting_of = g_array_new (FALSE, TRUE, sizeof (guint32));
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
  g_array_unref (self->meetings);
  g_array_unref (self->gates);
  g_array_unref (self->meeting_of);
  g_array_unref (self->devices);
  g_array_unref (self->turns);
  g_free (self->states);
  g_free (self);
}

guint32
tt_schedule_add_device (TtSchedule *self, gboolean is_unbounded)
{
  Device device = { .is_unbounded = is_unbounded, .future.by_time = TRUE };

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
tt_schedule_add_meeting (TtSchedule *self, const guint32 *from, const guint32 *to, const gint64 *lags_ns, guint n)
{
  const Meeting meeting = { .first = self->gates->len, .n = n };

  g_array_append_val (self->meetings, meeting);
  for (guint i = 0; i < n; i++)
    {
      const Gate gate = { to[i], lags_ns[i] };
      g_array_append_val (self->gates, gate);
      if (self->meeting_of->len <= from[i])
        g_array_set_size (self->meeting_of, from[i] + 1);
      g_array_index (self->meeting_of, guint32, from[i]) = self->meetings->len;
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

/* -- turns ------------------------------------------------------------------------------------------- */

static inline gboolean
turns_before (const Turn *a, const Turn *b)
{
  if (a->key_ns != b->key_ns)
    return a->key_ns < b->key_ns;
  return a->device < b->device;
}

static void
push_turn (TtSchedule *self, Turn turn)
{
  g_array_append_val (self->turns, turn);
  Turn *heap = (Turn *) (gpointer) self->turns->data;
  guint i = self->turns->len - 1;

  for (; i > 0 && turns_before (&turn, &heap[(i - 1) / 2]); i = (i - 1) / 2)
    heap[i] = heap[(i - 1) / 2];
  heap[i] = turn;
}

static Turn
pop_turn (TtSchedule *self)
{
  Turn *heap = (Turn *) (gpointer) self->turns->data;
  guint n = self->turns->len - 1, i = 0, child;
  Turn top = heap[0], last = heap[n];

  while ((child = 2 * i + 1) < n)
    {
      if (child + 1 < n && turns_before (&heap[child + 1], &heap[child]))
        child++;
      if (!turns_before (&heap[child], &last))
        break;
      heap[i] = heap[child];
      i = child;
    }
  heap[i] = last;
  g_array_set_size (self->turns, n);
  return top;
}

/* -- running ------------------------------------------------------------------------------------------- */

static int
by_from (gconstpointer a, gconstpointer b)
{
  const Dependency *x = a, *y = b;

  return x->from < y->from ? -1 : x->from > y->from;
}

/* Counting sort by `from`; equal ones keep their order. */
static void
sort_dependencies (TtSchedule *self)
{
  guint32 n_tasks = self->tasks->len, n = self->dependencies->len;
  const Dependency *old = (const Dependency *) (gconstpointer) self->dependencies->data;
  gboolean is_in_order = TRUE;

  g_array_set_size (self->first, 0);
  g_array_set_size (self->first, n_tasks + 1);
  guint32 *first = (guint32 *) (gpointer) self->first->data;
  for (guint32 i = 0; i < n; i++)
    {
      first[old[i].from + 1]++;
      is_in_order = is_in_order && (i == 0 || by_from (&old[i - 1], &old[i]) <= 0);
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

/* The device's turn comes when its clock says, or when it can really start. */
static void
offer_turn (TtSchedule *self, guint32 number)
{
  Device *device = &g_array_index (self->devices, Device, number);
  gint64 key_ns = device->clock_ns;

  device->version++;
  if (device->ready.n == 0)
    {
      if (device->future.n == 0)
        return;
      gint64 ready_ns = device->future.items[0].ready_ns;
      key_ns = device->is_unbounded ? ready_ns : MAX (key_ns, ready_ns);
    }
  push_turn (self, (Turn){ .key_ns = key_ns, .device = number, .version = device->version });
}

static void
queue (const TtSchedule *self, Device *device, TtWaiting waiting)
{
  tt_waiting_heap_push (self->rule == TT_SCHEDULE_BY_START ? &device->future : &device->ready, waiting);
}

static void
make_ready (TtSchedule *self, guint32 task)
{
  const TtTask *facts = &g_array_index (self->tasks, TtTask, task);
  Device *device = &g_array_index (self->devices, Device, facts->device);
  TtWaiting waiting = { .priority = facts->priority,
                        .task = task,
                        .ready_ns = self->states[task].ready_ns,
                        .order = self->rule == TT_SCHEDULE_BY_START ? task : self->order++ };

  if (device->lock != 0 && facts->lock != device->lock)
    {
      if (device->locked_out == NULL)
        device->locked_out = g_array_new (FALSE, FALSE, sizeof (TtWaiting));
      g_array_append_val (device->locked_out, waiting);
      return;
    }
  queue (self, device, waiting);
  offer_turn (self, facts->device);
}

/* What is of another group steps back. */
static void
lock_out (TtWaitingHeap *heap, Device *device, guint32 lock, const TtTask *tasks)
{
  g_autofree TtWaiting *old = g_memdup2 (heap->items, heap->n * sizeof *old);
  guint n_old = heap->n;

  heap->n = 0;
  for (guint i = 0; i < n_old; i++)
    if (tasks[old[i].task].lock == lock)
      tt_waiting_heap_push (heap, old[i]);
    else
      g_array_append_val (device->locked_out, old[i]);
}

static void
take_lock (const TtSchedule *self, Device *device, guint32 lock)
{
  const TtTask *tasks = (const TtTask *) (gconstpointer) self->tasks->data;

  device->lock = lock;
  if (device->locked_out == NULL)
    device->locked_out = g_array_new (FALSE, FALSE, sizeof (TtWaiting));
  lock_out (&device->ready, device, lock, tasks);
  lock_out (&device->future, device, lock, tasks);
}

static void
open_lock (const TtSchedule *self, Device *device)
{
  device->lock = 0;
  for (guint i = 0; i < device->locked_out->len; i++)
    queue (self, device, g_array_index (device->locked_out, TtWaiting, i));
  g_array_set_size (device->locked_out, 0);
}

static void
release (TtSchedule *self, guint32 from, guint32 to, gint64 ready_ns)
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
  const guint32 *first = (const guint32 *) (gconstpointer) self->first->data;
  const Dependency *dependencies = (const Dependency *) (gconstpointer) self->dependencies->data;

  for (guint32 i = first[task]; i < first[task + 1]; i++)
    {
      const Dependency *dependency = &dependencies[i];
      release (self, task, dependency->to & ~FROM_START,
               (dependency->to & FROM_START ? start_ns : end_ns) + dependency->lag_ns);
    }
}

static void
enter_meeting (TtSchedule *self, guint32 task, gint64 end_ns)
{
  guint32 number = task < self->meeting_of->len ? g_array_index (self->meeting_of, guint32, task) : 0;

  if (number == 0)
    return;
  Meeting *meeting = &g_array_index (self->meetings, Meeting, number - 1);
  const Gate *gate = &g_array_index (self->gates, Gate, meeting->first + meeting->n_come++);
  release (self, task, gate->to, end_ns + gate->lag_ns);
}

static void
run_head (TtSchedule *self, guint32 number, gint64 turn_ns)
{
  Device *device = &g_array_index (self->devices, Device, number);
  /* Of what is ready by now, priority decides; where nobody waits for another it does not matter. */
  while (!device->is_unbounded && device->future.n > 0 && device->future.items[0].ready_ns <= turn_ns)
    tt_waiting_heap_push (&device->ready, tt_waiting_heap_pop (&device->future));
  TtWaiting head = tt_waiting_heap_pop (device->ready.n > 0 ? &device->ready : &device->future);
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
  enter_meeting (self, head.task, end_ns);
}

static void
reset (TtSchedule *self)
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
  for (guint32 i = 0; i < self->meetings->len; i++)
    g_array_index (self->meetings, Meeting, i).n_come = 0;
  for (guint32 i = 0; i < self->devices->len; i++)
    {
      Device *device = &g_array_index (self->devices, Device, i);
      device->ready.n = device->future.n = 0;
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
  reset (self);
  for (guint32 i = 0; i < n; i++)
    if (self->states[i].n_missing == 0)
      make_ready (self, i);
  while (self->turns->len > 0)
    {
      Turn turn = pop_turn (self);
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
