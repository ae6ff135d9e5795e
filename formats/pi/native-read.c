/* SPDX-License-Identifier: Apache-2.0 */
/* Checks and reads records of the native format. Plain C11: the replayer uses it, too. */
#include "formats/pi/native.h"

#include <string.h>

/* Smallest records of each kind, with the head. */
static const uint8_t smallest[] = {
  [TT_PI_NATIVE_NAME] = 24, [TT_PI_NATIVE_BEGIN] = 32, [TT_PI_NATIVE_END] = 32,
  [TT_PI_NATIVE_LOST] = 16, [TT_PI_NATIVE_TIMES] = 56,
};

const char *
tt_pi_native_header (const uint8_t *bytes, size_t len, TtPiNativeHeader *header)
{
  if (len < TT_PI_NATIVE_HEADER)
    return "the file is shorter than its header";
  if (memcmp (bytes, TT_PI_NATIVE_MAGIC, 8) != 0)
    return "it does not begin with " TT_PI_NATIVE_MAGIC;
  if (tt_pi_get (bytes + 8, 4) != TT_PI_NATIVE_VERSION)
    return "it was written by a version of tracetool that this one does not know";
  if (tt_pi_get (bytes + 12, 4) != TT_PI_NATIVE_HEADER)
    return "the length of its header is wrong";

  *header = (TtPiNativeHeader){
    .zero_monotonic_ns = tt_pi_get (bytes + 16, 8),
    .zero_wall_ns = tt_pi_get (bytes + 24, 8),
    .pid = (uint32_t) tt_pi_get (bytes + 32, 4),
    .tid = (uint32_t) tt_pi_get (bytes + 36, 4),
  };
  memcpy (header->task, bytes + 40, 16);
  return NULL;
}

uint32_t
tt_pi_native_record_size (const uint8_t *bytes, size_t len)
{
  return len < 8 ? 0 : (uint32_t) tt_pi_get (bytes, 4);
}

static const char *
read_name (const uint8_t *bytes, size_t len, TtPiNativeName *name)
{
  *name = (TtPiNativeName){
    .index = (uint32_t) tt_pi_get (bytes + 8, 4),
    .id = (uint32_t) tt_pi_get (bytes + 12, 4),
    .api = bytes[16],
    .n_params = bytes[17],
    .name_len = (uint16_t) tt_pi_get (bytes + 18, 2),
    .major = bytes[20],
    .minor = bytes[21],
    .release = (uint16_t) tt_pi_get (bytes + 22, 2),
    .sizes = bytes + 24,
    .name = (const char *) bytes + 24 + bytes[17],
  };
  if (len - 24 < (size_t) name->n_params + name->name_len)
    return "the name of a function is longer than its record";
  if (name->name_len == 0 || name->name_len > TT_PI_NATIVE_MAX_NAME ||
      memchr (name->name, '\0', name->name_len) != NULL)
    return "the name of a function is no name";
  for (unsigned i = 0; i < name->n_params; i++)
    if (name->sizes[i] == 0 || name->sizes[i] > 24)
      return "the size of a parameter is not 1 to 24";
  return NULL;
}

static const char *
check_blocks (const TtPiNativeRecord *record)
{
  const uint8_t *at = record->blocks;
  size_t left = record->blocks_len;

  for (unsigned i = 0; i < record->n_blocks; i++)
    {
      if (left < 16)
        return "a record ends inside a block";

      uint64_t len = tt_pi_get (at + 4, 4), whole = TT_PI_NATIVE_PAD (len);
      if (whole > left - 16)
        return "a block is longer than its record";
      if (len > tt_pi_get (at + 8, 8) && at[1] != TT_PI_BLOCK_FILE)
        return "a block has more bytes than there were";
      at += 16 + whole;
      left -= 16 + (size_t) whole;
    }
  return NULL;
}

static const char *
read_call (const uint8_t *bytes, size_t len, TtPiNativeRecord *record)
{
  size_t args = 0;

  record->instance = tt_pi_get (bytes + 16, 8);
  record->time_ns = tt_pi_get (bytes + 24, 8);
  record->n_blocks = (uint16_t) tt_pi_get (bytes + 6, 2);
  if (record->kind == TT_PI_NATIVE_BEGIN)
    {
      record->function = (uint32_t) tt_pi_get (bytes + 8, 4);
      record->backend = (int16_t) tt_pi_get (bytes + 12, 2);
      record->args_size = (uint16_t) tt_pi_get (bytes + 14, 2);
      record->args = bytes + 32;
      args = TT_PI_NATIVE_PAD (record->args_size);
    }
  else
    record->result = (int32_t) tt_pi_get (bytes + 8, 4);
  if (args > len - 32)
    return "the arguments of a call are longer than its record";
  record->blocks = bytes + 32 + args;
  record->blocks_len = len - 32 - args;
  return check_blocks (record);
}

static void
read_times (const uint8_t *bytes, TtPiNativeTimes *times)
{
  *times = (TtPiNativeTimes){
    .of = (uint16_t) tt_pi_get (bytes + 6, 2),
    .instance = tt_pi_get (bytes + 8, 8),
    .which = (uint32_t) tt_pi_get (bytes + 16, 4),
    .result = (int32_t) tt_pi_get (bytes + 20, 4),
  };
  for (unsigned i = 0; i < 4; i++)
    times->times[i] = tt_pi_get (bytes + 24 + 8 * i, 8);
}

const char *
tt_pi_native_record (const uint8_t *bytes, size_t len, TtPiNativeRecord *record)
{
  *record = (TtPiNativeRecord){ .kind = (uint16_t) tt_pi_get (bytes + 4, 2) };
  if (len % 8 != 0)
    return "the size of a record is not a multiple of 8";
  if (record->kind < TT_PI_NATIVE_NAME || record->kind > TT_PI_NATIVE_LAST)
    return NULL;
  if (len < smallest[record->kind])
    return "a record is too short for its kind";

  switch (record->kind)
    {
    case TT_PI_NATIVE_NAME:
      return read_name (bytes, len, &record->name);
    case TT_PI_NATIVE_LOST:
      record->lost = tt_pi_get (bytes + 8, 8);
      return NULL;
    case TT_PI_NATIVE_TIMES:
      read_times (bytes, &record->times);
      return NULL;
    default:
      return read_call (bytes, len, record);
    }
}

bool
tt_pi_native_block (TtPiNativeRecord *record, TtPiNativeBlock *block)
{
  if (record->n_blocks == 0)
    return false;

  const uint8_t *at = record->blocks;
  *block = (TtPiNativeBlock){
    .param = at[0],
    .kind = at[1],
    .len = (uint32_t) tt_pi_get (at + 4, 4),
    .size = tt_pi_get (at + 8, 8),
    .bytes = at + 16,
  };
  size_t whole = 16 + TT_PI_NATIVE_PAD ((size_t) block->len);
  record->blocks += whole;
  record->blocks_len -= whole;
  record->n_blocks--;
  return true;
}

bool
tt_pi_native_late (const TtPiNativeBlock *block, uint64_t *instance, uint64_t *param, TtPiNativeBlock *contents)
{
  bool is_file = block->kind == TT_PI_BLOCK_LATE_FILE;

  if ((block->kind != TT_PI_BLOCK_LATE && !is_file) || block->len < 16)
    return false;
  *instance = tt_pi_get (block->bytes, 8);
  *param = tt_pi_get (block->bytes + 8, 8);
  *contents = (TtPiNativeBlock){
    .param = block->param,
    .kind = is_file ? TT_PI_BLOCK_FILE : TT_PI_BLOCK_BYTES,
    .len = block->len - 16,
    .size = is_file ? block->size : block->len - 16,
    .bytes = block->bytes + 16,
  };
  return true;
}

/* The size of a call's record that stands here; 0: none. */
static size_t
call_at (const uint8_t *bytes, size_t len)
{
  uint32_t size = tt_pi_native_record_size (bytes, len);
  TtPiNativeRecord record;

  if (size < 32 || size > len || size > TT_PI_NATIVE_MAX_RECORD || tt_pi_native_record (bytes, size, &record) != NULL)
    return 0;
  return record.kind == TT_PI_NATIVE_BEGIN || record.kind == TT_PI_NATIVE_END ? size : 0;
}

bool
tt_pi_native_goes_on (const uint8_t *bytes, size_t len)
{
  /* What a dead process left is one record; bytes in it that look like a call are not followed by another. */
  for (size_t at = 8; at + 32 <= len; at += 8)
    {
      size_t size = call_at (bytes + at, len - at);
      if (size == 0)
        continue;
      size_t next = at + size;
      if (next == len || call_at (bytes + next, len - next) > 0 ||
          (at > 8 && len - next >= 8 && tt_pi_get (bytes + next, 8) == 0 && tt_pi_get (bytes + 4, 2) != 0))
        return true;
    }
  return false;
}

size_t
tt_pi_native_end (const uint8_t *bytes, size_t len)
{
  size_t at = TT_PI_NATIVE_HEADER;

  while (at < len)
    {
      uint32_t size = tt_pi_native_record_size (bytes + at, len - at);
      if (size < 8 || size > len - at)
        break;
      at += size;
    }
  return at < len ? at : len;
}

bool
tt_pi_native_may_end (const TtPiNativeRecord *record, unsigned *open)
{
  if (record->kind == TT_PI_NATIVE_BEGIN)
    ++*open;
  else if (record->kind == TT_PI_NATIVE_END && *open > 0)
    --*open;
  return *open < TT_PI_NATIVE_MAX_DEPTH;
}
