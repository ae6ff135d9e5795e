/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/side.h"

#include "formats/chrome-export/tracks.h"

static void
count (TtChrome *self, const ChromeMessage *side)
{
  gboolean is_recv = (side->marks & CHROME_IS_RECV) != 0;
  gboolean is_pair = side->kind != CHROME_HALF || (side->marks & CHROME_IS_PAIR) != 0;

  if (is_recv && is_pair)
    return;
  if (side->flow_kind != NULL)
    self->report->n_flows++;
  else
    self->report->n_messages++;
}

void
tt_chrome_write_side (TtChrome *self, const ChromeMessage *side)
{
  const ChromeLanguage *language = self->language;
  gboolean is_anchored = (side->marks & CHROME_IS_ANCHORED) != 0;
  const ChromeTrack *track = NULL;

  count (self, side);
  if (side->kind == CHROME_HALF)
    {
      track = tt_chrome_track_for_anchor (self, side);
      language->half (self, side, track);
      return;
    }
  if (!language->ties_to_spans && !is_anchored)
    track = tt_chrome_track_topped_by (self, side);
  if (is_anchored || (track == NULL && !language->ties_to_spans))
    {
      track = tt_chrome_track_for_anchor (self, side);
      language->anchor (self, side, track);
    }
  language->arrow_end (self, side, track);
}
