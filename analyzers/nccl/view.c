/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/nccl/view.h"

#include "analyzers/nccl/connections.h"
#include "src/base/compare.h"
#include "src/store/query.h"

#include <string.h>

/* -- ranks ---------------------------------------------------------------------------------------------- */

static void
name_rank (TtNcclView *self, gint rank, const char *pid)
{
  if (rank < 0 || (guint) rank >= self->n_ranks)
    return;
  if (self->pids[rank] != NULL)
    g_ptr_array_add (self->problems, g_strdup_printf ("%s and %s are both rank %d", self->pids[rank], pid, rank));
  else
    self->pids[rank] = g_strdup (pid);
}

/* Names the rank of a process: the rank it says it is, else its rank in the job. */
static void
name_process (TtNcclView *self, const TtProcess *process, const TtNcclStatement *statement, guint n_speakers)
{
  gint job_rank = (gint) CLAMP (process->rank, -1, G_MAXINT);

  if (statement->n_texts == 0 && n_speakers > 0 && process->rank >= 0)
    g_ptr_array_add (self->problems, g_strdup_printf ("%s does not say what it is connected to", process->pid));
  if (statement->own != TT_NCCL_NONE && process->rank >= 0 && process->rank != statement->own)
    g_ptr_array_add (self->problems,
                     g_strdup_printf ("%s speaks of itself as rank %d, and is rank %" G_GINT64_FORMAT " of the job",
                                      process->pid, statement->own, process->rank));
  name_rank (self, statement->own != TT_NCCL_NONE ? statement->own : job_rank, process->pid);
}

static gboolean
on_speaker (const TtCell *cells, guint n, gpointer speakers)
{
  g_hash_table_add (speakers, GUINT_TO_POINTER ((guint) cells[0].integer));
  return TRUE;
}

static gboolean
read_processes (TtNcclView *self, TtStore *store, GError **error)
{
  guint n, n_speakers = 0;
  g_autoptr (GHashTable) speakers = g_hash_table_new (NULL, NULL);

  if (!tt_store_query (store, "SELECT DISTINCT process FROM metadata WHERE key = 'nccl_rank_graph'", NULL, on_speaker,
                       speakers, error))
    return FALSE;
  /* Without any there are no ranks. */
  self->pids = g_new0 (char *, 1);
  if (g_hash_table_size (speakers) == 0)
    return TRUE;
  if (!tt_store_complete (store, error))
    return FALSE;
  const TtProcess *processes = tt_store_processes (store, &n);
  g_autofree TtNcclStatement *statements = g_new (TtNcclStatement, (gsize) n + 1);
  for (guint i = 0; i < n; i++)
    {
      statements[i] = (TtNcclStatement){ .own = TT_NCCL_NONE };
      if (g_hash_table_contains (speakers, GUINT_TO_POINTER (processes[i].id)) &&
          !tt_nccl_statement_read (&statements[i], store, &processes[i], self->nccl, self->problems, error))
        return FALSE;
      n_speakers += statements[i].n_texts > 0;
    }
  tt_nccl_join (self->nccl);
  for (guint i = 0; i < tt_nccl_problems (self->nccl)->len; i++)
    g_ptr_array_add (self->problems, g_strdup (tt_nccl_problems (self->nccl)->pdata[i]));
  self->n_ranks = tt_nccl_n_ranks (self->nccl);
  self->pids = g_renew (char *, self->pids, (gsize) self->n_ranks + 1);
  memset (self->pids, 0, ((gsize) self->n_ranks + 1) * sizeof *self->pids);
  for (guint i = 0; i < n; i++)
    name_process (self, &processes[i], &statements[i], n_speakers);
  g_autoptr (GArray) ranks = tt_nccl_all_ranks (self->nccl);
  for (guint i = 0; i < ranks->len; i++)
    if (self->pids[g_array_index (ranks, gint, i)] == NULL)
      g_ptr_array_add (self->problems,
                       g_strdup_printf ("rank %d is only known from what others say", g_array_index (ranks, gint, i)));
  return TRUE;
}

/* -- groups --------------------------------------------------------------------------------------------- */

typedef struct
{
  TtNcclView *view;
  GHashTable *index_of; /* op_name -> index of the group, GUINT_TO_POINTER */
} GroupSearch;

static void
clear_group (gpointer group)
{
  g_free (((TtNcclGroup *) group)->name);
}

static guint
count_tensors (const char *name)
{
  guint n = 1;

  while ((name = strchr (name, '+')) != NULL)
    {
      n++;
      name++;
    }
  return n;
}

static TtNcclGroup *
find_or_add_group (GroupSearch *self, const char *name)
{
  GArray *groups = self->view->groups;
  gpointer index = GUINT_TO_POINTER (groups->len), found;

  if (g_hash_table_lookup_extended (self->index_of, name, NULL, &found))
    index = found;
  else
    {
      TtNcclGroup group = { .name = g_strdup (name), .n_tensors = count_tensors (name) };
      g_array_append_val (groups, group);
      g_hash_table_insert (self->index_of, group.name, index);
    }
  return &g_array_index (groups, TtNcclGroup, GPOINTER_TO_UINT (index));
}

/* Sub-operations that only Horovod over NCCL has; Horovod over MPI has others. */
static gboolean
is_of_nccl (const char *sub_op)
{
  static const char *const words[] = { "QUEUE", "MEMCPY_IN_FUSION_BUFFER", "NCCL_ALLREDUCE", "MEMCPY_OUT_FUSION_BUFFER",
                                       NULL };

  return g_strv_contains (words, sub_op);
}

gboolean
tt_nccl_name_tells_group (const char *op_cat, const char *op_name, const char *sub_op, const char *suffix)
{
  if (g_strcmp0 (op_cat, "Comm") != 0 || op_name == NULL || sub_op == NULL)
    return FALSE;
  gboolean is_piece = strcmp (sub_op, "SEND") == 0 || strcmp (sub_op, "RECV") == 0;
  return is_piece ? suffix != NULL : is_of_nccl (sub_op);
}

static gboolean
on_name (const TtStoredName *name, gpointer data)
{
  GroupSearch *self = data;

  if (!tt_nccl_name_tells_group (name->op_cat, name->op_name, name->sub_op, name->suffix))
    return TRUE;

  TtNcclGroup *group = find_or_add_group (self, name->op_name);
  tt_nccl_pieces_widen (&group->pieces, name);
  return TRUE;
}

/* For each tensor the number of tensors of the largest group that names it. */
static GHashTable *
largest_groups (const GArray *groups)
{
  GHashTable *largest = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < groups->len; i++)
    {
      const TtNcclGroup *group = &g_array_index (groups, TtNcclGroup, i);
      g_auto (GStrv) tensors = g_strsplit (group->name, "+", -1);

      for (char **tensor = tensors; *tensor != NULL; tensor++)
        if (GPOINTER_TO_UINT (g_hash_table_lookup (largest, *tensor)) < group->n_tensors)
          g_hash_table_insert (largest, g_strdup (*tensor), GUINT_TO_POINTER (group->n_tensors));
    }
  return largest;
}

static gboolean
is_outgrown (const TtNcclGroup *group, GHashTable *largest)
{
  g_auto (GStrv) tensors = g_strsplit (group->name, "+", -1);

  for (char **tensor = tensors; *tensor != NULL; tensor++)
    if (GPOINTER_TO_UINT (g_hash_table_lookup (largest, *tensor)) <= group->n_tensors)
      return FALSE;
  return TRUE;
}

/* Numbers first, by value; then texts. */
static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const char *x = ((const TtNcclGroup *) a)->name, *y = ((const TtNcclGroup *) b)->name;
  guint64 first = g_ascii_strtoull (x, NULL, 10), second = g_ascii_strtoull (y, NULL, 10);
  gboolean is_number = g_ascii_isdigit (*x), is_other_number = g_ascii_isdigit (*y);

  if (is_number != is_other_number)
    return is_number ? -1 : 1;
  return first != second ? TT_COMPARE (first, second) : strcmp (x, y);
}

static gboolean
read_groups (TtNcclView *self, TtStore *store, GError **error)
{
  g_autoptr (GHashTable) index_of = g_hash_table_new (g_str_hash, g_str_equal);
  GroupSearch search = { self, index_of };
  guint n = 0;

  if (!tt_store_each_name (store, on_name, &search, error))
    return FALSE;
  g_autoptr (GHashTable) largest = largest_groups (self->groups);
  for (guint i = 0; i < self->groups->len; i++)
    {
      TtNcclGroup *group = &g_array_index (self->groups, TtNcclGroup, i);

      if (group->pieces.n_chunks == 0 && is_outgrown (group, largest))
        clear_group (group);
      else
        g_array_index (self->groups, TtNcclGroup, n++) = *group;
    }
  /* The elements after these have moved or are cleared. */
  self->groups->len = n;
  g_array_sort (self->groups, compare_groups);
  return TRUE;
}

/* Notes groups of the detail traces that use channels without a connection. */
static void
check_channels (TtNcclView *self)
{
  guint n_known = 0;
  gboolean is_known = tt_nccl_links (self->nccl)->len > 0;

  while (is_known)
    {
      g_autoptr (GArray) tree = tt_nccl_ranks (self->nccl, TT_NCCL_TREE, n_known);
      is_known = tree->len > 0 || tt_nccl_has_ring (self->nccl, n_known);
      n_known += is_known;
    }
  for (guint i = 0; i < self->groups->len && tt_nccl_links (self->nccl)->len > 0; i++)
    {
      const TtNcclGroup *group = &g_array_index (self->groups, TtNcclGroup, i);
      if (group->pieces.n_channels > n_known)
        g_ptr_array_add (
            self->problems,
            g_strdup_printf ("Comm.%s goes over channel %u, of which no rank tells a ring that closes or a tree",
                             group->name, n_known));
    }
}

static TtNcclView *
read_view (TtStore *store, gboolean has_groups, GError **error)
{
  g_autoptr (TtNcclView) self = g_new0 (TtNcclView, 1);

  self->nccl = tt_nccl_new ();
  self->groups = g_array_new (FALSE, FALSE, sizeof (TtNcclGroup));
  self->problems = g_ptr_array_new_with_free_func (g_free);
  if (!read_processes (self, store, error) || (has_groups && !read_groups (self, store, error)))
    return NULL;
  check_channels (self);
  return g_steal_pointer (&self);
}

TtNcclView *
tt_nccl_view_new (TtStore *store, GError **error)
{
  return read_view (store, TRUE, error);
}

TtNcclView *
tt_nccl_view_new_without_groups (TtStore *store, GError **error)
{
  return read_view (store, FALSE, error);
}

void
tt_nccl_view_free (TtNcclView *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; self->pids != NULL && i < self->n_ranks; i++)
    g_free (self->pids[i]);
  g_free (self->pids);
  for (guint i = 0; i < self->groups->len; i++)
    clear_group (&g_array_index (self->groups, TtNcclGroup, i));
  g_array_unref (self->groups);
  tt_nccl_free (self->nccl);
  g_ptr_array_unref (self->problems);
  g_free (self);
}
