/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/array-sort.h"

#include <string.h>

#include "src/base/sorter.h"

/* A place, and what sorting it takes. */
#define BYTES_PER_PLACE ((gsize) 64)

typedef struct
{
  TtArrayKey key; /* first: the sorter's */
  guint64 index;
} Place;

static gboolean
is_same_key (const TtArrayKey *a, const TtArrayKey *b)
{
  return a->high == b->high && a->low == b->low;
}

/* FALSE: they are in order as they are. */
static gboolean
add_places (TtSorter *sorter, const GArray *array, TtArrayKeyFunc key)
{
  gsize size = g_array_get_element_size ((GArray *) array);
  TtArrayKey last = { 0, 0 };
  gboolean is_backward = FALSE;

  for (guint i = 0; i < array->len; i++)
    {
      Place *place = tt_sorter_add (sorter);

      *place = (Place){ key (array->data + i * size), i };
      is_backward |= place->key.high < last.high || (place->key.high == last.high && place->key.low < last.low);
      last = place->key;
    }
  return is_backward;
}

static int
call_compare (gconstpointer a, gconstpointer b, gpointer compare)
{
  return (*(GCompareFunc *) compare) (a, b);
}

static void
sort_equals (GArray *array, TtArrayKeyFunc key, GCompareFunc compare)
{
  gsize size = g_array_get_element_size (array);

  for (guint first = 0, end; first < array->len; first = end)
    {
      TtArrayKey own = key (array->data + first * size);

      for (end = first + 1; end < array->len; end++)
        {
          TtArrayKey next = key (array->data + end * size);
          if (!is_same_key (&own, &next))
            break;
        }
      if (end - first > 1)
        g_qsort_with_data (array->data + first * size, (int) (end - first), size, call_compare, &compare);
    }
}

void
tt_array_sort_by_key (GArray *array, TtArrayKeyFunc key, GCompareFunc compare)
{
  gsize size = g_array_get_element_size (array);
  /* So much that it needs no file, which is what could fail. */
  g_autoptr (TtSorter) sorter = tt_sorter_new (sizeof (Place), ((gsize) array->len + 1024) * BYTES_PER_PLACE);
  const Place *place;

  if (add_places (sorter, array, key) && tt_sorter_finish (sorter, NULL))
    {
      char *sorted = g_malloc ((gsize) array->len * size), *at = sorted;

      for (; (place = tt_sorter_next (sorter, NULL)) != NULL; at += size)
        memcpy (at, array->data + place->index * size, size);
      memcpy (array->data, sorted, (gsize) array->len * size);
      g_free (sorted);
    }
  if (compare != NULL)
    sort_equals (array, key, compare);
}
