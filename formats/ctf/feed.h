/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfFeed: the events of one stream in their order, in batches of records, with what is missing between them.
 *
 * What an event says depends on its stream alone, so several feeds may be filled at once.
 */
#pragma once

#include "formats/ctf/event.h"
#include "formats/ctf/source.h"

typedef struct _TtCtfFeed TtCtfFeed;

typedef enum
{
  TT_CTF_RECORD_EVENT,
  TT_CTF_RECORD_LOST,
  TT_CTF_RECORD_BROKEN, /* the last one */
} TtCtfRecordKind;

typedef struct
{
  guint32 kind;
  guint32 n_bytes; /* of this and what follows, up to the next record */
  gint64 ts_ns;
  union
  {
    struct
    {
      TtCtfClass *klass;
      guint32 tail_len; /* of what follows behind the slots */
      guint32 size;     /* of the event in its packet */
      guint8 is_moved, is_outgrown;
    } event;
    struct
    {
      gint64 count, from_ns;
      guint32 kind; /* TtCtfLossKind; until ts_ns */
    } lost;
    struct
    {
      const char *why;
      guint32 how; /* TtCtfBreak */
    } broken;
  } u;
} TtCtfRecord;

typedef struct
{
  guint8 *bytes;
  gsize len, room, at;
  gboolean is_last;
  GError *error; /* the stream could not be read on */
} TtCtfBatch;

/* @source: borrowed. @room: bytes of its window. Opens nothing yet. */
TtCtfFeed *tt_ctf_feed_new (const TtCtfPlans *plans, const TtCtfSource *source, gsize room);
void tt_ctf_feed_free (TtCtfFeed *self);
/* Fills the batch, which is empty, with about @n_bytes. */
void tt_ctf_feed_fill (TtCtfFeed *self, TtCtfBatch *batch, gsize n_bytes);
void tt_ctf_batch_clear (TtCtfBatch *self);
/* The record at the batch's place; NULL: it has no more. */
static inline const TtCtfRecord *
tt_ctf_batch_record (const TtCtfBatch *self)
{
  return self->at < self->len ? (const TtCtfRecord *) (gconstpointer) (self->bytes + self->at) : NULL;
}
