/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/span-waits.h"

#include "src/base/compare.h"

gboolean
tt_chrome_has_wait (TtChrome *self, guint64 event)
{
  const GArray *waits = self->options->waits;

  if (waits == NULL)
    return FALSE;
  while (self->next_wait < waits->len && g_array_index (waits, TtExportWait, self->next_wait).event < event)
    self->next_wait++;
  return self->next_wait < waits->len && g_array_index (waits, TtExportWait, self->next_wait).event == event;
}

static int
compare_events (const void *key, const void *wait)
{
  return TT_COMPARE (*(const guint64 *) key, ((const TtExportWait *) wait)->event);
}

const TtExportWait *
tt_chrome_wait_of (const TtChrome *self, guint64 event)
{
  const GArray *waits = self->options->waits;

  return waits == NULL || waits->len == 0
             ? NULL
             : bsearch (&event, waits->data, waits->len, sizeof (TtExportWait), compare_events);
}
