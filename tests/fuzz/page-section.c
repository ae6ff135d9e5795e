/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* All but one function is as ever. */
#define tt_page_fill fill_all
#include "src/cli/page/sections.c"
#undef tt_page_fill

#include "tests/fuzz/page-section.h"

gboolean tt_page_fill (TtPage *self, GError **error);

static guint section = G_MAXUINT;

void
fuzz_page_section (guint which)
{
  section = which == G_MAXUINT ? which : which % (G_N_ELEMENTS (tt_page_sections) - 1);
}

gboolean
tt_page_fill (TtPage *self, GError **error)
{
  TtPagePart part = { 0 };

  if (section == G_MAXUINT)
    return fill_all (self, error);
  gboolean is_filled = fill_section (self, tt_page_sections[section], &part, error);
  if (is_filled)
    add_section (self, tt_page_sections[section], &part);
  tt_page_part_clear (&part);
  return is_filled;
}
