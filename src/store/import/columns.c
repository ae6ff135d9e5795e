/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/import/columns.h"

#include <string.h>

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
event_column (const TtBatch *batch, guint row, int column, sqlite3_context *context)
{
  const TtEventColumns *events = &batch->events;

  switch (column)
    {
    case 0:
      sqlite3_result_int64 (context, (gint64) (events->first_event + row));
      break;
    case 1:
      sqlite3_result_int64 (context, events->thread[row]);
      break;
    case 2:
      sqlite3_result_int64 (context, events->name[row]);
      break;
    case 3:
      sqlite3_result_int64 (context, events->ts_ns[row]);
      break;
    case 4:
      if (events->dur_ns[row] != TT_NO_TIME)
        sqlite3_result_int64 (context, events->dur_ns[row]);
      break;
    case 5:
      if (events->dur_ns[row] != TT_NO_TIME)
        sqlite3_result_int64 (context, events->self_ns[row]);
      break;
    case 6:
      sqlite3_result_int64 (context, (gint64) events->depth[row] << TT_SCHEMA_SHAPE_BITS | events->flags[row]);
      break;
    case 7:
      if (events->step[row] != TT_NO_STEP)
        sqlite3_result_int64 (context, events->step[row]);
      break;
    default:
      if (events->args[row] != 0)
        sqlite3_result_int64 (context, (gint64) events->args[row]);
      break;
    }
}

static guint
n_counters (const TtBatch *batch)
{
  return batch->counters.n;
}

static void
counter_column (const TtBatch *batch, guint row, int column, sqlite3_context *context)
{
  const TtCounterColumns *counters = &batch->counters;
  double real;

  switch (column)
    {
    case 1:
      sqlite3_result_int64 (context, counters->series[row]);
      break;
    case 2:
      if (counters->thread[row] != TT_NO_ID)
        sqlite3_result_int64 (context, counters->thread[row]);
      break;
    case 3:
      sqlite3_result_int64 (context, counters->ts_ns[row]);
      break;
    case 4:
      if (!counters->is_real[row])
        {
          sqlite3_result_int64 (context, counters->value[row]);
          break;
        }
      memcpy (&real, &counters->value[row], sizeof real);
      sqlite3_result_double (context, real);
      break;
    default:
      break;
    }
}

static guint
n_metrics (const TtBatch *batch)
{
  return batch->metrics.n;
}

static void
metric_column (const TtBatch *batch, guint row, int column, sqlite3_context *context)
{
  const TtMetricColumns *metrics = &batch->metrics;

  switch (column)
    {
    case 1:
      sqlite3_result_int64 (context, (gint64) metrics->event[row]);
      break;
    case 2:
      sqlite3_result_int64 (context, metrics->series[row]);
      break;
    case 3:
      sqlite3_result_int64 (context, metrics->inclusive[row]);
      break;
    case 4:
      sqlite3_result_int64 (context, metrics->exclusive[row]);
      break;
    default:
      break;
    }
}

static guint
n_flows (const TtBatch *batch)
{
  return batch->flows.n;
}

static void
flow_column (const TtBatch *batch, guint row, int column, sqlite3_context *context)
{
  const TtFlowColumns *flows = &batch->flows;

  switch (column)
    {
    case 1:
      sqlite3_result_int64 (context, (gint64) flows->from_event[row]);
      break;
    case 2:
      sqlite3_result_int64 (context, (gint64) flows->to_event[row]);
      break;
    case 3:
      sqlite3_result_text (context, flows->kind[row]->text, -1, SQLITE_STATIC);
      break;
    case 4:
      if (flows->from_ns[row] != TT_NO_TIME)
        sqlite3_result_int64 (context, flows->from_ns[row]);
      break;
    case 5:
      if (flows->to_ns[row] != TT_NO_TIME)
        sqlite3_result_int64 (context, flows->to_ns[row]);
      break;
    case 6:
      if (flows->kind[row]->link != TT_LINK_NONE || flows->kind[row]->is_inferred)
        sqlite3_result_int64 (context, (gint64) flows->kind[row]->link |
                                           (flows->kind[row]->is_inferred ? TT_SCHEMA_LINK_INFERRED : 0));
      break;
    default:
      break;
    }
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
args_column (const TtBatch *batch, guint row, int column, sqlite3_context *context)
{
  const TtArgsColumns *args = &batch->args;

  if (column == 0)
    sqlite3_result_int64 (context, (gint64) args->id[row]);
  else
    sqlite3_result_text (context, tt_batch_text (batch, args->text[row]), (int) args->len[row], SQLITE_STATIC);
}

static guint
n_activities (const TtBatch *batch)
{
  return batch->activities.n;
}

static void
activity_column (const TtBatch *batch, guint row, int column, sqlite3_context *context)
{
  const TtActivityColumns *activities = &batch->activities;
  guint64 value = 0;

  switch (column)
    {
    case 1:
      value = activities->event[row];
      break;
    case 2:
      value = activities->role[row] | (activities->blocks[row] ? TT_SCHEMA_ROLE_BLOCKS : 0u);
      break;
    case 3:
      value = activities->launch[row];
      break;
    case 4:
      value = activities->queue[row];
      break;
    case 5:
      value = activities->correlation[row];
      break;
    case 6:
      value = activities->waits_for[row];
      break;
    case 7:
      value = activities->waits_on[row];
      break;
    default:
      break;
    }
  if (value != 0)
    sqlite3_result_int64 (context, (gint64) value);
}

#define EVENT_COLUMNS "thread, name, ts_ns, dur_ns, self_ns, shape, step, args"
#define COUNTER_COLUMNS "series, thread, ts_ns, value"
#define METRIC_COLUMNS "event, series, inclusive, exclusive"
#define FLOW_COLUMNS "from_event, to_event, kind, from_ns, to_ns, link"
#define ARGS_COLUMNS "json"
#define ACTIVITY_COLUMNS "event, role, launch, queue, correlation, waits_for, waits_on"

const TtBatchColumns tt_batch_columns[TT_N_INSERTS] = {
  [TT_INSERT_EVENTS] = {
      .module = "tt_batch_event",
      .declaration = "CREATE TABLE x (id, " EVENT_COLUMNS ")",
      .max_id = "SELECT max (id) FROM event_row",
      .insert = "INSERT INTO event_row (" EVENT_COLUMNS ") SELECT " EVENT_COLUMNS " FROM tt_batch_event",
      .insert_with_id = "INSERT INTO event_row (id, " EVENT_COLUMNS ") SELECT id, " EVENT_COLUMNS
                        " FROM tt_batch_event",
      .n_rows = n_events,
      .id = event_id,
      .column = event_column,
  },
  [TT_INSERT_COUNTERS] = {
      .module = "tt_batch_counter",
      .declaration = "CREATE TABLE x (id, " COUNTER_COLUMNS ")",
      .max_id = "SELECT max (id) FROM counter_row",
      .insert = "INSERT INTO counter_row (" COUNTER_COLUMNS ") SELECT " COUNTER_COLUMNS " FROM tt_batch_counter",
      .n_rows = n_counters,
      .column = counter_column,
  },
  [TT_INSERT_METRICS] = {
      .module = "tt_batch_metric",
      .declaration = "CREATE TABLE x (id, " METRIC_COLUMNS ")",
      .max_id = "SELECT max (id) FROM metric_row",
      .insert = "INSERT INTO metric_row (" METRIC_COLUMNS ") SELECT " METRIC_COLUMNS " FROM tt_batch_metric",
      .n_rows = n_metrics,
      .column = metric_column,
  },
  [TT_INSERT_FLOWS] = {
      .module = "tt_batch_flow",
      .declaration = "CREATE TABLE x (id, " FLOW_COLUMNS ")",
      .max_id = "SELECT max (id) FROM flow_row",
      .insert = "INSERT INTO flow_row (" FLOW_COLUMNS ") SELECT " FLOW_COLUMNS " FROM tt_batch_flow",
      .n_rows = n_flows,
      .column = flow_column,
  },
  [TT_INSERT_ARGS] = {
      .module = "tt_batch_args",
      .declaration = "CREATE TABLE x (id, " ARGS_COLUMNS ")",
      .max_id = "SELECT max (id) FROM args_row",
      .insert = "INSERT INTO args_row (" ARGS_COLUMNS ") SELECT " ARGS_COLUMNS " FROM tt_batch_args",
      .insert_with_id = "INSERT INTO args_row (id, " ARGS_COLUMNS ") SELECT id, " ARGS_COLUMNS " FROM tt_batch_args",
      .n_rows = n_args,
      .id = args_id,
      .column = args_column,
  },
  [TT_INSERT_ACTIVITIES] = {
      .module = "tt_batch_activity",
      .declaration = "CREATE TABLE x (id, " ACTIVITY_COLUMNS ")",
      .max_id = "SELECT max (id) FROM activity_row",
      .insert = "INSERT INTO activity_row (" ACTIVITY_COLUMNS ") SELECT " ACTIVITY_COLUMNS " FROM tt_batch_activity",
      .n_rows = n_activities,
      .column = activity_column,
  },
};
