/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/report/cut.h"
#include "src/base/report/report.h"
#include "src/cli/run-facts.h"
#include "src/cli/tables/imbalance.h"

#include <string.h>

#define MIN_NAME 32u

/* The conclusions, in the order of what they cost: the straggler, late arrivals, uneven work; then what to doubt. */

static void
add_line (GString *text)
{
  if (text->len > 0)
    g_string_append_c (text, '\n');
}

static char *
length_text (const TtImbalance *self, tt_int128 ns)
{
  return tt_length_text (self->store, (gint64) MIN (ns, G_MAXINT64));
}

/* @name as a terminal has room for it beside @taken columns. Free it. */
static char *
fit_name (const char *name, guint taken)
{
  guint width = tt_terminal_width ();

  if (width == 0)
    return g_strdup (name);
  g_autoptr (TtCuts) cuts = tt_cuts_new (width > taken + MIN_NAME ? width - taken : MIN_NAME);
  tt_cuts_add (cuts, name);
  tt_cuts_settle (cuts);
  return g_strdup (tt_cuts_get (cuts, name));
}

static void
describe_operations (const TtImbalance *self, GString *text)
{
  const TtOpImbalance *worst = NULL;

  for (guint i = 0; i < self->operations->len && worst == NULL; i++)
    if (!g_array_index (self->operations, TtOpImbalance, i).is_waiting)
      worst = &g_array_index (self->operations, TtOpImbalance, i);
  if (worst == NULL || worst->price_ns <= 0)
    return;
  g_autofree char *whole = tt_op_imbalance_label (self->store, worst);
  g_autofree char *name = fit_name (whole, strlen ("Most uneven work: "));
  g_autofree char *price = length_text (self, (tt_int128) worst->price_ns);
  const TtThread *thread = tt_store_thread (self->store, worst->slowest_thread);

  add_line (text);
  g_string_append_printf (text, "Most uneven work: %s\n  ", name);
  if (self->over == TT_IMBALANCE_RANKS)
    g_string_append_printf (text, "rank %s", tt_imbalance_rank (self, worst->slowest_process));
  else
    g_string_append_printf (text, "thread %s of rank %s", thread == NULL ? "?" : thread->tid,
                            tt_imbalance_rank (self, worst->slowest_process));
  g_string_append_printf (text, " spends %s more on it than the mean of %u (%.1f %%)", price,
                          worst->n_having + worst->n_zero, 100 * worst->imbalance);
}

static void
describe_arrivals (const TtImbalance *self, GString *text)
{
  const TtArrivals *arrivals = self->arrivals;
  const TtLateRank *latest = NULL;
  char n_last[TT_TIME_TEXT], n_calls[TT_TIME_TEXT];

  for (guint i = 0; i < arrivals->ranks->len; i++)
    {
      const TtLateRank *rank = &g_array_index (arrivals->ranks, TtLateRank, i);
      if (rank->caused_ns > (latest == NULL ? 0 : latest->caused_ns))
        latest = rank;
    }
  if (latest == NULL)
    return;
  g_autofree char *caused = length_text (self, latest->caused_ns), *paid = length_text (self, arrivals->paid_ns);
  add_line (text);
  g_string_append_printf (text,
                          "Rank %s comes last in %s of %s collectives:\n  the others wait %s for it, of %s in all",
                          tt_imbalance_rank (self, latest->process), tt_count_text (n_last, latest->n_last),
                          tt_count_text (n_calls, arrivals->n_calls), caused, paid);
}

static void
describe_stragglers (const TtImbalance *self, GString *text)
{
  const TtStragglers *stragglers = self->stragglers;
  char n_steps[TT_TIME_TEXT], n_all[TT_TIME_TEXT];

  if (stragglers->ranks->len == 0)
    return;
  const TtStragglerRank *worst = &g_array_index (stragglers->ranks, TtStragglerRank, 0);
  add_line (text);
  g_string_append_printf (text, "Rank %s is the straggler in %s of %s steps", tt_imbalance_rank (self, worst->process),
                          tt_count_text (n_steps, worst->n_steps), tt_count_text (n_all, stragglers->steps->len));
  if (!worst->has_operation)
    return;
  g_autofree char *whole = tt_imbalance_name (self, worst->name, worst->process, worst->thread);
  g_autofree char *name = fit_name (whole, strlen ("  "));
  g_autofree char *excess = length_text (self, (tt_int128) (worst->excess_ns / worst->n_named));
  g_string_append_printf (text, ", in %u of them with\n  %s\n  %s a step more than on the others", worst->n_named, name,
                          excess);
}

static void
describe_doubt (const TtImbalance *self, GString *text)
{
  const TtArrivals *arrivals = self->arrivals;
  char n[TT_TIME_TEXT], n_calls[TT_TIME_TEXT];

  if (arrivals->n_impossible > 0)
    {
      add_line (text);
      g_string_append_printf (text,
                              "Doubtful: %s of %s collectives end on a rank before the last one comes:\n"
                              "  the clocks of the ranks differ, or calls that are none together were matched",
                              tt_count_text (n, arrivals->n_impossible), tt_count_text (n_calls, arrivals->n_calls));
    }
  if (arrivals->n_undecided > 0)
    {
      add_line (text);
      g_string_append_printf (text, "%s call%s of which it is not known who takes part left out",
                              tt_count_text (n, arrivals->n_undecided), arrivals->n_undecided == 1 ? "" : "s");
    }
  if (arrivals->n_alone > 0 && arrivals->n_calls > 0)
    {
      add_line (text);
      g_string_append_printf (text, "%s call%s of collectives on one rank only left out",
                              tt_count_text (n, arrivals->n_alone), arrivals->n_alone == 1 ? "" : "s");
    }
}

char *
tt_imbalance_describe (const TtImbalance *self)
{
  GString *text = g_string_new (NULL);

  describe_stragglers (self, text);
  describe_arrivals (self, text);
  describe_operations (self, text);
  describe_doubt (self, text);
  return g_string_free (text, text->len == 0);
}
