/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/stream-private.h"

#include "src/base/error.h"

#define US 1000
#define UNSET_NODE G_MAXUINT16

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

/* -- records ------------------------------------------------------------------------------------------ */

static gboolean
fail_at (const TtTauStream *self, guint64 offset, GError **error, const char *reason)
{
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: record %" G_GUINT64_FORMAT " at byte %" G_GUINT64_FORMAT ": %s",
               self->path, offset / tt_tau_record_size (self->layout), offset, reason);
  return FALSE;
}

static gboolean
consume_undefined (TtTauStream *self, const TtTauEventRecord *record, GError **error)
{
  if (!self->is_strict)
    {
      tt_sink_repair (self->sink, TT_REPAIR_UNKNOWN_ID, record->offset);
      return TRUE;
    }
  g_autofree char *reason = g_strdup_printf ("event id %" G_GINT64_FORMAT " is not in '%s'", record->fields.event,
                                             tt_tau_edf_path (tt_tau_ids_edf (self->ids)));
  return fail_at (self, record->offset, error, reason);
}

/* @layout is a constant of each caller, so that each layout has its own loop. */
static inline __attribute__ ((always_inline)) gboolean
feed (TtTauStream *self, const guint8 *bytes, guint64 n, const TtTauLayout layout, GError **error)
{
  const guint size = tt_tau_record_size (layout);
  TtTauThread *thread = NULL;

  for (guint64 i = 0; i < n; i++, bytes += size)
    {
      TtTauEventRecord record = { .fields = tt_tau_decode (bytes, layout), .offset = self->offset + i * size };
      const TtTauRecord *fields = &record.fields;

      if (G_UNLIKELY (fields->ti > G_MAXINT64 / US))
        return fail_at (self, record.offset, error, "the time is too large to be microseconds");
      record.ts_ns = (gint64) fields->ti * US;
      record.event = *tt_tau_ids_find (self->ids, fields->event);
      if (G_UNLIKELY (record.event.kind == TT_TAU_NOT_DEFINED))
        {
          if (!consume_undefined (self, &record, error))
            return FALSE;
          continue;
        }
      self->n_defined++;

      if (thread == NULL || thread->key != ((guint32) fields->nid << 16 | fields->tid))
        thread = tt_tau_threads_find (self->threads, fields->nid, fields->tid);
      if (G_UNLIKELY (fields->nid == UNSET_NODE))
        tt_sink_repair (self->sink, TT_REPAIR_UNSET_NODE, record.offset);
      thread->last_offset = record.offset;

      if (G_UNLIKELY (record.event.kind != TT_TAU_STATE))
        tt_tau_consume_rare (self, thread, &record);
      else if (G_UNLIKELY (fields->par != 1 && fields->par != -1))
        {
          tt_tau_flush_pending (self, thread, G_MAXUINT);
          tt_sink_repair (self->sink, TT_REPAIR_BAD_PARAMETER, record.offset);
          thread->takes_metrics = FALSE;
        }
      else
        {
          if (G_UNLIKELY (thread->pending != 0))
            tt_tau_flush_pending (self, thread, G_MAXUINT);
          tt_tau_enter_or_leave (self, thread, fields->par == 1, record.event.value, record.ts_ns, record.offset);
          thread->last_ti = fields->ti;
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

  if (!feeds[self->layout](self, bytes, len / size, error))
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
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                   "%s: not a TAU trace, or '%s' is not its definitions: none of its %" G_GUINT64_FORMAT
                   " event ids is defined there",
                   self->path, tt_tau_edf_path (tt_tau_ids_edf (self->ids)), self->offset / size);
      return FALSE;
    }

  for (guint i = 0; i < tt_tau_threads_count (self->threads); i++)
    {
      TtTauThread *thread = tt_tau_threads_at (self->threads, i);
      tt_tau_flush_pending (self, thread, G_MAXUINT);
      if (thread->has_spans && !thread->is_closed)
        tt_sink_repair (self->sink, TT_REPAIR_NO_CLOSE, thread->last_offset);
    }
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
    if (repairs->count[kind] > 0 && (first < 0 || repairs->first_offset[kind] < repairs->first_offset[first]))
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
