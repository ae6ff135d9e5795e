/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRecordingBuilder: a recording while it is made: nodes with their recorded times, and needs.
 */
#pragma once

#include "analyzers/devices/work.h"
#include "analyzers/recorded-job/recorded-job.h"
#include "src/base/map64.h"

/* The nodes of a thread of the host: one after the other. */
typedef struct
{
  guint32 thread;
  guint32 first, end;
} TtHostLane;

/* A step as the source has it. */
typedef struct
{
  guint32 thread;
  gint64 begin_ns, end_ns;
} TtSourceStep;

typedef struct
{
  gint64 begin_ns, end_ns;
} TtNodeRange;

typedef struct
{
  TtStore *store;
  TtDeviceWork work;
  TtMap64 numbers; /* of work.spans, by event */
  TtMap64 named;   /* name of the store -> a node that has it */
  TtStepRecording *recording;
  TtRecordedCounts *counts;
  gint64 first_ns;      /* of the recording */
  guint32 *endpoint_of; /* by process; TT_STEP_NO_RANK: of none */
  guint32 max_process;
  gboolean *has_device;   /* by endpoint */
  GArray *ranges;         /* of TtNodeRange, by node: as recorded */
  GArray *lanes;          /* of guint32, by node */
  GArray *host_lanes;     /* of TtHostLane, by thread */
  GArray *steps;          /* of TtSourceStep, by (thread, begin) */
  guint32 *device_nodes;  /* by number of TtDeviceWork.spans: the node that takes its time */
  guint32 *arrival_nodes; /* likewise: the one that begins when it did; the same unless it is joined with other ranks */
} TtRecordingBuilder;

typedef struct
{
  guint32 lane, endpoint;
  TtStepNodeKind kind;
  guint32 name;     /* of the store; TT_NO_ID: of none */
  const char *text; /* then this is its name */
  gint64 begin_ns, end_ns;
  gboolean is_rest;
} TtRecordedNode;

void tt_recording_builder_clear (TtRecordingBuilder *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtRecordingBuilder, tt_recording_builder_clear)

/* A lane for @thread of the store; TT_NO_ID: for what runs nowhere. */
guint32 tt_recording_add_lane (TtRecordingBuilder *self, guint32 thread);
guint32 tt_recording_add_node (TtRecordingBuilder *self, const TtRecordedNode *node);
/* The lag is what lies between them as recorded, at most @most_ns. Where @to began earlier, there is no such need: it is
 * counted. */
void tt_recording_add_need (TtRecordingBuilder *self, guint32 from, guint32 to, gboolean from_start, gint64 most_ns);
/* TT_STEP_NO_RANK: its process has no rank and no device. */
guint32 tt_recording_endpoint (const TtRecordingBuilder *self, guint32 thread);

static inline const TtNodeRange *
tt_recording_range (const TtRecordingBuilder *self, guint32 node)
{
  return &g_array_index (self->ranges, TtNodeRange, node);
}

/* Of the thread's nodes the first that begins at or after @ns, the last that ends at or before it. TT_STEP_NO_NODE. */
guint32 tt_recording_host_node_from (const TtRecordingBuilder *self, guint32 thread, gint64 ns);
guint32 tt_recording_host_node_until (const TtRecordingBuilder *self, guint32 thread, gint64 ns);
