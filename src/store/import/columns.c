/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/columns.h"

#include "src/store/args-format.h"
#include "src/store/import/args.h"
#include "src/store/import/bulk-row.h"

#include <string.h>

static const TtRowValue null_value = { .type = TT_ROW_NULL };

static TtRowValue
text_value (const char *text, gsize n_bytes)
{
  return (TtRowValue){ .type = text == NULL ? TT_ROW_NULL : TT_ROW_TEXT, .n_bytes = (guint32) n_bytes, .text = text };
}

static guint
n_events (const TtBatch *batch)
{
  return batch->events.n;
}

static guint64
event_id (const TtBatch *batch, guint row)
{
  return batch->events.first_event + row;
}

static void
event_row (const TtBatch *batch, guint row, TtRowValue *values)
{
  const TtEventColumns *events = &batch->events;
  const gint64 dur_ns = events->dur_ns[row];

  values[1] = tt_row_int (events->thread[row]);
  values[2] = tt_row_int (events->name[row]);
  values[3] = tt_row_int (events->ts_ns[row]);
  values[4] = tt_row_int_or_null (dur_ns, TT_NO_TIME);
  values[5] = dur_ns == TT_NO_TIME ? null_value : tt_row_int (events->self_ns[row]);
  values[6] = tt_row_int ((gint64) events->depth[row] << TT_SCHEMA_SHAPE_BITS | events->flags[row]);
  values[7] = tt_row_int_or_null (events->step[row], TT_NO_STEP);
  values[8] = tt_row_int_or_null ((gint64) events->args[row], 0);
}

#define EVENT_COLUMNS_N 9u

static guint
event_row_bytes (const TtBatch *batch, guint row, guint8 *bytes)
{
  const TtEventColumns *events = &batch->events;
  const gint64 dur_ns = events->dur_ns[row];
  guint8 *type = bytes + 2, *body = bytes + EVENT_COLUMNS_N + 1;

  bytes[0] = EVENT_COLUMNS_N + 1;
  bytes[1] = TT_BULK_NULL;
  body = tt_bulk_put_integer (body, type++, events->thread[row]);
  body = tt_bulk_put_integer (body, type++, events->name[row]);
  body = tt_bulk_put_integer (body, type++, events->ts_ns[row]);
  body = tt_bulk_put_integer_or_null (body, type++, dur_ns, TT_NO_TIME);
  if (dur_ns == TT_NO_TIME)
    *type++ = TT_BULK_NULL;
  else
    body = tt_bulk_put_integer (body, type++, events->self_ns[row]);
  body = tt_bulk_put_integer (body, type++, (gint64) events->depth[row] << TT_SCHEMA_SHAPE_BITS | events->flags[row]);
  body = tt_bulk_put_integer_or_null (body, type++, events->step[row], TT_NO_STEP);
  body = tt_bulk_put_integer_or_null (body, type, (gint64) events->args[row], 0);
  return (guint) (body - bytes);
}

static guint
n_counters (const TtBatch *batch)
{
  return batch->counters.n;
}

static void
counter_row (const TtBatch *batch, guint row, TtRowValue *values)
{
  const TtCounterColumns *counters = &batch->counters;

  values[1] = tt_row_int (counters->series[row]);
  values[2] = tt_row_int_or_null (counters->thread[row], TT_NO_ID);
  values[3] = tt_row_int (counters->ts_ns[row]);
  values[4] = tt_row_int (counters->value[row]);
  if (!counters->is_real[row])
    return;
  values[4].type = TT_ROW_REAL;
  memcpy (&values[4].real, &counters->value[row], sizeof values[4].real);
}

static guint
n_metrics (const TtBatch *batch)
{
  return batch->metrics.n;
}

static void
metric_row (const TtBatch *batch, guint row, TtRowValue *values)
{
  const TtMetricColumns *metrics = &batch->metrics;

  values[1] = tt_row_int ((gint64) metrics->event[row]);
  values[2] = tt_row_int (metrics->series[row]);
  values[3] = tt_row_int (metrics->inclusive[row]);
  values[4] = tt_row_int (metrics->exclusive[row]);
}

static guint
n_flows (const TtBatch *batch)
{
  return batch->flows.n;
}

static void
flow_row (const TtBatch *batch, guint row, TtRowValue *values)
{
  const TtFlowColumns *flows = &batch->flows;
  const TtFlowKind *kind = flows->kind[row];

  values[1] = tt_row_int ((gint64) flows->from_event[row]);
  values[2] = tt_row_int ((gint64) flows->to_event[row]);
  values[3] = text_value (kind->text, strlen (kind->text));
  values[4] = tt_row_int_or_null (flows->from_ns[row], TT_NO_TIME);
  values[5] = tt_row_int_or_null (flows->to_ns[row], TT_NO_TIME);
  values[6] = null_value;
  if (kind->link != TT_LINK_NONE || kind->is_inferred)
    values[6] = tt_row_int ((gint64) kind->link | (kind->is_inferred ? TT_SCHEMA_LINK_INFERRED : 0));
}

static guint
n_args (const TtBatch *batch)
{
  return batch->args.n;
}

static guint64
args_id (const TtBatch *batch, guint row)
{
  return batch->args.id[row];
}

static void
args_row (const TtBatch *batch, guint row, TtRowValue *values)
{
  const TtArgsColumns *args = &batch->args;

  values[1] = text_value (tt_batch_text (batch, args->text[row]), args->len[row]);
}

static guint
n_filled (const TtBatch *batch)
{
  return batch->filled == NULL ? 0 : batch->filled->n;
}

static guint64
filled_id (const TtBatch *batch, guint row)
{
  return batch->filled->id[row];
}

#define FILLED_COLUMNS_N (2u + TT_ARGS_NUMBERS)

static void
filled_row (const TtBatch *batch, guint row, TtRowValue *values)
{
  const TtFilledArgs *filled = batch->filled;
  const gint64 *numbers = filled->numbers + filled->first[row];

  values[1] = tt_row_int (filled->form[row]);
  for (guint i = 0; i < TT_ARGS_NUMBERS; i++)
    values[2 + i] = i < filled->n_numbers[row] ? tt_row_int (numbers[i]) : null_value;
}

/* Columns that a row ends without are null. */
static guint
filled_row_bytes (const TtBatch *batch, guint row, guint8 *bytes)
{
  const TtFilledArgs *filled = batch->filled;
  const gint64 *numbers = filled->numbers + filled->first[row];
  const guint n = filled->n_numbers[row];
  guint8 *type = bytes + 2, *body = bytes + n + 3;

  bytes[0] = (guint8) (n + 3);
  bytes[1] = TT_BULK_NULL;
  body = tt_bulk_put_integer (body, type++, filled->form[row]);
  for (guint i = 0; i < n; i++)
    body = tt_bulk_put_integer (body, type++, numbers[i]);
  return (guint) (body - bytes);
}

static guint
n_activities (const TtBatch *batch)
{
  return batch->activities.n;
}

static void
activity_row (const TtBatch *batch, guint row, TtRowValue *values)
{
  const TtActivityColumns *activities = &batch->activities;

  values[1] = tt_row_int_or_null ((gint64) activities->event[row], 0);
  values[2] =
      tt_row_int_or_null ((gint64) (activities->role[row] | (activities->blocks[row] ? TT_SCHEMA_ROLE_BLOCKS : 0u)), 0);
  values[3] = tt_row_int_or_null ((gint64) activities->launch[row], 0);
  values[4] = tt_row_int_or_null ((gint64) activities->queue[row], 0);
  values[5] = tt_row_int_or_null ((gint64) activities->correlation[row], 0);
  values[6] = tt_row_int_or_null ((gint64) activities->waits_for[row], 0);
  values[7] = tt_row_int_or_null ((gint64) activities->waits_on[row], 0);
}

#define EVENT_COLUMNS "thread, name, ts_ns, dur_ns, self_ns, shape, step, args"
#define COUNTER_COLUMNS "series, thread, ts_ns, value"
#define METRIC_COLUMNS "event, series, inclusive, exclusive"
#define FLOW_COLUMNS "from_event, to_event, kind, from_ns, to_ns, link"
#define ARGS_COLUMNS "json"
#define FILLED_COLUMNS                                                                                              \
  "form, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16, v17, v18, v19, v20, v21, v22, v23," \
  " v24, v25, v26, v27, v28, v29, v30"
#define ACTIVITY_COLUMNS "event, role, launch, queue, correlation, waits_for, waits_on"

const TtBatchColumns tt_batch_columns[TT_N_INSERTS] = {
  [TT_INSERT_EVENTS] = {
      .table = "event_row",
      .n_columns = EVENT_COLUMNS_N,
      .module = "tt_batch_event",
      .declaration = "CREATE TABLE x (id, " EVENT_COLUMNS ")",
      .max_id = "SELECT max (id) FROM event_row",
      .insert = "INSERT INTO event_row (" EVENT_COLUMNS ") SELECT " EVENT_COLUMNS " FROM tt_batch_event",
      .insert_with_id = "INSERT INTO event_row (id, " EVENT_COLUMNS ") SELECT id, " EVENT_COLUMNS
                        " FROM tt_batch_event",
      .n_rows = n_events,
      .id = event_id,
      .row = event_row,
      .row_bytes = event_row_bytes,
  },
  [TT_INSERT_COUNTERS] = {
      .table = "counter_row",
      .n_columns = 5,
      .module = "tt_batch_counter",
      .declaration = "CREATE TABLE x (id, " COUNTER_COLUMNS ")",
      .max_id = "SELECT max (id) FROM counter_row",
      .insert = "INSERT INTO counter_row (" COUNTER_COLUMNS ") SELECT " COUNTER_COLUMNS " FROM tt_batch_counter",
      .n_rows = n_counters,
      .row = counter_row,
  },
  [TT_INSERT_METRICS] = {
      .table = "metric_row",
      .n_columns = 5,
      .module = "tt_batch_metric",
      .declaration = "CREATE TABLE x (id, " METRIC_COLUMNS ")",
      .max_id = "SELECT max (id) FROM metric_row",
      .insert = "INSERT INTO metric_row (" METRIC_COLUMNS ") SELECT " METRIC_COLUMNS " FROM tt_batch_metric",
      .n_rows = n_metrics,
      .row = metric_row,
  },
  [TT_INSERT_FLOWS] = {
      .table = "flow_row",
      .n_columns = 7,
      .module = "tt_batch_flow",
      .declaration = "CREATE TABLE x (id, " FLOW_COLUMNS ")",
      .max_id = "SELECT max (id) FROM flow_row",
      .insert = "INSERT INTO flow_row (" FLOW_COLUMNS ") SELECT " FLOW_COLUMNS " FROM tt_batch_flow",
      .n_rows = n_flows,
      .row = flow_row,
  },
  [TT_INSERT_ARGS] = {
      .table = "args_row",
      .n_columns = 2,
      .module = "tt_batch_args",
      .declaration = "CREATE TABLE x (id, " ARGS_COLUMNS ")",
      .max_id = "SELECT max (id) FROM args_row",
      .insert = "INSERT INTO args_row (" ARGS_COLUMNS ") SELECT " ARGS_COLUMNS " FROM tt_batch_args",
      .insert_with_id = "INSERT INTO args_row (id, " ARGS_COLUMNS ") SELECT id, " ARGS_COLUMNS " FROM tt_batch_args",
      .n_rows = n_args,
      .id = args_id,
      .row = args_row,
  },
  [TT_INSERT_FILLED_ARGS] = {
      .table = "args_filled_row",
      .n_columns = FILLED_COLUMNS_N,
      .module = "tt_batch_filled",
      .declaration = "CREATE TABLE x (id, " FILLED_COLUMNS ")",
      .max_id = "SELECT max (id) FROM args_filled_row",
      .insert = "INSERT INTO args_filled_row (" FILLED_COLUMNS ") SELECT " FILLED_COLUMNS " FROM tt_batch_filled",
      .insert_with_id = "INSERT INTO args_filled_row (id, " FILLED_COLUMNS ") SELECT id, " FILLED_COLUMNS
                        " FROM tt_batch_filled",
      .n_rows = n_filled,
      .id = filled_id,
      .row = filled_row,
      .row_bytes = filled_row_bytes,
  },
  [TT_INSERT_ACTIVITIES] = {
      .table = "activity_row",
      .n_columns = 8,
      .module = "tt_batch_activity",
      .declaration = "CREATE TABLE x (id, " ACTIVITY_COLUMNS ")",
      .max_id = "SELECT max (id) FROM activity_row",
      .insert = "INSERT INTO activity_row (" ACTIVITY_COLUMNS ") SELECT " ACTIVITY_COLUMNS " FROM tt_batch_activity",
      .n_rows = n_activities,
      .row = activity_row,
  },
};
