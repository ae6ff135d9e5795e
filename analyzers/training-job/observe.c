/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/observe.h"

#include "analyzers/steps/steps.h"
#include "src/base/progress.h"
#include "src/base/sorter.h"

#include <string.h>

#define SORT_MEMORY ((gsize) 48 << 20)
#define ROWS_PER_CHECK 65536
/* A gap longer than the operator before it is waiting for something else; the original takes this instead. */
#define SHORT_GAP_NS 10000
/* With parameter servers gaps of this length are left out. */
#define LONG_GAP_NS 1000000
/* Spans that are kept one by one. */
#define MAX_KEPT_SPANS ((guint64) 3 << 20)

/* A span of the job in (ts, name) order. */
typedef struct
{
  guint64 ts_key;
  guint64 name_endpoint; /* order of the name << 32 | endpoint */
  gint64 dur_ns;
  guint32 name;
  gint32 step;
} SpanRecord;

/* The last operator or transfer on one endpoint. */
typedef struct
{
  gint64 end_ns, dur_ns;
  guint32 samples; /* TT_JOB_NO_SAMPLES: none yet */
  guint8 kind;
  gboolean is_update_cal;
} LastSpan;

typedef struct
{
  TtJobObservations *result;
  TtStore *store;
  const TtJobObserveInput *input;
  TtSorter *spans;
  guint32 *name_order; /* by name id: its place among the texts of the job's names */
  LastSpan *last;      /* by endpoint */
  gint64 *comm_end_ns; /* by endpoint: the last end of communication so far; TT_NO_TIME: none */
} Observer;

/* -- the observations -------------------------------------------------------------------------------------- */

static void
clear_reference_comm (gpointer comm)
{
  g_free (((TtJobReferenceComm *) comm)->name);
}

GArray *
tt_job_reference_comms_new (void)
{
  GArray *comms = g_array_new (FALSE, FALSE, sizeof (TtJobReferenceComm));

  g_array_set_clear_func (comms, clear_reference_comm);
  return comms;
}

void
tt_job_reference_comm_widen (GArray *comms, GHashTable *index_of, const char *name, gint64 ts_ns, gint64 end_ns)
{
  gpointer index;

  if (!g_hash_table_lookup_extended (index_of, name, NULL, &index))
    {
      TtJobReferenceComm comm = { g_strdup (name), ts_ns, end_ns };
      g_hash_table_insert (index_of, comm.name, GUINT_TO_POINTER (comms->len));
      g_array_append_val (comms, comm);
      return;
    }
  TtJobReferenceComm *comm = &g_array_index (comms, TtJobReferenceComm, GPOINTER_TO_UINT (index));
  comm->ts_ns = MIN (comm->ts_ns, ts_ns);
  comm->end_ns = MAX (comm->end_ns, end_ns);
}

TtJobObservations *
tt_job_observations_new (void)
{
  TtJobObservations *self = g_new0 (TtJobObservations, 1);

  self->typical_step = TT_NO_STEP;
  self->samples = g_array_new (FALSE, FALSE, sizeof (TtJobSamples));
  self->first_comm = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->groups = g_ptr_array_new_with_free_func (g_free);
  self->group_of = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->known_groups = g_hash_table_new (g_str_hash, g_str_equal);
  self->piece_tensors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->reference_ops = g_array_new (FALSE, FALSE, sizeof (TtJobReferenceOp));
  self->reference_comms = tt_job_reference_comms_new ();
  self->reference_comm_of = g_hash_table_new (g_str_hash, g_str_equal);
  self->spans = g_array_new (FALSE, FALSE, sizeof (TtJobSpan));
  self->kept_spans = g_array_new (FALSE, FALSE, sizeof (TtJobKeptSpan));
  return self;
}

void
tt_job_observations_free (TtJobObservations *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->samples);
  tt_map64_clear (&self->sample_of);
  g_array_unref (self->first_comm);
  g_hash_table_unref (self->known_groups);
  g_hash_table_unref (self->piece_tensors);
  g_ptr_array_unref (self->groups);
  g_hash_table_unref (self->group_of);
  g_array_unref (self->reference_ops);
  g_hash_table_unref (self->reference_comm_of);
  g_array_unref (self->reference_comms);
  g_clear_pointer (&self->spans, g_array_unref);
  g_array_unref (self->kept_spans);
  g_free (self);
}

static guint64
sample_key (guint32 endpoint, guint32 name)
{
  return (guint64) endpoint << 32 | name;
}

const TtJobSamples *
tt_job_observations_find (const TtJobObservations *self, guint32 endpoint, guint32 name)
{
  guint32 index = tt_map64_get (&self->sample_of, sample_key (endpoint, name));

  return index == TT_MAP64_NONE ? NULL : &g_array_index (self->samples, TtJobSamples, index);
}

static guint32
find_or_add_samples (TtJobObservations *self, guint32 endpoint, guint32 name)
{
  guint32 index = tt_map64_get (&self->sample_of, sample_key (endpoint, name));

  if (index != TT_MAP64_NONE)
    return index;
  const TtJobSamples samples = {
    .endpoint = endpoint, .name = name, .typical_ts_ns = TT_NO_TIME, .typical_end_ns = TT_NO_TIME
  };
  index = self->samples->len;
  g_array_append_val (self->samples, samples);
  tt_map64_set (&self->sample_of, sample_key (endpoint, name), index);
  return index;
}

static TtJobSamples *
samples_at (const Observer *self, guint32 index)
{
  return &g_array_index (self->result->samples, TtJobSamples, index);
}

/* -- steps --------------------------------------------------------------------------------------------------- */

/* Steps over the whole run, as many as fit; the typical one among them. */
static void
choose_kept_steps (TtJobObservations *self, guint64 n_events)
{
  guint64 n_steps = self->n_steps, n_fit = n_steps == 0 ? 0 : MAX_KEPT_SPANS / (n_events / n_steps + 1);
  guint n = (guint) MIN (MIN (n_steps, TT_JOB_MAX_KEPT_STEPS), MAX (n_fit, 1)), nearest = 0;

  self->n_kept = self->typical_step == TT_NO_STEP ? 0 : n;
  for (guint i = 0; i < self->n_kept; i++)
    {
      self->kept_steps[i] = (gint32) ((2 * i + 1) * n_steps / (2 * n));
      if (ABS (self->kept_steps[i] - self->typical_step) < ABS (self->kept_steps[nearest] - self->typical_step))
        nearest = i;
    }
  self->kept_steps[nearest] = self->typical_step;
}

gboolean
tt_job_observe_steps (TtJobObservations *self, TtStore *store, TtNotes *notes, GError **error)
{
  g_autoptr (TtSteps) steps = tt_steps_new (store, NULL, TT_STEP_BY_OPERATORS, NULL, error);

  if (steps == NULL)
    return FALSE;
  const TtStepIteration *iteration = tt_steps_iteration (steps);
  gint32 max_step = TT_NO_STEP;
  for (guint64 i = 0; i < tt_steps_n_rows (steps); i++)
    {
      TtStepRow row;
      tt_steps_row (steps, i, &row);
      max_step = MAX (max_step, row.step);
    }
  self->n_steps = (guint) max_step + 1;
  if (iteration->n_ranks > 0)
    {
      self->typical_step = iteration->typical_step;
      self->iteration_ns = (gint64) (iteration->iter_ns + 0.5);
    }
  else
    tt_notes_add (notes, "no training steps in the traces: the whole run is taken as one");
  choose_kept_steps (self, tt_store_n_events (store));
  return tt_steps_check (steps, error);
}

/* -- spans in order --------------------------------------------------------------------------------------------- */

static int
compare_names (gconstpointer a, gconstpointer b, gpointer store)
{
  const TtStoredName *x = tt_store_name (store, *(const guint32 *) a);
  const TtStoredName *y = tt_store_name (store, *(const guint32 *) b);

  return strcmp (x->text, y->text);
}

static void
order_names (Observer *self)
{
  const TtJobNames *names = self->input->names;
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  self->name_order = g_new0 (guint32, (gsize) names->max_name + 1);
  for (guint32 id = 1; id <= names->max_name && id != 0; id++)
    if (names->kinds[id] != TT_STEP_NODE_OTHER)
      g_array_append_val (ids, id);
  g_array_sort_with_data (ids, compare_names, self->store);
  for (guint i = 0; i < ids->len; i++)
    self->name_order[g_array_index (ids, guint32, i)] = i;
}

static void
add_span (Observer *self, const TtEvent *event)
{
  const TtJobNames *names = self->input->names;
  const TtThread *thread = tt_store_thread (self->store, event->thread);

  if (event->dur_ns == TT_NO_TIME || event->name > names->max_name || thread == NULL)
    return;
  guint32 name = names->first_name[event->name], endpoint = self->input->topology->endpoint_of[thread->process];
  if (endpoint == TT_STEP_NO_RANK || tt_job_names_kind (names, name) == TT_STEP_NODE_OTHER)
    return;
  *(SpanRecord *) tt_sorter_add (self->spans) = (SpanRecord){
    .ts_key = tt_sort_key (event->ts_ns),
    .name_endpoint = (guint64) self->name_order[name] << 32 | endpoint,
    .dur_ns = event->dur_ns,
    .name = name,
    .step = event->step,
  };
}

static gboolean
collect_spans (Observer *self, GError **error)
{
  TtEventScan *scan = tt_event_scan_new (self->store, TT_SCAN_DEFAULT, error);
  g_autoptr (TtProgress) progress = tt_progress_new ("reading", tt_store_n_events (self->store), "events");
  gboolean is_cancelled = FALSE;
  guint64 n = 0;
  TtEvent event;

  if (scan == NULL)
    return FALSE;
  while (!is_cancelled && tt_event_scan_next (scan, &event))
    {
      add_span (self, &event);
      if (++n % ROWS_PER_CHECK == 0)
        {
          tt_progress_add (progress, ROWS_PER_CHECK);
          is_cancelled = tt_cancelled (error);
        }
    }
  return tt_event_scan_finish (scan, is_cancelled ? NULL : error) && !is_cancelled &&
         tt_sorter_finish (self->spans, error);
}

/* -- gaps ------------------------------------------------------------------------------------------------------ */

/* CommGAPComm: from the end of a link's last transfer to the start of this one, counted for the last. */
static void
add_link_gap (Observer *self, guint32 endpoint, guint32 samples, const SpanRecord *span)
{
  LastSpan *last = &self->last[endpoint];
  gint64 ts_ns = tt_sort_value (span->ts_key), gap_ns = ts_ns - last->end_ns;

  if (last->samples != TT_JOB_NO_SAMPLES && gap_ns >= 0 && gap_ns < LONG_GAP_NS)
    tt_job_gap_add (&samples_at (self, last->samples)->gap, gap_ns);
  *last = (LastSpan){ .end_ns = ts_ns + span->dur_ns, .dur_ns = span->dur_ns, .samples = samples };
}

/* A gap longer than the operator before it is waiting. Without a graph of the model it is waiting only where there was
 * communication in it: such operators may well be far apart. */
static gint64
working_gap (const Observer *self, guint32 endpoint, gint64 gap_ns)
{
  const LastSpan *last = &self->last[endpoint];
  gint64 comm_end_ns = self->comm_end_ns[endpoint];
  gboolean is_waiting = gap_ns > last->dur_ns &&
                        (self->input->has_model_graph || (comm_end_ns != TT_NO_TIME && comm_end_ns > last->end_ns));

  return is_waiting ? SHORT_GAP_NS : gap_ns;
}

/* Section 7.3: from the end of the rank's last operator to the start of this one, counted for the last. */
static void
add_operator_gap (Observer *self, guint32 endpoint, guint32 samples, const SpanRecord *span, TtStepNodeKind kind)
{
  LastSpan *last = &self->last[endpoint];
  gint64 ts_ns = tt_sort_value (span->ts_key), gap_ns = ts_ns - last->end_ns;
  gboolean is_update_cal = strcmp (tt_store_name (self->store, span->name)->text, "UPDATE_CAL") == 0;

  if (last->samples != TT_JOB_NO_SAMPLES && gap_ns >= 0 && !is_update_cal && !last->is_update_cal &&
      !(last->kind == TT_STEP_NODE_BW && kind == TT_STEP_NODE_UPDATE))
    {
      TtJobGap *gap = &samples_at (self, last->samples)->gap;
      if (self->input->topology->n_workers == 0)
        tt_job_gap_add (gap, working_gap (self, endpoint, gap_ns));
      else if (gap_ns < LONG_GAP_NS)
        tt_job_gap_add (gap, gap_ns);
    }
  *last = (LastSpan){ .end_ns = ts_ns + span->dur_ns,
                      .dur_ns = span->dur_ns,
                      .samples = samples,
                      .kind = (guint8) kind,
                      .is_update_cal = is_update_cal };
}

/* -- the typical step --------------------------------------------------------------------------------------------- */

/* Whether an endpoint is a link of the worker that the reference rank belongs to. */
static gboolean
is_link_of_reference (const TtJobTopology *topology, guint32 endpoint)
{
  return topology->n_workers > 0 && endpoint >= topology->n_ranks &&
         tt_job_topology_link (topology, endpoint)->worker == topology->workers[0];
}

static void
observe_typical (Observer *self, guint32 endpoint, guint32 index, const SpanRecord *span, TtStepNodeKind kind)
{
  TtJobObservations *result = self->result;
  const TtStoredName *name = tt_store_name (self->store, span->name);
  TtJobSamples *samples = samples_at (self, index);
  gint64 ts_ns = tt_sort_value (span->ts_key), end_ns = ts_ns + span->dur_ns;
  gboolean is_comm = g_strcmp0 (name->op_cat, "Comm") == 0 && name->op_name != NULL;

  samples->typical_ts_ns = ts_ns;
  samples->typical_end_ns = end_ns;
  if (is_comm)
    {
      tt_job_observe_group (result, name->op_name, kind);
      guint32 *first = &g_array_index (result->first_comm, guint32, endpoint);
      if (*first == TT_JOB_NO_SAMPLES && kind != TT_STEP_NODE_SYNC)
        *first = index;
    }
  if (is_comm && (endpoint == 0 || is_link_of_reference (self->input->topology, endpoint)))
    tt_job_reference_comm_widen (result->reference_comms, result->reference_comm_of, name->op_name, ts_ns, end_ns);
  else if (endpoint == 0)
    {
      const TtJobReferenceOp op = { span->name, ts_ns, end_ns };
      g_array_append_val (result->reference_ops, op);
    }
}

/* -- all ----------------------------------------------------------------------------------------------------------- */

/* Whether the timing stage needs the span itself. */
static gboolean
is_needed (const TtJobObserveInput *input, TtStepNodeKind kind)
{
  if (kind == TT_STEP_NODE_SEND || kind == TT_STEP_NODE_RECV)
    return input->has_tree_directions || input->recv != TT_RECV_AS_TRACED;
  return input->topology->n_workers > 0 && (kind == TT_STEP_NODE_BW || kind == TT_STEP_NODE_UPDATE ||
                                            kind == TT_STEP_NODE_SERVER || tt_step_node_is_link_transfer (kind));
}

static void
keep_span (TtJobObservations *self, guint32 samples, const SpanRecord *span)
{
  for (guint32 slot = 0; slot < self->n_kept; slot++)
    if (self->kept_steps[slot] == span->step)
      {
        const TtJobKeptSpan kept = { samples, slot, tt_sort_value (span->ts_key), span->dur_ns };
        g_array_append_val (self->kept_spans, kept);
      }
}

static void
observe_span (Observer *self, const SpanRecord *span)
{
  guint32 endpoint = (guint32) span->name_endpoint;
  const TtStoredName *name = tt_store_name (self->store, span->name);
  TtStepNodeKind kind = tt_job_names_kind (self->input->names, span->name);
  guint32 index = find_or_add_samples (self->result, endpoint, span->name);
  TtJobSamples *samples = samples_at (self, index);
  gint64 ts_ns = tt_sort_value (span->ts_key), end_ns = ts_ns + span->dur_ns;

  samples->cnt++;
  samples->sum_ns += span->dur_ns;
  samples->end_sum_ns += end_ns;
  if (tt_step_node_is_operator (kind))
    add_operator_gap (self, endpoint, index, span, kind);
  else if (tt_step_node_is_link_transfer (kind))
    add_link_gap (self, endpoint, index, span);
  else if (g_strcmp0 (name->op_cat, "Comm") == 0)
    self->comm_end_ns[endpoint] = MAX (self->comm_end_ns[endpoint], end_ns);
  if (span->step == self->result->typical_step)
    observe_typical (self, endpoint, index, span, kind);
  keep_span (self->result, index, span);
  if (is_needed (self->input, kind))
    {
      const TtJobSpan kept = { endpoint, span->name, span->step, TT_STEP_NO_NODE, ts_ns, span->dur_ns };
      g_array_append_val (self->result->spans, kept);
    }
}

gboolean
tt_job_observe_events (TtJobObservations *self, TtStore *store, const TtJobObserveInput *input, GError **error)
{
  guint n_endpoints = input->topology->n_endpoints;
  g_autoptr (TtSorter) spans = tt_sorter_new (sizeof (SpanRecord), SORT_MEMORY);
  g_autofree LastSpan *last = g_new0 (LastSpan, n_endpoints);
  g_autofree gint64 *comm_end_ns = g_new (gint64, n_endpoints);
  Observer observer = {
    .result = self, .store = store, .input = input, .spans = spans, .last = last, .comm_end_ns = comm_end_ns
  };
  const guint32 none = TT_JOB_NO_SAMPLES;
  GError *failure = NULL;
  const SpanRecord *span;

  for (guint i = 0; i < n_endpoints; i++)
    {
      last[i].samples = TT_JOB_NO_SAMPLES;
      comm_end_ns[i] = TT_NO_TIME;
      g_array_append_val (self->first_comm, none);
    }
  order_names (&observer);
  gboolean is_good = collect_spans (&observer, error);
  while (is_good && (span = tt_sorter_next (spans, &failure)) != NULL)
    observe_span (&observer, span);
  g_free (observer.name_order);
  if (!input->sync_groups)
    tt_job_settle_groups (self);
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  return is_good;
}
