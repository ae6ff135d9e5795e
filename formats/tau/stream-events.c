/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/stream-private.h"

#include <string.h>

#define MAX_METADATA 65536u
#define MAX_MESSAGE_BYTES G_GINT64_CONSTANT (0x3ffffff)

/* -- user events --------------------------------------------------------------------------------- */

/* The series of the event's name, for events that are counters only by exception. */
static guint32
find_series (TtTauStream *self, gint64 id)
{
  TtTauRow row;

  if (!tt_tau_edf_find (tt_tau_ids_edf (self->ids), id, &row))
    return TT_NO_ID;
  return tt_sink_series (self->sink, row.name, NULL, FALSE);
}

static void
add_metadata (TtTauStream *self, const TtTauThread *thread, gint64 id, guint64 offset)
{
  TtTauRow row;

  if (!tt_tau_edf_find (tt_tau_ids_edf (self->ids), id, &row))
    return;
  const char *bar = strstr (row.name, " | ");
  if (bar == NULL)
    bar = row.name + strlen (row.name) - 2;
  g_autofree char *key = g_strchomp (g_strndup (row.name, (gsize) (bar - row.name)));
  const char *value = bar + 2;
  while (g_ascii_isspace (*value))
    value++;

  g_autofree char *place = g_strdup_printf ("%u %s", thread->thread, key);
  const char *before = g_hash_table_lookup (self->metadata, place);
  if (before != NULL && strcmp (before, value) == 0)
    return;
  if (before != NULL)
    tt_sink_repair_of (self->sink, thread->process, TT_REPAIR_METADATA_CLASH, offset);
  if (before != NULL || g_hash_table_size (self->metadata) < MAX_METADATA)
    g_hash_table_replace (self->metadata, g_steal_pointer (&place), g_strdup (value));
  tt_sink_metadata (self->sink, thread->process, thread->thread, key, value);
}

/* One trigger of a user event, without its fences. */
static void
write_trigger (TtTauStream *self, TtTauThread *thread, const TtTauFence *fence, guint i)
{
  if (fence->kind == TT_TAU_METADATA && fence->par[i] == 1)
    add_metadata (self, thread, fence->id, fence->offset[i]);
  else
    {
      guint32 series = fence->kind == TT_TAU_METADATA ? find_series (self, fence->id) : fence->value;
      if (series != TT_NO_ID && series == tt_tau_ids_sent_sizes (self->ids))
        thread->sent_bytes = fence->par[i];
      tt_sink_counter_int (self->sink, series, thread->thread, fence->ts_ns[i], fence->par[i]);
    }
}

static void
flush_fence (TtTauStream *self, TtTauThread *thread)
{
  for (guint i = 0; i < thread->fence.n; i++)
    write_trigger (self, thread, &thread->fence, i);
  thread->fence.n = 0;
  thread->pending &= ~(guint) TT_TAU_PENDING_FENCE;
}

/* Holds a 0 and the value after it, until a second 0 shows that both zeros are fences. */
static void
consume_value (TtTauStream *self, TtTauThread *thread, const TtTauEventRecord *record)
{
  TtTauFence *fence = &thread->fence;

  if (fence->n > 0 && fence->id != record->fields.event)
    flush_fence (self, thread);
  fence->id = record->fields.event;
  fence->kind = record->event.kind;
  fence->value = record->event.value;

  if (fence->n == 2)
    {
      if (record->fields.par == 0)
        {
          write_trigger (self, thread, fence, 1);
          fence->n = 0;
          thread->pending &= ~(guint) TT_TAU_PENDING_FENCE;
          return;
        }
      write_trigger (self, thread, fence, 0);
      fence->n = 0;
      if (fence->par[1] == 0)
        {
          fence->n = 1;
          fence->ts_ns[0] = fence->ts_ns[1];
          fence->par[0] = fence->par[1];
          fence->offset[0] = fence->offset[1];
        }
      else
        write_trigger (self, thread, fence, 1);
    }

  guint i = fence->n;
  fence->ts_ns[i] = record->ts_ns;
  fence->par[i] = record->fields.par;
  fence->offset[i] = record->offset;
  if (i == 0 && record->fields.par != 0)
    write_trigger (self, thread, fence, 0);
  else
    fence->n++;
  if (fence->n > 0)
    thread->pending |= TT_TAU_PENDING_FENCE;
  else
    thread->pending &= ~(guint) TT_TAU_PENDING_FENCE;
}

static void
write_counter (TtTauStream *self, TtTauThread *thread, guint32 series, gint64 ts_ns, gint64 value)
{
  tt_sink_counter_int (self->sink, series, thread->thread, ts_ns, value);
  tt_nest_touch (self->nest, thread->nest, ts_ns);
}

/* -- one-sided messages --------------------------------------------------------------------------- */

/* Records that make no message stay visible as counters. */
static void
flush_onesided (TtTauStream *self, TtTauThread *thread)
{
  const TtTauOnesided *onesided = &thread->onesided;

  tt_sink_repair_of (self->sink, thread->process, TT_REPAIR_UNPAIRED_ONESIDED, onesided->offset);
  for (guint i = 0; i < onesided->n; i++)
    write_counter (self, thread, find_series (self, onesided->id[i]), onesided->ts_ns[i], onesided->par[i]);
  thread->onesided.n = 0;
  thread->pending &= ~(guint) TT_TAU_PENDING_ONESIDED;
}

static void
hold_onesided (TtTauThread *thread, const TtTauEventRecord *record)
{
  TtTauOnesided *onesided = &thread->onesided;

  if (onesided->n == 0)
    {
      onesided->kind = (TtTauKind) record->event.kind;
      onesided->offset = record->offset;
    }
  onesided->id[onesided->n] = record->fields.event;
  onesided->ts_ns[onesided->n] = record->ts_ns;
  onesided->par[onesided->n] = record->fields.par;
  onesided->n++;
  thread->pending |= TT_TAU_PENDING_ONESIDED;
}

static void
end_onesided (TtTauStream *self, TtTauThread *thread, const TtTauEventRecord *record)
{
  TtTauOnesided *onesided = &thread->onesided;

  if (onesided->kind == TT_TAU_ONESIDED)
    {
      for (guint i = 0; i < 2; i++)
        write_counter (self, thread, find_series (self, onesided->id[i]), onesided->ts_ns[i], onesided->par[i]);
      write_counter (self, thread, find_series (self, record->fields.event), record->ts_ns, record->fields.par);
    }
  else
    {
      const TtNestHalf half = {
        .ts_ns = onesided->ts_ns[0],
        .tag = onesided->par[1],
        .comm = record->fields.par,
        .bytes = onesided->par[0] < 0 ? -1 : onesided->par[0],
        .peer = thread->process,
        .is_send = onesided->kind == TT_TAU_ONESIDED_SEND,
        .onesided = TT_ONESIDED,
      };
      tt_nest_half (self->nest, thread->nest, &half);
    }
  onesided->n = 0;
  thread->pending &= ~(guint) TT_TAU_PENDING_ONESIDED;
  tt_nest_touch (self->nest, thread->nest, record->ts_ns);
}

static void
consume_onesided (TtTauStream *self, TtTauThread *thread, const TtTauEventRecord *record)
{
  guint n = thread->onesided.n;
  guint place = record->event.kind == TT_TAU_ONESIDED_ID1 ? 1 : record->event.kind == TT_TAU_ONESIDED_ID2 ? 2 : 0;

  if (n > 0 && place != n)
    {
      flush_onesided (self, thread);
      n = 0;
    }
  if (place == 0 || (place == 1 && n == 1))
    hold_onesided (thread, record);
  else if (place == 2 && n == 2)
    end_onesided (self, thread, record);
  else
    {
      tt_sink_repair_of (self->sink, thread->process, TT_REPAIR_UNPAIRED_ONESIDED, record->offset);
      write_counter (self, thread, find_series (self, record->fields.event), record->ts_ns, record->fields.par);
    }
}

/* -- pending records ------------------------------------------------------------------------------------- */

static void
flush_held (TtTauStream *self, TtTauThread *thread)
{
  for (guint i = 0; i < thread->n_held; i++)
    {
      const TtTauHeldFlush *held = &thread->held[i];
      tt_tau_enter_or_leave (self, thread, held->is_enter, held->name, held->ts_ns, held->offset);
    }
  thread->n_held = 0;
  thread->takes_metrics = FALSE;
  thread->pending &= ~(guint) TT_TAU_PENDING_FLUSH;
}

void
tt_tau_flush_pending (TtTauStream *self, TtTauThread *thread, guint what)
{
  what &= thread->pending;
  if (what & TT_TAU_PENDING_FLUSH)
    flush_held (self, thread);
  if (what & TT_TAU_PENDING_FENCE)
    flush_fence (self, thread);
  if (what & TT_TAU_PENDING_ONESIDED)
    flush_onesided (self, thread);
}

/*
 * TAU's buffer may fill up between an enter or leave and its metrics, which then come after the flush with the older
 * time. So a flush waits until it is known that no more metrics come.
 */
static void
consume_flush (TtTauStream *self, TtTauThread *thread, const TtTauEventRecord *record, gboolean is_enter)
{
  if (!thread->takes_metrics || thread->n_held == TT_TAU_MAX_HELD)
    {
      tt_tau_flush_pending (self, thread, TT_TAU_PENDING_FLUSH);
      tt_tau_enter_or_leave (self, thread, is_enter, record->event.value, record->ts_ns, record->offset);
      return;
    }
  thread->held[thread->n_held++] = (TtTauHeldFlush){
    .is_enter = is_enter,
    .name = record->event.value,
    .ts_ns = record->ts_ns,
    .offset = record->offset,
  };
  thread->pending |= TT_TAU_PENDING_FLUSH;
}

static void
consume_metric (TtTauStream *self, TtTauThread *thread, const TtTauEventRecord *record)
{
  tt_tau_flush_pending (self, thread, TT_TAU_PENDING_FENCE | TT_TAU_PENDING_ONESIDED);
  if (thread->takes_metrics && record->fields.ti == thread->last_ti)
    {
      tt_nest_metric (self->nest, thread->nest, record->event.value, record->fields.par, record->offset);
      return;
    }
  /* No metric of an enter or leave: a counter that happens to be monotonic. */
  tt_tau_flush_pending (self, thread, TT_TAU_PENDING_FLUSH);
  write_counter (self, thread, record->event.value, record->ts_ns, record->fields.par);
}

/* Of a size its record has 26 bits; the counter beside it has all. */
static gint64
true_size (TtTauStream *self, TtTauThread *thread, const TtTauEventRecord *record, gint64 bytes)
{
  gint64 counted = thread->sent_bytes;

  thread->sent_bytes = 0;
  if (record->event.kind != TT_TAU_SEND || counted <= MAX_MESSAGE_BYTES || (counted & MAX_MESSAGE_BYTES) != bytes)
    return bytes;
  tt_sink_repair_of (self->sink, thread->process, TT_REPAIR_WRAPPED_SIZE, record->offset);
  return counted;
}

static void
consume_message (TtTauStream *self, TtTauThread *thread, const TtTauEventRecord *record)
{
  TtTauMessage message = tt_tau_message (record->fields.par);
  TtNestHalf half = {
    .ts_ns = record->ts_ns,
    .tag = message.tag,
    .comm = message.comm,
    .bytes = true_size (self, thread, record, message.bytes),
    .is_send = record->event.kind == TT_TAU_SEND,
  };

  tt_tau_peers_half (self->peers, thread, &half, message.peer, record->offset);
  tt_nest_touch (self->nest, thread->nest, record->ts_ns);
}

void
tt_tau_consume_rare (TtTauStream *self, TtTauThread *thread, const TtTauEventRecord *record)
{
  switch ((TtTauKind) record->event.kind)
    {
    case TT_TAU_FLUSH:
      if (record->fields.par == 1 || record->fields.par == -1)
        consume_flush (self, thread, record, record->fields.par == 1);
      else
        tt_sink_repair_of (self->sink, thread->process, TT_REPAIR_BAD_PARAMETER, record->offset);
      return;
    case TT_TAU_FLUSH_ENTER:
    case TT_TAU_FLUSH_EXIT:
      consume_flush (self, thread, record, record->event.kind == TT_TAU_FLUSH_ENTER);
      return;
    case TT_TAU_METRIC:
      consume_metric (self, thread, record);
      return;
    case TT_TAU_VALUE:
    case TT_TAU_METADATA:
      tt_tau_flush_pending (self, thread, TT_TAU_PENDING_FLUSH | TT_TAU_PENDING_ONESIDED);
      consume_value (self, thread, record);
      tt_nest_touch (self->nest, thread->nest, record->ts_ns);
      break;
    case TT_TAU_ONESIDED_SEND:
    case TT_TAU_ONESIDED_RECV:
    case TT_TAU_ONESIDED:
    case TT_TAU_ONESIDED_ID1:
    case TT_TAU_ONESIDED_ID2:
      tt_tau_flush_pending (self, thread, TT_TAU_PENDING_FLUSH | TT_TAU_PENDING_FENCE);
      consume_onesided (self, thread, record);
      break;
    default:
      tt_tau_flush_pending (self, thread, G_MAXUINT);
      if (record->event.kind == TT_TAU_SINGLE)
        write_counter (self, thread, record->event.value, record->ts_ns, record->fields.par);
      else if (record->event.kind == TT_TAU_SEND || record->event.kind == TT_TAU_RECV)
        consume_message (self, thread, record);
      else if (record->event.kind == TT_TAU_OTHER)
        tt_sink_repair_of (self->sink, thread->process, TT_REPAIR_UNKNOWN_KIND, record->offset);
      else
        tt_nest_touch (self->nest, thread->nest, record->ts_ns);
      thread->takes_metrics = FALSE;
      /* TAU writes the clock once more after the closing record. */
      if (record->event.kind != TT_TAU_WALL_CLOCK)
        thread->is_closed = record->event.kind == TT_TAU_CLOSE;
      return;
    }
  thread->takes_metrics = FALSE;
  thread->is_closed = FALSE;
}
