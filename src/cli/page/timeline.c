/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/page/page.h"

#include "analyzers/spans/each-event.h"
#include "analyzers/work-class.h"
#include "src/base/report/embedded.h"
#include "src/cli/page/span-cells.h"
#include "src/cli/plots/thread-lanes.h"
#include "src/cli/plots/work-colours.h"

/* What a page has room for, and a browser draws sixty times a second. */
#define MAX_LANES 256u
#define MAX_DEPTH 24u
#define MAX_PIECES 120000u
#define MAX_NAME_BYTES ((gsize) 2 << 20)
#define MAX_NAME_CHARS 160u

typedef struct
{
  TtPage *page;
  TtThreadLanes lanes;
  TtSpanCells cells;
  gint64 begin_ns, end_ns;
  guint64 n_spans, n_deeper, n_async;
  GString *json;
  GHashTable *names; /* id: number + 1 */
  GArray *listed;    /* of guint32: ids */
} Timeline;

static void
timeline_clear (Timeline *self)
{
  tt_thread_lanes_clear (&self->lanes);
  tt_span_cells_clear (&self->cells);
  g_string_free (self->json, TRUE);
  g_hash_table_unref (self->names);
  g_array_unref (self->listed);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Timeline, timeline_clear)

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  Timeline *self = data;

  if (event->dur_ns == TT_NO_TIME)
    return TRUE;
  self->n_spans++;
  if ((event->flags & TT_FLAG_ASYNC) != 0)
    self->n_async++;
  else if (event->depth >= MAX_DEPTH)
    self->n_deeper++;
  else if (event->ts_ns >= self->begin_ns && event->ts_ns <= self->end_ns)
    tt_span_cells_add (&self->cells, self->lanes.lane[event->thread] * MAX_DEPTH + event->depth, event->ts_ns,
                       event->ts_ns + event->dur_ns, event->name);
  return TRUE;
}

/* -- data ---------------------------------------------------------------------------------------------------------- */

static guint
number_name (Timeline *self, guint32 name)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->names, GUINT_TO_POINTER (name)));

  if (number == 0)
    {
      g_array_append_val (self->listed, name);
      number = self->listed->len;
      g_hash_table_insert (self->names, GUINT_TO_POINTER (name), GUINT_TO_POINTER (number));
    }
  return number - 1;
}

/* Numbers, four a piece: begin after the begin of the one before, duration, name; then 0, or how many spans there are, and
 * a fifth, how long they take. */
static void
append_row (Timeline *self, guint lane, guint depth, const GArray *row, gboolean is_first)
{
  gint64 before_ns = self->begin_ns;

  g_string_append_printf (self->json, "%s{\"lane\":%u,\"depth\":%u,\"spans\":[", is_first ? "" : ",\n", lane, depth);
  for (guint i = 0; i < row->len; i++)
    {
      const TtSpanPiece *piece = &g_array_index (row, TtSpanPiece, i);

      g_string_append_printf (self->json, "%s%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%u,", i > 0 ? "," : "",
                              piece->begin_ns - before_ns, piece->end_ns - piece->begin_ns,
                              number_name (self, piece->name));
      if (piece->n == 1)
        g_string_append_c (self->json, '0');
      else
        g_string_append_printf (self->json, "%u,%" G_GINT64_FORMAT, piece->n, piece->busy_ns);
      before_ns = piece->begin_ns;
    }
  g_string_append (self->json, "]}");
}

static void
append_rows (Timeline *self)
{
  gboolean is_first = TRUE;

  g_string_append (self->json, ",\n\"rows\":[");
  for (guint i = 0; i < self->cells.rows->len; i++)
    if (self->cells.rows->pdata[i] != NULL)
      {
        append_row (self, i / MAX_DEPTH, i % MAX_DEPTH, self->cells.rows->pdata[i], is_first);
        is_first = FALSE;
      }
  g_string_append_c (self->json, ']');
}

/* [text, class] each; of too many long ones the last have no text. */
static void
append_names (Timeline *self)
{
  gsize begin = self->json->len;

  g_string_append (self->json, ",\n\"names\":[");
  for (guint i = 0; i < self->listed->len; i++)
    {
      const TtStoredName *name = tt_store_peek_name (self->page->store, g_array_index (self->listed, guint32, i));
      gboolean has_room = self->json->len - begin < MAX_NAME_BYTES;
      TtWorkClass work = name == NULL ? TT_WORK_COMPUTE : tt_work_class_of_host (name->op_cat, name->op_name);

      g_string_append (self->json, i > 0 ? ",\n[" : "[");
      tt_embedded_string (self->json, has_room && name != NULL && name->text != NULL ? name->text : "", MAX_NAME_CHARS);
      g_string_append_printf (self->json, ",%u]", (guint) work);
    }
  g_string_append_c (self->json, ']');
}

static void
append_lanes (Timeline *self)
{
  const GArray *threads = self->lanes.threads;
  guint shown = G_MAXUINT;

  g_string_append (self->json, ",\n\"lanes\":[");
  for (guint i = 0; i < threads->len; i++)
    {
      guint32 id = g_array_index (threads, guint32, i);
      const TtThread *thread = tt_store_thread (self->page->store, id);
      const TtProcess *process = thread == NULL ? NULL : tt_store_process (self->page->store, thread->process);

      if (self->lanes.lane[id] == shown)
        continue;
      shown = self->lanes.lane[id];
      g_autofree char *text = self->lanes.fold > 0
                                  ? g_strdup_printf ("rank %s%s", process == NULL ? "?" : process->rank_name,
                                                     self->lanes.fold > 1 ? " ..." : "")
                                  : g_strdup_printf ("%s %s", process == NULL ? "?" : process->pid,
                                                     thread == NULL          ? "?"
                                                     : thread->label != NULL ? thread->label
                                                                             : thread->tid);
      g_string_append (self->json, shown > 0 ? "," : "");
      tt_embedded_string (self->json, text, MAX_NAME_CHARS);
    }
  g_string_append (self->json, "],\n\"classes\":[");
  for (guint i = 0; i <= TT_N_WORK_CLASSES; i++)
    g_string_append_printf (self->json, "%s\"%s\"", i > 0 ? "," : "", tt_work_colours[i].name);
  g_string_append_c (self->json, ']');
}

static void
add_notes (Timeline *self)
{
  char a[TT_TIME_TEXT], b[TT_TIME_TEXT];

  if (self->cells.cell_ns > 0)
    {
      g_autofree char *text =
          g_strdup_printf ("Of %s spans those shorter than %s are drawn as pieces that tell how many they are.",
                           tt_count_text (a, self->n_spans), tt_time_auto (b, self->cells.cell_ns));
      tt_page_none (self->page, text);
    }
  if (self->n_deeper > 0)
    {
      g_autofree char *text =
          g_strdup_printf ("Left out: %s spans inside %u others.", tt_count_text (a, self->n_deeper), MAX_DEPTH);
      tt_page_none (self->page, text);
    }
  if (self->n_async > 0)
    {
      g_autofree char *text =
          g_strdup_printf ("Left out: %s asynchronous spans, which cross others.", tt_count_text (a, self->n_async));
      tt_page_none (self->page, text);
    }
  if (self->lanes.fold > 0)
    {
      g_autofree char *text =
          g_strdup_printf ("%u threads: a lane is of all threads of %u rank%s.", self->lanes.threads->len,
                           self->lanes.fold, self->lanes.fold == 1 ? "" : "s, neighbours");
      tt_page_none (self->page, text);
    }
}

static gboolean
fill (TtPage *page, GError **error)
{
  g_auto (Timeline) self = { .page = page,
                             .json = g_string_new (NULL),
                             .names = g_hash_table_new (NULL, NULL),
                             .listed = g_array_new (FALSE, FALSE, sizeof (guint32)) };

  tt_thread_lanes_init (&self.lanes, page->store, MAX_LANES);
  if (!tt_plot_times (&page->plot, &self.begin_ns, &self.end_ns, error))
    return FALSE;
  tt_span_cells_init (&self.cells, self.lanes.n_lanes * MAX_DEPTH, self.begin_ns, MAX_PIECES);
  if (!tt_each_event_between (page->store, TT_SCAN_REVERSE, self.begin_ns, self.end_ns, take_event, &self, error))
    return FALSE;
  tt_span_cells_finish (&self.cells);
  if (self.cells.n_pieces == 0)
    return TRUE;
  g_string_append_printf (self.json, "\"timeline\":{\"length\":%" G_GINT64_FORMAT, self.end_ns - self.begin_ns);
  append_lanes (&self);
  append_rows (&self);
  append_names (&self);
  g_string_append_c (self.json, '}');
  tt_page_data (page, self.json->str);
  tt_page_markup (page, "<div id=\"canvas-place\"></div>\n");
  add_notes (&self);
  return TRUE;
}

const TtPageSection tt_page_timeline = {
  .id = "timeline",
  .title = "Timeline",
  .command = "tracetool plot timeline",
  .stands_alone = TRUE,
  .fill = fill,
};
