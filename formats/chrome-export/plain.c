/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/plain.h"

#include "formats/chrome-export/tracks.h"

/* Bits that the record of a plain span has not. */
#define OTHER_FLAGS ((guint32) (TT_FLAG_ASYNC | TT_FLAG_COLLECTIVE | TT_FLAG_FAILED) << CHROME_FLAGS_SHIFT)
#define OTHER_BITS (CHROME_KIND_MASK | CHROME_HAS_EXTRA | CHROME_HIGHLIGHT | CHROME_WAITS | OTHER_FLAGS)

G_STATIC_ASSERT (CHROME_SPAN == 0);

gboolean
tt_chrome_has_plain (const TtChrome *self)
{
  return self->language->plain_span != NULL && self->options->selection == NULL && self->limit == NULL &&
         self->slice.whole == NULL && !self->clocks.is_mixed && self->begin_ns == G_MININT64 &&
         self->end_ns == G_MAXINT64;
}

/* FALSE: it is no plain span, or the first line; nothing is done. */
static inline gboolean
write_span (TtChrome *self, const ChromeRecord *record)
{
  const guint32 id = (guint32) record->order;
  ChromeThread *thread = tt_chrome_thread_at (self, id);
  const gint64 ts_ns = tt_sort_value (record->ts), dur_ns = record->value;
  ChromePlainSpan span = { .thread = thread, .clock = self->clocks.only, .dur_ns = dur_ns };
  gint64 end_ns;

  if (G_UNLIKELY ((record->bits & OTHER_BITS) != 0 || self->n_lines == 0 ||
                  __builtin_add_overflow (ts_ns, dur_ns, &end_ns) ||
                  __builtin_sub_overflow (ts_ns, self->clocks.left_ns[span.clock], &span.shown_ns)))
    return FALSE;
  if (G_UNLIKELY (!tt_chrome_track_opens (&thread->track, ts_ns, end_ns, (guint32) (record->order >> 32))))
    return FALSE;
  span.text = tt_chrome_line_text (self, (const ChromeLineTexts *) (gconstpointer) self->fragments, id, record->name);
  span.flags = record->bits >> CHROME_FLAGS_SHIFT & CHROME_FLAGS_MASK;
  span.cnt = (*span.text->count)++;
  self->language->plain_span (self, &span);
  return TRUE;
}

guint
tt_chrome_write_plain (TtChrome *self, const ChromeRecord *records, guint n)
{
  guint i = 0;

  while (i < n && write_span (self, &records[i]))
    i++;
  self->report->n_spans += i;
  self->n_lines += i;
  return i;
}
