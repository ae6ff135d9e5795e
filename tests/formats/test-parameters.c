/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/model/parameters.h"

#include <glib/gstdio.h>
#include <string.h>

/* The parameter dictionary, from files written here. */

typedef struct
{
  char *folder;
  GPtrArray *paths;
  const char *files[TT_N_PARAMETER_FILES];
} Files;

static void
files_init (Files *self)
{
  memset (self, 0, sizeof *self);
  self->folder = g_dir_make_tmp ("parameters-XXXXXX", NULL);
  self->paths = g_ptr_array_new_with_free_func (g_free);
  g_assert_nonnull (self->folder);
}

static void
files_add (Files *self, TtParameterFile file, const char *text)
{
  char *path = g_build_filename (self->folder, tt_parameter_file_name (file), NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_ptr_array_add (self->paths, path);
  self->files[file] = path;
}

static void
files_clear (Files *self)
{
  for (guint i = 0; i < self->paths->len; i++)
    g_unlink (self->paths->pdata[i]);
  g_rmdir (self->folder);
  g_ptr_array_unref (self->paths);
  g_free (self->folder);
}

/* "id name shape dtype update", a line each. */
static char *
describe (const Files *files)
{
  TtRepairs repairs = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (TtParameters) parameters = tt_parameters_load (files->files, &repairs, NULL, &error);
  GString *text = g_string_new (NULL);

  if (parameters == NULL)
    {
      const char *base = strrchr (error->message, '/');
      g_string_append (text, base == NULL ? error->message : base + 1);
      return g_string_free (text, FALSE);
    }
  for (guint i = 0; i < tt_parameters_count (parameters); i++)
    {
      TtTensor tensor = tt_parameters_get (parameters, i);
      g_string_append_printf (text, "%" G_GINT64_FORMAT " %s %s %s %" G_GINT64_FORMAT " %s\n", tensor.tensor_id,
                              tensor.name, tensor.shape == NULL ? "-" : tensor.shape,
                              tensor.dtype == NULL ? "-" : tensor.dtype, tensor.update_id, tensor.origin);
    }
  return g_string_free (text, FALSE);
}

static void
expect (Files *files, const char *expected)
{
  g_autofree char *found = describe (files);

  g_assert_cmpstr (found, ==, expected);
  files_clear (files);
}

static void
test_mxnet_metadata (void)
{
  Files files;

  files_init (&files);
  files_add (&files, TT_PARAMETER_METADATA,
             "{\"outputs\": [\"data\", \"fc_bias\"], \"out_shapes\": [[8, 3], [10]],\n"
             " \"gradient_name_list\": [\"conv_weight;shape=(512, 1024);dtype=float16\",\n"
             "  [\"fc_weight\", \"shape=(10,)\", \"dtype=float32\"], \"fc_bias\", \"gamma;shape=()\"],\n"
             " \"opt_aggregate_num\": 3}");
  expect (&files, "0 conv_weight 512x1024 float16 1 metadata.json\n"
                  "1 fc_weight 10 float32 0 metadata.json\n"
                  "2 fc_bias 10 - 0 metadata.json\n"
                  "3 gamma scalar - 0 metadata.json\n");
}

static void
test_mxnet_text (void)
{
  Files files;

  files_init (&files);
  files_add (&files, TT_PARAMETER_NAMES_TEXT, "a\nb;shape=(2, 3);dtype=float32\r\nc\n");
  expect (&files, "0 a - - 2 gradient_name_list.txt\n"
                  "1 b 2x3 float32 1 gradient_name_list.txt\n"
                  "2 c - - 0 gradient_name_list.txt\n");

  files_init (&files);
  files_add (&files, TT_PARAMETER_NAMES_TEXT, "a\nb\nc\n");
  files_add (&files, TT_PARAMETER_INFO, "{\"opt_aggregate_num\": 2}");
  expect (&files, "0 a - - 1 gradient_name_list.txt\n"
                  "1 b - - 0 gradient_name_list.txt\n"
                  "2 c - - 0 gradient_name_list.txt\n");
}

static void
test_tensorflow (void)
{
  Files files;

  files_init (&files);
  files_add (
      &files, TT_PARAMETER_NAMES,
      "{\"gradient_name_list\": [\"tape/a:0\", \"tape/b:0\", \"tape/c:0\", \"tape/d:0\"], \"model_name\": \"m\"}");
  files_add (&files, TT_PARAMETER_METADATA,
             "{\"StatefulPartitionedCall/tape/a\": {\"op\": \"MatMul\", \"input\": [], \"output\": ["
             "   {\"name\": \"StatefulPartitionedCall/tape/a:0\", \"shape\": [64, null], \"dtype\": \"float32\"}]},\n"
             " \"tape/b\": {\"op\": \"Sum\", \"input\": [], \"output\": ["
             "   {\"name\": \"tape/b:1\", \"shape\": [1], \"dtype\": \"int32\"},"
             "   {\"name\": \"tape/b:0\", \"shape\": [], \"dtype\": \"half\"}]},\n"
             " \"SGD/SGD/update_5/ResourceApply\": {\"op\": \"ResourceApply\", \"output\": [],"
             "   \"input\": [{\"name\": \"var\"}, {\"name\": \"tape/a:0\"}]},\n"
             " \"SGD/SGD/update_0/ResourceApply\": {\"op\": \"ResourceApply\", \"output\": [],"
             "   \"input\": [{\"name\": \"Tape_Allreduce/HorovodAllreduce.1_0:0\"}]},\n"
             " \"SGD/SGD/update_2/ResourceApply\": {\"op\": \"ResourceApply\", \"output\": [], \"input\": []},\n"
             " \"SGD/no_update_3/x\": {\"op\": \"NoOp\", \"output\": [], \"input\": []}}");
  expect (&files, "0 tape/a:0 64x? float32 5 gradient_name_list.json\n"
                  "1 tape/b:0 scalar half 0 gradient_name_list.json\n"
                  "2 tape/c:0 - - 2 gradient_name_list.json\n"
                  "3 tape/d:0 - - -1 gradient_name_list.json\n");
}

static void
test_name_ids (void)
{
  Files files;

  files_init (&files);
  files_add (&files, TT_PARAMETER_NAME_IDS,
             "{\"HorovodAllreduce.tape/b:0\": 1, \"HorovodAllreduce.tape/a:0\": 0, \"tape/c:0\": 7}");
  files_add (&files, TT_PARAMETER_SHAPES, "{\"tape/b:0\": {\"shape\": [3, 4], \"dtype\": \"float32\"}, \"x:0\": 1}");
  expect (&files, "0 tape/a:0 - - -1 gradient_name2ID.json\n"
                  "1 tape/b:0 3x4 float32 -1 gradient_name2ID.json\n"
                  "7 tape/c:0 - - -1 gradient_name2ID.json\n");
}

static void
test_odd_files (void)
{
  Files files;

  files_init (&files);
  files_add (&files, TT_PARAMETER_NAMES, "{\"gradient_name_list\": 5}");
  expect (&files, "gradient_name_list.json: byte 23: expected an array of the names of tensors");

  files_init (&files);
  files_add (&files, TT_PARAMETER_NAME_IDS, "{\"a\": \"x\"}");
  expect (&files, "gradient_name2ID.json: byte 6: expected the id of a tensor");

  /* The first list counts; without any there is nothing. */
  files_init (&files);
  files_add (&files, TT_PARAMETER_NAMES, "[\"a\"]");
  files_add (&files, TT_PARAMETER_NAMES_TEXT, "b\n");
  expect (&files, "0 a - - -1 gradient_name_list.json\n");

  files_init (&files);
  files_add (&files, TT_PARAMETER_INFO, "{}");
  expect (&files, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parameters/mxnet/metadata", test_mxnet_metadata);
  g_test_add_func ("/parameters/mxnet/text", test_mxnet_text);
  g_test_add_func ("/parameters/tensorflow", test_tensorflow);
  g_test_add_func ("/parameters/name-ids", test_name_ids);
  g_test_add_func ("/parameters/odd", test_odd_files);
  return g_test_run ();
}
