/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/plain.h"

gboolean
tt_chrome_has_plain (const TtChrome *self)
{
  return self->language->plain_spans != NULL && self->options->selection == NULL && self->limit == NULL &&
         self->slice.whole == NULL && !self->clocks.is_mixed && self->begin_ns == G_MININT64 &&
         self->end_ns == G_MAXINT64;
}

guint
tt_chrome_write_plain (TtChrome *self, const ChromeRecord *records, guint n)
{
  if (G_UNLIKELY (self->n_lines == 0))
    return 0;
  const guint n_written = self->language->plain_spans (self, records, n);
  self->report->n_spans += n_written;
  self->n_lines += n_written;
  return n_written;
}
