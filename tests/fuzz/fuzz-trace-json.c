/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/trace-json.h"

/*
 * Any bytes as trace-event JSON. The first byte says by which dialect (0: told by content, 1: the plain one, then the
 * others in their order), the second with which options.
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
  return 0;
}
