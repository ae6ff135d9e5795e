/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/path/job-path.h"

#include "analyzers/path/job-waits.h"
#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/error.h"
#include "src/trace/span.h"

typedef struct
{
  TtStore *store;
  TtJobPath *path;
  TtJobSpans spans;
  TtJobWait *waits;
} Walker;

static void
walker_clear (Walker *self)
{
  tt_job_spans_clear (&self->spans);
  g_free (self->waits);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Walker, walker_clear)

/* -- is there one? ------------------------------------------------------------------------------------------- */

static gboolean
is_from_directory (TtStore *store)
{
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);

  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (sources[i].format, "job") == 0)
      return TRUE;
  return FALSE;
}

/* Only Horovod and BytePS do these; a SEND may be anybody's. */
static gboolean
on_name (const TtStoredName *name, gpointer data)
{
  gboolean *is_found = data;
  TtStepNodeKind kind = tt_step_node_kind_of_name (name->op_cat, name->sub_op);

  *is_found = kind == TT_STEP_NODE_SYNC || kind == TT_STEP_NODE_MEMCPY_IN || kind == TT_STEP_NODE_MEMCPY_OUT ||
              tt_step_node_is_link_transfer (kind);
  return !*is_found;
}

gboolean
tt_job_path_is_there (TtStore *store, gboolean *is_there, GError **error)
{
  gboolean is_job, has_communication = FALSE;

  *is_there = FALSE;
  if (!tt_training_job_is_there (store, &is_job, error))
    return FALSE;
  if (is_job && is_from_directory (store))
    *is_there = TRUE;
  else if (is_job && !tt_store_each_name (store, on_name, &has_communication, error))
    return FALSE;
  *is_there = *is_there || has_communication;
  return TRUE;
}

/* -- steps ------------------------------------------------------------------------------------------------------- */

static int
compare_steps (gconstpointer a, gconstpointer b)
{
  const TtPathStep *x = a, *y = b;

  return TT_COMPARE (x->end_ns, y->end_ns);
}

/* The end of the last operator of each step, in time order. */
static void
find_steps (Walker *self)
{
  g_autoptr (GHashTable) index_of = g_hash_table_new (NULL, NULL); /* step -> index + 1 */
  GArray *steps = self->path->steps;

  for (guint32 i = 0; i < self->spans.spans->len; i++)
    {
      const TtJobPathSpan *span = tt_job_span (&self->spans, i);
      if (span->step == TT_NO_STEP || !tt_step_node_is_operator ((TtStepNodeKind) span->kind))
        continue;
      guint index = GPOINTER_TO_UINT (g_hash_table_lookup (index_of, GINT_TO_POINTER (span->step)));
      if (index == 0)
        {
          const TtPathStep step = { .step = span->step };
          g_array_append_val (steps, step);
          index = steps->len;
          g_hash_table_insert (index_of, GINT_TO_POINTER (span->step), GUINT_TO_POINTER (index));
        }
      g_array_index (steps, TtPathStep, index - 1).end_ns = span->end_ns; /* spans are by their ends */
    }
  g_array_sort (steps, compare_steps);
  for (guint i = 0; i < steps->len; i++)
    g_array_index (steps, TtPathStep, i).begin_ns =
        i == 0 ? self->path->first_ns : g_array_index (steps, TtPathStep, i - 1).end_ns;
  if (steps->len > 0)
    g_array_index (steps, TtPathStep, steps->len - 1).end_ns = self->path->last_ns;
}

/* Narrows the path to @step. Returns its last operator; TT_JOB_NO_SPAN: there is no such step. */
static guint32
choose_step (Walker *self, gint32 number)
{
  GArray *steps = self->path->steps;
  guint32 last = TT_JOB_NO_SPAN;

  for (guint32 i = 0; i < self->spans.spans->len; i++)
    {
      const TtJobPathSpan *span = tt_job_span (&self->spans, i);
      if (span->step == number && tt_step_node_is_operator ((TtStepNodeKind) span->kind))
        last = i;
    }
  for (guint i = 0; i < steps->len && last != TT_JOB_NO_SPAN; i++)
    if (g_array_index (steps, TtPathStep, i).step == number)
      {
        TtPathStep step = g_array_index (steps, TtPathStep, i);
        step.end_ns = tt_job_span (&self->spans, last)->end_ns;
        self->path->first_ns = step.begin_ns;
        self->path->last_ns = step.end_ns;
        g_array_set_size (steps, 0);
        g_array_append_val (steps, step);
        break;
      }
  return last;
}

/* -- the walk ---------------------------------------------------------------------------------------------- */

static TtPathKind
kind_of (const TtJobPathSpan *span)
{
  TtStepNodeKind kind = (TtStepNodeKind) span->kind;

  if (span->is_wait)
    return TT_PATH_SYNC;
  if (tt_step_node_is_operator (kind) || kind == TT_STEP_NODE_SERVER)
    return TT_PATH_COMPUTATION;
  if (kind == TT_STEP_NODE_IO)
    return TT_PATH_INPUT;
  return kind == TT_STEP_NODE_MEMCPY_IN || kind == TT_STEP_NODE_MEMCPY_OUT ? TT_PATH_COPY : TT_PATH_COMMUNICATION;
}

static void
add_piece (Walker *self, const TtJobPathSpan *span, gboolean is_in_span, gint64 begin_ns, gint64 end_ns)
{
  const TtPathSegment segment = {
    .thread = span->thread,
    .hop = TT_HOP_START,
    .begin_ns = begin_ns,
    .end_ns = end_ns,
    .event = is_in_span ? span->event : 0,
    .name = is_in_span ? span->name : TT_NO_ID,
    .kind = (guint8) (is_in_span ? kind_of (span) : TT_PATH_IDLE),
  };

  g_array_append_val (self->path->segments, segment);
}

/* How the path came to the last piece, from which it goes on to another span. */
static TtPathSegment *
last_piece (Walker *self)
{
  return &g_array_index (self->path->segments, TtPathSegment, self->path->segments->len - 1);
}

/* From the begin of @span's own time to when its cause let it go; returns that. */
static gint64
cross_gap (Walker *self, const TtJobPathSpan *span, const TtJobWait *wait, gint64 begin_ns, gint64 first_ns)
{
  const TtJobPathSpan *cause = tt_job_span (&self->spans, wait->cause);
  gint64 cause_ns = MAX (MIN (wait->cause_ns, begin_ns), first_ns);

  if (tt_time_since (begin_ns, cause_ns) > tt_time_since (cause->end_ns, cause->begin_ns))
    {
      last_piece (self)->hop = TT_HOP_UNKNOWN;
      add_piece (self, span, FALSE, cause_ns, begin_ns);
    }
  last_piece (self)->hop = wait->hop;
  last_piece (self)->is_inferred = wait->is_inferred;
  last_piece (self)->waited_ns = MAX (tt_time_since (wait->cause_ns, span->begin_ns), 0);
  return cause_ns;
}

static void
walk (Walker *self, guint32 current)
{
  gint64 first_ns = self->path->first_ns, now = self->path->last_ns;
  g_autofree guint8 *is_done = g_malloc0 ((gsize) self->spans.spans->len + 1);

  if (current == TT_JOB_NO_SPAN)
    return;
  if (tt_job_span (&self->spans, current)->end_ns < now)
    {
      add_piece (self, tt_job_span (&self->spans, current), FALSE, tt_job_span (&self->spans, current)->end_ns, now);
      last_piece (self)->hop = TT_HOP_UNKNOWN;
      now = tt_job_span (&self->spans, current)->end_ns;
    }
  for (;;)
    {
      const TtJobPathSpan *span = tt_job_span (&self->spans, current);
      const TtJobWait *wait = &self->waits[current];
      gboolean has_cause = wait->cause != TT_JOB_NO_SPAN && !is_done[wait->cause] && wait->cause_ns <= now;
      gint64 own_ns = has_cause ? MAX (span->begin_ns, wait->cause_ns) : span->begin_ns;
      gint64 begin_ns = MAX (MIN (own_ns, now), first_ns);

      is_done[current] = TRUE;
      add_piece (self, span, TRUE, begin_ns, now);
      if (begin_ns == first_ns)
        return;
      if (!has_cause)
        {
          last_piece (self)->hop = TT_HOP_UNKNOWN;
          add_piece (self, span, FALSE, first_ns, begin_ns);
          return;
        }
      now = cross_gap (self, span, wait, begin_ns, first_ns);
      if (now == first_ns)
        return;
      current = wait->cause;
    }
}

static void
reverse (GArray *segments)
{
  for (guint i = 0; i < segments->len / 2; i++)
    {
      TtPathSegment *a = &g_array_index (segments, TtPathSegment, i);
      TtPathSegment *b = &g_array_index (segments, TtPathSegment, segments->len - 1 - i);
      TtPathSegment segment = *a;
      *a = *b;
      *b = segment;
    }
}

/* -- sums -------------------------------------------------------------------------------------------------- */

static void
add_to_op (Walker *self, GHashTable *index_of, const TtPathSegment *segment)
{
  GArray *ops = self->path->ops;
  const TtStoredName *name = tt_store_name (self->store, segment->name);
  const char *text = name == NULL || name->text == NULL ? "" : name->text;
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (index_of, text));

  if (segment->begin_ns == segment->end_ns)
    return;
  if (index == 0)
    {
      const TtPathOp op = { .name = g_strdup (text), .is_wait = segment->kind == TT_PATH_SYNC };
      g_array_append_val (ops, op);
      index = ops->len;
      g_hash_table_insert (index_of, op.name, GUINT_TO_POINTER (index));
    }
  g_array_index (ops, TtPathOp, index - 1).n_spans++;
  g_array_index (ops, TtPathOp, index - 1).time_ns += segment->end_ns - segment->begin_ns;
}

/* The part of @begin_ns to @end_ns that lies in each step; *@at: the first that may have some. */
static void
add_to_steps (GArray *steps, guint *at, TtPathKind kind, gint64 begin_ns, gint64 end_ns)
{
  while (*at < steps->len && g_array_index (steps, TtPathStep, *at).end_ns <= begin_ns)
    ++*at;
  for (guint i = *at; i < steps->len; i++)
    {
      TtPathStep *step = &g_array_index (steps, TtPathStep, i);
      if (step->begin_ns >= end_ns)
        break;
      step->kind_ns[kind] += MIN (end_ns, step->end_ns) - MAX (begin_ns, step->begin_ns);
    }
}

static void
add_up (Walker *self)
{
  TtJobPath *path = self->path;
  g_autoptr (GHashTable) index_of = g_hash_table_new (g_str_hash, g_str_equal);
  gint64 end_ns = path->first_ns;
  guint step = 0;

  for (guint i = 0; i < path->segments->len; i++)
    {
      const TtPathSegment *segment = &g_array_index (path->segments, TtPathSegment, i);

      path->kind_ns[TT_PATH_LAUNCH] += segment->begin_ns - end_ns;
      add_to_steps (path->steps, &step, TT_PATH_LAUNCH, end_ns, segment->begin_ns);
      path->kind_ns[segment->kind] += segment->end_ns - segment->begin_ns;
      add_to_steps (path->steps, &step, (TtPathKind) segment->kind, segment->begin_ns, segment->end_ns);
      if (segment->event != 0)
        add_to_op (self, index_of, segment);
      end_ns = segment->end_ns;
    }
  tt_path_ops_sort (path->ops);
}

/* -- all --------------------------------------------------------------------------------------------------- */

static void
set_range (Walker *self)
{
  TtJobPath *path = self->path;
  guint n = self->spans.spans->len;

  path->first_ns = n > 0 ? G_MAXINT64 : 0;
  for (guint32 i = 0; i < n; i++)
    path->first_ns = MIN (path->first_ns, tt_job_span (&self->spans, i)->begin_ns);
  path->last_ns = n > 0 ? tt_job_span (&self->spans, n - 1)->end_ns : 0;
}

static TtJobPath *
path_new (void)
{
  TtJobPath *path = g_new0 (TtJobPath, 1);

  path->segments = g_array_new (FALSE, FALSE, sizeof (TtPathSegment));
  path->ops = tt_path_ops_new ();
  path->steps = g_array_new (FALSE, FALSE, sizeof (TtPathStep));
  return path;
}

TtJobPath *
tt_job_path_new (TtStore *store, gint32 step, GError **error)
{
  const TtTrainingJobOptions options = { .recv = TT_RECV_AS_TRACED };
  g_autoptr (TtJobPath) path = path_new ();
  g_auto (Walker) walker = { .store = store, .path = path };
  TtTrainingJob *job = tt_training_job_new (store, &options, error);

  if (job == NULL || !tt_job_spans_init (&walker.spans, job, store, error))
    return NULL;
  walker.waits = tt_job_waits_new (&walker.spans, &path->n_backward);
  set_range (&walker);
  find_steps (&walker);
  guint32 last = walker.spans.spans->len - 1; /* TT_JOB_NO_SPAN without any */
  if (step != TT_NO_STEP)
    last = choose_step (&walker, step);
  if (step != TT_NO_STEP && last == TT_JOB_NO_SPAN)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "no operator is in step %d; 'tracetool steps' lists them", step);
      return NULL;
    }
  walk (&walker, last);
  reverse (path->segments);
  add_up (&walker);
  return g_steal_pointer (&path);
}

void
tt_job_path_free (TtJobPath *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->segments, g_array_unref);
  g_clear_pointer (&self->ops, g_array_unref);
  g_clear_pointer (&self->steps, g_array_unref);
  g_free (self);
}
