/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/shard/definitions.h"

#define N_TEXTS 4u

guint32
tt_shard_known_id (TtUnpack *bytes, const TtShardIds *ids, TtColumnSpace space, guint64 id)
{
  const GArray *known = ids->known[space];

  if (id < known->len)
    return g_array_index (known, guint32, id);
  bytes->is_bad = TRUE;
  return TT_NO_ID;
}

/* @id is the next of the shard, @known what the sink has for it. */
static void
learn (TtUnpack *bytes, TtShardIds *ids, TtColumnSpace space, guint64 id, guint32 known)
{
  bytes->is_bad |= id != ids->known[space]->len;
  g_array_append_val (ids->known[space], known);
}

static guint32
put_name (TtUnpack *names, TtSink *sink)
{
  const char *source = tt_unpack_text (names);
  TtRawName raw = { .raw = tt_unpack_text (names) };

  raw.op = tt_unpack_text (names);
  raw.group = tt_unpack_text (names);
  raw.suffix = tt_unpack_text (names);
  raw.op_cat = tt_unpack_text (names);
  raw.sub_op = tt_unpack_text (names);
  raw.file = tt_unpack_text (names);
  raw.line = tt_unpack_signed (names);
  raw.is_collective = tt_unpack_below (names, 1) != 0;
  raw.communicator = tt_unpack_number (names);
  names->is_bad |= raw.raw == NULL;
  if (names->is_bad)
    return TT_NO_ID;
  tt_names_set_source (sink->names, source);
  return tt_sink_name (sink, &raw);
}

typedef struct
{
  TtDefinitionKind kind;
  guint64 id, parent;
  gint64 a, b, c;
  const char *text[N_TEXTS];
} Definition;

static void
read_definition (TtUnpack *bytes, Definition *self)
{
  self->kind = (TtDefinitionKind) tt_unpack_below (bytes, TT_N_DEFINITIONS - 1);
  self->id = tt_unpack_below (bytes, G_MAXUINT32);
  self->parent = tt_unpack_below (bytes, G_MAXUINT32);
  self->a = tt_unpack_signed (bytes);
  self->b = tt_unpack_signed (bytes);
  self->c = tt_unpack_signed (bytes);
  for (guint i = 0; self->kind != TT_DEFINE_NAME && i < N_TEXTS; i++)
    self->text[i] = tt_unpack_text (bytes);
}

static TtClock
clock_of (TtUnpack *bytes, gint64 number)
{
  bytes->is_bad |= number < TT_CLOCK_EPOCH || number > TT_CLOCK_TICKS;
  return bytes->is_bad ? TT_CLOCK_EPOCH : (TtClock) number;
}

/* What describes what is there already. */
static void
put_more (TtUnpack *bytes, const TtShardIds *ids, const Definition *self, TtSink *sink)
{
  switch (self->kind)
    {
    case TT_DEFINE_METADATA:
      {
        guint32 process = tt_shard_known_id (bytes, ids, TT_COLUMN_PROCESS, self->parent);
        tt_sink_metadata (sink, process, tt_shard_known_id (bytes, ids, TT_COLUMN_THREAD, self->id), self->text[0],
                          self->text[1]);
        break;
      }
    case TT_DEFINE_PROCESS_LABEL:
      tt_sink_label_process (sink, tt_shard_known_id (bytes, ids, TT_COLUMN_PROCESS, self->id), self->text[0], self->a);
      break;
    case TT_DEFINE_PROCESS_OWNER:
      {
        guint32 process = tt_shard_known_id (bytes, ids, TT_COLUMN_PROCESS, self->id);
        tt_sink_own_process (sink, process, tt_shard_known_id (bytes, ids, TT_COLUMN_PROCESS, self->parent));
        break;
      }
    case TT_DEFINE_THREAD_LABEL:
      tt_sink_label_thread (sink, tt_shard_known_id (bytes, ids, TT_COLUMN_THREAD, self->id), self->text[0], self->a);
      break;
    case TT_DEFINE_PARAMETER:
      tt_sink_parameter (sink, self->a, self->text[0], self->text[1], self->text[2], self->b, self->text[3]);
      break;
    default:
      bytes->is_bad = TRUE;
    }
}

static void
put (TtUnpack *bytes, TtUnpack *names, TtShardIds *ids, const Definition *self, TtSink *sink)
{
  switch (self->kind)
    {
    case TT_DEFINE_SOURCE:
      bytes->is_bad |= self->text[0] == NULL || self->text[1] == NULL || sink->source != TT_NO_ID;
      if (!bytes->is_bad)
        tt_sink_begin_source (sink, self->text[0], self->text[1], clock_of (bytes, self->a));
      break;
    case TT_DEFINE_PROCESS:
      bytes->is_bad |= self->text[0] == NULL;
      if (!bytes->is_bad)
        learn (bytes, ids, TT_COLUMN_PROCESS, self->id,
               tt_sink_process (sink, self->text[0], self->text[1], self->text[2], self->a));
      break;
    case TT_DEFINE_THREAD:
      {
        guint32 process = tt_shard_known_id (bytes, ids, TT_COLUMN_PROCESS, self->parent);
        bytes->is_bad |= self->text[0] == NULL || process == TT_NO_ID;
        if (!bytes->is_bad)
          learn (bytes, ids, TT_COLUMN_THREAD, self->id,
                 tt_sink_thread (sink, process, self->text[0], self->text[1], self->a));
        break;
      }
    case TT_DEFINE_NAME:
      learn (bytes, ids, TT_COLUMN_NAME, self->id, put_name (names, sink));
      bytes->is_bad |= names->is_bad;
      break;
    case TT_DEFINE_SERIES:
      bytes->is_bad |= self->text[0] == NULL;
      if (!bytes->is_bad)
        learn (bytes, ids, TT_COLUMN_SERIES, self->id,
               tt_sink_series (sink, self->text[0], self->text[1], self->a != 0));
      break;
    default:
      put_more (bytes, ids, self, sink);
    }
}

/* What was mended in the source, as it was counted there. */
static void
read_repairs (TtUnpack *bytes, const TtShardIds *ids, TtSink *sink, gboolean is_end)
{
  TtRepairs repairs = { 0 };

  for (guint64 kind; (kind = tt_unpack_below (bytes, TT_N_REPAIRS)) != 0;)
    {
      kind--;
      repairs.count[kind] = tt_unpack_number (bytes);
      repairs.first_offset[kind] = tt_unpack_number (bytes);
      repairs.is_event[kind] = (guint8) tt_unpack_below (bytes, 1);
      repairs.total += repairs.count[kind];
    }
  if (is_end)
    sink->repairs = repairs;
  guint64 n = tt_unpack_below (bytes, G_MAXUINT32);
  for (guint64 i = 0; i < n && !bytes->is_bad; i++)
    {
      guint32 process = tt_shard_known_id (bytes, ids, TT_COLUMN_PROCESS, tt_unpack_number (bytes));
      guint64 kind = tt_unpack_below (bytes, TT_N_REPAIRS - 1);
      guint64 count = tt_unpack_number (bytes);
      if (is_end && !bytes->is_bad)
        tt_sink_own_repairs (sink, process, (TtRepairKind) kind, count);
    }
}

void
tt_shard_definitions_put (TtUnpack *bytes, TtShardIds *ids, TtSink *sink)
{
  guint64 n = tt_unpack_below (bytes, G_MAXUINT32);
  TtUnpack definitions = *bytes, names;
  Definition definition = { 0 };
  gboolean is_end = FALSE;

  /* The names come after the definitions that they belong to. */
  for (guint64 i = 0; i < n && !bytes->is_bad; i++)
    read_definition (bytes, &definition);
  guint64 n_names = tt_unpack_below (bytes, G_MAXUINT32);
  names.at = tt_unpack_bytes (bytes, n_names);
  names.end = bytes->at;
  names.is_bad = bytes->is_bad;
  for (guint64 i = 0; i < n && !bytes->is_bad; i++)
    {
      definition = (Definition){ 0 };
      read_definition (&definitions, &definition);
      is_end |= definition.kind == TT_DEFINE_SOURCE_END;
      /* It comes alone. */
      bytes->is_bad |= is_end && (n > 1 || sink->source == TT_NO_ID);
      if (!is_end && !bytes->is_bad)
        put (bytes, &names, ids, &definition, sink);
    }
  bytes->is_bad |= names.is_bad || names.at != names.end;
  read_repairs (bytes, ids, sink, is_end);
  if (is_end && !bytes->is_bad)
    tt_sink_end_source (sink, (guint64) definition.a, definition.text[0], clock_of (bytes, definition.c));
}
