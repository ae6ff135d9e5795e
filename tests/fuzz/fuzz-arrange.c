/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/arrange/private.h"

#include <string.h>

/*
 * Any bytes as calls of TtArrange, 8 bytes each: kind and thread, name, time (2), duration (2), key, more. What holds for
 * whatever comes in: a span in, a row out; rows of a thread in the order of their ends; self times are at least 0 and
 * together no longer than the thread's spans cover; the hook is asked once a span, about what is around it.
 */

#define N_THREADS 3
#define CALL 8u

typedef struct
{
  TtSinkBack back;
  TtSink *sink;
  guint64 n_spans, n_instants;
  gint64 last_end_ns[N_THREADS + 1];
  gint64 self_ns[N_THREADS + 1];
  gint64 first_ns[N_THREADS + 1], end_ns[N_THREADS + 1];
  guint32 trusted; /* thread of which nothing is known, 0: none */
} CheckingSink;

static TtBatch *
check (TtSinkBack *back, TtBatch *batch, GError **error)
{
  CheckingSink *self = (CheckingSink *) back;
  const TtEventColumns *e = &batch->events;

  for (guint i = 0; i < e->n; i++)
    {
      gboolean is_span = e->dur_ns[i] != TT_NO_TIME;
      guint32 thread = e->thread[i];
      gint64 end_ns = e->ts_ns[i] + (is_span ? e->dur_ns[i] : 0);

      g_assert (thread >= 1 && thread <= N_THREADS);
      g_assert (!is_span || (e->dur_ns[i] >= 0 && e->self_ns[i] >= 0 && e->self_ns[i] <= e->dur_ns[i]));
      self->n_spans += is_span;
      self->n_instants += !is_span;
      if ((e->flags[i] & TT_FLAG_ASYNC) || thread == self->trusted)
        continue;
      g_assert (end_ns >= self->last_end_ns[thread]);
      self->last_end_ns[thread] = end_ns;
      if (!is_span)
        continue;
      self->self_ns[thread] += (e->flags[i] & TT_FLAG_OVERLAP) ? 0 : e->self_ns[i];
      self->first_ns[thread] = MIN (self->first_ns[thread], e->ts_ns[i]);
      self->end_ns[thread] = MAX (self->end_ns[thread], end_ns);
    }
  tt_batch_clear (batch);
  return batch;
}

static const TtSinkBackClass checking_class = { .name = "checking", .write = check };

typedef struct
{
  guint32 trusted;
  guint64 n_asked;
  gint64 ts_ns[256]; /* of spans by the low byte of what the hook gave back */
} Hooked;

static guint32
hook (TtTraceRecord *span, guint32 around, guint32 flows, gpointer data)
{
  Hooked *self = data;
  guint32 number = (guint32) (++self->n_asked);

  g_assert (around < number);
  if (around != 0 && number - around < 256 && span->thread != self->trusted)
    g_assert (self->ts_ns[around & 255] <= span->ts_ns);
  self->ts_ns[number & 255] = span->ts_ns;
  return number;
}

typedef struct
{
  guint64 n_spans, n_begins, n_instants, n_ends;
} Calls;

static void
make_call (TtArrange *arrange, const guint8 *bytes, guint64 number, Calls *calls)
{
  static const gint64 units[] = { 1, 1000, (gint64) 1 << 31, (gint64) 1 << 46 };
  guint kind = bytes[0] & 7;
  gint64 unit = units[bytes[7] >> 6];
  TtTraceRecord what = {
    .thread = 1 + (bytes[0] >> 3) % N_THREADS,
    .process = 1,
    .name = bytes[1] % 8,
    .step = TT_NO_STEP,
    .ts_ns = (gint64) (bytes[2] | (guint) bytes[3] << 8) * unit,
    .dur_ns = ((gint64) (bytes[4] | (guint) bytes[5] << 8) - 256) * unit,
    .args = bytes[7] & 1 ? number + 1 : 0,
    .offset = number * CALL,
  };

  what.name += kind != 3 && kind != 6;
  switch (kind)
    {
    case 2:
      calls->n_begins++;
      tt_arrange_begin (arrange, &what);
      break;
    case 3:
      calls->n_ends++;
      tt_arrange_end (arrange, &what);
      break;
    case 4:
      calls->n_instants++;
      tt_arrange_instant (arrange, &what);
      break;
    case 5:
      calls->n_begins++;
      tt_arrange_async_begin (arrange, &what, bytes[6] % 4);
      break;
    case 6:
      calls->n_ends++;
      tt_arrange_async_end (arrange, &what, bytes[6] % 4);
      break;
    case 7:
      tt_arrange_flow (arrange, &what, tt_arrange_flow_kind (arrange, tt_flow_kind (bytes[6] & 1 ? "a" : "b")),
                       bytes[6], (TtFlowPhase) (bytes[1] % 3), bytes[7] & 2);
      break;
    default:
      calls->n_spans++;
      tt_arrange_span (arrange, &what);
    }
}

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

/* The first byte: whether everything is sorted on disk, and whether thread 3 is taken for sorted. */
int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  CheckingSink *sink = g_new0 (CheckingSink, 1);
  Calls calls = { 0 };
  guint32 trusted = len > 0 && (bytes[0] & 2) ? N_THREADS : 0;
  Hooked hooked = { .trusted = trusted };

  sink->back.klass = &checking_class;
  sink->sink = tt_sink_new (&sink->back, tt_names_new (NULL));
  for (guint i = 0; i <= N_THREADS; i++)
    {
      sink->last_end_ns[i] = sink->end_ns[i] = G_MININT64;
      sink->first_ns[i] = G_MAXINT64;
    }

  TtArrange *arrange = tt_arrange_new (sink->sink);
  if (len > 0 && (bytes[0] & 1))
    arrange_set_memory (arrange, 1);
  tt_arrange_set_hook (arrange, hook, &hooked);
  sink->trusted = trusted;
  if (trusted != 0)
    tt_arrange_trust (arrange, trusted);
  for (size_t at = 1, number = 0; at + CALL <= len; at += CALL, number++)
    make_call (arrange, bytes + at, number, &calls);
  g_assert (tt_arrange_finish (arrange, NULL));
  g_assert (tt_sink_finish (sink->sink, NULL));

  const guint64 *repairs = sink->sink->repairs.count;
  guint64 n_paired = calls.n_ends - repairs[TT_REPAIR_END_WITHOUT_BEGIN];
  g_assert (sink->n_spans == calls.n_spans + calls.n_begins);
  g_assert (hooked.n_asked == sink->n_spans);
  g_assert (sink->n_instants >= calls.n_instants && sink->n_instants <= calls.n_instants + calls.n_ends - n_paired);
  if (trusted == 0)
    {
      g_assert (calls.n_begins == n_paired + repairs[TT_REPAIR_UNCLOSED] + repairs[TT_REPAIR_BOUNDED_END]);
      g_assert (repairs[TT_REPAIR_SELF_CLAMPED] == 0 && repairs[TT_REPAIR_TIME_BACKWARDS] == 0);
    }
  for (guint i = 1; i <= N_THREADS; i++)
    g_assert (sink->first_ns[i] > sink->end_ns[i] || sink->self_ns[i] <= sink->end_ns[i] - sink->first_ns[i]);

  tt_arrange_free (arrange);
  tt_sink_free (sink->sink);
  return 0;
}
