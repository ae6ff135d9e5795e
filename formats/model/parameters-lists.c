/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/model/parameters-lists.h"

#include "src/base/compare.h"
#include "src/base/error.h"

#include <string.h>

#define MAX_TEXT ((gsize) 64 << 20)

/* "name;shape=(512, 1024);dtype=float16", or the name alone. */
static void
add_described (TtParameters *self, const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, ";", -1);
  const char *name = parts[0] == NULL ? "" : parts[0];
  Parameter *tensor = tt_parameters_add (self, self->tensors->len, g_strdup (name));

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
tt_parameters_read_list (TtParameters *self, const Source *source, const TtJsonValue *list, GError **error)
{
  const char *cursor = NULL;
  TtJsonValue item;

  if (list->kind != TT_JSON_ARRAY)
    return tt_parameters_fail (source, list, "an array of the names of tensors", error);
  while (tt_json_item (list->raw, &cursor, &item))
    {
      g_autofree char *text = item.kind == TT_JSON_ARRAY ? join_parts (&item) : tt_json_text (&item);
      if (self->tensors->len == MAX_TENSORS)
        return tt_parameters_fail (source, list, "at most a million tensors", error);
      add_described (self, text);
    }
  self->origin = source->file;
  return TRUE;
}

gboolean
tt_parameters_read_names (TtParameters *self, const Source *source, GError **error)
{
  TtJsonValue key, value;

  if (tt_json_peek (source->json, error) == TT_JSON_ARRAY)
    return tt_json_value (source->json, &value, error) && tt_parameters_read_list (self, source, &value, error);
  if (!tt_json_begin_object (source->json, error))
    return FALSE;
  g_autoptr (GError) failure = NULL;
  while (tt_json_next_key (source->json, &key, &failure))
    {
      gboolean is_list = TT_JSON_KEY_IS (key, "gradient_name_list");
      if (!tt_json_value (source->json, &value, error))
        return FALSE;
      if (is_list && self->tensors->len == 0 && !tt_parameters_read_list (self, source, &value, error))
        return FALSE;
    }
  return tt_parameters_is_fine (&failure, error);
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  const Parameter *x = a, *y = b;

  return x->id != y->id ? TT_COMPARE (x->id, y->id) : strcmp (x->name, y->name);
}

/* {"HorovodAllreduce.name": id, ...}: ids as they stand there. */
gboolean
tt_parameters_read_name_ids (TtParameters *self, const Source *source, GError **error)
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
      if (!tt_json_int64 (&value, &id) || id < 0 || self->tensors->len == MAX_TENSORS)
        return tt_parameters_fail (source, &value, "the id of a tensor", error);
      const char *mark = strstr (name, "HorovodAllreduce.");
      g_autofree char *head = mark == NULL ? NULL : g_strndup (name, (gsize) (mark - name));
      tt_parameters_add (self, id,
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

gboolean
tt_parameters_read_names_text (TtParameters *self, const Source *source, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char block[65536];
  gssize n;

  while ((n = tt_input_read (source->input, block, sizeof block, error)) > 0)
    {
      if (text->len + (gsize) n > MAX_TEXT)
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
      if (self->tensors->len < MAX_TENSORS)
        add_described (self, line);
    }
  self->origin = source->file;
  self->is_mxnet = TRUE;
  return TRUE;
}
