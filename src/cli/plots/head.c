/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/plots/plot.h"

#include "src/cli/run-facts.h"

/* "run 1: run.trc and 3 other files, 4 ranks, 1.25 s". Names without their folders: the same input makes the same
 * picture wherever it lies. Free it. */
static char *
run_text (TtStore *store, const TtRunFacts *facts)
{
  guint n_runs, n_sources;
  const TtRun *runs = tt_store_runs (store, &n_runs);
  const TtSource *sources = tt_store_sources (store, &n_sources);
  GString *text = g_string_new (NULL);
  char count[TT_TIME_TEXT];

  if (n_runs > 0)
    g_string_append_printf (text, "run %u", runs[0].id);
  if (n_sources > 0 && sources[0].path != NULL)
    {
      g_autofree char *name = g_path_get_basename (sources[0].path);
      g_string_append_printf (text, ": %s", name);
    }
  if (n_sources > 1)
    g_string_append_printf (text, " and %u other source%s", n_sources - 1, n_sources == 2 ? "" : "s");
  g_string_append_printf (text, ", %s rank%s, ", tt_count_text (count, facts->n_ranks), facts->n_ranks == 1 ? "" : "s");
  g_string_append_printf (text, "%s span%s", tt_count_text (count, facts->n_spans), facts->n_spans == 1 ? "" : "s");
  if (facts->has_time)
    {
      g_autofree char *length = tt_length_text (store, facts->last_ns - facts->first_ns);
      g_string_append_printf (text, ", %s long", length);
    }
  return g_string_free (text, FALSE);
}

char *
tt_plot_run_text (TtStore *store, GError **error)
{
  TtRunFacts facts;

  return tt_run_facts_gather (&facts, store, error) ? run_text (store, &facts) : NULL;
}

gboolean
tt_plot_head (const TtPlotRequest *request, TtPictureHead *head, GError **error)
{
  g_free (head->run);
  head->run = tt_plot_run_text (request->store, error);
  if (head->run == NULL)
    return FALSE;
  for (guint i = 0; i < request->limits->len; i++)
    tt_picture_head_note (head, "%s", (const char *) request->limits->pdata[i]);
  return TRUE;
}

TtQuantity
tt_plot_time (const TtPlotRequest *request)
{
  return tt_store_is_ticks (request->store) ? TT_QUANTITY_TICKS : TT_QUANTITY_TIME;
}

gboolean
tt_plot_times (const TtPlotRequest *request, gint64 *begin_ns, gint64 *end_ns, GError **error)
{
  gint64 first_ns, last_ns;
  GError *failure = NULL;

  tt_selection_window (request->selection, begin_ns, end_ns);
  if (!tt_store_main_range (request->store, &first_ns, &last_ns, &failure))
    first_ns = last_ns = 0;
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  *begin_ns = MAX (*begin_ns, first_ns);
  *end_ns = MIN (*end_ns, last_ns);
  if (*end_ns <= *begin_ns)
    *end_ns = *begin_ns < G_MAXINT64 ? *begin_ns + 1 : (*begin_ns)--;
  return TRUE;
}

const char *
tt_plot_rank (const TtPlotRequest *request, guint32 process)
{
  const TtProcess *found = tt_store_process (request->store, process);

  return found == NULL || found->rank_name == NULL ? "?" : found->rank_name;
}
