/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/trace/row-sink.h"

static TtBatch *
collect (TtSinkBack *back, TtBatch *batch, GError **error)
{
  RowSink *self = (RowSink *) back;
  const TtEventColumns *e = &batch->events;

  for (guint i = 0; i < e->n; i++)
    {
      Row row = { e->thread[i], e->name[i],   e->depth[i],   e->flags[i], e->step[i],
                  e->ts_ns[i],  e->dur_ns[i], e->self_ns[i], e->args[i] };
      g_array_append_val (self->rows, row);
    }
  for (guint i = 0; i < batch->points.n; i++)
    {
      const TtFlowPointColumns *p = &batch->points;
      PointRow row = { p->key[i], p->kind[i]->text, p->phase[i], p->ts_ns[i], p->owner[i] };
      g_array_append_val (self->points, row);
    }
  for (guint i = 0; i < batch->halves.n; i++)
    {
      HalfRow row = { batch->halves.tag[i], batch->halves.owner[i] };
      g_array_append_val (self->halves, row);
    }
  for (guint i = 0; i < batch->merges.n; i++)
    {
      guint64 merge[2] = { batch->merges.args[i], batch->merges.more[i] };
      g_array_append_val (self->merges, merge);
    }
  for (guint i = 0; i < batch->owners.n; i++)
    {
      if (batch->owners.owner[i] >= self->owners->len)
        g_array_set_size (self->owners, batch->owners.owner[i] + 1);
      g_array_index (self->owners, guint64, batch->owners.owner[i]) = batch->owners.event[i];
    }
  tt_batch_clear (batch);
  return batch;
}

static void
dispose (TtSinkBack *back)
{
  RowSink *self = (RowSink *) back;

  g_array_unref (self->rows);
  g_array_unref (self->points);
  g_array_unref (self->halves);
  g_array_unref (self->merges);
  g_array_unref (self->owners);
}

static const TtSinkBackClass row_class = { .name = "rows", .write = collect, .dispose = dispose };

RowSink *
row_sink_new (void)
{
  RowSink *self = g_new0 (RowSink, 1);

  self->back.klass = &row_class;
  self->sink = tt_sink_new (&self->back, tt_names_new (tt_name_rules_load (NULL, NULL)));
  self->rows = g_array_new (FALSE, TRUE, sizeof (Row));
  self->points = g_array_new (FALSE, TRUE, sizeof (PointRow));
  self->halves = g_array_new (FALSE, TRUE, sizeof (HalfRow));
  self->merges = g_array_new (FALSE, TRUE, 2 * sizeof (guint64));
  self->owners = g_array_new (FALSE, TRUE, sizeof (guint64));
  return self;
}

Row *
row_at (RowSink *sink, guint i)
{
  return &g_array_index (sink->rows, Row, i);
}
