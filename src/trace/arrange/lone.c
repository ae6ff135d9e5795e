/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/arrange/private.h"
#include "src/trace/told-times.h"

/* Records that begin or end far from all others of their source: a flipped bit, or a time that was never set. */

static guint64
distance (gint64 from_ns, gint64 to_ns)
{
  return (guint64) to_ns - (guint64) from_ns;
}

/* Nothing says that it did not come last, or first. */
static gboolean
is_in_order (const ArrangeLone *self, const ArrangeRecord *record, gint64 ts_ns)
{
  return ts_ns < self->first_ns ? record->number <= self->first_number : record->number >= self->last_number;
}

static gboolean
begins_far (const ArrangeLone *self, const ArrangeRecord *record, gint64 ts_ns)
{
  if (G_LIKELY (ts_ns >= self->first_ns && ts_ns <= self->last_ns))
    return FALSE;
  if (self->spikes != NULL)
    return arrange_spikes_has_begin (self->spikes, ts_ns);
  if (!is_in_order (self, record, ts_ns))
    return TRUE;
  guint64 far = ts_ns < self->first_ns ? distance (ts_ns, self->first_ns) : distance (self->last_ns, ts_ns);
  return far > self->patience_ns;
}

/* Spans around others may last long; no span outlasts the one that it is in. */
static gboolean
ends_far (const ArrangeLone *self, gint64 ts_ns, gint64 end_ns)
{
  if (G_LIKELY (end_ns <= self->last_ns))
    return FALSE;
  gboolean is_crossing = self->has_open && self->open_until > ts_ns;
  if (self->spikes != NULL)
    return arrange_spikes_has_end (self->spikes, end_ns, is_crossing);
  return is_crossing || distance (self->last_ns, end_ns) > self->patience_ns;
}

void
arrange_lone_begin_line (ArrangeLone *self, guint32 process, guint64 first_number, guint64 last_number)
{
  self->process = process;
  self->first_number = first_number;
  self->last_number = last_number;
  self->has_open = self->has_fed = FALSE;
}

/* Records that stay are between those that move: none goes back behind the one before. */
static void
move (ArrangeLone *self, ArrangeRecord *record, gint64 ts_ns)
{
  static const guint32 codes[] = {
    [ARRANGE_SPAN] = ARRANGE_CODE_EMPTY,
    [ARRANGE_INSTANT] = ARRANGE_CODE_INSTANT,
    [ARRANGE_FLOW] = ARRANGE_CODE_FLOW,
  };
  gint64 to_ns = ts_ns < self->first_ns ? self->first_ns : self->last_ns;

  if (self->has_fed)
    to_ns = MAX (to_ns, self->fed_ns);
  arrange_set_key (record, arrange_line (record), to_ns, codes[arrange_kind (record)]);
}

static void
note_fed (ArrangeLone *self, const ArrangeRecord *record)
{
  self->fed_ns = arrange_ts (record);
  self->has_fed = TRUE;
}

/* The end of an arrow has nothing to mark. */
static gboolean
mend_flow (ArrangeLone *self, TtSink *sink, ArrangeRecord *record, gboolean is_far)
{
  if (is_far)
    {
      move (self, record, arrange_ts (record));
      tt_sink_repair_of (sink, self->process, TT_REPAIR_LONE_TIME, record->offset);
    }
  note_fed (self, record);
  return is_far;
}

gboolean
arrange_lone_mend (ArrangeLone *self, TtSink *sink, ArrangeRecord *record)
{
  gint64 ts_ns = arrange_ts (record);
  gboolean is_span = arrange_kind (record) == ARRANGE_SPAN;
  gint64 end_ns = is_span ? ts_ns + record->dur_ns : ts_ns;

  gboolean is_begin = begins_far (self, record, ts_ns) || (self->has_fed && ts_ns < self->fed_ns);
  if (arrange_kind (record) == ARRANGE_FLOW)
    return mend_flow (self, sink, record, is_begin);
  if (!is_begin && !(is_span && ends_far (self, ts_ns, end_ns)))
    {
      self->open_until = self->has_open ? MAX (self->open_until, end_ns) : end_ns;
      self->has_open = TRUE;
      note_fed (self, record);
      return FALSE;
    }
  const TtToldTimes told = { .ts_ns = is_begin ? ts_ns : TT_NO_TIME,
                             .dur_ns = is_span ? record->dur_ns : TT_NO_TIME,
                             .longest_ns = is_begin ? TT_NO_TIME : self->last_ns - ts_ns };
  record->args = tt_told_times_keep (&told, sink, record->args);
  record->dur_ns = 0;
  record->flags_kind |= is_span ? TT_FLAGS_BOUNDED : TT_FLAG_INFERRED;
  if (is_begin)
    move (self, record, ts_ns);
  note_fed (self, record);
  tt_sink_repair_of (sink, self->process, is_begin ? TT_REPAIR_LONE_TIME : TT_REPAIR_LONE_END, record->offset);
  return TRUE;
}
