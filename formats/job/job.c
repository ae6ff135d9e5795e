/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* The importer of job directories: which file is read when. */

#include "formats/job/byteps.h"
#include "formats/job/clock.h"
#include "formats/job/detail.h"
#include "formats/job/events.h"
#include "formats/job/horovod.h"
#include "formats/job/io.h"
#include "formats/job/model.h"
#include "formats/job/operators.h"

#include "src/base/error.h"
#include "src/base/input.h"
#include "src/trace/span.h"

#include <string.h>

#define SYNCS_MEMORY ((gsize) 1 << 20)

/* -- the survey ------------------------------------------------------------------------------------------ */

static const char *
find_operators (const char *const *path, gboolean *is_temp)
{
  *is_temp = path[TT_JOB_FILE_PROFILE] == NULL;
  return path[*is_temp ? TT_JOB_FILE_TEMP : TT_JOB_FILE_PROFILE];
}

static gboolean
read_file (TtJobImport *self, TtJobImportProcess *process, TtJobFile file, GError **error)
{
  const char *path = process->path[file];
  gboolean is_read;

  switch (file)
    {
    case TT_JOB_FILE_PROFILE:
    case TT_JOB_FILE_TEMP:
      is_read = tt_job_import_read_operators (self, process, path, file == TT_JOB_FILE_TEMP, error);
      break;
    case TT_JOB_FILE_IO:
      is_read = tt_job_import_read_io (self, process, path, error);
      break;
    case TT_JOB_FILE_COMM:
      is_read = tt_job_import_read_horovod (self, process, path, error);
      break;
    default:
      is_read = tt_job_import_read_detail (self, process, path, error);
    }
  return is_read && (!self->options->strict || tt_repairs_check_none (&self->sink->repairs, path, error));
}

/* What is mended now is counted when the file is read for its rows. */
static gboolean
survey_file (TtJobImport *self, TtJobImportProcess *process, TtJobFile file, GError **error)
{
  self->sink->repairs = (TtRepairs){ 0 };
  return process->path[file] == NULL || read_file (self, process, file, error);
}

static gboolean
pass_over (const TtTraceEvent *event, gpointer data)
{
  return TRUE;
}

/* Whether it can be read to its end: rows of half of it would be in the database. */
static gboolean
check_file (TtJobImport *self, const char *path, GError **error)
{
  self->sink->repairs = (TtRepairs){ 0 };
  return tt_job_import_each_event (self, path, pass_over, NULL, error);
}

/* The job goes on without a file that cannot be read, if that is allowed and it has others. */
static gboolean
leave_out (TtJobImport *self, const char **path, GError *fault, GError **error)
{
  if (self->n_files < 2)
    {
      g_propagate_error (error, fault);
      return FALSE;
    }
  if (!tt_job_import_goes_on (self, *path, fault, error))
    return FALSE;
  self->n_files--;
  *path = NULL;
  return TRUE;
}

/* @has_rows: it is read for what it says, else only to its end. */
static gboolean
survey_or_leave_out (TtJobImport *self, TtJobImportProcess *process, TtJobFile file, gboolean has_rows, GError **error)
{
  const char **path = &process->path[file];
  GError *fault = NULL;

  if (*path == NULL || (has_rows ? survey_file (self, process, file, &fault) : check_file (self, *path, &fault)))
    return TRUE;
  if (file <= TT_JOB_FILE_TEMP)
    {
      process->first_ns = process->end_ns = TT_NO_TIME;
      process->n_syncs = 0;
    }
  return leave_out (self, path, fault, error);
}

static gboolean
survey_rank (TtJobImport *self, TtJobImportProcess *process, GError **error)
{
  const TtJobRank *rank = process->rank;
  gboolean is_temp;
  const char *operators = find_operators (process->path, &is_temp);

  if (!tt_job_import_load_model (self, rank, error))
    return FALSE;
  if (!survey_or_leave_out (self, process, TT_JOB_FILE_PROFILE, TRUE, error) ||
      (process->path[TT_JOB_FILE_PROFILE] == NULL &&
       !survey_or_leave_out (self, process, TT_JOB_FILE_TEMP, TRUE, error)))
    return FALSE;
  operators = find_operators (process->path, &is_temp);
  if (operators != NULL && process->first_ns == TT_NO_TIME)
    tt_sink_note (self->sink, "%s: no operators of a GPU in it: '%s' has no steps", operators, rank->pid);
  return survey_or_leave_out (self, process, TT_JOB_FILE_IO, TRUE, error) &&
         survey_or_leave_out (self, process, TT_JOB_FILE_COMM, self->layout->n_hosts >= 2, error) &&
         survey_or_leave_out (self, process, TT_JOB_FILE_DETAIL, FALSE, error);
}

/* Likewise for a file of the whole job. */
static gboolean
survey_common (TtJobImport *self, const char *path, GError **error)
{
  const char *left = path;
  GError *fault = NULL;

  if (path == NULL || check_file (self, path, &fault))
    return TRUE;
  if (!leave_out (self, &left, fault, error))
    return FALSE;
  tt_job_layout_forget (self->layout, path);
  return TRUE;
}

/* What is read here is read again, so the progress bar waits. */
static gboolean
survey_job (TtJobImport *self, GError **error)
{
  TtProgress *progress = self->sink->progress;
  gboolean is_good = TRUE;

  self->sink->progress = NULL;
  for (guint i = 0; is_good && i < self->processes->len; i++)
    is_good = survey_rank (self, &g_array_index (self->processes, TtJobImportProcess, i), error);
  for (guint i = 0; is_good && i < TT_N_JOB_COMMON; i++)
    is_good = survey_common (self, self->layout->common[i], error);
  self->sink->progress = progress;
  return is_good && tt_step_finder_finish (self->finder, self->sink->names, error);
}

/* -- rows ------------------------------------------------------------------------------------------------------ */

static gboolean
end_source (TtJobImport *self, const char *path, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);
  g_autofree char *hash = input == NULL ? NULL : tt_input_hash (input, error);
  gboolean is_epoch = tt_time_is_epoch (self->some_ns);

  if (hash == NULL)
    return FALSE;
  tt_sink_end_source (self->sink, tt_input_disk_bytes (input), hash, is_epoch ? TT_CLOCK_EPOCH : TT_CLOCK_RELATIVE);
  return TRUE;
}

static gboolean
import_file (TtJobImport *self, TtJobImportProcess *process, TtJobFile file, gboolean is_first, GError **error)
{
  const char *path = process->path[file];
  g_autoptr (TtArrange) arrange = tt_arrange_new (self->sink);

  self->some_ns = TT_NO_TIME;
  self->arrange = arrange;
  tt_sink_begin_source (self->sink, "job", path, TT_CLOCK_RELATIVE);
  gboolean is_good = (!is_first || tt_job_import_add_metadata (self, process, error)) &&
                     read_file (self, process, file, error) && tt_step_finder_check (self->finder, error) &&
                     tt_arrange_finish (arrange, error) && tt_sink_check (self->sink, 0, error);
  self->arrange = NULL;
  return is_good && end_source (self, path, error);
}

static gboolean
import_rank (TtJobImport *self, TtJobImportProcess *process, GError **error)
{
  gboolean is_temp, is_first = TRUE;
  const char *operators = find_operators (process->path, &is_temp);

  if (!tt_job_import_load_model (self, process->rank, error))
    return FALSE;
  for (guint file = TT_JOB_FILE_PROFILE; file <= TT_JOB_FILE_DETAIL; file++)
    {
      const char *path = process->path[file];
      if (path == NULL || (file <= TT_JOB_FILE_TEMP && path != operators))
        continue;
      if (!import_file (self, process, (TtJobFile) file, is_first, error))
        return FALSE;
      is_first = FALSE;
    }
  return TRUE;
}

/* A file of the whole job. */
static gboolean
import_common (TtJobImport *self, const char *path, GError **error)
{
  g_autoptr (TtArrange) arrange = tt_arrange_new (self->sink);

  self->some_ns = TT_NO_TIME;
  self->arrange = arrange;
  tt_sink_begin_source (self->sink, "job", path, TT_CLOCK_RELATIVE);
  gboolean is_good = tt_job_import_read_servers (self, path, error) && tt_step_finder_check (self->finder, error) &&
                     tt_arrange_finish (arrange, error) && tt_sink_check (self->sink, 0, error);
  self->arrange = NULL;
  return is_good && end_source (self, path, error);
}

/* -- the format -------------------------------------------------------------------------------------------- */

static void
define_processes (TtJobImport *self)
{
  const GPtrArray *ranks = self->layout->ranks;
  gboolean is_alone = ranks->len == 1;

  for (guint i = 0; i < ranks->len; i++)
    {
      const TtJobRank *rank = ranks->pdata[i];
      const char *pid = is_alone && self->options->pid != NULL ? self->options->pid : rank->pid;
      gint64 number = is_alone && self->options->rank >= 0 ? self->options->rank : (gint64) i;
      TtJobImportProcess process = { .rank = rank, .first_ns = TT_NO_TIME, .end_ns = TT_NO_TIME };
      for (guint file = 0; file < TT_N_JOB_FILES; file++)
        {
          process.path[file] = rank->path[file];
          self->n_files += file <= TT_JOB_FILE_DETAIL && rank->path[file] != NULL;
        }
      process.process = tt_sink_process (self->sink, pid, NULL, rank->host, number);
      g_array_append_val (self->processes, process);
    }
  for (guint i = 0; i < TT_N_JOB_COMMON; i++)
    self->n_files += self->layout->common[i] != NULL;
  tt_job_import_number_workers (self);
}

static gboolean
import_job (TtJobImport *self, GError **error)
{
  define_processes (self);
  if (!survey_job (self, error))
    return FALSE;
  tt_job_import_align_clocks (self);
  if (!tt_tape_check (self->syncs, error))
    return FALSE;
  for (guint i = 0; i < self->processes->len; i++)
    if (!import_rank (self, &g_array_index (self->processes, TtJobImportProcess, i), error))
      return FALSE;
  for (guint i = 0; i < TT_N_JOB_COMMON; i++)
    if (self->layout->common[i] != NULL && !import_common (self, self->layout->common[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
import_set (const TtInputSet *input, const TtImportOptions *options, TtSink *sink, GError **error)
{
  g_autoptr (TtJobLayout) layout = tt_job_layout_read (input->root);
  g_autoptr (TtStepFinder) finder = tt_step_finder_new (options->step_rule);
  g_autoptr (GArray) processes = g_array_new (FALSE, TRUE, sizeof (TtJobImportProcess));
  g_autoptr (TtTape) syncs = tt_tape_new (SYNCS_MEMORY);
  g_autoptr (GHashTable) graphs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  TtJobImport self = {
    .layout = layout,
    .options = options,
    .sink = sink,
    .finder = finder,
    .processes = processes,
    .syncs = syncs,
    .graphs = graphs,
  };

  if (layout == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "%s: the files of the job are gone", input->root);
      return FALSE;
    }
  tt_args_keeper_init (&self.args, sink, options->args);
  gboolean is_good = import_job (&self, error);
  tt_args_keeper_clear (&self.args);
  tt_job_import_model_free (self.model);
  return is_good;
}

static void
list_files (const TtJobLayout *layout, TtInputSet *set)
{
  for (guint i = 0; i < layout->ranks->len; i++)
    {
      const TtJobRank *rank = layout->ranks->pdata[i];
      gboolean is_temp;

      find_operators ((const char *const *) rank->path, &is_temp);
      for (guint file = 0; file < TT_N_JOB_FILES; file++)
        if (rank->path[file] != NULL && (file != TT_JOB_FILE_TEMP || is_temp))
          g_ptr_array_add (set->paths, g_strdup (rank->path[file]));
    }
  for (guint i = 0; i < TT_N_JOB_COMMON && set->paths->len > 0; i++)
    if (layout->common[i] != NULL)
      g_ptr_array_add (set->paths, g_strdup (layout->common[i]));
}

static gboolean
group (GPtrArray *paths, gboolean from_directory, GPtrArray *inputs, GPtrArray *notes, GError **error)
{
  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = paths->pdata[i];
      g_autoptr (TtJobLayout) layout = tt_job_layout_read (path);
      g_autoptr (TtInputSet) set = tt_input_set_new ();

      if (layout != NULL)
        list_files (layout, set);
      if (set->paths->len == 0)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                       layout == NULL ? "%s: not the directory of a job: no host or GPU below it has trace.json.gz, "
                                        "temp.json, comm.json or comm_detail.json"
                                      : "%s: all files of the job are empty",
                       path);
          return FALSE;
        }
      set->root = g_strdup (path);
      if (notes != NULL)
        tt_job_layout_note (layout, notes);
      g_ptr_array_add (inputs, g_steal_pointer (&set));
    }
  return TRUE;
}

/* Single files are those of other formats. */
static guint
probe (const TtProbe *file)
{
  return 0;
}

static gboolean
claims (const char *path, TtIsTraceFunc is_trace)
{
  g_autoptr (TtJobLayout) layout = tt_job_layout_read (path);

  return layout != NULL && tt_job_layout_is_certain (layout);
}

const TtFormat tt_format_job = {
  .name = "job",
  .summary = "Directory of a training job: TRIAL/HOST/GPU with trace.json.gz, comm.json, comm_detail.json ...",
  .probe = probe,
  .group = group,
  .import = import_set,
  .claims = claims,
};
