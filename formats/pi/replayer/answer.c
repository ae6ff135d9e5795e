/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/replayer/answer.h"

#include "formats/pi/replayer/buffers.h"
#include "formats/pi/replayer/given.h"
#include "formats/pi/replayer/late.h"
#include "formats/pi/replayer/regions.h"
#include "formats/pi/replayer/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
read_buffer (const TtReplayCall *call, const TtPiNativeBlock *block, void *to, uint64_t room)
{
  char path[TT_REPLAY_BUFFER_PATH];
  uint8_t *at = to;
  ssize_t n;
  int fd = tt_replay_buffer_open (block, path);

  if (fd >= 0 && lseek (fd, TT_REPLAY_BUFFER_HEAD, SEEK_SET) == TT_REPLAY_BUFFER_HEAD)
    for (; room > 0 && (n = read (fd, at, room)) > 0; room -= (uint64_t) n)
      at += n;
  if (fd < 0 || room > 0)
    tt_replay_report ("missing", "thread %s, record %llu: cannot read all of '%s', which %s returned",
                      call->thread->name, (unsigned long long) call->thread->record - 1, path, call->function->name);
  if (fd >= 0)
    close (fd);
}

static void
copy_block (const TtReplayCall *call, const TtPiNativeBlock *block, void *to, uint64_t room)
{
  if (block->kind == TT_PI_BLOCK_FILE)
    read_buffer (call, block, to, room < block->size ? room : block->size);
  else if (block->kind == TT_PI_BLOCK_BYTES)
    memcpy (to, block->bytes, room < block->len ? (size_t) room : block->len);
}

static uint64_t
value_of (const TtReplayCall *call, int param)
{
  return param < 0 ? 0 : tt_pi_shapes_value (call->function->function, &call->function->shapes, call->packed, param);
}

/* What lies between the rows of a rectangle is the program's. */
static void
copy_memory (const TtReplayCall *call, const TtPiNativeBlock *block, int param, void *to)
{
  const TtPiGiven given = tt_replay_given (call);
  uint64_t size = tt_pi_given_bytes (&given, param);
  TtPiRows rows;

  if (size == 0 || !tt_pi_rows_find (&given, param, &rows))
    {
      copy_block (call, block, to, size);
      return;
    }
  uint8_t *whole = malloc ((size_t) size);
  if (whole == NULL)
    abort ();
  memcpy (whole, to, (size_t) size);
  copy_block (call, block, whole, size);
  tt_pi_rows_copy (&rows, to, whole);
  free (whole);
}

/* A call that maps memory returns an address, and then the contents there. */
static void
answer_mapped (const TtReplayCall *call, const TtPiNativeBlock *block, bool is_address)
{
  uint8_t *to = (uint8_t *) (uintptr_t) value_of (call, block->param);
  uint64_t size = tt_replay_bytes (call, block->param);

  if (is_address && block->len == 8)
    tt_pi_put64 (to, tt_replay_region_new (tt_pi_get (block->bytes, 8), size));
  else if (!is_address && tt_replay_region_has (tt_pi_get (to, 8)))
    copy_block (call, block, (void *) (uintptr_t) tt_pi_get (to, 8), size);
}

/* The program may keep the address. */
static void
answer_text (const TtPiNativeBlock *block, uint64_t to)
{
  if (block->kind != TT_PI_BLOCK_TEXT)
    return;

  char *text = calloc (1, (size_t) block->len + 1);

  if (text != NULL)
    memcpy (text, block->bytes, block->len);
  tt_pi_put64 ((uint8_t *) (uintptr_t) to, (uint64_t) (uintptr_t) text);
}

static void
answer_usm (const TtReplayCall *call, const TtPiNativeBlock *block, uint64_t to)
{
  uint64_t live = tt_replay_region_new (tt_pi_get (block->bytes, 8), value_of (call, call->function->shapes.usm_size));

  tt_replay_region_is_usm (live);
  tt_pi_put64 ((uint8_t *) (uintptr_t) to, live);
}

/* Memory that the call did not wait for. */
static void
answer_late (const TtReplayCall *call, unsigned param)
{
  const TtPiShapes *shapes = &call->function->shapes;
  uint64_t live = value_of (call, (int) param);
  TtPiNativeBlock block;

  if ((shapes->params[param].flags & TT_PI_SHAPE_LATE) == 0 || live == 0 ||
      !tt_replay_late_find (call->begin.instance, param, &block))
    return;
  if (shapes->params[param].shape == TT_PI_SHAPE_MAPPED)
    {
      live = tt_pi_get ((const uint8_t *) (uintptr_t) live, 8);
      if (!tt_replay_region_has (live))
        return;
    }
  copy_memory (call, &block, (int) param, (void *) (uintptr_t) live);
}

static void
answer_block (const TtReplayCall *call, const TtPiNativeBlock *block, bool is_first)
{
  const TtPiFunction *function = call->function->function;
  const TtPiShapes *shapes = &call->function->shapes;
  uint64_t to = block->param < function->n_params ? value_of (call, block->param) : 0;

  if (to == 0 || (shapes->params[block->param].flags & TT_PI_SHAPE_OUT) == 0)
    return;
  if (shapes->params[block->param].shape == TT_PI_SHAPE_MAPPED)
    answer_mapped (call, block, is_first);
  else if (shapes->params[block->param].shape == TT_PI_SHAPE_ANSWER)
    answer_text (block, to);
  else if (shapes->usm_result == block->param && block->len == 8)
    answer_usm (call, block, to);
  else
    copy_memory (call, block, block->param, (void *) (uintptr_t) to);
}

/* Callbacks run at once, in the thread that asks for them: commands are always done. */
static void
call_back (const TtReplayCall *call)
{
  const char *name = call->function->name;
  bool is_event = strcmp (name, "piEventSetCallback") == 0 || strcmp (name, "urEventSetCallback") == 0;

  if (is_event && value_of (call, 2) != 0)
    ((void (*) (void *, int32_t, void *)) (uintptr_t) value_of (call, 2)) (
        (void *) (uintptr_t) value_of (call, 0), (int32_t) value_of (call, 1), (void *) (uintptr_t) value_of (call, 3));
  else if (strcmp (name, "piProgramBuild") == 0 && value_of (call, 4) != 0)
    ((void (*) (void *, void *)) (uintptr_t) value_of (call, 4)) ((void *) (uintptr_t) value_of (call, 0),
                                                                  (void *) (uintptr_t) value_of (call, 5));
}

static bool
is_recorded (const TtReplayCall *call, unsigned param)
{
  TtPiNativeRecord end = call->end;
  TtPiNativeBlock block;

  while (tt_pi_native_block (&end, &block))
    if (block.param == param)
      return true;
  return tt_replay_late_find (call->begin.instance, param, &block);
}

/* Whether the call should have filled memory of the program of which the recording has nothing. */
static bool
is_missing (const TtReplayCall *call, unsigned param)
{
  const TtPiShape *shape = &call->function->shapes.params[param];
  uint64_t value = value_of (call, (int) param);

  if (value == 0)
    return false;
  if (shape->shape == TT_PI_SHAPE_NONE)
    return call->function->function->params[param].role == TT_PI_ROLE_OUT_BYTES;
  return (shape->flags & (TT_PI_SHAPE_OUT | TT_PI_SHAPE_NATIVE)) == (TT_PI_SHAPE_OUT | TT_PI_SHAPE_NATIVE) &&
         !tt_replay_region_has (value) && !is_recorded (call, param);
}

/* Contents that no recording has; once per function, for there may be many. */
static void
report_missing (const TtReplayCall *call)
{
  static uint8_t reported[TT_REPLAY_MAX_FUNCTIONS];
  const TtPiFunction *function = call->function->function;

  for (unsigned i = 0; i < function->n_params; i++)
    if (is_missing (call, i) &&
        !__atomic_exchange_n (&reported[call->function->id % TT_REPLAY_MAX_FUNCTIONS], 1, __ATOMIC_RELAXED))
      tt_replay_report (
          "missing",
          "thread %s, record %llu: results of %s are not recorded: memory at '%s' stays as it was, here and in "
          "its other calls",
          call->thread->name, (unsigned long long) call->thread->record - 1, function->name, function->params[i].name);
}

void
tt_replay_answer (const TtReplayCall *call)
{
  TtPiNativeRecord end = call->end;
  TtPiNativeBlock block;
  int last = -1;

  if (call->function->function == NULL)
    return;
  while (tt_pi_native_block (&end, &block))
    {
      answer_block (call, &block, block.param != last);
      last = block.param;
    }
  if (call->end.result != 0)
    return;
  for (unsigned i = 0; i < call->function->function->n_params; i++)
    answer_late (call, i);
  report_missing (call);
  tt_replay_image_made (call);
  if (call->function->shapes.usm_free >= 0)
    tt_replay_region_free (value_of (call, call->function->shapes.usm_free));
  if (strcmp (call->function->name, "piEnqueueMemUnmap") == 0 ||
      strcmp (call->function->name, "urEnqueueMemUnmap") == 0)
    tt_replay_region_free (value_of (call, 2));
  call_back (call);
}
