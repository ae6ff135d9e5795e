/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/model/parameters.h"

#include "formats/model/parameters-lists.h"
#include "formats/model/parameters-metadata.h"
#include "formats/model/parameters-table.h"
#include "src/base/look.h"

#include <string.h>

static const char *const file_names[TT_N_PARAMETER_FILES] = {
  [TT_PARAMETER_NAMES] = "gradient_name_list.json",  [TT_PARAMETER_NAMES_TEXT] = "gradient_name_list.txt",
  [TT_PARAMETER_NAME_IDS] = "gradient_name2ID.json", [TT_PARAMETER_INFO] = "info.json",
  [TT_PARAMETER_SHAPES] = "tensor_shapes.json",      [TT_PARAMETER_METADATA] = "metadata.json",
};

const char *
tt_parameter_file_name (TtParameterFile file)
{
  return file_names[file];
}

/* -- other files ---------------------------------------------------------------------------------------- */

static gboolean
read_info (TtParameters *self, const Source *source, GError **error)
{
  g_autoptr (GError) failure = NULL;
  TtJsonValue key, value;

  if (!tt_json_begin_object (source->json, error))
    return FALSE;
  while (tt_json_next_key (source->json, &key, &failure))
    {
      gboolean is_number = TT_JSON_KEY_IS (key, "opt_aggregate_num");
      if (!tt_json_value (source->json, &value, error))
        return FALSE;
      if (is_number)
        tt_json_int64 (&value, &self->aggregate);
    }
  return tt_parameters_is_fine (&failure, error);
}

/* {"node:slot": {"shape": [..], "dtype": ".."}, ...} */
static gboolean
read_shapes (TtParameters *self, const Source *source, GError **error)
{
  g_autoptr (GError) failure = NULL;
  TtJsonValue key, value;

  if (!tt_json_begin_object (source->json, error))
    return FALSE;
  while (tt_json_next_key (source->json, &key, &failure))
    {
      key.kind = TT_JSON_STRING;
      g_autofree char *name = tt_json_text (&key);
      if (!tt_json_value (source->json, &value, error))
        return FALSE;
      Parameter *tensor = tt_parameters_match (self, name);
      if (tensor == NULL || value.kind != TT_JSON_OBJECT)
        continue;
      TtJsonValue shape = tt_json_get (value.raw, "shape"), dtype = tt_json_get (value.raw, "dtype");
      tt_parameters_set_shape (tensor, &shape, &dtype);
    }
  return tt_parameters_is_fine (&failure, error);
}

/* -- loading ---------------------------------------------------------------------------------------------- */

static gboolean
read_file (TtParameters *self, TtParameterFile file, const char *path, TtRepairs *repairs, GError **error)
{
  static gboolean (*const readers[TT_N_PARAMETER_FILES]) (TtParameters *, const Source *, GError **) = {
    [TT_PARAMETER_NAMES] = tt_parameters_read_names,
    [TT_PARAMETER_NAMES_TEXT] = tt_parameters_read_names_text,
    [TT_PARAMETER_NAME_IDS] = tt_parameters_read_name_ids,
    [TT_PARAMETER_INFO] = read_info,
    [TT_PARAMETER_SHAPES] = read_shapes,
    [TT_PARAMETER_METADATA] = tt_parameters_read_metadata,
  };
  g_autoptr (TtInput) input = tt_input_open (path, error);

  if (input == NULL)
    return FALSE;
  g_autoptr (TtJson) json = tt_json_new (input, repairs);
  const Source source = { .path = path, .file = file_names[file], .input = input, .json = json };
  return readers[file](self, &source, error);
}

/* MXNet's updates run from the last tensor to the first. */
static void
number_updates (TtParameters *self)
{
  guint n = self->tensors->len;

  for (guint i = 0; i < n; i++)
    {
      Parameter *tensor = &g_array_index (self->tensors, Parameter, i);
      if (self->is_mxnet)
        {
          tensor->update_id = (gint64) n - 1 - i;
          if (self->aggregate > 0)
            tensor->update_id /= self->aggregate;
        }
      else if (tensor->update_id < 0 && g_hash_table_contains (self->updates, &tensor->id))
        tensor->update_id = tensor->id;
    }
}

TtParameters *
tt_parameters_load (const char *const paths[TT_N_PARAMETER_FILES],
                    TtRepairs *repairs,
                    TtParameterFile *faulty,
                    GError **error)
{
  g_autoptr (TtParameters) self = tt_parameters_new ();

  for (guint i = 0; i < TT_N_PARAMETER_FILES; i++)
    {
      gboolean is_list = i <= TT_PARAMETER_NAME_IDS;
      if (paths[i] == NULL || (is_list && self->tensors->len > 0))
        continue;
      if (faulty != NULL)
        *faulty = (TtParameterFile) i;
      if (!read_file (self, (TtParameterFile) i, paths[i], repairs, error))
        return NULL;
    }
  number_updates (self);
  return g_steal_pointer (&self);
}

void
tt_parameters_add_to (const TtParameters *self, TtSink *sink)
{
  for (guint i = 0; i < self->tensors->len; i++)
    {
      const TtTensor tensor = tt_parameters_get (self, i);
      tt_sink_parameter (sink, tensor.tensor_id, tensor.name, tensor.shape, tensor.dtype, tensor.update_id,
                         tensor.origin);
    }
}

void
tt_parameters_add_beside (const char *path, TtSink *sink)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);
  const char *paths[TT_N_PARAMETER_FILES] = { NULL };
  g_autoptr (GError) error = NULL;
  gboolean has_list = FALSE;

  for (guint i = 0; strcmp (path, "-") != 0 && i < TT_N_PARAMETER_FILES; i++)
    {
      char *file = g_build_filename (folder, file_names[i], NULL);
      g_ptr_array_add (found, file);
      if (!tt_look_test (file, G_FILE_TEST_IS_REGULAR))
        continue;
      paths[i] = file;
      has_list |= i <= TT_PARAMETER_NAME_IDS;
    }
  if (!has_list)
    return;
  g_autoptr (TtParameters) self = tt_parameters_load (paths, &sink->repairs, NULL, &error);
  if (self != NULL)
    tt_parameters_add_to (self, sink);
  else
    tt_sink_note (sink, "the parameters beside the trace were left out: %s", error->message);
}
