/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/import-run.h"

#include "analyzers/pass.h"
#include "formats/plan.h"
#include "src/base/error.h"
#include "src/base/input.h"
#include "src/cli/message.h"

#include <string.h>
#include <sys/stat.h>

/*
 * From paths to a committed run. Whatever fails, the import is freed without commit and the
 * database stays as it was.
 */

typedef struct
{
  const TtPass *pass;
  gpointer prepared;
} PreparedPass;

typedef struct
{
  const TtImportRequest *request;
  GPtrArray *plan; /* of TtPlannedInput */
  TtStoreImport *import;
  TtSink *sink; /* borrows @import; freed first */
  TtProgress *progress;
  GArray *passes; /* of PreparedPass */
} ImportRun;

static void
import_run_clear (ImportRun *self)
{
  for (guint i = 0; self->passes != NULL && i < self->passes->len; i++)
    {
      PreparedPass *prepared = &g_array_index (self->passes, PreparedPass, i);
      if (prepared->prepared != NULL)
        prepared->pass->release (prepared->prepared);
    }
  g_clear_pointer (&self->sink, tt_sink_free);
  g_clear_pointer (&self->progress, tt_progress_free);
  g_clear_pointer (&self->import, tt_store_import_free);
  g_clear_pointer (&self->passes, g_array_unref);
  g_clear_pointer (&self->plan, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ImportRun, import_run_clear)

/* -- the same file twice ------------------------------------------------------------------------- */

static char *
hash_file (const char *path, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);

  return input == NULL ? NULL : tt_input_hash (input, error);
}

/* What is called @path, of these bytes, may be in the run. */
static gboolean
check_source (ImportRun *self, const char *path, guint64 bytes, const char *hash, GError **error)
{
  guint32 source = TT_NO_ID;

  if (!tt_store_import_has_source (self->import, bytes, hash, &source))
    return TRUE;
  if (self->request->replace)
    {
      /* A file with several clocks is several sources. */
      while (tt_store_import_has_source (self->import, bytes, hash, &source))
        if (!tt_store_import_remove_source (self->import, source, error))
          return FALSE;
      return TRUE;
    }

  g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
               "'%s' is already in this run; '--replace' reads it again in place of what is there", path);
  return FALSE;
}

static gboolean
check_known_file (ImportRun *self, const char *path, GError **error)
{
  struct stat facts;

  if (g_str_equal (path, "-") || stat (path, &facts) != 0)
    return TRUE;
  if (!tt_store_import_has_size (self->import, (guint64) facts.st_size))
    return TRUE;

  g_autofree char *hash = hash_file (path, error);
  return hash != NULL && check_source (self, path, (guint64) facts.st_size, hash, error);
}

static gboolean
check_known_set (ImportRun *self, const TtPlannedInput *input, GError **error)
{
  const TtInputSet *set = input->set;
  guint64 bytes = 0;

  if (input->format->fingerprint != NULL)
    {
      g_autofree char *hash = NULL;
      if (!input->format->fingerprint (set, &bytes, NULL, error))
        return FALSE;
      if (!tt_store_import_has_size (self->import, bytes))
        return TRUE;
      return input->format->fingerprint (set, &bytes, &hash, error) &&
             check_source (self, set->root != NULL ? set->root : set->paths->pdata[0], bytes, hash, error);
    }
  for (guint i = 0; i < set->paths->len; i++)
    if (!check_known_file (self, set->paths->pdata[i], error))
      return FALSE;
  return TRUE;
}

/* Sizes and first bytes of the files of @set: what differs in these is not the same input. Free it;
 * NULL: cannot tell. */
static char *
sketch_set (const TtInputSet *set)
{
  g_autoptr (GString) sketch = g_string_new (NULL);

  for (guint i = 0; i < set->paths->len; i++)
    {
      guint8 head[TT_PROBE_BYTES];
      struct stat facts;
      const char *path = g_ptr_array_index (set->paths, i);

      if (g_str_equal (path, "-") || stat (path, &facts) != 0)
        return NULL;
      gssize len = tt_input_peek (path, head, sizeof head, NULL, NULL);
      if (len < 0)
        return NULL;
      g_autofree char *digest = g_compute_checksum_for_data (G_CHECKSUM_MD5, head, (gsize) len);
      g_string_append_printf (sketch, "%" G_GINT64_FORMAT " %s\n", (gint64) facts.st_size, digest);
    }
  return g_string_free (g_steal_pointer (&sketch), FALSE);
}

/* -1: error. */
static int
sets_are_equal (const TtInputSet *a, const TtInputSet *b, GError **error)
{
  for (guint i = 0; i < a->paths->len; i++)
    {
      g_autofree char *hash_a = hash_file (g_ptr_array_index (a->paths, i), error);
      g_autofree char *hash_b = hash_a == NULL ? NULL : hash_file (g_ptr_array_index (b->paths, i), error);
      if (hash_b == NULL)
        return -1;
      if (!g_str_equal (hash_a, hash_b))
        return 0;
    }
  return 1;
}

/* Copies of one trace on one command line would count everything twice. With --replace the last stays. */
static gboolean
check_copies (ImportRun *self, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = self->plan->len; i-- > 0;)
    {
      const TtPlannedInput *input = g_ptr_array_index (self->plan, i);
      char *sketch = sketch_set (input->set);
      const TtInputSet *other = sketch == NULL ? NULL : g_hash_table_lookup (seen, sketch);
      int equal = other == NULL ? 0 : sets_are_equal (input->set, other, error);

      if (sketch != NULL)
        g_hash_table_replace (seen, sketch, input->set);
      if (equal < 0)
        return FALSE;
      if (equal == 0)
        continue;
      if (!self->request->replace)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
                       "'%s' and '%s' have the same contents; '--replace' reads only the last of them",
                       (const char *) g_ptr_array_index (input->set->paths, 0),
                       (const char *) g_ptr_array_index (other->paths, 0));
          return FALSE;
        }
      g_hash_table_remove_all (seen);
      g_ptr_array_remove_index (self->plan, i);
      i = self->plan->len;
    }
  return TRUE;
}

/* Only a run that goes on (--add) can know a file already. */
static gboolean
check_known_sources (ImportRun *self, GError **error)
{
  if (!self->request->add)
    return TRUE;

  for (guint i = 0; i < self->plan->len; i++)
    if (!check_known_set (self, g_ptr_array_index (self->plan, i), error))
      return FALSE;
  return TRUE;
}

/* -- passes -------------------------------------------------------------------------------------- */

/* Batches pass the observers on the decoding thread; the other one is busy with the database. */
static void
prepare_passes (ImportRun *self)
{
  self->passes = g_array_new (FALSE, TRUE, sizeof (PreparedPass));
  for (guint i = 0; tt_passes[i] != NULL; i++)
    {
      PreparedPass prepared = { .pass = tt_passes[i] };

      if (prepared.pass->prepare != NULL && !self->request->add)
        {
          prepared.prepared = prepared.pass->prepare ();
          tt_sink_add_observer (self->sink, prepared.pass->observe, prepared.prepared);
        }
      g_array_append_val (self->passes, prepared);
    }
}

static gboolean
run_passes (ImportRun *self, GError **error)
{
  for (guint i = 0; i < self->passes->len; i++)
    {
      const PreparedPass *prepared = &g_array_index (self->passes, PreparedPass, i);
      if (!prepared->pass->run (self->import, prepared->prepared, error))
        {
          g_prefix_error (error, "%s: ", prepared->pass->name);
          return FALSE;
        }
      if (tt_cancelled (error))
        return FALSE;
    }
  return TRUE;
}

/* -- reading ------------------------------------------------------------------------------------- */

static gboolean
make_plan (ImportRun *self, char **paths, GError **error)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  const TtFormat *forced = NULL;

  if (self->request->format != NULL)
    {
      forced = tt_format_by_name (self->request->format, error);
      if (forced == NULL)
        return FALSE;
    }
  self->plan = tt_format_plan (paths, forced, notes, error);
  for (guint i = 0; i < notes->len; i++)
    tt_message ("%s", (const char *) g_ptr_array_index (notes, i));
  if (self->plan == NULL)
    return FALSE;
  if (self->plan->len > 0)
    return TRUE;

  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "'%s' has no trace that tracetool reads", paths[0]);
  return FALSE;
}

static gboolean
begin_import (ImportRun *self, GError **error)
{
  const TtImportRequest *request = self->request;
  const TtStoreImportOptions options = { .command = request->command_line, .add = request->add };
  TtNameRules *rules = tt_name_rules_load (request->name_rules, error);

  if (rules == NULL)
    return FALSE;
  self->import = tt_store_import_begin (request->db_path, &options, tt_names_new (rules), error);
  return self->import != NULL;
}

static gboolean
read_inputs (ImportRun *self, GError **error)
{
  static const TtImportOptions defaults = { .rank = -1 };
  const TtImportOptions *options = self->request->options != NULL ? self->request->options : &defaults;

  self->sink = tt_store_import_sink (self->import);
  tt_sink_add_thread (self->sink);
  prepare_passes (self);
  if (!self->request->quiet)
    self->progress = tt_progress_new ("importing", tt_format_plan_bytes (self->plan), "B");
  self->sink->progress = self->progress;
  if (self->request->filter != NULL)
    tt_sink_set_filter (self->sink, self->request->filter);

  for (guint i = 0; i < self->plan->len; i++)
    {
      const TtPlannedInput *input = g_ptr_array_index (self->plan, i);

      tt_names_set_source (self->sink->names, input->format->name);
      if (!input->format->import (input->set, options, self->sink, error))
        return FALSE;
    }
  if (!tt_sink_finish (self->sink, error))
    return FALSE;
  for (guint i = 0; i < self->sink->notes->len; i++)
    tt_message ("%s", (const char *) g_ptr_array_index (self->sink->notes, i));
  return TRUE;
}

gboolean
tt_import_paths (const TtImportRequest *request, char **paths, GError **error)
{
  g_auto (ImportRun) self = { .request = request };

  tt_cancel_install ();
  if (!make_plan (&self, paths, error) || !check_copies (&self, error) || !begin_import (&self, error) ||
      !check_known_sources (&self, error) || !read_inputs (&self, error))
    return FALSE;

  g_clear_pointer (&self.sink, tt_sink_free);
  g_clear_pointer (&self.progress, tt_progress_free);
  if (!tt_store_import_join (self.import, error) || !run_passes (&self, error) ||
      !tt_store_import_commit (self.import, error))
    return FALSE;

  gint64 old_version;
  if (tt_store_import_upgraded (self.import, &old_version))
    tt_message_upgraded (request->db_path, old_version);
  return TRUE;
}
