/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/probes/record-args.h"

#include "analyzers/arg-value.h"

#include <string.h>

#define MAX_DIGITS 20u

gboolean
tt_probe_arg_number (const char *args, const char *key, guint64 *number)
{
  const char *value = args == NULL ? NULL : tt_arg_value (args, key);
  guint n = 0;

  if (value == NULL)
    return FALSE;
  *number = 0;
  for (; g_ascii_isdigit (value[n]) && n < MAX_DIGITS; n++)
    if (__builtin_mul_overflow (*number, 10u, number) ||
        __builtin_add_overflow (*number, (guint64) (value[n] - '0'), number))
      return FALSE;
  return n > 0 && strchr (".eE", value[n]) == NULL;
}

gboolean
tt_probe_arg_block (const char *args, guint64 *block)
{
  static const guint bits[] = { 31, 16, 16 };
  const char *at = args == NULL ? NULL : tt_arg_value (args, "block");
  guint shift = 0;

  if (at == NULL || *at != '[')
    return FALSE;
  *block = 0;
  for (guint i = 0; i < G_N_ELEMENTS (bits); i++)
    {
      char *end;
      guint64 value = g_ascii_strtoull (++at, &end, 10);

      if (end == at || !g_ascii_isdigit (*at) || value >> bits[i] != 0 || *end != (i == 2 ? ']' : ','))
        return FALSE;
      *block |= value << shift;
      shift += bits[i];
      at = end;
    }
  return TRUE;
}
