/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A heap of ranges: an array of TtCtfSection, the one of the least key first.
 */
#pragma once

#include "formats/ctf/schema/schema.h"

static inline void
tt_ctf_heap_push (GArray *self, TtCtfSection range)
{
  guint at = self->len;

  g_array_append_val (self, range);
  TtCtfSection *ranges = (TtCtfSection *) (gpointer) self->data;
  for (; at > 0 && ranges[(at - 1) / 2].key > range.key; at = (at - 1) / 2)
    ranges[at] = ranges[(at - 1) / 2];
  ranges[at] = range;
}

/* What is the least no longer; it must not be empty. */
static inline void
tt_ctf_heap_pop (GArray *self)
{
  TtCtfSection *ranges = (TtCtfSection *) (gpointer) self->data;
  const guint n = self->len - 1;
  const TtCtfSection last = ranges[n];
  guint at = 0;

  for (guint next = 1; next < n; next = 2 * at + 1)
    {
      if (next + 1 < n && ranges[next + 1].key < ranges[next].key)
        next++;
      if (ranges[next].key >= last.key)
        break;
      ranges[at] = ranges[next];
      at = next;
    }
  ranges[at] = last;
  g_array_set_size (self, n);
}
