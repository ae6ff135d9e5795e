/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2-export/chunk-file.h"

#define HEADER 18u
/* A reader of libotf2 wants at least a byte behind each record. */
#define TAIL 4u
/* Of a record that comes with its time: kind, length and time. */
#define MOST_AROUND 32u

enum
{
  END_OF_BUFFER = 1,
  END_OF_FILE = 2,
  CHUNK_HEADER = 3,
  TIMESTAMP = 5,
  ATTRIBUTES = 6,
  LITTLE_ENDIAN_BYTES = 0x42,
};

void
tt_record_u8 (TtRecordBody *self, guint8 value)
{
  g_byte_array_append (self->bytes, &value, 1);
}

void
tt_record_packed (TtRecordBody *self, guint64 value)
{
  guint64 bytes = GUINT64_TO_LE (value);
  guint n = 0;

  if (value == TT_OTF2_NONE)
    {
      tt_record_u8 (self, 0xff);
      return;
    }
  for (guint64 rest = value; rest != 0; rest >>= 8)
    n++;
  tt_record_u8 (self, (guint8) n);
  g_byte_array_append (self->bytes, (const guint8 *) &bytes, n);
}

void
tt_record_string (TtRecordBody *self, const char *text)
{
  g_byte_array_append (self->bytes, (const guint8 *) text, (guint) strlen (text) + 1);
}

/* -- chunks --------------------------------------------------------------------------------------------------------- */

static void
put (TtChunkFile *self, const void *bytes, gsize len)
{
  memcpy (self->chunk + self->used, bytes, len);
  self->used += len;
}

static void
put_u8 (TtChunkFile *self, guint8 value)
{
  self->chunk[self->used++] = value;
}

static void
put_u64 (TtChunkFile *self, guint64 value)
{
  value = GUINT64_TO_LE (value);
  put (self, &value, sizeof value);
}

static void
begin_chunk (TtChunkFile *self)
{
  self->used = 0;
  self->n_before = self->n_events;
  self->has_time = FALSE;
  put_u8 (self, CHUNK_HEADER);
  put_u8 (self, LITTLE_ENDIAN_BYTES);
  put_u64 (self, self->n_events + 1);
  put_u64 (self, 0);
}

static void
end_chunk (TtChunkFile *self)
{
  guint64 last = GUINT64_TO_LE (self->n_events);

  memcpy (self->chunk + 10, &last, sizeof last);
  tt_output_bytes (self->out, (const char *) self->chunk, self->used);
}

/* Room for a record of @len bytes with all that is around it. */
static void
make_room (TtChunkFile *self, gsize len)
{
  if (self->size - self->used >= len + MOST_AROUND + TAIL)
    return;
  memset (self->chunk + self->used, 0, self->size - self->used);
  self->used = self->size;
  end_chunk (self);
  begin_chunk (self);
}

gboolean
tt_chunk_file_open (TtChunkFile *self, const char *path, gsize chunk_bytes, GError **error)
{
  *self = (TtChunkFile){ .out = tt_output_open (path, error), .size = chunk_bytes };
  if (self->out == NULL)
    return FALSE;
  self->chunk = g_malloc (chunk_bytes);
  begin_chunk (self);
  return TRUE;
}

static void
put_length (TtChunkFile *self, gsize len)
{
  if (len < 0xff)
    {
      put_u8 (self, (guint8) len);
      return;
    }
  put_u8 (self, 0xff);
  put_u64 (self, len);
}

void
tt_chunk_file_record (TtChunkFile *self, guint8 kind, const TtRecordBody *body)
{
  make_room (self, body->bytes->len);
  put_u8 (self, kind);
  put_length (self, body->bytes->len);
  put (self, body->bytes->data, body->bytes->len);
}

static void
put_time (TtChunkFile *self, guint64 time)
{
  if (self->has_time && self->time == time)
    return;
  put_u8 (self, TIMESTAMP);
  put_u64 (self, time);
  self->time = time;
  self->has_time = TRUE;
}

void
tt_chunk_file_attributes (TtChunkFile *self, guint64 time, const TtRecordBody *body)
{
  /* An event follows that has no large body of its own. */
  make_room (self, body->bytes->len + 2 * MOST_AROUND);
  put_time (self, time);
  put_u8 (self, ATTRIBUTES);
  put_length (self, body->bytes->len);
  put (self, body->bytes->data, body->bytes->len);
}

void
tt_chunk_file_event (TtChunkFile *self, guint64 time, guint8 kind, const TtRecordBody *body, gboolean is_alone)
{
  make_room (self, body->bytes->len);
  put_time (self, time);
  put_u8 (self, kind);
  if (!is_alone)
    put_length (self, body->bytes->len);
  put (self, body->bytes->data, body->bytes->len);
  self->n_events++;
}

gboolean
tt_chunk_file_close (TtChunkFile *self, GError **error)
{
  put_u8 (self, END_OF_FILE);
  put_u8 (self, END_OF_BUFFER);
  end_chunk (self);
  gboolean is_good = tt_output_close (self->out, error);
  tt_chunk_file_clear (self);
  return is_good;
}

void
tt_chunk_file_clear (TtChunkFile *self)
{
  g_clear_pointer (&self->out, tt_output_free);
  g_clear_pointer (&self->chunk, g_free);
}
