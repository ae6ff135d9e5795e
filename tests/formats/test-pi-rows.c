/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/native.h"
#include "formats/pi/rows.h"

#include <glib.h>

#include <string.h>

typedef struct
{
  const TtPiFunction *function;
  TtPiShapes shapes;
  guint8 args[TT_PI_NATIVE_MAX_ARGS];
  guint64 three[TT_PI_MAX_PARAMS][3]; /* what those point to that do not go by value */
} Call;

static TtPiPixels pixels = TT_PI_PIXELS_INIT;

static Call
begin_call (const char *name)
{
  Call call = { .function = tt_pi_function_by_name (name) };

  g_assert_nonnull (call.function);
  tt_pi_shapes (call.function, 0, &call.shapes);
  return call;
}

static guint
param_of (const Call *call, const char *name)
{
  for (guint i = 0; i < call->function->n_params; i++)
    if (strcmp (call->function->params[i].name, name) == 0)
      return i;
  g_assert_not_reached ();
}

static void
put_number (Call *call, const char *name, guint64 value)
{
  tt_pi_put64 (call->args + call->shapes.offsets[param_of (call, name)], value);
}

static void
point_to (Call *call, const char *name, gconstpointer to)
{
  put_number (call, name, (guint64) (guintptr) to);
}

static void
put_three (Call *call, const char *name, const guint64 three[3])
{
  guint param = param_of (call, name);
  guint8 *at = call->args + call->shapes.offsets[param];

  for (guint i = 0; i < 3; i++)
    if (call->function->params[param].size == 24)
      tt_pi_put64 (at + 8 * i, three[i]);
    else
      tt_pi_put64 ((guint8 *) &call->three[param][i], three[i]);
}

static bool
peek (const void *data, unsigned param, void *to, size_t size)
{
  const Call *call = data;
  guint64 value = tt_pi_shapes_value (call->function, &call->shapes, call->args, (int) param);

  memcpy (to, value != 0 ? (gconstpointer) (guintptr) value : call->three[param], size);
  return true;
}

static TtPiGiven
given_of (const Call *call)
{
  return (TtPiGiven){ call->function, &call->shapes, call->args, 0, peek, call, &pixels };
}

static guint64
bytes_of (const Call *call, const char *name)
{
  const TtPiGiven given = given_of (call);

  return tt_pi_given_bytes (&given, (int) param_of (call, name));
}

/* The bytes from the first row's first to the last row's last, as OpenCL counts them: x + y * row + z * slice. */
static void
test_rectangles (void)
{
  static const struct
  {
    guint64 origin[3], region[3], row, slice, extent;
  } cases[] = {
    { { 0, 0, 0 }, { 2, 2, 1 }, 3, 6, 5 },
    { { 1, 1, 0 }, { 2, 2, 1 }, 8, 64, 19 },
    { { 0, 0, 0 }, { 4, 3, 2 }, 0, 0, 24 },
    { { 1, 2, 3 }, { 4, 3, 2 }, 10, 100, 445 },
    { { 0, 0, 0 }, { 4, 1, 1 }, 2, 2, 4 },
    { { 0, 0, 0 }, { 4, 3, 1 }, 4, 2, 12 },
    { { 0, 0, 0 }, { 0, 2, 1 }, 3, 6, 0 },
    { { 0, 0, 0 }, { 4, 2, 1 }, 3, 8, 0 },
    { { 0, 0, 0 }, { 4, 2, 2 }, 4, 7, 0 },
    { { 0, 0, 0 }, { 1, G_GUINT64_CONSTANT (1) << 29, G_GUINT64_CONSTANT (1) << 28 }, 1, 1, 0 },
    { { 0, 0, 0 }, { G_MAXUINT64, 2, 2 }, 0, 0, 0 },
    { { G_MAXUINT64, 0, 0 }, { 1, 1, 1 }, 0, 0, 0 },
    { { 0, 0, 0 }, { 1, 2, 2 }, G_MAXUINT64, 0, 0 },
  };
  static const char *const names[] = { "urEnqueueMemBufferReadRect", "piEnqueueMemBufferReadRect" };

  for (guint api = 0; api < G_N_ELEMENTS (names); api++)
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
      {
        Call call = begin_call (names[api]);
        put_three (&call, api == 0 ? "hostOrigin" : "host_offset", cases[i].origin);
        put_three (&call, "region", cases[i].region);
        put_number (&call, api == 0 ? "hostRowPitch" : "host_row_pitch", cases[i].row);
        put_number (&call, api == 0 ? "hostSlicePitch" : "host_slice_pitch", cases[i].slice);
        g_assert_cmpuint (bytes_of (&call, api == 0 ? "pDst" : "ptr"), ==, cases[i].extent);
      }
}

/* Rows of USM: the last one has no room after it. */
static void
test_planes (void)
{
  static const char *const names[2][7] = {
    { "urEnqueueUSMMemcpy2D", "pDst", "dstPitch", "pSrc", "srcPitch", "width", "height" },
    { "piextUSMEnqueueMemcpy2D", "dst_ptr", "dst_pitch", "src_ptr", "src_pitch", "width", "height" },
  };
  static const guint64 cases[][6] = {
    /* pitches of both, width, height; bytes of both */
    { 16, 9, 6, 3, 38, 24 },         { 6, 6, 6, 1, 6, 6 },
    { 5, 6, 6, 2, 0, 12 },           { 6, 6, 0, 3, 0, 0 },
    { G_MAXUINT64, 6, 6, 3, 0, 18 }, { 6, 6, 6, G_GUINT64_CONSTANT (1) << 40, 0, 0 },
  };

  for (guint api = 0; api < 2; api++)
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
      {
        Call call = begin_call (names[api][0]);
        put_number (&call, names[api][2], cases[i][0]);
        put_number (&call, names[api][4], cases[i][1]);
        put_number (&call, names[api][5], cases[i][2]);
        put_number (&call, names[api][6], cases[i][3]);
        g_assert_cmpuint (bytes_of (&call, names[api][1]), ==, cases[i][4]);
        g_assert_cmpuint (bytes_of (&call, names[api][3]), ==, cases[i][5]);
      }
}

typedef struct
{
  guint32 order, type; /* of UR, and of PI (OpenCL) */
  guint32 pi_order, pi_type;
  guint size;
} Format;

/* Sizes as implementations of OpenCL give them for CL_IMAGE_ELEMENT_SIZE. */
static const Format image_formats[] = {
  { 1, 2, 0x10b0, 0x10d2, 1 },  { 1, 14, 0x10b0, 0x10de, 4 }, { 2, 13, 0x10b2, 0x10dd, 4 },
  { 5, 2, 0x10b5, 0x10d2, 4 },  { 5, 11, 0x10b5, 0x10db, 8 }, { 5, 14, 0x10b5, 0x10de, 16 },
  { 6, 10, 0x10b6, 0x10da, 4 }, { 4, 4, 0x10b4, 0x10d4, 2 },  { 13, 6, 0x10bc, 0x10d6, 4 },
  { 14, 2, 0x10c1, 0x10d2, 4 }, { 0, 8, 0x10b1, 0x10d8, 2 },  { 3, 12, 0x10b3, 0x10dc, 8 },
  { 8, 3, 0x10c3, 0x10d3, 8 },  { 15, 2, 0x10bd, 0x10d2, 0 }, { 5, 15, 0x10b5, 0x10df, 0 },
  { 99, 2, 0x1000, 0x10d2, 0 },
};

static void
test_formats (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (image_formats); i++)
    {
      const Format *format = &image_formats[i];
      g_assert_cmpuint (tt_pi_pixel_size (TRUE, format->order, format->type), ==, format->size);
      g_assert_cmpuint (tt_pi_pixel_size (FALSE, format->pi_order, format->pi_type), ==, format->size);
    }
}

/* The description of an image: type, width, height, depth, number, pitches. */
static guint8 *
describe (gboolean is_ur, guint32 type, const guint64 numbers[6])
{
  guint8 *desc = g_malloc0 (80);

  tt_pi_put32 (desc + (is_ur ? 16 : 0), type);
  for (guint i = 0; i < 6; i++)
    tt_pi_put64 (desc + (is_ur ? 24 : 8) + 8 * i, numbers[i]);
  return desc;
}

/* What an image is made of, and what a copy of a part of it moves. */
static void
test_images (void)
{
  static const struct
  {
    guint32 type, pi_type;
    guint64 numbers[6], whole, region[3], row, slice, part;
  } cases[] = {
    /* pixels of 4 bytes */
    { 0, 0x10f1, { 4, 3, 1, 0, 20, 0 }, 56, { 2, 2, 1 }, 20, 0, 28 },
    { 0, 0x10f1, { 4, 3, 7, 7, 0, 0 }, 48, { 4, 3, 1 }, 0, 0, 48 },
    { 1, 0x10f2, { 4, 3, 2, 0, 16, 64 }, 112, { 4, 3, 2 }, 16, 64, 112 },
    { 3, 0x10f4, { 4, 3, 2, 5, 0, 0 }, 16, { 4, 1, 1 }, 0, 0, 16 },
    { 4, 0x10f5, { 4, 9, 9, 3, 16, 24 }, 64, { 4, 3, 1 }, 16, 24, 48 },
    { 4, 0x10f5, { 4, 9, 9, 3, 32, 0 }, 80, { 4, 3, 1 }, 0, 99, 48 },
    { 4, 0x10f5, { 4, 9, 9, 3, 0, 0 }, 48, { 4, 3, 1 }, 0, 0, 48 },
    { 2, 0x10f3, { 4, 3, 9, 2, 0, 0 }, 96, { 4, 3, 2 }, 0, 0, 96 },
    { 0, 0x10f1, { 4, 3, 1, 0, 8, 0 }, 0, { 4, 3, 1 }, 8, 0, 0 },
    { 0, 0x10f1, { G_MAXUINT64, 3, 1, 0, 0, 0 }, 0, { G_MAXUINT64 / 4 + 2, 3, 1 }, 0, 0, 0 },
    { 1, 0x10f2, { 1 << 20, 1 << 20, 1 << 20, 0, 0, 0 }, 0, { 1 << 20, 1 << 20, 1 << 20 }, 0, 0, 0 },
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (cases); i++)
    {
      gboolean is_ur = i % 2 == 0;
      guint32 format[2] = { is_ur ? 1 : 0x10b0, is_ur ? 14 : 0x10de };
      guint64 handle = 0x1000 + i;
      g_autofree guint8 *desc =
          describe (is_ur, is_ur ? cases[i / 2].type : cases[i / 2].pi_type, cases[i / 2].numbers);
      Call create = begin_call (is_ur ? "urMemImageCreate" : "piMemImageCreate");
      Call read = begin_call (is_ur ? "urEnqueueMemImageRead" : "piEnqueueMemImageRead");
      TtPiGiven given;

      point_to (&create, is_ur ? "pImageFormat" : "image_format", format);
      point_to (&create, is_ur ? "pImageDesc" : "image_desc", desc);
      point_to (&create, is_ur ? "phMem" : "ret_mem", &handle);
      g_assert_cmpuint (bytes_of (&create, is_ur ? "pHost" : "host_ptr"), ==, cases[i / 2].whole);
      put_number (&read, is_ur ? "hImage" : "image", handle);
      put_three (&read, "region", cases[i / 2].region);
      put_number (&read, is_ur ? "rowPitch" : "row_pitch", cases[i / 2].row);
      put_number (&read, is_ur ? "slicePitch" : "slice_pitch", cases[i / 2].slice);
      g_assert_cmpuint (bytes_of (&read, is_ur ? "pDst" : "ptr"), ==, 0);
      given = given_of (&create);
      tt_pi_given_note (&given);
      g_assert_cmpuint (bytes_of (&read, is_ur ? "pDst" : "ptr"), ==, cases[i / 2].part);
    }
  tt_pi_pixels_clear (&pixels);
}

/* Thousands of images, of which handles are given anew. */
static void
test_many_images (void)
{
  for (guint64 i = 1; i <= 5000; i++)
    tt_pi_pixels_note (&pixels, i * 64, (guint8) (i % 16 + 1));
  for (guint64 i = 1; i <= 100; i++)
    tt_pi_pixels_note (&pixels, i * 64, 99);
  for (guint64 i = 1; i <= 5000; i++)
    g_assert_cmpuint (tt_pi_pixels_find (&pixels, i * 64), ==, i <= 100 ? 99 : i % 16 + 1);
  g_assert_cmpuint (tt_pi_pixels_find (&pixels, 5001 * 64), ==, 0);
  g_assert_cmpuint (tt_pi_pixels_find (&pixels, 0), ==, 0);
  tt_pi_pixels_clear (&pixels);
  g_assert_cmpuint (tt_pi_pixels_find (&pixels, 64), ==, 0);
}

/* More images than are remembered: of those that are, the newest format counts. */
static void
test_too_many_images (void)
{
  const guint64 n = 1500000;

  for (guint64 i = 1; i <= n; i++)
    tt_pi_pixels_note (&pixels, i * 64, 1);
  g_assert_cmpuint (tt_pi_pixels_find (&pixels, n * 64), ==, 0);
  tt_pi_pixels_note (&pixels, 64, 2);
  g_assert_cmpuint (tt_pi_pixels_find (&pixels, 64), ==, 2);
  tt_pi_pixels_clear (&pixels);
}

/* A child does not wait for a thread of its parent, nor uses what that was changing. */
static void
test_fork (void)
{
  tt_pi_pixels_note (&pixels, 64, 4);
  tt_pi_pixels_after_fork (&pixels);
  g_assert_cmpuint (tt_pi_pixels_find (&pixels, 64), ==, 4);

  TtPiPixels before = pixels;
  pthread_mutex_lock (&pixels.lock);
  tt_pi_pixels_after_fork (&pixels);
  g_assert_cmpuint (tt_pi_pixels_find (&pixels, 64), ==, 0);
  tt_pi_pixels_note (&pixels, 128, 8);
  g_assert_cmpuint (tt_pi_pixels_find (&pixels, 128), ==, 8);
  tt_pi_pixels_clear (&pixels);
  tt_pi_pixels_clear (&before);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pi-rows/rectangles", test_rectangles);
  g_test_add_func ("/pi-rows/planes", test_planes);
  g_test_add_func ("/pi-rows/formats", test_formats);
  g_test_add_func ("/pi-rows/images", test_images);
  g_test_add_func ("/pi-rows/many-images", test_many_images);
  g_test_add_func ("/pi-rows/too-many-images", test_too_many_images);
  g_test_add_func ("/pi-rows/fork", test_fork);
  return g_test_run ();
}
