/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/format.h"

#include "formats/neutrino-trace/decode.h"
#include "formats/neutrino-trace/launches.h"
#include "formats/neutrino-trace/rows.h"
#include "formats/neutrino-trace/run.h"
#include "src/base/error.h"
#include "src/base/look.h"

#include <string.h>

typedef struct
{
  const TtImportOptions *options;
  TtSink *sink;
  TtNeutrinoRun *run;       /* NULL: single files */
  TtNeutrinoLayout *layout; /* NULL: words */
  TtNeutrinoLog *log;       /* NULL: there is none */
  TtNeutrinoKernel *only;   /* the only kernel of the run, or NULL */
  char *pid;
  guint32 host; /* process */
  TtNeutrinoDevice rows;
} Import;

static void
import_clear (Import *self)
{
  tt_neutrino_device_clear (&self->rows);
  g_clear_pointer (&self->run, tt_neutrino_run_free);
  g_clear_pointer (&self->layout, tt_neutrino_layout_free);
  g_clear_pointer (&self->log, tt_neutrino_log_free);
  g_clear_pointer (&self->only, tt_neutrino_kernel_free);
  g_free (self->pid);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Import, import_clear)

/* -- sources ------------------------------------------------------------------------------------------------------- */

static gboolean
end_source (const Import *self, TtInput *input, TtClock clock, GError **error)
{
  g_autofree char *hash = tt_input_hash (input, error);

  if (hash == NULL ||
      (self->options->strict && !tt_repairs_check_none (&self->sink->repairs, tt_input_path (input), error)))
    return FALSE;
  tt_sink_end_source (self->sink, tt_input_disk_bytes (input), hash, clock);
  return tt_sink_check (self->sink, tt_input_progress (input), error);
}

static gboolean
put_log (Import *self, const char *path, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);

  if (input == NULL)
    return FALSE;
  tt_sink_begin_source (self->sink, "neutrino", path, TT_CLOCK_EPOCH);
  tt_repairs_merge (&self->sink->repairs, &self->log->repairs);
  if (self->log->command != NULL)
    tt_sink_metadata (self->sink, self->host, TT_NO_ID, "command", self->log->command);
  return tt_neutrino_put_launches (self->log, self->options, self->sink, self->host, error) &&
         end_source (self, input, TT_CLOCK_EPOCH, error);
}

static gboolean
put_tensors (Import *self, const char *path, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);

  if (input == NULL)
    return FALSE;
  tt_sink_begin_source (self->sink, "neutrino", path, TT_CLOCK_EPOCH);
  return tt_neutrino_put_tensors (input, self->options, self->sink, self->host, error) &&
         end_source (self, input, TT_CLOCK_EPOCH, error);
}

/* -- results
 * ----------------------------------------------------------------------------------------------------------- */

/* Bytes of contents: of a compressed file they must be counted. */
static gboolean
contents_size (const char *path, guint64 *size, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);
  guint8 block[65536];
  gssize n = 1;

  if (input == NULL)
    return FALSE;
  *size = tt_input_disk_bytes (input);
  if (!tt_input_is_compressed (input) && !g_str_equal (path, "-"))
    return TRUE;
  while (n > 0)
    n = tt_input_read (input, block, sizeof block, error);
  *size = tt_input_offset (input);
  return n == 0;
}

static TtNeutrinoAreas *
read_areas (const Import *self, const char *path, guint64 size, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open_head (path, TT_NEUTRINO_MAX_HEADER, error);
  guint8 head[TT_NEUTRINO_MAX_HEADER];
  gssize n = input == NULL ? -1 : tt_input_read (input, head, sizeof head, error);

  if (n < 0)
    return NULL;
  return tt_neutrino_areas_read (&(TtNeutrinoHead){ path, head, (gsize) n, size }, self->layout, self->options->salvage,
                                 error);
}

static gboolean
find_strides (const char *path, TtNeutrinoAreas *areas, GError **error)
{
  if (!areas->is_odd)
    return TRUE;
  g_autoptr (TtInput) input = tt_input_open (path, error);
  return input != NULL && tt_neutrino_find_strides (input, areas, error);
}

/* "0.123.bin" of "DIR/0.123.bin.gz": the name that a log has. Free it. */
static char *
name_in_log (const char *path)
{
  char *name = g_path_get_basename (path), *packing = g_strrstr (name, ".bin");

  if (packing != NULL)
    packing[4] = '\0';
  return name;
}

/* What the log says was saved should be there. */
static gboolean
find_gone (Import *self, GError **error)
{
  g_autoptr (GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->run->results->len; i++)
    g_hash_table_add (found, name_in_log (self->run->results->pdata[i]));
  for (guint i = 0; i < self->log->launches->len; i++)
    {
      const TtNeutrinoLaunch *launch = self->log->launches->pdata[i];
      GError *fault = NULL;

      if (launch->result == NULL || g_hash_table_contains (found, launch->result))
        continue;
      tt_repairs_add (&self->log->repairs, TT_REPAIR_GONE_FILE, launch->offset);
      g_hash_table_add (found, g_strdup (launch->result));
      g_autofree char *path = g_build_filename (self->run->root, "result", launch->result, NULL);
      g_set_error (&fault, TT_ERROR, TT_ERROR_INPUT,
                   "%s: it is gone; by event.log it has the records of a launch of '%s' (byte %" G_GUINT64_FORMAT ")",
                   path, launch->kernel == NULL ? "a kernel" : launch->kernel, launch->offset);
      if (self->options->leave_out != NULL && self->options->leave_out (path, &fault, self->options->leave_out_data))
        continue;
      if (self->options->strict)
        {
          g_propagate_error (error, fault);
          return FALSE;
        }
      tt_sink_note (self->sink, "%s", fault->message);
      g_clear_error (&fault);
    }
  return TRUE;
}

/* The log and the header of the file should agree about the launch. */
static void
check_launch (const Import *self,
              const char *path,
              const TtNeutrinoAreas *areas,
              const TtNeutrinoLaunch *launch,
              TtRepairs *repairs)
{
  if (launch == NULL || !launch->has_grid ||
      (memcmp (launch->grid, areas->grid, sizeof areas->grid) == 0 &&
       memcmp (launch->block, areas->block, sizeof areas->block) == 0))
    return;
  tt_sink_note (
      self->sink,
      "%s: its grid and blocks are not those of the launch of '%s' that event.log ties it to; its own are taken", path,
      launch->kernel == NULL ? "kernel" : launch->kernel);
  tt_repairs_add (repairs, TT_REPAIR_OTHER_LAUNCH, 0);
}

static gboolean
put_result (Import *self, const char *path, GError **error)
{
  g_autofree char *name = name_in_log (path);
  guint64 size;

  if (!contents_size (path, &size, error))
    return FALSE;
  g_autoptr (TtNeutrinoAreas) areas = read_areas (self, path, size, error);
  if (areas == NULL || !find_strides (path, areas, error))
    return FALSE;
  const TtNeutrinoLaunch *launch = self->log == NULL ? NULL : tt_neutrino_log_of_result (self->log, name);
  TtNeutrinoResult result = { .path = path, .areas = areas, .launch_ns = TT_NO_TIME, .kernel_ns = TT_NO_TIME };
  check_launch (self, path, areas, launch, &result.repairs);
  result.kernel = launch != NULL && launch->kernel != NULL ? launch->kernel
                  : self->only != NULL                     ? self->only->name
                                                           : "kernel";
  if (launch != NULL)
    {
      result.launch_ns = tt_neutrino_kernel_time (launch);
      result.kernel_ns = launch->kernel_ns;
    }
  if (areas->end > size)
    tt_repairs_add (&result.repairs, TT_REPAIR_DATA_CUT, size);
  return tt_neutrino_rows (&self->rows, &result, error);
}

/* -- what is known before
 * ---------------------------------------------------------------------------------------------- */

static gboolean
load_layout (Import *self, GError **error)
{
  const char *path = self->options->probe_layout != NULL ? self->options->probe_layout
                     : self->run != NULL                 ? self->run->probe
                                                         : NULL;

  if (path == NULL)
    return TRUE;
  self->layout = tt_neutrino_layout_load (path, error);
  for (guint i = 0; self->layout != NULL && i < self->layout->notes->len; i++)
    tt_sink_note (self->sink, "%s", (const char *) self->layout->notes->pdata[i]);
  return self->layout != NULL;
}

static gboolean
load_log (Import *self, const char *path, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);

  self->log = input == NULL ? NULL : tt_neutrino_log_read (input, error);
  return self->log != NULL;
}

/* Reports only differences: the result files have the facts themselves. */
static gboolean
check_kernels (Import *self, GError **error)
{
  for (guint i = 0; i < self->run->kernels->len; i++)
    {
      const char *path = self->run->kernels->pdata[i];
      GError *fault = NULL;
      g_autoptr (TtNeutrinoKernel) kernel = tt_neutrino_kernel_load (path, &fault);

      if (kernel == NULL && self->options->leave_out != NULL &&
          self->options->leave_out (path, &fault, self->options->leave_out_data))
        continue;
      if (kernel == NULL)
        {
          g_propagate_error (error, fault);
          return FALSE;
        }
      g_autofree char *difference = self->layout == NULL ? NULL : tt_neutrino_kernel_difference (kernel, self->layout);
      if (difference != NULL)
        tt_sink_note (self->sink, "%s: %s in '%s'", path, difference, self->layout->path);
      g_autofree char *key = g_strdup_printf ("kernel %s", kernel->name);
      g_autofree char *value =
          g_strdup_printf ("%" G_GUINT64_FORMAT " parameters, %u maps", kernel->n_parameters, kernel->n_maps);
      tt_sink_metadata (self->sink, self->host, TT_NO_ID, key, value);
      if (self->run->kernels->len == 1)
        self->only = g_steal_pointer (&kernel);
    }
  return TRUE;
}

static void
define_processes (Import *self, const char *root)
{
  g_autofree char *from_name = root == NULL ? NULL : tt_neutrino_run_pid (root);
  self->pid = g_strdup (self->options->pid != NULL                    ? self->options->pid
                        : self->log != NULL && self->log->pid != NULL ? self->log->pid
                        : from_name != NULL                           ? from_name
                                                                      : "0");
  self->host =
      tt_sink_process (self->sink, self->pid, self->log == NULL ? NULL : self->log->command, NULL, self->options->rank);
  tt_neutrino_device_init (&self->rows, self->sink, self->options, self->pid);
}

/* -- inputs
 * ------------------------------------------------------------------------------------------------------------ */

/* One that cannot be read is left out, if anything else of the run can be. */
static gboolean
put_results (Import *self, guint32 first_source, GError **error)
{
  for (guint i = 0; i < self->run->results->len; i++)
    {
      const char *path = self->run->results->pdata[i];
      const guint32 n_sources = self->sink->next_source;
      GError *fault = NULL;

      if (put_result (self, path, &fault))
        continue;
      gboolean is_hopeless = i + 1 == self->run->results->len && self->sink->next_source == first_source;
      if (is_hopeless || self->options->leave_out == NULL || self->sink->next_source != n_sources ||
          !self->options->leave_out (path, &fault, self->options->leave_out_data))
        {
          g_propagate_error (error, fault);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
import_run (Import *self, const char *root, GError **error)
{
  const guint32 first_source = self->sink->next_source;

  self->run = tt_neutrino_run_find (root);
  if (!load_layout (self, error) || (self->run->log != NULL && !load_log (self, self->run->log, error)))
    return FALSE;
  if (self->log != NULL && !find_gone (self, error))
    return FALSE;
  define_processes (self, root);
  if (!check_kernels (self, error) || (self->run->log != NULL && !put_log (self, self->run->log, error)) ||
      (self->run->tensors != NULL && !put_tensors (self, self->run->tensors, error)))
    return FALSE;
  return put_results (self, first_source, error);
}

static gboolean
import_file (Import *self, const char *path, GError **error)
{
  guint8 head[256];
  gssize n = tt_input_peek (path, head, sizeof head, NULL, error);

  if (n < 0 || !load_layout (self, error))
    return FALSE;
  if (tt_neutrino_log_probe (head, (gsize) n))
    {
      if (!load_log (self, path, error))
        return FALSE;
      define_processes (self, NULL);
      return put_log (self, path, error);
    }
  define_processes (self, NULL);
  if (tt_neutrino_tensors_probe (head, (gsize) n))
    return put_tensors (self, path, error);
  if (self->layout == NULL)
    tt_sink_note (
        self->sink,
        "%s: read as words w0, w1 ...; --probe-layout FILE tells what they are, or import the run's directory", path);
  return put_result (self, path, error);
}

static gboolean
import_set (const TtInputSet *input, const TtImportOptions *options, TtSink *sink, GError **error)
{
  g_auto (Import) self = { .options = options, .sink = sink };

  return input->root != NULL ? import_run (&self, input->root, error)
                             : import_file (&self, input->paths->pdata[0], error);
}

static gboolean
group_run (const char *root, GPtrArray *inputs, GPtrArray *notes, GError **error)
{
  g_autoptr (TtNeutrinoRun) run = tt_neutrino_run_find (root);
  g_autoptr (TtInputSet) set = tt_input_set_new ();
  const char *files[] = { run->log, run->tensors };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    if (files[i] != NULL)
      g_ptr_array_add (set->paths, g_strdup (files[i]));
  for (guint i = 0; i < run->results->len; i++)
    g_ptr_array_add (set->paths, g_strdup (run->results->pdata[i]));
  if (set->paths->len == 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                   "%s: not the directory of a Neutrino run: neither event.log, result/*.bin nor tensor.trace", root);
      return FALSE;
    }
  if (run->probe == NULL && run->results->len > 0 && notes != NULL)
    g_ptr_array_add (notes,
                     g_strdup_printf ("%s: no probe.toml; without --probe-layout records are read as words", root));
  set->root = g_strdup (root);
  g_ptr_array_add (inputs, g_steal_pointer (&set));
  return TRUE;
}

static gboolean
group (GPtrArray *paths, gboolean from_directory, GPtrArray *inputs, GPtrArray *notes, GError **error)
{
  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = paths->pdata[i];

      if (tt_look_test (path, G_FILE_TEST_IS_DIR))
        {
          if (!group_run (path, inputs, notes, error))
            return FALSE;
          continue;
        }
      TtInputSet *set = tt_input_set_new ();
      g_ptr_array_add (set->paths, g_strdup (path));
      g_ptr_array_add (inputs, set);
    }
  return TRUE;
}

static guint
probe (const TtProbe *file)
{
  if (tt_neutrino_log_probe (file->head, file->len) || tt_neutrino_tensors_probe (file->head, file->len))
    return 90;
  if (tt_neutrino_areas_probe (file->head, file->len, file->size))
    return 80;
  return g_str_has_suffix (file->path, "event.log") || g_str_has_suffix (file->path, "tensor.trace") ? 10 : 0;
}

static gboolean
claims (const char *path, TtIsTraceFunc is_trace)
{
  return tt_neutrino_run_is_one (path);
}

const TtFormat tt_format_neutrino = {
  .name = "neutrino",
  .summary = "Directory of a Neutrino run: event.log, probe.toml, result/*.bin; or one of its files",
  .probe = probe,
  .group = group,
  .import = import_set,
  .claims = claims,
};
