/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/rows.h"

#include "formats/pi/native.h"

#include <string.h>

/* No number is so large that sums of products of two would overflow. */
#define MAX_EXTENT (UINT64_C (1) << 30)
#define PI_IMAGE1D_ARRAY 0x10f5u

/* What a description of an image says. */
typedef struct
{
  uint64_t width, height, depth, n, row, slice;
  bool is_1d, is_2d, is_array;
} Image;

static uint64_t
value_of (const TtPiGiven *call, int param)
{
  return tt_pi_shapes_value (call->function, call->shapes, call->args, param);
}

/* Three numbers, which go by value or by their address. */
static bool
read_three (const TtPiGiven *call, int param, uint64_t three[3])
{
  uint8_t bytes[24];

  if (param < 0 || param >= call->function->n_params)
    return false;
  if (call->function->params[param].size == sizeof bytes)
    memcpy (bytes, call->args + call->shapes->offsets[param], sizeof bytes);
  else if (!call->peek (call->data, (unsigned) param, bytes, sizeof bytes))
    return false;
  for (unsigned i = 0; i < 3; i++)
    three[i] = tt_pi_get (bytes + 8 * i, 8);
  return true;
}

static bool
fit (const uint64_t *numbers, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    if (numbers[i] > MAX_EXTENT)
      return false;
  return true;
}

/* Completes the rows: pitches of 0 leave no room between. No two rows have bytes in common: the runtime refuses others,
 * and there may be more of them than memory. */
static bool
finish_rows (TtPiRows *rows, const uint64_t origin[3], uint64_t row, uint64_t slice)
{
  const uint64_t numbers[] = { rows->width, rows->height, rows->depth, row, slice, origin[0], origin[1], origin[2] };

  if (!fit (numbers, 8) || rows->width == 0 || rows->height == 0 || rows->depth == 0)
    return false;
  rows->row = row != 0 ? row : rows->width;
  rows->slice = slice != 0 ? slice : rows->row * rows->height;
  if (rows->slice > MAX_EXTENT || (rows->height > 1 && rows->row < rows->width) ||
      (rows->depth > 1 && rows->slice < (rows->height - 1) * rows->row + rows->width))
    return false;
  rows->start = origin[2] * rows->slice + origin[1] * rows->row + origin[0];
  return true;
}

static const uint64_t nowhere[3];

/* Origin and region, then the pitches of rows and slices: of the buffer, and of the host. */
static bool
find_in_buffer (const TtPiGiven *call, TtPiRows *rows)
{
  int region = call->shapes->region;
  uint64_t origin[3], size[3];

  if (region + 4 >= call->function->n_params || !read_three (call, region - 1, origin) ||
      !read_three (call, region, size))
    return false;
  *rows = (TtPiRows){ .width = size[0], .height = size[1], .depth = size[2] };
  return finish_rows (rows, origin, value_of (call, region + 3), value_of (call, region + 4));
}

/* Of an array of one-dimensional images, too, runtimes take the pitch of rows. */
static bool
find_in_image (const TtPiGiven *call, TtPiRows *rows)
{
  int region = call->shapes->region;
  uint64_t size[3];

  if (region + 2 >= call->function->n_params || !read_three (call, region, size) || !fit (size, 3))
    return false;
  *rows = (TtPiRows){
    .width = size[0] * tt_pi_pixels_find (call->pixels, value_of (call, 1)),
    .height = size[1],
    .depth = size[2],
  };
  return finish_rows (rows, nowhere, value_of (call, region + 1), rows->depth > 1 ? value_of (call, region + 2) : 0);
}

static bool
find_in_plane (const TtPiGiven *call, int param, TtPiRows *rows)
{
  int width = call->shapes->region;

  if (width + 1 >= call->function->n_params || param + 1 >= call->function->n_params)
    return false;
  *rows = (TtPiRows){ .width = value_of (call, width), .height = value_of (call, width + 1), .depth = 1 };
  return finish_rows (rows, nowhere, value_of (call, param + 1), 0);
}

/* -- images ----------------------------------------------------------------------------------------- */

/* Bytes of a pixel. */
static uint8_t
read_format (const TtPiGiven *call, int param)
{
  uint8_t format[8];

  if (!call->peek (call->data, (unsigned) param, format, sizeof format))
    return 0;
  return tt_pi_pixel_size (call->function->api == TT_PI_API_UR, (uint32_t) tt_pi_get (format, 4),
                           (uint32_t) tt_pi_get (format + 4, 4));
}

/* Of PI the type is OpenCL's number; of UR its number is another one since buffers are no longer among them. */
static bool
read_image (const TtPiGiven *call, int param, Image *image)
{
  bool is_ur = call->function->api == TT_PI_API_UR;
  uint8_t bytes[80];
  const uint8_t *numbers = bytes + (is_ur ? 24 : 8);

  if (!call->peek (call->data, (unsigned) param, bytes, is_ur ? 80 : 72))
    return false;
  uint32_t type = (uint32_t) tt_pi_get (bytes + (is_ur ? 16 : 0), 4);
  const char *name = is_ur ? tt_pi_enum_name ("ur_mem_type", type, call->release) : NULL;
  *image = (Image){
    .width = tt_pi_get (numbers, 8),
    .height = tt_pi_get (numbers + 8, 8),
    .depth = tt_pi_get (numbers + 16, 8),
    .n = tt_pi_get (numbers + 24, 8),
    .row = tt_pi_get (numbers + 32, 8),
    .slice = tt_pi_get (numbers + 40, 8),
  };
  if (is_ur && name == NULL)
    return false;
  image->is_1d = is_ur ? strncmp (name, "IMAGE1D", 7) == 0 : type >= PI_IMAGE1D_ARRAY - 1;
  image->is_2d = is_ur ? strncmp (name, "IMAGE2D", 7) == 0 : type == 0x10f1u || type == 0x10f3u;
  image->is_array = is_ur ? strstr (name, "_ARRAY") != NULL : type == PI_IMAGE1D_ARRAY || type == 0x10f3u;
  return true;
}

static uint64_t
at_least_one (uint64_t n)
{
  return n != 0 ? n : 1;
}

/* An array of one-dimensional images: in one runtime they lie a slice apart, in another a row. All that is there counts,
 * with what may lie between. */
static bool
find_whole_array (const Image *image, TtPiRows *rows)
{
  uint64_t n = at_least_one (image->n), pitch = image->row > image->slice ? image->row : image->slice;

  if (!fit (&pitch, 1) || !fit (&n, 1))
    return false;
  if (pitch < rows->width)
    pitch = rows->width;
  rows->width += (n - 1) * pitch;
  return finish_rows (rows, nowhere, 0, 0);
}

/* What an image is made of, all of it: the description has its size. */
static bool
find_whole_image (const TtPiGiven *call, TtPiRows *rows)
{
  int desc = call->shapes->region;
  uint8_t pixel = read_format (call, desc - 1);
  Image image;

  if (pixel == 0 || !read_image (call, desc, &image) || image.width > MAX_EXTENT)
    return false;
  rows->width = image.width * pixel;
  rows->height = image.is_1d ? 1 : at_least_one (image.height);
  rows->depth = image.is_1d || image.is_2d ? 1 : at_least_one (image.depth);
  if (image.is_1d && image.is_array)
    return find_whole_array (&image, rows);
  if (image.is_array)
    rows->depth = at_least_one (image.n);
  return finish_rows (rows, nowhere, image.row, rows->depth > 1 ? image.slice : 0);
}

void
tt_pi_given_note (const TtPiGiven *call)
{
  uint8_t handle[8];

  if (call->shapes->rows == TT_PI_ROWS_WHOLE_IMAGE && call->shapes->handle >= 0 &&
      call->peek (call->data, (unsigned) call->shapes->handle, handle, sizeof handle))
    tt_pi_pixels_note (call->pixels, tt_pi_get (handle, 8), read_format (call, call->shapes->region - 1));
}

/* -- all -------------------------------------------------------------------------------------------- */

bool
tt_pi_rows_find (const TtPiGiven *call, int param, TtPiRows *rows)
{
  if (call->shapes->region < 0 || (call->shapes->params[param].flags & TT_PI_SHAPE_MEMORY) == 0)
    return false;
  switch (call->shapes->rows)
    {
    case TT_PI_ROWS_BUFFER:
      return find_in_buffer (call, rows);
    case TT_PI_ROWS_IMAGE:
      return find_in_image (call, rows);
    case TT_PI_ROWS_PLANE:
      return find_in_plane (call, param, rows);
    case TT_PI_ROWS_WHOLE_IMAGE:
      return find_whole_image (call, rows);
    default:
      return false;
    }
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

uint64_t
tt_pi_given_bytes (const TtPiGiven *call, int param)
{
  TtPiRows rows;

  if (call->shapes->rows == TT_PI_ROWS_NONE || (call->shapes->params[param].flags & TT_PI_SHAPE_MEMORY) == 0)
    return tt_pi_shapes_bytes (call->function, call->shapes, call->args, param);
  if (!tt_pi_rows_find (call, param, &rows))
    return 0;
  uint64_t extent = rows.start + (rows.depth - 1) * rows.slice + (rows.height - 1) * rows.row + rows.width;
  return extent > MAX_EXTENT ? 0 : extent;
}
