/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfHeader: an event's header in a form that is read without going through its type: an id and a time of fixed places in
 * whole bytes or bits of little-endian numbers, as LTTng, perf and most others write them. An id may select another form, which
 * is then read by its type.
 */
#pragma once

#include "formats/ctf/bits.h"

typedef struct
{
  gboolean is_there; /* else all is read by type */
  guint64 mask;      /* of the alignment */
  guint64 id_mask;
  guint64 low, high; /* ids of this form */
  guint id_store;
  gboolean has_store;
  guint clock_shift, clock_bits;   /* from the byte it begins in */
  guint64 clock_at, n_bits, needs; /* from the begin of the header; what is looked at */
} TtCtfHeader;

/* @type may be NULL. */
TtCtfHeader tt_ctf_header_of (const TtCtfType *type);

/* FALSE: it is not of this form; nothing is changed. */
static inline gboolean
tt_ctf_header_read (const TtCtfHeader *self, TtCtfBits *bits, guint64 *id)
{
  guint64 at = (bits->at + self->mask) & ~self->mask, value;
  const guint8 *bytes;

  if (!self->is_there || at > bits->end || bits->end - at < self->needs)
    return FALSE;
  bytes = bits->bytes + (((gint64) at - bits->base) >> 3);
  *id = tt_ctf_bytes_value (bytes, 8, FALSE) & self->id_mask;
  if (*id < self->low || *id > self->high)
    return FALSE;
  value = tt_ctf_bytes_value (bytes + self->clock_at / 8, 8, FALSE) >> self->clock_shift;
  if (self->has_store)
    bits->stores[self->id_store] = *id;
  bits->said[TT_CTF_EVENT_CLASS] = *id;
  bits->has_said |= 1u << TT_CTF_EVENT_CLASS;
  bits->order = 'l';
  bits->at = at + self->n_bits;
  tt_ctf_bits_advance (bits, value, self->clock_bits);
  return TRUE;
}
