/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/reading.h"

#include "src/base/look.h"

enum
{
  DEFINITIONS,
  EVENTS,
};

TtOtf2Reading *
tt_otf2_reading_new (guint place)
{
  TtOtf2Reading *self = g_new0 (TtOtf2Reading, 1);

  self->place = place;
  self->is_good = TRUE;
  tt_otf2_local_init (&self->local);
  self->events = (TtOtf2Events){ .chunks = &self->chunks, .local = &self->local };
  return self;
}

void
tt_otf2_reading_free (TtOtf2Reading *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (self->files); i++)
    {
      g_free (self->files[i].path);
      g_free (self->files[i].digest);
    }
  g_free (self->events_path);
  g_clear_error (&self->error);
  tt_otf2_local_clear (&self->local);
  tt_otf2_chunks_clear (&self->chunks);
  g_free (self);
}

/* The file that is open is read. */
static gboolean
close_file (TtOtf2Reading *self, TtOtf2ReadFile *file)
{
  file->digest = tt_input_hash (self->chunks.input, &self->error);
  if (file->digest == NULL)
    return FALSE;
  file->bytes = tt_input_disk_bytes (self->chunks.input);
  file->progress = tt_input_progress (self->chunks.input);
  tt_otf2_chunks_close (&self->chunks);
  return TRUE;
}

static gboolean
read_local (TtOtf2Reading *self, const TtOtf2Anchor *anchor, guint64 location, gboolean no_align)
{
  TtOtf2ReadFile *file = &self->files[DEFINITIONS];
  g_autofree char *path = tt_otf2_local_path (anchor, location);

  if (!tt_look_test (path, G_FILE_TEST_EXISTS))
    return TRUE;
  file->path = g_steal_pointer (&path);
  if (!tt_otf2_chunks_open (&self->chunks, file->path, (gsize) anchor->definition_chunk, &self->error) ||
      !tt_otf2_local_read (&self->local, &self->chunks, &self->repairs, &self->error))
    return FALSE;
  if (no_align)
    g_array_set_size (self->local.pieces, 0);
  return close_file (self, file);
}

static gboolean
begin (TtOtf2Reading *self, const TtOtf2Anchor *anchor, const TtOtf2Definitions *definitions, gboolean no_align)
{
  TtOtf2ReadFile *file = &self->files[EVENTS];
  guint64 location = tt_otf2_row (definitions, TT_OTF2_LOCATION, self->place)[TT_OTF2_ID];

  self->events_path = tt_otf2_events_path (anchor, location);
  self->is_there = tt_look_test (self->events_path, G_FILE_TEST_EXISTS);
  if (!self->is_there || !read_local (self, anchor, location, no_align))
    return FALSE;
  file->path = g_strdup (self->events_path);
  if (!tt_otf2_chunks_open (&self->chunks, file->path, (gsize) anchor->event_chunk, &self->error))
    return FALSE;
  self->state = tt_otf2_chunks_next (&self->chunks, &self->error);
  tt_otf2_events_begin (&self->events, tt_otf2_row (definitions, TT_OTF2_CLOCK_PROPERTIES, 0));
  return self->state == TT_OTF2_CHUNK;
}

gboolean
tt_otf2_reading_begin (TtOtf2Reading *self,
                       const TtOtf2Anchor *anchor,
                       const TtOtf2Definitions *definitions,
                       gboolean no_align)
{
  gboolean has_events = begin (self, anchor, definitions, no_align);

  self->has_failed = self->error != NULL;
  self->begin = self->state;
  return has_events;
}

gboolean
tt_otf2_reading_fill (TtOtf2Reading *self, TtOtf2Block *block)
{
  block->chunk = NULL;
  for (block->n = 0; block->n < TT_OTF2_BLOCK_EVENTS; block->n++)
    if (!tt_otf2_events_next (&self->events, &block->events[block->n]))
      break;
  if (block->n == TT_OTF2_BLOCK_EVENTS)
    return TRUE;
  self->is_good = self->chunks.bytes.is_good;
  self->end = tt_otf2_chunks_offset (&self->chunks);
  self->chunk_end = self->chunks.offset;
  block->progress = tt_input_progress (self->chunks.input);
  block->chunk = tt_otf2_chunks_steal (&self->chunks, &block->chunk_allocated);
  if (!self->is_good)
    return FALSE;
  self->state = tt_otf2_chunks_next (&self->chunks, &self->error);
  if (self->state == TT_OTF2_CHUNK)
    return TRUE;
  if (self->state == TT_OTF2_AT_END)
    return FALSE;
  self->end = tt_otf2_chunks_offset (&self->chunks);
  self->chunk_end = self->chunks.offset;
  return FALSE;
}

void
tt_otf2_reading_end (TtOtf2Reading *self)
{
  if (self->error == NULL && self->chunks.input != NULL)
    close_file (self, &self->files[EVENTS]);
}
