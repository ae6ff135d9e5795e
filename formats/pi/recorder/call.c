#include "formats/pi/recorder/recorder.h"

#include <stdlib.h>
#include <string.h>

TtRecorder tt_recorder;

/* Functions by id, for a quick way; several names of one id, if a process has them, hang behind one another. */
typedef struct Entry Entry;
struct Entry
{
  TtRecordFunction function;
  Entry *next;
};

static Entry *functions[2][TT_RECORD_MAX_FUNCTIONS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t n_functions;

static const TtRecordFunction *
find (Entry *entry, uint32_t id, const char *name)
{
  for (; entry != NULL; entry = __atomic_load_n (&entry->next, __ATOMIC_ACQUIRE))
    if (entry->function.id == id &&
        (entry->function.runtime_name == name || strncmp (entry->function.name, name, TT_PI_NATIVE_MAX_NAME) == 0))
      return &entry->function;
  return NULL;
}

static Entry *
new_entry (TtPiApi api, uint32_t id, const char *name)
{
  Entry *entry = n_functions < TT_RECORD_MAX_FUNCTIONS ? calloc (1, sizeof *entry) : NULL;

  if (entry == NULL)
    return NULL;
  strncpy (entry->function.name, name, TT_PI_NATIVE_MAX_NAME);
  entry->function.runtime_name = name;
  entry->function.id = id;
  entry->function.index = n_functions++;
  entry->function.api = api;
  entry->function.is_select = strcmp (name, "piextDeviceSelectBinary") == 0;

  const TtPiFunction *function = tt_pi_function_by_name (name);
  if (function != NULL && function->params != NULL && function->packed <= TT_PI_NATIVE_MAX_ARGS && function->api == api)
    {
      entry->function.function = function;
      entry->function.is_doubtful = api == TT_PI_API_UR || tt_pi_function_has_variants (function);
      tt_pi_shapes (function, &entry->function.shapes);
    }
  return entry;
}

const TtRecordFunction *
tt_record_function (TtPiApi api, uint32_t id, const char *name)
{
  Entry **place = &functions[api == TT_PI_API_UR][id % TT_RECORD_MAX_FUNCTIONS];

  if (name == NULL || name[0] == '\0')
    name = "unknown";
  const TtRecordFunction *known = find (__atomic_load_n (place, __ATOMIC_ACQUIRE), id, name);
  if (known != NULL)
    return known;

  pthread_mutex_lock (&lock);
  known = find (*place, id, name);
  Entry *entry = known == NULL ? new_entry (api, id, name) : NULL;
  if (entry != NULL)
    {
      entry->next = *place;
      __atomic_store_n (place, entry, __ATOMIC_RELEASE);
      known = &entry->function;
    }
  pthread_mutex_unlock (&lock);
  return known;
}

/* PI packs the values; UR has an array of pointers to them. */
static void
copy_args (TtRecordCall *call, const void *data)
{
  const TtPiFunction *function = call->function->function;

  call->args_size = 0;
  if (function == NULL || data == NULL)
    return;
  call->args_size = function->packed;
  if (function->api == TT_PI_API_PI)
    {
      memcpy (call->args, data, function->packed);
      return;
    }
  if (!tt_record_gather (call->function, call->args, data))
    call->args_size = 0;
}

static void
begin (TtRecordThread *thread, TtPiApi api, uint64_t instance, const TtRecordPayload *payload)
{
  const TtRecordFunction *function = tt_record_function (api, payload->function_id, payload->function_name);

  if (function == NULL || thread->depth == TT_PI_NATIVE_MAX_DEPTH)
    {
      thread->lost++;
      return;
    }
  TtRecordCall *call = &thread->calls[thread->depth];
  call->function = function;
  call->instance = instance;
  call->plugin = payload->user_data;
  call->backend = api == TT_PI_API_PI ? tt_record_backend (payload->user_data) : -1;
  copy_args (call, payload->args_data);
  if (function->is_select && call->args_size > 0 && tt_recorder.format != TT_RECORD_NATIVE)
    {
      void *const *images =
          (void *const *) (uintptr_t) tt_pi_shapes_value (function->function, &function->shapes, call->args, 1);
      uint64_t n = tt_pi_shapes_value (function->function, &function->shapes, call->args, 2);
      tt_record_images (images, (uint32_t) n, NULL);
    }
  thread->depth++;
  if (tt_recorder.format == TT_RECORD_NATIVE)
    tt_record_native_begin (thread, call);
  else
    call->start_ns = tt_record_now ();
}

static void
end (TtRecordThread *thread, uint64_t instance, const TtRecordPayload *payload, uint64_t end_ns)
{
  unsigned depth = thread->depth;

  while (depth > 0 && thread->calls[depth - 1].instance != instance)
    depth--;
  if (depth == 0)
    return;

  TtRecordCall *call = &thread->calls[depth - 1];
  int32_t result = payload->ret_data != NULL ? *(const int32_t *) payload->ret_data : 0;
  tt_record_usm (call, result);
  if (tt_recorder.format == TT_RECORD_NATIVE)
    tt_record_native_end (thread, call, result, end_ns);
  else
    tt_record_old_end (thread, call, result, end_ns);
  thread->depth = depth - 1;
}

void
tt_record_begin (TtPiApi api, uint64_t instance, const TtRecordPayload *payload)
{
  TtRecordThread *thread = payload != NULL ? tt_record_thread () : NULL;

  if (thread == NULL)
    return;
  if (thread->busy)
    {
      thread->lost++;
      return;
    }
  thread->busy = 1;
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  begin (thread, api, instance, payload);
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  thread->busy = 0;
}

void
tt_record_end (TtPiApi api, uint64_t instance, const TtRecordPayload *payload)
{
  uint64_t end_ns = tt_record_now ();
  TtRecordThread *thread = payload != NULL ? tt_record_thread () : NULL;

  if (thread == NULL || thread->busy)
    return;
  thread->busy = 1;
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  end (thread, instance, payload, end_ns);
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  thread->busy = 0;
}

void
tt_record_call_after_fork (void)
{
  pthread_mutex_init (&lock, NULL);
}
