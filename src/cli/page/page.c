/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/page/page.h"

#include "analyzers/path/job-causes.h"
#include "analyzers/path/job-path.h"
#include "analyzers/path/job-wait-list.h"
#include "pictures/svg.h"
#include "src/base/report/cells.h"
#include "src/base/report/embedded.h"

#include <string.h>

/* Rows of a table; pages are for people. */
#define MAX_ROWS 1000u
/* Bytes of the tables of a section, and of a picture. */
#define MAX_TABLES ((gsize) 512 << 10)
/* Characters of a line of text. */
#define MAX_LINE 600u
#define MAX_NAME 80u
#define MAX_PICTURE ((gsize) 1536 << 10)

void
tt_page_part_init (TtPagePart *self)
{
  *self = (TtPagePart){ .html = g_string_new (NULL), .data = g_string_new (NULL), .tables_left = MAX_TABLES };
}

void
tt_page_part_clear (TtPagePart *self)
{
  for (guint i = 0; i < TT_N_PAGE_SENTENCES; i++)
    g_clear_pointer (&self->sentences[i], g_free);
  if (self->html != NULL)
    g_string_free (self->html, TRUE);
  if (self->data != NULL)
    g_string_free (self->data, TRUE);
  self->html = self->data = NULL;
}

void
tt_page_part_add (TtPagePart *self, TtPagePart *part)
{
  g_string_append_len (self->html, part->html->str, (gssize) part->html->len);
  if (part->data->len > 0)
    g_string_append_printf (self->data, "%s%s", self->data->len > 0 ? ",\n" : "", part->data->str);
  for (guint i = 0; i < TT_N_PAGE_SENTENCES; i++)
    if (part->sentences[i] != NULL)
      {
        g_free (self->sentences[i]);
        self->sentences[i] = g_steal_pointer (&part->sentences[i]);
      }
}

void
tt_page_init (TtPage *self, TtStore *store, TtSelection *selection)
{
  self->store = store;
  self->selection = selection;
  self->view = (TtReportView){ .unit = TT_UNIT_US, .format = TT_FORMAT_JSON, .top = MAX_ROWS };
  self->plot = (TtPlotRequest){ .store = store, .selection = selection, .limits = g_ptr_array_new () };
  tt_page_part_init (&self->all);
  self->part = &self->all;
  self->links = g_string_new (NULL);
}

void
tt_page_clear (TtPage *self)
{
  g_clear_pointer (&self->plot.limits, g_ptr_array_unref);
  g_clear_pointer (&self->waits, tt_waits_free);
  tt_all_waits_clear (&self->all_waits);
  tt_page_part_clear (&self->all);
  if (self->links != NULL)
    g_string_free (self->links, TRUE);
  self->links = NULL;
}

/* -- text -------------------------------------------------------------------------------------------------------- */

void
tt_page_escape (GString *html, const char *text)
{
  tt_svg_append_escaped (html, text, MAX_LINE);
}

char *
tt_page_name (const char *name)
{
  return tt_embedded_cut (name == NULL ? "?" : name, MAX_NAME);
}

void
tt_page_sentence (TtPage *self, TtPageSentence which, char *text)
{
  if (text == NULL)
    return;
  g_free (self->part->sentences[which]);
  self->part->sentences[which] = text;
}

/* Adds a paragraph, which is cleared, unless the section has it: tables of one answer have one heading. */
static void
close_paragraph (TtPage *self, GString *paragraph)
{
  if (paragraph->len > 0 && strstr (self->part->html->str, paragraph->str) == NULL)
    g_string_append_printf (self->part->html, "%s</p>\n", paragraph->str);
  g_string_truncate (paragraph, 0);
}

/* @class_name: of the paragraphs. */
static void
append_lines (TtPage *self, const char *text, const char *class_name)
{
  g_auto (GStrv) lines = g_strsplit (text == NULL ? "" : text, "\n", -1);
  g_autoptr (GString) paragraph = g_string_new (NULL);

  for (char **line = lines; *line != NULL; line++)
    {
      gboolean goes_on = paragraph->len > 0 && **line == ' ';

      g_strstrip (*line);
      if (**line == '\0')
        continue;
      if (!goes_on)
        {
          close_paragraph (self, paragraph);
          g_string_append_printf (paragraph, "<p class=\"%s\">", class_name);
        }
      else
        g_string_append (paragraph, "<br>\n");
      tt_page_escape (paragraph, *line);
    }
  close_paragraph (self, paragraph);
}

void
tt_page_lines (TtPage *self, const char *text)
{
  gsize before = self->part->html->len;

  append_lines (self, text, "lead");
  self->part->has_content |= self->part->html->len > before;
}

void
tt_page_none (TtPage *self, const char *why)
{
  append_lines (self, why, "none");
}

void
tt_page_markup (TtPage *self, const char *markup)
{
  g_string_append (self->part->html, markup);
  self->part->has_content = TRUE;
}

void
tt_page_data (TtPage *self, const char *member)
{
  g_string_append_printf (self->part->data, "%s%s", self->part->data->len > 0 ? ",\n" : "", member);
}

/* -- tables ------------------------------------------------------------------------------------------------------ */

gboolean
tt_page_table (TtPage *self, const char *word, const char *caption, TtReport *report, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (tt_report_n_rows (report) == 0)
    return tt_report_check (report, error);
  append_lines (self, report->heading->str, "lead");
  g_string_append_printf (text, "\"%s.%s\":", self->section_id, word);
  tt_report_append_embedded (report, self->part->tables_left, text);
  self->part->tables_left -= MIN (text->len, self->part->tables_left);
  tt_page_data (self, text->str);
  g_string_append_printf (self->part->html, "<div class=\"table\" data-table=\"%s.%s\" data-caption=\"",
                          self->section_id, word);
  tt_page_escape (self->part->html, caption);
  g_string_append (self->part->html, "\"></div>\n");
  self->part->has_content = TRUE;
  append_lines (self, report->footer->str, "note");
  return tt_report_check (report, error);
}

/* -- pictures ---------------------------------------------------------------------------------------------------- */

void
tt_page_picture (TtPage *self, TtOutput *svg, const char *command)
{
  g_autoptr (GString) text = tt_output_steal_text (svg);

  tt_output_free (svg);
  if (text->len > MAX_PICTURE)
    {
      g_autofree char *why = g_strdup_printf ("The picture is too large for this page: '%s' draws it.", command);
      tt_page_none (self, why);
      return;
    }
  /* A tree of its own keeps the styles and ids of the picture to itself. */
  g_string_append (self->part->html, "<div class=\"picture\" role=\"figure\"><template shadowrootmode=\"open\">"
                                     "<style>svg{max-width:var(--most);height:auto;display:block}</style>\n");
  g_string_append_len (self->part->html, text->str, (gssize) text->len);
  g_string_append (self->part->html, "</template></div>\n");
  self->part->has_content = TRUE;
}

/* -- all --------------------------------------------------------------------------------------------------------- */

/* Whether what was found on the way is what is to be shown. */
static gboolean
has_all_waits (TtPage *self, gboolean *has, GError **error)
{
  gboolean is_job;

  if (!tt_job_path_is_there (self->store, &is_job, error))
    return FALSE;
  *has = self->all_waits.waits != NULL && !is_job;
  return TRUE;
}

const TtWaits *
tt_page_find_waits (TtPage *self, GError **error)
{
  gboolean has_all;

  if (self->waits != NULL)
    return self->waits;
  if (!has_all_waits (self, &has_all, error))
    return NULL;
  if (has_all)
    return self->all_waits.waits;
  self->waits = tt_run_wait_list (self->store, self->selection, error);
  return self->waits;
}

TtWaitCauses *
tt_page_find_causes (TtPage *self, GError **error)
{
  gboolean has_all;

  if (!has_all_waits (self, &has_all, error))
    return NULL;
  return has_all && self->all_waits.syncs != NULL ? tt_wait_causes_of_all (self->store, &self->all_waits, error)
                                                  : tt_run_wait_causes (self->store, self->selection, NULL, error);
}
