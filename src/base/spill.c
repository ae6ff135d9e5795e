/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/spill.h"

#include "src/base/temporary-file.h"

#include <string.h>
#include <unistd.h>

typedef struct
{
  guint8 *bytes;
  guint64 page;
  gboolean is_dirty;
  gboolean is_used; /* since the clock hand last passed */
} Frame;

typedef struct
{
  guint32 frame; /* index + 1; 0 = not in memory */
  guint32 is_on_disk;
} PageState;

struct _TtSpill
{
  GArray *pages; /* of PageState */
  Frame *frames;
  guint n_frames, max_frames;
  guint hand;
  int fd; /* -1 until the first page leaves memory */
  GError *error;
};

TtSpill *
tt_spill_new (gsize cache_bytes)
{
  TtSpill *self = g_new0 (TtSpill, 1);

  self->pages = g_array_new (FALSE, TRUE, sizeof (PageState));
  self->max_frames = (guint) MAX (cache_bytes / TT_SPILL_PAGE, 4);
  self->frames = g_new0 (Frame, self->max_frames);
  self->fd = -1;
  return self;
}

void
tt_spill_clear (TtSpill *self)
{
  for (guint i = 0; i < self->n_frames; i++)
    g_free (self->frames[i].bytes);
  memset (self->frames, 0, self->max_frames * sizeof *self->frames);
  self->n_frames = 0;
  self->hand = 0;
  g_array_set_size (self->pages, 0);
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
}

void
tt_spill_free (TtSpill *self)
{
  if (self == NULL)
    return;
  tt_spill_clear (self);
  g_array_unref (self->pages);
  g_free (self->frames);
  g_clear_error (&self->error);
  g_free (self);
}

static void
write_page (TtSpill *self, const Frame *frame)
{
  if (self->error != NULL)
    return;
  if (self->fd < 0)
    self->fd = tt_temporary_file (&self->error);
  if (self->fd >= 0 &&
      tt_file_write_at (self->fd, frame->page * TT_SPILL_PAGE, frame->bytes, TT_SPILL_PAGE, &self->error))
    g_array_index (self->pages, PageState, frame->page).is_on_disk = TRUE;
}

/* An empty frame; the clock algorithm picks the page that goes to disk. */
static Frame *
find_frame (TtSpill *self)
{
  if (self->n_frames < self->max_frames)
    {
      Frame *frame = &self->frames[self->n_frames++];
      frame->bytes = g_malloc (TT_SPILL_PAGE);
      return frame;
    }

  while (self->frames[self->hand].is_used)
    {
      self->frames[self->hand].is_used = FALSE;
      self->hand = (self->hand + 1) % self->n_frames;
    }
  Frame *frame = &self->frames[self->hand];
  self->hand = (self->hand + 1) % self->n_frames;
  if (frame->is_dirty)
    write_page (self, frame);
  g_array_index (self->pages, PageState, frame->page).frame = 0;
  return frame;
}

guint8 *
tt_spill_page (TtSpill *self, guint64 page, gboolean for_write)
{
  if (G_UNLIKELY (page >= self->pages->len))
    g_array_set_size (self->pages, (guint) page + 1);

  guint32 index = g_array_index (self->pages, PageState, page).frame;
  Frame *frame;
  if (G_LIKELY (index != 0))
    frame = &self->frames[index - 1];
  else
    {
      frame = find_frame (self);
      PageState *state = &g_array_index (self->pages, PageState, page);
      frame->page = page;
      frame->is_dirty = FALSE;
      state->frame = (guint32) (frame - self->frames) + 1;
      if (state->is_on_disk)
        tt_file_read_at (self->fd, page * TT_SPILL_PAGE, frame->bytes, TT_SPILL_PAGE, &self->error);
      else
        memset (frame->bytes, 0, TT_SPILL_PAGE);
    }

  frame->is_used = TRUE;
  frame->is_dirty |= for_write;
  return frame->bytes;
}

void
tt_spill_read (TtSpill *self, guint64 offset, void *bytes, gsize len)
{
  guint8 *to = bytes;

  while (len > 0)
    {
      gsize at = offset % TT_SPILL_PAGE;
      gsize n = MIN (len, TT_SPILL_PAGE - at);
      memcpy (to, tt_spill_page (self, offset / TT_SPILL_PAGE, FALSE) + at, n);
      to += n;
      offset += n;
      len -= n;
    }
}

void
tt_spill_write (TtSpill *self, guint64 offset, const void *bytes, gsize len)
{
  const guint8 *from = bytes;

  while (len > 0)
    {
      gsize at = offset % TT_SPILL_PAGE;
      gsize n = MIN (len, TT_SPILL_PAGE - at);
      memcpy (tt_spill_page (self, offset / TT_SPILL_PAGE, TRUE) + at, from, n);
      from += n;
      offset += n;
      len -= n;
    }
}

gboolean
tt_spill_check (const TtSpill *self, GError **error)
{
  if (self->error == NULL)
    return TRUE;
  if (error != NULL)
    *error = g_error_copy (self->error);
  return FALSE;
}
