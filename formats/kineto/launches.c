/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/kineto/launches.h"

#include <xxhash.h>

#include "formats/trace-event/rows.h"
#include "src/base/slots.h"
#include "src/base/tape.h"
#include "src/trace/flow-join.h"

#define ARROWS_MEMORY ((gsize) 1 << 20)

typedef struct
{
  gint64 ts_ns;
  guint64 key, offset;
  guint32 thread, process;
  TtFlowPhase phase;
  gboolean binds_to_next;
} Arrow;

struct _KinetoLaunches
{
  TtTraceEventImport *import;
  TtTape *arrows; /* of Arrow */
  guint64 n_work; /* that has an id */
  gboolean has_arrows;
};

/* Most calls start nothing on a device. */
static const TtFlowKind launch_flow = { .text = "ac2g", .link = TT_LINK_LAUNCH, .is_open = TRUE };

KinetoLaunches *
tt_kineto_launches_new (TtTraceEventImport *import)
{
  KinetoLaunches *self = g_new0 (KinetoLaunches, 1);

  self->import = import;
  self->arrows = tt_tape_new (ARROWS_MEMORY);
  return self;
}

void
tt_kineto_launches_free (KinetoLaunches *self)
{
  if (self == NULL)
    return;
  tt_tape_free (self->arrows);
  g_free (self);
}

void
tt_kineto_launches_hold (KinetoLaunches *self, const TtTraceEvent *event)
{
  TtTraceRecord point = { 0 };

  self->has_arrows = TRUE;
  if (!tt_trace_event_locate (self->import, event, &point))
    return;
  const Arrow arrow = {
    .ts_ns = point.ts_ns,
    .key = XXH3_64bits_withSeed (event->id.raw.bytes, event->id.raw.len, TT_FLOW_SALT),
    .offset = event->offset,
    .thread = point.thread,
    .process = point.process,
    .phase = event->ph == 's' ? TT_FLOW_START : TT_FLOW_CONSUMER,
    .binds_to_next = event->ph == 'f' && (event->has & TT_EVENT_BINDS_ENCLOSING) == 0,
  };
  tt_tape_append (self->arrows, &arrow, sizeof arrow);
}

void
tt_kineto_launches_note_work (KinetoLaunches *self)
{
  self->n_work++;
}

static gboolean
add_arrows (KinetoLaunches *self, GError **error)
{
  guint32 kind = tt_arrange_flow_kind (self->import->arrange, &launch_flow);
  guint64 n = tt_tape_size (self->arrows) / sizeof (Arrow);
  Arrow arrow;

  for (guint64 i = 0; i < n; i++)
    {
      tt_tape_read (self->arrows, i * sizeof arrow, &arrow, sizeof arrow);
      if (!tt_tape_check (self->arrows, error))
        return FALSE;
      const TtTraceRecord point = {
        .thread = arrow.thread, .process = arrow.process, .ts_ns = arrow.ts_ns, .offset = arrow.offset
      };
      tt_arrange_flow (self->import->arrange, &point, kind, arrow.key, arrow.phase, arrow.binds_to_next);
    }
  return tt_tape_check (self->arrows, error);
}

gboolean
tt_kineto_launches_end (KinetoLaunches *self, GError **error)
{
  if (self->n_work == 0)
    return add_arrows (self, error);
  if (!self->has_arrows)
    {
      g_autofree char *n = g_strdup_printf ("%" G_GUINT64_FORMAT, self->n_work);
      tt_trace_event_add_fact (self->import, "flows_inferred", n);
    }
  return tt_tape_check (self->arrows, error);
}

void
tt_kineto_launches_tie (KinetoLaunches *self, TtTraceRecord *span, guint64 correlation, gboolean is_work)
{
  if (correlation == 0 || self->n_work == 0)
    return;
  span->own_flow = &launch_flow;
  span->flow_key = tt_slots_mix (correlation ^ tt_slots_mix (TT_FLOW_SALT));
  span->flow_phase = is_work ? TT_FLOW_CONSUMER : TT_FLOW_START;
}
