/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/shape.h"

#include "formats/pi/native.h"

#include <string.h>

/* Bytes of an item by its type. */
static const struct
{
  const char *type;
  uint8_t size;
} widths[] = {
  { "byte", 1 },  { "uint32", 4 }, { "int32", 4 },         { "bool", 4 },     { "command_buffer_sync_point", 4 },
  { "size", 8 },  { "uint64", 8 }, { "native_handle", 8 }, { "property", 8 }, { "pointer", 8 },
  { "rect", 24 },
};

/* Objects of both APIs, whose handles are addresses. */
static const char *const objects[] = {
  "platform",
  "device",
  "context",
  "queue",
  "mem",
  "program",
  "kernel",
  "event",
  "sampler",
  "usm_pool",
  "adapter",
  "image",
  "physical_mem",
  "command_buffer",
  "command_buffer_command",
  "image_mem",
  "graph",
  "executable_graph",
  "loader_config",
  "external_semaphore",
  "external_mem",
};

/* Parameters whose role does not say how much there is. */
static const struct
{
  const char *function, *param;
  uint8_t shape, flags, n;
  const char *count;
} special[] = {
  { "piextDeviceSelectBinary", "binaries", TT_PI_SHAPE_IMAGES, 0, 8, "num_binaries" },
  { "piclProgramCreateWithSource", "strings", TT_PI_SHAPE_TEXTS, 0, 8, "count" },
  { "piProgramCompile", "header_include_names", TT_PI_SHAPE_TEXTS, 0, 8, "num_input_headers" },
  { "piProgramCreateWithBinary", "binaries", TT_PI_SHAPE_BINARIES, 0, 8, "num_devices" },
  { "urProgramCreateWithBinary", "ppBinaries", TT_PI_SHAPE_BINARIES, 0, 8, "numDevices" },
  { "piProgramCreateWithBinary", "metadata", TT_PI_SHAPE_NONE, 0, 0, NULL },
  { "piEnqueueNativeKernel", "args_mem_loc", TT_PI_SHAPE_NONE, 0, 0, NULL },
  { "piMemImageCreate", "image_format", TT_PI_SHAPE_ITEMS, 0, 8, NULL },
  { "piMemImageCreate", "image_desc", TT_PI_SHAPE_ITEMS, 0, 72, NULL },
  { "piMemBufferPartition", "buffer_create_info", TT_PI_SHAPE_ITEMS, 0, 16, NULL },
  { "piEnqueueMemImageFill", "fill_color", TT_PI_SHAPE_ITEMS, 0, 16, NULL },
  { "piMemBufferCreate", "host_ptr", TT_PI_SHAPE_ITEMS, TT_PI_SHAPE_MEMORY, 1, "size" },
  { "piEnqueueMemBufferRead", "ptr", TT_PI_SHAPE_ITEMS,
    TT_PI_SHAPE_OUT | TT_PI_SHAPE_MEMORY | TT_PI_SHAPE_LATE | TT_PI_SHAPE_EITHER, 1, "size" },
  { "piEnqueueMemBufferWrite", "ptr", TT_PI_SHAPE_ITEMS, TT_PI_SHAPE_MEMORY | TT_PI_SHAPE_EITHER, 1, "size" },
  { "piEnqueueMemBufferMap", "ret_map", TT_PI_SHAPE_MAPPED, TT_PI_SHAPE_OUT | TT_PI_SHAPE_MEMORY | TT_PI_SHAPE_LATE, 1,
    "size" },
  { "piPluginGetBackendOption", "platform_option", TT_PI_SHAPE_ANSWER, TT_PI_SHAPE_OUT, 8, NULL },
  { "urPlatformGetBackendOption", "ppPlatformOption", TT_PI_SHAPE_ANSWER, TT_PI_SHAPE_OUT, 8, NULL },
  { "piEnqueueMemUnmap", "mapped_ptr", TT_PI_SHAPE_NONE, 0, 0, NULL },
  { "piextUSMEnqueueMemcpy", "dst_ptr", TT_PI_SHAPE_ITEMS,
    TT_PI_SHAPE_OUT | TT_PI_SHAPE_MEMORY | TT_PI_SHAPE_LATE | TT_PI_SHAPE_EITHER, 1, "size" },
  { "piextUSMEnqueueMemcpy", "src_ptr", TT_PI_SHAPE_ITEMS, TT_PI_SHAPE_MEMORY | TT_PI_SHAPE_EITHER, 1, "size" },
  { "urEnqueueMemBufferRead", "pDst", TT_PI_SHAPE_ITEMS,
    TT_PI_SHAPE_OUT | TT_PI_SHAPE_MEMORY | TT_PI_SHAPE_LATE | TT_PI_SHAPE_EITHER, 1, "size" },
  { "urEnqueueMemBufferWrite", "pSrc", TT_PI_SHAPE_ITEMS, TT_PI_SHAPE_MEMORY | TT_PI_SHAPE_EITHER, 1, "size" },
  { "urEnqueueMemBufferReadRect", "pDst", TT_PI_SHAPE_ITEMS,
    TT_PI_SHAPE_OUT | TT_PI_SHAPE_MEMORY | TT_PI_SHAPE_LATE | TT_PI_SHAPE_EITHER, 1, NULL },
  { "urEnqueueMemBufferWriteRect", "pSrc", TT_PI_SHAPE_ITEMS, TT_PI_SHAPE_MEMORY | TT_PI_SHAPE_EITHER, 1, NULL },
  { "urEnqueueMemBufferMap", "ppRetMap", TT_PI_SHAPE_MAPPED, TT_PI_SHAPE_OUT | TT_PI_SHAPE_MEMORY | TT_PI_SHAPE_LATE, 1,
    "size" },
  { "urEnqueueUSMMemcpy", "pDst", TT_PI_SHAPE_ITEMS,
    TT_PI_SHAPE_OUT | TT_PI_SHAPE_MEMORY | TT_PI_SHAPE_LATE | TT_PI_SHAPE_EITHER, 1, "size" },
  { "urEnqueueUSMMemcpy", "pSrc", TT_PI_SHAPE_ITEMS, TT_PI_SHAPE_MEMORY | TT_PI_SHAPE_EITHER, 1, "size" },
};

/* Allocations: where the address goes, and the size. */
static const struct
{
  const char *function, *result, *size;
  uint8_t is_device;
} allocations[] = {
  { "piextUSMHostAlloc", "result_ptr", "size", 0 },   { "piextUSMDeviceAlloc", "result_ptr", "size", 1 },
  { "piextUSMSharedAlloc", "result_ptr", "size", 0 }, { "urUSMHostAlloc", "ppMem", "size", 0 },
  { "urUSMDeviceAlloc", "ppMem", "size", 1 },         { "urUSMSharedAlloc", "ppMem", "size", 0 },
};

#define COUNT(array) (sizeof (array) / sizeof ((array)[0]))

static int8_t
param_named (const TtPiFunction *function, const char *name)
{
  for (unsigned i = 0; name != NULL && i < function->n_params; i++)
    if (strcmp (function->params[i].name, name) == 0)
      return (int8_t) i;
  return -1;
}

static bool
is_object (const char *type)
{
  for (size_t i = 0; i < COUNT (objects); i++)
    if (strcmp (objects[i], type) == 0)
      return true;
  return false;
}

uint8_t
tt_pi_type_size (const TtPiParam *param)
{
  if (is_object (param->type))
    return 8;
  for (size_t i = 0; i < COUNT (widths); i++)
    if (strcmp (widths[i].type, param->type) == 0)
      return widths[i].size;
  return 0;
}

static uint8_t
width_of (const TtPiFunction *function, const TtPiParam *param, unsigned release)
{
  uint8_t size = tt_pi_type_size (param);

  if (function->api == TT_PI_API_UR && strcmp (param->type, "bool") == 0)
    return 1;
  if (size > 0)
    return size;

  const TtPiStruct *pointee = tt_pi_struct (param->type, release);
  if (pointee != NULL)
    return pointee->size <= UINT8_MAX ? (uint8_t) pointee->size : 0;
  return strncmp (param->type, "ur_", 3) == 0 ? 4 : 0;
}

static TtPiShape
shape_by_role (const TtPiFunction *function, const TtPiParam *param, unsigned release)
{
  uint8_t width = width_of (function, param, release);
  uint8_t flags = is_object (param->type) ? TT_PI_SHAPE_HANDLES : 0;
  TtPiShape items = { TT_PI_SHAPE_ITEMS, flags, width, param->count };
  TtPiShape none = { TT_PI_SHAPE_NONE, 0, 0, -1 };

  if (param->kind == TT_PI_KIND_STRING && param->role == TT_PI_ROLE_PLAIN)
    return (TtPiShape){ TT_PI_SHAPE_TEXT, 0, 1, -1 };
  switch (param->role)
    {
    case TT_PI_ROLE_OUT_HANDLE:
    case TT_PI_ROLE_OUT_EVENT:
      return (TtPiShape){ TT_PI_SHAPE_ITEMS, TT_PI_SHAPE_OUT | TT_PI_SHAPE_HANDLES, 8, -1 };
    case TT_PI_ROLE_OUT_VALUE:
    case TT_PI_ROLE_OUT_ARRAY:
    case TT_PI_ROLE_OUT_BYTES:
      items.flags |= TT_PI_SHAPE_OUT;
      return width == 0 || (param->role != TT_PI_ROLE_OUT_VALUE && param->count < 0) ? none : items;
    case TT_PI_ROLE_IN_ARRAY:
      if (param->count < 0)
        return strcmp (param->type, "property") == 0 ? (TtPiShape){ TT_PI_SHAPE_LIST, 0, 8, -1 } : none;
      return width == 0 ? none : items;
    case TT_PI_ROLE_IN_BYTES:
    case TT_PI_ROLE_WORK_SIZE:
      return width == 0 || param->count < 0 ? none : items;
    case TT_PI_ROLE_IN_VALUE:
      return width == 0 ? none : items;
    default:
      return none;
    }
}

static TtPiShape
shape_of (const TtPiFunction *function, const TtPiParam *param, unsigned release)
{
  for (size_t i = 0; i < COUNT (special); i++)
    if (strcmp (special[i].function, function->name) == 0 && strcmp (special[i].param, param->name) == 0)
      return (TtPiShape){ special[i].shape, special[i].flags, special[i].n, param_named (function, special[i].count) };
  return shape_by_role (function, param, release);
}

void
tt_pi_shapes (const TtPiFunction *function, unsigned release, TtPiShapes *shapes)
{
  uint16_t offset = 0;

  *shapes = (TtPiShapes){
    .blocking = -1, .event = -1, .flags = -1, .usm_result = -1, .usm_size = -1, .usm_free = -1, .rect = -1
  };
  if (function->params == NULL)
    return;
  for (unsigned i = 0; i < function->n_params; i++)
    {
      const TtPiParam *param = &function->params[i];
      shapes->offsets[i] = offset;
      shapes->params[i] = param->size == 8 ? shape_of (function, param, release) : (TtPiShape){ .count = -1 };
      offset = (uint16_t) (offset + param->size);
      if (strncmp (param->name, "blocking", 8) == 0)
        shapes->blocking = (int8_t) i;
      if (param->role == TT_PI_ROLE_OUT_EVENT)
        shapes->event = (int8_t) i;
    }
  if (strcmp (function->name, "urEnqueueMemBufferReadRect") == 0 ||
      strcmp (function->name, "urEnqueueMemBufferWriteRect") == 0)
    shapes->rect = param_named (function, "hostOrigin");
  if (strcmp (function->name, "piMemBufferCreate") == 0)
    shapes->flags = param_named (function, "flags");
  if (strcmp (function->name, "piextUSMFree") == 0)
    shapes->usm_free = param_named (function, "ptr");
  else if (strcmp (function->name, "urUSMFree") == 0)
    shapes->usm_free = param_named (function, "pMem");
  for (size_t i = 0; i < COUNT (allocations); i++)
    if (strcmp (allocations[i].function, function->name) == 0)
      {
        shapes->usm_result = param_named (function, allocations[i].result);
        shapes->usm_size = param_named (function, allocations[i].size);
        shapes->usm_is_device = allocations[i].is_device;
      }
}

uint64_t
tt_pi_shapes_value (const TtPiFunction *function, const TtPiShapes *shapes, const uint8_t *args, int param)
{
  uint8_t size = function->params[param].size;

  return size > 8 ? 0 : tt_pi_get (args + shapes->offsets[param], size);
}

/* No number is so large that sums of products of two would overflow. */
#define MAX_EXTENT (UINT64_C (1) << 30)

/* Origin and region, then the pitches of rows and slices: of the buffer, and of the host. 0: there is no room
 * between. */
bool
tt_pi_shapes_rows (const TtPiFunction *function,
                   const TtPiShapes *shapes,
                   const uint8_t *args,
                   int param,
                   TtPiRows *rows)
{
  uint64_t origin[3], region[3], pitches[2];

  if (shapes->rect < 0 || (shapes->params[param].flags & TT_PI_SHAPE_MEMORY) == 0 ||
      shapes->rect + 5 >= function->n_params)
    return false;
  for (unsigned i = 0; i < 3; i++)
    {
      origin[i] = tt_pi_get (args + shapes->offsets[shapes->rect] + 8 * i, 8);
      region[i] = tt_pi_get (args + shapes->offsets[shapes->rect + 1] + 8 * i, 8);
    }
  pitches[0] = tt_pi_shapes_value (function, shapes, args, shapes->rect + 4);
  pitches[1] = tt_pi_shapes_value (function, shapes, args, shapes->rect + 5);
  *rows = (TtPiRows){ .width = region[0], .height = region[1], .depth = region[2] };
  for (unsigned i = 0; i < 3; i++)
    if (origin[i] > MAX_EXTENT || region[i] > MAX_EXTENT || region[i] == 0)
      return false;
  rows->row = pitches[0] != 0 ? pitches[0] : region[0];
  if (rows->row > MAX_EXTENT || pitches[1] > MAX_EXTENT)
    return false;
  rows->slice = pitches[1] != 0 ? pitches[1] : rows->row * region[1];
  /* No two rows have bytes in common: the runtime refuses others, and there may be more of them than memory. */
  if (rows->slice > MAX_EXTENT || (rows->height > 1 && rows->row < rows->width) ||
      (rows->depth > 1 && rows->slice < (rows->height - 1) * rows->row + rows->width))
    return false;
  rows->start = origin[2] * rows->slice + origin[1] * rows->row + origin[0];
  return true;
}

void
tt_pi_rows_copy (const TtPiRows *rows, uint8_t *to, const uint8_t *from)
{
  for (uint64_t z = 0; z < rows->depth; z++)
    for (uint64_t y = 0; y < rows->height; y++)
      {
        uint64_t at = rows->start + z * rows->slice + y * rows->row;
        memcpy (to + at, from + at, (size_t) rows->width);
      }
}

static uint64_t
rows_extent (const TtPiRows *rows)
{
  uint64_t extent = rows->start + (rows->depth - 1) * rows->slice + (rows->height - 1) * rows->row + rows->width;

  return extent > MAX_EXTENT ? 0 : extent;
}

uint64_t
tt_pi_shapes_bytes (const TtPiFunction *function, const TtPiShapes *shapes, const uint8_t *args, int param)
{
  const TtPiShape *shape = &shapes->params[param];
  uint64_t count = shape->count < 0 ? 1 : tt_pi_shapes_value (function, shapes, args, shape->count);
  TtPiRows rows;

  if (shapes->rect >= 0 && (shape->flags & TT_PI_SHAPE_MEMORY) != 0)
    return tt_pi_shapes_rows (function, shapes, args, param, &rows) ? rows_extent (&rows) : 0;
  return count > (UINT64_C (1) << 40) ? 0 : count * shape->n;
}
