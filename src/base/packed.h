/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers and texts one after another in bytes, for files of our own and for other processes.
 *
 * A number takes 7 bits a byte, the lowest first; a signed one is folded before. A text is its length + 1 (0: NULL), its
 * bytes and a NUL, so that a reader can hand it on without a copy.
 */
#pragma once

#include "src/base/int128.h"

#include <glib.h>

#define TT_PACKED_NUMBER_BYTES 10u /* at most */

/* Behind @number, which is put at @to, where there is room for it. */
static inline guint8 *
tt_put_number (guint8 *to, guint64 number)
{
  for (; number >= 0x80; number >>= 7)
    *to++ = (guint8) (number | 0x80);
  *to++ = (guint8) number;
  return to;
}

/* The number that stands for a signed one. */
static inline guint64
tt_fold_signed (gint64 number)
{
  return (guint64) number << 1 ^ (number < 0 ? G_MAXUINT64 : 0);
}

static inline gint64
tt_unfold_signed (guint64 folded)
{
  return (gint64) (folded >> 1 ^ (folded & 1 ? G_MAXUINT64 : 0));
}

void tt_pack_number (GByteArray *bytes, guint64 number);
void tt_pack_signed (GByteArray *bytes, gint64 number);
/* Which of the places 0 to @max are set in @is_there, some bytes each. */
void tt_pack_places (GByteArray *bytes, const guint8 *is_there, guint32 max);
/* Two numbers. */
void tt_pack_wide (GByteArray *bytes, tt_uint128 number);
void tt_pack_text (GByteArray *bytes, const char *text);

/* What is left to read. Beyond the end, and where nothing can be right, everything is 0 or NULL and @is_bad is set. */
typedef struct
{
  const guint8 *at, *end;
  gboolean is_bad;
} TtUnpack;

/* Of all of @bytes, which stay. An empty array has no address. */
static inline TtUnpack
tt_unpack_all (const GByteArray *bytes)
{
  return (TtUnpack){ .at = bytes->data, .end = bytes->len == 0 ? bytes->data : bytes->data + bytes->len };
}

guint64 tt_unpack_number (TtUnpack *self);
/* At most @max, else it is bad and 0. */
guint64 tt_unpack_below (TtUnpack *self, guint64 max);
gint64 tt_unpack_signed (TtUnpack *self);
tt_uint128 tt_unpack_wide (TtUnpack *self);
/* What tt_pack_places() put: first how many they are, then *@place, one after another. */
typedef struct
{
  guint64 n_left;
  guint64 next; /* none is before it */
  guint32 max;
} TtUnpackPlaces;
TtUnpackPlaces tt_unpack_places (TtUnpack *self, guint32 max);
/* FALSE: there are no more, or they are bad. */
gboolean tt_unpack_place (TtUnpack *self, TtUnpackPlaces *places, guint32 *place);
/* Borrowed from the bytes. */
const char *tt_unpack_text (TtUnpack *self);
/* @n bytes as they are; NULL: there are not so many. */
const guint8 *tt_unpack_bytes (TtUnpack *self, gsize n);
