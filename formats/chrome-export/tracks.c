/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/tracks.h"

#include "formats/chrome-export/metadata.h"

#include <string.h>

/* Spans far below the top of a very deep stack are forgotten. */
#define MAX_OPEN (1u << 20)

static gboolean
open_on (ChromeTrack *track, gint64 ts_ns, gint64 end_ns)
{
  while (track->n > 0 && track->ends[track->n - 1] <= ts_ns)
    track->n--;
  if (track->n > 0 && track->ends[track->n - 1] < end_ns)
    return FALSE;

  if (G_UNLIKELY (track->n == track->allocated))
    {
      if (track->n == MAX_OPEN)
        {
          track->n /= 2;
          memmove (track->ends, track->ends + track->n, track->n * sizeof *track->ends);
        }
      else
        {
          track->allocated = track->allocated == 0 ? 16 : track->allocated * 2;
          track->ends = g_renew (gint64, track->ends, track->allocated);
        }
    }
  track->ends[track->n++] = end_ns;
  return TRUE;
}

static void
clear_track (gpointer data)
{
  g_free (((ChromeTrack *) data)->ends);
}

static const ChromeTrack *
open_on_more (TtChrome *self, ChromeThread *thread, gint64 ts_ns, gint64 end_ns)
{
  if (thread->more_tracks == NULL)
    {
      thread->more_tracks = g_array_new (FALSE, TRUE, sizeof (ChromeTrack));
      g_array_set_clear_func (thread->more_tracks, clear_track);
    }
  for (guint i = 0; i < thread->more_tracks->len; i++)
    {
      ChromeTrack *track = &g_array_index (thread->more_tracks, ChromeTrack, i);
      if (open_on (track, ts_ns, end_ns))
        return track;
    }

  ChromeTrack added = { .number = tt_chrome_process_at (self, thread->process)->next_tid++ };
  guint64 before = tt_output_total (self->out);
  open_on (&added, ts_ns, end_ns);
  g_array_append_val (thread->more_tracks, added);
  tt_chrome_write_thread (self, thread, added.number);
  self->track_bytes += tt_output_total (self->out) - before;
  return &g_array_index (thread->more_tracks, ChromeTrack, thread->more_tracks->len - 1);
}

const ChromeTrack *
tt_chrome_track_for (TtChrome *self, guint32 id, gint64 ts_ns, gint64 end_ns)
{
  ChromeThread *thread = tt_chrome_thread_at (self, id);

  if (G_LIKELY (open_on (&thread->track, ts_ns, end_ns)))
    return &thread->track;
  return open_on_more (self, thread, ts_ns, end_ns);
}

static gboolean
is_open_on (const ChromeTrack *track, gint64 end_ns)
{
  for (guint i = track->n; i-- > 0 && track->ends[i] <= end_ns;)
    if (track->ends[i] == end_ns)
      return TRUE;
  return FALSE;
}

const ChromeTrack *
tt_chrome_track_of (TtChrome *self, guint32 id, gint64 end_ns)
{
  const ChromeThread *thread = tt_chrome_thread_at (self, id);

  for (guint i = 0; thread->more_tracks != NULL && i < thread->more_tracks->len; i++)
    {
      const ChromeTrack *track = &g_array_index (thread->more_tracks, ChromeTrack, i);
      if (!is_open_on (&thread->track, end_ns) && is_open_on (track, end_ns))
        return track;
    }
  return &thread->track;
}

void
tt_chrome_close_tracks (TtChrome *self)
{
  for (guint32 id = 0; id < self->threads->len; id++)
    {
      ChromeThread *thread = tt_chrome_thread_at (self, id);

      thread->track.n = 0;
      if (thread->more_tracks != NULL)
        {
          tt_chrome_process_at (self, thread->process)->next_tid -= thread->more_tracks->len;
          g_clear_pointer (&thread->more_tracks, g_array_unref);
        }
    }
}
