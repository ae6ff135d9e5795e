/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/header.h"

#include <string.h>

#define LOAD_BITS 64u
#define MAX_ID_BITS 32u

static gboolean
is_plain_number (const TtCtfType *type, guint most)
{
  return type->kind == TT_CTF_TYPE_INTEGER && !type->is_signed && !type->is_big_endian && !type->is_variable &&
         !type->is_reversed && type->size > 0 && type->size <= most;
}

static gboolean
is_time (const TtCtfType *type)
{
  return is_plain_number (type, LOAD_BITS) && type->clock != NULL && type->meaning == TT_CTF_PLAIN && type->store < 0;
}

static gboolean
is_id (const TtCtfType *type)
{
  return is_plain_number (type, MAX_ID_BITS) && type->clock == NULL && type->meaning == TT_CTF_EVENT_CLASS;
}

/* A place that is aligned to @align from @at on. */
static guint64
align (guint64 at, guint64 align)
{
  return (at + align - 1) & ~(align - 1);
}

/* The time that follows the id; with a variant that the id selects, of those @low to @high. NULL: there is none. */
static const TtCtfType *
find_time (TtCtfHeader *self, const TtCtfType *id, const TtCtfType *next, guint64 *at, guint64 *most_align)
{
  const TtCtfType *time = next;

  self->high = G_MAXUINT64;
  *most_align = 1;
  if (next->kind == TT_CTF_TYPE_VARIANT)
    {
      if (id->store < 0 || next->from != id->store || next->has_signed_tag || next->n_choices == 0)
        return NULL;
      time = next->fields[next->choices[0].key].type;
      self->low = next->choices[0].low;
      self->high = next->choices[0].high;
    }
  if (time->kind == TT_CTF_TYPE_STRUCT)
    {
      if (time->n_fields != 1)
        return NULL;
      *most_align = time->align;
      *at = align (*at, time->align);
      time = time->fields[0].type;
    }
  if (!is_time (time))
    return NULL;
  *most_align = MAX (*most_align, time->align);
  *at = align (*at, time->align);
  return time;
}

TtCtfHeader
tt_ctf_header_of (const TtCtfType *type)
{
  TtCtfHeader self;
  guint64 at, most_align;

  /* Bytes between members are zero, too: headers are compared. */
  memset (&self, 0, sizeof self);
  if (type == NULL || type->kind != TT_CTF_TYPE_STRUCT || type->n_fields != 2 || type->align < 8)
    return self;
  const TtCtfType *id = type->fields[0].type;
  if (!is_id (id) || id->align > type->align)
    return self;
  at = id->size;
  const TtCtfType *time = find_time (&self, id, type->fields[1].type, &at, &most_align);
  if (time == NULL || most_align > type->align || at % 8 + time->size > LOAD_BITS)
    return self;
  self.mask = type->align - 1;
  self.id_mask = (G_GUINT64_CONSTANT (1) << id->size) - 1;
  self.has_store = id->store >= 0;
  self.id_store = self.has_store ? (guint) id->store : 0;
  self.clock_at = at;
  self.clock_shift = at % 8;
  self.clock_bits = time->size;
  self.n_bits = at + time->size;
  self.needs = at / 8 * 8 + LOAD_BITS;
  self.is_there = TRUE;
  return self;
}
