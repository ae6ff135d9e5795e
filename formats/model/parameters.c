#include "config.h"

#include "formats/model/parameters.h"

#include "formats/model/parameters-private.h"
#include "src/base/error.h"

#include <string.h>

#define MOST_TENSORS (1u << 20)
#define MOST_TEXT ((gsize) 64 << 20)

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

gboolean
tt_parameters_knows (const char *path, TtParameterFile *file)
{
  g_autofree char *name = g_path_get_basename (path);

  for (guint i = 0; i < TT_N_PARAMETER_FILES; i++)
    if (g_str_equal (name, file_names[i]))
      {
        *file = (TtParameterFile) i;
        return TRUE;
      }
  return FALSE;
}

/* -- tensors ----------------------------------------------------------------------------------------- */

static void
tensor_clear (gpointer data)
{
  Parameter *tensor = data;

  g_free (tensor->name);
  g_free (tensor->shape);
  g_free (tensor->dtype);
}

static TtParameters *
parameters_new (void)
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

/* Takes @name; of equal ones the first counts when asked by name. */
static Parameter *
add_tensor (TtParameters *self, gint64 id, char *name)
{
  const Parameter tensor = { .id = id, .name = name, .update_id = -1 };

  g_array_append_val (self->tensors, tensor);
  if (!g_hash_table_contains (self->numbers, name))
    g_hash_table_insert (self->numbers, g_strdup (name), GUINT_TO_POINTER (self->tensors->len));
  return &g_array_index (self->tensors, Parameter, self->tensors->len - 1);
}

void
tt_parameters_set_shape (Parameter *tensor, const TtJsonValue *shape, const TtJsonValue *dtype)
{
  if (tensor->shape == NULL)
    tensor->shape = tt_parameter_shape (shape);
  if (tensor->dtype == NULL && dtype->kind == TT_JSON_STRING)
    tensor->dtype = tt_json_text (dtype);
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

char *
tt_parameter_shape (const TtJsonValue *value)
{
  if (value->kind != TT_JSON_ARRAY && value->kind != TT_JSON_STRING)
    return NULL;
  g_autofree char *text = tt_json_text (value);
  return tt_parameter_shape_text (text);
}

/* -- lists of names ------------------------------------------------------------------------------------ */

/* "name;shape=(512, 1024);dtype=float16", or the name alone. */
static void
add_described (TtParameters *self, const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, ";", -1);
  const char *name = parts[0] == NULL ? "" : parts[0];
  Parameter *tensor = add_tensor (self, self->tensors->len, g_strdup (name));

  for (guint i = 1; parts[0] != NULL && parts[i] != NULL; i++)
    {
      const char *part = parts[i] + strspn (parts[i], " ");
      if (g_str_has_prefix (part, "shape=") && tensor->shape == NULL)
        tensor->shape = tt_parameter_shape_text (part + 6);
      else if (g_str_has_prefix (part, "dtype=") && tensor->dtype == NULL)
        tensor->dtype = g_strdup (part + 6);
    }
}

static char *
join_parts (const TtJsonValue *list)
{
  GString *text = g_string_new (NULL);
  const char *cursor = NULL;
  TtJsonValue part;

  while (tt_json_item (list->raw, &cursor, &part))
    {
      g_autofree char *word = tt_json_text (&part);
      g_string_append (text, text->len > 0 ? ";" : "");
      g_string_append (text, word);
    }
  return g_string_free (text, FALSE);
}

gboolean
tt_parameters_take_list (TtParameters *self, const Source *source, const TtJsonValue *list, GError **error)
{
  const char *cursor = NULL;
  TtJsonValue item;

  if (list->kind != TT_JSON_ARRAY)
    return tt_parameters_fail (source, list, "an array of the names of tensors", error);
  while (tt_json_item (list->raw, &cursor, &item))
    {
      g_autofree char *text = item.kind == TT_JSON_ARRAY ? join_parts (&item) : tt_json_text (&item);
      if (self->tensors->len == MOST_TENSORS)
        return tt_parameters_fail (source, list, "at most a million tensors", error);
      add_described (self, text);
    }
  self->origin = source->file;
  return TRUE;
}

static gboolean
read_names (TtParameters *self, const Source *source, GError **error)
{
  TtJsonValue key, value;

  if (tt_json_peek (source->json, error) == TT_JSON_ARRAY)
    return tt_json_value (source->json, &value, error) && tt_parameters_take_list (self, source, &value, error);
  if (!tt_json_begin_object (source->json, error))
    return FALSE;
  g_autoptr (GError) failure = NULL;
  while (tt_json_next_key (source->json, &key, &failure))
    {
      gboolean is_list = TT_SLICE_IS (key.raw, "gradient_name_list");
      if (!tt_json_value (source->json, &value, error))
        return FALSE;
      if (is_list && self->tensors->len == 0 && !tt_parameters_take_list (self, source, &value, error))
        return FALSE;
    }
  return tt_parameters_is_fine (&failure, error);
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  const Parameter *x = a, *y = b;

  return x->id != y->id ? (x->id < y->id ? -1 : 1) : strcmp (x->name, y->name);
}

/* {"HorovodAllreduce.name": id, ...}: ids as they stand there. */
static gboolean
read_name_ids (TtParameters *self, const Source *source, GError **error)
{
  g_autoptr (GError) failure = NULL;
  TtJsonValue key, value;

  if (!tt_json_begin_object (source->json, error))
    return FALSE;
  while (tt_json_next_key (source->json, &key, &failure))
    {
      gint64 id;
      key.kind = TT_JSON_STRING;
      g_autofree char *name = tt_json_text (&key);
      if (!tt_json_value (source->json, &value, error))
        return FALSE;
      if (!tt_json_int64 (&value, &id) || id < 0 || self->tensors->len == MOST_TENSORS)
        return tt_parameters_fail (source, &value, "the id of a tensor", error);
      const char *mark = strstr (name, "HorovodAllreduce.");
      g_autofree char *head = mark == NULL ? NULL : g_strndup (name, (gsize) (mark - name));
      add_tensor (self, id,
                  mark == NULL ? g_strdup (name) : g_strconcat (head, mark + strlen ("HorovodAllreduce."), NULL));
    }
  if (!tt_parameters_is_fine (&failure, error))
    return FALSE;
  g_array_sort (self->tensors, compare_ids);
  g_hash_table_remove_all (self->numbers);
  for (guint i = 0; i < self->tensors->len; i++)
    {
      const char *name = g_array_index (self->tensors, Parameter, i).name;
      if (!g_hash_table_contains (self->numbers, name))
        g_hash_table_insert (self->numbers, g_strdup (name), GUINT_TO_POINTER (i + 1));
    }
  self->origin = source->file;
  return TRUE;
}

static gboolean
read_names_text (TtParameters *self, const Source *source, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char block[65536];
  gssize n;

  while ((n = tt_input_read (source->input, block, sizeof block, error)) > 0)
    {
      if (text->len + (gsize) n > MOST_TEXT)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: more than 64 MiB, no list of tensors", source->path);
          return FALSE;
        }
      g_string_append_len (text, block, n);
    }
  if (n < 0)
    return FALSE;
  g_auto (GStrv) lines = g_strsplit (text->str, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_strstrip (lines[i]);
      if (*lines[i] == '\0' && lines[i + 1] == NULL)
        break;
      g_autofree char *line = g_utf8_make_valid (lines[i], -1);
      if (self->tensors->len < MOST_TENSORS)
        add_described (self, line);
    }
  self->origin = source->file;
  self->is_mxnet = TRUE;
  return TRUE;
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
      gboolean is_number = TT_SLICE_IS (key.raw, "opt_aggregate_num");
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
    [TT_PARAMETER_NAMES] = read_names,       [TT_PARAMETER_NAMES_TEXT] = read_names_text,
    [TT_PARAMETER_NAME_IDS] = read_name_ids, [TT_PARAMETER_INFO] = read_info,
    [TT_PARAMETER_SHAPES] = read_shapes,     [TT_PARAMETER_METADATA] = tt_parameters_read_metadata,
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
tt_parameters_load (const char *const paths[TT_N_PARAMETER_FILES], TtRepairs *repairs, GError **error)
{
  g_autoptr (TtParameters) self = parameters_new ();

  for (guint i = 0; i < TT_N_PARAMETER_FILES; i++)
    {
      gboolean is_list = i <= TT_PARAMETER_NAME_IDS;
      if (paths[i] == NULL || (is_list && self->tensors->len > 0))
        continue;
      if (!read_file (self, (TtParameterFile) i, paths[i], repairs, error))
        return NULL;
    }
  number_updates (self);
  return g_steal_pointer (&self);
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

void
tt_parameters_put (const TtParameters *self, TtSink *sink)
{
  for (guint i = 0; i < self->tensors->len; i++)
    {
      const TtTensor tensor = tt_parameters_get (self, i);
      tt_sink_parameter (sink, tensor.tensor_id, tensor.name, tensor.shape, tensor.dtype, tensor.update_id,
                         tensor.origin);
    }
}

void
tt_parameters_put_beside (const char *path, TtSink *sink)
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
      if (!g_file_test (file, G_FILE_TEST_IS_REGULAR))
        continue;
      paths[i] = file;
      has_list |= i <= TT_PARAMETER_NAME_IDS;
    }
  if (!has_list)
    return;
  g_autoptr (TtParameters) self = tt_parameters_load (paths, &sink->repairs, &error);
  if (self != NULL)
    tt_parameters_put (self, sink);
  else
    tt_sink_note (sink, "the parameters beside the trace were left out: %s", error->message);
}
