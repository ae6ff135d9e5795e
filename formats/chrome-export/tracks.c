/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/tracks.h"

#define MAX_POINTS 16u
#define MAX_POINTS_APART 100u
/* Lines that a span is tried on. */
#define MAX_TRIED 256u

/* -- one line ------------------------------------------------------------------------------------------ */

/* Whether one of them ended just now. */
static gboolean
close_ended (ChromeTrack *track, gint64 ts_ns)
{
  gboolean touches = FALSE;

  while (track->n > 0 && track->ends[track->n - 1] <= ts_ns)
    touches |= track->ends[--track->n] == ts_ns;
  return touches;
}

static void
set_top (ChromeTrack *track, gint64 ts_ns, gint64 end_ns, guint32 depth)
{
  track->has_top = TRUE;
  track->top_ns = ts_ns;
  track->top_end_ns = end_ns;
  track->top_depth = depth;
}

static gboolean
open_on (ChromeTrack *track, gint64 ts_ns, gint64 end_ns)
{
  track->top_touches = close_ended (track, ts_ns);
  if (track->n == CHROME_MAX_OPEN || (track->n > 0 && track->ends[track->n - 1] < end_ns))
    return FALSE;

  if (G_UNLIKELY (track->n == track->allocated))
    {
      track->allocated = track->allocated == 0 ? 4 : track->allocated * 2;
      track->ends = g_renew (gint64, track->ends, track->allocated);
    }
  track->ends[track->n++] = end_ns;
  return TRUE;
}

/* Viewers put what has no length behind, and so on top of, the spans that begin at the same time. */
static gboolean
has_points_at (const ChromeTrack *track, gint64 ts_ns)
{
  return track->n_points > 0 && track->point_ns == ts_ns;
}

static gboolean
add_point (ChromeTrack *track, gint64 ts_ns, guint max_points)
{
  guint n_points = track->point_ns == ts_ns ? track->n_points : 0;

  if (n_points >= max_points)
    return FALSE;
  close_ended (track, ts_ns);
  track->point_ns = ts_ns;
  track->n_points = n_points + 1;
  track->has_top = FALSE;
  return TRUE;
}

/* -- further lines ------------------------------------------------------------------------------------- */

static void
clear_track (gpointer data)
{
  g_free (((ChromeTrack *) data)->ends);
}

static guint
n_more (const ChromeThread *thread)
{
  return thread->more_tracks == NULL ? 0 : thread->more_tracks->len;
}

static ChromeTrack *
more_track (const ChromeThread *thread, guint i)
{
  return &g_array_index (thread->more_tracks, ChromeTrack, i);
}

static ChromeTrack *
add_track (TtChrome *self, ChromeThread *thread)
{
  ChromeTrack added = { .number = tt_chrome_process_at (self, thread->process)->next_tid++ };
  guint64 before = tt_output_total (self->out);

  if (thread->more_tracks == NULL)
    {
      thread->more_tracks = g_array_new (FALSE, TRUE, sizeof (ChromeTrack));
      g_array_set_clear_func (thread->more_tracks, clear_track);
    }
  g_array_append_val (thread->more_tracks, added);
  self->language->line (self, thread, added.number);
  self->track_bytes += tt_output_total (self->out) - before;
  return more_track (thread, n_more (thread) - 1);
}

static ChromeTrack *
open_on_more (TtChrome *self, ChromeThread *thread, gint64 ts_ns, gint64 end_ns)
{
  self->report->n_aside += thread->track.n == CHROME_MAX_OPEN;
  for (guint i = 0; i < MIN (n_more (thread), MAX_TRIED); i++)
    if (open_on (more_track (thread, i), ts_ns, end_ns))
      return more_track (thread, i);
  if (n_more (thread) >= MAX_TRIED)
    return NULL;

  ChromeTrack *added = add_track (self, thread);
  open_on (added, ts_ns, end_ns);
  return added;
}

static ChromeTrack *
add_point_on_more (TtChrome *self, ChromeThread *thread, gint64 ts_ns)
{
  self->report->n_aside++;
  if (thread->crowd_ns != ts_ns)
    thread->crowd_track = 0;
  thread->crowd_ns = ts_ns;
  for (; thread->crowd_track < n_more (thread); thread->crowd_track++)
    if (add_point (more_track (thread, thread->crowd_track), ts_ns, MAX_POINTS_APART))
      return more_track (thread, thread->crowd_track);

  ChromeTrack *added = add_track (self, thread);
  add_point (added, ts_ns, MAX_POINTS_APART);
  return added;
}

/* -- what goes where ----------------------------------------------------------------------------------- */

const ChromeTrack *
tt_chrome_track_for (TtChrome *self, guint32 id, gint64 ts_ns, gint64 end_ns, guint32 depth)
{
  ChromeThread *thread = tt_chrome_thread_at (self, id);
  ChromeTrack *track = &thread->track;

  if (G_UNLIKELY (ts_ns == end_ns))
    {
      if (!add_point (track, ts_ns, MAX_POINTS))
        track = add_point_on_more (self, thread, ts_ns);
    }
  else if (G_UNLIKELY (!open_on (track, ts_ns, end_ns)))
    track = open_on_more (self, thread, ts_ns, end_ns);
  if (G_UNLIKELY (track != NULL && ts_ns != end_ns && has_points_at (track, ts_ns)))
    track->has_top = FALSE;
  else if (G_LIKELY (track != NULL))
    set_top (track, ts_ns, end_ns, depth);
  return track;
}

const ChromeTrack *
tt_chrome_track_for_point (TtChrome *self, guint32 id, gint64 ts_ns)
{
  ChromeThread *thread = tt_chrome_thread_at (self, id);

  return add_point (&thread->track, ts_ns, MAX_POINTS) ? &thread->track : add_point_on_more (self, thread, ts_ns);
}

/* -- ends of arrows ------------------------------------------------------------------------------------ */

static gboolean
is_open_on (const ChromeTrack *track, gint64 end_ns)
{
  for (guint i = track->n; i-- > 0 && track->ends[i] <= end_ns;)
    if (track->ends[i] == end_ns)
      return TRUE;
  return FALSE;
}

const ChromeTrack *
tt_chrome_track_for_anchor (TtChrome *self, const ChromeMessage *side)
{
  guint32 id = (guint32) side->order;
  ChromeThread *thread = tt_chrome_thread_at (self, id);
  gint64 ts_ns = tt_sort_value (side->ts);

  if (side->end_ns != TT_NO_TIME && !is_open_on (&thread->track, side->end_ns))
    for (guint i = 0; i < n_more (thread); i++)
      {
        ChromeTrack *track = more_track (thread, i);
        if (is_open_on (track, side->end_ns) && add_point (track, ts_ns, MAX_POINTS_APART))
          return track;
      }
  return tt_chrome_track_for_point (self, id, ts_ns);
}

static gboolean
is_topped_by (const ChromeTrack *track, const ChromeMessage *side)
{
  return track->has_top && track->top_ns == side->span_ns && track->top_end_ns == side->end_ns &&
         track->top_depth == side->span_depth;
}

gboolean
tt_chrome_track_is_ambiguous (const ChromeTrack *track, const ChromeMessage *side)
{
  return track->top_touches && side->span_ns == tt_sort_value (side->ts) && side->end_ns - side->span_ns > 1;
}

const ChromeTrack *
tt_chrome_track_topped_by (TtChrome *self, const ChromeMessage *side)
{
  const ChromeThread *thread = tt_chrome_thread_at (self, (guint32) side->order);

  if (side->end_ns == TT_NO_TIME)
    return NULL;
  if (G_LIKELY (is_topped_by (&thread->track, side)))
    return &thread->track;
  for (guint i = 0; i < n_more (thread); i++)
    if (is_topped_by (more_track (thread, i), side))
      return more_track (thread, i);
  return NULL;
}

void
tt_chrome_close_tracks (TtChrome *self)
{
  for (guint32 id = 0; id < self->threads->len; id++)
    {
      ChromeThread *thread = tt_chrome_thread_at (self, id);

      thread->track.n = thread->track.n_points = 0;
      thread->track.has_top = FALSE;
      thread->crowd_track = 0;
      if (thread->more_tracks != NULL)
        {
          tt_chrome_process_at (self, thread->process)->next_tid -= thread->more_tracks->len;
          g_clear_pointer (&thread->more_tracks, g_array_unref);
        }
    }
}
