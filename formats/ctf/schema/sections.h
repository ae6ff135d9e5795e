/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfSection: what ranges of values stand for, without overlaps, so that a value is found by halving.
 *
 * Sections of a table are sorted and have no value in common. Their ends are in order as numbers without a sign, whatever
 * the values have: see tt_ctf_ordered().
 */
#pragma once

#include "formats/ctf/schema/schema.h"

/* Of a heap (src/base/heap.h): the one of the least key comes first. */
static inline gboolean
tt_ctf_section_before (gconstpointer a, gconstpointer b, gconstpointer data)
{
  return ((const TtCtfSection *) a)->key < ((const TtCtfSection *) b)->key;
}

static inline guint64
tt_ctf_ordered (guint64 value, gboolean is_signed)
{
  return is_signed ? value ^ G_GUINT64_CONSTANT (1) << 63 : value;
}

/* Appends @low to @high for @key, values as they are; nothing of a range without values. */
void tt_ctf_sections_append (GArray *ranges, guint64 low, guint64 high, gboolean is_signed, guint key);
gint tt_ctf_section_compare (const TtCtfSection *a, const TtCtfSection *b);

/* Appends to @sections what the @n @ranges, in the order of their first values, stand for: where several overlap, the
 * least key. No more than twice as many, in a time of n log n. */
void tt_ctf_sections_make (const TtCtfSection *ranges, guint n, GArray *sections);
/* The table of @ranges, which it frees, in the schema; both are arrays of TtCtfSection. */
const TtCtfSection *tt_ctf_sections_take (TtCtfSchema *schema, GArray *ranges, guint *n);

/* The section that has @value; NULL: none. */
static inline const TtCtfSection *
tt_ctf_sections_find (const TtCtfSection *sections, guint n, guint64 value, gboolean is_signed)
{
  const guint64 at = tt_ctf_ordered (value, is_signed);
  guint first = 0;

  for (guint until = n; first < until;)
    {
      guint middle = first + (until - first) / 2;

      if (sections[middle].high < at)
        first = middle + 1;
      else
        until = middle;
    }
  return first < n && sections[first].low <= at ? &sections[first] : NULL;
}
