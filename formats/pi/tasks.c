/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/tasks.h"

#include "src/base/compare.h"

#define MAX_TASKS (1u << 20)

typedef struct
{
  guint64 call;
  gint64 created_ns, begin_ns, end_ns; /* -1: not known */
  const char *name;
  TtTaskKind kind;
} Task;

struct _TtPiTasks
{
  TtSink *sink;
  guint32 process;
  GArray *tasks; /* of Task; the number of one is its index and 1 */
  GStringChunk *names;
  guint64 n_left_out, n_edges_left_out;
};

TtPiTasks *
tt_pi_tasks_new (TtSink *sink, guint32 process)
{
  TtPiTasks *self = g_new0 (TtPiTasks, 1);

  self->sink = sink;
  self->process = process;
  self->tasks = g_array_new (FALSE, FALSE, sizeof (Task));
  self->names = g_string_chunk_new (1024);
  return self;
}

void
tt_pi_tasks_free (TtPiTasks *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->tasks);
  g_string_chunk_free (self->names);
  g_free (self);
}

void
tt_pi_tasks_add (TtPiTasks *self, guint64 call, gint64 start_ns, TtTaskKind kind, const char *name)
{
  if (self == NULL)
    return;
  if (self->tasks->len >= MAX_TASKS)
    {
      self->n_left_out++;
      return;
    }
  const Task task = { call, start_ns, -1, -1, g_string_chunk_insert_const (self->names, name), kind };
  g_array_append_val (self->tasks, task);
}

static int
compare_calls (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (((const Task *) a)->call, ((const Task *) b)->call);
}

/* 0: no task. */
static guint
number_of (const TtPiTasks *self, guint64 call)
{
  const Task key = { .call = call };
  guint at;

  return g_array_binary_search (self->tasks, &key, compare_calls, &at) ? at + 1 : 0;
}

void
tt_pi_tasks_edge (TtPiTasks *self, guint64 from, guint64 to, const char *kind)
{
  guint src = self != NULL ? number_of (self, from) : 0, dst = src > 0 ? number_of (self, to) : 0;
  const TtTaskEdge edge = { .src = src, .dst = dst, .has_src = TRUE, .has_dst = TRUE, .kind = kind };

  if (dst > 0)
    tt_sink_task_edge (self->sink, self->process, &edge);
}

void
tt_pi_tasks_leave_out (TtPiTasks *self, guint64 n_edges)
{
  if (self != NULL)
    self->n_edges_left_out += n_edges;
}

void
tt_pi_tasks_times (TtPiTasks *self, guint64 call, gint64 begin_ns, gint64 end_ns)
{
  guint number = self != NULL ? number_of (self, call) : 0;

  if (number == 0)
    return;
  Task *task = &g_array_index (self->tasks, Task, number - 1);
  task->begin_ns = MAX (begin_ns, 0);
  task->end_ns = MAX (end_ns, task->begin_ns);
}

void
tt_pi_tasks_finish (TtPiTasks *self)
{
  for (guint i = 0; self != NULL && i < self->tasks->len; i++)
    {
      const Task *task = &g_array_index (self->tasks, Task, i);
      const TtTaskNode node = { .id = i + 1,
                                .kind = task->kind,
                                .created_ns = task->created_ns,
                                .begin_ns = task->begin_ns,
                                .end_ns = task->end_ns,
                                .text = { [TT_TASK_NAME] = task->name } };
      tt_sink_task (self->sink, self->process, &node);
    }
  if (self != NULL && self->n_left_out > 0)
    tt_sink_note (self->sink, "%" G_GUINT64_FORMAT " commands of devices are no tasks: there are too many",
                  self->n_left_out);
  if (self != NULL && self->n_edges_left_out > 0)
    tt_sink_note (self->sink,
                  "%" G_GUINT64_FORMAT
                  " edges from commands of buffers to their enqueues are left out: there are too many",
                  self->n_edges_left_out);
}
