/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorts an array by integers that its elements have, faster than comparisons do: by the digits of a key of 128 bits.
 */
#pragma once

#include <glib.h>

typedef struct
{
  guint64 high, low;
} TtArrayKey;

typedef TtArrayKey (*TtArrayKeyFunc) (gconstpointer element);

/* Elements of one key stand in the order of @compare, or as they stood, if that is NULL. Needs 32 bytes an element, of
 * many with a @compare less. */
void tt_array_sort_by_key (GArray *array, TtArrayKeyFunc key, GCompareFunc compare);
void tt_sort_by_key (gpointer elements, gsize n, gsize size, TtArrayKeyFunc key, GCompareFunc compare);

/* The numbers of the elements in that order; those of one key as they stand. Needs 32 bytes an element. */
guint32 *tt_order_by_key (gconstpointer elements, guint32 n, gsize size, TtArrayKeyFunc key);
