#include "config.h"

#include <string.h>

#include "analyzers/devices/work-private.h"

static gboolean
is_one_of (const char *word, const char *const *words)
{
  return word != NULL && g_strv_contains (words, word);
}

static TtDeviceRole
role_of (const TtStoredName *name)
{
  static const char *const work[] = { "kernel",          "gpu_memcpy", "gpu_memset", "Kernel",          "Memcpy",
                                      "Memset",          "mlu_memcpy", "mlu_memset", "mtia_ccp_events", "mtia_insight",
                                      "collective_comm", "hpu_op",     NULL };
  static const char *const marks[] = { "cuda_sync", "xpu_sync", NULL };
  static const char *const profiler[] = { "Trace", "overhead", "cuda_event", "cuda_profiler_range", NULL };
  const char *raw = name->raw == NULL ? "" : name->raw;

  if (is_one_of (name->group, work))
    return TT_DEVICE_WORK;
  if (is_one_of (name->group, marks))
    return TT_DEVICE_MARK;
  if (is_one_of (name->group, profiler))
    return TT_DEVICE_PROFILER;
  if (name->group == NULL || (!g_str_has_suffix (name->group, "_runtime") &&
                              !g_str_has_suffix (name->group, "_driver") && strcmp (name->group, "Runtime") != 0))
    return TT_DEVICE_OTHER;
  if (strstr (raw, "WaitEvent") != NULL)
    return TT_DEVICE_WAIT;
  if (strstr (raw, "EventRecord") != NULL)
    return TT_DEVICE_RECORD;
  if (strstr (raw, "EventQuery") != NULL || strstr (raw, "StreamQuery") != NULL)
    return TT_DEVICE_POLL;
  if (strstr (raw, "Synchronize") != NULL)
    return TT_DEVICE_CALL;
  return strstr (raw, "Memcpy") != NULL ? TT_DEVICE_COPY : TT_DEVICE_OTHER;
}

gboolean
tt_device_is_mark (const TtStoredName *name)
{
  return name != NULL && role_of (name) == TT_DEVICE_MARK;
}

static gboolean
find_work (const TtStoredName *name, gpointer data)
{
  gboolean *is_traced = data;

  *is_traced = role_of (name) == TT_DEVICE_WORK;
  return !*is_traced;
}

gboolean
tt_device_is_traced (TtStore *store, gboolean *is_traced, GError **error)
{
  *is_traced = FALSE;
  return tt_store_each_name (store, find_work, is_traced, error);
}

gboolean
tt_device_take_name (const TtStoredName *name, gpointer data)
{
  TtDeviceWork *work = data;

  TtDeviceRole role = role_of (name);
  guint blocks = 0;

  if (name->id >= work->n_names)
    return TRUE;
  if ((role == TT_DEVICE_COPY && strstr (name->raw, "Async") == NULL) ||
      (role == TT_DEVICE_WORK && name->raw != NULL && strstr (name->raw, "Pageable") != NULL))
    blocks = TT_DEVICE_BLOCKS;
  work->roles[name->id] = (guint8) (role | blocks);
  return TRUE;
}

TtDeviceRole
tt_device_role (const TtDeviceWork *self, const TtEvent *event)
{
  if (event->dur_ns == TT_NO_TIME || (event->flags & (TT_FLAG_WINDOW | TT_FLAG_ASYNC)) != 0)
    return TT_DEVICE_PROFILER;
  return event->name < self->n_names ? (TtDeviceRole) (self->roles[event->name] & ~TT_DEVICE_BLOCKS) : TT_DEVICE_OTHER;
}
