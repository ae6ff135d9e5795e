/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/unpack-cut.h"

#include <string.h>

/* What is enough for one thread at a time: of contents, or of compressed bytes. */
#define ENOUGH_BYTES ((guint64) 1 << 20)
/* Of one frame; others are unpacked as they are read. */
#define MOST_PACKED ((gsize) 8 << 20)
/* Each thread that unpacks has one. */
#define MOST_WINDOW ((guint64) 4 << 20)
#define BLOCK_BYTES (128u << 10)
#define FIRST_ROOM ((gsize) 64 << 10)
/* 1f 8b 08, flags, time, 2 bytes, length of the extra field. */
#define GZIP_HEAD 12
#define GZIP_HAS_EXTRA 4u
#define GZIP_RESERVED 0xe0u
#define GZIP_TAIL 8

typedef struct
{
  TtUnpackCut *cut;
  TtRawInput *raw;
  gsize from;         /* of the frame, among the bytes of the cut */
  guint64 n_contents; /* of the frame */
  gboolean is_end;    /* of the input, before the frame */
  GError *error;      /* of reading */
} Cutter;

/* -- taking ------------------------------------------------------------------------------------------------ */

static gboolean
make_room (TtUnpackCut *cut, gsize n)
{
  gsize room = MAX (cut->room, FIRST_ROOM);

  while (room < n)
    room *= 2;
  if (room == cut->room)
    return TRUE;
  guint8 *bytes = g_try_realloc (cut->bytes, room);
  if (bytes == NULL)
    return FALSE;
  cut->bytes = bytes;
  cut->room = room;
  return TRUE;
}

/* The next @n bytes; NULL: there are not so many, or too many. */
static const guint8 *
take (Cutter *self, gsize n)
{
  TtUnpackCut *cut = self->cut;
  const gsize at = cut->n;

  if (n > MOST_PACKED - (at - self->from) || !make_room (cut, at + n))
    return NULL;
  while (cut->n < at + n)
    {
      gssize more = tt_raw_input_fill (self->raw, &self->error);
      if (more <= 0)
        {
          self->is_end = more == 0 && cut->n == self->from;
          return NULL;
        }
      gsize some = MIN (at + n - cut->n, self->raw->filled - self->raw->used);
      memcpy (cut->bytes + cut->n, self->raw->bytes + self->raw->used, some);
      self->raw->used += some;
      cut->n += some;
    }
  return cut->bytes + at;
}

/* Little-endian. */
static gboolean
take_number (Cutter *self, gsize n, guint64 *number)
{
  const guint8 *bytes = take (self, n);

  *number = 0;
  for (gsize i = n; bytes != NULL && i > 0; i--)
    *number = *number << 8 | bytes[i - 1];
  return bytes != NULL;
}

static void
put_frame_back (Cutter *self)
{
  tt_raw_input_put_back (self->raw, self->cut->bytes + self->from, self->cut->n - self->from,
                         g_steal_pointer (&self->error));
  self->cut->n = self->from;
}

/* -- zstd: RFC 8878 ----------------------------------------------------------------------------------------- */

#ifdef HAVE_ZSTD
static gboolean
take_blocks (Cutter *self, guint64 most)
{
  guint64 head, type, size;

  do
    {
      if (!take_number (self, 3, &head))
        return FALSE;
      type = head >> 1 & 3;
      size = head >> 3;
      if (type == 3 || size > most)
        return FALSE;
      self->n_contents += type == 2 ? most : size;
      if (take (self, type == 1 ? 1 : (gsize) size) == NULL)
        return FALSE;
    }
  while ((head & 1) == 0);
  return TRUE;
}

static gboolean
take_frame (Cutter *self)
{
  static const gsize size_bytes[] = { 0, 2, 4, 8 };
  guint64 flags, window = 0, size;

  if (!take_number (self, 1, &flags) || (flags & 3) != 0)
    return FALSE;
  const gboolean is_single = flags >> 5 & 1;
  const gsize n = flags >> 6 == 0 ? (gsize) is_single : size_bytes[flags >> 6];

  if (!is_single && !take_number (self, 1, &window))
    return FALSE;
  window = ((guint64) 8 + (window & 7)) << (7 + (window >> 3));
  if (!take_number (self, n, &size))
    return FALSE;
  if (is_single)
    window = n == 2 ? size + 256 : size;
  if (window > MOST_WINDOW || !take_blocks (self, MIN (window, BLOCK_BYTES)))
    return FALSE;
  return (flags >> 2 & 1) == 0 || take (self, 4) != NULL;
}

static gboolean
take_zstd (Cutter *self)
{
  guint64 number;

  if (!take_number (self, 4, &number))
    return FALSE;
  if (number == ZSTD_MAGICNUMBER)
    return take_frame (self);
  return (number & 0xfffffff0u) == ZSTD_MAGIC_SKIPPABLE_START && take_number (self, 4, &number) &&
         number <= MOST_PACKED && take (self, (gsize) number) != NULL;
}
#endif

/* -- gzip: RFC 1952; "BC": the format of bgzip ---------------------------------------------------------------- */

/* Its beginning, up to the end of the extra field. *left: what follows. */
static gboolean
take_gzip_head (Cutter *self, gsize *left)
{
  const guint8 *head = take (self, GZIP_HEAD);

  if (head == NULL || memcmp (head, "\x1f\x8b\x08", 3) != 0 ||
      (head[3] & (GZIP_HAS_EXTRA | GZIP_RESERVED)) != GZIP_HAS_EXTRA)
    return FALSE;
  const gsize n = head[10] | (gsize) head[11] << 8;
  const guint8 *extra = take (self, n);
  if (extra == NULL)
    return FALSE;
  for (gsize at = 0; at + 4 <= n;)
    {
      const gsize len = extra[at + 2] | (gsize) extra[at + 3] << 8;

      if (memcmp (extra + at, "BC\2", 4) == 0 && at + 6 <= n)
        {
          const gsize whole = (extra[at + 4] | (gsize) extra[at + 5] << 8) + 1u;

          *left = whole - (GZIP_HEAD + n);
          return whole >= GZIP_HEAD + n + GZIP_TAIL;
        }
      at += 4 + len;
    }
  return FALSE;
}

static gboolean
take_gzip (Cutter *self)
{
  gsize left;

  if (!take_gzip_head (self, &left) || take (self, left - 4) == NULL)
    return FALSE;
  return take_number (self, 4, &self->n_contents);
}

/* -- cutting -------------------------------------------------------------------------------------------------- */

static gboolean
take_one (Cutter *self, TtWrap wrap)
{
  self->from = self->cut->n;
  self->n_contents = 0;
#ifdef HAVE_ZSTD
  if (wrap == TT_WRAP_ZSTD)
    return take_zstd (self);
#endif
  return take_gzip (self);
}

TtCut
tt_unpack_cut_look (TtRawInput *raw, TtWrap wrap)
{
  TtUnpackCut cut = { 0 };
  Cutter cutter = { .cut = &cut, .raw = raw };
  gsize left;
  gboolean is_like = wrap == TT_WRAP_ZSTD ? take (&cutter, 1) != NULL : take_gzip_head (&cutter, &left);

  put_frame_back (&cutter);
  tt_unpack_cut_clear (&cut);
  return is_like ? TT_CUT_FRAMES : cutter.is_end ? TT_CUT_END : TT_CUT_NOT;
}

TtCut
tt_unpack_cut (TtUnpackCut *self, TtRawInput *raw, TtWrap wrap)
{
  Cutter cutter = { .cut = self, .raw = raw };

  self->n = 0;
  self->n_contents = 0;
  while (self->n_contents < ENOUGH_BYTES && self->n < ENOUGH_BYTES)
    {
      if (!take_one (&cutter, wrap))
        {
          put_frame_back (&cutter);
          return self->n > 0 ? TT_CUT_FRAMES : cutter.is_end ? TT_CUT_END : TT_CUT_NOT;
        }
      self->n_contents += cutter.n_contents;
    }
  return TT_CUT_FRAMES;
}

void
tt_unpack_cut_clear (TtUnpackCut *self)
{
  g_clear_pointer (&self->bytes, g_free);
  *self = (TtUnpackCut){ 0 };
}
