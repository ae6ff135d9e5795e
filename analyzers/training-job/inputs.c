#include "config.h"

#include "analyzers/training-job/private.h"

#include "analyzers/communication/nccl-view.h"
#include "analyzers/training-job/tensor-bytes.h"
#include "src/base/error.h"
#include "src/store/statistics.h"

#include <string.h>

/* Transfers of all ranks and groups in a step: the largest jobs have a tenth. */
#define MOST_TRANSFERS ((guint64) 1 << 23)

/* -- names ------------------------------------------------------------------------------------------- */

static gboolean
take_name (const TtStoredName *name, gpointer data)
{
  TtJobParts *self = data;
  TtStepNodeKind kind = tt_step_node_kind_of_name (name->op_cat, name->sub_op);

  if (name->id > self->max_name || self->first_name[name->id] != name->id)
    return TRUE;
  self->kinds[name->id] = (guint8) (kind == TT_STEP_NODE_END ? TT_STEP_NODE_OTHER : kind);
  if (self->kinds[name->id] != TT_STEP_NODE_OTHER)
    g_hash_table_insert (self->name_of,
                         g_strconcat (name->text, name->suffix == NULL ? NULL : "~>", name->suffix, NULL),
                         GUINT_TO_POINTER (name->id));
  return TRUE;
}

gboolean
tt_job_find_names (TtJobParts *self, GError **error)
{
  self->max_name = tt_store_max_name (self->store);
  self->first_name = tt_store_first_names (self->store, error);
  if (self->first_name == NULL)
    return FALSE;
  self->kinds = g_malloc ((gsize) self->max_name + 1);
  memset (self->kinds, TT_STEP_NODE_OTHER, (gsize) self->max_name + 1);
  self->name_of = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return tt_store_each_name (self->store, take_name, self, error);
}

/* -- ranks ------------------------------------------------------------------------------------------- */

typedef struct
{
  const TtJobParts *parts;
  GHashTable *processes; /* ids of those with operators */
} RankSearch;

static gboolean
is_operator_kind (guint8 kind)
{
  return kind == TT_STEP_NODE_FW || kind == TT_STEP_NODE_BW || kind == TT_STEP_NODE_UPDATE || kind == TT_STEP_NODE_OUTPUT;
}

static gboolean
take_statistic (const TtStatistic *row, gpointer data)
{
  RankSearch *search = data;

  if (row->name <= search->parts->max_name && is_operator_kind (search->parts->kinds[row->name]))
    g_hash_table_add (search->processes, GUINT_TO_POINTER (row->process));
  return TRUE;
}

typedef struct
{
  gint64 rank;
  guint32 process;
} Ranked;

static int
by_rank (gconstpointer a, gconstpointer b)
{
  const Ranked *x = a, *y = b;

  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return x->process < y->process ? -1 : x->process > y->process;
}

/* Ranks as the processes have them, if these are 0, 1, 2 ...; else in the order of the processes. */
static gboolean
order_ranks (TtJobParts *self, GArray *ranked)
{
  gboolean is_dense = TRUE;

  g_array_sort (ranked, by_rank);
  for (guint i = 0; i < ranked->len; i++)
    is_dense = is_dense && g_array_index (ranked, Ranked, i).rank == (gint64) i;
  if (is_dense)
    return TRUE;
  for (guint i = 0; i < ranked->len; i++)
    g_array_index (ranked, Ranked, i).rank = 0;
  g_array_sort (ranked, by_rank);
  return FALSE;
}

gboolean
tt_job_find_ranks (TtJobParts *self, GError **error)
{
  g_autoptr (GHashTable) processes = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) ranked = g_array_new (FALSE, FALSE, sizeof (Ranked));
  RankSearch search = { self, processes };
  TtTrainingJob *job = self->job;
  guint n;

  if (!tt_store_each_statistic (self->store, TT_STATISTIC_BY_LONG_NAME, take_statistic, &search, error))
    return FALSE;
  const TtProcess *all = tt_store_processes (self->store, &n);
  for (guint i = 0; i < n; i++)
    if (g_hash_table_contains (processes, GUINT_TO_POINTER (all[i].id)))
      {
        Ranked one = { all[i].rank, all[i].id };
        g_array_append_val (ranked, one);
      }
  if (ranked->len == 0)
    {
      g_set_error (
          error, TT_ERROR, TT_ERROR_INPUT,
          "'%s' has no operators of a training job (FW, BW, UPDATE_); import a job's directory, its traces under "
          "standard names, or a PyTorch trace",
          tt_store_path (self->store));
      return FALSE;
    }
  if (!order_ranks (self, ranked) && ranked->len > 1)
    tt_job_note (job, "the processes' ranks are not 0 to %u: they are numbered in their order", ranked->len - 1);

  self->rank_of = g_new (guint32, (gsize) tt_store_max_process (self->store) + 1);
  memset (self->rank_of, 0xff, ((gsize) tt_store_max_process (self->store) + 1) * sizeof *self->rank_of);
  job->n_ranks = ranked->len;
  job->pids = g_new0 (char *, (gsize) ranked->len + 1);
  job->processes = g_new (guint32, ranked->len);
  for (guint i = 0; i < ranked->len; i++)
    {
      guint32 process = g_array_index (ranked, Ranked, i).process;
      job->processes[i] = process;
      job->pids[i] = g_strdup (tt_store_process (self->store, process)->pid);
      self->rank_of[process] = i;
    }
  return TRUE;
}

/* -- JSON in metadata, through SQLite ------------------------------------------------------------------- */

gboolean
tt_job_each_json (TtJobParts *self,
                  guint32 process,
                  const char *key,
                  const char *path,
                  TtQueryRowFunc func,
                  gpointer data,
                  GError **error)
{
  g_autofree char *sql = g_strdup_printf (
      "SELECT j.key, j.value FROM metadata m, json_each (m.value, '%s') j"
      " WHERE m.process = %u AND m.thread IS NULL AND m.key = '%s' AND json_valid (m.value) ORDER BY j.id",
      path, process, key);

  return tt_store_query (self->store, sql, NULL, func, data, error);
}

static const char *
text_of (const TtCell *cell, char buffer[32])
{
  if (cell->kind == TT_CELL_TEXT)
    return cell->text;
  g_snprintf (buffer, 32, "%" G_GINT64_FORMAT, cell->kind == TT_CELL_INT ? cell->integer : -1);
  return buffer;
}

/* -- connections ---------------------------------------------------------------------------------------- */

gboolean
tt_job_read_connections (TtJobParts *self, GError **error)
{
  TtTrainingJob *job = self->job;
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  guint n_known = 0, n_said;
  gint own;

  job->nccl = tt_nccl_new ();
  for (guint rank = 0; rank < job->n_ranks; rank++)
    {
      if (!tt_nccl_read_process (self->store, tt_store_process (self->store, job->processes[rank]), job->nccl, problems,
                                 &own, &n_said, error))
        return FALSE;
      n_known += n_said > 0;
    }
  for (guint i = 0; i < problems->len; i++)
    tt_job_note (job, "%s", (char *) problems->pdata[i]);
  tt_nccl_join (job->nccl);
  if (n_known == 0)
    g_clear_pointer (&job->nccl, tt_nccl_free);
  else if (n_known < job->n_ranks)
    tt_job_note (job, "%u of %u ranks do not say what they are connected to", job->n_ranks - n_known, job->n_ranks);
  for (guint i = 0; job->nccl != NULL && i < tt_nccl_problems (job->nccl)->len; i++)
    tt_job_note (job, "NCCL: %s", (char *) tt_nccl_problems (job->nccl)->pdata[i]);
  return TRUE;
}

/* -- the model's graph -------------------------------------------------------------------------------------- */

static gboolean
take_local_name (const TtCell *cells, guint n, gpointer data)
{
  TtJobParts *self = data;
  char buffer[32];

  g_ptr_array_add (self->local_names, g_strdup (text_of (&cells[1], buffer)));
  return TRUE;
}

/* A number of a node at *at, with the character that has to stand behind it. */
static gboolean
take_node (const TtJobParts *self, const char **at, char behind, guint32 *node)
{
  char *end;

  if (!g_ascii_isdigit (**at))
    return FALSE;
  guint64 value = g_ascii_strtoull (*at, &end, 10);
  if (*end != behind || value >= self->local_names->len)
    return FALSE;
  *node = (guint32) value;
  *at = end + 1;
  return TRUE;
}

static gboolean
take_local_edge (const TtCell *cells, guint n, gpointer data)
{
  TtJobParts *self = data;
  char buffer[32];
  guint32 edge[2];
  const char *at = text_of (&cells[1], buffer);

  if (*at++ == '[' && take_node (self, &at, ',', &edge[0]) && take_node (self, &at, ']', &edge[1]))
    g_array_append_val (self->local_edges, edge);
  return TRUE;
}

/* The first rank that has it has it for all. */
gboolean
tt_job_read_local_graph (TtJobParts *self, GError **error)
{
  TtTrainingJob *job = self->job;

  for (guint rank = 0; rank < job->n_ranks && self->local_names->len == 0; rank++)
    if (!tt_job_each_json (self, job->processes[rank], "local_graph", "$.nodes", take_local_name, self, error) ||
        !tt_job_each_json (self, job->processes[rank], "local_graph", "$.edges", take_local_edge, self, error))
      return FALSE;
  if (self->local_names->len > 0)
    return TRUE;
  tt_job_note (job, "no graph of the model: each operator is taken to need the one before it on its rank");
  return TRUE;
}

/* -- shapes --------------------------------------------------------------------------------------------------- */

static gboolean
widen_shape (const TtStoredName *name, gpointer data)
{
  TtJobShape *shape = name->op_name == NULL ? NULL : g_hash_table_lookup (data, name->op_name);

  if (shape != NULL)
    tt_nccl_widen (name, &shape->n_loops, &shape->n_channels, &shape->n_chunks, &shape->n_slices);
  return TRUE;
}

/* Numbers of pieces beyond belief would fill the memory: such a group goes in one. */
static void
limit_shapes (TtTrainingJob *job)
{
  guint64 n_transfers = 0;

  for (guint i = 0; i < job->shapes->len; i++)
    {
      TtJobShape *shape = &g_array_index (job->shapes, TtJobShape, i);
      tt_uint128 n =
          (tt_uint128) shape->n_loops * shape->n_channels * shape->n_slices * shape->n_chunks * 2 * job->n_ranks;

      if (n + n_transfers <= MOST_TRANSFERS)
        {
          n_transfers += (guint64) n;
          continue;
        }
      tt_job_note (
          job,
          "Comm.%s has %u loops, %u channels, %u slices and %u chunks: too many transfers, taken as one operation a "
          "rank",
          shape->name, shape->n_loops, shape->n_channels, shape->n_slices, shape->n_chunks);
      shape->n_loops = shape->n_channels = shape->n_slices = shape->n_chunks = 0;
    }
}

/* All tensors count, or none. */
static guint64
shape_bytes (const TtTensorBytes *sizes, const TtJobShape *shape)
{
  guint64 sum = 0;

  for (guint i = 0; shape->tensors[i] != NULL; i++)
    {
      guint64 bytes = tt_tensor_bytes_of (sizes, shape->tensors[i]);
      if (bytes == 0 || __builtin_add_overflow (sum, bytes, &sum))
        return 0;
    }
  return sum;
}

gboolean
tt_job_find_shapes (TtJobParts *self, GError **error)
{
  TtTrainingJob *job = self->job;
  g_autoptr (TtTensorBytes) sizes = tt_tensor_bytes_new (self->store, error);
  g_autoptr (GHashTable) shapes = g_hash_table_new (g_str_hash, g_str_equal);

  if (sizes == NULL)
    return FALSE;
  for (guint i = 0; i < self->groups->len; i++)
    {
      TtJobShape shape = { .name = g_strdup (self->groups->pdata[i]) };
      gboolean is_used = FALSE;

      shape.tensors = g_strsplit (shape.name, "+", -1);
      for (guint k = 0; shape.tensors[k] != NULL; k++)
        is_used = is_used || g_strcmp0 (g_hash_table_lookup (self->group_of, shape.tensors[k]), shape.name) == 0;
      if (is_used)
        g_array_append_val (job->shapes, shape);
      else
        tt_job_shape_clear (&shape);
    }
  for (guint i = 0; i < job->shapes->len; i++)
    {
      TtJobShape *shape = &g_array_index (job->shapes, TtJobShape, i);
      shape->bytes = shape_bytes (sizes, shape);
      g_hash_table_insert (shapes, shape->name, shape);
    }
  if (!tt_store_each_name (self->store, widen_shape, shapes, error))
    return FALSE;
  limit_shapes (job);
  return TRUE;
}
