/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/schema/sections.h"

#include "src/base/compare.h"
#include "src/base/heap.h"

void
tt_ctf_sections_append (GArray *ranges, guint64 low, guint64 high, gboolean is_signed, guint key)
{
  TtCtfSection range = { tt_ctf_ordered (low, is_signed), tt_ctf_ordered (high, is_signed), key };

  if (range.low <= range.high)
    g_array_append_val (ranges, range);
}

gint
tt_ctf_section_compare (const TtCtfSection *a, const TtCtfSection *b)
{
  return TT_COMPARE (a->low, b->low);
}

/* One that goes on where the last ends, for the same, is part of it. */
static void
append (GArray *sections, guint begin, TtCtfSection section)
{
  TtCtfSection *last = sections->len == begin ? NULL : &g_array_index (sections, TtCtfSection, sections->len - 1);

  if (last != NULL && last->key == section.key && last->high + 1 == section.low)
    last->high = section.high;
  else
    g_array_append_val (sections, section);
}

void
tt_ctf_sections_make (const TtCtfSection *ranges, guint n, GArray *sections)
{
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (TtCtfSection));
  const guint begin = sections->len;
  TtCtfSection ended;
  guint64 at = 0;

  for (guint i = 0; i < n || open->len > 0;)
    {
      if (open->len == 0)
        at = ranges[i].low;
      while (i < n && ranges[i].low <= at)
        tt_heap_push (open, &ranges[i++], sizeof *ranges, tt_ctf_section_before, NULL);
      while (open->len > 0 && g_array_index (open, TtCtfSection, 0).high < at)
        tt_heap_pop (open, &ended, sizeof ended, tt_ctf_section_before, NULL);
      if (open->len == 0)
        continue;
      TtCtfSection section = g_array_index (open, TtCtfSection, 0);
      section.low = at;
      if (i < n)
        section.high = MIN (section.high, ranges[i].low - 1);
      append (sections, begin, section);
      if (section.high == G_MAXUINT64)
        break;
      at = section.high + 1;
    }
}

const TtCtfSection *
tt_ctf_sections_take (TtCtfSchema *schema, GArray *ranges, guint *n)
{
  GArray *sections = g_array_new (FALSE, FALSE, sizeof (TtCtfSection));

  g_array_sort (ranges, (GCompareFunc) tt_ctf_section_compare);
  tt_ctf_sections_make ((const TtCtfSection *) (gpointer) ranges->data, ranges->len, sections);
  g_array_unref (ranges);
  *n = sections->len;
  return tt_ctf_schema_take (schema, sections);
}
