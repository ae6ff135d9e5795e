/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Typed views of a GArray: the elements as a plain C array, valid until the array grows or is freed.
 *
 *     Item *items = TT_ARRAY (array, Item);          to read and change
 *     const Item *items = TT_ARRAY (array, Item);    to read
 *
 * The caller names the type it appended; nothing checks it beyond the size of an element.
 */
#pragma once

#include <glib.h>

static inline gpointer
tt_array_data (const GArray *array, gsize element_size)
{
  g_assert (array->data == NULL || g_array_get_element_size ((GArray *) array) == element_size);
  return array->data;
}

#define TT_ARRAY(array, Type) ((Type *) tt_array_data ((array), sizeof (Type)))
