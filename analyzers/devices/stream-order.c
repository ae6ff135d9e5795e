/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/devices/stream-order.h"

#include "src/base/array.h"

/* Waits that one event takes along: more are no program's. */
#define MAX_CARRIED 64u

/* When the span was launched, as far as is known: no later than it began. */
static gint64
launch_of (const TtDeviceSpan *span)
{
  return span->call != 0 ? MIN (span->call_begin_ns, span->begin_ns) : span->begin_ns;
}

static int
compare_by_end (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtDeviceSpan *spans = data;
  guint i = *(const guint *) a, k = *(const guint *) b;

  if (spans[i].thread != spans[k].thread)
    return spans[i].thread < spans[k].thread ? -1 : 1;
  if (spans[i].end_ns != spans[k].end_ns)
    return spans[i].end_ns < spans[k].end_ns ? -1 : 1;
  return (i > k) - (i < k);
}

static int
compare_by_launch (gconstpointer a, gconstpointer b, gpointer data)
{
  const TtDeviceSpan *spans = data;
  guint i = *(const guint *) a, k = *(const guint *) b;
  gint64 x = launch_of (&spans[i]), y = launch_of (&spans[k]);

  if (spans[i].thread != spans[k].thread)
    return spans[i].thread < spans[k].thread ? -1 : 1;
  if (x != y)
    return x < y ? -1 : 1;
  return (i > k) - (i < k);
}

void
tt_stream_order_init (TtStreamOrder *self, const TtDeviceWork *work)
{
  guint n = work->spans->len;
  gpointer spans = work->spans->data;

  *self = (TtStreamOrder){ .work = work, .spans = TT_ARRAY (work->spans, const TtDeviceSpan) };
  self->held = g_array_new (FALSE, FALSE, sizeof (guint));
  self->taken = g_array_new (FALSE, FALSE, sizeof (guint));
  self->streams = g_array_new (FALSE, FALSE, sizeof (TtStream));
  self->by_end = g_new (guint, (gsize) n + 1);
  self->by_launch = g_new (guint, (gsize) n + 1);
  for (guint i = 0; i < n; i++)
    {
      const TtDeviceSpan *span = &self->spans[i];
      TtStream stream = { span->thread, span->source, span->process, i, i };

      self->by_end[i] = self->by_launch[i] = i;
      if (i == 0 || span->thread != self->spans[i - 1].thread)
        g_array_append_val (self->streams, stream);
      g_array_index (self->streams, TtStream, self->streams->len - 1).end = i + 1;
    }
  g_qsort_with_data (self->by_end, (gint) n, sizeof (guint), compare_by_end, spans);
  g_qsort_with_data (self->by_launch, (gint) n, sizeof (guint), compare_by_launch, spans);
}

void
tt_stream_order_clear (TtStreamOrder *self)
{
  g_clear_pointer (&self->streams, g_array_unref);
  g_clear_pointer (&self->by_end, g_free);
  g_clear_pointer (&self->by_launch, g_free);
  g_clear_pointer (&self->held, g_array_unref);
  g_clear_pointer (&self->taken, g_array_unref);
}

const TtStream *
tt_stream_order_find (const TtStreamOrder *self, guint32 thread)
{
  guint low = 0, high = self->streams->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const TtStream *stream = &g_array_index (self->streams, TtStream, middle);
      if (stream->thread == thread)
        return stream;
      if (stream->thread < thread)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

guint
tt_stream_order_ended (const TtStreamOrder *self, const TtStream *stream, gint64 ns)
{
  guint low = stream->first, high = stream->end;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (self->spans[self->by_end[middle]].end_ns <= ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low == stream->first ? TT_STREAM_NO_SPAN : self->by_end[low - 1];
}

guint
tt_stream_order_launched (const TtStreamOrder *self, const TtStream *stream, gint64 ns)
{
  guint low = stream->first, high = stream->end;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (launch_of (&self->spans[self->by_launch[middle]]) <= ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low == stream->first ? TT_STREAM_NO_SPAN : self->by_launch[low - 1];
}

guint
tt_stream_order_launched_from (const TtStreamOrder *self, const TtStream *stream, gint64 ns)
{
  guint low = stream->first, high = stream->end;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (launch_of (&self->spans[self->by_launch[middle]]) < ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low == stream->end ? TT_STREAM_NO_SPAN : self->by_launch[low];
}

guint
tt_stream_order_waits (const TtStreamOrder *self, guint32 thread, gint64 after, gint64 until, guint *end)
{
  const GArray *waits = self->work->waits;
  guint bounds[2];

  for (int i = 0; i < 2; i++)
    {
      gint64 ns = i == 0 ? after : until;
      guint low = 0, high = waits->len;
      while (low < high)
        {
          guint middle = low + (high - low) / 2;
          const TtStreamWait *wait = &g_array_index (waits, TtStreamWait, middle);
          if (wait->thread < thread || (wait->thread == thread && wait->call_ns <= ns))
            low = middle + 1;
          else
            high = middle;
        }
      bounds[i] = low;
    }
  *end = MAX (bounds[0], bounds[1]);
  return bounds[0];
}

static gboolean
is_taken (const TtStreamOrder *self, guint wait)
{
  for (guint i = 0; i < self->taken->len; i++)
    if (g_array_index (self->taken, guint, i) == wait)
      return TRUE;
  return FALSE;
}

/* Adds what was launched last on @thread at @ns, and those of its waits that nothing launched there has taken up. */
static void
add_held (TtStreamOrder *self, guint32 thread, gint64 ns)
{
  const TtStream *stream = tt_stream_order_find (self, thread);
  guint found = stream == NULL ? TT_STREAM_NO_SPAN : tt_stream_order_launched (self, stream, ns), end;
  gint64 launched_ns = found == TT_STREAM_NO_SPAN ? G_MININT64 : launch_of (&self->spans[found]);

  if (found != TT_STREAM_NO_SPAN)
    g_array_append_val (self->held, found);
  for (guint i = tt_stream_order_waits (self, thread, launched_ns, ns, &end); i < end && self->taken->len < MAX_CARRIED;
       i++)
    if (!is_taken (self, i))
      g_array_append_val (self->taken, i);
}

void
tt_stream_order_hold (TtStreamOrder *self, guint32 thread, gint64 ns)
{
  g_array_set_size (self->held, 0);
  g_array_set_size (self->taken, 0);
  add_held (self, thread, ns);
  for (guint i = 0; i < self->taken->len; i++)
    {
      const TtStreamWait *wait =
          &g_array_index (self->work->waits, TtStreamWait, g_array_index (self->taken, guint, i));
      add_held (self, wait->from_thread, tt_stream_wait_ns (wait));
    }
}
