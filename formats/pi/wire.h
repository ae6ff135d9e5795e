/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPiWire: the fields of one protobuf message that lies in memory.
 *
 * Nothing is copied; everything is checked against the end of the message. Encoding: protobuf.dev, "Encoding": a field
 * is a varint key (number << 3 | wire type) and a value.
 */
#pragma once

#include <glib.h>

#include <string.h>

typedef enum
{
  TT_PI_WIRE_VARINT = 0,
  TT_PI_WIRE_FIXED64 = 1,
  TT_PI_WIRE_BYTES = 2,
  TT_PI_WIRE_FIXED32 = 5,
} TtPiWireType;

typedef struct
{
  const guint8 *at, *end;
  /* Of the field that tt_pi_wire_next() has found: */
  guint32 field;
  TtPiWireType type;
  guint64 number;      /* a varint or fixed value */
  const guint8 *bytes; /* of TT_PI_WIRE_BYTES */
  gsize len;
  const char *fault; /* why tt_pi_wire_next() cannot go on, which is at `at`; NULL: it can, or the message has ended */
} TtPiWire;

static inline TtPiWire
tt_pi_wire (const guint8 *bytes, gsize len)
{
  TtPiWire self = { .at = bytes, .end = bytes + len };

  return self;
}

/* A varint into *number; where it ends, or NULL with *fault. Bits beyond the 64th are dropped, as protobuf does. */
static inline const guint8 *
tt_pi_wire_varint (const guint8 *at, const guint8 *end, guint64 *number, const char **fault)
{
  guint64 value = 0;

  for (guint shift = 0; at < end; shift += 7)
    {
      guint8 byte = *at++;

      value |= (guint64) (byte & 0x7f) << shift;
      if (!(byte & 0x80))
        {
          *number = value;
          return at;
        }
      if (shift == 63)
        {
          *fault = "a number of more than 10 bytes";
          return NULL;
        }
    }
  *fault = "a number that is cut short";
  return NULL;
}

static inline const guint8 *
tt_pi_wire_fixed (const guint8 *at, const guint8 *end, gsize size, guint64 *number, const char **fault)
{
  if ((gsize) (end - at) < size)
    {
      *fault = "a number that is cut short";
      return NULL;
    }
  *number = 0;
  for (gsize i = 0; i < size; i++)
    *number |= (guint64) at[i] << 8 * i;
  return at + size;
}

/* The next field; FALSE at the end, or with self->fault. */
static inline gboolean
tt_pi_wire_next (TtPiWire *self)
{
  guint64 key;

  if (self->at == self->end)
    return FALSE;

  const guint8 *at = tt_pi_wire_varint (self->at, self->end, &key, &self->fault);
  if (at == NULL)
    return FALSE;
  self->type = (TtPiWireType) (key & 7);
  if (key >> 3 == 0 || key >> 3 > 536870911)
    {
      self->fault = "a field number out of range";
      return FALSE;
    }
  self->field = (guint32) (key >> 3);

  if (self->type == TT_PI_WIRE_VARINT || self->type == TT_PI_WIRE_BYTES)
    at = tt_pi_wire_varint (at, self->end, &self->number, &self->fault);
  else if (self->type == TT_PI_WIRE_FIXED64 || self->type == TT_PI_WIRE_FIXED32)
    at = tt_pi_wire_fixed (at, self->end, self->type == TT_PI_WIRE_FIXED64 ? 8 : 4, &self->number, &self->fault);
  else
    {
      self->fault = "an unknown wire type";
      return FALSE;
    }
  if (at == NULL)
    return FALSE;

  if (self->type == TT_PI_WIRE_BYTES)
    {
      if (self->number > (guint64) (self->end - at))
        {
          self->fault = "a length that is longer than the rest";
          return FALSE;
        }
      self->bytes = at;
      self->len = (gsize) self->number;
      at += self->len;
    }
  self->at = at;
  return TRUE;
}
