/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/plots/plot.h"

#include "analyzers/breakdown/segments.h"
#include "analyzers/breakdown/wait-cuts.h"
#include "analyzers/process-order.h"
#include "analyzers/spans/each-event.h"
#include "analyzers/waits/joint-waits.h"
#include "pictures/lanes.h"
#include "src/cli/plots/thread-lanes.h"
#include "src/cli/plots/work-colours.h"

typedef struct
{
  const TtPlotRequest *request;
  guint8 *work; /* by name */
  TtThreadLanes lanes;
  TtSegments *segments;
  TtWaitCuts *cuts; /* NULL: nobody waits for another */
  TtLaneChart chart;
} Drawing;

/* -- lanes ------------------------------------------------------------------------------------------------------- */

static void
add_members (Drawing *self)
{
  const GArray *threads = self->lanes.threads;
  guint fold = self->lanes.fold;

  for (guint i = 0; i < threads->len; i++)
    {
      guint32 thread = g_array_index (threads, guint32, i);
      const TtThread *found = tt_store_thread (self->request->store, thread);
      const TtProcess *process = tt_store_process (self->request->store, found->process);
      guint32 rank = tt_rank_of_thread (self->request->store, thread);
      g_autofree char *label = fold == 0 ? g_strdup_printf ("%s %s", process == NULL ? "?" : process->pid, found->tid)
                                         : g_strdup_printf ("rank %s", tt_plot_rank (self->request, rank));

      tt_lane_chart_add_member (&self->chart, self->lanes.lane[thread], label);
    }
}

/* -- spans ------------------------------------------------------------------------------------------------------- */

static gboolean
classify_name (const TtStoredName *name, gpointer data)
{
  ((Drawing *) data)->work[name->id] = (guint8) tt_work_class_of_host (name->op_cat, name->op_name);
  return TRUE;
}

static void
on_piece (const TtSegment *piece, gpointer data)
{
  Drawing *self = data;

  tt_lane_chart_add (&self->chart, self->lanes.lane[piece->thread], piece->work, piece->begin_ns, piece->end_ns);
}

static void
on_segment (const TtSegment *segment, gpointer data)
{
  Drawing *self = data;

  if (self->cuts == NULL)
    on_piece (segment, self);
  else
    tt_wait_cuts_take (self->cuts, segment, on_piece, self);
}

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  Drawing *self = data;
  gboolean counts = (event->flags & TT_FLAG_WINDOW) == 0 && tt_selection_matches (self->request->selection, event);

  if (event->dur_ns == TT_NO_TIME || (event->flags & TT_FLAG_ASYNC) != 0)
    return TRUE;
  return tt_segments_add (self->segments, event, counts ? (TtWorkClass) self->work[event->name] : TT_WORK_NONE, FALSE,
                          error);
}

static gboolean
read_spans (Drawing *self, GError **error)
{
  TtStore *store = self->request->store;
  TtStoreCounts counts;

  self->work = g_new0 (guint8, (gsize) tt_store_max_name (store) + 1);
  if (!tt_store_each_name (store, classify_name, self, error) || !tt_store_counts (store, &counts, error))
    return FALSE;
  if (counts.n_matched > 0 || counts.n_collectives > 0)
    {
      const TtCrew *crew = self->request->crew;
      g_autoptr (TtWaits) waits = crew != NULL ? tt_joint_waits_new (store, self->request->selection, crew, error)
                                               : tt_waits_new (store, self->request->selection, error);

      if (waits == NULL)
        return FALSE;
      self->cuts = tt_wait_cuts_new (store, waits->waits);
      g_clear_pointer (&waits, tt_waits_free);
    }
  /* The other ranks were wanted for waits. */
  if (self->request->crew != NULL && self->request->crew->rank > 0)
    return FALSE;
  self->segments = tt_segments_new (tt_store_max_thread (store), on_segment, self);
  if (!tt_each_event_between (store, TT_SCAN_REVERSE, self->chart.begin, self->chart.end, take_event, self, error))
    return FALSE;
  tt_segments_finish (self->segments);
  return TRUE;
}

/* -- all --------------------------------------------------------------------------------------------------------- */

static void
add_notes (Drawing *self)
{
  guint fold = self->lanes.fold, n_threads = self->lanes.threads->len;
  TtPictureHead *head = &self->chart.head;

  if (tt_lane_chart_is_empty (&self->chart))
    {
      tt_picture_head_note (head, "No span that takes time is there.");
      return;
    }
  tt_picture_head_note (head,
                        "A column of a pixel has the colour of what most of its time went to, of spans with nothing "
                        "inside, and is the higher the more of it was busy. The mouse tells sums of a lane.");
  if (fold > 0)
    tt_picture_head_note (head, "%u threads: a lane is of all threads of %u rank%s.", n_threads, fold,
                          fold == 1 ? "" : "s, neighbours");
}

static gboolean
draw_chart (Drawing *self, TtOutput *out, GError **error)
{
  gint64 begin_ns, end_ns;
  guint fold = self->lanes.fold;

  if (!tt_plot_times (self->request, &begin_ns, &end_ns, error))
    return FALSE;
  tt_lane_chart_init (&self->chart,
                      fold == 0 ? "What each thread did, over time" : "What the threads of each rank did, over time",
                      begin_ns, end_ns, self->lanes.n_lanes, tt_work_colours, TT_N_WORK_CLASSES);
  self->chart.quantity = tt_plot_time (self->request);
  if (!tt_plot_head (self->request, &self->chart.head, error))
    return FALSE;
  add_members (self);
  if (!read_spans (self, error))
    return FALSE;
  add_notes (self);
  tt_lane_chart_write (&self->chart, out);
  return TRUE;
}

static gboolean
draw (const TtPlotRequest *request, TtOutput *out, GError **error)
{
  Drawing drawing = { .request = request };

  tt_thread_lanes_init (&drawing.lanes, request->store, TT_LANES_MAX);
  gboolean is_ok = draw_chart (&drawing, out, error);

  tt_lane_chart_clear (&drawing.chart);
  tt_segments_free (drawing.segments);
  tt_wait_cuts_free (drawing.cuts);
  g_free (drawing.work);
  tt_thread_lanes_clear (&drawing.lanes);
  return is_ok;
}

const TtPlot tt_plot_timeline = {
  .word = "timeline",
  .summary = "what each thread did, over time",
  .is_shared = TRUE,
  .draw = draw,
};
