/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/job/layout.h"
#include "src/base/look.h"

#include <string.h>
#include <sys/stat.h>

/* More than any machine or job has; further directories are ignored. */
#define MAX_RANKS 65536u

static const char *const file_names[TT_N_JOB_FILES] = {
  [TT_JOB_FILE_PROFILE] = "trace.json.gz",
  [TT_JOB_FILE_TEMP] = "temp.json",
  [TT_JOB_FILE_IO] = "io.json",
  [TT_JOB_FILE_COMM] = "comm.json",
  [TT_JOB_FILE_DETAIL] = "comm_detail.json",
  [TT_JOB_FILE_DAG] = "dag.gml",
  [TT_JOB_FILE_RANK_GRAPH] = "nccl_rank_graph.json",
  [TT_JOB_FILE_METADATA] = "metadata.json",
  [TT_JOB_FILE_GRADIENTS] = "gradient_name_list.json",
  [TT_JOB_FILE_GRADIENTS_TEXT] = "gradient_name_list.txt",
  [TT_JOB_FILE_GRADIENT_IDS] = "gradient_name2ID.json",
  [TT_JOB_FILE_SHAPES] = "tensor_shapes.json",
  [TT_JOB_FILE_INFO] = "info.json",
  [TT_JOB_FILE_SYMBOLS] = "symbol_debug_str.txt",
  [TT_JOB_FILE_FINAL_GRAPH] = "final_graph.json",
};

/* Files of the whole job, by TtJobCommon; the first that is there counts. */
static const char *const common_names[TT_N_JOB_COMMON][2] = {
  [TT_JOB_COMMON_LINKS] = { "bps_comm_aligned.json", "comm_timeline.json" },
  [TT_JOB_COMMON_SERVERS] = { "server_timeline.json", NULL },
};

/* -- directories --------------------------------------------------------------------------------------- */

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* Names of the directories in @path, in order. */
static GPtrArray *
list_directories (const char *path)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) directory = tt_look_folder (path, NULL);
  const char *name;

  while (directory != NULL && (name = tt_look_next (directory, path)) != NULL)
    {
      g_autofree char *entry = g_build_filename (path, name, NULL);
      struct stat status;
      if (name[0] != '.' && tt_look_lstat (entry, &status) == 0 && S_ISDIR (status.st_mode))
        g_ptr_array_add (names, g_strdup (name));
    }
  g_ptr_array_sort (names, compare_texts);
  return names;
}

/* -- one GPU ------------------------------------------------------------------------------------------ */

static void
rank_free (gpointer data)
{
  TtJobRank *rank = data;

  for (guint i = 0; i < TT_N_JOB_FILES; i++)
    g_free (rank->path[i]);
  g_free (rank->pid);
  g_free (rank->host);
  g_free (rank->directory);
  g_free (rank);
}

static gboolean
has_file (const TtJobRank *rank, TtJobFile file)
{
  return rank->path[file] != NULL || rank->is_empty[file];
}

/* NULL: @directory has none of the files that make it a GPU's. */
static TtJobRank *
read_rank (const char *directory)
{
  TtJobRank *rank = g_new0 (TtJobRank, 1);

  rank->directory = g_strdup (directory);
  for (guint i = 0; i < TT_N_JOB_FILES; i++)
    {
      g_autofree char *path = g_build_filename (directory, file_names[i], NULL);
      struct stat status;

      if (tt_look_stat (path, &status) != 0 || !S_ISREG (status.st_mode))
        continue;
      if (status.st_size == 0)
        rank->is_empty[i] = TRUE;
      else
        rank->path[i] = g_steal_pointer (&path);
    }
  if (has_file (rank, TT_JOB_FILE_PROFILE) || has_file (rank, TT_JOB_FILE_TEMP) || has_file (rank, TT_JOB_FILE_COMM) ||
      has_file (rank, TT_JOB_FILE_DETAIL))
    return rank;
  rank_free (rank);
  return NULL;
}

static gboolean
has_communication (const TtJobRank *rank)
{
  return has_file (rank, TT_JOB_FILE_COMM) || has_file (rank, TT_JOB_FILE_DETAIL);
}

/* -- the tree -------------------------------------------------------------------------------------------- */

/* The GPUs in the directory of a worker; @host NULL: its name is no part of their pids. */
static guint
add_worker (TtJobLayout *self, const char *path, const char *host)
{
  g_autoptr (GPtrArray) names = list_directories (path);
  guint n_before = self->ranks->len;

  for (guint i = 0; i < names->len && self->ranks->len < MAX_RANKS; i++)
    {
      const char *name = names->pdata[i];
      g_autofree char *directory = g_build_filename (path, name, NULL);
      TtJobRank *rank = read_rank (directory);

      if (rank == NULL)
        continue;
      rank->pid = host == NULL ? g_strconcat ("rank", name, NULL) : g_strconcat (host, ".rank", name, NULL);
      rank->host = g_strdup (host);
      rank->host_index = self->n_hosts;
      g_ptr_array_add (self->ranks, rank);
    }
  return self->ranks->len - n_before;
}

static void
add_workers (TtJobLayout *self)
{
  g_autoptr (GPtrArray) names = list_directories (self->root);

  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *path = g_build_filename (self->root, names->pdata[i], NULL);
      if (add_worker (self, path, names->pdata[i]) > 0)
        self->n_hosts++;
    }
}

static gboolean
is_trace_like (const char *name)
{
  static const char *const suffixes[] = { ".json", ".json.gz", ".json.zst", ".trc" };

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (name, suffixes[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_job_file (const char *name)
{
  for (guint i = 0; i < TT_N_JOB_COMMON; i++)
    for (guint k = 0; k < G_N_ELEMENTS (common_names[i]); k++)
      if (g_strcmp0 (name, common_names[i][k]) == 0)
        return TRUE;
  for (guint i = 0; i < TT_N_JOB_FILES; i++)
    if (g_str_equal (name, file_names[i]))
      return TRUE;
  return FALSE;
}

static void
find_common (TtJobLayout *self)
{
  for (guint i = 0; i < TT_N_JOB_COMMON; i++)
    for (guint k = 0; k < G_N_ELEMENTS (common_names[i]) && self->common[i] == NULL; k++)
      {
        g_autofree char *path =
            common_names[i][k] == NULL ? NULL : g_build_filename (self->root, common_names[i][k], NULL);
        struct stat status;
        if (path != NULL && tt_look_stat (path, &status) == 0 && S_ISREG (status.st_mode) && status.st_size > 0)
          self->common[i] = g_steal_pointer (&path);
      }
}

/* For a note: traces in the folder that are not read with the job. */
static void
list_others (TtJobLayout *self)
{
  g_autoptr (GDir) directory = tt_look_folder (self->root, NULL);
  const char *name;

  while (directory != NULL && (name = tt_look_next (directory, self->root)) != NULL)
    {
      g_autofree char *path = g_build_filename (self->root, name, NULL);
      if (name[0] != '.' && is_trace_like (name) && !is_job_file (name) && tt_look_test (path, G_FILE_TEST_IS_REGULAR))
        g_ptr_array_add (self->others, g_strdup (name));
    }
  g_ptr_array_sort (self->others, compare_texts);
}

TtJobLayout *
tt_job_layout_read (const char *root)
{
  g_autoptr (TtJobLayout) self = g_new0 (TtJobLayout, 1);
  TtJobRank *alone = read_rank (root);

  self->root = g_strdup (root);
  self->ranks = g_ptr_array_new_with_free_func (rank_free);
  self->others = g_ptr_array_new_with_free_func (g_free);
  if (alone != NULL)
    g_ptr_array_add (self->ranks, alone);
  else if (add_worker (self, root, NULL) > 0)
    self->level = 1;
  else
    {
      self->level = 2;
      add_workers (self);
    }
  if (self->ranks->len == 0)
    return NULL;

  TtJobRank *first = self->ranks->pdata[0];
  self->n_hosts = MAX (self->n_hosts, 1);
  find_common (self);
  if (self->ranks->len == 1 && self->common[TT_JOB_COMMON_LINKS] == NULL &&
      (self->level == 0 || !has_communication (first)))
    {
      g_free (first->pid);
      first->pid = g_strdup ("default");
    }
  list_others (self);
  return g_steal_pointer (&self);
}

void
tt_job_layout_free (TtJobLayout *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->ranks, g_ptr_array_unref);
  g_clear_pointer (&self->others, g_ptr_array_unref);
  for (guint i = 0; i < TT_N_JOB_COMMON; i++)
    g_free (self->common[i]);
  g_free (self->root);
  g_free (self);
}

/* Many things are called trace.json.gz or metadata.json: it takes a name of a job's own, or two that go together. */
static gboolean
is_certain_rank (const TtJobRank *rank)
{
  gboolean has_operators = has_file (rank, TT_JOB_FILE_PROFILE) || has_file (rank, TT_JOB_FILE_TEMP);

  if (has_file (rank, TT_JOB_FILE_DETAIL) || (has_file (rank, TT_JOB_FILE_COMM) && has_operators))
    return TRUE;
  for (guint i = TT_JOB_FILE_DAG; i < TT_N_JOB_FILES; i++)
    if (i != TT_JOB_FILE_INFO && i != TT_JOB_FILE_METADATA && has_file (rank, (TtJobFile) i))
      return TRUE;
  return has_operators && has_file (rank, TT_JOB_FILE_IO);
}

gboolean
tt_job_layout_is_certain (const TtJobLayout *self)
{
  if (self->common[TT_JOB_COMMON_LINKS] != NULL)
    return TRUE;
  for (guint i = 0; i < self->ranks->len; i++)
    if (is_certain_rank (self->ranks->pdata[i]))
      return TRUE;
  return FALSE;
}

const char *
tt_job_layout_find (const TtJobLayout *self, const TtJobRank *rank, TtJobFile file)
{
  if (rank != NULL && rank->path[file] != NULL)
    return rank->path[file];
  for (guint i = 0; i < self->ranks->len; i++)
    {
      const TtJobRank *other = self->ranks->pdata[i];
      if (other->path[file] != NULL)
        return other->path[file];
    }
  return NULL;
}

void
tt_job_layout_forget (TtJobLayout *self, const char *path)
{
  g_autofree char *gone = g_strdup (path);

  for (guint i = 0; i < self->ranks->len; i++)
    {
      TtJobRank *rank = self->ranks->pdata[i];
      for (guint file = 0; file < TT_N_JOB_FILES; file++)
        if (g_strcmp0 (rank->path[file], gone) == 0)
          g_clear_pointer (&rank->path[file], g_free);
    }
  for (guint i = 0; i < TT_N_JOB_COMMON; i++)
    if (g_strcmp0 (self->common[i], gone) == 0)
      g_clear_pointer (&self->common[i], g_free);
}

/* -- notes ------------------------------------------------------------------------------------------------ */

typedef struct
{
  guint n_missing, n_empty;
  const TtJobRank *first;
} Missing;

static Missing
count_missing (const TtJobLayout *self, TtJobFile file, TtJobFile instead)
{
  Missing missing = { 0 };

  for (guint i = 0; i < self->ranks->len; i++)
    {
      const TtJobRank *rank = self->ranks->pdata[i];
      if (rank->path[file] != NULL || rank->path[instead] != NULL)
        continue;
      if (missing.n_missing++ == 0)
        missing.first = rank;
      missing.n_empty += rank->is_empty[file] || rank->is_empty[instead];
    }
  return missing;
}

static void
note_missing (const TtJobLayout *self, TtJobFile file, TtJobFile instead, const char *meaning, GPtrArray *notes)
{
  Missing missing = count_missing (self, file, instead);
  g_autofree char *other = instead == file ? g_strdup ("") : g_strdup_printf (" and no %s", file_names[instead]);

  if (missing.n_missing == 0)
    return;
  if (missing.n_missing == missing.n_empty && missing.n_missing == self->ranks->len)
    g_ptr_array_add (notes, g_strdup_printf ("%s: %s is empty: %s", self->root, file_names[file], meaning));
  else if (missing.n_missing == self->ranks->len)
    g_ptr_array_add (notes, g_strdup_printf ("%s: no %s%s: %s", self->root, file_names[file], other, meaning));
  else
    g_ptr_array_add (notes, g_strdup_printf ("%s: %u of %u GPUs (%s%s) have no %s%s%s: %s", self->root,
                                             missing.n_missing, self->ranks->len, missing.first->pid,
                                             missing.n_missing > 1 ? " ..." : "", file_names[file], other,
                                             missing.n_empty > 0 ? ", or an empty one" : "", meaning));
}

/* A file that one GPU writes for all. */
static void
note_missing_everywhere (const TtJobLayout *self, TtJobFile file, const char *meaning, GPtrArray *notes)
{
  if (tt_job_layout_find (self, NULL, file) == NULL)
    g_ptr_array_add (notes, g_strdup_printf ("%s: no %s: %s", self->root, file_names[file], meaning));
}

static void
note_others (const TtJobLayout *self, GPtrArray *notes)
{
  guint n = self->others->len;

  if (n == 1)
    g_ptr_array_add (notes, g_strdup_printf ("%s/%s is left aside: it is no file of one GPU; import it by itself",
                                             self->root, (const char *) self->others->pdata[0]));
  else if (n > 1)
    g_ptr_array_add (notes,
                     g_strdup_printf ("%s: %u files are left aside (%s ...): they are no files of one GPU; import "
                                      "them by themselves",
                                      self->root, n, (const char *) self->others->pdata[0]));
}

void
tt_job_layout_note (const TtJobLayout *self, GPtrArray *notes)
{
  gboolean has_servers = self->common[TT_JOB_COMMON_LINKS] != NULL || self->common[TT_JOB_COMMON_SERVERS] != NULL;
  gboolean is_alone = self->ranks->len == 1 && !has_servers && !has_communication (self->ranks->pdata[0]);

  note_missing (self, TT_JOB_FILE_PROFILE, TT_JOB_FILE_TEMP, "no operators (FW, BW, UPDATE_), no steps", notes);
  /* Whether metadata.json has a graph is known only when it is read. */
  if (tt_job_layout_find (self, NULL, TT_JOB_FILE_SYMBOLS) == NULL &&
      tt_job_layout_find (self, NULL, TT_JOB_FILE_FINAL_GRAPH) == NULL &&
      tt_job_layout_find (self, NULL, TT_JOB_FILE_METADATA) == NULL)
    note_missing_everywhere (self, TT_JOB_FILE_DAG, "UPDATE_ and BW operators are known by name only", notes);
  if (has_servers && self->common[TT_JOB_COMMON_LINKS] == NULL)
    g_ptr_array_add (
        notes, g_strdup_printf ("%s: no comm_timeline.json: no transfers between workers and servers", self->root));
  if (has_servers && self->common[TT_JOB_COMMON_SERVERS] == NULL)
    g_ptr_array_add (notes, g_strdup_printf ("%s: no server_timeline.json: no work of the servers", self->root));
  if (!is_alone && !has_servers)
    {
      note_missing (self, TT_JOB_FILE_COMM, TT_JOB_FILE_COMM,
                    "no Horovod events, and no Sync to align its host's clock by", notes);
      note_missing (self, TT_JOB_FILE_DETAIL, TT_JOB_FILE_DETAIL, "no SEND and RECV of single chunks", notes);
      note_missing (self, TT_JOB_FILE_RANK_GRAPH, TT_JOB_FILE_RANK_GRAPH, "no connections of NCCL for its rank", notes);
    }
  if (tt_job_layout_find (self, NULL, TT_JOB_FILE_GRADIENTS) == NULL &&
      tt_job_layout_find (self, NULL, TT_JOB_FILE_GRADIENTS_TEXT) == NULL &&
      tt_job_layout_find (self, NULL, TT_JOB_FILE_GRADIENT_IDS) == NULL && !is_alone)
    note_missing_everywhere (self, TT_JOB_FILE_METADATA, "tensors have numbers only", notes);
  note_others (self, notes);
}
