/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPiPixels: bytes of a pixel of each image, by its handle: what a copy of an image moves is told in pixels.
 *
 * A zeroed one is empty, and may be used by several threads. The handles are those of the calls that made the images; a
 * handle that is given anew has the newer size.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct
{
  pthread_mutex_t lock;
  struct TtPiPixelEntry *entries;
  size_t n, room;
} TtPiPixels;

#define TT_PI_PIXELS_INIT             \
  {                                   \
    .lock = PTHREAD_MUTEX_INITIALIZER \
  }

/* Bytes of a pixel of the format whose two numbers are given, as PI (OpenCL's) or UR has them; 0: there is none. */
uint8_t tt_pi_pixel_size (bool is_ur, uint32_t order, uint32_t type);

/* @size: bytes of a pixel, 0 where the format is not known. */
void tt_pi_pixels_note (TtPiPixels *self, uint64_t handle, uint8_t size);
/* 0 where no image has the handle. */
uint8_t tt_pi_pixels_find (TtPiPixels *self, uint64_t handle);
/* In a child: what a thread of the parent was changing is forgotten, for it may be half done. */
void tt_pi_pixels_after_fork (TtPiPixels *self);
void tt_pi_pixels_clear (TtPiPixels *self);
