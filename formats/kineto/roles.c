/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/kineto/roles.h"

#include <string.h>

#include "formats/kineto/kineto.h"

/* A first call with one of these parts decides: cudaStreamWaitEvent is no cudaStreamSynchronize. */
static const struct
{
  const char *part;
  TtActivityRole role;
} call_parts[] = {
  { "WaitEvent", TT_ACTIVITY_QUEUE_WAIT }, { "EventRecord", TT_ACTIVITY_RECORD },
  { "EventQuery", TT_ACTIVITY_POLL },      { "StreamQuery", TT_ACTIVITY_POLL },
  { "Synchronize", TT_ACTIVITY_SYNCHRONIZE }, { "Memcpy", TT_ACTIVITY_COPY_CALL },
  { "EnqueueMemBufferWrite", TT_ACTIVITY_COPY_CALL }, { "EnqueueMemBufferRead", TT_ACTIVITY_COPY_CALL },
  { "EnqueueMemBufferCopy", TT_ACTIVITY_COPY_CALL },  { "AppendMemoryCopy", TT_ACTIVITY_COPY_CALL },
};

static const struct
{
  const char *part;
  TtActivityRole role;
} mark_parts[] = {
  { "Wait Event", TT_ACTIVITY_QUEUE_AWAITS },
  { "Event", TT_ACTIVITY_AWAITS_EVENT },
  { "Stream", TT_ACTIVITY_AWAITS_QUEUE },
};

/* Categories of work, of marks and of the profiler itself, those of PyTorch 1.8 to 1.11 with capitals. */
static const struct
{
  const char *category;
  TtActivityRole role;
} categories[] = {
  { "kernel", TT_ACTIVITY_KERNEL },
  { "gpu_memcpy", TT_ACTIVITY_COPY },
  { "gpu_memset", TT_ACTIVITY_SET },
  { "cuda_sync", TT_ACTIVITY_AWAITS_DEVICE },
  { "xpu_sync", TT_ACTIVITY_AWAITS_DEVICE },
  { "Kernel", TT_ACTIVITY_KERNEL },
  { "Memcpy", TT_ACTIVITY_COPY },
  { "Memset", TT_ACTIVITY_SET },
  { "mlu_memcpy", TT_ACTIVITY_COPY },
  { "mlu_memset", TT_ACTIVITY_SET },
  { "mtia_ccp_events", TT_ACTIVITY_KERNEL },
  { "mtia_insight", TT_ACTIVITY_KERNEL },
  { "collective_comm", TT_ACTIVITY_KERNEL },
  { "hpu_op", TT_ACTIVITY_KERNEL },
  { "Trace", TT_ACTIVITY_TRACER },
  { "overhead", TT_ACTIVITY_TRACER },
  { "cuda_event", TT_ACTIVITY_TRACER },
  { "cuda_profiler_range", TT_ACTIVITY_TRACER },
  { "xpu_scope_profiler", TT_ACTIVITY_TRACER },
  { "mlu_profiler_range", TT_ACTIVITY_TRACER },
};

static TtActivityRole
role_of_call (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (call_parts); i++)
    if (strstr (name, call_parts[i].part) != NULL)
      return call_parts[i].role;
  return TT_ACTIVITY_NONE;
}

static TtActivityRole
role_of_mark (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (mark_parts); i++)
    if (strstr (name, mark_parts[i].part) != NULL)
      return mark_parts[i].role;
  return TT_ACTIVITY_AWAITS_DEVICE;
}

/* Runtimes and drivers of devices: cuda_runtime, hip_driver ... */
static gboolean
is_of_calls (const char *category)
{
  return g_str_has_suffix (category, "_runtime") || g_str_has_suffix (category, "_driver") ||
         strcmp (category, "Runtime") == 0;
}

TtActivityRole
tt_kineto_role (const char *category, const char *name, gboolean *blocks)
{
  TtActivityRole role = TT_ACTIVITY_NONE;
  const char *text = name == NULL ? "" : name;

  *blocks = FALSE;
  if (category == NULL)
    return TT_ACTIVITY_NONE;
  if (is_of_calls (category))
    role = role_of_call (text);
  for (guint i = 0; role == TT_ACTIVITY_NONE && i < G_N_ELEMENTS (categories); i++)
    if (strcmp (category, categories[i].category) == 0)
      role = tt_activity_is_mark (categories[i].role) ? role_of_mark (text) : categories[i].role;
  /* A copy from memory that is not pinned keeps even an asynchronous call waiting. Calls of Unified Runtime and of Level
   * Zero put the copy into a queue or a list. */
  *blocks = (role == TT_ACTIVITY_COPY_CALL && strstr (text, "Async") == NULL && strstr (text, "Enqueue") == NULL &&
             strstr (text, "Append") == NULL) ||
            (tt_activity_is_work (role) && strstr (text, "Pageable") != NULL);
  return role;
}
