/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/commands/info.h"

#include "src/base/units.h"
#include "src/cli/clock-facts.h"
#include "src/cli/group-doubt.h"
#include "src/cli/message.h"
#include "src/store/store.h"

#define INDENT 11

void
tt_info_print_folded (const char *title, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  glong column = INDENT;

  tt_print ("%-*s", INDENT - 1, title);
  for (char **word = words; *word != NULL; word++)
    {
      glong width = g_utf8_strlen (*word, -1);

      if (column + width > TT_INFO_COLUMNS)
        {
          tt_print ("\n%*s", INDENT - 1, "");
          column = INDENT;
        }
      tt_print (" %s", *word);
      column += width + 1;
    }
  tt_print ("\n");
}

/* Keeps its time, as the first of ranks that nothing ties to those before. */
static gboolean
is_apart (const TtClockFacts *facts, const TtClockFit *fit)
{
  return facts->is_corrected && fit->residual_ns == TT_NO_TIME && fit->n_bounds > 0 && fit->offset_ns == 0 &&
         fit->drift_ns == 0;
}

static void
print_clock (TtStore *store, const TtClockFit *fit, gboolean is_apart)
{
  char offset[TT_TIME_TEXT], drift[TT_TIME_TEXT], residual[TT_TIME_TEXT];

  if (is_apart)
    {
      tt_print ("%*s%s keeps its time: nothing ties it to those before\n", INDENT, "",
                tt_store_process (store, fit->process)->pid);
      return;
    }
  tt_print ("%*s%s %s%s", INDENT, "", tt_store_process (store, fit->process)->pid, fit->offset_ns >= 0 ? "+" : "",
            tt_time_auto (offset, fit->offset_ns));
  if (fit->drift_ns != 0)
    tt_print (", %s%s until its end", fit->drift_ns > 0 ? "+" : "", tt_time_auto (drift, fit->drift_ns));
  if (fit->residual_ns == TT_NO_TIME)
    tt_print (", by bounds from one side only\n");
  else
    tt_print (", known to %s\n", tt_time_auto (residual, fit->residual_ns));
}

gboolean
tt_info_print_clocks (TtStore *store, guint top, guint *n_more, GError **error)
{
  g_auto (TtClockFacts) facts = { NULL };
  g_autofree char *groups = NULL;
  guint n = 0;

  *n_more = 0;
  if (!tt_clock_facts_gather_all (&facts, store, error) || !tt_group_doubt_text (store, &groups, error))
    return FALSE;
  g_autofree char *text = tt_clock_facts_text (&facts, store);
  if (groups != NULL)
    tt_info_print_folded ("groups", groups);
  if (text != NULL)
    tt_info_print_folded ("clocks", text);
  for (guint i = 0; i < facts.fits->len; i++)
    {
      const TtClockFit *fit = &g_array_index (facts.fits, TtClockFit, i);

      if (tt_store_process (store, fit->process)->owner != fit->process ||
          (fit->offset_ns == 0 && fit->drift_ns == 0 && !is_apart (&facts, fit)))
        continue;
      if (top == 0 || n++ < top)
        print_clock (store, fit, is_apart (&facts, fit));
      else
        ++*n_more;
    }
  return TRUE;
}
