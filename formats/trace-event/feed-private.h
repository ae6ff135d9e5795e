/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What TtTraceEventFeed is inside: feed.c hands out events, feed-reader.c reads them, by a thread of its own if the file is long.
 */
#pragma once

#include "formats/trace-event/feed.h"
#include "formats/trace-event/parts.h"
#include "formats/trace-event/span-order.h"
#include "src/base/apart.h"

struct _TtTraceEventFeed
{
  /* The caller's. */
  TtSink *sink;
  TtHeaderFunc on_header;
  gpointer header_data;
  gboolean is_direct;    /* no batches */
  gboolean indexes_args; /* set before there is a thread */
  TtEventBatch *batch;
  GThread *thread;
  GAsyncQueue *full, *empty; /* of TtEventBatch */
  gint is_stopped;
  gboolean has_ended;

  /* Of whoever reads: the thread, while there is one. */
  char apart[TT_APART_BYTES];
  TtTraceEventReader *reader;
  TtEventNumbers *numbers;
  TtSpanOrder *order; /* NULL: any will do */
  gboolean is_unordered;
  TtTraceEvent event; /* in direct mode the one given out, else one that had no room in its batch */
  gboolean has_event;
  TtEventBatch *filling;
  guint n_batches;
  TtEventParts *parts;  /* NULL: nobody else reads */
  guint n_readers;      /* of parts, that are wanted */
  gboolean has_readers; /* they were chosen */
  guint n_alone;        /* batches to be read before a part is cut off again */
  guint patience;       /* what that is to be if the next part fails */
  guint n_parts;        /* since the last that failed */
  guint64 n_all_parts;
  gsize part_bytes;
  char apart_after[TT_APART_BYTES];
};

/* A TtHeaderFunc: into the batch that is being filled. @data: the feed. */
void tt_feed_add_header (const TtJsonValue *key, const TtJsonValue *value, gpointer data);
/* Reads up to @most events into @batch, or until it is full. */
void tt_feed_fill (TtTraceEventFeed *self, TtEventBatch *batch, guint most);
/* From here on a thread fills batches; self->thread stays NULL if there is none to be had. */
void tt_feed_start (TtTraceEventFeed *self);
