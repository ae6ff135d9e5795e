/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/schema/schema.h"

#include "src/base/int128.h"

#include <string.h>

#define BLOCK_BYTES ((gsize) 1 << 16)
#define MAX_TYPES (1u << 20)
#define MAX_RANGES (1u << 21)
#define NS_PER_S G_GINT64_CONSTANT (1000000000)

/* Of allocations that are shared by one block. */
typedef struct
{
  gsize used, size;
} Block;

TtCtfSchema *
tt_ctf_schema_new (void)
{
  TtCtfSchema *self = g_new0 (TtCtfSchema, 1);

  self->streams = g_ptr_array_new ();
  self->streams_by_id = g_hash_table_new (g_int64_hash, g_int64_equal);
  self->clocks = g_hash_table_new (g_str_hash, g_str_equal);
  self->texts = g_hash_table_new (g_str_hash, g_str_equal);
  self->numbers = g_hash_table_new (g_str_hash, g_str_equal);
  self->blocks = g_ptr_array_new_with_free_func (g_free);
  self->names = g_string_chunk_new (BLOCK_BYTES);
  return self;
}

void
tt_ctf_schema_free (TtCtfSchema *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->streams->len; i++)
    {
      TtCtfStreamType *stream = self->streams->pdata[i];

      g_ptr_array_unref (stream->events);
      g_hash_table_unref (stream->by_id);
    }
  g_ptr_array_unref (self->streams);
  g_hash_table_unref (self->streams_by_id);
  g_hash_table_unref (self->clocks);
  g_hash_table_unref (self->texts);
  g_hash_table_unref (self->numbers);
  g_ptr_array_unref (self->blocks);
  g_string_chunk_free (self->names);
  g_free (self->uuid);
  g_free (self);
}

gpointer
tt_ctf_schema_alloc (TtCtfSchema *self, gsize size)
{
  Block *block = self->blocks->len == 0 ? NULL : self->blocks->pdata[self->blocks->len - 1];

  size = (size + 15) & ~(gsize) 15;
  if (block == NULL || block->size - block->used < size)
    {
      gsize room = MAX (BLOCK_BYTES, size + sizeof (Block));

      block = g_malloc0 (room);
      *block = (Block){ .used = sizeof (Block), .size = room };
      g_ptr_array_add (self->blocks, block);
    }
  block->used += size;
  return (char *) block + block->used - size;
}

const char *
tt_ctf_schema_text (TtCtfSchema *self, const char *text)
{
  return g_string_chunk_insert_const (self->names, text);
}

gpointer
tt_ctf_schema_take (TtCtfSchema *self, GArray *array)
{
  gsize size = (gsize) array->len * g_array_get_element_size (array);
  gpointer copy = tt_ctf_schema_alloc (self, size);

  if (size > 0)
    memcpy (copy, array->data, size);
  g_array_unref (array);
  return copy;
}

gboolean
tt_ctf_schema_has_room (TtCtfSchema *self)
{
  return self->n_ranges < MAX_RANGES && ++self->n_ranges > 0;
}

/* -- types ---------------------------------------------------------------------------------------------------- */

TtCtfType *
tt_ctf_type_new (TtCtfSchema *self, TtCtfTypeKind kind)
{
  if (self->n_types >= MAX_TYPES)
    return NULL;
  self->n_types++;

  TtCtfType *type = tt_ctf_schema_alloc (self, sizeof *type);
  type->kind = kind;
  type->align = kind == TT_CTF_TYPE_STRING ? 8 : 1;
  type->base = 10;
  type->depth = 1;
  type->store = type->from = -1;
  return type;
}

TtCtfType *
tt_ctf_type_copy (TtCtfSchema *self, const TtCtfType *type)
{
  TtCtfType *copy = tt_ctf_type_new (self, type->kind);

  if (copy == NULL)
    return NULL;
  *copy = *type;
  if (type->element != NULL && (copy->element = tt_ctf_type_copy (self, type->element)) == NULL)
    return NULL;
  if (type->n_fields > 0)
    copy->fields = tt_ctf_schema_alloc (self, type->n_fields * sizeof *copy->fields);
  for (guint i = 0; i < type->n_fields; i++)
    {
      copy->fields[i] = type->fields[i];
      copy->fields[i].type = tt_ctf_type_copy (self, type->fields[i].type);
      if (copy->fields[i].type == NULL)
        return NULL;
    }
  return copy;
}

TtCtfType *
tt_ctf_type_member (const TtCtfType *self, const char *name)
{
  if (self == NULL || self->kind != TT_CTF_TYPE_STRUCT)
    return NULL;
  for (guint i = 0; i < self->n_fields; i++)
    if (strcmp (self->fields[i].name, name) == 0)
      return self->fields[i].type;
  return NULL;
}

gboolean
tt_ctf_type_is_unsigned (const TtCtfType *self)
{
  return self->kind == TT_CTF_TYPE_INTEGER && !self->is_signed;
}

/* -- streams, events, clocks ------------------------------------------------------------------------------------ */

TtCtfStreamType *
tt_ctf_schema_stream (const TtCtfSchema *self, guint64 id)
{
  return g_hash_table_lookup (self->streams_by_id, &id);
}

TtCtfStreamType *
tt_ctf_schema_add_stream (TtCtfSchema *self, guint64 id)
{
  TtCtfStreamType *stream = tt_ctf_schema_alloc (self, sizeof *stream);

  stream->id = id;
  stream->events = g_ptr_array_new ();
  stream->by_id = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_ptr_array_add (self->streams, stream);
  g_hash_table_insert (self->streams_by_id, &stream->id, stream);
  return stream;
}

TtCtfEventType *
tt_ctf_stream_add_event (TtCtfSchema *self, TtCtfStreamType *stream, guint64 id)
{
  TtCtfEventType *event;

  if (g_hash_table_contains (stream->by_id, &id))
    return NULL;
  event = tt_ctf_schema_alloc (self, sizeof *event);
  event->id = id;
  g_ptr_array_add (stream->events, event);
  g_hash_table_insert (stream->by_id, &event->id, event);
  return event;
}

const TtCtfClockClass *
tt_ctf_schema_clock (const TtCtfSchema *self, const char *name)
{
  return g_hash_table_lookup (self->clocks, name);
}

gboolean
tt_ctf_schema_add_clock (TtCtfSchema *self, TtCtfClockClass *clock)
{
  return !g_hash_table_contains (self->clocks, clock->name) &&
         g_hash_table_insert (self->clocks, (gpointer) clock->name, clock);
}

gboolean
tt_ctf_clock_ns (const TtCtfClockClass *self, guint64 cycles, gint64 *ns)
{
  if (self->frequency == (guint64) NS_PER_S)
    {
      gint64 base;

      return !__builtin_mul_overflow (self->offset_s, NS_PER_S, &base) &&
             !__builtin_add_overflow (base, self->offset_cycles, &base) && !__builtin_add_overflow (base, cycles, ns);
    }
  tt_int128 sum = (tt_int128) self->offset_s * NS_PER_S +
                  (tt_int128) self->offset_cycles * NS_PER_S / (tt_int128) self->frequency +
                  (tt_int128) cycles * NS_PER_S / (tt_int128) self->frequency;
  if (sum < G_MININT64 || sum > G_MAXINT64)
    return FALSE;
  *ns = (gint64) sum;
  return TRUE;
}
