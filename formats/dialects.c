/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/dialects.h"

#include "formats/formats.h"
#include "formats/trace-event/import.h"
#include "formats/trace-event/probe.h"

const TtDialect *const tt_dialects[] = {
#define LIST_DIALECT(id) &tt_dialect_##id,
  TT_DIALECTS (LIST_DIALECT)
#undef LIST_DIALECT
  &tt_dialect_chrome,
  NULL,
};

/* -- the format "chrome": any dialect, found by content ------------------------------------------------ */

static gboolean
import (const TtInputSet *input, const TtImportOptions *options, TtSink *sink, GError **error)
{
  return tt_trace_event_import_set (input, tt_dialects, options, sink, error);
}

const TtFormat tt_format_chrome = {
  .name = "chrome",
  .summary = "trace-event JSON of Chrome and everything that writes it; what wrote it is found by content",
  .probe = tt_trace_event_probe,
  .group = tt_group_by_file,
  .takes_step_names = TRUE,
  .import = import,
};
