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

/* Whether something begins on the thread of @side within 1 ns, which viewers would then take for the span that is
 * meant. */
static gboolean
may_be_followed (const TtChrome *self, const ChromeMessage *side)
{
  for (guint i = 0; i < self->n_following; i++)
    if (self->following[i].ts > side->ts + 1)
      return FALSE;
    else if ((guint32) self->following[i].order == (guint32) side->order)
      return TRUE;
  return TRUE;
}

static void
write_direct (TtChrome *self, const ChromeMessage *side, const ChromeTrack *track)
{
  ChromeMessage later = *side;

  later.nth_span = tt_chrome_begun_nth (&self->begun, side);
  if (G_UNLIKELY (tt_chrome_track_is_ambiguous (track, side) && !may_be_followed (self, side)) &&
      tt_sort_value (side->ts) < G_MAXINT64 && later.moved_ns < G_MAXINT64)
    {
      later.ts = tt_sort_key (tt_sort_value (side->ts) + 1);
      later.moved_ns++;
    }
  self->language->arrow_end (self, &later, track);
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
  if (language->ties_to_spans && !is_anchored)
    {
      language->arrow_end (self, side, NULL);
      return;
    }
  if (!is_anchored)
    track = tt_chrome_track_topped_by (self, side);
  if (track != NULL)
    {
      write_direct (self, side, track);
      return;
    }
  track = tt_chrome_track_for_anchor (self, side);
  language->anchor (self, side, track);
  ChromeMessage end = *side;
  end.nth_span = tt_chrome_begun_nth (&self->begun, side);
  language->arrow_end (self, &end, track);
}
