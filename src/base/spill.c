#include "config.h"

#include "src/base/spill.h"

#include "src/base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
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

static int
open_in (const char *directory)
{
#ifdef O_TMPFILE
  int fd = g_open (directory, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
  if (fd >= 0)
    return fd;
#endif
  g_autofree char *path = g_build_filename (directory, "tracetool-XXXXXX", NULL);
  int named = g_mkstemp_full (path, O_RDWR | O_CLOEXEC, 0600);
  if (named >= 0)
    g_unlink (path);
  return named;
}

int
tt_temporary_file (GError **error)
{
  const char *chosen = g_getenv ("TMPDIR");
  const char *const directories[] = { chosen != NULL && *chosen != '\0' ? chosen : "/var/tmp", "/var/tmp", "/tmp" };

  for (guint i = 0; i < G_N_ELEMENTS (directories); i++)
    {
      int fd = open_in (directories[i]);
      if (fd >= 0)
        return fd;
    }
  int saved = errno;
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
               "cannot make a temporary file in '%s': %s; set TMPDIR to a directory with room", directories[0],
               g_strerror (saved));
  return -1;
}

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
keep_errno (TtSpill *self, const char *what)
{
  if (self->error == NULL)
    self->error = g_error_new (TT_ERROR, TT_ERROR_INPUT, "cannot %s a temporary file: %s", what, g_strerror (errno));
}

static void
write_page (TtSpill *self, Frame *frame)
{
  gsize done = 0;

  if (self->error != NULL)
    return;
  if (self->fd < 0)
    {
      self->fd = tt_temporary_file (&self->error);
      if (self->fd < 0)
        return;
    }
  while (done < TT_SPILL_PAGE)
    {
      gssize n =
          pwrite (self->fd, frame->bytes + done, TT_SPILL_PAGE - done, (off_t) (frame->page * TT_SPILL_PAGE + done));
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          keep_errno (self, "write");
          return;
        }
      done += (gsize) n;
    }
  g_array_index (self->pages, PageState, frame->page).is_on_disk = TRUE;
}

static void
read_page (TtSpill *self, Frame *frame)
{
  gsize done = 0;

  while (done < TT_SPILL_PAGE)
    {
      gssize n =
          pread (self->fd, frame->bytes + done, TT_SPILL_PAGE - done, (off_t) (frame->page * TT_SPILL_PAGE + done));
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          keep_errno (self, "read");
          memset (frame->bytes + done, 0, TT_SPILL_PAGE - done);
          return;
        }
      done += (gsize) n;
    }
}

/* An empty frame; the clock algorithm picks whom to send to disk. */
static Frame *
take_frame (TtSpill *self)
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
      frame = take_frame (self);
      PageState *state = &g_array_index (self->pages, PageState, page);
      frame->page = page;
      frame->is_dirty = FALSE;
      state->frame = (guint32) (frame - self->frames) + 1;
      if (state->is_on_disk)
        read_page (self, frame);
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
