/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/tensor-bytes.h"

static void
test_shapes (void)
{
  static const struct
  {
    const char *shape, *dtype;
    guint64 bytes;
  } cases[] = {
    { "512x1024", "float32", 2097152 },
    { "scalar", "float64", 8 },
    { "3", "int8", 3 },
    { "7x1", "bool", 7 },
    { "2x2", "bfloat16", 8 },
    { "0x9", "float32", 0 },
    /* Not known, not understood, too much. */
    { NULL, "float32", 0 },
    { "2x2", NULL, 0 },
    { "2x2", "resource", 0 },
    { "2x2", "float3", 0 },
    { "2x", "float32", 0 },
    { "x2", "float32", 0 },
    { "?x2", "float32", 0 },
    { "-1x2", "float32", 0 },
    { "", "float32", 0 },
    { "4294967296x4294967296", "float32", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpuint (tt_shape_bytes (cases[i].shape, cases[i].dtype), ==, cases[i].bytes);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tensor-bytes/shapes", test_shapes);
  return g_test_run ();
}
