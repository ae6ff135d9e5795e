/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/session.h"

#include "formats/plan.h"
#include "src/base/failure.h"
#include "src/base/look.h"
#include "src/base/paths.h"
#include "src/base/unpacked.h"
#include "src/base/version.h"
#include "src/cli/clock-facts.h"
#include "src/cli/import-run.h"
#include "src/cli/import-shards.h"
#include "src/cli/run-facts.h"
#include "src/store/side-files.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * A cache is an ordinary database with one run. The run's command ends in a comment with the
 * signature of its inputs, so that one file tells whether it still fits.
 */
#define SIGNATURE_MARK " # cache "

static gboolean
add_file (GChecksum *checksum, const char *path, GError **error)
{
  struct stat facts;

  if (tt_look_stat (path, &facts) != 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot read '%s': %s", path, g_strerror (errno));
      return FALSE;
    }

  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *line =
      g_strdup_printf ("%s\n%" G_GINT64_FORMAT " %" G_GINT64_FORMAT ".%09ld\n", absolute, (gint64) facts.st_size,
                       (gint64) facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
  g_checksum_update (checksum, (const guchar *) line, -1);
  return TRUE;
}

/* The build that imports; path, size and time of change of every file that an import of @paths would read. *first: what the
 * cache is named after, the folder given or the first file. Free both. */
static char *
sign_inputs (char **paths, char **first, GError **error)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) inputs = tt_format_plan (paths, NULL, notes, NULL, error);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  if (inputs == NULL)
    return NULL;
  if (inputs->len == 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "'%s' has no trace that tracetool reads", paths[0]);
      return NULL;
    }

  g_checksum_update (checksum, (const guchar *) tt_version_build, -1);
  g_checksum_update (checksum, (const guchar *) "\n", 1);
  for (guint i = 0; i < inputs->len; i++)
    {
      const TtPlannedInput *input = g_ptr_array_index (inputs, i);
      for (guint k = 0; k < input->set->paths->len; k++)
        if (!add_file (checksum, tt_unpacked_archive (g_ptr_array_index (input->set->paths, k)), error))
          return NULL;
    }
  if (tt_look_test (paths[0], G_FILE_TEST_IS_DIR))
    *first = g_canonicalize_filename (paths[0], NULL);
  else
    *first = g_strdup (tt_unpacked_archive (
        g_ptr_array_index (((const TtPlannedInput *) g_ptr_array_index (inputs, 0))->set->paths, 0)));
  return g_strndup (g_checksum_get_string (checksum), 32);
}

char *
tt_command_cache_folder (void)
{
  return g_build_filename (g_get_user_cache_dir (), "tracetool", NULL);
}

/* Beside the first input, or in the user's cache when that folder cannot be written. Free it. */
static char *
cache_path (const char *first, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (first);

  if (tt_look_access (folder, W_OK))
    return g_strdup_printf ("%s.tracetool.db", first);
  if (!tt_failure_check (error))
    return NULL;

  g_autofree char *absolute = g_canonicalize_filename (first, NULL);
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, absolute, -1);
  g_autofree char *base = g_path_get_basename (first);
  g_autofree char *caches = tt_command_cache_folder ();
  if (g_mkdir_with_parents (caches, 0700) != 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                   "neither '%s' nor the cache folder '%s' can be written (%s); import it where you can write: "
                   "tracetool import --db FILE ...",
                   folder, caches, g_strerror (errno));
      return NULL;
    }

  g_autofree char *name = g_strdup_printf ("%s-%.12s.tracetool.db", base, digest);
  return g_build_filename (caches, name, NULL);
}

static gboolean
has_signature (TtStore *store, const char *signature)
{
  guint n = 0;
  const TtRun *runs = tt_store_runs (store, &n);
  g_autofree char *tail = g_strconcat (SIGNATURE_MARK, signature, NULL);

  return n == 1 && runs[0].command != NULL && g_str_has_suffix (runs[0].command, tail);
}

/* The cache at @path if it is there and still fits. */
static TtStore *
open_cache (const char *path, const char *signature)
{
  if (!tt_path_is_database (path))
    return NULL;

  g_autoptr (TtStore) store = tt_store_open (path, NULL);
  if (store == NULL || tt_store_is_old (store, NULL) || !tt_store_select_run (store, "all", NULL) ||
      !has_signature (store, signature))
    return NULL;
  return g_steal_pointer (&store);
}

/* What stands there is an old cache: its name says so. Anything that is no database stays. */
static gboolean
remove_old_cache (const char *path, GError **error)
{
  if (tt_look_test (path, G_FILE_TEST_EXISTS) && (!tt_path_is_database (path) || g_unlink (path) != 0))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                   "'%s' is in the way of the cache of that name; move it away, or use 'tracetool import --db FILE'",
                   path);
      return FALSE;
    }
  tt_side_files_remove (path);
  return TRUE;
}

static gboolean
fill_cache (const char *path, char **paths, const char *signature, GError **error)
{
  g_autofree char *words = tt_shell_words (paths);
  g_autofree char *command = g_strconcat ("tracetool import ", words, SIGNATURE_MARK, signature, NULL);
  const TtImportRequest request = { .db_path = path, .command_line = command, .words = "" };

  if (!remove_old_cache (path, error) || !tt_import_paths (&request, paths, error))
    return FALSE;
  tt_message ("imported into the cache '%s'", path);
  return TRUE;
}

static TtStore *
open_traces (const TtContext *context, char **paths, GError **error)
{
  g_autofree char *first = NULL;

  for (char **path = paths; *path != NULL; path++)
    if (g_str_equal (*path, "-"))
      {
        g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                     "standard input can be read only once; import it first: tracetool import - < FILE");
        return NULL;
      }

  g_autofree char *signature = sign_inputs (paths, &first, error);
  if (signature == NULL)
    return NULL;
  g_autofree char *path = cache_path (first, error);
  if (path == NULL)
    return NULL;

  TtStore *store = open_cache (path, signature);
  if (store != NULL)
    {
      tt_message ("using the cache '%s'", path);
      return store;
    }
  if (!fill_cache (path, paths, signature, error) || (store = tt_store_open (path, error)) == NULL)
    return NULL;
  if (tt_store_select_run (store, NULL, error) && tt_doubts_tell (store, error) && tt_clock_facts_tell (store, error))
    return store;
  tt_store_free (store);
  return NULL;
}

char *
tt_command_database (const char *path, GError **error)
{
  return tt_import_shards_are (path) ? tt_import_joined (path, error) : g_strdup (path);
}

/* A database, or the one that is made of a directory of shards. */
static TtStore *
open_path (const char *path, GError **error)
{
  g_autofree char *database = tt_command_database (path, error);
  TtStore *store = database == NULL ? NULL : tt_store_open (database, error);

  if (store != NULL)
    tt_store_show_as (store, path);
  return store;
}

static TtStore *
open_database (const TtContext *context, char **paths, GError **error)
{
  gboolean has_paths = paths != NULL && *paths != NULL;

  if (has_paths && context->db_given)
    tt_message ("'--db %s' is not used: what is read is named after the command", context->db_path);
  if (!has_paths)
    return open_path (context->db_path, error);
  if (paths[1] == NULL &&
      (tt_import_shards_are (paths[0]) || (tt_path_is_database (paths[0]) && !tt_path_is_unsigned_database (paths[0]))))
    return open_path (paths[0], error);
  return open_traces (context, paths, error);
}

static gboolean
choose_clock (TtStore *store, const char *word, GError **error)
{
  for (int i = 0; word != NULL && i < TT_N_CORRECTIONS; i++)
    if (g_str_equal (word, tt_correction_text ((TtCorrection) i)))
      return tt_store_choose_correction (store, (TtCorrection) i, error);
  if (word == NULL)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--clock %s': it is original, linear or logical", word);
  return FALSE;
}

TtStore *
tt_command_open_store (const TtContext *context, char **paths, GError **error)
{
  g_autoptr (TtStore) store = open_database (context, paths, error);

  if (store == NULL || !choose_clock (store, context->clock, error) ||
      !tt_store_select_run (store, context->run, error))
    return NULL;
  return g_steal_pointer (&store);
}

TtStore *
tt_command_open_any_store (const TtContext *context, char **paths, GError **error)
{
  g_autoptr (TtStore) store = open_database (context, paths, error);

  if (store == NULL || !choose_clock (store, context->clock, error) ||
      ((context->run != NULL || !tt_store_is_empty (store)) && !tt_store_select_run (store, context->run, error)))
    return NULL;
  return g_steal_pointer (&store);
}

gboolean
tt_command_check_one_run (TtStore *store, GError **error)
{
  guint n;

  tt_store_runs (store, &n);
  if (n <= 1)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "this command reads one run, not %u: choose it with '--run N'", n);
  return FALSE;
}

void
tt_command_nothing_matches (const char *what, const TtSelection *selection, TtStore *store)
{
  if (!tt_failure_check (NULL))
    return; /* nobody knows; the error follows */

  g_autofree char *hint = selection == NULL || store == NULL ? NULL : tt_selection_hint (selection, store);

  tt_message ("no %s matches%s%s", what, hint != NULL ? ": " : "", hint != NULL ? hint : "");
}

gboolean
tt_command_tell_gap (TtStore *store, TtGap gap, GError **error)
{
  guint n = 0;

  if (!tt_store_count_gap (store, gap, &n, error))
    return FALSE;
  if (n > 0)
    tt_message ("an older tracetool imported %u %s of '%s': %s is not known; 'import --again' of the traces gets it", n,
                n == 1 ? "source" : "sources", tt_store_shown (store), tt_gap_text (gap));
  return TRUE;
}
