#include "config.h"

#include "formats/tau/stream.h"

#include "formats/tau/threads.h"
#include "src/error.h"

#include <string.h>

#define US 1000
#define MOST_METADATA 65536u
#define UNSET_NODE G_MAXUINT16

struct _TtTauStream
{
  TtTauIds *ids;
  TtSink *sink;
  TtNest *nest;
  TtTauThreads *threads;
  const char *path;
  TtTauLayout layout;
  gboolean is_strict;
  guint64 offset; /* of the next byte */
  guint64 n_defined;
  GHashTable *metadata; /* (thread, key) -> value, to see what is given again */
};

/* A record being handled, and where it is. */
typedef struct
{
  TtTauRecord record;
  TtTauEvent event;
  gint64 ts_ns;
  guint64 offset;
} Item;

TtTauStream *
tt_tau_stream_new (TtTauIds *ids, TtSink *sink, const char *path, TtTauLayout layout, gboolean is_strict)
{
  TtTauStream *self = g_new0 (TtTauStream, 1);

  self->ids = ids;
  self->sink = sink;
  self->nest = tt_nest_new (sink);
  self->threads = tt_tau_threads_new (sink, self->nest);
  self->path = path;
  self->layout = layout;
  self->is_strict = is_strict;
  self->metadata = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

void
tt_tau_stream_free (TtTauStream *self)
{
  if (self == NULL)
    return;
  tt_tau_threads_free (self->threads);
  tt_nest_free (self->nest);
  g_hash_table_unref (self->metadata);
  g_free (self);
}

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
take_value (TtTauStream *self, TtTauThread *thread, const Item *item)
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
hold_onesided (TtTauThread *thread, const Item *item)
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
end_onesided (TtTauStream *self, TtTauThread *thread, const Item *item)
{
  TtTauOnesided *onesided = &thread->onesided;

  if (onesided->kind == TT_TAU_ONESIDED)
    {
      for (guint i = 0; i < 2; i++)
        counter (self, thread, series_of (self, onesided->id[i]), onesided->ts_ns[i], onesided->par[i]);
      counter (self, thread, series_of (self, item->record.event), item->ts_ns, item->record.par);
    }
  else
    tt_nest_half (self->nest,
                  thread->nest,
                  onesided->kind == TT_TAU_ONESIDED_SEND,
                  TRUE,
                  thread->process,
                  onesided->par[1],
                  item->record.par,
                  onesided->ts_ns[0],
                  onesided->par[0] < 0 ? -1 : onesided->par[0]);
  onesided->n = 0;
  thread->pending &= ~(guint) TT_TAU_PENDING_ONESIDED;
  tt_nest_touch (self->nest, thread->nest, item->ts_ns);
}

static void
take_onesided (TtTauStream *self, TtTauThread *thread, const Item *item)
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

static void
edge (TtTauStream *self, TtTauThread *thread, gboolean is_enter, guint32 name, gint64 ts_ns, guint64 offset)
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
      edge (self, thread, held->is_enter, held->name, held->ts_ns, held->offset);
    }
  thread->n_held = 0;
  thread->takes_metrics = FALSE;
  thread->pending &= ~(guint) TT_TAU_PENDING_FLUSH;
}

static void
settle (TtTauStream *self, TtTauThread *thread, guint what)
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
take_flush (TtTauStream *self, TtTauThread *thread, const Item *item, gboolean is_enter)
{
  if (!thread->takes_metrics || thread->n_held == TT_TAU_MOST_HELD)
    {
      settle (self, thread, TT_TAU_PENDING_FLUSH);
      edge (self, thread, is_enter, item->event.value, item->ts_ns, item->offset);
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
take_metric (TtTauStream *self, TtTauThread *thread, const Item *item)
{
  settle (self, thread, TT_TAU_PENDING_FENCE | TT_TAU_PENDING_ONESIDED);
  if (thread->takes_metrics && item->record.ti == thread->edge_ti)
    {
      tt_nest_metric (self->nest, thread->nest, item->event.value, item->record.par, item->offset);
      return;
    }
  /* Not of an enter or leave: a counter that happens to be monotonic. */
  settle (self, thread, TT_TAU_PENDING_FLUSH);
  counter (self, thread, item->event.value, item->ts_ns, item->record.par);
}

static void
take_message (TtTauStream *self, TtTauThread *thread, const Item *item)
{
  TtTauMessage message = tt_tau_message (item->record.par);

  tt_nest_half (self->nest,
                thread->nest,
                item->event.kind == TT_TAU_SEND,
                FALSE,
                tt_tau_threads_process (self->threads, message.peer),
                message.tag,
                message.comm,
                item->ts_ns,
                message.bytes);
  tt_nest_touch (self->nest, thread->nest, item->ts_ns);
}

/* Everything but the enters and leaves that the loop handles itself. */
static void
take_rare (TtTauStream *self, TtTauThread *thread, const Item *item)
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
      settle (self, thread, TT_TAU_PENDING_FLUSH | TT_TAU_PENDING_ONESIDED);
      take_value (self, thread, item);
      tt_nest_touch (self->nest, thread->nest, item->ts_ns);
      break;
    case TT_TAU_ONESIDED_SEND:
    case TT_TAU_ONESIDED_RECV:
    case TT_TAU_ONESIDED:
    case TT_TAU_ONESIDED_ID1:
    case TT_TAU_ONESIDED_ID2:
      settle (self, thread, TT_TAU_PENDING_FLUSH | TT_TAU_PENDING_FENCE);
      take_onesided (self, thread, item);
      break;
    default:
      settle (self, thread, G_MAXUINT);
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

/* -- records ------------------------------------------------------------------------------------------ */

static gboolean
fail_at (const TtTauStream *self, guint64 offset, GError **error, const char *reason)
{
  g_set_error (error,
               TT_ERROR,
               TT_ERROR_FORMAT,
               "%s: record %" G_GUINT64_FORMAT " at byte %" G_GUINT64_FORMAT ": %s",
               self->path,
               offset / tt_tau_record_size (self->layout),
               offset,
               reason);
  return FALSE;
}

static gboolean
take_undefined (TtTauStream *self, const Item *item, GError **error)
{
  if (!self->is_strict)
    {
      tt_sink_repair (self->sink, TT_REPAIR_UNKNOWN_ID, item->offset);
      return TRUE;
    }
  g_autofree char *reason = g_strdup_printf ("event id %" G_GINT64_FORMAT " is not in '%s'",
                                             item->record.event,
                                             tt_tau_edf_path (tt_tau_ids_edf (self->ids)));
  return fail_at (self, item->offset, error, reason);
}

/* @layout is a constant of each caller, so that each layout has its own loop. */
static inline __attribute__ ((always_inline)) gboolean
feed (TtTauStream *self, const guint8 *bytes, guint64 n, const TtTauLayout layout, GError **error)
{
  const guint size = tt_tau_record_size (layout);
  TtTauThread *thread = NULL;

  for (guint64 i = 0; i < n; i++, bytes += size)
    {
      Item item = { .record = tt_tau_decode (bytes, layout), .offset = self->offset + i * size };
      const TtTauRecord *record = &item.record;

      if (G_UNLIKELY (record->ti > G_MAXINT64 / US))
        return fail_at (self, item.offset, error, "the time is too large to be microseconds");
      item.ts_ns = (gint64) record->ti * US;
      item.event = *tt_tau_ids_find (self->ids, record->event);
      if (G_UNLIKELY (item.event.kind == TT_TAU_NOT_DEFINED))
        {
          if (!take_undefined (self, &item, error))
            return FALSE;
          continue;
        }
      self->n_defined++;

      if (thread == NULL || thread->key != ((guint32) record->nid << 16 | record->tid))
        thread = tt_tau_threads_find (self->threads, record->nid, record->tid);
      if (G_UNLIKELY (record->nid == UNSET_NODE))
        tt_sink_repair (self->sink, TT_REPAIR_UNSET_NODE, item.offset);
      thread->last_offset = item.offset;

      if (G_UNLIKELY (item.event.kind != TT_TAU_STATE))
        take_rare (self, thread, &item);
      else if (G_UNLIKELY (record->par != 1 && record->par != -1))
        {
          settle (self, thread, G_MAXUINT);
          tt_sink_repair (self->sink, TT_REPAIR_BAD_PARAMETER, item.offset);
          thread->takes_metrics = FALSE;
        }
      else
        {
          if (G_UNLIKELY (thread->pending != 0))
            settle (self, thread, G_MAXUINT);
          edge (self, thread, record->par == 1, item.event.value, item.ts_ns, item.offset);
          thread->edge_ti = record->ti;
          thread->takes_metrics = TRUE;
        }
    }
  return TRUE;
}

static gboolean
feed_24le (TtTauStream *self, const guint8 *bytes, guint64 n, GError **error)
{
  return feed (self, bytes, n, TT_TAU_24LE, error);
}

static gboolean
feed_24be (TtTauStream *self, const guint8 *bytes, guint64 n, GError **error)
{
  return feed (self, bytes, n, TT_TAU_24BE, error);
}

static gboolean
feed_32le (TtTauStream *self, const guint8 *bytes, guint64 n, GError **error)
{
  return feed (self, bytes, n, TT_TAU_32LE, error);
}

static gboolean
feed_32be (TtTauStream *self, const guint8 *bytes, guint64 n, GError **error)
{
  return feed (self, bytes, n, TT_TAU_32BE, error);
}

gboolean
tt_tau_stream_feed (TtTauStream *self, const guint8 *bytes, gsize len, GError **error)
{
  static gboolean (*const feeds[TT_TAU_N_LAYOUTS]) (TtTauStream *, const guint8 *, guint64, GError **) = {
    feed_24le,
    feed_24be,
    feed_32le,
    feed_32be,
  };
  guint size = tt_tau_record_size (self->layout);

  if (!feeds[self->layout] (self, bytes, len / size, error))
    return FALSE;
  for (gsize stray = len % size; stray > 0; stray--)
    tt_sink_repair (self->sink, TT_REPAIR_STRAY_BYTES, self->offset + len - len % size);
  self->offset += len;
  if (!tt_tau_ids_check (self->ids, error) || !tt_names_check (self->sink->names, error))
    return FALSE;
  return !self->is_strict || tt_tau_check_strict (&self->sink->repairs, self->path, size, error);
}

gboolean
tt_tau_stream_end (TtTauStream *self, GError **error)
{
  guint size = tt_tau_record_size (self->layout);

  if (self->n_defined == 0)
    {
      g_set_error (error,
                   TT_ERROR,
                   TT_ERROR_FORMAT,
                   "%s: not a TAU trace, or '%s' is not its definitions: none of its %" G_GUINT64_FORMAT
                   " event ids is defined there",
                   self->path,
                   tt_tau_edf_path (tt_tau_ids_edf (self->ids)),
                   self->offset / size);
      return FALSE;
    }

  for (guint i = 0; i < tt_tau_threads_count (self->threads); i++)
    {
      TtTauThread *thread = tt_tau_threads_at (self->threads, i);
      settle (self, thread, G_MAXUINT);
      if (thread->has_spans && !thread->is_closed)
        tt_sink_repair (self->sink, TT_REPAIR_NO_CLOSE, thread->last_offset);
    }
  tt_nest_finish (self->nest);
  return !self->is_strict || tt_tau_check_strict (&self->sink->repairs, self->path, size, error);
}

/* -- strictness ------------------------------------------------------------------------------------------ */

gboolean
tt_tau_check_strict (const TtRepairs *repairs, const char *path, guint record_size, GError **error)
{
  int first = -1;

  for (int kind = 0; kind < TT_N_REPAIRS; kind++)
    if (repairs->count[kind] > 0 && (first < 0 || repairs->first_offset[kind] < repairs->first_offset[first]))
      first = kind;
  if (first < 0)
    return TRUE;

  guint64 offset = repairs->first_offset[first];
  if (record_size == 0)
    g_set_error (error,
                 TT_ERROR,
                 TT_ERROR_FORMAT,
                 "%s: line %" G_GUINT64_FORMAT ": %s; --strict does not allow it",
                 path,
                 offset,
                 tt_repair_text ((TtRepairKind) first));
  else
    g_set_error (error,
                 TT_ERROR,
                 TT_ERROR_FORMAT,
                 "%s: record %" G_GUINT64_FORMAT " at byte %" G_GUINT64_FORMAT ": %s; --strict does not allow it",
                 path,
                 offset / record_size,
                 offset,
                 tt_repair_text ((TtRepairKind) first));
  return FALSE;
}
