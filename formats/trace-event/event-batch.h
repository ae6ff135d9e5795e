/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtEventBatch: events that one thread reads and another takes, with the members of the outer object that stand between them.
 *
 * What is in a batch lies in its own memory: events that come one by one are copied into it, those of a part of the file
 * (parts.h) stay where they were read.
 */
#pragma once

#include "formats/trace-event/event.h"
#include "src/base/room.h"

/* A batch is small enough to be still in a cache when the other core takes it. */
#define TT_BATCH_EVENTS TT_ROOM (1024u, 64u)
#define TT_BATCH_BYTES ((gsize) TT_ROOM (384 << 10, 8192))
/* A batch that had to grow beyond this is let go, and waits until no other is on its way. */
#define TT_BATCH_KEPT_BYTES ((gsize) 1 << 20)

typedef struct
{
  guint at; /* the event that it stands before */
  TtJsonValue key, value;
} TtBatchHeader;

typedef struct
{
  TtTraceEvent events[TT_BATCH_EVENTS];
  guint n_events, next;
  GArray *headers; /* of TtBatchHeader, with bytes of their own */
  guint next_header;
  gsize header_bytes;
  char *bytes; /* room + TT_JSON_PART_PADDING of them */
  gsize used, room;
  TtJsonMemberPlace *places; /* of arguments; NULL: none are asked for */
  guint n_places;
  TtRepairs repairs;
  guint64 progress;
  gboolean is_last;
  GError *error; /* after the events */
  /* Of a part of the file. */
  TtJsonPart part; /* its bytes are those above */
  guint reader;    /* who has read it */
  gboolean is_whole, is_read;
} TtEventBatch;

TtEventBatch *tt_event_batch_new (gboolean indexes_args);
void tt_event_batch_free (TtEventBatch *self);
void tt_event_batch_clear (TtEventBatch *self);
gboolean tt_event_batch_is_full (const TtEventBatch *self);

/* Takes the event after the last, whose values lie within its record in the scanner: with bytes of its own from here on. FALSE: the batch has no
 * room for its bytes, and others are in it, or there is no memory for them: self->error. */
gboolean tt_event_batch_take (TtEventBatch *self);
/* The same of an event that lies in the batch's bytes. */
void tt_event_batch_keep (TtEventBatch *self);
/* @key and @value are copied. */
void tt_event_batch_add_header (TtEventBatch *self, const TtJsonValue *key, const TtJsonValue *value);
