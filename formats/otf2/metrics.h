/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2Metrics: values of metrics of a location.
 *
 * A synchronous metric precedes the enter or leave of its time and belongs to it; what grows (accumulated integers) becomes metrics
 * of spans, all else and what is asynchronous counters. Source of these facts: OTF2 3.0.2, OTF2_Definitions.h (MetricClass,
 * MetricMode).
 */
#pragma once

#include "formats/otf2/session.h"

typedef struct
{
  guint32 series;
  gboolean is_real;
  gint64 value;
  double real;
} TtOtf2MetricValue;

typedef struct
{
  GArray *held;          /* of TtOtf2MetricValue */
  guint64 ticks, offset; /* of those that are held */
  gint64 ts_ns;
} TtOtf2Metrics;

/* Takes the values of @event; counters are written on @thread at @ts_ns. */
void
tt_otf2_metrics_take (TtOtf2Metrics *self, TtOtf2Session *session, TtOtf2Event *event, guint32 thread, gint64 ts_ns);
/* What is held belongs to the enter or leave that was just made. */
void tt_otf2_metrics_give (TtOtf2Metrics *self, TtOtf2Session *session, TtNestThread *nest);
/* Nothing came that they could belong to: they become counters. */
void tt_otf2_metrics_let_go (TtOtf2Metrics *self, TtOtf2Session *session, guint32 thread);
