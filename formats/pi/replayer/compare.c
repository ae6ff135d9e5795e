/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/replayer/compare.h"

#include "formats/pi/replayer/handed.h"
#include "formats/pi/replayer/ids.h"
#include "formats/pi/replayer/regions.h"
#include "formats/pi/replayer/report.h"
#include "formats/pi/replayer/structs.h"

#include <stdlib.h>
#include <string.h>

/* More differences of a thread are only counted. */
#define MAX_REPORTED 10
#define MAX_WORDS 8 /* of a value that are shown */

static bool
find_block (const TtPiNativeRecord *record, unsigned param, TtPiNativeBlock *block)
{
  TtPiNativeRecord rest = *record;

  while (tt_pi_native_block (&rest, block))
    if (block->param == param)
      return true;
  return false;
}

static uint64_t
recorded_value (const TtReplayCall *call, unsigned param)
{
  return tt_pi_shapes_value (call->function->function, &call->function->shapes, call->begin.args, (int) param);
}

static void
describe_value (FILE *out, const TtPiParam *param, uint64_t value, const TtPiNativeBlock *block)
{
  if (block != NULL && block->kind == TT_PI_BLOCK_TEXT)
    fprintf (out, "\"%.*s\"", (int) (block->len < 200 ? block->len : 200), (const char *) block->bytes);
  else if (block != NULL && block->kind == TT_PI_BLOCK_BYTES && block->len % 8 == 0 && block->len <= 64)
    {
      fprintf (out, "[");
      for (uint32_t i = 0; i < block->len; i += 8)
        fprintf (out, "%s0x%llx", i > 0 ? ", " : "", (unsigned long long) tt_pi_get (block->bytes + i, 8));
      fprintf (out, "]");
    }
  else if (param->kind == TT_PI_KIND_UINT || param->kind == TT_PI_KIND_BOOL)
    fprintf (out, "%llu", (unsigned long long) value);
  else if (param->kind == TT_PI_KIND_INT)
    fprintf (out, "%d", (int) (int32_t) value);
  else
    fprintf (out, "0x%llx", (unsigned long long) value);
}

void
tt_replay_describe (FILE *out, const TtReplayCall *call)
{
  const TtPiFunction *function = call->function->function;

  fprintf (out, "%s(", call->function->name);
  for (unsigned i = 0; function != NULL && i < function->n_params; i++)
    {
      TtPiNativeBlock block;
      bool has_block = find_block (&call->begin, i, &block);
      fprintf (out, "%s%s=", i > 0 ? ", " : "", function->params[i].name);
      describe_value (out, &function->params[i], recorded_value (call, i), has_block ? &block : NULL);
    }
  fprintf (out, ")");
}

static void
report_difference (const TtReplayCall *call, unsigned param, const char *actual)
{
  char *text = NULL, *value = NULL;
  size_t len, value_len;
  TtPiNativeBlock block;
  bool has_block = find_block (&call->begin, param, &block);
  FILE *whole = open_memstream (&text, &len), *one = open_memstream (&value, &value_len);

  if (whole != NULL && one != NULL)
    {
      tt_replay_describe (whole, call);
      describe_value (one, &call->function->function->params[param], recorded_value (call, param),
                      has_block ? &block : NULL);
      fclose (whole);
      fclose (one);
      tt_replay_report ("differs", "thread %s, record %llu: %s is %s, expected %s in %s", call->thread->name,
                        (unsigned long long) call->thread->record - 1, call->function->function->params[param].name,
                        actual, value, text);
    }
  free (text);
  free (value);
}

static bool
is_compared (const TtPiParam *param)
{
  switch (param->kind)
    {
    case TT_PI_KIND_UINT:
    case TT_PI_KIND_INT:
    case TT_PI_KIND_BOOL:
    case TT_PI_KIND_ENUM:
    case TT_PI_KIND_FLAGS:
      return true;
    case TT_PI_KIND_HANDLE:
      return tt_replay_has_handles ();
    default:
      return false;
    }
}

/* Memory that was allocated by a call: it is elsewhere now. */
static bool
is_other_memory (const TtPiParam *param, uint64_t now, uint64_t then)
{
  uint64_t live;

  return param->kind == TT_PI_KIND_POINTER && then != 0 && tt_replay_region_usm (then, &live) && now != live;
}

/* Addresses stand alone or in a structure that is handed to a kernel, which may have room between its members; and what
 * is a program's binary where processors are the device are addresses of its functions. A list may end now where
 * another word was. */
static bool
has_same_words (const TtPiNativeBlock *block, const uint8_t *now, bool is_structure)
{
  uint32_t at = 0;

  for (; at + 8 <= block->len; at += 8)
    {
      uint64_t then = tt_pi_get (block->bytes + at, 8);
      uint64_t is = tt_pi_get (now + at, 8);
      if (is != then && is != tt_replay_live_address (then) &&
          !(is_structure && block->len > 8 && tt_replay_is_left_over (then, is)))
        return false;
    }
  return memcmp (now + at, block->bytes + at, block->len - at) == 0;
}

/* Pointees that are neither memory nor outputs. Addresses in them are present ones. */
static bool
has_same_contents (const TtReplayCall *call, unsigned param, const TtPiNativeBlock *block, const void *now)
{
  const TtPiShape *shape = &call->function->shapes.params[param];

  if (block->kind == TT_PI_BLOCK_TEXT)
    return strlen (now) == block->size && memcmp (now, block->bytes, block->len) == 0;
  if (block->kind != TT_PI_BLOCK_BYTES)
    return true;
  if ((shape->flags & TT_PI_SHAPE_HANDLES) != 0 && !tt_replay_has_handles ())
    return true;
  return has_same_words (block, now,
                         strcmp (call->function->name, "piKernelSetArg") == 0 ||
                             strcmp (call->function->name, "urKernelSetArgValue") == 0 ||
                             strstr (call->function->name, "ProgramCreateWithBinary") != NULL);
}

static void
describe_words (char *text, size_t size, const uint8_t *words, unsigned n)
{
  size_t len = 0;

  for (unsigned i = 0; i < n && len < size; i++)
    len += (size_t) snprintf (text + len, size - len, "%s0x%llx%s", i == 0 ? "[" : ", ",
                              (unsigned long long) tt_pi_get (words + 8 * i, 8), i + 1 < n ? "" : "]");
}

static bool
param_differs (const TtReplayCall *call, unsigned i, char *actual, size_t size)
{
  const TtPiParam *param = &call->function->function->params[i];
  const TtPiShape *shape = &call->function->shapes.params[i];
  uint64_t now = tt_pi_shapes_value (call->function->function, &call->function->shapes, call->packed, (int) i);
  uint64_t then = recorded_value (call, i);
  TtPiNativeBlock block;

  snprintf (actual, size, param->kind == TT_PI_KIND_UINT || param->kind == TT_PI_KIND_BOOL ? "%llu" : "0x%llx",
            (unsigned long long) now);
  if (is_compared (param))
    return now != then;
  if (param->size > 8)
    {
      uint16_t at = call->function->shapes.offsets[i];
      snprintf (actual, size, "another one");
      return memcmp (call->packed + at, call->begin.args + at, param->size) != 0;
    }
  if (is_other_memory (param, now, then))
    return true;
  if (shape->shape == TT_PI_SHAPE_NONE)
    return false;
  if ((now == 0) != (then == 0))
    return true;
  if (now == 0 || (shape->flags & (TT_PI_SHAPE_OUT | TT_PI_SHAPE_MEMORY)) != 0 || !find_block (&call->begin, i, &block))
    return false;
  if (tt_replay_has_structs (call, i))
    return tt_replay_structs_differ (call, i, &block, actual, size);
  /* A large input that is no memory object: code of a program. */
  if (block.kind == TT_PI_BLOCK_FILE && shape->shape == TT_PI_SHAPE_ITEMS)
    {
      snprintf (actual, size, "other contents");
      return tt_replay_handed_differs (call, i, &block, false);
    }
  bool fits =
      shape->shape != TT_PI_SHAPE_ITEMS ||
      block.len <= tt_pi_shapes_bytes (call->function->function, &call->function->shapes, call->packed, (int) i);
  if (fits && has_same_contents (call, i, &block, (const void *) (uintptr_t) now))
    return false;
  if (shape->shape == TT_PI_SHAPE_TEXT)
    snprintf (actual, size, "\"%.200s\"", (const char *) (uintptr_t) now);
  else if (fits && block.kind == TT_PI_BLOCK_BYTES && block.len % 8 == 0 && block.len > 0 && block.len <= MAX_WORDS * 8)
    describe_words (actual, size, (const uint8_t *) (uintptr_t) now, block.len / 8);
  else
    snprintf (actual, size, "other contents");
  return true;
}

/* Contents of memory that the call hands to the device. */
static unsigned
compare_handed (const TtReplayCall *call)
{
  unsigned n = 0;

  for (unsigned i = 0; i < call->function->function->n_params; i++)
    {
      const TtPiShape *shape = &call->function->shapes.params[i];
      uint64_t now = tt_pi_shapes_value (call->function->function, &call->function->shapes, call->packed, (int) i);
      TtPiNativeBlock block;
      if ((shape->flags & (TT_PI_SHAPE_OUT | TT_PI_SHAPE_MEMORY)) == TT_PI_SHAPE_MEMORY && now != 0 &&
          find_block (&call->begin, i, &block))
        n += tt_replay_handed_differs (call, i, &block, call->thread->n_different < MAX_REPORTED);
      if (shape->shape == TT_PI_SHAPE_BINARIES && now != 0)
        n += tt_replay_binaries_differ (call, i, call->thread->n_different < MAX_REPORTED);
    }
  return n;
}

/* Numbers first: they say how many elements a pointer points to, and where they differ it is not known. */
bool
tt_replay_is_same (const TtReplayCall *call)
{
  const TtPiFunction *function = call->function->function;
  char actual[256];

  for (unsigned pass = 0; function != NULL && pass < 2; pass++)
    for (unsigned i = 0; i < function->n_params; i++)
      if (is_compared (&function->params[i]) == (pass == 0) && param_differs (call, i, actual, sizeof actual))
        return false;
  return true;
}

unsigned
tt_replay_compare (const TtReplayCall *call)
{
  unsigned n = 0;
  char actual[256];
  bool sizes_differ = false;

  if (call->function->function == NULL)
    return 0;
  /* Numbers first: they say how many elements a pointer points to. */
  for (unsigned pass = 0; pass < 2; pass++)
    for (unsigned i = 0; i < call->function->function->n_params; i++)
      {
        bool is_number = is_compared (&call->function->function->params[i]);
        if (is_number != (pass == 0) || (pass == 1 && sizes_differ) || !param_differs (call, i, actual, sizeof actual))
          continue;
        n++;
        sizes_differ |= is_number;
        if (call->thread->n_different < MAX_REPORTED)
          report_difference (call, i, actual);
      }
  /* Of other sizes it is not known what there is. */
  if (!sizes_differ)
    n += compare_handed (call);
  tt_replay_note_kernel (call);
  if (n > 0)
    {
      __atomic_add_fetch (&call->thread->n_different, 1, __ATOMIC_RELAXED);
      tt_replay_report ("different", "1");
    }
  return n;
}
