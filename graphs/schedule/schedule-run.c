/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/schedule/schedule-private.h"

#include "src/base/array.h"
#include "src/base/heap.h"

#include <string.h>

/*
 * Events are taken from a heap of turns, one for each device that has work. A device that gets new work gets a new
 * turn; its old ones are recognised by their version and passed over.
 */

/* -- heaps ------------------------------------------------------------------------------------------- */

static gboolean
is_earlier_turn (gconstpointer a, gconstpointer b, gconstpointer data)
{
  const TtScheduleTurn *x = a, *y = b;

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
push_ready (TtScheduleDevice *device, const TtReadyTask *task)
{
  tt_heap_push (device->ready, task, sizeof *task, is_more_urgent, NULL);
}

static void
push_future (TtScheduleDevice *device, const TtReadyTask *task)
{
  tt_heap_push (device->future, task, sizeof *task, is_ready_earlier, NULL);
}

static TtReadyTask
pop_ready (TtScheduleDevice *device)
{
  TtReadyTask task;

  tt_heap_pop (device->ready, &task, sizeof task, is_more_urgent, NULL);
  return task;
}

static TtReadyTask
pop_future (TtScheduleDevice *device)
{
  TtReadyTask task;

  tt_heap_pop (device->future, &task, sizeof task, is_ready_earlier, NULL);
  return task;
}

static inline gint64
first_future_ns (const TtScheduleDevice *device)
{
  return g_array_index (device->future, TtReadyTask, 0).ready_ns;
}

/* -- running ------------------------------------------------------------------------------------------- */

/* Counting sort by `from`; equal ones keep their order. */
static void
sort_dependencies (TtSchedule *self)
{
  guint32 n_tasks = self->tasks->len, n = self->dependencies->len;
  const TtScheduleDependency *old = TT_ARRAY (self->dependencies, TtScheduleDependency);
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
      GArray *sorted = g_array_sized_new (FALSE, FALSE, sizeof (TtScheduleDependency), n);
      g_autofree guint32 *at = g_memdup2 (first, (gsize) n_tasks * sizeof *first);
      g_array_set_size (sorted, n);
      for (guint32 i = 0; i < n; i++)
        g_array_index (sorted, TtScheduleDependency, at[old[i].from]++) = old[i];
      g_array_unref (self->dependencies);
      self->dependencies = sorted;
    }
  self->is_sorted = TRUE;
}

/* Gives the device a turn at the time its clock says, or when its next task is ready. */
static void
offer_turn (TtSchedule *self, guint32 number)
{
  TtScheduleDevice *device = &g_array_index (self->devices, TtScheduleDevice, number);
  gint64 key_ns = device->clock_ns;

  device->version++;
  if (device->is_passing)
    return;
  if (device->ready->len == 0)
    {
      if (device->future->len == 0)
        return;
      gint64 ready_ns = first_future_ns (device);
      key_ns = device->is_unbounded ? ready_ns : MAX (key_ns, ready_ns);
    }
  const TtScheduleTurn turn = { .key_ns = key_ns, .device = number, .version = device->version };
  tt_heap_push (self->turns, &turn, sizeof turn, is_earlier_turn, NULL);
}

static void
queue_task (const TtSchedule *self, TtScheduleDevice *device, const TtReadyTask *task)
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
  TtScheduleDevice *device = &g_array_index (self->devices, TtScheduleDevice, facts->device);
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
lock_out (TtScheduleDevice *device, GArray *heap, TtHeapBefore before, guint32 lock, const TtTask *tasks)
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
take_lock (const TtSchedule *self, TtScheduleDevice *device, guint32 lock)
{
  const TtTask *tasks = TT_ARRAY (self->tasks, TtTask);

  device->lock = lock;
  if (device->locked_out == NULL)
    device->locked_out = g_array_new (FALSE, FALSE, sizeof (TtReadyTask));
  lock_out (device, device->ready, is_more_urgent, lock, tasks);
  lock_out (device, device->future, is_ready_earlier, lock, tasks);
}

static void
open_lock (const TtSchedule *self, TtScheduleDevice *device)
{
  device->lock = 0;
  for (guint i = 0; i < device->locked_out->len; i++)
    queue_task (self, device, &g_array_index (device->locked_out, TtReadyTask, i));
  g_array_set_size (device->locked_out, 0);
}

static void
release_task (TtSchedule *self, guint32 from, guint32 to, gint64 ready_ns)
{
  TtScheduleState *state = &self->states[to];

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
  const TtScheduleDependency *dependencies = TT_ARRAY (self->dependencies, TtScheduleDependency);

  for (guint32 i = first[task]; i < first[task + 1]; i++)
    {
      const TtScheduleDependency *dependency = &dependencies[i];
      release_task (self, task, dependency->to & ~TT_SCHEDULE_FROM_START,
                    (dependency->to & TT_SCHEDULE_FROM_START ? start_ns : end_ns) + dependency->lag_ns);
    }
}

static void
enter_arrival_queue (TtSchedule *self, guint32 task, gint64 end_ns)
{
  guint32 number = task < self->queue_of->len ? g_array_index (self->queue_of, guint32, task) : TT_SCHEDULE_NO_QUEUE;

  if (number == TT_SCHEDULE_NO_QUEUE)
    return;
  TtScheduleArrivals *queue = &g_array_index (self->queues, TtScheduleArrivals, number);
  const TtScheduleGate *gate = &g_array_index (self->gates, TtScheduleGate, queue->first_gate + queue->n_arrived++);
  release_task (self, task, gate->to, end_ns + gate->lag_ns);
}

/* Takes the next task: among those that are ready by @turn_ns, priority decides. An unbounded device makes no task
 * wait. */
static TtReadyTask
take_head (TtScheduleDevice *device, gint64 turn_ns)
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

/* What follows from its end. */
static void
end_task (TtSchedule *self, guint32 number)
{
  const TtTask *task = &g_array_index (self->tasks, TtTask, number);
  const TtScheduleState *state = &self->states[number];
  TtScheduleDevice *device = &g_array_index (self->devices, TtScheduleDevice, task->device);

  self->makespan_ns = MAX (self->makespan_ns, state->end_ns);
  if (task->lock != 0 && device->lock == 0 && !task->unlocks)
    take_lock (self, device, task->lock);
  else if (task->unlocks && device->lock != 0 && task->lock == device->lock)
    open_lock (self, device);
  offer_turn (self, task->device);
  release_successors (self, number, state->start_ns, state->end_ns);
  enter_arrival_queue (self, number, state->end_ns);
}

static void
give_ports_turn (TtSchedule *self)
{
  TtScheduleTurn turn = { .device = TT_SCHEDULE_PORTS };

  tt_fair_share_settle (&self->flows);
  turn.key_ns = tt_fair_share_next_ns (&self->flows);
  turn.version = ++self->flows_version;
  if (turn.key_ns >= 0)
    tt_heap_push (self->turns, &turn, sizeof turn, is_earlier_turn, NULL);
}

static gboolean
is_flow (const TtSchedule *self, const TtTask *task)
{
  return self->rule == TT_SCHEDULE_BY_START && task->flow_part > 0 && task->dur_ns > 0 &&
         (task->ports[0] != TT_NO_PORT || task->ports[1] != TT_NO_PORT);
}

static void
run_head (TtSchedule *self, guint32 number, gint64 turn_ns)
{
  TtScheduleDevice *device = &g_array_index (self->devices, TtScheduleDevice, number);
  const TtReadyTask head = take_head (device, turn_ns);
  const TtTask *task = &g_array_index (self->tasks, TtTask, head.task);
  TtScheduleState *state = &self->states[head.task];

  state->start_ns = device->is_unbounded ? head.ready_ns : MAX (head.ready_ns, device->clock_ns);
  state->previous = device->is_unbounded ? TT_NO_TASK : device->last;
  state->is_done = TRUE;
  device->last = head.task;
  if (is_flow (self, task))
    {
      device->is_passing = !device->is_unbounded;
      tt_fair_share_advance (&self->flows, state->start_ns);
      tt_fair_share_add (&self->flows, head.task, task->ports, task->flow_part * (double) task->dur_ns);
      give_ports_turn (self);
      offer_turn (self, number);
      return;
    }
  state->end_ns = state->start_ns + task->dur_ns;
  gint64 passed_ns =
      task->frees_early ? state->start_ns + (gint64) (task->flow_part * (double) task->dur_ns + 0.5) : state->end_ns;
  device->clock_ns = device->is_unbounded ? MAX (device->clock_ns, state->end_ns) : passed_ns + task->trailing_gap_ns;
  end_task (self, head.task);
}

/* Flows that have passed their ports by now: what is left of them is latency. */
static void
run_ports (TtSchedule *self, gint64 now_ns)
{
  g_autoptr (GArray) passed = g_array_new (FALSE, FALSE, sizeof (guint32));

  tt_fair_share_advance (&self->flows, now_ns);
  for (guint32 number; tt_fair_share_take (&self->flows, &number);)
    g_array_append_val (passed, number);
  give_ports_turn (self);
  for (guint i = 0; i < passed->len; i++)
    {
      guint32 number = g_array_index (passed, guint32, i);
      const TtTask *task = &g_array_index (self->tasks, TtTask, number);
      TtScheduleDevice *device = &g_array_index (self->devices, TtScheduleDevice, task->device);
      gint64 latency_ns = task->dur_ns - (gint64) (task->flow_part * (double) task->dur_ns + 0.5);
      self->states[number].end_ns = now_ns + latency_ns;
      device->clock_ns =
          MAX (device->clock_ns, (task->frees_early ? now_ns : now_ns + latency_ns) + task->trailing_gap_ns);
      device->is_passing = FALSE;
      end_task (self, number);
    }
}

static void
reset_run (TtSchedule *self)
{
  guint32 n = self->tasks->len;

  if (!self->is_sorted || self->first->len != n + 1)
    sort_dependencies (self);
  g_free (self->states);
  self->states = g_new0 (TtScheduleState, n);
  for (guint32 i = 0; i < n; i++)
    self->states[i].previous = self->states[i].cause = TT_NO_TASK;
  for (guint32 i = 0; i < self->dependencies->len; i++)
    self->states[g_array_index (self->dependencies, TtScheduleDependency, i).to & ~TT_SCHEDULE_FROM_START].n_missing++;
  for (guint32 i = 0; i < self->gates->len; i++)
    self->states[g_array_index (self->gates, TtScheduleGate, i).to].n_missing++;
  for (guint32 i = 0; i < self->queues->len; i++)
    g_array_index (self->queues, TtScheduleArrivals, i).n_arrived = 0;
  for (guint32 i = 0; i < self->devices->len; i++)
    {
      TtScheduleDevice *device = &g_array_index (self->devices, TtScheduleDevice, i);
      g_array_set_size (device->ready, 0);
      g_array_set_size (device->future, 0);
      device->clock_ns = 0;
      device->last = TT_NO_TASK;
      device->lock = device->version = 0;
      device->is_passing = FALSE;
      if (device->locked_out != NULL)
        g_array_set_size (device->locked_out, 0);
    }
  g_array_set_size (self->turns, 0);
  tt_fair_share_reset (&self->flows);
  self->flows_version = 0;
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
      TtScheduleTurn turn;

      tt_heap_pop (self->turns, &turn, sizeof turn, is_earlier_turn, NULL);
      if (turn.device == TT_SCHEDULE_PORTS)
        {
          if (turn.version == self->flows_version)
            run_ports (self, turn.key_ns);
          continue;
        }
      if (turn.version != g_array_index (self->devices, TtScheduleDevice, turn.device).version)
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
