/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/unpack-runs.h"

/* Of compressed bytes, of all runs that have been cut. */
#define MOST_PACKED ((gsize) 8 << 20)
/* Pieces that the run that is read has waiting at most: they are still in the cache when they are read. */
#define N_NEAR 3u
/* Each wait of the reader for a piece counts so much, each piece that it need not wait for counts against one; from THIRST
 * on several runs are worked on at once. Where one thread is fast enough, more would only fill the memory. */
#define OF_A_WAIT 4u
#define THIRST 8u
#define MOST_THIRST 16u

struct _TtUnpackRuns
{
  GMutex lock; /* of what follows */
  GCond full;  /* the reader waits */
  GCond turn;  /* threads wait for all but a piece */
  TtUnpackRun *runs;
  guint n_runs;                    /* run i is in place i % n_runs */
  guint64 n_read, n_done, n_begun; /* all before have been read, have ended, have begun */
  guint64 n_bytes;                 /* of those that have ended */
  guint n_busy;                    /* that a thread works on */
  guint n_waiting;                 /* threads, for the input */
  guint thirst;                    /* of the reader */
  gboolean is_taken;               /* the input */
  gboolean is_ended;               /* no other run begins */
  gboolean is_stopped;
  guint64 fails_at; /* the first run that cannot be unpacked; G_MAXUINT64: none */

  GPtrArray *empty; /* of TtUnpackPiece */
  guint n_pieces;
  guint n_out; /* not empty */
};

static TtUnpackRun *
run_of (TtUnpackRuns *self, guint64 number)
{
  return &self->runs[number % self->n_runs];
}

static void
free_piece (gpointer data)
{
  TtUnpackPiece *piece = data;

  g_clear_error (&piece->error);
  g_free (piece->bytes);
  g_free (piece);
}

TtUnpackRuns *
tt_unpack_runs_new (guint n_runs, guint n_pieces)
{
  TtUnpackRuns *self = g_new0 (TtUnpackRuns, 1);

  g_mutex_init (&self->lock);
  g_cond_init (&self->full);
  g_cond_init (&self->turn);
  self->runs = g_new0 (TtUnpackRun, n_runs);
  self->n_runs = n_runs;
  for (guint i = 0; i < n_runs; i++)
    {
      g_queue_init (&self->runs[i].full);
      g_cond_init (&self->runs[i].freed);
    }
  self->fails_at = G_MAXUINT64;
  self->empty = g_ptr_array_new_with_free_func (free_piece);
  self->n_pieces = n_pieces;
  return self;
}

void
tt_unpack_runs_free (TtUnpackRuns *self)
{
  for (guint i = 0; i < self->n_runs; i++)
    {
      g_queue_clear_full (&self->runs[i].full, free_piece);
      tt_unpack_cut_clear (&self->runs[i].cut);
      g_cond_clear (&self->runs[i].freed);
    }
  g_free (self->runs);
  g_ptr_array_unref (self->empty);
  g_cond_clear (&self->full);
  g_cond_clear (&self->turn);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* -- all below: with the lock --------------------------------------------------------------------------------- */

/* Whether nothing more is to be done to a run of that number. */
static gboolean
is_over (const TtUnpackRuns *self, guint64 number)
{
  return self->is_stopped || self->fails_at < number;
}

static gboolean
may_take (const TtUnpackRuns *self, const TtUnpackRun *run)
{
  return run->number == self->n_read ? run->full.length < N_NEAR : self->n_out + N_NEAR < self->n_pieces;
}

/* Wakes the first run that waits for a piece, when there are several for it or the reader has none: waking takes long. */
static void
wake_for_pieces (TtUnpackRuns *self)
{
  for (guint64 number = self->n_read; number < self->n_begun; number++)
    {
      TtUnpackRun *run = run_of (self, number);
      gboolean is_read = number == self->n_read;

      if (!run->waits || !may_take (self, run))
        continue;
      if (is_read ? run->full.length <= 1 : self->n_out + N_NEAR + self->n_pieces / 4 <= self->n_pieces)
        g_cond_signal (&run->freed);
      return;
    }
}

static void
wake_all (TtUnpackRuns *self)
{
  g_cond_broadcast (&self->full);
  g_cond_broadcast (&self->turn);
  for (guint i = 0; i < self->n_runs; i++)
    g_cond_broadcast (&self->runs[i].freed);
}

static void
make_empty (TtUnpackRuns *self, TtUnpackPiece *piece)
{
  g_clear_error (&piece->error);
  piece->len = piece->used = 0;
  g_ptr_array_add (self->empty, piece);
  self->n_out--;
}

static void
forget_pieces (TtUnpackRuns *self, TtUnpackRun *run)
{
  TtUnpackPiece *piece;

  while ((piece = g_queue_pop_head (&run->full)) != NULL)
    make_empty (self, piece);
}

/* Goes on over runs that have ended, whose compressed bytes nobody needs any more. */
static void
count_done (TtUnpackRuns *self)
{
  for (TtUnpackRun *run; self->n_done < self->n_begun && (run = run_of (self, self->n_done))->is_done; self->n_done++)
    {
      tt_unpack_cut_clear (&run->cut);
      self->n_bytes += run->len;
    }
}

/* -- threads -------------------------------------------------------------------------------------------------- */

static gboolean
is_free (const TtUnpackRuns *self)
{
  return !self->is_taken && (self->n_busy == 0 || self->thirst >= THIRST);
}

gboolean
tt_unpack_runs_take_input (TtUnpackRuns *self)
{
  g_mutex_lock (&self->lock);
  self->n_waiting++;
  while (!is_free (self) && !self->is_ended && !is_over (self, G_MAXUINT64))
    g_cond_wait (&self->turn, &self->lock);
  self->n_waiting--;
  gboolean is_mine = !self->is_ended && !is_over (self, G_MAXUINT64);
  self->is_taken |= is_mine;
  g_mutex_unlock (&self->lock);
  return is_mine;
}

void
tt_unpack_runs_give_input (TtUnpackRuns *self)
{
  g_mutex_lock (&self->lock);
  self->is_taken = FALSE;
  g_cond_broadcast (&self->turn);
  g_mutex_unlock (&self->lock);
}

gboolean
tt_unpack_runs_want_thread (TtUnpackRuns *self)
{
  g_mutex_lock (&self->lock);
  gboolean are_wanted = self->n_waiting == 0 && self->thirst >= THIRST;
  g_mutex_unlock (&self->lock);
  return are_wanted;
}

TtUnpackRun *
tt_unpack_runs_begin (TtUnpackRuns *self)
{
  TtUnpackRun *run = NULL;

  g_mutex_lock (&self->lock);
  while (self->n_begun - self->n_read == self->n_runs && !is_over (self, self->n_begun))
    g_cond_wait (&self->turn, &self->lock);
  if (!is_over (self, self->n_begun))
    {
      run = run_of (self, self->n_begun);
      run->number = self->n_begun++;
      run->len = 0;
      run->is_done = run->is_last = FALSE;
      self->n_busy++;
    }
  g_mutex_unlock (&self->lock);
  return run;
}

gboolean
tt_unpack_runs_wait_for_room (TtUnpackRuns *self, const TtUnpackRun *run)
{
  g_mutex_lock (&self->lock);
  for (;;)
    {
      gsize n = 0;

      for (guint64 number = self->n_done; number <= run->number; number++)
        n += run_of (self, number)->cut.n;
      if (n <= MOST_PACKED || self->n_done == run->number || is_over (self, run->number))
        break;
      g_cond_wait (&self->turn, &self->lock);
    }
  gboolean is_there = !is_over (self, run->number);
  g_mutex_unlock (&self->lock);
  return is_there;
}

gboolean
tt_unpack_runs_wait_for_turn (TtUnpackRuns *self, const TtUnpackRun *run, guint64 *before)
{
  g_mutex_lock (&self->lock);
  while (self->n_done < run->number && !is_over (self, run->number))
    g_cond_wait (&self->turn, &self->lock);
  *before = self->n_bytes;
  gboolean is_there = !is_over (self, run->number);
  g_mutex_unlock (&self->lock);
  return is_there;
}

TtUnpackPiece *
tt_unpack_runs_take_piece (TtUnpackRuns *self, TtUnpackRun *run)
{
  TtUnpackPiece *piece = NULL;

  g_mutex_lock (&self->lock);
  while (!may_take (self, run) && !is_over (self, run->number))
    {
      run->waits = TRUE;
      g_cond_wait (&run->freed, &self->lock);
      run->waits = FALSE;
    }
  gboolean is_there = !is_over (self, run->number);
  if (is_there)
    {
      self->n_out++;
      if (self->empty->len > 0)
        piece = g_ptr_array_steal_index (self->empty, self->empty->len - 1);
    }
  g_mutex_unlock (&self->lock);
  if (is_there && piece == NULL)
    {
      piece = g_new0 (TtUnpackPiece, 1);
      piece->bytes = g_malloc (TT_UNPACK_PIECE_BYTES);
    }
  return piece;
}

void
tt_unpack_runs_put_piece (TtUnpackRuns *self, TtUnpackRun *run, TtUnpackPiece *piece)
{
  g_mutex_lock (&self->lock);
  run->len += piece->len - piece->used;
  g_queue_push_tail (&run->full, piece);
  if (run->number == self->n_read)
    g_cond_signal (&self->full);
  g_mutex_unlock (&self->lock);
}

void
tt_unpack_runs_drop_piece (TtUnpackRuns *self, TtUnpackPiece *piece)
{
  g_mutex_lock (&self->lock);
  make_empty (self, piece);
  g_mutex_unlock (&self->lock);
}

void
tt_unpack_runs_end (TtUnpackRuns *self, TtUnpackRun *run, gboolean is_last)
{
  g_mutex_lock (&self->lock);
  run->is_done = TRUE;
  run->is_last = is_last;
  self->is_ended |= is_last;
  self->n_busy--;
  count_done (self);
  g_cond_broadcast (&self->turn);
  g_cond_signal (&self->full);
  g_mutex_unlock (&self->lock);
}

void
tt_unpack_runs_leave (TtUnpackRuns *self)
{
  g_mutex_lock (&self->lock);
  self->n_busy--;
  g_cond_broadcast (&self->turn);
  g_mutex_unlock (&self->lock);
}

gboolean
tt_unpack_runs_take_over (TtUnpackRuns *self, TtUnpackRun *run, TtRawInput *raw)
{
  g_mutex_lock (&self->lock);
  self->n_busy--;
  self->fails_at = MIN (self->fails_at, run->number);
  wake_all (self);
  while ((self->n_busy > 0 || self->is_taken) && !is_over (self, run->number))
    g_cond_wait (&self->turn, &self->lock);

  gboolean is_mine = !is_over (self, run->number);
  if (is_mine)
    {
      while (self->n_begun > run->number)
        {
          TtUnpackRun *last = run_of (self, --self->n_begun);

          tt_raw_input_put_back (raw, last->cut.bytes, last->cut.n, NULL);
          tt_unpack_cut_clear (&last->cut);
          if (last != run)
            forget_pieces (self, last);
        }
      self->n_begun = run->number + 1;
      self->n_busy = 1;
      self->is_taken = self->is_ended = TRUE;
      self->fails_at = G_MAXUINT64;
      wake_all (self);
    }
  g_mutex_unlock (&self->lock);
  return is_mine;
}

/* -- the reader ----------------------------------------------------------------------------------------------- */

TtUnpackPiece *
tt_unpack_runs_next (TtUnpackRuns *self, TtUnpackPiece *piece)
{
  g_mutex_lock (&self->lock);
  if (piece != NULL)
    make_empty (self, g_steal_pointer (&piece));
  while (!self->is_stopped)
    {
      TtUnpackRun *run = run_of (self, self->n_read);
      gboolean has_begun = self->n_read < self->n_begun;

      if (has_begun && (piece = g_queue_pop_head (&run->full)) != NULL)
        break;
      if (has_begun && run->is_done)
        {
          if (run->is_last)
            break;
          self->n_read++;
          g_cond_broadcast (&self->turn);
          continue;
        }
      wake_for_pieces (self);
      self->thirst = MIN (self->thirst + OF_A_WAIT + 1, MOST_THIRST);
      if (self->thirst >= THIRST)
        g_cond_broadcast (&self->turn);
      g_cond_wait (&self->full, &self->lock);
    }
  if (self->thirst > 0)
    self->thirst--;
  wake_for_pieces (self);
  g_mutex_unlock (&self->lock);
  return piece;
}

void
tt_unpack_runs_stop (TtUnpackRuns *self)
{
  g_mutex_lock (&self->lock);
  self->is_stopped = TRUE;
  wake_all (self);
  g_mutex_unlock (&self->lock);
}
