/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtEventIndex: where in ids and in time the events of the selected runs lie, from one scan, so that what is around one of them is read
 * without another.
 *
 * Events are in pieces of neighbouring ids, some thousand of them at most. Of a piece the first begin, the last end and how many spans of each
 * operation it has are known; of a thread, whether its spans are nested as src/trace/nest leaves them: then the
 * depth and the order of ids alone tell what is inside what. Memory is that of the pieces, whatever the number of events, with the operations and the
 * threads of the run.
 */
#pragma once

#include "analyzers/spans/op-table.h"

#define TT_NO_OP G_MAXUINT32

typedef struct _TtEventIndex TtEventIndex;

#define TT_EVENTS_A_PIECE 2048u

/* The operations are those of @ops, which stays the caller's; new ones are added. Of a long run pieces have more than @events_a_piece. */
TtEventIndex *tt_event_index_new (TtStore *store, TtOpTable *ops, guint events_a_piece);
void tt_event_index_free (TtEventIndex *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtEventIndex, tt_event_index_free)

/* The next event, by ids upwards. Returns its operation; TT_NO_OP: it is an instant, or of no known thread. */
guint32 tt_event_index_add (TtEventIndex *self, const TtEvent *event);
/* After the last. */
void tt_event_index_end (TtEventIndex *self);

typedef struct
{
  guint64 first, last;      /* ids; there may be holes */
  gint64 first_ns, last_ns; /* begins and ends; first > last: it has no events */
  guint first_count, n_counts;
  gboolean is_counted; /* else it has too many operations */
} TtEventPiece;

typedef struct
{
  guint32 op, n; /* spans */
} TtEventCount;

TtOpTable *tt_event_index_ops (const TtEventIndex *self);
guint tt_event_index_n_pieces (const TtEventIndex *self);
const TtEventPiece *tt_event_index_piece (const TtEventIndex *self, guint number);
/* Of a piece; NULL: none. */
const TtEventCount *tt_event_index_counts (const TtEventIndex *self, const TtEventPiece *piece);
/* The number of the piece that has the event with this id, if there is one; G_MAXUINT: none can have it. */
guint tt_event_index_piece_of (const TtEventIndex *self, guint64 event);

/* First and last span on a thread. FALSE: it has none, or they are not nested: several lanes (trace/lane.h), spans that cross, or a begin before that
 * of the caller. Asynchronous spans do not count. */
gboolean tt_event_index_thread (const TtEventIndex *self, guint32 thread, guint64 *first, guint64 *last);
