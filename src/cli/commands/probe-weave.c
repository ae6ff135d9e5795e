/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "src/base/output.h"
#include "src/cli/probe-file.h"
#include "src/cli/whole-file.h"
#include "src/gpu/weave/gcn-weave.h"
#include "src/gpu/weave/weave.h"

typedef struct
{
  char *kernel, *output, *plan;
} Options;

static void
options_clear (Options *self)
{
  g_free (self->kernel);
  g_free (self->output);
  g_free (self->plan);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

/* For who launches what is woven: its maps, the last parameter of its kernels, and how many there are. */
static char *
describe_plan (const TtPtxModule *module, const TtGpuProbe *probe, const char *kernel)
{
  g_autoptr (GString) plan = g_string_new (NULL);
  guint n_kernels = 0;

  for (guint i = 0; i < probe->maps->len; i++)
    g_string_append_printf (plan, "map %d %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
                            tt_gpu_probe_map (probe, i)->is_warp, tt_gpu_probe_map (probe, i)->record_bytes,
                            tt_gpu_probe_map (probe, i)->cap);
  for (guint i = 0; i < module->functions->len; i++)
    {
      const TtPtxFunction *function = module->functions->pdata[i];
      g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA1, function->name, -1);
      guint64 at = 0;

      if (!function->is_entry || !function->has_body || (kernel != NULL && !g_str_equal (kernel, function->name)))
        continue;
      for (guint k = 0; k < function->params->len; k++)
        {
          const TtPtxVariable *param = function->params->pdata[k];
          guint64 align = MAX (param->align, 1);
          at = (at + align - 1) / align * align + param->bytes;
        }
      g_string_append_printf (plan, "kernel %u %" G_GUINT64_FORMAT " %s %s\n", function->params->len + 1,
                              (at + 7) / 8 * 8, sum, function->name);
      n_kernels++;
    }
  g_string_append_printf (plan, "end %u %u\n", probe->maps->len, n_kernels);
  return g_string_free (g_steal_pointer (&plan), FALSE);
}

static TtGpuProbe *
read_probe (const char *path, const char *target, int *status, GError **error)
{
  g_autofree char *toml = tt_probe_file_read (path, target, status, error);

  return toml == NULL ? NULL : tt_gpu_probe_new (path, toml, strlen (toml), error);
}

static char *
weave_ptx (char **argv, const GByteArray *bytes, const Options *options, GString *notes, int *status, GError **error)
{
  g_autoptr (TtPtxModule) module = tt_ptx_module_new (argv[1], (const char *) bytes->data, bytes->len, error);
  g_autoptr (TtGpuProbe) probe = module == NULL ? NULL : read_probe (argv[2], "ptx", status, error);

  if (probe == NULL)
    return NULL;
  TtGpuWeaving weaving = { module, argv[1], argv[2], probe, options->kernel };
  g_autofree char *text = tt_gpu_weave (&weaving, notes, error);
  if (text != NULL && options->plan != NULL)
    {
      g_autofree char *plan = describe_plan (module, probe, options->kernel);
      if (!tt_output_print (options->plan, plan, -1, error))
        return NULL;
    }
  return g_steal_pointer (&text);
}

static char *
weave_gcn (char **argv, const GByteArray *bytes, const Options *options, GString *notes, int *status, GError **error)
{
  g_autofree char *text = g_strndup ((const char *) bytes->data, bytes->len);
  g_autoptr (TtGcnModule) module = tt_gcn_module_new (argv[1], text, strlen (text), error);
  gboolean is_gfx90a = module != NULL && g_strcmp0 (module->target, "gfx90a") == 0;
  g_autoptr (TtGpuProbe) probe =
      module == NULL ? NULL : read_probe (argv[2], is_gfx90a ? "gfx90a" : "gfx942", status, error);

  if (probe == NULL)
    return NULL;
  TtGpuGcnWeaving weaving = { module, text, strlen (text), argv[1], argv[2], probe, options->kernel };
  return tt_gpu_gcn_weave (&weaving, notes, error);
}

static int
weave (char **argv, const Options *options, GError **error)
{
  g_autoptr (GByteArray) bytes = tt_whole_file_read (argv[1], TT_PTX_MAX_BYTES, error);
  g_autoptr (GString) notes = g_string_new (NULL);
  int status = -1;

  if (bytes == NULL)
    return -1;
  gboolean is_gcn = tt_gcn_is_module ((const char *) bytes->data, bytes->len);
  if (is_gcn && options->plan != NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "%s: only PTX has a --plan", argv[1]);
      return -1;
    }
  g_autofree char *text = is_gcn ? weave_gcn (argv, bytes, options, notes, &status, error)
                                 : weave_ptx (argv, bytes, options, notes, &status, error);
  if (text == NULL)
    return error != NULL && *error != NULL ? -1 : status;
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
    { "plan", 0, 0, G_OPTION_ARG_FILENAME, &options.plan, "Of PTX: what who launches it must know", "FILE" },
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
  .summary = "Put a probe into the kernels of a GPU's module",
  .usage = "MODULE.ptx|MODULE.s PROBE",
  .details =
      "PROBE is a program in neutrino.language, or the TOML that 'probe compile' makes of it (.toml). What comes out\n"
      "is PTX for ptxas, or AMD's assembly (gfx90a, gfx942, gfx950) for clang, and both for 'probe run --trace', with one\n"
      "parameter more: the memory for records. The registers that AMD's kernels need are counted anew.\n"
      "docs/probes.md describes it.",
  .example = "tracetool probe weave neutrino/add.ptx neutrino/loads.py -o woven.ptx",
  .ignores_db = TRUE,
  .ignores_run = TRUE,
  .run = run,
};
