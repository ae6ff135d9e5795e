/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2Reading: one location's files as they are read: its own definitions, then its events, some thousands at a time.
 *
 * It touches nothing that other readings do, so that each may be read by a thread of its own (ahead.h).
 */
#pragma once

#include "formats/otf2/anchor.h"
#include "formats/otf2/definitions.h"
#include "formats/otf2/events.h"

#define TT_OTF2_BLOCK_EVENTS 2048u

/* Events that follow one another. Their pointers lead into the chunk that they are of, which is kept until its last block. */
typedef struct
{
  guint n;
  guint8 *chunk; /* of which this is the last block; NULL: more of it follows */
  gsize chunk_allocated;
  guint64 progress; /* bytes of the file since the last that ended a chunk */
  TtOtf2Event events[TT_OTF2_BLOCK_EVENTS];
} TtOtf2Block;

typedef struct
{
  char *path;   /* NULL: it is not there */
  char *digest; /* once it is read */
  guint64 bytes, progress;
} TtOtf2ReadFile;

typedef struct
{
  /* What is known once it has begun: */
  guint place;            /* of the location */
  TtOtf2Local local;      /* its own definitions */
  TtRepairs repairs;      /* of these */
  char *events_path;      /* also if it is not there */
  gboolean is_there;      /* the file of its events */
  gboolean has_failed;    /* see `error` */
  TtOtf2ChunkState begin; /* of the first chunk */

  /* And once it is read: */
  TtOtf2ReadFile files[2]; /* definitions, events */
  TtOtf2ChunkState state;  /* after its last chunk */
  gboolean is_good;        /* no event was damaged */
  guint64 end, chunk_end;  /* where in the file reading has ended, and the chunk in which it did begins */
  GError *error;           /* what has failed */

  /* Of who reads it: */
  TtOtf2Chunks chunks;
  TtOtf2Events events;
} TtOtf2Reading;

TtOtf2Reading *tt_otf2_reading_new (guint place);
void tt_otf2_reading_free (TtOtf2Reading *self);
/* Reads the location's own definitions and its first chunk. FALSE: there are no events, or it has failed. @no_align: clocks stay as
 * they are. */
gboolean tt_otf2_reading_begin (TtOtf2Reading *self,
                                const TtOtf2Anchor *anchor,
                                const TtOtf2Definitions *definitions,
                                gboolean no_align);
/* Fills @block, which may end up empty. FALSE: it is the last, or it has failed. */
gboolean tt_otf2_reading_fill (TtOtf2Reading *self, TtOtf2Block *block);
/* After the last block: the digest of the file. */
void tt_otf2_reading_end (TtOtf2Reading *self);
