/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/side/private.h"

/* Any bytes as a task graph, configuration or list of files; the first one says which. */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

static void
check_graph (const GPtrArray *items, const GError *error)
{
  g_assert_true ((items == NULL) == (error != NULL));
  for (guint i = 0; items != NULL && i < items->len; i++)
    {
      const TtPiGraphItem *item = items->pdata[i];

      g_assert_true (item->name != NULL && g_utf8_validate (item->name, -1, NULL));
      g_assert_cmpuint (item->metadata->len % 2, ==, 0);
      for (guint k = 0; k < item->metadata->len; k++)
        g_assert_true (g_utf8_validate (item->metadata->pdata[k], -1, NULL));
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  if (len == 0)
    return 0;

  g_autoptr (GBytes) contents = g_bytes_new (bytes + 1, len - 1);
  g_autoptr (GError) error = NULL;
  if (bytes[0] % 4 < 2)
    {
      g_autoptr (GPtrArray) items = bytes[0] % 4 == 0 ? tt_pi_graph_parse ("g", contents, &error)
                                                      : tt_pi_graph_json_parse ("g", contents, &error);
      check_graph (items, error);
    }
  else if (bytes[0] % 4 == 2)
    {
      g_autoptr (TtPiConfig) config = tt_pi_config_parse ("c", contents, &error);
      g_assert_true ((config == NULL) == (error != NULL));
    }
  else
    {
      g_auto (GStrv) files = tt_pi_files_parse ("f", contents, &error);
      g_auto (GStrv) lines = tt_pi_environment_parse (contents);
      g_assert_true ((files == NULL) == (error != NULL));
      g_assert_cmpuint (g_strv_length (lines), <, len);
    }
  return 0;
}
