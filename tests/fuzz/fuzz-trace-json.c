/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/look-ahead.h"
#include "tests/formats/trace-json.h"

/*
 * Any bytes as trace-event JSON. The first byte says by which dialect (0: told by content, 1: the plain one, then the
 * others in their order), the second with which options. What is longer than a look ahead is read again in the hope
 * that its spans are in order.
 *
 * Options: -entropic=0
 */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

static const TtDialect *
dialect_of (guint8 byte)
{
  guint n = 0;

  while (tt_dialects[n] != NULL)
    n++;
  byte = (guint8) (byte % (n + 1));
  return byte == 0 ? NULL : tt_dialects[byte == 1 ? n - 1 : byte - 2u];
}

/* @found: what was found without hope; NULL: nothing, but an error. */
static void
assert_hope_tells_same (const guint8 *bytes, gsize len, const TtImportOptions *options, const TraceJsonFound *found)
{
  g_auto (TraceJsonFound) hoped = { 0 };
  TtImportOptions hopeful = *options;
  gboolean has_disorder = FALSE;

  hopeful.found_disorder = &has_disorder;
  gboolean ok = trace_json_import (bytes + 2, len - 2, dialect_of (bytes[0]), &hopeful, &hoped, NULL);
  if (has_disorder)
    {
      g_assert (!ok);
      return;
    }
  g_assert (ok == (found != NULL));
  if (!ok)
    return;
  g_assert (hoped.n_spans == found->n_spans && hoped.n_instants == found->n_instants);
  g_assert (hoped.n_counters == found->n_counters && hoped.n_args == found->n_args);
  g_assert (hoped.total_ns == found->total_ns && hoped.last_flags == found->last_flags);
  g_assert (memcmp (&hoped.repairs, &found->repairs, sizeof hoped.repairs) == 0);
  g_assert (g_string_equal (hoped.metadata, found->metadata) && g_string_equal (hoped.names, found->names));
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  static char key_text[] = "a";
  char *keys[] = { key_text, NULL }, *none[] = { NULL };
  g_auto (TraceJsonFound) found = { 0 };
  g_autoptr (GError) error = NULL;

  if (len < 2)
    return 0;
  const TtImportOptions options = {
    .strict = (bytes[1] & 1) != 0,
    .rank = (bytes[1] & 2) != 0 ? 3 : -1,
    .pid = (bytes[1] & 4) != 0 ? "p" : NULL,
    .args = (bytes[1] & 8) == 0    ? NULL
            : (bytes[1] & 16) != 0 ? keys
                                   : none,
    .step_rule = (TtStepRule) ((bytes[1] >> 5) % 3),
  };
  gboolean ok = trace_json_import (bytes + 2, len - 2, dialect_of (bytes[0]), &options, &found, &error);
  g_assert (ok == (error == NULL));
  g_assert (!ok || !options.strict || tt_repairs_total (&found.repairs) == 0);
  if (len - 2 > TT_LOOK_AHEAD_BYTES)
    assert_hope_tells_same (bytes, len, &options, ok ? &found : NULL);
  return 0;
}
