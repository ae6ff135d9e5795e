/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the pointers among a function's parameters point to, and how much of it to keep before a call and after.
 *
 * Made from the roles of api.h and, where those are not enough, from names. Plain C11.
 */
#pragma once

#include "formats/pi/api.h"

#include <stddef.h>

enum
{
  TT_PI_SHAPE_NONE,   /* no pointer, or nothing is known of what it points to */
  TT_PI_SHAPE_TEXT,   /* up to a NUL */
  TT_PI_SHAPE_ITEMS,  /* `n` bytes, as often as parameter `count` says, or once */
  TT_PI_SHAPE_LIST,   /* 8-byte words up to and with a 0: properties */
  TT_PI_SHAPE_TEXTS,  /* as many pointers to text as parameter `count` says */
  TT_PI_SHAPE_IMAGES, /* as many pointers to device images */
  TT_PI_SHAPE_MAPPED, /* an address of as many bytes as parameter `count` says */
  TT_PI_SHAPE_ANSWER, /* the address of a text */
  TT_PI_SHAPE_BINARIES, /* as many pointers as parameter `count` says; the array before has the lengths of what is there */
};

enum
{
  TT_PI_SHAPE_OUT = 1,     /* filled in by the call */
  TT_PI_SHAPE_HANDLES = 2, /* items are handles */
  TT_PI_SHAPE_MEMORY = 4,  /* contents of the program's or the device's memory */
  TT_PI_SHAPE_LATE = 8,    /* memory that is only there when the command has run: see `blocking`, `event` */
  TT_PI_SHAPE_EITHER = 16, /* memory of the host or of a device: read only if it is the host's */
  TT_PI_SHAPE_NATIVE = 32, /* memory that only the native format has the contents of */
};

/* How memory lies whose parameters are more than a number of bytes: see rows.h. */
enum
{
  TT_PI_ROWS_NONE,
  TT_PI_ROWS_BUFFER,      /* `region` and the origin before it, then the pitches of the buffer and of the host */
  TT_PI_ROWS_IMAGE,       /* `region` in pixels, then the pitches of the host */
  TT_PI_ROWS_PLANE,       /* `region` is the width, then the height; the pitch comes after each pointer */
  TT_PI_ROWS_WHOLE_IMAGE, /* `region` is the description, after the format; `handle` is where the image goes */
};

typedef struct
{
  uint8_t shape, flags, n;
  int8_t count;
} TtPiShape;

typedef struct
{
  TtPiShape params[TT_PI_MAX_PARAMS];
  uint16_t offsets[TT_PI_MAX_PARAMS]; /* of the parameters in packed arguments */
  int8_t blocking, event;             /* parameters of an enqueue; -1: none */
  int8_t flags;                       /* of piMemBufferCreate */
  uint8_t rows;                       /* TT_PI_ROWS_*; what `region` and `handle` are, stands there */
  int8_t region, handle;
  int8_t usm_result, usm_size; /* of an allocation */
  int8_t usm_free;             /* the address that is freed */
  uint8_t usm_is_device;       /* which the host must not read */
} TtPiShapes;

/* @release: of UR, for the sizes of structures. */
void tt_pi_shapes (const TtPiFunction *function, unsigned release, TtPiShapes *shapes);

/* Bytes of one item that a pointer of this type points to; 0: not known, or a structure of UR. */
uint8_t tt_pi_type_size (const TtPiParam *param);
/* Value of parameter @param in packed arguments, zero-extended. */
uint64_t tt_pi_shapes_value (const TtPiFunction *function, const TtPiShapes *shapes, const uint8_t *args, int param);
/* Bytes that parameter @param of shape ITEMS or MAPPED points to, where its count says it; 0 for an impossible length. */
uint64_t tt_pi_shapes_bytes (const TtPiFunction *function, const TtPiShapes *shapes, const uint8_t *args, int param);
