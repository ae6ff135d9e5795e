/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rectangles: which part of the host's memory a copy reads or writes, where a number of bytes does not say it.
 *
 * Copies of a part of a buffer, of USM with rows (2D), of an image, and what an image is made of. The numbers are the
 * program's: sums and products are bounded before they are made.
 */
#pragma once

#include "formats/pi/pixels.h"
#include "formats/pi/shape.h"

/* A call: its packed arguments, and how to look at what they point to. */
typedef struct
{
  const TtPiFunction *function;
  const TtPiShapes *shapes;
  const uint8_t *args;
  unsigned release; /* of UR */
  /* Copies the first @size bytes of what parameter @param points to; false: they are not there. */
  bool (*peek) (const void *data, unsigned param, void *to, size_t size);
  const void *data;
  TtPiPixels *pixels; /* of the images so far */
} TtPiGiven;

/* `depth` times `height` rows of `width` bytes. */
typedef struct
{
  uint64_t start, width, height, depth, row, slice;
} TtPiRows;

/* false: parameter @param of the call is no such memory, or has an impossible size. */
bool tt_pi_rows_find (const TtPiGiven *call, int param, TtPiRows *rows);
/* Copies the rows between memory of the same shape. */
void tt_pi_rows_copy (const TtPiRows *rows, uint8_t *to, const uint8_t *from);
/* Bytes that parameter @param points to, of a rectangle those from its first row's first to its last row's last; 0: none,
 * or an impossible number. */
uint64_t tt_pi_given_bytes (const TtPiGiven *call, int param);
/* Remembers the format of an image that the call, which has succeeded, has made. */
void tt_pi_given_note (const TtPiGiven *call);
