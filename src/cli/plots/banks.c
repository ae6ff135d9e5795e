/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared memory: which of its banks are used, and how many passes accesses take; memory: which of its pages are used.
 */
#include "config.h"

#include "src/cli/plots/plot.h"

#include "analyzers/probes/accesses.h"
#include "analyzers/probes/banks.h"
#include "pictures/bars.h"
#include "src/cli/plots/launch.h"

static const char *
count_text (char buffer[TT_QUANTITY_TEXT], tt_int128 n)
{
  return tt_quantity_text (buffer, TT_QUANTITY_COUNT, n);
}

/* "1.25" of integers. Returns buffer. */
static const char *
ratio_text (char buffer[TT_QUANTITY_TEXT], tt_int128 a, tt_int128 b)
{
  gint64 hundredths = (gint64) ((a * 100 + b / 2) / MAX (b, 1));

  g_snprintf (buffer, TT_QUANTITY_TEXT, "%" G_GINT64_FORMAT ".%02d", hundredths / 100, (int) (hundredths % 100));
  return buffer;
}

static void
note_others (TtPictureHead *head, guint64 n_others)
{
  char n[TT_QUANTITY_TEXT];

  if (n_others > 0)
    tt_picture_head_note (head, "Left out: %s accesses of other launches; '--name KERNEL' chooses the kernel.",
                          count_text (n, n_others));
}

static gboolean
find_banks (const TtPlotRequest *request, TtBanks *banks, GError **error)
{
  g_autofree guint32 *first_names = NULL;
  g_autofree guint8 *is_asked = NULL;

  return tt_plot_operations (request, &first_names, &is_asked, error) &&
         tt_banks_find (banks, request->store, request->selection, is_asked, first_names, error);
}

static void
note_banks (const TtPlotRequest *request, const TtBanks *banks, TtPictureHead *head)
{
  char n[TT_QUANTITY_TEXT], words[TT_QUANTITY_TEXT], mean[TT_QUANTITY_TEXT], best[TT_QUANTITY_TEXT],
      percent[TT_PERCENT_TEXT];

  if (banks->n_accesses == 0)
    tt_picture_head_note (head,
                          "No record of a probe at ld.shared or st.shared with an address (a field addr) is there.");
  else
    {
      tt_plot_launch_note (head, request->store, banks->source);
      tt_picture_head_note (head,
                            "%s accesses of warps to %s words of 32 bits; %s of them have a conflict. On average they "
                            "take %s passes, where %s would do.",
                            count_text (n, banks->n_accesses), count_text (words, banks->n_words),
                            tt_percent_text (percent, banks->n_conflicts, banks->n_accesses),
                            ratio_text (mean, banks->n_passes, banks->n_accesses),
                            ratio_text (best, banks->n_least, banks->n_accesses));
      tt_picture_head_note (head,
                            "Bank: address / 4 modulo 32. An access is of the records of a warp with the same %s.",
                            banks->has_time ? "time" : "slot: they have no time of their own");
    }
  if (banks->n_odd > 0)
    tt_picture_head_note (head,
                          "Left out: %s records that are no access of shared memory (an address of 1 MiB or more), or "
                          "two of a thread at once.",
                          count_text (n, banks->n_odd));
  note_others (head, banks->n_others);
}

static void
write_chart (const TtPlotRequest *request, TtBarChart *chart, TtOutput *out)
{
  if (request->text_width > 0)
    tt_bar_chart_write_text (chart, out, request->text_width);
  else
    tt_bar_chart_write (chart, out);
}

/* A chart of counts, with a row for each of what @row_word says. */
static void
begin_chart (TtBarChart *chart, const char *title, const char *axis_title, const char *row_word)
{
  tt_bar_chart_init (chart, title);
  chart->quantity = TT_QUANTITY_COUNT;
  chart->axis_title = axis_title;
  chart->row_word = row_word;
}

/* The chart of @banks, whose rows are there. */
static gboolean
end_chart (const TtPlotRequest *request, const TtBanks *banks, TtBarChart *chart, TtOutput *out, GError **error)
{
  if (!tt_plot_head (request, &chart->head, error))
    return FALSE;
  note_banks (request, banks, &chart->head);
  write_chart (request, chart, out);
  return TRUE;
}

/* -- banks ------------------------------------------------------------------------------------------------ */

static gboolean
draw_banks (const TtPlotRequest *request, TtOutput *out, GError **error)
{
  g_auto (TtBarChart) chart = { 0 };
  TtBanks banks;

  if (!find_banks (request, &banks, error))
    return FALSE;
  g_autofree char *title = tt_plot_launch_title (request->store, "Banks of shared memory", banks.name);
  begin_chart (&chart, title, "words", "bank");
  tt_bar_chart_add_part (&chart, "in accesses without conflict", "c0");
  tt_bar_chart_add_part (&chart, "in accesses with a conflict", "c1");
  for (guint bank = 0; bank < TT_BANKS && banks.n_accesses > 0; bank++)
    {
      g_autofree char *label = g_strdup_printf ("%u", bank);
      tt_int128 *values = tt_bar_chart_add_row (&chart, label);

      values[0] = banks.plain[bank];
      values[1] = banks.conflicting[bank];
    }
  return end_chart (request, &banks, &chart, out, error);
}

const TtPlot tt_plot_banks = {
  .word = "banks",
  .summary = "which banks of shared memory a kernel uses, with and without conflicts, from a probe",
  .takes_name = TRUE,
  .has_text = TRUE,
  .draw = draw_banks,
};

/* -- conflicts ------------------------------------------------------------------------------------------------ */

static gboolean
draw_conflicts (const TtPlotRequest *request, TtOutput *out, GError **error)
{
  g_auto (TtBarChart) chart = { 0 };
  TtBanks banks;
  guint most = 0;

  if (!find_banks (request, &banks, error))
    return FALSE;
  g_autofree char *title = tt_plot_launch_title (request->store, "Passes of accesses to shared memory", banks.name);
  begin_chart (&chart, title, "accesses of warps", "passes");
  tt_bar_chart_add_part (&chart, "as many as their words need", "c0");
  tt_bar_chart_add_part (&chart, "more: conflicts", "c1");
  for (guint passes = 1; passes <= TT_BANKS_MAX_PASSES; passes++)
    if (banks.needed[passes] + banks.caused[passes] > 0)
      most = passes;
  for (guint passes = 1; passes <= most; passes++)
    {
      g_autofree char *label = g_strdup_printf ("%u%s", passes, passes == TT_BANKS_MAX_PASSES ? " and more" : "");
      tt_int128 *values = tt_bar_chart_add_row (&chart, label);

      values[0] = banks.needed[passes];
      values[1] = banks.caused[passes];
    }
  return end_chart (request, &banks, &chart, out, error);
}

const TtPlot tt_plot_conflicts = {
  .word = "conflicts",
  .summary = "how many passes accesses to shared memory take, from a probe",
  .takes_name = TRUE,
  .has_text = TRUE,
  .draw = draw_conflicts,
};

/* -- pages ------------------------------------------------------------------------------------------------ */

static void
count_access (guint page, gint64 time, gpointer data)
{
  (void) time;
  tt_bar_chart_row (data, page)[0]++;
}

static void
note_pages (const TtAccesses *accesses, TtPictureHead *head)
{
  char n[TT_QUANTITY_TEXT], size[TT_QUANTITY_TEXT];

  if (accesses->name == TT_NO_ID)
    tt_picture_head_note (head, "No record of a probe with an address (a field addr) is there.");
  else
    {
      tt_plot_launch_note (head, accesses->store, accesses->source);
      tt_picture_head_note (head, "%s accesses to %u pages of %s KiB, from the lowest address on.",
                            count_text (n, accesses->n), accesses->pages->len,
                            count_text (size, (tt_int128) 1 << (accesses->shift - 10)));
    }
  note_others (head, accesses->n_others);
}

static gboolean
draw_pages (const TtPlotRequest *request, TtOutput *out, GError **error)
{
  g_autofree guint32 *first_names = NULL;
  g_autofree guint8 *is_asked = NULL;
  g_auto (TtBarChart) chart = { 0 };

  if (!tt_plot_operations (request, &first_names, &is_asked, error))
    return FALSE;
  g_autoptr (TtAccesses) accesses = tt_accesses_new (request->store, request->selection, is_asked, first_names, error);
  if (accesses == NULL)
    return FALSE;
  g_autofree char *title = tt_plot_launch_title (accesses->store, "Pages of memory", accesses->name);
  begin_chart (&chart, title, "accesses", "page");
  tt_bar_chart_add_part (&chart, "accesses", "c0");
  for (guint i = 0; i < accesses->pages->len; i++)
    {
      guint64 page = g_array_index (accesses->pages, guint64, i);
      g_autofree char *label = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", page);

      tt_bar_chart_add_row (&chart, label);
    }
  if (!tt_plot_head (request, &chart.head, error) || !tt_accesses_each (accesses, count_access, &chart, error))
    return FALSE;
  note_pages (accesses, &chart.head);
  write_chart (request, &chart, out);
  return TRUE;
}

const TtPlot tt_plot_pages = {
  .word = "pages",
  .summary = "how often a kernel used each page of memory, from a probe that saves addresses",
  .takes_name = TRUE,
  .has_text = TRUE,
  .draw = draw_pages,
};
