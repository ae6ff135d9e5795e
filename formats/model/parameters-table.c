/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/model/parameters-table.h"

#include "src/base/error.h"

#include <string.h>

/* -- tensors ----------------------------------------------------------------------------------------- */

static void
tensor_clear (gpointer data)
{
  Parameter *tensor = data;

  g_free (tensor->name);
  g_free (tensor->shape);
  g_free (tensor->dtype);
}

TtParameters *
tt_parameters_new (void)
{
  TtParameters *self = g_new0 (TtParameters, 1);

  self->tensors = g_array_new (FALSE, TRUE, sizeof (Parameter));
  g_array_set_clear_func (self->tensors, tensor_clear);
  self->numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->updates = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  return self;
}

void
tt_parameters_free (TtParameters *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->tensors);
  g_hash_table_unref (self->numbers);
  g_hash_table_unref (self->updates);
  g_free (self);
}

Parameter *
tt_parameters_find (const TtParameters *self, const char *name)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, name));

  return number == 0 ? NULL : &g_array_index (self->tensors, Parameter, number - 1);
}

Parameter *
tt_parameters_add (TtParameters *self, gint64 id, char *name)
{
  const Parameter tensor = { .id = id, .name = name, .update_id = -1 };

  g_array_append_val (self->tensors, tensor);
  if (!g_hash_table_contains (self->numbers, name))
    g_hash_table_insert (self->numbers, g_strdup (name), GUINT_TO_POINTER (self->tensors->len));
  return &g_array_index (self->tensors, Parameter, self->tensors->len - 1);
}

guint
tt_parameters_count (const TtParameters *self)
{
  return self->tensors->len;
}

TtTensor
tt_parameters_get (const TtParameters *self, guint index)
{
  const Parameter *tensor = &g_array_index (self->tensors, Parameter, index);

  return (TtTensor){ .tensor_id = tensor->id,
                     .name = tensor->name,
                     .shape = tensor->shape,
                     .dtype = tensor->dtype,
                     .update_id = tensor->update_id,
                     .origin = self->origin };
}

Parameter *
tt_parameters_match (const TtParameters *self, const char *name)
{
  static const char wrapper[] = "StatefulPartitionedCall/";
  Parameter *tensor = tt_parameters_find (self, name);

  while (tensor == NULL && g_str_has_prefix (name, wrapper))
    {
      name += strlen (wrapper);
      tensor = tt_parameters_find (self, name);
    }
  if (tensor != NULL || !g_str_has_suffix (name, ":0"))
    return tensor;
  g_autofree char *bare = g_strndup (name, strlen (name) - 2);
  return tt_parameters_find (self, bare);
}

/* -- shapes ------------------------------------------------------------------------------------------- */

/* The numbers of "(512, 1024)" or "[512, 1024]", joined by x; what is unknown there (None, -1) is "?". */
char *
tt_parameter_shape_text (const char *text)
{
  GString *shape = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p++)
    {
      gboolean is_unknown = *p == '-' || *p == '?' || *p == 'N' || *p == 'n';
      gsize digits = strspn (p, "0123456789");
      if (digits == 0 && !is_unknown)
        continue;
      g_string_append (shape, shape->len > 0 ? "x" : "");
      if (is_unknown)
        g_string_append_c (shape, '?');
      else
        g_string_append_len (shape, p, (gssize) digits);
      p += strcspn (p, ",)] ");
      if (*p == '\0')
        break;
    }
  if (shape->len == 0)
    g_string_assign (shape, "scalar");
  return g_string_free (shape, FALSE);
}

static char *
read_shape (const TtJsonValue *value)
{
  if (value->kind != TT_JSON_ARRAY && value->kind != TT_JSON_STRING)
    return NULL;
  g_autofree char *text = tt_json_text (value);
  return tt_parameter_shape_text (text);
}

void
tt_parameters_set_shape (Parameter *tensor, const TtJsonValue *shape, const TtJsonValue *dtype)
{
  if (tensor->shape == NULL)
    tensor->shape = read_shape (shape);
  if (tensor->dtype == NULL && dtype->kind == TT_JSON_STRING)
    tensor->dtype = tt_json_text (dtype);
}

/* -- errors ------------------------------------------------------------------------------------------- */

gboolean
tt_parameters_fail (const Source *source, const TtJsonValue *value, const char *expected, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: byte %" G_GUINT64_FORMAT ": expected %s", source->path,
               value->offset, expected);
  return FALSE;
}

gboolean
tt_parameters_is_fine (GError **failure, GError **error)
{
  if (*failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (failure));
  return FALSE;
}
