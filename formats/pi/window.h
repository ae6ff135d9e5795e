/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPiWindow: the bytes of one file of a trace, in order, a piece at a time: a file, or an entry of a packed archive.
 *
 * The bytes asked for lie together in memory, borrowed until the next call. Only the bytes that the file had when it
 * was opened are read. The caller checks sizes against tt_pi_window_left() before it asks.
 */
#pragma once

#include <glib.h>

typedef struct _TtPiPacked TtPiPacked;

typedef struct
{
  guint8 *buffer;
  gsize capacity, at, filled; /* bytes at to filled are here */
  guint64 offset;             /* in the contents, of buffer[at] */
  guint64 size;               /* of the contents */
  char *path;                 /* what to open, and to name in messages */
  guint64 base;               /* in the file, of the contents */
  int fd;                     /* -1: not open now */
  gboolean stays_open;
  TtPiPacked *packed; /* NULL: not compressed */
} TtPiWindow;

/* @base, @size: where the contents lie in the file @path. @stays_open: FALSE where there may be more windows than a
 * process has descriptors. */
void tt_pi_window_init (TtPiWindow *self, const char *path, guint64 base, guint64 size, gboolean stays_open);
/* One zstd frame of @packed_size bytes at @base, @size bytes when unpacked. */
void tt_pi_window_init_packed (TtPiWindow *self,
                               const char *path,
                               guint64 base,
                               guint64 packed_size,
                               guint64 size,
                               gboolean stays_open);
void tt_pi_window_clear (TtPiWindow *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtPiWindow, tt_pi_window_clear)

gboolean tt_pi_window_fill (TtPiWindow *self, gsize n, GError **error);
gboolean tt_pi_window_skip (TtPiWindow *self, guint64 n, GError **error);
/* Back or on to @offset of the contents. Going back in packed contents unpacks them again. */
gboolean tt_pi_window_seek (TtPiWindow *self, guint64 offset, GError **error);

static inline guint64
tt_pi_window_left (const TtPiWindow *self)
{
  return self->size - self->offset;
}

/* The next @n bytes, which the contents must have; NULL: reading failed. */
static inline const guint8 *
tt_pi_window_need (TtPiWindow *self, gsize n, GError **error)
{
  if (G_UNLIKELY (self->filled - self->at < n) && !tt_pi_window_fill (self, n, error))
    return NULL;
  return self->buffer + self->at;
}

/* Over bytes that are here. */
static inline void
tt_pi_window_advance (TtPiWindow *self, gsize n)
{
  self->at += n;
  self->offset += n;
}
