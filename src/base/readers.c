/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/readers.h"

gboolean
tt_readers_wanted (guint most, guint *n)
{
  const char *wanted = g_getenv ("TRACETOOL_READERS");
  guint64 number;

  *n = g_get_num_processors () - 1;
  if (wanted == NULL || !g_ascii_string_to_unsigned (wanted, 10, 0, most, &number, NULL))
    return FALSE;
  *n = (guint) number;
  return TRUE;
}
