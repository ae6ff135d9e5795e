/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/private.h"

/* Points of flows become rows when their source ends, so that the rows of a source stay together; and so do activities,
 * whose launches the flows tell. */

typedef struct
{
  TtStoreImport *import;
  TtBatch *rows; /* NULL: none yet */
} Writer;

static gboolean
find_event (guint32 owner, gpointer event, gpointer data)
{
  Writer *writer = data;

  *(guint64 *) event = tt_owners_event (writer->import->owners, owner);
  return *(guint64 *) event != 0;
}

static gboolean
insert_rows (Writer *writer, GError **error)
{
  gboolean done = tt_store_import_insert (writer->import, TT_INSERT_FLOWS, writer->rows, error);

  tt_batch_clear (writer->rows);
  return done;
}

static gboolean
on_pair (const TtFlowPoint *from, const TtFlowPoint *to, gpointer data, GError **error)
{
  Writer *writer = data;

  if (writer->rows == NULL)
    writer->rows = tt_batch_new ();
  TtFlowColumns *flows = &writer->rows->flows;
  guint i = flows->n++;
  flows->from_event[i] = *(const guint64 *) tt_flow_point_span (from);
  flows->to_event[i] = *(const guint64 *) tt_flow_point_span (to);
  flows->kind[i] = from->kind;
  flows->from_ns[i] = tt_flow_point_ns (from);
  flows->to_ns[i] = tt_flow_point_ns (to);
  tt_activity_join_link (writer->import->activities, flows->from_event[i], flows->to_event[i], from->kind->link);
  return flows->n < TT_BATCH_ROWS || insert_rows (writer, error);
}

static gboolean
insert_activities (TtBatch *batch, gpointer data, GError **error)
{
  return tt_store_import_insert (data, TT_INSERT_ACTIVITIES, batch, error);
}

gboolean
tt_store_import_join_flows (TtStoreImport *self, GError **error)
{
  Writer writer = { self, NULL };
  gboolean done = tt_flow_join_finish (self->flows, find_event, on_pair, &writer, &self->repairs, error) &&
                  tt_owners_check (self->owners, error) && (writer.rows == NULL || insert_rows (&writer, error));

  if (done && tt_activity_join_has_rows (self->activities))
    {
      if (writer.rows == NULL)
        writer.rows = tt_batch_new ();
      done = tt_activity_join_finish (self->activities, writer.rows, insert_activities, self, error);
    }
  tt_batch_free (writer.rows);
  return done;
}
