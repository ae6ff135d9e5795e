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

/* LEB128: 7 bits a byte, the lowest first; all but the last byte have the highest bit. */
static gboolean
read_variable (TtCtfBits *self, const TtCtfType *type, guint64 *value)
{
  guint n = 0;
  guint8 byte;

  *value = 0;
  do
    {
      if (self->end - self->at < 8)
        return tt_ctf_bits_fail_end (self);
      byte = *tt_ctf_bits_bytes (self);
      self->at += 8;
      /* Of the tenth byte one bit is left; in a signed number the others are its sign. */
      if (n > 63 || (n == 63 && (byte & 0x7f) > 1 && !(type->is_signed && (byte & 0x7f) == 0x7f)))
        return tt_ctf_bits_fail (self, "an integer of a variable length has more than 64 bits");
      *value |= (guint64) (byte & 0x7f) << n;
      n += 7;
    }
  while ((byte & 0x80) != 0);
  if (type->is_signed && n < 64)
    *value = tt_ctf_extend_sign (*value, n);
  self->n_variable = n;
  self->order = 0;
  return TRUE;
}

static guint64
reverse (guint64 bits, guint size)
{
  guint64 reversed = 0;

  for (guint i = 0; i < size; i++)
    reversed |= (bits >> i & 1) << (size - 1 - i);
  return reversed;
}

gboolean
tt_ctf_bits_odd (TtCtfBits *self, const TtCtfType *type, guint64 *value)
{
  if (type->is_variable)
    return read_variable (self, type, value);

  /* The 5 and 27 bits of LTTng's event headers. */
  if (!type->is_big_endian && !type->is_reversed && type->size <= 56 && self->end - (self->at & ~(guint64) 7) >= 64 &&
      ((self->at & 7) == 0 || self->order != 'b'))
    {
      *value = tt_ctf_bytes_value (tt_ctf_bits_bytes (self), 8, FALSE) >> (self->at & 7);
      *value &= (G_GUINT64_CONSTANT (1) << type->size) - 1;
      if (type->is_signed)
        *value = tt_ctf_extend_sign (*value, type->size);
      self->order = 'l';
      self->at += type->size;
      return TRUE;
    }

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
  if (type->is_reversed)
    bits = reverse (bits, type->size);
  *value = type->is_signed ? tt_ctf_extend_sign (bits, type->size) : bits;
  self->order = order;
  self->at += type->size;
  return TRUE;
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
    tt_ctf_bits_advance (self, value, type->is_variable ? self->n_variable : type->size);
  if (type->store >= 0)
    self->stores[type->store] = value;
  return TRUE;
}
