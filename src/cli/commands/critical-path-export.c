/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/chrome-export.h"
#include "src/cli/command.h"
#include "src/cli/commands/critical-path.h"

gboolean
tt_path_export (TtStore *store,
                const TtPathRequest *request,
                const GArray *events,
                const GArray *pieces,
                GError **error)
{
  TtExportOptions options = { .highlight = events, .overlay = pieces };
  TtExportReport report = { 0 };
  g_autoptr (TtOutput) out = tt_output_open (request->output, error);

  if (out == NULL || !tt_chrome_export (store, out, &options, &report, error) || !tt_output_close (out, error))
    return FALSE;
  tt_message ("wrote '%s' with the path marked; %s", request->output, TT_CHROME_OPENER);
  return TRUE;
}
