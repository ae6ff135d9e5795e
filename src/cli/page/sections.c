/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/page/page.h"

#include "src/base/progress.h"

const TtPageSection *const tt_page_sections[] = {
  &tt_page_timeline,
  &tt_page_stats,
  &tt_page_breakdown,
  &tt_page_imbalance,
  &tt_page_waits,
  &tt_page_path,
  &tt_page_comm,
  &tt_page_steps,
  &tt_page_kernels,
  &tt_page_graph,
  &tt_page_compare,
  &tt_page_trust,
  NULL,
};

static gboolean
fill_section (TtPage *self, const TtPageSection *section, GError **error)
{
  gsize begin = self->html->len;

  if (tt_cancelled (error))
    return FALSE;
  self->section_id = section->id;
  self->has_content = FALSE;
  self->section_begin = begin;
  g_string_append_printf (
      self->html, "<section id=\"%s\" aria-labelledby=\"%s-title\" tabindex=\"-1\">\n<h2 id=\"%s-title\">%s</h2>\n",
      section->id, section->id, section->id, section->title);
  gsize filled = self->html->len;
  if (!section->fill (self, error))
    return FALSE;
  if (self->html->len == filled)
    g_string_truncate (self->html, begin);
  else
    {
      if (self->has_content && section->command != NULL)
        g_string_append_printf (self->html, "<p class=\"command\">In a terminal: <code>%s</code></p>\n",
                                section->command);
      g_string_append (self->html, "</section>\n");
      g_string_append_printf (self->links, "<li><a href=\"#%s\">%s</a></li>\n", section->id, section->title);
    }
  return TRUE;
}

gboolean
tt_page_fill (TtPage *self, GError **error)
{
  char *text = tt_plot_run_text (self->store, error);

  if (text == NULL)
    return FALSE;
  tt_page_sentence (self, TT_PAGE_RUN, text);
  for (guint i = 0; tt_page_sections[i] != NULL; i++)
    if (!fill_section (self, tt_page_sections[i], error))
      return FALSE;
  return TRUE;
}
