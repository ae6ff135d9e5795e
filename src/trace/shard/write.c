/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/shard/write.h"

#include "src/base/packed.h"
#include "src/base/temporary-file.h"
#include "src/trace/shard/columns.h"

#include <string.h>
#include <xxhash.h>

struct _TtShardWriter
{
  int fd;
  char *name; /* NULL: a temporary file */
  guint64 offset;
  TtSinkDiary *diary;
  GByteArray *bytes; /* of the frame */
  GPtrArray *kinds;  /* of const TtFlowKind *: of the batch, by their numbers */
};

TtShardWriter *
tt_shard_writer_new (int fd, guint64 offset)
{
  TtShardWriter *self = g_new0 (TtShardWriter, 1);

  self->fd = fd;
  self->offset = offset;
  self->diary = tt_sink_diary_new ();
  self->bytes = g_byte_array_new ();
  self->kinds = g_ptr_array_new ();
  return self;
}

void
tt_shard_writer_free (TtShardWriter *self)
{
  if (self == NULL)
    return;
  tt_sink_diary_free (self->diary);
  g_free (self->name);
  g_byte_array_unref (self->bytes);
  g_ptr_array_unref (self->kinds);
  g_free (self);
}

guint64
tt_shard_writer_offset (const TtShardWriter *self)
{
  return self->offset;
}

void
tt_shard_writer_set_name (TtShardWriter *self, const char *name)
{
  g_free (self->name);
  self->name = g_strdup (name);
}

static gboolean
put_bytes (TtShardWriter *self, guint64 offset, const void *bytes, gsize len, GError **error)
{
  return self->name == NULL ? tt_file_write_at (self->fd, offset, bytes, len, error)
                            : tt_file_write_named_at (self->fd, self->name, offset, bytes, len, error);
}

/* Self->bytes, as a frame. */
static gboolean
write_frame (TtShardWriter *self, TtShardFrameKind kind, GError **error)
{
  GByteArray *bytes = self->bytes;
  const TtShardFrame frame = { kind, bytes->len, XXH3_64bits (bytes->data, bytes->len) };

  if (!put_bytes (self, self->offset, &frame, sizeof frame, error) ||
      !put_bytes (self, self->offset + sizeof frame, bytes->data, bytes->len, error))
    return FALSE;
  self->offset += sizeof frame + bytes->len;
  g_byte_array_set_size (bytes, 0);
  return TRUE;
}

/* -- columns -------------------------------------------------------------------------------------------- */

static guint64
value_at (const void *values, guint size, guint i)
{
  return size == 8   ? ((const guint64 *) values)[i]
         : size == 4 ? ((const guint32 *) values)[i]
                     : ((const guint8 *) values)[i];
}

/* Least and range of @n values, of 8 bytes with a sign. */
static void
find_range (const void *values, guint size, guint n, gint64 *least, guint64 *range)
{
  gint64 low = (gint64) value_at (values, size, 0), high = low;

  if (size == 8)
    for (guint i = 1; i < n; i++)
      {
        gint64 value = ((const gint64 *) values)[i];
        low = MIN (low, value);
        high = MAX (high, value);
      }
  else
    for (guint i = 1; i < n; i++)
      {
        gint64 value = (gint64) value_at (values, size, i);
        low = MIN (low, value);
        high = MAX (high, value);
      }
  *least = low;
  *range = (guint64) high - (guint64) low;
}

#define PACK_AS(type)                                                     \
  for (guint i = 0; i < n; i++)                                           \
    {                                                                     \
      type value = (type) (value_at (values, size, i) - (guint64) least); \
      memcpy (to + i * sizeof value, &value, sizeof value);               \
    }

static void
pack_values (TtShardWriter *self, const void *values, guint size, guint n)
{
  gint64 least;
  guint64 range;

  find_range (values, size, n, &least, &range);
  guint8 width = range == 0 ? 0 : range <= G_MAXUINT8 ? 1 : range <= G_MAXUINT16 ? 2 : range <= G_MAXUINT32 ? 4 : 8;
  tt_pack_signed (self->bytes, least);
  tt_pack_number (self->bytes, width);
  guint used = self->bytes->len;
  g_byte_array_set_size (self->bytes, used + n * width);
  guint8 *to = self->bytes->data + used;
  if (width == 1)
    PACK_AS (guint8)
  else if (width == 2)
    PACK_AS (guint16)
  else if (width == 4)
    PACK_AS (guint32)
  else if (width == 8)
    PACK_AS (guint64)
}

/* In a batch there are few of them. */
static guint
kind_number (TtShardWriter *self, const TtFlowKind *kind)
{
  for (guint i = self->kinds->len; i-- > 0;)
    if (self->kinds->pdata[i] == kind)
      return i;
  g_ptr_array_add (self->kinds, (gpointer) kind);
  return self->kinds->len - 1;
}

static void
pack_kinds (TtShardWriter *self, const TtFlowKind *const *kinds, guint n)
{
  g_autofree guint32 *numbers = g_new (guint32, n);

  g_ptr_array_set_size (self->kinds, 0);
  for (guint i = 0; i < n; i++)
    numbers[i] = kind_number (self, kinds[i]);
  tt_pack_number (self->bytes, self->kinds->len);
  for (guint i = 0; i < self->kinds->len; i++)
    {
      const TtFlowKind *kind = self->kinds->pdata[i];
      tt_pack_text (self->bytes, kind->text);
      tt_pack_number (self->bytes, (guint64) kind->link << 2 | (kind->is_inferred ? 2 : 0) | (kind->is_open ? 1 : 0));
    }
  pack_values (self, numbers, sizeof *numbers, n);
}

static void
pack_texts (TtShardWriter *self, const TtBatch *batch, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      tt_pack_number (self->bytes, batch->args.len[i]);
      g_byte_array_append (self->bytes, (const guint8 *) batch->text->str + batch->args.text[i], batch->args.len[i]);
    }
}

static void
pack_group (TtShardWriter *self, TtBatch *batch, const TtShardGroup *group)
{
  guint n = *tt_shard_group_rows (batch, group);

  tt_pack_number (self->bytes, n);
  for (guint i = 0; n > 0 && i < group->n; i++)
    {
      const TtShardColumn *column = &tt_shard_columns[group->first + i];
      gpointer values = tt_shard_column_values (batch, column);
      if (column->space == TT_COLUMN_KIND)
        pack_kinds (self, values, n);
      else if (column->space == TT_COLUMN_TEXT)
        pack_texts (self, batch, n);
      else
        pack_values (self, values, column->size, n);
    }
}

/* -- the rest of a batch ------------------------------------------------------------------------------------ */

static void
pack_definitions (TtShardWriter *self, const TtBatch *batch)
{
  tt_pack_number (self->bytes, batch->definitions->len);
  for (guint i = 0; i < batch->definitions->len; i++)
    {
      const TtDefinition *definition = &g_array_index (batch->definitions, TtDefinition, i);
      tt_pack_number (self->bytes, definition->kind);
      tt_pack_number (self->bytes, definition->id);
      tt_pack_number (self->bytes, definition->parent);
      tt_pack_signed (self->bytes, definition->a);
      tt_pack_signed (self->bytes, definition->b);
      tt_pack_signed (self->bytes, definition->c);
      /* Those of a name are in the diary, as they were given. */
      for (guint k = 0; definition->kind != TT_DEFINE_NAME && k < 4; k++)
        tt_pack_text (self->bytes, tt_batch_text (batch, definition->text[k]));
    }
}

static void
pack_repairs (TtShardWriter *self, const TtBatch *batch)
{
  const TtRepairs *repairs = &batch->repairs;

  for (guint kind = 0; kind < TT_N_REPAIRS; kind++)
    if (repairs->count[kind] > 0)
      {
        tt_pack_number (self->bytes, kind + 1);
        tt_pack_number (self->bytes, repairs->count[kind]);
        tt_pack_number (self->bytes, repairs->first_offset[kind]);
        tt_pack_number (self->bytes, repairs->is_event[kind]);
      }
  tt_pack_number (self->bytes, 0);
  tt_pack_number (self->bytes, batch->repaired->len);
  for (guint i = 0; i < batch->repaired->len; i++)
    {
      const TtProcessRepairs *repaired = &g_array_index (batch->repaired, TtProcessRepairs, i);
      tt_pack_number (self->bytes, repaired->process);
      tt_pack_number (self->bytes, repaired->kind);
      tt_pack_number (self->bytes, repaired->count);
    }
}

static void
pack_tasks (TtShardWriter *self, const TtBatch *batch)
{
  tt_pack_number (self->bytes, batch->tasks->len);
  for (guint i = 0; i < batch->tasks->len; i++)
    {
      const TtBatchTask *task = &g_array_index (batch->tasks, TtBatchTask, i);
      tt_pack_number (self->bytes, task->process);
      tt_pack_signed (self->bytes, task->id);
      tt_pack_number (self->bytes, task->kind);
      tt_pack_signed (self->bytes, task->created_ns);
      tt_pack_signed (self->bytes, task->begin_ns);
      tt_pack_signed (self->bytes, task->end_ns);
      for (guint k = 0; k < TT_N_TASK_TEXTS; k++)
        tt_pack_text (self->bytes, tt_batch_text (batch, task->text[k]));
    }
  tt_pack_number (self->bytes, batch->task_edges->len);
  for (guint i = 0; i < batch->task_edges->len; i++)
    {
      const TtBatchTaskEdge *edge = &g_array_index (batch->task_edges, TtBatchTaskEdge, i);
      tt_pack_number (self->bytes, edge->process);
      tt_pack_signed (self->bytes, edge->src);
      tt_pack_signed (self->bytes, edge->dst);
      tt_pack_number (self->bytes, (edge->has_src ? 1 : 0) | (edge->has_dst ? 2 : 0));
      tt_pack_text (self->bytes, tt_batch_text (batch, edge->kind));
    }
}

static gboolean
is_empty (TtBatch *batch)
{
  gboolean has_rows = batch->definitions->len + batch->tasks->len + batch->task_edges->len > 0;

  for (guint i = 0; i < TT_N_SHARD_GROUPS; i++)
    has_rows |= *tt_shard_group_rows (batch, &tt_shard_groups[i]) > 0;
  return !has_rows;
}

/* -- the sink --------------------------------------------------------------------------------------------- */

typedef struct
{
  TtSinkBack back;
  TtShardWriter *writer; /* borrowed */
} ShardBack;

static TtBatch *
shard_write (TtSinkBack *back, TtBatch *batch, GError **error)
{
  TtShardWriter *self = ((ShardBack *) back)->writer;

  if (!is_empty (batch))
    {
      pack_definitions (self, batch);
      tt_pack_number (self->bytes, self->diary->names->len);
      g_byte_array_append (self->bytes, self->diary->names->data, self->diary->names->len);
      pack_repairs (self, batch);
      tt_pack_number (self->bytes, batch->tells_nesting != FALSE);
      for (guint i = 0; i < TT_N_SHARD_GROUPS; i++)
        pack_group (self, batch, &tt_shard_groups[i]);
      pack_tasks (self, batch);
      if (!write_frame (self, TT_SHARD_BATCH, error))
        return NULL;
    }
  g_byte_array_set_size (self->diary->names, 0);
  tt_batch_clear (batch);
  return batch;
}

static const TtSinkBackClass shard_class = { .name = "shard", .write = shard_write };

TtSink *
tt_shard_writer_sink (TtShardWriter *self, TtNames *names)
{
  ShardBack *back = g_new0 (ShardBack, 1);

  back->back.klass = &shard_class;
  back->writer = self;
  TtSink *sink = tt_sink_new (&back->back, names);
  sink->diary = self->diary;
  return sink;
}

/* -- the end ----------------------------------------------------------------------------------------------- */

static void
pack_error (GByteArray *bytes, const GError *fault)
{
  tt_pack_text (bytes, g_quark_to_string (fault->domain));
  tt_pack_signed (bytes, fault->code);
  tt_pack_text (bytes, fault->message);
}

static void
pack_diary (TtShardWriter *self)
{
  const TtSinkDiary *diary = self->diary;
  g_autoptr (GList) pids = g_list_sort (g_hash_table_get_keys (diary->absent_pids), (GCompareFunc) strcmp);

  tt_pack_number (self->bytes, diary->owns_new_processes != FALSE);
  tt_pack_number (self->bytes, diary->pids->len);
  for (guint i = 0; i < diary->pids->len; i++)
    tt_pack_text (self->bytes, diary->pids->pdata[i]);
  for (guint i = 0; i < diary->pids->len; i++)
    tt_pack_signed (self->bytes, g_array_index (diary->ranks, gint64, i));
  tt_pack_number (self->bytes, diary->threads->len);
  for (guint i = 0; i < diary->threads->len; i++)
    tt_pack_text (self->bytes, diary->threads->pdata[i]);
  tt_pack_number (self->bytes, g_list_length (pids));
  for (GList *pid = pids; pid != NULL; pid = pid->next)
    tt_pack_text (self->bytes, pid->data);
  tt_pack_number (self->bytes, diary->absent_ranks->len);
  for (guint i = 0; i < diary->absent_ranks->len; i++)
    tt_pack_signed (self->bytes, g_array_index (diary->absent_ranks, gint64, i));
  tt_pack_number (self->bytes, diary->absent_threads->len);
  for (guint i = 0; i < diary->absent_threads->len; i++)
    tt_pack_text (self->bytes, diary->absent_threads->pdata[i]);
}

gboolean
tt_shard_writer_finish (TtShardWriter *self, TtSink *sink, const TtShardEnd *end, GError **error)
{
  tt_sink_flush (sink);
  if (sink->error != NULL)
    {
      g_propagate_error (error, g_error_copy (sink->error));
      return FALSE;
    }
  pack_diary (self);
  tt_pack_number (self->bytes, sink->next_event - 1);
  tt_pack_number (self->bytes, sink->next_args - 1);
  tt_pack_number (self->bytes, sink->next_owner - 1);
  tt_pack_number (self->bytes, sink->notes->len);
  for (guint i = 0; i < sink->notes->len; i++)
    tt_pack_text (self->bytes, sink->notes->pdata[i]);
  tt_pack_number (self->bytes, end->left_out->len);
  for (guint i = 0; i < end->left_out->len; i++)
    {
      const TtShardLeftOut *left_out = end->left_out->pdata[i];
      tt_pack_text (self->bytes, left_out->path);
      pack_error (self->bytes, left_out->fault);
    }
  tt_pack_number (self->bytes, end->fault != NULL);
  if (end->fault != NULL)
    pack_error (self->bytes, end->fault);
  /* Where it begins stands behind it. */
  const guint64 n_bytes = sizeof (TtShardFrame) + self->bytes->len;
  if (!write_frame (self, TT_SHARD_END, error) || !put_bytes (self, self->offset, &n_bytes, sizeof n_bytes, error))
    return FALSE;
  self->offset += sizeof n_bytes;
  return TRUE;
}
