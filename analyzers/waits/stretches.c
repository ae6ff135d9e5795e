/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/stretches.h"

#include "src/base/array.h"
#include "src/base/compare.h"

/* A search reads so many that it does not want, at most. */
#define PLACE_EACH 32u

/* Seven bits a byte, the low ones first. */
static guint
put_number (guint8 *to, guint64 number)
{
  guint n = 0;

  for (; number >= 0x80; number >>= 7)
    to[n++] = (guint8) (number | 0x80);
  to[n++] = (guint8) number;
  return n;
}

static inline guint64
take_number (const guint8 *bytes, gsize *offset)
{
  guint64 number = 0;
  guint8 byte;
  guint shift = 0;

  do
    {
      byte = bytes[(*offset)++];
      number |= (guint64) (byte & 0x7f) << shift;
      shift += 7;
    }
  while ((byte & 0x80) != 0);
  return number;
}

/* What overlaps, of spans that cross, has a negative distance: the sign goes to the lowest bit. */
static guint64
fold_sign (guint64 distance)
{
  return distance << 1 ^ (guint64) ((gint64) distance >> 63);
}

static guint64
unfold_sign (guint64 folded)
{
  return folded >> 1 ^ (0 - (folded & 1));
}

void
tt_stretches_add (TtStretches *self, const TtStretch *stretch)
{
  guint64 begin = (guint64) stretch->begin_ns, end = (guint64) stretch->end_ns;
  guint8 packed[30];
  guint n_bytes;

  if (self->bytes == NULL)
    {
      self->bytes = g_byte_array_new ();
      self->places = g_array_new (FALSE, FALSE, sizeof (TtStretchPlace));
    }
  self->is_mixed |= self->n > 0 && self->begin_ns < stretch->end_ns;
  gint64 next_ns = self->n == 0 ? stretch->end_ns : self->begin_ns;
  if (self->n % PLACE_EACH == 0)
    {
      const TtStretchPlace place = { next_ns, self->bytes->len };

      g_array_append_val (self->places, place);
    }
  n_bytes = put_number (packed, fold_sign ((guint64) next_ns - end));
  n_bytes += put_number (packed + n_bytes, end - begin);
  n_bytes += put_number (packed + n_bytes, stretch->path);
  g_byte_array_append (self->bytes, packed, n_bytes);
  self->begin_ns = stretch->begin_ns;
  self->n++;
}

gboolean
tt_stretch_cursor_next (TtStretchCursor *self, TtStretch *stretch)
{
  const GByteArray *bytes = self->of->bytes;

  if (bytes == NULL || self->offset >= bytes->len)
    return FALSE;
  guint64 end = (guint64) self->next_ns - unfold_sign (take_number (bytes->data, &self->offset));
  guint64 begin = end - take_number (bytes->data, &self->offset);
  *stretch = (TtStretch){ (gint64) begin, (gint64) end, (guint32) take_number (bytes->data, &self->offset) };
  self->next_ns = stretch->begin_ns;
  return TRUE;
}

TtStretchCursor
tt_stretches_before (const TtStretches *self, gint64 ns)
{
  TtStretchCursor cursor = { .of = self };
  guint low = 0, high = self->places == NULL ? 0 : self->places->len;

  /* The last place of which all that was added before begins at @ns or later. */
  while (low + 1 < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->places, TtStretchPlace, middle).next_ns >= ns)
        low = middle;
      else
        high = middle;
    }
  if (high > 0)
    {
      cursor.next_ns = g_array_index (self->places, TtStretchPlace, low).next_ns;
      cursor.offset = g_array_index (self->places, TtStretchPlace, low).offset;
    }
  return cursor;
}

static int
compare_latest_first (gconstpointer a, gconstpointer b)
{
  const TtStretch *x = a, *y = b;
  return x->begin_ns != y->begin_ns ? TT_COMPARE (y->begin_ns, x->begin_ns) : TT_COMPARE (y->end_ns, x->end_ns);
}

void
tt_stretches_finish (TtStretches *self)
{
  g_autoptr (GArray) all = NULL;
  TtStretchCursor cursor = { .of = self };
  TtStretch stretch;

  if (!self->is_mixed)
    return;
  all = g_array_new (FALSE, FALSE, sizeof (TtStretch));
  cursor.next_ns = g_array_index (self->places, TtStretchPlace, 0).next_ns;
  while (tt_stretch_cursor_next (&cursor, &stretch))
    g_array_append_val (all, stretch);
  g_array_sort (all, compare_latest_first);
  tt_stretches_clear (self);
  for (guint i = 0; i < all->len; i++)
    tt_stretches_add (self, &g_array_index (all, TtStretch, i));
}

void
tt_stretches_clear (TtStretches *self)
{
  g_clear_pointer (&self->bytes, g_byte_array_unref);
  g_clear_pointer (&self->places, g_array_unref);
  *self = (TtStretches){ NULL };
}
