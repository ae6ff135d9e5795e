/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/activity.h"

#include "src/base/progress.h"
#include "src/base/sorter.h"
#include "src/store/import/join.h"

#define SORT_BYTES ((gsize) 8 << 20)
#define CHECK_EVERY 65536u

typedef struct
{
  guint64 event, correlation, waits_for;
  guint32 queue, waits_on;
  guint8 role, blocks;
} Row;

typedef struct
{
  guint64 to_event, number; /* the sort key; the number counts links */
  guint64 from_event;
  guint32 link;
} Link;

struct _TtActivityJoin
{
  TtSpool *rows;   /* of Row; NULL: none yet */
  TtSorter *links; /* of Link; NULL: none yet */
};

typedef struct
{
  TtSorter *links;
  const Link *link; /* the next; NULL: there are no more */
  TtBatch *batch;
  TtActivityWrite write;
  gpointer data;
} Merge;

TtActivityJoin *
tt_activity_join_new (void)
{
  return g_new0 (TtActivityJoin, 1);
}

void
tt_activity_join_free (TtActivityJoin *self)
{
  if (self == NULL)
    return;
  tt_spool_free (self->rows);
  tt_sorter_free (self->links);
  g_free (self);
}

void
tt_activity_join_add (TtActivityJoin *self, const TtActivityColumns *activities)
{
  if (activities->n > 0 && self->rows == NULL)
    self->rows = tt_spool_new (sizeof (Row));
  for (guint i = 0; i < activities->n; i++)
    {
      const Row row = {
        .event = activities->event[i],
        .correlation = activities->correlation[i],
        .waits_for = activities->waits_for[i],
        .queue = activities->queue[i],
        .waits_on = activities->waits_on[i],
        .role = activities->role[i],
        .blocks = activities->blocks[i],
      };

      tt_spool_add (self->rows, &row);
    }
}

void
tt_activity_join_link (TtActivityJoin *self, guint64 from_event, guint64 to_event, TtLink link)
{
  if ((link != TT_LINK_LAUNCH && link != TT_LINK_AUTOGRAD) || from_event == 0 || to_event == 0)
    return;
  if (self->links == NULL)
    {
      self->links = tt_sorter_new (sizeof (Link), SORT_BYTES);
      tt_sorter_sort_ahead (self->links);
    }
  guint64 number = tt_sorter_count (self->links);
  *(Link *) tt_sorter_add (self->links) =
      (Link){ .to_event = to_event, .number = number, .from_event = from_event, .link = link };
}

/* -- merging ------------------------------------------------------------------------------------------------ */

static gboolean
next_link (Merge *self, GError **error)
{
  g_autoptr (GError) failed = NULL;

  self->link = self->links == NULL ? NULL : tt_sorter_next (self->links, &failed);
  if (failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

static gboolean
write_batch (Merge *self, GError **error)
{
  gboolean done = self->batch->activities.n == 0 || self->write (self->batch, self->data, error);

  tt_batch_clear (self->batch);
  return done;
}

static gboolean
write_row (Merge *self, const Row *row, guint64 launch, GError **error)
{
  TtActivityColumns *activities = &self->batch->activities;
  guint i = activities->n++;

  activities->event[i] = row->event;
  activities->launch[i] = launch;
  activities->correlation[i] = row->correlation;
  activities->waits_for[i] = row->waits_for;
  activities->queue[i] = row->queue;
  activities->waits_on[i] = row->waits_on;
  activities->role[i] = row->role;
  activities->blocks[i] = row->blocks;
  return activities->n < TT_BATCH_ROWS || write_batch (self, error);
}

/* Takes the links to events up to @event, included; *launch: the first that launched it, 0: none did. */
static gboolean
take_links (Merge *self, guint64 event, guint64 *launch, GError **error)
{
  *launch = 0;
  while (self->link != NULL && self->link->to_event <= event)
    {
      const Row backward = { .event = self->link->to_event, .role = TT_ACTIVITY_BACKWARD };

      if (self->link->link == TT_LINK_AUTOGRAD && !write_row (self, &backward, self->link->from_event, error))
        return FALSE;
      if (self->link->link == TT_LINK_LAUNCH && self->link->to_event == event && *launch == 0)
        *launch = self->link->from_event;
      if (!next_link (self, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
merge_rows (Merge *self, TtSpool *rows, GError **error)
{
  guint64 n = rows == NULL ? 0 : tt_spool_count (rows), launch;

  for (guint64 i = 0; i < n; i++)
    {
      Row row;

      tt_spool_get (rows, i, &row);
      if (!take_links (self, row.event, &launch, error) || !write_row (self, &row, launch, error))
        return FALSE;
      if (i % CHECK_EVERY == CHECK_EVERY - 1 && tt_cancelled (error))
        return FALSE;
    }
  return (rows == NULL || tt_spool_check (rows, error)) && take_links (self, G_MAXUINT64, &launch, error) &&
         write_batch (self, error);
}

gboolean
tt_activity_join_has_rows (const TtActivityJoin *self)
{
  return self->rows != NULL || self->links != NULL;
}

gboolean
tt_activity_join_finish (TtActivityJoin *self, TtBatch *batch, TtActivityWrite write, gpointer data, GError **error)
{
  g_autoptr (TtSpool) rows = g_steal_pointer (&self->rows);
  g_autoptr (TtSorter) links = g_steal_pointer (&self->links);
  Merge merge = { .links = links, .batch = batch, .write = write, .data = data };

  return (links == NULL || tt_sorter_finish (links, error)) && next_link (&merge, error) &&
         merge_rows (&merge, rows, error);
}
