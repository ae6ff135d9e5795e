/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/plots/draw.h"

#include "pictures/heat.h"

/* Free it; the texts are the store's. By the order of comm->processes, whose numbers @numbers gets by process. */
static const char **
list_processes (TtStore *store, const TtComm *comm, GHashTable *numbers)
{
  const char **labels = g_new0 (const char *, (gsize) comm->processes->len + 1);

  for (guint i = 0; i < comm->processes->len; i++)
    {
      guint32 id = g_array_index (comm->processes, TtCommProcess, i).process;
      const TtProcess *process = tt_store_process (store, id);

      labels[i] = process == NULL ? NULL : process->pid;
      g_hash_table_insert (numbers, GUINT_TO_POINTER (id), GUINT_TO_POINTER (i + 1));
    }
  return labels;
}

static guint
number_of (GHashTable *numbers, guint32 process)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (numbers, GUINT_TO_POINTER (process)));
}

gboolean
tt_plot_matrix_draw (const TtPlotRequest *request, const TtComm *comm, TtOutput *out, GError **error)
{
  g_autoptr (GHashTable) numbers = g_hash_table_new (NULL, NULL);
  g_auto (TtHeatMap) map = { 0 };
  guint64 n_lost = 0;

  g_autofree const char **labels = list_processes (request->store, comm, numbers);
  /* Where no message tells its size, their number is all that is known. */
  gboolean has_sizes = comm->all.n_sized > 0 || comm->all.count == 0;
  tt_heat_map_init (&map, has_sizes ? "Bytes of messages from process to process" : "Messages from process to process",
                    labels, comm->processes->len);
  map.quantity = has_sizes ? TT_QUANTITY_BYTES : TT_QUANTITY_COUNT;
  map.count_word = "messages";
  if (!tt_plot_head (request, &map.head, error))
    return FALSE;
  for (guint i = 0; i < comm->pairs->len; i++)
    {
      const TtCommPair *pair = &g_array_index (comm->pairs, TtCommPair, i);
      guint from = number_of (numbers, pair->src), to = number_of (numbers, pair->dst);

      if (from > 0 && to > 0)
        tt_heat_map_add (&map, from - 1, to - 1, has_sizes ? pair->sums.bytes : (tt_int128) pair->sums.count,
                         pair->sums.count);
      else
        n_lost += pair->sums.count;
    }
  if (comm->all.count == 0)
    tt_picture_head_note (&map.head, "No message is there. Collectives are no messages: 'tracetool comm' lists them.");
  if (comm->all.count > comm->all.n_sized)
    tt_picture_head_note (&map.head, "%" G_GUINT64_FORMAT " messages do not tell their size%s.",
                          comm->all.count - comm->all.n_sized, has_sizes ? " and add no bytes" : "");
  if (n_lost > 0)
    tt_picture_head_note (&map.head, "Left out: %" G_GUINT64_FORMAT " messages of unknown processes.", n_lost);
  tt_heat_map_write (&map, out);
  return TRUE;
}

static gboolean
draw (const TtPlotRequest *request, TtOutput *out, GError **error)
{
  g_autoptr (TtComm) comm = tt_comm_new (request->store, request->selection, error);

  return comm != NULL && tt_plot_matrix_draw (request, comm, out, error);
}

const TtPlot tt_plot_matrix = {
  .word = "matrix",
  .summary = "bytes of messages from each process to each other",
  .draw = draw,
};
