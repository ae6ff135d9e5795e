/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/moments.h"

#include "formats/otf2/names.h"
#include "src/trace/span.h"

void
tt_otf2_moment_tell (const TtOtf2Location *self, TtNestSpan *span)
{
  span->args = tt_otf2_own_args (self->session, &self->own);
  span->flags = self->own.flags;
  span->step = self->own.step;
}

/* A span that no stack has: it ended now; or an instant at a depth of its own. */
static void
take_off_stack (TtOtf2Location *self, const TtNestSpan *span)
{
  const TtOtf2Own *own = &self->own;
  TtSink *sink = self->session->sink;
  const TtFilterBegin begin = { .thread = self->thread,
                                .name = span->name,
                                .ts_ns = tt_time_since (self->ts_ns, own->has_duration ? MAX (own->dur_ns, 0) : 0),
                                .end_ns = self->ts_ns };
  TtFilterVerdict verdict = { .is_kept = TRUE };

  if (sink->filter != NULL)
    verdict = tt_sink_ask (sink, &begin, span->args);
  if (verdict.token != 0)
    sink->filter->klass->end (sink->filter, verdict.token, begin.end_ns);
  if (!verdict.is_kept)
    return;
  sink->batch->tells_nesting = TRUE;
  guint64 event =
      tt_sink_event (sink, self->thread, span->name, begin.ts_ns, own->has_duration ? MAX (own->dur_ns, 0) : TT_NO_TIME,
                     own->has_duration ? CLAMP (own->self_ns, 0, MAX (own->dur_ns, 0)) : TT_NO_TIME, own->depth,
                     span->flags, span->step, span->args);
  if (own->activity.role != TT_ACTIVITY_NONE)
    tt_sink_activity (sink, tt_sink_hold_activity (sink, &own->activity), event);
  if (own->n_flows == 0 && !own->is_call)
    return;
  guint32 owner = tt_sink_new_owner (sink);
  tt_otf2_own_flow (self->session, own, owner, self->ts_ns, begin.ts_ns);
  if (own->is_call)
    tt_sink_call (sink, owner, own->root, own->comm, -1);
  tt_sink_owner (sink, owner, event);
}

gboolean
tt_otf2_moment_take (TtOtf2Location *self, const TtOtf2Event *event)
{
  TtNestSpan instant = { .ts_ns = self->ts_ns, .offset = event->offset };

  if (!self->session->is_own || event->kind != TT_OTF2_EVENT_PARAMETER_STRING || self->own.region == TT_OTF2_UNDEFINED)
    return FALSE;
  tt_otf2_moment_tell (self, &instant);
  instant.name = tt_otf2_region_name (self->session, self->own.region);
  tt_nest_touch (self->session->nest, self->nest, self->ts_ns);
  if (self->own.has_duration || self->own.has_depth)
    take_off_stack (self, &instant);
  else
    tt_nest_moment (self->session->nest, self->nest, &instant);
  return TRUE;
}
