/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/flow.h"

#include "formats/chrome-export/arrow.h"

/* -- collecting --------------------------------------------------------------------------------------- */

void
tt_chrome_flow (TtChrome *self, const TtFlow *flow, guint64 number, const ChromeSpan *from, const ChromeSpan *to)
{
  ChromeEnd begin = { from, flow->from_ns == TT_NO_TIME ? from->ts_ns : flow->from_ns, from->thread };
  ChromeEnd end = { to, flow->to_ns == TT_NO_TIME ? to->ts_ns : flow->to_ns, to->thread };

  if (self->language->only_spans)
    return;
  if (!tt_chrome_has_span (from) || !tt_chrome_has_span (to))
    {
      self->report->n_flows_lost++;
      return;
    }
  if (!tt_chrome_span_matches (self, from, begin.thread, begin.ts_ns) ||
      !tt_chrome_span_matches (self, to, end.thread, end.ts_ns))
    return;

  ChromeMessage side = {
    .arrow = 2 * number + 1,
    .flow_kind = g_string_chunk_insert_const (self->flow_kinds, flow->kind != NULL ? flow->kind : ""),
    .send_dur_ns = from->dur_ns,
    .recv_dur_ns = to->dur_ns,
    .send_depth = from->depth,
    .recv_depth = to->depth,
  };
  if (!tt_chrome_add_arrow (self, &side, begin, end))
    self->report->n_flows_lost++;
}

/* -- joining, for convert ------------------------------------------------------------------------------- */

#define CACHE_BYTES ((gsize) 1 << 20)

typedef struct
{
  ChromeFlows *flows;
  ChromeOwners *owners;
} Joining;

/* A flow of which all is known. What is selected is not, before everything has been read. */
typedef struct
{
  TtFlow flow;
  ChromeSpan from, to;
} Joined;

struct _ChromeFlows
{
  TtFlowJoin *points;
  TtSpill *joined; /* of Joined */
  guint64 n;
  guint64 n_given; /* rows with ids of events instead of points */
};

ChromeFlows *
tt_chrome_flows_new (void)
{
  ChromeFlows *self = g_new0 (ChromeFlows, 1);

  self->points = tt_flow_join_new (sizeof (ChromeSpan));
  self->joined = tt_spill_new (CACHE_BYTES);
  return self;
}

void
tt_chrome_flows_free (ChromeFlows *self)
{
  if (self == NULL)
    return;
  tt_flow_join_free (self->points);
  tt_spill_free (self->joined);
  g_free (self);
}

void
tt_chrome_flows_add (ChromeFlows *self, const TtBatch *batch)
{
  tt_flow_join_add (self->points, &batch->points);
  self->n_given += batch->flows.n;
}

static gboolean
find_span (guint32 owner, gpointer span, gpointer data)
{
  *(ChromeSpan *) span = tt_chrome_owners_span (((Joining *) data)->owners, owner);
  return ((ChromeSpan *) span)->event != 0;
}

static gboolean
on_pair (const TtFlowPoint *from, const TtFlowPoint *to, gpointer data, GError **error)
{
  Joining *joining = data;
  ChromeFlows *self = joining->flows;
  Joined joined = {
    .flow = { .from_ns = tt_flow_point_ns (from), .to_ns = tt_flow_point_ns (to), .kind = from->kind->text },
    .from = *(const ChromeSpan *) tt_flow_point_span (from),
    .to = *(const ChromeSpan *) tt_flow_point_span (to),
  };

  tt_spill_write (self->joined, self->n++ * sizeof joined, &joined, sizeof joined);
  return TRUE;
}

gboolean
tt_chrome_flows_end_source (ChromeFlows *self, ChromeOwners *owners, TtRepairs *repairs, GError **error)
{
  Joining joining = { self, owners };

  return tt_flow_join_finish (self->points, find_span, on_pair, &joining, repairs, error) &&
         tt_chrome_owners_check (owners, error) && tt_spill_check (self->joined, error);
}

gboolean
tt_chrome_flows_finish (ChromeFlows *self, TtChrome *chrome, GError **error)
{
  for (guint64 i = 0; i < self->n; i++)
    {
      Joined joined;

      tt_spill_read (self->joined, i * sizeof joined, &joined, sizeof joined);
      tt_chrome_flow (chrome, &joined.flow, i + 1, &joined.from, &joined.to);
    }
  /* Their spans have gone by. */
  chrome->report->n_flows_lost += self->n_given;
  return tt_spill_check (self->joined, error);
}
