/* SPDX-License-Identifier: Apache-2.0 */
/* Rectangles and images of plugin.c. Of images the device knows two formats: four numbers of 16 bits, and one float. */
#pragma once

#include <stddef.h>

/* As pi_image_desc and cl_image_desc. */
typedef struct
{
  uint32_t type;
  size_t width, height, depth, n, row, slice;
  uint32_t n_levels, n_samples;
  void *buffer;
} ImageDesc;

_Static_assert(sizeof (ImageDesc) == 72 && offsetof (ImageDesc, row) == 40, "layout of pi_image_desc");

/* What lies where in an image: whole, in rows and slices without room between. */
static Grid
grid_of_image (const Object *image, const size_t *at)
{
  size_t row = image->extent[0] * image->pixel;

  return grid_from (image->bytes, row, row * image->extent[1], at[0] * image->pixel, at[1], at[2]);
}

static bool
holds (const Object *image, const size_t *at, const size_t *region)
{
  for (unsigned i = 0; i < 3; i++)
    if (region[i] == 0 || at[i] > image->extent[i] || region[i] > image->extent[i] - at[i])
      return false;
  return image->kind == 'M' && image->pixel > 0;
}

static int32_t
piMemImageCreate (Object *context,
                  uint64_t flags,
                  const uint32_t *format,
                  const ImageDesc *desc,
                  void *host,
                  Object **memory)
{
  Object *object = new_object ('M');
  size_t zero[3] = { 0 };

  object->pixel = format[0] == 0x10b5 && format[1] == 0x10db ? 8 : format[0] == 0x10b0 && format[1] == 0x10de ? 4 : 0;
  if (object->pixel == 0 || (desc->type != 0x10f1 && desc->type != 0x10f2))
    return INVALID_VALUE;
  object->extent[0] = desc->width;
  object->extent[1] = desc->height;
  object->extent[2] = desc->type == 0x10f2 ? desc->depth : 1;
  object->size = object->pixel * desc->width * desc->height * object->extent[2];
  object->bytes = calloc (1, object->size);
  size_t row = desc->row != 0 ? desc->row : desc->width * object->pixel;
  size_t slice = desc->slice != 0 ? desc->slice : row * desc->height;
  if (host != NULL && (flags & 0x28) != 0)
    copy_rows (grid_of_image (object, zero), grid_from (host, row, slice, 0, 0, 0), desc->width * object->pixel,
               desc->height, object->extent[2]);
  *memory = object;
  return SUCCESS;
}

/* At once, or when somebody waits for the event. */
static void
read_rows (Object **event, uint32_t blocking, Grid to, Grid from, const size_t *region, size_t width)
{
  if (blocking || event == NULL)
    copy_rows (to, from, width, region[1], region[2]);
  else
    {
      (*event)->to_rows = to;
      (*event)->from_rows = from;
      (*event)->width = width;
      (*event)->height = region[1];
      (*event)->depth = region[2];
    }
}

static int32_t
piEnqueueMemBufferReadRect (Object *queue,
                            Object *buffer,
                            uint32_t blocking,
                            const size_t *from,
                            const size_t *to,
                            const size_t *region,
                            size_t row,
                            size_t slice,
                            size_t host_row,
                            size_t host_slice,
                            uint8_t *memory,
                            uint32_t n_wait,
                            Object *const *wait,
                            Object **event)
{
  if (buffer->kind != 'M')
    return INVALID_VALUE;
  piEventsWait (n_wait, wait);
  give_event (queue, event);
  read_rows (event, blocking, grid_from (memory, host_row, host_slice, to[0], to[1], to[2]),
             grid_from (buffer->bytes, row, slice, from[0], from[1], from[2]), region, region[0]);
  return SUCCESS;
}

static int32_t
piEnqueueMemBufferWriteRect (Object *queue,
                             Object *buffer,
                             uint32_t blocking,
                             const size_t *to,
                             const size_t *from,
                             const size_t *region,
                             size_t row,
                             size_t slice,
                             size_t host_row,
                             size_t host_slice,
                             const uint8_t *memory,
                             uint32_t n_wait,
                             Object *const *wait,
                             Object **event)
{
  if (buffer->kind != 'M')
    return INVALID_VALUE;
  piEventsWait (n_wait, wait);
  copy_rows (grid_from (buffer->bytes, row, slice, to[0], to[1], to[2]),
             grid_from (memory, host_row, host_slice, from[0], from[1], from[2]), region[0], region[1], region[2]);
  give_event (queue, event);
  return SUCCESS;
}

static Grid
grid_of_host (const Object *image, const void *memory, const size_t *region, size_t row, size_t slice)
{
  row = row != 0 ? row : region[0] * image->pixel;
  return grid_from (memory, row, slice != 0 ? slice : row * region[1], 0, 0, 0);
}

static int32_t
piEnqueueMemImageRead (Object *queue,
                       Object *image,
                       uint32_t blocking,
                       const size_t *from,
                       const size_t *region,
                       size_t row,
                       size_t slice,
                       void *to,
                       uint32_t n_wait,
                       Object *const *wait,
                       Object **event)
{
  if (!holds (image, from, region))
    return INVALID_VALUE;
  piEventsWait (n_wait, wait);
  give_event (queue, event);
  read_rows (event, blocking, grid_of_host (image, to, region, row, slice), grid_of_image (image, from), region,
             region[0] * image->pixel);
  return SUCCESS;
}

static int32_t
piEnqueueMemImageWrite (Object *queue,
                        Object *image,
                        uint32_t blocking,
                        const size_t *to,
                        const size_t *region,
                        size_t row,
                        size_t slice,
                        const void *from,
                        uint32_t n_wait,
                        Object *const *wait,
                        Object **event)
{
  if (!holds (image, to, region))
    return INVALID_VALUE;
  piEventsWait (n_wait, wait);
  copy_rows (grid_of_image (image, to), grid_of_host (image, from, region, row, slice), region[0] * image->pixel,
             region[1], region[2]);
  give_event (queue, event);
  return SUCCESS;
}

static int32_t
piEnqueueMemImageCopy (Object *queue,
                       Object *source,
                       Object *target,
                       const size_t *from,
                       const size_t *to,
                       const size_t *region,
                       uint32_t n_wait,
                       Object *const *wait,
                       Object **event)
{
  if (!holds (source, from, region) || !holds (target, to, region) || source->pixel != target->pixel)
    return INVALID_VALUE;
  piEventsWait (n_wait, wait);
  copy_rows (grid_of_image (target, to), grid_of_image (source, from), region[0] * source->pixel, region[1], region[2]);
  give_event (queue, event);
  return SUCCESS;
}
