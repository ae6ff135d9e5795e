/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/own-args.h"

#include <string.h>

#define PREFIX_LEN (sizeof TT_OWN_ARG_PREFIX - 1)

gboolean
tt_is_own_arg (const char *key, gsize len)
{
  static const char *const own[] = { "name",  "op_long_name", "raw_name", "location", "communicator",
                                     "flags", "cnt",          "step",     "is_root",  "critical_path" };

  while (len > PREFIX_LEN && memcmp (key, TT_OWN_ARG_PREFIX, PREFIX_LEN) == 0)
    {
      key += PREFIX_LEN;
      len -= PREFIX_LEN;
    }
  for (guint i = 0; i < G_N_ELEMENTS (own); i++)
    if (strlen (own[i]) == len && memcmp (own[i], key, len) == 0)
      return TRUE;
  return FALSE;
}
