/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/dependencies/span-links.h"

#include "analyzers/devices/waits.h"
#include "src/base/progress.h"
#include "src/store/rows.h"

#define ROWS_A_LOOK 65536

typedef struct
{
  const TtSelection *selection;
  const TtSpanLinkRows *rows;
  TtSpanLinkFunc func;
  gpointer data;
  guint kinds;
  GArray *calls; /* of TtCollective: one call of a collective, by all its ranks; function is interned */
  TtProgress *progress;
  guint64 n_rows;
} Links;

/* FALSE: Ctrl-C. */
static gboolean
go_on (Links *self)
{
  if (++self->n_rows % ROWS_A_LOOK != 0)
    return TRUE;
  tt_progress_add (self->progress, ROWS_A_LOOK);
  return !tt_cancelled (NULL);
}

/* How many rows are read for @kinds. */
static guint64
count_rows (TtStore *store, guint kinds)
{
  TtStoreCounts counts;

  if (!tt_store_counts (store, &counts, NULL))
    return 0;
  return ((kinds & 1u << TT_EDGE_MESSAGE) ? counts.n_messages : 0) +
         ((kinds & 1u << TT_EDGE_COLLECTIVE) ? counts.n_collectives : 0) +
         ((kinds & (1u << TT_EDGE_FLOW | 1u << TT_EDGE_INFERRED)) ? counts.n_flows : 0);
}

static void
add_link (Links *self, guint64 from, guint64 to, TtEdgeKind kind, gint64 gap_ns)
{
  if (from != 0 && to != 0)
    self->func (from, to, kind, gap_ns, self->data);
}

/* end - begin, at least 0 and without overflow. */
static gint64
time_between (gint64 begin_ns, gint64 end_ns)
{
  gint64 ns;

  if (end_ns <= begin_ns)
    return 0;
  return __builtin_sub_overflow (end_ns, begin_ns, &ns) ? G_MAXINT64 : ns;
}

static gboolean
take_message (const TtMessage *message, gpointer data)
{
  Links *self = data;

  if (message->send_ns == TT_NO_TIME || message->recv_ns == TT_NO_TIME)
    return go_on (self);
  if (self->selection != NULL &&
      (!tt_selection_matches_point (self->selection, message->src_thread, message->send_ns) ||
       !tt_selection_matches_point (self->selection, message->dst_thread, message->recv_ns)))
    return go_on (self);

  add_link (self, message->send_event, message->recv_event, TT_EDGE_MESSAGE,
            time_between (message->send_ns, message->recv_ns));
  return go_on (self);
}

static void
flush_calls (Links *self)
{
  const TtCollective *calls = (const TtCollective *) self->calls->data;
  guint last = 0;

  for (guint i = 1; i < self->calls->len; i++)
    if (calls[i].ts_ns > calls[last].ts_ns)
      last = i;
  for (guint i = 0; i < self->calls->len; i++)
    if (i != last)
      add_link (self, calls[last].event, calls[i].event, TT_EDGE_COLLECTIVE,
                time_between (calls[i].ts_ns, calls[last].ts_ns));
  g_array_set_size (self->calls, 0);
}

static gboolean
take_collective (const TtCollective *collective, gpointer data)
{
  Links *self = data;
  TtCollective call = *collective;

  if (self->calls->len > 0)
    {
      const TtCollective *first = &g_array_index (self->calls, TtCollective, 0);
      if (first->comm != call.comm || first->ordinal != call.ordinal || g_strcmp0 (first->function, call.function) != 0)
        flush_calls (self);
    }
  if (self->selection != NULL && !tt_selection_matches_point (self->selection, call.thread, call.ts_ns))
    return go_on (self);

  call.function = g_intern_string (call.function);
  g_array_append_val (self->calls, call);
  return go_on (self);
}

static gboolean
take_flow (const TtFlow *flow, gpointer data)
{
  Links *self = data;
  TtEdgeKind kind = flow->is_inferred ? TT_EDGE_INFERRED : TT_EDGE_FLOW;

  if (self->kinds & 1u << kind)
    add_link (self, flow->from_event, flow->to_event, kind, 0);
  return go_on (self);
}

static void
take_sync (guint64 from, guint64 to, gint64 gap_ns, gpointer data)
{
  Links *self = data;

  self->func (from, to, TT_EDGE_SYNC, gap_ns, self->data);
}

static gboolean
each_sync (Links *self, TtStore *store, GError **error)
{
  const TtDeviceWork *work = self->rows == NULL ? NULL : self->rows->work;
  g_auto (TtDeviceWork) own = { 0 };

  if (work == NULL && !tt_device_work_collect (&own, store, error))
    return FALSE;
  tt_device_waits_edges (work != NULL ? work : &own, take_sync, self);
  return TRUE;
}

static gboolean
read_links (Links *self, TtStore *store, GError **error)
{
  const guint kinds = self->kinds;
  const TtRowRange all = TT_ROWS_ALL;

  if ((kinds & 1u << TT_EDGE_MESSAGE) && !tt_store_each_message (store, take_message, self, error))
    return FALSE;
  if (kinds & 1u << TT_EDGE_COLLECTIVE)
    {
      if (!tt_store_each_collective (store, take_collective, self, error))
        return FALSE;
      flush_calls (self);
    }
  if ((kinds & 1u << TT_EDGE_SYNC) && !each_sync (self, store, error))
    return FALSE;
  return !(kinds & (1u << TT_EDGE_FLOW | 1u << TT_EDGE_INFERRED)) ||
         tt_store_each_flow_of (store, self->rows == NULL ? &all : &self->rows->flows, take_flow, self, error);
}

gboolean
tt_span_links_each (TtStore *store,
                    guint kinds,
                    const TtSelection *selection,
                    const TtSpanLinkRows *rows,
                    TtSpanLinkFunc func,
                    gpointer data,
                    GError **error)
{
  g_autoptr (GArray) calls = g_array_new (FALSE, FALSE, sizeof (TtCollective));
  g_autoptr (TtProgress) progress = tt_progress_new ("links", count_rows (store, kinds), "rows");
  Links self = { .selection = selection,
                 .rows = rows,
                 .func = func,
                 .data = data,
                 .kinds = kinds,
                 .calls = calls,
                 .progress = progress };

  return read_links (&self, store, error) && !tt_cancelled (error);
}
