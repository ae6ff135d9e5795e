/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/places.h"

void
tt_places_clear (TtPlaces *self)
{
  g_clear_pointer (&self->ranges, g_array_unref);
  *self = (TtPlaces){ .ranges = NULL };
}

gboolean
tt_places_add (TtPlaces *self, gint64 first, gint64 last)
{
  if (self->ranges == NULL)
    self->ranges = g_array_new (FALSE, FALSE, sizeof (TtPlaceRange));

  TtPlaceRange *before =
      self->ranges->len == 0 ? NULL : &g_array_index (self->ranges, TtPlaceRange, self->ranges->len - 1);
  if (first < 1 || last < first || (before != NULL && first <= before->last) ||
      last - first >= (gint64) (G_MAXINT32 - self->n))
    return FALSE;
  if (before != NULL && first == before->last + 1)
    before->last = last;
  else
    {
      TtPlaceRange range = { first, last, self->n + 1 };
      g_array_append_val (self->ranges, range);
    }
  self->n += (guint32) (last - first) + 1;
  return TRUE;
}

guint32
tt_places_search (TtPlaces *self, gint64 id)
{
  guint low = 0, high = self->n == 0 ? 0 : self->ranges->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const TtPlaceRange *range = &g_array_index (self->ranges, TtPlaceRange, middle);

      if (id < range->first)
        high = middle;
      else if (id > range->last)
        low = middle + 1;
      else
        {
          self->recent = *range;
          return range->place + (guint32) (id - range->first);
        }
    }
  return 0;
}

gint64
tt_places_id (const TtPlaces *self, guint32 place)
{
  guint low = 0, high = self->ranges->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->ranges, TtPlaceRange, middle).place > place)
        high = middle;
      else
        low = middle;
    }
  const TtPlaceRange *range = &g_array_index (self->ranges, TtPlaceRange, low);
  return range->first + (place - range->place);
}
