/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSpanOrder: whether the events of a file need no sorting: all that happens are complete spans (besides metadata and
 * counters), and on each thread they come in begin order (ts, then longest first).
 */
#pragma once

#include "formats/trace-event/event.h"

typedef struct _TtSpanOrder TtSpanOrder;

TtSpanOrder *tt_span_order_new (void);
void tt_span_order_free (TtSpanOrder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSpanOrder, tt_span_order_free)

/* The next event of the file. FALSE: they need sorting. */
gboolean tt_span_order_take (TtSpanOrder *self, const TtTraceEvent *event);
/* A member of the outer object, wherever it stands. */
void tt_span_order_take_header (TtSpanOrder *self, const TtJsonValue *key, const TtJsonValue *value);
/* After the last event: whether there were spans, and nothing that comes when they are over. */
gboolean tt_span_order_end (const TtSpanOrder *self);
