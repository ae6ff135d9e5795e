/* SPDX-License-Identifier: Apache-2.0 */
/* Images and rows of USM of ur-loader.c: what it prints is what came back from the device. --pixel N is added to a byte of
 * each thing that it hands over, --gap N is what lies between the rows. */
#pragma once

/* @n bytes, of which each has another value; the gap after each @width bytes of a row of @row. */
static void
fill_rows (const Choices *choices, uint8_t *to, uint64_t n, uint64_t width, uint64_t row)
{
  for (uint64_t i = 0; i < n; i++)
    to[i] = i % row < width ? (uint8_t) (i + 10) : (uint8_t) choices->gap;
  to[1] = (uint8_t) (to[1] + choices->pixel);
}

static void
show_rows (const char *name, const uint8_t *shown, uint64_t n)
{
  printf ("%s:", name);
  for (uint64_t i = 0; i < n; i++)
    printf (" %u", shown[i]);
  printf ("\n");
}

/* Four numbers of 16 bits a pixel, 4 times 3 pixels, made of memory with rows of 40 bytes. */
static void
copy_image (const Host *host, const Choices *choices)
{
  uint8_t made[3 * 40], given[2 * 20], back[2 * 24];
  const ImageFormat format = { 5, 11 };
  const ImageDesc desc = { 0xb, NULL, 0, 4, 3, 1, 0, 40, 0, 0, 0 }, plain = { 0xb, NULL, 0, 4, 3, 1, 0, 0, 0, 0, 0 };
  const Rect zero = { 0, 0, 0 }, at = { 1, 1, 0 }, region = { 2, 2, 1 }, all = { 4, 3, 1 };
  void *images[2], *event;

  fill_rows (choices, made, sizeof made, 32, 40);
  fill_rows (choices, given, sizeof given, 16, 20);
  memset (back, choices->gap, sizeof back);
  CALL (MemImageCreate, 6, host->context, 0x21u, (const ImageFormat *) &format, (const ImageDesc *) &desc,
        (void *) made, &images[0])
  CALL (MemImageCreate, 6, host->context, 1u, (const ImageFormat *) &format, (const ImageDesc *) &plain, (void *) NULL,
        &images[1])
  CALL (EnqueueMemImageWrite, 11, host->queue, images[0], true, at, region, bytes (20), bytes (0), (const void *) given,
        0u, (void *const *) NULL, (void **) NULL)
  CALL (EnqueueMemImageCopy, 9, host->queue, images[0], images[1], zero, zero, all, 0u, (void *const *) NULL,
        (void **) NULL)
  CALL (EnqueueMemImageRead, 11, host->queue, images[1], false, at, region, bytes (24), bytes (0), (void *) back, 0u,
        (void *const *) NULL, &event)
  CALL (EventWait, 2, 1u, (void *const *) &event)
  show_rows ("image", back, sizeof back);
  CALL (EventRelease, 1, event)
  CALL (MemRelease, 1, images[0])
  CALL (MemRelease, 1, images[1])
}

/* Rows of six bytes to the device and back, further apart on the host. */
static void
copy_rows_of_usm (const Host *host, const Choices *choices)
{
  uint8_t given[3 * 9], back[3 * 8];
  void *memory, *event;

  fill_rows (choices, given, sizeof given, 6, 9);
  memset (back, choices->gap, sizeof back);
  CALL (USMDeviceAlloc, 6, host->context, host->device, (const void *) NULL, (void *) NULL, bytes (3 * 16), &memory)
  CALL (EnqueueUSMMemcpy2D, 11, host->queue, true, memory, bytes (16), (const void *) given, bytes (9), bytes (6),
        bytes (3), 0u, (void *const *) NULL, (void **) NULL)
  CALL (EnqueueUSMMemcpy2D, 11, host->queue, false, (void *) back, bytes (8), (const void *) memory, bytes (16),
        bytes (6), bytes (3), 0u, (void *const *) NULL, &event)
  CALL (EventWait, 2, 1u, (void *const *) &event)
  show_rows ("rows", back, sizeof back);
  CALL (EventRelease, 1, event)
  CALL (USMFree, 2, host->context, memory)
}
