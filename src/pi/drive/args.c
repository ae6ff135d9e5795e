/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* Makes the arguments of a recorded call again, with present handles and addresses. */
#include "src/pi/drive/private.h"

#include "src/base/look.h"

#include <string.h>

#define HOST_PTR_USE 8u

gboolean
tt_drive_block (const TtPiNativeRecord *record, guint param, guint nth, TtPiNativeBlock *block)
{
  TtPiNativeRecord rest = *record;

  while (tt_pi_native_block (&rest, block))
    if (block->param == param && nth-- == 0)
      return TRUE;
  return FALSE;
}

guint64
tt_drive_value (const TtDriveCall *call, int param)
{
  return param < 0 ? 0
                   : tt_pi_shapes_value (call->function->function, &call->function->shapes, call->begin.args, param);
}

/* What a parameter pointed to: recorded before the call, or after. */
static bool
peek (const void *data, unsigned param, void *to, size_t size)
{
  const TtDriveCall *call = data;
  TtPiNativeBlock block;
  gboolean is_there = tt_drive_block (&call->begin, param, 0, &block) ||
                      (call->has_end && tt_drive_block (&call->end, param, 0, &block));

  if (!is_there || block.kind != TT_PI_BLOCK_BYTES || block.len < size)
    return false;
  memcpy (to, block.bytes, size);
  return true;
}

TtPiGiven
tt_drive_given (TtDriver *self, const TtDriveCall *call)
{
  return (TtPiGiven){
    .function = call->function->function,
    .shapes = &call->function->shapes,
    .args = call->begin.args,
    .release = call->function->release,
    .peek = peek,
    .data = call,
    .pixels = &self->pixels,
  };
}

guint64
tt_drive_bytes (TtDriver *self, const TtDriveCall *call, guint param)
{
  const TtPiGiven given = tt_drive_given (self, call);

  return tt_pi_given_bytes (&given, (int) param);
}

GBytes *
tt_drive_contents (const TtDriver *self, const TtPiNativeBlock *block)
{
  g_autofree char *name = g_strndup ((const char *) block->bytes, block->len);
  g_autofree char *path = g_build_filename (self->job->directory, "buffers", name, NULL);
  g_autoptr (GMappedFile) file = NULL;

  if (block->kind != TT_PI_BLOCK_FILE)
    return g_bytes_new_static (block->bytes, block->len);
  if (strchr (name, '/') != NULL || (file = tt_look_map (path, NULL)) == NULL || g_mapped_file_get_length (file) < 8)
    return NULL;
  g_autoptr (GBytes) whole = g_mapped_file_get_bytes (file);
  return g_bytes_new_from_bytes (whole, 8, g_bytes_get_size (whole) - 8);
}

static guint64
to_word (gconstpointer address)
{
  return (guint64) (guintptr) address;
}

static void
do_nothing (void)
{
}

/* -- what goes in ----------------------------------------------------------------------------------- */

static guint64
texts_argument (TtDriveCall *call, const TtPiNativeBlock *block, guint64 n)
{
  const char **texts = tt_drive_own_memory (call, (gsize) MIN (n, 4096) * sizeof *texts);
  const char *at = (const char *) block->bytes, *end = at + block->len;

  for (guint64 i = 0; i < MIN (n, 4096) && at < end; i++)
    {
      gsize len = strnlen (at, (gsize) (end - at));
      char *text = tt_drive_own_memory (call, len + 1);
      memcpy (text, at, len);
      texts[i] = text;
      at += len + 1;
    }
  return to_word (texts);
}

static guint64
images_argument (TtDriver *self, TtDriveCall *call, const TtPiNativeBlock *block)
{
  gpointer *images = tt_drive_own_memory (call, block->len / 4 * sizeof *images);

  for (guint i = 0; i < block->len / 4; i++)
    {
      guint64 number = tt_pi_get (block->bytes + 4 * i, 4);
      if (number >= self->n_images || self->images[number] == NULL)
        {
          call->problem = "a device image is not in the recording";
          return 0;
        }
      images[i] = self->images[number];
    }
  return to_word (images);
}

/* An array of pointers to binaries, each of which has a block of its own. */
static guint64
binaries_argument (TtDriver *self, TtDriveCall *call, guint param)
{
  guint64 n = tt_drive_value (call, call->function->shapes.params[param].count);
  TtPiNativeBlock block;

  if (n == 0 || n > 4096)
    return 0;
  gpointer *binaries = tt_drive_own_memory (call, n * sizeof *binaries);
  guint64 n_found = 0;
  for (guint nth = 0; tt_drive_block (&call->begin, param, nth, &block); nth++)
    {
      guint64 number = block.len >= 8 ? tt_pi_get (block.bytes, 8) : n;
      TtPiNativeBlock rest = { .kind = block.kind == TT_PI_BLOCK_BINARY_FILE ? TT_PI_BLOCK_FILE : TT_PI_BLOCK_BYTES,
                               .bytes = block.bytes + 8,
                               .len = block.len - 8,
                               .size = block.size - 8 };
      if ((block.kind != TT_PI_BLOCK_BINARY && block.kind != TT_PI_BLOCK_BINARY_FILE) || number >= n)
        continue;
      g_autoptr (GBytes) contents = tt_drive_contents (self, &rest);
      gsize len = 0;
      const void *bytes = contents != NULL ? g_bytes_get_data (contents, &len) : NULL;
      if (bytes == NULL || len < rest.size)
        continue;
      n_found += binaries[number] == NULL;
      binaries[number] = tt_drive_own_memory (call, len + 1);
      memcpy (binaries[number], bytes, len);
    }
  if (n_found < n)
    call->problem = "only a part of its input is in the recording";
  return to_word (binaries);
}

/* A plugin reads and writes what the call says, which must be no more than it is given. A call that was refused touches
 * nothing. */
static gboolean
is_bounded (TtDriver *self, TtDriveCall *call, guint param)
{
  const TtPiShapes *shapes = &call->function->shapes;
  const TtPiShape *shape = &shapes->params[param];
  gboolean is_nothing = shapes->rows == TT_PI_ROWS_NONE && tt_drive_value (call, shape->count) == 0;

  if ((shape->flags & TT_PI_SHAPE_MEMORY) == 0 || (call->has_end && call->end.result != 0) || is_nothing ||
      tt_drive_bytes (self, call, param) > 0)
    return TRUE;
  call->problem = "how much memory it means is not known";
  return FALSE;
}

static guint64
bytes_argument (TtDriver *self, TtDriveCall *call, guint param, const TtPiNativeBlock *block)
{
  const TtPiShape *shape = &call->function->shapes.params[param];
  g_autoptr (GBytes) contents = tt_drive_contents (self, block);
  gsize len = 0;
  const void *bytes = contents != NULL ? g_bytes_get_data (contents, &len) : NULL;
  guint64 live;
  gboolean is_device;

  if (contents == NULL || len < block->size)
    {
      call->problem = "only a part of its input is in the recording";
      return 0;
    }
  if (!is_bounded (self, call, param))
    return 0;
  /* Memory that the program shares with the device is changed where it is. */
  if ((shape->flags & TT_PI_SHAPE_MEMORY) != 0 &&
      tt_drive_live_address (self, tt_drive_value (call, (int) param), &live, &is_device))
    {
      if (!is_device)
        memcpy ((gpointer) (guintptr) live, bytes, MIN (len, tt_drive_bytes (self, call, param)));
      return live;
    }
  guint8 *copy = tt_drive_own_memory (call, len + 1);
  memcpy (copy, bytes, len);
  if (tt_drive_structs (self, call, param, copy, len))
    return to_word (copy);
  if ((shape->flags & TT_PI_SHAPE_HANDLES) != 0)
    tt_drive_translate (self, call, copy, len, TRUE);
  else if ((shape->flags & TT_PI_SHAPE_MEMORY) == 0 &&
           (shape->shape == TT_PI_SHAPE_LIST || strstr (call->function->name, "KernelSetArg") != NULL))
    tt_drive_translate (self, call, copy, len, FALSE);
  return to_word (copy);
}

static guint64
input_argument (TtDriver *self, TtDriveCall *call, guint param)
{
  guint64 value = tt_drive_value (call, (int) param), live;
  const TtPiShape *shape = &call->function->shapes.params[param];
  const TtPiParam *given = &call->function->function->params[param];
  TtPiNativeBlock block;
  gboolean is_device;

  /* The host's structure of the plugin. */
  if (strcmp (call->function->name, "piTearDown") == 0)
    return to_word (self->plugin);
  if (!tt_drive_block (&call->begin, param, 0, &block))
    {
      /* Memory of a device, a mapped buffer, what is freed. Of all else only data for callbacks can be left out. */
      if (tt_drive_live_address (self, value, &live, &is_device))
        return live;
      gboolean is_known = shape->shape != TT_PI_SHAPE_NONE;
      if (is_known ? (shape->flags & TT_PI_SHAPE_MEMORY) == 0 || call->function->shapes.flags < 0
                   : given->role != TT_PI_ROLE_PLAIN || strcmp (given->type, "byte") == 0)
        call->problem = "its input is not in the recording";
      return 0;
    }
  if (shape->shape == TT_PI_SHAPE_BINARIES)
    return binaries_argument (self, call, param);
  if (block.kind == TT_PI_BLOCK_TEXTS)
    return texts_argument (call, &block, tt_drive_value (call, shape->count));
  if (block.kind == TT_PI_BLOCK_IMAGES)
    return images_argument (self, call, &block);
  return bytes_argument (self, call, param, &block);
}

/* -- what comes out --------------------------------------------------------------------------------- */

/* Filled with what the answer must not be, so that what the plugin does not write is seen. */
static guint64
output_argument (TtDriver *self, TtDriveCall *call, guint param)
{
  const TtPiShape *shape = &call->function->shapes.params[param];
  guint64 size = shape->shape == TT_PI_SHAPE_MAPPED ? 8 : tt_drive_bytes (self, call, param);
  guint64 live;
  gboolean is_device;
  TtPiNativeBlock block;

  if ((shape->flags & TT_PI_SHAPE_EITHER) != 0 &&
      tt_drive_live_address (self, tt_drive_value (call, (int) param), &live, &is_device))
    return live;
  if (shape->shape != TT_PI_SHAPE_MAPPED && !is_bounded (self, call, param))
    return 0;
  guint8 *buffer = g_try_malloc0 (MAX ((gsize) size, 8));
  if (buffer == NULL)
    {
      call->problem = "its output is larger than the memory";
      return 0;
    }
  if (tt_drive_block (&call->end, param, 0, &block) && block.kind == TT_PI_BLOCK_BYTES &&
      (shape->flags & TT_PI_SHAPE_HANDLES) == 0)
    for (gsize i = 0; i < MIN (size, block.len); i++)
      buffer[i] = (guint8) ~block.bytes[i];
  call->buffers[param] = buffer;
  return to_word (buffer);
}

static guint64
make_argument (TtDriver *self, TtDriveCall *call, guint param)
{
  const TtPiParam *given = &call->function->function->params[param];
  const TtPiShape *shape = &call->function->shapes.params[param];
  guint64 value = tt_drive_value (call, (int) param), live = 0;

  /* By value: see unified.c. */
  if (given->size > 8 || value == 0)
    return 0;
  switch (given->kind)
    {
    case TT_PI_KIND_FLOAT:
      call->problem = "it has floating-point arguments";
      return 0;
    case TT_PI_KIND_HANDLE:
      if (!tt_drive_live_handle (self, value, &live))
        call->problem = "it uses a handle that no recorded call returned";
      return live;
    case TT_PI_KIND_NATIVE:
      /* Made by the program without the plugin: here it is an address of nothing. */
      if (!tt_drive_live_handle (self, value, &live))
        call->problem = "it uses a native handle that no recorded call returned";
      return live;
    case TT_PI_KIND_FUNCTION:
      return (guint64) (guintptr) do_nothing;
    case TT_PI_KIND_POINTER:
    case TT_PI_KIND_STRING:
      return (shape->flags & TT_PI_SHAPE_OUT) != 0 ? output_argument (self, call, param)
                                                   : input_argument (self, call, param);
    default:
      return value;
    }
}

gboolean
tt_drive_prepare (TtDriver *self, TtDriveCall *call)
{
  const TtPiFunction *function = call->function->function;

  call->owned = g_ptr_array_new_with_free_func (g_free);
  call->problem = function == NULL ? "its parameters are not known" : NULL;
  /* A damaged recording may have functions of both APIs; the table has those of one. */
  if (function != NULL && ((function->api == TT_PI_API_UR) != self->is_ur || self->table[call->function->id] == NULL))
    call->problem = "the plugin does not have it";
  for (guint i = 0; call->problem == NULL && i < function->n_params; i++)
    call->args[i] = make_argument (self, call, i);
  return call->problem == NULL;
}

/* A command that does not block and gives no event: nobody knows when it has run, and what it reads and writes
 * stays. */
static gboolean
may_still_run (const TtDriveCall *call)
{
  const TtPiShapes *shapes = &call->function->shapes;

  return call->function->function != NULL && shapes->blocking >= 0 && tt_drive_value (call, shapes->blocking) == 0 &&
         (shapes->event < 0 || call->buffers[shapes->event] == NULL);
}

/* An object that has the memory of its host for its own. */
static gboolean
keeps_memory (const TtDriveCall *call)
{
  return call->function->function != NULL && call->function->shapes.flags >= 0 &&
         (tt_drive_value (call, call->function->shapes.flags) & HOST_PTR_USE) != 0;
}

void
tt_drive_call_clear (TtDriveCall *call)
{
  if (may_still_run (call) || keeps_memory (call))
    return;
  for (guint i = 0; i < TT_DRIVE_MAX_ARGS; i++)
    g_clear_pointer (&call->buffers[i], g_free);
  g_clear_pointer (&call->owned, g_ptr_array_unref);
}
