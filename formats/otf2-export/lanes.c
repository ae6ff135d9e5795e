/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2-export/lanes.h"

/* Locations of one thread. What would need more stays in the last, and tells its times. */
#define MOST_LANES 1000u

typedef struct
{
  guint32 location; /* the last of its locations; 0: nothing yet */
  guint n_lanes;
  gint64 last;    /* time */
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
  g_free (self->threads);
  g_array_unref (self->further);
  g_free (self);
}

guint32
tt_otf2_export_lanes_take (TtOtf2ExportLanes *self, const TtRecordExportItem *item)
{
  Thread *thread = &self->threads[item->thread];
  gboolean steps_back = thread->n_open == 0 && item->kind != TT_RECORD_EXPORT_FLOW &&
                        item->kind != TT_RECORD_EXPORT_METRIC && item->time < thread->last;

  if (thread->n_lanes == 0 || (steps_back && thread->n_lanes < MOST_LANES))
    {
      if (thread->n_lanes > 0)
        g_array_append_val (self->further, item->thread);
      thread->location = thread->n_lanes == 0 ? item->thread : self->n_threads + self->further->len;
      thread->last = item->time;
      thread->n_lanes++;
    }
  thread->last = MAX (thread->last, item->time);
  if (item->kind == TT_RECORD_EXPORT_ENTER)
    thread->n_open++;
  else if (item->kind == TT_RECORD_EXPORT_LEAVE && thread->n_open > 0)
    thread->n_open--;
  return thread->location;
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
