/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/import-run.h"

#include "formats/plan.h"
#include "src/base/error.h"
#include "src/base/failure.h"
#include "src/base/units.h"
#include "src/cli/import-passes.h"
#include "src/cli/known-sources.h"
#include "src/cli/message.h"
#include "src/shards/workers.h"

/* The observer sorts what it has gathered every 32 batches, while the others go on. */
#define OBSERVER_BATCHES 5u
#define WRITER_BATCHES 3u

/*
 * From paths to a committed run. Whatever fails, the import is freed without commit and the
 * database stays as it was.
 */

typedef struct
{
  const TtImportRequest *request;
  GPtrArray *plan; /* of TtPlannedInput */
  TtStoreImport *import;
  TtShardWorkers *workers; /* NULL: inputs are decoded here */
  TtNameRules *rules;      /* of @workers */
  TtImportOptions options; /* of all inputs */
  TtSink *sink;            /* borrows @import; freed first */
  TtProgress *progress;
  TtImportPasses *passes;
  GPtrArray *left_out;       /* of char *: what is said of each that is */
  GPtrArray *left_out_paths; /* likewise */
  gboolean has_disorder;     /* a file is not as ordered as it seemed: all was or is begun anew */
  gboolean is_broken;        /* an input turned out to be so when rows of it were written: see read_anew() */
} ImportRun;

static void
import_run_reset (ImportRun *self)
{
  /* Its threads use the passes. */
  g_clear_pointer (&self->sink, tt_sink_free);
  g_clear_pointer (&self->passes, tt_import_passes_free);
  g_clear_pointer (&self->progress, tt_progress_free);
  g_clear_pointer (&self->import, tt_store_import_free);
}

static void
import_run_clear (ImportRun *self)
{
  import_run_reset (self);
  g_clear_pointer (&self->workers, tt_shard_workers_free);
  g_clear_pointer (&self->rules, tt_name_rules_unref);
  g_clear_pointer (&self->plan, g_ptr_array_unref);
  g_clear_pointer (&self->left_out, g_ptr_array_unref);
  g_clear_pointer (&self->left_out_paths, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ImportRun, import_run_clear)

/* -- reading ------------------------------------------------------------------------------------- */

static gboolean
leave_out (const char *path, GError **fault, gpointer data)
{
  ImportRun *self = data;

  if (!tt_failure_is_of_input (*fault))
    return FALSE;
  if (strstr ((*fault)->message, path) != NULL)
    g_ptr_array_add (self->left_out, g_strdup_printf ("left out: %s", (*fault)->message));
  else
    g_ptr_array_add (self->left_out, g_strdup_printf ("left out '%s': %s", path, (*fault)->message));
  g_ptr_array_add (self->left_out_paths, g_strdup (path));
  g_clear_error (fault);
  ++*self->request->n_left_out;
  return TRUE;
}

/* The files that no format knows, unless the import needs all. */
static gboolean
leave_out_unknown (ImportRun *self, const GPtrArray *faults, GError **error)
{
  gboolean needs_all = self->request->options != NULL && self->request->options->strict;

  for (guint i = 0; i < faults->len; i++)
    {
      TtPathFault *unknown = faults->pdata[i];
      if (!needs_all && self->plan->len > 0 && leave_out (unknown->path, &unknown->fault, self))
        continue;
      g_propagate_error (error, g_steal_pointer (&unknown->fault));
      return FALSE;
    }
  return TRUE;
}

static gboolean
make_plan (ImportRun *self, char **paths, GError **error)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (tt_path_fault_free);
  const TtImportRequest *request = self->request;
  const TtFormat *forced = NULL;

  if (request->folder != NULL)
    {
      self->plan = g_ptr_array_ref (request->folder->plan);
      return leave_out_unknown (self, request->folder->unknown, error);
    }
  if (self->request->format != NULL)
    {
      forced = tt_format_by_name (self->request->format, error);
      if (forced == NULL)
        return FALSE;
    }
  self->plan = tt_format_plan (paths, forced, notes, request->n_left_out == NULL ? NULL : faults, error);
  for (guint i = 0; i < notes->len; i++)
    tt_message ("%s", (const char *) g_ptr_array_index (notes, i));
  if (self->plan == NULL)
    {
      if (faults->len > 0 && error != NULL)
        {
          g_clear_error (error);
          *error = g_steal_pointer (&((TtPathFault *) faults->pdata[0])->fault);
        }
      return FALSE;
    }
  if (!leave_out_unknown (self, faults, error))
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
  const TtStoreImportOptions options = { .command = request->command_line,
                                         .add = request->add,
                                         .options = request->words };
  TtNameRules *rules = tt_name_rules_load (request->name_rules, error);

  if (rules == NULL)
    return FALSE;
  self->import = tt_store_import_begin (request->db_path, &options, tt_names_new (rules), error);
  return self->import != NULL;
}

/* What is read once only, or counts what it has seen, cannot be read again. */
static gboolean
can_begin_anew (const ImportRun *self)
{
  for (guint i = 0; i < self->plan->len; i++)
    {
      const TtPlannedInput *input = self->plan->pdata[i];
      if (g_ptr_array_find_with_equal_func (input->set->paths, "-", g_str_equal, NULL))
        return FALSE;
    }
  return self->request->filter == NULL;
}

/* Whether the import may be tried again without @input, of which rows are written: its fault is kept for then. */
static gboolean
note_broken (const ImportRun *self, const TtPlannedInput *input, const GError *fault)
{
  if (!tt_failure_is_of_input (fault) || !can_begin_anew (self))
    return FALSE;
  input->set->fault = g_error_copy (fault);
  return TRUE;
}

/* The shard of an input in place of the importer, which gives what that would. */
static gboolean
import_shard (ImportRun *self, TtShard *shard, GError **error)
{
  const TtShardEnd *end = tt_shard_end (shard);

  for (guint i = 0; i < end->left_out->len; i++)
    {
      const TtShardLeftOut *left_out = end->left_out->pdata[i];
      GError *fault = g_error_copy (left_out->fault);
      if (!leave_out (left_out->path, &fault, self))
        {
          g_propagate_error (error, fault);
          return FALSE;
        }
    }
  if (!tt_shard_replay (shard, self->sink, error))
    return FALSE;
  if (end->fault == NULL)
    return TRUE;
  g_propagate_error (error, g_error_copy (end->fault));
  return FALSE;
}

/* Input @i of the plan, wherever it is decoded. */
static gboolean
import_input (ImportRun *self, guint i, const TtImportOptions *options, GError **error)
{
  const TtPlannedInput *input = self->plan->pdata[i];

  const TtShardFolder *folder = self->request->folder;
  gboolean is_shard = folder != NULL || (self->workers != NULL && tt_shard_workers_has (self->workers, i));

  if (is_shard)
    {
      g_autoptr (TtShard) shard =
          folder != NULL ? tt_shard_folder_get (folder, i, error) : tt_shard_workers_wait (self->workers, i, error);
      if (shard == NULL)
        return FALSE;
      if (tt_shard_fits (shard, self->sink))
        return import_shard (self, shard, error);
      if (folder != NULL)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                       "'%s' does not fit the shards before it: import the traces again",
                       (const char *) input->set->paths->pdata[0]);
          return FALSE;
        }
    }
  return input->format->import (input->set, options, self->sink, error);
}

/* FALSE with @error, or if it is left out without. @is_needed: alone, or the last hope: its fault is that of the import,
 * but for parts of it that an importer leaves out itself. */
static gboolean
read_input (ImportRun *self, guint i, const TtImportOptions *options, gboolean is_needed, GError **error)
{
  const TtPlannedInput *input = self->plan->pdata[i];
  const guint32 n_sources = self->sink->next_source;
  const char *path = g_ptr_array_index (input->set->paths, 0);
  gboolean has_fault = input->set->fault != NULL;
  GError *fault = has_fault ? g_error_copy (input->set->fault) : NULL;

  tt_names_set_source (self->sink->names, input->format->name);
  if (!has_fault && import_input (self, i, options, &fault))
    return TRUE;
  gboolean is_begun = self->sink->next_source != n_sources;
  if (!is_needed && options->leave_out != NULL && is_begun && note_broken (self, input, fault))
    self->is_broken = TRUE;
  if (is_needed || options->leave_out == NULL || is_begun || !options->leave_out (path, &fault, self))
    g_propagate_error (error, fault);
  else if (has_fault)
    *self->request->n_left_out += input->set->paths->len - 1;
  return FALSE;
}

/* -- inputs that turn out to be broken when they are half read --------------------------------------- */

static gboolean
forget_fault (const char *path, GError **fault, gpointer data)
{
  if (tt_cancelled (NULL))
    return FALSE;
  g_clear_error (fault);
  return TRUE;
}

/* Into nothing. */
static void
try_to_read (const ImportRun *self, const TtPlannedInput *input, const TtImportOptions *options)
{
  TtNameRules *rules = tt_name_rules_load (self->request->name_rules, NULL);

  if (rules == NULL)
    return;
  g_autoptr (TtSink) sink = tt_sink_new (tt_null_back_new (), tt_names_new (rules));
  g_autoptr (GError) fault = NULL;
  TtImportOptions quiet = *options;

  quiet.leave_out = forget_fault;
  quiet.found_disorder = NULL;
  tt_names_set_source (sink->names, input->format->name);
  if (!input->format->import (input->set, &quiet, sink, &fault))
    note_broken (self, input, fault);
}

/* A shard says how its import ended; the traces may be gone by now. */
static void
look_at_shard (const ImportRun *self, guint i)
{
  g_autoptr (TtShard) shard = tt_shard_folder_get (self->request->folder, i, NULL);
  const GError *fault = shard == NULL ? NULL : tt_shard_end (shard)->fault;

  if (fault != NULL)
    note_broken (self, self->plan->pdata[i], fault);
}

/* After input @i was: so that the next time is the last, however many are. */
static void
find_broken (const ImportRun *self, guint i, const TtImportOptions *options)
{
  for (i++; i < self->plan->len && !tt_cancelled (NULL); i++)
    {
      const TtPlannedInput *input = self->plan->pdata[i];
      if (input->set->fault != NULL)
        continue;
      if (self->request->folder != NULL)
        look_at_shard (self, i);
      else
        try_to_read (self, input, options);
    }
}

static gboolean
read_inputs (ImportRun *self, GError **error)
{
  TtImportOptions options = self->options;
  GError *fault = NULL;

  self->sink = tt_store_import_threaded_sink (self->import, WRITER_BATCHES);
  const guint32 first_source = self->sink->next_source;
  self->passes = tt_import_passes_new (self->sink, !self->request->add);
  tt_sink_add_thread (self->sink, "observer", OBSERVER_BATCHES);
  if (!self->request->quiet)
    self->progress = tt_progress_new ("importing", tt_format_plan_bytes (self->plan), "B");
  self->sink->progress = self->progress;
  if (self->request->filter != NULL)
    tt_sink_set_filter (self->sink, self->request->filter);

  if (!self->has_disorder && self->workers == NULL && can_begin_anew (self))
    options.found_disorder = &self->has_disorder;
  for (guint i = 0; i < self->plan->len; i++)
    {
      const TtPlannedInput *input = g_ptr_array_index (self->plan, i);

      if (options.is_step != NULL && !input->format->takes_step_names)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                       "'--step-by' names the steps of PyTorch traces only; '%s' is of format %s",
                       (const char *) g_ptr_array_index (input->set->paths, 0), input->format->name);
          return FALSE;
        }
      if (self->request->folder != NULL)
        options.n_alike = 0;
      else if (i == 0 || input->format != ((const TtPlannedInput *) g_ptr_array_index (self->plan, i - 1))->format)
        options.n_alike = tt_format_plan_alike (self->plan, input->format);
      gboolean is_needed = i + 1 == self->plan->len && self->sink->next_source == first_source;
      if (!read_input (self, i, &options, is_needed, &fault) && fault != NULL)
        {
          if (self->is_broken)
            find_broken (self, i, &options);
          g_propagate_error (error, fault);
          return FALSE;
        }
    }
  if (!tt_sink_finish (self->sink, error))
    return FALSE;
  for (guint i = 0; self->request->folder == NULL && i < self->left_out->len; i++)
    tt_warning ("%s", (const char *) g_ptr_array_index (self->left_out, i));
  for (guint i = 0; self->request->folder == NULL && i < self->sink->notes->len; i++)
    tt_message ("%s", (const char *) g_ptr_array_index (self->sink->notes, i));
  return TRUE;
}

static gboolean
begin_and_read (ImportRun *self, TtKnownSources *known, GError **error)
{
  if (!begin_import (self, error))
    return FALSE;
  known->import = self->import;
  /* Shards are put together without their inputs. */
  return (self->request->folder != NULL || tt_known_sources_check (known, error)) && read_inputs (self, error) &&
         tt_known_sources_check_stdin (known, error);
}

static void
choose_options (ImportRun *self)
{
  static const TtImportOptions defaults = { .rank = -1 };

  self->options = self->request->options != NULL ? *self->request->options : defaults;
  if (self->request->n_left_out != NULL && !self->options.strict)
    {
      self->options.leave_out = leave_out;
      self->options.leave_out_data = self;
    }
}

/* A filter counts what it has seen from the first input to the last. */
static gboolean
start_workers (ImportRun *self, GError **error)
{
  const TtImportRequest *request = self->request;

  if (request->jobs < 2 || self->plan->len < 2 || request->filter != NULL)
    return TRUE;
  self->rules = tt_name_rules_load (request->name_rules, error);
  if (self->rules == NULL)
    return FALSE;
  const TtShardJob job = { .plan = self->plan, .options = &self->options, .rules = self->rules };
  self->workers = tt_shard_workers_start (&job, request->jobs, error);
  return self->workers != NULL;
}

/* Rows are in the database and in what the passes have seen that do not belong there: those of a broken input, which is not
 * read again, or in an order that they do not have. */
static gboolean
read_anew (ImportRun *self, TtKnownSources *known, guint n_unknown, GError **error)
{
  self->is_broken = FALSE;
  import_run_reset (self);
  g_ptr_array_set_size (self->left_out, (int) n_unknown);
  g_ptr_array_set_size (self->left_out_paths, (int) n_unknown);
  if (self->request->n_left_out != NULL)
    *self->request->n_left_out = n_unknown;
  return begin_and_read (self, known, error);
}

static gboolean
read_whole (ImportRun *self, TtKnownSources *known, GError **error)
{
  const guint n_unknown = self->left_out->len;
  GError *fault = NULL;
  gboolean is_done = begin_and_read (self, known, &fault);

  if (!is_done && self->has_disorder)
    {
      g_clear_error (&fault);
      is_done = read_anew (self, known, n_unknown, &fault);
    }
  if (!is_done && self->is_broken)
    {
      g_clear_error (&fault);
      is_done = read_anew (self, known, n_unknown, &fault);
    }
  if (!is_done)
    g_propagate_error (error, fault);
  return is_done;
}

static void
tell_unsure (const ImportRun *self)
{
  char messages[TT_TIME_TEXT], calls[TT_TIME_TEXT];
  guint64 n_messages, n_calls;

  tt_store_import_unsure (self->import, &n_messages, &n_calls);
  if (n_messages + n_calls > 0)
    tt_message ("%s %s and %s %s of collectives come after lost records, and nothing proves which belong together:"
                " they are not joined",
                tt_count_text (messages, n_messages), n_messages == 1 ? "message" : "messages",
                tt_count_text (calls, n_calls), n_calls == 1 ? "call" : "calls");
}

gboolean
tt_import_paths (const TtImportRequest *request, char **paths, GError **error)
{
  g_auto (ImportRun) self = { .request = request,
                              .left_out = g_ptr_array_new_with_free_func (g_free),
                              .left_out_paths = g_ptr_array_new_with_free_func (g_free) };

  tt_cancel_install ();
  if (!make_plan (&self, paths, error))
    return FALSE;

  TtKnownSources known = { .plan = self.plan,
                           .db_path = request->db_path,
                           .options = request->words,
                           .add = request->add,
                           .replace = request->replace,
                           .again = request->again };
  choose_options (&self);
  if ((request->folder == NULL && !tt_known_sources_check_copies (&known, error)) || !start_workers (&self, error) ||
      !read_whole (&self, &known, error))
    return FALSE;

  g_clear_pointer (&self.sink, tt_sink_free);
  g_clear_pointer (&self.progress, tt_progress_free);
  tt_import_passes_observed (self.passes);
  for (guint i = 0; i < self.left_out_paths->len; i++)
    if (!tt_store_import_left_out (self.import, self.left_out_paths->pdata[i], error))
      return FALSE;
  if (!tt_store_import_join (self.import, error) || !tt_import_passes_run (self.passes, self.import, error) ||
      !tt_store_import_commit (self.import, error))
    return FALSE;

  tell_unsure (&self);

  gint64 old_version;
  if (tt_store_import_upgraded (self.import, &old_version))
    tt_message_upgraded (request->db_path, old_version);
  tt_message_log_left (request->db_path);
  return TRUE;
}
