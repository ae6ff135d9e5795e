/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/shard/rows.h"

#include "src/trace/shard/definitions.h"

#include <string.h>

#define MAX_KINDS 4096u
#define MAX_TEXT (1u << 21)

void
tt_shard_ids_init (TtShardIds *self)
{
  const guint32 none = TT_NO_ID;

  for (int space = TT_COLUMN_PROCESS; space <= TT_COLUMN_SERIES; space++)
    {
      self->known[space] = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_array_append_val (self->known[space], none);
    }
}

void
tt_shard_ids_clear (TtShardIds *self)
{
  for (int space = TT_COLUMN_PROCESS; space <= TT_COLUMN_SERIES; space++)
    g_clear_pointer (&self->known[space], g_array_unref);
}

void
tt_shard_ids_begin (TtShardIds *self, const TtSink *sink, guint64 n_events, guint64 n_args, guint64 n_owners)
{
  self->before[TT_COLUMN_EVENT] = sink->next_event - 1;
  self->before[TT_COLUMN_ARGS] = sink->next_args - 1;
  self->before[TT_COLUMN_OWNER] = sink->next_owner - 1;
  self->n[TT_COLUMN_EVENT] = n_events;
  self->n[TT_COLUMN_ARGS] = n_args;
  self->n[TT_COLUMN_OWNER] = n_owners;
}

/* -- values ---------------------------------------------------------------------------------------------------- */

static guint64
get_packed (const guint8 *from, guint width, guint i)
{
  guint64 value = 0;

  if (width == 1)
    return from[i];
  memcpy (&value, from + (gsize) i * width, width);
  return G_BYTE_ORDER == G_LITTLE_ENDIAN ? value : value >> (64 - 8 * width);
}

#define UNPACK_TO(type)         \
  for (guint i = 0; i < n; i++) \
    ((type *) values)[i] = (type) (least + (width == 0 ? 0 : get_packed (from, width, i)));

/* The loop for a width, so that the compiler sees it. */
static inline void
unpack_width (const guint8 *from, const guint width, guint64 least, gpointer values, guint size, guint n)
{
  if (size == 8)
    UNPACK_TO (guint64)
  else if (size == 4)
    UNPACK_TO (guint32)
  else
    UNPACK_TO (guint8)
}

static void
unpack_values (TtUnpack *bytes, gpointer values, guint size, guint n)
{
  guint64 least = (guint64) tt_unpack_signed (bytes);
  guint64 width = tt_unpack_below (bytes, 8);
  const guint8 *from = tt_unpack_bytes (bytes, n * width);

  if (bytes->is_bad)
    memset (values, 0, (gsize) n * size);
  else if (width == 0)
    unpack_width (from, 0, least, values, size, n);
  else if (width == 1)
    unpack_width (from, 1, least, values, size, n);
  else if (width == 2)
    unpack_width (from, 2, least, values, size, n);
  else if (width == 4)
    unpack_width (from, 4, least, values, size, n);
  else if (width == 8)
    unpack_width (from, 8, least, values, size, n);
  else
    bytes->is_bad = TRUE;
}

/* @values are ids of the shard. */
static void
translate_known (TtUnpack *bytes, const GArray *known, guint32 *values, guint n)
{
  const guint32 *ids = (const guint32 *) (gpointer) known->data;
  const guint n_known = known->len;

  for (guint i = 0; i < n; i++)
    {
      bytes->is_bad |= values[i] >= n_known;
      values[i] = ids[values[i] < n_known ? values[i] : 0];
    }
}

static void
translate_numbers (TtUnpack *bytes, const TtShardIds *ids, TtColumnSpace space, gpointer values, guint size, guint n)
{
  const guint64 before = ids->before[space], most = ids->n[space];

  for (guint i = 0; i < n; i++)
    {
      guint64 value = size == 8 ? ((guint64 *) values)[i] : ((guint32 *) values)[i];
      bytes->is_bad |= value > most;
      if (value != 0)
        value += before;
      if (size == 8)
        ((guint64 *) values)[i] = value;
      else
        ((guint32 *) values)[i] = (guint32) value;
    }
}

/* -- kinds and texts ------------------------------------------------------------------------------------------- */

static guint
hash_kind (gconstpointer data)
{
  const TtFlowKind *kind = data;

  return g_str_hash (kind->text) ^ (guint) kind->link << 2 ^ (kind->is_inferred ? 2u : 0) ^ (kind->is_open ? 1u : 0);
}

static gboolean
equal_kind (gconstpointer a, gconstpointer b)
{
  const TtFlowKind *x = a, *y = b;

  return x->link == y->link && !x->is_inferred == !y->is_inferred && !x->is_open == !y->is_open &&
         g_str_equal (x->text, y->text);
}

/* Kinds live as long as the program: one of each. */
static const TtFlowKind *
find_kind (const TtFlowKind *wanted)
{
  static GHashTable *kinds;

  if (kinds == NULL)
    kinds = g_hash_table_new (hash_kind, equal_kind);
  TtFlowKind *kind = g_hash_table_lookup (kinds, wanted);
  if (kind == NULL)
    {
      kind = g_memdup2 (wanted, sizeof *wanted);
      kind->text = g_strdup (wanted->text);
      g_hash_table_add (kinds, kind);
    }
  return kind;
}

static void
unpack_kinds (TtUnpack *bytes, const TtFlowKind **values, guint n)
{
  guint64 n_kinds = tt_unpack_below (bytes, MAX_KINDS);
  g_autofree const TtFlowKind **kinds = g_new0 (const TtFlowKind *, n_kinds + 1);
  g_autofree guint32 *numbers = g_new (guint32, n);

  for (guint64 i = 0; i < n_kinds && !bytes->is_bad; i++)
    {
      TtFlowKind kind = { .text = tt_unpack_text (bytes) };
      guint64 facts = tt_unpack_below (bytes, TT_N_LINKS * 4 - 1);
      kind.link = (TtLink) (facts >> 2);
      kind.is_inferred = (facts & 2) != 0;
      kind.is_open = (facts & 1) != 0;
      bytes->is_bad |= kind.text == NULL;
      if (!bytes->is_bad)
        kinds[i] = find_kind (&kind);
    }
  unpack_values (bytes, numbers, sizeof *numbers, n);
  for (guint i = 0; i < n; i++)
    {
      bytes->is_bad |= numbers[i] >= n_kinds;
      values[i] = kinds[numbers[i] < n_kinds ? numbers[i] : 0];
    }
}

static void
unpack_texts (TtUnpack *bytes, TtBatch *batch, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      guint64 len = tt_unpack_below (bytes, MAX_TEXT);
      const guint8 *text = tt_unpack_bytes (bytes, len);
      batch->args.text[i] = text == NULL ? 0 : tt_batch_add_text (batch, (const char *) text, (gssize) len);
      batch->args.len[i] = (guint32) len;
      batch->args.form[i] = NULL;
    }
}

/* -- a group --------------------------------------------------------------------------------------------------- */

static void
put_column (TtUnpack *bytes, const TtShardIds *ids, TtBatch *batch, const TtShardColumn *column, guint n)
{
  gpointer values = tt_shard_column_values (batch, column);

  switch ((TtColumnSpace) column->space)
    {
    case TT_COLUMN_KIND:
      unpack_kinds (bytes, values, n);
      return;
    case TT_COLUMN_TEXT:
      unpack_texts (bytes, batch, n);
      return;
    default:
      unpack_values (bytes, values, column->size, n);
    }
  if (column->space >= TT_COLUMN_PROCESS && column->space <= TT_COLUMN_SERIES)
    translate_known (bytes, ids->known[column->space], values, n);
  else if (column->space != TT_COLUMN_PLAIN)
    translate_numbers (bytes, ids, (TtColumnSpace) column->space, values, column->size, n);
}

/* What is used as an index, or must be there, and is no id. */
static void
check_rows (TtUnpack *bytes, const TtBatch *batch, guint32 source)
{
  bytes->is_bad |= source == TT_NO_ID && (batch->events.n > 0 || batch->args.n > 0 || batch->counters.n > 0);
  for (guint i = 0; i < batch->events.n; i++)
    bytes->is_bad |= batch->events.thread[i] == TT_NO_ID || batch->events.name[i] == TT_NO_ID;
  for (guint i = 0; i < batch->halves.n; i++)
    bytes->is_bad |= batch->halves.onesided[i] > TT_ONESIDED_GET || batch->halves.thread[i] == TT_NO_ID;
  for (guint i = 0; i < batch->points.n; i++)
    bytes->is_bad |= batch->points.phase[i] > TT_FLOW_CONSUMER;
  for (guint i = 0; i < batch->activities.n; i++)
    bytes->is_bad |= batch->activities.role[i] >= TT_N_ACTIVITY_ROLES;
  for (guint i = 0; i < batch->owners.n; i++)
    bytes->is_bad |= batch->owners.owner[i] == 0;
  for (guint i = 0; i < batch->args.n; i++)
    bytes->is_bad |= batch->args.id[i] == 0 || batch->args.at[i] > batch->args.total[i] ||
                     batch->args.len[i] > batch->args.total[i] - batch->args.at[i];
}

static void
put_tasks (TtUnpack *bytes, const TtShardIds *ids, TtSink *sink)
{
  guint64 n = tt_unpack_below (bytes, TT_BATCH_ROWS);

  for (guint64 i = 0; i < n && !bytes->is_bad; i++)
    {
      guint32 process = tt_shard_known_id (bytes, ids, TT_COLUMN_PROCESS, tt_unpack_number (bytes));
      TtTaskNode task = { .id = tt_unpack_signed (bytes) };
      task.kind = (TtTaskKind) tt_unpack_below (bytes, TT_N_TASK_KINDS - 1);
      task.created_ns = tt_unpack_signed (bytes);
      task.begin_ns = tt_unpack_signed (bytes);
      task.end_ns = tt_unpack_signed (bytes);
      for (guint k = 0; k < TT_N_TASK_TEXTS; k++)
        task.text[k] = tt_unpack_text (bytes);
      if (!bytes->is_bad)
        tt_sink_task (sink, process, &task);
    }
  n = tt_unpack_below (bytes, TT_BATCH_ROWS);
  for (guint64 i = 0; i < n && !bytes->is_bad; i++)
    {
      guint32 process = tt_shard_known_id (bytes, ids, TT_COLUMN_PROCESS, tt_unpack_number (bytes));
      TtTaskEdge edge = { .src = tt_unpack_signed (bytes) };
      edge.dst = tt_unpack_signed (bytes);
      guint64 ends = tt_unpack_below (bytes, 3);
      edge.has_src = (ends & 1) != 0;
      edge.has_dst = (ends & 2) != 0;
      edge.kind = tt_unpack_text (bytes);
      if (!bytes->is_bad)
        tt_sink_task_edge (sink, process, &edge);
    }
}

void
tt_shard_rows_put (TtUnpack *bytes, TtShardIds *ids, TtSink *sink)
{
  tt_shard_definitions_put (bytes, ids, sink);
  TtBatch *batch = sink->batch;
  batch->tells_nesting = tt_unpack_below (bytes, 1) != 0;
  for (guint i = 0; i < TT_N_SHARD_GROUPS; i++)
    {
      const TtShardGroup *group = &tt_shard_groups[i];
      guint n = (guint) tt_unpack_below (bytes, TT_BATCH_ROWS);
      for (guint k = 0; n > 0 && k < group->n; k++)
        put_column (bytes, ids, batch, &tt_shard_columns[group->first + k], n);
      *tt_shard_group_rows (batch, group) = n;
    }
  check_rows (bytes, batch, sink->source);
  batch->events.first_event = sink->next_event;
  sink->next_event += batch->events.n;
  put_tasks (bytes, ids, sink);
  if (bytes->is_bad)
    tt_batch_clear (batch);
}
