#include "config.h"

#include "formats/job/private.h"

#include "src/base/error.h"
#include "src/base/input.h"

#include <string.h>

#define SYNCS_MEMORY ((gsize) 1 << 20)

/* TT_CLOCK_EPOCH: microseconds since 1970 from 2001 to 2033. */
#define EPOCH_FROM G_GINT64_CONSTANT (1000000000000000000)
#define EPOCH_TO G_GINT64_CONSTANT (2000000000000000000)

/* -- spans --------------------------------------------------------------------------------------------------- */

gboolean
tt_job_is_in_window (const TtJobProcess *process, gint64 ts_ns)
{
  return process->first_ns == TT_NO_TIME || (ts_ns >= process->first_ns && ts_ns < process->end_ns);
}

TtOperatorSource
tt_job_operator_source (const TtJob *self, const char *path)
{
  return (TtOperatorSource){ .path = path,
                             /* What metadata.json leaves out may still have run. */
                             .graph = self->model->source == TT_JOB_METADATA ? NULL : self->model->graph,
                             .names = self->model->names,
                             .sink = self->sink,
                             .strict = self->options->strict };
}

static guint64
keep_args (TtJob *self, const TtJobSpan *span)
{
  TtTraceEvent event = { .offset = span->offset };

  if (span->args_len == 0)
    return 0;
  event.args = (TtJsonValue){ .kind = TT_JSON_OBJECT, .raw = { span->args, span->args_len }, .offset = span->offset };
  return tt_args_keeper_keep (&self->args, &event);
}

void
tt_job_put (TtJob *self, const TtJobSpan *span)
{
  const TtJobProcess *process = span->process;
  gint64 ts_ns, end_ns;

  if (__builtin_add_overflow (span->ts_ns, process->shift_ns, &ts_ns) ||
      __builtin_add_overflow (ts_ns, MAX (span->dur_ns, 0), &end_ns))
    {
      tt_sink_repair (self->sink, TT_REPAIR_ODD_RECORD, span->offset);
      return;
    }
  if (self->some_ns == TT_NO_TIME)
    self->some_ns = ts_ns;
  const TtHappening row = {
    .thread = span->thread,
    .process = process->process,
    .name = span->name,
    .flags = span->flags,
    .step = tt_step_finder_step (self->finder, process->process, span->name, span->ts_ns, span->step),
    .ts_ns = ts_ns,
    .dur_ns = span->dur_ns,
    .args = keep_args (self, span),
    .offset = span->offset,
  };
  tt_arrange_span (self->arrange, &row);
}

/* -- the survey ------------------------------------------------------------------------------------------ */

static const char *
operators_path (const TtJobRank *rank, gboolean *is_temp)
{
  *is_temp = rank->path[TT_JOB_PROFILE] == NULL;
  return rank->path[*is_temp ? TT_JOB_TEMP : TT_JOB_PROFILE];
}

static gboolean
read_file (TtJob *self, TtJobProcess *process, TtJobFile file, GError **error)
{
  const char *path = process->rank->path[file];
  gboolean is_read;

  switch (file)
    {
    case TT_JOB_PROFILE:
    case TT_JOB_TEMP:
      is_read = tt_job_read_operators (self, process, path, file == TT_JOB_TEMP, error);
      break;
    case TT_JOB_IO:
      is_read = tt_job_read_io (self, process, path, error);
      break;
    case TT_JOB_COMM:
      is_read = tt_job_read_comm (self, process, path, error);
      break;
    default:
      is_read = tt_job_read_detail (self, process, path, error);
    }
  return is_read && (!self->options->strict || tt_repairs_check_none (&self->sink->repairs, path, error));
}

/* What is mended now is counted when the file is read for its rows. */
static gboolean
survey_file (TtJob *self, TtJobProcess *process, TtJobFile file, GError **error)
{
  self->sink->repairs = (TtRepairs){ 0 };
  return process->rank->path[file] == NULL || read_file (self, process, file, error);
}

static gboolean
survey_rank (TtJob *self, TtJobProcess *process, GError **error)
{
  const TtJobRank *rank = process->rank;
  gboolean is_temp;
  const char *operators = operators_path (rank, &is_temp);

  if (!tt_job_load_model (self, rank, error))
    return FALSE;
  if (!survey_file (self, process, is_temp ? TT_JOB_TEMP : TT_JOB_PROFILE, error))
    return FALSE;
  if (operators != NULL && process->first_ns == TT_NO_TIME)
    tt_sink_note (self->sink, "%s: no operators of a GPU in it: '%s' has no steps", operators, rank->pid);
  return survey_file (self, process, TT_JOB_IO, error) &&
         (self->layout->n_hosts < 2 || survey_file (self, process, TT_JOB_COMM, error));
}

/* What is read here is read again, so the progress bar waits. */
static gboolean
survey (TtJob *self, GError **error)
{
  TtProgress *progress = self->sink->progress;
  gboolean is_good = TRUE;

  self->sink->progress = NULL;
  for (guint i = 0; is_good && i < self->processes->len; i++)
    is_good = survey_rank (self, &g_array_index (self->processes, TtJobProcess, i), error);
  self->sink->progress = progress;
  return is_good && tt_step_finder_finish (self->finder, self->sink->names, error);
}

/* -- rows ------------------------------------------------------------------------------------------------------ */

static gboolean
end_source (TtJob *self, const char *path, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);
  g_autofree char *hash = input == NULL ? NULL : tt_input_hash (input, error);
  gboolean is_epoch = self->some_ns >= EPOCH_FROM && self->some_ns <= EPOCH_TO;

  if (hash == NULL)
    return FALSE;
  tt_sink_end_source (self->sink, tt_input_disk_bytes (input), hash, is_epoch ? TT_CLOCK_EPOCH : TT_CLOCK_RELATIVE);
  return TRUE;
}

static gboolean
put_file (TtJob *self, TtJobProcess *process, TtJobFile file, gboolean is_first, GError **error)
{
  const char *path = process->rank->path[file];
  g_autoptr (TtArrange) arrange = tt_arrange_new (self->sink);

  self->some_ns = TT_NO_TIME;
  self->arrange = arrange;
  tt_sink_begin_source (self->sink, "job", path, TT_CLOCK_RELATIVE);
  gboolean is_good = (!is_first || tt_job_put_metadata (self, process, error)) &&
                     read_file (self, process, file, error) && tt_step_finder_check (self->finder, error) &&
                     tt_arrange_finish (arrange, error) && tt_sink_check (self->sink, 0, error);
  self->arrange = NULL;
  return is_good && end_source (self, path, error);
}

static gboolean
put_rank (TtJob *self, TtJobProcess *process, GError **error)
{
  gboolean is_temp, is_first = TRUE;
  const char *operators = operators_path (process->rank, &is_temp);

  if (!tt_job_load_model (self, process->rank, error))
    return FALSE;
  for (guint file = TT_JOB_PROFILE; file <= TT_JOB_DETAIL; file++)
    {
      const char *path = process->rank->path[file];
      if (path == NULL || (file <= TT_JOB_TEMP && path != operators))
        continue;
      if (!put_file (self, process, (TtJobFile) file, is_first, error))
        return FALSE;
      is_first = FALSE;
    }
  return TRUE;
}

/* A file of the whole job. */
static gboolean
put_common (TtJob *self, const char *path, GError **error)
{
  g_autoptr (TtArrange) arrange = tt_arrange_new (self->sink);

  self->some_ns = TT_NO_TIME;
  self->arrange = arrange;
  tt_sink_begin_source (self->sink, "job", path, TT_CLOCK_RELATIVE);
  gboolean is_good = tt_job_read_servers (self, path, error) && tt_step_finder_check (self->finder, error) &&
                     tt_arrange_finish (arrange, error) && tt_sink_check (self->sink, 0, error);
  self->arrange = NULL;
  return is_good && end_source (self, path, error);
}

/* -- the format -------------------------------------------------------------------------------------------- */

static void
define_processes (TtJob *self)
{
  const GPtrArray *ranks = self->layout->ranks;
  gboolean is_alone = ranks->len == 1;

  for (guint i = 0; i < ranks->len; i++)
    {
      const TtJobRank *rank = ranks->pdata[i];
      const char *pid = is_alone && self->options->pid != NULL ? self->options->pid : rank->pid;
      gint64 number = is_alone && self->options->rank >= 0 ? self->options->rank : (gint64) i;
      TtJobProcess process = { .rank = rank, .first_ns = TT_NO_TIME, .end_ns = TT_NO_TIME };
      process.process = tt_sink_process (self->sink, pid, NULL, rank->host, number);
      g_array_append_val (self->processes, process);
    }
  tt_job_number_workers (self);
}

static gboolean
import_job (TtJob *self, GError **error)
{
  define_processes (self);
  if (!survey (self, error))
    return FALSE;
  tt_job_align_clocks (self);
  if (!tt_tape_check (self->syncs, error))
    return FALSE;
  for (guint i = 0; i < self->processes->len; i++)
    if (!put_rank (self, &g_array_index (self->processes, TtJobProcess, i), error))
      return FALSE;
  for (guint i = 0; i < TT_N_JOB_COMMON; i++)
    if (self->layout->common[i] != NULL && !put_common (self, self->layout->common[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
import_set (const TtInputSet *input, const TtImportOptions *options, TtSink *sink, GError **error)
{
  g_autoptr (TtJobLayout) layout = tt_job_layout_read (input->root);
  g_autoptr (TtStepFinder) finder = tt_step_finder_new (options->step_rule);
  g_autoptr (GArray) processes = g_array_new (FALSE, TRUE, sizeof (TtJobProcess));
  g_autoptr (TtTape) syncs = tt_tape_new (SYNCS_MEMORY);
  g_autoptr (GHashTable) graphs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  TtJob self = {
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
  tt_job_model_free (self.model);
  return is_good;
}

static void
list_files (const TtJobLayout *layout, TtInputSet *set)
{
  for (guint i = 0; i < layout->ranks->len; i++)
    {
      const TtJobRank *rank = layout->ranks->pdata[i];
      gboolean is_temp;

      operators_path (rank, &is_temp);
      for (guint file = 0; file < TT_N_JOB_FILES; file++)
        if (rank->path[file] != NULL && (file != TT_JOB_TEMP || is_temp))
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
