/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOtf2Bytes: values of OTF2's records, in either byte order, never read beyond their end.
 *
 * Source of these facts: OTF2 3.0.2, OTF2_Buffer.c. An integer of 32 or 64 bits is a byte that says how many follow, up to
 * 4 or 8, the least significant ones that are not zero; 0 is 0 and 255 stands for all bits set, which means undefined.
 * "Full" integers have all their bytes. Of a record in a file of other byte order these bytes are turned.
 */
#pragma once

#include <glib.h>
#include <string.h>

/* What a reference, size or number that the source does not know reads as. */
#define TT_OTF2_UNDEFINED G_MAXUINT64

typedef struct
{
  const guint8 *at, *end;
  gboolean is_big;  /* most significant byte first */
  gboolean is_good; /* FALSE: a value did not fit; every later one reads as undefined */
} TtOtf2Bytes;

static inline gsize
tt_otf2_left (const TtOtf2Bytes *self)
{
  return (gsize) (self->end - self->at);
}

static inline gboolean
tt_otf2_has (TtOtf2Bytes *self, gsize n)
{
  if (G_UNLIKELY (!self->is_good || tt_otf2_left (self) < n))
    self->is_good = FALSE;
  return self->is_good;
}

static inline guint64
tt_otf2_u8 (TtOtf2Bytes *self)
{
  return tt_otf2_has (self, 1) ? *self->at++ : TT_OTF2_UNDEFINED;
}

static inline guint64
tt_otf2_swap (guint64 value, gsize n)
{
  return GUINT64_SWAP_LE_BE (value) >> (64 - 8 * n);
}

/* @n: 1 to 8. */
static inline guint64
tt_otf2_full (TtOtf2Bytes *self, gsize n)
{
  guint64 value = 0;

  if (!tt_otf2_has (self, n))
    return TT_OTF2_UNDEFINED;
  memcpy (&value, self->at, n);
  value = GUINT64_FROM_LE (value);
  self->at += n;
  return G_UNLIKELY (self->is_big) ? tt_otf2_swap (value, n) : value;
}

static inline guint64
tt_otf2_packed (TtOtf2Bytes *self, gsize max)
{
  guint64 n = tt_otf2_u8 (self);

  if (n == 0)
    return 0;
  if (n == 0xff || !self->is_good)
    return TT_OTF2_UNDEFINED;
  if (G_UNLIKELY (n > max))
    {
      self->is_good = FALSE;
      return TT_OTF2_UNDEFINED;
    }
  return tt_otf2_full (self, n);
}

/* All bits set, however they are written, is undefined. */
static inline guint64
tt_otf2_u32 (TtOtf2Bytes *self)
{
  guint64 value = tt_otf2_packed (self, 4);

  return G_UNLIKELY (value == G_MAXUINT32) ? TT_OTF2_UNDEFINED : value;
}

static inline guint64
tt_otf2_u64 (TtOtf2Bytes *self)
{
  return tt_otf2_packed (self, 8);
}

/* Up to a NUL, which is read, too; NULL: there is none. */
static inline const char *
tt_otf2_string (TtOtf2Bytes *self)
{
  const guint8 *nul = self->is_good ? memchr (self->at, 0, tt_otf2_left (self)) : NULL;
  const char *text = (const char *) self->at;

  self->is_good = nul != NULL;
  if (nul == NULL)
    return NULL;
  self->at = nul + 1;
  return text;
}

/* The body of a record: a byte that is its length, or 255 and then eight that are. It is left behind, whatever is read
 * of it. */
static inline TtOtf2Bytes
tt_otf2_record (TtOtf2Bytes *self)
{
  TtOtf2Bytes body = *self;
  guint64 n = tt_otf2_u8 (self);

  if (n == 0xff && self->is_good)
    n = tt_otf2_full (self, 8);
  if (!self->is_good || n > tt_otf2_left (self))
    {
      self->is_good = body.is_good = FALSE;
      return body;
    }
  body.at = self->at;
  self->at += n;
  body.end = self->at;
  return body;
}
