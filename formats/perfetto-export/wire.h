/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The wire format of protocol buffers, as far as a writer needs it: varints, fixed 64 bits, and messages that are put
 * together in memory because their length stands before them.
 *
 * A field is its tag (number << 3 | type) and its value. What is known to be small is written with WIRE_TAG as one
 * byte.
 */
#pragma once

#include <glib.h>
#include <string.h>

#define WIRE_VARINT 0
#define WIRE_FIXED64 1
#define WIRE_LENGTH 2

#define WIRE_TAG(field, type) ((guint64) (field) << 3 | (type))
#define WIRE_MAX_VARINT 10

/* Bytes of a message that is not finished. A zeroed one is empty; free `bytes`. */
typedef struct
{
  guint8 *bytes;
  gsize len, size;
} WireBytes;

static inline guint
tt_wire_varint_len (guint64 value)
{
  return (guint) (70 - __builtin_clzll (value | 1)) / 7;
}

static inline guint8 *
tt_wire_put_varint (guint8 *to, guint64 value)
{
  while (value >= 0x80)
    {
      *to++ = (guint8) (value | 0x80);
      value >>= 7;
    }
  *to++ = (guint8) value;
  return to;
}

static inline guint8 *
tt_wire_put_field (guint8 *to, guint field, guint64 value)
{
  return tt_wire_put_varint (tt_wire_put_varint (to, WIRE_TAG (field, WIRE_VARINT)), value);
}

static inline guint8 *
tt_wire_put_fixed64 (guint8 *to, guint64 value)
{
  value = GUINT64_TO_LE (value);
  memcpy (to, &value, sizeof value);
  return to + sizeof value;
}

static inline guint8 *
tt_wire_put_bytes (guint8 *to, gconstpointer bytes, gsize len)
{
  if (len > 0)
    memcpy (to, bytes, len);
  return to + len;
}

/* Room for @len more bytes, which count only after tt_wire_end(). */
static inline guint8 *
tt_wire_reserve (WireBytes *self, gsize len)
{
  if (G_UNLIKELY (self->size - self->len < len || self->bytes == NULL))
    {
      self->size = MAX (2 * self->size, self->len + len + 256);
      self->bytes = g_realloc (self->bytes, self->size);
    }
  return self->bytes + self->len;
}

static inline void
tt_wire_end (WireBytes *self, const guint8 *to)
{
  self->len = (gsize) (to - self->bytes);
}

static inline void
tt_wire_add_varint (WireBytes *self, guint field, guint64 value)
{
  tt_wire_end (self, tt_wire_put_field (tt_wire_reserve (self, 2 * WIRE_MAX_VARINT), field, value));
}

static inline void
tt_wire_add_fixed64 (WireBytes *self, guint field, guint64 value)
{
  guint8 *to = tt_wire_reserve (self, WIRE_MAX_VARINT + sizeof value);

  to = tt_wire_put_varint (to, WIRE_TAG (field, WIRE_FIXED64));
  tt_wire_end (self, tt_wire_put_fixed64 (to, value));
}

static inline void
tt_wire_add_double (WireBytes *self, guint field, double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  tt_wire_add_fixed64 (self, field, bits);
}

static inline void
tt_wire_add_bytes (WireBytes *self, guint field, gconstpointer bytes, gsize len)
{
  guint8 *to = tt_wire_reserve (self, 2 * WIRE_MAX_VARINT + len);

  to = tt_wire_put_varint (to, WIRE_TAG (field, WIRE_LENGTH));
  to = tt_wire_put_varint (to, len);
  tt_wire_end (self, tt_wire_put_bytes (to, bytes, len));
}

/* A message within: tt_wire_open() returns where it begins, tt_wire_close() puts its length there. Most are short, so
 * one byte is kept for it, and a longer one moves. */
gsize tt_wire_open (WireBytes *self, guint field);
void tt_wire_close (WireBytes *self, gsize begin);
/* A string; bytes that are not UTF-8 become U+FFFD. */
void tt_wire_add_text (WireBytes *self, guint field, const char *text, gsize len);
