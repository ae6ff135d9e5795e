/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/page/page.h"

#include "src/cli/plots/draw.h"
#include "src/cli/run-facts.h"
#include "src/cli/tables/wait-causes.h"
#include "src/cli/tables/waits.h"

#include <string.h>

/* Waits are looked at first where they are at least this part of the time. */
#define MIN_PART 0.1

/* The process that makes others wait most; *ns: how long. */
static guint32
find_culprit (const TtWaitCauses *causes, tt_int128 *ns)
{
  g_autoptr (GHashTable) sums = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  guint32 culprit = TT_NO_ID;

  *ns = 0;
  for (guint i = 0; i < causes->causes->len; i++)
    {
      const TtWaitCause *cause = &g_array_index (causes->causes, TtWaitCause, i);
      tt_int128 *sum = g_hash_table_lookup (sums, GUINT_TO_POINTER (cause->process));

      if (sum == NULL)
        g_hash_table_insert (sums, GUINT_TO_POINTER (cause->process), sum = g_new0 (tt_int128, 1));
      *sum += cause->direct_ns + cause->propagated_ns;
      if (*sum > *ns || (*sum == *ns && cause->process < culprit))
        {
          *ns = *sum;
          culprit = cause->process;
        }
    }
  return culprit;
}

/* What @culprit does, the dearest first: "fib(int), dot, axpy". Free it. */
static char *
list_causes (TtStore *store, const TtWaitCauses *causes, guint32 culprit)
{
  GString *text = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < causes->causes->len && n < 3; i++)
    {
      const TtWaitCause *cause = &g_array_index (causes->causes, TtWaitCause, i);

      if (cause->process != culprit)
        continue;
      g_autofree char *leaf = tt_wait_cause_leaf (store, causes, cause);
      g_autofree char *name = tt_page_name (leaf);
      if (strstr (text->str, name) != NULL)
        continue;
      g_string_append_printf (text, "%s%s", n++ > 0 ? ", " : "", name);
    }
  return g_string_free (text, FALSE);
}

static void
say_who (TtPage *page, const TtWaits *waits, const TtWaitCauses *causes)
{
  tt_int128 cost_ns;
  guint32 culprit = find_culprit (causes, &cost_ns);
  const TtProcess *process = tt_store_process (page->store, culprit);
  g_autofree char *who = tt_page_name (process == NULL ? NULL : process->pid);
  g_autofree char *cost = tt_length_text (page->store, (gint64) MIN (cost_ns, G_MAXINT64));
  g_autofree char *what = list_causes (page->store, causes, culprit);
  double part = waits->time_ns == 0 ? 0 : (double) waits->waits_ns / (double) waits->time_ns;

  tt_page_sentence (page, TT_PAGE_WAITS,
                    g_strdup_printf ("Waiting takes %.1f %% of the time of %u rank%s; most of all others wait for %s, "
                                     "%s (%.1f %% of it).",
                                     100 * part, waits->n_ranks, waits->n_ranks == 1 ? "" : "s", who, cost,
                                     100.0 * (double) cost_ns / (double) causes->waits_ns));
  if (part >= MIN_PART)
    tt_page_sentence (page, TT_PAGE_LOOK,
                      g_strdup_printf ("What %s does while others wait for it: %s (see Waits).", who, what));
}

static gboolean
add_waits (TtPage *page, const TtWaits *waits, GError **error)
{
  g_autoptr (TtOutput) svg = tt_output_open_memory ();
  TtPlotRequest by_cause = page->plot;
  TtWaitKeys keys;

  if (!tt_wait_keys_parse (&keys, "kind,name", error))
    return FALSE;
  g_autoptr (TtReport) kinds = tt_waits_table (page->store, waits, &keys, &page->view, error);
  if (kinds == NULL || !tt_wait_keys_parse (&keys, "rank,cause", error))
    return FALSE;
  g_autoptr (TtReport) ranks = tt_waits_table (page->store, waits, &keys, &page->view, error);
  if (ranks == NULL)
    return FALSE;
  by_cause.by_cause = TRUE;
  if (!tt_plot_waits_draw (&by_cause, waits, svg, error))
    return FALSE;
  tt_page_picture (page, g_steal_pointer (&svg), "tracetool plot waits --by cause");
  return tt_page_table (page, "waits", "Waits by kind and operation", kinds, error) &&
         tt_page_table (page, "ranks", "Who waits for whom", ranks, error);
}

static gboolean
fill (TtPage *page, GError **error)
{
  const TtWaits *waits = tt_page_find_waits (page, error);

  if (waits == NULL)
    return FALSE;
  if (waits->waits->len == 0)
    {
      tt_page_none (page, "No wait for another rank, thread or device is in this run.");
      tt_page_sentence (page, TT_PAGE_WAITS, g_strdup ("Nobody, as far as the trace tells."));
      return TRUE;
    }
  g_autoptr (TtWaitCauses) causes = tt_page_find_causes (page, error);
  g_autoptr (TtReport) report = causes == NULL ? NULL : tt_wait_causes_table (page->store, causes, &page->view, error);
  if (report == NULL || !add_waits (page, waits, error))
    return FALSE;
  if (causes->causes->len > 0 && causes->waits_ns > 0)
    say_who (page, waits, causes);
  return tt_page_table (page, "causes", "What made others wait", report, error);
}

const TtPageSection tt_page_waits = {
  .id = "waits",
  .title = "Waits",
  .command = "tracetool waits",
  .fill = fill,
};
