/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/table-set.h"

#include "src/base/error.h"
#include "src/base/output.h"
#include "src/cli/words.h"

#include <stdio.h>

/* -- facts ------------------------------------------------------------------------------------------- */

void
tt_facts_init (TtFacts *self)
{
  self->text = g_string_new (NULL);
  tt_json_writer_init (&self->json, self->text);
  tt_json_writer_open_object (&self->json, NULL);
}

void
tt_facts_clear (TtFacts *self)
{
  if (self->text != NULL)
    g_string_free (self->text, TRUE);
  self->text = NULL;
}

void
tt_facts_time (TtFacts *self, const char *name, gint64 ns)
{
  char text[TT_TIME_TEXT];

  tt_json_writer_raw (&self->json, name, tt_time_text (text, ns, TT_UNIT_US, 3));
}

/* -- tables ------------------------------------------------------------------------------------------ */

gboolean
tt_show_parse (const char *text, const char *const *words, int *show, GError **error)
{
  guint choice = 0;

  *show = TT_SHOW_ALL;
  if (text == NULL)
    return TRUE;
  if (!tt_word_choose ("table", text, words, &choice, error))
    return FALSE;
  *show = (int) choice;
  return TRUE;
}

gboolean
tt_report_show (TtReport *report, const TtReportView *view, GError **error)
{
  tt_report_print (report, view->format, view->is_wide ? G_MAXUINT : 0);
  return tt_report_check (report, error);
}

static gboolean
show_json (const TtTableSet *self, TtFacts *facts, GError **error)
{
  for (guint i = 0; i < self->n; i++)
    {
      const TtTable *table = &self->tables[i];
      g_autoptr (GString) rows = g_string_new (NULL);

      if (table->report == NULL)
        continue;
      tt_report_append (table->report, TT_FORMAT_JSON, 0, rows);
      while (rows->len > 0 && rows->str[rows->len - 1] == '\n')
        g_string_truncate (rows, rows->len - 1);
      tt_json_writer_raw (&facts->json, table->word, rows->str);
      if (!tt_report_check (table->report, error))
        return FALSE;
    }
  tt_json_writer_close (&facts->json);
  g_string_append_c (facts->text, '\n');
  return tt_output_print ("-", facts->text->str, (gssize) facts->text->len, error);
}

gboolean
tt_table_set_show (const TtTableSet *self, TtFacts *facts, const TtReportView *view, GError **error)
{
  gboolean holds_one = view->format == TT_FORMAT_CSV || view->format == TT_FORMAT_TSV;
  int only = self->show == TT_SHOW_ALL && holds_one ? (int) self->single : self->show;
  gboolean is_first = TRUE;

  if (view->format == TT_FORMAT_JSON && only == TT_SHOW_ALL)
    return show_json (self, facts, error);
  for (guint i = 0; i < self->n; i++)
    {
      const TtTable *table = &self->tables[i];

      if (table->report == NULL || (only == TT_SHOW_ALL ? table->is_optional : only != (int) i))
        continue;
      if (view->format == TT_FORMAT_TABLE && only == TT_SHOW_ALL && !tt_report_has_text (table->report))
        continue;
      if (!is_first)
        putchar ('\n');
      if (!tt_report_show (table->report, view, error))
        return FALSE;
      is_first = FALSE;
    }
  return TRUE;
}
