/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/task-graph.h"

static const char *const kinds[] = { "command", "kernel", "copy", "allocation", "memory" };

G_STATIC_ASSERT (G_N_ELEMENTS (kinds) == TT_N_TASK_KINDS);

const char *
tt_task_kind_text (TtTaskKind kind)
{
  return kinds[kind];
}

TtTaskKind
tt_task_kind_parse (const char *text)
{
  for (guint i = 0; i < TT_N_TASK_KINDS; i++)
    if (g_strcmp0 (kinds[i], text) == 0)
      return (TtTaskKind) i;
  return TT_TASK_COMMAND;
}
