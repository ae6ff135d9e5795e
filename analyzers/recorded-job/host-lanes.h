/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The nodes of the host's threads: stretches of self time, the time between spans, and where threads waited.
 */
#pragma once

#include "analyzers/recorded-job/builder.h"

/* A span of the host. */
typedef struct
{
  guint64 event;
  guint32 thread, name;
  guint32 depth;
  gint64 begin_ns, end_ns;
  gboolean is_step;    /* it is a step: nothing itself */
  gboolean is_started; /* it has a node */
} TtHostSpan;

/* From @begin_ns on the thread waited, and woke at @end_ns; equal: it need not have waited. */
typedef struct
{
  guint32 thread;
  gint64 begin_ns, end_ns;
  guint64 event, from_event; /* the call that waits, and the work that ended its wait; 0: not known, or none */
  guint32 from_thread;       /* this thread had come to @end_ns; TT_NO_ID: none is waited for */
  guint32 sleeps, wakes;     /* the nodes that begin at these moments, once there are nodes */
} TtHostWait;

/* @spans: of TtHostSpan; @waits: of TtHostWait. Both are sorted in place: by thread, then begin. A waiting thread has no
 * time of its own. Fills builder->host_lanes; needs within a thread are made, too. */
void tt_host_lanes_make (TtRecordingBuilder *builder, GArray *spans, GArray *waits);
