/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/observed-spans.h"

#include "src/base/spill.h"
#include "src/trace/span.h"

#define CACHE_BYTES ((gsize) 1 << 20)

struct _TtObservedSpans
{
  TtSpill *spill; /* of TtCollectiveSpan */
  guint64 n;
  guint64 near; /* the one after that which was found last */
};

TtObservedSpans *
tt_observed_spans_new (void)
{
  TtObservedSpans *self = g_new0 (TtObservedSpans, 1);

  self->spill = tt_spill_new (CACHE_BYTES);
  return self;
}

void
tt_observed_spans_free (TtObservedSpans *self)
{
  if (self == NULL)
    return;
  tt_spill_free (self->spill);
  g_free (self);
}

void
tt_observed_spans_add (TtObservedSpans *self, const TtBatch *batch)
{
  const TtEventColumns *events = &batch->events;

  for (guint i = 0; i < events->n; i++)
    if (G_UNLIKELY (events->flags[i] & TT_FLAG_COLLECTIVE))
      {
        const gboolean is_instant = events->dur_ns[i] == TT_NO_TIME;
        const TtCollectiveSpan span = {
          .event = events->first_event + i,
          .ts_ns = events->ts_ns[i],
          .dur_ns = events->dur_ns[i],
          .name = events->name[i],
          .is_mended = (events->flags[i] & TT_FLAGS_BOUNDED) != 0,
          .is_async = (events->flags[i] & TT_FLAG_ASYNC) != 0,
          .is_sound = tt_time_is_kept (events->ts_ns[i]) && (is_instant || tt_time_is_kept (events->dur_ns[i])),
        };

        tt_spill_write (self->spill, self->n++ * sizeof span, &span, sizeof span);
      }
}

static void
get (TtObservedSpans *self, guint64 i, TtCollectiveSpan *span)
{
  tt_spill_read (self->spill, i * sizeof *span, span, sizeof *span);
}

/* The first from @low on that is not before @event. Mostly it is near: steps double until it is passed. */
static guint64
search (TtObservedSpans *self, guint64 low, guint64 event)
{
  TtCollectiveSpan span;
  guint64 high = self->n;

  for (guint64 step = 1; step < self->n - MIN (low, self->n); step *= 2)
    {
      get (self, low + step - 1, &span);
      if (span.event >= event)
        {
          high = low + step - 1;
          break;
        }
      low += step;
    }
  while (low < high)
    {
      const guint64 middle = low + (high - low) / 2;

      get (self, middle, &span);
      if (span.event < event)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

gboolean
tt_observed_spans_find (TtObservedSpans *self, TtCollectiveSpan *span)
{
  const guint64 event = span->event;
  TtCollectiveSpan found = { 0 };

  if (self->near < self->n)
    get (self, self->near, &found);
  if (found.event != event)
    {
      const gboolean is_later = found.event != 0 && found.event < event;

      self->near = search (self, is_later ? self->near + 1 : 0, event);
      if (self->near < self->n)
        get (self, self->near, &found);
    }
  if (found.event != event || !tt_spill_check (self->spill, NULL))
    return FALSE;
  self->near++;
  *span = found;
  return TRUE;
}
