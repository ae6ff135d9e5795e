/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "formats/neutrino/compile.h"
#include "formats/neutrino/lexer.h"
#include "formats/neutrino/toml-read.h"
#include "src/base/output.h"
#include "src/cli/whole-file.h"
#include "src/gpu/weave/weave.h"

typedef struct
{
  char *kernel, *output;
} Options;

static void
options_clear (Options *self)
{
  g_free (self->kernel);
  g_free (self->output);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* The TOML of a program in neutrino.language. NULL: *@status is the exit status, and messages were printed. */
static char *
compile (const char *name, const GByteArray *source, int *status)
{
  g_autoptr (TtNlProgram) program = tt_nl_program_new (name, (const char *) source->data, source->len);
  g_autoptr (GString) toml = g_string_new (NULL), messages = g_string_new (NULL);
  gboolean ok = tt_nl_program_is_good (program);

  if (ok)
    {
      tt_nl_program_be_scalar (program);
      ok = tt_nl_program_write (program, tt_nl_target_find ("ptx", NULL), toml);
    }
  tt_nl_program_print_messages (program, messages);
  tt_message_lines (messages->str);
  *status = 1;
  return ok ? g_string_free (g_steal_pointer (&toml), FALSE) : NULL;
}

static char *
read_probe (const char *path, int *status, GError **error)
{
  gboolean is_toml = g_str_has_suffix (path, ".toml");
  g_autoptr (GByteArray) bytes = tt_whole_file_read (path, is_toml ? TT_NL_TOML_MAX_BYTES : TT_NL_MAX_BYTES, error);

  if (bytes == NULL)
    return NULL;
  return is_toml ? g_strndup ((const char *) bytes->data, bytes->len) : compile (path, bytes, status);
}

static int
weave (char **argv, const Options *options, GError **error)
{
  g_autoptr (GByteArray) bytes = tt_whole_file_read (argv[1], TT_PTX_MAX_BYTES, error);
  g_autoptr (TtPtxModule) module =
      bytes == NULL ? NULL : tt_ptx_module_new (argv[1], (const char *) bytes->data, bytes->len, error);
  g_autoptr (GString) notes = g_string_new (NULL);
  int status = -1;

  if (module == NULL)
    return -1;
  g_autofree char *toml = read_probe (argv[2], &status, error);
  g_autoptr (TtGpuProbe) probe = toml == NULL ? NULL : tt_gpu_probe_new (argv[2], toml, strlen (toml), error);
  if (probe == NULL)
    return error != NULL && *error != NULL ? -1 : status;
  TtGpuWeaving weaving = { module, argv[1], argv[2], probe, options->kernel };
  g_autofree char *text = tt_gpu_weave (&weaving, notes, error);
  if (text == NULL)
    return -1;
  tt_message_lines (notes->str);
  return tt_output_print (options->output, text, -1, error) ? 0 : -1;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { 0 };
  int status = -1;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output, "Where to write to (default: standard output)",
      "FILE" },
    { "kernel", 'k', 0, G_OPTION_ARG_STRING, &options.kernel, "Only into this kernel (default: all)", "NAME" },
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_probe_weave, entries, &argc, &argv, &status, error))
    return error != NULL && *error != NULL ? -1 : status;
  if (argc != 3)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                   "which module, and which probe? 'tracetool probe weave --help' has an example");
      return -1;
    }
  return weave (argv, &options, error);
}

const TtCommand tt_command_probe_weave = {
  .name = "probe weave",
  .summary = "Put a probe into the kernels of a PTX module",
  .usage = "MODULE.ptx PROBE",
  .details =
      "PROBE is a program in neutrino.language, or the TOML that 'probe compile' makes of it (.toml). What comes out\n"
      "is PTX for ptxas and for 'probe run --trace', with one parameter more: the memory for records.\n"
      "docs/probes.md describes it.",
  .example = "tracetool probe weave neutrino/add.ptx neutrino/loads.py -o woven.ptx",
  .ignores_db = TRUE,
  .ignores_run = TRUE,
  .run = run,
};
