#include "config.h"

#include "formats/chrome/chrome.h"

/* -- collecting --------------------------------------------------------------------------------------- */

void
tt_chrome_flow (TtChrome *self, const TtFlow *flow, guint64 number, const ChromeSpan *from, const ChromeSpan *to)
{
  gint64 from_ns = flow->from_ns == TT_NO_TIME ? from->ts_ns : flow->from_ns;
  gint64 to_ns = flow->to_ns == TT_NO_TIME ? to->ts_ns : flow->to_ns;

  if (self->is_template)
    return;
  if (!tt_chrome_bind_arrow (from, to, &from_ns, &to_ns))
    {
      self->report->n_flows_lost++;
      return;
    }
  if (!tt_chrome_span_matches (self, from, from->thread, from_ns) ||
      !tt_chrome_span_matches (self, to, to->thread, to_ns))
    return;

  ChromeMessage side = {
    .ordinal = (gint64) number,
    .flow_kind = g_string_chunk_insert_const (self->flow_kinds, flow->kind != NULL ? flow->kind : ""),
    .send_dur_ns = from->dur_ns,
    .recv_dur_ns = to->dur_ns,
    .send_depth = from->depth,
    .recv_depth = to->depth,
  };
  side.kind = CHROME_FLOW_FROM;
  tt_chrome_add_side (self, &side, from, from_ns, CHROME_FROM_DEPTH, from->thread);
  side.kind = CHROME_FLOW_TO;
  side.marks = CHROME_IS_RECV;
  tt_chrome_add_side (self, &side, to, to_ns, CHROME_TO_DEPTH, to->thread);
}

/* -- joining, for convert ------------------------------------------------------------------------------- */

typedef struct
{
  ChromeFlows *flows;
  TtChrome *chrome;
  ChromeOwners *owners;
} Joining;

struct _ChromeFlows
{
  TtFlowJoin *points;
  guint64 n; /* flows so far */
};

ChromeFlows *
tt_chrome_flows_new (void)
{
  ChromeFlows *self = g_new0 (ChromeFlows, 1);

  self->points = tt_flow_join_new ();
  return self;
}

void
tt_chrome_flows_free (ChromeFlows *self)
{
  if (self == NULL)
    return;
  tt_flow_join_free (self->points);
  g_free (self);
}

void
tt_chrome_flows_add (ChromeFlows *self, TtChrome *chrome, const TtBatch *batch)
{
  tt_flow_join_add (self->points, &batch->points);
  /* Rows that give their events by id: by then these may be gone. */
  chrome->report->n_flows_lost += batch->flows.n;
  self->n += batch->flows.n;
}

static gboolean
has_span (guint32 owner, gpointer data)
{
  Joining *joining = data;

  return tt_chrome_owners_span (joining->owners, owner).event != 0;
}

static gboolean
take_pair (const TtFlowPoint *from, const TtFlowPoint *to, gpointer data, GError **error)
{
  Joining *joining = data;
  ChromeSpan from_span = tt_chrome_owners_span (joining->owners, from->owner);
  ChromeSpan to_span = tt_chrome_owners_span (joining->owners, to->owner);
  TtFlow flow = {
    .from_event = from_span.event,
    .to_event = to_span.event,
    .from_ns = tt_flow_point_ns (from),
    .to_ns = tt_flow_point_ns (to),
    .kind = from->kind,
  };

  tt_chrome_flow (joining->chrome, &flow, ++joining->flows->n, &from_span, &to_span);
  return TRUE;
}

gboolean
tt_chrome_flows_end_source (ChromeFlows *self, TtChrome *chrome, ChromeOwners *owners, GError **error)
{
  Joining joining = { self, chrome, owners };

  return tt_flow_join_finish (self->points, has_span, take_pair, &joining, &chrome->report->repairs, error) &&
         tt_chrome_owners_check (owners, error);
}

/* -- writing ------------------------------------------------------------------------------------------- */

void
tt_chrome_write_flow_head (TtChrome *self, const ChromeMessage *side)
{
  TtOutput *out = self->out;

  tt_output_literal (out, "{\"name\":");
  tt_output_json_string (out, side->flow_kind);
  tt_output_literal (out, ",\"cat\":");
  tt_output_json_string (out, side->flow_kind);
  if (side->kind == CHROME_FLOW_FROM)
    {
      tt_output_literal (out, ",\"ph\":\"s\",\"id\":");
      self->report->n_flows++;
    }
  else
    tt_output_literal (out, ",\"ph\":\"f\",\"bp\":\"e\",\"id\":");
  tt_output_int (out, side->ordinal);
  tt_output_literal (out, ",");
}
