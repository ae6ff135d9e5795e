/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/horovod/names.h"

#include <string.h>

/* Words of activities are shorter. */
#define MAX_ACTIVITY 64u

static gboolean
contains_any_case (const char *text, gsize len, const char *part)
{
  gsize n = strlen (part);

  for (gsize i = 0; i + n <= len; i++)
    if (g_ascii_strncasecmp (text + i, part, n) == 0)
      return TRUE;
  return FALSE;
}

/* TensorFlow numbers its tensors and appends "_0"; other frameworks have names, which stay whole. */
static char *
copy_tensor (const char *rest)
{
  gsize digits = strspn (rest, "0123456789");

  return digits > 0 && rest[digits] == '_' ? g_strndup (rest, digits) : g_strdup (rest);
}

TtHorovodKind
tt_horovod_process (const char *name, char **tensor)
{
  const char *dot = strchr (name, '.');

  *tensor = NULL;
  if (strstr (name, "Sync") != NULL)
    return TT_HOROVOD_SYNC;
  if (!contains_any_case (name, dot == NULL ? strlen (name) : (gsize) (dot - name), "horovod") ||
      strstr (name, "input_barrier") != NULL)
    return TT_HOROVOD_OTHER;
  *tensor = dot == NULL || dot[1] == '\0' ? g_strdup (name) : copy_tensor (dot + 1);
  return TT_HOROVOD_TENSOR;
}

const char *
tt_horovod_activity (const char *name, gsize len)
{
  static const char *const known[] = { "Sync", "QUEUE", "MEMCPY_IN_FUSION_BUFFER", "NCCL_ALLREDUCE",
                                       "MEMCPY_OUT_FUSION_BUFFER" };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (strlen (known[i]) == len && memcmp (known[i], name, len) == 0)
      return known[i];
  return NULL;
}

gboolean
tt_horovod_negotiates (const char *name, gsize len)
{
  static const char word[] = "NEGOTIATE_";
  gsize n = strlen (word);

  if (len <= n || len > MAX_ACTIVITY || strncmp (name, word, n) != 0)
    return FALSE;
  while (n < len && (g_ascii_isupper (name[n]) || name[n] == '_'))
    n++;
  return n == len;
}
