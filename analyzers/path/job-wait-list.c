/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/job-wait-list.h"

#include "analyzers/path/job-path.h"
#include "analyzers/path/job-waits.h"
#include "analyzers/path/measured-path.h"
#include "analyzers/path/server-waits.h"
#include "analyzers/waits/joint-waits.h"

static guint32
rank_of (TtStore *store, guint32 thread)
{
  const TtThread *of = tt_store_thread (store, thread);
  const TtProcess *process = of == NULL ? NULL : tt_store_process (store, of->process);

  return process == NULL ? TT_NO_ID : process->owner;
}

/* FALSE with @error: the database failed. */
static gboolean
is_chosen (TtStore *store, const TtSelection *selection, guint64 id, gboolean *is_chosen, GError **error)
{
  TtEvent event;

  *is_chosen = TRUE;
  if (selection == NULL || tt_selection_is_everything (selection))
    return TRUE;
  if (!tt_store_event (store, id, &event, error))
    return FALSE;
  *is_chosen = tt_selection_matches (selection, &event);
  return TRUE;
}

/* What is sent and received is under way from the begin of the SEND on. */
static TtWait
make_wait (const TtJobPathSpan *span, const TtJobPathSpan *cause, const TtJobWait *held)
{
  gboolean is_collective = held->hop == TT_HOP_COLLECTIVE;
  gint64 from_ns = cause->kind == TT_STEP_NODE_SEND || is_collective ? cause->begin_ns : held->cause_ns;

  return (TtWait){
    .thread = span->thread,
    .kind = is_collective ? TT_WAIT_NXN : TT_WAIT_LATE_SENDER,
    .event = span->event,
    .begin_ns = span->begin_ns,
    .end_ns = MIN (from_ns, span->end_ns),
    .from_ns = from_ns,
    .left_ns = from_ns,
    .at_ns = MIN (held->cause_ns, span->end_ns),
    .from_event = cause->event,
    .from_thread = cause->thread,
    .name = span->name,
    .from_name = cause->name,
    .is_inferred = held->is_inferred,
  };
}

gboolean
tt_job_wait_of (TtStore *store, const TtJobSpans *spans, guint32 i, const TtJobWait *held, TtWait *wait)
{
  const TtJobPathSpan *span = tt_job_span (spans, i), *cause;

  if (held->cause == TT_JOB_NO_SPAN || (held->hop != TT_HOP_MESSAGE && held->hop != TT_HOP_COLLECTIVE))
    return FALSE;
  cause = tt_job_span (spans, held->cause);
  *wait = make_wait (span, cause, held);
  return wait->begin_ns < wait->end_ns && rank_of (store, span->thread) != rank_of (store, cause->thread);
}

static gboolean
add_waits (TtStore *store,
           const TtSelection *selection,
           const TtJobSpans *spans,
           const TtJobWait *held,
           GArray *waits,
           GError **error)
{
  g_auto (TtServerWaits) servers;

  tt_server_waits_init (&servers, spans, held);
  for (guint32 i = 0; i < spans->spans->len; i++)
    {
      TtServerWait of_servers[TT_MAX_SERVER_WAITS];
      guint n = tt_server_waits_of (&servers, i, of_servers);
      gboolean chosen;
      TtWait wait;

      gboolean is_wait = tt_job_wait_of (store, spans, i, &held[i], &wait);
      if (!is_wait && n == 0)
        continue;
      if (!is_chosen (store, selection, tt_job_span (spans, i)->event, &chosen, error))
        return FALSE;
      if (chosen && is_wait)
        g_array_append_val (waits, wait);
      for (guint k = 0; chosen && k < n; k++)
        g_array_append_val (waits, of_servers[k].wait);
    }
  return TRUE;
}

TtWaits *
tt_job_wait_list_of (TtStore *store,
                     const TtSelection *selection,
                     const TtJobSpans *spans,
                     const TtJobWait *held,
                     GError **error)
{
  g_autoptr (GArray) waits = g_array_new (FALSE, FALSE, sizeof (TtWait));

  return add_waits (store, selection, spans, held, waits, error)
             ? tt_waits_of (store, selection, g_steal_pointer (&waits), error)
             : NULL;
}

static TtWaits *
list_job_waits (TtStore *store, const TtSelection *selection, GError **error)
{
  const TtTrainingJobOptions options = { .recv = TT_RECV_AS_TRACED };
  g_auto (TtJobSpans) spans = { NULL };
  TtTrainingJob *job = tt_training_job_new (store, &options, error);
  guint64 n_backward;

  if (job == NULL || !tt_job_spans_init (&spans, job, store, error))
    return NULL;
  g_autofree TtJobWait *held = tt_job_waits_new (&spans, &n_backward);
  TtWaits *list = tt_job_wait_list_of (store, selection, &spans, held, error);
  if (list != NULL)
    list->counts.n_backward = n_backward;
  return list;
}

TtWaits *
tt_run_wait_list (TtStore *store, const TtSelection *selection, GError **error)
{
  return tt_run_wait_list_by (store, selection, NULL, error);
}

TtWaits *
tt_run_wait_list_by (TtStore *store, const TtSelection *selection, const TtCrew *crew, GError **error)
{
  gboolean is_job;

  if (!tt_job_path_is_there (store, &is_job, error))
    return NULL;
  if (is_job)
    return list_job_waits (store, selection, error);
  return crew != NULL ? tt_joint_waits_new (store, selection, crew, error) : tt_waits_new (store, selection, error);
}
