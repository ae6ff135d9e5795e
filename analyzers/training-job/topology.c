/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/topology.h"

#include "analyzers/nccl/connections.h"
#include "analyzers/training-job/metadata.h"
#include "analyzers/training-job/text-cursor.h"
#include "src/base/compare.h"
#include "src/base/error.h"
#include "src/store/statistics.h"

#include <string.h>

/* A job has fewer workers and servers than this. */
#define MAX_WORKERS 65536

TtJobTopology *
tt_job_topology_new (void)
{
  TtJobTopology *self = g_new0 (TtJobTopology, 1);

  self->links = g_array_new (FALSE, FALSE, sizeof (TtJobLink));
  return self;
}

void
tt_job_topology_free (TtJobTopology *self)
{
  if (self == NULL)
    return;
  g_strfreev (self->pids);
  g_free (self->processes);
  g_free (self->endpoint_of);
  g_array_unref (self->links);
  g_free (self->workers);
  tt_nccl_free (self->nccl);
  g_free (self);
}

/* Processes that have names of some kinds. */
typedef struct
{
  const TtJobNames *names;
  gboolean (*is_wanted) (TtStepNodeKind kind);
  GHashTable *processes; /* ids */
} ProcessSearch;

static gboolean
on_statistic (const TtStatistic *row, gpointer data)
{
  ProcessSearch *search = data;

  if (search->is_wanted (tt_job_names_kind (search->names, row->name)))
    g_hash_table_add (search->processes, GUINT_TO_POINTER (row->process));
  return TRUE;
}

/* -- ranks ------------------------------------------------------------------------------------------- */

typedef struct
{
  gint64 rank;
  guint32 process;
} RankedProcess;

static int
compare_ranks (gconstpointer a, gconstpointer b)
{
  const RankedProcess *x = a, *y = b;

  return x->rank != y->rank ? TT_COMPARE (x->rank, y->rank) : TT_COMPARE (x->process, y->process);
}

/* Keeps the ranks of the processes, if these are 0, 1, 2 ...; else numbers the processes in their order. */
static gboolean
order_ranks (GArray *ranked)
{
  gboolean is_dense = TRUE;

  g_array_sort (ranked, compare_ranks);
  for (guint i = 0; i < ranked->len; i++)
    is_dense = is_dense && g_array_index (ranked, RankedProcess, i).rank == (gint64) i;
  if (is_dense)
    return TRUE;
  for (guint i = 0; i < ranked->len; i++)
    g_array_index (ranked, RankedProcess, i).rank = 0;
  g_array_sort (ranked, compare_ranks);
  return FALSE;
}

static void
set_ranks (TtJobTopology *self, TtStore *store, const GArray *ranked)
{
  gsize n_processes = (gsize) tt_store_max_process (store) + 1;

  self->endpoint_of = g_new (guint32, n_processes);
  memset (self->endpoint_of, 0xff, n_processes * sizeof *self->endpoint_of);
  self->n_ranks = self->n_endpoints = ranked->len;
  self->pids = g_new0 (char *, (gsize) ranked->len + 1);
  self->processes = g_new (guint32, ranked->len);
  for (guint i = 0; i < ranked->len; i++)
    {
      guint32 process = g_array_index (ranked, RankedProcess, i).process;
      self->processes[i] = process;
      self->pids[i] = g_strdup (tt_store_process (store, process)->pid);
      self->endpoint_of[process] = i;
    }
}

/* What the devices of a rank show of operators (annotations on its GPUs) is the work of its program once more. */
static gboolean
is_device (const TtProcess *process, GHashTable *processes)
{
  return process->owner != process->id && g_hash_table_contains (processes, GUINT_TO_POINTER (process->owner));
}

gboolean
tt_job_topology_read_ranks (TtJobTopology *self,
                            TtStore *store,
                            const TtJobNames *names,
                            TtNotes *notes,
                            GError **error)
{
  g_autoptr (GHashTable) processes = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) ranked = g_array_new (FALSE, FALSE, sizeof (RankedProcess));
  ProcessSearch search = { names, tt_step_node_is_operator, processes };
  guint n;

  if (!tt_store_each_statistic (store, TT_STATISTIC_BY_LONG_NAME, on_statistic, &search, error))
    return FALSE;
  const TtProcess *all = tt_store_processes (store, &n);
  for (guint i = 0; i < n; i++)
    if (g_hash_table_contains (processes, GUINT_TO_POINTER (all[i].id)) && !is_device (&all[i], processes))
      {
        const RankedProcess one = { all[i].rank, all[i].id };
        g_array_append_val (ranked, one);
      }
  if (ranked->len == 0)
    {
      g_set_error (
          error, TT_ERROR, TT_ERROR_INPUT,
          "'%s' has no operators of a training job (FW, BW, UPDATE_); import a job's directory, its traces under "
          "standard names, or a PyTorch trace",
          tt_store_shown (store));
      return FALSE;
    }
  if (!order_ranks (ranked) && ranked->len > 1)
    tt_notes_add (notes, "the processes' ranks are not 0 to %u: they are numbered in their order", ranked->len - 1);
  set_ranks (self, store, ranked);
  return TRUE;
}

/* -- links ------------------------------------------------------------------------------------------- */

/* "worker_0::server_1", "server_1::worker_0", "server_1_t3" */
static gboolean
parse_link (const char *pid, TtJobLink *link)
{
  const char *at = pid;
  guint thread;

  *link = (TtJobLink){ .worker = TT_STEP_NO_RANK };
  if (tt_text_read_word (&at, "worker_"))
    return tt_text_read_number (&at, MAX_WORKERS, &link->worker) && tt_text_read_word (&at, "::server_") &&
           tt_text_read_number (&at, MAX_WORKERS, &link->server) && *at == '\0';
  if (!tt_text_read_word (&at, "server_") || !tt_text_read_number (&at, MAX_WORKERS, &link->server))
    return FALSE;
  link->is_thread = tt_text_read_word (&at, "_t");
  if (link->is_thread)
    return tt_text_read_number (&at, G_MAXINT, &thread) && *at == '\0';
  link->is_in = TRUE;
  return tt_text_read_word (&at, "::worker_") && tt_text_read_number (&at, MAX_WORKERS, &link->worker) && *at == '\0';
}

static gboolean
is_link_or_server (TtStepNodeKind kind)
{
  return tt_step_node_is_link_transfer (kind) || kind == TT_STEP_NODE_SERVER;
}

static void
add_endpoint (TtJobTopology *self, const TtProcess *process, const TtJobLink *link)
{
  guint endpoint = self->n_endpoints++;

  self->pids = g_renew (char *, self->pids, (gsize) self->n_endpoints + 1);
  self->pids[endpoint] = g_strdup (process->pid);
  self->pids[endpoint + 1] = NULL;
  self->processes = g_renew (guint32, self->processes, self->n_endpoints);
  self->processes[endpoint] = process->id;
  self->endpoint_of[process->id] = endpoint;
  g_array_append_val (self->links, *link);
  if (!link->is_thread)
    self->n_workers = MAX (self->n_workers, link->worker + 1);
}

static gboolean
on_worker_number (const TtCell *cells, guint n, gpointer data)
{
  guint32 *worker = data;

  (void) n;
  if (cells[1].kind == TT_CELL_INT && cells[1].integer >= 0 && cells[1].integer < MAX_WORKERS)
    *worker = (guint32) cells[1].integer;
  return TRUE;
}

/* The worker of a rank is the one the import gives; without one hosts are numbered in their order. */
static gboolean
find_workers (TtJobTopology *self, TtStore *store, TtNotes *notes, GError **error)
{
  g_autoptr (GHashTable) linked = g_hash_table_new (NULL, NULL);
  guint32 host = 0;
  guint n_outside = 0;

  for (guint i = 0; i < self->links->len; i++)
    g_hash_table_add (linked, GUINT_TO_POINTER (g_array_index (self->links, TtJobLink, i).worker));
  self->workers = g_new (guint32, self->n_ranks);
  for (guint rank = 0; rank < self->n_ranks; rank++)
    {
      const TtJobMetadata number = { self->processes[rank], "byteps_worker", "$" };
      guint32 worker = TT_STEP_NO_RANK;

      if (rank > 0 && !tt_job_is_same_host (self->pids[rank - 1], self->pids[rank]))
        host++;
      if (!tt_job_metadata_each (&number, store, on_worker_number, &worker, error))
        return FALSE;
      self->workers[rank] = worker != TT_STEP_NO_RANK ? worker : host;
      n_outside += !g_hash_table_contains (linked, GUINT_TO_POINTER (self->workers[rank]));
    }
  if (n_outside > 0)
    tt_notes_add (notes, "%u of %u ranks belong to no worker that pushes to servers: they wait for none", n_outside,
                  self->n_ranks);
  return TRUE;
}

gboolean
tt_job_topology_read_links (TtJobTopology *self,
                            TtStore *store,
                            const TtJobNames *names,
                            TtNotes *notes,
                            GError **error)
{
  g_autoptr (GHashTable) processes = g_hash_table_new (NULL, NULL);
  ProcessSearch search = { names, is_link_or_server, processes };
  guint n;

  if (!tt_store_each_statistic (store, TT_STATISTIC_BY_LONG_NAME, on_statistic, &search, error))
    return FALSE;
  const TtProcess *all = tt_store_processes (store, &n);
  for (guint i = 0; i < n; i++)
    {
      TtJobLink link;
      if (g_hash_table_contains (processes, GUINT_TO_POINTER (all[i].id)) &&
          self->endpoint_of[all[i].id] == TT_STEP_NO_RANK && all[i].pid != NULL && parse_link (all[i].pid, &link))
        add_endpoint (self, &all[i], &link);
    }
  if (self->n_workers > 0)
    return find_workers (self, store, notes, error);
  if (self->links->len > 0)
    tt_notes_add (notes, "no transfers between workers and servers: the work of servers is left out");
  return TRUE;
}

const TtJobLink *
tt_job_topology_link (const TtJobTopology *self, guint32 endpoint)
{
  return &g_array_index (self->links, TtJobLink, endpoint - self->n_ranks);
}

/* -- connections ---------------------------------------------------------------------------------------- */

gboolean
tt_job_topology_read_connections (TtJobTopology *self, TtStore *store, TtNotes *notes, GError **error)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  guint n_known = 0;

  self->nccl = tt_nccl_new ();
  for (guint rank = 0; rank < self->n_ranks; rank++)
    {
      const TtProcess *process = tt_store_process (store, self->processes[rank]);
      TtNcclStatement statement;

      if (!tt_nccl_statement_read (&statement, store, process, self->nccl, problems, error))
        return FALSE;
      n_known += statement.n_texts > 0;
    }
  for (guint i = 0; i < problems->len; i++)
    tt_notes_add (notes, "%s", (char *) problems->pdata[i]);
  tt_nccl_join (self->nccl);
  if (n_known == 0)
    g_clear_pointer (&self->nccl, tt_nccl_free);
  else if (n_known < self->n_ranks)
    tt_notes_add (notes, "%u of %u ranks do not say what they are connected to", self->n_ranks - n_known,
                  self->n_ranks);
  for (guint i = 0; self->nccl != NULL && i < tt_nccl_problems (self->nccl)->len; i++)
    tt_notes_add (notes, "NCCL: %s", (char *) tt_nccl_problems (self->nccl)->pdata[i]);
  return TRUE;
}

gboolean
tt_job_topology_has_only_trees (const TtJobTopology *self)
{
  return self->nccl != NULL && tt_nccl_n_channels (self->nccl, TT_NCCL_RING) == 0 &&
         tt_nccl_n_channels (self->nccl, TT_NCCL_TREE) > 0;
}

gboolean
tt_job_is_same_host (const char *pid, const char *other)
{
  gsize len = strcspn (pid, ".");

  return strcspn (other, ".") == len && strncmp (pid, other, len) == 0;
}
