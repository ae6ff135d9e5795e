/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/joint-path.h"
#include "formats/chrome-export/chrome-export.h"
#include "formats/formats.h"
#include "src/cli/command.h"
#include "src/cli/commands/critical-path.h"
#include "src/cli/run-id.h"
#include "src/cli/session.h"
#include "src/cli/tables/path-doubt.h"
#include "src/cli/tables/path-imbalance.h"
#include "src/cli/tables/path.h"

#include <string.h>

enum
{
  SHOW_OPS,
  SHOW_RANKS,
  SHOW_SEGMENTS,
  SHOW_KINDS,
  SHOW_STEPS,
  SHOW_IMBALANCE,
  N_SHOWN,
};

static const char *const show_words[] = { "ops", "ranks", "segments", "kinds", "steps", "imbalance", NULL };

/* -- notes and facts ----------------------------------------------------------------------------- */

/* Whether the run has calls of the host only: no span says what a device did meanwhile. */
static gboolean
is_host_only (TtStore *store)
{
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);

  for (guint i = 0; i < n; i++)
    {
      const TtFormat *format = tt_format_by_name (sources[i].format, NULL);
      if (format == NULL || !format->is_host_only)
        return FALSE;
    }
  return n > 0;
}

/* Of calls on the path that do nothing but wait. */
static gint64
waiting_on_path (const TtCriticalPath *path)
{
  gint64 ns = 0;

  for (guint i = 0; i < path->ops->len; i++)
    if (g_array_index (path->ops, TtPathOp, i).is_wait)
      ns += g_array_index (path->ops, TtPathOp, i).time_ns;
  return ns;
}

static void
note_waiting (TtStore *store, const TtCriticalPath *path, char **notes)
{
  char time[TT_TIME_TEXT], share[G_ASCII_DTOSTR_BUF_SIZE];

  if (!is_host_only (store) || path->length_ns <= 0)
    return;
  gint64 waiting_ns = waiting_on_path (path);
  g_ascii_formatd (share, sizeof share, "%.1f", 100.0 * (double) waiting_ns / (double) path->length_ns);
  g_autofree char *more = g_steal_pointer (notes);
  *notes = g_strdup_printf ("the host waits for devices for %s of it (%s %%): piEventsWait, piQueueFinish%s%s",
                            tt_time_auto (time, waiting_ns), share, more != NULL ? "\n" : "", more != NULL ? more : "");
}

static void
add_device_facts (TtFacts *facts, const TtCriticalPath *path)
{
  tt_facts_time (facts, "latency_us", path->latency_ns);
  tt_json_writer_uint (&facts->json, "launches", path->n_hops[TT_HOP_LAUNCH]);
  tt_json_writer_uint (&facts->json, "events", path->n_hops[TT_HOP_EVENT]);
  tt_json_writer_uint (&facts->json, "synchronizations", path->n_hops[TT_HOP_SYNCHRONIZE]);
  tt_json_writer_uint (&facts->json, "backward_begins_and_ends", path->n_hops[TT_HOP_AUTOGRAD]);
}

static void
add_host_facts (TtFacts *facts, const TtCriticalPath *path)
{
  tt_facts_time (facts, "host_waits_us", waiting_on_path (path));
  tt_json_writer_uint (&facts->json, "objects", path->n_hops[TT_HOP_OBJECT]);
  tt_json_writer_uint (&facts->json, "enqueues", path->n_hops[TT_HOP_QUEUE]);
}

static void
add_job_facts (TtFacts *facts, const TtCriticalPath *path)
{
  tt_facts_time (facts, "latency_us", path->latency_ns);
  tt_json_writer_uint (&facts->json, "steps_on_path", path->steps->len);
  tt_json_writer_uint (&facts->json, "dependencies", path->n_hops[TT_HOP_DEPENDENCY]);
  tt_json_writer_uint (&facts->json, "waits_for_devices", path->n_hops[TT_HOP_DEVICE]);
  tt_json_writer_uint (&facts->json, "ended_too_early", path->n_backward);
}

static void
add_facts (TtFacts *facts, TtStore *store, const TtCriticalPath *path)
{
  tt_facts_time (facts, "path_us", path->length_ns);
  tt_facts_time (facts, "transfer_us", path->transfer_ns);
  tt_facts_time (facts, "outside_us", path->outside_ns);
  tt_facts_time (facts, "before_us", path->before_ns);
  tt_json_writer_uint (&facts->json, "late_messages", path->n_hops[TT_HOP_MESSAGE]);
  tt_json_writer_uint (&facts->json, "late_in_collectives", path->n_hops[TT_HOP_COLLECTIVE]);
  tt_json_writer_uint (&facts->json, "late_receivers", path->n_hops[TT_HOP_RECEIVER]);
  tt_json_writer_uint (&facts->json, "joins", path->n_hops[TT_HOP_JOIN]);
  tt_json_writer_uint (&facts->json, "locks", path->n_hops[TT_HOP_LOCK]);
  tt_json_writer_uint (&facts->json, "thread_barriers", path->n_hops[TT_HOP_TEAM]);
  tt_json_writer_uint (&facts->json, "thread_begins", path->n_hops[TT_HOP_THREAD]);
  tt_json_writer_open_object_line (&facts->json, "not_followed");
  tt_json_writer_uint (&facts->json, "received_before_sent", path->points.n_backward);
  tt_json_writer_uint (&facts->json, "halves", path->points.n_halves);
  tt_json_writer_uint (&facts->json, "unequal_collectives", path->points.n_dropped);
  tt_json_writer_uint (&facts->json, "left_early", path->points.n_early);
  tt_json_writer_close (&facts->json);
  if (path->steps != NULL)
    add_job_facts (facts, path);
  else if (is_host_only (store))
    add_host_facts (facts, path);
  else if (path->points.n_device_spans > 0)
    add_device_facts (facts, path);
}

/* -- the answer ---------------------------------------------------------------------------------- */

static gboolean
print_tables (TtStore *store,
              const TtCriticalPath *path,
              const TtPathImbalance *imbalance,
              const TtPathRequest *request,
              GError **error)
{
  const TtReportView *view = &request->view;
  gboolean is_job = path->steps != NULL, has_kinds = is_job || path->points.n_device_spans > 0;
  g_autoptr (TtReport) ops = tt_path_op_table (path, view);
  g_autoptr (TtReport) ranks = tt_path_process_table (store, path, view);
  g_autoptr (TtReport) segments = request->with_segments ? tt_path_segment_table (store, path, view) : NULL;
  g_autoptr (TtReport) kinds = has_kinds ? tt_path_kind_table (path, view) : NULL;
  g_autoptr (TtReport) by_mean = imbalance == NULL ? NULL : tt_path_imbalance_table (imbalance, view);
  g_autoptr (TtReport) steps = is_job ? tt_path_step_table (store, path, view) : NULL;
  g_autofree char *heading = tt_path_describe (store, path);
  g_autofree char *notes = tt_path_notes (path), *doubt = NULL;
  g_auto (TtFacts) facts = { 0 };
  TtReport *const reports[N_SHOWN] = { ops, ranks, segments, kinds, steps, by_mean };
  TtTable tables[N_SHOWN];
  const TtTableSet set = { tables, N_SHOWN, request->show,
                           request->with_segments    ? SHOW_SEGMENTS
                           : request->with_imbalance ? SHOW_IMBALANCE
                                                     : SHOW_OPS };

  for (guint i = 0; i < N_SHOWN; i++)
    tables[i] = (TtTable){ show_words[i], reports[i],
                           .is_optional = i != SHOW_OPS && reports[i] != NULL && tt_report_n_rows (reports[i]) == 0 };
  note_waiting (store, path, &notes);
  tt_report_heading (ops, heading);
  if (!tt_path_doubt_find (store, path, &doubt, error))
    return FALSE;
  if (notes != NULL)
    tt_report_footer (ops, notes);
  if (doubt != NULL)
    tt_report_footer (ops, doubt);
  tt_facts_init (&facts);
  add_facts (&facts, store, path);
  return tt_table_set_show (&set, &facts, view, error);
}

/* Pieces without length are no spans to look at. */
static gboolean
export_path (TtStore *store, const TtPathRequest *request, const TtCriticalPath *path, GError **error)
{
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (TtExportPiece));

  for (guint i = 0; i < path->segments->len; i++)
    {
      const TtPathSegment *segment = &g_array_index (path->segments, TtPathSegment, i);
      const TtStoredName *name = segment->event == 0 ? NULL : tt_store_name (store, segment->name);
      const TtProcess *process = tt_store_process (store, path->points.threads[segment->thread].process);
      gboolean is_outside = path->steps != NULL || process == NULL;
      const char *text = name != NULL ? name->text : is_outside ? "(not in any span)" : process->pid;
      const TtExportPiece piece = { segment->thread, segment->begin_ns, segment->end_ns, text,
                                    tt_path_hop_text (segment->hop) };
      if (segment->begin_ns < segment->end_ns)
        g_array_append_val (pieces, piece);
    }
  return tt_path_export (store, request, path->events, pieces, error);
}

/* *imbalance stays NULL where nobody asks, or there is none; it may be there already. */
static gboolean
find_imbalance (TtStore *store,
                const TtPathRequest *request,
                const TtCriticalPath *path,
                TtPathImbalance **imbalance,
                GError **error)
{
  if (!request->with_imbalance || *imbalance != NULL)
    return TRUE;
  if (path->steps == NULL)
    return (*imbalance = tt_path_imbalance_new (store, path, error)) != NULL;
  tt_message ("the path of a training job is not compared with means over ranks; see 'tracetool imbalance'");
  return TRUE;
}

/* Tables that a run does not have, in words. */
static void
tell_lacks (const TtCriticalPath *path, int show)
{
  gboolean is_job = path->steps != NULL;

  if (show == SHOW_STEPS && !is_job)
    tt_message ("only the path of a training job is told by steps; '--step N' shows that through one step of a run");
  else if (show == SHOW_KINDS && !is_job && path->points.n_device_spans == 0)
    tt_message ("this run has no work on devices, and so no kinds of it on the path");
}

static gboolean
answer (TtStore *store, const TtPathRequest *request, GError **error)
{
  g_autoptr (TtCriticalPath) path = NULL;
  g_autoptr (TtPathImbalance) imbalance = NULL;
  TtPathRequest shown = *request;
  GError *failure = NULL;
  gboolean is_shared;
  TtCrew crew;

  shown.with_segments |= request->show == SHOW_SEGMENTS;
  shown.with_imbalance |= request->show == SHOW_IMBALANCE;
  if (!tt_command_check_one_run (store, error))
    return FALSE;
  if (!tt_run_crew (store, &crew, &is_shared, error))
    return FALSE;
  path = is_shared ? tt_joint_critical_path_new (store, request->step, request->output != NULL, &crew,
                                                 shown.with_imbalance ? &imbalance : NULL, &failure)
                   : tt_critical_path_new (store, request->step, request->output != NULL, &failure);
  if (failure != NULL)
    g_propagate_error (error, failure);
  if (path == NULL)
    return failure == NULL && is_shared && crew.rank > 0;
  if (path->no_job != NULL)
    tt_message ("the path goes along threads, not through the job: %s", path->no_job);
  if (path->segments->len == 0)
    tt_message ("no span in this run");
  tell_lacks (path, request->show);
  if (!find_imbalance (store, &shown, path, &imbalance, error) ||
      !print_tables (store, path, imbalance, &shown, error) ||
      (request->output != NULL && !export_path (store, request, path, error)))
    return FALSE;
  if (path->steps != NULL)
    tt_message ("'critical-path --model' shows the path of an average step, as 'simulate' plays it");
  return TRUE;
}

const TtPathQuestion tt_path_measured = {
  .about = "the measured path",
  .show_words = show_words,
  .answer = answer,
};
