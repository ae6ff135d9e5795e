/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfBits: a place in a packet, from which values are read, and what integers said on the way there.
 *
 * Places are bits from the begin of the packet. Bytes are those of a window on the file: what is not in it, but in the
 * packet, wants a larger window; what is in neither is a fault. Nothing is read beyond the end.
 */
#pragma once

#include "formats/ctf/schema/schema.h"

#include <string.h>

typedef struct
{
  const guint8 *bytes;
  gint64 base; /* the place of bytes[0] */
  guint64 at, end;
  gboolean may_grow;   /* end is that of the window */
  gboolean wants_more; /* it was too small */
  const char *fault;   /* NULL: none */
  int order;           /* of the bits in a byte that was read in part: 'b', 'l', 0: not known */
  guint n_empty;       /* values that took no bit, less what bytes account for */
  guint n_variable;    /* bits that the last integer of a variable length had */
  guint64 clock;
  guint64 round; /* how far it goes round, if the last time of it seemed to go back; else 0 */
  guint64 *stores;
  guint64 said[TT_CTF_N_MEANINGS];
  guint32 has_said; /* a bit for each meaning */
} TtCtfBits;

/* FALSE: a value goes on beyond the end. */
gboolean tt_ctf_bits_fail_end (TtCtfBits *self);
gboolean tt_ctf_bits_fail (TtCtfBits *self, const char *fault);

/* A number that does not begin or end with a byte, is of a variable length, or has its bits the other way round. */
gboolean tt_ctf_bits_odd (TtCtfBits *self, const TtCtfType *type, guint64 *value);
/* Keeps what the integer says for others. */
gboolean tt_ctf_bits_note (TtCtfBits *self, const TtCtfType *type, guint64 value);

static inline const guint8 *
tt_ctf_bits_bytes (const TtCtfBits *self)
{
  return self->bytes + (((gint64) self->at - self->base) >> 3);
}

static inline gboolean
tt_ctf_bits_align (TtCtfBits *self, guint64 align)
{
  guint64 at = (self->at + align - 1) & ~(align - 1);

  if (G_UNLIKELY (at > self->end))
    return tt_ctf_bits_fail_end (self);
  self->at = at;
  return TRUE;
}

/* @n: 1, 2, 4 or 8 bytes. */
static inline guint64
tt_ctf_bytes_value (const guint8 *bytes, guint n, gboolean is_big_endian)
{
  guint16 v16;
  guint32 v32;
  guint64 v64;

  switch (n)
    {
    case 1:
      return *bytes;
    case 2:
      memcpy (&v16, bytes, sizeof v16);
      return is_big_endian ? GUINT16_FROM_BE (v16) : GUINT16_FROM_LE (v16);
    case 4:
      memcpy (&v32, bytes, sizeof v32);
      return is_big_endian ? GUINT32_FROM_BE (v32) : GUINT32_FROM_LE (v32);
    default:
      memcpy (&v64, bytes, sizeof v64);
      return is_big_endian ? GUINT64_FROM_BE (v64) : GUINT64_FROM_LE (v64);
    }
}

static inline guint64
tt_ctf_extend_sign (guint64 value, guint size)
{
  return size == 64 ? value : (guint64) ((gint64) (value << (64 - size)) >> (64 - size));
}

/* A real of @size bits as those of a double. */
static inline guint64
tt_ctf_widen_real (guint64 bits, guint size)
{
  guint32 narrow = (guint32) bits;
  double wide;
  float real;

  if (size != 32)
    return bits;
  memcpy (&real, &narrow, sizeof real);
  wide = (double) real;
  memcpy (&bits, &wide, sizeof bits);
  return bits;
}

/* A time of fewer bits than the clock has: it goes on, and has gone round if it seems to go back. */
static inline void
tt_ctf_bits_advance (TtCtfBits *self, guint64 value, guint size)
{
  guint64 mask;

  self->round = 0;
  if (size >= 64)
    {
      self->clock = value;
      return;
    }
  mask = (G_GUINT64_CONSTANT (1) << size) - 1;
  value &= mask;
  if (value < (self->clock & mask))
    self->round = mask + 1;
  self->clock += self->round;
  self->clock = (self->clock & ~mask) | value;
}

/* The bits of a number, aligned; a signed one with its sign. */
static inline gboolean
tt_ctf_bits_number (TtCtfBits *self, const TtCtfType *type, guint64 *value)
{
  guint size = type->size;

  if (!tt_ctf_bits_align (self, type->align))
    return FALSE;
  if (G_UNLIKELY (self->end - self->at < size))
    return tt_ctf_bits_fail_end (self);
  if (G_UNLIKELY ((self->at & 7) != 0 || (size != 8 && size != 16 && size != 32 && size != 64) || type->is_reversed))
    return tt_ctf_bits_odd (self, type, value);
  *value = tt_ctf_bytes_value (tt_ctf_bits_bytes (self), size / 8, type->is_big_endian);
  if (type->is_signed)
    *value = tt_ctf_extend_sign (*value, size);
  self->order = type->is_big_endian ? 'b' : 'l';
  self->at += size;
  return TRUE;
}
