/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/plots/plot.h"

#include "analyzers/probes/accesses.h"
#include "pictures/page-map.h"
#include "src/cli/plots/launch.h"

/* Addresses at the begin of each piece of memory, or what the program calls it. */
static void
add_labels (TtPageMap *map, const TtAccesses *accesses)
{
  guint64 size = (guint64) 1 << accesses->shift, before = 0;
  const TtAccessTensor *last = NULL;

  for (guint i = 0; i < accesses->pages->len; i++)
    {
      guint64 page = g_array_index (accesses->pages, guint64, i);
      const TtAccessTensor *tensor = tt_accesses_tensor (accesses, page);
      gboolean has_gap = i > 0 && page - before > size;

      gboolean has_name = i == 0 || tensor != last || (has_gap && tensor == NULL);
      g_autofree char *address = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", page);

      tt_page_map_label (map, i, !has_name ? NULL : tensor == NULL ? address : tensor->label, has_gap);
      before = page;
      last = tensor;
    }
}

static void
add_notes (TtPageMap *map, const TtAccesses *accesses, gboolean is_text)
{
  char n[TT_QUANTITY_TEXT], others[TT_QUANTITY_TEXT], size[TT_QUANTITY_TEXT];
  TtPictureHead *head = &map->head;

  if (accesses->name == TT_NO_ID)
    {
      tt_picture_head_note (head, "No record of a probe with an address (a field addr) is there.");
      return;
    }
  tt_plot_launch_note (head, accesses->store, accesses->source);
  tt_picture_head_note (head,
                        "%s accesses, counted by page of %s KiB. Only pages that were used are shown, from the lowest "
                        "address up%s.",
                        tt_quantity_text (n, TT_QUANTITY_COUNT, accesses->n),
                        tt_quantity_text (size, TT_QUANTITY_COUNT, (tt_int128) 1 << (accesses->shift - 10)),
                        is_text ? "" : "; a line is where others lie between");
  if (accesses->n_others > 0)
    tt_picture_head_note (head, "Left out: %s accesses of other launches; '--name KERNEL' chooses the kernel.",
                          tt_quantity_text (others, TT_QUANTITY_COUNT, accesses->n_others));
}

static void
add_access (guint page, gint64 time, gpointer data)
{
  tt_page_map_add (data, page, time);
}

static gboolean
draw (const TtPlotRequest *request, TtOutput *out, GError **error)
{
  g_autofree guint32 *first_names = NULL;
  g_autofree guint8 *is_asked = NULL;
  g_auto (TtPageMap) map = { 0 };

  if (!tt_plot_operations (request, &first_names, &is_asked, error))
    return FALSE;
  g_autoptr (TtAccesses) accesses = tt_accesses_new (request->store, request->selection, is_asked, first_names, error);
  if (accesses == NULL)
    return FALSE;
  g_autofree char *title = tt_plot_launch_title (accesses->store, "Memory accesses", accesses->name);
  tt_page_map_init (&map, title, accesses->pages->len, accesses->first, accesses->last);
  map.quantity = accesses->has_clock ? TT_QUANTITY_TICKS : tt_plot_launch_time (accesses->store, accesses->source);
  map.x_title = "since the first access";
  if (!tt_plot_head (request, &map.head, error) || !tt_accesses_each (accesses, add_access, &map, error))
    return FALSE;
  add_labels (&map, accesses);
  add_notes (&map, accesses, request->text_width > 0);
  if (request->text_width > 0)
    tt_page_map_write_text (&map, out, request->text_width);
  else
    tt_page_map_write (&map, out);
  return TRUE;
}

const TtPlot tt_plot_dmat = {
  .word = "dmat",
  .summary = "which pages of memory a kernel used when, from a probe that saves addresses",
  .takes_name = TRUE,
  .has_text = TRUE,
  .draw = draw,
};
