/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSpanLinks: messages, collectives and flows of a run as pairs of spans, and waits for devices (devices/waits.h).
 */
#pragma once

#include "analyzers/devices/work.h"
#include "graphs/graph.h"
#include "src/select/selection.h"

/* @gap_ns: of a message its transfer, of a collective how long the other waited, of a wait from
 * the end of the work to the start of what waits; at least 0. */
typedef void (*TtSpanLinkFunc) (guint64 from, guint64 to, TtEdgeKind kind, gint64 gap_ns, gpointer data);

typedef struct
{
  const TtDeviceWork *work; /* NULL: it is read */
  TtRowRange flows;         /* of sources whose first event is one of these */
} TtSpanLinkRows;

/* Each pair of @kinds (bit set of 1 << TtEdgeKind) whose times @selection takes (NULL: all) and that
 * have a span at both ends; first messages, then collectives, waits and flows. @rows: NULL: all. */
gboolean tt_span_links_each (TtStore *store,
                             guint kinds,
                             const TtSelection *selection,
                             const TtSpanLinkRows *rows,
                             TtSpanLinkFunc func,
                             gpointer data,
                             GError **error);
