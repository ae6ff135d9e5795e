/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "src/base/output.h"
#include "src/cli/whole-file.h"
#include "src/gpu/gcn/launch.h"
#include "src/gpu/run/arguments.h"
#include "src/gpu/run/launch.h"
#include "src/gpu/weave/heading.h"
#include "src/gpu/weave/records.h"
#include "src/gpu/weave/weave.h"

typedef struct
{
  char *kernel, *grid, *block, *trace;
  char **arguments;
  gint64 shared, max_steps;
} Options;

static void
options_clear (Options *self)
{
  g_free (self->kernel);
  g_free (self->grid);
  g_free (self->block);
  g_free (self->trace);
  g_strfreev (self->arguments);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* "4", "4,2" or "4,2,1" */
static gboolean
read_dimensions (const char *option, const char *text, guint *dimensions, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "1", ",", -1);
  guint n = g_strv_length (parts);
  guint64 value = 0;

  for (guint i = 0; i < 3; i++)
    {
      dimensions[i] = 1;
      if (n == 0 || n > 3 || (i < n && !g_ascii_string_to_unsigned (parts[i], 10, 1, G_MAXINT32, &value, NULL)))
        {
          g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "%s '%s' is not X, X,Y or X,Y,Z", option, text);
          return FALSE;
        }
      if (i < n)
        dimensions[i] = (guint) value;
    }
  return TRUE;
}

static gboolean
check_limits (const Options *options, GError **error)
{
  if (options->shared >= 0 && options->max_steps >= 0)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "--shared and --max-steps are not negative");
  return FALSE;
}

/* A launch: its kernel, what it is given, and of a woven kernel what it saves. */
typedef struct
{
  const char *name;
  const Options *options;
  const TtPtxModule *module;
  const TtPtxFunction *kernel;
  const TtGpuProbe *probe; /* NULL: it is not woven */
  TtGpuLaunch *launch;
  TtGpuArguments *arguments;
  TtGpuRecords *records;
  TtGpuCounts counts;
} Run;

static void
run_clear (Run *self)
{
  g_clear_pointer (&self->records, tt_gpu_records_free);
  g_clear_pointer (&self->arguments, tt_gpu_arguments_free);
  g_clear_pointer (&self->launch, tt_gpu_launch_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static gboolean
set_up (const Run *self, TtGpuRecordsInfo *info, GError **error)
{
  const Options *options = self->options;

  if (!check_limits (options, error))
    return FALSE;
  if (options->max_steps > 0)
    tt_gpu_launch_set_max_steps (self->launch, (guint64) options->max_steps);
  return read_dimensions ("--grid", options->grid, info->grid, error) &&
         read_dimensions ("--block", options->block, info->block, error) &&
         tt_gpu_launch_set_size (self->launch, info->grid, info->block, error) &&
         tt_gpu_launch_set_shared (self->launch, (guint64) options->shared, error);
}

static guint8 *
allocate (gpointer launch, const char *name, guint64 bytes, guint64 *address, GError **error)
{
  return tt_gpu_launch_allocate (launch, name, bytes, address, error);
}

static gboolean
set_param (gpointer launch, guint i, gconstpointer bytes, gsize len, GError **error)
{
  return tt_gpu_launch_set_param (launch, i, bytes, len, error);
}

/* @caps: records of maps with a cap that is counted. */
static gboolean
launch (Run *self, const guint64 *caps, GError **error)
{
  TtGpuRecordsInfo info = {
    .probe = self->probe,
    .kernel = self->kernel,
    .shared_bytes = (guint64) self->options->shared,
    .caps = caps,
  };

  run_clear (self);
  self->launch = tt_gpu_launch_new (self->module, self->kernel, self->name, error);
  if (self->launch == NULL || !set_up (self, &info, error))
    return FALSE;
  TtGpuReceiver receiver = { self->launch, allocate, set_param };
  self->arguments = tt_gpu_arguments_new (&receiver, self->options->arguments, error);
  if (self->arguments == NULL)
    return FALSE;
  if (self->probe != NULL && (self->records = tt_gpu_records_new (self->launch, &info, error)) == NULL)
    return FALSE;
  return tt_gpu_launch_run (self->launch, &self->counts, error);
}

/* A first launch counts what maps of a dynamic cap need. */
static gboolean
launch_counted (Run *self, GError **error)
{
  guint n = self->probe == NULL ? 0 : self->probe->maps->len;
  g_autofree guint64 *caps = g_new0 (guint64, MAX (n, 1));
  gboolean is_dynamic = FALSE;

  if (!launch (self, NULL, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      is_dynamic |= tt_gpu_probe_map (self->probe, i)->cap == 0;
      caps[i] = tt_gpu_records_most (self->records, i);
    }
  return !is_dynamic || launch (self, caps, error);
}

static int
finish (const Run *self, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (!tt_gpu_arguments_write (self->arguments, error))
    return -1;
  if (self->options->trace != NULL &&
      !tt_gpu_records_write (self->records, self->options->trace, self->module->text, self->counts.warp_steps, error))
    return -1;
  for (guint i = 0; self->records != NULL && i < self->probe->maps->len; i++)
    {
      guint64 lost = tt_gpu_records_lost (self->records, i);
      if (lost > 0)
        g_string_append_printf (text, "map '%s': %" G_GUINT64_FORMAT " records found no room: raise its cap\n",
                                tt_gpu_probe_map (self->probe, i)->name, lost);
    }
  tt_message_lines (text->str);
  g_string_printf (text, "%s: %" G_GUINT64_FORMAT " instructions of warps, %" G_GUINT64_FORMAT " of threads\n",
                   self->kernel->name, self->counts.warp_steps, self->counts.thread_steps);
  return tt_output_print (NULL, text->str, -1, error) ? 0 : -1;
}

/* The kernel has the parameter that weaving gave it. */
static gboolean
is_woven (const TtPtxFunction *kernel, const char *param)
{
  return kernel->params->len > 0 &&
         g_strcmp0 (((const TtPtxVariable *) kernel->params->pdata[kernel->params->len - 1])->name, param) == 0;
}

static int
run_ptx (const char *name, const GByteArray *bytes, const Options *options, GError **error)
{
  g_autoptr (TtPtxModule) module = tt_ptx_module_new (name, (const char *) bytes->data, bytes->len, error);
  const TtPtxFunction *kernel = module == NULL ? NULL : tt_ptx_module_entry (module, options->kernel, error);
  g_autofree char *param = NULL, *toml = NULL;
  g_autoptr (TtGpuProbe) probe = NULL;

  if (module != NULL && kernel == NULL)
    g_prefix_error (error, "%s: ", name);
  if (kernel == NULL)
    return -1;
  if (tt_gpu_woven_read (module->text, &param, &toml) && is_woven (kernel, param))
    {
      probe = tt_gpu_probe_new (name, toml, strlen (toml), error);
      if (probe == NULL)
        return -1;
    }
  if (options->trace != NULL && probe == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "%s: no probe is woven into kernel '%s' ('tracetool probe weave')",
                   name, kernel->name);
      return -1;
    }
  g_auto (Run) self = { .name = name, .options = options, .module = module, .kernel = kernel, .probe = probe };
  return launch_counted (&self, error) ? finish (&self, error) : -1;
}

/* -- AMD's -------------------------------------------------------------------------------------------- */

static guint8 *
allocate_gcn (gpointer launch, const char *name, guint64 bytes, guint64 *address, GError **error)
{
  return tt_gcn_launch_allocate (launch, name, bytes, address, error);
}

static gboolean
set_param_gcn (gpointer launch, guint i, gconstpointer bytes, gsize len, GError **error)
{
  return tt_gcn_launch_set_param (launch, i, bytes, len, error);
}

static gboolean
set_up_gcn (TtGcnLaunch *launch, const Options *options, GError **error)
{
  guint grid[3], block[3];

  if (!check_limits (options, error))
    return FALSE;
  if (options->max_steps > 0)
    tt_gcn_launch_set_max_steps (launch, (guint64) options->max_steps);
  return read_dimensions ("--grid", options->grid, grid, error) &&
         read_dimensions ("--block", options->block, block, error) &&
         tt_gcn_launch_set_size (launch, grid, block, error) &&
         tt_gcn_launch_set_shared (launch, (guint64) options->shared, error);
}

static int
run_gcn (const char *name, const GByteArray *bytes, const Options *options, GError **error)
{
  g_autoptr (TtGcnModule) module = tt_gcn_module_new (name, (const char *) bytes->data, bytes->len, error);
  const TtGcnKernel *kernel = module == NULL ? NULL : tt_gcn_module_kernel (module, options->kernel, error);
  guint64 steps, thread_steps;

  if (module != NULL && kernel == NULL)
    g_prefix_error (error, "%s: ", name);
  if (kernel == NULL)
    return -1;
  if (options->trace != NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "%s: no probe is woven into AMD's kernels here: leave out --trace",
                   name);
      return -1;
    }
  g_autoptr (TtGcnLaunch) launch = tt_gcn_launch_new (module, kernel, name, error);
  if (launch == NULL || !set_up_gcn (launch, options, error))
    return -1;
  TtGpuReceiver receiver = { launch, allocate_gcn, set_param_gcn };
  g_autoptr (TtGpuArguments) arguments = tt_gpu_arguments_new (&receiver, options->arguments, error);
  if (arguments == NULL || !tt_gcn_launch_run (launch, &steps, &thread_steps, error) ||
      !tt_gpu_arguments_write (arguments, error))
    return -1;
  g_autofree char *text =
      g_strdup_printf ("%s: %" G_GUINT64_FORMAT " instructions of waves, %" G_GUINT64_FORMAT " of threads\n",
                       kernel->name, steps, thread_steps);
  return tt_output_print (NULL, text, -1, error) ? 0 : -1;
}

static int
run_kernel (const char *path, const Options *options, GError **error)
{
  const char *name = g_str_equal (path, "-") ? "<stdin>" : path;
  g_autoptr (GByteArray) bytes = tt_whole_file_read (path, TT_PTX_MAX_BYTES, error);

  if (bytes == NULL)
    return -1;
  return tt_gcn_is_module ((const char *) bytes->data, bytes->len) ? run_gcn (name, bytes, options, error)
                                                                   : run_ptx (name, bytes, options, error);
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { 0 };
  int status = -1;
  const GOptionEntry entries[] = {
    { "kernel", 'k', 0, G_OPTION_ARG_STRING, &options.kernel, "The kernel, where there are several", "NAME" },
    { "grid", 'g', 0, G_OPTION_ARG_STRING, &options.grid, "Blocks: X, X,Y or X,Y,Z (default: 1)", "SIZE" },
    { "block", 'b', 0, G_OPTION_ARG_STRING, &options.block, "Threads of a block (default: 1)", "SIZE" },
    { "shared", 0, 0, G_OPTION_ARG_INT64, &options.shared, "Shared memory of a block beside that of variables",
      "BYTES" },
    { "arg", 'a', 0, G_OPTION_ARG_STRING_ARRAY, &options.arguments,
      "The next argument: TYPE:NUMBER, zero:BYTES, fill:BYTES:TYPE:NUMBER, in:FILE, out:FILE:BYTES, inout:FILE:OUTPUT, "
      "bytes:DIGITS",
      "VALUE" },
    { "trace", 0, 0, G_OPTION_ARG_FILENAME, &options.trace,
      "Write the records of a woven kernel there, as Neutrino does", "DIRECTORY" },
    { "max-steps", 0, 0, G_OPTION_ARG_INT64, &options.max_steps, "Instructions of warps at most (default: 2^32)", "N" },
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_probe_run, entries, &argc, &argv, &status, error))
    return error != NULL && *error != NULL ? -1 : status;
  if (argc != 2)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   argc < 2 ? "which kernel? 'tracetool probe run --help' has an example"
                            : "one module at a time; '%s' is the second",
                   argc < 2 ? "" : argv[2]);
      return -1;
    }
  return run_kernel (argv[1], &options, error);
}

const TtCommand tt_command_probe_run = {
  .name = "probe run",
  .summary = "Run a GPU's kernel (PTX or GCN assembly) on this machine's processor",
  .usage = "MODULE.ptx|MODULE.s",
  .details =
      "No GPU is needed. Integers and the arithmetic of f32 and f64 are exact; clocks count instructions of warps, so\n"
      "that the same launch gives the same numbers always. What would fault on a GPU (out of bounds, misaligned) is "
      "an\n"
      "error with its line, as is an instruction that cannot be run here. docs/probes.md has the limits.",
  .example = "tracetool probe run -a zero:4 -a zero:4 -a zero:4 -a u32:1 neutrino/add.ptx",
  .ignores_db = TRUE,
  .ignores_run = TRUE,
  .run = run,
};
