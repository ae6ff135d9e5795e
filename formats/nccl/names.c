/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/nccl/names.h"

#include "formats/model/tensor-names.h"

#include <string.h>

/* Without "<<...>>". */
static char *
without_steps (const char *name)
{
  GString *text = g_string_new (NULL);

  while (*name != '\0')
    {
      const char *end = g_str_has_prefix (name, "<<") ? strstr (name, ">>") : NULL;
      if (end != NULL)
        name = end + 2;
      else
        g_string_append_c (text, *name++);
    }
  return g_string_free (text, FALSE);
}

gboolean
tt_nccl_name (const char *name, char **ids, const char **sub_op)
{
  g_autofree char *text = without_steps (name);
  const char *first = strchr (text, '.'), *last = strrchr (text, '.');

  *ids = NULL;
  if (first == NULL || first == text || last == first || strchr (first + 1, '.') != last)
    return FALSE;
  if (g_str_equal (last, ".SEND"))
    *sub_op = "SEND";
  else if (g_str_equal (last, ".RECV") || g_str_equal (last, ".REC"))
    *sub_op = "RECV";
  else
    return FALSE;
  *ids = tt_tensor_ids (first + 1, (gsize) (last - first - 1));
  return *ids != NULL;
}
