/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <string.h>

#include "analyzers/path/critical-path.h"
#include "tests/analyzers/trace.h"
#include "tests/require.h"
#include "tests/rounds.h"

#define E(p, t, name, ts)          \
  {                                \
    p, t, TRACE_ENTER, name, ts, 0 \
  }
#define L(p, t, ts)                \
  {                                \
    p, t, TRACE_LEAVE, NULL, ts, 0 \
  }
#define S(p, t, peer, ts)            \
  {                                  \
    p, t, TRACE_SEND, NULL, ts, peer \
  }
#define R(p, t, peer, ts)            \
  {                                  \
    p, t, TRACE_RECV, NULL, ts, peer \
  }
#define MAX_RECORDS 40
#define MAX_SEGMENTS 8

/* -- hand-made traces with known answers ---------------------------------------------------------------- */

typedef struct
{
  guint process, thread;
  gint64 begin_ns, end_ns;
  TtPathHop hop;
} Expected;

typedef struct
{
  const char *name;
  guint n_processes, n_threads;
  TraceRecord records[MAX_RECORDS];
  Expected segments[MAX_SEGMENTS];
  gint64 transfer_ns, outside_ns;
  const char *ops; /* "name time ..." longest first */
  guint64 n_backward, n_dropped, n_early;
} Case;

static const Case cases[] = {
  {
      .name = "late-sender",
      .n_processes = 2,
      .n_threads = 1,
      .records = { E (0, 0, "main", 0), E (0, 0, "work", 0), L (0, 0, 50), E (0, 0, "MPI_Send", 50), S (0, 0, 1, 52),
                   L (0, 0, 60), L (0, 0, 60), E (1, 0, "main", 0), E (1, 0, "MPI_Recv", 10), R (1, 0, 0, 55),
                   L (1, 0, 56), E (1, 0, "tail", 56), L (1, 0, 100), L (1, 0, 100) },
      .segments = { { 0, 0, 0, 52, TT_HOP_START }, { 1, 0, 55, 100, TT_HOP_MESSAGE } },
      .transfer_ns = 3,
      .ops = "COMP.work 50, COMP.tail 44, Comm.MPI_Send.SEND 2, Comm.MPI_Recv.RECV 1",
  },
  {
      .name = "late-receiver",
      .n_processes = 2,
      .n_threads = 1,
      .records = { E (0, 0, "main", 0), E (0, 0, "MPI_Send", 5), S (0, 0, 1, 6), L (0, 0, 40), L (0, 0, 50),
                   E (1, 0, "main", 0), E (1, 0, "work", 0), L (1, 0, 30), E (1, 0, "MPI_Recv", 30), R (1, 0, 0, 38),
                   L (1, 0, 40), L (1, 0, 100) },
      .segments = { { 1, 0, 0, 100, TT_HOP_START } },
      .ops = "COMP.main 60, COMP.work 30, Comm.MPI_Recv.RECV 10",
  },
  {
      /* Rank 1 comes last to the barrier; rank 0 finishes last. */
      .name = "collective-with-a-late-rank",
      .n_processes = 3,
      .n_threads = 1,
      .records = { E (0, 0, "a", 0), L (0, 0, 10), E (0, 0, "MPI_Barrier", 10), L (0, 0, 62), E (0, 0, "b", 62),
                   L (0, 0, 90), E (1, 0, "slow", 0), L (1, 0, 60), E (1, 0, "MPI_Barrier", 60), L (1, 0, 61),
                   E (2, 0, "a", 0), L (2, 0, 20), E (2, 0, "MPI_Barrier", 20), L (2, 0, 62) },
      .segments = { { 1, 0, 0, 60, TT_HOP_START }, { 0, 0, 60, 90, TT_HOP_COLLECTIVE } },
      .ops = "COMP.slow 60, COMP.b 28, SYNC.MPI_Barrier 2",
  },
  {
      /* A rank makes one call more: nothing can be matched. */
      .name = "collective-where-ranks-disagree",
      .n_processes = 2,
      .n_threads = 1,
      .records = { E (0, 0, "MPI_Barrier", 10), L (0, 0, 62), E (0, 0, "MPI_Barrier", 62), L (0, 0, 90),
                   E (1, 0, "slow", 0), L (1, 0, 60), E (1, 0, "MPI_Barrier", 60), L (1, 0, 61) },
      .segments = { { 0, 0, 0, 90, TT_HOP_START } },
      .outside_ns = 10,
      .ops = "SYNC.MPI_Barrier 80",
      .n_dropped = 3,
  },
  {
      /* The root of a broadcast waits for nobody. */
      .name = "collective-left-early",
      .n_processes = 2,
      .n_threads = 1,
      .records = { E (0, 0, "MPI_Allreduce", 10), L (0, 0, 20), E (0, 0, "b", 20), L (0, 0, 90), E (1, 0, "slow", 0),
                   L (1, 0, 60), E (1, 0, "MPI_Allreduce", 60), L (1, 0, 61) },
      .segments = { { 0, 0, 0, 90, TT_HOP_START } },
      .outside_ns = 10,
      .ops = "COMP.b 70, Comm.MPI_Allreduce.ALLREDUCE 10",
      .n_early = 1,
  },
  {
      /* Received at 40, sent at 70 by a clock that is ahead. */
      .name = "clocks-disagree",
      .n_processes = 2,
      .n_threads = 1,
      .records = { E (0, 0, "MPI_Send", 65), S (0, 0, 1, 70), L (0, 0, 80), E (1, 0, "MPI_Recv", 10), R (1, 0, 0, 40),
                   L (1, 0, 41), E (1, 0, "tail", 41), L (1, 0, 110) },
      .segments = { { 1, 0, 10, 110, TT_HOP_START } },
      .ops = "COMP.tail 69, Comm.MPI_Recv.RECV 31",
      .n_backward = 1,
  },
  {
      .name = "no-messages",
      .n_processes = 2,
      .n_threads = 1,
      .records = { E (0, 0, "a", 5), L (0, 0, 10), E (1, 0, "b", 20), E (1, 0, "c", 25), L (1, 0, 40), L (1, 0, 50) },
      .segments = { { 1, 0, 5, 50, TT_HOP_START } },
      .outside_ns = 15,
      .ops = "COMP.b 15, COMP.c 15",
  },
  {
      /* The worker finishes last; its process began with thread 0. */
      .name = "threads",
      .n_processes = 1,
      .n_threads = 2,
      .records = { E (0, 0, "main", 0), E (0, 1, "worker", 30), L (0, 0, 40), L (0, 1, 80) },
      .segments = { { 0, 0, 0, 30, TT_HOP_START }, { 0, 1, 30, 80, TT_HOP_THREAD } },
      .ops = "COMP.worker 50, COMP.main 30",
  },
  {
      /* Of two messages that one call waits for, the one sent last counts, whichever was noted last. */
      .name = "waitall",
      .n_processes = 3,
      .n_threads = 1,
      .records = { E (0, 0, "MPI_Send", 0), S (0, 0, 2, 30), L (0, 0, 31), E (1, 0, "MPI_Send", 0), S (1, 0, 2, 50),
                   L (1, 0, 51), E (2, 0, "MPI_Waitall", 5), R (2, 0, 1, 55), R (2, 0, 0, 56), L (2, 0, 57),
                   E (2, 0, "tail", 57), L (2, 0, 70) },
      .segments = { { 1, 0, 0, 50, TT_HOP_START }, { 2, 0, 55, 70, TT_HOP_MESSAGE } },
      .transfer_ns = 5,
      .ops = "Comm.MPI_Send.SEND 50, COMP.tail 13, SYNC.MPI_Waitall 2",
  },
  {
      /* 0 -> 1 -> 2: the path goes through both. */
      .name = "relay",
      .n_processes = 3,
      .n_threads = 1,
      .records = { E (0, 0, "w", 0), L (0, 0, 20), E (0, 0, "MPI_Send", 20), S (0, 0, 1, 21), L (0, 0, 22),
                   E (1, 0, "MPI_Recv", 2), R (1, 0, 0, 24), L (1, 0, 25), E (1, 0, "w", 25), L (1, 0, 45),
                   E (1, 0, "MPI_Send", 45), S (1, 0, 2, 46), L (1, 0, 47), E (2, 0, "MPI_Recv", 1), R (2, 0, 1, 50),
                   L (2, 0, 51), E (2, 0, "w", 51), L (2, 0, 60) },
      .segments = { { 0, 0, 0, 21, TT_HOP_START }, { 1, 0, 24, 46, TT_HOP_MESSAGE }, { 2, 0, 50, 60, TT_HOP_MESSAGE } },
      .transfer_ns = 7,
      .ops = "COMP.w 49, Comm.MPI_Recv.RECV 2, Comm.MPI_Send.SEND 2",
  },
};

static char *
ops_text (const TtCriticalPath *path)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < path->ops->len; i++)
    {
      const TtPathOp *op = &g_array_index (path->ops, TtPathOp, i);
      g_string_append_printf (text, "%s%s %" G_GINT64_FORMAT, i == 0 ? "" : ", ", op->name, op->time_ns);
    }
  return g_string_free (text, FALSE);
}

/* The pieces and transfers cover the run, and the sums are those of the path. */
static void
check_covers_run (const TtCriticalPath *path)
{
  gint64 at = path->points.first_ns, on_processes = path->transfer_ns;
  gint64 sum = path->transfer_ns + path->outside_ns + path->before_ns;

  for (guint i = 0; i < path->segments->len; i++)
    {
      const TtPathSegment *segment = &g_array_index (path->segments, TtPathSegment, i);
      g_assert_cmpint (segment->begin_ns, >=, at);
      g_assert_cmpint (segment->end_ns, >=, segment->begin_ns);
      if (segment->hop != TT_HOP_MESSAGE)
        g_assert_cmpint (segment->begin_ns, ==, at);
      at = segment->end_ns;
    }
  g_assert_cmpint (at, ==, path->points.last_ns);
  g_assert_cmpint (path->length_ns, ==, path->points.last_ns - path->points.first_ns);
  for (guint i = 0; i < path->ops->len; i++)
    sum += g_array_index (path->ops, TtPathOp, i).time_ns;
  g_assert_cmpint (sum, ==, path->length_ns);
  for (guint i = 0; i < path->processes->len; i++)
    on_processes += g_array_index (path->processes, TtPathProcess, i).time_ns;
  g_assert_cmpint (on_processes, ==, path->length_ns);
}

static void
test_case (gconstpointer data)
{
  const Case *c = data;
  guint n = 0, n_segments = 0;
  g_auto (TraceStore) trace = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (TtCriticalPath) path = NULL;

  while (n < MAX_RECORDS && (c->records[n].kind != TRACE_ENTER || c->records[n].name != NULL))
    n++;
  while (n_segments < MAX_SEGMENTS && c->segments[n_segments].end_ns > 0)
    n_segments++;
  trace_store_init (&trace, c->records, n, c->n_processes, c->n_threads);
  path = tt_critical_path_new (trace.store, TT_NO_STEP, TRUE, &error);
  require_no_error (error);
  if (path == NULL)
    return;

  g_assert_cmpuint (path->segments->len, ==, n_segments);
  for (guint i = 0; i < MIN (n_segments, path->segments->len); i++)
    {
      const TtPathSegment *segment = &g_array_index (path->segments, TtPathSegment, i);
      const Expected *expected = &c->segments[i];
      g_assert_cmpuint (segment->thread, ==, expected->process * c->n_threads + expected->thread + 1);
      g_assert_cmpint (segment->begin_ns, ==, expected->begin_ns);
      g_assert_cmpint (segment->end_ns, ==, expected->end_ns);
      g_assert_cmpuint (segment->hop, ==, expected->hop);
    }
  g_autofree char *ops = ops_text (path);
  g_assert_cmpstr (ops, ==, c->ops);
  g_assert_cmpint (path->transfer_ns, ==, c->transfer_ns);
  g_assert_cmpint (path->outside_ns + path->before_ns, ==, c->outside_ns);
  g_assert_cmpuint (path->points.n_backward, ==, c->n_backward);
  g_assert_cmpuint (path->points.n_dropped, ==, c->n_dropped);
  g_assert_cmpuint (path->points.n_early, ==, c->n_early);
  check_covers_run (path);
}

static void
test_waited (void)
{
  g_auto (TraceStore) trace = { 0 };
  g_autoptr (TtCriticalPath) path = NULL;
  const Case *c = &cases[0];

  trace_store_init (&trace, c->records, 14, 2, 1);
  path = tt_critical_path_new (trace.store, TT_NO_STEP, TRUE, NULL);
  /* Rank 1 waited from 10 to 52, and spans with time of their own on the path are listed. */
  g_assert_cmpint (g_array_index (path->segments, TtPathSegment, 1).waited_ns, ==, 42);
  g_assert_cmpuint (path->n_hops[TT_HOP_MESSAGE], ==, 1);
  g_assert_cmpuint (path->events->len, ==, 4);
  for (guint i = 1; i < path->events->len; i++)
    g_assert_cmpuint (g_array_index (path->events, guint64, i - 1), <, g_array_index (path->events, guint64, i));
  for (guint i = 0; i < path->processes->len; i++)
    {
      const TtPathProcess *process = &g_array_index (path->processes, TtPathProcess, i);
      g_assert_cmpint (process->time_ns, ==, process->process == 1 ? 52 : 45);
      g_assert_cmpint (process->waited_ns, ==, process->process == 1 ? 0 : 42);
      g_assert_cmpint (process->transfer_ns, ==, process->process == 1 ? 0 : 3);
    }
}

static void
test_empty (void)
{
  g_auto (TraceStore) trace = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (TtCriticalPath) path = NULL;

  trace_store_init (&trace, NULL, 0, 1, 1);
  path = tt_critical_path_new (trace.store, TT_NO_STEP, TRUE, &error);
  require_no_error (error);
  require_nonnull (path);
  if (path != NULL)
    {
      g_assert_cmpuint (path->segments->len, ==, 0);
      g_assert_cmpuint (path->ops->len, ==, 0);
      g_assert_cmpint (path->length_ns, ==, 0);
    }
}

/* -- random traces against the plainest walk ----------------------------------------------------------------
 */

typedef struct
{
  guint thread; /* id */
  guint depth;
  const char *name;
  gint64 begin_ns, end_ns;
} Span;

typedef struct
{
  guint process, peer, thread;
  gint64 ts_ns;
  guint span; /* index of the innermost open one, G_MAXUINT: none */
  gboolean used;
} Half;

typedef struct
{
  guint thread, from_thread, hop;
  gint64 at_ns, from_ns, wait_ns;
  gboolean used;
} Wait;

typedef struct
{
  GArray *records, *spans, *sends, *recvs, *waits;
  guint n_processes, n_threads;
  gint64 first_ns, last_ns;
} Model;

static void
model_clear (Model *self)
{
  g_array_unref (self->records);
  g_array_unref (self->spans);
  g_array_unref (self->sends);
  g_array_unref (self->recvs);
  g_array_unref (self->waits);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Model, model_clear)

static guint
open_span (Model *self, guint p, guint t, guint depth, const char *name, gint64 ts)
{
  TraceRecord record = { p, t, TRACE_ENTER, name, ts, 0 };
  Span span = { p * self->n_threads + t + 1, depth, name, ts, ts };

  g_array_append_val (self->records, record);
  g_array_append_val (self->spans, span);
  return self->spans->len - 1;
}

static void
close_span (Model *self, guint p, guint t, guint span, gint64 ts)
{
  TraceRecord record = { p, t, TRACE_LEAVE, NULL, ts, 0 };

  g_array_append_val (self->records, record);
  g_array_index (self->spans, Span, span).end_ns = ts;
}

static void
add_half (Model *self, guint p, guint t, gboolean is_send, guint peer, gint64 ts, guint span)
{
  TraceRecord record = { p, t, is_send ? TRACE_SEND : TRACE_RECV, NULL, ts, peer };
  Half half = { p, peer, p * self->n_threads + t + 1, ts, span, FALSE };

  g_array_append_val (self->records, record);
  g_array_append_val (is_send ? self->sends : self->recvs, half);
}

static void
make_thread (Model *self, guint p, guint t, guint n_barriers)
{
  gint64 ts = g_test_rand_int_range (0, t == 0 ? 15 : 60);
  gboolean has_main = g_test_rand_int_range (0, 3) > 0;
  guint n = (guint) g_test_rand_int_range (1, 25), base = has_main ? 1 : 0;
  guint main_span = has_main ? open_span (self, p, t, 0, "main", ts) : 0;

  for (guint i = 0; i < n; i++)
    {
      int what = g_test_rand_int_range (0, 5);
      ts += g_test_rand_int_range (0, 6);
      if (what <= 1)
        {
          guint span = open_span (self, p, t, base, what == 0 ? "work" : "load", ts);
          ts += g_test_rand_int_range (0, 25);
          if (what == 1)
            {
              guint inner = open_span (self, p, t, base + 1, "work", ts);
              ts += g_test_rand_int_range (0, 10);
              close_span (self, p, t, inner, ts);
              ts += g_test_rand_int_range (0, 3);
            }
          close_span (self, p, t, span, ts);
        }
      else if (what <= 3)
        {
          guint span = open_span (self, p, t, base, what == 2 ? "MPI_Send" : "MPI_Waitall", ts);
          guint n_halves = (guint) g_test_rand_int_range (1, 3);
          for (guint k = 0; k < n_halves; k++)
            {
              guint away = g_test_rand_int_range (0, 8) == 0 ? 0 : 1 + (guint) g_test_rand_int_range (0, 2);
              ts += g_test_rand_int_range (0, what == 2 ? 6 : 35);
              add_half (self, p, t, what == 2, (p + away) % self->n_processes, ts, span);
            }
          ts += g_test_rand_int_range (0, 4);
          close_span (self, p, t, span, ts);
        }
      else if (n_barriers > 0 && t == 0)
        {
          guint span = open_span (self, p, t, base, "MPI_Barrier", ts);
          ts += g_test_rand_int_range (0, 40);
          close_span (self, p, t, span, ts);
          n_barriers--;
        }
    }
  for (; n_barriers > 0 && t == 0; n_barriers--)
    {
      guint span = open_span (self, p, t, base, "MPI_Barrier", ts);
      ts += g_test_rand_int_range (0, 40);
      close_span (self, p, t, span, ts);
    }
  if (has_main)
    close_span (self, p, t, main_span, ts + g_test_rand_int_range (0, 5));
}

static void
model_init (Model *self)
{
  guint n_barriers = (guint) g_test_rand_int_range (0, 4);
  gboolean agree = g_test_rand_int_range (0, 4) > 0;

  self->records = g_array_new (FALSE, FALSE, sizeof (TraceRecord));
  self->spans = g_array_new (FALSE, FALSE, sizeof (Span));
  self->sends = g_array_new (FALSE, FALSE, sizeof (Half));
  self->recvs = g_array_new (FALSE, FALSE, sizeof (Half));
  self->waits = g_array_new (FALSE, FALSE, sizeof (Wait));
  self->n_processes = (guint) g_test_rand_int_range (1, 4);
  self->n_threads = (guint) g_test_rand_int_range (1, 3);
  for (guint p = 0; p < self->n_processes; p++)
    for (guint t = 0; t < self->n_threads; t++)
      make_thread (self, p, t, agree ? n_barriers : (guint) g_test_rand_int_range (0, 3));

  self->first_ns = G_MAXINT64;
  self->last_ns = G_MININT64;
  for (guint i = 0; i < self->spans->len; i++)
    {
      const Span *span = &g_array_index (self->spans, Span, i);
      self->first_ns = MIN (self->first_ns, span->begin_ns);
      self->last_ns = MAX (self->last_ns, span->end_ns);
    }
}

/* Halves of a process in the order of their times, and of its threads where these are equal. */
static int
compare_halves (const void *a, const void *b)
{
  const Half *x = a, *y = b;

  return x->ts_ns < y->ts_ns ? -1 : x->ts_ns > y->ts_ns;
}

/* First in, first out per pair of processes; then per receiving span the message sent last. */
static void
add_message_waits (Model *self)
{
  g_array_sort (self->sends, compare_halves); /* stable */
  g_array_sort (self->recvs, compare_halves);
  for (guint i = 0; i < self->recvs->len; i++)
    {
      Half *recv = &g_array_index (self->recvs, Half, i);
      const Span *span = &g_array_index (self->spans, Span, recv->span);
      Wait wait = { recv->thread, 0, TT_HOP_MESSAGE, recv->ts_ns, 0, span->begin_ns, FALSE };
      gboolean replaced = FALSE;

      for (guint k = 0; k < self->sends->len && wait.from_thread == 0; k++)
        {
          Half *send = &g_array_index (self->sends, Half, k);
          if (send->used || send->process != recv->peer || send->peer != recv->process)
            continue;
          send->used = TRUE;
          wait.from_thread = send->thread;
          wait.from_ns = send->ts_ns;
        }
      /* Nobody waits for itself: it cannot send before the receive has ended. */
      if (wait.from_thread == 0 || wait.from_ns > wait.at_ns || wait.from_thread == wait.thread)
        continue;
      for (guint k = 0; k < self->waits->len; k++)
        {
          Wait *other = &g_array_index (self->waits, Wait, k);
          if (other->hop != 100 + recv->span)
            continue;
          replaced = TRUE;
          if (wait.from_ns > other->from_ns || (wait.from_ns == other->from_ns && wait.at_ns > other->at_ns) ||
              (wait.from_ns == other->from_ns && wait.at_ns == other->at_ns && wait.from_thread < other->from_thread))
            {
              wait.hop = other->hop;
              *other = wait;
            }
        }
      if (!replaced)
        {
          wait.hop = 100 + recv->span;
          g_array_append_val (self->waits, wait);
        }
    }
  for (guint i = 0; i < self->waits->len;)
    {
      Wait *wait = &g_array_index (self->waits, Wait, i);
      wait->hop = TT_HOP_MESSAGE;
      if (wait->from_ns <= wait->wait_ns)
        g_array_remove_index (self->waits, i);
      else
        i++;
    }
}

static void
add_barrier_waits (Model *self)
{
  g_autofree guint *counts = g_new0 (guint, self->n_processes);
  const Span *calls[4][16] = { 0 };
  guint n_callers = 0, count = 0;

  for (guint i = 0; i < self->spans->len; i++)
    {
      const Span *span = &g_array_index (self->spans, Span, i);
      guint p = (span->thread - 1) / self->n_threads;
      if (strcmp (span->name, "MPI_Barrier") == 0)
        calls[p][counts[p]++] = span;
    }
  for (guint p = 0; p < self->n_processes; p++)
    if (counts[p] > 0)
      {
        if (count != 0 && counts[p] != count)
          return;
        count = counts[p];
        n_callers++;
      }
  for (guint k = 0; k < count && n_callers > 1; k++)
    {
      const Span *last = NULL;
      for (guint p = 0; p < self->n_processes; p++)
        if (counts[p] > 0 && (last == NULL || calls[p][k]->begin_ns > last->begin_ns))
          last = calls[p][k];
      for (guint p = 0; p < self->n_processes; p++)
        if (counts[p] > 0 && calls[p][k]->begin_ns < last->begin_ns && calls[p][k]->end_ns >= last->begin_ns)
          {
            Wait wait = { calls[p][k]->thread,   last->thread, TT_HOP_COLLECTIVE, last->begin_ns, last->begin_ns,
                          calls[p][k]->begin_ns, FALSE };
            g_array_append_val (self->waits, wait);
          }
    }
}

static gint64
thread_edge (const Model *self, guint thread, gboolean is_end)
{
  gint64 edge = is_end ? G_MININT64 : G_MAXINT64;

  for (guint i = 0; i < self->spans->len; i++)
    {
      const Span *span = &g_array_index (self->spans, Span, i);
      if (span->thread == thread)
        edge = is_end ? MAX (edge, span->end_ns) : MIN (edge, span->begin_ns);
    }
  return edge;
}

/* By looking at every wait at every step. */
static GArray *
plain_walk (Model *self)
{
  GArray *segments = g_array_new (FALSE, FALSE, sizeof (TtPathSegment));
  guint n = self->n_processes * self->n_threads, thread = 1;
  gint64 now = self->last_ns;

  if (self->spans->len == 0)
    return segments;
  for (guint t = 2; t <= n; t++)
    if (thread_edge (self, t, TRUE) > thread_edge (self, thread, TRUE))
      thread = t;
  for (;;)
    {
      TtPathSegment segment = { thread, TT_HOP_START, self->first_ns, now, 0 };
      Wait *best = NULL;
      guint starter = (thread - 1) / self->n_threads * self->n_threads + 1, first_of_process = starter;

      for (guint i = 0; i < self->waits->len; i++)
        {
          Wait *wait = &g_array_index (self->waits, Wait, i);
          if (wait->used || wait->thread != thread || wait->at_ns > now)
            continue;
          if (best == NULL || wait->at_ns > best->at_ns ||
              (wait->at_ns == best->at_ns &&
               (wait->from_ns > best->from_ns ||
                (wait->from_ns == best->from_ns &&
                 (wait->from_thread > best->from_thread ||
                  (wait->from_thread == best->from_thread && wait->wait_ns > best->wait_ns))))))
            best = wait;
        }
      for (guint t = 0; t < self->n_threads; t++)
        if (thread_edge (self, first_of_process + t, FALSE) < thread_edge (self, starter, FALSE))
          starter = first_of_process + t;

      if (best != NULL)
        {
          best->used = TRUE;
          segment.hop = best->hop;
          segment.begin_ns = best->at_ns;
          segment.waited_ns = best->from_ns - best->wait_ns;
          thread = best->from_thread;
          now = best->from_ns;
        }
      else
        {
          gint64 begin = thread_edge (self, thread, FALSE);
          if (starter != thread && thread_edge (self, starter, FALSE) < begin && begin <= now)
            {
              segment.hop = TT_HOP_THREAD;
              segment.begin_ns = now = begin;
              thread = starter;
            }
        }
      g_array_prepend_val (segments, segment);
      if (segment.hop == TT_HOP_START)
        return segments;
    }
}

/* Nanosecond by nanosecond. */
static char *
plain_sums (const Model *self, const GArray *segments)
{
  static const char *const names[] = { "COMP.load",          "COMP.main",        "COMP.work",
                                       "Comm.MPI_Send.SEND", "SYNC.MPI_Barrier", "SYNC.MPI_Waitall" };
  gint64 sums[G_N_ELEMENTS (names)] = { 0 }, outside = 0;
  GString *text = g_string_new (NULL);

  for (guint s = 0; s < segments->len; s++)
    {
      const TtPathSegment *segment = &g_array_index (segments, TtPathSegment, s);
      for (gint64 ns = segment->begin_ns; ns < segment->end_ns; ns++)
        {
          const Span *inner = NULL;
          for (guint i = 0; i < self->spans->len; i++)
            {
              const Span *span = &g_array_index (self->spans, Span, i);
              if (span->thread == segment->thread && span->begin_ns <= ns && ns < span->end_ns &&
                  (inner == NULL || span->depth >= inner->depth))
                inner = span;
            }
          if (inner == NULL)
            outside++;
          for (guint k = 0; inner != NULL && k < G_N_ELEMENTS (names); k++)
            if (strstr (names[k], inner->name) != NULL)
              sums[k]++;
        }
    }
  for (guint left = G_N_ELEMENTS (names); left > 0; left--)
    {
      guint best = 0;
      for (guint k = 1; k < G_N_ELEMENTS (names); k++)
        if (sums[k] > sums[best])
          best = k;
      if (sums[best] > 0)
        g_string_append_printf (text, "%s%s %" G_GINT64_FORMAT, text->len == 0 ? "" : ", ", names[best], sums[best]);
      sums[best] = 0;
    }
  g_string_append_printf (text, " / %" G_GINT64_FORMAT, outside);
  return g_string_free (text, FALSE);
}

static void
test_random (void)
{
  guint n_jumps = 0;

  for (guint round = 0; round < test_rounds (800) && !g_test_failed (); round++)
    {
      g_auto (Model) model = { 0 };
      g_auto (TraceStore) trace = { 0 };
      g_autoptr (GError) error = NULL;
      g_autoptr (TtCriticalPath) path = NULL;
      g_autoptr (GArray) expected = NULL;

      model_init (&model);
      add_message_waits (&model);
      add_barrier_waits (&model);
      expected = plain_walk (&model);
      trace_store_init (&trace, (const TraceRecord *) (void *) model.records->data, model.records->len,
                        model.n_processes, model.n_threads);
      path = tt_critical_path_new (trace.store, TT_NO_STEP, FALSE, &error);
      require_no_error (error);
      if (path == NULL)
        break;

      g_assert_cmpuint (path->segments->len, ==, expected->len);
      for (guint i = 0; i < MIN (expected->len, path->segments->len); i++)
        {
          const TtPathSegment *a = &g_array_index (path->segments, TtPathSegment, i);
          const TtPathSegment *b = &g_array_index (expected, TtPathSegment, i);
          g_assert_cmpuint (a->thread, ==, b->thread);
          g_assert_cmpuint (a->hop, ==, b->hop);
          g_assert_cmpint (a->begin_ns, ==, b->begin_ns);
          g_assert_cmpint (a->end_ns, ==, b->end_ns);
          g_assert_cmpint (a->waited_ns, ==, b->waited_ns);
        }
      g_autofree char *ops = ops_text (path);
      g_autofree char *text = g_strdup_printf ("%s / %" G_GINT64_FORMAT, ops, path->outside_ns + path->before_ns);
      g_autofree char *sums = plain_sums (&model, expected);
      g_assert_cmpstr (text, ==, sums);
      check_covers_run (path);
      n_jumps += expected->len - 1;
    }
  g_test_message ("%u jumps", n_jumps);
  /* A round has 0.47 jumps on average: eight times less is no bad luck, whatever the seed. */
  g_assert_cmpuint (n_jumps, >, test_rounds (800) / 16);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strconcat ("/measured-path/", cases[i].name, NULL);
      g_test_add_data_func (name, &cases[i], test_case);
    }
  g_test_add_func ("/measured-path/waits-and-events", test_waited);
  g_test_add_func ("/measured-path/empty-run", test_empty);
  g_test_add_func ("/measured-path/agrees-with-a-plain-walk", test_random);
  return g_test_run ();
}
