/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/plots/draw.h"

#include "analyzers/path/job-path.h"
#include "analyzers/path/job-wait-list.h"
#include "analyzers/process-order.h"
#include "pictures/bars.h"
#include "src/base/compare.h"

/* Kinds or causes with a colour of their own. */
#define MAX_PARTS TT_PICTURE_GREY

typedef struct
{
  guint32 key; /* a kind, or the process that leads the rank that is waited for */
  tt_int128 ns;
} Part;

typedef struct
{
  const TtPlotRequest *request;
  const TtWaits *waits;
  GArray *parts;     /* of Part, the longest first */
  GHashTable *ranks; /* process that leads the rank: number of its row + 1 */
  GArray *rows;      /* of guint32, processes */
} Drawing;

static guint32
key_of (const Drawing *self, const TtWait *wait)
{
  return self->request->by_cause ? tt_rank_of_thread (self->request->store, wait->from_thread) : wait->kind;
}

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const Part *x = a, *y = b;

  return x->ns != y->ns ? TT_COMPARE (y->ns, x->ns) : TT_COMPARE (x->key, y->key);
}

static int
compare_ranks (gconstpointer a, gconstpointer b, gpointer store)
{
  return tt_process_order (store, *(const guint32 *) a, *(const guint32 *) b);
}

static void
find_parts (Drawing *self)
{
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->waits->waits->len; i++)
    {
      const TtWait *wait = &g_array_index (self->waits->waits, TtWait, i);
      guint32 key = key_of (self, wait), rank = tt_rank_of_thread (self->request->store, wait->thread);
      guint at = GPOINTER_TO_UINT (g_hash_table_lookup (places, GUINT_TO_POINTER (key)));

      if (at == 0)
        {
          const Part part = { key, 0 };

          g_array_append_val (self->parts, part);
          at = self->parts->len;
          g_hash_table_insert (places, GUINT_TO_POINTER (key), GUINT_TO_POINTER (at));
        }
      g_array_index (self->parts, Part, at - 1).ns += wait->end_ns - wait->begin_ns;
      if (g_hash_table_add (self->ranks, GUINT_TO_POINTER (rank)))
        g_array_append_val (self->rows, rank);
    }
  g_array_sort (self->parts, compare_parts);
  g_array_sort_with_data (self->rows, compare_ranks, self->request->store);
}

/* Free it. */
static char *
name_of (const Drawing *self, guint32 key)
{
  if (!self->request->by_cause)
    return g_strdup (tt_wait_kind_text (key));
  return key == TT_NO_ID ? g_strdup ("unknown") : g_strdup_printf ("rank %s", tt_plot_rank (self->request, key));
}

static void
add_rows (Drawing *self, TtBarChart *chart)
{
  g_autoptr (GHashTable) parts = g_hash_table_new (NULL, NULL), rows = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < MIN (self->parts->len, MAX_PARTS); i++)
    g_hash_table_insert (parts, GUINT_TO_POINTER (g_array_index (self->parts, Part, i).key), GUINT_TO_POINTER (i + 1));
  for (guint i = 0; i < self->rows->len; i++)
    {
      guint32 rank = g_array_index (self->rows, guint32, i);

      tt_bar_chart_add_row (chart, tt_plot_rank (self->request, rank));
      g_hash_table_insert (rows, GUINT_TO_POINTER (rank), GUINT_TO_POINTER (i + 1));
    }
  for (guint i = 0; i < self->waits->waits->len; i++)
    {
      const TtWait *wait = &g_array_index (self->waits->waits, TtWait, i);
      guint32 rank = tt_rank_of_thread (self->request->store, wait->thread);
      guint part = GPOINTER_TO_UINT (g_hash_table_lookup (parts, GUINT_TO_POINTER (key_of (self, wait))));
      guint row = GPOINTER_TO_UINT (g_hash_table_lookup (rows, GUINT_TO_POINTER (rank)));

      tt_bar_chart_row (chart, row - 1)[part > 0 ? part - 1 : MAX_PARTS] += wait->end_ns - wait->begin_ns;
    }
}

static gboolean
draw_chart (Drawing *self, TtOutput *out, GError **error)
{
  static const char *const classes[] = { "c3", "c1", "c0", "c2", "c5", "c4", "c6", "c7" };
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_auto (TtBarChart) chart = { 0 };
  const TtWaits *waits = self->waits;

  G_STATIC_ASSERT (G_N_ELEMENTS (classes) == MAX_PARTS);
  tt_bar_chart_init (&chart, self->request->by_cause ? "Waits of each rank, by the rank waited for"
                                                     : "Waits of each rank, by their kind");
  chart.quantity = tt_plot_time (self->request);
  chart.axis_title = "waiting";
  if (!tt_plot_head (self->request, &chart.head, error))
    return FALSE;
  for (guint i = 0; i < MAX_PARTS; i++)
    {
      gboolean is_there = i < self->parts->len;

      g_ptr_array_add (names, is_there ? name_of (self, g_array_index (self->parts, Part, i).key) : g_strdup (""));
      tt_bar_chart_add_part (&chart, names->pdata[i], classes[i]);
    }
  tt_bar_chart_add_part (&chart, self->request->by_cause ? "other ranks" : "other kinds", "c8");
  add_rows (self, &chart);
  if (waits->waits->len == 0)
    tt_picture_head_note (&chart.head, "No wait for another rank is there.");
  else
    tt_picture_head_note (&chart.head, "Waits as 'tracetool waits' has them, each moment of a thread once. %s",
                          self->request->by_cause ? "'--by kind' shows their kinds." : "'--by cause' shows for whom.");
  tt_bar_chart_write (&chart, out);
  return TRUE;
}

gboolean
tt_plot_waits_draw (const TtPlotRequest *request, const TtWaits *waits, TtOutput *out, GError **error)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (Part));
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GHashTable) ranks = g_hash_table_new (NULL, NULL);
  Drawing drawing = { .request = request, .waits = waits, .parts = parts, .ranks = ranks, .rows = rows };

  find_parts (&drawing);
  return draw_chart (&drawing, out, error);
}

static gboolean
draw (const TtPlotRequest *request, TtOutput *out, GError **error)
{
  g_autoptr (TtWaits) waits = tt_run_wait_list (request->store, request->selection, error);

  return waits != NULL && tt_plot_waits_draw (request, waits, out, error);
}

const TtPlot tt_plot_waits = {
  .word = "waits",
  .summary = "how long each rank waits, by kind or by the rank waited for",
  .takes_by = TRUE,
  .draw = draw,
};
