/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2-export/lanes.h"

/* Locations of one thread. What would need more stays in the last, and tells its times. */
#define MOST_LANES 1000u

typedef struct
{
  gint64 last; /* time */
  guint32 location;
} Lane;

typedef struct
{
  GArray *lanes; /* of Lane; NULL: nothing yet */
  guint current;
  guint64 n_open; /* spans */
} Thread;

struct _TtOtf2ExportLanes
{
  Thread *threads; /* by id */
  guint32 n_threads;
  GArray *further; /* of guint32, threads of further locations */
};

TtOtf2ExportLanes *
tt_otf2_export_lanes_new (guint32 n_threads)
{
  TtOtf2ExportLanes *self = g_new0 (TtOtf2ExportLanes, 1);

  self->n_threads = n_threads;
  self->threads = g_new0 (Thread, (gsize) n_threads + 1);
  self->further = g_array_new (FALSE, FALSE, sizeof (guint32));
  return self;
}

void
tt_otf2_export_lanes_free (TtOtf2ExportLanes *self)
{
  if (self == NULL)
    return;
  for (guint32 i = 0; i <= self->n_threads; i++)
    g_clear_pointer (&self->threads[i].lanes, g_array_unref);
  g_free (self->threads);
  g_array_unref (self->further);
  g_free (self);
}

static void
add_lane (TtOtf2ExportLanes *self, Thread *thread, const TtRecordExportItem *item)
{
  Lane lane = { .last = item->time, .location = item->thread };

  if (thread->lanes == NULL)
    thread->lanes = g_array_new (FALSE, FALSE, sizeof (Lane));
  else
    {
      g_array_append_val (self->further, item->thread);
      lane.location = self->n_threads + self->further->len;
    }
  g_array_append_val (thread->lanes, lane);
  thread->current = thread->lanes->len - 1;
}

/* One whose last record is no later than @item, which is not in the current one's order. */
static void
change_lane (TtOtf2ExportLanes *self, Thread *thread, const TtRecordExportItem *item)
{
  for (guint i = 0; i < thread->lanes->len; i++)
    if (g_array_index (thread->lanes, Lane, i).last <= item->time)
      {
        thread->current = i;
        return;
      }
  if (thread->lanes->len < MOST_LANES)
    add_lane (self, thread, item);
}

guint32
tt_otf2_export_lanes_take (TtOtf2ExportLanes *self, const TtRecordExportItem *item)
{
  Thread *thread = &self->threads[item->thread];

  if (thread->lanes == NULL)
    add_lane (self, thread, item);
  else if (thread->n_open == 0 && item->kind != TT_RECORD_EXPORT_FLOW && item->kind != TT_RECORD_EXPORT_METRIC &&
           item->time < g_array_index (thread->lanes, Lane, thread->current).last)
    change_lane (self, thread, item);
  Lane *lane = &g_array_index (thread->lanes, Lane, thread->current);
  lane->last = MAX (lane->last, item->time);
  if (item->kind == TT_RECORD_EXPORT_ENTER)
    thread->n_open++;
  else if (item->kind == TT_RECORD_EXPORT_LEAVE && thread->n_open > 0)
    thread->n_open--;
  return lane->location;
}

guint32
tt_otf2_export_lanes_count (const TtOtf2ExportLanes *self)
{
  return self->n_threads + self->further->len;
}

guint32
tt_otf2_export_lanes_thread (const TtOtf2ExportLanes *self, guint32 location)
{
  return g_array_index (self->further, guint32, location - self->n_threads - 1);
}
