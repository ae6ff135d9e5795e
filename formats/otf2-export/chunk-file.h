/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtChunkFile: a file of an OTF2 archive that is written, a chunk at a time.
 *
 * Source of these facts: OTF2 3.0.2, OTF2_Buffer.c; formats/otf2/chunks.h and events.h say how such a file is read. Least significant
 * bytes come first.
 */
#pragma once

#include "src/base/output.h"

#define TT_EVENT_CHUNK ((gsize) 1 << 20)
#define TT_DEFINITION_CHUNK ((gsize) 4 << 20)
/* What is undefined, in 32 and 64 bits. */
#define TT_OTF2_NONE G_MAXUINT64

/* The body of a record while it is put together. */
typedef struct
{
  GByteArray *bytes;
} TtRecordBody;

void tt_record_u8 (TtRecordBody *self, guint8 value);
/* 32 or 64 bits: only the bytes that it needs; TT_OTF2_NONE is undefined. */
void tt_record_packed (TtRecordBody *self, guint64 value);
void tt_record_string (TtRecordBody *self, const char *text);

typedef struct
{
  TtOutput *out;
  guint8 *chunk;
  gsize size, used;
  guint64 n_events, n_before; /* in all; before this chunk */
  guint64 time;
  gboolean has_time; /* `time` stands in this chunk */
} TtChunkFile;

/* @chunk_bytes: TT_EVENT_CHUNK or TT_DEFINITION_CHUNK. */
gboolean tt_chunk_file_open (TtChunkFile *self, const char *path, gsize chunk_bytes, GError **error);
/* A definition. */
void tt_chunk_file_record (TtChunkFile *self, guint8 kind, const TtRecordBody *body);
/* An event at @time; of a kind whose one value has no record around it @is_alone. */
void tt_chunk_file_event (TtChunkFile *self, guint64 time, guint8 kind, const TtRecordBody *body, gboolean is_alone);
/* Attributes of the event that comes next, which must be at @time. */
void tt_chunk_file_attributes (TtChunkFile *self, guint64 time, const TtRecordBody *body);
/* Ends and publishes it. */
gboolean tt_chunk_file_close (TtChunkFile *self, GError **error);
/* Gives up what is not closed. */
void tt_chunk_file_clear (TtChunkFile *self);
