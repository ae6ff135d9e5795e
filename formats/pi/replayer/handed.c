/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/replayer/handed.h"

#include "formats/pi/replayer/buffers.h"
#include "formats/pi/replayer/given.h"
#include "formats/pi/replayer/regions.h"
#include "formats/pi/replayer/report.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_kernels;

void
tt_replay_note_kernel (const TtReplayCall *call)
{
  if (strstr (call->function->name, "EnqueueKernel") != NULL || strstr (call->function->name, "EnqueueNative") != NULL)
    __atomic_store_n (&has_kernels, true, __ATOMIC_RELAXED);
}

/* Recorded contents; `mapped` is unmapped when they have been compared. */
typedef struct
{
  const uint8_t *bytes;
  uint64_t len;
  void *mapped;
  size_t mapped_len;
} Contents;

/* One that is gone or short is empty. */
static Contents
map_file (const TtPiNativeBlock *block)
{
  char path[TT_REPLAY_BUFFER_PATH];
  Contents found = { 0 };
  struct stat status;
  int fd = tt_replay_buffer_open (block, path);

  if (fd >= 0 && fstat (fd, &status) == 0 && status.st_size > TT_REPLAY_BUFFER_HEAD)
    {
      void *bytes = mmap (NULL, (size_t) status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
      if (bytes != MAP_FAILED)
        found = (Contents){
          (const uint8_t *) bytes + TT_REPLAY_BUFFER_HEAD,
          (uint64_t) status.st_size - TT_REPLAY_BUFFER_HEAD,
          bytes,
          (size_t) status.st_size,
        };
    }
  if (fd >= 0)
    close (fd);
  if (found.len > block->size)
    found.len = block->size;
  return found;
}

static void
report (const TtReplayCall *call, unsigned param, const Contents *then, const uint8_t *now)
{
  uint64_t n = 0, first = 0;

  for (uint64_t i = 0; i < then->len; i++)
    if (now[i] != then->bytes[i] && n++ == 0)
      first = i;
  tt_replay_report ("differs",
                    "thread %s, record %llu: the program hands other contents to the device, in %s of %s: byte %llu is "
                    "0x%02x, expected 0x%02x (%llu of %llu bytes differ)",
                    call->thread->name, (unsigned long long) call->thread->record - 1,
                    call->function->function->params[param].name, call->function->name, (unsigned long long) first,
                    now[first], then->bytes[first], (unsigned long long) n, (unsigned long long) then->len);
}

/* Of a rectangle, what lies between its rows does not count: it is taken from @now. NULL: it is none. */
static uint8_t *
make_rows (const TtReplayCall *call, unsigned param, const Contents *then, const uint8_t *now)
{
  const TtPiGiven given = tt_replay_given (call);
  TtPiRows rows;

  if (!tt_pi_rows_find (&given, (int) param, &rows) || then->len != tt_pi_given_bytes (&given, (int) param))
    return NULL;
  uint8_t *whole = malloc ((size_t) then->len);
  if (whole == NULL)
    abort ();
  memcpy (whole, now, (size_t) then->len);
  tt_pi_rows_copy (&rows, whole, then->bytes);
  return whole;
}

static bool
contents_differ (const TtReplayCall *call, unsigned param, const Contents *then, const uint8_t *now, bool tells)
{
  bool differs = then->len > 0 && memcmp (now, then->bytes, (size_t) then->len) != 0;

  if (differs && tells)
    report (call, param, then, now);
  return differs;
}

/* Where a processor is the device a binary may be addresses of functions, which are elsewhere in each run. */
static bool
has_other_addresses (const Contents *then, const uint8_t *now)
{
  uint64_t at = 0;

  for (; at + 8 <= then->len; at += 8)
    {
      uint64_t was = tt_pi_get (then->bytes + at, 8), is = tt_pi_get (now + at, 8);
      if (was != is && !tt_replay_is_left_over (was, is))
        return false;
    }
  return at == then->len;
}

static bool
binary_differs (const TtReplayCall *call, unsigned param, const TtPiNativeBlock *block, bool tells)
{
  const TtPiFunction *function = call->function->function;
  const TtPiShapes *shapes = &call->function->shapes;
  uint64_t n = tt_pi_shapes_value (function, shapes, call->packed, shapes->params[param].count);
  uint64_t binaries = tt_pi_shapes_value (function, shapes, call->packed, (int) param);
  uint64_t lengths = param > 0 ? tt_pi_shapes_value (function, shapes, call->packed, (int) param - 1) : 0;
  const TtPiNativeBlock rest = { .kind = block->kind == TT_PI_BLOCK_BINARY ? TT_PI_BLOCK_BYTES : TT_PI_BLOCK_FILE,
                                 .bytes = block->bytes + 8,
                                 .len = block->len - 8,
                                 .size = block->size - 8 };
  uint64_t index = tt_pi_get (block->bytes, 8), address, length;

  if (index >= n || binaries == 0 || lengths == 0)
    return false;
  memcpy (&address, (const uint8_t *) (uintptr_t) binaries + 8 * index, sizeof address);
  memcpy (&length, (const uint8_t *) (uintptr_t) lengths + 8 * index, sizeof length);
  Contents then = { rest.bytes, rest.len, NULL, 0 };
  if (rest.kind == TT_PI_BLOCK_FILE)
    then = map_file (&rest);
  then.len = address == 0 ? 0 : then.len < length ? then.len : length;
  bool differs = !has_other_addresses (&then, (const uint8_t *) (uintptr_t) address) &&
                 contents_differ (call, param, &then, (const uint8_t *) (uintptr_t) address, tells);
  if (then.mapped != NULL)
    munmap (then.mapped, then.mapped_len);
  return differs;
}

unsigned
tt_replay_binaries_differ (const TtReplayCall *call, unsigned param, bool tells)
{
  TtPiNativeRecord rest = call->begin;
  TtPiNativeBlock block;
  unsigned n = 0;

  while (tt_pi_native_block (&rest, &block))
    if (block.param == param && block.len >= 8 &&
        (block.kind == TT_PI_BLOCK_BINARY || block.kind == TT_PI_BLOCK_BINARY_FILE))
      n += binary_differs (call, param, &block, tells);
  return n;
}

bool
tt_replay_handed_differs (const TtReplayCall *call, unsigned param, const TtPiNativeBlock *block, bool tells)
{
  uint64_t value = tt_pi_shapes_value (call->function->function, &call->function->shapes, call->packed, (int) param);
  uint64_t size = tt_replay_bytes (call, (int) param);
  const uint8_t *now = (const uint8_t *) (uintptr_t) value;
  Contents then = { block->bytes, block->len, NULL, 0 };

  if ((block->kind != TT_PI_BLOCK_BYTES && block->kind != TT_PI_BLOCK_FILE) ||
      (__atomic_load_n (&has_kernels, __ATOMIC_RELAXED) && tt_replay_region_has (value)))
    return false;
  if (block->kind == TT_PI_BLOCK_FILE)
    then = map_file (block);
  if (then.len > size)
    then.len = size;
  uint8_t *whole = make_rows (call, param, &then, now);
  if (whole != NULL)
    then.bytes = whole;
  bool differs = contents_differ (call, param, &then, now, tells);
  free (whole);
  if (then.mapped != NULL)
    munmap (then.mapped, then.mapped_len);
  return differs;
}
