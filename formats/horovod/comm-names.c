#include "config.h"

#include "formats/horovod/comm-names.h"

#include <string.h>

#define DIGITS "0123456789"

/* -- ids of tensors ------------------------------------------------------------------------------------ */

static gboolean
is_number (const char *text)
{
  return *text != '\0' && text[strspn (text, DIGITS)] == '\0';
}

/* By value: leading zeros do not count. */
static int
compare_numbers (const char *a, const char *b)
{
  gsize len_a, len_b;

  a += strspn (a, "0");
  b += strspn (b, "0");
  len_a = strlen (a);
  len_b = strlen (b);
  return len_a != len_b ? (len_a < len_b ? -1 : 1) : strcmp (a, b);
}

static int
compare_ids (gconstpointer x, gconstpointer y)
{
  const char *a = *(const char *const *) x, *b = *(const char *const *) y;
  gboolean is_a = is_number (a), is_b = is_number (b);
  int order = is_a && is_b ? compare_numbers (a, b) : is_a != is_b ? (is_a ? -1 : 1) : 0;

  return order != 0 ? order : strcmp (a, b);
}

char *
tt_tensor_ids_join (GPtrArray *ids)
{
  GString *joined = g_string_new (NULL);

  g_ptr_array_sort (ids, compare_ids);
  for (guint i = 0; i < ids->len; i++)
    {
      if (i > 0)
        g_string_append_c (joined, '+');
      g_string_append (joined, ids->pdata[i]);
    }
  return g_string_free (joined, FALSE);
}

char *
tt_tensor_ids (const char *ids, gsize len)
{
  g_autofree char *text = g_strndup (ids, len);
  g_auto (GStrv) parts = g_strsplit (text, "+", -1);
  g_autoptr (GPtrArray) list = g_ptr_array_new ();

  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (!is_number (parts[i]))
        return NULL;
      g_ptr_array_add (list, parts[i]);
    }
  return list->len == 0 ? NULL : tt_tensor_ids_join (list);
}

/* -- Horovod -------------------------------------------------------------------------------------------- */

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
tensor_of (const char *rest)
{
  gsize digits = strspn (rest, DIGITS);

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
  *tensor = dot == NULL || dot[1] == '\0' ? g_strdup (name) : tensor_of (dot + 1);
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

/* -- NCCL ------------------------------------------------------------------------------------------------ */

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
