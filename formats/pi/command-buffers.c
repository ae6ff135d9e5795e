/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/command-buffers.h"

#include "formats/pi/native.h"
#include "src/base/map64.h"

#include <string.h>

/* Commands of all buffers that are remembered, and edges to enqueues, of which each may have one for each command. */
#define MAX_COMMANDS (1u << 20)
#define MAX_EDGES (1u << 20)
#define SYNC_POINT_BYTES 4u

typedef struct
{
  guint64 row;
  gboolean is_waited_for;
} Command;

typedef struct
{
  GArray *commands; /* of Command */
  GArray *last;     /* of guint32: those that none was known to wait for when the buffer was enqueued, and later ones */
  TtMap64 points;   /* sync point -> index of its command */
} Buffer;

struct _TtPiBuffers
{
  TtPiTasks *tasks;
  GHashTable *buffers; /* number -> Buffer */
  guint n_commands;
  guint n_edges;
};

static void
free_buffer (gpointer data)
{
  Buffer *self = data;

  g_array_unref (self->commands);
  g_array_unref (self->last);
  tt_map64_clear (&self->points);
  g_free (self);
}

TtPiBuffers *
tt_pi_buffers_new (TtPiTasks *tasks)
{
  TtPiBuffers *self = g_new0 (TtPiBuffers, 1);

  self->tasks = tasks;
  self->buffers = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, free_buffer);
  return self;
}

void
tt_pi_buffers_free (TtPiBuffers *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->buffers);
  g_free (self);
}

gboolean
tt_pi_buffers_is_append (const TtPiCall *call)
{
  static const char prefix[] = "urCommandBufferAppend";

  return strncmp (call->name, prefix, sizeof prefix - 1) == 0;
}

/* 0: none. */
static guint64
buffer_of (const TtPiCall *call, const TtPiHandles *handles)
{
  for (guint i = 0; i < call->n_args && i < 2; i++)
    {
      const TtPiHandle *handle = tt_pi_handles_arg (handles, i);
      if (handle != NULL && strcmp (handle->type, "command_buffer") == 0)
        return handle->number;
    }
  return 0;
}

static Buffer *
find_buffer (TtPiBuffers *self, guint64 number)
{
  Buffer *buffer = g_hash_table_lookup (self->buffers, &number);

  if (buffer == NULL)
    {
      buffer = g_new0 (Buffer, 1);
      buffer->commands = g_array_new (FALSE, FALSE, sizeof (Command));
      buffer->last = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_hash_table_insert (self->buffers, g_memdup2 (&number, sizeof number), buffer);
    }
  return buffer;
}

static void
wait_for_point (TtPiBuffers *self, Buffer *buffer, guint32 point, guint64 event)
{
  const guint32 index = tt_map64_get (&buffer->points, point);

  if (index == TT_MAP64_NONE)
    return;
  Command *command = &g_array_index (buffer->commands, Command, index);
  command->is_waited_for = TRUE;
  tt_pi_tasks_edge (self->tasks, command->row, event, "sync_point");
}

static void
append (TtPiBuffers *self, const TtPiCall *call, Buffer *buffer, guint64 event)
{
  const Command new = { .row = event };
  const gboolean has_room = self->n_commands < MAX_COMMANDS;

  for (guint i = 0; i < call->n_args && i < call->function->n_params; i++)
    {
      const TtPiParam *param = &call->function->params[i];
      const TtPiArg *arg = &call->args[i];
      if (strcmp (param->type, "command_buffer_sync_point") != 0)
        continue;
      for (gsize at = 0;
           param->role == TT_PI_ROLE_IN_ARRAY && arg->before.bytes != NULL && at + SYNC_POINT_BYTES <= arg->before.len;
           at += SYNC_POINT_BYTES)
        wait_for_point (self, buffer, (guint32) tt_pi_get (arg->before.bytes + at, SYNC_POINT_BYTES), event);
      if (has_room && param->role == TT_PI_ROLE_OUT_VALUE && arg->after.bytes != NULL &&
          arg->after.len >= SYNC_POINT_BYTES)
        tt_map64_set (&buffer->points, tt_pi_get (arg->after.bytes, SYNC_POINT_BYTES), buffer->commands->len);
    }
  if (!has_room)
    return;
  self->n_commands++;
  g_array_append_val (buffer->last, buffer->commands->len);
  g_array_append_val (buffer->commands, new);
}

static void
enqueue (TtPiBuffers *self, Buffer *buffer, guint64 event)
{
  guint n = 0;

  if (self->n_edges == MAX_EDGES)
    {
      tt_pi_tasks_leave_out (self->tasks, buffer->last->len);
      return;
    }
  for (guint i = 0; i < buffer->last->len; i++)
    {
      const guint32 index = g_array_index (buffer->last, guint32, i);

      if (!g_array_index (buffer->commands, Command, index).is_waited_for)
        g_array_index (buffer->last, guint32, n++) = index;
    }
  g_array_set_size (buffer->last, n);
  if (n > MAX_EDGES - self->n_edges)
    {
      tt_pi_tasks_leave_out (self->tasks, n);
      self->n_edges = MAX_EDGES;
      return;
    }
  self->n_edges += n;
  for (guint i = 0; i < n; i++)
    tt_pi_tasks_edge (self->tasks,
                      g_array_index (buffer->commands, Command, g_array_index (buffer->last, guint32, i)).row, event,
                      "command_buffer");
}

void
tt_pi_buffers_call (TtPiBuffers *self, const TtPiCall *call, const TtPiHandles *handles, guint64 event)
{
  gboolean is_append = tt_pi_buffers_is_append (call);

  if (self->tasks == NULL || call->function == NULL || call->function->params == NULL || call->result != 0 ||
      (!is_append && (strstr (call->name, "CommandBuffer") == NULL || strstr (call->name, "Enqueue") == NULL)))
    return;
  const guint64 number = buffer_of (call, handles);
  if (number == 0)
    return;
  Buffer *buffer = find_buffer (self, number);
  if (is_append)
    append (self, call, buffer, event);
  else
    enqueue (self, buffer, event);
}
