/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/import-shards.h"

#include "formats/plan.h"
#include "src/base/error.h"
#include "src/base/look.h"
#include "src/base/output.h"
#include "src/base/paths.h"
#include "src/cli/known-sources.h"
#include "src/cli/message.h"
#include "src/shards/ranks.h"
#include "src/shards/workers.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

/* -- writing shards --------------------------------------------------------------------------------------------------- */

/* Whether anything may be left out is all that a worker asks. */
static gboolean
leave_out_nothing (const char *path, GError **fault, gpointer data)
{
  return FALSE;
}

static gboolean
make_plan (TtShardFolder *self, const TtImportRequest *request, char **paths, GError **error)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  gboolean takes_all = request->options->strict || request->n_left_out == NULL;
  const TtFormat *forced = NULL;

  if (request->format != NULL && (forced = tt_format_by_name (request->format, error)) == NULL)
    return FALSE;
  self->plan = tt_format_plan (paths, forced, notes, takes_all ? NULL : self->unknown, error);
  for (guint i = 0; i < notes->len; i++)
    tt_message ("%s", (const char *) notes->pdata[i]);
  if (self->plan == NULL)
    return FALSE;
  if (self->plan->len == 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "'%s' has no trace that tracetool reads", paths[0]);
      return FALSE;
    }
  for (guint i = 0; i < self->plan->len; i++)
    if (g_ptr_array_find_with_equal_func (((TtPlannedInput *) self->plan->pdata[i])->set->paths, "-", g_str_equal,
                                          NULL))
      {
        g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "standard input cannot be dealt out; give files");
        return FALSE;
      }
  return TRUE;
}

/* Now: where the shards are put together the traces may be gone. */
static gboolean
check_copies (const TtShardFolder *self, GError **error)
{
  TtKnownSources known = { .plan = self->plan, .is_of_shards = TRUE };

  return tt_known_sources_check_copies (&known, error);
}

static gboolean
make_folder (const char *path, gboolean is_resumed, GError **error)
{
  if (tt_shard_folder_is_whole (path))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE, "'%s' is there already; an import makes a new one, remove it first",
                   path);
      return FALSE;
    }
  if (g_mkdir (path, 0777) == 0 || (errno == EEXIST && is_resumed))
    return TRUE;
  if (errno == EEXIST)
    g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                 "'%s' is there, and its import has not ended; '--resume' goes on with it, or remove it", path);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_STORE, "cannot make '%s': %s", path, g_strerror (errno));
  return FALSE;
}

/* The rules by which the shards are to be named when they are joined. */
static gboolean
keep_rules (TtShardFolder *self, const char *name_rules, GError **error)
{
  g_autofree char *text = NULL;
  gsize len;

  if (name_rules == NULL)
    return TRUE;
  self->name_rules = g_build_filename (self->path, "name-rules.ini", NULL);
  return tt_look_contents (name_rules, &text, &len, error) &&
         tt_output_print (self->name_rules, text, (gssize) len, error);
}

/* Shards are put together without their inputs: what these ask of the run before them must be so then, too. */
static gboolean
check_shards (const TtShardFolder *self, const TtImportRequest *request, const guint32 *readers, GError **error)
{
  g_autoptr (TtSink) defined = tt_null_sink_new (tt_names_new (NULL));
  guint n_left_out = self->unknown->len;

  for (guint i = 0; i < self->unknown->len; i++)
    tt_warning ("left out: %s", ((const TtPathFault *) self->unknown->pdata[i])->fault->message);
  for (guint i = 0; i < self->plan->len; i++)
    {
      const TtInputSet *set = ((const TtPlannedInput *) self->plan->pdata[i])->set;
      const char *path = set->paths->pdata[0];
      g_autoptr (TtShard) shard = set->fault != NULL ? NULL : tt_shard_folder_get (self, i, error);
      if (shard == NULL && set->fault == NULL)
        return FALSE;
      const GError *fault = shard == NULL ? set->fault : tt_shard_end (shard)->fault;
      for (guint k = 0; shard != NULL && k < tt_shard_end (shard)->left_out->len; k++, n_left_out++)
        tt_warning ("left out: %s",
                    ((const TtShardLeftOut *) tt_shard_end (shard)->left_out->pdata[k])->fault->message);
      if (fault != NULL && (self->is_strict || self->plan->len == 1))
        {
          g_propagate_error (error, g_error_copy (fault));
          if (tt_shard_ranks () != NULL && shard != NULL)
            g_prefix_error (error, "rank %u: ", readers[i]);
          return FALSE;
        }
      if (fault != NULL)
        tt_warning ("left out: %s", fault->message);
      n_left_out += fault != NULL;
      if (shard == NULL || fault != NULL)
        continue;
      if (!tt_shard_fits (shard, defined))
        {
          g_set_error (
              error, TT_ERROR, TT_ERROR_INPUT,
              "%s: it shares processes or threads with traces before it in a way that shards do not take; import "
              "them into one database: --db FILE.db",
              path);
          return FALSE;
        }
      tt_shard_define (shard, defined);
    }
  if (n_left_out >= self->plan->len + self->unknown->len)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "none of the traces can be read");
      return FALSE;
    }
  if (request->n_left_out != NULL)
    *request->n_left_out = n_left_out;
  return TRUE;
}

/* @told: NULL but on a rank that is told the plan. */
static gboolean
write_shards (const TtShardFolder *self,
              const TtImportRequest *request,
              const TtToldPlan *told,
              guint32 *readers,
              GError **error)
{
  g_autoptr (TtNameRules) rules = tt_name_rules_load (request->name_rules, error);
  TtImportOptions options = *request->options;

  if (rules == NULL)
    return FALSE;
  options.leave_out = self->is_strict ? NULL : leave_out_nothing;
  const TtShardJob job = { .plan = self->plan,
                           .options = &options,
                           .rules = rules,
                           .folder = self->path,
                           .id = self->id,
                           .words = self->words,
                           .scratch = request->scratch };
  if (tt_shard_ranks () != NULL)
    return tt_shard_ranks_write (&job, told, readers, error);
  g_autoptr (TtShardWorkers) workers = tt_shard_workers_start (&job, MAX (request->jobs, 1), error);
  return workers != NULL && tt_shard_workers_finish (workers, error);
}

/* Of an import that was cancelled. */
static void
tell_resume (const TtShardFolder *self, GError **error)
{
  guint n = 0;

  if (error == NULL || !g_error_matches (*error, TT_ERROR, TT_ERROR_CANCELLED))
    return;
  for (guint i = 0; i < self->plan->len; i++)
    n += tt_shard_folder_has (self->path, i);
  g_clear_error (error);
  g_set_error (error, TT_ERROR, TT_ERROR_CANCELLED,
               "cancelled; '%s' has %u of %u shards, and is not read without the others: '--resume' goes on with it",
               self->path, n, self->plan->len);
}

/* As another rank than 0. */
static gboolean
help (TtShardFolder *self, const TtImportRequest *request, char **paths, GError **error)
{
  GError *fault = NULL;
  g_autoptr (TtToldPlan) told = tt_shard_ranks_told (self->words, &fault);

  if (fault != NULL)
    {
      g_propagate_error (error, fault);
      return FALSE;
    }
  if (told != NULL)
    self->plan = g_ptr_array_ref (told->plan);
  else if (!make_plan (self, request, paths, error))
    return FALSE;
  self->id = told != NULL ? g_strdup (tt_shard_ranks ()->id) : tt_shard_folder_id (self->plan, self->words);
  return write_shards (self, request, told, NULL, error);
}

static gboolean
lead (TtShardFolder *self, const TtImportRequest *request, char **paths, gboolean is_resumed, GError **error)
{
  if (!make_plan (self, request, paths, error) || !check_copies (self, error) ||
      !make_folder (self->path, is_resumed, error))
    return FALSE;
  self->id = tt_shard_folder_id (self->plan, self->words);
  g_autofree guint32 *readers = g_new0 (guint32, self->plan->len);
  if (keep_rules (self, request->name_rules, error) && write_shards (self, request, NULL, readers, error) &&
      check_shards (self, request, readers, error) && tt_shard_folder_write_manifest (self, error))
    return TRUE;
  tt_shard_folder_sweep (self->path);
  tell_resume (self, error);
  return FALSE;
}

gboolean
tt_import_shards (const TtImportRequest *request, char **paths, gboolean is_resumed, GError **error)
{
  g_autoptr (TtShardFolder) self = g_new0 (TtShardFolder, 1);

  if (request->filter != NULL || request->add || request->replace)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "a directory of shards takes one import, without '--add', '--replace' and '--config'");
      return FALSE;
    }
  tt_cancel_install ();
  self->path = g_strdup (request->db_path);
  self->command = g_strdup (request->command_line);
  self->words = g_strdup (request->words);
  self->is_strict = request->options->strict || request->n_left_out == NULL;
  self->unknown = g_ptr_array_new_with_free_func (tt_path_fault_free);
  if (tt_shard_ranks () != NULL && tt_shard_ranks ()->rank > 0)
    return help (self, request, paths, error);
  return lead (self, request, paths, is_resumed, error);
}

/* -- reading them ------------------------------------------------------------------------------------------------------- */

gboolean
tt_import_shards_are (const char *path)
{
  return tt_shard_folder_is (path) && tt_look_test (path, G_FILE_TEST_IS_DIR);
}

/* Of an MPI job rank 0 is the one that joins. */
static gboolean
join_shards (const TtImportRequest *request, GError **error)
{
  const TtShardRanks *ranks = tt_shard_ranks ();
  char *no_paths[] = { NULL };

  if (ranks != NULL)
    ranks->use_processors (TRUE);
  gboolean is_done = tt_import_paths (request, no_paths, error);
  if (ranks != NULL)
    ranks->use_processors (FALSE);
  return is_done;
}

char *
tt_import_joined (const char *path, GError **error)
{
  const TtShardRanks *ranks = tt_shard_ranks ();
  /* Rank 0 has looked, and joined them: the others need their database. */
  g_autoptr (TtShardFolder) folder = tt_shard_folder_open (path, ranks == NULL || ranks->rank == 0, error);
  g_autofree char *database = folder == NULL ? NULL : tt_shard_folder_database (folder, error);
  TtImportOptions options = { .rank = -1 };
  guint n_left_out = 0;

  if (database == NULL || tt_path_is_database (database))
    return g_steal_pointer (&database);
  options.strict = folder->is_strict;
  const TtImportRequest request = { .db_path = database,
                                    .command_line = folder->command,
                                    .words = folder->words,
                                    .quiet = TRUE,
                                    .name_rules = folder->name_rules,
                                    .options = &options,
                                    .folder = folder,
                                    .n_left_out = folder->is_strict ? NULL : &n_left_out };
  if (!join_shards (&request, error))
    return NULL;
  tt_message ("joined %u shards into '%s'", folder->plan->len, database);
  return g_steal_pointer (&database);
}
