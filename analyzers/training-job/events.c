#include "config.h"

#include "analyzers/training-job/private.h"

#include "src/base/progress.h"
#include "src/base/sorter.h"

#include <string.h>

#define SORT_MEMORY ((gsize) 48 << 20)
#define ROWS_PER_CHECK 65536
/* A gap longer than the operator before it is waiting for something else; the original takes this instead. */
#define SHORT_GAP_NS 10000
/* With parameter servers gaps of this length are left out. */
#define LONG_GAP_NS 1000000

/* A span of the job in (ts, name) order. */
typedef struct
{
  guint64 ts_key;
  guint64 name_rank; /* << 32 | rank */
  gint64 dur_ns;
  guint32 name;
  gint32 step;
} SpanRecord;

/* The operator before, on one rank. */
typedef struct
{
  gint64 end_ns, dur_ns;
  guint32 cell; /* number + 1; 0: none */
  guint8 kind;
  gboolean is_cal;
} Previous;

typedef struct
{
  TtJobParts *parts;
  TtSorter *spans;
  guint32 *name_rank;
  Previous *previous;  /* by place */
  gint64 *comm_end_ns; /* by place: the last end of communication yet; TT_NO_TIME: none */
  gboolean is_chained; /* there is no graph of the model */
} Reader;

/* -- order -------------------------------------------------------------------------------------------- */

static int
compare_names (gconstpointer a, gconstpointer b, gpointer store)
{
  const TtStoredName *x = tt_store_name (store, *(const guint32 *) a);
  const TtStoredName *y = tt_store_name (store, *(const guint32 *) b);

  return strcmp (x->text, y->text);
}

static void
rank_names (Reader *self)
{
  const TtJobParts *parts = self->parts;
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  self->name_rank = g_new0 (guint32, (gsize) parts->max_name + 1);
  for (guint32 id = 1; id <= parts->max_name && id != 0; id++)
    if (parts->kinds[id] != TT_STEP_NODE_OTHER)
      g_array_append_val (ids, id);
  g_array_sort_with_data (ids, compare_names, parts->store);
  for (guint i = 0; i < ids->len; i++)
    self->name_rank[g_array_index (ids, guint32, i)] = i;
}

static void
add_span (Reader *self, const TtEvent *event)
{
  const TtJobParts *parts = self->parts;
  const TtThread *thread = tt_store_thread (parts->store, event->thread);

  if (event->dur_ns == TT_NO_TIME || event->name > parts->max_name || thread == NULL)
    return;
  guint32 name = parts->first_name[event->name], rank = parts->rank_of[thread->process];
  if (rank == TT_STEP_NO_RANK || name > parts->max_name || parts->kinds[name] == TT_STEP_NODE_OTHER)
    return;
  *(SpanRecord *) tt_sorter_add (self->spans) = (SpanRecord){
    .ts_key = tt_sort_key (event->ts_ns),
    .name_rank = (guint64) self->name_rank[name] << 32 | rank,
    .dur_ns = event->dur_ns,
    .name = name,
    .step = event->step,
  };
}

static gboolean
collect (Reader *self, GError **error)
{
  TtStore *store = self->parts->store;
  TtEventScan *scan = tt_event_scan_new (store, TT_SCAN_DEFAULT, error);
  g_autoptr (TtProgress) progress = tt_progress_new ("reading", tt_store_n_events (store), "events");
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

/* -- cells ----------------------------------------------------------------------------------------------- */

TtJobCell *
tt_job_cell (const TtJobParts *self, guint32 rank, guint32 name)
{
  gint64 key = (gint64) rank << 32 | name;
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->cell_of, &key));

  return number == 0 ? NULL : &g_array_index (self->cells, TtJobCell, number - 1);
}

static guint
cell_number (TtJobParts *self, guint32 rank, guint32 name)
{
  gint64 key = (gint64) rank << 32 | name;
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->cell_of, &key));

  if (number != 0)
    return number - 1;
  TtJobCell cell = { .rank = rank, .name = name, .typical_ts_ns = TT_NO_TIME, .typical_end_ns = TT_NO_TIME };
  g_array_append_val (self->cells, cell);
  g_hash_table_insert (self->cell_of, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (self->cells->len));
  return self->cells->len - 1;
}

/* -- what one span says ------------------------------------------------------------------------------------ */

static gboolean
is_update_cal (const TtStoredName *name)
{
  return strcmp (name->text, "UPDATE_CAL") == 0;
}

static void
add_gap (TtJobGap *gap, gint64 ns)
{
  gap->sum_ns += ns;
  gap->cnt++;
}

/* CommGAPComm: the same between the transfers of a link. */
static void
take_link_gap (Reader *self, guint32 place, guint cell, const SpanRecord *span)
{
  Previous *previous = &self->previous[place];
  gint64 ts_ns = tt_sort_value (span->ts_key), gap_ns = ts_ns - previous->end_ns;

  if (previous->cell != 0 && gap_ns >= 0 && gap_ns < LONG_GAP_NS)
    add_gap (&g_array_index (self->parts->cells, TtJobCell, previous->cell - 1).gap, gap_ns);
  *previous = (Previous){ .end_ns = ts_ns + span->dur_ns, .dur_ns = span->dur_ns, .cell = cell + 1 };
}

/* A gap longer than the operator before it is waiting. Without a graph of the model it is waiting only where there was communication in
 * it: such operators may well be far apart. */
static gint64
working_gap (const Reader *self, guint32 rank, gint64 gap_ns)
{
  const Previous *previous = &self->previous[rank];
  gint64 comm_end_ns = self->comm_end_ns[rank];
  gboolean is_waiting =
      gap_ns > previous->dur_ns && (!self->is_chained || (comm_end_ns != TT_NO_TIME && comm_end_ns > previous->end_ns));

  return is_waiting ? SHORT_GAP_NS : gap_ns;
}

/* Section 7.3: from the end of the rank's previous operator to the begin of this one, put on the previous. */
static void
take_operator_gap (Reader *self,
                   guint32 rank,
                   guint cell,
                   const SpanRecord *span,
                   const TtStoredName *name,
                   guint8 kind)
{
  Previous *previous = &self->previous[rank];
  gint64 ts_ns = tt_sort_value (span->ts_key), gap_ns = ts_ns - previous->end_ns;
  gboolean is_cal = is_update_cal (name);

  if (previous->cell != 0 && gap_ns >= 0 && !is_cal && !previous->is_cal &&
      !(previous->kind == TT_STEP_NODE_BW && kind == TT_STEP_NODE_UPDATE))
    {
      TtJobGap *gap = &g_array_index (self->parts->cells, TtJobCell, previous->cell - 1).gap;
      if (self->parts->n_workers == 0)
        add_gap (gap, working_gap (self, rank, gap_ns));
      else if (gap_ns < LONG_GAP_NS)
        add_gap (gap, gap_ns);
    }
  *previous = (Previous){
    .end_ns = ts_ns + span->dur_ns, .dur_ns = span->dur_ns, .cell = cell + 1, .kind = kind, .is_cal = is_cal
  };
}

/* Who was communicated with whom: the largest group that names a tensor is its own. */
static void
take_group (TtJobParts *self, const TtStoredName *name)
{
  if (g_hash_table_contains (self->known_groups, name->op_name))
    return;

  g_auto (GStrv) tensors = g_strsplit (name->op_name, "+", -1);
  guint n = g_strv_length (tensors);

  g_ptr_array_add (self->groups, g_strdup (name->op_name));
  g_hash_table_add (self->known_groups, self->groups->pdata[self->groups->len - 1]);
  for (guint i = 0; i < n; i++)
    {
      const char *known = g_hash_table_lookup (self->group_of, tensors[i]);
      guint n_known = 1;
      for (const char *at = known; at != NULL && (at = strchr (at, '+')) != NULL; at++)
        n_known++;
      if (known == NULL || n >= n_known)
        g_hash_table_insert (self->group_of, g_strdup (tensors[i]), g_strdup (name->op_name));
    }
}

/* Whether a place is a link of the worker that the first rank is part of. */
static gboolean
is_first_workers (const TtJobParts *parts, guint32 place)
{
  return parts->n_workers > 0 && place >= parts->job->n_ranks &&
         g_array_index (parts->links, TtJobLink, place - parts->job->n_ranks).worker == parts->workers[0];
}

static void
take_typical (Reader *self, guint32 rank, guint number, const SpanRecord *span, const TtStoredName *name, guint8 kind)
{
  TtJobParts *parts = self->parts;
  TtJobCell *cell = &g_array_index (parts->cells, TtJobCell, number);
  gboolean is_comm = g_strcmp0 (name->op_cat, "Comm") == 0 && name->op_name != NULL;

  cell->typical_ts_ns = tt_sort_value (span->ts_key);
  cell->typical_end_ns = cell->typical_ts_ns + span->dur_ns;
  if (is_comm)
    {
      take_group (parts, name);
      guint *first = &g_array_index (parts->first_comm, guint, rank);
      if (*first == 0 && kind != TT_STEP_NODE_SYNC)
        *first = number + 1;
    }
  if (is_comm && (rank == 0 || is_first_workers (parts, rank)))
    tt_job_see_comm (parts, name->op_name, cell->typical_ts_ns, cell->typical_end_ns);
  else if (rank == 0)
    tt_job_see_operator (parts, span->name, cell->typical_ts_ns, cell->typical_end_ns);
}

/* What is asked for again span by span. */
static gboolean
is_kept (const TtJobParts *parts, TtStepNodeKind kind)
{
  if (kind == TT_STEP_NODE_SEND || kind == TT_STEP_NODE_RECV)
    return parts->has_ways || parts->options->recv != TT_RECV_AS_TRACED;
  return parts->n_workers > 0 &&
         (kind == TT_STEP_NODE_BW || kind == TT_STEP_NODE_UPDATE || kind == TT_STEP_NODE_SERVER || tt_job_is_link_kind (kind));
}

static void
take_span (Reader *self, const SpanRecord *span)
{
  TtJobParts *parts = self->parts;
  guint32 rank = (guint32) span->name_rank;
  const TtStoredName *name = tt_store_name (parts->store, span->name);
  guint8 kind = parts->kinds[span->name];
  guint number = cell_number (parts, rank, span->name);
  TtJobCell *cell = &g_array_index (parts->cells, TtJobCell, number);

  cell->cnt++;
  cell->sum_ns += span->dur_ns;
  cell->end_sum_ns += tt_sort_value (span->ts_key) + span->dur_ns;
  if (kind == TT_STEP_NODE_FW || kind == TT_STEP_NODE_BW || kind == TT_STEP_NODE_UPDATE || kind == TT_STEP_NODE_OUTPUT)
    take_operator_gap (self, rank, number, span, name, kind);
  else if (tt_job_is_link_kind ((TtStepNodeKind) kind))
    take_link_gap (self, rank, number, span);
  else if (g_strcmp0 (name->op_cat, "Comm") == 0)
    self->comm_end_ns[rank] = MAX (self->comm_end_ns[rank], tt_sort_value (span->ts_key) + span->dur_ns);
  if (span->step == parts->job->typical_step)
    take_typical (self, rank, number, span, name, kind);
  if (is_kept (parts, (TtStepNodeKind) kind))
    {
      TtJobTransfer transfer = { rank, span->name, span->step, TT_NO_TASK, tt_sort_value (span->ts_key), span->dur_ns };
      g_array_append_val (parts->transfers, transfer);
    }
}

gboolean
tt_job_read_events (TtJobParts *self, GError **error)
{
  g_autoptr (TtSorter) spans = tt_sorter_new (sizeof (SpanRecord), SORT_MEMORY);
  g_autofree Previous *previous = g_new0 (Previous, self->job->n_endpoints);
  g_autofree gint64 *comm_end_ns = g_new (gint64, self->job->n_endpoints);
  Reader reader = { .parts = self,
                    .spans = spans,
                    .previous = previous,
                    .comm_end_ns = comm_end_ns,
                    .is_chained = self->local_names->len == 0 };
  GError *failure = NULL;
  const SpanRecord *span;

  for (guint i = 0; i < self->job->n_endpoints; i++)
    comm_end_ns[i] = TT_NO_TIME;
  rank_names (&reader);
  g_array_set_size (self->first_comm, self->job->n_endpoints);
  gboolean is_good = collect (&reader, error);
  while (is_good && (span = tt_sorter_next (spans, &failure)) != NULL)
    take_span (&reader, span);
  g_free (reader.name_rank);
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  return is_good;
}
