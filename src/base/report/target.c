/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/report/target.h"

#include "src/base/clean-text.h"
#include "src/base/failure.h"

#define FLUSH_BYTES ((gsize) 65536)

static void
clean_text (TtReportTarget *target)
{
  GString *clean = g_string_sized_new (target->text->len);

  tt_clean_append_piece (clean, target->text->str, target->text->len, TRUE);
  g_string_free (target->text, TRUE);
  target->text = clean;
}

void
tt_report_target_flush (TtReportTarget *target, gboolean all)
{
  if (target->file == NULL || (!all && target->text->len < FLUSH_BYTES))
    return;
  target->failed |= !tt_failure_check (NULL);
  if (target->is_cleaned)
    clean_text (target);
  if (!target->failed && fwrite (target->text->str, 1, target->text->len, target->file) != target->text->len)
    target->failed = TRUE;
  g_string_truncate (target->text, 0);
}
