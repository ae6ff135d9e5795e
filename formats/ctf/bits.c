/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/bits.h"

#define STREAM_MAGIC 0xC1FC1FC1u

gboolean
tt_ctf_bits_fail (TtCtfBits *self, const char *fault)
{
  if (self->fault == NULL && !self->wants_more)
    self->fault = fault;
  return FALSE;
}

gboolean
tt_ctf_bits_fail_end (TtCtfBits *self)
{
  if (self->may_grow && self->fault == NULL)
    self->wants_more = TRUE;
  return tt_ctf_bits_fail (self, "a field goes on beyond the end of its packet");
}

gboolean
tt_ctf_bits_odd (TtCtfBits *self, const TtCtfType *type, guint64 *value)
{
  int order = type->is_big_endian ? 'b' : 'l';
  const guint8 *bytes = tt_ctf_bits_bytes (self);
  guint shift = self->at & 7, left = type->size;
  guint64 bits = 0;

  if (shift != 0 && self->order != 0 && self->order != order)
    return tt_ctf_bits_fail (self, "two fields share a byte, in different orders");
  for (guint done = 0; left > 0; bytes++, shift = 0)
    {
      guint n = MIN (8 - shift, left);
      guint part = type->is_big_endian ? (guint) *bytes >> (8 - shift - n) : (guint) *bytes >> shift;

      part &= (1u << n) - 1;
      bits = type->is_big_endian ? bits << n | part : bits | (guint64) part << done;
      done += n;
      left -= n;
    }
  *value = type->is_signed ? tt_ctf_extend_sign (bits, type->size) : bits;
  self->order = order;
  self->at += type->size;
  return TRUE;
}

/* A time of fewer bits than the clock has: it goes on, and has gone round if it seems to go back. */
static void
advance_clock (TtCtfBits *self, guint64 value, guint size)
{
  guint64 mask;

  self->round = 0;
  if (size == 64)
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

gboolean
tt_ctf_bits_note (TtCtfBits *self, const TtCtfType *type, guint64 value)
{
  if (type->meaning == TT_CTF_MAGIC && value != STREAM_MAGIC)
    return tt_ctf_bits_fail (self, "it does not begin with the magic number of a CTF packet");
  if (type->meaning != TT_CTF_PLAIN)
    {
      self->said[type->meaning] = value;
      self->has_said |= 1u << type->meaning;
    }
  if (type->clock != NULL && !type->is_signed)
    advance_clock (self, value, type->size);
  if (type->store >= 0)
    self->stores[type->store] = value;
  return TRUE;
}
