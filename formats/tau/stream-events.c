#include "config.h"

#include "formats/tau/stream-private.h"

#include <string.h>

#define MOST_METADATA 65536u

/* -- user events --------------------------------------------------------------------------------- */

/* The series of an event that usually makes no counter, by its name. */
static guint32
series_of (TtTauStream *self, gint64 id)
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
    tt_sink_repair (self->sink, TT_REPAIR_METADATA_CLASH, offset);
  if (before != NULL || g_hash_table_size (self->metadata) < MOST_METADATA)
    g_hash_table_replace (self->metadata, g_steal_pointer (&place), g_strdup (value));
  tt_sink_metadata (self->sink, thread->process, thread->thread, key, value);
}

/* One trigger of a user event, its fences taken off. */
static void
trigger (TtTauStream *self, TtTauThread *thread, const TtTauFence *fence, guint i)
{
  if (fence->kind == TT_TAU_METADATA && fence->par[i] == 1)
    add_metadata (self, thread, fence->id, fence->offset[i]);
  else
    {
      guint32 series = fence->kind == TT_TAU_METADATA ? series_of (self, fence->id) : fence->value;
      tt_sink_counter_int (self->sink, series, thread->thread, fence->ts_ns[i], fence->par[i]);
    }
}

static void
settle_fence (TtTauStream *self, TtTauThread *thread)
{
  for (guint i = 0; i < thread->fence.n; i++)
    trigger (self, thread, &thread->fence, i);
  thread->fence.n = 0;
  thread->pending &= ~(guint) TT_TAU_PENDING_FENCE;
}

/* Holds a 0 and what follows it, until a second 0 shows them to be fences. */
static void
take_value (TtTauStream *self, TtTauThread *thread, const TtTauItem *item)
{
  TtTauFence *fence = &thread->fence;

  if (fence->n > 0 && fence->id != item->record.event)
    settle_fence (self, thread);
  fence->id = item->record.event;
  fence->kind = item->event.kind;
  fence->value = item->event.value;

  if (fence->n == 2)
    {
      if (item->record.par == 0)
        {
          trigger (self, thread, fence, 1);
          fence->n = 0;
          thread->pending &= ~(guint) TT_TAU_PENDING_FENCE;
          return;
        }
      trigger (self, thread, fence, 0);
      fence->n = 0;
      if (fence->par[1] == 0)
        {
          fence->n = 1;
          fence->ts_ns[0] = fence->ts_ns[1];
          fence->par[0] = fence->par[1];
          fence->offset[0] = fence->offset[1];
        }
      else
        trigger (self, thread, fence, 1);
    }

  guint i = fence->n;
  fence->ts_ns[i] = item->ts_ns;
  fence->par[i] = item->record.par;
  fence->offset[i] = item->offset;
  if (i == 0 && item->record.par != 0)
    trigger (self, thread, fence, 0);
  else
    fence->n++;
  if (fence->n > 0)
    thread->pending |= TT_TAU_PENDING_FENCE;
  else
    thread->pending &= ~(guint) TT_TAU_PENDING_FENCE;
}

static void
counter (TtTauStream *self, TtTauThread *thread, guint32 series, gint64 ts_ns, gint64 value)
{
  tt_sink_counter_int (self->sink, series, thread->thread, ts_ns, value);
  tt_nest_touch (self->nest, thread->nest, ts_ns);
}

/* -- one-sided messages --------------------------------------------------------------------------- */

/* What did not become a message stays visible as counters. */
static void
settle_onesided (TtTauStream *self, TtTauThread *thread)
{
  const TtTauOnesided *onesided = &thread->onesided;

  tt_sink_repair (self->sink, TT_REPAIR_UNPAIRED_ONESIDED, onesided->offset);
  for (guint i = 0; i < onesided->n; i++)
    counter (self, thread, series_of (self, onesided->id[i]), onesided->ts_ns[i], onesided->par[i]);
  thread->onesided.n = 0;
  thread->pending &= ~(guint) TT_TAU_PENDING_ONESIDED;
}

static void
hold_onesided (TtTauThread *thread, const TtTauItem *item)
{
  TtTauOnesided *onesided = &thread->onesided;

  if (onesided->n == 0)
    {
      onesided->kind = (TtTauKind) item->event.kind;
      onesided->offset = item->offset;
    }
  onesided->id[onesided->n] = item->record.event;
  onesided->ts_ns[onesided->n] = item->ts_ns;
  onesided->par[onesided->n] = item->record.par;
  onesided->n++;
  thread->pending |= TT_TAU_PENDING_ONESIDED;
}

static void
end_onesided (TtTauStream *self, TtTauThread *thread, const TtTauItem *item)
{
  TtTauOnesided *onesided = &thread->onesided;

  if (onesided->kind == TT_TAU_ONESIDED)
    {
      for (guint i = 0; i < 2; i++)
        counter (self, thread, series_of (self, onesided->id[i]), onesided->ts_ns[i], onesided->par[i]);
      counter (self, thread, series_of (self, item->record.event), item->ts_ns, item->record.par);
    }
  else
    {
      const TtNestHalf half = {
        .ts_ns = onesided->ts_ns[0],
        .tag = onesided->par[1],
        .comm = item->record.par,
        .bytes = onesided->par[0] < 0 ? -1 : onesided->par[0],
        .peer = thread->process,
        .is_send = onesided->kind == TT_TAU_ONESIDED_SEND,
        .is_onesided = TRUE,
      };
      tt_nest_half (self->nest, thread->nest, &half);
    }
  onesided->n = 0;
  thread->pending &= ~(guint) TT_TAU_PENDING_ONESIDED;
  tt_nest_touch (self->nest, thread->nest, item->ts_ns);
}

static void
take_onesided (TtTauStream *self, TtTauThread *thread, const TtTauItem *item)
{
  guint n = thread->onesided.n;
  guint place = item->event.kind == TT_TAU_ONESIDED_ID1 ? 1 : item->event.kind == TT_TAU_ONESIDED_ID2 ? 2 : 0;

  if (n > 0 && place != n)
    {
      settle_onesided (self, thread);
      n = 0;
    }
  if (place == 0 || (place == 1 && n == 1))
    hold_onesided (thread, item);
  else if (place == 2 && n == 2)
    end_onesided (self, thread, item);
  else
    {
      tt_sink_repair (self->sink, TT_REPAIR_UNPAIRED_ONESIDED, item->offset);
      counter (self, thread, series_of (self, item->record.event), item->ts_ns, item->record.par);
    }
}

/* -- what waits ------------------------------------------------------------------------------------- */

void
tt_tau_edge (TtTauStream *self, TtTauThread *thread, gboolean is_enter, guint32 name, gint64 ts_ns, guint64 offset)
{
  if (is_enter)
    tt_nest_enter (self->nest, thread->nest, name, ts_ns, offset);
  else
    tt_nest_leave (self->nest, thread->nest, name, ts_ns, offset);
  thread->has_spans = TRUE;
  thread->is_closed = FALSE;
}

static void
settle_flush (TtTauStream *self, TtTauThread *thread)
{
  for (guint i = 0; i < thread->n_held; i++)
    {
      const TtTauHeldFlush *held = &thread->held[i];
      tt_tau_edge (self, thread, held->is_enter, held->name, held->ts_ns, held->offset);
    }
  thread->n_held = 0;
  thread->takes_metrics = FALSE;
  thread->pending &= ~(guint) TT_TAU_PENDING_FLUSH;
}

void
tt_tau_settle (TtTauStream *self, TtTauThread *thread, guint what)
{
  what &= thread->pending;
  if (what & TT_TAU_PENDING_FLUSH)
    settle_flush (self, thread);
  if (what & TT_TAU_PENDING_FENCE)
    settle_fence (self, thread);
  if (what & TT_TAU_PENDING_ONESIDED)
    settle_onesided (self, thread);
}

/*
 * The buffer may fill up between an enter or leave and its metrics, which then come behind the flush
 * with the older time. So a flush waits until it is known that no more metrics come.
 */
static void
take_flush (TtTauStream *self, TtTauThread *thread, const TtTauItem *item, gboolean is_enter)
{
  if (!thread->takes_metrics || thread->n_held == TT_TAU_MOST_HELD)
    {
      tt_tau_settle (self, thread, TT_TAU_PENDING_FLUSH);
      tt_tau_edge (self, thread, is_enter, item->event.value, item->ts_ns, item->offset);
      return;
    }
  thread->held[thread->n_held++] = (TtTauHeldFlush){
    .is_enter = is_enter,
    .name = item->event.value,
    .ts_ns = item->ts_ns,
    .offset = item->offset,
  };
  thread->pending |= TT_TAU_PENDING_FLUSH;
}

static void
take_metric (TtTauStream *self, TtTauThread *thread, const TtTauItem *item)
{
  tt_tau_settle (self, thread, TT_TAU_PENDING_FENCE | TT_TAU_PENDING_ONESIDED);
  if (thread->takes_metrics && item->record.ti == thread->edge_ti)
    {
      tt_nest_metric (self->nest, thread->nest, item->event.value, item->record.par, item->offset);
      return;
    }
  /* Not of an enter or leave: a counter that happens to be monotonic. */
  tt_tau_settle (self, thread, TT_TAU_PENDING_FLUSH);
  counter (self, thread, item->event.value, item->ts_ns, item->record.par);
}

static void
take_message (TtTauStream *self, TtTauThread *thread, const TtTauItem *item)
{
  TtTauMessage message = tt_tau_message (item->record.par);
  const TtNestHalf half = {
    .ts_ns = item->ts_ns,
    .tag = message.tag,
    .comm = message.comm,
    .bytes = message.bytes,
    .peer = tt_tau_threads_process (self->threads, message.peer),
    .is_send = item->event.kind == TT_TAU_SEND,
  };

  tt_nest_half (self->nest, thread->nest, &half);
  tt_nest_touch (self->nest, thread->nest, item->ts_ns);
}

void
tt_tau_take_rare (TtTauStream *self, TtTauThread *thread, const TtTauItem *item)
{
  switch ((TtTauKind) item->event.kind)
    {
    case TT_TAU_FLUSH:
      if (item->record.par == 1 || item->record.par == -1)
        take_flush (self, thread, item, item->record.par == 1);
      else
        tt_sink_repair (self->sink, TT_REPAIR_BAD_PARAMETER, item->offset);
      return;
    case TT_TAU_FLUSH_ENTER:
    case TT_TAU_FLUSH_EXIT:
      take_flush (self, thread, item, item->event.kind == TT_TAU_FLUSH_ENTER);
      return;
    case TT_TAU_METRIC:
      take_metric (self, thread, item);
      return;
    case TT_TAU_VALUE:
    case TT_TAU_METADATA:
      tt_tau_settle (self, thread, TT_TAU_PENDING_FLUSH | TT_TAU_PENDING_ONESIDED);
      take_value (self, thread, item);
      tt_nest_touch (self->nest, thread->nest, item->ts_ns);
      break;
    case TT_TAU_ONESIDED_SEND:
    case TT_TAU_ONESIDED_RECV:
    case TT_TAU_ONESIDED:
    case TT_TAU_ONESIDED_ID1:
    case TT_TAU_ONESIDED_ID2:
      tt_tau_settle (self, thread, TT_TAU_PENDING_FLUSH | TT_TAU_PENDING_FENCE);
      take_onesided (self, thread, item);
      break;
    default:
      tt_tau_settle (self, thread, G_MAXUINT);
      if (item->event.kind == TT_TAU_SINGLE)
        counter (self, thread, item->event.value, item->ts_ns, item->record.par);
      else if (item->event.kind == TT_TAU_SEND || item->event.kind == TT_TAU_RECV)
        take_message (self, thread, item);
      else if (item->event.kind == TT_TAU_OTHER)
        tt_sink_repair (self->sink, TT_REPAIR_UNKNOWN_KIND, item->offset);
      else
        tt_nest_touch (self->nest, thread->nest, item->ts_ns);
      thread->takes_metrics = FALSE;
      /* The clock is written once more behind the closing record. */
      if (item->event.kind != TT_TAU_WALL_CLOCK)
        thread->is_closed = item->event.kind == TT_TAU_CLOSE;
      return;
    }
  thread->takes_metrics = FALSE;
  thread->is_closed = FALSE;
}
