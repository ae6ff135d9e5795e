#include "config.h"

#include "analyzers/communication/nccl-view.h"

#include <string.h>

#include "src/store/query.h"

/* Of loops, channels, slices, chunks: more are not believed. */
#define MOST_PIECES (1u << 16)

/* -- what one process says ---------------------------------------------------------------------------- */

typedef struct
{
  const char *pid;
  TtNccl *nccl;
  GPtrArray *problems;
  TtNcclAlgo algo;
  gint own;
  guint n_said;
} Said;

static const char *
text_of (const TtCell *cell, char buffer[32])
{
  if (cell->kind == TT_CELL_TEXT)
    return cell->text;
  g_snprintf (buffer, 32, "%" G_GINT64_FORMAT, cell->kind == TT_CELL_INT ? cell->integer : -1);
  return buffer;
}

static void
take_own (Said *self, gint own)
{
  if (self->own != TT_NCCL_NONE && own != TT_NCCL_NONE && self->own != own)
    g_ptr_array_add (self->problems, g_strdup_printf ("%s speaks of itself as rank %d and as rank %d (%s)", self->pid,
                                                      self->own, own, tt_nccl_algo_text (self->algo)));
  else if (own != TT_NCCL_NONE)
    self->own = own;
}

static gboolean
take_connection (const TtCell *cells, guint n, gpointer data)
{
  Said *self = data;
  g_autoptr (GError) error = NULL;
  char key[32], value[32];
  gint own;
  const char *text = text_of (&cells[1], value);
  gint64 channel = g_ascii_strtoll (text_of (&cells[0], key), NULL, 10);
  gboolean is_good;

  if (self->algo == TT_NCCL_TREE)
    is_good = tt_nccl_add_tree (self->nccl, text, &own, &error);
  else
    is_good = tt_nccl_add_ring (self->nccl, self->algo, (guint) CLAMP (channel, 0, G_MAXINT), text, &own, &error);
  if (is_good)
    take_own (self, own);
  else
    g_ptr_array_add (self->problems, g_strdup_printf ("%s: %s", self->pid, error->message));
  self->n_said++;
  return TRUE;
}

gboolean
tt_nccl_read_process (TtStore *store,
                      const TtProcess *process,
                      TtNccl *nccl,
                      GPtrArray *problems,
                      gint *own,
                      guint *n_said,
                      GError **error)
{
  static const struct
  {
    const char *member;
    TtNcclAlgo algo;
  } members[] = { { "RealRing", TT_NCCL_RING }, { "Ring", TT_NCCL_RING_POSSIBLE }, { "Tree", TT_NCCL_TREE } };
  Said said = { .pid = process->pid, .nccl = nccl, .problems = problems, .own = TT_NCCL_NONE };

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autofree char *sql =
          g_strdup_printf ("SELECT j.key, j.value FROM metadata m, json_each (m.value, '$.%s') j WHERE m.process = %u"
                           " AND m.thread IS NULL AND m.key = 'nccl_rank_graph' AND json_valid (m.value) ORDER BY j.id",
                           members[i].member, process->id);
      said.algo = members[i].algo;
      if (!tt_store_query (store, sql, NULL, take_connection, &said, error))
        return FALSE;
    }
  *own = said.own;
  *n_said = said.n_said;
  return TRUE;
}

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

static gboolean
take_speaker (const TtCell *cells, guint n, gpointer speakers)
{
  g_hash_table_add (speakers, GUINT_TO_POINTER ((guint) cells[0].integer));
  return TRUE;
}

static gboolean
read_processes (TtNcclView *self, TtStore *store, GError **error)
{
  guint n, n_speakers = 0;
  const TtProcess *processes = tt_store_processes (store, &n);
  g_autofree gint *owns = g_new (gint, (gsize) n + 1);
  g_autofree gboolean *speaks = g_new0 (gboolean, (gsize) n + 1);
  g_autoptr (GHashTable) speakers = g_hash_table_new (NULL, NULL);

  if (!tt_store_query (store, "SELECT DISTINCT process FROM metadata WHERE key = 'nccl_rank_graph'", NULL, take_speaker,
                       speakers, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      guint n_said = 0;

      owns[i] = TT_NCCL_NONE;
      if (g_hash_table_contains (speakers, GUINT_TO_POINTER (processes[i].id)) &&
          !tt_nccl_read_process (store, &processes[i], self->nccl, self->problems, &owns[i], &n_said, error))
        return FALSE;
      speaks[i] = n_said > 0;
      n_speakers += speaks[i];
    }
  tt_nccl_join (self->nccl);
  for (guint i = 0; i < tt_nccl_problems (self->nccl)->len; i++)
    g_ptr_array_add (self->problems, g_strdup (tt_nccl_problems (self->nccl)->pdata[i]));
  self->n_ranks = tt_nccl_n_ranks (self->nccl);
  self->pids = g_new0 (char *, (gsize) self->n_ranks + 1);
  for (guint i = 0; i < n; i++)
    {
      const TtProcess *process = &processes[i];

      if (!speaks[i])
        {
          if (n_speakers > 0 && process->rank >= 0)
            g_ptr_array_add (self->problems, g_strdup_printf ("%s does not say what it is connected to", process->pid));
          name_rank (self, (gint) CLAMP (process->rank, -1, G_MAXINT), process->pid);
          continue;
        }
      if (owns[i] != TT_NCCL_NONE && process->rank >= 0 && process->rank != owns[i])
        g_ptr_array_add (self->problems,
                         g_strdup_printf ("%s speaks of itself as rank %d, and is rank %" G_GINT64_FORMAT " of the job",
                                          process->pid, owns[i], process->rank));
      name_rank (self, owns[i] != TT_NCCL_NONE ? owns[i] : (gint) CLAMP (process->rank, -1, G_MAXINT), process->pid);
    }
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
  GHashTable *numbers; /* op_name -> number + 1 */
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
find_group (GroupSearch *self, const char *name)
{
  GArray *groups = self->view->groups;
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, name));

  if (number == 0)
    {
      TtNcclGroup group = { .name = g_strdup (name), .n_tensors = count_tensors (name) };
      g_array_append_val (groups, group);
      number = groups->len;
      g_hash_table_insert (self->numbers, group.name, GUINT_TO_POINTER (number));
    }
  return &g_array_index (groups, TtNcclGroup, number - 1);
}

/* Sub-operations that only Horovod over NCCL has: messages of MPI have others. */
static gboolean
is_of_nccl (const char *sub_op)
{
  static const char *const words[] = { "QUEUE", "MEMCPY_IN_FUSION_BUFFER", "NCCL_ALLREDUCE", "MEMCPY_OUT_FUSION_BUFFER",
                                       NULL };

  return g_strv_contains (words, sub_op);
}

void
tt_nccl_widen (const TtStoredName *name, guint *n_loops, guint *n_channels, guint *n_chunks, guint *n_slices)
{
  guint *const highest[] = { n_loops, n_channels, n_chunks, n_slices };
  guint number[G_N_ELEMENTS (highest)];
  const char *at = name->suffix;

  if (at == NULL || g_strcmp0 (name->op_cat, "Comm") != 0 ||
      (g_strcmp0 (name->sub_op, "SEND") != 0 && g_strcmp0 (name->sub_op, "RECV") != 0))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (number); i++)
    {
      char *end;
      if ((i > 0 && *at++ != '_') || !g_ascii_isdigit (*at))
        return;
      guint64 value = g_ascii_strtoull (at, &end, 10);
      if (value > MOST_PIECES)
        return;
      number[i] = (guint) value;
      at = end;
    }
  for (guint i = 0; i < G_N_ELEMENTS (number); i++)
    *highest[i] = MAX (*highest[i], number[i] + 1);
}

static gboolean
take_name (const TtStoredName *name, gpointer data)
{
  GroupSearch *self = data;

  if (g_strcmp0 (name->op_cat, "Comm") != 0 || name->op_name == NULL || name->sub_op == NULL)
    return TRUE;
  gboolean is_piece = strcmp (name->sub_op, "SEND") == 0 || strcmp (name->sub_op, "RECV") == 0;
  if (is_piece ? name->suffix == NULL : !is_of_nccl (name->sub_op))
    return TRUE;

  TtNcclGroup *group = find_group (self, name->op_name);
  tt_nccl_widen (name, &group->n_loops, &group->n_channels, &group->n_chunks, &group->n_slices);
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

/* Numbers by value, and before texts. */
static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const char *x = ((const TtNcclGroup *) a)->name, *y = ((const TtNcclGroup *) b)->name;
  guint64 first = g_ascii_strtoull (x, NULL, 10), second = g_ascii_strtoull (y, NULL, 10);
  gboolean is_number = g_ascii_isdigit (*x), is_other_number = g_ascii_isdigit (*y);

  if (is_number != is_other_number)
    return is_number ? -1 : 1;
  if (first != second)
    return first < second ? -1 : 1;
  return strcmp (x, y);
}

static gboolean
read_groups (TtNcclView *self, TtStore *store, GError **error)
{
  g_autoptr (GHashTable) numbers = g_hash_table_new (g_str_hash, g_str_equal);
  GroupSearch search = { self, numbers };
  guint n = 0;

  if (!tt_store_each_name (store, take_name, &search, error))
    return FALSE;
  g_autoptr (GHashTable) largest = largest_groups (self->groups);
  for (guint i = 0; i < self->groups->len; i++)
    {
      TtNcclGroup *group = &g_array_index (self->groups, TtNcclGroup, i);

      if (group->n_chunks == 0 && is_outgrown (group, largest))
        clear_group (group);
      else
        g_array_index (self->groups, TtNcclGroup, n++) = *group;
    }
  /* The rest has moved or is cleared. */
  self->groups->len = n;
  g_array_sort (self->groups, compare_groups);
  return TRUE;
}

/* What the detail traces name must be connected. */
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
      if (group->n_channels > n_known)
        g_ptr_array_add (
            self->problems,
            g_strdup_printf ("Comm.%s goes over channel %u, of which no rank tells a ring that closes or a tree",
                             group->name, n_known));
    }
}

TtNcclView *
tt_nccl_view_new (TtStore *store, GError **error)
{
  g_autoptr (TtNcclView) self = g_new0 (TtNcclView, 1);

  self->nccl = tt_nccl_new ();
  self->groups = g_array_new (FALSE, FALSE, sizeof (TtNcclGroup));
  self->problems = g_ptr_array_new_with_free_func (g_free);
  if (!read_processes (self, store, error) || !read_groups (self, store, error))
    return NULL;
  check_channels (self);
  return g_steal_pointer (&self);
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
