/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/command-buffers.h"

#include "formats/pi/native.h"

#include <string.h>

/* Commands of all buffers that are remembered. */
#define MAX_COMMANDS (1u << 20)
#define SYNC_POINT_BYTES 4u
#define MAX_LOOKS 4096u

typedef struct
{
  guint64 row;
  guint32 sync_point;
  gboolean has_point, is_waited_for;
} Command;

struct _TtPiBuffers
{
  TtPiTasks *tasks;
  GHashTable *buffers; /* number of the buffer -> GArray of Command */
  guint n_commands;
};

static void
unref_array (gpointer array)
{
  g_array_unref (array);
}

TtPiBuffers *
tt_pi_buffers_new (TtPiTasks *tasks)
{
  TtPiBuffers *self = g_new0 (TtPiBuffers, 1);

  self->tasks = tasks;
  self->buffers = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, unref_array);
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

static GArray *
commands_of (TtPiBuffers *self, guint64 buffer)
{
  GArray *commands = g_hash_table_lookup (self->buffers, &buffer);

  if (commands == NULL)
    {
      commands = g_array_new (FALSE, FALSE, sizeof (Command));
      g_hash_table_insert (self->buffers, g_memdup2 (&buffer, sizeof buffer), commands);
    }
  return commands;
}

/* Sync points mostly count commands; where they do not, the latest are looked at. */
static Command *
find_command (GArray *commands, guint32 point)
{
  guint first = commands->len > 0 ? g_array_index (commands, Command, 0).sync_point : 0;

  if (point >= first && point - first < commands->len)
    {
      Command *guess = &g_array_index (commands, Command, point - first);
      if (guess->has_point && guess->sync_point == point)
        return guess;
    }
  for (guint i = commands->len, n = 0; i > 0 && n < MAX_LOOKS; i--, n++)
    {
      Command *command = &g_array_index (commands, Command, i - 1);
      if (command->has_point && command->sync_point == point)
        return command;
    }
  return NULL;
}

static void
wait_for_point (TtPiBuffers *self, GArray *commands, guint32 point, guint64 event)
{
  Command *command = find_command (commands, point);

  if (command == NULL)
    return;
  command->is_waited_for = TRUE;
  tt_pi_tasks_edge (self->tasks, command->row, event, "sync_point");
}

static void
append (TtPiBuffers *self, const TtPiCall *call, GArray *commands, guint64 event)
{
  Command new = { .row = event };

  for (guint i = 0; i < call->n_args && i < call->function->n_params; i++)
    {
      const TtPiParam *param = &call->function->params[i];
      const TtPiArg *arg = &call->args[i];
      if (strcmp (param->type, "command_buffer_sync_point") != 0)
        continue;
      for (gsize at = 0;
           param->role == TT_PI_ROLE_IN_ARRAY && arg->before.bytes != NULL && at + SYNC_POINT_BYTES <= arg->before.len;
           at += SYNC_POINT_BYTES)
        wait_for_point (self, commands, (guint32) tt_pi_get (arg->before.bytes + at, SYNC_POINT_BYTES), event);
      if (param->role == TT_PI_ROLE_OUT_VALUE && arg->after.bytes != NULL && arg->after.len >= SYNC_POINT_BYTES)
        {
          new.sync_point = (guint32) tt_pi_get (arg->after.bytes, SYNC_POINT_BYTES);
          new.has_point = TRUE;
        }
    }
  if (self->n_commands++ < MAX_COMMANDS)
    g_array_append_val (commands, new);
}

void
tt_pi_buffers_call (TtPiBuffers *self, const TtPiCall *call, const TtPiHandles *handles, guint64 event)
{
  gboolean is_append = tt_pi_buffers_is_append (call);

  if (self->tasks == NULL || call->function == NULL || call->function->params == NULL || call->result != 0 ||
      (!is_append && (strstr (call->name, "CommandBuffer") == NULL || strstr (call->name, "Enqueue") == NULL)))
    return;
  guint64 buffer = buffer_of (call, handles);
  if (buffer == 0)
    return;
  GArray *commands = commands_of (self, buffer);
  if (is_append)
    {
      append (self, call, commands, event);
      return;
    }
  for (guint i = 0; i < commands->len; i++)
    if (!g_array_index (commands, Command, i).is_waited_for)
      tt_pi_tasks_edge (self->tasks, g_array_index (commands, Command, i).row, event, "command_buffer");
}
