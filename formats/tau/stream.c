/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/stream-private.h"

#include "src/base/error.h"
#include "src/base/units.h"

#define US 1000
#define UNSET_NODE G_MAXUINT16
#define MIN_FOREIGN 8u
/* What is later by more than this, in us, is looked at, and what is earlier. */
#define STRIDE ((guint64) 1000)

TtTauStream *
tt_tau_stream_new (TtTauIds *ids,
                   TtSink *sink,
                   const char *path,
                   TtTauLayout layout,
                   gint64 last_node,
                   gboolean is_strict)
{
  TtTauStream *self = g_new0 (TtTauStream, 1);

  self->ids = ids;
  self->sink = sink;
  self->nest = tt_nest_new (sink);
  self->threads = tt_tau_threads_new (sink, self->nest);
  self->peers = tt_tau_peers_new (sink, self->nest, self->threads, last_node);
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
  tt_tau_peers_free (self->peers);
  tt_tau_threads_free (self->threads);
  tt_nest_free (self->nest);
  g_hash_table_unref (self->metadata);
  g_free (self);
}

/* -- records ------------------------------------------------------------------------------------------ */

static inline void
take_usual (TtTauStream *self, TtTauThread *thread, gboolean is_enter, guint32 name, guint64 ti, guint64 offset)
{
  thread->last_offset = offset;
  thread->last_ti = ti;
  thread->takes_metrics = TRUE;
  tt_tau_enter_or_leave (self, thread, is_enter, name, (gint64) ti * US, offset);
}

static inline void
consume (TtTauStream *self, TtTauThread *thread, const TtTauEventRecord *record)
{
  const TtTauRecord *fields = &record->fields;

  if (G_UNLIKELY (fields->nid == UNSET_NODE))
    tt_sink_repair (self->sink, TT_REPAIR_UNSET_NODE, record->offset);
  thread->last_offset = record->offset;

  if (G_UNLIKELY (record->event.kind != TT_TAU_STATE))
    tt_tau_consume_rare (self, thread, record);
  else if (G_UNLIKELY (fields->par != 1 && fields->par != -1))
    {
      tt_tau_flush_pending (self, thread, G_MAXUINT);
      tt_sink_repair (self->sink, TT_REPAIR_BAD_PARAMETER, record->offset);
      thread->takes_metrics = FALSE;
    }
  else
    {
      if (G_UNLIKELY (thread->pending != 0))
        tt_tau_flush_pending (self, thread, G_MAXUINT);
      take_usual (self, thread, fields->par == 1, record->event.value, fields->ti, record->offset);
    }
}

static inline void
note_taken (TtTauStream *self, TtTauThread *thread, guint64 ti)
{
  thread->clock_ti = ti;
  self->last_ti = ti;
  self->last_key = thread->key;
  self->n_defined++;
}

/* Any record. Returns how many bytes are taken or skipped; -1 with @error. */
static G_GNUC_NO_INLINE gssize
take_record (TtTauStream *self, const guint8 *bytes, gsize at, gsize len, GError **error)
{
  TtTauEventRecord record = { .fields = tt_tau_decode (bytes + at, self->layout), .offset = self->offset + at };
  const TtTauRecord *fields = &record.fields;
  TtTauThread *thread = tt_tau_threads_get (self->threads, fields->nid, fields->tid);

  record.event = *tt_tau_ids_find (self->ids, fields->event);
  if (record.event.kind == TT_TAU_NOT_DEFINED || thread == NULL || fields->ti - thread->clock_ti > STRIDE)
    {
      gssize skipped = tt_tau_examine (self, thread, &record, bytes + at, len - at, error);
      if (skipped != 0)
        return skipped;
      if (thread == NULL && record.event.kind != TT_TAU_INIT)
        self->has_threads_without_init = TRUE;
      thread = tt_tau_threads_find (self->threads, record.fields.nid, record.fields.tid);
    }
  record.ts_ns = (gint64) record.fields.ti * US;
  note_taken (self, thread, record.fields.ti);
  consume (self, thread, &record);
  return tt_tau_record_size (self->layout);
}

/* A record with what is known of its thread and event without looking further. */
typedef struct
{
  gint64 event_id, par;
  guint64 ti;
  guint32 key;
  TtTauThread *thread;
  TtTauEvent event;
} Peeked;

static inline __attribute__ ((always_inline)) Peeked
peek (const TtTauStream *self, const guint8 *bytes, const TtTauLayout layout)
{
  const TtTauRecord fields = tt_tau_decode (bytes, layout);
  const guint32 key = (guint32) fields.nid << 16 | fields.tid;

  return (Peeked){
    .event_id = fields.event,
    .par = fields.par,
    .ti = fields.ti,
    .key = key,
    .thread = self->threads->recent[tt_tau_recent (key)],
    .event = self->ids->hot[(guint64) fields.event % TT_TAU_HOT_IDS],
  };
}

/* What nearly all records are: enters and leaves of a thread that waits for nothing, and was there before. */
static inline gboolean
is_usual (const Peeked *record)
{
  const TtTauThread *thread = record->thread;

  return record->event.id == record->event_id && thread != NULL && thread->key == record->key &&
         record->ti - thread->clock_ti <= STRIDE && record->event.kind == TT_TAU_STATE &&
         (record->par == 1 || record->par == -1) && thread->pending == 0 && record->key >> 16 != UNSET_NODE;
}

/* @layout is a constant of each caller, so that each layout has its own loop. */
static inline __attribute__ ((always_inline)) gssize
feed (TtTauStream *self, const guint8 *bytes, gsize len, const TtTauLayout layout, GError **error)
{
  const guint size = tt_tau_record_size (layout);
  const gsize least = size + (self->is_end ? 0 : TT_TAU_AHEAD);
  gsize at = 0;

  while (len - at >= least)
    {
      Peeked next = peek (self, bytes + at, layout);

      /* The next one is looked at before this one is taken: whether that is an enter or a leave no processor foresees. */
      while (G_LIKELY (is_usual (&next)))
        {
          const Peeked record = next;
          const guint64 offset = self->offset + at;

          at += size;
          const gboolean is_last = len - at < least;
          if (!is_last)
            next = peek (self, bytes + at, layout);
          note_taken (self, record.thread, record.ti);
          take_usual (self, record.thread, record.par == 1, record.event.value, record.ti, offset);
          if (is_last)
            return (gssize) at;
        }
      const gssize taken = take_record (self, bytes, at, len, error);
      if (taken < 0)
        return -1;
      at += (gsize) taken;
    }
  return (gssize) at;
}

static gssize
feed_24le (TtTauStream *self, const guint8 *bytes, gsize len, GError **error)
{
  return feed (self, bytes, len, TT_TAU_24LE, error);
}

static gssize
feed_24be (TtTauStream *self, const guint8 *bytes, gsize len, GError **error)
{
  return feed (self, bytes, len, TT_TAU_24BE, error);
}

static gssize
feed_32le (TtTauStream *self, const guint8 *bytes, gsize len, GError **error)
{
  return feed (self, bytes, len, TT_TAU_32LE, error);
}

static gssize
feed_32be (TtTauStream *self, const guint8 *bytes, gsize len, GError **error)
{
  return feed (self, bytes, len, TT_TAU_32BE, error);
}

/* What the first bytes tell of all. */
static gboolean
look_at_head (TtTauStream *self, const guint8 *bytes, gsize len, GError **error)
{
  const TtTauWindow head = { bytes, len, self->layout, tt_tau_ids_edf (self->ids), 0 };

  if (self->usual_ti != 0)
    return TRUE;
  self->usual_ti = tt_tau_usual_time (&head);
  if (self->usual_ti != 0 || len < tt_tau_record_size (self->layout))
    return TRUE;
  TtTauRecord first = tt_tau_decode (bytes, self->layout);
  if (!tt_tau_edf_has (head.edf, first.event) || first.ti <= G_MAXINT64 / US)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: record 0 at byte 0: the time is too large to be microseconds",
               self->path);
  return FALSE;
}

gssize
tt_tau_stream_feed (TtTauStream *self, const guint8 *bytes, gsize len, gboolean is_end, GError **error)
{
  static gssize (*const feeds[TT_TAU_N_LAYOUTS]) (TtTauStream *, const guint8 *, gsize, GError **) = {
    feed_24le,
    feed_24be,
    feed_32le,
    feed_32be,
  };

  self->is_end = is_end;
  if (!look_at_head (self, bytes, len, error))
    return -1;
  gssize taken = feeds[self->layout](self, bytes, len, error);
  if (taken < 0)
    return -1;
  if (is_end)
    tt_repairs_add_many (&self->sink->repairs, TT_REPAIR_STRAY_BYTES, self->offset + (gsize) taken,
                         len - (gsize) taken);
  if (is_end)
    taken = (gssize) len;
  self->offset += (gsize) taken;
  if (!tt_tau_ids_check (self->ids, error) || !tt_names_check (self->sink->names, error))
    return -1;
  if (self->is_strict &&
      !tt_tau_check_strict (&self->sink->repairs, self->path, tt_tau_record_size (self->layout), error))
    return -1;
  return taken;
}

gboolean
tt_tau_are_foreign (guint64 n_undefined, guint64 n)
{
  return n_undefined >= MIN_FOREIGN && n_undefined * 20 > n;
}

void
tt_tau_fail_foreign (const char *path, const char *edf, guint64 n_undefined, guint64 n, GError **error)
{
  char of[2][TT_TIME_TEXT];

  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
               "%s: '%s' is not its definitions, so names would be wrong: %s of %s event ids are not defined there",
               path, edf, tt_count_text (of[0], n_undefined), tt_count_text (of[1], n));
}

gboolean
tt_tau_stream_end (TtTauStream *self, GError **error)
{
  guint size = tt_tau_record_size (self->layout);

  if (self->n_defined == 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                   "%s: not a TAU trace, or '%s' is not its definitions: none of its %" G_GUINT64_FORMAT
                   " event ids is defined there",
                   self->path, tt_tau_edf_path (tt_tau_ids_edf (self->ids)), self->offset / size);
      return FALSE;
    }

  if (tt_tau_are_foreign (self->n_undefined, self->n_undefined + self->n_defined))
    {
      tt_tau_fail_foreign (self->path, tt_tau_edf_path (tt_tau_ids_edf (self->ids)), self->n_undefined,
                           self->n_undefined + self->n_defined, error);
      return FALSE;
    }

  for (guint i = 0; i < tt_tau_threads_count (self->threads); i++)
    {
      TtTauThread *thread = tt_tau_threads_at (self->threads, i);
      tt_tau_flush_pending (self, thread, G_MAXUINT);
      if (thread->has_spans && !thread->is_closed)
        tt_sink_repair_of (self->sink, thread->process, TT_REPAIR_NO_CLOSE, thread->last_offset);
    }
  tt_tau_peers_finish (self->peers);
  tt_tau_lose_late (self);
  tt_nest_finish (self->nest);
  if (!tt_nest_check (self->nest, error))
    return FALSE;
  return !self->is_strict || tt_tau_check_strict (&self->sink->repairs, self->path, size, error);
}

/* -- strictness ------------------------------------------------------------------------------------------ */

gboolean
tt_tau_check_strict (const TtRepairs *repairs, const char *path, guint record_size, GError **error)
{
  int first = -1;

  for (int kind = 0; kind < TT_N_REPAIRS; kind++)
    if (repairs->count[kind] > 0 && !tt_repair_is_by_rule ((TtRepairKind) kind) &&
        (first < 0 || repairs->first_offset[kind] < repairs->first_offset[first]))
      first = kind;
  if (first < 0)
    return TRUE;

  /* What is wrong there: one record or row, but all of the bytes. */
  guint64 count = first == TT_REPAIR_STRAY_BYTES ? repairs->count[first] : 1;
  guint64 offset = repairs->first_offset[first];
  if (record_size == 0)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %" G_GUINT64_FORMAT ": %s; --strict does not allow it",
                 path, offset, tt_repair_text ((TtRepairKind) first, count));
  else
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                 "%s: record %" G_GUINT64_FORMAT " at byte %" G_GUINT64_FORMAT ": %s; --strict does not allow it", path,
                 offset / record_size, offset, tt_repair_text ((TtRepairKind) first, count));
  return FALSE;
}
