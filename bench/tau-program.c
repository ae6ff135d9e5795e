/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "bench/tau-program.h"

#include "bench/tau-rows.h"

#define N_ELEMENTS(array) ((guint) G_N_ELEMENTS (array))
#define SENDS_A_STEP 2
#define BUSHY_DEPTH 6

typedef struct
{
  guint index, node, thread;
  guint64 now;
  guint64 random;
  guint64 metrics[MAX_METRICS];
  guint64 metrics_at;
  guint n_buffered;
  guint n_sends;
} Stream;

typedef struct
{
  guint64 ti;
  guint tag;
  guint64 bytes;
} Sent;

typedef struct
{
  const TauProgramOptions *options;
  TauWriter *writer;
  TauExpected *expected;
  Stream *streams;
  Sent *sent; /* [node][send of the step] */
  guint n_streams;
  guint n_functions;
  guint first_function; /* row */
  guint first_metric;   /* row */
  guint first_metadata; /* rows on all nodes, then those of node 0, 1 ... */
  guint next_made_up;
  guint step;
} Program;

/* -- records ---------------------------------------------------------------------------------- */

/* xorshift64*: the same everywhere. */
static guint64
next_random (Stream *stream, guint64 below)
{
  guint64 x = stream->random;

  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  stream->random = x;
  return ((x * G_GUINT64_CONSTANT (0x2545F4914F6CDD1D)) >> 32) % below;
}

static void
put (Program *self, Stream *stream, guint row, gint64 par)
{
  tau_writer_put (self->writer, stream->index, row, par, stream->now);
  stream->n_buffered++;
  self->expected->last_us = MAX (self->expected->last_us, stream->now);
}

static void
flush (Program *self, Stream *stream)
{
  put (self, stream, ROW_FLUSH, 1);
  stream->now += 20 + next_random (stream, 60);
  put (self, stream, ROW_FLUSH, -1);
  stream->n_buffered = 1;
  self->expected->enters++;
  self->expected->leaves++;
  self->expected->flushes++;
}

/* Counters follow their enter or leave; a flush between them leaves them with the older time. */
static void
put_metrics (Program *self, Stream *stream)
{
  guint64 event_time = stream->now;

  for (guint i = 0; i < self->options->n_metrics; i++)
    stream->metrics[i] += (stream->now - stream->metrics_at) * (1000 >> i) + next_random (stream, 100);
  stream->metrics_at = stream->now;
  if (self->options->flush > 0 && stream->n_buffered >= self->options->flush)
    flush (self, stream);
  for (guint i = 0; i < self->options->n_metrics; i++)
    {
      tau_writer_put (self->writer, stream->index, self->first_metric + i, (gint64) stream->metrics[i], event_time);
      stream->n_buffered++;
      self->expected->metric_values++;
    }
}

static void
enter (Program *self, Stream *stream, guint row)
{
  put (self, stream, row, 1);
  put_metrics (self, stream);
  self->expected->enters++;
}

static void
leave (Program *self, Stream *stream, guint row)
{
  put (self, stream, row, -1);
  put_metrics (self, stream);
  self->expected->leaves++;
}

/* TAU draws a fence of zeros around each value. */
static void
trigger (Program *self, Stream *stream, guint row, gint64 value)
{
  put (self, stream, row, 0);
  put (self, stream, row, value);
  stream->now += next_random (stream, 2);
  put (self, stream, row, 0);
  self->expected->triggers++;
}

static gint64
pack_message (guint peer, guint tag, guint64 bytes)
{
  guint64 p = bytes & 0xffff;

  p |= ((bytes >> 16) & 0x3ff) << 32;
  p |= (guint64) (tag & 0xff) << 16 | (guint64) (tag >> 8 & 0xff) << 48;
  p |= (guint64) (peer & 0xff) << 24 | (guint64) (peer >> 8 & 0xff) << 56;
  return (gint64) p;
}

/* -- the parts of a step ---------------------------------------------------------------------- */

/* Whom a function calls, by index in functions[]; the last row is the time step. Programs call along a
 * tree and in one order; random calls would make a graph that no real program has. */
#define N_CALLEES 3
static const guint8 callees[N_ELEMENTS (functions) + 1][N_CALLEES] = {
  [0] = { 2, 3, 2 },  [1] = { 6, 0, 2 },  [2] = { 3, 4, 3 },   [3] = { 4, 4, 4 }, [4] = { 4, 4, 4 },
  [5] = { 11, 9, 0 }, [6] = { 2, 3, 4 },  [7] = { 3, 3, 3 },   [8] = { 2, 3, 0 }, [9] = { 2, 3, 2 },
  [10] = { 7, 3, 2 }, [11] = { 8, 8, 0 }, [12] = { 1, 5, 10 },
};

static guint
pick_function (Program *self, Stream *stream, guint caller, guint call)
{
  if (tau_program_n_made_up_names (self->options) == 0)
    {
      /* Now and then a branch is taken that skips a call. */
      gboolean skips = next_random (stream, self->n_functions) == 0;
      return callees[caller][(call + skips) % N_CALLEES];
    }
  /* Every name is used once before any is used at random. */
  guint index = self->next_made_up < self->options->n_names ? self->next_made_up++
                                                            : (guint) next_random (stream, self->options->n_names);
  return index;
}

static guint
function_row (Program *self, guint index)
{
  if (tau_program_n_made_up_names (self->options) == 0)
    return self->first_function + index % self->n_functions;
  return tau_writer_function_row (self->writer, index);
}

static guint64
work_time (Program *self, const Stream *stream, guint64 us)
{
  gboolean is_late = (int) stream->node == self->options->late_rank && self->step % 3 != 2;

  return is_late ? 3 * us : us;
}

static void
compute (Program *self, Stream *stream, guint depth, guint caller)
{
  /* Each call makes several calls; very deep ones start as a single chain. */
  gboolean is_chain = depth > BUSHY_DEPTH;
  guint n_calls = is_chain ? 1 : 1 + (guint) next_random (stream, 3);

  for (guint i = 0; i < n_calls; i++)
    {
      guint index = pick_function (self, stream, caller, i);
      guint row = function_row (self, index);
      enter (self, stream, row);
      stream->now += work_time (self, stream, 2 + next_random (stream, 60));
      if (is_chain || (depth > 1 && next_random (stream, 3) != 0))
        compute (self, stream, depth - 1, index);
      if (self->options->user_events && next_random (stream, 12) == 0)
        trigger (self, stream, ROW_HEAP, 4096 + (gint64) next_random (stream, 65536));
      stream->now += work_time (self, stream, next_random (stream, 20));
      leave (self, stream, row);
    }
}

static void
send_one (Program *self, Stream *stream, guint peer, guint tag, guint64 bytes)
{
  guint row = self->step % 3 == 1 ? ROW_ISEND : ROW_SEND;

  enter (self, stream, row);
  stream->now += 1 + next_random (stream, 3);
  if (self->options->user_events)
    trigger (self, stream, ROW_SENT, (gint64) bytes);
  self->sent[stream->node * SENDS_A_STEP + stream->n_sends++] = (Sent){ stream->now, tag, bytes };
  put (self, stream, ROW_MESSAGE_SEND, pack_message (peer, tag, bytes));
  stream->now += 1 + next_random (stream, 2);
  leave (self, stream, row);
  self->expected->sends++;
}

/* Right neighbour in every step, left neighbour in every second one. */
static void
send_all (Program *self, Stream *stream)
{
  guint n = self->options->n_nodes;

  stream->n_sends = 0;
  if (self->step % 3 == 1)
    {
      enter (self, stream, ROW_IRECV);
      stream->now += 1;
      leave (self, stream, ROW_IRECV);
    }
  send_one (self, stream, (stream->node + 1) % n, 7 + self->step % 4, 64 << next_random (stream, 15));
  if (self->step % 2 == 1)
    send_one (self, stream, (stream->node + n - 1) % n, 40000, 8 * (1 + next_random (stream, 100)));
}

static void
receive_one (Program *self, Stream *stream, guint peer, const Sent *sent)
{
  gboolean is_wait = self->step % 3 == 1;
  guint row = is_wait ? ROW_WAITALL : ROW_RECV;
  guint64 arrival = sent->ti + 3 + sent->bytes / 8192;

  enter (self, stream, row);
  stream->now = MAX (stream->now + 1, arrival);
  if (self->options->user_events)
    trigger (self, stream, ROW_RECEIVED, (gint64) sent->bytes);
  /* A wait knows only the size of the buffer that was posted. */
  put (self, stream, ROW_MESSAGE_RECV, pack_message (peer, sent->tag, is_wait ? 2 * sent->bytes : sent->bytes));
  stream->now += 1;
  leave (self, stream, row);
  self->expected->receives++;
}

static void
receive_all (Program *self, Stream *stream)
{
  guint n = self->options->n_nodes;
  guint left = (stream->node + n - 1) % n, right = (stream->node + 1) % n;

  receive_one (self, stream, left, &self->sent[left * SENDS_A_STEP]);
  if (self->step % 2 == 1)
    receive_one (self, stream, right, &self->sent[right * SENDS_A_STEP + 1]);
}

/* All ranks call @row and leave it when the last one has come. */
static void
call_collective (Program *self, guint row)
{
  guint n = self->options->n_nodes;
  guint64 last = 0;

  for (guint r = 0; r < n; r++)
    {
      Stream *stream = &self->streams[r * self->options->n_threads];
      enter (self, stream, row);
      if (row == ROW_ALLREDUCE)
        enter (self, stream, ROW_SYNC);
      last = MAX (last, stream->now);
    }
  for (guint r = 0; r < n; r++)
    {
      Stream *stream = &self->streams[r * self->options->n_threads];
      stream->now = last + 2 + next_random (stream, 4);
      if (row == ROW_ALLREDUCE)
        {
          leave (self, stream, ROW_SYNC);
          stream->now += 2;
          if (self->options->user_events)
            trigger (self, stream, ROW_REDUCED, 8);
        }
      leave (self, stream, row);
      self->expected->collective_calls++;
    }
}

static void
begin_step (Program *self, Stream *master)
{
  enter (self, master, ROW_STEP);
  for (guint t = 1; t < self->options->n_threads; t++)
    {
      Stream *worker = &self->streams[master->index + t];
      worker->now = MAX (worker->now, master->now + next_random (worker, 3));
      enter (self, worker, ROW_LOOP);
      compute (self, worker, self->options->depth > 1 ? self->options->depth - 1 : 1, N_ELEMENTS (functions));
      leave (self, worker, ROW_LOOP);
    }
  compute (self, master, self->options->depth, N_ELEMENTS (functions));
  if (self->options->user_events)
    {
      trigger (self, master, ROW_RESIDUAL, 1000000 / (1 + (gint64) self->step));
      if (self->step % 4 == 0)
        trigger (self, master, ROW_QUOTED, self->step % 8 == 0 ? 0 : -(gint64) self->step);
    }
  if (self->options->messages && self->options->n_nodes > 1)
    send_all (self, master);
}

static void
end_step (Program *self, Stream *master)
{
  if (self->options->messages && self->options->n_nodes > 1)
    receive_all (self, master);
  if (self->step % 10 == 9 && master->node == 0)
    {
      enter (self, master, ROW_WRITE);
      master->now += 80 + next_random (master, 100);
      if (self->options->user_events)
        trigger (self, master, ROW_WRITTEN, 1 << 20);
      leave (self, master, ROW_WRITE);
    }
}

static void
run_step (Program *self)
{
  guint n_threads = self->options->n_threads;

  for (guint r = 0; r < self->options->n_nodes; r++)
    begin_step (self, &self->streams[r * n_threads]);
  for (guint r = 0; r < self->options->n_nodes; r++)
    end_step (self, &self->streams[r * n_threads]);
  if (self->options->collectives)
    {
      if (self->step % 2 == 0)
        call_collective (self, ROW_ALLREDUCE);
      if (self->step % 5 == 3)
        call_collective (self, ROW_BARRIER);
      if (self->step % 7 == 5)
        call_collective (self, ROW_BCAST);
    }
  guint64 oldest = G_MAXUINT64;
  for (guint r = 0; r < self->options->n_nodes; r++)
    {
      leave (self, &self->streams[r * n_threads], ROW_STEP);
      for (guint t = 0; t < n_threads; t++)
        oldest = MIN (oldest, self->streams[r * n_threads + t].now);
    }
  tau_writer_advance (self->writer, oldest);
}

/* -- begin and end ---------------------------------------------------------------------------- */

static void
begin_stream (Program *self, Stream *stream)
{
  put (self, stream, ROW_EV_INIT, 3);
  put (self, stream, ROW_WALL_CLOCK, (gint64) (stream->now / 1000000));
  enter (self, stream, ROW_APPLICATION);
  stream->now += 1 + next_random (stream, 100);
  if (stream->thread == 0)
    {
      enter (self, stream, ROW_MAIN);
      stream->now += 1 + next_random (stream, 5);
    }
}

static void
begin_rank (Program *self, Stream *stream)
{
  put (self, stream, ROW_OFFSET, 0);
  self->expected->triggers++;
  for (guint row = ROW_COMM_RANK; row <= ROW_COMM_SIZE; row++)
    {
      enter (self, stream, row);
      stream->now += next_random (stream, 2);
      leave (self, stream, row);
      stream->now += 1;
    }
  enter (self, stream, ROW_SOLVE);
}

/* Metadata are user events of value 1, written after the last leave. */
static void
put_metadata (Program *self, Stream *stream)
{
  guint mine[] = { 0, 1, 2 + 2 * stream->node, 3 + 2 * stream->node };

  for (guint i = 0; i < N_ELEMENTS (mine); i++)
    {
      put (self, stream, self->first_metadata + mine[i], 0);
      put (self, stream, self->first_metadata + mine[i], 1);
      put (self, stream, self->first_metadata + mine[i], 0);
      self->expected->metadata++;
    }
}

static void
end_streams (Program *self)
{
  guint n_threads = self->options->n_threads;

  for (guint r = 0; r < self->options->n_nodes; r++)
    leave (self, &self->streams[r * n_threads], ROW_SOLVE);
  call_collective (self, ROW_FINALIZE);
  for (guint i = 0; i < self->n_streams; i++)
    {
      Stream *stream = &self->streams[i];
      if (stream->thread == 0)
        leave (self, stream, ROW_MAIN);
      stream->now += 1;
      leave (self, stream, ROW_APPLICATION);
      if (stream->thread == 0)
        put_metadata (self, stream);
      put (self, stream, ROW_FLUSH_CLOSE, 0);
      put (self, stream, ROW_WALL_CLOCK, (gint64) (stream->now / 1000000));
    }
}

static void
define_rows (Program *self)
{
  for (guint i = 0; i < N_ROWS; i++)
    tau_writer_row (self->writer, -1, rows[i].group, rows[i].tag, rows[i].name, rows[i].params, rows[i].id);
  self->first_metric = N_ROWS;
  for (guint i = 0; i < self->options->n_metrics; i++)
    tau_writer_row (self->writer, -1, "TAUEVENT", 1, metric_names[i], "TriggerValue", 0);
  self->first_metadata = N_ROWS + self->options->n_metrics;
  tau_writer_row (self->writer, -1, "TAUEVENT", 0, "CPU Type | Imaginary(R) 9000", "TriggerValue", 0);
  tau_writer_row (self->writer, -1, "TAUEVENT", 0, "Command Line | ./jacobi -n 512 \"a | b\"", "TriggerValue", 0);
  for (guint r = 0; r < self->options->n_nodes; r++)
    {
      g_autofree char *host = g_strdup_printf ("Hostname | cn%04u", r);
      g_autofree char *pid = g_strdup_printf ("pid | %u", 4000 + 3 * r);
      tau_writer_row (self->writer, (int) r, "TAUEVENT", 0, host, "TriggerValue", 0);
      tau_writer_row (self->writer, (int) r, "TAUEVENT", 0, pid, "TriggerValue", 0);
    }
  self->first_function = self->first_metadata + 2 + 2 * self->options->n_nodes;
  self->n_functions = MIN (self->options->n_names, N_ELEMENTS (functions));
  if (tau_program_n_made_up_names (self->options) > 0)
    return;
  for (guint i = 0; i < self->n_functions; i++)
    {
      g_autofree char *path =
          g_strconcat ("main int (int, char **) => ", rows[ROW_SOLVE].name, "=> ", functions[i], NULL);
      tau_writer_row (self->writer, -1, self->options->callpaths ? "TAU_USER|TAU_CALLPATH" : "TAU_USER", 0,
                      self->options->callpaths ? path : functions[i], "EntryExit", 0);
    }
}

guint
tau_program_n_made_up_names (const TauProgramOptions *options)
{
  return options->n_names > N_ELEMENTS (functions) ? options->n_names : 0;
}

void
tau_program_run (const TauProgramOptions *options, TauWriter *writer, TauExpected *expected)
{
  Program self = { .options = options, .writer = writer, .expected = expected };

  self.n_streams = options->n_nodes * options->n_threads;
  self.streams = g_new0 (Stream, self.n_streams);
  self.sent = g_new0 (Sent, options->n_nodes * SENDS_A_STEP);
  define_rows (&self);
  for (guint i = 0; i < self.n_streams; i++)
    {
      Stream *stream = &self.streams[i];
      stream->index = i;
      stream->node = i / options->n_threads;
      stream->thread = i % options->n_threads;
      stream->random = (options->seed * 0x9E3779B9u + i + 1) * G_GUINT64_CONSTANT (0xBF58476D1CE4E5B9) | 1;
      for (guint warm = 0; warm < 8; warm++)
        next_random (stream, 2);
      /* The magic first record is the oldest of a merged file too. */
      stream->now = options->start_us + (i == 0 ? 0 : 1 + next_random (stream, 400));
      stream->metrics_at = stream->now;
      begin_stream (&self, stream);
    }
  expected->first_us = options->start_us;
  call_collective (&self, ROW_INIT);
  for (guint r = 0; r < options->n_nodes; r++)
    begin_rank (&self, &self.streams[r * options->n_threads]);
  guint64 end = 40 * self.n_streams;
  do
    {
      run_step (&self);
      self.step++;
    }
  while (tau_writer_n_records (writer) + end < options->n_records);
  if (!options->no_close)
    end_streams (&self);
  expected->open = expected->enters - expected->leaves;
  g_free (self.streams);
  g_free (self.sent);
}
