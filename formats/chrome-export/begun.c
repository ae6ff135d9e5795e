/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/begun.h"

#include "src/base/sorter.h"
#include "src/trace/span.h"

typedef struct
{
  gint64 end_ns;
  guint64 event; /* of a span without length; others differ by depth */
  guint32 thread, depth;
} Begun;

void
tt_chrome_begun_clear (ChromeBegun *self)
{
  g_clear_pointer (&self->spans, g_array_unref);
}

void
tt_chrome_begun_add (ChromeBegun *self, const ChromeRecord *record, const ChromeExtra *extra)
{
  const Begun begun = {
    .end_ns = tt_span_end (tt_sort_value (record->ts), extra->dur_ns),
    .event = extra->dur_ns == 0 ? extra->event : 0,
    .thread = (guint32) record->order,
    .depth = (guint32) (record->order >> 32),
  };

  if (self->spans == NULL)
    self->spans = g_array_new (FALSE, FALSE, sizeof (Begun));
  if (record->ts != self->ts)
    g_array_set_size (self->spans, 0);
  self->ts = record->ts;
  if (self->spans->len < CHROME_MAX_BEGUN)
    g_array_append_val (self->spans, begun);
}

guint32
tt_chrome_begun_nth (const ChromeBegun *self, const ChromeMessage *side)
{
  guint32 n = 0, nth = 0;

  if (self->spans == NULL || side->ts != self->ts || side->span_ns != tt_sort_value (side->ts))
    return 0;
  for (guint i = 0; i < self->spans->len; i++)
    {
      const Begun *begun = &g_array_index (self->spans, Begun, i);
      if (begun->thread != (guint32) side->order)
        continue;
      n++;
      if (begun->depth == side->span_depth && begun->end_ns == side->end_ns &&
          (begun->event == 0 || begun->event == side->span_event))
        nth = n;
    }
  return nth == n ? 0 : nth;
}
