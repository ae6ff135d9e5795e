/* SPDX-License-Identifier: Apache-2.0 */
/* Images and rows of USM of ur-adapter.c. Of images the device knows two formats: four numbers of 16 bits, and a float. */
#pragma once

static Grid
grid_of_image (const Memory *image, Rect at)
{
  uint64_t row = image->extent[0] * image->pixel;

  return grid_from (image->bytes, row, row * image->extent[1], at.x * image->pixel, at.y, at.z);
}

static bool
holds (const Memory *image, Rect at, Rect region)
{
  return image->pixel > 0 && at.x + region.x <= image->extent[0] && at.y + region.y <= image->extent[1] &&
         at.z + region.z <= image->extent[2];
}

static Grid
grid_of_host (const Memory *image, const void *memory, Rect region, uint64_t row, uint64_t slice)
{
  row = row != 0 ? row : region.x * image->pixel;
  return grid_from (memory, row, slice != 0 ? slice : row * region.y, 0, 0, 0);
}

static int32_t
MemImageCreate (void *context,
                uint32_t flags,
                const ImageFormat *format,
                const ImageDesc *desc,
                void *host,
                void **image)
{
  uint64_t pixel = format->order == 5 && format->type == 11 ? 8 : format->order == 1 && format->type == 14 ? 4 : 0;

  if (context == NULL || pixel == 0 || desc->stype != 0xb || desc->type > 1 || give_new (image, sizeof (Memory)) != 0)
    return 4;
  Memory *memory = *image;
  *memory = (Memory){ .extent = { desc->width, desc->height, desc->type == 1 ? desc->depth : 1 }, .pixel = pixel };
  memory->bytes = calloc (memory->extent[2], pixel * desc->width * desc->height);
  const Rect all = { desc->width, desc->height, memory->extent[2] }, zero = { 0, 0, 0 };
  if (host != NULL && (flags & 0x28) != 0)
    copy_rows (grid_of_image (memory, zero), grid_of_host (memory, host, all, desc->row, desc->slice), all.x * pixel,
               all.y, all.z);
  return memory->bytes == NULL;
}

static int32_t
EnqueueMemImageRead (void *queue,
                     void *image,
                     bool blocking,
                     Rect from,
                     Rect region,
                     uint64_t row,
                     uint64_t slice,
                     void *to,
                     uint32_t n,
                     void *const *events,
                     void **event)
{
  const Memory *memory = image;

  if (queue == NULL || !holds (memory, from, region))
    return 4;
  wait_for (n, events);
  const Event copy = { .to_rows = grid_of_host (memory, to, region, row, slice),
                       .from_rows = grid_of_image (memory, from),
                       .width = region.x * memory->pixel,
                       .height = region.y,
                       .depth = region.z };
  return give_event (queue, &copy, blocking, event);
}

static int32_t
EnqueueMemImageWrite (void *queue,
                      void *image,
                      bool blocking,
                      Rect to,
                      Rect region,
                      uint64_t row,
                      uint64_t slice,
                      const void *from,
                      uint32_t n,
                      void *const *events,
                      void **event)
{
  const Memory *memory = image;

  if (queue == NULL || !holds (memory, to, region))
    return 4;
  wait_for (n, events);
  copy_rows (grid_of_image (memory, to), grid_of_host (memory, from, region, row, slice), region.x * memory->pixel,
             region.y, region.z);
  return give_event (queue, &(Event){ 0 }, blocking, event);
}

static int32_t
EnqueueMemImageCopy (void *queue,
                     void *source,
                     void *target,
                     Rect from,
                     Rect to,
                     Rect region,
                     uint32_t n,
                     void *const *events,
                     void **event)
{
  if (queue == NULL || !holds (source, from, region) || !holds (target, to, region))
    return 4;
  wait_for (n, events);
  copy_rows (grid_of_image (target, to), grid_of_image (source, from), region.x * ((Memory *) source)->pixel, region.y,
             region.z);
  return give_event (queue, &(Event){ 0 }, true, event);
}

static int32_t
EnqueueUSMMemcpy2D (void *queue,
                    bool blocking,
                    void *to,
                    uint64_t to_row,
                    const void *from,
                    uint64_t from_row,
                    uint64_t width,
                    uint64_t height,
                    uint32_t n,
                    void *const *events,
                    void **event)
{
  const Event copy = { .to_rows = grid_from (to, to_row, 0, 0, 0, 0),
                       .from_rows = grid_from (from, from_row, 0, 0, 0, 0),
                       .width = width,
                       .height = height,
                       .depth = 1 };

  if (queue == NULL || to_row < width || from_row < width)
    return 4;
  wait_for (n, events);
  return give_event (queue, &copy, blocking, event);
}
