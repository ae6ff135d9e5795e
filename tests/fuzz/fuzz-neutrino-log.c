/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/launches.h"
#include "formats/neutrino-trace/run.h"
#include "tests/fuzz/memory-file.h"

/* The first byte says what the rest is: event.log, kernel.info or tensor.trace. */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

static void
use_log (const char *path, TtSink *sink, const TtImportOptions *options)
{
  g_autoptr (TtInput) input = tt_input_open (path, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (TtNeutrinoLog) log = input == NULL ? NULL : tt_neutrino_log_read (input, &error);

  if (log == NULL)
    return;
  for (guint i = 0; i < log->launches->len; i++)
    {
      const TtNeutrinoLaunch *launch = log->launches->pdata[i];
      g_assert (launch->result == NULL || tt_neutrino_log_of_result (log, launch->result) != NULL);
      g_assert (i == 0 || launch->ts_ns >= ((const TtNeutrinoLaunch *) log->launches->pdata[i - 1])->ts_ns);
    }
  guint32 process = tt_sink_process (sink, "1", NULL, NULL, -1);
  g_assert (tt_neutrino_put_launches (log, options, sink, process, NULL));
}

static void
use_kernel (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtNeutrinoKernel) kernel = tt_neutrino_kernel_load (path, &error);

  g_assert ((kernel == NULL) == (error != NULL));
  g_assert (kernel == NULL || g_utf8_validate (kernel->name, -1, NULL));
}

static void
use_tensors (const char *path, TtSink *sink, const TtImportOptions *options)
{
  g_autoptr (TtInput) input = tt_input_open (path, NULL);
  guint32 process = tt_sink_process (sink, "1", NULL, NULL, -1);

  if (input != NULL)
    tt_neutrino_put_tensors (input, options, sink, process, NULL);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  const TtImportOptions options = { .rank = -1 };
  g_autoptr (TtSink) sink = tt_null_sink_new (tt_names_new (NULL));

  if (len < 1)
    return 0;
  const char *path = fuzz_memory_file (0, bytes + 1, len - 1);
  tt_sink_begin_source (sink, "neutrino", path, TT_CLOCK_EPOCH);
  if (bytes[0] % 3 == 0)
    use_log (path, sink, &options);
  else if (bytes[0] % 3 == 1)
    use_kernel (path);
  else
    use_tensors (path, sink, &options);
  return 0;
}
