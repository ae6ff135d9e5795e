/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/recorder/call.h"

#include "formats/pi/recorder/images.h"
#include "formats/pi/recorder/memory.h"
#include "formats/pi/recorder/plugin.h"
#include "formats/pi/recorder/profile-kind.h"
#include "formats/pi/recorder/profile.h"
#include "formats/pi/recorder/session.h"
#include "formats/pi/recorder/thread.h"
#include "formats/pi/recorder/write-native.h"
#include "formats/pi/recorder/write-original.h"

#include <string.h>

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
begin_call (TtRecordThread *thread, TtPiApi api, uint64_t instance, const TtRecordPayload *payload)
{
  const TtRecordFunction *function = tt_record_function (api, payload);

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
  call->swap.param = NULL;
  call->swap.refusal = 0;
  if (function->profile != TT_RECORD_PROFILE_NOTHING && tt_recorder.profile && call->args_size > 0)
    tt_record_profile_begin (thread, call, payload->args_data);
  thread->depth++;
  if (tt_recorder.format == TT_RECORD_NATIVE)
    tt_record_native_begin (thread, call);
  else
    call->start_ns = tt_record_now ();
}

static void
end_call (TtRecordThread *thread, uint64_t instance, const TtRecordPayload *payload, uint64_t end_ns)
{
  unsigned depth = thread->depth;

  while (depth > 0 && thread->calls[depth - 1].instance != instance)
    depth--;
  if (depth == 0)
    return;

  TtRecordCall *call = &thread->calls[depth - 1];
  int32_t result = payload->ret_data != NULL ? *(const int32_t *) payload->ret_data : 0;
  bool is_profiled = call->function->profile != TT_RECORD_PROFILE_NOTHING && tt_recorder.profile && call->args_size > 0;
  if (is_profiled)
    result = tt_record_profile_hide (call, payload->ret_data);
  tt_record_usm (call, result);
  tt_record_image_made (call, result);
  if (tt_recorder.format == TT_RECORD_NATIVE)
    tt_record_native_end (thread, call, result, end_ns);
  else
    tt_record_original_end (thread, call, result, end_ns);
  if (is_profiled)
    tt_record_profile_end (thread, call, result);
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
  begin_call (thread, api, instance, payload);
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
  end_call (thread, instance, payload, end_ns);
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  thread->busy = 0;
}
