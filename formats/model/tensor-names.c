/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/model/tensor-names.h"

#include "src/base/compare.h"

#include <string.h>

static gboolean
is_number (const char *text)
{
  return *text != '\0' && text[strspn (text, "0123456789")] == '\0';
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
  return len_a != len_b ? TT_COMPARE (len_a, len_b) : strcmp (a, b);
}

static int
compare_ids (gconstpointer x, gconstpointer y)
{
  const char *a = *(const char *const *) x, *b = *(const char *const *) y;
  gboolean is_a = is_number (a), is_b = is_number (b);
  int order = is_a && is_b ? compare_numbers (a, b) : TT_COMPARE (is_b, is_a);

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

gboolean
tt_tensor_in_name (const char *name, char **tensor)
{
  const char *dot = strchr (name, '.');

  *tensor = dot == NULL ? NULL : g_strndup (dot + 1, strcspn (dot + 1, "_"));
  return dot != NULL;
}
