/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/tensor-bytes.h"

#include <string.h>

struct _TtTensorBytes
{
  GHashTable *bytes; /* id as text, or name -> guint64 */
};

/* The bits at the end of "float32", "int8", "bfloat16", "complex64"; a byte for bool. */
static guint64
element_bytes (const char *dtype)
{
  gsize len = strlen (dtype), begin = len;
  guint64 bits;

  if (g_str_has_prefix (dtype, "bool"))
    return 1;
  while (begin > 0 && g_ascii_isdigit (dtype[begin - 1]))
    begin--;
  if (!g_ascii_string_to_unsigned (dtype + begin, 10, 8, 1024, &bits, NULL))
    return 0;
  return bits / 8;
}

guint64
tt_shape_bytes (const char *shape, const char *dtype)
{
  guint64 bytes = dtype == NULL ? 0 : element_bytes (dtype);

  if (shape == NULL || bytes == 0)
    return 0;
  if (strcmp (shape, "scalar") == 0)
    return bytes;
  for (const char *at = shape; bytes > 0;)
    {
      char *end;
      guint64 n = g_ascii_strtoull (at, &end, 10);

      if (!g_ascii_isdigit (*at) || (*end != 'x' && *end != '\0') || __builtin_mul_overflow (bytes, n, &bytes))
        return 0;
      if (*end == '\0')
        break;
      at = end + 1;
    }
  return bytes;
}

static gboolean
on_parameter (const TtParameter *parameter, gpointer data)
{
  TtTensorBytes *self = data;
  guint64 bytes = tt_shape_bytes (parameter->shape, parameter->dtype);

  if (bytes == 0)
    return TRUE;
  g_hash_table_insert (self->bytes, g_strdup_printf ("%" G_GINT64_FORMAT, parameter->tensor_id),
                       g_memdup2 (&bytes, sizeof bytes));
  if (parameter->tensor_name != NULL)
    g_hash_table_insert (self->bytes, g_strdup (parameter->tensor_name), g_memdup2 (&bytes, sizeof bytes));
  return TRUE;
}

TtTensorBytes *
tt_tensor_bytes_new (TtStore *store, GError **error)
{
  g_autoptr (TtTensorBytes) self = g_new0 (TtTensorBytes, 1);

  self->bytes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (!tt_store_each_parameter (store, on_parameter, self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_tensor_bytes_free (TtTensorBytes *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->bytes);
  g_free (self);
}

guint64
tt_tensor_bytes_of (const TtTensorBytes *self, const char *tensor)
{
  const guint64 *bytes = g_hash_table_lookup (self->bytes, tensor);

  return bytes == NULL ? 0 : *bytes;
}
