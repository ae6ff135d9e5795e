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

#include <string.h>

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

/* -- machines -------------------------------------------------------------------------------------------- */

/* A launch: its kernel, what it is given, and of a woven kernel what it saves. */
typedef struct
{
  const char *name, *text;
  const Options *options;
  gboolean is_amd;
  gconstpointer module, kernel; /* those of the machine */
  const char *kernel_name;
  guint n_params;
  const TtGpuProbe *probe; /* NULL: it is not woven */
  TtGpuLaunch *ptx;        /* on NVIDIA's machine, or */
  TtGcnLaunch *gcn;        /* on AMD's */
  TtGpuArguments *arguments;
  TtGpuRecords *records;
  guint64 warp_steps, thread_steps;
} Run;

static gboolean
start (Run *self, GError **error)
{
  if (self->is_amd)
    self->gcn = tt_gcn_launch_new (self->module, self->kernel, self->name, error);
  else
    self->ptx = tt_gpu_launch_new (self->module, self->kernel, self->name, error);
  return self->is_amd ? self->gcn != NULL : self->ptx != NULL;
}

static gboolean
set_size (Run *self, const guint grid[3], const guint block[3], GError **error)
{
  return self->is_amd ? tt_gcn_launch_set_size (self->gcn, grid, block, error)
                      : tt_gpu_launch_set_size (self->ptx, grid, block, error);
}

static gboolean
set_limits (Run *self, GError **error)
{
  guint64 steps = (guint64) self->options->max_steps, shared = (guint64) self->options->shared;

  if (steps > 0 && self->is_amd)
    tt_gcn_launch_set_max_steps (self->gcn, steps);
  if (steps > 0 && !self->is_amd)
    tt_gpu_launch_set_max_steps (self->ptx, steps);
  return self->is_amd ? tt_gcn_launch_set_shared (self->gcn, shared, error)
                      : tt_gpu_launch_set_shared (self->ptx, shared, error);
}

static guint8 *
allocate (gpointer run, const char *name, guint64 bytes, guint64 *address, GError **error)
{
  Run *self = run;

  return self->is_amd ? tt_gcn_launch_allocate (self->gcn, name, bytes, address, error)
                      : tt_gpu_launch_allocate (self->ptx, name, bytes, address, error);
}

static gboolean
set_param (gpointer run, guint i, gconstpointer bytes, gsize len, GError **error)
{
  Run *self = run;

  return self->is_amd ? tt_gcn_launch_set_param (self->gcn, i, bytes, len, error)
                      : tt_gpu_launch_set_param (self->ptx, i, bytes, len, error);
}

static gboolean
run_launch (Run *self, GError **error)
{
  TtGpuCounts counts = { 0 };

  if (self->is_amd)
    return tt_gcn_launch_run (self->gcn, &self->warp_steps, &self->thread_steps, error);
  gboolean ok = tt_gpu_launch_run (self->ptx, &counts, error);
  self->warp_steps = counts.warp_steps;
  self->thread_steps = counts.thread_steps;
  return ok;
}

/* -- launches -------------------------------------------------------------------------------------------- */

static void
run_clear (Run *self)
{
  g_clear_pointer (&self->records, tt_gpu_records_free);
  g_clear_pointer (&self->arguments, tt_gpu_arguments_free);
  g_clear_pointer (&self->ptx, tt_gpu_launch_free);
  g_clear_pointer (&self->gcn, tt_gcn_launch_free);
}

static gboolean
set_up (Run *self, TtGpuRecordsInfo *info, GError **error)
{
  const Options *options = self->options;

  return check_limits (options, error) && read_dimensions ("--grid", options->grid, info->grid, error) &&
         read_dimensions ("--block", options->block, info->block, error) &&
         set_size (self, info->grid, info->block, error) && set_limits (self, error);
}

/* @caps: records of maps with a cap that is counted. */
static gboolean
launch (Run *self, const guint64 *caps, GError **error)
{
  TtGpuRecordsInfo info = {
    .probe = self->probe,
    .kernel = self->kernel_name,
    .n_params = self->n_params,
    .warp = self->is_amd ? TT_GCN_WAVE : TT_GPU_WARP,
    .is_amd = self->is_amd,
    .shared_bytes = (guint64) self->options->shared,
    .caps = caps,
  };

  run_clear (self);
  if (!start (self, error) || !set_up (self, &info, error))
    return FALSE;
  TtGpuReceiver receiver = { self, allocate, set_param };
  self->arguments = tt_gpu_arguments_new (&receiver, self->options->arguments, error);
  if (self->arguments == NULL)
    return FALSE;
  if (self->probe != NULL && (self->records = tt_gpu_records_new (&receiver, &info, error)) == NULL)
    return FALSE;
  return run_launch (self, error);
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
      !tt_gpu_records_write (self->records, self->options->trace, self->text, self->warp_steps, error))
    return -1;
  for (guint i = 0; self->records != NULL && i < self->probe->maps->len; i++)
    {
      guint64 lost = tt_gpu_records_lost (self->records, i);
      if (lost > 0)
        g_string_append_printf (text, "map '%s': %" G_GUINT64_FORMAT " records found no room: raise its cap\n",
                                tt_gpu_probe_map (self->probe, i)->name, lost);
    }
  tt_message_lines (text->str);
  g_string_printf (text, "%s: %" G_GUINT64_FORMAT " instructions of %s, %" G_GUINT64_FORMAT " of threads\n",
                   self->kernel_name, self->warp_steps, self->is_amd ? "waves" : "warps", self->thread_steps);
  return tt_output_print (NULL, text->str, -1, error) ? 0 : -1;
}

/* @last: the name of the kernel's last parameter, which is ours where it is woven. */
static int
run_all (Run *self, const char *last, GError **error)
{
  g_autofree char *param = NULL, *toml = NULL;
  g_autoptr (TtGpuProbe) probe = NULL;

  if (tt_gpu_woven_read (self->text, &param, &toml) && g_strcmp0 (last, param) == 0)
    {
      self->probe = probe = tt_gpu_probe_new (self->name, toml, strlen (toml), error);
      if (probe == NULL)
        return -1;
    }
  if (self->options->trace != NULL && probe == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "%s: no probe is woven into kernel '%s' ('tracetool probe weave')",
                   self->name, self->kernel_name);
      return -1;
    }
  int status = launch_counted (self, error) ? finish (self, error) : -1;
  run_clear (self);
  return status;
}

static int
run_ptx (const char *name, const GByteArray *bytes, const Options *options, GError **error)
{
  g_autoptr (TtPtxModule) module = tt_ptx_module_new (name, (const char *) bytes->data, bytes->len, error);
  const TtPtxFunction *kernel = module == NULL ? NULL : tt_ptx_module_entry (module, options->kernel, error);

  if (module != NULL && kernel == NULL)
    g_prefix_error (error, "%s: ", name);
  if (kernel == NULL)
    return -1;
  guint n = kernel->params->len;
  Run self = { .name = name,
               .text = module->text,
               .options = options,
               .module = module,
               .kernel = kernel,
               .kernel_name = kernel->name,
               .n_params = n };
  return run_all (&self, n == 0 ? NULL : ((const TtPtxVariable *) kernel->params->pdata[n - 1])->name, error);
}

static int
run_gcn (const char *name, const GByteArray *bytes, const Options *options, GError **error)
{
  g_autofree char *text = g_strndup ((const char *) bytes->data, bytes->len);
  g_autoptr (TtGcnModule) module = tt_gcn_module_new (name, text, strlen (text), error);
  const TtGcnKernel *kernel = module == NULL ? NULL : tt_gcn_module_kernel (module, options->kernel, error);
  const char *last = NULL;

  if (module != NULL && kernel == NULL)
    g_prefix_error (error, "%s: ", name);
  if (kernel == NULL)
    return -1;
  Run self = { .is_amd = TRUE,
               .name = name,
               .text = text,
               .options = options,
               .module = module,
               .kernel = kernel,
               .kernel_name = kernel->name };
  for (guint i = 0; i < kernel->arguments->len; i++)
    {
      const TtGcnArgument *argument = &g_array_index (kernel->arguments, TtGcnArgument, i);

      if (tt_gcn_argument_is_hidden (argument))
        continue;
      self.n_params++;
      last = argument->name;
    }
  return run_all (&self, last, error);
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
