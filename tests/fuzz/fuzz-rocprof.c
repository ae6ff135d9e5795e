/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/formats.h"
#include "src/trace/sink.h"
#include "tests/fuzz/memory-file.h"

#include <string.h>

/* Any bytes as JSON of rocprofv3. The first byte says with which options. What --args leaves
 * out must change nothing else.
 *
 * Links: tests/fuzz/json-mutator.c
 * Options: -entropic=0 -max_len=4096
 */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

typedef struct
{
  gboolean is_read;
  guint64 n_spans, n_instants;
} Outcome;

static Outcome
use_file (const char *path, const TtImportOptions *options)
{
  g_autoptr (TtSink) sink = tt_null_sink_new (tt_names_new (NULL));
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  const TtInputSet input = { .paths = paths };
  Outcome outcome = { 0 };

  g_ptr_array_add (paths, (gpointer) path);
  outcome.is_read = tt_format_rocprof.import (&input, options, sink, &error);
  g_assert (outcome.is_read == (error == NULL));
  if (outcome.is_read)
    g_assert (tt_sink_finish (sink, NULL));
  outcome.n_spans = sink->n_spans;
  outcome.n_instants = sink->n_instants;
  return outcome;
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  static char key_text[] = "correlation", pid[] = "p";
  char *keys[] = { key_text, NULL }, *none[] = { NULL };

  if (len < 1)
    return 0;
  guint8 choice = bytes[0];
  const TtImportOptions options = {
    .strict = (choice & 1) != 0,
    .rank = (choice & 2) != 0 ? 3 : -1,
    .pid = (choice & 4) != 0 ? pid : NULL,
    .args = (choice & 8) == 0 ? NULL : (choice & 16) != 0 ? keys : none,
  };
  const char *path = fuzz_memory_file (0, bytes + 1, len - 1);
  Outcome first = use_file (path, &options);

  if ((choice & 32) == 0 || !first.is_read)
    return 0;
  TtImportOptions other = options;
  other.args = options.args == NULL ? none : NULL;
  Outcome second = use_file (path, &other);
  g_assert (second.is_read && second.n_spans == first.n_spans && second.n_instants == first.n_instants);
  return 0;
}
