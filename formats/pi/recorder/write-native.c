/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/recorder/write-native.h"

#include "formats/pi/recorder/follow.h"
#include "formats/pi/recorder/images.h"
#include "formats/pi/recorder/late.h"
#include "formats/pi/recorder/memory.h"
#include "formats/pi/recorder/session.h"

#include <string.h>

/* Larger contents go to files of their own. */
#define MAX_INLINE (64 * 1024)
#define MAX_ITEMS 4096
#define LATE_PARAM 255 /* none of the call's own */
#define MAX_BINARIES 64
#define MAX_BINARY (UINT64_C (1) << 30)

typedef struct
{
  uint8_t *at; /* of the next block */
  size_t left;
  uint16_t n;
} Blocks;

static void
add_head (Blocks *blocks, unsigned param, uint8_t kind, size_t len, uint64_t size)
{
  uint8_t *at = blocks->at;
  size_t whole = 16 + TT_PI_NATIVE_PAD (len);

  at[0] = (uint8_t) param;
  at[1] = kind;
  tt_pi_put32 (at + 4, (uint32_t) len);
  tt_pi_put64 (at + 8, size);
  blocks->at += whole;
  blocks->left -= whole;
  blocks->n++;
}

/* How many of @size bytes fit. */
static size_t
fitting_size (const Blocks *blocks, uint64_t size)
{
  if (blocks->left < 24)
    return 0;
  return size < blocks->left - 24 ? (size_t) size : blocks->left - 24;
}

static void
add_block (Blocks *blocks, unsigned param, uint8_t kind, const void *bytes, uint64_t size)
{
  size_t len = fitting_size (blocks, size);

  if (blocks->left >= 24 && tt_record_copy (blocks->at + 16, bytes, len))
    add_head (blocks, param, kind, len, size);
}

typedef struct
{
  Blocks *blocks;
  const TtRecordCall *call;
  unsigned param;
} Pointees;

/* The address, then what is there. */
static const uint8_t *
take_pointee (void *data, uint64_t address, uint64_t size)
{
  Pointees *self = data;
  uint8_t *at = self->blocks->at + 16;

  if (size > MAX_INLINE || fitting_size (self->blocks, 8 + size) < 8 + size ||
      !tt_record_copy (at + 8, (const void *) (uintptr_t) address, (size_t) size))
    return NULL;
  tt_pi_put64 (at, address);
  add_head (self->blocks, self->param, TT_PI_BLOCK_POINTEE, 8 + (size_t) size, 8 + size);
  return at + 8;
}

static void
add_structs (Blocks *blocks, const TtRecordCall *call, unsigned param, const uint8_t *bytes, uint64_t size)
{
  const TtPiStruct *type = tt_pi_struct (call->function->function->params[param].type, call->function->release);
  const uint8_t *copy = blocks->at + 16;
  size_t len = fitting_size (blocks, size);
  uint16_t n = blocks->n;
  Pointees pointees = { blocks, call, param };

  add_block (blocks, param, TT_PI_BLOCK_BYTES, bytes, size);
  if (type != NULL && blocks->n > n)
    tt_record_follow (call, param, copy, len / type->size, take_pointee, &pointees);
}

static void
add_memory (Blocks *blocks,
            TtRecordThread *thread,
            const TtRecordCall *call,
            unsigned param,
            const uint8_t *bytes,
            uint64_t size)
{
  if (size <= MAX_INLINE && fitting_size (blocks, size) == size && blocks->left >= 24)
    {
      if (tt_record_copy (blocks->at + 16, bytes, (size_t) size))
        add_head (blocks, param, TT_PI_BLOCK_BYTES, (size_t) size, size);
      return;
    }

  char name[TT_RECORD_FILE_NAME];
  const TtRecordContents contents = { (int) param, bytes, size };
  if (tt_record_memory_file (thread, call, &contents, name))
    {
      size_t len = strlen (name);
      if (blocks->left < 24 + len)
        return;
      memcpy (blocks->at + 16, name, len);
      add_head (blocks, param, TT_PI_BLOCK_FILE, len, size);
    }
}

static void
add_texts (Blocks *blocks, unsigned param, const char *const *texts, uint64_t n)
{
  size_t len = 0;

  for (uint64_t i = 0; i < n && i < MAX_ITEMS; i++)
    {
      const char *text;
      uint64_t size;
      if (!tt_record_copy (&text, &texts[i], sizeof text))
        return;
      if (text == NULL)
        text = "";
      if (!tt_record_text_size ((const uint8_t *) text, &size))
        return;
      size_t part = (size_t) size + 1;
      if (fitting_size (blocks, len + part) < len + part)
        break;
      if (!tt_record_copy (blocks->at + 16 + len, text, part - 1))
        return;
      blocks->at[16 + len + part - 1] = '\0';
      len += part;
    }
  if (blocks->left >= 24)
    add_head (blocks, param, TT_PI_BLOCK_TEXTS, len, len);
}

static void
add_images (Blocks *blocks, unsigned param, void *const *images, uint64_t n)
{
  uint32_t numbers[256];

  if (n > 256)
    n = 256;
  tt_record_images (images, (uint32_t) n, numbers);
  if (blocks->left < 24 + 4 * n)
    return;
  for (uint64_t i = 0; i < n; i++)
    tt_pi_put32 (blocks->at + 16 + 4 * i, numbers[i]);
  add_head (blocks, param, TT_PI_BLOCK_IMAGES, 4 * n, 4 * n);
}

static void
add_binary (Blocks *blocks,
            TtRecordThread *thread,
            const TtRecordCall *call,
            unsigned param,
            const TtRecordContents *of)
{
  /* Files of several binaries of one parameter have names of their own. */
  const TtRecordContents contents = { (int) param + 1000 * (of->param + 1), of->bytes, of->size };
  char name[TT_RECORD_FILE_NAME];
  uint8_t *at = blocks->at + 16;

  if (fitting_size (blocks, 8 + sizeof name) < 8 + sizeof name)
    return;
  tt_pi_put64 (at, (uint64_t) of->param);
  if (of->size <= MAX_INLINE && fitting_size (blocks, 8 + of->size) == 8 + of->size)
    {
      if (tt_record_copy (at + 8, of->bytes, (size_t) of->size))
        add_head (blocks, param, TT_PI_BLOCK_BINARY, 8 + (size_t) of->size, 8 + of->size);
      return;
    }
  if (of->size > MAX_BINARY || !tt_record_memory_file (thread, call, &contents, name))
    return;
  size_t len = strlen (name);
  memcpy (at + 8, name, len);
  add_head (blocks, param, TT_PI_BLOCK_BINARY_FILE, 8 + len, 8 + (of->size > len ? of->size : len));
}

static void
add_binaries (Blocks *blocks, TtRecordThread *thread, const TtRecordCall *call, unsigned param, uint64_t n)
{
  const TtPiFunction *function = call->function->function;
  const TtPiShapes *shapes = &call->function->shapes;
  uint64_t binaries = tt_pi_shapes_value (function, shapes, call->args, (int) param);
  uint64_t lengths = param > 0 ? tt_pi_shapes_value (function, shapes, call->args, (int) param - 1) : 0;

  for (uint64_t i = 0; i < n && i < MAX_BINARIES && lengths != 0; i++)
    {
      uint64_t address, size;
      if (tt_record_copy (&address, (const void *) (uintptr_t) (binaries + 8 * i), 8) &&
          tt_record_copy (&size, (const void *) (uintptr_t) (lengths + 8 * i), 8) && address != 0)
        add_binary (blocks, thread, call, param,
                    &(TtRecordContents){ (int) i, (const void *) (uintptr_t) address, size });
    }
}

static void
add_param (Blocks *blocks, TtRecordThread *thread, const TtRecordCall *call, unsigned param, bool *waited)
{
  const TtPiShapes *shapes = &call->function->shapes;
  const TtPiShape *shape = &shapes->params[param];
  uint64_t value = tt_pi_shapes_value (call->function->function, shapes, call->args, (int) param);
  bool is_text = shape->shape == TT_PI_SHAPE_TEXT || shape->shape == TT_PI_SHAPE_ANSWER;
  const uint8_t *bytes;
  uint64_t size;

  if (value == 0)
    return;
  if (shape->shape == TT_PI_SHAPE_TEXTS || shape->shape == TT_PI_SHAPE_IMAGES || shape->shape == TT_PI_SHAPE_BINARIES)
    {
      uint64_t n = tt_pi_shapes_value (call->function->function, shapes, call->args, shape->count);
      if (shape->shape == TT_PI_SHAPE_TEXTS)
        add_texts (blocks, param, (const char *const *) (uintptr_t) value, n);
      else if (shape->shape == TT_PI_SHAPE_BINARIES)
        add_binaries (blocks, thread, call, param, n);
      else
        add_images (blocks, param, (void *const *) (uintptr_t) value, n);
      return;
    }
  if (shape->shape == TT_PI_SHAPE_MAPPED || shape->shape == TT_PI_SHAPE_ANSWER)
    add_block (blocks, param, TT_PI_BLOCK_BYTES, (const void *) (uintptr_t) value, 8);
  if ((shape->flags & TT_PI_SHAPE_MEMORY) != 0 && !tt_record_wants_memory (call, param, waited))
    return;
  if (!tt_record_extent (call, param, &bytes, &size))
    return;
  if ((shape->flags & TT_PI_SHAPE_MEMORY) != 0 || (size > MAX_INLINE && !is_text))
    add_memory (blocks, thread, call, param, bytes, size);
  else if (call->function->api == TT_PI_API_UR && shape->shape == TT_PI_SHAPE_ITEMS &&
           (shape->flags & TT_PI_SHAPE_OUT) == 0)
    add_structs (blocks, call, param, bytes, size);
  else
    add_block (blocks, param, is_text ? TT_PI_BLOCK_TEXT : TT_PI_BLOCK_BYTES, bytes, size);
}

/* Which call asked, and what is there now. */
static void
add_late (Blocks *blocks, const TtRecordThread *thread, const TtRecordLate *late)
{
  const void *bytes = (const void *) (uintptr_t) late->address;
  const TtRecordCall asking = { .instance = late->instance };
  const TtRecordContents contents = { (int) late->param, bytes, late->size };
  char name[TT_RECORD_FILE_NAME];
  size_t room = fitting_size (blocks, 16 + late->size);
  uint8_t *at = blocks->at + 16;

  if (room < 16)
    return;
  tt_pi_put64 (at, late->instance);
  tt_pi_put64 (at + 8, late->param);
  if (late->size <= MAX_INLINE && room == 16 + late->size)
    {
      if (tt_record_copy (at + 16, bytes, (size_t) late->size))
        add_head (blocks, LATE_PARAM, TT_PI_BLOCK_LATE, room, room);
      return;
    }
  if (!tt_record_memory_file (thread, &asking, &contents, name))
    return;
  size_t len = strlen (name);
  if (blocks->left < 40 + len)
    return;
  memcpy (at + 16, name, len);
  add_head (blocks, LATE_PARAM, TT_PI_BLOCK_LATE_FILE, 16 + len, late->size > 16 + len ? late->size : 16 + len);
}

static void
add_lates (Blocks *blocks, const TtRecordThread *thread, const TtRecordCall *call)
{
  TtRecordLate done[16];
  const unsigned max = sizeof done / sizeof done[0];
  unsigned n = tt_record_late_end (call, done, max);

  for (;;)
    {
      for (unsigned i = 0; i < n; i++)
        add_late (blocks, thread, &done[i]);
      if (n < max)
        return;
      n = tt_record_late_more (done, max);
    }
}

/* Adds the blocks of inputs, or @after the call those of outputs. */
static uint16_t
add_params (uint8_t *at, TtRecordThread *thread, const TtRecordCall *call, bool after, size_t *used)
{
  const TtPiFunction *function = call->function->function;
  Blocks blocks = { .at = at, .left = TT_PI_NATIVE_MAX_BLOCKS };
  bool waited = false;

  for (unsigned i = 0; call->args_size > 0 && i < function->n_params; i++)
    {
      const TtPiShape *shape = &call->function->shapes.params[i];
      if (shape->shape != TT_PI_SHAPE_NONE && ((shape->flags & TT_PI_SHAPE_OUT) != 0) == after)
        add_param (&blocks, thread, call, i, &waited);
    }
  if (after)
    add_lates (&blocks, thread, call);
  *used = (size_t) (blocks.at - at);
  return blocks.n;
}

static void
write_name (TtRecordThread *thread, const TtRecordFunction *function)
{
  uint8_t sizes[TT_PI_MAX_PARAMS], n_params = 0;

  if ((thread->named[function->index / 8] & (1u << function->index % 8)) != 0)
    return;
  for (; function->function != NULL && n_params < function->function->n_params; n_params++)
    sizes[n_params] = function->function->params[n_params].size;

  TtPiNativeName name = {
    .index = function->index,
    .id = function->id,
    .api = (uint8_t) function->api,
    .n_params = n_params,
    .major = function->major,
    .minor = function->minor,
    .release = function->release,
    .sizes = sizes,
    .name = function->name,
    .name_len = (uint16_t) strlen (function->name),
  };
  tt_pi_native_write_name (&thread->writer, &name);
  thread->named[function->index / 8] |= (uint8_t) (1u << function->index % 8);
}

static void
report_error (TtRecordThread *thread)
{
  if (thread->writer.error != 0)
    tt_record_complain ("cannot write", thread->path, thread->writer.error);
}

void
tt_record_native_begin (TtRecordThread *thread, TtRecordCall *call)
{
  size_t args = TT_PI_NATIVE_PAD ((size_t) call->args_size), used;

  write_name (thread, call->function);
  if (thread->lost > thread->lost_written)
    {
      tt_pi_native_write_lost (&thread->writer, thread->lost - thread->lost_written);
      thread->lost_written = thread->lost;
    }
  uint8_t *at = tt_pi_native_reserve (&thread->writer, TT_PI_NATIVE_MAX_RECORD);
  if (at == NULL)
    {
      report_error (thread);
      return;
    }
  tt_pi_put32 (at + 8, call->function->index);
  tt_pi_put16 (at + 12, (uint16_t) call->backend);
  tt_pi_put16 (at + 14, call->args_size);
  tt_pi_put64 (at + 16, call->instance);
  memcpy (at + 32, call->args, call->args_size);
  uint16_t n = add_params (at + 32 + args, thread, call, false, &used);
  call->start_ns = tt_record_now ();
  tt_pi_put64 (at + 24, call->start_ns);
  tt_pi_native_commit (&thread->writer, TT_PI_NATIVE_BEGIN, n, 32 + args + used);
}

void
tt_record_native_end (TtRecordThread *thread, const TtRecordCall *call, int32_t result, uint64_t end_ns)
{
  uint8_t *at = tt_pi_native_reserve (&thread->writer, TT_PI_NATIVE_MAX_RECORD);
  size_t used = 0;
  uint16_t n = 0;

  if (at == NULL)
    {
      report_error (thread);
      return;
    }
  tt_pi_put32 (at + 8, (uint32_t) result);
  tt_pi_put64 (at + 16, call->instance);
  tt_pi_put64 (at + 24, end_ns);
  /* A failed call does not write its outputs. */
  if (result == 0)
    n = add_params (at + 32, thread, call, true, &used);
  tt_pi_native_commit (&thread->writer, TT_PI_NATIVE_END, n, 32 + used);
}
