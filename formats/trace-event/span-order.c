/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/span-order.h"

#include "formats/trace-event/event-numbers.h"
#include "formats/trace-event/ids.h"

/* As many as arrange trusts: those of a file with more are sorted. */
#define MAX_THREADS 4096u

/* The last span of a thread. */
typedef struct
{
  gint64 ts_ns, dur_ns;
} Last;

struct _TtSpanOrder
{
  guint32 lanes[TT_MAX_LANES]; /* -> number + 1; 0: none yet */
  TtByteIds *threads;          /* pid, tid -> number + 1, of those without a lane */
  GArray *last;                /* of Last */
  guint64 n_spans;
  gboolean has_samples;
};

TtSpanOrder *
tt_span_order_new (void)
{
  TtSpanOrder *self = g_new0 (TtSpanOrder, 1);

  self->threads = tt_byte_ids_new (0);
  self->last = g_array_new (FALSE, FALSE, sizeof (Last));
  return self;
}

void
tt_span_order_free (TtSpanOrder *self)
{
  if (self == NULL)
    return;
  tt_byte_ids_free (self->threads);
  g_array_unref (self->last);
  g_free (self);
}

/* Only texts that differ if their bytes do: else two of them might be one thread. */
static gboolean
is_plain (const TtJsonValue *id)
{
  return (id->kind == TT_JSON_NUMBER || (id->kind == TT_JSON_STRING && !id->has_escapes)) &&
         g_utf8_validate_len (id->raw.bytes, id->raw.len, NULL);
}

/* The first span of a thread. 0: of one too many. */
static guint32
add_thread (TtSpanOrder *self, const TtTraceEvent *event)
{
  const Last first = { event->ts_ns, event->dur_ns };

  if (self->last->len == MAX_THREADS || !is_plain (&event->pid) || !is_plain (&event->tid))
    return 0;
  g_array_append_val (self->last, first);
  return self->last->len;
}

/* The number of the thread + 1; 0: one too many. */
static guint32
thread_without_lane (TtSpanOrder *self, const TtTraceEvent *event)
{
  const TtByteKey key = { .a = event->pid.raw, .b = event->tid.raw };
  guint64 hash;
  guint32 number = tt_byte_ids_find (self->threads, &key, &hash);

  if (number == 0)
    {
      number = add_thread (self, event);
      if (number != 0)
        tt_byte_ids_set (self->threads, &key, hash, number);
    }
  return number;
}

static inline guint32
thread_of (TtSpanOrder *self, const TtTraceEvent *event)
{
  if (G_UNLIKELY (event->lane == 0))
    return thread_without_lane (self, event);
  if (G_UNLIKELY (self->lanes[event->lane] == 0))
    self->lanes[event->lane] = add_thread (self, event);
  return self->lanes[event->lane];
}

static gboolean
is_span_in_order (TtSpanOrder *self, const TtTraceEvent *event)
{
  const guint32 needed = TT_EVENT_HAS_TS | TT_EVENT_HAS_DUR | TT_EVENT_HAS_PID | TT_EVENT_HAS_TID;

  if ((event->has & needed) != needed || event->dur_ns < 0 || event->tid.raw.len == 0)
    return FALSE;

  guint32 number = thread_of (self, event);
  if (number == 0)
    return FALSE;
  Last *last = &g_array_index (self->last, Last, number - 1);
  if (event->ts_ns < last->ts_ns || (event->ts_ns == last->ts_ns && event->dur_ns > last->dur_ns))
    return FALSE;
  *last = (Last){ event->ts_ns, event->dur_ns };
  return TRUE;
}

gboolean
tt_span_order_take (TtSpanOrder *self, const TtTraceEvent *event)
{
  if (G_UNLIKELY (event->ph != 'X'))
    return event->ph == 'M' || event->ph == 'C';
  self->n_spans++;
  return is_span_in_order (self, event);
}

/* Samples come when the spans are over. */
void
tt_span_order_take_header (TtSpanOrder *self, const TtJsonValue *key, const TtJsonValue *value)
{
  self->has_samples |= TT_JSON_KEY_IS (*key, "samples") && value->kind == TT_JSON_ARRAY && value->raw.len != 2;
}

gboolean
tt_span_order_end (const TtSpanOrder *self)
{
  return self->n_spans > 0 && !self->has_samples;
}
