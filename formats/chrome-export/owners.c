/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/owners.h"

#include "src/base/spill.h"

/* What `convert` keeps of the spans that messages and flows are tied to. */

#define CACHE_BYTES ((gsize) 2 << 20)

struct _ChromeOwners
{
  TtSpill *spans; /* of ChromeSpan, by owner */
  guint32 max_owner;
  ChromeSpan last; /* of the batch before: its owner may come in the next one */
};

static const ChromeSpan no_span = CHROME_NO_SPAN;

ChromeOwners *
tt_chrome_owners_new (void)
{
  ChromeOwners *self = g_new0 (ChromeOwners, 1);

  self->spans = tt_spill_new (CACHE_BYTES);
  return self;
}

void
tt_chrome_owners_free (ChromeOwners *self)
{
  if (self == NULL)
    return;
  tt_spill_free (self->spans);
  g_free (self);
}

static ChromeSpan
span_of_row (const TtEventColumns *events, guint i)
{
  return (ChromeSpan){
    .event = events->first_event + i,
    .ts_ns = events->ts_ns[i],
    .dur_ns = events->dur_ns[i],
    .self_ns = events->self_ns[i],
    .thread = events->thread[i],
    .name = events->name[i],
    .depth = events->depth[i],
    .flags = events->flags[i],
    .step = events->step[i],
  };
}

void
tt_chrome_owners_add (ChromeOwners *self, const TtBatch *batch)
{
  const TtEventColumns *events = &batch->events;
  const TtOwnerColumns *owners = &batch->owners;

  for (guint i = 0; i < owners->n; i++)
    {
      guint64 event = owners->event[i];
      ChromeSpan span = no_span;

      if (events->n > 0 && event >= events->first_event && event - events->first_event < events->n)
        span = span_of_row (events, (guint) (event - events->first_event));
      else if (self->last.event == event)
        span = self->last;
      tt_spill_write (self->spans, (guint64) owners->owner[i] * sizeof span, &span, sizeof span);
      self->max_owner = MAX (self->max_owner, owners->owner[i]);
    }
  if (events->n > 0)
    self->last = span_of_row (events, events->n - 1);
}

ChromeSpan
tt_chrome_owners_span (ChromeOwners *self, guint32 owner)
{
  ChromeSpan span = no_span;

  if (owner != 0 && owner <= self->max_owner)
    tt_spill_read (self->spans, (guint64) owner * sizeof span, &span, sizeof span);
  return span.event == 0 ? no_span : span;
}

gboolean
tt_chrome_owners_check (const ChromeOwners *self, GError **error)
{
  return tt_spill_check (self->spans, error);
}
