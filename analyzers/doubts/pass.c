/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/pass.h"
#include "src/base/error.h"
#include "src/store/apart.h"
#include "src/store/few.h"
#include "src/store/import/doubts.h"

static void
add_few (GArray *doubts, TtStore *store, const TtFew *few)
{
  for (guint i = 0; i < few->n; i++)
    {
      const TtFewEvent *event = &few->event[i];
      const TtDoubt doubt = { .source = event->source,
                              .process = tt_store_process_of_thread (store, event->thread),
                              .kind = event->is_instant ? TT_TRUST_INSTANT : TT_TRUST_SPAN };

      g_array_append_val (doubts, doubt);
    }
}

/* Of ranks that have to do with each other: times of the calendar, and those that count from a moment of their own, say
 * nothing of each other. Those of most files count. */
static gboolean
add_other_clocks (GArray *doubts, TtStore *store, GError **error)
{
  guint n;
  gboolean is_mixed;
  TtStoreCounts counts;
  const TtSource *sources = tt_store_sources (store, &n);

  if (!tt_store_counts (store, &counts, error))
    return FALSE;
  TtClock kind = tt_store_main_clock (store, &is_mixed);
  if (!is_mixed || counts.n_messages + counts.n_collectives == 0)
    return TRUE;
  for (guint i = 0; i < n; i++)
    {
      const TtDoubt doubt = { .source = sources[i].id, .process = TT_NO_ID, .kind = TT_TRUST_FILE };

      if (sources[i].n_events > 0 && g_strcmp0 (sources[i].clock, tt_clock_text (kind)) != 0)
        g_array_append_val (doubts, doubt);
    }
  return TRUE;
}

/* Of ranks that end before the others begin, all. */
static void
add_apart (GArray *doubts, const TtApart *apart)
{
  guint n = apart->earlier_sources != NULL ? apart->earlier_sources->len : 0;

  for (guint i = 0; i < MAX (n, 1); i++)
    {
      const TtSource *source = n > 0 ? g_ptr_array_index (apart->earlier_sources, i) : apart->after;
      const TtDoubt doubt = { .source = source->id, .process = TT_NO_ID, .kind = TT_TRUST_FILE };

      g_array_append_val (doubts, doubt);
    }
}

static gboolean
run (TtStoreImport *import, gpointer prepared, GError **error)
{
  TtStore *store = tt_store_import_store_anew (import);
  g_autoptr (GArray) doubts = g_array_new (FALSE, FALSE, sizeof (TtDoubt));
  g_auto (TtApart) apart = { 0 };
  TtFew few;

  (void) prepared;
  if (store == NULL)
    {
      g_set_error_literal (error, TT_ERROR, TT_ERROR_STORE, "cannot read the database that is being written");
      return FALSE;
    }
  if (!tt_few_find (&few, store, error) || !tt_apart_find (&apart, store, error))
    return FALSE;
  add_few (doubts, store, &few);
  if (!add_other_clocks (doubts, store, error))
    return FALSE;
  if (tt_apart_is (&apart))
    add_apart (doubts, &apart);
  return tt_store_import_doubts (import, (const TtDoubt *) (gpointer) doubts->data, doubts->len, error);
}

static const char *const reads[] = { "event", "source", "message", "clock_map", NULL };
static const char *const writes[] = { "trust", NULL };

const TtPass tt_pass_doubts = {
  .name = "doubts",
  .summary = "what is hardly true",
  .reads = reads,
  .writes = writes,
  .run = run,
};
