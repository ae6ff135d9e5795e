/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/model/parameters-metadata.h"

#include "formats/model/parameters-lists.h"
#include "formats/model/tensor-names.h"

#include <string.h>

#define MAX_LIST ((gsize) 16 << 20)
#define MAX_UPDATES (1u << 20)

/* -- TensorFlow ------------------------------------------------------------------------------------------ */

/* The n of "SGD/SGD/update_3/ResourceApplyGradientDescent"; -1: it is no update. */
static gint64
update_number (const char *op)
{
  guint64 number;

  for (const char *p = op; (p = strstr (p, "update_")) != NULL; p += 7)
    {
      gsize digits = strspn (p + 7, "0123456789");
      if ((p != op && p[-1] != '/') || digits == 0 || (p[7 + digits] != '/' && p[7 + digits] != '\0'))
        continue;
      g_autofree char *text = g_strndup (p + 7, digits);
      if (g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT32, &number, NULL))
        return (gint64) number;
    }
  return -1;
}

/* The tensor that an update takes: the gradient, or its sum "…HorovodAllreduce.3_0". */
static Parameter *
updated_tensor (const TtParameters *self, const char *input)
{
  g_autofree char *number = NULL;
  guint64 id;
  Parameter *tensor = tt_parameters_match (self, input);

  if (tensor != NULL || (strstr (input, "llreduce") == NULL && strstr (input, "PushPull") == NULL) ||
      !tt_tensor_in_name (input, &number) || !g_ascii_string_to_unsigned (number, 10, 0, G_MAXINT32, &id, NULL))
    return tensor;
  for (guint i = 0; i < self->tensors->len; i++)
    if (g_array_index (self->tensors, Parameter, i).id == (gint64) id)
      return &g_array_index (self->tensors, Parameter, i);
  return NULL;
}

static void
read_update (TtParameters *self, gint64 number, const TtJsonValue *inputs)
{
  const char *cursor = NULL;
  TtJsonValue input;
  gboolean is_tied = FALSE;

  while (inputs->kind == TT_JSON_ARRAY && tt_json_item (inputs->raw, &cursor, &input))
    {
      TtJsonValue name = input.kind == TT_JSON_OBJECT ? tt_json_get (input.raw, "name") : input;
      if (name.kind != TT_JSON_STRING)
        continue;
      g_autofree char *text = tt_json_text (&name);
      Parameter *tensor = updated_tensor (self, text);
      if (tensor == NULL)
        continue;
      tensor->update_id = number;
      is_tied = TRUE;
    }
  if (is_tied || g_hash_table_size (self->updates) >= MAX_UPDATES || g_hash_table_contains (self->updates, &number))
    return;
  gint64 *key = g_new (gint64, 1);
  *key = number;
  g_hash_table_add (self->updates, key);
}

static void
read_outputs (TtParameters *self, const TtJsonValue *outputs)
{
  const char *cursor = NULL;
  TtJsonValue output;

  while (outputs->kind == TT_JSON_ARRAY && tt_json_item (outputs->raw, &cursor, &output))
    {
      if (output.kind != TT_JSON_OBJECT)
        continue;
      TtJsonValue name = tt_json_get (output.raw, "name");
      if (name.kind != TT_JSON_STRING)
        continue;
      g_autofree char *text = tt_json_text (&name);
      Parameter *tensor = tt_parameters_match (self, text);
      if (tensor == NULL)
        continue;
      TtJsonValue shape = tt_json_get (output.raw, "shape"), dtype = tt_json_get (output.raw, "dtype");
      tt_parameters_set_shape (tensor, &shape, &dtype);
    }
}

static void
read_operator (TtParameters *self, const TtJsonValue *key, const TtJsonValue *value)
{
  TtJsonValue op = *key;

  op.kind = TT_JSON_STRING;
  g_autofree char *name = tt_json_text (&op);
  gint64 number = update_number (name);
  TtJsonValue outputs = tt_json_get (value->raw, "output");

  read_outputs (self, &outputs);
  if (number >= 0)
    {
      TtJsonValue inputs = tt_json_get (value->raw, "input");
      read_update (self, number, &inputs);
    }
}

/* -- MXNet ------------------------------------------------------------------------------------------------ */

static char *
copy_list (const TtJsonValue *value)
{
  return value->kind == TT_JSON_ARRAY && value->raw.len <= MAX_LIST ? g_strndup (value->raw.bytes, value->raw.len)
                                                                     : NULL;
}

/* Parallel lists: a name, its shape. */
static void
read_output_shapes (TtParameters *self, const char *names, const char *shapes)
{
  const char *name_cursor = NULL, *shape_cursor = NULL;
  TtJsonValue name, shape, none = { .kind = TT_JSON_NONE };

  if (names == NULL || shapes == NULL)
    return;
  const TtSlice name_list = { names, strlen (names) }, shape_list = { shapes, strlen (shapes) };
  while (tt_json_item (name_list, &name_cursor, &name) && tt_json_item (shape_list, &shape_cursor, &shape))
    {
      g_autofree char *text = tt_json_text (&name);
      Parameter *tensor = tt_parameters_find (self, text);
      if (tensor != NULL)
        tt_parameters_set_shape (tensor, &shape, &none);
    }
}

gboolean
tt_parameters_read_metadata (TtParameters *self, const Source *source, GError **error)
{
  g_autoptr (GError) failure = NULL;
  g_autofree char *names = NULL, *shapes = NULL;
  TtJsonValue key, value;

  if (!tt_json_begin_object (source->json, error))
    return FALSE;
  while (tt_json_next_key (source->json, &key, &failure))
    {
      gboolean is_list = TT_JSON_KEY_IS (key, "gradient_name_list");
      gboolean is_names = TT_JSON_KEY_IS (key, "outputs"), is_shapes = TT_JSON_KEY_IS (key, "out_shapes");
      gboolean is_number = TT_JSON_KEY_IS (key, "opt_aggregate_num");
      /* The key lies where the value will. */
      g_autofree char *op = g_strndup (key.raw.bytes, key.raw.len);
      TtJsonValue op_key = {
        .kind = TT_JSON_STRING, .has_escapes = key.has_escapes, .raw = { op, key.raw.len }, .offset = key.offset
      };

      if (!tt_json_value (source->json, &value, error))
        return FALSE;
      if (is_list || is_shapes)
        self->is_mxnet = TRUE;
      if (is_list && self->tensors->len == 0 && !tt_parameters_read_list (self, source, &value, error))
        return FALSE;
      if (is_names || is_shapes)
        {
          char **list = is_names ? &names : &shapes;
          g_free (*list);
          *list = copy_list (&value);
        }
      else if (is_number)
        tt_json_int64 (&value, &self->aggregate);
      else if (value.kind == TT_JSON_OBJECT)
        {
          self->is_mxnet = FALSE;
          read_operator (self, &op_key, &value);
        }
    }
  read_output_shapes (self, names, shapes);
  return tt_parameters_is_fine (&failure, error);
}
