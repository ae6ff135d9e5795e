/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is done with a record that cannot be as it stands: skipped, its time moved between its neighbours', or records
 * found again behind it.
 */
#include "config.h"

#include "formats/tau/damage.h"
#include "formats/tau/stream-private.h"
#include "src/base/error.h"

#define US 1000
#define MS ((guint64) 1000)
#define DAY (86400000 * MS)
/* How far a lone time may be off, if it is less than its neighbours are apart. One-sided messages are told with times of
 * others. */
#define SLACK (1 * MS)
#define SLACK_ONESIDED (3600000 * MS)
/* Without a neighbour on one side. */
#define SLACK_ALONE (30 * DAY)
/* Of undefined ids in a row each of so many is asked whether its bytes are those of others. */
#define UNDEFINED_IN_A_ROW 16u
/* Records in which the next one of a thread is looked for. */
#define NEAR 256u

typedef struct
{
  guint64 before, after;
  gboolean has_before, has_after;
} Neighbours;

/* Records of whatever thread are missing here. */
static void
lose_records (TtTauStream *self)
{
  tt_nest_hole (self->nest);
  if (self->has_hole)
    return;
  self->has_hole = TRUE;
  self->n_before_hole = tt_tau_threads_count (self->threads);
  for (guint i = 0; i < self->n_before_hole; i++)
    {
      const TtTauThread *thread = tt_tau_threads_at (self->threads, i);

      tt_sink_lose_order (self->sink, thread->process, thread->thread, (gint64) thread->clock_ti * US);
    }
}

void
tt_tau_lose_late (TtTauStream *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);

  for (guint i = 0; self->has_hole && i < tt_tau_threads_count (self->threads); i++)
    {
      const TtTauThread *thread = tt_tau_threads_at (self->threads, i);

      if (g_hash_table_add (known, GUINT_TO_POINTER (thread->process)) && i >= self->n_before_hole)
        tt_sink_lose_order (self->sink, thread->process, thread->thread, G_MININT64);
    }
}

/* Skips what lies before the next place with records, at byte @from or behind it. */
static gsize
skip_to_records (TtTauStream *self, const TtTauWindow *window, guint64 offset, gsize from)
{
  const guint size = tt_tau_record_size (window->layout);
  gsize found = tt_tau_find_records (window, from, 1);
  gsize start = from / size * size;

  lose_records (self);

  /* The end of what is in memory is not the end of the file. */
  if (found == window->len && !self->is_end && found > TT_TAU_AHEAD / 2)
    found = (found - TT_TAU_AHEAD / 2) / size * size;
  if (found >= window->len || found % size == 0)
    tt_repairs_add_many (&self->sink->repairs, TT_REPAIR_DAMAGED_RECORD, offset + start,
                         MAX (1, (MIN (found, window->len) - start) / size));
  else
    tt_sink_repair (self->sink, TT_REPAIR_SHIFTED_RECORDS, offset + start);
  return MAX (found, 1);
}

static gsize
skip_zeros (TtTauStream *self, const TtTauWindow *window, guint64 offset, gsize n)
{
  const gsize behind = n * tt_tau_record_size (window->layout);

  tt_repairs_add_many (&self->sink->repairs, TT_REPAIR_ZERO_RECORD, offset, n);
  lose_records (self);
  if (behind + tt_tau_record_size (window->layout) > window->len)
    return behind;
  /* A hole may begin and end within records. */
  gboolean is_cut = tt_tau_decode (window->bytes + behind, window->layout).event == 0;
  if (!is_cut && tt_tau_find_records (window, behind, window->len) == behind)
    return behind;
  return skip_to_records (self, window, offset, behind + (is_cut ? 1 : 0));
}

static gsize
skip_undefined (TtTauStream *self, const TtTauWindow *window, const TtTauEventRecord *record)
{
  const guint size = tt_tau_record_size (window->layout);

  if (!tt_tau_can_be_time (window, record->fields.ti))
    return skip_to_records (self, window, record->offset, 1);
  gsize shift = self->n_undefined_in_a_row++ % UNDEFINED_IN_A_ROW == 0 ? tt_tau_find_shift (window, 0) : 0;
  if (shift != 0)
    {
      tt_sink_repair (self->sink, TT_REPAIR_SHIFTED_RECORDS, record->offset);
      lose_records (self);
      return shift;
    }
  self->n_undefined++;
  tt_sink_repair (self->sink, TT_REPAIR_UNKNOWN_ID, record->offset);
  return size;
}

static gboolean
is_onesided (const TtTauEventRecord *record)
{
  switch ((TtTauKind) record->event.kind)
    {
    case TT_TAU_ONESIDED_SEND:
    case TT_TAU_ONESIDED_RECV:
    case TT_TAU_ONESIDED:
    case TT_TAU_ONESIDED_ID1:
    case TT_TAU_ONESIDED_ID2:
      return TRUE;
    default:
      return FALSE;
    }
}

/* The record behind, if it can be one. */
static gboolean
get_next (const TtTauWindow *window, TtTauRecord *next)
{
  const guint size = tt_tau_record_size (window->layout);

  if (window->len < 2 * (gsize) size)
    return FALSE;
  *next = tt_tau_decode (window->bytes + size, window->layout);
  return tt_tau_can_be_time (window, next->ti) && tt_tau_edf_has (window->edf, next->event);
}

/* In the order of the records before and behind, which is that of each thread and of merged files. */
static gboolean
is_in_order (const TtTauStream *self, const TtTauRecord *fields, const TtTauWindow *window)
{
  TtTauRecord next;

  return self->last_ti != 0 && fields->ti >= self->last_ti && get_next (window, &next) && next.ti >= fields->ti;
}

/* The only record of a thread that did not begin as threads do: its node or thread is damaged, or it is none. */
static gboolean
is_stray (const TtTauStream *self, const TtTauEventRecord *record, const TtTauWindow *window)
{
  const guint size = tt_tau_record_size (window->layout);
  const TtTauWindow near = { window->bytes, MIN (window->len, (gsize) size * NEAR), window->layout, window->edf,
                             window->usual_ti };
  guint64 ti;

  return !self->has_threads_without_init && self->last_ti != 0 && record->event.kind != TT_TAU_INIT &&
         !is_onesided (record) && !tt_tau_next_time (&near, record->fields.nid, record->fields.tid, &ti);
}

/* It is of the thread before, if that of the record behind is the same. FALSE: that is not known. */
static gboolean
mend_thread (TtTauStream *self, TtTauEventRecord *record, const TtTauWindow *window)
{
  const guint size = tt_tau_record_size (window->layout);
  TtTauRecord next;
  gboolean is_last = self->is_end && window->len < 2 * (gsize) size;

  if (!tt_tau_can_be_time (window, record->fields.ti) ||
      (!is_last && (!get_next (window, &next) || ((guint32) next.nid << 16 | next.tid) != self->last_key)))
    return FALSE;
  record->fields.nid = (guint16) (self->last_key >> 16);
  record->fields.tid = (guint16) self->last_key;
  tt_sink_repair (self->sink, TT_REPAIR_STRAY_THREAD, record->offset);
  return TRUE;
}

/* The times that bound that of a record: those of its thread, or where these are not near, of the file. */
static Neighbours
find_neighbours (const TtTauStream *self,
                 const TtTauThread *thread,
                 const TtTauRecord *fields,
                 const TtTauWindow *window)
{
  const guint size = tt_tau_record_size (window->layout);
  const TtTauWindow near = { window->bytes, MIN (window->len, (gsize) size * NEAR), window->layout, window->edf,
                             window->usual_ti };
  Neighbours result = { .before = thread == NULL ? 0 : thread->clock_ti, .has_before = thread != NULL };

  result.has_after = tt_tau_next_time (&near, fields->nid, fields->tid, &result.after);
  TtTauRecord next;
  /* Merged traces are in the order of time. */
  if (!result.has_after && self->last_ti != 0 && get_next (window, &next) && next.ti >= self->last_ti)
    result = (Neighbours){ .before = MAX (result.before, self->last_ti),
                           .after = next.ti,
                           .has_before = TRUE,
                           .has_after = next.ti >= MAX (result.before, self->last_ti) };
  return result;
}

static gboolean
is_outlier (const TtTauEventRecord *record, const Neighbours *near)
{
  guint64 ti = record->fields.ti;

  if (near->has_before && near->has_after)
    {
      if (near->before > near->after || (ti >= near->before && ti <= near->after))
        return FALSE;
      guint64 off = ti > near->after ? ti - near->after : near->before - ti;
      return off > MAX (is_onesided (record) ? SLACK_ONESIDED : SLACK, near->after - near->before);
    }
  if (near->has_before)
    return ti > near->before ? ti - near->before > SLACK_ALONE : near->before - ti > SLACK_ALONE;
  return near->has_after && (ti > near->after ? ti - near->after > SLACK_ALONE : near->after - ti > SLACK_ALONE);
}

static guint64
between (const Neighbours *near)
{
  if (!near->has_after || (near->has_before && near->after < near->before))
    return near->before;
  return near->has_before ? near->before + (near->after - near->before) / 2 : near->after;
}

static gssize
refuse_undefined (const TtTauStream *self, const TtTauEventRecord *record, GError **error)
{
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
               "%s: record %" G_GUINT64_FORMAT " at byte %" G_GUINT64_FORMAT ": event id %" G_GINT64_FORMAT
               " is not in '%s'",
               self->path, record->offset / tt_tau_record_size (self->layout), record->offset, record->fields.event,
               tt_tau_edf_path (tt_tau_ids_edf (self->ids)));
  return -1;
}

gssize
tt_tau_examine (TtTauStream *self,
                const TtTauThread *thread,
                TtTauEventRecord *record,
                const guint8 *bytes,
                gsize len,
                GError **error)
{
  const TtTauWindow window = { bytes, len, self->layout, tt_tau_ids_edf (self->ids), self->usual_ti };
  const gsize n_zeros = tt_tau_count_zeros (&window);
  TtTauRecord *fields = &record->fields;

  if (n_zeros > 0)
    return (gssize) skip_zeros (self, &window, record->offset, n_zeros);
  if (record->event.kind == TT_TAU_NOT_DEFINED)
    {
      if (self->is_strict)
        return refuse_undefined (self, record, error);
      return (gssize) skip_undefined (self, &window, record);
    }
  self->n_undefined_in_a_row = 0;
  if (thread == NULL && is_stray (self, record, &window))
    {
      if (!mend_thread (self, record, &window))
        return (gssize) skip_to_records (self, &window, record->offset, 1);
      thread = tt_tau_threads_get (self->threads, fields->nid, fields->tid);
    }
  if (thread != NULL && is_in_order (self, fields, &window))
    return 0;
  /* A metric has the time of the enter or leave that it belongs to, which a flush may part it from. */
  if (thread != NULL && thread->takes_metrics && record->event.kind == TT_TAU_METRIC && fields->ti == thread->last_ti)
    return 0;

  Neighbours near = find_neighbours (self, thread, fields, &window);
  if (tt_tau_can_be_time (&window, fields->ti) && !is_outlier (record, &near))
    return 0;
  const guint size = tt_tau_record_size (self->layout);
  gboolean is_lone = tt_tau_find_records (&window, size, window.len) == size || len < 2 * (gsize) size;
  if (!is_lone || !(near.has_before || near.has_after))
    return (gssize) skip_to_records (self, &window, record->offset, 1);
  fields->ti = between (&near);
  if (thread != NULL)
    tt_sink_repair_of (self->sink, thread->process, TT_REPAIR_TIME_OUTLIER, record->offset);
  else
    tt_sink_repair (self->sink, TT_REPAIR_TIME_OUTLIER, record->offset);
  return 0;
}
