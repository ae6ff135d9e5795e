/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/recorder/wire.h"

#include <stdlib.h>
#include <string.h>

void
tt_record_put (TtRecordBytes *self, const void *bytes, size_t len)
{
  if (self->failed || len == 0)
    return;
  if (self->size - self->len < len)
    {
      size_t size = self->size * 2 > self->len + len ? self->size * 2 : self->len + len + 256;
      uint8_t *larger = realloc (self->bytes, size);
      if (larger == NULL)
        {
          self->failed = true;
          return;
        }
      self->bytes = larger;
      self->size = size;
    }
  memcpy (self->bytes + self->len, bytes, len);
  self->len += len;
}

void
tt_record_put_varint (TtRecordBytes *self, uint64_t value)
{
  uint8_t bytes[10];
  size_t n = 0;

  for (; value > 0x7f; value >>= 7)
    bytes[n++] = (uint8_t) (value | 0x80);
  bytes[n++] = (uint8_t) value;
  tt_record_put (self, bytes, n);
}

void
tt_record_put_number (TtRecordBytes *self, unsigned field, uint64_t value, bool always)
{
  if (value == 0 && !always)
    return;
  tt_record_put_varint (self, field << 3);
  tt_record_put_varint (self, value);
}

void
tt_record_put_bytes (TtRecordBytes *self, unsigned field, const void *bytes, size_t len, bool always)
{
  if (len == 0 && !always)
    return;
  tt_record_put_varint (self, field << 3 | 2);
  tt_record_put_varint (self, len);
  tt_record_put (self, bytes, len);
}
