/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "src/base/input.h"
#include "src/base/output.h"
#include "src/gpu/run/arguments.h"

typedef struct
{
  char *kernel, *grid, *block;
  char **arguments;
  gint64 shared, max_steps;
} Options;

static void
options_clear (Options *self)
{
  g_free (self->kernel);
  g_free (self->grid);
  g_free (self->block);
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

static TtPtxModule *
read_module (const char *path, const char *name, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint8 block[65536];
  gssize n = input == NULL ? -1 : 1;

  while (n > 0 && bytes->len <= TT_PTX_MAX_BYTES)
    {
      n = tt_input_read (input, block, sizeof block, error);
      if (n > 0)
        g_byte_array_append (bytes, block, (guint) n);
    }
  return n < 0 ? NULL : tt_ptx_module_new (name, (const char *) bytes->data, bytes->len, error);
}

static gboolean
set_up (TtGpuLaunch *launch, const Options *options, GError **error)
{
  guint grid[3], block[3];

  if (options->shared < 0 || options->max_steps < 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "--shared and --max-steps are not negative");
      return FALSE;
    }
  if (options->max_steps > 0)
    tt_gpu_launch_set_max_steps (launch, (guint64) options->max_steps);
  return read_dimensions ("--grid", options->grid, grid, error) &&
         read_dimensions ("--block", options->block, block, error) &&
         tt_gpu_launch_set_size (launch, grid, block, error) &&
         tt_gpu_launch_set_shared (launch, (guint64) options->shared, error);
}

static int
run_kernel (const char *path, const Options *options, GError **error)
{
  const char *name = g_str_equal (path, "-") ? "<stdin>" : path;
  g_autoptr (TtPtxModule) module = read_module (path, name, error);
  const TtPtxFunction *kernel = module == NULL ? NULL : tt_ptx_module_entry (module, options->kernel, error);
  TtGpuCounts counts;

  if (module != NULL && kernel == NULL)
    g_prefix_error (error, "%s: ", name);
  if (kernel == NULL)
    return -1;
  g_autoptr (TtGpuLaunch) launch = tt_gpu_launch_new (module, kernel, name, error);
  if (launch == NULL || !set_up (launch, options, error))
    return -1;
  g_autoptr (TtGpuArguments) arguments = tt_gpu_arguments_new (launch, options->arguments, error);
  if (arguments == NULL || !tt_gpu_launch_run (launch, &counts, error) || !tt_gpu_arguments_write (arguments, error))
    return -1;
  g_autofree char *text =
      g_strdup_printf ("%s: %" G_GUINT64_FORMAT " instructions of warps, %" G_GUINT64_FORMAT " of threads\n",
                       kernel->name, counts.warp_steps, counts.thread_steps);
  return tt_output_print (NULL, text, -1, error) ? 0 : -1;
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
  .summary = "Run a kernel of a PTX module on this machine's processor",
  .usage = "MODULE.ptx",
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
