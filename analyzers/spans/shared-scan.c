/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/spans/shared-scan.h"

#include "src/base/error.h"
#include "src/trace/span.h"

void
tt_shared_scan_init (TtSharedScan *self, TtStore *store, const TtCrew *crew, gboolean can_cut)
{
  *self = (TtSharedScan){ .store = store, .crew = crew, .max_thread = tt_store_max_thread (store) };
  if (crew == NULL)
    return;
  self->is_cut = can_cut && tt_event_shares_are_uneven (store, crew->n);
  self->is_shared = self->is_cut || tt_event_shares_count (store, crew->n) > 1;
  if (self->is_cut)
    {
      tt_event_share_cut (store, crew->n, crew->rank, &self->part);
      self->lanes = g_new0 (TtLane, (gsize) self->max_thread + 1);
      self->first_lanes = g_new0 (TtLane, (gsize) self->max_thread + 1);
    }
  else if (self->is_shared)
    tt_event_share (store, crew->n, crew->rank, &self->part.first, &self->part.last);
}

void
tt_shared_scan_clear (TtSharedScan *self)
{
  g_clear_pointer (&self->lanes, g_free);
  g_clear_pointer (&self->first_lanes, g_free);
}

void
tt_shared_scan_owners (const TtSharedScan *self, TtEventOwners *owners)
{
  if (self->is_cut)
    tt_event_owners_init_cut (owners, self->store, self->crew->n);
  else
    tt_event_owners_init (owners, self->store, self->crew->n);
}

/* -- one part ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  TtSharedScan *scan;
  TtEventFunc func;
  gpointer data;
} Reading;

/* The order of ends of a thread tells what is around what as long as its source has one stack. */
static void
look_at_lane (TtSharedScan *self, const TtEvent *event)
{
  TtLane *lane = &self->lanes[event->thread];
  const guint32 source = lane->source;

  self->is_odd |= (event->flags & (TT_FLAG_OVERLAP | TT_FLAG_ASYNC)) != 0;
  self->is_odd |=
      tt_lane_begins (lane, event->source, tt_span_end (event->ts_ns, event->dur_ns)) && source == event->source;
  if (!self->is_around && self->first_lanes[event->thread].source == 0)
    self->first_lanes[event->thread] = *lane;
}

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  Reading *self = data;

  if (event->dur_ns != TT_NO_TIME && event->thread <= self->scan->max_thread)
    look_at_lane (self->scan, event);
  return self->func (event, self->data, error);
}

static gboolean
read_around (TtSharedScan *self, Reading *reading, GError **error)
{
  const TtEventCut *cut = &self->part;
  g_autoptr (GArray) around =
      tt_store_events_around (self->store, MAX (cut->first, cut->source_first), cut->last + 1, cut->source_last, error);
  TtEventPart part = TT_EVENT_PART_ALL;
  gboolean is_ok = around != NULL;

  part.flags = TT_SCAN_REVERSE;
  self->is_around = TRUE;
  for (guint i = 0; is_ok && i < around->len; i++)
    {
      part.first = g_array_index (around, TtEventIds, i).first;
      part.last = g_array_index (around, TtEventIds, i).last;
      is_ok = tt_each_event_of (self->store, &part, take_event, reading, error);
    }
  self->is_around = FALSE;
  return is_ok;
}

gboolean
tt_shared_scan_run (TtSharedScan *self, gint64 begin_ns, gint64 end_ns, TtEventFunc func, gpointer data, GError **error)
{
  const TtEventPart part = { TT_SCAN_REVERSE, begin_ns, end_ns, self->part.first, self->part.last };
  Reading reading = { self, func, data };
  GError *failure = NULL;

  if (part.first > part.last)
    return TRUE;
  if (!self->is_cut)
    return tt_each_event_of (self->store, &part, func, data, error);
  if ((self->part.last < self->part.source_last && !read_around (self, &reading, &failure)) ||
      !tt_each_event_of (self->store, &part, take_event, &reading, &failure))
    {
      self->is_odd = TRUE;
      if (g_error_matches (failure, TT_ERROR, TT_ERROR_CANCELLED))
        {
          g_propagate_error (error, failure);
          return FALSE;
        }
      g_clear_error (&failure);
    }
  return TRUE;
}

/* -- all of them ---------------------------------------------------------------------------------------------------- */

void
tt_shared_scan_pack (const TtSharedScan *self, GByteArray *bytes)
{
  guint n = 0;

  tt_pack_number (bytes, self->is_odd != FALSE);
  for (guint64 i = 0; self->is_cut && i <= self->max_thread; i++)
    n += self->first_lanes[i].source != 0;
  tt_pack_number (bytes, n);
  for (guint64 i = 0; self->is_cut && i <= self->max_thread; i++)
    if (self->first_lanes[i].source != 0)
      {
        tt_pack_number (bytes, i);
        tt_pack_number (bytes, self->first_lanes[i].source);
        tt_pack_signed (bytes, self->first_lanes[i].end_ns);
        tt_pack_number (bytes, self->lanes[i].source);
        tt_pack_signed (bytes, self->lanes[i].end_ns);
      }
}

void
tt_shared_parts_init (TtSharedParts *self, guint32 max_thread)
{
  *self = (TtSharedParts){ .lanes = g_new0 (TtLane, (gsize) max_thread + 1), .max_thread = max_thread };
}

void
tt_shared_parts_clear (TtSharedParts *self)
{
  g_clear_pointer (&self->lanes, g_free);
}

void
tt_shared_parts_take (TtSharedParts *self, TtUnpack *from)
{
  self->is_odd |= tt_unpack_below (from, 1) != 0;
  const guint64 n = tt_unpack_below (from, (guint64) self->max_thread + 1);

  for (guint64 i = 0; i < n && !from->is_bad; i++)
    {
      TtLane *lane = &self->lanes[tt_unpack_below (from, self->max_thread)];
      const guint32 before = lane->source, source = (guint32) tt_unpack_below (from, G_MAXUINT32);
      const gboolean begins = tt_lane_begins (lane, source, tt_unpack_signed (from));

      self->is_odd |= begins && before == source;
      lane->source = (guint32) tt_unpack_below (from, G_MAXUINT32);
      lane->end_ns = tt_unpack_signed (from);
    }
}

gboolean
tt_shared_scan_join (TtSharedScan *self, TtSharedPartFunc func, gpointer data, gboolean *is_odd, GError **error)
{
  g_auto (TtSharedParts) parts = { NULL };
  g_autoptr (GByteArray) own = g_byte_array_new ();

  tt_shared_parts_init (&parts, self->max_thread);
  tt_shared_scan_pack (self, own);
  TtUnpack from_own = tt_unpack_all (own);
  tt_shared_parts_take (&parts, &from_own);
  for (guint rank = 1; rank < self->crew->n; rank++)
    {
      g_autoptr (GByteArray) bytes = self->crew->take (rank, error);

      if (bytes == NULL)
        return FALSE;
      TtUnpack from = tt_unpack_all (bytes);
      tt_shared_parts_take (&parts, &from);
      if (!parts.is_odd)
        parts.is_odd |= !func (&from, data);
      if (from.is_bad)
        return tt_crew_refuse (rank, error);
    }
  *is_odd = parts.is_odd;
  return TRUE;
}
