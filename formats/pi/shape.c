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

/* Memory that the native format alone has: where a copy goes, where it comes from, what an image is made of. */
#define READ_TO (TT_PI_SHAPE_OUT | TT_PI_SHAPE_MEMORY | TT_PI_SHAPE_LATE | TT_PI_SHAPE_EITHER | TT_PI_SHAPE_NATIVE)
#define WRITTEN (TT_PI_SHAPE_MEMORY | TT_PI_SHAPE_EITHER | TT_PI_SHAPE_NATIVE)
#define MADE_OF (TT_PI_SHAPE_MEMORY | TT_PI_SHAPE_NATIVE)

/* Parameters whose role does not say how much there is; without a function: of all that have one of the name. */
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
  { NULL, "image_format", TT_PI_SHAPE_ITEMS, 0, 8, NULL },
  { NULL, "image_desc", TT_PI_SHAPE_ITEMS, 0, 72, NULL },
  { NULL, "ImageFormat", TT_PI_SHAPE_ITEMS, 0, 8, NULL },
  { NULL, "ImageDesc", TT_PI_SHAPE_ITEMS, 0, 72, NULL },
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
  { "urEnqueueMemBufferMap", "ppRetMap", TT_PI_SHAPE_MAPPED, TT_PI_SHAPE_OUT | TT_PI_SHAPE_MEMORY | TT_PI_SHAPE_LATE, 1,
    "size" },
  { "urEnqueueUSMMemcpy", "pDst", TT_PI_SHAPE_ITEMS,
    TT_PI_SHAPE_OUT | TT_PI_SHAPE_MEMORY | TT_PI_SHAPE_LATE | TT_PI_SHAPE_EITHER, 1, "size" },
  { "urEnqueueUSMMemcpy", "pSrc", TT_PI_SHAPE_ITEMS, TT_PI_SHAPE_MEMORY | TT_PI_SHAPE_EITHER, 1, "size" },
  { "piMemImageCreate", "host_ptr", TT_PI_SHAPE_ITEMS, MADE_OF, 1, NULL },
  { "urMemImageCreate", "pHost", TT_PI_SHAPE_ITEMS, MADE_OF, 1, NULL },
  { "piEnqueueMemBufferReadRect", "ptr", TT_PI_SHAPE_ITEMS, READ_TO, 1, NULL },
  { "piEnqueueMemBufferWriteRect", "ptr", TT_PI_SHAPE_ITEMS, WRITTEN, 1, NULL },
  { "piEnqueueMemImageRead", "ptr", TT_PI_SHAPE_ITEMS, READ_TO, 1, NULL },
  { "piEnqueueMemImageWrite", "ptr", TT_PI_SHAPE_ITEMS, WRITTEN, 1, NULL },
  { "piextUSMEnqueueMemcpy2D", "dst_ptr", TT_PI_SHAPE_ITEMS, READ_TO, 1, NULL },
  { "piextUSMEnqueueMemcpy2D", "src_ptr", TT_PI_SHAPE_ITEMS, WRITTEN, 1, NULL },
  { "piextEnqueueDeviceGlobalVariableRead", "dst", TT_PI_SHAPE_ITEMS, READ_TO, 1, "count" },
  { "piextEnqueueDeviceGlobalVariableWrite", "src", TT_PI_SHAPE_ITEMS, WRITTEN, 1, "count" },
  { "piextEnqueueReadHostPipe", "ptr", TT_PI_SHAPE_ITEMS, READ_TO, 1, "size" },
  { "piextEnqueueWriteHostPipe", "ptr", TT_PI_SHAPE_ITEMS, WRITTEN, 1, "size" },
  { "urEnqueueMemBufferReadRect", "pDst", TT_PI_SHAPE_ITEMS, READ_TO, 1, NULL },
  { "urEnqueueMemBufferWriteRect", "pSrc", TT_PI_SHAPE_ITEMS, WRITTEN, 1, NULL },
  { "urEnqueueMemImageRead", "pDst", TT_PI_SHAPE_ITEMS, READ_TO, 1, NULL },
  { "urEnqueueMemImageWrite", "pSrc", TT_PI_SHAPE_ITEMS, WRITTEN, 1, NULL },
  { "urEnqueueUSMMemcpy2D", "pDst", TT_PI_SHAPE_ITEMS, READ_TO, 1, NULL },
  { "urEnqueueUSMMemcpy2D", "pSrc", TT_PI_SHAPE_ITEMS, WRITTEN, 1, NULL },
  { "urEnqueueDeviceGlobalVariableRead", "pDst", TT_PI_SHAPE_ITEMS, READ_TO, 1, "count" },
  { "urEnqueueDeviceGlobalVariableWrite", "pSrc", TT_PI_SHAPE_ITEMS, WRITTEN, 1, "count" },
  { "urEnqueueReadHostPipe", "pDst", TT_PI_SHAPE_ITEMS, READ_TO, 1, "size" },
  { "urEnqueueWriteHostPipe", "pSrc", TT_PI_SHAPE_ITEMS, WRITTEN, 1, "size" },
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

/* Functions with rectangles. */
static const struct
{
  const char *function, *region, *handle;
  uint8_t rows;
} rectangles[] = {
  { "piEnqueueMemBufferReadRect", "region", NULL, TT_PI_ROWS_BUFFER },
  { "piEnqueueMemBufferWriteRect", "region", NULL, TT_PI_ROWS_BUFFER },
  { "urEnqueueMemBufferReadRect", "region", NULL, TT_PI_ROWS_BUFFER },
  { "urEnqueueMemBufferWriteRect", "region", NULL, TT_PI_ROWS_BUFFER },
  { "piEnqueueMemImageRead", "region", NULL, TT_PI_ROWS_IMAGE },
  { "piEnqueueMemImageWrite", "region", NULL, TT_PI_ROWS_IMAGE },
  { "urEnqueueMemImageRead", "region", NULL, TT_PI_ROWS_IMAGE },
  { "urEnqueueMemImageWrite", "region", NULL, TT_PI_ROWS_IMAGE },
  { "piextUSMEnqueueMemcpy2D", "width", NULL, TT_PI_ROWS_PLANE },
  { "urEnqueueUSMMemcpy2D", "width", NULL, TT_PI_ROWS_PLANE },
  { "piMemImageCreate", "image_desc", "ret_mem", TT_PI_ROWS_WHOLE_IMAGE },
  { "piextMemImageCreateWithNativeHandle", "ImageDesc", "img", TT_PI_ROWS_WHOLE_IMAGE },
  { "urMemImageCreate", "pImageDesc", "phMem", TT_PI_ROWS_WHOLE_IMAGE },
  { "urMemImageCreateWithNativeHandle", "pImageDesc", "phMem", TT_PI_ROWS_WHOLE_IMAGE },
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
    if ((special[i].function == NULL || strcmp (special[i].function, function->name) == 0) &&
        strcmp (special[i].param, param->name) == 0)
      return (TtPiShape){ special[i].shape, special[i].flags, special[i].n, param_named (function, special[i].count) };
  return shape_by_role (function, param, release);
}

static void
find_rows (const TtPiFunction *function, TtPiShapes *shapes)
{
  for (size_t i = 0; i < COUNT (rectangles); i++)
    if (strcmp (rectangles[i].function, function->name) == 0)
      {
        shapes->rows = rectangles[i].rows;
        shapes->region = param_named (function, rectangles[i].region);
        shapes->handle = param_named (function, rectangles[i].handle);
      }
}

void
tt_pi_shapes (const TtPiFunction *function, unsigned release, TtPiShapes *shapes)
{
  uint16_t offset = 0;

  *shapes = (TtPiShapes){ .blocking = -1,
                          .event = -1,
                          .flags = -1,
                          .usm_result = -1,
                          .usm_size = -1,
                          .usm_free = -1,
                          .region = -1,
                          .handle = -1 };
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
  find_rows (function, shapes);
  if (strcmp (function->name, "piMemBufferCreate") == 0 || strcmp (function->name, "piMemImageCreate") == 0 ||
      strcmp (function->name, "urMemBufferCreate") == 0 || strcmp (function->name, "urMemImageCreate") == 0)
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

uint64_t
tt_pi_shapes_bytes (const TtPiFunction *function, const TtPiShapes *shapes, const uint8_t *args, int param)
{
  const TtPiShape *shape = &shapes->params[param];
  uint64_t count = shape->count < 0 ? 1 : tt_pi_shapes_value (function, shapes, args, shape->count);

  return count > (UINT64_C (1) << 40) ? 0 : count * shape->n;
}
