/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/dialects.h"
#include "formats/trace-event/import.h"
#include "formats/byteps/names.h"
#include "formats/horovod/names.h"
#include "formats/nccl/names.h"
#include "formats/model/tensor-names.h"
#include "formats/mxnet/names.h"
#include "formats/mxnet/symbol.h"
#include "formats/job/temp-operators.h"
#include "formats/model/parameters.h"
#include "tests/fuzz/memory-file.h"

/* The first byte says what the rest is: a trace for one of the dialects, temp.json of a job, a symbol, a file of
 * parameters, or names.
 *
 * Options: -entropic=0
 */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

static const TtDialect *const dialects[] = { &tt_dialect_tensorflow, &tt_dialect_mxnet, &tt_dialect_horovod,
                                             &tt_dialect_nccl, &tt_dialect_byteps };

static gboolean
look_at_operator (const TtOperator *row, gpointer data, GError **error)
{
  guint64 *sum = data;

  g_assert (row->op_cat != NULL && row->op_name != NULL);
  for (gsize i = 0; i < row->args.len; i++)
    *sum += (guint8) row->args.bytes[i];
  return TRUE;
}

static void
use_trace (const char *path, const TtDialect *dialect, gboolean is_strict)
{
  const TtImportOptions options = { .rank = -1, .strict = is_strict };
  const TtDialect *const only[] = { dialect, NULL };
  g_autoptr (TtSink) sink = tt_null_sink_new (tt_names_new (NULL));
  g_autoptr (GError) error = NULL;
  gboolean is_read = tt_trace_event_import_file (path, dialect == NULL ? tt_dialects : only, &options, sink, &error);

  g_assert (is_read == (error == NULL));
  if (is_read)
    g_assert (tt_sink_finish (sink, NULL));
}

static void
use_temp (const char *path)
{
  g_autoptr (TtSink) sink = tt_null_sink_new (tt_names_new (NULL));
  g_autoptr (TtTfNames) names = tt_tf_names_new (NULL);
  g_autoptr (GError) error = NULL;
  const TtOperatorSource source = { .path = path, .names = names, .sink = sink };
  guint64 sum = 0;

  tt_sink_begin_source (sink, "job", path, TT_CLOCK_EPOCH);
  g_assert (tt_temp_operators (&source, look_at_operator, &sum, &error) == (error == NULL));
}

static void
use_parameters (const char *path)
{
  for (guint i = 0; i < TT_N_PARAMETER_FILES; i++)
    {
      const char *paths[TT_N_PARAMETER_FILES] = { NULL };
      TtRepairs repairs = { 0 };
      g_autoptr (GError) error = NULL;

      paths[TT_PARAMETER_SHAPES] = paths[TT_PARAMETER_METADATA] = path;
      paths[i] = path;
      g_autoptr (TtParameters) parameters = tt_parameters_load (paths, &repairs, NULL, &error);
      g_assert ((parameters != NULL) == (error == NULL));
      for (guint k = 0; parameters != NULL && k < tt_parameters_count (parameters); k++)
        {
          TtTensor tensor = tt_parameters_get (parameters, k);
          g_assert (tensor.name != NULL && tensor.update_id >= -1);
        }
    }
}

static void
use_names (const char *text, gsize len)
{
  g_autofree char *name = g_strndup (text, len);
  g_autoptr (GString) op_name = g_string_new (NULL);
  g_auto (TtBytepsName) worker = { 0 }, server = { 0 };
  g_autofree char *source = NULL, *target = NULL;

  g_free (tt_mxnet_output_name (name));
  tt_byteps_keys_free (tt_byteps_keys_parse (text, len));
  tt_mxnet_name (name, op_name);
  g_assert (op_name->len > 0 || *name == '\0');
  tt_byteps_worker_name (name, &worker);
  tt_byteps_server_name (name, &server);
  tt_byteps_link (name, &source, &target);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  if (len < 1)
    return 0;
  guint8 choice = bytes[0] % 16;
  const char *text = (const char *) bytes + 1;
  const char *path = fuzz_memory_file (0, text, --len);

  if (choice < 2 * G_N_ELEMENTS (dialects))
    use_trace (path, dialects[choice / 2], choice % 2 != 0);
  else if (choice == 10)
    use_trace (path, NULL, FALSE);
  else if (choice == 11)
    use_temp (path);
  else if (choice == 12)
    use_parameters (path);
  else if (choice == 13)
    tt_local_graph_free (tt_mxnet_symbol_parse ("fuzz", text, len, NULL));
  else
    use_names (text, len);
  return 0;
}
