/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/info-check.h"

#include "analyzers/statistics/recount.h"
#include "src/base/error.h"
#include "src/base/progress.h"
#include "src/base/units.h"
#include "src/cli/message.h"
#include "src/cli/table-set.h"
#include "src/store/check.h"
#include "src/store/runs.h"

typedef struct
{
  TtReport *report;
  guint n_checks, n_failed;
  guint64 n_looked_at;
  char *first;
} Findings;

static void
findings_clear (Findings *self)
{
  g_clear_pointer (&self->report, tt_report_free);
  g_free (self->first);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Findings, findings_clear)

static TtReportCell
check_what (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const TtCheck *) row)->what);
}

static TtReportCell
check_n (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int ((gint64) ((const TtCheck *) row)->n);
}

static TtReportCell
check_n_wrong (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_int ((gint64) ((const TtCheck *) row)->n_wrong);
}

static TtReportCell
check_first (const TtReportField *self, const void *row, const void *context)
{
  const TtCheck *check = row;

  return check->first == NULL ? tt_cell_empty () : tt_cell_text (check->first);
}

static const TtReportField fields[] = {
  { TT_COLUMN_WORD, "Check", "check", check_what },
  { TT_COLUMN_COUNT, "Looked at", "looked_at", check_n },
  { TT_COLUMN_COUNT, "Wrong", "wrong", check_n_wrong },
  { TT_COLUMN_TEXT, "The first", "first", check_first },
};

static void
add_check (const TtCheck *check, gpointer data)
{
  Findings *self = data;

  self->n_checks++;
  self->n_looked_at += check->n;
  self->n_failed += check->n_wrong > 0;
  if (self->first == NULL && check->n_wrong > 0)
    self->first = g_strdup (check->first);
  tt_report_row (self->report, check);
}

/* -- statistics -------------------------------------------------------------------------------------------------- */

static gboolean
recount_runs (const char *path, TtRecount *recount, GError **error)
{
  g_autoptr (TtStore) store = tt_store_open (path, error);

  if (store == NULL || tt_store_is_empty (store))
    return store != NULL;
  g_autoptr (GArray) runs = tt_store_parse_runs (store, "all", error);
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    {
      g_autofree char *run = g_strdup_printf ("%u", g_array_index (runs, guint32, i));

      if (!tt_store_select_run (store, run, error) || !tt_statistics_recount (store, recount, error))
        return FALSE;
    }
  return runs != NULL;
}

/* Spans that cannot be counted are not what the statistics say. */
static gboolean
check_statistics (const char *path, Findings *self, GError **error)
{
  TtRecount recount = { 0 };
  GError *failure = NULL;

  if (!recount_runs (path, &recount, &failure))
    {
      if (tt_cancelled (error))
        {
          g_error_free (failure);
          g_free (recount.first);
          return FALSE;
        }
      recount.n_wrong++;
      if (recount.first == NULL)
        recount.first = g_strdup (failure->message);
      g_error_free (failure);
    }
  const TtCheck check = { "statistics", recount.n, recount.n_wrong, recount.first };
  add_check (&check, self);
  g_free (recount.first);
  return TRUE;
}

/* -- the answer -------------------------------------------------------------------------------------------------- */

static gboolean
show (Findings *self, const char *name, const TtReportView *view, GError **error)
{
  char n[TT_TIME_TEXT];

  if (tt_report_view_is_for_people (view) && self->n_failed == 0)
    tt_print ("%s is whole: %u checks of %s rows and pages found nothing wrong\n\n", name, self->n_checks,
              tt_count_text (n, self->n_looked_at));
  else if (tt_report_view_is_for_people (view))
    tt_print ("%s is damaged: %u of %u checks found something wrong\n\n", name, self->n_failed, self->n_checks);
  if (!tt_report_show (self->report, view, error))
    return FALSE;
  if (self->n_failed == 0)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_STORE, "'%s' is damaged: %s; import the traces again", name, self->first);
  return FALSE;
}

gboolean
tt_info_check (const char *path, const char *name, const TtReportView *view, GError **error)
{
  g_auto (Findings) self = { .report = tt_report_of_fields (fields, G_N_ELEMENTS (fields), view, NULL) };

  return tt_store_check (path, add_check, &self, error) && check_statistics (path, &self, error) &&
         show (&self, name, view, error);
}
