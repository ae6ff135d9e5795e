/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/unpack-ahead.h"

#include <string.h>

#define N_PIECES 4u
#define PIECE_BYTES ((gsize) 256 << 10)

typedef struct
{
  guint8 *bytes;
  gsize len, used;
  gboolean is_last;
  GError *error; /* after the bytes */
  TtUnpackState state;
} Piece;

struct _TtUnpackAhead
{
  TtUnpack *unpack; /* of the thread */
  GThread *thread;
  GAsyncQueue *full, *empty; /* of Piece */
  Piece *piece;              /* the reader's; NULL: none yet */
  TtUnpackState state;       /* of the reader */
  gint is_stopped;
};

static Piece *
piece_new (void)
{
  Piece *self = g_new0 (Piece, 1);

  self->bytes = g_malloc (PIECE_BYTES);
  return self;
}

static void
piece_free (Piece *self)
{
  if (self == NULL)
    return;
  g_clear_error (&self->error);
  g_free (self->bytes);
  g_free (self);
}

static TtUnpackState
state_of (const TtUnpack *unpack)
{
  return (TtUnpackState){ unpack->raw->offset, unpack->raw->disk_bytes, unpack->is_cut };
}

static void
fill (TtUnpackAhead *self, Piece *piece)
{
  gssize n = tt_unpack_read (self->unpack, piece->bytes, PIECE_BYTES, &piece->error);

  piece->used = 0;
  piece->len = (gsize) MAX (n, 0);
  piece->is_last = piece->len < PIECE_BYTES;
  piece->state = state_of (self->unpack);
}

static gpointer
unpack_ahead (gpointer data)
{
  TtUnpackAhead *self = data;
  gboolean is_last = FALSE;

  while (!is_last)
    {
      Piece *piece = g_async_queue_pop (self->empty);

      if (g_atomic_int_get (&self->is_stopped))
        {
          g_async_queue_push (self->empty, piece);
          break;
        }
      fill (self, piece);
      is_last = piece->is_last;
      g_async_queue_push (self->full, piece);
    }
  return NULL;
}

TtUnpackAhead *
tt_unpack_ahead_new (TtUnpack *unpack)
{
  TtUnpackAhead *self = g_new0 (TtUnpackAhead, 1);

  self->unpack = unpack;
  self->state = state_of (unpack);
  self->full = g_async_queue_new_full ((GDestroyNotify) piece_free);
  self->empty = g_async_queue_new_full ((GDestroyNotify) piece_free);
  for (guint i = 0; i < N_PIECES; i++)
    g_async_queue_push (self->empty, piece_new ());
  self->thread = g_thread_try_new ("unpack", unpack_ahead, self, NULL);
  if (self->thread != NULL)
    return self;
  tt_unpack_ahead_free (self);
  return NULL;
}

void
tt_unpack_ahead_stop (TtUnpackAhead *self)
{
  Piece *piece;

  if (self->thread == NULL)
    return;
  g_atomic_int_set (&self->is_stopped, TRUE);
  /* So that one is there to be found. */
  while ((piece = g_async_queue_try_pop (self->full)) != NULL)
    {
      g_clear_error (&piece->error);
      g_async_queue_push (self->empty, piece);
    }
  if (self->piece != NULL)
    g_async_queue_push (self->empty, g_steal_pointer (&self->piece));
  g_thread_join (g_steal_pointer (&self->thread));
  self->state = state_of (self->unpack);
}

void
tt_unpack_ahead_free (TtUnpackAhead *self)
{
  if (self == NULL)
    return;
  tt_unpack_ahead_stop (self);
  piece_free (self->piece);
  g_async_queue_unref (self->full);
  g_async_queue_unref (self->empty);
  g_free (self);
}

TtUnpackState
tt_unpack_ahead_state (const TtUnpackAhead *self)
{
  return self->state;
}

/* FALSE: there is no other. */
static gboolean
next_piece (TtUnpackAhead *self)
{
  if (self->thread == NULL || (self->piece != NULL && self->piece->is_last))
    return FALSE;
  if (self->piece != NULL)
    g_async_queue_push (self->empty, self->piece);
  self->piece = g_async_queue_pop (self->full);
  self->state = self->piece->state;
  return TRUE;
}

gssize
tt_unpack_ahead_read (TtUnpackAhead *self, guint8 *bytes, gsize len, GError **error)
{
  gsize done = 0;

  while (done < len)
    {
      Piece *piece = self->piece;

      if (piece == NULL || piece->used == piece->len)
        {
          if (piece != NULL && piece->error != NULL)
            {
              g_propagate_error (error, g_steal_pointer (&piece->error));
              return -1;
            }
          if (!next_piece (self))
            break;
          continue;
        }
      gsize n = MIN (len - done, piece->len - piece->used);
      memcpy (bytes + done, piece->bytes + piece->used, n);
      piece->used += n;
      done += n;
    }
  return (gssize) done;
}
