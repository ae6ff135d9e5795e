/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/server-waits.h"

#include "src/base/array.h"

static TtStepNodeKind
kind_of (const TtJobSpans *spans, guint32 i)
{
  return (TtStepNodeKind) tt_job_span (spans, i)->kind;
}

/* What held @i; TT_JOB_NO_SPAN: nothing before it in the order of all. */
static guint32
cause_of (const TtJobWait *held, guint32 i)
{
  return held[i].cause != TT_JOB_NO_SPAN && held[i].cause < i ? held[i].cause : TT_JOB_NO_SPAN;
}

/* -- parts --------------------------------------------------------------------------------------------------------- */

/* From each work of a server to the next, to COPY_MERGED, and to PULL_RES. */
static gboolean
hand_on (TtServerWaits *self, const TtStepGraph *graph)
{
  const TtStepEdge *edges = TT_ARRAY (graph->edges, TtStepEdge);
  gboolean has_new = FALSE;

  for (guint i = 0; i < graph->edges->len; i++)
    {
      TtStepNodeKind to = tt_step_node (graph, edges[i].to)->kind;

      if (tt_step_node (graph, edges[i].from)->kind != TT_STEP_NODE_SERVER ||
          (to != TT_STEP_NODE_SERVER && to != TT_STEP_NODE_PULL_RES) ||
          self->queue_of[edges[i].from] == TT_STEP_NO_NODE || self->queue_of[edges[i].to] != TT_STEP_NO_NODE)
        continue;
      self->queue_of[edges[i].to] = self->queue_of[edges[i].from];
      has_new = TRUE;
    }
  return has_new;
}

void
tt_server_waits_init (TtServerWaits *self, const TtJobSpans *spans, const TtJobWait *held)
{
  const TtStepGraph *graph = spans->job->graph;
  const TtStepArrival *all = TT_ARRAY (graph->arrivals, TtStepArrival);
  guint32 first = 0;

  *self = (TtServerWaits){ spans, held, g_new (guint32, (gsize) graph->nodes->len + 1) };
  for (guint i = 0; i <= graph->nodes->len; i++)
    self->queue_of[i] = TT_STEP_NO_NODE;
  for (guint32 i = 0; i < graph->arrivals->len; i++)
    {
      first = all[i].queue == all[first].queue ? first : i;
      self->queue_of[all[i].work] = first;
    }
  /* To COPY_MERGED, then to PULL_RES. */
  while (hand_on (self, graph))
    ;
}

void
tt_server_waits_clear (TtServerWaits *self)
{
  g_free (self->queue_of);
}

/* The push that came last of the part that was pulled; TT_JOB_NO_SPAN: not known. */
static guint32
last_push (const TtServerWaits *self, guint32 pulled)
{
  const TtStepGraph *graph = self->spans->job->graph;
  const TtStepArrival *all = TT_ARRAY (graph->arrivals, TtStepArrival);
  const TtJobSpanLists *lists = &self->spans->of_node;
  guint32 node = tt_job_span (self->spans, pulled)->node, last = TT_JOB_NO_SPAN;
  guint32 first = node == TT_STEP_NO_NODE ? TT_STEP_NO_NODE : self->queue_of[node];

  if (first == TT_STEP_NO_NODE)
    return TT_JOB_NO_SPAN;
  guint32 occurrence = tt_job_spans_occurrence (self->spans, pulled);
  for (guint32 i = first; i < graph->arrivals->len && all[i].queue == all[first].queue; i++)
    {
      guint32 at = lists->first[all[i].push] + occurrence;

      if (at >= lists->first[all[i].push + 1])
        return TT_JOB_NO_SPAN;
      last = last == TT_JOB_NO_SPAN ? lists->spans[at] : MAX (last, lists->spans[at]);
    }
  return last != TT_JOB_NO_SPAN && last < pulled ? last : TT_JOB_NO_SPAN;
}

/* -- the way back -------------------------------------------------------------------------------------------------- */

/* The work of a server after which the link of @pulled was busy until then, and when it began to be; TT_JOB_NO_SPAN: there is none. */
static guint32
find_server (const TtServerWaits *self, guint32 pulled, gint64 *answer_ns)
{
  *answer_ns = tt_job_span (self->spans, pulled)->begin_ns;
  for (guint32 i = cause_of (self->held, pulled); i != TT_JOB_NO_SPAN; i = cause_of (self->held, i))
    {
      TtStepNodeKind kind = kind_of (self->spans, i);

      if (kind == TT_STEP_NODE_SERVER)
        return i;
      if (kind != TT_STEP_NODE_PULL_RES && kind != TT_STEP_NODE_PUSH_RES)
        break;
      *answer_ns = tt_job_span (self->spans, i)->begin_ns;
    }
  return TT_JOB_NO_SPAN;
}

/* The operator before a request, through what its link carried before; TT_JOB_NO_SPAN: not known. */
static guint32
operator_before (const TtJobSpans *spans, const TtJobWait *held, guint32 request)
{
  for (guint32 i = request; i != TT_JOB_NO_SPAN; i = cause_of (held, i))
    {
      if (tt_step_node_is_operator (kind_of (spans, i)))
        return i;
      if (!tt_step_node_is_link_transfer (kind_of (spans, i)))
        break;
    }
  return TT_JOB_NO_SPAN;
}

static TtServerWait
make_wait (const TtJobSpans *spans, guint32 i, guint32 before, gint64 begin_ns, gint64 end_ns, guint32 from, guint32 by)
{
  const TtJobPathSpan *span = tt_job_span (spans, i), *cause = tt_job_span (spans, from);

  return (TtServerWait){
    .wait = {
      .thread = span->thread,
      .kind = TT_WAIT_LATE_SENDER,
      .event = span->event,
      .begin_ns = begin_ns,
      .end_ns = end_ns,
      .from_ns = end_ns,
      .left_ns = end_ns,
      .at_ns = end_ns,
      .from_event = tt_job_span (spans, by)->event,
      .from_thread = cause->thread,
      .name = span->name,
      .from_name = tt_job_span (spans, by)->name,
    },
    .from = from,
    .before = before,
  };
}

/* Whether it needs what was pulled, and stood still before. */
static gboolean
find_pause (const TtServerWaits *self, guint32 i, guint32 *pulled, guint32 *before)
{
  const TtJobPathSpan *span = tt_job_span (self->spans, i);

  *pulled = cause_of (self->held, i);
  if (!tt_step_node_is_operator ((TtStepNodeKind) span->kind) || *pulled == TT_JOB_NO_SPAN ||
      kind_of (self->spans, *pulled) != TT_STEP_NODE_PULL_RES || span->device == TT_JOB_NO_SPAN)
    return FALSE;
  *before = tt_job_spans_last (self->spans, &self->spans->of_device, span->device, span->begin_ns, i);
  return *before != TT_JOB_NO_SPAN;
}

guint
tt_server_waits_of (const TtServerWaits *self, guint32 i, TtServerWait waits[TT_MAX_SERVER_WAITS])
{
  const TtJobSpans *spans = self->spans;
  const TtJobPathSpan *span = tt_job_span (spans, i);
  guint32 pulled, before, push;
  gint64 answer_ns;
  guint n = 0;

  if (!find_pause (self, i, &pulled, &before) || (push = last_push (self, pulled)) == TT_JOB_NO_SPAN)
    return 0;
  guint32 server = find_server (self, pulled, &answer_ns), other = operator_before (spans, self->held, push);
  gint64 begin_ns = tt_job_span (spans, before)->end_ns;
  gint64 arrived_ns = MIN (tt_job_span (spans, push)->end_ns, span->begin_ns);
  if (other != TT_JOB_NO_SPAN && tt_job_span (spans, other)->endpoint != span->endpoint && begin_ns < arrived_ns)
    waits[n++] = make_wait (spans, i, before, begin_ns, arrived_ns, other, push);
  gint64 since_ns = MAX (begin_ns, arrived_ns), until_ns = MIN (answer_ns, span->begin_ns);
  if (server != TT_JOB_NO_SPAN && since_ns < until_ns)
    waits[n++] = make_wait (spans, i, before, since_ns, until_ns, server, server);
  return n;
}
