/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/command.h"

#include "formats/neutrino/compile.h"
#include "formats/neutrino/ir-print.h"
#include "formats/neutrino/lexer.h"
#include "formats/neutrino/toml-read.h"
#include "src/base/output.h"
#include "src/cli/whole-file.h"

#include <glib/gstdio.h>
#include <stdio.h>

typedef struct
{
  char *target, *output;
  gboolean ir, layout, guards;
} Options;

static void
options_clear (Options *self)
{
  g_free (self->target);
  g_free (self->output);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Options, options_clear)

static gboolean
is_same_file (const char *a, const char *b)
{
  GStatBuf one, other;

  return g_stat (a, &one) == 0 && g_stat (b, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static gboolean
check_arguments (int argc, char **argv, const Options *options, GError **error)
{
  if (argc != 2)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
                 argc < 2 ? "which source? 'tracetool probe compile --help' has an example"
                          : "one source at a time; '%s' is the second",
                 argc < 2 ? "" : argv[2]);
  else if (options->ir && options->layout)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--ir' and '--layout' are two different outputs: give one");
  else if (options->output != NULL && is_same_file (options->output, argv[1]))
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'-o %s' would overwrite the source", options->output);
  else
    return TRUE;
  return FALSE;
}

static gboolean
translate (TtNlProgram *program, const TtNlTarget *target, const Options *options, GString *text)
{
  if (!tt_nl_program_is_good (program))
    return FALSE;
  if (options->ir)
    tt_nl_unit_print (tt_nl_program_unit (program), text);
  else if (options->layout)
    {
      g_autoptr (TtNlLayout) layout = tt_nl_program_layout (program);
      tt_nl_layout_print (layout, text);
    }
  else
    {
      if (options->guards)
        tt_nl_program_keep_guards (program);
      return tt_nl_program_write (program, target, text);
    }
  return TRUE;
}

/* The records of a probe that is compiled already. */
static int
show_layout (const char *name, const GByteArray *toml, const Options *options, GError **error)
{
  g_autoptr (TtNlLayout) layout = tt_nl_layout_from_toml (name, (const char *) toml->data, toml->len, error);
  g_autoptr (GString) text = g_string_new (NULL);

  if (layout == NULL || !tt_nl_layout_is_known (layout, name, error))
    return -1;
  tt_nl_layout_print (layout, text);
  return tt_output_print (options->output, text->str, (gssize) text->len, error) ? 0 : -1;
}

static int
run (const TtContext *context, int argc, char **argv, GError **error)
{
  g_auto (Options) options = { 0 };
  int status = -1;
  const GOptionEntry entries[] = {
    { "target", 't', 0, G_OPTION_ARG_STRING, &options.target, "ptx (default; also cuda), gfx90a, gfx942 (also hip)",
      "TARGET" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output, "Where to write to (default: standard output)",
      "FILE" },
    { "ir", 0, 0, G_OPTION_ARG_NONE, &options.ir, "Show the probes as lists of instructions instead", NULL },
    { "layout", 0, 0, G_OPTION_ARG_NONE, &options.layout,
      "Show the records that the probes save instead; SOURCE may be a .toml", NULL },
    { "save-guards", 0, 0, G_OPTION_ARG_NONE, &options.guards,
      "PTX: write '@%np0 SAVE' for a save under a condition, not a jump around it", NULL },
    G_OPTION_ENTRY_NULL,
  };

  if (!tt_command_parse (&tt_command_probe_compile, entries, &argc, &argv, &status, error) ||
      !check_arguments (argc, argv, &options, error))
    return error != NULL && *error != NULL ? -1 : status;

  const TtNlTarget *target = tt_nl_target_find (options.target != NULL ? options.target : "ptx", error);
  if (target == NULL)
    return -1;
  const char *name = g_str_equal (argv[1], "-") ? "<stdin>" : argv[1];
  gboolean is_toml = options.layout && g_str_has_suffix (name, ".toml");
  g_autoptr (GByteArray) source = tt_whole_file_read (argv[1], is_toml ? TT_NL_TOML_MAX_BYTES : TT_NL_MAX_BYTES, error);
  if (source == NULL)
    return -1;
  if (is_toml)
    return show_layout (name, source, &options, error);
  g_autoptr (TtNlProgram) program = tt_nl_program_new (name, (const char *) source->data, source->len);
  g_autoptr (GString) text = g_string_new (NULL), messages = g_string_new (NULL);
  gboolean ok = translate (program, target, &options, text);
  tt_nl_program_print_messages (program, messages);
  tt_message_lines (messages->str);
  if (!ok)
    return 1;
  return tt_output_print (options.output, text->str, (gssize) text->len, error) ? 0 : -1;
}

static const TtOptionValues values[] = { { "target", TT_VALUES_ONE, tt_nl_target_words }, { NULL } };

const TtCommand tt_command_probe_compile = {
  .name = "probe compile",
  .summary = "Compile a probe to PTX or GCN assembly in TOML",
  .usage = "SOURCE",
  .details =
      "SOURCE is parsed, never run; - is standard input. The TOML has the form of its dialect: that of the seed\n"
      "for @nl.probe, that of today's loader for @probe and @Map. Errors name file, line and column.\n"
      "'neutrino-compile' is the same program. docs/probes.md describes the language.",
  .example = "tracetool probe compile neutrino/block_sched.py\n"
             "tracetool probe compile --target gfx90a -o sched.toml neutrino/block_sched.py\n"
             "tracetool probe compile --layout neutrino/block_sched.py",
  .ignores_db = TRUE,
  .ignores_run = TRUE,
  .values = values,
  .run = run,
};
