/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTaskNode: one task of a runtime's task graph (a SYCL command: kernel, copy, allocation), and TtTaskEdge: one task that
 * must finish before another starts. The runtime numbers the tasks; a recording has them beside its calls.
 *
 * No id of a recording joins a task with the call that enqueued it. Times are on a clock of the graph's own.
 * Texts are borrowed; NULL: not recorded.
 */
#pragma once

#include <glib.h>

typedef enum
{
  TT_TASK_COMMAND, /* none of the others */
  TT_TASK_KERNEL,
  TT_TASK_COPY,
  TT_TASK_ALLOCATION,
  TT_TASK_MEMORY, /* another command on a memory object */
  TT_N_TASK_KINDS,
} TtTaskKind;

typedef enum
{
  TT_TASK_NAME,
  TT_TASK_DEVICE,     /* "Example GPU", or its type: "GPU" */
  TT_TASK_DEVICE_ID,  /* the runtime's number of the device */
  TT_TASK_COPY_FROM,  /* devices, by these numbers */
  TT_TASK_COPY_TO,
  TT_TASK_ALLOCATION_TYPE, /* "buffer", "image" */
  TT_TASK_FILE,
  TT_TASK_LINE,
  TT_N_TASK_TEXTS,
} TtTaskText;

typedef struct
{
  gint64 id;
  TtTaskKind kind;
  gint64 created_ns, begin_ns, end_ns; /* -1: not recorded, or it never ran */
  const char *text[TT_N_TASK_TEXTS];
} TtTaskNode;

typedef struct
{
  gint64 src, dst;
  gboolean has_src, has_dst;
  const char *kind; /* how @dst uses the memory: "read", "write" */
} TtTaskEdge;

/* "command", "kernel". */
const char *tt_task_kind_text (TtTaskKind kind);
/* TT_TASK_COMMAND: a text that is no kind. */
TtTaskKind tt_task_kind_parse (const char *text);
