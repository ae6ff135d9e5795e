/* SPDX-License-Identifier: Apache-2.0 */
/* Rectangles and images of program.c: what it prints is what came back from the device. --pixel N is a byte of each
 * thing that it hands over, --gap N what lies between the rows. */
#pragma once

/* As pi_image_desc and cl_image_desc. */
typedef struct
{
  uint32_t type;
  size_t width, height, depth, n, row, slice;
  uint32_t n_levels, n_samples;
  void *buffer;
} ImageDesc;

/* @n bytes, of which each has another value; `gap` after each @width bytes of a row of @row. */
static void
fill_rows (uint8_t *bytes, size_t n, size_t width, size_t row)
{
  for (size_t i = 0; i < n; i++)
    bytes[i] = i % row < width ? (uint8_t) (i + 10) : (uint8_t) options.gap;
  bytes[1] = (uint8_t) (bytes[1] + options.pixel);
}

static void
show_rows (const char *name, const uint8_t *bytes, size_t n)
{
  printf ("%s:", name);
  for (size_t i = 0; i < n; i++)
    printf (" %u", bytes[i]);
  printf ("\n");
}

static void
copy_buffer (Work *work)
{
  uint8_t given[3 * 7], whole[6 * 4], back[2 * 5] = { 0 };
  size_t at[] = { 1, 1, 0 }, from[] = { 1, 1, 0 }, region[] = { 3, 2, 1 }, to[] = { 2, 0, 0 }, small[] = { 3, 2, 1 };
  void *buffer = NULL, *event = NULL;

  fill_rows (given, sizeof given, 4, 7);
  given[9] = (uint8_t) (given[9] + options.pixel);
  MUST (piMemBufferCreate, P (work->context), U8 (0x1), U8 (sizeof whole), P (NULL), P (&buffer), P (NULL));
  MUST (piEnqueueMemBufferWriteRect, P (work->queue), P (buffer), U4 (1), P (at), P (from), P (region), U8 (6), U8 (24),
        U8 (7), U8 (21), P (given), U4 (0), P (NULL), P (NULL));
  MUST (piEnqueueMemBufferRead, P (work->queue), P (buffer), U4 (1), U8 (0), U8 (sizeof whole), P (whole), U4 (0),
        P (NULL), P (NULL));
  show_rows ("buffer", whole, sizeof whole);
  MUST (piEnqueueMemBufferReadRect, P (work->queue), P (buffer), U4 (0), P (at), P (to), P (small), U8 (6), U8 (24),
        U8 (5), U8 (10), P (back), U4 (0), P (NULL), P (&event));
  MUST (piEventsWait, U4 (1), P (&event));
  show_rows ("rectangle", back, sizeof back);
  MUST (piEventRelease, P (event));
  MUST (piMemRelease, P (buffer));
}

/* Four numbers of 16 bits a pixel, 4 times 3 pixels, made of memory with rows of 40 bytes. */
static void
copy_image (Work *work)
{
  uint8_t made[3 * 40], given[2 * 20], back[2 * 24];
  uint32_t format[] = { 0x10b5, 0x10db };
  ImageDesc desc = { .type = 0x10f1, .width = 4, .height = 3, .depth = 1, .row = 40 };
  size_t zero[] = { 0, 0, 0 }, at[] = { 1, 1, 0 }, region[] = { 2, 2, 1 }, all[] = { 4, 3, 1 };
  void *images[2] = { NULL }, *event = NULL;

  fill_rows (made, sizeof made, 32, 40);
  fill_rows (given, sizeof given, 16, 20);
  memset (back, (int) options.gap, sizeof back);
  MUST (piMemImageCreate, P (work->context), U8 (0x21), P (format), P (&desc), P (made), P (&images[0]));
  desc.row = 0;
  MUST (piMemImageCreate, P (work->context), U8 (0x1), P (format), P (&desc), P (NULL), P (&images[1]));
  MUST (piEnqueueMemImageWrite, P (work->queue), P (images[0]), U4 (1), P (at), P (region), U8 (20), U8 (0), P (given),
        U4 (0), P (NULL), P (NULL));
  MUST (piEnqueueMemImageCopy, P (work->queue), P (images[0]), P (images[1]), P (zero), P (zero), P (all), U4 (0),
        P (NULL), P (NULL));
  MUST (piEnqueueMemImageRead, P (work->queue), P (images[1]), U4 (0), P (at), P (region), U8 (24), U8 (0), P (back),
        U4 (0), P (NULL), P (&event));
  MUST (piEventsWait, U4 (1), P (&event));
  show_rows ("image", back, sizeof back);
  MUST (piEventRelease, P (event));
  MUST (piMemRelease, P (images[0]));
  MUST (piMemRelease, P (images[1]));
}

/* A float a pixel, in slices, of which those of the host are further apart than their rows need. */
static void
copy_cube (Work *work)
{
  uint8_t given[2 * 32], back[2 * 2 * 3 * 4] = { 0 };
  uint32_t format[] = { 0x10b0, 0x10de };
  ImageDesc desc = { .type = 0x10f2, .width = 3, .height = 2, .depth = 2 };
  size_t zero[] = { 0, 0, 0 }, all[] = { 3, 2, 2 };
  void *image_3d = NULL;

  fill_rows (given, sizeof given, 24, 32);
  MUST (piMemImageCreate, P (work->context), U8 (0x1), P (format), P (&desc), P (NULL), P (&image_3d));
  MUST (piEnqueueMemImageWrite, P (work->queue), P (image_3d), U4 (1), P (zero), P (all), U8 (0), U8 (32), P (given),
        U4 (0), P (NULL), P (NULL));
  MUST (piEnqueueMemImageRead, P (work->queue), P (image_3d), U4 (1), P (zero), P (all), U8 (0), U8 (0), P (back),
        U4 (0), P (NULL), P (NULL));
  show_rows ("cube", back, sizeof back);
  MUST (piMemRelease, P (image_3d));
}

/* Of an image that is there: wild memory, places and sizes; and images of a wild format and of wild memory. */
static void
be_wild_with_images (Work *work)
{
  uint32_t format[] = { 0x10b0, 0x10de };
  ImageDesc desc = { .type = 0x10f1, .width = 4, .height = 4, .depth = 1 };
  size_t at[] = { 0, 0, 0 }, region[] = { 4, 4, 1 }, huge[] = { SIZE_MAX / 2, 3, SIZE_MAX };
  void *image_2d = NULL, *other = NULL;
  uint8_t back[64];

  MUST (piMemImageCreate, P (work->context), U8 (0x1), P (format), P (&desc), P (NULL), P (&image_2d));
  PI (piMemImageCreate, P (work->context), U8 (0x21), P (format), P (&desc), P (WILD), P (&other));
  PI (piMemImageCreate, P (work->context), U8 (0x21), P (WILD), P (&desc), P (back), P (&other));
  PI (piMemImageCreate, P (work->context), U8 (0x21), P (format), P (WILD), P (back), P (WILD));
  PI (piEnqueueMemImageWrite, P (work->queue), P (image_2d), U4 (1), P (at), P (region), U8 (0), U8 (0), P (WILD),
      U4 (0), P (NULL), P (NULL));
  PI (piEnqueueMemImageWrite, P (work->queue), P (image_2d), U4 (1), P (at), P (WILD), U8 (0), U8 (0), P (back), U4 (0),
      P (NULL), P (NULL));
  PI (piEnqueueMemImageWrite, P (work->queue), P (image_2d), U4 (1), P (at), P (huge), U8 (16), U8 (SIZE_MAX), P (back),
      U4 (0), P (NULL), P (NULL));
  PI (piEnqueueMemImageWrite, P (work->queue), P (WILD), U4 (1), P (at), P (region), U8 (0), U8 (0), P (back), U4 (0),
      P (NULL), P (NULL));
  PI (piEnqueueMemBufferWriteRect, P (work->queue), P (WILD), U4 (1), P (WILD), P (WILD), P (region), U8 (0), U8 (0),
      U8 (0), U8 (0), P (back), U4 (0), P (NULL), P (NULL));
  PI (piEnqueueMemBufferWriteRect, P (work->queue), P (WILD), U4 (1), P (at), P (at), P (region), U8 (0), U8 (0),
      U8 (SIZE_MAX), U8 (SIZE_MAX), P (back), U4 (0), P (NULL), P (NULL));
  MUST (piMemRelease, P (image_2d));
}

static void
copy_rectangles (Work *work)
{
  copy_buffer (work);
  copy_image (work);
  copy_cube (work);
}
