/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/packed.h"

#include <string.h>

void
tt_pack_number (GByteArray *bytes, guint64 number)
{
  guint8 packed[TT_PACKED_NUMBER_BYTES];

  g_byte_array_append (bytes, packed, (guint) (tt_put_number (packed, number) - packed));
}

void
tt_pack_signed (GByteArray *bytes, gint64 number)
{
  tt_pack_number (bytes, tt_fold_signed (number));
}

void
tt_pack_places (GByteArray *bytes, const guint8 *is_there, guint32 max)
{
  guint64 n = 0, next = 0;

  for (guint64 i = 0; i <= max; i++)
    n += is_there[i] != 0;
  tt_pack_number (bytes, n);
  for (guint64 i = 0; i <= max; i++)
    if (is_there[i])
      {
        tt_pack_number (bytes, i - next);
        next = i + 1;
      }
}

void
tt_pack_wide (GByteArray *bytes, tt_uint128 number)
{
  tt_pack_number (bytes, (guint64) (number >> 64));
  tt_pack_number (bytes, (guint64) number);
}

void
tt_pack_text (GByteArray *bytes, const char *text)
{
  gsize len = text == NULL ? 0 : strlen (text);

  tt_pack_number (bytes, text == NULL ? 0 : len + 1);
  if (text != NULL)
    g_byte_array_append (bytes, (const guint8 *) text, (guint) len + 1);
}

guint64
tt_unpack_number (TtUnpack *self)
{
  guint64 number = 0;

  for (guint i = 0; i < TT_PACKED_NUMBER_BYTES && self->at < self->end; i++)
    {
      guint8 byte = *self->at++;
      number |= (guint64) (byte & 0x7f) << (7 * i);
      if (byte < 0x80)
        return number;
    }
  self->is_bad = TRUE;
  return 0;
}

guint64
tt_unpack_below (TtUnpack *self, guint64 max)
{
  guint64 number = tt_unpack_number (self);

  if (number <= max)
    return number;
  self->is_bad = TRUE;
  return 0;
}

gint64
tt_unpack_signed (TtUnpack *self)
{
  return tt_unfold_signed (tt_unpack_number (self));
}

const guint8 *
tt_unpack_bytes (TtUnpack *self, gsize n)
{
  const guint8 *bytes = self->at;

  if (n > (gsize) (self->end - self->at))
    {
      self->is_bad = TRUE;
      return NULL;
    }
  self->at += n;
  return bytes;
}

tt_uint128
tt_unpack_wide (TtUnpack *self)
{
  const guint64 high = tt_unpack_number (self);

  return (tt_uint128) high << 64 | tt_unpack_number (self);
}

TtUnpackPlaces
tt_unpack_places (TtUnpack *self, guint32 max)
{
  return (TtUnpackPlaces){ .n_left = tt_unpack_below (self, (guint64) max + 1), .max = max };
}

gboolean
tt_unpack_place (TtUnpack *self, TtUnpackPlaces *places, guint32 *place)
{
  if (places->n_left == 0 || self->is_bad)
    return FALSE;
  const guint64 at = places->next + tt_unpack_below (self, places->max);

  self->is_bad |= at > places->max;
  places->n_left--;
  places->next = at + 1;
  *place = (guint32) at;
  return !self->is_bad;
}

const char *
tt_unpack_text (TtUnpack *self)
{
  guint64 n = tt_unpack_below (self, G_MAXUINT32);
  const guint8 *bytes = n == 0 ? NULL : tt_unpack_bytes (self, n);

  if (bytes != NULL && bytes[n - 1] == '\0')
    return (const char *) bytes;
  self->is_bad |= n != 0;
  return NULL;
}
