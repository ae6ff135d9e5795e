/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/job-causes.h"

#include "analyzers/path/job-path.h"
#include "analyzers/path/job-wait-list.h"
#include "analyzers/path/measured-path.h"
#include "analyzers/path/server-waits.h"
#include "analyzers/waits/path-times.h"
#include "src/trace/span.h"

typedef struct
{
  TtStore *store;
  TtWaitCauses *result;
  TtJobSpans spans;
  TtJobWait *held, *arrivals, *needs; /* by span */
  gint64 *direct_ns;                  /* by span: of its wait what is chosen */
  gint64 *inherited_ns;               /* by span: of waits that its own made */
  TtPathTimes times;                  /* by name: what who is waited for did, and the other */
  TtMap64 number_of;                  /* cause by (process, name) */
} Finder;

static void
finder_clear (Finder *self)
{
  tt_job_spans_clear (&self->spans);
  g_free (self->held);
  g_free (self->arrivals);
  g_free (self->needs);
  g_free (self->direct_ns);
  g_free (self->inherited_ns);
  tt_path_times_clear (&self->times);
  tt_map64_clear (&self->number_of);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Finder, finder_clear)

/* -- the way back ------------------------------------------------------------------------------------------------ */

/* A place on the way back of one rank. */
typedef struct
{
  guint32 span; /* where it is */
  gint64 now_ns;
  const TtJobWait *by; /* what held that */
} Way;

/* FALSE: something of another rank held it, or nothing that is known. */
static gboolean
goes_on (const Finder *self, const Way *way)
{
  const TtJobWait *by = way->by;

  return by->cause != TT_JOB_NO_SPAN && by->cause < way->span &&
         tt_job_span (&self->spans, by->cause)->endpoint == tt_job_span (&self->spans, way->span)->endpoint;
}

typedef void (*AddFunc) (TtPathTimes *times, guint32 name, gint64 ns);

static void
add_piece (Finder *self, guint32 name, gint64 begin_ns, gint64 end_ns, AddFunc add)
{
  if (begin_ns < end_ns)
    add (&self->times, name, tt_time_since (end_ns, begin_ns));
}

/* Exchanging tensors is nobody's delay by name: of which of them it was is chance. */
static guint32
name_of (const TtJobPathSpan *span)
{
  TtStepNodeKind kind = (TtStepNodeKind) span->kind;

  return tt_step_node_is_operator (kind) || kind == TT_STEP_NODE_IO || kind == TT_STEP_NODE_SERVER ? span->name
                                                                                                   : TT_PATH_ROOT;
}

/* One step back, with what lies between and the own time of the span before, as much as is after @since_ns. @add: or NULL. */
static void
step_back (Finder *self, Way *way, gint64 since_ns, AddFunc add)
{
  guint32 before = way->by->cause;
  const TtJobPathSpan *span = tt_job_span (&self->spans, before);
  const TtJobWait *by = &self->held[before];
  gint64 own_ns = by->cause == TT_JOB_NO_SPAN ? span->begin_ns : MAX (span->begin_ns, MIN (by->cause_ns, span->end_ns));
  gint64 end_ns = MIN (span->end_ns, way->now_ns), begin_ns = MIN (own_ns, end_ns);

  if (add != NULL)
    {
      add_piece (self, TT_PATH_ROOT, MAX (end_ns, since_ns), way->now_ns, add);
      add_piece (self, name_of (span), MAX (begin_ns, since_ns), end_ns, add);
    }
  *way = (Way){ before, begin_ns, by };
}

/* The end of the way. */
static Way
follow (Finder *self, Way way)
{
  while (goes_on (self, &way))
    step_back (self, &way, G_MININT64, NULL);
  return way;
}

static void
add_way (Finder *self, Way way, gint64 since_ns, AddFunc add)
{
  while (goes_on (self, &way) && way.now_ns > since_ns)
    step_back (self, &way, since_ns, add);
}

/* -- shares ------------------------------------------------------------------------------------------------------ */

static TtWaitCause *
cause_of (Finder *self, guint32 thread, guint32 name)
{
  const TtThread *of = tt_store_thread (self->store, thread);
  guint32 process = of == NULL ? TT_NO_ID : of->process;
  guint64 key = (guint64) process << 32 | name;
  guint32 number = tt_map64_get (&self->number_of, key);
  GArray *causes = self->result->causes;
  const TtWaitCause fresh = { .process = process, .path = name };

  if (number == TT_MAP64_NONE)
    {
      g_array_append_val (causes, fresh);
      number = causes->len - 1;
      tt_map64_set (&self->number_of, key, number);
    }
  return &g_array_index (causes, TtWaitCause, number);
}

static void
add_cost (Finder *self, guint32 thread, guint32 name, gint64 ns, gboolean is_direct)
{
  TtWaitCause *cause = cause_of (self, thread, name);

  cause->n_waits += is_direct;
  *(is_direct ? &cause->direct_ns : &cause->propagated_ns) += ns;
}

/* Whole numbers in proportion to the delays and to the wait in which the other's way ended, if any, which sum to @ns. */
static void
share_out (Finder *self, const TtWait *wait, const Way *end, gint64 part_ns, gint64 ns, gboolean is_direct)
{
  const GArray *times = self->times.times;
  tt_int128 total = part_ns, before = 0, given = 0;

  for (guint i = 0; i < times->len; i++)
    {
      const TtPathTime *time = &g_array_index (times, TtPathTime, i);
      total += MAX (time->ns - time->other_ns, 0);
    }
  if (total == 0)
    add_cost (self, wait->from_thread, TT_PATH_ROOT, ns, is_direct);
  for (guint i = 0; i < times->len; i++)
    {
      const TtPathTime *time = &g_array_index (times, TtPathTime, i);
      if (time->ns <= time->other_ns)
        continue;
      before += time->ns - time->other_ns;
      gint64 share = (gint64) (ns * before / total - given);
      given += share;
      add_cost (self, wait->from_thread, time->path, share, is_direct);
    }
  if (part_ns > 0)
    self->inherited_ns[end->span] += (gint64) (ns - given);
}

static void
find_cause (Finder *self, guint32 i)
{
  TtWait wait, part;

  if ((self->direct_ns[i] == 0 && self->inherited_ns[i] == 0) ||
      !tt_job_wait_of (self->store, &self->spans, i, &self->held[i], &wait))
    return;
  guint32 from = self->held[i].cause;
  const TtJobWait *by = &self->arrivals[from];
  /* Where the other was not held by what its device did, that this one was is no part of it. */
  gboolean is_need = by->hop == TT_HOP_DEPENDENCY && self->needs[i].cause != TT_JOB_NO_SPAN;
  const Way of_other = { from, wait.from_ns, by };
  const Way own = { i, wait.begin_ns, is_need ? &self->needs[i] : &self->arrivals[i] };
  const Way own_end = follow (self, own), end = follow (self, of_other);
  gint64 since_ns = MAX (own_end.now_ns, end.now_ns);

  tt_path_times_reset (&self->times);
  add_way (self, of_other, since_ns, tt_path_times_add);
  tt_path_times_sort (&self->times);
  add_way (self, own, since_ns, tt_path_times_add_other);
  gboolean has_part = end.span < i && end.now_ns == since_ns &&
                      tt_job_wait_of (self->store, &self->spans, end.span, &self->held[end.span], &part) &&
                      part.end_ns <= wait.from_ns;
  gint64 part_ns = has_part ? part.end_ns - part.begin_ns : 0;
  if (self->direct_ns[i] > 0)
    share_out (self, &wait, &end, part_ns, self->direct_ns[i], TRUE);
  if (self->inherited_ns[i] > 0)
    share_out (self, &wait, &end, part_ns, self->inherited_ns[i], FALSE);
}

/* -- parameter servers --------------------------------------------------------------------------------------------- */

/* Operators of a rank in one step, back from @from, and the input that the first of them needed. */
static void
add_step (Finder *self, guint32 from, AddFunc add)
{
  const TtJobPathSpan *span = tt_job_span (&self->spans, from);
  guint32 device = span->device, first = from;
  gint32 step = span->step;

  for (guint32 i = from; i != TT_JOB_NO_SPAN && tt_job_span (&self->spans, i)->step == step;
       i = tt_job_spans_last (&self->spans, &self->spans.of_device, device, span->begin_ns, i))
    {
      span = tt_job_span (&self->spans, i);
      add_piece (self, span->name, span->begin_ns, span->end_ns, add);
      first = i;
    }
  guint32 input = self->held[first].cause;
  if (input == TT_JOB_NO_SPAN || tt_job_span (&self->spans, input)->kind != TT_STEP_NODE_IO)
    return;
  span = tt_job_span (&self->spans, input);
  if (span->endpoint == tt_job_span (&self->spans, first)->endpoint)
    add_piece (self, span->name, span->begin_ns, span->end_ns, add);
}

/* @ns: of @of what is chosen. Work of a server costs what it made others wait; what another rank did longer in this step
 * before it pushed than the one that waits did costs in proportion. */
static void
find_server_cause (Finder *self, const TtServerWait *of, gint64 ns)
{
  const TtJobPathSpan *from = tt_job_span (&self->spans, of->from);

  if (from->kind == TT_STEP_NODE_SERVER)
    {
      add_cost (self, of->wait.from_thread, from->name, ns, TRUE);
      return;
    }
  tt_path_times_reset (&self->times);
  add_step (self, of->from, tt_path_times_add);
  tt_path_times_sort (&self->times);
  add_step (self, of->before, tt_path_times_add_other);
  share_out (self, &of->wait, NULL, 0, ns, TRUE);
}

static void
find_server_causes (Finder *self, const TtWaits *chosen)
{
  TtMap64 last_of = { NULL }; /* by event: the last of its waits, which follow one another */
  g_auto (TtServerWaits) servers;

  tt_server_waits_init (&servers, &self->spans, self->held);
  for (guint i = 0; i < chosen->waits->len; i++)
    tt_map64_set (&last_of, g_array_index (chosen->waits, TtWait, i).event, i);
  for (guint32 i = 0; i < self->spans.spans->len; i++)
    {
      TtServerWait of_servers[TT_MAX_SERVER_WAITS];
      guint n = tt_server_waits_of (&servers, i, of_servers);
      guint32 last = n == 0 ? TT_MAP64_NONE : tt_map64_get (&last_of, of_servers[0].wait.event);

      for (guint k = 0; last != TT_MAP64_NONE && k < n; k++)
        for (guint32 number = last; number + TT_MAX_SERVER_WAITS > last; number--)
          {
            const TtWait *wait = &g_array_index (chosen->waits, TtWait, number);

            if (wait->event == of_servers[k].wait.event && wait->from_event == of_servers[k].wait.from_event)
              find_server_cause (self, &of_servers[k], wait->end_ns - wait->begin_ns);
            if (number == 0)
              break;
          }
    }
  tt_map64_clear (&last_of);
}

/* -- all --------------------------------------------------------------------------------------------------------- */

static void
set_chosen (Finder *self, const TtWaits *chosen)
{
  TtMap64 length_of = { NULL };

  for (guint i = 0; i < chosen->waits->len; i++)
    tt_map64_set (&length_of, g_array_index (chosen->waits, TtWait, i).event, i);
  for (guint32 i = 0; i < self->spans.spans->len; i++)
    {
      guint32 number = tt_map64_get (&length_of, tt_job_span (&self->spans, i)->event);
      if (number == TT_MAP64_NONE)
        continue;
      const TtWait *wait = &g_array_index (chosen->waits, TtWait, number);
      self->direct_ns[i] = wait->end_ns - wait->begin_ns;
    }
  tt_map64_clear (&length_of);
}

static gboolean
find_causes (Finder *self, const TtSelection *selection, GError **error)
{
  guint n = self->spans.spans->len;
  guint64 n_backward;

  self->held = tt_job_waits_new (&self->spans, &n_backward);
  g_autoptr (TtWaits) chosen = tt_job_wait_list_of (self->store, selection, &self->spans, self->held, error);
  if (chosen == NULL)
    return FALSE;
  self->result = tt_wait_causes_begin (self->store, chosen, tt_selection_is_everything (selection));
  self->arrivals = tt_job_arrivals_new (&self->spans, FALSE);
  self->needs = tt_job_arrivals_new (&self->spans, TRUE);
  self->direct_ns = g_new0 (gint64, (gsize) n + 1);
  self->inherited_ns = g_new0 (gint64, (gsize) n + 1);
  tt_path_times_init (&self->times, tt_store_max_name (self->store) + 1);
  set_chosen (self, chosen);
  /* What a wait inherits comes from those that end later. */
  for (guint32 i = n; i-- > 0;)
    find_cause (self, i);
  find_server_causes (self, chosen);
  tt_wait_causes_sort (self->result);
  return TRUE;
}

static TtWaitCauses *
find_job_causes (TtStore *store, const TtSelection *selection, GError **error)
{
  const TtTrainingJobOptions options = { .recv = TT_RECV_AS_TRACED };
  g_auto (Finder) finder = { .store = store };
  TtTrainingJob *job = tt_training_job_new (store, &options, error);

  return job != NULL && tt_job_spans_init (&finder.spans, job, store, error) && find_causes (&finder, selection, error)
             ? finder.result
             : NULL;
}

TtWaitCauses *
tt_run_wait_causes (TtStore *store, const TtSelection *selection, const TtCrew *crew, GError **error)
{
  gboolean is_job;

  if (!tt_job_path_is_there (store, &is_job, error))
    return NULL;
  if (is_job)
    return find_job_causes (store, selection, error);
  return crew != NULL ? tt_joint_wait_causes_new (store, selection, crew, error)
                      : tt_wait_causes_new (store, selection, error);
}
