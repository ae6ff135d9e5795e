/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSpanFeed: a tally that works on a second thread, fed in blocks.
 */
#pragma once

#include "analyzers/statistics/tally.h"

typedef struct _TtSpanFeed TtSpanFeed;

/* @tally: borrowed, and the feed's alone until tt_span_feed_finish(). */
TtSpanFeed *tt_span_feed_new (TtTally *tally);
/* @flags: of the span. */
void tt_span_feed_add (TtSpanFeed *self, guint32 group, guint32 flags, gint64 dur_ns, gint64 self_ns, gint64 total_ns);
/* Waits until the tally has everything, and frees the feed. */
void tt_span_feed_finish (TtSpanFeed *self);
