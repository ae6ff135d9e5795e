/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtDeviceWork: which span ran in which queue of a device, which call launched it, and which calls of the host and
 * which queues wait for it. From the rows of activity alone (src/trace/activity.h), whatever format they come from.
 *
 * Rows of activity, then one scan of the events; memory grows with the device spans: some 200 bytes each while reading.
 * Empty for runs without activity. A queue is the thread in whose row its spans are; calls and marks meet by their
 * correlation ids within a source.
 */
#pragma once

#include "analyzers/devices/roles.h"

typedef struct
{
  guint64 event;
  guint32 thread, process, source; /* of the stream and its device */
  guint32 name;
  gboolean is_blocking; /* a copy whose call waits for it */
  gboolean is_communication;
  gint64 begin_ns, end_ns;
  guint64 call; /* event that launched it; 0: not known, the next three mean nothing */
  guint32 call_thread;
  gint64 call_begin_ns, call_end_ns;
} TtDeviceSpan;

/* A call of the host that waited until work was done. */
typedef struct
{
  guint64 event;
  guint32 thread, source;
  gint64 begin_ns, end_ns;
  guint32 process;    /* device waited for; TT_NO_ID: any of the source */
  guint32 stream;     /* thread waited for; TT_NO_ID: any */
  gint64 recorded_ns; /* only for work launched at or before this; TT_NO_TIME: for all */
  gboolean is_known;  /* the trace says what for */
} TtDeviceSync;

/* A stream that goes on only when what was launched on another is done. */
typedef struct
{
  guint32 thread, source; /* TT_NO_ID: not known which stream waits, nor which for */
  guint32 from_thread;
  gint64 call_ns;     /* of the call: holds for what is launched later */
  gint64 recorded_ns; /* as above; TT_NO_TIME: not known, call_ns counts */
} TtStreamWait;

/* A forward operator on @from_thread and its backward one on another thread. */
typedef struct
{
  guint32 from_thread, thread;
  gint64 from_ns, ns; /* when they begin */
} TtBackwardLink;

typedef struct
{
  guint32 thread;
  gint64 begin_ns, end_ns;
} TtOuterSpan;

typedef struct
{
  TtDeviceRoles roles;
  GArray *spans;     /* of TtDeviceSpan by (thread, begin, end, event) */
  GArray *syncs;     /* of TtDeviceSync */
  GArray *waits;     /* of TtStreamWait by (thread, call) */
  GArray *backwards; /* of TtBackwardLink by (thread, ns) */
  GArray *outer;     /* of TtOuterSpan by (thread, begin): spans of the host that no other contains */
} TtDeviceWork;

static inline const TtDeviceSpan *
tt_device_span_at (const TtDeviceWork *self, guint number)
{
  return &g_array_index (self->spans, TtDeviceSpan, number);
}

gboolean tt_device_work_collect (TtDeviceWork *self, TtStore *store, GError **error);
/* Of a part of the run, by all ranks of a crew. Where roles are entangled nothing more is read. */
gboolean tt_device_work_collect_of (TtDeviceWork *self, TtStore *store, const TtDevicePart *part, GError **error);
/* By thread: sets those of which the work says that they wait, or are waited for, wherever their spans are. */
void tt_device_work_claim (const TtDeviceWork *self, guint8 *threads, guint32 max_thread);
void tt_device_work_clear (TtDeviceWork *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtDeviceWork, tt_device_work_clear)
