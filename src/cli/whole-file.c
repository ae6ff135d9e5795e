/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/whole-file.h"

#include "src/base/input.h"

GByteArray *
tt_whole_file_read (const char *path, gsize most, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint8 block[65536];
  gssize n = input == NULL ? -1 : 1;

  while (n > 0 && bytes->len <= most)
    {
      n = tt_input_read (input, block, sizeof block, error);
      if (n > 0)
        g_byte_array_append (bytes, block, (guint) n);
    }
  return n < 0 ? NULL : g_steal_pointer (&bytes);
}
