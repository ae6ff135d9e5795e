/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtUnpackRuns: what several threads unpack of one input, in the order in which one reader takes it. For unpack-ahead.c,
 * which alone uses it.
 *
 * A run is some frames that one thread has cut and unpacks, or a stretch that is unpacked as it is read. Runs begin in
 * the order of the input, for only the thread that has the input begins one; several are worked on at once. What a run
 * unpacks to comes in pieces. Those of runs that are not yet to be read are so many at most; the run that is read has few
 * waiting, but always gets them.
 *
 * Functions that wait answer FALSE or NULL when nothing more is to be done: the reader has gone, the input has ended, or
 * another thread takes over.
 */
#pragma once

#include "src/base/unpack-cut.h"

#define TT_UNPACK_PIECE_BYTES ((gsize) 256 << 10)

/* Where the input was when the bytes were unpacked that the reader had last. */
typedef struct
{
  guint64 offset, disk_bytes; /* of TtRawInput */
  gboolean is_cut;
} TtUnpackState;

typedef struct
{
  guint8 *bytes;
  gsize len, used;
  GError *error; /* after the bytes */
  TtUnpackState state;
} TtUnpackPiece;

typedef struct
{
  guint64 number;
  TtUnpackCut cut;     /* empty: it is unpacked as it is read */
  TtUnpackState state; /* of cut frames */
  guint64 len;         /* of its pieces so far */

  /* Of TtUnpackRuns. */
  GQueue full; /* of TtUnpackPiece */
  GCond freed; /* a piece, for this run */
  gboolean waits;
  gboolean is_done, is_last;
} TtUnpackRun;

typedef struct _TtUnpackRuns TtUnpackRuns;

/* @n_runs at once, begun and not read. */
TtUnpackRuns *tt_unpack_runs_new (guint n_runs, guint n_pieces);
/* After tt_unpack_runs_stop(), and without threads. */
void tt_unpack_runs_free (TtUnpackRuns *self);

/* -- threads -- */

/* For one thread at a time; while a run is worked on, only where the reader has to wait. */
gboolean tt_unpack_runs_take_input (TtUnpackRuns *self);
void tt_unpack_runs_give_input (TtUnpackRuns *self);
/* Whether one more would have something to do: the reader waits more often than not, and no thread waits for the input. */
gboolean tt_unpack_runs_want_thread (TtUnpackRuns *self);

/* By the thread that has the input. */
TtUnpackRun *tt_unpack_runs_begin (TtUnpackRuns *self);
/* Until the compressed bytes of @run are few enough beside those of others. */
gboolean tt_unpack_runs_wait_for_room (TtUnpackRuns *self, const TtUnpackRun *run);
/* Until all runs before @run have ended. *@before: bytes that they have unpacked to. */
gboolean tt_unpack_runs_wait_for_turn (TtUnpackRuns *self, const TtUnpackRun *run, guint64 *before);

/* An empty one. */
TtUnpackPiece *tt_unpack_runs_take_piece (TtUnpackRuns *self, TtUnpackRun *run);
void tt_unpack_runs_put_piece (TtUnpackRuns *self, TtUnpackRun *run, TtUnpackPiece *piece);
/* One that has nothing. */
void tt_unpack_runs_drop_piece (TtUnpackRuns *self, TtUnpackPiece *piece);

/* All its pieces are there. @is_last: the input has ended. */
void tt_unpack_runs_end (TtUnpackRuns *self, TtUnpackRun *run, gboolean is_last);
/* Nothing more is done to one that has begun. */
void tt_unpack_runs_leave (TtUnpackRuns *self);
/* @run cannot be unpacked as it was cut. When all before it have ended: the thread has the input for good, @raw is put
 * back to where @run began, and what came after @run is forgotten; its pieces so far stay. FALSE: one before it cannot be
 * unpacked either, or the reader has gone. */
gboolean tt_unpack_runs_take_over (TtUnpackRuns *self, TtUnpackRun *run, TtRawInput *raw);

/* -- the reader -- */

/* @piece has been read (NULL: none yet). The next; NULL: there is no other. */
TtUnpackPiece *tt_unpack_runs_next (TtUnpackRuns *self, TtUnpackPiece *piece);
void tt_unpack_runs_stop (TtUnpackRuns *self);
