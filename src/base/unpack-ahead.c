/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/unpack-ahead.h"

#include "src/base/readers.h"

#include <string.h>

#define MOST_THREADS 4u
/* 8 MiB of contents: beside as much, a thread may have a window of 4 MiB and 8 MiB of compressed bytes. */
#define N_PIECES 32u

struct _TtUnpackAhead
{
  TtUnpack *unpack; /* of the thread that has the input */
  guint n_threads;  /* at most; 1: nothing is cut */
  GMutex lock;      /* of the threads */
  GPtrArray *threads;
  gboolean is_stopped;

  TtUnpackRuns *runs;
  TtUnpackPiece *piece; /* the reader's; NULL: none yet */
  TtUnpackState state;  /* of the reader */
};

static TtUnpackState
state_of (const TtUnpack *unpack)
{
  return (TtUnpackState){ unpack->raw->offset, unpack->raw->disk_bytes, unpack->is_cut };
}

typedef struct
{
  TtUnpackAhead *ahead;
  TtUnpack unpack; /* wrap NONE: not started */
  TtRawInput part; /* of the run, for it */
} Worker;

/* -- as it is read -------------------------------------------------------------------------------------------- */

/* Up to the next multiple of a piece in the contents, of which there are @before: what is damaged is found where a single
 * thread would find it. Whether it is the last. */
static gboolean
fill (TtUnpackAhead *self, TtUnpackPiece *piece, guint64 before)
{
  TtUnpack *unpack = self->unpack;
  const gsize want = TT_UNPACK_PIECE_BYTES - (gsize) (before % TT_UNPACK_PIECE_BYTES);
  TtCut next = TT_CUT_NOT;

  while (piece->len < want && next == TT_CUT_NOT)
    {
      gssize n = tt_unpack_read (unpack, piece->bytes + piece->len, want - piece->len, &piece->error);

      piece->len = n < 0 ? 0 : piece->len + (gsize) n;
      if (n < 0 || (piece->len < want && (unpack->is_cut || !unpack->stops_between)))
        next = TT_CUT_END;
      else if (piece->len < want)
        next = tt_unpack_cut_look (unpack->raw, unpack->wrap);
    }
  piece->state = state_of (unpack);
  return next == TT_CUT_END;
}

/* A run of what cannot be cut; the thread has the input. The reader has @n_had bytes of it. Whether more can be done. */
static gboolean
unpack_stretch (TtUnpackAhead *self, TtUnpackRun *run, guint64 n_had)
{
  TtUnpackPiece *piece;
  guint64 at;
  gboolean is_last = FALSE;

  if (!tt_unpack_runs_wait_for_turn (self->runs, run, &at))
    {
      tt_unpack_runs_leave (self->runs);
      return FALSE;
    }
  n_had += at;
  do
    {
      piece = tt_unpack_runs_take_piece (self->runs, run);
      if (piece == NULL)
        break;
      is_last = fill (self, piece, at);
      piece->used = (gsize) MIN (piece->len, n_had - MIN (n_had, at));
      at += piece->len;
      tt_unpack_runs_put_piece (self->runs, run, piece);
    }
  while (!is_last && (self->unpack->is_inside || !self->unpack->stops_between));
  if (piece == NULL)
    tt_unpack_runs_leave (self->runs);
  else
    tt_unpack_runs_end (self->runs, run, is_last);
  return piece != NULL && !is_last;
}

/* -- by several ----------------------------------------------------------------------------------------------- */

static gpointer unpack_runs (gpointer data);

/* One more, if there is use for it. */
static void
add_thread (TtUnpackAhead *self)
{
  GThread *thread = NULL;

  g_mutex_lock (&self->lock);
  if (!self->is_stopped && self->threads->len < self->n_threads)
    thread = g_thread_try_new ("unpack", unpack_runs, self, NULL);
  if (thread != NULL)
    g_ptr_array_add (self->threads, thread);
  g_mutex_unlock (&self->lock);
}

/* Whether the frames of @run are as they say, and there is memory; or nothing more is to be done to it. */
static gboolean
unpack_frames (Worker *self, TtUnpackRun *run)
{
  TtUnpackRuns *runs = self->ahead->runs;
  gsize n = TT_UNPACK_PIECE_BYTES;

  self->part = (TtRawInput){ .path = self->ahead->unpack->raw->path,
                             .fd = -1,
                             .is_part = TRUE,
                             .bytes = run->cut.bytes,
                             .filled = run->cut.n,
                             .offset = run->cut.n,
                             .disk_bytes = run->cut.n };
  if (self->unpack.wrap == TT_WRAP_NONE &&
      !tt_unpack_start (&self->unpack, &self->part, self->ahead->unpack->wrap, NULL))
    return FALSE;
  self->unpack.is_inside = FALSE;
  while (n == TT_UNPACK_PIECE_BYTES)
    {
      TtUnpackPiece *piece = tt_unpack_runs_take_piece (runs, run);
      if (piece == NULL)
        {
          tt_unpack_runs_leave (runs);
          return TRUE;
        }
      gssize more = tt_unpack_read (&self->unpack, piece->bytes, TT_UNPACK_PIECE_BYTES, NULL);
      n = (gsize) MAX (more, 0);
      piece->len = n;
      piece->state = run->state;
      if (n > 0)
        tt_unpack_runs_put_piece (runs, run, piece);
      else
        tt_unpack_runs_drop_piece (runs, piece);
      if (more < 0)
        return FALSE;
    }
  tt_unpack_runs_end (runs, run, FALSE);
  return TRUE;
}

/* The frames of @run cannot be unpacked as they were cut: from there on one thread unpacks, which knows. */
static void
unpack_rest (TtUnpackAhead *self, TtUnpackRun *run)
{
  if (!tt_unpack_runs_take_over (self->runs, run, self->unpack->raw))
    return;
  self->unpack->stops_between = FALSE;
  unpack_stretch (self, run, run->len);
}

/* The next run of those that can be cut; others are unpacked at once. NULL: there is none to unpack. */
static TtUnpackRun *
cut_run (TtUnpackAhead *self)
{
  TtUnpack *unpack = self->unpack;
  TtUnpackRun *run;

  while ((run = tt_unpack_runs_begin (self->runs)) != NULL)
    if (!unpack->is_inside && unpack->stops_between &&
        tt_unpack_cut (&run->cut, unpack->raw, unpack->wrap) == TT_CUT_FRAMES)
      {
        run->state = state_of (unpack);
        if (tt_unpack_runs_wait_for_room (self->runs, run))
          return run;
        tt_unpack_runs_leave (self->runs);
        return NULL;
      }
    else if (!unpack_stretch (self, run, 0))
      return NULL;
  return NULL;
}

static gpointer
unpack_runs (gpointer data)
{
  TtUnpackAhead *self = data;
  Worker worker = { .ahead = self };
  TtUnpackRun *run = NULL;

  while (tt_unpack_runs_take_input (self->runs))
    {
      run = cut_run (self);
      tt_unpack_runs_give_input (self->runs);
      if (run == NULL)
        break;
      if (tt_unpack_runs_want_thread (self->runs))
        add_thread (self);
      if (unpack_frames (&worker, run))
        continue;
      unpack_rest (self, run);
      break;
    }
  tt_unpack_clear (&worker.unpack);
  return NULL;
}

/* -- the reader ----------------------------------------------------------------------------------------------- */

static guint
count_threads (void)
{
  guint n;
  gboolean is_asked = tt_readers_wanted (MOST_THREADS, &n);

  return is_asked ? MAX (n, 1) : MIN (n + 1, MOST_THREADS);
}

TtUnpackAhead *
tt_unpack_ahead_new (TtUnpack *unpack)
{
  TtUnpackAhead *self = g_new0 (TtUnpackAhead, 1);

  self->unpack = unpack;
  self->state = state_of (unpack);
  self->n_threads = count_threads ();
  unpack->stops_between = self->n_threads > 1;
  g_mutex_init (&self->lock);
  self->threads = g_ptr_array_new ();
  self->runs = tt_unpack_runs_new (2 * self->n_threads, N_PIECES);
  add_thread (self);
  if (self->threads->len > 0)
    return self;
  unpack->stops_between = FALSE;
  tt_unpack_ahead_free (self);
  return NULL;
}

void
tt_unpack_ahead_stop (TtUnpackAhead *self)
{
  g_mutex_lock (&self->lock);
  self->is_stopped = TRUE;
  g_mutex_unlock (&self->lock);
  tt_unpack_runs_stop (self->runs);
  for (guint i = 0; i < self->threads->len; i++)
    g_thread_join (self->threads->pdata[i]);
  g_ptr_array_set_size (self->threads, 0);
  if (self->piece != NULL)
    self->piece = tt_unpack_runs_next (self->runs, self->piece);
  self->state = state_of (self->unpack);
}

void
tt_unpack_ahead_free (TtUnpackAhead *self)
{
  if (self == NULL)
    return;
  tt_unpack_ahead_stop (self);
  tt_unpack_runs_free (self->runs);
  g_ptr_array_unref (self->threads);
  g_mutex_clear (&self->lock);
  g_free (self);
}

TtUnpackState
tt_unpack_ahead_state (const TtUnpackAhead *self)
{
  return self->state;
}

gssize
tt_unpack_ahead_read (TtUnpackAhead *self, guint8 *bytes, gsize len, GError **error)
{
  gsize done = 0;

  while (done < len)
    {
      TtUnpackPiece *piece = self->piece;

      if (piece == NULL || piece->used == piece->len)
        {
          if (piece != NULL && piece->error != NULL)
            {
              g_propagate_error (error, g_steal_pointer (&piece->error));
              return -1;
            }
          self->piece = tt_unpack_runs_next (self->runs, piece);
          if (self->piece == NULL)
            break;
          self->state = self->piece->state;
          continue;
        }
      gsize n = MIN (len - done, piece->len - piece->used);
      memcpy (bytes + done, piece->bytes + piece->used, n);
      piece->used += n;
      done += n;
    }
  return (gssize) done;
}
