/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/edf.h"
#include "formats/tau/tau-name.h"

#include <string.h>

/* Any bytes as a file of definitions. The first byte says into what pieces the rest is cut. */

static void
use_row (const TtTauRow *row)
{
  static TtTauName name;

  g_assert (g_utf8_validate (row->name, -1, NULL));
  g_assert (g_utf8_validate (row->group, -1, NULL));
  tt_tau_name_split (&name, row->name);
  g_assert (g_utf8_validate (name.op->str, -1, NULL));
  g_assert (g_utf8_validate (name.file->str, -1, NULL));
  g_assert (name.line >= 0);
}

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  g_autoptr (TtTauEdf) edf = tt_tau_edf_new ("fuzz.edf");
  gsize piece = len == 0 ? 1 : (gsize) bytes[0] * 8 + 1;
  const char *text = (const char *) bytes + 1;
  TtTauRow row;

  tt_tau_rows_probe (bytes, len);
  for (gsize left = len == 0 ? 0 : len - 1; left > 0;)
    {
      gsize n = MIN (piece, left);
      if (!tt_tau_edf_feed (edf, text, n, NULL))
        return 0;
      text += n;
      left -= n;
    }
  if (!tt_tau_edf_end (edf, NULL))
    return 0;
  for (gint64 id = -2; id < 70; id++)
    if (tt_tau_edf_find (edf, id, &row))
      use_row (&row);
  return 0;
}
